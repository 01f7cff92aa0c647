"""Matches, seats, moves and boards: written together, so that they never disagree."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Integer,
    Select,
    Update,
    and_,
    bindparam,
    exists,
    false,
    func,
    insert,
    literal,
    not_,
    or_,
    select,
    union,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import StaleBoard
from bot.model import Ending, EndingKind, Limits, Match, NewMatch, Ply, Status
from bot.store import quotas
from bot.store.boards import BEHIND, Effect, make_stale
from bot.store.boards import insert_first as first_board
from bot.store.engine import AnyRow, Store, new_id
from bot.store.schema import boards, identities, matches, moves, results, seats, users
from games import Outcome

__all__ = [
    "Ended",
    "Going",
    "Result",
    "awaited",
    "begin",
    "begin_alone",
    "by_code",
    "challenges_to",
    "close",
    "expired",
    "give_up",
    "in_place",
    "load",
    "next_expiry",
    "open_to_all",
    "playing",
    "propose",
    "put_aside",
    "record",
    "take_up",
    "unanswered",
    "unsettled",
    "untouched",
    "waiting",
]

_IS_OPEN = and_(matches.c.status == Status.PROPOSED.value, matches.c.aside.is_(None))
"""A challenge that waits for an answer, of a game that there is."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a finished match counts for one seat."""

    seat: int
    user_id: int
    solo: bool
    half_points: int
    score: int


@dataclass(frozen=True, slots=True)
class Ended:
    """How a running match, as it was read, ends without a move; and what that counts."""

    match: Match
    ending: Ending
    outcome: Outcome | None
    counted: Sequence[Result]


@dataclass(frozen=True, slots=True)
class Going:
    """What somebody who goes for good leaves: their running matches, and how these end.

    Those that nobody can replay stay.
    """

    running: frozenset[int] = frozenset()
    ended: Sequence[Ended] = ()


def _match(row: AnyRow, users: Sequence[int], plies: Sequence[Ply]) -> Match:
    outcome = row.outcome
    return Match(
        id=row.id,
        code=row.code,
        game=row.game,
        rules=row.rules,
        options=row.options,
        setup=row.setup,
        status=Status(row.status),
        version=row.version,
        place_id=row.place_id,
        challenger=row.challenger_id,
        opponent=row.opponent_id,
        preferred_seat=row.preferred_seat,
        expires=row.expires,
        outcome=outcome
        and Outcome(
            winners=frozenset(outcome["winners"]),
            reason=outcome["reason"],
            scores=tuple(outcome["scores"]),
        ),
        seats=tuple(users),
        plies=tuple(plies),
        ending=Ending(EndingKind(row.ending), row.ended_by) if row.ending else None,
        is_aside=row.aside is not None,
        news=row.news,
        news_by=row.news_by,
    )


async def _load(connection: AsyncConnection, match_id: int) -> Match | None:
    row = (await connection.execute(select(matches).where(matches.c.id == match_id))).one_or_none()
    if row is None:
        return None
    if row.status == Status.PROPOSED.value:
        return _match(row, (), ())
    query = select(seats.c.user_id).where(seats.c.match_id == match_id).order_by(seats.c.seat)
    users = (await connection.execute(query)).scalars().all()
    played = select(moves.c.seat, moves.c.notation, moves.c.at)
    played = played.where(moves.c.match_id == match_id).order_by(moves.c.ply)
    plies = [Ply(*found) for found in await connection.execute(played)]
    return _match(row, users, plies)


async def load(store: Store, match_id: int) -> Match | None:
    """The match with this id, whole, or None."""
    async with store.snapshot() as connection:
        return await _load(connection, match_id)


async def by_code(store: Store, code: str) -> int | None:
    """The id of the match with this code, or None."""
    async with store.read() as connection:
        query = select(matches.c.id).where(matches.c.code == code)
        return (await connection.execute(query)).scalar_one_or_none()


