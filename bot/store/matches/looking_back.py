"""The progress of an analysis, as versions of its match."""

from collections.abc import Sequence

from sqlalchemy import Connection

from bot.domain.analysis import Judgement
from bot.domain.errors import StaleBoard
from bot.domain.model import Match
from bot.store import analyses
from bot.store.engine import now
from bot.store.leases import Effect
from bot.store.matches.committing import bump, writes_match


@writes_match
def ask_analysis(connection: Connection, match: Match, *, by: int | str, effect: Effect) -> None:
    """Request an analysis; see `analyses.insert`."""
    at, total = now(connection), len(match.plies)
    analyses.insert(connection, match_id=match.id, total=total, by=by, now=at)
    _bump(connection, match, effect=effect)


@writes_match
def note_analysis(
    connection: Connection, match: Match, judged: Sequence[Judgement | None], *, effect: Effect
) -> None:
    """Store judgements; see `analyses.note`."""
    analyses.note(connection, match_id=match.id, judged=judged, now=now(connection))
    _bump(connection, match, effect=effect)


@writes_match
def give_up_analysis(
    connection: Connection,
    match: Match,
    judged: Sequence[Judgement | None],
    *,
    done: int,
    effect: Effect,
) -> None:
    """Abandon an analysis; see `analyses.give_up`."""
    analyses.give_up(connection, match_id=match.id, judged=judged, done=done)
    _bump(connection, match, effect=effect)


def _bump(connection: Connection, match: Match, *, effect: Effect) -> None:
    """Raise the version, last, as the steps before may take locks (`bot.store.dialect`)."""
    if not bump(connection, match.id, match.version, values={}, now=None, effect=effect):
        raise StaleBoard(match.id)
