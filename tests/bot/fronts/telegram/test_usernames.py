"""Challenges by username to people whom the bot has not seen."""

import pytest
from sqlalchemy import select

from bot.store import Store
from bot.store.schema import matches
from tests.bot.fronts.telegram.conftest import Table, running
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import Message, Person, Query

OTHER = "This challenge is for another player."
CHALLENGE = "Anna challenges @ben_1 to Othello."


@pytest.fixture(autouse=True)
def _ben_has_a_username(table: Table) -> None:
    table.ben.username = "Ben_1"


async def challenge(table: Table, line: str = "/othello @ben_1 black") -> Message:
    table.anna.says(table.group, line)
    await table.api.until(lambda: tokens(table.group.newest(), "accept"))
    asked = table.group.newest()
    assert asked["text"].startswith(CHALLENGE)
    return asked


async def press(table: Table, person: Person, message: Message, button: str) -> Query:
    return await table.api.answer(person.presses(table.group, message, button))


@pytest.mark.usefixtures("front")
async def test_only_the_player_with_the_username_can_accept(table: Table) -> None:
    asked = await challenge(table, "/challenge @BEN_1 othello black")
    for button in ("Accept", "Decline"):
        query = await press(table, table.cleo, asked, button)
        assert (query.text, query.alert) == (OTHER, True)
    await press(table, table.ben, asked, "Accept")
    await table.api.until(lambda: table.api.boards(table.group))
    assert table.board()["caption"].startswith("Othello · Anna ⚫ – ⚪ Ben\n")
    assert table.board()["message_id"] == asked["message_id"]


async def held_for(store: Store, match_id: int) -> str | None:
    query = select(matches.c.held_for).where(matches.c.id == match_id)
    return await store.read(lambda connection: connection.execute(query).scalar_one_or_none())


def all_texts(table: Table) -> list[str]:
    return table.api.texts(table.group)


async def test_a_deleted_account_declines_the_challenge(table: Table) -> None:
    async with running(table.settings()) as (app, _):
        await challenge(table)
        table.ben.starts()
        await table.api.until(lambda: table.api.texts(table.ben.private))
        table.ben.says(table.ben.private, "/privacy")
        await table.api.until(lambda: tokens(table.ben.private.newest(), "erase"))
        chat = table.ben.private
        menu = chat.newest()
        number = menu["message_id"]
        table.ben.presses(chat, menu, tokens(menu, "erase")[0])
        await table.api.until(lambda: tokens(chat.messages[number], "erase:0:0:yes"))
        sure = chat.messages[number]
        table.ben.presses(chat, sure, tokens(sure, "erase:0:0:yes")[0])
        await table.api.until(lambda: any("Declined." in text for text in all_texts(table)))
        assert await held_for(app.store, 1) is None
