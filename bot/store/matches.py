"""Matches, seats, moves and boards: written together, so that they never disagree."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Update,
    and_,
    bindparam,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis import Judgement
from bot.clocks import Clock, Running
from bot.errors import Crossed, Doubled, Refused, StaleBoard
from bot.model import (
    Computer,
    Ending,
    EndingKind,
    Match,
    NewMatch,
    Offer,
    OfferKind,
    OfferState,
    Ply,
    Progress,
    Quotas,
    Sitter,
    Status,
)
from bot.store import analyses, holidays, ratings, standings, usernames
from bot.store.boards import ANEW, CAN_BE_ANEW, Effect, mark_behind
from bot.store.boards import insert_first as first_board
from bot.store.changes import BOARDS, of_match
from bot.store.dialect import hold_people, hold_people_at_once, in_order
from bot.store.engine import AnyRow, Store, new_id
from bot.store.match_queries import is_untouched
from bot.store.quotas import is_still_here, may_begin, may_propose
from bot.store.schema import boards, matches, moves, results, seats, users
from games import Outcome

__all__ = [
    "Ended",
    "Result",
    "ask",
    "ask_analysis",
    "begin",
    "begin_at_once",
    "commit",
    "end_challenge",
    "end_challenges",
    "give_up",
    "go_away",
    "keep",
    "load",
    "load_on",
    "load_several",
    "note_analysis",
    "offer",
    "propose",
    "put_aside",
    "remind",
    "remind_later",
    "set_clock",
    "take_back",
    "take_up",
]


@dataclass(frozen=True, slots=True)
class Result:
    """What a finished match counts for one seat."""

    seat: int
    user_id: int
    solo: bool
    half_points: int
    score: int
    kind: str | None
    """The class of the game in whose leaderboards it counts; None: in none."""
    level: int | None = None
    """Of the computer that was the other side; None: none was."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a running match, as it was read, ends without a move; and what that counts."""

    match: Match
    ending: Ending
    outcome: Outcome | None
    counted: Sequence[Result]


_PLAYED = (moves.c.seat, moves.c.notation, moves.c.at, moves.c.taken_back)
"""What a match needs of each of its moves."""


def _match(
    row: AnyRow,
    seated: Mapping[int, int],
    played: Sequence[AnyRow],
    analysed: Progress | None = None,
) -> Match:
    """A match as stored, with its users by seat."""
    plies = tuple(Ply(one.seat, one.notation, one.at) for one in played if one.taken_back is None)
    outcome, banks = row.outcome, row.banks
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
        seats=_sitters(row.computers, seated),
        plies=plies,
        ending=Ending(EndingKind(row.ending), row.ended_by) if row.ending else None,
        is_aside=row.aside is not None,
        news=row.news,
        news_by=row.news_by,
        held_for=row.held_for or "",
        offers=tuple(map(_offer, row.offers or ())),
        asked=row.asked or 0,
        taken_back=len(played) - len(plies),
        rated=row.rated,
        has_takebacks=bool(row.takebacks),
        has_hints=bool(row.hints),
        clock=Clock.read(row.clock) if row.clock else None,
        running=Running(tuple(banks), row.turn_since, row.due, row.remind_at) if banks else None,
        given_back=row.given_back or 0,
        given_seconds=row.given_seconds or 0,
        reminded=row.reminded or 0,
        away=tuple(row.away or ()),
        away_since=row.away_since or 0,
        analysed=analysed,
    )


def _sitters(
    computers: Sequence[int | None] | None, seated: Mapping[int, int]
) -> tuple[Sitter, ...]:
    """Who sits where: the computers that a match has, and its users by seat."""
    if computers is None:
        return tuple(seated[seat] for seat in sorted(seated))
    return tuple(
        seated[seat] if level is None else Computer(level) for seat, level in enumerate(computers)
    )


def _offer(stored: Mapping[str, Any]) -> Offer:
    return Offer(
        OfferKind(stored["kind"]),
        stored["by"],
        stored["ply"],
        stored["made"],
        OfferState(stored["state"]),
        stored["version"],
        # Those that were made before moves could be taken back say nothing of that.
        stored.get("back_to", 0),
        stored.get("clock", ""),
    )


