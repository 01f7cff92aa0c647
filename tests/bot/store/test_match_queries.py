"""Queries for matches, each with rows that it must leave out."""

from functools import partial
from itertools import count
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from bot.domain.errors import StaleBoard
from bot.domain.model import Computer, Place, PlaceKind, Player, Status
from bot.domain.waits import Wait
from bot.store import Store, match_queries, people, places
from bot.store import matches as match_store
from bot.store.database.engine import new_id
from bot.store.match_queries import ActiveMatch, Timer
from bot.store.players import computer_in, levels_of, sitters, users_of
from bot.store.schema import boards, matches, moves, seats
from tests.bot.store.sql import execute
from tests.bot.table import Person, Table
from tests.optional import not_none

_CODES = map(str, count(1))


async def put(
    store: Store,
    place: Place,
    status: Status,
    *seated: int,
    on_turn: int = 0,
    shown: tuple[Place, ...] = (),
    **values: Any,
) -> int:
    """Store a match and return its id; the first player is the challenger by default."""
    now = store.now()
    whole = {
        "code": next(_CODES),
        "game": "othello",
        "rules": 1,
        "options": {},
        "setup": "",
        "status": status.value,
        "version": 1,
        "turn": on_turn,
        "place_id": place.id,
        "challenger_id": seated[0] if seated else None,
        "created": now,
        "updated": now,
        **values,
    }

    def step(connection: Connection) -> int:
        match_id = new_id(connection.execute(insert(matches).values(**whole)))
        for seat, user_id in enumerate(seated):
            row = {"match_id": match_id, "seat": seat, "user_id": user_id}
            connection.execute(insert(seats).values(**row))
        for board in shown:
            connection.execute(
                insert(boards).values(
                    match_id=match_id,
                    place_id=board.id,
                    seat=-1,
                    shown=1,
                    wanted=1,
                    notified=1,
                    news=1,
                    platform=board.platform,
                )
            )
        return match_id

    return await store.write(step)


FIRST, SECOND, BOTH = 1, 2, 3
"""Who is on turn, a bit for each seat."""


async def test_what_is_open_of_somebody_begins_with_what_waits_for_them_each_part_oldest_first(
    table: Table, store: Store, anna: Person, ben: Person, cleo: Person
) -> None:
    place = table.lounge
    a, b, c = anna.id, ben.id, cleo.id
    mine = await put(store, place, Status.RUNNING, a, b, on_turn=FIRST, updated=30)
    theirs = await put(store, place, Status.RUNNING, b, a, on_turn=FIRST, updated=10)
    asked = await put(store, place, Status.PROPOSED, challenger_id=b, opponent_id=a, updated=20)
    again = await put(store, place, Status.PROPOSED, challenger_id=c, opponent_id=a, updated=40)
    offered = await put(
        store, place, Status.PROPOSED, challenger_id=a, held_for="web:zoe", updated=5
    )
    sent = await put(store, place, Status.PROPOSED, challenger_id=a, opponent_id=c, updated=15)
    alone = await put(store, place, Status.RUNNING, a, on_turn=FIRST, updated=30, game="sogo")
    late = await put(store, place, Status.RUNNING, c, a, on_turn=BOTH, updated=50)
    # What is none of theirs, is over, or cannot be played.
    await put(store, place, Status.RUNNING, b, c, on_turn=BOTH, updated=1)
    await put(store, place, Status.PROPOSED, challenger_id=b, opponent_id=c, updated=1)
    await put(store, place, Status.PROPOSED, challenger_id=b, updated=1)
    for status in (Status.OVER, Status.DECLINED):
        await put(store, place, status, a, b, on_turn=FIRST, opponent_id=b, updated=1)
    await put(store, place, Status.RUNNING, a, b, on_turn=FIRST, updated=1, aside=1)
    await put(store, place, Status.PROPOSED, challenger_id=b, opponent_id=a, updated=1, aside=1)

    def one(
        id_: int,
        since: int,
        other: int | None,
        *,
        waits: bool,
        is_proposed: bool = False,
        game: str = "othello",
        held_for: str = "",
    ) -> ActiveMatch:
        state = (is_proposed, other, waits, held_for, waits and not is_proposed)
        return ActiveMatch(id_, game, place.id, since, 1, *state)

    found = await match_queries.open_of(store, a)
    assert found == [
        one(asked, 20, b, waits=True, is_proposed=True),
        one(mine, 30, b, waits=True),
        one(alone, 30, None, waits=True, game="sogo"),
        one(again, 40, c, waits=True, is_proposed=True),
        one(late, 50, c, waits=True),
        one(offered, 5, None, waits=False, is_proposed=True, held_for="web:zoe"),
        one(theirs, 10, b, waits=False),
        one(sent, 15, c, waits=False, is_proposed=True),
    ]
    assert await match_queries.open_of(store, a, limit=3) == found[:3]
    # Of those that are on, it has waited for the longest time; of two it is the first.
    assert await match_queries.longest_waiting(store, a) == mine
    assert await match_queries.longest_waiting(store, (await table.arrive("Dora")).id) is None


