"""The process that serves a shard: claimed, kept, lost in time, never two at once."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from unittest.mock import AsyncMock

import pytest
from sqlalchemy import select, update

from bot.loops.watch import ChangePoller
from bot.matches import shards as shards_module
from bot.matches.shards import Shards, ShardsTakenError
from bot.store import Store, inbox
from bot.store import shards as shard_store
from bot.store.database.changes import NOTHING
from bot.store.database.postgres import Postgres
from bot.store.inbox import Finishing
from bot.store.schema import boards
from bot.support.errors import ShardLostError
from bot.support.platforms import Shard
from tests.bot.store.sql import execute, rows
from tests.bot.table import Person, Table
from tests.fate import Fate, make_mortal
from tests.sampling import sampled

TALK = {"talk": (Shard("talk"),)}


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Replace the monotonic clock of all processes."""
    time = [1000.0]
    monkeypatch.setattr(shards_module, "_now", lambda: time[0])
    return time


@asynccontextmanager
async def process(table: Table) -> AsyncIterator[tuple[Store, Shards]]:
    store = await Store.open(table.settings.database)
    try:
        yield store, Shards(store)
    finally:
        await store.close()


@pytest.mark.parametrize(
    ("one", "other", "overlap"),
    [
        (Shard("talk"), Shard("talk"), True),
        (Shard("talk"), Shard("chat"), False),
        (Shard("talk"), Shard("talk", 3, 16), True),
        (Shard("talk", 3, 16), Shard("talk", 4, 16), False),
        # 5 of 16 are some of those that are 5 of 8.
        (Shard("talk", 5, 16), Shard("talk", 5, 8), True),
        (Shard("talk", 13, 16), Shard("talk", 5, 8), True),
        (Shard("talk", 12, 16), Shard("talk", 5, 8), False),
        (Shard("talk", 1, 3), Shard("talk", 1, 2), True),
    ],
)
def test_shards_overlap_where_a_chat_may_be_in_both(
    one: Shard, other: Shard, *, overlap: bool
) -> None:
    assert one.overlaps(other) is overlap
    assert other.overlaps(one) is overlap


@pytest.mark.sqlite
async def test_where_one_process_is_alone_all_is_its_own(table: Table) -> None:
    shards = table.app.shards
    await shards.begin(TALK)
    assert shards.serves("talk")
    assert (shards.of("talk"), shards.held()) == ((), {"talk": 1})
    assert shards.within("talk") is table.app.store
    await shards.end()
    assert shards.serves("talk")


@pytest.mark.postgres
async def test_one_speaks_and_another_as_soon_as_that_one_stops(table: Table) -> None:
    async with process(table) as (_, one), process(table) as (_, other):
        await one.begin(TALK)
        await other.begin(TALK)
        assert (one.serves("talk"), other.serves("talk")) == (True, False)
        assert (one.held(), other.held()) == ({"talk": 1}, {"talk": 0})
        assert one.of("talk") == (Shard("talk"),)
        # Before the shards are divided, every process may speak.
        assert other.serves("elsewhere")
        await one.end()
        await other.once()
        assert (one.serves("talk"), other.serves("talk")) == (False, True)


@pytest.mark.postgres
async def test_whoever_was_stopped_knows_by_its_watch_and_the_database_that_another_speaks(
    table: Table, watch: list[float]
) -> None:
    async with process(table) as (store, one), process(table) as (_, other):
        await one.begin(TALK)
        await other.begin(TALK)
        mine = one.within("talk")
        # Before the database would give it to another.
        watch[0] += 8
        assert not one.serves("talk")
        await one.once()
        assert one.serves("talk")
        # It sleeps, and its watch with it.
        await shard_store.beat(store, seconds=0)
        await other.once()
        assert (one.serves("talk"), other.serves("talk")) == (True, True)
        with pytest.raises(ShardLostError):
            await mine.write(lambda _: None, NOTHING)
        await one.once()
        assert (one.serves("talk"), other.serves("talk")) == (False, True)
        await other.within("talk").write(lambda _: None, NOTHING)


