"""What people type, as the house understands it: a line, and whom it is about."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from telegram import Message, MessageEntity
from telegram import User as TelegramUser

from bot.actions import Action
from bot.errors import Refused

__all__ = ["Line", "board_answered", "owner_of", "read", "replied_to", "speaker_of"]

_ANONYMOUS = {136817688, 1087968824}
"""Telegram's accounts that stand for channels and for anonymous administrators."""


@dataclass(frozen=True, slots=True)
class Line:
    """A command for this bot. `mentions` are people by the word that stands for them in `text`."""

    text: str
    mentions: dict[str, TelegramUser] = field(default_factory=dict)


def read(message: Message, username: str) -> Line | None:
    """The command in a message; None where there is none, or it is another bot's."""
    text = message.text or ""
    if not text.startswith("/"):
        return None
    words = []
    mentions: dict[str, TelegramUser] = {}
    for word, user in _words(message):
        if user:
            mentions[word] = user
        words.append(word)
    command, *rest = "".join(words).split(maxsplit=1) or [""]
    name, _, addressed = command.partition("@")
    if addressed and addressed.casefold() != username.casefold():
        return None
    return Line(" ".join([name, *rest]), mentions)


def _words(message: Message) -> Iterator[tuple[str, TelegramUser | None]]:
    """The text in pieces, with one word of our own for whoever has no @name."""
    text = (message.text or "").encode("utf-16-le")
    at = 0
    for entity in message.entities:
        if entity.type == MessageEntity.TEXT_MENTION and entity.user and not entity.user.is_bot:
            yield text[2 * at : 2 * entity.offset].decode("utf-16-le", "replace"), None
            yield f"@{entity.user.id}", entity.user
            at = entity.offset + entity.length
    yield text[2 * at :].decode("utf-16-le", "replace"), None


def board_answered(message: Message) -> Action | None:
    """A step that is offered by the board of this bot which a message answers."""
    board = message.reply_to_message
    if board is None or board.from_user is None or board.reply_markup is None:
        return None
    if board.from_user.id != message.get_bot().id:
        return None
    for row in board.reply_markup.inline_keyboard:
        for button in row:
            with suppress(Refused):
                action = Action.read(str(button.callback_data or ""))
                if action.verb == "step":
                    return action
    return None


def speaker_of(message: Message) -> TelegramUser | None:
    """The person who wrote a message; None for channels, anonymous administrators and bots."""
    person = message.from_user
    if person is None or message.sender_chat or person.is_bot or person.id in _ANONYMOUS:
        return None
    return person


def replied_to(message: Message) -> TelegramUser | None:
    """The person whose message this one answers."""
    other = message.reply_to_message
    if other is None or (
        message.is_topic_message and other.message_id == message.message_thread_id
    ):
        # In a topic everything answers the message that opened it.
        return None
    return speaker_of(other)


def owner_of(message: Message) -> int | None:
    """Whose menu a message of the bot is: whom it answers, or whose name it begins with."""
    if (person := replied_to(message)) is not None:
        return person.id
    for entity in message.entities:
        if entity.type == MessageEntity.TEXT_MENTION and entity.offset == 0 and entity.user:
            return entity.user.id
    return None
