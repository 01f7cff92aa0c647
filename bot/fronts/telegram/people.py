"""Who speaks and where, in the house's own terms.

A private chat is the direct place of its person, with the same number as its name. A topic of a
group is a place of its own. What a place has to remember stands in its settings: its language
(that of whoever brought the bot there or spoke first), and whether a person can be written to.
"""

from collections import OrderedDict

from structlog import get_logger
from telegram import Message
from telegram import User as TelegramUser

from bot.fronts.telegram.post import Chat
from bot.house import House
from bot.model import Place, PlaceKind, Status, User
from bot.store import boards, inbox, people
from bot.store import matches as rows
from bot.texts import Texts, language_of

__all__ = ["PLATFORM", "People", "chat_of", "locale_of"]

_log = get_logger(__name__)

PLATFORM = "telegram"
_REACHED, _UNREACHED = "yes", "no"
_REMEMBERED = 4096


def chat_of(message: Message) -> Chat:
    """The chat, and the topic if it is one: threads of replies are none."""
    thread = message.message_thread_id if message.is_topic_message else None
    return Chat(message.chat.id, thread if message.chat.id < 0 else None)


class People:
    """Telegram's people and chats as users and places."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._met: OrderedDict[int, tuple[str, str | None, str | None]] = OrderedDict()
        """How people called themselves last; spares writing what is written already."""

    async def meet(self, person: TelegramUser) -> User:
        """The user who this person is, with the language of their app noted."""
        store = self._house.store
        now = (person.full_name, person.username, person.language_code)
        if self._met.get(person.id) == now:
            known = await people.by_identity(store, PLATFORM, str(person.id))
            if known is not None:
                return known
        with inbox.aside():
            user = await self._noted(person)
        self._met[person.id] = now
        self._met.move_to_end(person.id)
        if len(self._met) > _REMEMBERED:
            self._met.popitem(last=False)
        return user

    async def _noted(self, person: TelegramUser) -> User:
        store = self._house.store
        user = await self._house.names.meet(
            PLATFORM,
            str(person.id),
            person.full_name,
            person.username or "",
            handle=person.username.casefold() if person.username else None,
        )
        locale = person.language_code
        if locale and user.settings.get("locale") != locale[:16]:
            user = await people.change_user(store, user.id, settings={"locale": locale[:16]})
        return user

    async def enter(self, chat: Chat, title: str, *, locale: str | None) -> Place:
        """The place of a group or a topic; its first words set its language."""
        with inbox.aside():
            return await self._entered(chat, title, locale=locale)

    async def _entered(self, chat: Chat, title: str, *, locale: str | None) -> Place:
        place = await people.enter(
            self._house.store,
            PLATFORM,
            chat.external,
            kind=PlaceKind.CHANNEL,
            title=title[:128],
            community=str(chat.id),
        )
        if "language" not in place.settings and locale:
            language = language_of(locale, self._house.settings.language)
            place = await people.change_place(
                self._house.store, place.id, settings={"language": language}
            )
        return place

    async def direct(self, person: int) -> Place:
        """The private chat of a person, whether it has begun or not."""
        title = Texts(self._house.settings.language)("direct-title")
        return await self._house.direct_place(PLATFORM, str(person), title)

    async def place_of(self, message: Message, *, locale: str | None) -> Place:
        """Where a message stands."""
        chat = chat_of(message)
        if chat.is_private:
            return await self.reached(chat.id)
        return await self.enter(chat, message.chat.title or "", locale=locale)

    async def reached(self, person: int) -> Place:
        """The private chat of somebody who has just spoken there."""
        place = await self._note(await self.direct(person), _REACHED)
        self._house.spoken_in(place)
        return place

    async def can_reach(self, person: int) -> bool:
        """Has this person started the bot, and not blocked it since?"""
        return (await self.direct(person)).settings.get("reach") == _REACHED

    async def _note(self, place: Place, reach: str) -> Place:
        if place.settings.get("reach") == reach:
            return place
        with inbox.aside():
            return await people.change_place(self._house.store, place.id, settings={"reach": reach})

    async def lost(self, person: int) -> None:
        """The bot may not write to this person: their boards wait until they come back."""
        await self._note(await self.direct(person), _UNREACHED)

    async def gone(self, chat: int) -> None:
        """The bot is in a group no more: its boards are forgotten, in topics, too."""
        dropped = await boards.drop_in(self._house.store, PLATFORM, str(chat))
        _log.info("chat gone", chat=chat, boards=dropped)

    async def moved(self, old: int, new: int) -> None:
        """A group has become a supergroup, with another number; its matches follow it."""
        store, matches = self._house.store, self._house.matches
        place_id = await people.move_place(store, PLATFORM, str(old), str(new))
        if place_id is None:
            return
        matches.read_anew()
        _log.info("group moved", old=old, new=new)
        # The old group may have said good-bye first, and taken the boards with it.
        running = await rows.in_place(store, place_id, status=[Status.RUNNING, Status.PROPOSED])
        for match_id in running:
            live = await matches.get(match_id)
            await boards.add(store, live.match, place_id, seat=None)
        self._house.changed.set()

    def texts(self, user: User, place: Place) -> Texts:
        """The texts in which somebody is addressed."""
        return self._house.reader(user, place, locale=locale_of(user), theme="light").texts


def locale_of(user: User) -> str | None:
    """The language of a person's app, as we last saw it."""
    return user.settings.get("locale")
