"""A refusal is deleted with the next answer, even by another process, and nothing else is."""

from contextlib import AbstractAsyncContextManager, AsyncExitStack

import pytest

from bot.house import running as house
from bot.store import Store
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import Chat, Message, Person

LONG_AGO = 49 * 3600
"""Seconds after which Telegram lets no message be deleted any more."""
SUPER = -1001


async def refused(table: Table, person: Person, chat: Chat | None = None) -> Message:
    """Type an impossible move in a group, and return the message with the reason."""
    chat = chat or table.group
    asked = person.says(chat, "/othello a1")["message_id"]

    def why() -> list[Message]:
        said = chat.messages.values()
        return [one for one in said if one.get("reply_to_message", {}).get("message_id") == asked]

    await table.api.until(why)
    return why()[0]


def is_there(message: Message, chat: Chat) -> bool:
    return message["message_id"] in chat.messages


def deleted(table: Table, chat: Chat) -> list[int]:
    """The messages in a chat of which we have asked that they be deleted, in order."""
    return [
        int(call.given["message_id"])
        for call in table.api.calls
        if call.method == "deleteMessage" and call.given["chat_id"] == str(chat.id)
    ]


async def noted(table: Table) -> set[int]:
    """The messages that are stored as still to be taken away, in a house that is closed."""
    store = await Store.open(table.database)
    async with store.read() as connection:
        found = await connection.exec_driver_sql("SELECT message FROM passing")
        messages = {int(message) for message in found.scalars()}
    await store.close()
    return messages


@pytest.mark.parametrize("how", ["pressed", "typed", "refused"])
async def test_why_not_goes_with_the_next_answer_also_after_a_restart(
    table: Table, how: str
) -> None:
    api, anna, group = table.api, table.anna, table.group
    async with table.open():
        board = await table.begin()
        why, others = await refused(table, anna), await refused(table, table.ben)
    left = {others["message_id"]}
    assert await noted(table) == left | {why["message_id"]}
    async with table.open():
        if how == "pressed":
            anna.presses(group, board, "d3")
        elif how == "typed":
            anna.says(group, "/othello d3")
        else:
            left.add((await refused(table, anna))["message_id"])
        await api.until(lambda: not is_there(why, group))
    assert left <= group.messages.keys()
    assert await noted(table) == left


async def test_why_not_that_somebody_else_has_deleted_is_no_fault(table: Table) -> None:
    async with table.open():
        await table.begin()
        why = await refused(table, table.anna)
    del table.group.messages[why["message_id"]]
    async with table.open():
        table.anna.says(table.group, "/othello d3")
        await table.api.until(lambda: why["message_id"] in deleted(table, table.group))
    assert await noted(table) == set()
    assert table.troubles() == []


async def test_why_not_that_may_not_be_deleted_any_more_stays_and_is_not_tried_again(
    table: Table,
) -> None:
    group = table.group
    async with table.open():
        await table.begin()
        why = await refused(table, table.anna)
    why["date"] -= LONG_AGO
    async with table.open():
        table.anna.says(group, "/othello d3")
        await table.api.until(lambda: why["message_id"] in deleted(table, group))
    assert is_there(why, group)
    assert await noted(table) == set()
    assert table.troubles() == []


async def test_in_a_group_that_is_called_otherwise_now_no_other_message_goes_for_it(
    table: Table,
) -> None:
    api = table.api
    async with table.open():
        await table.begin()
        why = await refused(table, table.anna)
    new = api.becomes_supergroup(table.group, SUPER)
    async with table.open():
        await api.until(lambda: api.boards(new))
        table.anna.presses(new, table.board(new), "d3")
        await api.until(lambda: table.is_shown("d3", new))
        table.anna.says(new, "/play@azumaya_bot")
        await api.until(lambda: tokens(new.newest(), "menu"))
    assert why["message_id"] not in deleted(table, new)
    assert await noted(table) == set()


async def test_who_is_erased_leaves_no_why_not_behind(table: Table) -> None:
    api, anna, group = table.api, table.anna, table.group
    async with table.open():
        await table.begin()
        why, others = await refused(table, anna), await refused(table, table.ben)
    async with table.open():
        anna.starts("privacy")
        await api.until(lambda: anna.private.messages and tokens(anna.private.newest(), "erase"))
        number = anna.private.newest()["message_id"]
        anna.presses(anna.private, anna.private.messages[number], "Delete my data")
        await api.until(lambda: tokens(anna.private.messages[number], "erase:0:0:yes"))
        anna.presses(anna.private, anna.private.messages[number], "Yes, delete Anna")
        await api.until(lambda: not is_there(why, group))
    assert is_there(others, group)
    assert await noted(table) == {others["message_id"]}


@pytest.mark.postgres
@pytest.mark.usefixtures("_engine_of_store")
async def test_why_not_goes_with_the_next_answer_also_by_the_house_that_has_taken_over(
    table: Table,
) -> None:
    api, group = table.api, table.group

    def open_(name: str) -> AbstractAsyncContextManager[object]:
        settings = table.settings(api_base=api.base_of(name))
        web = settings.web.model_copy(update={"enabled": False})
        return house(settings.model_copy(update={"web": web}))

    def by() -> dict[int, str]:
        """Which house has deleted which message."""
        return {
            int(call.given["message_id"]): call.by
            for call in api.calls
            if call.method == "deleteMessage"
        }

    async with AsyncExitStack() as first:
        await first.enter_async_context(open_("first"))
        await api.until(lambda: any(call.by == "first" for call in api.fetches))
        async with open_("second"):
            await table.begin()
            why, again = await refused(table, table.anna), await refused(table, table.ben)
            await first.aclose()
            table.anna.says(group, "/othello d3")
            await api.until(lambda: not is_there(why, group))
            last = await refused(table, table.ben)
            await api.until(lambda: not is_there(again, group))
            async with open_("first"):
                pass
            table.ben.says(group, "/othello c3")
            await api.until(lambda: not is_there(last, group))
    gone = [one["message_id"] for one in (why, again, last)]
    assert [by()[number] for number in gone] == ["second"] * 3