async def load_on(connection: AsyncConnection, match_id: int) -> Match | None:
    """The same, as a step of what `connection` is used for."""
    row = (await connection.execute(select(matches).where(matches.c.id == match_id))).one_or_none()
    if row is None:
        return None
    if row.status == Status.PROPOSED.value:
        return _match(row, {}, ())
    query = select(seats.c.seat, seats.c.user_id).where(seats.c.match_id == match_id)
    seated = {row.seat: row.user_id for row in await connection.execute(query)}
    played = select(*_PLAYED).where(moves.c.match_id == match_id).order_by(moves.c.ply)
    rows = (await connection.execute(played)).all()
    analysed = {}
    if row.status == Status.OVER.value:
        analysed = await analyses.progress(connection, [match_id])
    return _match(row, seated, rows, analysed.get(match_id))


async def load(store: Store, match_id: int) -> Match | None:
    """The match with this id, whole, or None."""
    async with store.snapshot() as connection:
        return await load_on(connection, match_id)


async def load_several(store: Store, match_ids: Collection[int]) -> dict[int, Match]:
    """The matches of these ids that there are, by id: all that is stored of them at one moment."""
    seated, played = defaultdict[int, dict[int, int]](dict), defaultdict[int, list[AnyRow]](list)
    which = list(match_ids)
    taken = select(*seats.columns).where(seats.c.match_id.in_(which))
    moved = select(moves.c.match_id, *_PLAYED).where(moves.c.match_id.in_(which))
    async with store.snapshot() as connection:
        rows = (await connection.execute(select(matches).where(matches.c.id.in_(which)))).all()
        for match_id, seat, user_id in await connection.execute(taken):
            seated[match_id][seat] = user_id
        for row in await connection.execute(moved.order_by(*moves.primary_key)):
            played[row.match_id].append(row)
        over = [row.id for row in rows if row.status == Status.OVER.value]
        analysed = await analyses.progress(connection, over) if over else {}
    return {
        row.id: _match(row, seated[row.id], played[row.id], analysed.get(row.id)) for row in rows
    }


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
        matches.c.status == (Status.RUNNING if is_alone else Status.PROPOSED).value,
        matches.c.challenger_id == new.challenger,
        matches.c.opponent_id.is_not_distinct_from(new.opponent),
        matches.c.place_id == new.place_id,
        matches.c.game == new.game,
        matches.c.preferred_seat.is_not_distinct_from(new.preferred_seat),
        matches.c.held_for.is_not_distinct_from(new.held_for or None),
        matches.c.rated.is_not_distinct_from(new.rated),
        matches.c.takebacks.is_not_distinct_from(new.has_takebacks or None),
        matches.c.hints.is_not_distinct_from(new.has_hints or None),
        matches.c.clock.is_not_distinct_from(_written(new.clock)),
        matches.c.aside.is_(None),
    )
    if is_alone:
        others = select(func.count()).where(seats.c.match_id == matches.c.id).scalar_subquery()
        query = query.where(others == 1, is_untouched(new.challenger))
    for row in await connection.execute(query.order_by(matches.c.id)):
        levels = {*(row.computers or ())}
        if row.options == dict(new.options) and levels == {*new.computers}:
            raise Doubled(row.id)


