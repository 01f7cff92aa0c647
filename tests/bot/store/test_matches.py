"""Matches in the database: a move stays cheap however many there are."""

from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any

import pytest
from sqlalchemy import ColumnElement, select

from bot.domain.errors import Duplicate, MutualChallenge, Refused, StaleBoard
from bot.domain.model import Computer, Ending, EndingKind, Match, NewMatch, Ply, Status
from bot.domain.waits import Wait
from bot.store import match_queries, people, personal_data, times
from bot.store import matches as match_store
from bot.store.matches import Result
from bot.store.schema import boards, matches, moves, results, users
from games import Outcome
from tests.bot.store.looking import plans_of, statements
from tests.bot.store.sql import execute, rows
from tests.bot.store.test_match_queries import put
from tests.bot.table import Person, Table
from tests.optional import not_none

_CODES = map("new{}".format, count(1))


def new_match(table: Table, challenger: int, opponent: int | None = None, **more: Any) -> NewMatch:
    """Return a new match of Othello in the lounge."""
    people = {"challenger": challenger, "opponent": opponent, "place_id": table.lounge.id}
    return NewMatch(**{"game": "othello", "options": {}, **people, **more})


_MANY = ("matches", "seats", "moves", "boards", "results")


@pytest.mark.sqlite
async def test_a_typed_move_and_its_boards_look_at_no_other_match(table: Table) -> None:
    anna, ben = await table.arrive("Anna"), await table.arrive("Ben")
    await table.begin(anna, ben)
    await table.settle()
    with statements() as said:
        await anna.types("/othello d3")
        await table.settle()
    plans = await plans_of(table.app.store, said)
    assert len(plans) > len(_MANY)
    for table_name in _MANY:
        through_all = [plan for plan in plans if plan.startswith(f"SCAN {table_name}")]
        # The index of boards that are behind holds those alone.
        assert [plan for plan in through_all if "ix_boards_behind" not in plan] == []
    # Running matches are many. Challenges and those whose time is up are few.
    by_status = [plan for plan in plans if "INDEX ix_matches_status" in plan]
    assert [plan for plan in by_status if "'running'" in plan] == []


async def _rows(table: Table, *columns: Any) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in await rows(table.app.store, select(*columns).order_by(*columns))]


