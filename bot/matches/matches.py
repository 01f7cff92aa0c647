"""A match with its game and position: keep, replay and commit it.

All operations share `Matches`. The other modules are functions on it.

Nothing is shown before the commit. Boards catch up afterwards (`bot.delivery`). A match that cannot
be replayed is set aside: its boards stay, and it is logged once, until it can be replayed again.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from copy import copy
from dataclasses import KW_ONLY, dataclass, field, replace
from random import Random, SystemRandom
from typing import Any, Self

from cachetools import LRUCache
from structlog import get_logger

import games
from bot.domain.clocks import Clock, ClockState
from bot.domain.errors import Refused, StaleBoard
from bot.domain.model import Ending, EndingKind, Match, Place, PlaceKind, Ply, Status
from bot.domain.offers import offers_after_plies
from bot.matches.endings import outcome_of, results_of
from bot.matches.policies import Policies
from bot.matches.shards import Shards
from bot.store import Store
from bot.store import matches as match_store
from bot.store.leases import Lease
from bot.store.quotas import Quotas
from bot.support.errors import StoreError
from bot.support.metrics import Metrics
from bot.support.tasks import Turns
from games import AnyGame, AnyPosition, GameError

_log = get_logger(__name__)

_REMEMBERED = 1024
_REMEMBERED_PLIES = 16_384
"""Moves in the cache, which determine its memory."""
_LEASED_SECONDS = 60
"""Seconds of a lease on boards: longer than any platform call may take."""
_PATIENCE = 10
"""Seconds for which a user watches a computer think."""


class UnreadableError(Exception):
    """A stored match cannot be replayed. The text is a code without secrets."""


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match, its game, position (None before the start), last move, and the position before."""

    match: Match
    game: AnyGame
    current: AnyPosition | None
    last: Any = None
    before: AnyPosition | None = None
    _views: dict[int | None, Any] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def position(self) -> AnyPosition:
        if self.current is None:
            raise Refused("not-begun")
        return self.current

    @property
    def turn(self) -> frozenset[int]:
        if self.current is None or self.match.status is not Status.RUNNING:
            return frozenset()
        return self.current.turn

    @property
    def waiting(self) -> int | None:
        """The seat of a user who waits for another one, without a clock. None if there is none."""
        match, turn = self.match, self.turn
        if not match.allows_offers or match.computer_seats or match.terms.clock or len(turn) != 1:
            return None
        return 1 - min(turn)

    @property
    def is_computer_turn(self) -> bool:
        return not self.turn.isdisjoint(self.match.computer_seats)

    @property
    def is_stopped(self) -> bool:
        """True if the match has ended although a seat could still move."""
        return self.match.ending is not None and bool(self.position.turn)

    def new_clocks(self, clock: Clock | None, *, now: int) -> ClockState | None:
        """Return the clocks that start now, None without a `clock`."""
        if clock is None:
            return None
        start = self.position
        return ClockState.start(clock, seats=start.seats, turn=start.turn, now=now)

    def check_running(self) -> None:
        """Raise `Refused` unless the match is running."""
        if self.match.status is not Status.RUNNING:
            raise Refused("match-over" if self.match.status is Status.OVER else "not-begun")

    def viewer(self, user_id: int, place: Place) -> int | None:
        """Return the seat whose view a user gets in a place, None (public) outside direct chats."""
        if place.kind is not PlaceKind.DIRECT or len(self.match.seats) < 2:
            return None
        return self.match.seat_of(user_id)

    @property
    def is_opened(self) -> bool:
        """True if the match is over and shows what was hidden."""
        return self.match.ending is not None and self.game.has_secrets(self.match.options)

    def view(self, seat: int | None) -> Any:
        """Return what `seat` may know (None: spectators), and everything after the match."""
        if seat not in self._views:
            # Cached because a board asks several times, and a view can be slow to compute.
            is_over = self.match.ending is not None
            self._views[seat] = self.position.view(seat, reveal=is_over)
        return self._views[seat]


