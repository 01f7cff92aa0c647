"""Leaderboards (`Ladder`): updated with every match, and read from an index."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any, Self

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    true,
    update,
)

from bot.domain.glicko import UNSURE_ABOVE, Rating
from bot.domain.model import HIDDEN, RECORD
from bot.store import ratings
from bot.store.database.dialect import insert_or_update
from bot.store.database.engine import now, reads, writes
from bot.store.schema import identities, places, results, standings, users

RECENT = 20
ALL_TIME = 0
EVERYWHERE = ""

_SURE = 10_000.0
"""Ranks reliable ratings above all others."""


def of_place(place_id: int) -> str:
    """Return the scope of a place."""
    return f"place:{place_id}"


def of_community(platform: str, community: str) -> str:
    """Return the scope of a server or a group with topics."""
    return f"community:{platform}:{community}"


def month_of(at: int) -> int:
    """Return the month (UTC) of a Unix time: 202611."""
    moment = datetime.fromtimestamp(at, UTC)
    return moment.year * 100 + moment.month


@dataclass(frozen=True, slots=True)
class Ladder:
    """The key of a leaderboard."""

    scope: str
    game: str
    kind: str
    solo: bool
    """Matches alone, ranked by points. Others are ranked by ratings, or by wins."""
    month: int = ALL_TIME

    @property
    def where(self) -> ColumnElement[bool]:
        return and_(*(standings.c[name] == value for name, value in asdict(self).items()))


@dataclass(frozen=True, slots=True)
class Tally:
    """A user's results in a leaderboard. `best` and `recent` are points of matches alone."""

    matches: int = 0
    wins: int = 0
    draws: int = 0
    streak: int = 0
    longest: int = 0
    best: int | None = None
    recent: tuple[int, ...] = ()

    @property
    def losses(self) -> int:
        return self.matches - self.wins - self.draws

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def average(self) -> float:
        return sum(self.recent) / len(self.recent)

    def after(self, half_points: int, score: int, *, solo: bool) -> Self:
        is_won = half_points == 2
        streak = self.streak + 1 if is_won else 0
        after = replace(
            self,
            matches=self.matches + 1,
            wins=self.wins + is_won,
            draws=self.draws + (half_points == 1),
            streak=streak,
            longest=max(self.longest, streak),
        )
        if not solo:
            return after
        best = score if self.best is None else min(self.best, score)
        return replace(after, best=best, recent=(*self.recent, score)[-RECENT:])

    def row(self, ladder: Ladder, user_id: int, *, hidden: bool) -> dict[str, Any]:
        worth = -self.average if ladder.solo else self.points
        about = {"user_id": user_id, "worth": worth, "hidden": hidden}
        return {**asdict(ladder), **asdict(self), **about, "recent": list(self.recent) or None}


_TALLY = tuple(standings.c[one.name] for one in fields(Tally))


_COUNTED = select(standings.c.scope, standings.c.month, standings.c.user_id, *_TALLY).where(
    standings.c.scope.in_(bindparam("scopes", expanding=True)),
    standings.c.month.in_(bindparam("months", expanding=True)),
    standings.c.user_id.in_(bindparam("people", expanding=True)),
    standings.c.game == bindparam("game"),
    standings.c.solo == bindparam("solo"),
    standings.c.kind == bindparam("kind"),
)
_UNLISTED = select(users.c.id).where(
    or_(
        users.c.settings[RECORD].as_string() == HIDDEN,
        ~exists().where(identities.c.user_id == users.c.id),
    )
)
_UNLISTED_OF = _UNLISTED.where(users.c.id.in_(bindparam("people", expanding=True)))
_RANK = (
    update(standings)
    .where(standings.c.user_id == bindparam("who"), standings.c.month == ALL_TIME)
    .where(standings.c.game == bindparam("of"), standings.c.solo.is_(False))
    .where(standings.c.kind == bindparam("class"))
    .values(worth=bindparam("value"))
)
"""Built once, since building takes longer than executing."""


