"""What somebody has played: their record, against whom, how long, how they like to begin."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Integer, and_, cast, exists, func, select
from sqlalchemy.sql.functions import FunctionElement

from bot.model import HIDDEN, RECORD
from bot.store.engine import Store
from bot.store.schema import identities, moves, results, standings, users

__all__ = ["Opening", "Record", "against", "longest", "openings", "opponents", "records", "streak"]


@dataclass(frozen=True, slots=True)
class Record:
    """Matches of two, as one of them sees it."""

    wins: int
    draws: int
    losses: int

    @property
    def matches(self) -> int:
        """How many there were."""
        return self.wins + self.draws + self.losses

    @property
    def rate(self) -> float:
        """Score rate 0..1, a draw being half a win."""
        return (self.wins + self.draws / 2) / self.matches


@dataclass(frozen=True, slots=True)
class Opening:
    """The first move that somebody makes most often in a game, of so many matches they began."""

    game: str
    move: str
    times: int
    matches: int


_OTHER = results.alias("other")
_SAME_MATCH = and_(
    _OTHER.c.match_id == results.c.match_id, _OTHER.c.seat != results.c.seat, ~results.c.solo
)


def _count(half_points: int) -> FunctionElement[int]:
    return func.sum(cast(results.c.half_points == half_points, Integer))


_RECORD = (_count(2), _count(1), _count(0))


async def records(store: Store, user_id: int) -> dict[str, Record]:
    """Somebody's record against others, by game."""
    query = select(results.c.game, *_RECORD).where(results.c.user_id == user_id, ~results.c.solo)
    async with store.read() as connection:
        rows = await connection.execute(query.group_by(results.c.game))
        return {game: Record(*counts) for game, *counts in rows}


async def opponents(store: Store, user_id: int, *, limit: int) -> list[tuple[int, Record]]:
    """Whom somebody has met most often, and their record against them.

    Who keeps their own record to themselves, or is gone, is left out.
    """
    total = func.count()
    query = (
        select(_OTHER.c.user_id, *_RECORD)
        .select_from(results)
        .join(_OTHER, _SAME_MATCH)
        .where(results.c.user_id == user_id, _is_listed(_OTHER.c.user_id))
        .group_by(_OTHER.c.user_id)
        .order_by(total.desc(), _OTHER.c.user_id)
        .limit(limit)
    )
    async with store.read() as connection:
        return [(other, Record(*counts)) for other, *counts in await connection.execute(query)]


def _is_listed(user_id: ColumnElement[int]) -> ColumnElement[bool]:
    wish = users.c.settings[RECORD].as_string() == HIDDEN
    return and_(
        exists().where(identities.c.user_id == user_id),
        ~exists().where(users.c.id == user_id, wish),
    )


async def against(store: Store, user_id: int, other: int) -> Record | None:
    """Somebody's record against one other; None where they have never met."""
    query = (
        select(*_RECORD)
        .select_from(results)
        .join(_OTHER, _SAME_MATCH)
        .where(results.c.user_id == user_id, _OTHER.c.user_id == other)
    )
    async with store.read() as connection:
        row = (await connection.execute(query)).one()
    return None if row[0] is None else Record(*row)


async def streak(store: Store, user_id: int) -> tuple[int, int]:
    """Rated wins in a row, in one class of one game: those that go on, and the most ever."""
    query = select(func.max(standings.c.streak), func.max(standings.c.longest)).where(
        standings.c.user_id == user_id,
        standings.c.scope == "",
        standings.c.month == 0,
        ~standings.c.solo,
    )
    async with store.read() as connection:
        going, most = (await connection.execute(query)).one()
    return going or 0, most or 0


async def longest(store: Store, user_id: int) -> tuple[str, int] | None:
    """The game, and the moves, of the longest match that somebody has finished with another."""
    last = (
        select(func.max(moves.c.ply))
        .where(moves.c.match_id == results.c.match_id)
        .scalar_subquery()
    )
    query = select(results.c.game, results.c.match_id).where(
        results.c.user_id == user_id, ~results.c.solo
    )
    counting = select(func.count()).select_from(moves).where(moves.c.taken_back.is_(None))
    async with store.read() as connection:
        row = (await connection.execute(query.order_by(last.desc()).limit(1))).one_or_none()
        if row is None:
            return None
        made = counting.where(moves.c.match_id == row.match_id)
        return row.game, (await connection.execute(made)).scalar_one()


async def openings(store: Store, user_id: int) -> list[Opening]:
    """How somebody begins most often, of each game in which nothing is hidden from the other."""
    times = func.count()
    query = (
        select(results.c.game, moves.c.notation, times)
        .join(moves, and_(moves.c.match_id == results.c.match_id, moves.c.seat == results.c.seat))
        .where(results.c.user_id == user_id, ~results.c.solo, moves.c.ply == 0)
        .group_by(results.c.game, moves.c.notation)
        .order_by(times.desc(), moves.c.notation)
    )
    found: dict[str, Opening] = {}
    async with store.read() as connection:
        for game, move, count in await connection.execute(query):
            first = found.get(game) or Opening(game, move, count, 0)
            found[game] = Opening(game, first.move, first.times, first.matches + count)
    return list(found.values())
