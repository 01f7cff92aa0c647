"""Looks back on matches that are over, move by move: what was asked for, found where it is stored.

One match at a time, and each move of it is a search of its own, so that computers' turns and hints
come in between (`bot.thinking`). What a search has found is stored before the next one begins:
whatever dies on the way, the same look finds the rest of the work.
"""

import asyncio
from dataclasses import replace

from structlog import get_logger

from bot.analysis import SECONDS, Judgement, seconds_for
from bot.app import App
from bot.errors import Refused, StaleBoard, StoreError
from bot.logs import store_failed
from bot.matches import LoadedMatch
from bot.store import analyses
from bot.thinking.worker import Ranked, Task
from bot.thinking.workers import SearchFailedError, WorkersGoneError

__all__ = ["Analyst"]

_log = get_logger(__name__)

_LONGEST_SLEEP = 5.0
_AFTER_FAILURE = 2.0
_SHOW_EVERY = 4.0
"""Seconds between two versions of a board that say how far it is."""
_MOST_LATE = 3
"""So many times as long as it was meant to take a search counts at most: a process that compiles
its player first, or waits for others, takes no time from the moves behind it."""
_LONGEST_LINE = 6
"""Moves of a line that are kept."""


class Analyst:
    """One loop that looks back on matches."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def run(self) -> None:
        """Look, think, sleep; until cancelled."""
        if not self._app.thinkers.count:
            return
        due = self._app.analyses_due.listen()
        try:
            while True:
                due.clear()
                wait = _AFTER_FAILURE
                try:
                    await self.once()
                    wait = await self._until_next()
                except StoreError as error:
                    store_failed(_log, "an analysis could not be read or stored", error)
                except WorkersGoneError:
                    _log.error("nobody can think")
                except Exception:  # noqa: BLE001 - logged whole; another one may go well
                    _log.exception("an analysis failed")
                try:
                    async with asyncio.timeout(wait):
                        await due.wait()
                except TimeoutError:
                    continue
        finally:
            self._app.analyses_due.leave(due)

    async def once(self) -> None:
        """Do all that can be done now. Raises `StoreError`, or `WorkersGoneError`."""
        while (match_id := await analyses.take(self._app.store)) is not None:
            try:
                await self._look_back(match_id)
            except asyncio.CancelledError:
                await self._put_back(match_id)
                raise
            except (Refused, StaleBoard):
                # Somebody else was quicker, or it cannot be replayed any more.
                self._app.matches.read_anew(match_id)

    async def _put_back(self, match_id: int) -> None:
        """Leave what is under way to others, or to the next start."""
        try:
            await analyses.put_back(self._app.store, match_id)
        except StoreError as error:
            # Then it is found a few seconds later.
            store_failed(_log, "an analysis was not put back", error)

    async def _until_next(self) -> float:
        """Seconds until there is something to take up, as far as is known."""
        moment = await analyses.next_work(self._app.store)
        if moment is None:
            return _LONGEST_SLEEP
        return min(_LONGEST_SLEEP, max(0.05, moment - self._app.clock()))

    async def _look_back(self, match_id: int) -> None:
        """Judge what is left of a match. Raises `Refused`, or `StaleBoard`."""
        app = self._app
        loaded, found = await app.matches.get(match_id), await analyses.of(app.store, match_id)
        if found is None:
            return
        tasks = await asyncio.to_thread(_tasks, loaded)
        judged, clock = list(found.judged), asyncio.get_running_loop().time
        shown = clock()
        # Whoever goes on with it has the rest's share of the time.
        left = SECONDS * (len(tasks) - len(judged)) / max(1, len(tasks))
        for task, played in tasks[len(judged) :]:
            seconds, began = seconds_for(len(tasks) - len(judged), left=left), clock()
            judged.append(await self._judged(loaded, replace(task, seconds=seconds), played))
            left -= min(clock() - began, _MOST_LATE * seconds)
            if len(judged) == len(tasks) or clock() - shown >= _SHOW_EVERY:
                await app.matches.note_analysis(match_id, judged)
                shown = clock()
            else:
                await analyses.note_one(app.store, match_id, judged)

    async def _judged(self, loaded: LoadedMatch, task: Task, played: str) -> Judgement | None:
        """What a search thinks of a move; None where it has failed, which the log tells.

        Raises `WorkersGoneError`.
        """
        try:
            ranked: tuple[Ranked, ...] = await self._app.thinkers.do(task)
        except SearchFailedError as error:
            _log.error(
                "an analysis has failed",
                game=task.game,
                match=loaded.match.id,
                kind=error.kind,
                where=" ".join(error.where),
            )
            return None
        mine = next((one for one in ranked if one.move == played), None)
        if mine is None:
            _log.error("a move is missing in an analysis", game=task.game, match=loaded.match.id)
            return None
        best = ranked[0]
        return Judgement(
            played,
            round(mine.expectation, 4),
            best.move,
            round(best.expectation, 4),
            best.line[:_LONGEST_LINE],
            best.is_exact,
            len(ranked),
        )


def _tasks(loaded: LoadedMatch) -> list[tuple[Task, str]]:
    """What to think about for each move of a match, and the move; how long is said later.

    Blocking: the match is replayed.

    Whoever looks back knows what the seat knew that moved.
    """
    match, game = loaded.match, loaded.game
    plies = game.plies(match.options, match.setup, match.moves)
    return [
        (Task("rank", game.id, before.view(seat), seat, 0.0), game.notation(move))
        for before, seat, move, _ in plies
    ]
