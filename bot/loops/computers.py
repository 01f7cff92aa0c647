"""Computer opponents: find their pending turns, search and play.

One process at a time claims a turn. Its result is checked against the version seen, like a user's
move. After a crash the turn is found again.

A computer grants takebacks, accepts draws that its engine wants, and declines to abort.
"""

import asyncio
from collections import Counter
from contextlib import suppress
from functools import partial
from itertools import count
from random import SystemRandom
from typing import Any, TypeVar

from cachetools import LRUCache
from structlog import get_logger

from bot.app import App
from bot.domain.errors import Refused, StaleBoard
from bot.domain.model import Computer, Offer, OfferKind, OfferState, Status
from bot.engines.tasks import QUICK_LEVELS, Choose, Task, WantsDraw, kind_and_place
from bot.engines.workers import SearchFailedError, WorkersGoneError
from bot.loops.rounds import poll_loop
from bot.matches import MatchState, offers, playing, reading
from bot.store import work
from bot.support.errors import StoreError
from bot.support.logs import StoreErrorsLogged, store_failed
from bot.support.tasks import finish
from games import GameError
from games.computer import LEVELS

_log = get_logger(__name__)

_ABOUT_A_DRAW = 0.5
"""Seconds to consider a draw offer."""
_WITH_LESS = 0.3
"""Seconds for a move at the lowest level, after the search of a higher level failed."""
_OTHER_LEVELS = tuple(level for level in range(1, LEVELS + 1) if level not in QUICK_LEVELS)
_MOST_QUICK = 2
"""Turns of quick levels at a time: one is searched while the other is stored."""
_TRIES = 5
_REMEMBERED = 10_000

T = TypeVar("T")


def _now() -> float:
    return asyncio.get_running_loop().time()


