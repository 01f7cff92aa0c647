"""How far a match that is over is looked back on."""

from collections.abc import Callable, Sequence
from functools import partial

from sqlalchemy import Connection

from bot.analysis import Judgement
from bot.errors import StaleBoard
from bot.model import Match
from bot.store import analyses
from bot.store.boards import Effect
from bot.store.changes import of_match
from bot.store.engine import Store
from bot.store.matches.committing import bump

__all__ = ["ask_analysis", "give_up_analysis", "note_analysis"]


async def ask_analysis(store: Store, match: Match, *, by: int | str, effect: Effect) -> None:
    """Ask for a match to be looked back on; see `analyses.insert`, and `_look_back`."""
    now = store.now()
    step = partial(analyses.insert, match_id=match.id, total=len(match.plies), by=by, now=now)
    await _look_back(store, match, step, effect=effect)


async def note_analysis(
    store: Store, match: Match, judged: Sequence[Judgement | None], *, effect: Effect
) -> None:
    """Note what was found of the first moves of a match; see `analyses.note`, and `_look_back`."""
    step = partial(analyses.note, match_id=match.id, judged=judged, now=store.now())
    await _look_back(store, match, step, effect=effect)


async def give_up_analysis(
    store: Store, match: Match, judged: Sequence[Judgement | None], *, done: int, effect: Effect
) -> None:
    """Nobody goes on looking back on a match; see `analyses.give_up`, and `_look_back`."""
    step = partial(analyses.give_up, match_id=match.id, judged=judged, done=done)
    await _look_back(store, match, step, effect=effect)


async def _look_back(
    store: Store, match: Match, step: Callable[[Connection], None], *, effect: Effect
) -> None:
    """Store how far a match that is over is looked back on, by `step`, as a version of it.

    When it ended stays what it was. Raises `StaleBoard`, and nothing is written, when the match has
    changed; and what `step` raises.
    """

    def both(connection: Connection) -> None:
        # It may hold somebody, which comes before all else (`bot.store.dialect`).
        step(connection)
        if not bump(connection, match.id, match.version, values={}, now=None, effect=effect):
            raise StaleBoard(match.id)

    await store.write_at_once(of_match(match.id), both)