@pytest.mark.postgres
async def test_what_is_delivered_to_whoever_has_lost_it_is_left_to_the_other(table: Table) -> None:
    app = table.app
    await app.shards.begin(TALK)
    assert await inbox.receive(app.shards.within("talk"), "talk", {1: {}}) == [1]
    await shard_store.remove(app.store, [app.store.database.holder])
    with pytest.raises(ShardLostError):
        await inbox.receive(app.shards.within("talk"), "talk", {2: {}})
    with pytest.raises(ShardLostError):
        await Finishing("talk", 1).finish(app.shards.within("talk"))
    assert await inbox.receive(app.store, "talk", {3: {}}) == [3]
    assert await inbox.unfinished(app.store, "talk") == {1: {}, 3: {}}
    # A new tenure.
    await app.shards.once()
    await Finishing("talk", 1).finish(app.shards.within("talk"))
    assert await inbox.unfinished(app.store, "talk") == {3: {}}
    await app.shards.end()


@pytest.mark.postgres
async def test_whoever_has_died_is_missed_at_two_looks(table: Table, watch: list[float]) -> None:
    async with process(table) as (_, other):
        async with process(table) as (_, one):
            await one.begin(TALK)
            await other.begin(TALK)
            watch[0] += 2
            await other.once()
            assert not other.serves("talk")
        watch[0] += 2
        await other.once()
        assert not other.serves("talk"), "perhaps a connection was lost"
        # A look too soon is none.
        await other.once()
        assert not other.serves("talk")
        watch[0] += 2
        await other.once()
        assert other.serves("talk")


class Died(BaseException):
    """Nothing after this is done."""


class Dies(Fate):
    """Ends a process at one of its steps, from 1."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.steps: list[str] = []

    async def comes(self, when: str, what: str) -> None:
        self.steps.append(f"{when} {what}")
        if len(self.steps) == self.at:
            raise Died


async def takes_over(shards: Shards, watch: list[float]) -> None:
    """Start dividing, and check for other processes until none is left."""
    await shards.begin(TALK)
    for _ in range(4):
        watch[0] += 2
        await shards.once()


async def dies(table: Table, fate: Dies, life: Callable[[Shards], Awaitable[None]]) -> bool:
    """True if a process dies in this `life`."""
    async with process(table) as (store, shards):
        make_mortal(store, fate)
        try:
            await life(shards)
        except Died:
            return True
    return False


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.parametrize("is_heir", sampled([False, True], True))
async def test_at_whatever_step_of_dividing_a_process_dies_another_speaks_in_time(
    table: Table, watch: list[float], *, is_heir: bool
) -> None:
    async def life(shards: Shards) -> None:
        await takes_over(shards, watch)
        await shards.end()

    fate = Dies(1)
    while True:
        if is_heir:
            # What is taken over is that of one who has died, too.
            async with process(table) as (_, first):
                await first.begin(TALK)
        if not await dies(table, fate, life):
            break
        async with process(table) as (_, other):
            await takes_over(other, watch)
            assert other.serves("talk"), fate.steps[-1]
            await other.within("talk").write(lambda _: None, NOTHING)
            await other.end()
        fate = Dies(fate.at + 1)
    died_at = {"shards.beat", "shards.claim", "shards.remove", "leases.release"}
    if is_heir:
        died_at |= {"shards.bury"}
    assert {step.split()[-1] for step in fate.steps} == died_at
    assert len(fate.steps) == fate.at - 1 >= 2 * len(died_at)


@pytest.mark.postgres
async def test_the_boards_of_a_process_that_has_died_are_for_others(
    table: Table, watch: list[float], anna: Person, ben: Person
) -> None:
    await table.begin(anna, ben)
    async with process(table) as (store, first):
        await first.begin(TALK)
        held = {"lease_holder": store.database.holder, "lease_until": 2**31 - 1}
        await execute(table.app.store, update(boards).values(wanted=boards.c.wanted + 1, **held))
    async with process(table) as (_, other):
        await takes_over(other, watch)
        await other.end()
    holders = await rows(table.app.store, select(boards.c.lease_holder))
    assert {holder for (holder,) in holders} == {None}


@pytest.mark.postgres
async def test_nobody_speaks_whom_the_others_cannot_see(
    table: Table, watch: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with process(table) as (_, one):
        await one.begin(TALK)
        assert one.serves("talk")
        monkeypatch.setattr(Postgres, "is_present", False)
        watch[0] += 1
        assert one.serves("talk")
        watch[0] += 1
        assert not one.serves("talk")
        monkeypatch.setattr(Postgres, "is_present", True)
        assert one.serves("talk")


@pytest.mark.postgres
async def test_whoever_has_but_lost_its_connections_and_says_so_keeps_what_it_has(
    table: Table, watch: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever another looks, the connection by which it is seen has just been cut again."""
    async with process(table) as (store, one), process(table) as (_, other):
        await one.begin(TALK)
        tenure = one.tenure("talk")

        async def absent(_: Postgres, holders: Collection[str]) -> set[str]:
            return {store.database.holder}.intersection(holders)

        monkeypatch.setattr(Postgres, "absent", absent)
        await other.begin(TALK)
        for seconds in range(11, 15):
            watch[0] += 2
            monkeypatch.setattr(shards_module, "_LEASE", seconds)
            await one.once()
            await other.once()
        assert (one.serves("talk"), other.serves("talk")) == (True, False)
        assert one.tenure("talk") == tenure


