"""What is counted and timed of the house, for Prometheus: one registry, small calls, no names.

Whoever has something to count is handed the `Metrics` of the application; this module alone knows
prometheus-client. A label is one of a few fixed words: a front, a game, an outcome, a kind of
error. What people are called, where they are and what they say never is one.

A *command* is begun by what arrives at a front. What is done because of it, tasks included, knows
of it by a context variable: so that a move is counted for the front that it came by, and timed
from there to its commit.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
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
from bot.platforms import DISCORD, TELEGRAM, WEB

__all__ = ["CountedCommand", "Metrics", "Outcome", "arrived"]

_FRONTS = frozenset({DISCORD.name, TELEGRAM.name, WEB.name})
_OTHER = "other"
"""Stands for what has no label of its own: what came by no front, or is about no game."""

_COMMIT_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
_BOARD_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
_REMEMBERED = 4096
"""Matches of which is known when they were changed last."""

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
    """What has become of a command."""

    DONE = "done"
    REFUSED = "refused"
    """With a reason that its person was told."""
    FAILED = "failed"
    """By our fault, or the store's."""


@dataclass(slots=True)
class CountedCommand:
    """One that is being carried out."""

    front: str
    began: float
    game: str = _OTHER
    outcome: Outcome = Outcome.DONE


_command: ContextVar[CountedCommand | None] = ContextVar("command", default=None)
_arrival: ContextVar[float | None] = ContextVar("arrival", default=None)


@contextmanager
def arrived() -> Iterator[None]:
    """Commands that begin in the block, or in tasks that begin in it, have arrived now.

    For fronts that store what arrives, or let it stand in a line, before it becomes a command.
    """
    token = _arrival.set(perf_counter())
    try:
        yield
    finally:
        _arrival.reset(token)


def _label(front: str) -> str:
    return front if front in _FRONTS else _OTHER


