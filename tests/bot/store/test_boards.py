"""Boards in the database: changed, claimed, stored, found; and no others with them."""

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from sqlalchemy import insert, select, text, update

from bot.domain.model import ERASED, UNSURE, Board, Match, Place
from bot.store import Store, boards, leases, shards
from bot.store.leases import BoardUpdate, Lease
from bot.store.schema import boards as boards_table
from bot.store.schema import processes
from bot.store.schema import shards as shards_table
from bot.support.platforms import Shard
from tests.bot.store import test_places
from tests.bot.store.sql import execute, rows
from tests.bot.table import Person, Table

MINUTE, HOUR = 60, 3600


@pytest.fixture
async def match(table: Table, anna: Person, ben: Person) -> Match:
    """Start Anna's and Ben's match, shown in the lounge on board 1: behind, unclaimed."""
    match = (await table.loaded(await table.begin(anna, ben))).match
    await freed(table.app.store)
    return match


@pytest.fixture
def mine(store: Store) -> Lease:
    return Lease("mine", frozenset({"web"}), store.now(), store.now() + MINUTE)


@pytest.fixture
def yours(mine: Lease) -> Lease:
    return replace(mine, holder="yours")


async def put(store: Store, *ids: int, **values: Any) -> None:
    """Update boards."""
    which = boards_table.c.id.in_(ids) if ids else text("1 = 1")
    await execute(store, update(boards_table).where(which).values(**values))


async def freed(store: Store) -> None:
    """Release the boards that the last move claimed."""
    await put(store, lease_holder=None, lease_until=0)


async def column(store: Store, board_id: int, name: str) -> Any:
    query = select(boards_table.c[name]).where(boards_table.c.id == board_id)
    ((value,),) = await rows(store, query)
    return value


async def board(store: Store, board_id: int) -> Board:
    found = await boards.by_id(store, board_id)
    assert found is not None
    return found


place = partial(test_places.place, platform="web")


async def shown_in(store: Store, match: Match, *names: str) -> list[Place]:
    """Show a match in more channels, one board each."""
    found = [await place(store, name) for name in names]
    for one in found:
        await boards.add(store, match, one.id, seat=None)
    return found


async def claimed(
    store: Store,
    lease: Lease,
    platform: str = "web",
    *,
    limit: int = 99,
    but: Collection[int] = (),
    unless_changed: Collection[int] = (),
) -> list[int]:
    found = await leases.claim(
        store, lease, platform, limit=limit, exclude=but, unless_changed=unless_changed
    )
    return [one.id for one in found]


# Taking them in hand


async def test_so_many_boards_are_claimed_oldest_first_and_nobody_elses(
    store: Store, match: Match, mine: Lease, yours: Lease, monkeypatch: pytest.MonkeyPatch
) -> None:
    await shown_in(store, match, "a", "b", "c")
    # Whatever was changed last lies last, and is no younger for it.
    for number in (3, 2, 1):
        await put(store, number, lease_holder=None, lease_until=0)
    await put(store, 4, platform="chat")
    assert await claimed(store, mine, limit=2) == [1, 2]
    assert await claimed(store, yours) == [3]
    assert await claimed(store, yours, but=[3]) == []
    theirs = replace(yours, platforms=frozenset({"chat"}))
    assert await claimed(store, yours, "chat") == []
    assert await claimed(store, theirs, "chat") == [4]
    # Reading one's claims needs no transaction: a write would fail here.
    monkeypatch.delattr(Store, "write")
    assert await claimed(store, mine) == [1, 2]


async def test_a_lease_of_whoever_speaks_there_no_more_holds_up_nobody_who_does(
    store: Store, match: Match, mine: Lease
) -> None:
    """They were taken for dead, took the board all the same, and do not know it yet."""
    await put(store, lease_holder="yours", lease_until=mine.until)
    assert await claimed(store, mine) == []
    speaking = replace(mine, shards=(Shard("web", 0, 1),))
    values = {"platform": "web", "number": 0, "count": 1, "holder": "yours", "term": "t"}
    await execute(
        store,
        insert(processes).values(holder="yours", until=mine.until),
        insert(shards_table).values(values),
    )
    assert await claimed(store, speaking) == []
    await shards.remove(store, ["yours"])
    assert await claimed(store, mine) == []
    assert await claimed(store, speaking) == [1]


