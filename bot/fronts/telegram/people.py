"""Who speaks and where, in the house's own terms.

A private chat is the direct place of its person, with the same number as its name. A topic of a
group is a place of its own, and the language of whoever brought the bot there, or spoke first,
is the group's.
"""

from telegram import Message
from telegram import User as TelegramUser

from bot.app import App
from bot.directory import can_be_reached
from bot.fronts.telegram.sender import Chat
from bot.model import Place, User
from bot.texts import Texts

__all__ = ["PLATFORM", "THEME", "People", "chat_of"]

PLATFORM = "telegram"
THEME = "light"
"""Telegram does not tell which one somebody's app has."""


def chat_of(message: Message) -> Chat:
    """The chat, and the topic if it is one: threads of replies are none."""
    thread = message.message_thread_id if message.is_topic_message else None
    return Chat(message.chat.id, thread if message.chat.id < 0 else None)


class People:
    """Telegram's people and chats as users and places."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._directory = app.directory

    async def get_or_create_user(self, person: TelegramUser) -> User:
        """The user who this person is, with the language of their app noted."""
        return await self._directory.get_or_create_user(
            PLATFORM,
            str(person.id),
            person.full_name,
            username=person.username or "",
            locale=person.language_code,
        )

    async def get_or_create_place(self, chat: Chat, title: str, *, locale: str | None) -> Place:
        """The place of a group or a topic; its first words set its language."""
        return await self._directory.get_or_create_place(
            PLATFORM, chat.external, title=title, community=str(chat.id), locale=locale
        )

    async def direct(self, person: int) -> Place:
        """The private chat of a person, whether it has begun or not."""
        title = Texts(self._app.settings.language)("direct-title")
        return await self._directory.direct(PLATFORM, str(person), title)

    async def place_of(self, message: Message, *, locale: str | None) -> Place:
        """Where a message stands."""
        chat = chat_of(message)
        if chat.is_private:
            return await self.reached(chat.id)
        return await self.get_or_create_place(chat, message.chat.title or "", locale=locale)

    async def reached(self, person: int) -> Place:
        """The private chat of somebody who has just spoken there."""
        place = await self._directory.reached(await self.direct(person))
        self._app.spoken_in(place)
        return place

    async def can_reach(self, person: int) -> bool:
        """Has this person started the bot, and not blocked it since?"""
        return can_be_reached(await self.direct(person))

    async def lost(self, person: int) -> None:
        """The bot may not write to this person: their boards wait until they come back."""
        await self._directory.lost(await self.direct(person))

    async def gone(self, chat: int) -> None:
        """The bot is in a group no more."""
        await self._directory.gone(PLATFORM, str(chat))

    async def moved(self, old: int, new: int) -> None:
        """A group has become a supergroup, with another number; its matches follow it."""
        if await self._directory.moved(PLATFORM, str(old), str(new)):
            self._app.changed.set()

    def texts(self, user: User, place: Place) -> Texts:
        """The texts in which somebody is addressed."""
        return self._app.reader_in(user, place, theme=THEME).texts
