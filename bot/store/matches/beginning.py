"""Challenges and their answers, and matches that need no opponent."""

from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import ColumnElement, Connection, bindparam, func, insert, select, update

from bot.domain.errors import Duplicate, MutualChallenge, Refused
from bot.domain.model import Match, NewMatch
from bot.store import puzzles
from bot.store.boards import insert as insert_board
from bot.store.database.changes import BOARDS
from bot.store.database.dialect import lock_users
from bot.store.database.engine import new_id, now, writes
from bot.store.leases import Lease
from bot.store.match_queries import is_held_for, is_untouched
from bot.store.matches import committing
from bot.store.matches.reading import load_on
from bot.store.players import computer_in, levels_of, users_of
from bot.store.quotas import (
    Quotas,
    check_account,
    check_may_propose,
    check_may_show,
    check_may_start,
    check_may_study,
)
from bot.store.schema import matches, seats, users


@writes(BOARDS)
def insert_new(
    connection: Connection,
    new: NewMatch,
    *,
    quotas: Quotas | None = None,
    may_cross: bool = True,
    once: bool = False,
) -> Match:
    """Store a challenge, or start a study, or a match alone or against a computer.

    Raises `Refused`. Raises `MutualChallenge` if the opponent has made the same challenge, unless
    it `may_cross`. Raises `Duplicate` for an untouched duplicate with `once`, and for a puzzle
    that was tried before or while another one is open.
    """
    lock_users(connection, new.challenger, new.opponent)
    if once:
        _check_not_duplicate(connection, new)
    if not may_cross:
        _check_not_mutual(connection, new)
    if new.puzzle is not None:
        puzzles.check_is_new(connection, new.challenger, new.puzzle, game=new.game)
    if not new.seats:
        check_may_propose(connection, new, quotas=quotas)
    elif new.headers is not None and levels_of(new.seats) is None:
        check_may_study(connection, new.challenger)
    else:
        check_may_start(connection, new.challenger, [], quotas=quotas)
    check_may_show(connection, new.challenger, new.place_id, quotas=quotas)
    return _insert(connection, new)


def _check_not_duplicate(connection: Connection, new: NewMatch) -> None:
    """Check for a duplicate: two processes may handle one double press. Raises `Duplicate`."""
    known = (matches.c.id, matches.c.options, matches.c.computers, matches.c.created)
    query = select(*known).where(
        *_is_such(new, "place_id", "preferred_seat", "held_for"),
        matches.c.aside.is_(None),
        matches.c.headers.is_(None) if new.headers is None else matches.c.setup == new.setup,
    )
    if new.seats:
        others = select(func.count()).where(seats.c.match_id == matches.c.id).scalar_subquery()
        seated = len(users_of(new.seats))
        query = query.where(others == seated, is_untouched(new.challenger))
    computer = computer_in(levels_of(new.seats))
    for row in connection.execute(query.order_by(matches.c.id.desc())).all():
        if row.options == dict(new.options) and computer_in(row.computers) == computer:
            raise Duplicate(row.id, row.created)


def _is_such(new: NewMatch, *also: str) -> list[ColumnElement[bool]]:
    fields = ("game", "terms", "status", "challenger", "opponent", *also)
    same = committing.columns_of(new, fields).items()
    # SQLAlchemy compares with None by IS NULL.
    return [matches.c[column] == value for column, value in same]


def _check_not_mutual(connection: Connection, new: NewMatch) -> None:
    assert new.opponent is not None
    theirs = replace(new, challenger=new.opponent, opponent=new.challenger)
    query = select(matches.c.id, matches.c.options).where(*_is_such(theirs))
    for row in connection.execute(query.order_by(matches.c.id)).all():
        if row.options == dict(new.options):
            raise MutualChallenge(row.id)


_INSERT, _SEAT = insert(matches), insert(seats)
_NOT_IDLE = (
    update(users)
    .where(users.c.id.in_(bindparam("users", expanding=True)), users.c.idle_since.is_not(None))
    .values(idle_since=None)
)
"""Built once, since building takes longer than executing."""


def _insert(connection: Connection, new: NewMatch) -> Match:
    at, people = now(connection), users_of(new.seats)
    work_after = None if new.turn <= people.keys() else at
    row = dict(
        **committing.columns_of(new, committing.NEW),
        **committing.new_wait(is_still=bool(new.seats), work_after=work_after, now=at),
        version=1,
        computers=levels_of(new.seats),
        work_after=work_after,
        created=at,
        updated=at,
        news=1,
        news_by=new.challenger,
    )
    match_id = new_id(connection.execute(_INSERT, row))
    if new.puzzle is not None:
        puzzles.begin(connection, new.challenger, new.puzzle, match_id)
    if people:
        _seat(connection, match_id, people)
    insert_board(connection, match_id, new.place_id)
    return load_on(connection, [match_id])[match_id]


@committing.writes_match
def begin(
    connection: Connection,
    match: Match,
    after: Match,
    *,
    lease: Lease | None = None,
    quotas: Quotas | None = None,
) -> Match:
    """Start the match of a challenge; return it with holidays. Raises `Refused` or `StaleBoard`."""
    people = users_of(after.seats)
    (accepting,) = set(people.values()) - {match.challenger}
    lock_users(connection, *people.values())
    check_may_start(connection, accepting, [match.challenger], quotas=quotas)
    _check_is_addressee(connection, match, accepting)
    after = committing.with_holidays(connection, after)
    waits = committing.waits_of(match, after, now=now(connection))
    committing.change(connection, match, after, lease, **waits)
    _seat(connection, match.id, people)
    return after


def _check_is_addressee(connection: Connection, match: Match, user_id: int) -> None:
    if match.held_for and not is_held_for(connection, match.id, user_id):
        raise Refused("challenge-for-other")


def _seat(connection: Connection, match_id: int, people: Mapping[int, int]) -> None:
    rows = [{"match_id": match_id, "seat": seat, "user_id": one} for seat, one in people.items()]
    connection.execute(_SEAT, rows)
    connection.execute(_NOT_IDLE, {"users": [*people.values()]})


@committing.writes_match
def end_challenge(
    connection: Connection, match: Match, after: Match, *, lease: Lease | None = None
) -> None:
    """End a challenge. Raises `StaleBoard`, or `Refused` if it is not for its new opponent."""
    if after.opponent is not None and after.opponent != match.opponent:
        check_account(connection, after.opponent)
        _check_is_addressee(connection, match, after.opponent)
    committing.change(connection, match, after, lease)
