"""Key-value pairs, separate for each platform."""

from bot.store import key_values
from tests.bot.table import Table


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

    async def every() -> list[dict[str, str]]:
        return [await key_values.recall_all(store, one, "") for one in ("chat", "far")]

    assert await every() == [{"a_b": "5", "a_c": "2", "axb": "3"}, {"a_b": "4"}]
    assert await key_values.recall_all(store, "chat", "a_") == {"a_b": "5", "a_c": "2"}
    assert await key_values.recall(store, "chat", "a_b") == "5"
    assert await key_values.recall(store, "far", "a_b") == "4"
    assert await key_values.recall(store, "far", "a_c") is None
    await key_values.forget(store, "chat", "a_b")
    await key_values.forget(store, "far", "a_c")
    assert await every() == [{"a_c": "2", "axb": "3"}, {"a_b": "4"}]
