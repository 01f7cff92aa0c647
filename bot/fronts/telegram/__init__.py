"""The front on Telegram, and what sets its bot up.

::

    front           the bot's life, boards and notices: what delivery asks of a channel
    receiver        updates in, by polling or by a webhook, stored before they are confirmed
    shapes          what of them is as Telegram describes it
    dispatcher      from an update to a command: who and where, in which order
    reading         what a message says
    responder       from an answer to messages, aside
    widgets         screens as texts with entities, and keyboards
    sender          messages out, Telegram's errors in our words
    send_scheduler  how fast Telegram lets a bot speak
    reasons         why a call failed, without what it was called with
    setup           the connection, and what Telegram is told about the bot
"""

from bot.fronts.telegram.front import Telegram
from bot.fronts.telegram.setup import SetupError, set_up, user_name

__all__ = ["SetupError", "Telegram", "set_up", "user_name"]
