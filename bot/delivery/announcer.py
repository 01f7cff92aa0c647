"""Words of the host reach the places that are to hear them: looked for, taken, said once.

What could not be said for certain is tried again; what was perhaps said is not said again.
"""

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
"""Until we look whether the host wants us in a place again; nothing is asked of its platform."""
_LAST_SECONDS = 3.0

_Key = tuple[int, int]


class Announcer:
    """Says what the host has to say on one platform."""

    def __init__(self, app: App, channel: Channel) -> None:
        self._app = app
        self._channel = channel
        self._not_before: dict[_Key, float] = {}
        """Times of the loop's clock."""
        self._failures: dict[_Key, int] = {}
        self._tasks = Tasks()
        self._unsaid: set[Announcement] = set()
        """What could not be said, nor noted as still to be said."""

    async def run(self) -> None:
        """Look, say, sleep; until cancelled. What is being said then is said to the end."""
        try:
            while True:
                try:
                    await self.once()
                except StoreError as error:
                    store_failed(_log, "words of the host could not be looked for", error)
                await asyncio.sleep(_LOOK_EVERY)
        finally:
            await self._tasks.close(seconds=_LAST_SECONDS)

    async def once(self) -> None:
        """Say all that can be said now, where it is for us to speak."""
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
        """Say it in one place, or note when to try that again."""
        key = one.id, one.place_id
        try:
            wait = await self._tried(one)
        except StoreError as error:
            store_failed(_log, "words of the host not said", error)
            wait = self._longer(one)
        except Exception:  # noqa: BLE001 - logged whole; one place must not stop the others
            _log.exception("words of the host not said", place=one.place_id)
            wait = self._longer(one)
        if wait is None:
            self._failures.pop(key, None)
        else:
            self._not_before[key] = asyncio.get_running_loop().time() + wait

    async def _tried(self, one: Announcement) -> float | None:
        """Seconds until it is to be tried again; None where it was said, or never will be."""
        app, store = self._app, self._app.store
        try:
            place = await places.place(store, one.place_id)
        except LookupError:
            # It has become one with another place in this moment, which hears it instead.
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
            _log.info("words of the host not said", place=place.id, why=type(error).__name__)
        except Exception:  # noqa: BLE001 - logged whole; nobody knows whether it was said
            _log.exception("words of the host not said", place=place.id)
        await announcements.finish(store, one)
        return None

    def _longer(self, one: Announcement) -> float:
        """Seconds to wait after one more failure."""
        key = one.id, one.place_id
        self._failures[key] = self._failures.get(key, 0) + 1
        return _PAUSES.after(self._failures[key])

    async def _give_back(self, one: Announcement) -> None:
        """It was certainly not said; where that cannot be noted now, it is later."""
        await announcements.give_back(self._app.store, one)
        self._unsaid.discard(one)
