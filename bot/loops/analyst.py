"""Analyse finished matches on request, one match at a time, one search per move.

Computer turns and hints run in between. Each result is stored at once. After a crash the rest is
found again.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from structlog import get_logger

from bot.app import App
from bot.domain.analysis import SECONDS, Judgement, seconds_for
from bot.domain.errors import Refused, StaleBoard
from bot.engines.tasks import Rank, judgement, kind_and_place
from bot.engines.workers import SearchFailedError, WorkersGoneError
from bot.loops.rounds import poll_loop
from bot.matches import MatchState, analysing, puzzles, reading
from bot.store import analyses, work
from bot.store.puzzles import NewPuzzle
from bot.support.errors import StoreError
from bot.support.logs import StoreErrorsLogged
from bot.support.tasks import beside

_log = get_logger(__name__)

_HOLD_EVERY = work.SECONDS / 3
"""Seconds between extensions of a claim. A search may wait for others' hints and moves."""
_SHOW_EVERY = 4.0
_MOST_LATE = 3
"""A search counts at most this multiple of its limit, whatever compiling or waiting adds."""
_MOST_FAILED = 2
"""Failures in a row that are tolerated. The next one ends the analysis."""


class Analyst:
    """The loop that analyses matches."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def run(self) -> None:
        await poll_loop(self._app, self._app.analyses_due, self._look, what="analyses")

    async def _look(self) -> int | None:
        if not self._app.engines.count and await self._app.has_engine():
            # Another process has engines.
            return None
        await self.once()
        return await analyses.next_work(self._app.store)

    async def once(self) -> None:
        while (match_id := await analyses.claim(self._app.store)) is not None:
            try:
                # No extension may follow the release.
                async with beside(self._extend_claim(match_id)):
                    await self._analyse(match_id)
            except asyncio.CancelledError:
                with StoreErrorsLogged(_log, "analysis not released"):
                    await analyses.release(self._app.store, match_id)
                raise
            except StaleBoard:
                # Another process continues it.
                self._app.matches.memory.invalidate(match_id)
            except Refused:
                # The match cannot be replayed any more.
                await analyses.give_up_alone(self._app.store, match_id)

    async def _extend_claim(self, match_id: int) -> None:
        while True:
            await asyncio.sleep(_HOLD_EVERY)
            # There is time for another try. If another process claims it, that one continues.
            with StoreErrorsLogged(_log, "claim on analysis not extended"):
                await analyses.release(self._app.store, match_id, after=work.SECONDS)

    async def _analyse(self, match_id: int) -> None:
        """Analyse the rest of a match, or give it up."""
        app = self._app
        loaded = await reading.get(app.matches, match_id)
        found = await analyses.of(app.store, match_id)
        if found is None:
            return
        judged = list(found.judged)
        try:
            is_made = await self._judge(loaded, judged)
        except WorkersGoneError as error:
            _log.error("no engine available", kind=str(error))
            if app.store.now() < found.asked + analyses.PATIENCE:
                return
            is_made = False
        except (Refused, StaleBoard, StoreError):
            raise
        except Exception as error:  # noqa: BLE001 - other matches must still be analysed
            _log.error("analysis failed", match=match_id, **kind_and_place(error))
            is_made = False
        if not is_made:
            done = len(judged)
            while judged and judged[-1] is None:
                # The next request retries these moves.
                judged.pop()
            await analysing.note(app.matches, match_id, judged, given_up_after=done)
            return
        # The analysis is complete. Puzzles follow without delaying it.
        await analyses.finish(app.store, match_id, await self._puzzles_in(loaded, judged))

    async def _puzzles_in(
        self, loaded: MatchState, judged: Sequence[Judgement | None]
    ) -> list[NewPuzzle]:
        """Search possible puzzles again, because a short search may miss a second best move."""
        found: list[NewPuzzle] = []
        try:
            for ply, position in await asyncio.to_thread(puzzles.positions_of, loaded, judged):
                first, seat = judged[ply], loaded.match.plies[ply].seat
                assert first is not None
                view = position.view(seat)
                task = Rank(loaded.game.id, view, seat, puzzles.SECONDS)
                again = await self._judged(loaded, task, first.move)
                if again is not None and again.best == first.best and puzzles.is_puzzle(again):
                    found.append(puzzles.puzzle_of(loaded, position, seat, again))
        except Exception as error:  # noqa: BLE001 - the analysis itself is complete
            at = kind_and_place(error)
            _log.error("the search for puzzles failed", match=loaded.match.id, **at)
        return found

    async def _judge(self, loaded: MatchState, judged: list[Judgement | None]) -> bool:
        """Append the evaluations of the remaining moves. Return False if too many failed."""
        app, match_id = self._app, loaded.match.id
        tasks, clock = await asyncio.to_thread(_tasks, loaded), asyncio.get_running_loop().time
        # The remaining moves get their share of the time.
        left, shown = SECONDS * (len(tasks) - len(judged)) / max(1, len(tasks)), clock()
        for task, played in tasks[len(judged) :]:
            seconds, began = seconds_for(len(tasks) - len(judged), left=left), clock()
            found = await self._judged(loaded, replace(task, seconds=seconds), played)
            if (
                found is None
                and not any(judged[-_MOST_FAILED:])
                and (len(judged) >= _MOST_FAILED or len(judged) == len(tasks) - 1)
            ):
                return False
            judged.append(found)
            left -= min(clock() - began, _MOST_LATE * seconds)
            if len(judged) == len(tasks) or clock() - shown >= _SHOW_EVERY:
                await analysing.note(app.matches, match_id, judged)
                shown = clock()
            else:
                await analyses.note_one(app.store, match_id, judged)
        return True

    async def _judged(self, loaded: MatchState, task: Rank, played: str) -> Judgement | None:
        """Evaluate a move. None if the search failed."""
        about: dict[str, Any] = {"game": task.game, "match": loaded.match.id}
        try:
            ranked = await self._app.engines.do(task)
        except SearchFailedError as error:
            _log.error("analysis of a move failed", **about, **error.told)
            return None
        found = judgement(ranked, played)
        if found is None:
            _log.error("move not ranked", **about)
        return found


def _tasks(loaded: MatchState) -> list[tuple[Rank, str]]:
    """Return each move with its task, seen by the seat that moved. Blocking."""
    match, game = loaded.match, loaded.game
    plies = game.plies(match.options, match.setup, match.moves)
    return [
        (Rank(game.id, before.view(seat), seat, 0.0), game.notation(move))
        for before, seat, move, _ in plies
    ]
