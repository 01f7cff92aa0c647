"""Looks back on matches that are over, move by move: what was asked for, found where it is stored.

One match at a time, and each move of it is a search of its own, so that computers' turns and hints
come in between (`bot.thinking`). What a search has found is stored before the next one begins:
whatever dies on the way, the same look finds the rest of the work.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from structlog import get_logger

from bot import puzzles
from bot.analysis import SECONDS, Judgement, seconds_for
from bot.app import App
from bot.errors import Refused, StaleBoard, StoreError
from bot.logs import store_failed
from bot.matches import LoadedMatch
from bot.rounds import keep_looking
from bot.store import analyses
from bot.store.puzzles import NewPuzzle
from bot.thinking.tasks import Rank, where
from bot.thinking.workers import SearchFailedError, WorkersGoneError

__all__ = ["Analyst"]

_log = get_logger(__name__)

_HOLD_EVERY = analyses.SECONDS / 3
"""Seconds between two times that what is under way is put off for others: a search may wait for
others' hints and moves for longer than the rest of the house waits for a sign."""
_SHOW_EVERY = 4.0
"""Seconds between two versions of a board that say how far it is."""
_MOST_LATE = 3
"""So many times as long as it was meant to take a search counts at most: a process that compiles
its player first, or waits for others, takes no time from the moves behind it."""
_MOST_FAILED = 2
"""So many moves in a row may fail, and all of a match but one: with the next it is given up."""
_LONGEST_LINE = 6
"""Moves of a line that are kept."""
_SECONDS_FOR_A_PUZZLE = 3.0
"""To look once more at a position that may be a puzzle."""


class Analyst:
    """One loop that looks back on matches."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def run(self) -> None:
        """Look, think, sleep; until cancelled."""
        if self._app.thinkers.count:
            due, clock = self._app.analyses_due, self._app.clock
            await keep_looking(due, self._look, clock=clock, what="analyses")

    async def _look(self) -> int | None:
        """Do all that can be done now; when there will be more, as far as is known."""
        await self.once()
        return await analyses.next_work(self._app.store)

    async def once(self) -> None:
        """Do all that can be done now. Raises `StoreError`."""
        while (match_id := await analyses.take(self._app.store)) is not None:
            try:
                async with self._held(match_id):
                    await self._look_back(match_id)
            except asyncio.CancelledError:
                await self._put_back(match_id)
                raise
            except StaleBoard:
                # Somebody else was quicker: they go on with it.
                self._app.matches.read_anew(match_id)
            except Refused:
                # It cannot be replayed any more.
                await analyses.give_up_alone(self._app.store, match_id)

    @asynccontextmanager
    async def _held(self, match_id: int) -> AsyncIterator[None]:
        """Keep it from being taken up by others while the block runs, however long that waits."""
        holding = asyncio.create_task(self._hold(match_id))
        try:
            yield
        finally:
            # Nothing is put off once it has been put back.
            holding.cancel()
            await asyncio.wait([holding])

    async def _hold(self, match_id: int) -> None:
        while True:
            await asyncio.sleep(_HOLD_EVERY)
            try:
                await analyses.hold(self._app.store, match_id)
            except StoreError as error:
                # There is time for another try; whoever takes it up meanwhile goes on with it.
                store_failed(_log, "an analysis was not held", error)

    async def _put_back(self, match_id: int) -> None:
        """Leave what is under way to others, or to the next start."""
        try:
            await analyses.put_back(self._app.store, match_id)
        except StoreError as error:
            # Then it is found a few seconds later.
            store_failed(_log, "an analysis was not put back", error)

    async def _look_back(self, match_id: int) -> None:
        """Judge what is left of a match, or give it up.

        Raises `Refused` where it cannot be read, `StaleBoard`, or `StoreError`.
        """
        app = self._app
        loaded, found = await app.matches.get(match_id), await analyses.of(app.store, match_id)
        if found is None:
            return
        judged = list(found.judged)
        try:
            is_made = await self._judge(loaded, judged)
        except WorkersGoneError as error:
            _log.error("nobody can think", kind=str(error))
            if app.store.now() < found.asked + analyses.PATIENCE:
                return
            is_made = False
        except (Refused, StaleBoard, StoreError):
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, others' matches may go well
            # Not what it says, which may be of the match.
            kind, places = type(error).__name__, " ".join(where(error))
            _log.error("an analysis failed", match=match_id, kind=kind, where=places)
            is_made = False
        if not is_made:
            done = len(judged)
            while judged and judged[-1] is None:
                # Whoever asks again has them tried again.
                judged.pop()
            await app.matches.give_up_analysis(match_id, judged, done=done)
            return
        # Whoever has asked has it all by now; this is for others.
        await analyses.finish(app.store, match_id, await self._puzzles_in(loaded, judged))

    async def _puzzles_in(
        self, loaded: LoadedMatch, judged: Sequence[Judgement | None]
    ) -> list[NewPuzzle]:
        """The puzzles that a match holds, each looked at twice.

        A search that had little time may see one best move where there are two. Nobody waits for
        them: where it fails, there are the fewer.
        """
        found: list[NewPuzzle] = []
        try:
            for ply, position in await asyncio.to_thread(puzzles.positions_of, loaded, judged):
                first, seat = judged[ply], loaded.match.plies[ply].seat
                assert first is not None
                view = position.view(seat)
                task = Rank(loaded.game.id, view, seat, _SECONDS_FOR_A_PUZZLE)
                again = await self._judged(loaded, task, first.move)
                if again is not None and again.best == first.best and puzzles.is_puzzle(again):
                    found.append(puzzles.puzzle_of(loaded, position, seat, again))
        except Exception as error:  # noqa: BLE001 - whatever it is, the analysis is made
            kind, places = type(error).__name__, " ".join(where(error))
            _log.error(
                "puzzles were not looked for", match=loaded.match.id, kind=kind, where=places
            )
        return found

    async def _judge(self, loaded: LoadedMatch, judged: list[Judgement | None]) -> bool:
        """Add to `judged` what is left of a match, as far as it can be: has all of it been?

        Raises `WorkersGoneError`, `Refused`, `StaleBoard`, or `StoreError`.
        """
        app, match_id = self._app, loaded.match.id
        tasks, clock = await asyncio.to_thread(_tasks, loaded), asyncio.get_running_loop().time
        # Whoever goes on with it has the rest's share of the time.
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
                await app.matches.note_analysis(match_id, judged)
                shown = clock()
            else:
                await analyses.note_one(app.store, match_id, judged)
        return True

    async def _judged(self, loaded: LoadedMatch, task: Rank, played: str) -> Judgement | None:
        """What a search thinks of a move; None where it has failed, which the log tells.

        Raises `WorkersGoneError`.
        """
        try:
            ranked = await self._app.thinkers.do(task)
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
            round(ranked[1].expectation, 4) if len(ranked) > 1 else None,
        )


def _tasks(loaded: LoadedMatch) -> list[tuple[Rank, str]]:
    """What to think about for each move of a match, and the move; how long is said later.

    Blocking: the match is replayed.

    Whoever looks back knows what the seat knew that moved.
    """
    match, game = loaded.match, loaded.game
    plies = game.plies(match.options, match.setup, match.moves)
    return [
        (Rank(game.id, before.view(seat), seat, 0.0), game.notation(move))
        for before, seat, move, _ in plies
    ]