async def test_of_somebodys_matches_those_are_found_that_are_asked_for(
    table: Table, store: Store, anna: Person, ben: Person, cleo: Person
) -> None:
    here, garden = table.lounge, await table.channel("garden")
    a, b, c = anna.id, ben.id, cleo.id
    plain = await put(store, here, Status.RUNNING, a, b, on_turn=SECOND, shown=(here,))
    turn = await put(store, garden, Status.RUNNING, b, a, on_turn=SECOND, game="sogo")
    brought = await put(store, garden, Status.RUNNING, a, c, on_turn=SECOND, shown=(garden, here))
    over = await put(store, here, Status.OVER, a, b)
    asked = await put(store, here, Status.PROPOSED, challenger_id=b, opponent_id=a)
    made = await put(store, garden, Status.PROPOSED, challenger_id=a, opponent_id=b, game="sogo")
    # Of others.
    await put(store, here, Status.RUNNING, b, c, on_turn=BOTH, shown=(here,))
    await put(store, here, Status.PROPOSED, challenger_id=b, opponent_id=c)
    await put(store, here, Status.PROPOSED, challenger_id=b)
    every = (Status.RUNNING, Status.PROPOSED)

    async def found(**asked: Any) -> list[int]:
        return await match_queries.of_user(store, a, **asked)

    assert await found() == [brought, turn, plain]
    assert await found(on_turn=True) == [turn]
    assert await found(game="sogo") == [turn]
    assert await found(game="othello") == [brought, plain]
    assert await found(place_id=here.id) == [brought, plain]
    assert await found(place_id=garden.id) == [brought, turn]
    assert await found(status=(Status.OVER,)) == [over]
    assert await found(status=every) == [made, asked, brought, turn, plain]
    assert await found(status=every, game="sogo") == [made, turn]
    assert await found(status=every, place_id=here.id) == [asked, brought, plain]
    assert await found(status=every, place_id=garden.id, game="sogo") == [made, turn]
    assert await found(status=(Status.PROPOSED,), game="othello") == [asked]


async def test_of_matches_made_in_a_place_those_are_found_that_are_asked_for(
    table: Table, store: Store, anna: Person, ben: Person, cleo: Person
) -> None:
    here, garden = table.lounge, await table.channel("garden")
    a, b, c = anna.id, ben.id, cleo.id

    async def asks(challenger: int, opponent: int | None, place: Place = here, **more: Any) -> int:
        return await put(
            store, place, Status.PROPOSED, challenger_id=challenger, opponent_id=opponent, **more
        )

    one, two = await asks(a, b), await asks(a, b)
    other, back = await asks(a, c), await asks(b, a)
    anybody, theirs = await asks(a, None), await asks(b, None)
    far, far_too = await asks(a, b, garden), await asks(c, None, garden)
    sogo, held = await asks(a, b, game="sogo"), await asks(c, None, held_for="web:anna")
    aside = await asks(a, b, aside=1)
    new = await put(store, here, Status.RUNNING, a)
    begun, second = (
        await put(store, here, Status.RUNNING, a),
        await put(store, here, Status.RUNNING, b),
    )
    made = {"match_id": begun, "ply": 0, "seat": 0, "notation": "d3", "at": 1}
    await execute(store, moves.insert().values(made))
    newer = await put(store, here, Status.RUNNING, a)
    await put(store, here, Status.OVER, a)
    away = await put(store, garden, Status.RUNNING, a)
    puzzle = await put(store, here, Status.RUNNING, a, game="sogo")

    assert await match_queries.challenges_to(store, a) == [held, back]
    assert await match_queries.challenges_to(store, b) == [sogo, far, two, one]
    assert await match_queries.challenges_to(store, c) == [other]
    assert await match_queries.open_to_all(store, here.id, but=a) == [theirs]
    assert await match_queries.open_to_all(store, here.id, but=c) == [theirs, anybody]
    assert await match_queries.open_to_all(store, garden.id, but=a) == [far_too]
    in_place, running = match_queries.in_place, [Status.RUNNING]
    found = [puzzle, newer, second, begun, new]
    assert await in_place(store, here.id, status=running) == found
    every = (Status.RUNNING, Status.PROPOSED)
    assert {puzzle, sogo} < set(await in_place(store, here.id, status=every))
    assert await in_place(store, garden.id, status=every) == [away, far_too, far]
    assert aside in await in_place(store, here.id, status=every)


