"""The front on Telegram, and what sets its bot up.

::

    front           the bot's life, boards and notices: what delivery asks of a channel
    receiver        updates in, by polling or by a webhook, stored before they are confirmed
    keyed_executor  what shares a chat, a person or a match goes in order
    dispatcher      from an update to a command
    responder       from its answer to messages
    background      what is done aside
    reading         what people type
    people          who they are and where
    widgets         screens as texts with entities, and keyboards
    sender          messages out, Telegram's errors in our words
    send_scheduler  how fast Telegram lets a bot speak
    setup           the connection, and what Telegram is told about the bot
"""

from bot.fronts.telegram.front import Telegram
from bot.fronts.telegram.setup import SetupError, set_up

__all__ = ["SetupError", "Telegram", "set_up"]
