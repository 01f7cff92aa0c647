"""Challenges to people whom the bot has not seen: in a new group, all of them."""

from functools import partial

import pytest
from sqlalchemy import select

from bot.store import Store
from bot.store.schema import matches
from bot.texts import Texts
from tests.bot.fronts.telegram.conftest import Table, running
from tests.bot.fronts.telegram.playing import handed_on, tokens
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
    query = person.presses(table.group, message, button)
    await table.api.until(query.answered.is_set)
    return query


@pytest.mark.usefixtures("front")
@pytest.mark.parametrize(
    "line",
    ["/othello @ben_1 black", "/othello new @Ben_1 black", "/challenge @BEN_1 othello black"],
)
async def test_whoever_bears_the_username_takes_the_seat_and_nobody_else(
    table: Table, line: str
) -> None:
    asked = await challenge(table, line)
    for other in (table.cleo, table.api.person(14, "Dora")):
        query = await press(table, other, asked, "Accept")
        assert (query.text, query.alert) == (OTHER, True)
        assert (await press(table, other, asked, "Decline")).text == OTHER
    await press(table, table.ben, asked, "Accept")
    await table.api.until(lambda: table.api.boards(table.group))
    assert table.board()["caption"].startswith("Othello · Anna ⚫ – ⚪ Ben\n")
    assert table.board()["message_id"] == asked["message_id"]


async def test_it_outlives_a_restart_and_a_change_of_name(table: Table) -> None:
    async with table.open():
        asked = await challenge(table)
    renamed = table.ben
    renamed.username = "benjamin"
    async with table.open():
        assert (await press(table, renamed, asked, "Accept")).alert
        table.cleo.username = "ben_1"
        await press(table, table.cleo, asked, "Accept")
        await table.api.until(lambda: table.api.boards(table.group))
        assert "⚪ Cleo" in table.board()["caption"]


async def held_for(store: Store, match_id: int) -> str | None:
    """The username for which a challenge is held, as it is stored."""
    async with store.read() as connection:
        query = select(matches.c.held_for).where(matches.c.id == match_id)
        return (await connection.execute(query)).scalar_one_or_none()


async def test_the_username_is_kept_no_longer_than_the_challenge(table: Table) -> None:
    async with running(table.settings()) as (app, _):
        asked = await challenge(table)
        assert await held_for(app.store, 1) == "telegram:ben_1"
        table.anna.says(table.group, "/decline")
        await table.api.until(lambda: any("Withdrawn." in text for text in all_texts(table)))
        assert await held_for(app.store, 1) is None
        asked = await challenge(table)
        await press(table, table.ben, asked, "Accept")
        assert await held_for(app.store, 2) is None


def is_said(table: Table, begins: str) -> bool:
    return any(text.startswith(begins) for text in all_texts(table))


def all_texts(table: Table) -> list[str]:
    return table.api.texts(table.group)


@pytest.mark.usefixtures("front")
async def test_the_challenger_hears_of_a_no(table: Table) -> None:
    asked = await challenge(table)
    await press(table, table.ben, asked, "Decline")
    await table.api.until(lambda: any("was declined" in text for text in all_texts(table)))


@pytest.mark.usefixtures("front")
async def test_accept_without_a_button_finds_it(table: Table) -> None:
    await challenge(table)
    said = table.cleo.says(table.group, "/accept")
    await table.api.until(
        lambda: "No challenge or offer is waiting for you here." in all_texts(table)
    )
    assert said
    table.ben.says(table.group, "/accept")
    await table.api.until(lambda: table.api.boards(table.group))


@pytest.mark.usefixtures("front")
async def test_it_waits_once_and_beside_an_open_challenge(table: Table) -> None:
    await challenge(table)
    table.anna.says(table.group, "/othello @Ben_1 black")
    await table.api.until(
        lambda: any("already sent this challenge" in text for text in all_texts(table))
    )
    table.anna.says(table.group, "/othello new black")
    await table.api.until(
        lambda: any("Anna wants to play Othello." in text for text in all_texts(table))
    )


@pytest.mark.usefixtures("front")
async def test_a_link_of_it_is_for_its_bearer_alone(table: Table) -> None:
    anna = table.anna
    anna.starts()
    anna.says(anna.private, "/othello @ben_1 black")
    await table.api.until(lambda: tokens(anna.private.newest(), "withdraw"))
    link = handed_on(anna.private.newest())
    table.cleo.starts(link)
    # To anybody else it is as a link that was never given.
    no_such = Texts("en")("error-no-such-code")
    await table.api.until(lambda: no_such in table.api.texts(table.cleo.private))
    table.ben.starts(link)
    await table.api.until(lambda: table.api.boards(table.ben.private))


@pytest.mark.usefixtures("front")
async def test_a_first_name_says_what_would_work(table: Table) -> None:
    for line, begins in (
        ("/othello @Ben", "I do not know a player called “Ben”. Reply to their message"),
        ("/othello Ben", "“Ben” is not a move. To challenge a player, reply to their message"),
        ("/othello @dice_bot", "I do not know a player called “dice_bot”."),
        ("/stats @ben_1", "I do not know a player called “ben_1”."),
    ):
        table.anna.says(table.group, line)
        await table.api.until(partial(is_said, table, begins))


@pytest.mark.usefixtures("front")
@pytest.mark.parametrize("line", ["/othello new", "/othello neu", "/othello new reversi"])
async def test_new_in_answer_to_somebody_challenges_them(table: Table, line: str) -> None:
    hello = table.ben.says(table.group, "Hello!")
    table.anna.says(table.group, line, reply=hello)
    await table.api.until(
        lambda: any(text.startswith("Anna challenges Ben to Othello.") for text in all_texts(table))
    )


async def test_whoever_is_erased_is_waited_for_no_longer(table: Table) -> None:
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
