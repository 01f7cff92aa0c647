"""Puzzles: positions found in matches, rated like opponents (`bot.domain.glicko`)."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Select, bindparam, insert, or_, select, union, update

from bot.domain.errors import Duplicate
from bot.domain.glicko import NEW, Rating, rated
from bot.domain.model import Match, Puzzle
from bot.store import key_values
from bot.store.database.changes import NOTHING
from bot.store.database.dialect import insert_or_update, upsert
from bot.store.database.engine import AnyRow, Store, now, reads, writes
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
from bot.store.times import is_recent

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
        connection.execute(upsert(connection, puzzles).on_conflict_do_nothing(), rows)


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


def known(user_id: int, *, now: int) -> Select[int]:
    """Return a query for puzzles that a user tried, or may know from a match (`OWN_AFTER`)."""
    tried = select(puzzle_attempts.c.puzzle_id).where(puzzle_attempts.c.user_id == user_id)
    before = select(erased_attempts.c.puzzle_id).where(erased_attempts.c.user_id == user_id)
    played = select(seats.c.match_id).where(seats.c.user_id == user_id)
    is_own = (puzzles.c.made > now - OWN_AFTER) & puzzles.c.match_id.in_(played)
    is_seen = puzzles.c.match_id.in_(_seen(user_id, now=now))
    told = select(puzzles.c.id).where(or_(is_own, is_seen))
    every = union(tried, before, told).subquery()
    return select(every.c[0])


def _seen(user_id: int | None, *, now: int) -> Select[int]:
    table = looks_back.c
    is_lately = is_recent(table.at, OWN_AFTER, now=now)
    return select(table.match_id).where(table.user_id == user_id, is_lately)


def check_is_new(connection: Connection, user_id: int, puzzle_id: int, *, game: str) -> None:
    """Check that a user has neither tried it nor has one of the game open. Raises `Duplicate`."""
    row = puzzle_attempts.c
    tried = select(row.match_id).where(row.user_id == user_id, row.puzzle_id == puzzle_id)
    found = connection.scalar(tried) or connection.scalar(_OPEN, {"user": user_id, "games": [game]})
    if found is not None:
        raise Duplicate(found)


def begin(connection: Connection, user_id: int, puzzle_id: int, match_id: int) -> None:
    """Record that a user tries a puzzle in a match."""
    values = {"match_id": match_id, "user_id": user_id, "puzzle_id": puzzle_id}
    connection.execute(insert(puzzle_attempts).values(**values, at=now(connection)))


def decide(connection: Connection, match: Match, *, is_solved: bool) -> None:
    """Rate the user and the puzzle. Both stay if the user has seen its match analysed."""
    puzzle, user_id, at = match.puzzle, match.challenger, now(connection)
    assert puzzle is not None
    # Lock the puzzle last: others may be solving it.
    query = select(puzzles).where(puzzles.c.id == puzzle.id).with_for_update()
    row = connection.execute(query).one()
    theirs = _rating(row)
    before = _strengths(connection, user_id).get(match.game, Strength(NEW, 0))
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


def _values(rating: Rating) -> dict[str, Any]:
    names = ("value", "deviation", "volatility", "at")
    return {name: getattr(rating, name) for name in names}


def _rating(row: AnyRow) -> Rating:
    return Rating(row.value, row.deviation, row.volatility, row.at, row.attempts)


def _strengths(connection: Connection, user_id: int) -> dict[str, Strength]:
    """Return a user's puzzle ratings, by game and in that order."""
    query = select(puzzle_ratings).where(puzzle_ratings.c.user_id == user_id)
    rows = connection.execute(query.order_by(puzzle_ratings.c.game))
    return {row.game: Strength(_rating(row), row.solved) for row in rows}


of_user = reads(_strengths)


def in_matches(connection: Connection, which: Collection[int]) -> dict[int, Puzzle]:
    """Return the puzzles that are tried in these matches, by match."""
    row = puzzle_attempts.c
    its = puzzles.c
    query = (
        select(row.match_id, its.id, its.best, its.line, its.expectation, its.second)
        .add_columns(row.value, row.value_before, row.value_after)
        .join_from(puzzle_attempts, puzzles, its.id == row.puzzle_id)
        .where(row.match_id.in_(which))
    )
    return {
        match_id: Puzzle(id_, best, tuple(line), *rest)
        for match_id, id_, best, line, *rest in connection.execute(query)
    }


@reads
def nearest(
    connection: Connection, user_id: int, *, game: str, rules: int, value: float, limit: int
) -> list[PuzzleToTry]:
    """Return puzzles that are unknown to a user, the nearest to `value` first."""
    row = puzzles.c
    query = select(row.id, row.options, row.setup, row.seat, row.value)
    query = query.where(puzzles.c.game == game, puzzles.c.rules == rules)
    query = query.where(row.id.not_in(known(user_id, now=now(connection))))
    harder = query.where(puzzles.c.value >= value).order_by(puzzles.c.value)
    easier = query.where(puzzles.c.value < value).order_by(puzzles.c.value.desc())
    parts = (connection.execute(part.limit(limit)) for part in (harder, easier))
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


async def strength(store: Store, user_id: int, game: str) -> Strength:
    """Return a user's puzzle rating in a game."""
    return (await of_user(store, user_id)).get(game, Strength(NEW, 0))


_OPEN = (
    select(matches.c.id)
    .join_from(puzzle_attempts, matches)
    .where(puzzle_attempts.c.user_id == bindparam("user"), IS_ACTIVE)
    .where(matches.c.game.in_(bindparam("games", expanding=True)))
    .order_by(matches.c.id.desc())
    .limit(1)
)


@reads
def open_of(connection: Connection, user_id: int, games: Collection[str]) -> int | None:
    """Return the match of the user's open puzzle in one of these games, or None."""
    return connection.scalar(_OPEN, {"user": user_id, "games": [*games]})


@reads
def last_game(connection: Connection, user_id: int) -> str | None:
    """Return the game of the user's last puzzle, or None."""
    query = select(puzzles.c.game).join_from(puzzle_attempts, puzzles)
    query = query.where(puzzle_attempts.c.user_id == user_id)
    query = query.order_by(puzzle_attempts.c.match_id.desc()).limit(1)
    return connection.scalar(query)