def _tally(row: Sequence[Any]) -> Tally:
    *counts, recent = row
    return replace(Tally(*counts), recent=tuple(recent or ()))


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a leaderboard."""

    user_id: int
    tally: Tally
    rating: Rating | None = None
    rank: int | None = None
    """From 1; equal results share it. None if not listed."""
    hidden: bool = False


_Tallies = dict[tuple[Ladder, int], Tally]
"""By leaderboard and user."""


def _add(counted: _Tallies, ladder: Ladder, row: Mapping[Any, Any]) -> None:
    key = ladder, row["user_id"]
    before = counted.get(key, Tally())
    counted[key] = before.after(row["half_points"], row["score"], solo=ladder.solo)


def count(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Count the stored results of a match. The players are locked, and rated already."""
    first = rows[0]
    game, kind, solo = first["game"], first["kind"], first["solo"]
    people = [row["user_id"] for row in rows]
    every = [
        Ladder(scope, game, kind, solo, month)
        for scope in _scopes(connection, first["place_id"])
        for month in (ALL_TIME, month_of(first["at"]))
    ]
    given = {
        "scopes": [ladder.scope for ladder in every],
        "months": [ladder.month for ladder in every],
        "people": people,
        "game": game,
        "solo": solo,
        "kind": kind,
    }
    counted = {
        (Ladder(scope, game, kind, solo, month), user_id): _tally(rest)
        for scope, month, user_id, *rest in connection.execute(_COUNTED, given)
    }
    for ladder in every:
        for row in rows:
            _add(counted, ladder, row)
    insert_or_update(connection, standings, *_rows(counted, _unlisted(connection, people)))
    if not solo:
        _by_rating(connection, people, game=game, kind=kind)


def _scopes(connection: Connection, place_id: int) -> list[str]:
    platform, community = _community(connection, place_id)
    scopes = [EVERYWHERE, of_place(place_id)]
    return scopes if community is None else [*scopes, of_community(platform, community)]


def _community(connection: Connection, place_id: int) -> tuple[str, str | None]:
    query = select(places.c.platform, places.c.community).where(places.c.id == place_id)
    platform, community = connection.execute(query).one()
    return platform, community


def _rows(counted: _Tallies, unlisted: set[int]) -> list[dict[str, Any]]:
    return [
        tally.row(ladder, user_id, hidden=user_id in unlisted)
        for (ladder, user_id), tally in counted.items()
    ]


def _unlisted(connection: Connection, people: Iterable[int] | None = None) -> set[int]:
    """Return the users who are in no list: by choice, or as deleted accounts."""
    if people is None:
        return set(connection.scalars(_UNLISTED))
    return set(connection.scalars(_UNLISTED_OF, {"people": list(people)}))


unlisted = reads(_unlisted)


def _by_rating(connection: Connection, people: Sequence[int], *, game: str, kind: str) -> None:
    """Rank users by rating in the leaderboards for all time."""
    known = ratings.known(connection, people, game=game, kind=kind)
    rows = [
        {"who": user_id, "of": game, "class": kind, "value": _worth(rating)}
        for user_id, rating in known.items()
    ]
    if rows:
        connection.execute(_RANK, rows)


def _worth(rating: Rating) -> float:
    return rating.value + (_SURE if rating.deviation <= UNSURE_ABOVE else 0.0)


def hide(connection: Connection, user_id: int, *, hidden: bool) -> None:
    """Hide a user in all leaderboards, or show them again."""
    them = standings.c.user_id == user_id
    connection.execute(update(standings).where(them).values(hidden=hidden))


@writes(alone=True)
def rebuild(connection: Connection) -> int:
    """Recompute all ratings and standings; return the number of rated matches."""
    total = ratings.rebuild(connection)
    connection.execute(delete(standings))
    _fold(connection, cache(partial(_scopes, connection)), true())
    return total


def recount(connection: Connection, place_id: int, gone: Iterable[str]) -> None:
    """Recount a place and its community, and delete the scopes `gone`."""
    platform, community = _community(connection, place_id)
    inside = places.c.id == place_id
    if community is not None:
        inside = and_(places.c.platform == platform, places.c.community == community)
    scopes = _scopes(connection, place_id)[1:]
    connection.execute(delete(standings).where(standings.c.scope.in_([*scopes, *gone])))
    _fold(
        connection,
        lambda one: scopes if one == place_id else scopes[1:],
        results.c.place_id.in_(select(places.c.id).where(inside)),
    )


