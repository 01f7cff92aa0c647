"""The application object that commands, delivery, upkeep and fronts share."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from operator import itemgetter
from typing import Protocol

from cachetools import LRUCache, TTLCache
from structlog import get_logger

from bot.domain.model import Place
from bot.engines.tasks import Hint, Hinted
from bot.engines.workers import Workers
from bot.health import Health
from bot.matches import Matches
from bot.matches.directory import Directory
from bot.matches.names import Names
from bot.matches.policies import Policies
from bot.matches.shards import Shards
from bot.screens import Readers, ReplayScreens, Screens
from bot.screens.pictures import Pictures, Replays
from bot.store import EVERYTHING, Changes, Store, boards, inbox, key_values, personal_data, work
from bot.store.quotas import Quotas
from bot.store.schema import OURS
from bot.support.errors import StoreError
from bot.support.logs import StoreErrorsLogged, store_failed
from bot.support.metrics import Metrics
from bot.support.settings import PINGS, Pings, RoomSettings, Settings
from bot.support.tasks import Signal
from games.records import Record

_log = get_logger(__name__)

_HINTS = 1024
_IMPORTS, _IMPORT_SECONDS = 10_000_000, 900.0
"""Bytes of the files of all users. Their records take some five times as much."""


class Courier(Protocol):
    """Requests to delivery. None of them waits."""

    def on_activity(self, place: Place) -> None:
        """Note activity in a place: the bot can write there again."""

    def delete_message(self, place: Place, message: str) -> None:
        """Delete a message of the bot, if possible."""


class App:
    """The parts of the bot.

    `changed` wakes delivery and upkeep, `computers_due` the engines, `analyses_due` the analyst.
    """

    def __init__(self, settings: Settings, store: Store, key: bytes, *, erasures: int = 0) -> None:
        self.settings = settings
        self.store = store
        self.key = key
        """Signs the user ids in buttons, so that only the addressee can press them."""
        self.deletion_count = erasures
        """Known number of account deletions. Texts written before the last may contain a name."""
        self.changed = Signal()
        self.computers_due = Signal()
        self.analyses_due = Signal()
        self.open_pages = Counter[int]()
        """Number of pages open in this process by user."""
        self.couriers: dict[str, Courier] = {}
        self.member_checks: dict[str, Callable[[Place, str], Awaitable[bool | None]]] = {}
        """Callbacks by platform: is a user (external id) in the server or group? None: unknown."""
        self.rechecks: list[Callable[[], Awaitable[None]]] = []
        """Callbacks of fronts for `recheck_people`."""
        self.refresh_callbacks: list[Callable[[], Awaitable[None]]] = []
        """Callbacks of fronts after changes by other processes."""
        self.must_recheck = False
        """Whether `recheck_people` is due."""
        self.metrics = Metrics()
        self.health = Health(store)
        self.shards = Shards(store, self.couriers.keys())
        self.policies = Policies(store)
        self.names = Names(store)
        self.matches = Matches(
            store,
            changed=self.changed.set,
            for_computers=self.computers_due.set,
            regrouped=self.names.forget_place,
            shards=self.shards,
            policies=self.policies,
            quotas=self.quotas,
            metrics=self.metrics,
        )
        self.engines = Workers(settings.computer.workers)
        self.hints = LRUCache[Hint, Hinted](_HINTS)
        """Searches depend on time: a hint for the same position must not change."""
        self.imports = TTLCache[int, tuple[tuple[Record, ...], int]](
            _IMPORTS, _IMPORT_SECONDS, getsizeof=itemgetter(1)
        )
        """By user, the records to choose one of, and the size of their file."""
        self.asking = asyncio.Semaphore(max(1, self.engines.count))
        """Users waiting for an engine: each only once, because commands of a user run in turn."""
        self.pictures = Pictures()
        self.screens = Screens(
            self.names, self.pictures, analyses_enabled=settings.computer.enabled
        )
        self.replays = Replays(Workers(1))
        self.past_screens = ReplayScreens(self.names, self.pictures, self.replays)
        self.directory = Directory(self.matches, self.names)
        self.readers = Readers(store, settings)
        self.metrics.shards = self.shards.held
        self.metrics.queues["drawings"] = lambda: self.pictures.under_way
        self.metrics.pools["database"] = lambda: store.database.connections

    @classmethod
    async def open(cls, settings: Settings, *, clock: Callable[[], float] | None = None) -> "App":
        """Open the database, checked and migrated. Raises `StoreError`."""
        store = await Store.open(settings.database, clock=clock)
        key = await key_values.get(store, OURS, "button-key")
        assert key is not None
        erasures = await personal_data.erasures(store)
        return cls(settings, store, bytes.fromhex(key), erasures=erasures)

    @property
    def clock(self) -> Callable[[], float]:
        return self.store.clock

    async def has_engine(self) -> bool:
        """Return whether an engine is available here or in another process."""
        if not self.settings.computer.enabled:
            return False
        return bool(self.engines.count) or await work.has_remote_engine(self.store)

    async def close(self) -> None:
        await self.health.close()
        await self.engines.close()
        await self.replays.workers.close()
        await asyncio.to_thread(self.pictures.close)
        await self.store.close()

    async def once(
        self, platform: str, what: str, mark: str, work: Callable[[], Awaitable[None]]
    ) -> None:
        """Do `work` that the platform remembers, unless it was last done with this `mark`."""
        if await key_values.get(self.store, platform, what) != mark:
            await work()
            await key_values.remember(self.store, platform, what, mark)

    async def observe(self) -> None:
        """Update the metrics that only the database knows."""
        try:
            behind = await boards.boards_behind(self.store)
            waiting = await inbox.updates_waiting(self.store)
        except StoreError as error:
            store_failed(_log, "metrics not read", error)
            self.metrics.unknown()
        else:
            report = await self.health.report()
            self.metrics.observe(
                fronts=self.couriers,
                behind=behind,
                waiting=waiting,
                is_playable=report.playable,
                is_ready=report.is_ready,
            )

    async def on_remote_change(self, changes: Changes = EVERYTHING) -> None:
        """Drop cached data after a change by another process, or one too large to list."""
        if changes.everything:
            self.matches.memory.invalidate()
            self.policies.forget()
        elif changes.matches:
            self.matches.memory.invalidate(*changes.matches)
        if changes.people:
            self.names.forget()
        else:
            # A new match is announced as new work only.
            self.names.forget_place(None)
        self.changed.set()
        self.computers_due.set()
        self.analyses_due.set()
        if changes.people:
            await self.recheck_people()
        else:
            self.must_recheck |= not await self._look_again(self.refresh_callbacks)

    def pings(self, settings: Mapping[str, str], place: Place) -> Pings:
        for chosen in (settings.get("pings"), place.settings.get("pings")):
            if chosen in PINGS:
                return chosen
        return self.settings.play.pings

    def quotas(self) -> Quotas:
        play = self.settings.play
        return Quotas(
            open_challenges=play.open_challenges_per_person,
            challenges_from_one=play.challenges_from_one_per_day,
            challenges_from_all=play.challenges_from_all_per_day,
            running_matches=play.running_matches_per_person,
            lines=self.settings.of(RoomSettings).lines_per_hour,
        )

    async def recheck_people(self) -> None:
        """Let fronts recheck their users after sessions or accounts ended. Upkeep retries."""
        self.must_recheck = not await self._look_again([self._hear_of_erasures, *self.rechecks])

    async def _hear_of_erasures(self) -> None:
        self.deletion_count = await personal_data.erasures(self.store)

    async def _look_again(self, looks: Iterable[Callable[[], Awaitable[None]]]) -> bool:
        with StoreErrorsLogged(_log, "fronts not updated"):
            for look in looks:
                await look()
            return True
        return False