def _weight(loaded: MatchState) -> int:
    return max(len(loaded.match.plies), _REMEMBERED_PLIES // _REMEMBERED)


class MatchMemory(LRUCache[int, MatchState]):
    """The matches used last, by id."""

    def __init__(self) -> None:
        super().__init__(_REMEMBERED_PLIES, getsizeof=_weight)
        self.invalidated = 0
        """How often another process was found to have written."""
        self.noted: int | None = None
        """When the clock was last noted (Unix seconds)."""

    def invalidate(self, *match_ids: int) -> None:
        """Forget these matches, or all, because another process has written."""
        self.invalidated += 1
        for match_id in match_ids or list(self):
            self.forget(match_id)

    def forget(self, match_id: int) -> None:
        self.pop(match_id, None)

    def keep(self, loaded: MatchState) -> None:
        known = self.get(loaded.match.id)
        if known is not None and known.match.version > loaded.match.version:
            return
        self.forget(loaded.match.id)
        if _weight(loaded) <= self.maxsize:
            self[loaded.match.id] = loaded


@dataclass(slots=True)
class Matches:
    """Stored matches, a cache and a lock for each. `changed` wakes delivery and upkeep."""

    store: Store
    _: KW_ONLY
    changed: Callable[[], None]
    shards: Shards
    policies: Policies
    quotas: Callable[[], Quotas | None] = lambda: None
    """The limits for users, or None."""
    for_computers: Callable[[], None] = lambda: None
    """Called after every change of a match with a computer."""
    regrouped: Callable[[int], None] = lambda _: None
    """Called with the place of a match that may have begun, ended or moved there."""
    metrics: Metrics = field(default_factory=Metrics)
    unit: Store = field(init=False)
    """Where changes by users are written."""
    rng: Random = field(default_factory=SystemRandom, init=False)
    locks: Turns = field(default_factory=Turns, init=False)
    memory: MatchMemory = field(default_factory=MatchMemory, init=False)
    newer: set[str] = field(default_factory=set, init=False)
    """Games with matches whose rules only a newer release knows."""

    def __post_init__(self) -> None:
        self.unit = self.store

    def within(self, unit: Store) -> Self:
        """Return an instance whose changes by users are part of a unit of work."""
        matches = copy(self)
        matches.unit = unit
        return matches

    def new_lease(self) -> Lease:
        """Return a lease on the boards of what this process serves now."""
        now, (platforms, shards) = self.store.now(), self.shards.serving()
        return Lease(self.store.database.holder, platforms, now, now + _LEASED_SECONDS, shards)

    @asynccontextmanager
    async def locked(self, match_id: int) -> AsyncIterator[None]:
        """Lock a match, and read it again after an error that leaves open what was committed."""
        async with self.locks.of(match_id):
            try:
                yield
            except (asyncio.CancelledError, StoreError):
                self.memory.forget(match_id)
                self.changed()
                raise
            except StaleBoard:
                # Another process may have changed it.
                self.memory.forget(match_id)
                raise

    def committed(self, loaded: MatchState) -> MatchState:
        """Keep a match that was committed, and wake who waits for it."""
        self.metrics.committed(loaded.match.id, loaded.match.version)
        self.keep(loaded)
        if loaded.match.computer_seats:
            self.for_computers()
        self.changed()
        return loaded

    def keep(self, loaded: MatchState) -> None:
        """Keep a match that was committed or read."""
        match, known = loaded.match, self.memory.get(loaded.match.id)
        if known is None or known.match.status is not match.status:
            self.regrouped(match.place_id)
        self.memory.keep(loaded)


def replayed(match: Match) -> MatchState:
    """Replay a stored match. Raises `UnreadableError`."""
    if match.game not in games.ids():
        raise UnreadableError("unknown-game")
    game = games.get(match.game)
    try:
        # Current rules may have options that older ones had not.
        match = replace(match, options=game.options_from(match.options), is_unreadable=False)
        if match.status is Status.PROPOSED or not match.seats:
            return MatchState(match, game, None)
        position, last, before = game.start(match.options, match.setup), None, None
        for was, _, move, after in game.plies(match.options, match.setup, match.moves):
            position, last, before = after, move, was
    except MemoryError:
        raise
    except GameError as error:
        raise UnreadableError(error.code) from None
    except Exception as error:  # noqa: BLE001 - stored rows can be wrong in any way
        raise UnreadableError(type(error).__name__) from None
    return MatchState(replace(match, turn=position.turn), game, position, last, before)


async def replay(matches: Matches, match_id: int, match: Match | None) -> MatchState:
    """Replay a match that was read. Raises `Refused`."""
    if match is None or _is_newer(matches, match):
        raise Refused("no-such-match", match=match_id)
    try:
        # Without moves there is nothing slow to replay.
        loaded = await asyncio.to_thread(replayed, match) if match.plies else replayed(match)
    except UnreadableError as error:
        if await match_store.mark_unreadable(matches.store, match_id):
            _log.error("match cannot be replayed", match=match_id, reason=str(error))
        raise Refused("no-such-match", match=match_id) from error
    if match.is_unreadable:
        await match_store.mark_readable(matches.store, match_id)
        _log.info("match can be replayed again", match=match_id)
        matches.changed()
    return loaded


def _is_newer(matches: Matches, match: Match) -> bool:
    """Return whether only a newer release knows the rules of the match."""
    if match.game not in games.ids() or match.rules <= games.get(match.game).rules_version:
        return False
    if match.game not in matches.newer:
        matches.newer.add(match.game)
        _log.warning("matches of newer rules ignored", game=match.game, rules=match.rules)
    return True


async def commit(
    matches: Matches,
    before: MatchState,
    after: MatchState,
    plies: Sequence[Ply],
    ending: Ending | None = None,
    *,
    by: int | None = None,
) -> MatchState:
    """Store the change to `after`, whose `match` is still the old one.

    Without an `ending` the rules decide whether the match continues. `by`: if no seat caused
    it.
    """
    match, position = before.match, after.position
    if ending is None and not position.turn:
        ending = Ending(EndingKind.RULES)
    outcome = outcome_of(position, ending) if ending else None
    running = match.clocks
    if match.terms.clock and running:
        by_seats, turn, now = [ply.seat for ply in plies], position.turn, matches.store.now()
        if ending:
            running = running.stopped()
        else:
            running = running.moved(
                match.terms.clock, by=by_seats, turn=turn, now=now, away=match.away
            )
    # Notify of an ending or a new player to move, but not of quick moves of a computer.
    seat = plies[0].seat if plies else ending.wanted_by if ending else None
    is_next = not position.turn <= before.position.turn and (
        not match.computer_seats or (seat in match.computer_seats and _is_slow(matches, match))
    )
    after = next_version(
        after,
        is_news=ending is not None or is_next,
        by=by if by is not None or seat is None else match.user_at(seat),
        plies=(*match.plies, *plies),
        offers=offers_after_plies(match, plies) if match.offers else (),
        ending=ending,
        outcome=outcome,
        status=Status.OVER if ending else Status.RUNNING,
        clocks=running,
    )
    lease, counted = matches.new_lease(), results_of(match, outcome)
    done = await match_store.commit(matches.unit, match, after.match, lease=lease, counted=counted)
    if plies:
        matches.metrics.moved(match.game, len(plies))
    return matches.committed(replace(after, match=done))


async def commit_beside(
    matches: Matches, before: MatchState, after: MatchState, **changes: Any
) -> MatchState:
    """Store a next version without a new move, for example other offers or fewer moves."""
    after, lease = next_version(after, **changes), matches.new_lease()
    done = await match_store.commit(matches.unit, before.match, after.match, lease=lease)
    return matches.committed(replace(after, match=done))


def _is_slow(matches: Matches, match: Match) -> bool:
    """Return whether a user may have stopped waiting for a computer's move."""
    since = match.plies[-1].at if match.plies else None
    return bool(match.wait.nudged) or (
        since is not None and matches.store.now() - since > _PATIENCE
    )


def next_version(state: MatchState, **changes: Any) -> MatchState:
    """Return the next version (`Match.next_version`), with the turn of the position."""
    turn = state.current.turn if state.current else frozenset[int]()
    return replace(state, match=state.match.next_version(turn=turn, **changes))
