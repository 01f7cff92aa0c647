"""Puzzles: positions found in matches, rated like opponents (`bot.domain.glicko`)."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    Select,
    bindparam,
    insert,
    or_,
    select,
    union,
    update,
)

from bot.domain.errors import Duplicate
from bot.domain.glicko import NEW, Rating, rated
from bot.domain.model import Match, Puzzle
from bot.store import key_values
from bot.store.database.changes import NOTHING
from bot.store.database.dialect import Whole, insert_new, insert_or_update
from bot.store.database.engine import AnyRow, Store, now, reads, writes
from bot.store.quotas import has_account
from bot.store.schema import (
    IS_ACTIVE,
    OURS,
    erased_attempts,
    looks_back,
    matches,
    puzzle_attempts,
    puzzle_ratings,
    puzzles,
    seats,
)
from bot.store.times import Number, is_recent

OWN_AFTER = 28 * 24 * 3600
"""Seconds after which users can get puzzles of matches that they played or saw analysed."""
_NOTED_AGAIN = 24 * 3600
_STORED = ("match_id", "game", "rules", "setup", "seat", "best", "expectation", "second")


@dataclass(frozen=True, slots=True)
class NewPuzzle:
    """A position with one clearly best move, as found in a match."""

    match_id: int | None
    """The players of this match do not get the puzzle for a while. None: from the stock."""
    game: str
    rules: int
    options: Mapping[str, str]
    setup: str
    seat: int
    best: str
    line: tuple[str, ...]
    expectation: float
    second: float
    rating: Rating = NEW
    """Its first rating."""

    @property
    def key(self) -> str:
        """A hash that identifies the position: 64 hexadecimal digits."""
        told = [self.game, self.rules, sorted(self.options.items()), self.setup, self.seat]
        return sha256(json.dumps(told).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class PuzzleToTry:
    """A puzzle to start, without its solution."""

    id: int
    options: Mapping[str, str]
    setup: str
    seat: int


@dataclass(frozen=True, slots=True)
class Strength:
    """A user's puzzle rating in a game."""

    rating: Rating
    solved: int


_UNTRIED = Strength(NEW, 0)


@writes(NOTHING)
def add_stock(connection: Connection, found: Sequence[NewPuzzle], *, key: str, digest: str) -> None:
    """Store the positions of the stock (`insert_all`), and its `digest` under a key of ours."""
    insert_all(connection, found)
    key_values.put(connection, OURS, key, digest)


def insert_all(connection: Connection, found: Sequence[NewPuzzle]) -> None:
    """Store new positions. Of known ones, record who knows them from this match."""
    for one in found:
        if one.match_id is not None:
            _note_kept(connection, one)
    rows = [
        {
            **{name: getattr(one, name) for name in _STORED},
            "key": one.key,
            "options": dict(one.options),
            "line": list(one.line),
            "made": now(connection),
            **_values(one.rating),
            "attempts": 0,
        }
        for one in found
    ]
    if rows:
        insert_new(connection, puzzles, *rows)


def _note_kept(connection: Connection, new: NewPuzzle) -> None:
    first = select(puzzles.c.match_id).where(
        puzzles.c.key == new.key, puzzles.c.match_id != new.match_id
    )
    match_id = connection.scalar(first)
    if match_id is None:
        return
    table = looks_back.c
    played = select(seats.c.user_id).where(
        seats.c.match_id == new.match_id, seats.c.user_id.is_not(None)
    )
    seen = select(table.user_id).where(table.match_id == new.match_id)
    rows = [
        {"user_id": user_id, "match_id": match_id, "at": now(connection)}
        for user_id in connection.execute(union(played, seen)).scalars()
    ]
    if rows:
        insert_or_update(connection, looks_back, *rows)


