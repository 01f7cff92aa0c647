"""The progress of an analysis, as versions of its match."""

from collections.abc import Callable, Sequence
from functools import partial

from sqlalchemy import Connection

from bot.domain.analysis import Judgement
from bot.domain.errors import StaleBoard
from bot.domain.model import Match
from bot.store import analyses
from bot.store.boards import Effect
from bot.store.changes import of_match
from bot.store.engine import Store
from bot.store.matches.committing import bump

__all__ = ["ask_analysis", "give_up_analysis", "note_analysis"]


async def ask_analysis(store: Store, match: Match, *, by: int | str, effect: Effect) -> None:
    """Request an analysis; see `analyses.insert`."""
    now = store.now()
    step = partial(analyses.insert, match_id=match.id, total=len(match.plies), by=by, now=now)
    await _look_back(store, match, step, effect=effect)


async def note_analysis(
    store: Store, match: Match, judged: Sequence[Judgement | None], *, effect: Effect
) -> None:
    """Store judgements; see `analyses.note`."""
    step = partial(analyses.note, match_id=match.id, judged=judged, now=store.now())
    await _look_back(store, match, step, effect=effect)


async def give_up_analysis(
    store: Store, match: Match, judged: Sequence[Judgement | None], *, done: int, effect: Effect
) -> None:
    """Abandon an analysis; see `analyses.give_up`."""
    step = partial(analyses.give_up, match_id=match.id, judged=judged, done=done)
    await _look_back(store, match, step, effect=effect)


async def _look_back(
    store: Store, match: Match, step: Callable[[Connection], None], *, effect: Effect
) -> None:
    """Run `step` and raise the version. Raises `StaleBoard` if the match has changed."""

    def both(connection: Connection) -> None:
        # First, as it may take locks (`bot.store.dialect`).
        step(connection)
        if not bump(connection, match.id, match.version, values={}, now=None, effect=effect):
            raise StaleBoard(match.id)

    await store.write_at_once(of_match(match.id), both)
