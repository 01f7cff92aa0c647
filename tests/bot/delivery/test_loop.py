"""The delivery loop: what wakes it, how it waits, how it ends."""

import asyncio

import pytest
from structlog.typing import EventDict

from bot.app import App
from bot.delivery import ClosedError, GoneError, Notice, Outgoing, RetryError
from bot.delivery import Reconciler as Delivery
from bot.delivery import courier as couriers
from bot.delivery.channel import delete_message
from bot.delivery.threads import close_thread
from bot.domain.errors import Refused
from bot.domain.model import Board, Place
from bot.matches import boards as match_boards
from bot.matches import playing, reading
from bot.matches.boards import Relation
from bot.store import Store, places
from bot.store import boards as board_store
from bot.store import leases as lease_store
from bot.store.leases import BoardUpdate, Lease
from bot.support.platforms import Medium
from tests.bot.delivery.working import at_work, boards
from tests.bot.failing import DISK_ERROR, fails, fails_first, waits, watched
from tests.bot.store.sql import execute
from tests.bot.table import Person, Table


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable periodic looks, so that only a signal wakes the loop."""
    monkeypatch.setattr(couriers, "_LOOK_EVERY", 1000.0)


@pytest.fixture(autouse=True)
def _looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Record couriers that are looking (LOOKING) and that have looked (HAVE_LOOKED)."""
    due = couriers.Courier._due
    LOOKING.clear()
    HAVE_LOOKED.clear()

    async def counted(self: couriers.Courier) -> list[Board]:
        LOOKING.append(self)
        try:
            return await due(self)
        finally:
            LOOKING.remove(self)
            HAVE_LOOKED.append(self)

    monkeypatch.setattr(couriers.Courier, "_due", counted)


LOOKING: list[couriers.Courier] = []
HAVE_LOOKED: list[couriers.Courier] = []


async def rests(table: Table) -> None:
    """Wait until the courier has nothing in hand and waits for a signal."""
    (courier,) = table.reconciler._couriers
    while True:
        # Once round the loop, so that it has begun to look where something has changed.
        await asyncio.sleep(0.005)
        if not (courier._in_hand or courier._changed.is_set() or LOOKING):
            break