def known(user_id: Number, *, now: Number) -> Select[int]:
    """Return a query for puzzles that a user tried, or may know from a match (`OWN_AFTER`)."""
    tried = select(puzzle_attempts.c.puzzle_id).where(puzzle_attempts.c.user_id == user_id)
    before = select(erased_attempts.c.puzzle_id).where(erased_attempts.c.user_id == user_id)
    played = select(seats.c.match_id).where(seats.c.user_id == user_id)
    is_own = (puzzles.c.made > now - OWN_AFTER) & puzzles.c.match_id.in_(played)
    is_seen = puzzles.c.match_id.in_(_seen(user_id, now=now))
    told = select(puzzles.c.id).where(or_(is_own, is_seen))
    every = union(tried, before, told).subquery()
    return select(every.c[0])


def _seen(user_id: Number, *, now: Number) -> Select[int]:
    table = looks_back.c
    is_lately = is_recent(table.at, OWN_AFTER, now=now)
    return select(table.match_id).where(table.user_id == user_id, is_lately)


_OPEN = (
    select(matches.c.id)
    .join_from(puzzle_attempts, matches)
    .where(puzzle_attempts.c.user_id == bindparam("user"), IS_ACTIVE)
    .where(matches.c.game.in_(bindparam("games", expanding=True)))
    .order_by(matches.c.id.desc())
    .limit(1)
)
_TRIED = select(puzzle_attempts.c.match_id).where(
    puzzle_attempts.c.user_id == bindparam("user"),
    puzzle_attempts.c.puzzle_id == bindparam("puzzle"),
)
_TRY = insert(puzzle_attempts)
"""Built once, since building takes longer than executing."""


def check_is_new(connection: Connection, user_id: int, puzzle_id: int, *, game: str) -> None:
    """Check that a user has neither tried it nor has one of the game open. Raises `Duplicate`."""
    given = {"user": user_id, "puzzle": puzzle_id, "games": [game]}
    found = connection.scalar(_TRIED, given) or connection.scalar(_OPEN, given)
    if found is not None:
        raise Duplicate(found)


def begin(connection: Connection, user_id: int, puzzle_id: int, match_id: int) -> None:
    """Record that a user tries a puzzle in a match."""
    row = {"match_id": match_id, "user_id": user_id, "puzzle_id": puzzle_id}
    connection.execute(_TRY, {**row, "at": now(connection)})


def decide(connection: Connection, match: Match, *, is_solved: bool) -> Puzzle:
    """Rate user and puzzle, and return the puzzle.

    Both ratings stay if the user has seen its analysis. Nothing is stored of a deleted account.
    """
    puzzle, user_id, at = match.puzzle, match.challenger, now(connection)
    assert puzzle is not None
    if not has_account(connection, user_id):
        return puzzle
    # Lock the puzzle last: others may be solving it.
    query = select(puzzles).where(puzzles.c.id == puzzle.id).with_for_update()
    row = connection.execute(query).one()
    theirs = _rating(row)
    before = _strengths(connection, user_id).get(match.game, _UNTRIED)
    mine = before.rating
    seen = _seen(user_id, now=at).where(looks_back.c.match_id == row.match_id)
    if connection.execute(seen).first() is None:
        mine, its = rated(before.rating, theirs, float(is_solved), now=at)
        this = update(puzzles).where(puzzles.c.id == puzzle.id)
        connection.execute(this.values(**_values(its), attempts=its.matches))
        counts = {"attempts": mine.matches, "solved": before.solved + is_solved}
        row_ = {"user_id": user_id, "game": match.game, **_values(mine), **counts}
        insert_or_update(connection, puzzle_ratings, row_)
    values = {"value_before": before.rating.value, "value_after": mine.value}
    attempt = update(puzzle_attempts).where(puzzle_attempts.c.match_id == match.id)
    connection.execute(attempt.values(solved=is_solved, value=theirs.value, **values))
    return replace(puzzle, value=theirs.value, before=before.rating.value, after=mine.value)


def _values(rating: Rating) -> dict[str, Any]:
    names = ("value", "deviation", "volatility", "at")
    return {name: getattr(rating, name) for name in names}


def _rating(row: AnyRow) -> Rating:
    return Rating(row.value, row.deviation, row.volatility, row.at, row.attempts)


_RATINGS = (
    select(puzzle_ratings)
    .where(puzzle_ratings.c.user_id == bindparam("user"))
    .order_by(puzzle_ratings.c.game)
)


