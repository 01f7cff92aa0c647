"""Changes of a match beside moves: offers, waits, readability and its analysis."""

from collections.abc import Collection, Sequence
from dataclasses import asdict

from sqlalchemy import ColumnElement, Connection, and_, update

from bot.domain.analysis import Judgement
from bot.domain.model import Match
from bot.domain.waits import Wait
from bot.store import analyses
from bot.store.boards import redraw
from bot.store.database.dialect import in_order, lock_users
from bot.store.database.engine import now
from bot.store.leases import Effect
from bot.store.matches.committing import TIMES, change, still, stored_terms, times, writes_match
from bot.store.matches.holidays import holidays_of, with_holidays
from bot.store.schema import boards, matches


@writes_match
def set_clock(
    connection: Connection, after: Match, *, turn: Collection[int], effect: Effect
) -> Match:
    """Store a new, running clock; return the match. Raises `StaleBoard`."""
    lock_users(connection, *after.people)
    after = with_holidays(connection, after, turn)
    values = {
        "offers": [asdict(one) for one in after.offers],
        **stored_terms(after.terms),
        **(times(after.clocks) or dict.fromkeys(TIMES)),
        **holidays_of(after.away),
    }
    values |= still(values, now=now(connection))
    change(connection, after, values, effect)
    return after


@writes_match
def postpone_check(connection: Connection, match: Match, wait: Wait, at: int | None) -> None:
    """Store when to check a match next, without a new version, unless it has changed."""
    its = update(matches).where(_is_as_read(match))
    connection.execute(its.values(look_at=at, **asdict(wait)))


@writes_match
def remind_later(connection: Connection, match: Match, until: int) -> None:
    """Postpone a reminder without a new version, unless the match has changed."""
    assert match.clocks is not None
    its = update(matches).where(_is_as_read(match), matches.c.remind_at == match.clocks.remind_at)
    connection.execute(its.values(remind_at=until))


def _is_as_read(match: Match) -> ColumnElement[bool]:
    return and_(matches.c.id == match.id, matches.c.version == match.version)


@writes_match
def mark_unreadable(connection: Connection, match_id: int) -> bool:
    """Mark a match as unreadable; False if it was already. Its boards stay as they are."""
    it = update(matches).where(matches.c.id == match_id, matches.c.aside.is_(None))
    noted = connection.execute(it.values(aside=now(connection)))
    in_order(connection, boards.c.id, boards.c.match_id == match_id)
    done = {"shown": boards.c.wanted, "notified": boards.c.news}
    its = update(boards).where(boards.c.match_id == match_id)
    connection.execute(its.values(**done, former=None, former_notice=None))
    return noted.rowcount == 1


@writes_match
def mark_readable(connection: Connection, match_id: int) -> None:
    """Mark a match as readable again, and redraw its boards."""
    connection.execute(update(matches).where(matches.c.id == match_id).values(aside=None))
    redraw(connection, boards.c.match_id == match_id)


@writes_match
def ask_analysis(connection: Connection, match: Match, *, by: int | str, effect: Effect) -> None:
    """Request an analysis; see `analyses.insert`."""
    analyses.insert(connection, match.id, total=len(match.plies), by=by)
    # The version is raised last, as the steps before may take locks (see `dialect`).
    change(connection, match, {}, effect, is_change=False)


@writes_match
def note_analysis(
    connection: Connection,
    match: Match,
    judged: Sequence[Judgement | None],
    *,
    given_up_after: int | None,
    effect: Effect,
) -> None:
    """Store judgements; see `analyses.record` and `analyses.give_up`."""
    if given_up_after is None:
        analyses.record(connection, match.id, judged)
    else:
        analyses.give_up(connection, match.id, judged, done=given_up_after)
    change(connection, match, {}, effect, is_change=False)
