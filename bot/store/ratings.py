"""Ratings: changed at the end of a match, and rebuilt from all rated matches."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from itertools import chain
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    Integer,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from bot.domain.glicko import DAY, NEW, Estimate, Rating, RatingChange, rated
from bot.store.database.dialect import Whole, insert_or_update
from bot.store.database.engine import reads
from bot.store.schema import rated_matches, ratings
from bot.store.times import is_recent

LEAST_PLIES = 4
"""Shorter matches say nothing about a player's strength."""
MOST_A_DAY = 5
"""Rated matches of the same two players in a day, in all games."""

_AT_ONCE = 2000
_COURSE = 1000
NOTED = tuple(
    tuple(
        rated_matches.c[f"{side}_{name}"]
        for name in ("value_before", "deviation_before", "value", "deviation")
    )
    for side in ("first", "second")
)
_RATING = tuple(ratings.c[one.name] for one in fields(Rating))
_KNOWN = select(ratings.c.user_id, *_RATING).where(
    ratings.c.user_id.in_(bindparam("people", expanding=True)),
    ratings.c.game == bindparam("game"),
    ratings.c.kind == bindparam("kind"),
)
_THEY = bindparam("one", type_=Integer), bindparam("other", type_=Integer)
_NOW: BindParameter[int] = bindparam("now", type_=Whole)
_MEETINGS = select(func.count()).where(
    or_(
        *(
            and_(rated_matches.c.first_id == one, rated_matches.c.second_id == other)
            for one, other in (_THEY, _THEY[::-1])
        )
    ),
    is_recent(rated_matches.c.at, DAY, now=_NOW),
)
"""Built once, since building takes longer than executing."""


def count(connection: Connection, counted: Sequence[Mapping[str, Any]]) -> tuple[RatingChange, ...]:
    """Rate two locked players by the results of their match, in order of seat.

    Return the changes, or () if they have met too often.
    """
    result = {name: counted[0][name] for name in ("match_id", "game", "kind", "half_points", "at")}
    game, kind, at = result["game"], result["kind"], result["at"]
    people = first, second = [row["user_id"] for row in counted]
    if first == second or _meetings(connection, first, second, now=at) >= MOST_A_DAY:
        return ()
    before = known(connection, people, game=game, kind=kind)
    one, other = (before.get(user_id, NEW) for user_id in people)
    after = rated(one, other, result["half_points"] / 2, now=at)
    reratings = _reratings((one, other), after, now=at)
    players = {"first_id": first, "second_id": second, **_noted(reratings)}
    connection.execute(insert(rated_matches).values(**result, **players))
    rows = [_row(who, game, kind, rating) for who, rating in zip(people, after, strict=True)]
    insert_or_update(connection, ratings, *rows)
    return reratings


def _reratings(
    before: tuple[Rating, Rating], after: tuple[Rating, Rating], *, now: int
) -> tuple[RatingChange, ...]:
    # The deviation that was displayed until the end of the match.
    return tuple(
        RatingChange(was.estimate(now), Estimate(since.value, since.deviation))
        for was, since in zip(before, after, strict=True)
    )


def _noted(reratings: Iterable[RatingChange]) -> dict[str, float]:
    """Return the `NOTED` columns of the changes of both ratings."""
    estimates = [estimate for one in reratings for estimate in (one.before, one.after)]
    values = [value for one in estimates for value in (one.value, one.deviation)]
    return dict(zip((column.name for column in chain(*NOTED)), values, strict=False))


def reratings_of(noted: Sequence[float | None]) -> tuple[RatingChange, ...]:
    """Return the changes of both ratings from the `NOTED` columns, if all are set."""
    values = [value for value in noted if value is not None]
    if len(values) < len(noted):
        return ()
    one, since, other, later = (Estimate(*values[at : at + 2]) for at in range(0, len(values), 2))
    return RatingChange(one, since), RatingChange(other, later)


def _meetings(connection: Connection, first: int, second: int, *, now: int) -> int:
    """Return how many matches of these two were rated in the last day."""
    given = {"one": first, "other": second, "now": now}
    return int(connection.execute(_MEETINGS, given).scalar_one())


def known(
    connection: Connection, people: Iterable[int], *, game: str, kind: str
) -> dict[int, Rating]:
    """Return the ratings of these users in a class of a game."""
    given = {"people": list(people), "game": game, "kind": kind}
    return {row[0]: Rating(*row[1:]) for row in connection.execute(_KNOWN, given)}


def _row(user_id: int, game: str, kind: str, rating: Rating) -> dict[str, Any]:
    return {"user_id": user_id, "game": game, "kind": kind, **asdict(rating)}


@reads
def of_user(connection: Connection, user_id: int) -> dict[tuple[str, str], Rating]:
    """Return a user's ratings by game and class, those of the most matches first."""
    query = select(ratings.c.game, ratings.c.kind, *_RATING).where(ratings.c.user_id == user_id)
    query = query.order_by(ratings.c.matches.desc(), ratings.c.game, ratings.c.kind)
    return {(row[0], row[1]): Rating(*row[2:]) for row in connection.execute(query)}


def every(connection: Connection) -> dict[tuple[int, str, str], Rating]:
    """Return all ratings, by user, game and class."""
    query = select(ratings.c.user_id, ratings.c.game, ratings.c.kind, *_RATING)
    return {(row[0], row[1], row[2]): Rating(*row[3:]) for row in connection.execute(query)}


@reads
def history(connection: Connection, user_id: int, game: str, kind: str) -> list[tuple[int, float]]:
    """Return when a rating changed (Unix seconds), and to what, from the earliest on."""
    table = rated_matches.c
    value = case((table.first_id == user_id, table.first_value), else_=table.second_value)
    query = select(table.at, value).where(
        or_(table.first_id == user_id, table.second_id == user_id),
        *(table.game == game, table.kind == kind, value.is_not(None)),
    )
    rows = connection.execute(query.order_by(table.id.desc()).limit(_COURSE)).all()
    return [(at, value) for at, value in reversed(rows)]


def rebuild(connection: Connection) -> int:
    """Recompute all ratings while no other process writes; return the number of matches."""
    made: dict[tuple[int, str, str], Rating] = {}
    total = last = 0
    table = rated_matches.c
    # Skip matches of a user against themselves.
    query = select(rated_matches).where(table.first_id != table.second_id)
    query = query.order_by(table.id).limit(_AT_ONCE)
    while rows := connection.execute(query.where(table.id > last)).mappings().all():
        connection.execute(
            update(rated_matches).where(table.id == bindparam("number")),
            [{"number": row["id"], **_noted(_count_again(made, row))} for row in rows],
        )
        total, last = total + len(rows), rows[-1]["id"]
    connection.execute(delete(ratings))
    if made:
        connection.execute(insert(ratings), [_row(*key, rating) for key, rating in made.items()])
    return total


def _count_again(
    made: dict[tuple[int, str, str], Rating], row: Mapping[Any, Any]
) -> tuple[RatingChange, ...]:
    people = row["first_id"], row["second_id"]
    first, second = ((user_id, row["game"], row["kind"]) for user_id in people)
    before = made.get(first, NEW), made.get(second, NEW)
    made[first], made[second] = after = rated(*before, row["half_points"] / 2, now=row["at"])
    return _reratings(before, after, now=row["at"])