def _strengths(connection: Connection, user_id: int) -> dict[str, Strength]:
    """Return a user's puzzle ratings, by game and in that order."""
    rows = connection.execute(_RATINGS, {"user": user_id})
    return {row.game: Strength(_rating(row), row.solved) for row in rows}


of_user = reads(_strengths)


_TRIES = (
    select(puzzle_attempts.c.match_id, puzzles.c.id, puzzles.c.best, puzzles.c.line)
    .add_columns(puzzles.c.expectation, puzzles.c.second, puzzle_attempts.c.value)
    .add_columns(puzzle_attempts.c.value_before, puzzle_attempts.c.value_after)
    .join_from(puzzle_attempts, puzzles)
    .where(puzzle_attempts.c.match_id.in_(bindparam("matches", expanding=True)))
)


def in_matches(connection: Connection, which: Collection[int]) -> dict[int, Puzzle]:
    """Return the puzzles that are tried in these matches, by match."""
    return {
        match_id: Puzzle(id_, best, tuple(line), *rest)
        for match_id, id_, best, line, *rest in connection.execute(_TRIES, {"matches": [*which]})
    }


_NEW_TO_USER = select(
    puzzles.c.id, puzzles.c.options, puzzles.c.setup, puzzles.c.seat, puzzles.c.value
).where(
    puzzles.c.game == bindparam("game"),
    puzzles.c.rules == bindparam("rules"),
    puzzles.c.id.not_in(known(bindparam("user"), now=bindparam("now", type_=Whole))),
)
_VALUE: BindParameter[float] = bindparam("value")
_NEAREST = tuple(
    part.limit(bindparam("limit", type_=Whole))
    for part in (
        _NEW_TO_USER.where(puzzles.c.value >= _VALUE).order_by(puzzles.c.value),
        _NEW_TO_USER.where(puzzles.c.value < _VALUE).order_by(puzzles.c.value.desc()),
    )
)


@reads
def nearest(
    connection: Connection, user_id: int, *, game: str, rules: int, limit: int
) -> list[PuzzleToTry]:
    """Return puzzles that are unknown to a user, the nearest to their rating first."""
    value = _strengths(connection, user_id).get(game, _UNTRIED).rating.value
    given = {"user": user_id, "game": game, "rules": rules, "value": value, "limit": limit}
    parts = (connection.execute(part, {**given, "now": now(connection)}) for part in _NEAREST)
    found = sorted(chain(*parts), key=lambda row: abs(row.value - value))
    return [PuzzleToTry(row.id, row.options, row.setup, row.seat) for row in found[:limit]]


async def record_analysis_view(store: Store, user_id: int, match_id: int) -> None:
    """Record that a user sees the analysis of a match."""
    noted = await _looked(store, user_id, match_id)
    if noted is None or not 0 <= store.now() - noted < _NOTED_AGAIN:
        await _note_look(store, user_id, match_id)


@reads
def _looked(connection: Connection, user_id: int, match_id: int) -> int | None:
    row = looks_back.c
    return connection.scalar(select(row.at).where(row.user_id == user_id, row.match_id == match_id))


@writes(NOTHING)
def _note_look(connection: Connection, user_id: int, match_id: int) -> None:
    row = {"user_id": user_id, "match_id": match_id, "at": now(connection)}
    insert_or_update(connection, looks_back, row)


@reads
def open_of(connection: Connection, user_id: int, games: Collection[str]) -> int | None:
    """Return the match of the user's open puzzle in one of these games, or None."""
    return connection.scalar(_OPEN, {"user": user_id, "games": [*games]})


_LAST = (
    select(puzzles.c.game)
    .join_from(puzzle_attempts, puzzles)
    .where(puzzle_attempts.c.user_id == bindparam("user"))
    .order_by(puzzle_attempts.c.match_id.desc())
    .limit(1)
)


@reads
def last_game(connection: Connection, user_id: int) -> str | None:
    """Return the game of the user's last puzzle, or None."""
    return connection.scalar(_LAST, {"user": user_id})