def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Record sleeps instead of waiting."""
    waited: list[float] = []
    sleep = asyncio.sleep

    async def wait(seconds: float) -> None:
        waited.append(seconds)
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", wait)
    return waited


async def test_whoever_speaks_in_a_closed_place_rouses_its_boards_and_starts_their_pauses_anew(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (courier,), (board,) = table.reconciler._couriers, await boards(table, match)
    table.wall.closed.add(table.lounge.id)
    loop = asyncio.get_running_loop()
    # So long ago that no pause of then lasts still, however short a time the machine has run.
    then = float(int(loop.time()) - 100)
    with monkeypatch.context() as patch:
        patch.setattr(loop, "time", lambda: then)
        pauses = []
        for number in range(5):
            await table.reconciler.once()
            pauses.append(courier._not_before[board.id] - then)
            if number == 2:
                courier.on_activity(table.lounge)
        assert pauses == [2, 4, 8, 2, 4]
    async with at_work(table.reconciler):
        await table.wall.until(lambda: table.wall.refusals == 6)
        await rests(table)
        table.wall.closed.clear()
        courier.on_activity(table.lounge)
        await table.wall.until(lambda: len(table.wall.shown) == 1)
    assert not table.app.changed._events


async def test_of_many_boards_one_goes_on_in_each_pass_of_the_loop(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        await table.begin(anna, ben)
    step, begun, passes = couriers.Courier._step, list[int](), 0

    async def noted(self: couriers.Courier, board: Board) -> BoardUpdate:
        begun.append(passes)
        return await step(self, board)

    async def count() -> None:
        nonlocal passes
        while True:
            passes += 1
            await asyncio.sleep(0)

    monkeypatch.setattr(couriers.Courier, "_step", noted)
    counting = asyncio.create_task(count())
    await table.reconciler.once()
    counting.cancel()
    assert len(begun) >= 5
    assert len(set(begun)) == len(begun)


async def test_a_change_that_follows_while_the_last_one_is_recorded_is_shown_at_once(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, (courier,) = lease_store.record_work, table.reconciler._couriers

    async def recorded(store: Store, done: BoardUpdate, lease: Lease) -> Board | None:
        left = await record(store, done, lease)
        if left is None and not (await table.loaded(match)).match.plies:
            await table.plays(match, "d3")
            while courier._changed.is_set() or LOOKING:  # noqa: ASYNC110 - as in `rests`
                await asyncio.sleep(0.005)
        return left

    monkeypatch.setattr(lease_store, "record_work", recorded)
    async with at_work(table.reconciler):
        await table.wall.until(lambda: [one.version for one in table.wall.shown] == [2, 3])


async def test_a_place_that_is_opened_while_it_refuses_us_is_tried_again_at_once(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (courier,) = table.reconciler._couriers
    send, closed, refusals = table.wall.send, table.app.directory.mark_unreachable, ["", ""]

    async def refuses(outgoing: Outgoing) -> str:
        if refusals:
            refusals.pop()
            # At first while it is said, and then while it is noted.
            if refusals:
                courier.on_activity(outgoing.place)
            raise ClosedError("shut")
        return await send(outgoing)

    async def noted(place: Place) -> Place:
        courier.on_activity(place)
        return await closed(place)

    monkeypatch.setattr(table.wall, "send", refuses)
    monkeypatch.setattr(table.app.directory, "mark_unreachable", noted)
    assert await table.settle() == 0
    assert refusals == []
    assert [post.version for post in table.wall.shown] == [2]


async def test_what_is_to_be_tried_again_rouses_the_loop_when_its_time_has_come(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(couriers, "_AFTER_FAILURE", 0.02)
    fails_first(monkeypatch, table.wall, "show", RetryError(0.02))
    fails_first(monkeypatch, couriers.Courier, "_due", DISK_ERROR)
    async with at_work(table.reconciler), asyncio.timeout(60):
        await table.wall.until(lambda: len(table.wall.shown) == 1)


async def test_as_many_boards_as_there_are_hands_and_one_that_hangs_takes_one_of_them(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(couriers, "_IN_HAND", 2)
    loaded, show = await table.loaded(match), table.wall.show
    at_it, most, release = set[int](), list[int](), asyncio.Event()
    for number in range(4):
        room = await table.channel(f"room{number}")
        await board_store.add(table.app.store, loaded.match, room.id, seat=None)

    async def slow(outgoing: Outgoing, message: str) -> str:
        at_it.add(outgoing.board.id)
        most.append(len(at_it))
        if outgoing.place.id == table.lounge.id:
            await release.wait()
        await asyncio.sleep(0)
        at_it.discard(outgoing.board.id)
        return await show(outgoing, message)

    monkeypatch.setattr(table.wall, "show", slow)
    async with at_work(table.reconciler), asyncio.timeout(60):
        await table.wall.until(lambda: len(table.wall.shown) == 4)
        release.set()
        await table.wall.until(lambda: len(table.wall.shown) == 5)
    assert max(most) == 2


async def test_a_board_that_waits_to_tell_holds_up_nothing_that_there_is_to_show(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (courier,) = table.reconciler._couriers
    notify, show = table.wall.notify, table.wall.show
    until_told, until_shown = [RetryError(1000), RetryError(1000)], [RetryError(1000)]

    async def tells_later(place: Place, notice: Notice) -> str | None:
        if until_told:
            raise until_told.pop()
        return await notify(place, notice)

    async def shows_later(outgoing: Outgoing, message: str) -> str:
        if outgoing.loaded.match.version == 6 and until_shown:
            raise until_shown.pop()
        return await show(outgoing, message)

    monkeypatch.setattr(table.wall, "notify", tells_later)
    monkeypatch.setattr(table.wall, "show", shows_later)

    async def shows(version: int) -> None:
        await table.wall.until(lambda: table.wall.shown[-1:] != [])
        await table.wall.until(lambda: table.wall.shown[-1].version == version)
        await rests(table)

    async with at_work(table.reconciler):
        await shows(2)
        for version, move in ((3, "d3"), (4, "c3")):
            await table.plays(match, move)
            await shows(version)
        assert len(table.wall.told) == 1
        # Where it is the board that has to wait, what comes after it waits as well.
        until_told.append(RetryError(1000))
        await table.plays(match, "c4")
        await shows(5)
        await table.plays(match, "e3")
        await rests(table)
        assert not until_told
        assert not until_shown
        await table.plays(match, "f4")
        await rests(table)
        assert table.wall.shown[-1].version == 5
    until_told.clear()
    await table.settle()
    assert table.wall.shown[-1].version == 7
    assert not courier._notification_only


async def test_a_board_that_waited_to_tell_is_forgotten_with_its_place(
    table: Table, match: int, logged: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    (courier,) = table.reconciler._couriers

    fails(monkeypatch, table.wall, "notify", GoneError)
    assert await table.settle() == 0
    assert await boards(table, match) == []
    assert not courier._notification_only
    assert not courier._in_hand


async def test_whoever_is_to_be_called_elsewhere_is_called_there_at_once(
    table: Table, anna: Person, match: int
) -> None:
    """Nothing else rouses the loop for the other board, which is as it has to be."""
    await table.settle()
    garden = await table.channel("garden")
    await anna.types(f"/board {match}", place=garden)
    await table.settle()
    table.wall.told.clear()
    table.wall.silent.add(table.lounge.id)
    async with at_work(table.reconciler), asyncio.timeout(60):
        await table.plays(match, "d3")
        await table.wall.until(lambda: bool(table.wall.told))
    assert [place for place, _ in table.wall.told] == [garden.id]


@pytest.mark.slow
@pytest.mark.parametrize("ends", [False, True])
async def test_a_board_where_we_may_not_write_is_tried_sixteen_times_once_its_match_is_over(
    table: Table, anna: Person, match: int, *, ends: bool
) -> None:
    table.wall.closed.add(table.lounge.id)
    if ends:
        await playing.resign(table.app.matches, match, anna.id)
    assert [await table.settle() for _ in range(18)] == ([1] * 16 + [0] * 2 if ends else [1] * 18)
    assert bool(await boards(table, match)) != ends


async def test_a_board_of_which_it_is_not_known_whether_its_match_is_over_is_not_given_up(
    table: Table, anna: Person, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (courier,) = table.reconciler._couriers
    given_up, trouble = courier._should_give_up, Refused("unreadable")

    async def unread(board: Board) -> bool:
        with monkeypatch.context() as patch:
            fails(patch, reading, "get", trouble)
            return await given_up(board)

    monkeypatch.setattr(couriers, "_TRIES_WHERE_CLOSED", 1)
    monkeypatch.setattr(courier, "_should_give_up", unread)
    table.wall.closed.add(table.lounge.id)
    await playing.resign(table.app.matches, match, anna.id)
    assert [await table.settle() for _ in range(3)] == [1, 1, 1]
    monkeypatch.setattr(courier, "_should_give_up", given_up)
    assert await table.settle() == 0
    assert await boards(table, match) == []


async def test_what_is_to_be_taken_away_or_closed_later_waits_as_long_as_the_platform_wants(
    table: Table, match: int, logged: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    (courier,), waited = table.reconciler._couriers, slept(monkeypatch)
    tried = fails_first(monkeypatch, table.wall, "delete", RetryError(7), RetryError())
    await delete_message(courier._channel, table.lounge, "m1")
    assert (waited, len(tried)) == ([7, 2], 3)
    fails(monkeypatch, table.wall, "delete", RetryError(3))
    await delete_message(courier._channel, table.lounge, "m1")
    # Nor for ever.
    assert waited[2:] == [3] * 8
    (given_up,) = [line for line in logged if line["level"] == "warning"]
    assert (given_up["event"], given_up["message"]) == ("message not deleted", "m1")
    assert given_up["place"] == table.lounge.id

    waited.clear()
    fails_first(monkeypatch, places, "place", RetryError(7), RetryError())
    await close_thread(table.app, courier._channel, table.lounge.id)
    assert waited == [7, 2]


async def test_threads_that_cannot_be_looked_for_at_the_start_are_no_end(
    table: Table, match: int, logged: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    table.wall.medium = Medium(opens_threads=True)

    fails(monkeypatch, board_store, "threads_to_close", DISK_ERROR)
    async with at_work(table.reconciler) as task:
        await table.wall.until(lambda: len(table.wall.shown) == 1)
        assert not task.done()


async def test_what_is_being_stored_when_the_house_closes_is_stored_before_it_has_closed(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is shown is not waited for, then; what is stored is.
    monkeypatch.setattr(couriers, "_LAST_SECONDS", 0.02)
    note, begun, noted = lease_store.record_work, asyncio.Event(), asyncio.Event()

    async def slowly(store: Store, done: BoardUpdate, lease: Lease) -> Board | None:
        begun.set()
        await asyncio.sleep(0.05)
        found = await note(store, done, lease)
        noted.set()
        return found

    monkeypatch.setattr(lease_store, "record_work", slowly)
    async with at_work(table.reconciler):
        await begun.wait()
    assert noted.is_set()
    (board,) = await boards(table, match)
    assert [board.message] == list(table.wall.posts)


@pytest.mark.postgres
async def test_of_several_houses_one_that_stops_leaves_its_work_to_the_others_at_once(
    table: Table, match: int
) -> None:
    there = await App.open(table.settings, clock=table.clock)
    others = Delivery(there, {"web": table.wall})
    table.wall.closed.add(table.lounge.id)
    await table.app.shards.begin({})
    # It takes nothing from those who are at it, when it starts nor while it runs.
    async with at_work(others), asyncio.timeout(60):
        while not HAVE_LOOKED:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.005)
    assert table.wall.shown == []
    assert await others.once() == 0
    async with at_work(table.reconciler):
        await table.wall.until(lambda: table.wall.refusals == 1)
        await rests(table)
    table.wall.closed.clear()
    # Its fronts still serve.
    await table.plays(match, "d3")
    await table.app.shards.end()
    assert await others.once() == 0
    assert [post.version for post in table.wall.shown] == [3]
    await there.close()


async def test_every_message_of_a_board_and_each_of_its_news_has_a_key_of_its_own(
    table: Table, anna: Person, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = fails_first(monkeypatch, table.wall, "send", RetryError(0))
    courier = table.reconciler._couriers[0]
    board = (await courier._due())[0]
    await courier._update(board)
    await table.plays(match, "d3")
    await table.settle()
    # A retry repeats the nonce, and another message has another nonce.
    assert (len(sent), len({outgoing.key for (outgoing,) in sent})) == (2, 1)
    await anna.types("/board")
    await table.settle()
    await anna.types("/board")
    await table.settle()
    keys = [outgoing.key for (outgoing,) in sent]
    assert len(set(keys)) == 3
    for move in ("c3", "c4"):
        await table.plays(match, move)
        await table.settle()
    told = [notice.key for _, notice in table.wall.told]
    assert len(set(told)) == len(told) == 3
    assert all(key and len(key) <= 24 and key.replace(".", "").isalnum() for key in told)
    assert all(key and len(key) <= 20 and key.replace(".", "").isalnum() for key in keys)


async def test_a_board_that_calls_in_private_keeps_nobody_in_a_channel_from_being_called(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.wall.medium = Medium(boards_call=True)
    await table.settle()
    assert [place for place, _ in table.wall.told] == [table.lounge.id]
    deleted = watched(monkeypatch, table.wall, "delete")
    for move in ("d3", "c3"):
        await table.plays(match, move)
        await table.settle()
    # Each takes the place of the one before, and of nothing else.
    assert len(table.wall.notices) == 1
    assert len(deleted) == 2
    assert None not in [message for _, message in deleted]


async def test_whose_platform_needs_no_notices_is_told_nothing(table: Table, match: int) -> None:
    table.wall.medium = Medium(notifies=False)
    await table.plays(match, "d3")
    await table.settle()
    assert [post.version for post in table.wall.shown] == [3]
    assert table.wall.told == []


async def test_the_loop_rests_while_nothing_changes(table: Table, match: int) -> None:
    async with at_work(table.reconciler):
        await table.wall.until(lambda: len(table.wall.shown) == 1)
        await table.plays(match, "d3")
        await table.wall.until(lambda: table.wall.shown[-1].version == 3)
        await rests(table)
        before = len(HAVE_LOOKED)
        for _ in range(20):
            # Takes about as long as a look does.
            await boards(table, match)
        assert len(HAVE_LOOKED) - before <= 2


async def test_the_loop_is_roused_by_whoever_asks_for_a_board_or_touches_one_in_doubt(
    table: Table, anna: Person, match: int
) -> None:
    async with at_work(table.reconciler):
        await table.wall.until(lambda: len(table.wall.shown) == 1)
        loaded = await table.loaded(match)
        await match_boards.show(table.app.matches, loaded, anna.direct, user_id=anna.id)
        await table.wall.until(lambda: len(table.wall.shown) == 2)
        assert table.wall.shown[-1].place == anna.direct.id
        await execute(table.app.store, "UPDATE boards SET message = '?' WHERE place_id = 1")
        touched = await match_boards.recognise(
            table.app.matches, match, table.lounge, "m9", carries=True
        )
        assert touched is Relation.BOARD
        await table.wall.until(lambda: "m9" in table.wall.posts)


async def test_what_is_being_shown_when_the_house_closes_is_shown_to_the_end(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, release = waits(monkeypatch, table.wall, "show")
    task = asyncio.create_task(table.reconciler.run())
    await begun.wait()
    task.cancel()
    await asyncio.sleep(0)
    release.set()
    await asyncio.gather(task, return_exceptions=True)
    (board,) = await boards(table, match)
    assert [board.message] == list(table.wall.posts)