async def test_a_lease_ends_in_its_second_and_the_next_one_is_whole(
    store: Store, match: Match, mine: Lease, yours: Lease
) -> None:
    await put(store, lease_holder="yours", lease_until=mine.now + 1)
    assert await claimed(store, mine) == []
    later = replace(mine, now=mine.now + 1, until=mine.until + 1)
    assert await claimed(store, later) == [1]
    assert await column(store, 1, "lease_until") == mine.until + 1
    assert await claimed(store, replace(yours, now=later.until - 1, until=later.until + 59)) == []


async def test_whoever_comes_back_to_a_board_has_it_for_long_enough_and_nobody_else_does(
    store: Store, match: Match, mine: Lease, yours: Lease, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It had to wait for most of a lease: while it is being shown the lease must not end."""
    assert await claimed(store, mine) == [1]
    late = replace(mine, now=mine.until - 1, until=mine.until - 1 + MINUTE)
    assert await claimed(store, late) == [1]
    assert await column(store, 1, "lease_until") == late.until
    assert await claimed(store, replace(yours, now=mine.until, until=late.until + 1)) == []
    # As long as half of it is left, it costs nothing.
    half = replace(late, now=late.now + MINUTE // 2, until=late.until + MINUTE // 2)
    monkeypatch.delattr(Store, "write")
    assert await claimed(store, half) == [1]


async def test_what_was_made_to_wait_is_due_in_its_second_and_not_after_years(
    store: Store, match: Match, mine: Lease
) -> None:
    """Nothing waits for an hour: whatever would was stored by a clock that has been set since."""
    await put(store, shown=2, wanted=2, notified=1, news=2, notify_after=mine.now)
    assert await claimed(store, mine) == [1]
    for seconds, is_due in ((1, False), (HOUR, False), (HOUR + 1, True)):
        await put(store, notify_after=mine.now + seconds)
        assert await claimed(store, mine) == [1] * is_due, seconds
    # Nothing to tell, and nothing to show.
    await put(store, notified=2, notify_after=0)
    assert await claimed(store, mine) == []
    for left in ("former", "former_notice"):
        await put(store, **{left: "m1"}, notify_after=mine.now + 1)
        assert await claimed(store, mine) == [1]
        await put(store, **{left: None})


async def test_where_telling_has_failed_a_board_is_claimed_again_for_what_has_changed(
    store: Store, match: Match, mine: Lease
) -> None:
    await put(store, shown=2, wanted=2, notified=1, news=2)
    assert await claimed(store, mine, unless_changed=[1]) == []
    assert await claimed(store, mine, unless_changed=[2]) == [1]
    await put(store, wanted=3)
    assert await claimed(store, mine, unless_changed=[1]) == [1]


async def test_a_change_of_a_match_concerns_its_boards_and_whose_platform_one_serves(
    store: Store, match: Match, mine: Lease, yours: Lease, table: Table
) -> None:
    """Board 2 is on another platform, 3 in other hands, 4 another match's."""
    await shown_in(store, match, "a", "b")
    other = (await table.loaded(await table.begin(*table.people.values(), words="sogo"))).match
    assert (await boards.of_match(store, other.id))[0].id == 4
    await put(store, shown=2, wanted=2, news=2, notified=2, notify_after=mine.now + 9)
    await freed(store)
    await put(store, 2, platform="chat")
    await put(store, 3, lease_holder="yours", lease_until=yours.until)

    async def marked(
        reached: int, lease: Lease | None, news: int = 1
    ) -> list[tuple[int, int, int, str | None]]:
        """Mark the boards; return of each: version wanted, event, delay, lease holder."""
        after = replace(match, version=reached, news=news)
        await store.write(lambda connection: leases.mark_behind(connection, after, lease))
        found = await boards.of_match(store, match.id)
        return [
            (
                one.wanted,
                one.news,
                await column(store, one.id, "notify_after") - mine.now,
                await column(store, one.id, "lease_holder"),
            )
            for one in found
        ]

    nobodys = replace(mine, platforms=frozenset())
    for lease in (None, nobodys):
        told = await marked(3, lease)
        assert told == [(3, 2, 9, None), (3, 2, 9, None), (3, 2, 9, "yours")]
    told = await marked(4, mine)
    assert told == [(4, 2, 9, "mine"), (4, 2, 9, None), (4, 2, 9, "yours")]
    assert await column(store, 1, "lease_until") == mine.until
    assert await column(store, 3, "lease_until") == yours.until
    told = await marked(5, None, news=5)
    assert [(wanted, news, after + mine.now) for wanted, news, after, _ in told] == [(5, 5, 0)] * 3
    fourth = await board(store, 4)
    assert (fourth.wanted, fourth.news) == (2, 2)
    assert await column(store, 4, "lease_holder") is None


# What has been done about them


async def test_what_was_done_is_noted_of_this_board_as_far_as_it_is_still_true(
    store: Store, match: Match, mine: Lease
) -> None:
    await shown_in(store, match, "a")
    first, second = await leases.claim(store, mine, "web", limit=9, exclude=())
    told = BoardUpdate.shown(first, 2, "m1", is_told=True, has_told=True)
    left = await leases.record_work(store, told, mine)
    assert left is None
    found = await board(store, 1)
    assert (found.message, found.shown, found.notified) == ("m1", 2, 2)
    assert await column(store, 1, "lease_holder") is None
    assert await column(store, 2, "lease_holder") == "mine"
    assert await board(store, 2) == second
    # Shown, and people are to be told in a moment: it stays in our hands.
    later = BoardUpdate.shown(second, 2, "m2", is_told=False, has_told=False, notify_after=mine.now)
    await put(store, 2, notified=1)
    assert await leases.record_work(store, later, mine)
    assert await column(store, 2, "lease_until") == mine.until
    # Before that it is unclaimed.
    second = await board(store, 2)
    held = BoardUpdate(second, {"notice": None, "notify_after": mine.now + 1})
    assert await leases.record_work(store, held, mine) is None
    assert await column(store, 2, "notify_after") == mine.now + 1
    assert await column(store, 2, "lease_holder") is None


async def test_who_notes_what_was_done_takes_no_board_from_others_and_none_that_others_speak_for(
    store: Store, match: Match, mine: Lease, yours: Lease
) -> None:
    await shown_in(store, match, "a")
    first, second = await leases.claim(store, mine, "web", limit=9, exclude=())
    # We were stopped: others have taken one of them, and speak there now.
    await put(store, 1, lease_holder="yours", lease_until=yours.until)
    silent = replace(mine, platforms=frozenset({"telegram"}))
    for at, lease in ((1, mine), (2, silent)):
        later = BoardUpdate.shown(
            (first, second)[at - 1], 2, "m1", is_told=False, has_told=False, notify_after=mine.now
        )
        await put(store, at, notified=1)
        assert await leases.record_work(store, later, lease) is None
        assert (await board(store, at)).message == "m1"
    assert await column(store, 1, "lease_holder") == "yours"
    assert await column(store, 1, "lease_until") == yours.until
    # Another process may claim it.
    assert await claimed(store, replace(yours, holder="third")) == [2]


async def test_a_board_that_went_to_the_bottom_meanwhile_is_posted_again_its_notice_noted(
    store: Store, match: Match, mine: Lease, table: Table
) -> None:
    await put(store, message="m1", shown=1, notified=1)
    before = await board(store, 1)
    await boards.add(store, match, table.lounge.id, seat=None)
    done = BoardUpdate.shown(before, 2, "m1", is_told=True, has_told=True)
    assert await leases.record_work(store, done, mine)
    moved = await board(store, 1)
    assert (moved.message, moved.former, moved.shown) == (None, "m1", -1)
    assert moved.notified == 1
    told = BoardUpdate.notified(before, 2, "n1", has_told=True)
    await leases.record_work(store, told, mine)
    moved = await board(store, 1)
    assert (moved.notice, moved.former_notice, moved.former) == ("n1", None, "m1")
    # Of the two that there are now, the first is to go.
    await leases.record_work(store, BoardUpdate.notified(moved, 3, "n2", has_told=True), mine)
    moved = await board(store, 1)
    assert (moved.notice, moved.former_notice, moved.notified) == ("n2", "n1", 3)


async def test_a_board_that_is_wanted_anew_twice_while_it_is_shown_is_shown_once_more(
    store: Store, match: Match, mine: Lease, table: Table
) -> None:
    await put(store, message="m1", shown=-1)
    before = await board(store, 1)
    for _ in range(2):
        await boards.show_in(store, table.lounge.id)
    done = BoardUpdate.shown(before, 2, "m1", is_told=True, has_told=True)
    assert await leases.record_work(store, done, mine)
    again = await board(store, 1)
    assert again.shown < again.wanted
    assert again.notified == 2
    done = BoardUpdate.shown(again, 2, "m1", is_told=True, has_told=True)
    assert await leases.record_work(store, done, mine) is None


async def test_what_one_board_cannot_tell_others_of_its_match_tell_once(
    store: Store, match: Match, mine: Lease
) -> None:
    await shown_in(store, match, "a", "b", "c", "d")
    await put(store, shown=2, wanted=2, news=2, notified=2, notify_after=0)
    await put(store, 1, notified=1, notice="n1")
    # The second has notified a player, the third and fourth have not.
    await put(store, 2, notice="n2")
    await put(store, 3, notify_after=mine.now + 9)
    await put(store, 4, notify_after=mine.now + 9)
    one = await board(store, 1)
    await leases.hand_over(store, one, [2, 3])
    assert await claimed(store, mine) == [1, 3]
    given = await board(store, 1)
    assert (given.notified, given.notice, given.former_notice) == (2, None, "n1")
    # Once: there is nothing left to hand over.
    await put(store, 3, notified=-1)
    third = await board(store, 3)
    await leases.hand_over(store, one, [4])
    assert await claimed(store, mine) == [1, 3]
    # A process whose claim was passed on twice has notified too few.
    await put(store, 1, notified=1, former_notice=None)
    await leases.hand_over(store, await board(store, 1), [3])
    done = BoardUpdate.notified(third, 2, None, has_told=False)
    assert await leases.record_work(store, done, mine)
    # A notice that is still to be taken away is not forgotten for a later one.
    await put(store, 1, notified=1, notice="n3", former_notice="n0")
    await leases.hand_over(store, await board(store, 1), [])
    given = await board(store, 1)
    assert (given.notice, given.former_notice) == ("n3", "n0")


# Wanting them


async def test_in_one_place_there_is_a_board_for_all_or_one_for_each_seat(
    store: Store, match: Match, table: Table, anna: Person
) -> None:
    (elsewhere,) = await shown_in(store, match, "a")
    other = (await table.loaded(await table.begin(*table.people.values(), words="sogo"))).match
    await boards.add(store, other, anna.direct.id, seat=None)
    await put(store, message="m", shown=2)
    here = anna.direct.id
    await boards.add(store, match, here, seat=None)
    for seat in (0, 1, 0):
        await boards.add(store, match, here, seat=seat)
    found = await boards.of_match(store, match.id, place_id=here)
    assert [one.seat for one in found] == [0, 1]
    assert len({one.id for one in found}) == 2
    untouched = [
        *(await boards.of_match(store, match.id, place_id=elsewhere.id)),
        *(await boards.of_match(store, other.id)),
    ]
    assert len(untouched) == 3
    assert {(one.message, one.shown) for one in untouched} == {("m", 2)}
    assert await boards.is_shown(store, match.id, here)
    assert not await boards.is_shown(store, match.id, other.place_id + 99)
    assert not await boards.is_shown(store, other.id, elsewhere.id)


async def test_a_board_that_is_asked_for_calls_nobody_unless_it_is_to(
    store: Store, mine: Lease, table: Table, anna: Person
) -> None:
    await anna.types("/challenge othello")
    challenge = (await table.loaded(await table.newest())).match
    await shown_in(store, challenge, "quiet")
    loud = await place(store, "loud")
    await boards.add(store, challenge, loud.id, seat=None, is_told=False)
    await put(store, shown=1, message="m")
    await freed(store)
    assert await claimed(store, mine) == [
        (await boards.of_match(store, challenge.id, place_id=one.id))[0].id
        for one in (table.lounge, loud)
    ]
    # A channel may have a private chat's name.
    odd = await place(store, f"{ERASED}1")
    await boards.add(store, challenge, odd.id, seat=None)
    assert await boards.is_shown(store, challenge.id, odd.id)


# By their messages


async def test_a_message_is_looked_for_where_it_was_seen(
    store: Store, match: Match, table: Table
) -> None:
    for number, (platform, name, community) in enumerate(
        [("chat", "1", "g"), ("chat", "2", "g"), ("chat", "3", None), ("web", "1", "g")], 2
    ):
        where = await place(store, name, platform=platform, community=community)
        await boards.add(store, match, where.id, seat=None)
        await put(store, number, message=f"m{number}", former=f"f{number}", notice=f"n{number}")
    here = await place(store, "1", platform="chat", community="g")

    async def at(message: str) -> list[int]:
        return [one.id for one in await boards.at(store, here, message)]

    assert [await at(f"{kind}{number}") for kind in "mfn" for number in range(2, 6)] == [
        *([2], [3], [], []),
        *([2], [3], [], []),
        *([], [], [], []),
    ]
    # The same message on another platform is another one.
    await put(store, 5, message="m2", former=None)
    assert await at("m2") == [2]
    assert [one.id for one in await boards.by_message(store, "web", "m2")] == [5]
    assert [one.id for one in await boards.by_message(store, "chat", "m2")] == [2]

    for platform, external, message, told in (
        ("chat", "1", "m2", match.id),
        ("chat", "1", "n2", match.id),
        ("chat", "1", "f2", None),
        ("chat", "1", "m3", None),
        ("chat", "2", "m2", None),
        ("web", "1", "n2", None),
        ("web", "2", "m2", None),
    ):
        assert await boards.match_of_message(store, platform, external, message) == told, message


async def test_a_message_that_turns_up_is_the_one_of_which_nobody_knew(
    store: Store, mine: Lease, table: Table, anna: Person
) -> None:
    for words in ("othello", "sogo"):
        await anna.types(f"/challenge {words}")
    first, second = [(await table.loaded(number)).match for number in (1, 2)]
    elsewhere = (await shown_in(store, first, "a"))[0]
    await put(store, shown=1, notified=1, notify_after=mine.now + 9)
    # It may have arrived or not: what a board was told of, people are to be told once more.
    lost = [BoardUpdate.absent(await board(store, number), 1, UNSURE) for number in (1, 2, 3)]
    assert all([await leases.record_work(store, one, mine) for one in lost])
    await put(store, notified=1)
    assert await claimed(store, mine) == []
    assert await boards.record_message(store, first.id, table.lounge, "m1")
    # It may not show what it ought to, and is looked at once more.
    assert await claimed(store, mine) == [1]
    assert [(await board(store, number)).message for number in (1, 2, 3)] == ["m1", UNSURE, UNSURE]
    assert not await boards.record_message(store, second.id, table.lounge, "m1")
    assert not await boards.record_message(store, first.id, table.lounge, "m2")
    assert [(await board(store, number)).message for number in (1, 2, 3)] == ["m1", UNSURE, UNSURE]
    assert await boards.record_message(store, first.id, elsewhere, "m3")


async def test_what_is_shown_anew_is_shown_where_it_is_to_be_and_nowhere_else(
    store: Store, match: Match, mine: Lease, table: Table, ben: Person
) -> None:
    """Match 1 runs, 2 is over, 3 is asked for; all in the lounge (boards 1 to 3) and beside it."""
    anna = table.people["Anna"]
    over = await table.begin(anna, ben)
    await table.given_up(over, ben)
    await anna.types("/challenge sogo")
    for number in (1, 2, 3):
        await shown_in(store, (await table.loaded(number)).match, "a")
    # A running match that has no board in the lounge.
    fourth = (await table.loaded(await table.begin(anna, ben, words="sogo"))).match
    await boards.drop(store, [7])
    await shown_in(store, fourth, "a")

    async def anew() -> list[int]:
        await freed(store)
        found = await claimed(store, mine)
        await put(store, message="m", shown=99, notified=99)
        return found

    await anew()
    await boards.show_in(store, table.lounge.id)
    assert await anew() == [1]
    await boards.show_beside(store, table.lounge.id)
    assert await anew() == [4, 6]
    for message in (UNSURE, "-m"):
        await put(store, message=message)
        await boards.show_in(store, table.lounge.id)
        await boards.show_beside(store, table.lounge.id)
        assert await anew() == [], message
    # A pending board is sent with the current position.
    await put(store, 1, message=None)
    await boards.show_in(store, table.lounge.id)
    assert await anew() == [1]


# Leases that end, boards that go


async def test_leases_of_the_dead_end_and_nobody_elses(
    store: Store, match: Match, mine: Lease, yours: Lease
) -> None:
    await shown_in(store, match, "a", "b")
    assert await claimed(store, mine, limit=1) == [1]
    assert await claimed(store, yours, limit=1) == [2]
    third = replace(mine, holder="third")
    assert await claimed(store, third) == [3]
    await leases.release(store, ["mine", "third"])
    assert await claimed(store, replace(mine, holder="heir")) == [1, 3]
    await leases.release_all(store)
    assert [await column(store, one, "lease_until") for one in (1, 2, 3)] == [0, 0, 0]
    assert await claimed(store, mine) == [1, 2, 3]


async def test_the_boards_of_a_group_go_and_those_of_others_stay(
    store: Store, match: Match
) -> None:
    for platform, name, community in (
        ("chat", "1", "g"),
        ("chat", "2", "g"),
        ("chat", "3", "h"),
        ("web", "4", "g"),
        ("chat", "5", None),
    ):
        where = await place(store, name, platform=platform, community=community)
        await boards.add(store, match, where.id, seat=None)
    assert await boards.drop_in(store, "chat", "g") == 2
    assert await boards.drop_in(store, "chat", "g") == 0
    assert [one.id for one in await boards.of_match(store, match.id)] == [1, 4, 5, 6]