@pytest.mark.postgres
async def test_whoever_says_that_it_is_there_while_another_looks_is_not_taken_for_dead(
    table: Table, watch: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with process(table) as (store, one), process(table) as (_, other):
        await one.begin(TALK)
        await other.begin(TALK)

        async def absent(_: Postgres, __: Collection[str]) -> set[str]:
            return {store.database.holder}

        bury = shard_store.bury

        async def back_before(by: Store, holders: Mapping[str, int]) -> set[str]:
            monkeypatch.setattr(shards_module, "_LEASE", 11)
            await one.once()
            return await bury(by, holders)

        monkeypatch.setattr(Postgres, "absent", absent)
        monkeypatch.setattr(shard_store, "bury", back_before)
        for _ in range(2):
            watch[0] += 2
            await other.once()
        assert (one.serves("talk"), other.serves("talk")) == (True, False)


@pytest.mark.postgres
async def test_whoever_makes_a_connection_again_and_again_is_heard_and_speaks(
    table: Table, watch: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is cut as soon as it is there."""
    app = table.app
    await app.shards.begin(TALK)
    monkeypatch.setattr(Postgres, "is_present", False)
    watch[0] += 2
    assert not app.shards.serves("talk")
    await ChangePoller(app).once()
    assert app.shards.serves("talk")
    await app.shards.end()


@pytest.mark.postgres
async def test_whoever_cannot_be_seen_does_not_say_that_it_is_there(
    table: Table, watch: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, said, is_there = Counter[bool](), asyncio.Event(), False

    def is_present(_: Postgres) -> bool:
        looks[is_there] += 1
        return is_there

    async with process(table) as (_, one):
        await one.begin(TALK)
        monkeypatch.setattr(shards_module, "_BEAT_EVERY", 0)
        monkeypatch.setattr(Postgres, "is_present", property(is_present))
        monkeypatch.setattr(one, "once", AsyncMock(side_effect=said.set))
        watch[0] += 2
        working = asyncio.create_task(one.run())
        while looks[False] < 3:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0)
        assert not said.is_set()
        is_there = True
        await ended(said.wait)
        working.cancel()
        await asyncio.wait([working])


@pytest.mark.slow
@pytest.mark.postgres
async def test_whoever_needs_what_a_living_process_has_does_not_begin(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept = asyncio.sleep

    async with process(table) as (_, one), process(table) as (store, other):
        await one.begin({"talk": (Shard("talk", 0, 4), Shard("talk", 1, 4))})

        async def goes_on(seconds: float) -> None:
            await one.once()
            await slept(min(seconds, 1))

        monkeypatch.setattr(asyncio, "sleep", goes_on)
        with pytest.raises(ShardsTakenError, match=r"^talk 1/4$"):
            await other.begin(
                {"talk": (Shard("talk", 1, 4), Shard("talk", 2, 4))}, at_once=["talk"]
            )
        assert store.database.holder not in await shard_store.present(store)


async def ended(work: Callable[[], Awaitable[object]]) -> object:
    return await work()


@pytest.mark.postgres
async def test_work_goes_on_as_long_as_it_is_ours(table: Table, watch: list[float]) -> None:
    done = list[str]()
    begun, stopped = asyncio.Event(), asyncio.Event()

    async def serve() -> None:
        done.append("begun")
        begun.set()
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            done.append("stopped")
            stopped.set()

    async with process(table) as (store, one):
        await one.begin(TALK)
        working = asyncio.create_task(one.while_ours("talk", serve))
        await ended(begun.wait)
        begun.clear()
        watch[0] += 9
        await ended(stopped.wait)
        await one.once()
        await ended(begun.wait)
        begun.clear()
        # Others may have spoken for a moment, of which nothing is to be seen.
        tenure = one.tenure("talk")
        await shard_store.remove(store, [store.database.holder])
        await one.once()
        assert one.serves("talk")
        assert one.tenure("talk") != tenure
        await ended(begun.wait)
        working.cancel()
        await asyncio.wait([working])
    assert done == ["begun", "stopped"] * 3


@pytest.mark.postgres
async def test_work_goes_on_while_others_do_not_see_us_for_a_moment(
    table: Table, watch: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, stopped, looks = asyncio.Event(), asyncio.Event(), Counter[float]()

    async def serve() -> None:
        begun.set()
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            stopped.set()

    def seen_by() -> float:
        looks[watch[0]] += 1
        return watch[0]

    async with process(table) as (_, one):
        await one.begin(TALK)
        working = asyncio.create_task(one.while_ours("talk", serve))
        await ended(begun.wait)
        monkeypatch.setattr(shards_module, "_now", seen_by)
        monkeypatch.setattr(shards_module, "_LISTEN_EVERY", 0.001)
        monkeypatch.setattr(Postgres, "is_present", False)
        watch[0] += 2
        assert not one.serves("talk")
        while looks[watch[0]] < 10:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0)
        assert not stopped.is_set()
        # No process can know now whether others speak.
        watch[0] += 7
        await ended(stopped.wait)
        working.cancel()
        await asyncio.wait([working])


@pytest.mark.postgres
async def test_whoever_is_late_and_comes_back_while_others_look_is_not_taken_for_dead(
    table: Table, watch: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All were held up for longer than a lease: one is back just behind the look of the other."""
    async with process(table) as (_, one), process(table) as (_, other):
        await one.begin(TALK)
        await other.begin(TALK)
        overdue = shard_store.overdue
        monkeypatch.setattr(shards_module, "_LEASE", -1)
        await one.once()
        monkeypatch.setattr(shards_module, "_LEASE", 10)

        async def looked_up_and_then_back(store: Store) -> dict[str, int]:
            late = await overdue(store)
            monkeypatch.setattr(shard_store, "overdue", overdue)
            await one.once()
            return late

        monkeypatch.setattr(shard_store, "overdue", looked_up_and_then_back)
        watch[0] += 1
        await other.once()
        assert (one.serves("talk"), other.serves("talk")) == (True, False)


@pytest.mark.postgres
async def test_whoever_is_taken_for_dead_while_it_takes_begins_anew(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has just said that it is there, and another has missed it before."""
    take, ends = shard_store.claim, 0

    async def taken_for_dead_before(
        store: Store, wanted: Collection[Shard], *, tenure: str
    ) -> dict[Shard, str]:
        nonlocal ends
        ends += 1
        if ends == 2:
            await shard_store.remove(store, [store.database.holder])
        return await take(store, wanted, tenure=tenure)

    monkeypatch.setattr(shard_store, "claim", taken_for_dead_before)
    async with process(table) as (store, one):
        await one.begin({**TALK, "chat": (Shard("chat"),)})
        assert (one.serves("talk"), one.serves("chat")) == (True, True)
        assert await shard_store.held(store) == {
            Shard("talk"): store.database.holder,
            Shard("chat"): store.database.holder,
        }
        for platform in ("talk", "chat"):
            await one.within(platform).write(lambda _: None, NOTHING)
