"""Statistics of a user: records, opponents, streaks and first moves."""

from dataclasses import dataclass

from sqlalchemy import Connection, Integer, and_, cast, exists, func, select
from sqlalchemy.sql.functions import FunctionElement

from bot.domain.model import HIDDEN, RECORD
from bot.store.database.engine import reads
from bot.store.schema import identities, moves, results, standings, users


@dataclass(frozen=True, slots=True)
class Record:
    """Wins, draws and losses."""

    wins: int
    draws: int
    losses: int

    @property
    def matches(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def rate(self) -> float:
        """The score rate from 0 to 1, with a draw as half a win."""
        return (self.wins + self.draws / 2) / self.matches


@dataclass(frozen=True, slots=True)
class Opening:
    """A user's most frequent first move in a game."""

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
_AGAINST_PEOPLE = and_(~results.c.solo, results.c.level.is_(None))
_LATELY = 1000


@dataclass(frozen=True, slots=True)
class Records:
    """A user's records against people and computers."""

    people: dict[str, tuple[Record, int]]
    """By game: the record, and the number of moves of the longest match."""
    computers: dict[tuple[str, int], Record]


@reads
def records(connection: Connection, user_id: int) -> Records:
    """Return a user's records."""
    its = results.c.game, results.c.level
    query = select(*its, *_RECORD, func.max(results.c.moves))
    query = query.where(results.c.user_id == user_id, ~results.c.solo).group_by(*its).order_by(*its)
    found = Records({}, {})
    for game, level, *counts, longest in connection.execute(query):
        if level is None:
            found.people[game] = (Record(*counts), longest)
        else:
            found.computers[game, level] = Record(*counts)
    return found


@reads
def opponents(connection: Connection, user_id: int, *, limit: int) -> list[tuple[int, Record]]:
    """Return the most frequent opponents and the records against them, without hidden users."""
    other = _OTHER.c.user_id
    is_hidden = exists().where(users.c.id == other, users.c.settings[RECORD].as_string() == HIDDEN)
    query = (
        select(other, *_RECORD)
        .select_from(results)
        .join(_OTHER, _SAME_MATCH)
        .where(results.c.user_id == user_id)
        .group_by(other)
        .having(and_(exists().where(identities.c.user_id == other), ~is_hidden))
        .order_by(func.count().desc(), other)
        .limit(limit)
    )
    return [(other, Record(*rest)) for other, *rest in connection.execute(query)]


@reads
def against(connection: Connection, user_id: int, other: int) -> Record | None:
    """Return a user's record against another, or None if they have not met."""
    query = (
        select(*_RECORD)
        .select_from(results)
        .join(_OTHER, _SAME_MATCH)
        .where(results.c.user_id == user_id, _OTHER.c.user_id == other)
    )
    row = connection.execute(query).one()
    return None if row[0] is None else Record(*row)


@reads
def streak(connection: Connection, user_id: int) -> tuple[int, int]:
    """Return the longest current, and longest ever, streak of rated wins."""
    row = standings.c
    query = select(func.max(row.streak), func.max(row.longest)).where(row.user_id == user_id)
    query = query.where(row.scope == "", row.month == 0, ~row.solo)
    going, most = connection.execute(query).one()
    return going or 0, most or 0


@reads
def openings(connection: Connection, user_id: int) -> list[Opening]:
    """Return a user's most frequent first move in each game, of recent matches."""
    times, row = func.count(), results.c
    lately = (
        select(row.match_id, row.seat, row.game)
        .where(row.user_id == user_id, _AGAINST_PEOPLE)
        .order_by(row.match_id.desc())
        .limit(_LATELY)
        .subquery()
    )
    query = (
        select(lately.c.game, moves.c.notation, times)
        .join(moves, and_(moves.c.match_id == lately.c.match_id, moves.c.ply == 0))
        .where(moves.c.seat == lately.c.seat)
        .group_by(lately.c.game, moves.c.notation)
        .order_by(times.desc(), moves.c.notation)
    )
    found: dict[str, Opening] = {}
    for game, move, count in connection.execute(query):
        first = found.get(game) or Opening(game, move, count, 0)
        found[game] = Opening(game, first.move, first.times, first.matches + count)
    return list(found.values())