class Computers:
    """The loop that plays for computers."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._engines = app.engines
        self._seconds = app.settings.computer.seconds
        self._luck = SystemRandom()
        self._hold_at = self._noted_until = 0.0
        self._served: LRUCache[int, int] = LRUCache(_REMEMBERED)
        self._turns = count(1)
        self._under_way: dict[int, asyncio.Task[None]] = {}
        self._most = {QUICK_LEVELS: _MOST_QUICK, _OTHER_LEVELS: self._engines.count}
        """By levels, how many turns may be under way."""
        self._levels: dict[int, tuple[int, ...]] = {}
        """By match under way."""
        self._thinking: dict[int, tuple[int, asyncio.Future[Any]]] = {}
        """By match, the version being searched and its result."""
        app.metrics.queues["searches"] = lambda: len(self._under_way)

    async def run(self) -> None:
        if not self._engines.count:
            if self._app.settings.computer.enabled:
                _log.info("no engine in this process")
            return
        try:
            await poll_loop(self._app, self._app.computers_due, self._look, what="computers")
        finally:
            await self._close()

    async def _look(self) -> int | None:
        """Claim pending turns and return when there will be more, if known."""
        if self._app.store.is_shared and _now() >= self._noted_until:
            self._noted_until = _now() + work.NOTED_EVERY
            await work.note_presence(self._app.store)
        await self._stop_outdated()
        await self._hold()
        await self._claim()
        await self._engines.scale()
        levels = [level for some, free in self._free.items() if free > 0 for level in some]
        return await work.next_work(self._app.store, levels=levels, but=list(self._under_way))

    async def once(self) -> None:
        while await self._claim():
            if self._under_way:
                await asyncio.wait(self._under_way.values())

    async def _close(self) -> None:
        left = list(self._under_way)
        await finish(self._under_way.values(), seconds=0)
        if left:
            with StoreErrorsLogged(_log, "computer turns not released"):
                await work.release(self._app.store, left)

    async def _claim(self) -> bool:
        """Claim turns and begin them. Return whether there were any."""
        is_any = False
        for levels, free in self._free.items():
            if free <= 0:
                continue
            found = await work.claim(
                self._app.store,
                limit=free,
                levels=levels,
                but=list(self._under_way),
                # Greater for users served later. 0 if long ago or never.
                served=lambda person: self._served.get(person, 0),
            )
            is_any = is_any or bool(found)
            for taken in found:
                self._served[taken.person] = next(self._turns)
                task = asyncio.create_task(self._serve(taken.match, taken.version))
                self._under_way[taken.match], self._levels[taken.match] = task, levels
                task.add_done_callback(partial(self._left, taken.match))
        return is_any

    @property
    def _free(self) -> dict[tuple[int, ...], int]:
        """By levels, how many more turns can be claimed."""
        taken = Counter(self._levels.values())
        return {levels: most - taken[levels] for levels, most in self._most.items()}

    def _left(self, match_id: int, _: asyncio.Task[None]) -> None:
        self._under_way.pop(match_id, None)
        self._levels.pop(match_id, None)
        self._app.computers_due.set()

    async def _stop_outdated(self) -> None:
        for match_id, (version, thought) in list(self._thinking.items()):
            try:
                match = (await reading.get(self._app.matches, match_id, at_least=version)).match
                is_wanted = (
                    match.status is Status.RUNNING
                    and match.is_playable_at(version)
                    and (match.version == version or not match.offers_to_computers)
                )
            except Refused:
                is_wanted = False
            if not is_wanted:
                thought.cancel()

    async def _hold(self) -> None:
        if self._under_way and _now() >= self._hold_at:
            self._hold_at = _now() + work.SECONDS / 3
            held = list(self._under_way)
            await work.release(self._app.store, held, after=work.SECONDS)
            # The next move may have been stored before this.
            left = [match_id for match_id in held if match_id not in self._under_way]
            await work.release(self._app.store, left)

    async def _serve(self, match_id: int, version: int) -> None:
        for _ in range(_TRIES):
            try:
                if await self._do_next(match_id, version):
                    return
            except StaleBoard:
                # The match has changed: read it again.
                self._app.matches.memory.invalidate(match_id)
                continue
            except Refused:
                # The match is over or cannot be replayed.
                return
            except WorkersGoneError:
                _log.error("no engine available", match=match_id)
                return
            except StoreError as error:
                store_failed(_log, "computer move not stored", error)
                return
            except Exception as error:  # noqa: BLE001 - it is found again, and other matches go on
                _log.error("computer turn failed", match=match_id, **kind_and_place(error))
                return

    async def _do_next(self, match_id: int, version: int) -> bool:
        """Do one thing that is due. Return True if there was none."""
        loaded = await reading.get(self._app.matches, match_id, at_least=version)
        match = loaded.match
        for offer in match.offers_to_computers:
            await self._answer(loaded, offer)
            return False
        for seat in match.computer_seats:
            if seat in loaded.turn:
                await self._move(loaded, seat)
                return False
        return True

    async def _answer(self, loaded: MatchState, offer: Offer) -> None:
        accepts = offer.kind is OfferKind.TAKEBACK
        if offer.kind is OfferKind.DRAW:
            seat = 1 - offer.by
            task = WantsDraw(loaded.game.id, loaded.view(seat), seat, _ABOUT_A_DRAW)
            # The user must not wait.
            with suppress(WorkersGoneError):
                accepts = bool(await self._search(loaded, task))
        state = OfferState.ACCEPTED if accepts else OfferState.DECLINED
        await offers.answer_for_computer(
            self._app.matches, loaded.match.id, offer.kind, state, version=loaded.match.version
        )

    async def _move(self, loaded: MatchState, seat: int) -> None:
        match, who = loaded.match, loaded.match.seats[seat]
        assert isinstance(who, Computer)
        seed, matches = self._luck.randrange(2**63), self._app.matches
        seconds_of = {who.level: self._seconds}
        # If the search fails at this level, the lowest one may still succeed.
        seconds_of.setdefault(1, _WITH_LESS)
        for level, seconds in seconds_of.items():
            task = Choose(match.game, loaded.view(seat), seat, seconds, level, seed)
            move = await self._search(loaded, task)
            if move is None:
                continue
            try:
                await playing.play_for_computer(
                    matches, match.id, seat, move, version=match.version
                )
            except GameError as error:
                # The move itself may be secret.
                _log.error("computer chose an illegal move", game=match.game, code=error.code)
            else:
                return
        # The match must go on even if the engine fails.
        some = self._luck.choice(loaded.position.moves(seat))
        text = loaded.game.notation(some)
        await playing.play_for_computer(matches, match.id, seat, text, version=match.version)

    async def _search(self, loaded: MatchState, task: Task[T]) -> T | None:
        """Return the result of a task, None if it failed. Raises `StaleBoard` if cancelled."""
        match = loaded.match
        thought = asyncio.ensure_future(self._engines.do(task))
        self._thinking[match.id] = match.version, thought
        try:
            await asyncio.wait([thought])
            if thought.cancelled():
                raise StaleBoard(match.id)
            return thought.result()
        except asyncio.CancelledError:
            thought.cancel()
            raise
        except SearchFailedError as error:
            about = {"game": task.game, "match": match.id, "of_level": match.level}
            _log.error("engine failed", **about, **error.told)
            return None
        finally:
            self._thinking.pop(match.id, None)
