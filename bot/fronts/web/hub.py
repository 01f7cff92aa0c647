"""What all pages share: the channels, who is here, and telling everybody in one order.

Whatever gets a stamp gets it here, under one lock, and is told before the next one does: so
every page hears of changes in the order of their stamps, and none can miss one in between.
"""

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from structlog import get_logger

from bot.app import App
from bot.commands import Commands
from bot.delivery import Outgoing
from bot.errors import StoreError
from bot.fronts.web.auth import COMMUNITY, PLATFORM
from bot.logs import store_failed
from bot.matches import LoadedMatch
from bot.model import Board, Place, PlaceKind, User
from bot.rates import Rates
from bot.screens import Reader, Screen
from bot.store import people, rooms, sessions
from bot.store.rooms import Message
from bot.tasks import Tasks, finish

__all__ = ["Hub", "Posted", "Subscriber"]

_log = get_logger(__name__)

_T = TypeVar("_T")

_AT_ONCE = 200
_MOST_PAGES = 16
"""Connections of one person at a time, from the moment in which they are opened."""
_LAST_WORDS = 3.0
"""Seconds that commands under way have to finish when the house closes."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A message that is new or has changed; `board` where that is known already."""

    message: Message
    board: Board | None = None
    again: bool = False
    """The page may have it, though its reader does not want it any more."""
    is_old: bool = False
    """It was read a while ago: what it is now is read when it is told."""


class Subscriber(Protocol):
    """What the hub needs of a page's connection. Nothing here waits for a page."""

    user: User
    session: int

    def tell(self, posted: Posted) -> None:
        """A message is new or has changed, or is gone."""

    def tell_rooms(self) -> None:
        """It may be this person's turn somewhere else now."""

    def tell_people(self) -> None:
        """Somebody came or went."""

    def tell_lines(self) -> None:
        """They see other people's lines differently from now on."""

    def renew(self, user: User) -> None:
        """Their language or settings have changed."""

    async def close(self, *, forgotten: bool = False) -> None:
        """The house closes, or the session of this page has ended."""