async def test_challenges_are_found_in_the_order_in_which_their_time_is_up(
    table: Table, store: Store, anna: Person
) -> None:
    async def until(expires: int, **values: Any) -> int:
        status = values.pop("status", Status.PROPOSED)
        values = {"challenger_id": anna.id, "expires": expires, **values}
        return await put(store, table.lounge, status, **values)

    async def expired(now: int) -> list[int]:
        return [one.id for one in await match_queries.due(store, Timer.EXPIRY, until=now)]

    assert await match_queries.next_due(store, Timer.EXPIRY) is None
    await until(3, aside=1)
    await until(3, status=Status.EXPIRED)
    late, later = await until(30), await until(31)
    first, early, same = await until(20), await until(10), await until(20)
    assert await match_queries.next_due(store, Timer.EXPIRY) == 10
    assert await expired(30) == [early, first, same, late]
    assert await expired(31) == [early, first, same, late, later]
    assert await expired(9) == []


async def test_what_is_of_other_rules_or_was_put_aside_is_looked_over(
    table: Table, store: Store, anna: Person
) -> None:
    here, a = table.lounge, anna.id
    newest = await put(store, here, Status.RUNNING, a, rules=2)
    older = await put(store, here, Status.RUNNING, a, rules=1)
    gone = await put(store, here, Status.RUNNING, a, game="chess", rules=2)
    await put(store, here, Status.OVER, a, rules=1)
    await put(store, here, Status.OVER, a, rules=1, aside=1)
    # What begins of it begins by the rules of that day.
    await put(store, here, Status.PROPOSED, challenger_id=a, rules=1)
    aside = await put(store, here, Status.PROPOSED, challenger_id=a, rules=2, aside=1)
    put_aside = await put(store, here, Status.RUNNING, a, rules=2, aside=1)
    sogo = await put(store, here, Status.RUNNING, a, game="sogo", rules=1)
    rules = {"othello": 2, "sogo": 1}
    assert await match_queries.unsettled(store, rules) == [older, gone, aside, put_aside]
    assert await match_queries.unsettled(store, {"othello": 1}) == [
        newest,
        gone,
        aside,
        put_aside,
        sogo,
    ]
    assert sogo in await match_queries.unsettled(store, {})


async def test_who_has_closed_their_conversation_is_out_of_reach_where_nothing_else_shows_a_match(
    table: Table, store: Store, anna: Person, ben: Person, cleo: Person
) -> None:
    dora = await table.arrive("Dora")
    for person, reach in ((anna, "yes"), (ben, "no"), (cleo, "no"), (dora, "no")):
        await places.change_place(store, person.direct.id, settings={"reach": reach})
    a, b, c, d = anna.id, ben.id, cleo.id, dora.id
    direct = (anna.direct, ben.direct)
    private = await put(store, anna.direct, Status.RUNNING, a, b, shown=direct)
    await put(store, table.lounge, Status.RUNNING, a, c, shown=(table.lounge, cleo.direct))
    public = await put(store, table.lounge, Status.RUNNING, a, b, shown=(table.lounge, *direct))
    asked = await put(
        store,
        anna.direct,
        Status.PROPOSED,
        challenger_id=a,
        opponent_id=d,
        shown=(anna.direct, dora.direct),
    )
    # A private chat with the same name, on another platform.
    other = await places.get_or_create_place(
        store, "chat", anna.identity, kind=PlaceKind.DIRECT, title="Anna"
    )
    await places.change_place(store, other.id, settings={"reach": "no"})
    elsewhere = await put(store, other, Status.RUNNING, a, c, shown=(anna.direct, other))
    unreached = match_queries.out_of_reach
    assert await unreached(store, private) == {b}
    assert await unreached(store, public) == set()
    assert await unreached(store, asked) == {d}
    assert await unreached(store, elsewhere) == set()


