"""Matches: proposed, begun, played, ended. Everything that changes one goes through here.

Under a lock per match: read, check seat, turn and version, ask the position, commit. Nothing
is said to anybody before the commit; boards catch up afterwards (`bot.duties`).
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from random import SystemRandom
from time import time
from typing import Any
from weakref import WeakValueDictionary

from structlog import get_logger

import games
from bot.errors import Refused, StaleBoard, StoreError
from bot.links import new_code
from bot.model import Limits, Match, NewMatch, Ply, Status
from bot.store import Store
from bot.store import matches as rows
from games import AnyGame, AnyPosition, GameError, IllegalMove, Note, Outcome

__all__ = ["Doubt", "Live", "Matches", "seated"]

_log = get_logger(__name__)

_REMEMBERED = 1024
"""How many positions are kept in memory; the others are replayed when they are needed."""
_REMEMBERED_PLIES = 16_384
"""How many moves they may have together, for it is the moves that take the room: some 5 MiB."""


@dataclass(frozen=True, slots=True)
class Live:
    """A match with its game, its position (None before it has begun) and its last move."""

    match: Match
    game: AnyGame
    position: AnyPosition | None
    last: Any = None

    @property
    def on(self) -> AnyPosition:
        """The position of a match that has begun. Raises `Refused`."""
        if self.position is None:
            raise Refused("not-begun")
        return self.position


class Doubt(Exception):
    """The move is legal and may be a mistake: ask once more, then play it with `sure`."""

    def __init__(self, live: Live, move: str, note: Note) -> None:
        super().__init__(note.code)
        self.live = live
        self.move = move
        self.note = note


class Matches:
    """All matches of the house."""

    def __init__(self, store: Store, *, changed: Callable[[], None]) -> None:
        self._store = store
        self._changed = changed
        self._luck = SystemRandom()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._memory: OrderedDict[int, Live] = OrderedDict()
        self._plies = 0

    # --- reading --------------------------------------------------------------------------

    async def get(self, match_id: int, *, at_least: int = 0) -> Live:
        """The match as it is now, at version `at_least` where somebody knows that it got there.

        Raises `Refused` where there is none, or none that this house can replay.
        """
        live = self._memory.get(match_id)
        if live is None or live.match.version < at_least:
            match = await rows.load(self._store, match_id)
            if match is None or match.game not in games.ids():
                raise Refused("no-such-match", match=match_id)
            try:
                # Where nothing has been played there is nothing that would take long.
                live = (
                    await asyncio.to_thread(_replayed, match) if match.plies else _replayed(match)
                )
            except GameError as error:
                _log.error("match cannot be replayed", match=match_id, code=error.code)
                raise Refused("no-such-match", match=match_id) from error
            self._remember(live)
        else:
            self._memory.move_to_end(match_id)
        return live

    async def seen(self, match_id: int, *, user_id: int, place_id: int, at_least: int = 0) -> Live:
        """The match as `get` gives it, for somebody for whom there is one.

        This is the one rule for who sees what: a match exists for those who play in it or are
        named in it, where it was made, and where it is shown. To everybody else it is as if
        there were none. Raises `Refused`.
        """
        live = await self.get(match_id, at_least=at_least)
        match = live.match
        if (
            user_id in match.people
            or place_id == match.place_id
            or await rows.is_shown(self._store, match_id, place_id)
        ):
            return live
        raise Refused("no-such-match", match=match_id)

    async def with_code(self, code: str) -> Live:
        """The match with this code, for whoever was handed it. Raises `Refused`."""
        match_id = await rows.by_code(self._store, code) if code else None
        if match_id is None:
            raise Refused("no-such-code")
        return await self.get(match_id)

    async def several(self, match_ids: Iterable[int]) -> list[Live]:
        """Matches as they are now, without those that `get` refuses."""
        found = []
        for match_id in match_ids:
            with suppress(Refused):
                found.append(await self.get(match_id))
        return found

    def read_anew(self) -> None:
        """Forget what is in memory: the database knows better."""
        self._memory.clear()
        self._plies = 0

    def _forget(self, match_id: int) -> None:
        live = self._memory.pop(match_id, None)
        if live is not None:
            self._plies -= len(live.match.plies)

    def _remember(self, live: Live) -> None:
        known = self._memory.get(live.match.id)
        if known is not None and known.match.version > live.match.version:
            return
        self._forget(live.match.id)
        self._memory[live.match.id] = live
        self._plies += len(live.match.plies)
        while len(self._memory) > _REMEMBERED or self._plies > _REMEMBERED_PLIES:
            self._forget(next(iter(self._memory)))

    @asynccontextmanager
    async def _alone_with(self, match_id: int) -> AsyncIterator[None]:
        """Nobody else changes this match while the block runs."""
        lock = self._locks.get(match_id)
        if lock is None:
            lock = self._locks[match_id] = asyncio.Lock()
        async with lock:
            try:
                yield
            except (asyncio.CancelledError, StoreError):
                # Perhaps it was committed all the same: what we remember may be old.
                self._forget(match_id)
                self._changed()
                raise

    # --- beginning ------------------------------------------------------------------------

    async def propose(
        self,
        game: AnyGame,
        options: Mapping[str, str],
        *,
        place_id: int,
        challenger: int,
        opponent: int | None,
        wish: int | None,
        expires: int,
        limits: Limits | None = None,
    ) -> Live:
        """Store a challenge. It binds nobody before it is accepted.

        Raises `Refused` where one of the two has blocked the other, or `limits` are reached.
        """
        if opponent == challenger:
            raise Refused("challenge-self")
        new = NewMatch(
            new_code(),
            game.id,
            game.rules,
            options,
            place_id,
            challenger,
            opponent,
            wish,
            expires,
        )
        match = await rows.propose(self._store, new, limits=limits)
        return self._stored(Live(match, game, None))

    async def begin_alone(
        self,
        game: AnyGame,
        options: Mapping[str, str],
        *,
        place_id: int,
        user_id: int,
        limits: Limits | None = None,
    ) -> Live:
        """Begin a match of one seat. Raises `Refused` where `limits` are reached."""
        setup = await asyncio.to_thread(game.new_setup, options, self._luck)
        position = game.start(options, setup)
        new = NewMatch(new_code(), game.id, game.rules, options, place_id, user_id)
        match = await rows.begin_alone(
            self._store, new, setup=setup, turn=position.turn, limits=limits
        )
        return self._stored(Live(match, game, position))

    async def accept(self, match_id: int, user_id: int, *, limits: Limits | None = None) -> Live:
        """Begin a proposed match. Raises `Refused` where this person cannot (any more)."""
        async with self._alone_with(match_id):
            live = await self._proposed(match_id)
            match = live.match
            if user_id == match.challenger:
                raise Refused("accept-own")
            if match.opponent not in (None, user_id):
                raise Refused("challenge-for-other")
            setup = await asyncio.to_thread(live.game.new_setup, match.options, self._luck)
            position = live.game.start(match.options, setup)
            first = match.wish if match.wish is not None else self._luck.randrange(2)
            users = (match.challenger, user_id) if first == 0 else (user_id, match.challenger)
            if not await rows.begin(
                self._store,
                match,
                setup=setup,
                users=users,
                turn=position.turn,
                limits=limits,
            ):
                raise self._outdated(match)
            begun = replace(
                match,
                setup=setup,
                status=Status.RUNNING,
                version=match.version + 1,
                expires=None,
                seats=users,
            )
            return self._stored(Live(begun, live.game, position))

    async def close(self, match_id: int, status: Status, *, user_id: int | None = None) -> Live:
        """End a challenge: declined by the challenged, withdrawn by the challenger, or expired."""
        async with self._alone_with(match_id):
            live = await self._proposed(match_id)
            match = live.match
            if status is Status.DECLINED and match.opponent != user_id:
                raise Refused("challenge-for-other")
            if status is Status.WITHDRAWN and match.challenger != user_id:
                raise Refused("challenge-not-yours")
            if not await rows.close(self._store, match, status):
                raise self._outdated(match)
            closed = replace(match, status=status, version=match.version + 1, expires=None)
            return self._stored(Live(closed, live.game, None))

    async def _proposed(self, match_id: int) -> Live:
        live = await self.get(match_id)
        if live.match.status is not Status.PROPOSED:
            raise Refused(f"challenge-{live.match.status}")
        return live

    # --- playing --------------------------------------------------------------------------

    async def play(
        self,
        match_id: int,
        user_id: int,
        text: str,
        *,
        seen: int | None = None,
        sure: bool = False,
    ) -> Live:
        """Play what `user_id` means by `text` and commit it.

        `seen` is the version that was on the screen; None for a person who just typed.
        Raises `StaleBoard`, `Refused`, `Doubt` (unless `sure`), or the game's `GameError`.
        """
        async with self._alone_with(match_id):
            live = await self.get(match_id)
            seat = seated(live, user_id, seen=seen)
            game, before = live.game, live.on
            if seat not in before.turn:
                raise IllegalMove("not-your-turn")
            view = before.view(seat)
            move = game.parse(view, seat, text)
            after = before.play(seat, move)
            if not sure and (note := game.caution(view, seat, move)):
                raise Doubt(live, game.notation(move), note)
            now = int(time())
            plies = [Ply(seat, game.notation(move), now)]
            while forced := after.forced():
                seat, move = forced
                plies.append(Ply(seat, game.notation(move), now))
                after = after.play(seat, move)
            return await self._commit(replace(live, position=after, last=move), plies)

    async def resign(self, match_id: int, user_id: int, *, seen: int | None = None) -> Live:
        """Give up."""
        async with self._alone_with(match_id):
            live = await self.get(match_id)
            seat = seated(live, user_id, seen=seen)
            return await self._commit(replace(live, position=live.on.resigned(seat)), [])

    async def leave(self, user_id: int) -> None:
        """Give up every match of a person who goes for good: nobody waits for them."""
        for match_id in await rows.waiting(self._store, user_id):
            with suppress(Refused):
                try:
                    await self.resign(match_id, user_id)
                except StaleBoard:
                    # Another process has played there meanwhile; what we knew is forgotten now.
                    await self.resign(match_id, user_id)

    async def _commit(self, after: Live, plies: Sequence[Ply]) -> Live:
        """Store what led to `after`, whose match is still the one before; then it is said."""
        match, position = after.match, after.on
        outcome = position.outcome()
        done = await rows.record(
            self._store,
            match,
            plies=plies,
            turn=position.turn,
            outcome=outcome,
            counted=_counted(match, outcome) if outcome else (),
        )
        if not done:
            raise self._outdated(match)
        played = replace(
            match,
            plies=(*match.plies, *plies),
            version=match.version + 1,
            outcome=outcome,
            status=Status.OVER if outcome else Status.RUNNING,
        )
        return self._stored(replace(after, match=played))

    def _outdated(self, match: Match) -> StaleBoard:
        """Somebody else changed the match under us: forget what we thought it was."""
        self._forget(match.id)
        return StaleBoard(match.id)

    def _stored(self, live: Live) -> Live:
        self._remember(live)
        self._changed()
        return live


def seated(live: Live, user_id: int, *, seen: int | None = None) -> int:
    """The seat of this person in a running match, which is as they saw it.

    Raises `Refused` or `StaleBoard`.
    """
    match = live.match
    seat = match.seat_of(user_id)
    if match.status is not Status.RUNNING:
        raise Refused("match-over" if match.status is Status.OVER else "not-begun")
    if seat is None:
        raise Refused("not-in-match")
    if seen is not None and seen != match.version:
        raise StaleBoard(match.id)
    return seat


def _replayed(match: Match) -> Live:
    game = games.get(match.game)
    if match.status is Status.PROPOSED or not match.seats:
        return Live(match, game, None)
    position, last = game.start(match.options, match.setup), None
    for _, _, move, after in game.plies(match.options, match.setup, match.record):
        position, last = after, move
    if match.outcome is not None and match.outcome.reason == "resigned":
        # No move tells of it, but the outcome knows who: the seat that has not won.
        (seat,) = set(range(len(match.seats))) - match.outcome.winners
        position = position.resigned(seat)
    return Live(match, game, position, last)


def _counted(match: Match, outcome: Outcome) -> list[rows.Result]:
    """What the outcome counts for each seat, in half points."""
    solo = len(match.seats) == 1
    return [
        rows.Result(
            seat=seat,
            user_id=user_id,
            solo=solo,
            half_points=2 if seat in outcome.winners else 0 if outcome.winners or solo else 1,
            score=outcome.scores[seat],
        )
        for seat, user_id in enumerate(match.seats)
    ]
