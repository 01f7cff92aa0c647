"""Challenges, and what becomes of them; matches that wait for nobody."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clocks import Running
from bot.errors import Crossed, Doubled, Refused
from bot.model import Match, NewMatch, Quotas, Status
from bot.store import puzzles, usernames
from bot.store.boards import Effect
from bot.store.boards import insert_first as first_board
from bot.store.changes import BOARDS, of_match
from bot.store.dialect import hold_people
from bot.store.engine import Store, new_id
from bot.store.match_queries import is_untouched
from bot.store.matches.away import holidays_of, with_holidays
from bot.store.matches.committing import bits, bump, stored_terms, times
from bot.store.matches.reading import load_on
from bot.store.quotas import is_still_here, may_begin, may_propose, may_show
from bot.store.schema import matches, seats, users
from bot.store.sitters import computer_in, levels_of, users_of

__all__ = ["begin", "begin_at_once", "end_challenge", "propose"]


async def propose(
    store: Store,
    new: NewMatch,
    *,
    quotas: Quotas | None = None,
    may_cross: Collection[int] | None = None,
    once: bool = False,
) -> Match:
    """Store a challenge, and its board in the place where it was made.

    Raises `Refused` where one has blocked the other, or `quotas` are reached; `Crossed` where the
    opponent asks for the same, by a challenge that this one may not cross (None: it may cross any);
    `Doubled` where it was asked for in the same words and place already, and is to be but `once`.
    """
    async with store.write(BOARDS) as connection:
        # What they have asked each other for, and how often, is counted for the two.
        await hold_people(connection, new.challenger, new.opponent)
        await _is_only_one(connection, new, once=once)
        if may_cross is not None:
            await _none_crosses(connection, new, but=may_cross)
        await may_propose(connection, new, quotas=quotas)
        await may_show(connection, new.challenger, new.place_id, quotas=quotas)
        match_id = await _insert(connection, new, Status.PROPOSED, now=store.now())
        await first_board(connection, match_id, new.place_id)
        match = await load_on(connection, match_id)
    assert match is not None
    return match


async def _is_only_one(connection: AsyncConnection, new: NewMatch, *, once: bool) -> None:
    """Raise `Doubled` where such a challenge waits already, or such a match alone has just begun.

    Two processes may be asked at once by one person, who has pressed twice.
    """
    if not once:
        return
    is_alone = new.expires is None
    query = select(matches.c.id, matches.c.options, matches.c.computers).where(
        *_is_such(new),
        matches.c.status == (Status.RUNNING if is_alone else Status.PROPOSED).value,
        matches.c.challenger_id == new.challenger,
        matches.c.opponent_id.is_not_distinct_from(new.opponent),
        matches.c.place_id == new.place_id,
        matches.c.preferred_seat.is_not_distinct_from(new.preferred_seat),
        matches.c.held_for.is_not_distinct_from(new.held_for or None),
        matches.c.aside.is_(None),
    )
    if is_alone:
        others = select(func.count()).where(seats.c.match_id == matches.c.id).scalar_subquery()
        query = query.where(others == 1, is_untouched(new.challenger))
    computer = computer_in(levels_of(new.seats))
    for row in await connection.execute(query.order_by(matches.c.id)):
        # Which of the two seats it has may have been drawn by lot.
        if row.options == dict(new.options) and computer_in(row.computers) == computer:
            raise Doubled(row.id)


def _is_such(new: NewMatch) -> list[ColumnElement[bool]]:
    """Is it of the same game, on the same terms? Its options are compared once they are read."""
    same = stored_terms(new.terms).items()
    return [
        matches.c.game == new.game,
        *(matches.c[column].is_not_distinct_from(value) for column, value in same),
    ]


async def _none_crosses(
    connection: AsyncConnection, new: NewMatch, *, but: Collection[int]
) -> None:
    """Raise `Crossed` where the opponent asks whoever asks them for such a match."""
    query = select(matches.c.id, matches.c.options).where(
        *_is_such(new),
        matches.c.status == Status.PROPOSED.value,
        matches.c.challenger_id == new.opponent,
        matches.c.opponent_id == new.challenger,
        matches.c.id.not_in(but),
    )
    for row in await connection.execute(query.order_by(matches.c.id)):
        if row.options == dict(new.options):
            raise Crossed(row.id)


async def begin_at_once(
    store: Store,
    new: NewMatch,
    *,
    setup: str,
    turn: frozenset[int],
    quotas: Quotas | None = None,
    once: bool = False,
) -> Match:
    """Store a match that waits for nobody, and its board: of one seat, or against a computer.

    Raises `Refused` (`quotas`), and `Doubled` where there is one like it already in which nothing
    has happened, if there is to be but one at `once`; where it is a puzzle, if they have tried
    that one, or have another of this game before them.
    """
    async with store.write(BOARDS) as connection:
        await hold_people(connection, new.challenger)
        await _is_only_one(connection, new, once=once)
        if new.puzzle is not None:
            await puzzles.check_is_new(connection, new.challenger, new.puzzle, game=new.game)
        await may_begin(connection, new.challenger, [], quotas=quotas)
        await may_show(connection, new.challenger, new.place_id, quotas=quotas)
        match_id = await _insert(
            connection, new, Status.RUNNING, now=store.now(), setup=setup, turn=turn
        )
        if new.puzzle is not None:
            await puzzles.begin(connection, new.challenger, new.puzzle, match_id, now=store.now())
        await _seat(connection, match_id, users_of(new.seats))
        await first_board(connection, match_id, new.place_id)
        match = await load_on(connection, match_id)
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
    is_computers = not turn <= users_of(new.seats).keys()
    made = await connection.execute(
        insert(matches).values(
            code=new.code,
            game=new.game,
            rules=new.rules,
            options=dict(new.options),
            setup=setup,
            status=status.value,
            version=1,
            turn=bits(turn),
            place_id=new.place_id,
            challenger_id=new.challenger,
            opponent_id=new.opponent,
            preferred_seat=new.preferred_seat,
            expires=new.expires,
            held_for=new.held_for or None,
            **stored_terms(new.terms),
            computers=levels_of(new.seats),
            work_after=now if is_computers else None,
            created=now,
            updated=now,
            news=1,
            news_by=new.challenger,
        )
    )
    return new_id(made)


async def begin(
    store: Store,
    match: Match,
    *,
    setup: str,
    users: Sequence[int],
    turn: frozenset[int],
    effect: Effect,
    running: Running | None = None,
    quotas: Quotas | None = None,
) -> Match | None:
    """Turn a challenge into a running match of `match.rules`; None when it has changed.

    Whoever is on holiday is so in it, too.

    Raises `Refused` where one has blocked the other, or `quotas` are reached, or the challenge
    is for the bearer of another username.
    """
    async with store.write(of_match(match.id)) as connection:
        (accepting,) = set(users) - {match.challenger}
        await hold_people(connection, *users)
        await may_begin(connection, accepting, [match.challenger], quotas=quotas)
        await _may_answer(connection, match, accepting)
        begun = replace(match, setup=setup, seats=tuple(users), running=running)
        begun = await with_holidays(connection, begun, turn, now=store.now())
        begun = replace(begun, status=Status.RUNNING, expires=None, held_for="")
        values = {
            "status": Status.RUNNING.value,
            "rules": match.rules,
            "setup": setup,
            "expires": None,
            "held_for": None,
            "turn": bits(turn),
            **times(begun.running),
            **holidays_of(begun.away),
        }
        if not await connection.run_sync(
            bump, match.id, match.version, values=values, now=store.now(), effect=effect
        ):
            return None
        await _seat(connection, match.id, users_of(begun.seats))
    return begun


async def _may_answer(connection: AsyncConnection, match: Match, user_id: int) -> None:
    """A challenge held for a username is for its bearer alone. Raises `Refused`."""
    if match.held_for and not await usernames.is_bearer(connection, match.id, user_id):
        raise Refused("challenge-for-other")


async def _seat(connection: AsyncConnection, match_id: int, people: Mapping[int, int]) -> None:
    """Seat users, by seat."""
    user_ids = list(people.values())
    await connection.execute(
        insert(seats),
        [
            {"match_id": match_id, "seat": seat, "user_id": user_id}
            for seat, user_id in people.items()
        ],
    )
    # Whoever has played is never forgotten for being away.
    await connection.execute(
        update(users)
        .where(users.c.id.in_(user_ids), users.c.idle_since.is_not(None))
        .values(idle_since=None)
    )


async def end_challenge(
    store: Store,
    match: Match,
    status: Status,
    *,
    effect: Effect,
    by: int | None = None,
) -> bool:
    """End a challenge that nobody plays, perhaps `by` somebody; False when it has changed.

    Raises `Refused` for a no to a challenge that is for somebody else.
    """
    async with store.write(of_match(match.id)) as connection:
        values: dict[str, Any] = {"status": status.value, "expires": None, "held_for": None}
        if match.held_for and status is Status.DECLINED and by is not None:
            await is_still_here(connection, by)
            await _may_answer(connection, match, by)
            # So that it counts as one that they did not take up.
            values["opponent_id"] = by
        return await connection.run_sync(
            bump, match.id, match.version, values=values, now=store.now(), effect=effect
        )
