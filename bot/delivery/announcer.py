"""Deliver the operator's announcements. Only one that was certainly not sent is retried."""

import asyncio

from structlog import get_logger

from bot.app import App
from bot.backoff import Backoff
from bot.delivery.channel import Channel, ClosedError, GoneError, LaterError, Notice, UnsureError
from bot.errors import StoreError
from bot.logs import store_failed
from bot.store import announcements, places
from bot.store.announcements import Announcement
from bot.tasks import Tasks

__all__ = ["SHUT_OUT_PAUSE", "Announcer"]

_log = get_logger(__name__)

_LOOK_EVERY = 2.0
_AT_ONCE = 10
_PAUSES = Backoff(2.0, 600.0)
SHUT_OUT_PAUSE = 60.0
"""Seconds until a blocked place is checked again, without a request to its platform."""
_LAST_SECONDS = 3.0

_Key = tuple[int, int]


class Announcer:
    """Send the operator's announcements on one platform."""

    def __init__(self, app: App, channel: Channel) -> None:
        self._app = app
        self._channel = channel
        self._not_before: dict[_Key, float] = {}
        self._failures: dict[_Key, int] = {}
        self._tasks = Tasks()
        self._unsaid: set[Announcement] = set()
        """Not sent, and not stored as such."""

    async def run(self) -> None:
        try:
            while True:
                try:
                    await self.once()
                except StoreError as error:
                    store_failed(_log, "announcements not read", error)
                await asyncio.sleep(_LOOK_EVERY)
        finally:
            await self._tasks.close(seconds=_LAST_SECONDS)

    async def once(self) -> None:
        """Send what can be sent now, if this process serves the platform."""
        shards, platform = self._app.shards, self._channel.platform
        if not shards.speaks(platform):
            return
        now = asyncio.get_running_loop().time()
        for one in list(self._unsaid):
            await self._give_back(one)
        for key in [key for key, time in self._not_before.items() if time <= now]:
            del self._not_before[key]
        while due := await announcements.waiting(
            self._app.store,
            platform,
            but=self._not_before.keys(),
            limit=_AT_ONCE,
            shards=shards.of(platform),
        ):
            await asyncio.wait([self._tasks.begin(self._say(one)) for one in due])

    async def _say(self, one: Announcement) -> None:
        key = one.id, one.place_id
        try:
            wait = await self._tried(one)
        except StoreError as error:
            store_failed(_log, "announcement not sent", error)
            wait = self._longer(one)
        except Exception:  # noqa: BLE001 - logged in full; one place must not stop the others
            _log.exception("announcement not sent", place=one.place_id)
            wait = self._longer(one)
        if wait is None:
            self._failures.pop(key, None)
        else:
            self._not_before[key] = asyncio.get_running_loop().time() + wait

    async def _tried(self, one: Announcement) -> float | None:
        """Return seconds until the next attempt, or None if there will be none."""
        app, store = self._app, self._app.store
        try:
            place = await places.place(store, one.place_id)
        except LookupError:
            # The place has just been merged with another, which gets the announcement.
            return None
        if await app.policies.is_shut_out(place):
            return SHUT_OUT_PAUSE
        texts = (await app.readers.of(place, theme=self._channel.limits.theme)).texts
        notice = Notice(
            key=f"w{one.id}.{one.place_id}",
            recipients=(),
            text="",
            aside=texts("host-says", text=one.text),
            board=None,
            texts=texts,
        )
        if not await announcements.begin(store, one):
            return None
        try:
            await self._channel.notify(place, notice)
        except (LaterError, ClosedError) as pause:
            self._unsaid.add(one)
            await self._give_back(one)
            if isinstance(pause, LaterError) and pause.seconds is not None:
                return pause.seconds
            return self._longer(one)
        except (GoneError, UnsureError) as error:
            _log.info("announcement not sent", place=place.id, why=type(error).__name__)
        except Exception:  # noqa: BLE001 - logged in full; it may have been sent
            _log.exception("announcement not sent", place=place.id)
        await announcements.finish(store, one)
        return None

    def _longer(self, one: Announcement) -> float:
        key = one.id, one.place_id
        self._failures[key] = self._failures.get(key, 0) + 1
        return _PAUSES.after(self._failures[key])

    async def _give_back(self, one: Announcement) -> None:
        await announcements.give_back(self._app.store, one)
        self._unsaid.discard(one)
