"""Send what is posted once. Only what was certainly not sent is retried."""

import asyncio
from abc import ABC, abstractmethod
from collections import Counter
from types import ModuleType
from typing import Generic, Protocol, TypeVar

from structlog import get_logger

from bot.app import App
from bot.delivery.channel import Channel, ClosedError, GoneError, Notice, RetryError, UnsureError
from bot.domain.model import Place
from bot.store import announcements, places
from bot.store.announcements import Announcement
from bot.support.errors import StoreError
from bot.support.logs import StoreErrorsLogged, store_failed
from bot.support.tasks import Backoff, Tasks

_log = get_logger(__name__)

_LOOK_EVERY = 2.0
_AT_ONCE = 10
_PAUSES = Backoff(2.0, 600.0)
SHUT_OUT_PAUSE = 60.0
"""Seconds until a blocked place is checked again, without a request to its platform."""
_LAST_SECONDS = 3.0


class _Mail(Protocol):
    @property
    def place_id(self) -> int: ...


M = TypeVar("M", bound=_Mail)


class Mailer(ABC, Generic[M]):
    """Send what is stored to be posted in places of one platform."""

    what: str
    """For the log."""
    queue: ModuleType
    """The module of the store with what is to be sent."""

    def __init__(self, app: App, channel: Channel) -> None:
        self._app = app
        self._channel = channel
        self._not_before: dict[M, float] = {}
        self._failures: Counter[M] = Counter()
        self._tasks = Tasks()
        self._unsaid: set[M] = set()
        """Not sent, and not stored as such."""

    @abstractmethod
    async def _notice(self, one: M, place: Place) -> Notice | None:
        """Return the message, or None if no one is left who waits for it."""

    @abstractmethod
    async def _finish(self, one: M) -> None:
        """Note that it was sent, or cannot be."""

    async def run(self) -> None:
        try:
            while True:
                with StoreErrorsLogged(_log, f"{self.what} not read"):
                    await self.once()
                await asyncio.sleep(_LOOK_EVERY)
        finally:
            await self._tasks.close(seconds=_LAST_SECONDS)

    async def once(self) -> None:
        """Send what can be sent now, if this process serves the platform."""
        app, platform, now = self._app, self._channel.platform, asyncio.get_running_loop().time()
        if not app.shards.serves(platform):
            return
        for one in list(self._unsaid):
            await self._give_back(one)
        self._not_before = {one: time for one, time in self._not_before.items() if time > now}
        while due := await self.queue.pending(
            app.store,
            platform,
            but=frozenset(self._not_before),
            limit=_AT_ONCE,
            shards=app.shards.of(platform),
        ):
            await asyncio.wait([self._tasks.begin(self._send(one)) for one in due])

    async def _send(self, one: M) -> None:
        try:
            wait = await self._tried(one)
        except StoreError as error:
            store_failed(_log, f"{self.what} not sent", error)
            wait = self._longer(one)
        except Exception:  # noqa: BLE001 - logged in full; one place must not stop the others
            _log.exception(f"{self.what} not sent", place=one.place_id)
            wait = self._longer(one)
        if wait is None:
            self._failures.pop(one, None)
        else:
            self._not_before[one] = asyncio.get_running_loop().time() + wait

    async def _tried(self, one: M) -> float | None:
        """Return seconds until the next attempt, or None if there will be none."""
        app = self._app
        try:
            place = await places.place(app.store, one.place_id)
        except LookupError:
            # The place has just been merged with another, which gets it.
            return None
        if await app.policies.is_blocked(place):
            return SHUT_OUT_PAUSE
        notice = await self._notice(one, place)
        if not await self.queue.mark_sent(app.store, one):
            return None
        try:
            if notice is not None:
                await self._channel.notify(place, notice)
        except (RetryError, ClosedError) as pause:
            self._unsaid.add(one)
            await self._give_back(one)
            if isinstance(pause, RetryError) and pause.retry_after is not None:
                return pause.retry_after
            return self._longer(one)
        except (GoneError, UnsureError) as error:
            _log.info(f"{self.what} not sent", place=place.id, why=type(error).__name__)
        except Exception:  # noqa: BLE001 - logged in full; it may have been sent
            _log.exception(f"{self.what} not sent", place=place.id)
        await self._finish(one)
        return None

    def _longer(self, one: M) -> float:
        self._failures[one] += 1
        return _PAUSES.after(self._failures[one])

    async def _give_back(self, one: M) -> None:
        """Unmark what was certainly not sent."""
        await self.queue.unmark_sent(self._app.store, one)
        self._unsaid.discard(one)


class Announcer(Mailer[Announcement]):
    """Send the operator's announcements."""

    what = "announcement"
    queue = announcements

    async def _notice(self, one: Announcement, place: Place) -> Notice:
        texts = (await self._app.readers.of(place, theme=self._channel.medium.theme)).texts
        return Notice(
            key=f"w{one.id}.{one.place_id}",
            recipients=(),
            text="",
            aside=texts("host-says", text=one.text),
            board=None,
            texts=texts,
        )

    async def _finish(self, one: Announcement) -> None:
        await announcements.finish(self._app.store, one)