async def test_the_same_is_asked_for_once_and_whatever_differs_in_anything_is_not_the_same(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    store, garden = table.app.store, await table.channel("garden")
    asked = {"options": {"size": "8"}, "preferred_seat": 0, "expires": 2**30}
    first = new_match(table, anna.id, ben.id, **asked)

    async def asks(new: NewMatch, **how: Any) -> int:
        new = replace(new, code=next(_CODES))
        return (await match_store.create(store, new, **how)).id

    made = await asks(first, once=True)
    newest = await asks(first)
    assert newest != made
    with pytest.raises(Duplicate) as doubled:
        await asks(replace(first, expires=2**29), once=True)
    assert doubled.value.match_id == newest
    others: tuple[dict[str, Any], ...] = (
        {"challenger": cleo.id},
        {"opponent": cleo.id},
        {"opponent": None},
        {"opponent": None, "held_for": "web:zoe"},
        {"opponent": None, "held_for": "web:zoa"},
        {"place_id": garden.id},
        {"game": "sogo"},
        {"preferred_seat": 1},
        {"preferred_seat": None},
        {"options": {"size": "6"}},
    )
    for changed in others:
        other = await asks(replace(first, **changed), once=True)
        with pytest.raises(Duplicate) as doubled:
            await asks(replace(first, **changed), once=True)
        assert doubled.value.match_id == other, changed
    # What waits no longer, or cannot be played, does not count.
    for gone in ({"status": Status.DECLINED.value}, {"aside": 1}):
        await _change(table, matches.c.id > 0, **gone)
        again = await asks(first, once=True)
        with pytest.raises(Duplicate) as doubled:
            await asks(first, once=True)
        assert doubled.value.match_id == again


async def _change(table: Table, which: ColumnElement[bool], **values: Any) -> None:
    await execute(table.app.store, matches.update().where(which).values(**values))


async def test_a_match_alone_is_begun_once_as_long_as_nothing_has_happened_in_it(
    table: Table, anna: Person, ben: Person
) -> None:
    store = table.app.store
    new = new_match(table, anna.id, seats=(anna.id,), turn=frozenset({0}))

    async def begins(**how: Any) -> int:
        begun = await match_store.create(store, replace(new, code=next(_CODES)), **how)
        assert (begun.version, begun.news, begun.news_by) == (1, 1, anna.id)
        return begun.id

    # Of two who sit there it is none alone, and what waits has not begun.
    await put(store, table.lounge, Status.RUNNING, anna.id, ben.id)
    await put(store, table.lounge, Status.PROPOSED, challenger_id=anna.id)
    first = await begins(once=True)
    with pytest.raises(Duplicate) as doubled:
        await begins(once=True)
    assert doubled.value.match_id == first
    second = await begins()
    for match_id in (first, second):
        made = {"match_id": match_id, "ply": 0, "seat": 0, "notation": "d3", "at": 1}
        await execute(store, moves.insert().values(made))
    third = await begins(once=True)
    assert [row for row in await _rows(table, matches.c.id, matches.c.turn) if row[1]] == [
        (first, 1),
        (second, 1),
        (third, 1),
    ]


async def test_two_who_ask_each_other_for_the_same_cross_and_for_another_they_do_not(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    store = table.app.store
    new = new_match(table, anna.id, ben.id, options={"a": "b"}, expires=2**30)
    back = replace(new, challenger=ben.id, opponent=anna.id)

    async def asks(new: NewMatch, **how: Any) -> int:
        return (await match_store.create(store, replace(new, code=next(_CODES)), **how)).id

    made = await asks(new)
    for other in (
        new,
        replace(back, opponent=cleo.id),
        replace(back, challenger=cleo.id),
        replace(back, game="sogo"),
        replace(back, options={}),
    ):
        await asks(other, may_cross=False)
    await _change(table, matches.c.id == made + 1, status=Status.EXPIRED.value)
    with pytest.raises(MutualChallenge) as crossed:
        await asks(back, may_cross=False)
    assert crossed.value.match_id == made
    assert await asks(back)


async def test_a_no_to_what_waits_for_a_name_is_said_by_its_bearer(
    table: Table, anna: Person, ben: Person
) -> None:
    store = table.app.store
    zoe = await people.get_or_create_user(store, "chat", "1", name="Zoe", handle="zoe")
    twin = await people.get_or_create_user(store, "far", "1", name="Zoe", handle="zoe")
    ids = [
        await put(store, table.lounge, Status.PROPOSED, challenger_id=anna.id, held_for="chat:zoe")
        for _ in range(3)
    ]
    declined, withdrawn, kept = [(await table.loaded(one)).match for one in ids]

    async def close(match: Match, status: Status, opponent: int | None) -> None:
        after = match.next_version(status=status, opponent=opponent, expires=None, held_for="")
        await match_store.end_challenge(store, match, after)

    assert set(await match_queries.challenges_to(store, zoe.id)) == set(ids)
    for other in (ben.id, twin.id):
        assert await match_queries.challenges_to(store, other) == []
        with pytest.raises(Refused, match="challenge-for-other"):
            await close(declined, Status.DECLINED, other)
    await close(declined, Status.DECLINED, zoe.id)
    await close(withdrawn, Status.WITHDRAWN, None)
    await personal_data.erase(store, zoe.id, name=f"#{zoe.id}")
    with pytest.raises(Refused, match="forgotten"):
        await close(kept, Status.DECLINED, zoe.id)
    columns = matches.c.id, matches.c.status, matches.c.opponent_id, matches.c.held_for
    assert await _rows(table, *columns) == [
        (ids[0], "declined", zoe.id, None),
        (ids[1], "withdrawn", None, None),
        # It ended when its bearer went.
        (ids[2], "declined", None, None),
    ]


async def test_what_is_put_aside_and_taken_up_changes_no_other_match(
    table: Table, anna: Person, ben: Person
) -> None:
    store, here = table.app.store, table.lounge
    one, other = [
        await put(store, here, Status.RUNNING, anna.id, ben.id, shown=(here,)) for _ in range(2)
    ]
    behind = {"shown": 3, "wanted": 4, "notified": 1, "news": 2}
    whole = {"message": "m", "former": "f", "former_notice": "n", **behind}
    await execute(store, boards.update().values(**whole))

    async def shown() -> list[tuple[Any, ...]]:
        names = ("match_id", *whole)
        return await _rows(table, *(boards.c[name] for name in names))

    untouched = (other, *whole.values())
    assert await match_store.mark_unreadable(store, one)
    assert not await match_store.mark_unreadable(store, one)
    assert not await match_store.mark_unreadable(store, other + 1)
    now = store.now()
    assert await _rows(table, matches.c.id, matches.c.aside) == [(one, now), (other, None)]
    # Nothing more is to be done about its boards.
    assert await shown() == [(one, "m", None, None, 4, 4, 2, 2), untouched]
    await execute(store, matches.update().values(aside=now))
    await match_store.mark_readable(store, one)
    assert await _rows(table, matches.c.id, matches.c.aside) == [(one, None), (other, now)]
    assert await shown() == [(one, "m", None, None, -1, 4, 2, 2), untouched]


async def test_what_a_match_has_come_to_is_stored_of_it_alone_and_only_as_it_was_read(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    store = table.app.store
    one, other = await table.begin(anna, ben), await table.begin(anna, ben)
    before = (await table.loaded(one)).match
    outcome = Outcome(frozenset({1}), "resigned", (1, 2))
    counted = [Result(0, anna.id, False, 0, 1, None), Result(1, ben.id, False, 2, 2, None)]
    plies = [Ply(0, "d3", 5), Ply(1, "c3", 6)]
    table.clock.forward(9)

    async def commits(before: Match, **changes: Any) -> Match:
        results = counted if "outcome" in changes else ()
        return await match_store.commit(
            store, before, before.next_version(**changes), counted=results
        )

    ending, turn = Ending(EndingKind.RESIGNED, 0), frozenset({0, 1})
    news: dict[str, Any] = {"is_news": True, "by": ben.id, "plies": tuple(plies), "turn": turn}
    await commits(before, **news)
    # A writer with an older version fails.
    with pytest.raises(StaleBoard):
        await commits(before, **news, ending=ending)
    after = not_none(await match_store.load(store, one))
    assert after == before.next_version(**news)
    assert await _rows(table, matches.c.id, matches.c.turn, matches.c.version) == [
        (one, 3, 3),
        (other, 1, 2),
    ]
    end: dict[str, Any] = {
        "plies": (*plies, Ply(0, "c4", 7)),
        "ending": ending,
        "outcome": outcome,
        "status": Status.OVER,
        "turn": frozenset(),
    }
    await commits(after, **end)
    assert await match_store.load(store, one) == after.next_version(**end)
    columns = (results.c.seat, results.c.match_id, results.c.user_id, results.c.place_id)
    counts = (results.c.half_points, results.c.score, results.c.solo, results.c.at, results.c.game)
    rest, at = (table.lounge.id,), (False, store.now(), "othello")
    assert await _rows(table, *columns, *counts) == [
        (0, one, anna.id, *rest, 0, 1, *at),
        (1, one, ben.id, *rest, 2, 2, *at),
    ]
    untouched = not_none(await match_store.load(store, other))
    assert (untouched.status, untouched.version, untouched.plies) == (Status.RUNNING, 2, ())


async def test_a_step_of_the_wait_leaves_a_computers_turn_to_who_has_claimed_it(
    table: Table, anna: Person
) -> None:
    store, turn = table.app.store, frozenset({0})
    new = new_match(table, anna.id, seats=(Computer(1), anna.id), turn=turn)
    match = await match_store.create(store, new)
    since = store.now()
    table.clock.forward(60)
    late = match.next_version(keeps_position=True, wait=Wait(nudged=2))
    await match_store.commit(store, match, late)
    columns = matches.c.work_after, matches.c.nudged, matches.c.version
    assert await _rows(table, *columns) == [(since, 2, 2)]


async def test_time_that_is_given_back_is_read_with_its_match(
    table: Table, anna: Person, ben: Person
) -> None:
    store = table.app.store
    since = store.now()
    await times.record_clock(store, since=since)
    match_id = await table.begin(anna, ben, words="othello 1d")
    table.clock.forward(7200)
    await times.record_clock(store, since=since)
    match = not_none(await match_store.load(store, match_id))
    assert (match.has_clock_compensation, match.given_seconds) == (True, 7200)


async def test_challenges_of_who_goes_are_taken_back_and_those_to_them_declined(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    store, here = table.app.store, table.lounge
    for challenger, opponent in ((anna, ben), (ben, anna), (ben, cleo), (anna, None)):
        await put(
            store,
            here,
            Status.PROPOSED,
            challenger_id=challenger.id,
            opponent_id=opponent.id if opponent else None,
            expires=9,
        )
    await put(store, here, Status.RUNNING, anna.id, ben.id, opponent_id=ben.id)
    which = (matches.c.challenger_id == anna.id) | (matches.c.opponent_id == anna.id)
    await store.write(partial(match_store.end_challenges, which=which, gone=anna.id))
    columns = matches.c.id, matches.c.status, matches.c.version, matches.c.news, matches.c.news_by
    ended = (2, 2, anna.id)
    assert await _rows(table, *columns, matches.c.expires) == [
        (1, "withdrawn", *ended, None),
        (2, "declined", *ended, None),
        (3, "proposed", 1, 1, None, 9),
        (4, "withdrawn", *ended, None),
        (5, "running", 1, 1, None, None),
    ]


async def test_who_begins_to_play_is_never_forgotten_for_being_away_and_nobody_else_stays(
    table: Table,
) -> None:
    store = table.app.store
    ids = [
        (await people.get_or_create_user(store, "web", name, name=name, idle_since=7)).id
        for name in ("Dora", "Eve", "Fay")
    ]
    match = await match_store.create(store, new_match(table, *ids[:2], expires=2**30))
    assert [row[1] for row in await _rows(table, users.c.id, users.c.idle_since)] == [7, 7, 7]

    about: dict[str, Any] = {"is_news": True, "by": ids[1], "setup": "s", "turn": frozenset({0})}
    seats, status = (ids[1], ids[0]), Status.RUNNING
    after = match.next_version(**about, status=status, seats=seats, expires=None)

    async def begins() -> None:
        await match_store.begin(store, match, after)

    await begins()
    with pytest.raises(StaleBoard):
        await begins()
    assert [row[1] for row in await _rows(table, users.c.id, users.c.idle_since)] == [None, None, 7]
    assert await match_store.load(store, match.id) == after