async def propose(store: Store, new: NewMatch, *, limits: Limits | None = None) -> Match:
    """Store a challenge, and its board in the place where it was made.

    Raises `Refused` where one has blocked the other, or `limits` are reached.
    """
    async with store.write() as connection:
        await quotas.may_propose(connection, new, limits=limits)
        match_id = await _insert(connection, new, Status.PROPOSED, now=store.now())
        await first_board(connection, match_id, new.place_id)
        match = await _load(connection, match_id)
    assert match is not None
    return match


async def begin_alone(
    store: Store,
    new: NewMatch,
    *,
    setup: str,
    turn: frozenset[int],
    limits: Limits | None = None,
) -> Match:
    """Store a match of one seat that runs at once, and its board. Raises `Refused` (`limits`)."""
    async with store.write() as connection:
        await quotas.may_begin(connection, new.challenger, [], limits=limits)
        match_id = await _insert(
            connection, new, Status.RUNNING, now=store.now(), setup=setup, turn=turn
        )
        await _seat(connection, match_id, [new.challenger])
        await first_board(connection, match_id, new.place_id)
        match = await _load(connection, match_id)
    assert match is not None
    return match


async def _insert(
    connection: AsyncConnection,
    new: NewMatch,
    status: Status,
    *,
    now: int,
    setup: str = "",
    turn: frozenset[int] = frozenset(),
) -> int:
    made = await connection.execute(
        insert(matches).values(
            code=new.code,
            game=new.game,
            rules=new.rules,
            options=dict(new.options),
            setup=setup,
            status=status.value,
            version=1,
            turn=_bits(turn),
            place_id=new.place_id,
            challenger_id=new.challenger,
            opponent_id=new.opponent,
            preferred_seat=new.preferred_seat,
            expires=new.expires,
            created=now,
            updated=now,
            news=1,
            news_by=new.challenger,
        )
    )
    return new_id(made)


def _bits(turn: frozenset[int]) -> int:
    return sum(1 << seat for seat in turn)


async def _seat(connection: AsyncConnection, match_id: int, user_ids: Sequence[int]) -> None:
    await connection.execute(
        insert(seats),
        [
            {"match_id": match_id, "seat": seat, "user_id": user_id}
            for seat, user_id in enumerate(user_ids)
        ],
    )
    # Whoever has played is never forgotten for being away.
    await connection.execute(
        update(users)
        .where(users.c.id.in_(user_ids), users.c.idle_since.is_not(None))
        .values(idle_since=None)
    )


async def begin(
    store: Store,
    match: Match,
    *,
    setup: str,
    users: Sequence[int],
    turn: frozenset[int],
    effect: Effect,
    limits: Limits | None = None,
) -> bool:
    """Turn a challenge into a running match of `match.rules`; False when it has changed.

    Raises `Refused` where one has blocked the other, or `limits` are reached.
    """
    async with store.write() as connection:
        (accepting,) = set(users) - {match.challenger}
        await quotas.may_begin(connection, accepting, [match.challenger], limits=limits)
        values = {
            "status": Status.RUNNING.value,
            "rules": match.rules,
            "setup": setup,
            "expires": None,
            "turn": _bits(turn),
        }
        if not await _bump(connection, match, values, now=store.now(), effect=effect):
            return False
        await _seat(connection, match.id, users)
    return True


async def close(store: Store, match: Match, status: Status, *, effect: Effect) -> bool:
    """End a challenge that nobody plays; False when it has changed meanwhile."""
    async with store.write() as connection:
        values = {"status": status.value, "expires": None}
        return await _bump(connection, match, values, now=store.now(), effect=effect)


