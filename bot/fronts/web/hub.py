"""What all pages share: connected users, and messages to all."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from structlog import get_logger

from bot.app import App
from bot.commands import Command, Commands
from bot.delivery.rooms import Rooms, Visitor
from bot.domain.model import Place, User
from bot.fronts.web import FRONT, WebSettings
from bot.store import sessions
from bot.support.logs import StoreErrorsLogged
from bot.support.rates import Rates
from bot.support.tasks import Pace, Tasks, Turns, finish, kept_running

if TYPE_CHECKING:
    from bot.fronts.web.page_socket import Due, PageSocket
    from bot.fronts.web.push import Push

_log = get_logger(__name__)

MOST_PAGES = 16
_LAST_WORDS = 3.0
"""Seconds to finish running commands at shutdown."""
_PAGES_AT_ONCE = 1
_PEOPLE_EVERY = 1.0
"""Seconds between two lists of users, as each goes to all pages."""


def command_of(visitor: Visitor, place: Place) -> Command:
    """Return a command of a user in a room, still without what is asked."""
    return Command(visitor, place, medium=FRONT.medium)


class Hub:
    """The rooms of the web app and the pages in them."""

    def __init__(self, app: App, commands: Commands, *, build: str) -> None:
        self.app = app
        self.build = build
        """The version of the page's files: a page of another one reloads itself."""
        self.commands = commands
        self.rooms = Rooms(app)
        self.push: Push | None = None
        self._keeping: list[asyncio.Task[None]] = []
        self.frames = Rates.per_second(app.settings.of(WebSettings).messages_per_second)
        """By user id, for all pages together."""
        self.pieces = Rates.per_second(app.settings.of(WebSettings).messages_per_second)
        """Pieces of frames, at the same rate (see `Connection.read_in_pieces`)."""
        self.turns = Turns()
        """By user id: only one request per user is served at a time."""
        self.pace = Pace(_PAGES_AT_ONCE)
        """For what goes to all pages: requests are read in between."""
        self.is_closing = False
        self._here: set[PageSocket] = set()
        self._people_changed = asyncio.Event()
        self.under_way = Tasks()
        """Work to finish even if the page is closed: await it with `asyncio.shield`."""

    async def open(self) -> None:
        await self.rooms.open(self.app.settings.of(WebSettings).channels)
        if FRONT.medium.pushes:
            from bot.fronts.web.push import Push  # noqa: PLC0415 - needs an extra

            self.push = await Push.open(self.app)
        loops = {"visible pages": self._keep_visible, "list of players": self._keep_people_told}
        self._keeping = [asyncio.create_task(kept_running(*loop)) for loop in loops.items()]

    async def close(self) -> None:
        self.is_closing = True
        for keeping in self._keeping:
            keeping.cancel()
        closing = [asyncio.create_task(page.close()) for page in self._here]
        await finish(closing, seconds=_LAST_WORDS)
        await self.under_way.close(seconds=_LAST_WORDS)
        if self.push is not None:
            await self.push.close()

    @contextmanager
    def reserve_page(self, user_id: int) -> Iterator[bool]:
        """Count a user's page while the block runs. Yields False if there are too many."""
        if self.app.open_pages[user_id] >= MOST_PAGES:
            yield False
            return
        self.app.open_pages[user_id] += 1
        try:
            yield True
        finally:
            self.app.open_pages -= Counter([user_id])

    def join(self, page: "PageSocket") -> None:
        self._here.add(page)
        self.rooms.listeners.add(page.enqueue)
        self._people_changed.set()
        # A new page need not wait for the next list.
        page.tell_people(self._names())

    def leave(self, page: "PageSocket") -> None:
        self._here.discard(page)
        if page.is_visible:
            self.under_way.begin(self._hide(page))
        self.rooms.listeners.discard(page.enqueue)
        self._people_changed.set()

    async def _keep_people_told(self) -> None:
        while True:
            await self._people_changed.wait()
            self._people_changed.clear()
            names = self._names()
            for page in self._here:
                page.tell_people(names)
            await asyncio.sleep(_PEOPLE_EVERY)

    def _names(self) -> list[str]:
        return sorted({page.visitor.user.name for page in self._here}, key=str.casefold)

    def pages_of(self, user_id: int) -> list["PageSocket"]:
        return [page for page in self._here if page.user_id == user_id]

    async def show(self, page: "PageSocket", *, is_visible: bool) -> None:
        """Note whether a page is visible: no process notifies a user who sees it."""
        page.is_visible = is_visible
        theirs = [
            one
            for one in self.pages_of(page.user_id)
            if one.visitor.session == page.visitor.session
        ]
        shown = any(one.is_visible for one in theirs)
        session = {page.visitor.session}
        await sessions.mark_visible(self.app.store, session, is_visible=shown)

    async def _hide(self, page: "PageSocket") -> None:
        # Else it ends by itself.
        with StoreErrorsLogged(_log, "visible pages not noted"):
            await self.show(page, is_visible=False)

    async def _keep_visible(self) -> None:
        while True:
            await asyncio.sleep(sessions.VISIBLE_SECONDS / 3)
            with StoreErrorsLogged(_log, "visible pages not noted"):
                if shown := {page.visitor.session for page in self._here if page.is_visible}:
                    await sessions.mark_visible(self.app.store, shown)

    def renew(self, user: User) -> None:
        """The language or the settings of a user have changed."""
        for page in self.pages_of(user.id):
            page.visitor = replace(page.visitor, user=user)
            page.tell_soon("words")

    def schedule_update(self, user_id: int, due: "Due") -> None:
        for page in self.pages_of(user_id):
            page.tell_soon(due)

    async def refresh(self) -> None:
        """Close pages whose sessions have ended. Send messages that other processes wrote."""
        pages = list(self._here)
        alive = await sessions.alive(self.app.store, [page.visitor.session for page in pages])
        ended = [one for one in pages if one.visitor.session not in alive]
        erased = await sessions.erased(self.app.store, {page.visitor.session for page in ended})
        for page in ended:
            self.leave(page)
            page.end_session(is_deleted=page.visitor.session in erased)
        await self.rooms.refresh()
