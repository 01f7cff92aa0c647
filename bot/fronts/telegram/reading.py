"""Read Telegram's messages: texts, users and chats."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from telegram import MaybeInaccessibleMessage, Message, MessageEntity
from telegram import User as TelegramUser

from bot.commands import is_menu, is_replay
from bot.fronts.telegram.sender import Chat
from bot.matches.names import plain

_ANONYMOUS = {136817688, 1087968824}
"""Telegram's accounts for channels and for anonymous administrators."""
_FEW = 8
"""Characters that can be before a slash and invisible."""


@dataclass(frozen=True, slots=True)
class Line:
    """A command, perhaps for this bot. `mentions` are users by their word in `text`."""

    text: str
    is_addressed: bool = False
    """True if it names this bot. Otherwise all bots of a group receive it."""
    mentions: dict[str, TelegramUser] = field(default_factory=dict)

    @property
    def is_start(self) -> bool:
        return self.text.partition(" ")[0] == "/start"


def is_picture(message: Message) -> bool:
    """Return whether a message is a picture, animated or not."""
    return bool(message.photo or message.animation)


def line_in(message: Message, username: str) -> Line | None:
    """Return the command in a message. None if there is none, or it is for another bot.

    A file has it in its caption.
    """
    text, entities = message.text, message.entities
    if message.document:
        text, entities = message.caption, message.caption_entities
    if not text or not (text[0] == "/" or plain(text[:_FEW]).startswith("/")):
        return None
    mentions = {}
    # Entities count UTF-16 code units. A user without a username is written as ``@id``.
    units, pieces, at = text.encode("utf-16-le"), [], 0
    for entity in entities:
        if entity.type == MessageEntity.TEXT_MENTION and entity.user and not entity.user.is_bot:
            mentions[f"@{entity.user.id}"] = entity.user
            pieces += [units[2 * at : 2 * entity.offset], f"@{entity.user.id}".encode("utf-16-le")]
            at = entity.offset + entity.length
    if mentions:
        text = b"".join([*pieces, units[2 * at :]]).decode("utf-16-le", "replace")
    command, *rest = text.split(maxsplit=1) or [""]
    name, _, addressed = (command if command.isascii() else plain(command)).partition("@")
    if addressed and addressed.casefold() != username.casefold():
        return None
    return Line(" ".join([name, *rest]), bool(addressed), mentions)


def chat_of(message: MaybeInaccessibleMessage) -> Chat:
    """Return the chat, and the topic if it is one. Threads of replies are not topics."""
    chat = message.chat.id
    if isinstance(message, Message) and message.is_topic_message and chat < 0:
        return Chat(chat, message.message_thread_id)
    return Chat(chat)


def buttons_of(message: Message) -> Iterator[str]:
    """Yield the callback data of all buttons under a message."""
    if message.reply_markup:
        for row in message.reply_markup.inline_keyboard:
            for button in row:
                yield str(button.callback_data or "")


def speaker_of(message: Message) -> TelegramUser | None:
    """Return the author of a message. None for channels, anonymous administrators and bots."""
    person = message.from_user
    if person is None or message.sender_chat or person.is_bot or person.id in _ANONYMOUS:
        return None
    return person


def replied_to(message: Message) -> TelegramUser | None:
    """Return the author of the message that this one replies to."""
    other = message.reply_to_message
    if other is None or (
        message.is_topic_message and other.message_id == message.message_thread_id
    ):
        # In a topic, all messages reply to the one that opened it.
        return None
    return speaker_of(other)


def answers_us(message: Message, us: int) -> bool:
    """True if the message replies to one of ours."""
    other = message.reply_to_message
    return other is not None and other.from_user is not None and other.from_user.id == us


def pressed_in(message: MaybeInaccessibleMessage) -> tuple[int | None, bool]:
    """Return the owner of a menu, and whether the message is a menu.

    It replies to its owner, or starts with their name.
    """
    if not isinstance(message, Message):
        return None, False
    named = (one.user for one in message.entities if one.user and one.offset == 0)
    person = replied_to(message) or next(named, None)
    owner = person.id if person else None
    # Boards are pictures. Menus are texts, except for replays.
    buttons = tuple(buttons_of(message))
    menu = message.reply_markup is not None and is_menu(buttons)
    menu = menu and (not is_picture(message) or is_replay(buttons))
    return owner, owner is not None or menu
