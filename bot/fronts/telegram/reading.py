"""Telegram's messages in our own terms: what is typed, by whom and about whom, and where."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from telegram import Message, MessageEntity
from telegram import User as TelegramUser

from bot.fronts.telegram.sender import Chat

__all__ = [
    "Line",
    "answers_us",
    "buttons_of",
    "chat_of",
    "line_in",
    "owner_of",
    "replied_to",
    "speaker_of",
]

_ANONYMOUS = {136817688, 1087968824}
"""Telegram's accounts that stand for channels and for anonymous administrators."""


@dataclass(frozen=True, slots=True)
class Line:
    """A command that may be for this bot. `mentions` are people by the word for them in `text`."""

    text: str
    is_addressed: bool = False
    """Does it name this bot? In a group with several, any other reaches all of them."""
    mentions: dict[str, TelegramUser] = field(default_factory=dict)

    @property
    def is_start(self) -> bool:
        """Is it ``/start``, which Telegram itself lets people say, and puts behind links?"""
        return self.text.partition(" ")[0] == "/start"


def line_in(message: Message, username: str) -> Line | None:
    """The command in a message; None where there is none, or it is another bot's."""
    if not message.text or message.text[0] != "/":
        return None
    text, mentions = message.text, {}
    # Telegram counts in units of UTF-16, and people with no @name get a word of our own.
    units, pieces, at = text.encode("utf-16-le"), [], 0
    for entity in message.entities:
        if entity.type == MessageEntity.TEXT_MENTION and entity.user and not entity.user.is_bot:
            mentions[f"@{entity.user.id}"] = entity.user
            pieces += [units[2 * at : 2 * entity.offset], f"@{entity.user.id}".encode("utf-16-le")]
            at = entity.offset + entity.length
    if mentions:
        text = b"".join([*pieces, units[2 * at :]]).decode("utf-16-le", "replace")
    command, *rest = text.split(maxsplit=1) or [""]
    name, _, addressed = command.partition("@")
    if addressed and addressed.casefold() != username.casefold():
        return None
    return Line(" ".join([name, *rest]), bool(addressed), mentions)


def chat_of(message: Message) -> Chat:
    """The chat, and the topic if it is one: threads of replies are none."""
    thread = message.message_thread_id if message.is_topic_message else None
    return Chat(message.chat.id, thread if message.chat.id < 0 else None)


def buttons_of(message: Message) -> Iterator[str]:
    """What the buttons under a message carry."""
    if message.reply_markup:
        for row in message.reply_markup.inline_keyboard:
            for button in row:
                yield str(button.callback_data or "")


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


def answers_us(message: Message, us: int) -> bool:
    """Does this message answer one of ours?"""
    other = message.reply_to_message
    return other is not None and other.from_user is not None and other.from_user.id == us


def owner_of(message: Message) -> int | None:
    """Whose menu a message of the bot is: whom it answers, or whose name it begins with."""
    if (person := replied_to(message)) is not None:
        return person.id
    for entity in message.entities:
        if entity.type == MessageEntity.TEXT_MENTION and entity.offset == 0 and entity.user:
            return entity.user.id
    return None
