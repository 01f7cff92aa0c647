"""Limits on what users may do, checked in the transaction that writes."""

from dataclasses import dataclass
from functools import cache

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    CompoundSelect,
    Connection,
    Select,
    and_,
    bindparam,
    case,
    exists,
    func,
    insert,
    or_,
    select,
    true,
)

from bot.domain.errors import Refused
from bot.domain.model import NewMatch, PlaceKind, Status
from bot.store.database.dialect import Whole, lock_users
from bot.store.database.engine import now
from bot.store.schema import (
    IS_ACTIVE,
    IS_STUDY,
    blocks,
    erased_challenges,
    identities,
    matches,
    messages,
    places,
    seats,
    showings,
    users,
)
from bot.store.times import Number, is_ahead, is_recent
from bot.support.platforms import WEB

MOST_STUDIES = 20
"""Open studies of a user."""
HOUR = 3600
DAY = 24 * HOUR

_UNANSWERED = (Status.PROPOSED.value, Status.WITHDRAWN.value, Status.EXPIRED.value)
_UNPLAYED = (*_UNANSWERED, Status.DECLINED.value)

_ROOMS = select(places.c.id).where(
    places.c.platform == WEB, places.c.kind == PlaceKind.CHANNEL.value
)

_IS_ROOM = _ROOMS.where(places.c.id == bindparam("place"))
_USER: BindParameter[int] = bindparam("user")
_OTHER: BindParameter[int] = bindparam("other")
_NOW: BindParameter[int] = bindparam("now", type_=Whole)
_HAS_ACCOUNT = select(exists().where(identities.c.user_id == _USER))
_RUNNING = func.count().label("running")
_PLAY_ENOUGH = (
    select(users.c.id, users.c.name, _RUNNING)
    .join_from(seats, users, users.c.id == seats.c.user_id)
    .join(matches, matches.c.id == seats.c.match_id)
    .where(seats.c.user_id.in_(bindparam("users", expanding=True)), IS_ACTIVE, ~IS_STUDY)
    .group_by(users.c.id, users.c.name)
    .having(bindparam("most") <= _RUNNING)
)
"""Built once, since building takes longer than executing."""


@dataclass(frozen=True, slots=True)
class Quotas:
    """Limits per user."""

    open_challenges: int
    challenges_from_one: int
    """Unsuccessful challenges to one user in a day."""
    challenges_from_all: int
    """Unanswered challenges to one user in a day."""
    running_matches: int
    lines: int
    """Messages in web rooms in an hour, including new boards."""


def has_account(connection: Connection, user_id: int) -> bool:
    """Return whether the account exists. It cannot be deleted during a transaction that writes."""
    return bool(connection.execute(_HAS_ACCOUNT, {"user": user_id}).scalar_one())


def check_account(connection: Connection, user_id: int, *, code: str = "forgotten") -> None:
    """Check that the account exists. Raises `Refused` with the `code`."""
    if not has_account(connection, user_id):
        raise Refused(code)


def check_may_propose(connection: Connection, new: NewMatch, *, quotas: Quotas | None) -> None:
    """Check that a challenge may be made. Raises `Refused`."""
    check_account(connection, new.challenger)
    if new.opponent is not None:
        check_account(connection, new.opponent, code="person-gone")
        _check_not_blocked(connection, new.challenger, new.opponent)
    if quotas is None:
        return
    is_waiting = matches.c.status == Status.PROPOSED.value
    waiting = _count(connection, matches.c.challenger_id == new.challenger, is_waiting)
    if waiting >= quotas.open_challenges:
        raise Refused("too-many-challenges", count=waiting)
    if new.opponent is not None:
        _may_ask(connection, new.challenger, new.opponent, quotas)