async def record(
    store: Store,
    match: Match,
    *,
    plies: Sequence[Ply],
    turn: frozenset[int],
    outcome: Outcome | None,
    counted: Iterable[Result],
    effect: Effect,
    ending: Ending | None = None,
) -> bool:
    """Commit moves (or an ending without one): moves, version, turn, results, stale boards.

    One transaction; False, and nothing written, when the match is no longer at `match.version`.
    """
    async with store.write() as connection:
        return await _record(
            connection,
            match,
            plies=plies,
            turn=turn,
            outcome=outcome,
            counted=counted,
            ending=ending,
            now=store.now(),
            effect=effect,
        )


async def give_up(connection: AsyncConnection, user_id: int, going: Going, *, now: int) -> None:
    """End the matches of somebody who goes, as a step of a transaction.

    Raises `StaleBoard` where one has changed, or begun, since they were read.
    """
    query = select(seats.c.match_id).join(matches, matches.c.id == seats.c.match_id)
    query = query.where(seats.c.user_id == user_id, matches.c.status == Status.RUNNING.value)
    for match_id in (await connection.execute(query)).scalars():
        if match_id not in going.running:
            raise StaleBoard(match_id)
    for ended in going.ended:
        if not await _record(
            connection,
            ended.match,
            plies=(),
            turn=frozenset(),
            outcome=ended.outcome,
            counted=ended.counted,
            ending=ended.ending,
            now=now,
            effect=Effect(is_news=True, by=user_id),
        ):
            raise StaleBoard(ended.match.id)


async def _record(
    connection: AsyncConnection,
    match: Match,
    *,
    plies: Sequence[Ply],
    turn: frozenset[int],
    outcome: Outcome | None,
    counted: Iterable[Result],
    ending: Ending | None,
    now: int,
    effect: Effect,
) -> bool:
    values: dict[str, Any] = {"turn": _bits(turn)}
    if ending is not None:
        values["status"] = Status.OVER.value
        values["ending"] = ending.kind.value
        values["ended_by"] = ending.by
    if outcome is not None:
        values["outcome"] = {
            "winners": sorted(outcome.winners),
            "reason": outcome.reason,
            "scores": list(outcome.scores),
        }
    if not await _bump(connection, match, values, now=now, effect=effect):
        return False
    if plies:
        first = len(match.plies)
        await connection.execute(
            insert(moves),
            [
                {
                    "match_id": match.id,
                    "ply": first + index,
                    "seat": ply.seat,
                    "notation": ply.notation,
                    "at": ply.at,
                }
                for index, ply in enumerate(plies)
            ],
        )
    counted = list(counted)
    if counted:
        await connection.execute(
            insert(results),
            [
                {
                    "match_id": match.id,
                    "seat": result.seat,
                    "user_id": result.user_id,
                    "game": match.game,
                    "place_id": match.place_id,
                    "solo": result.solo,
                    "half_points": result.half_points,
                    "score": result.score,
                    "at": now,
                }
                for result in counted
            ],
        )
    return True


_IS_AS_READ = and_(matches.c.id == bindparam("match"), matches.c.version == bindparam("read"))


@cache
def _raise(columns: frozenset[str]) -> Update:
    """The statement that raises a match's version and changes these columns."""
    changed = {"version", "updated", *columns}
    return update(matches).where(_IS_AS_READ).values({name: bindparam(name) for name in changed})


async def _bump(
    connection: AsyncConnection,
    match: Match,
    values: Mapping[str, Any],
    *,
    now: int,
    effect: Effect,
) -> bool:
    """Raise the version if the match is still the one that was read, and make its boards stale."""
    reached = match.version + 1
    if effect.is_news:
        values = {**values, "news": reached, "news_by": effect.by}
    done = await connection.execute(
        _raise(frozenset(values)),
        {
            "match": match.id,
            "read": match.version,
            "version": reached,
            "updated": now,
            **values,
        },
    )
    if done.rowcount != 1:
        return False
    await make_stale(connection, match.id, reached=reached, effect=effect)
    return True


_MAY_ACT = matches.c.turn.bitwise_and(literal(1).bitwise_lshift(seats.c.seat)) != 0


