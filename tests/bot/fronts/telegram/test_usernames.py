"""Challenges by username to people whom the bot has not seen."""

import pytest
from sqlalchemy import select

from bot.store import Store
from bot.store.schema import matches
from tests.bot.fronts.telegram.conftest import Table, running
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import Message, Person, Query
from tests.bot.fronts.telegram.test_privacy import SURE, asked_to_erase, privacy

OTHER = "This challenge is for another player."
CHALLENGE = "Anna challenges @ben_1 to Othello."


@pytest.fixture(autouse=True)
def _ben_has_a_username(table: Table) -> None:
    table.ben.username = "Ben_1"


async def challenge(table: Table, line: str = "/othello @ben_1 black") -> Message:
    asked = await table.answer(table.anna, table.group, line, "accept")
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


async def test_a_deleted_account_declines_the_challenge(table: Table) -> None:
    async with running(table.settings()) as (app, _):
        await challenge(table)
        ben = table.ben
        question = await asked_to_erase(table, ben, await privacy(table, ben))
        ben.presses(ben.private, question, tokens(question, SURE)[0])
        await table.api.until(lambda: "Declined." in str(table.api.texts(table.group)))
        assert await held_for(app.store, 1) is None
