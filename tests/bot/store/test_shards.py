"""Which process serves which shard, in the database: claimed, renewed, lost."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from sqlalchemy import insert

from bot.store import Store, boards, key_values, leases, places, shards
from bot.store.leases import Lease
from bot.store.schema import processes
from bot.store.schema import shards as shards_table
from bot.store.shards import Fence
from bot.support.errors import ShardLostError
from bot.support.platforms import Shard
from tests.bot.store.sql import execute
from tests.bot.store.test_places import place
from tests.bot.table import Person, Table

TALK = Shard("talk")
FOURTHS = [Shard("discord", number, 4) for number in range(4)]


@pytest.fixture
async def there(table: Table) -> AsyncIterator[Store]:
    """Open the same database a second time, as another process does."""
    other = await Store.open(table.settings.database, clock=table.clock)
    yield other
    await other.close()


async def test_whoever_has_lost_it_stores_nothing(store: Store, there: Store) -> None:
    for one in (store, there):
        await shards.beat(one, seconds=1000)
    await shards.claim(there, [TALK], tenure="first")
    unit = there.together_with(Fence(TALK.platform, "first"))

    await key_values.remember(unit, "talk", "before", "")
    await shards.remove(store, [there.database.holder])
    with pytest.raises(ShardLostError):
        await key_values.remember(unit, "talk", "nobody's", "")
    await shards.claim(store, [TALK], tenure="second")
    with pytest.raises(ShardLostError):
        await key_values.remember(unit, "talk", "another's", "")
    # Nor what was begun by the same process before it was lost.
    await shards.remove(store, [store.database.holder])
    await shards.beat(there, seconds=1000)
    await shards.claim(there, [TALK], tenure="third")
    with pytest.raises(ShardLostError):
        await key_values.remember(unit, "talk", "of the first tenure", "")
    assert [*await key_values.recall_all(store, "talk", "")] == ["before"]


async def test_boards_are_those_of_the_shards_that_a_process_speaks_for(
    store: Store, table: Table, anna: Person, ben: Person
) -> None:
    """Servers by their numbers, direct conversations in the first, and other platforms whole."""
    match = (await table.loaded(await table.begin(anna, ben))).match
    for platform, server in (
        ("discord", 5 << 22),
        ("discord", (6 << 22) + 1),
        ("discord", None),
        ("talk", None),
    ):
        community = None if server is None else str(server)
        there = await place(store, f"in {server}", platform=platform, community=community)
        await boards.add(store, match, there.id, seat=None)
    platforms = frozenset({"discord", "talk"})

    def lease(holder: str, *numbers: int) -> Lease:
        mine = tuple(FOURTHS[number] for number in numbers)
        return Lease(holder, platforms, store.now(), store.now() + 60, (*mine, TALK))

    async def claimed(lease: Lease, platform: str = "discord") -> list[str]:
        found = await leases.claim(store, lease, platform, limit=9, exclude=())
        return [(await places.place(store, one.place_id)).external for one in found]

    one = FOURTHS[1]
    values = {"platform": one.platform, "number": one.number, "count": one.count}
    await execute(
        store,
        insert(processes).values(holder="a", until=store.now() + 60),
        insert(shards_table).values(**values, holder="a", term="t"),
    )
    assert await claimed(lease("a", 1)) == [f"in {5 << 22}"]
    assert await claimed(lease("b", 0, 2)) == [f"in {(6 << 22) + 1}", "in None"]
    assert await claimed(lease("c", 3)) == []
    assert await claimed(lease("c", 3), "talk") == ["in None"]
    # A move takes the player's own work along and leaves the rest to others.
    for holder in "abc":
        await leases.release(store, [holder])
    moved = replace(match, version=9)
    await store.write(lambda connection: leases.mark_behind(connection, moved, lease("a", 1)))
    assert await claimed(lease("c", 1)) == []
    assert await claimed(lease("c", 0, 2, 3)) == [f"in {(6 << 22) + 1}", "in None"]