@cache
def _waiting(
    *, proposed: bool, game: bool, place: bool, on_turn: bool
) -> Select[int] | CompoundSelect[int]:
    """The query of `waiting`, in one of its shapes: built once, for it is asked at every move.

    It sets out from the person, who has few matches, not from the many that are running.
    """
    user = bindparam("user", type_=Integer)
    wanted = matches.c.status.in_(bindparam("wanted", expanding=True))
    ways = [
        select(matches.c.id)
        .join_from(seats, matches, matches.c.id == seats.c.match_id)
        .where(seats.c.user_id == user, wanted)
    ]
    if on_turn:
        ways = [way.where(_MAY_ACT) for way in ways]
    if proposed:
        asked = or_(matches.c.challenger_id == user, matches.c.opponent_id == user)
        is_open = matches.c.status == Status.PROPOSED.value
        ways.append(select(matches.c.id).where(is_open, asked))
    if game:
        ways = [way.where(matches.c.game == bindparam("game")) for way in ways]
    if place:
        here = and_(boards.c.match_id == matches.c.id, boards.c.place_id == bindparam("place"))
        is_here = or_(matches.c.place_id == bindparam("place"), exists().where(here))
        ways = [way.where(is_here) for way in ways]
    query = union(*ways) if proposed else ways[0]
    return query.order_by(query.selected_columns.id.desc())


async def waiting(
    store: Store,
    user_id: int,
    *,
    game: str | None = None,
    place_id: int | None = None,
    status: Iterable[Status] = (Status.RUNNING,),
    on_turn: bool = False,
) -> list[int]:
    """Ids of a user's matches, newest first: seated in them, or challenger or challenged.

    Only those where it is their turn, if `on_turn`. A match belongs to a place where it was
    made or where one of its boards is.
    """
    wanted = [state.value for state in status]
    query = _waiting(
        proposed=Status.PROPOSED in wanted,
        game=game is not None,
        place=place_id is not None,
        on_turn=on_turn,
    )
    asked = {"user": user_id, "wanted": wanted, "game": game, "place": place_id}
    async with store.read() as connection:
        return list((await connection.execute(query, asked)).scalars())


async def playing(store: Store, platform: str, externals: Iterable[str]) -> dict[str, list[int]]:
    """Ids of the running matches of people, by their identities on a platform."""
    query = (
        select(identities.c.external, seats.c.match_id)
        .join_from(identities, seats, seats.c.user_id == identities.c.user_id)
        .join(matches, matches.c.id == seats.c.match_id)
        .where(
            identities.c.platform == platform,
            identities.c.external.in_(list(externals)),
            matches.c.status == Status.RUNNING.value,
        )
    )
    found: dict[str, list[int]] = {}
    async with store.read() as connection:
        for external, match_id in await connection.execute(query):
            found.setdefault(external, []).append(match_id)
    return found


async def in_place(
    store: Store, place_id: int, *, status: Iterable[Status], game: str | None = None
) -> list[int]:
    """Ids of the matches made in a place, newest first."""
    query = select(matches.c.id).where(
        matches.c.place_id == place_id,
        matches.c.status.in_([state.value for state in status]),
    )
    if game is not None:
        query = query.where(matches.c.game == game)
    async with store.read() as connection:
        return list((await connection.execute(query.order_by(matches.c.id.desc()))).scalars())


async def _newest(store: Store, *where: ColumnElement[bool]) -> list[int]:
    query = select(matches.c.id).where(*where).order_by(matches.c.id.desc())
    async with store.read() as connection:
        return list((await connection.execute(query)).scalars())


async def unanswered(
    store: Store, place_id: int, *, game: str, challenger: int, opponent: int | None
) -> list[int]:
    """Ids of the challenges made in a place by one person to another (None: to anybody)."""
    return await _newest(
        store,
        _IS_OPEN,
        matches.c.challenger_id == challenger,
        matches.c.opponent_id.is_not_distinct_from(opponent),
        matches.c.place_id == place_id,
        matches.c.game == game,
    )


