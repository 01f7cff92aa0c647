"""What all pages share: who is here, and how everybody is told."""

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from bot.app import App
from bot.commands import Commands
from bot.delivery import Outgoing
from bot.fronts.web.auth import COMMUNITY, PLATFORM
from bot.model import User
from bot.rates import Rates
from bot.rooms import Posted, Rooms
from bot.sessions import Sessions
from bot.tasks import Tasks, Turns, finish

__all__ = ["MOST_PAGES", "Hub", "Subscriber"]

_T = TypeVar("_T")

MOST_PAGES = 16
"""Connections of one person at a time, from the moment in which they are opened."""
_LAST_WORDS = 3.0
"""Seconds that commands under way have to finish when the house closes."""
_PEOPLE_EVERY = 1.0
"""Seconds from one list of who is here to the next: each is as long as there are people, for each
of their pages, and one who comes and goes all the time is no reason for more."""


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
        self.rooms = Rooms(
            app,
            platform=PLATFORM,
            community=COMMUNITY,
            lines_per_hour=app.settings.web.lines_per_hour,
            tell=self._tell,
        )
        self.sessions = Sessions(app, platform=PLATFORM)
        self.frames = Rates.per_second(app.settings.web.messages_per_second)
        """Of one person, by their id, on however many pages."""
        self.pieces = Rates.per_second(app.settings.web.messages_per_second)
        """Of what they send, read at the same pace: where a frame comes in many, each is one."""
        self.turns = Turns()
        """By the same: what somebody asks for on many pages is done one after the other, so that
        others wait for one thing of theirs at the most."""
        self.is_closing = False
        self._here: set[Subscriber] = set()
        self._names: list[str] | None = None
        self._people_changed = False
        self._people_pause: asyncio.TimerHandle | None = None
        self._opened: Counter[int] = Counter()
        self._under_way = Tasks()

    async def open(self) -> None:
        """Make the channels of the settings."""
        await self.rooms.open(self.app.settings.web.channels)

    async def close(self) -> None:
        """Say goodbye to all pages; commands under way are finished."""
        self.is_closing = True
        if self._people_pause is not None:
            self._people_pause.cancel()
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
        """A page has connected."""
        self._here.add(subscriber)
        self.app.here[subscriber.user.id] += 1
        self._tell_people()
        # Whoever comes need not wait for what the others are told together.
        subscriber.tell_people()

    def leave(self, subscriber: Subscriber) -> None:
        """A page has gone."""
        self._here.discard(subscriber)
        self.app.here -= Counter([subscriber.user.id])
        self._tell_people()

    def _tell_people(self) -> None:
        """Let all pages know now, or, a moment after the last time, when that moment is over."""
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
        """The names of all who are here, each once. Not to be changed: all pages share it."""
        if self._names is None:
            here = {subscriber.user.name for subscriber in self._here}
            self._names = sorted(here, key=str.casefold)
        return self._names

    def pages_of(self, user_id: int) -> list[Subscriber]:
        """The connections of one person."""
        return [subscriber for subscriber in self._here if subscriber.user.id == user_id]

    def renew(self, user: User) -> None:
        """Let all pages of a person know how they want things told from now on."""
        self._names = None
        for subscriber in self.pages_of(user.id):
            subscriber.renew(user)

    def tell_lines(self, user_id: int) -> None:
        """Let all pages of a person show other people's lines as they see them from now on."""
        for subscriber in self.pages_of(user_id):
            subscriber.tell_lines()

    async def look_again(self) -> None:
        """Close the pages whose sessions have ended; tell the others what we have not written."""
        ended = await self.sessions.ended(one.session for one in self._here)
        for subscriber in [one for one in self._here if one.session in ended]:
            self.leave(subscriber)
            # Nobody waits for a page that does not answer.
            self.soon(subscriber.close(forgotten=True))
        await self.rooms.look_again()

    # --- boards ---------------------------------------------------------------------------

    async def show(self, outgoing: Outgoing, message_id: int | None) -> str:
        """Bring the message of a board up to date, or make one; gives its reference."""
        shown = await self.rooms.show(outgoing.place, outgoing.board, message_id=message_id)
        for user_id in outgoing.loaded.match.people:
            for subscriber in self.pages_of(user_id):
                subscriber.tell_rooms()
        return str(shown)

    def _tell(self, posted: Posted) -> None:
        for subscriber in self._here:
            subscriber.tell(posted)
