"""A refusal is deleted with the next answer, even by another process, and nothing else is."""

import pytest

from bot.store import Store
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import Chat, Message, Person
from tests.bot.store.sql import rows

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
    """Return the messages of a chat that the bot has asked to delete, in order."""
    return [
        int(call.given["message_id"])
        for call in table.api.calls
        if call.method == "deleteMessage" and call.given["chat_id"] == str(chat.id)
    ]


async def noted(table: Table) -> set[int]:
    """Return the messages that are stored to be deleted, while the bot is stopped."""
    store = await Store.open(table.database)
    messages = {int(message) for (message,) in await rows(store, "SELECT message FROM passing")}
    await store.close()
    return messages


async def test_a_refusal_is_deleted_with_the_next_answer_also_after_a_restart(
    table: Table,
) -> None:
    api, anna, group = table.api, table.anna, table.group
    async with table.open():
        board = await table.begin()
        why, other = await refused(table, anna), await refused(table, table.ben)
    left = {other["message_id"]}
    assert await noted(table) == left | {why["message_id"]}
    async with table.open():
        anna.presses(group, board, "d3")
        await api.until(lambda: not is_there(why, group))
    assert left <= group.messages.keys()
    assert await noted(table) == left


@pytest.mark.slow
async def test_a_refusal_that_cannot_be_deleted_is_tried_once(table: Table) -> None:
    group = table.group
    async with table.open():
        await table.begin()
        old, missing = await refused(table, table.anna), await refused(table, table.ben)
    old["date"] -= LONG_AGO
    del group.messages[missing["message_id"]]
    tried = {old["message_id"], missing["message_id"]}
    async with table.open():
        table.anna.says(group, "/othello d3")
        await table.api.until(lambda: table.is_shown("d3"))
        table.ben.says(group, "/othello c3")
        await table.api.until(lambda: tried <= set(deleted(table, group)))
    assert is_there(old, group)
    assert await noted(table) == set()
    assert table.troubles() == []


@pytest.mark.slow
async def test_in_a_group_with_a_new_id_no_other_message_is_deleted_in_its_place(
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


@pytest.mark.slow
async def test_a_deleted_account_leaves_no_refusal(table: Table) -> None:
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
