"""Leaderboards and statistics, counted by the database."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Float, Integer, and_, case, cast, func, select
from sqlalchemy.sql.functions import FunctionElement

from bot.model import HIDDEN, RECORD
from bot.store.engine import Store
from bot.store.schema import places, results, users
from bot.store.times import is_ahead

__all__ = ["EVERYWHERE", "Scope", "SoloRecord", "Versus", "alone", "played", "versus"]

RECENT = 20
"""How many of the last solo matches make the average."""


@dataclass(frozen=True, slots=True)
class Versus:
    """Somebody's matches against others."""

    user_id: int
    name: str
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
class SoloRecord:
    """Somebody's solo matches: mean cost of the last `RECENT`, the best (least), the count."""

    user_id: int
    name: str
    average: float
    best: int
    count: int


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose results count: of one place, of a community's places, or, without either, all."""

    place_id: int | None = None
    community: tuple[str, str] | None = None
    """The platform, and what it is called there."""

    def where(self) -> list[ColumnElement[bool]]:
        """The conditions that a result has to meet."""
        found = []
        if self.place_id is not None:
            found.append(results.c.place_id == self.place_id)
        if self.community is not None:
            platform, community = self.community
            theirs = select(places.c.id).where(
                places.c.platform == platform, places.c.community == community
            )
            found.append(results.c.place_id.in_(theirs))
        return found


EVERYWHERE = Scope()


_HIDDEN = select(users.c.id).where(users.c.settings[RECORD].as_string() == HIDDEN)
"""Who keeps to themselves how they have played."""


def _of(game: str, scope: Scope, user_id: int | None) -> ColumnElement[bool]:
    where = [results.c.game == game, *scope.where()]
    if user_id is not None:
        where.append(results.c.user_id == user_id)
    else:
        where.append(results.c.user_id.not_in(_HIDDEN))
    return and_(*where)


def _count(half_points: int) -> FunctionElement[Any]:
    return func.sum(cast(results.c.half_points == half_points, Integer))


async def versus(
    store: Store,
    game: str,
    *,
    scope: Scope = EVERYWHERE,
    user_id: int | None = None,
    minimum: int = 1,
    limit: int = 10,
) -> list[Versus]:
    """Who scores best against others, with at least `minimum` matches."""
    total = func.count()
    query = (
        select(users.c.id, users.c.name, _count(2), _count(1), _count(0))
        .join(results, results.c.user_id == users.c.id)
        .where(_of(game, scope, user_id), results.c.solo.is_(False))
        .group_by(users.c.id, users.c.name)
        .having(total >= minimum)
        # Score rate, then the longer record, then who was here first.
        .order_by(
            (cast(func.sum(results.c.half_points), Float) / total).desc(), total.desc(), users.c.id
        )
        .limit(limit)
    )
    async with store.read() as connection:
        return [Versus(*row) for row in await connection.execute(query)]


async def alone(
    store: Store,
    game: str,
    *,
    scope: Scope = EVERYWHERE,
    user_id: int | None = None,
    minimum: int = 1,
    limit: int = 10,
) -> list[SoloRecord]:
    """Who needs least on average, with at least `minimum` solo matches."""
    at = case((is_ahead(results.c.at, now=store.now()), 0), else_=results.c.at)
    newest = func.row_number().over(
        partition_by=results.c.user_id, order_by=(at.desc(), results.c.match_id.desc())
    )
    ranked = (
        select(results.c.user_id, results.c.score, newest.label("age"))
        .where(_of(game, scope, user_id), results.c.solo)
        .subquery()
    )
    recent = func.avg(cast(ranked.c.score, Float)).filter(ranked.c.age <= RECENT)
    query = (
        select(users.c.id, users.c.name, recent, func.min(ranked.c.score), func.count())
        .join(ranked, ranked.c.user_id == users.c.id)
        .group_by(users.c.id, users.c.name)
        .having(func.count() >= minimum)
        .order_by(recent, func.min(ranked.c.score), users.c.id)
        .limit(limit)
    )
    async with store.read() as connection:
        return [SoloRecord(*row) for row in await connection.execute(query)]


async def played(store: Store, scope: Scope = EVERYWHERE) -> list[str]:
    """Ids of the games that have results, most played first."""
    query = select(results.c.game).group_by(results.c.game)
    query = query.order_by(func.count().desc(), func.min(results.c.match_id))
    query = query.where(*scope.where())
    async with store.read() as connection:
        return list((await connection.execute(query)).scalars())