class Metrics:
    """All figures of one house. None of its methods raises, or waits for anything."""

    def __init__(self) -> None:
        self.queues: dict[str, Callable[[], int]] = {}
        """What stands in lines of this process, each with a way to count it."""
        self.pools: dict[str, Callable[[], tuple[int, int]]] = {}
        """Of what there is only so much: how much of it is in use, and how much there is."""
        self.shards: Callable[[], Mapping[str, int]] = dict
        """For how many shards of each platform this process speaks now."""
        self._commits: LRUCache[int, tuple[int, float]] = LRUCache(_REMEMBERED)
        """By match: its newest version, and when that was stored by this process."""
        self._games = frozenset(games.ids())
        self.registry = registry = CollectorRegistry()
        self._commands = Counter(
            "azumaya_commands",
            "Commands, typed or pressed, by the front that they came by and the game.",
            ("front", "game", "outcome"),
            registry=registry,
        )
        self._moves = Counter(
            "azumaya_moves",
            "Moves that were stored, forced ones included.",
            ("front", "game"),
            registry=registry,
        )
        self._to_commit = Histogram(
            "azumaya_event_to_commit_seconds",
            "From the arrival of what changed a match to the commit.",
            ("front",),
            buckets=_COMMIT_SECONDS,
            registry=registry,
        )
        self._to_board = Histogram(
            "azumaya_commit_to_board_seconds",
            "From the commit of a match's newest version to a board that shows it.",
            ("front",),
            buckets=_BOARD_SECONDS,
            registry=registry,
        )
        self._errors = Counter(
            "azumaya_platform_errors",
            "Requests to a platform that it answered with an error, or not at all.",
            ("front", "kind"),
            registry=registry,
        )
        self._behind = Gauge(
            "azumaya_boards_behind",
            "Boards in the database that do not show what they ought to, those that cannot be "
            "shown now included.",
            ("front",),
            registry=registry,
        )
        self._shards = Gauge(
            "azumaya_shards",
            "Shards of a platform that this process speaks for now; all of Telegram is one.",
            ("front",),
            registry=registry,
        )
        self._queue = Gauge(
            "azumaya_queue_length", "What stands in line.", ("queue",), registry=registry
        )
        self._used = Gauge(
            "azumaya_pool_used", "How much of a pool is in use.", ("pool",), registry=registry
        )
        self._size = Gauge(
            "azumaya_pool_size", "How much there is in a pool.", ("pool",), registry=registry
        )
        self._playable = Gauge(
            "azumaya_playable", "1 while people can play, else 0.", registry=registry
        )
        self._ready = Gauge(
            "azumaya_ready", "1 while all is well, as /readyz says, else 0.", registry=registry
        )
        Info("azumaya", "The program.", registry=registry).info({"version": version("azumaya")})

    # --- what people do ---------------------------------------------------------------------

    @contextmanager
    def command(self, front: str) -> "Iterator[CountedCommand]":
        """Count a command of this front, which is carried out while the block runs."""
        arrival = _arrival.get()
        label = front if front in _FRONTS else _OTHER
        command = CountedCommand(label, perf_counter() if arrival is None else arrival)
        token = _command.set(command)
        try:
            yield command
        finally:
            _command.reset(token)
            self._commands.labels(command.front, command.game, command.outcome.value).inc()

    def concerns(self, game: str) -> None:
        """The command that is carried out is about this game, if there is such a game."""
        command = _command.get()
        if command is not None and game in self._games:
            command.game = game

    def moved(self, game: str, number: int) -> None:
        """So many moves of a game were stored together."""
        command = _command.get()
        self.concerns(game)
        front = command.front if command else _OTHER
        self._moves.labels(front, game if game in self._games else _OTHER).inc(number)

    def committed(self, match_id: int, version: int) -> None:
        """A match has reached a version, and that is stored."""
        now, command = perf_counter(), _command.get()
        self._commits[match_id] = version, now
        if command is not None:
            self._to_commit.labels(command.front).observe(now - command.began)

    # --- what people see --------------------------------------------------------------------

    def shown(self, front: str, match_id: int, version: int) -> None:
        """A board that showed an earlier version shows this one now."""
        newest, since = self._commits.get(match_id, (None, 0.0))
        if newest == version:
            self._to_board.labels(_label(front)).observe(perf_counter() - since)

    def platform_failed(self, front: str, status: int | None) -> None:
        """A platform has answered a request with this HTTP status, or (None) not at all."""
        kind = _KINDS.get(status, "server" if (status or 0) >= 500 else _OTHER)
        self._errors.labels(_label(front), kind).inc()

    # --- what is asked for when it is wanted --------------------------------------------------

    def observe(
        self,
        *,
        fronts: Collection[str],
        behind: Mapping[str, int],
        waiting: Mapping[str, int],
        is_playable: bool,
        is_ready: bool,
    ) -> None:
        """How things stand: boards that are behind, and updates that wait, by front."""
        for front in fronts:
            self._behind.labels(_label(front)).set(behind.get(front, 0))
        if TELEGRAM.name in fronts:
            # The others keep nothing to be dealt with later.
            self._queue.labels("telegram inbox").set(waiting.get(TELEGRAM.name, 0))
        self._playable.set(is_playable)
        self._ready.set(is_ready)

    def unknown(self) -> None:
        """The database does not answer: what only it knows is left out, not repeated."""
        self._behind.clear()
        self._queue.clear()
        self._playable.set(0)
        self._ready.set(0)

    def watch_process(self) -> None:
        """Tell of the process, too: its memory, its descriptors, its garbage."""
        # When each figure was counted first, which doubles their number and nobody looks at.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)

    def exposition(self) -> tuple[bytes, str]:
        """All figures as Prometheus reads them, and what kind of text that is."""
        for queue, count in self.queues.items():
            self._queue.labels(queue).set(count())
        for front, number in self.shards().items():
            self._shards.labels(_label(front)).set(number)
        for pool, count_both in self.pools.items():
            used, size = count_both()
            self._used.labels(pool).set(used)
            self._size.labels(pool).set(size)
        return generate_latest(self.registry), CONTENT_TYPE_LATEST
