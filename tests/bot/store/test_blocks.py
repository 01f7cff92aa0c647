"""Blocks: each person has their own list."""

import pytest

from bot.domain.errors import Refused
from bot.store import Store, blocks, people, personal_data
from tests.bot.table import Person, Table


async def test_a_block_is_of_one_by_one_and_taken_back_by_them_alone(
    table: Table, store: Store, anna: Person, ben: Person, cleo: Person
) -> None:
    dora = await table.arrive("Dora")
    for blocker, blocked in ((anna, ben), (anna, cleo), (ben, anna), (dora, ben), (anna, ben)):
        await blocks.add(store, blocker.id, blocked.id)
        table.clock.forward(1)

    async def listed(person: Person, limit: int = 9) -> list[str]:
        found = await blocks.listed(store, person.id, limit=limit)
        assert await blocks.count(store, person.id) >= len(found)
        return [user.name for user in found]

    assert [await listed(one) for one in (anna, ben, cleo, dora)] == [
        ["Cleo", "Ben"],
        ["Anna"],
        [],
        ["Ben"],
    ]
    assert await listed(anna, 1) == ["Cleo"]
    assert not await blocks.remove(store, cleo.id, ben.id)
    assert not await blocks.remove(store, dora.id, cleo.id)
    assert await blocks.remove(store, anna.id, ben.id)
    assert [await listed(one) for one in (anna, ben, dora)] == [["Cleo"], ["Anna"], ["Ben"]]


async def test_blocks_of_who_was_erased_count_and_are_taken_back_one_by_one(
    table: Table, store: Store, anna: Person
) -> None:
    # A block outlives the account only on platforms where people keep their id.
    ben, cleo = [
        await people.get_or_create_user(store, "chat", name, name=name) for name in ("Ben", "Cleo")
    ]
    when = []
    for blocked in (ben, cleo):
        when.append(store.now())
        await blocks.add(store, anna.id, blocked.id)
        table.clock.forward(1)
    dora = await table.arrive("Dora")
    await blocks.add(store, anna.id, dora.id)
    await blocks.add(store, dora.id, ben.id)
    for gone in (ben, cleo):
        await personal_data.erase(store, gone.id, name=f"#{gone.id}")
    hers = await blocks.erased(store, anna.id, limit=9)
    assert list(hers.values()) == when[::-1]
    assert len(await blocks.erased(store, dora.id, limit=9)) == 1
    assert list(await blocks.erased(store, anna.id, limit=1)) == list(hers)[:1]
    assert [await blocks.count(store, one.id) for one in (anna, dora)] == [3, 1]
    last, first = hers
    await blocks.remove_erased(store, dora.id, first)
    await blocks.remove_erased(store, anna.id, last)
    assert list(await blocks.erased(store, anna.id, limit=9)) == [first]
    assert [await blocks.count(store, one.id) for one in (anna, dora)] == [2, 1]
    for by, of, code in ((anna.id, cleo.id, "person-gone"), (cleo.id, anna.id, "forgotten")):
        with pytest.raises(Refused, match=code):
            await blocks.add(store, by, of)


async def test_whom_somebody_has_blocked_is_called_as_on_their_platform(store: Store) -> None:
    anna, ben, zoe, other, far = [
        (await people.get_or_create_user(store, platform, name, name=name, handle=name)).id
        for platform, name in (
            ("web", "a"),
            ("web", "b"),
            ("web", "zoe"),
            ("web", "z"),
            ("chat", "z"),
        )
    ]
    for blocker, blocked in ((anna, zoe), (anna, far), (ben, other)):
        await blocks.add(store, blocker, blocked)
    assert await people.handles(store, "web", "z", limit=9, blocked_by=anna) == ["zoe"]
    assert await people.handles(store, "web", "x", limit=9, blocked_by=anna) == []
