"""A refusal is deleted with the next answer, even by another process, and nothing else is."""

from bot.store import Store
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.server import Chat, Message, Person
from tests.bot.store.sql import rows

"""Seconds after which Telegram lets no message be deleted any more."""


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


async def noted(table: Table) -> set[int]:
    """Return the messages that are stored to be deleted, while the bot is stopped."""
    store = await Store.open(table.database)
    messages = {int(message) for (message,) in await rows(store, "SELECT message FROM passing")}
    await store.close()
    return messages


async def test_a_refusal_is_deleted_with_the_next_answer_also_after_a_restart(table: Table) -> None:
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