def _may_ask(connection: Connection, user_id: int, other: int, quotas: Quotas) -> None:
    name, at = select(users.c.name).where(users.c.id == other), now(connection)
    given = {"user": user_id, "other": other, "now": at}
    asked = sorted(connection.scalars(_from_one(), given))
    most = quotas.challenges_from_one
    if len(asked) >= most:
        left = asked[-most] + DAY - at if most > 0 else DAY
        minutes = max(1, -(-left // 60))
        # Rounded up, so that a retry is not too early. 0 hours: less than one.
        hours = -(-minutes // 60) if minutes >= 60 else 0
        about = {"name": connection.execute(name).scalar_one(), "count": len(asked)}
        raise Refused("challenged-enough", **about, hours=hours, minutes=minutes)
    from_all = connection.execute(_from_all(), given).scalar_one()
    if from_all >= quotas.challenges_from_all and not _have_met(connection, user_id, other):
        # The same text as for a block, so that it does not reveal one.
        raise Refused("takes-no-challenges", name=connection.execute(name).scalar_one())


@cache
def _from_one() -> Select[int]:
    past = unaccepted_challenges(_USER, now=_NOW).subquery()
    return select(past.c.at).where(past.c.opponent_id == _OTHER)


@cache
def _from_all() -> Select[int]:
    # Challenges by blocked users do not count, or they would keep others away.
    is_blocked = exists().where(
        blocks.c.blocker_id == _OTHER, blocks.c.blocked_id == matches.c.challenger_id
    )
    return (
        select(func.count())
        .select_from(matches)
        .where(matches.c.opponent_id == _OTHER, is_recent(matches.c.created, DAY, now=_NOW))
        .where(matches.c.status.in_(_UNANSWERED), ~is_blocked)
    )


def _count(connection: Connection, *where: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(matches).where(*where)
    return int(connection.execute(query).scalar_one())


def _have_met(connection: Connection, user_id: int, other: int) -> bool:
    """Users who have played each other are exempt from the limit for all."""
    mine, theirs = seats.alias("mine"), seats.alias("theirs")
    together = exists().where(
        mine.c.user_id == user_id, theirs.c.match_id == mine.c.match_id, theirs.c.user_id == other
    )
    return bool(connection.execute(select(together)).scalar_one())


def unaccepted_challenges(
    challenger: int | BindParameter[int], *, now: Number
) -> CompoundSelect[int, int]:
    """Return a query for a user's unaccepted challenges: `opponent_id` and `at`.

    Those of the last day, and since the two last played or the opponent last made a challenge. A
    declined challenge counts, or it could be repeated without limit. So do those from before an
    account deletion (`bot.store.tombstones`).
    """
    made, erased = matches.c, erased_challenges.c
    asked = select(made.opponent_id, made.created.label("at")).where(
        made.challenger_id == challenger,
        exists().where(identities.c.user_id == made.opponent_id),
        made.status.in_(_UNPLAYED),
        _is_since(made.created, challenger, made.opponent_id, now=now),
    )
    before = select(erased.opponent_id, erased.at).where(
        erased.challenger_id == challenger,
        _is_since(erased.at, challenger, erased.opponent_id, now=now),
    )
    return asked.union_all(before)


def _is_since(
    at: ColumnElement[int],
    user_id: int | BindParameter[int],
    other: ColumnElement[int],
    *,
    now: Number,
) -> ColumnElement[bool]:
    """Return whether the two have not played since, nor the other made a challenge."""
    played, asked = matches.alias("played"), matches.alias("asked")
    mine, theirs = seats.alias("mine"), seats.alias("theirs")
    is_on = played.c.status == Status.RUNNING.value
    when = case((is_on, played.c.created), else_=played.c.updated)
    last_played = (
        select(func.coalesce(func.max(when), 0))
        .select_from(mine)
        .join(theirs, theirs.c.match_id == mine.c.match_id)
        .join(played, played.c.id == mine.c.match_id)
        .where(
            mine.c.user_id == user_id,
            theirs.c.user_id == other,
            or_(is_on, played.c.outcome.is_not(None)),
            ~is_ahead(when, now=now),
        )
    )
    last_asked = select(func.coalesce(func.max(asked.c.created), 0)).where(
        asked.c.challenger_id == other,
        asked.c.opponent_id == user_id,
        ~is_ahead(asked.c.created, now=now),
    )
    return and_(
        is_recent(at, DAY, now=now),
        at > last_played.scalar_subquery(),
        at > last_asked.scalar_subquery(),
    )


def check_may_start(
    connection: Connection, beginner: int, other: int | None = None, *, quotas: Quotas | None
) -> None:
    """Check that `beginner` may start a match, with `other`. Raises `Refused`."""
    check_account(connection, beginner)
    if other is not None:
        _check_not_blocked(connection, beginner, other)
    if quotas is None:
        return
    given = {"users": [beginner, other], "most": quotas.running_matches}
    for found in connection.execute(_PLAY_ENOUGH, given).all():
        if found.id == beginner:
            raise Refused("too-many-matches", count=found.running)
        raise Refused("too-many-matches-theirs", name=found.name)


def check_may_study(connection: Connection, user_id: int) -> None:
    """Check that a user may open another study. Raises `Refused`."""
    check_account(connection, user_id)
    if _count(connection, matches.c.challenger_id == user_id, IS_STUDY, IS_ACTIVE) >= MOST_STUDIES:
        raise Refused("too-many-studies", count=MOST_STUDIES)


def _check_not_blocked(connection: Connection, user_id: int, other: int) -> None:
    both, row = (user_id, other), blocks.c
    query = select(row.blocker_id, users.c.name).join(users, users.c.id == other)
    query = query.where(row.blocker_id.in_(both), row.blocked_id.in_(both))
    for by, name in sorted(connection.execute(query), key=lambda found: found[0] != user_id):
        raise Refused("you-have-blocked" if by == user_id else "takes-no-challenges", name=name)


@cache
def _posted(per_hour: int) -> Select[int]:
    """Return a query for when a user posted so many messages ago, in the last hour."""
    sources = [
        (messages.c.author_id, messages.c.at, true()),
        (matches.c.challenger_id, matches.c.created, matches.c.place_id.in_(_ROOMS)),
        (showings.c.user_id, showings.c.at, true()),
    ]
    said, *more = (
        select(at.label("at")).where(whose == _USER, is_recent(at, HOUR, now=_NOW), which)
        for whose, at, which in sources
    )
    every = said.union_all(*more).subquery()
    return select(every.c.at).order_by(every.c.at.desc()).offset(per_hour - 1).limit(1)


def check_may_show(
    connection: Connection, user_id: int, place_id: int, *, quotas: Quotas | None
) -> None:
    """Check that a user may add a board to a place. Raises `Refused`."""
    if quotas is not None and _is_room(connection, place_id):
        check_may_post(connection, user_id, now=now(connection), per_hour=quotas.lines)


def count_repost(
    connection: Connection, user_id: int, place_id: int, *, quotas: Quotas | None
) -> None:
    """Count a board that a user moves to the bottom of a room. Raises `Refused`."""
    if quotas is None or not user_id or not _is_room(connection, place_id):
        return
    lock_users(connection, user_id)
    check_may_post(connection, user_id, now=now(connection), per_hour=quotas.lines)
    connection.execute(insert(showings).values(user_id=user_id, at=now(connection)))


def _is_room(connection: Connection, place_id: int) -> bool:
    return connection.execute(_IS_ROOM, {"place": place_id}).first() is not None


def check_may_post(connection: Connection, author_id: int, *, now: int, per_hour: int) -> None:
    """Check that a user may write, start or move something in a room. Raises `Refused`."""
    check_account(connection, author_id)
    first = connection.scalar(_posted(per_hour), {"user": author_id, "now": now})
    if first is not None:
        minutes = -(-(first + HOUR - now) // 60)
        raise Refused("too-many-lines", count=per_hour, minutes=minutes)