class Hub:
    """The channels of the web table and everybody in them."""

    def __init__(self, app: App, commands: Commands) -> None:
        self.app = app
        self.commands = commands
        self.chat_rates = Rates.per_second(app.settings.play.commands_per_second)
        self.channels: dict[str, Place] = {}
        self.is_closing = False
        self._here: set[Subscriber] = set()
        self._opened: Counter[int] = Counter()
        self._telling = asyncio.Lock()
        self._told = 0
        """The stamp up to which pages have been told."""
        self._under_way = Tasks()
        self._drawing: dict[Any, asyncio.Task[Screen]] = {}

    async def open(self) -> None:
        """Make the channels of the settings."""
        self._told = await rooms.newest(self.app.store)
        for name in self.app.settings.web.channels:
            self.channels[name] = await people.get_or_create_place(
                self.app.store,
                PLATFORM,
                name,
                kind=PlaceKind.CHANNEL,
                title=f"#{name}",
                community=COMMUNITY,
            )

    async def close(self) -> None:
        """Say goodbye to all pages; commands under way are finished."""
        self.is_closing = True
        closing = [asyncio.create_task(subscriber.close()) for subscriber in self._here]
        await finish(closing, seconds=_LAST_WORDS)
        await self._under_way.close(seconds=_LAST_WORDS)

    async def finish(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Do `work` to its end, also when the one who waits for it goes away."""
        return await asyncio.shield(self._under_way.begin(work))

    def soon(self, work: Coroutine[Any, Any, object]) -> None:
        """Do `work`, for which nobody waits."""
        self._under_way.begin(work)

    # --- who is here ----------------------------------------------------------------------

    @contextmanager
    def page_of(self, user_id: int) -> Iterator[bool]:
        """A page of this person is open while the block runs; False if there are too many."""
        if self._opened[user_id] >= _MOST_PAGES:
            yield False
            return
        self._opened[user_id] += 1
        try:
            yield True
        finally:
            self._opened[user_id] -= 1
            if not self._opened[user_id]:
                del self._opened[user_id]

    def join(self, subscriber: Subscriber) -> None:
        """A page has connected."""
        self._here.add(subscriber)
        self.app.here[subscriber.user.id] += 1
        self._tell_people()

    def leave(self, subscriber: Subscriber) -> None:
        """A page has gone."""
        self._here.discard(subscriber)
        self.app.here -= Counter([subscriber.user.id])
        self._tell_people()

    def _tell_people(self) -> None:
        for subscriber in self._here:
            subscriber.tell_people()

    def names(self) -> list[str]:
        """The names of all who are here, each once."""
        return sorted({subscriber.user.name for subscriber in self._here}, key=str.casefold)

    def pages_of(self, user_id: int) -> list[Subscriber]:
        """The connections of one person."""
        return [subscriber for subscriber in self._here if subscriber.user.id == user_id]

    def renew(self, user: User) -> None:
        """Let all pages of a person know how they want things told from now on."""
        for subscriber in self.pages_of(user.id):
            subscriber.renew(user)

    def tell_lines(self, user_id: int) -> None:
        """Let all pages of a person show other people's lines as they see them from now on."""
        for subscriber in self.pages_of(user_id):
            subscriber.tell_lines()

    async def look_again(self) -> None:
        """Close the pages whose sessions have ended; tell the others what we have not written."""
        alive = await sessions.alive(self.app.store, {one.session for one in self._here})
        for subscriber in [one for one in self._here if one.session not in alive]:
            self.leave(subscriber)
            # Nobody waits for a page that does not answer.
            self.soon(subscriber.close(forgotten=True))
        async with self._telling:
            await self._tell_missed()

    # --- saying things --------------------------------------------------------------------

    async def say(self, place: Place, *, author: User | None, screen: Mapping[str, Any]) -> None:
        """Store a message in a place and tell everybody there."""
        async with self._telling:
            author_id = author.id if author else None
            said = await rooms.add(
                self.app.store,
                place.id,
                author_id=author_id,
                screen=screen,
                at=int(self.app.clock()),
                per_hour=self.app.settings.web.lines_per_hour,
            )
            await self._tell(Posted(said))

    async def show(self, outgoing: Outgoing, message_id: int | None) -> str:
        """Bring the message of a board up to date, or make one; gives its reference."""
        board = outgoing.board
        async with self._telling:
            message = await rooms.board_message(
                self.app.store,
                outgoing.place.id,
                board.id,
                message_id=message_id,
                former=_number(board.former),
            )
            await self._tell(Posted(message, board))
        for user_id in outgoing.loaded.match.people:
            for subscriber in self.pages_of(user_id):
                subscriber.tell_rooms()
        return str(message.id)

    async def take_away(self, message_id: int) -> None:
        """Let all pages take a message down."""
        async with self._telling:
            if gone := await rooms.take_away(self.app.store, message_id):
                await self._tell(Posted(gone))

    async def _tell(self, posted: Posted) -> None:
        try:
            if posted.message.stamp != self._told + 1:
                # Somebody else has written meanwhile: an erasing, here or on the command line.
                await self._tell_missed()
        except StoreError as error:
            # It is stored, and told with the next one.
            store_failed(_log, "pages not told", error)
        else:
            self._tell_now(posted)

    async def _tell_missed(self) -> None:
        """Tell what was written without telling, in the order of stamps."""
        while missed := await rooms.news(self.app.store, since=self._told, limit=_AT_ONCE):
            for message in missed:
                self._tell_now(Posted(message))

    def _tell_now(self, posted: Posted) -> None:
        self._told = max(self._told, posted.message.stamp)
        for subscriber in self._here:
            subscriber.tell(posted)

    async def screen(self, loaded: LoadedMatch, reader: Reader, seat: int | None) -> Screen:
        """A match as a screen; pages that ask for the same at the same time share the work."""
        match, user = loaded.match, reader.user
        key = (
            # Who has to do with a match may see more of it, such as the code of their challenge.
            (match.id, match.version, seat, user.id if user and user.id in match.people else None),
            self.app.names.forgotten,
            (reader.texts.language, reader.theme, _items(reader.settings)),
        )
        drawing = self._drawing.get(key)
        if drawing is None:
            drawing = asyncio.create_task(self.app.screens.match(loaded, reader, seat=seat))
            self._drawing[key] = drawing
            drawing.add_done_callback(lambda _: self._drawing.pop(key, None))
        return await asyncio.shield(drawing)


def _number(reference: str | None) -> int | None:
    return None if reference is None else int(reference)


def _items(settings: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    return tuple(sorted(settings.items()))
