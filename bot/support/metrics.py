"""Prometheus metrics of the bot.

Labels are fixed words: a front, a game, an outcome, a kind of error, never names or messages.
Commands are timed from their event to the commit, through a context variable.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from functools import partial
from importlib.metadata import version
from time import perf_counter

from cachetools import LRUCache
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

import games
from bot.support import platforms

_OTHER = "other"
_COMMIT_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
_BOARD_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
_REMEMBERED = 4096

_KINDS: Mapping[int | None, str] = {
    None: "unreachable",
    400: "bad_request",
    401: "forbidden",
    403: "forbidden",
    404: "not_found",
    409: "conflict",
    429: "rate_limited",
}


class Outcome(Enum):
    """Result of a command."""

    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(slots=True)
class CountedCommand:
    """A command being processed."""

    front: str
    began: float
    game: str = _OTHER
    outcome: Outcome = Outcome.DONE


_command: ContextVar[CountedCommand | None] = ContextVar("command", default=None)
_arrival: ContextVar[float | None] = ContextVar("arrival", default=None)


@contextmanager
def arrived() -> Iterator[None]:
    """Set the arrival time of commands that a front stores or queues before it processes them."""
    token = _arrival.set(perf_counter())
    try:
        yield
    finally:
        _arrival.reset(token)


class Metrics:
    """All metrics of the bot. The methods neither raise nor block."""

    def __init__(self) -> None:
        self.queues: dict[str, Callable[[], int]] = {}
        """Queues in this process, with their lengths."""
        self.pools: dict[str, Callable[[], tuple[int, int]]] = {}
        """Pools, with numbers used and available."""
        self.shards: Callable[[], Mapping[str, int]] = dict
        """Number of shards that this process serves, by platform."""
        self._commits: LRUCache[int, tuple[int, float]] = LRUCache(_REMEMBERED)
        """By match, its latest version and when this process committed it."""
        self._fronts = {front: front for front in platforms.KNOWN}
        """Labels of fronts. The others are `_OTHER`."""
        self._games = frozenset(games.ids())
        self.registry = CollectorRegistry()
        counter = partial(Counter, registry=self.registry)
        gauge = partial(Gauge, registry=self.registry)
        histogram = partial(Histogram, registry=self.registry)
        self._commands = counter(
            "azumaya_commands", "Commands by front, game and outcome.", ("front", "game", "outcome")
        )
        self._moves = counter(
            "azumaya_moves", "Stored moves, including forced ones.", ("front", "game")
        )
        self._to_commit = histogram(
            "azumaya_event_to_commit_seconds",
            "Time from an event to the commit of the match.",
            ("front",),
            buckets=_COMMIT_SECONDS,
        )
        self._to_board = histogram(
            "azumaya_commit_to_board_seconds",
            "Time from the commit of a match's latest version to a board that shows it.",
            ("front",),
            buckets=_BOARD_SECONDS,
        )
        self._errors = counter(
            "azumaya_platform_errors",
            "Requests to a platform that failed or were not answered.",
            ("front", "kind"),
        )
        self._behind = gauge(
            "azumaya_boards_behind",
            "Outdated boards in the database, including those that cannot be updated now.",
            ("front",),
        )
        self._shards = gauge(
            "azumaya_shards",
            "Shards of a platform that this process serves. Telegram is one shard.",
            ("front",),
        )
        self._queue = gauge("azumaya_queue_length", "Length of a queue.", ("queue",))
        self._used = gauge("azumaya_pool_used", "Used part of a pool.", ("pool",))
        self._size = gauge("azumaya_pool_size", "Size of a pool.", ("pool",))
        self._playable = gauge("azumaya_playable", "1 if users can play, else 0.")
        self._ready = gauge("azumaya_ready", "1 if ready (see /readyz), else 0.")
        info = Info("azumaya", "The program.", registry=self.registry)
        info.info({"version": version("azumaya")})

    @contextmanager
    def command(self, front: str) -> "Iterator[CountedCommand]":
        arrival = _arrival.get()
        began = perf_counter() if arrival is None else arrival
        command = CountedCommand(self._fronts.get(front, _OTHER), began)
        token = _command.set(command)
        try:
            yield command
        finally:
            _command.reset(token)
            self._commands.labels(command.front, command.game, command.outcome.value).inc()

    def set_game(self, game: str) -> None:
        command = _command.get()
        if command is not None and game in self._games:
            command.game = game

    def moved(self, game: str, number: int) -> None:
        command, front = _command.get(), _OTHER
        game = game if game in self._games else _OTHER
        if command is not None:
            front, command.game = command.front, game
        self._moves.labels(front, game).inc(number)

    def committed(self, match_id: int, version: int) -> None:
        now, command = perf_counter(), _command.get()
        self._commits[match_id] = version, now
        if command is not None:
            self._to_commit.labels(command.front).observe(now - command.began)

    def shown(self, front: str, match_id: int, version: int) -> None:
        """Record that a board was updated to this version."""
        newest, since = self._commits.get(match_id, (None, 0.0))
        if newest == version:
            self._to_board.labels(self._fronts.get(front, _OTHER)).observe(perf_counter() - since)

    def platform_failed(self, front: str, status: int | None) -> None:
        """Count a platform's error by HTTP status. None: no answer."""
        kind = _KINDS.get(status, "server" if (status or 0) >= 500 else _OTHER)
        self._errors.labels(self._fronts.get(front, _OTHER), kind).inc()

    def observe(
        self,
        *,
        fronts: Collection[str],
        behind: Mapping[str, int],
        waiting: Mapping[str, int],
        is_playable: bool,
        is_ready: bool,
    ) -> None:
        for front in fronts:
            self._behind.labels(self._fronts.get(front, _OTHER)).set(behind.get(front, 0))
            if platforms.get(front).has_inbox:
                self._queue.labels(f"{front} inbox").set(waiting.get(front, 0))
        self._playable.set(is_playable)
        self._ready.set(is_ready)

    def unknown(self) -> None:
        """Remove the values that only the database knows, while it does not answer."""
        self._behind.clear()
        self._queue.clear()
        self._playable.set(0)
        self._ready.set(0)

    def watch_process(self) -> None:
        # Creation timestamps double the number of metrics, and no one uses them.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)

    def exposition(self) -> tuple[bytes, str]:
        for queue, count in self.queues.items():
            self._queue.labels(queue).set(count())
        for front, number in self.shards().items():
            self._shards.labels(self._fronts.get(front, _OTHER)).set(number)
        for pool, count_both in self.pools.items():
            used, size = count_both()
            self._used.labels(pool).set(used)
            self._size.labels(pool).set(size)
        return generate_latest(self.registry), CONTENT_TYPE_LATEST