def _fold(
    connection: Connection, scopes: Callable[[int], Iterable[str]], which: ColumnElement[bool]
) -> None:
    counted, this_month, row = _Tallies(), month_of(now(connection)), results.c
    query = select(results).where(row.kind.is_not(None), which)
    query = query.order_by(row.at, row.match_id, row.seat)
    for result in connection.execute(query).mappings():
        is_new = month_of(result["at"]) == this_month
        for scope in scopes(result["place_id"]):
            for month in (ALL_TIME, this_month) if is_new else (ALL_TIME,):
                ladder = Ladder(scope, result["game"], result["kind"], result["solo"], month)
                _add(counted, ladder, result)
    written = _rows(counted, _unlisted(connection))
    strong = ratings.every(connection)
    for one in written:
        rating = strong.get((one["user_id"], one["game"], one["kind"]))
        if rating and one["month"] == ALL_TIME and not one["solo"]:
            one["worth"] = _worth(rating)
    if written:
        connection.execute(insert(standings), written)


@reads
def ladders(
    connection: Connection, scope: str, game: str, *, month: int = ALL_TIME
) -> list[Ladder]:
    """Return the leaderboards of a game that have entries, those of two players first."""
    found, row = [], standings.c
    for solo in (False, True):
        query = select(func.min(row.kind)).where(
            row.scope == scope, row.month == month, row.game == game, row.solo.is_(solo)
        )
        kind = connection.execute(query).scalar_one()
        while kind is not None:
            found.append(Ladder(scope, game, kind, solo, month))
            # Jumps along the index instead of reading all entries.
            kind = connection.execute(query.where(row.kind > kind)).scalar_one()
    return found


@reads
def page(
    connection: Connection, ladder: Ladder, *, minimum: int, limit: int, offset: int = 0
) -> list[Entry]:
    """Return a page of entries with at least `minimum` matches."""
    query = (
        select(standings.c.user_id, standings.c.worth, *_TALLY)
        .where(_listed(ladder, minimum))
        .order_by(standings.c.worth.desc(), standings.c.user_id.desc())
        .limit(limit)
        .offset(offset)
    )
    rows = connection.execute(query).all()
    rated = _rated(connection, ladder, [row.user_id for row in rows])
    rank = last = 1
    if rows and offset:
        rank = _rank(connection, ladder, rows[0].worth, minimum=minimum)
    entries: list[Entry] = []
    for at, (user_id, worth, *rest) in enumerate(rows, offset + 1):
        if entries and worth != last:
            rank = at
        last = worth
        entries.append(Entry(user_id, _tally(rest), rated.get(user_id), rank))
    return entries


def _listed(ladder: Ladder, minimum: int) -> ColumnElement[bool]:
    row = standings.c
    return and_(ladder.where, row.hidden.is_(False), row.matches >= minimum)


def _rank(connection: Connection, ladder: Ladder, worth: float, *, minimum: int) -> int:
    above = and_(_listed(ladder, minimum), standings.c.worth > worth)
    counting = select(func.count()).select_from(standings).where(above)
    return int(connection.execute(counting).scalar_one()) + 1


@reads
def own(connection: Connection, ladder: Ladder, user_id: int, *, minimum: int) -> Entry:
    """Return a user's entry, listed or not."""
    row = standings.c
    query = select(row.worth, row.hidden, *_TALLY).where(ladder.where, row.user_id == user_id)
    found = connection.execute(query).one_or_none()
    if found is None:
        return Entry(user_id, Tally())
    worth, hidden, *rest = found
    tally = _tally(rest)
    rated = _rated(connection, ladder, [user_id])
    rank = None
    if not hidden and tally.matches >= minimum:
        rank = _rank(connection, ladder, worth, minimum=minimum)
    return Entry(user_id, tally, rated.get(user_id), rank, hidden)


def _rated(connection: Connection, ladder: Ladder, people: Sequence[int]) -> dict[int, Rating]:
    if ladder.solo or ladder.month != ALL_TIME or not people:
        return {}
    return ratings.known(connection, people, game=ladder.game, kind=ladder.kind)


@reads
def of_user(connection: Connection, user_id: int) -> list[tuple[str, str, Tally]]:
    """Return a user's games alone with class and results, by game, most matches first."""
    row = standings.c
    query = select(row.game, row.kind, *_TALLY).where(row.user_id == user_id, row.solo)
    query = query.where(row.scope == EVERYWHERE, row.month == ALL_TIME)
    query = query.order_by(row.game, row.matches.desc(), row.kind)
    return [(game, kind, _tally(rest)) for game, kind, *rest in connection.execute(query)]
