"""Updates and memos of platforms: kept until they are handled, and remembered."""

from unittest.mock import Mock

import pytest

from bot.store import Store, inbox, key_values, upkeep
from bot.store.inbox import Finishing
from tests.bot.store.sql import execute
from tests.bot.table import Table

A_DAY = 24 * 3600


async def test_an_update_is_finished_with_what_is_written_because_of_it_and_no_other_is(
    store: Store,
) -> None:
    assert await inbox.receive(store, "chat", {2: {"said": 2}, 1: {"said": 1}, 3: {}}) == [1, 2, 3]
    assert await inbox.receive(store, "elsewhere", {1: {"said": "there"}}) == [1]
    finishing = Finishing("chat", 1, left=["owed"])
    unit = store.together_with(finishing)
    assert [finishing.done] == [False]

    with pytest.raises(ZeroDivisionError):
        await unit.write(Mock(side_effect=ZeroDivisionError))
    assert [finishing.done] == [False]
    assert await inbox.unfinished(store, "chat") == {1: {"said": 1}, 2: {"said": 2}, 3: {}}
    await execute(unit)
    assert [finishing.done] == [True]
    await Finishing("chat", 2).finish(store)
    assert await inbox.unfinished(store, "chat") == {1: ["owed"], 3: {}}
    assert await inbox.unfinished(store, "elsewhere") == {1: {"said": "there"}}


async def test_what_was_finished_is_remembered_for_three_days_and_the_rest_until_it_is(
    table: Table, store: Store
) -> None:
    await inbox.receive(store, "chat", {1: {}, 2: {}})
    await Finishing("chat", 1).finish(store)
    table.clock.forward(3 * A_DAY)
    await inbox.receive(store, "chat", {3: {}})
    await Finishing("chat", 3).finish(store)
    await upkeep.purge(store)
    assert await inbox.receive(store, "chat", {1: {}, 2: {}, 3: {}}) == []
    table.clock.forward(1)
    await upkeep.purge(store)
    assert await inbox.receive(store, "chat", {1: {}, 2: {}, 3: {}}) == [1]


async def test_what_is_remembered_of_one_platform_is_nothing_of_another(table: Table) -> None:
    store = table.app.store
    for platform, key, value in (
        ("chat", "a_b", "1"),
        ("chat", "a_c", "2"),
        ("chat", "axb", "3"),
        ("far", "a_b", "4"),
        ("chat", "a_b", "5"),
    ):
        await key_values.remember(store, platform, key, value)

    assert await key_values.recall_all(store, "far", "") == {"a_b": "4"}
    assert await key_values.recall_all(store, "chat", "a_") == {"a_b": "5", "a_c": "2"}
    assert await key_values.get(store, "chat", "a_b") == "5"
    assert await key_values.get(store, "far", "a_b") == "4"
    assert await key_values.get(store, "far", "a_c") is None
