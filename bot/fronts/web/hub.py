"""What all pages share: connected users, and messages to all."""

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from bot.app import App
from bot.commands import Commands
from bot.commands.sessions import Sessions
from bot.delivery import Outgoing
from bot.delivery.rooms import Posted, Rooms
from bot.domain.model import User
from bot.fronts.web.auth import COMMUNITY, PLATFORM
from bot.support.rates import Rates
from bot.support.tasks import Tasks, Turns, finish

_T = TypeVar("_T")

MOST_PAGES = 16
_LAST_WORDS = 3.0
"""Seconds to finish running commands at shutdown."""
_PEOPLE_EVERY = 1.0
"""Seconds between two lists of users, as each goes to all pages."""


class Subscriber(Protocol):
    """A page's connection, as the hub needs it. No method waits for the page."""

    user: User
    session: int

    def tell(self, posted: Posted) -> None:
        """A message is new, has changed or is gone."""

    def tell_rooms(self) -> None:
        """The user's matches may have changed."""

    def tell_people(self) -> None:
        """A user came or went."""

    def tell_lines(self) -> None:
        """Other users' lines are shown in a different way."""

    def renew(self, user: User) -> None:
        """The user's language or settings have changed."""

    async def close(self, *, forgotten: bool = False) -> None:
        """Close the connection. `forgotten`: its session has ended."""


class Hub:
    """The rooms of the web app and the pages in them."""

    def __init__(self, app: App, commands: Commands) -> None:
        self.app = app
        self.commands = commands
        self.rooms = Rooms(
            app,
            platform=PLATFORM,
            community=COMMUNITY,
            lines_per_hour=app.settings.web.lines_per_hour,
            tell=self._tell,
        )
        self.sessions = Sessions(app, platform=PLATFORM)
        self.frames = Rates.per_second(app.settings.web.messages_per_second)
        """By user id, for all pages together."""
        self.pieces = Rates.per_second(app.settings.web.messages_per_second)
        """Pieces of frames, at the same rate (see `HttpServer.read_in_pieces`)."""
        self.turns = Turns()
        """By user id: only one request per user is served at a time."""
        self.is_closing = False
        self._here: set[Subscriber] = set()
        self._names: list[str] | None = None
        self._people_changed = False
        self._people_pause: asyncio.TimerHandle | None = None
        self._opened: Counter[int] = Counter()
        self._under_way = Tasks()

    async def open(self) -> None:
        await self.rooms.open(self.app.settings.web.channels)

    async def close(self) -> None:
        self.is_closing = True
        if self._people_pause is not None:
            self._people_pause.cancel()
        closing = [asyncio.create_task(subscriber.close()) for subscriber in self._here]
        await finish(closing, seconds=_LAST_WORDS)
        await self._under_way.close(seconds=_LAST_WORDS)

    async def finish(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Finish `work`, even if the caller is cancelled."""
        return await asyncio.shield(self._under_way.begin(work))

    def soon(self, work: Coroutine[Any, Any, object]) -> None:
        self._under_way.begin(work)

    @contextmanager
    def page_of(self, user_id: int) -> Iterator[bool]:
        """Count a user's page while the block runs. Yields False if there are too many."""
        if self._opened[user_id] >= MOST_PAGES:
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
        self._here.add(subscriber)
        self.app.here[subscriber.user.id] += 1
        self._tell_people()
        # A new page need not wait for the next list.
        subscriber.tell_people()

    def leave(self, subscriber: Subscriber) -> None:
        self._here.discard(subscriber)
        self.app.here -= Counter([subscriber.user.id])
        self._tell_people()

    def _tell_people(self) -> None:
        self._names = None
        self._people_changed = True
        if self._people_pause is None and not self.is_closing:
            self._tell_people_now()

    def _tell_people_now(self) -> None:
        self._people_pause = None
        if self._people_changed:
            self._people_changed = False
            for subscriber in self._here:
                subscriber.tell_people()
            loop = asyncio.get_running_loop()
            self._people_pause = loop.call_later(_PEOPLE_EVERY, self._tell_people_now)

    def names(self) -> list[str]:
        """Return the names of connected users. Do not change the list: all pages share it."""
        if self._names is None:
            here = {subscriber.user.name for subscriber in self._here}
            self._names = sorted(here, key=str.casefold)
        return self._names

    def pages_of(self, user_id: int) -> list[Subscriber]:
        return [subscriber for subscriber in self._here if subscriber.user.id == user_id]

    def renew(self, user: User) -> None:
        self._names = None
        for subscriber in self.pages_of(user.id):
            subscriber.renew(user)

    def tell_lines(self, user_id: int) -> None:
        for subscriber in self.pages_of(user_id):
            subscriber.tell_lines()

    async def look_again(self) -> None:
        """Close pages whose sessions have ended. Send messages that other processes wrote."""
        ended = await self.sessions.ended(one.session for one in self._here)
        for subscriber in [one for one in self._here if one.session in ended]:
            self.leave(subscriber)
            self.soon(subscriber.close(forgotten=True))
        await self.rooms.look_again()

    async def show(self, outgoing: Outgoing, message_id: int | None) -> str:
        shown = await self.rooms.show(outgoing.place, outgoing.board, message_id=message_id)
        for user_id in outgoing.loaded.match.people:
            for subscriber in self.pages_of(user_id):
                subscriber.tell_rooms()
        return str(shown)

    def _tell(self, posted: Posted) -> None:
        for subscriber in self._here:
            subscriber.tell(posted)