async def _none_crosses(
    connection: AsyncConnection, new: NewMatch, *, but: Collection[int]
) -> None:
    """Raise `Crossed` where the opponent asks whoever asks them for such a match."""
    query = select(matches.c.id, matches.c.options).where(
        matches.c.status == Status.PROPOSED.value,
        matches.c.challenger_id == new.opponent,
        matches.c.opponent_id == new.challenger,
        matches.c.game == new.game,
        matches.c.rated.is_not_distinct_from(new.rated),
        matches.c.takebacks.is_not_distinct_from(new.has_takebacks or None),
        matches.c.hints.is_not_distinct_from(new.has_hints or None),
        matches.c.clock.is_not_distinct_from(_written(new.clock)),
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

    Raises `Refused` (`quotas`).

    Raises `Doubled` where there is one like it already in which nothing has happened, if there is
    to be but one at `once`.
    """
    async with store.write(BOARDS) as connection:
        await hold_people(connection, new.challenger)
        await _is_only_one(connection, new, once=once)
        await may_begin(connection, new.challenger, [], quotas=quotas)
        match_id = await _insert(
            connection, new, Status.RUNNING, now=store.now(), setup=setup, turn=turn
        )
        seat = new.computers.index(None) if new.computers else 0
        await _seat(connection, match_id, {seat: new.challenger})
        if not set(_levels_at(new.computers)).isdisjoint(turn):
            work = {"work_after": store.now()}
            await connection.execute(update(matches).where(matches.c.id == match_id).values(work))
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
            held_for=new.held_for or None,
            rated=new.rated,
            takebacks=new.has_takebacks or None,
            hints=new.has_hints or None,
            clock=_written(new.clock),
            computers=list(new.computers) or None,
            created=now,
            updated=now,
            news=1,
            news_by=new.challenger,
        )
    )
    return new_id(made)


def _written(clock: Clock | None) -> str | None:
    return None if clock is None else str(clock)


def _times(running: Running | None) -> dict[str, Any]:
    """What is stored of clocks that run; nothing where there are none."""
    if running is None:
        return {}
    return {
        "banks": list(running.banks),
        "turn_since": running.since,
        "due": running.due,
        "remind_at": running.remind_at,
    }


_TIMES = ("banks", "turn_since", "due", "remind_at")
"""Where that is stored."""


def _levels_at(computers: Sequence[int | None]) -> list[int]:
    """The seats on which computers sit."""
    return [seat for seat, level in enumerate(computers) if level is not None]


def _work(match: Match, turn: Collection[int], *, now: int) -> dict[str, Any]:
    """What is stored of whether a computer has something to do; nothing where none plays."""
    if not match.computers:
        return {}
    return {"work_after": now if match.has_work(turn) else None}


def _bits(turn: frozenset[int]) -> int:
    return sum(1 << seat for seat in turn)


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
        away = await holidays.until(connection, users, now=store.now())
        begun = replace(match, setup=setup, seats=tuple(users), running=running)
        if any(away):
            begun = replace(begun, away=away, away_since=match.version + 1)
            begun = replace(begun, running=_held(begun, turn, now=store.now()))
        begun = replace(begun, status=Status.RUNNING, expires=None, held_for="")
        values = {
            "status": Status.RUNNING.value,
            "rules": match.rules,
            "setup": setup,
            "expires": None,
            "held_for": None,
            "turn": _bits(turn),
            **_times(begun.running),
            **_holidays(begun),
        }
        if not await connection.run_sync(_bump, match, values, now=store.now(), effect=effect):
            return None
        await _seat(connection, match.id, dict(enumerate(users)))
    return begun


def _holidays(match: Match) -> dict[str, Any]:
    """What is stored of the holidays of those who play; nothing where nobody ever was on one."""
    return {"away": list(match.away), "away_since": match.away_since} if match.away else {}


def _held(match: Match, turn: Collection[int], *, now: int) -> Running | None:
    """The clocks once it is known until when whoever is on turn is on holiday."""
    running, clock = match.running, match.clock
    if running is None or clock is None or not clock.is_of_days or len(turn) != 1:
        return running
    if running.has_run_out(now):
        # It only has not ended yet.
        return running
    seat = min(turn)
    return running.held(seat, until=match.away[seat] or now, now=now)


async def go_away(store: Store, user_id: int, *, seconds: int, most_days: int) -> int:
    """Somebody is on holiday for so long, in all that they play: clocks of days stand still.

    0 ends the holiday that they are on. Of a year it is `most_days`; raises `Refused` for more.
    Gives how many matches are told.
    """
    async with store.write() as connection:
        await hold_people(connection, user_id)
        await is_still_here(connection, user_id)
        now = store.now()
        ends = await holidays.take(
            connection, user_id, seconds=seconds, most_days=most_days, now=now
        )
        return await _go_away(connection, user_id, ends, now=now)


async def _go_away(connection: AsyncConnection, user_id: int, ends: int, *, now: int) -> int:
    theirs = select(seats.c.match_id).where(seats.c.user_id == user_id)
    query = select(matches).where(matches.c.id.in_(theirs), matches.c.aside.is_(None))
    query = query.where(matches.c.status == Status.RUNNING.value).order_by(matches.c.id)
    rows = (await connection.execute(query.with_for_update(key_share=True))).all()
    people = defaultdict[int, dict[int, int]](dict)
    for row in await connection.execute(select(seats).where(seats.c.match_id.in_(theirs))):
        people[row.match_id][row.seat] = row.user_id
    for row in rows:
        match = _match(row, people[row.id], ())
        seat = match.seats.index(user_id)
        away = [*(match.away or (None,) * len(match.seats))]
        away[seat] = ends if ends > now else None
        after = replace(match, away=tuple(away), away_since=match.version + 1)
        if row.turn == 1 << seat:
            after = replace(after, running=_held(after, {seat}, now=now))
        values = {**_times(after.running), **_holidays(after)}
        await connection.run_sync(_bump, match, values, now=now, effect=Effect())
    return len(rows)


async def _may_answer(connection: AsyncConnection, match: Match, user_id: int) -> None:
    """A challenge held for a username is for its bearer alone. Raises `Refused`."""
    if match.held_for and not await usernames.is_bearer(connection, match.id, user_id):
        raise Refused("challenge-for-other")


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
        return await connection.run_sync(_bump, match, values, now=store.now(), effect=effect)


async def commit(
    store: Store,
    match: Match,
    *,
    plies: Sequence[Ply],
    turn: frozenset[int],
    outcome: Outcome | None,
    counted: Sequence[Result],
    effect: Effect,
    ending: Ending | None = None,
    running: Running | None = None,
) -> bool:
    """Commit moves, or an ending without one: version, turn, results; its boards are behind then.

    `running` are the clocks as they run then, of a match that has a clock.

    One transaction; False, and nothing written, when the match is no longer at `match.version`.
    """
    step = partial(
        _commit,
        match=match,
        plies=plies,
        turn=turn,
        outcome=outcome,
        counted=counted,
        ending=ending,
        running=running,
        now=store.now(),
        effect=effect,
    )
    return await store.write_at_once(of_match(match.id), step)


async def offer(
    store: Store, match: Match, after: Match, *, turn: frozenset[int], effect: Effect
) -> bool:
    """Store all that is offered in a match, as in `after`; False when the match has changed."""
    values = {
        "offers": [asdict(one) for one in after.offers],
        **_work(after, turn, now=store.now()),
    }
    return await _change(store, match, values, effect)


async def set_clock(store: Store, match: Match, after: Match, *, effect: Effect) -> bool:
    """Store that a match goes on with the clock of `after`; False when it has changed."""
    values = {
        "offers": [asdict(one) for one in after.offers],
        "clock": _written(after.clock),
        **(_times(after.running) or dict.fromkeys(_TIMES)),
    }
    return await _change(store, match, values, effect)


async def take_back(
    store: Store, before: Match, after: Match, *, turn: frozenset[int], effect: Effect
) -> bool:
    """Store that a match goes back from `before` to `after`; False when it has changed.

    The moves that went stay, marked.
    """
    values = {
        "turn": _bits(turn),
        "offers": [asdict(one) for one in after.offers],
        **_times(after.running),
        **_work(after, turn, now=store.now()),
    }
    live = moves.alias()
    gone = select(live.c.ply).where(live.c.match_id == before.id, live.c.taken_back.is_(None))
    mark = update(moves).where(
        moves.c.match_id == before.id,
        moves.c.ply.in_(gone.order_by(live.c.ply).offset(len(after.plies))),
    )

    def step(connection: Connection) -> bool:
        if not _bump(connection, before, values, now=store.now(), effect=effect):
            return False
        connection.execute(mark.values(taken_back=before.version + 1))
        return True

    return await store.write_at_once(of_match(before.id), step)


async def ask(store: Store, match: Match, *, effect: Effect) -> bool:
    """Store that people are asked whether they play on; False when the match has changed."""
    return await _change(store, match, {"asked": match.version + 1}, effect)


async def remind(store: Store, match: Match, running: Running, *, effect: Effect) -> bool:
    """Store that somebody is reminded of their time; False when the match has changed."""
    values = {"reminded": match.version + 1, "remind_at": running.remind_at}
    return await _change(store, match, values, effect)


async def remind_later(store: Store, match: Match, until: int) -> None:
    """Whoever is on turn is not reminded of their time before the moment `until`.

    That changes nothing in the match; where it has changed, nothing is stored.
    """
    assert match.running is not None
    is_as_read = and_(
        matches.c.id == match.id,
        matches.c.version == match.version,
        matches.c.remind_at == match.running.remind_at,
    )
    async with store.write(of_match(match.id)) as connection:
        await connection.execute(update(matches).where(is_as_read).values(remind_at=until))


async def keep(store: Store, match: Match, *, effect: Effect) -> bool:
    """Store that somebody plays on; False when the match has changed."""
    return await _change(store, match, {}, effect)


async def ask_analysis(store: Store, match: Match, *, by: int | None, effect: Effect) -> None:
    """Ask for a match to be looked back on; see `analyses.insert`, and `_look_back`."""
    now = store.now()
    step = partial(analyses.insert, match_id=match.id, total=len(match.plies), by=by, now=now)
    await _look_back(store, match, step, effect=effect)


async def note_analysis(
    store: Store, match: Match, judged: Sequence[Judgement | None], *, effect: Effect
) -> None:
    """Note what was found of the first moves of a match; see `analyses.note`, and `_look_back`."""
    step = partial(analyses.note, match_id=match.id, judged=judged, now=store.now())
    await _look_back(store, match, step, effect=effect)


async def _look_back(
    store: Store, match: Match, step: Callable[[Connection], None], *, effect: Effect
) -> None:
    """Store how far a match that is over is looked back on, by `step`, as a version of it.

    When it ended stays what it was. Raises `StaleBoard`, and nothing is written, when the match has
    changed; and what `step` raises.
    """

    def both(connection: Connection) -> None:
        # It may hold somebody, which comes before all else (`bot.store.dialect`).
        step(connection)
        if not _bump(connection, match, {}, now=None, effect=effect):
            raise StaleBoard(match.id)

    await store.write_at_once(of_match(match.id), both)


async def _change(store: Store, match: Match, values: Mapping[str, Any], effect: Effect) -> bool:
    async with store.write(of_match(match.id)) as connection:
        return await connection.run_sync(_bump, match, values, now=store.now(), effect=effect)


async def give_up(
    connection: AsyncConnection, user_id: int, which: Sequence[Ended], *, now: int
) -> None:
    """End matches of somebody who goes for good, as a step of a transaction.

    Raises `StaleBoard` where one has changed since it was read.
    """
    await hold_people(connection, *{user for ended in which for user in ended.match.people})
    query = select(matches.c.id, matches.c.version)
    query = query.where(matches.c.id.in_([ended.match.id for ended in which]))
    query = query.order_by(matches.c.id).with_for_update(of=matches, key_share=True)
    found = {row.id: row.version for row in await connection.execute(query)}
    for ended in which:
        if found.get(ended.match.id) != ended.match.version:
            raise StaleBoard(ended.match.id)
    await connection.run_sync(_end, which, now=now, effect=Effect(is_news=True, by=user_id))


async def end_challenges(
    connection: AsyncConnection, which: ColumnElement[bool], *, gone: int, now: int
) -> None:
    """End those of `which` that wait, as a step of a transaction in which somebody goes.

    What the person who is `gone` asked for is taken back, what they were asked is declined.
    """
    query = select(matches).where(which, matches.c.status == Status.PROPOSED.value)
    for row in (await connection.execute(query.with_for_update())).all():
        is_theirs = row.challenger_id == gone
        status = Status.WITHDRAWN if is_theirs else Status.DECLINED
        await connection.run_sync(
            _bump,
            _match(row, {}, ()),
            {"status": status.value, "expires": None},
            now=now,
            effect=Effect(is_news=True, by=gone),
        )


def _commit(
    connection: Connection,
    *,
    match: Match,
    plies: Sequence[Ply],
    turn: frozenset[int],
    outcome: Outcome | None,
    counted: Sequence[Result],
    ending: Ending | None,
    running: Running | None,
    now: int,
    effect: Effect,
) -> bool:
    if counted:
        # Where they stand, and how often they have met, is counted for them.
        hold_people_at_once(connection, *match.people)
    after = replace(match, status=Status.OVER if ending else match.status, offers=())
    values = {
        "turn": _bits(turn),
        **_come_to(ending, outcome),
        **_times(running),
        **_work(after, turn, now=now),
    }
    if not _bump(connection, match, values, now=now, effect=effect):
        return False
    if plies:
        first = match.moves_made
        connection.execute(
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
    _count(connection, match, counted, made=len(match.plies) + len(plies), now=now)
    return True


def _end(connection: Connection, which: Sequence[Ended], *, now: int, effect: Effect) -> None:
    """End many matches, which cannot change meanwhile, with few statements."""
    raised, behind = defaultdict[frozenset[str], list[Any]](list), []
    for ended in which:
        running = ended.match.running and ended.match.running.stopped()
        after = replace(ended.match, status=Status.OVER)
        values = {
            "turn": 0,
            **_come_to(ended.ending, ended.outcome),
            **_times(running),
            **_work(after, (), now=now),
        }
        values = _raised(ended.match, values, now=now, effect=effect)
        raised[frozenset(values)].append(values)
        behind.append((ended.match.id, ended.match.version + 1))
    for columns, rows in raised.items():
        connection.execute(_raise(columns), rows)
    if behind:
        mark_behind(connection, *behind, effect=effect)
    for ended in which:
        _count(connection, ended.match, ended.counted, made=len(ended.match.plies), now=now)


def _come_to(ending: Ending | None, outcome: Outcome | None) -> dict[str, Any]:
    """What is stored of how a match ends."""
    values: dict[str, Any] = {}
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
    return values


def _count(
    connection: Connection, match: Match, counted: Sequence[Result], *, made: int, now: int
) -> None:
    """Store what a match of so many moves counts, as a step of a transaction that holds its people.

    Ratings and leaderboards know of it at once, unless too little was played, or the two have met
    too often.
    """
    if not counted:
        return
    kind = counted[0].kind
    if len(counted) > 1 and made < ratings.LEAST_PLIES:
        kind = None
    if kind is not None and match.rated is not None:
        one, other = counted
        is_rated = ratings.count(
            connection,
            match.id,
            game=match.game,
            kind=kind,
            people=(one.user_id, other.user_id),
            half_points=one.half_points,
            now=now,
        )
        kind = kind if is_rated else None
    rows = [
        {
            "match_id": match.id,
            "seat": result.seat,
            "user_id": result.user_id,
            "game": match.game,
            "place_id": match.place_id,
            "solo": result.solo,
            "half_points": result.half_points,
            "score": result.score,
            "kind": kind,
            "moves": made,
            "level": result.level,
            "at": now,
        }
        for result in counted
    ]
    connection.execute(insert(results), rows)
    if kind is not None:
        standings.count(connection, rows)


_IS_AS_READ = and_(matches.c.id == bindparam("match"), matches.c.version == bindparam("read"))


_READ = frozenset({"match", "read"})
"""What is compared, and not changed."""


@cache
def _raise(columns: frozenset[str]) -> Update:
    """The statement that raises a match's version, with the values of `_raised`."""
    changed = columns - _READ
    return update(matches).where(_IS_AS_READ).values({name: bindparam(name) for name in changed})


def _raised(
    match: Match, values: Mapping[str, Any], *, now: int | None, effect: Effect
) -> dict[str, Any]:
    """What a match is at its next version, if it is still the one that was read.

    `now` is when something happened in it; None where nothing has.
    """
    reached = match.version + 1
    news = {"news": reached, "news_by": effect.by} if effect.is_news else {}
    as_read = {"match": match.id, "read": match.version}
    updated = {} if now is None else {"updated": now}
    return {**as_read, "version": reached, **updated, **values, **news}


def _bump(
    connection: Connection,
    match: Match,
    values: Mapping[str, Any],
    *,
    now: int | None,
    effect: Effect,
) -> bool:
    """Raise the version, if it is still the one that was read, and mark the boards as behind."""
    raised = _raised(match, values, now=now, effect=effect)
    done = connection.execute(_raise(frozenset(raised)), raised)
    if done.rowcount != 1:
        return False
    mark_behind(connection, (match.id, match.version + 1), effect=effect)
    return True


# --- matches that cannot be read ------------------------------------------------------------


async def put_aside(store: Store, match_id: int) -> bool:
    """Note that a match cannot be replayed; is that news?

    Its boards stay as they are: nobody can say what they ought to show.
    """
    async with store.write(of_match(match_id)) as connection:
        noted = await connection.execute(
            update(matches)
            .where(matches.c.id == match_id, matches.c.aside.is_(None))
            .values(aside=store.now())
        )
        await in_order(connection, boards.c.id, boards.c.match_id == match_id)
        await connection.execute(
            update(boards)
            .where(boards.c.match_id == match_id)
            .values(shown=boards.c.wanted, notified=boards.c.news, former=None, former_notice=None)
        )
    return noted.rowcount == 1


async def take_up(store: Store, match_id: int) -> None:
    """A match can be replayed again: its boards are shown anew."""
    async with store.write(of_match(match_id)) as connection:
        await connection.execute(update(matches).where(matches.c.id == match_id).values(aside=None))
        await in_order(connection, boards.c.id, boards.c.match_id == match_id)
        await connection.execute(
            update(boards).where(boards.c.match_id == match_id, CAN_BE_ANEW).values(shown=ANEW)
        )
