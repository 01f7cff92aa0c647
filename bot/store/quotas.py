"""Limits on what users may do, checked in the transaction that writes."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    case,
    exists,
    func,
    insert,
    or_,
    select,
)

from bot.domain.errors import Refused
from bot.domain.model import NewMatch, PlaceKind, Quotas, Status
from bot.store.dialect import Whole, hold_people
from bot.store.schema import (
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
from bot.store.times import Number, is_ahead, lately
from bot.support.platforms import WEB

HOUR = 3600
DAY = 24 * HOUR

_WAITING = (Status.PROPOSED.value,)
_UNANSWERED = (*_WAITING, Status.WITHDRAWN.value, Status.EXPIRED.value)
_UNPLAYED = (*_UNANSWERED, Status.DECLINED.value)

_IS_ROOM = and_(places.c.platform == WEB.name, places.c.kind == PlaceKind.CHANNEL.value)

_CHALLENGER = bindparam("challenger", type_=Whole)
_OPPONENT = bindparam("opponent", type_=Whole)
_NOW = bindparam("now", type_=Whole)


def has_account(connection: Connection, user_id: int) -> bool:
    """Return whether the account exists. It cannot be deleted during a transaction that writes."""
    query = select(exists().where(identities.c.user_id == user_id))
    return bool(connection.execute(query).scalar_one())


def is_still_here(connection: Connection, user_id: int, *, code: str = "forgotten") -> None:
    """Check that the account exists. Raises `Refused` with the `code`."""
    if not has_account(connection, user_id):
        raise Refused(code)


def may_propose(connection: Connection, new: NewMatch, *, quotas: Quotas | None) -> None:
    """Check that a challenge may be made. Raises `Refused`."""
    is_still_here(connection, new.challenger)
    if new.opponent is not None:
        is_still_here(connection, new.opponent, code="person-gone")
        _none_blocked(connection, new.challenger, [new.opponent])
    if quotas is None:
        return
    query, given = _waiting(), {"challenger": new.challenger}
    if new.opponent is not None:
        query, given = _waiting_and_asked(), {**given, "opponent": new.opponent, "now": quotas.now}
    waiting, *others = connection.execute(query, given).one()
    if waiting >= quotas.open_challenges:
        raise Refused("too-many-challenges", count=waiting)
    if others:
        from_one, from_all, name = others
        if from_one >= quotas.challenges_from_one:
            left = _seconds_left(connection, given, quotas)
            minutes = max(1, -(-left // 60))
            # Rounded up, so that a retry is not too early. 0 hours: less than one.
            hours = -(-minutes // 60) if minutes >= 60 else 0
            raise Refused(
                "challenged-enough", name=name, count=from_one, hours=hours, minutes=minutes
            )
        if from_all >= quotas.challenges_from_all and not _have_met(connection, given):
            # The same text as for a block, so that it does not reveal one.
            raise Refused("takes-no-challenges", name=name)


@cache
def _waiting() -> Select[Any]:
    return select(
        _count(matches.c.challenger_id == _CHALLENGER, matches.c.status.in_(_WAITING)),
    )


@cache
def _waiting_and_asked() -> Select[Any]:
    """Challenges by blocked users do not count, or they would keep others away."""
    is_blocked = exists().where(
        blocks.c.blocker_id == _OPPONENT, blocks.c.blocked_id == matches.c.challenger_id
    )
    return _waiting().add_columns(
        _in_vain(),
        _count(
            matches.c.opponent_id == _OPPONENT,
            lately(matches.c.created, DAY, now=_NOW),
            matches.c.status.in_(_UNANSWERED),
            ~is_blocked,
        ),
        select(users.c.name).where(users.c.id == _OPPONENT).scalar_subquery(),
    )


def _have_met(connection: Connection, given: Mapping[str, int]) -> bool:
    """Users who have played each other are exempt from the limit for all."""
    mine, theirs = seats.alias("mine"), seats.alias("theirs")
    together = exists().where(
        mine.c.user_id == _CHALLENGER,
        theirs.c.match_id == mine.c.match_id,
        theirs.c.user_id == _OPPONENT,
    )
    found = connection.execute(select(together), given)
    return bool(found.scalar_one())


def _seconds_left(connection: Connection, given: Mapping[str, int], quotas: Quotas) -> int:
    asked, before = _asked_in_vain()
    query = asked.union_all(before)
    when: list[int] = sorted(row.at for row in connection.execute(query, given))
    if not 0 < quotas.challenges_from_one <= len(when):
        return DAY
    return when[len(when) - quotas.challenges_from_one] + DAY - quotas.now


def _asked_in_vain() -> tuple[Select[int, int], Select[int, int]]:
    asked = in_vain(_CHALLENGER, now=_NOW).where(matches.c.opponent_id == _OPPONENT)
    before = in_vain_before(_CHALLENGER, now=_NOW)
    return asked, before.where(erased_challenges.c.opponent_id == _OPPONENT)


def _in_vain() -> ColumnElement[int]:
    counts = (select(func.count()).select_from(one.subquery()) for one in _asked_in_vain())
    first, second = (count.scalar_subquery() for count in counts)
    return first + second


def in_vain(challenger: Number, *, now: Number) -> Select[int, int]:
    """Return a query for a user's unaccepted challenges: `opponent_id` and `at`.

    Those of the last day, and since the two last played or the opponent last made a challenge. A
    declined challenge counts, or it could be repeated without limit.
    """
    return select(matches.c.opponent_id, matches.c.created.label("at")).where(
        matches.c.challenger_id == challenger,
        exists().where(identities.c.user_id == matches.c.opponent_id),
        matches.c.status.in_(_UNPLAYED),
        lately(matches.c.created, DAY, now=now),
        *(matches.c.created > when for when in _agreed(challenger, matches.c.opponent_id, now=now)),
    )


def in_vain_before(challenger: Number, *, now: Number) -> Select[int, int]:
    """Do the same for challenges before an account deletion (`bot.store.traces`)."""
    return select(erased_challenges.c.opponent_id, erased_challenges.c.at).where(
        erased_challenges.c.challenger_id == challenger,
        lately(erased_challenges.c.at, DAY, now=now),
        *(
            erased_challenges.c.at > when
            for when in _agreed(challenger, erased_challenges.c.opponent_id, now=now)
        ),
    )


def _agreed(
    user_id: Number, other: ColumnElement[int], *, now: Number
) -> tuple[ColumnElement[int], ...]:
    """Return when the two last played, and when the other user last made a challenge, or 0."""
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
    return last_played.scalar_subquery(), last_asked.scalar_subquery()


def _count(*where: ColumnElement[bool]) -> ScalarSelect[Any]:
    return select(func.count()).select_from(matches).where(*where).scalar_subquery()


def may_begin(
    connection: Connection, beginner: int, others: Sequence[int], *, quotas: Quotas | None
) -> None:
    """Check that `beginner` may start a match with `others`. Raises `Refused`."""
    is_still_here(connection, beginner)
    if others:
        _none_blocked(connection, beginner, others)
    if quotas is None:
        return
    running = func.count().label("running")
    query = (
        select(users.c.id, users.c.name, running)
        .join_from(seats, users, users.c.id == seats.c.user_id)
        .join(matches, matches.c.id == seats.c.match_id)
        .where(
            seats.c.user_id.in_([beginner, *others]),
            matches.c.status == Status.RUNNING.value,
            matches.c.aside.is_(None),
        )
        .group_by(users.c.id, users.c.name)
        .having(running >= quotas.running_matches)
    )
    for found in connection.execute(query).all():
        if found.id == beginner:
            raise Refused("too-many-matches", count=found.running)
        raise Refused("too-many-matches-theirs", name=found.name)


def _none_blocked(connection: Connection, user_id: int, others: Sequence[int]) -> None:
    query = (
        select(blocks.c.blocker_id, users.c.name)
        .join(users, users.c.id.in_([blocks.c.blocker_id, blocks.c.blocked_id]))
        .where(
            users.c.id != user_id,
            or_(
                and_(blocks.c.blocker_id == user_id, blocks.c.blocked_id.in_(others)),
                and_(blocks.c.blocker_id.in_(others), blocks.c.blocked_id == user_id),
            ),
        )
    )
    found = connection.execute(query).all()
    for row in found:
        if row.blocker_id == user_id:
            raise Refused("you-have-blocked", name=row.name)
    if found:
        raise Refused("takes-no-challenges", name=found[0].name)


def may_show(connection: Connection, user_id: int, place_id: int, *, quotas: Quotas | None) -> None:
    """Check that a user may add a board to a place. Raises `Refused`."""
    if quotas is not None and _is_room(connection, place_id):
        may_say(connection, user_id, now=quotas.now, per_hour=quotas.lines)


def bring(connection: Connection, user_id: int, place_id: int, *, quotas: Quotas | None) -> None:
    """Count a board that a user moves to the bottom of a room. Raises `Refused`."""
    if quotas is None or not user_id or not _is_room(connection, place_id):
        return
    hold_people(connection, user_id)
    may_say(connection, user_id, now=quotas.now, per_hour=quotas.lines)
    connection.execute(insert(showings).values(user_id=user_id, at=quotas.now))


def _is_room(connection: Connection, place_id: int) -> bool:
    found = connection.execute(select(exists().where(places.c.id == place_id, _IS_ROOM)))
    return bool(found.scalar_one())


def may_say(connection: Connection, author_id: int, *, now: int, per_hour: int) -> None:
    """Check that a user may write, start or move something in a room. Raises `Refused`."""
    is_still_here(connection, author_id)
    said = select(messages.c.at).where(
        messages.c.author_id == author_id, lately(messages.c.at, HOUR, now=now)
    )
    begun = (
        select(matches.c.created.label("at"))
        .join(places)
        .where(
            matches.c.challenger_id == author_id,
            lately(matches.c.created, HOUR, now=now),
            _IS_ROOM,
        )
    )
    shown = select(showings.c.at).where(
        showings.c.user_id == author_id, lately(showings.c.at, HOUR, now=now)
    )
    every = said.union_all(begun, shown).subquery()
    query = select(every.c.at).order_by(every.c.at.desc()).offset(per_hour - 1).limit(1)
    first = connection.execute(query).scalar_one_or_none()
    if first is not None:
        minutes = -(-(first + HOUR - now) // 60)
        raise Refused("too-many-lines", count=per_hour, minutes=minutes)