async def challenges_to(store: Store, user_id: int) -> list[int]:
    """Ids of the challenges that wait for this person's answer, newest first."""
    return await _newest(store, _IS_OPEN, matches.c.opponent_id == user_id)


async def open_to_all(store: Store, place_id: int, *, but: int) -> list[int]:
    """Ids of the challenges to anybody that others than `but` made in a place, newest first."""
    return await _newest(
        store,
        _IS_OPEN,
        matches.c.place_id == place_id,
        matches.c.opponent_id.is_(None),
        matches.c.challenger_id != but,
    )


async def untouched(store: Store, user_id: int, place_id: int, *, game: str) -> list[int]:
    """Ids of the matches that a person began in a place, and where nothing has happened yet."""
    return await _newest(
        store,
        matches.c.status == Status.RUNNING.value,
        matches.c.challenger_id == user_id,
        matches.c.place_id == place_id,
        matches.c.game == game,
        matches.c.version == 1,
    )


async def awaited(store: Store, user_id: int) -> dict[int, int]:
    """Where it is a user's turn: place id -> number of running matches."""
    query = (
        select(matches.c.place_id, func.count().label("waiting"))
        .join(seats, seats.c.match_id == matches.c.id)
        .where(
            seats.c.user_id == user_id,
            _MAY_ACT,
            matches.c.status == Status.RUNNING.value,
            matches.c.aside.is_(None),
        )
        .group_by(matches.c.place_id)
    )
    async with store.read() as connection:
        return {row.place_id: row.waiting for row in await connection.execute(query)}


async def expired(store: Store, now: int) -> list[int]:
    """Challenges whose time is up."""
    query = select(matches.c.id).where(_IS_OPEN, matches.c.expires <= now)
    async with store.read() as connection:
        return list((await connection.execute(query)).scalars())


async def next_expiry(store: Store) -> int | None:
    """When the next challenge expires, or None."""
    query = select(func.min(matches.c.expires)).where(_IS_OPEN)
    async with store.read() as connection:
        expiry: int | None = (await connection.execute(query)).scalar_one()
    return expiry


# --- matches that cannot be read ------------------------------------------------------------


async def put_aside(store: Store, match_id: int) -> bool:
    """Note that a match cannot be replayed; is that news?

    Its boards stay as they are: nobody can say what they ought to show.
    """
    async with store.write() as connection:
        noted = await connection.execute(
            update(matches)
            .where(matches.c.id == match_id, matches.c.aside.is_(None))
            .values(aside=store.now())
        )
        await connection.execute(
            update(boards)
            .where(boards.c.match_id == match_id, BEHIND)
            .values(shown=boards.c.wanted, notified=boards.c.news, former=None)
        )
    return noted.rowcount == 1


async def take_up(store: Store, match_id: int) -> None:
    """A match can be replayed again: its boards are shown anew."""
    async with store.write() as connection:
        await connection.execute(update(matches).where(matches.c.id == match_id).values(aside=None))
        await connection.execute(
            update(boards).where(boards.c.match_id == match_id).values(shown=-1)
        )


async def unsettled(store: Store, rules: Mapping[str, int]) -> list[int]:
    """Ids of matches that are on, or offered, and were put aside, or are not of these rules."""
    current = [
        and_(matches.c.game == game, matches.c.rules == number) for game, number in rules.items()
    ]
    is_running = matches.c.status == Status.RUNNING.value
    query = select(matches.c.id).where(
        matches.c.status.in_([Status.RUNNING.value, Status.PROPOSED.value]),
        or_(matches.c.aside.is_not(None), and_(is_running, not_(or_(false(), *current)))),
    )
    async with store.read() as connection:
        return list((await connection.execute(query.order_by(matches.c.id))).scalars())