async def test_somebody_plays_under_the_name_of_their_platform(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    twin = await people.get_or_create_user(store, "chat", anna.identity, name="Dora")
    first = await put(store, table.lounge, Status.RUNNING, anna.id, ben.id)
    await put(store, table.lounge, Status.RUNNING, twin.id)
    second = await put(store, table.lounge, Status.RUNNING, anna.id)
    await put(store, table.lounge, Status.OVER, anna.id, ben.id)
    await put(store, table.lounge, Status.PROPOSED, challenger_id=anna.id)
    found = await match_queries.running_ids(store, "web", [anna.identity])
    assert found == {anna.identity: [first, second]}


async def test_a_match_is_found_by_its_code_and_says_its_version(
    table: Table, store: Store, anna: Person
) -> None:
    await put(store, table.lounge, Status.RUNNING, anna.id, code="one", version=7)
    two = await put(store, table.lounge, Status.RUNNING, anna.id, code="two", version=9)
    assert await match_queries.by_code(store, "two") == two
    assert await match_queries.by_code(store, "three") is None
    assert await match_queries.version(store, two) == 9
    assert await match_queries.version(store, two + 1) is None


async def test_matches_without_moves_are_checked_when_they_are_due(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    both = (anna.id, ben.id)
    later = await put(store, table.lounge, Status.RUNNING, *both, look_at=9, version=4)
    first = await put(store, table.lounge, Status.RUNNING, *both, look_at=7, version=3)
    await put(store, table.lounge, Status.RUNNING, *both)
    await put(store, table.lounge, Status.RUNNING, *both, look_at=1, aside=1)
    assert await match_queries.next_due(store, Timer.CHECK) == 7
    due = partial(match_queries.due, store, Timer.CHECK)
    assert await due(until=9, limit=9) == [(first, 3, 7), (later, 4, 9)]
    assert await due(until=9, limit=1) == [(first, 3, 7)]
    assert await due(until=6, limit=9) == []


async def test_a_wait_starts_anew_with_each_move_and_goes_on_with_what_is_beside(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    day, now = 24 * 3600, store.now()
    assert await match_queries.next_due(store, Timer.CHECK) == now + day
    wait = Wait(step_at=now + 9 * day, nudge_from=now + 2 * day, nudged=5, warned=6)
    match = (await table.loaded(match_id)).match

    async def steps() -> None:
        after = match.next_version(keeps_position=True, wait=wait)
        await match_store.commit(store, match, after)

    await steps()
    stored = not_none(await match_store.load(store, match_id))
    assert stored.wait == wait
    assert await match_queries.next_due(store, Timer.CHECK) == wait.nudge_from
    # It was stored for an earlier version.
    with pytest.raises(StaleBoard):
        await steps()
    table.app.matches.memory.invalidate()
    table.clock.forward(60)
    await table.plays(match_id, "d3")
    assert (await table.loaded(match_id)).match.wait == Wait()
    stored = not_none(await match_store.load(store, match_id))
    assert stored.wait == Wait()
    assert await match_queries.next_due(store, Timer.CHECK) == now + 60 + day
    await table.given_up(match_id, anna)
    assert await match_queries.next_due(store, Timer.CHECK) is None


async def test_in_a_place_are_the_users_of_its_newest_matches_and_challenges(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    store, other = table.app.store, await table.channel("garden")
    await put(store, table.lounge, Status.RUNNING, cleo.id, ben.id)
    await put(store, table.lounge, Status.RUNNING, anna.id, ben.id)
    await put(store, table.lounge, Status.PROPOSED, anna.id)
    await put(store, table.lounge, Status.OVER, cleo.id, ben.id)
    await put(store, other, Status.RUNNING, cleo.id, ben.id)
    assert await match_queries.people_in(store, table.lounge.id, limit=1) == {anna.id, ben.id}
    found = await match_queries.people_in(store, table.lounge.id, limit=2)
    assert found == {anna.id, ben.id, cleo.id}
    assert await match_queries.people_in(store, other.id, limit=2) == {cleo.id, ben.id}


@pytest.mark.parametrize(
    ("seats", "levels", "users", "computer"),
    [
        ((7,), None, {0: 7}, None),
        ((7, 3), None, {0: 7, 1: 3}, None),
        ((7, Computer(2)), [None, 2], {0: 7}, Computer(2)),
        ((Computer(5), 7), [5, None], {1: 7}, Computer(5)),
        ((), None, {}, None),
    ],
)
def test_who_sits_in_a_match_is_read_as_it_was_written(
    seats: tuple[Player, ...],
    levels: list[int | None] | None,
    users: dict[int, int],
    computer: Computer | None,
) -> None:
    assert levels_of(seats) == levels
    assert users_of(seats) == users
    assert sitters(levels, users) == seats
    assert computer_in(levels) == computer
