"""Personal data on Telegram: shown, exported and deleted in the private chat only."""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Hashable
from contextlib import closing
from typing import Any

import pytest

from bot.fronts.telegram import Telegram
from bot.fronts.telegram.send_scheduler import SendScheduler
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import Message

pytestmark = pytest.mark.usefixtures("front")


async def privacy(table: Table) -> Message:
    """Send Anna's private request, and return the answer."""
    anna = table.anna
    anna.starts("privacy")
    await table.api.until(
        lambda: [m for m in anna.private.messages.values() if tokens(m, "export")]
    )
    return anna.private.newest()


async def erased(table: Table) -> None:
    """Anna has a match in the group, and erases herself."""
    api, anna = table.api, table.anna
    await table.begin()
    menu = await privacy(table)
    number = menu["message_id"]
    anna.presses(anna.private, menu, "Delete my data")
    await api.until(lambda: tokens(anna.private.messages[number], "erase:0:0:yes"))
    question = anna.private.messages[number]
    query = anna.presses(anna.private, question, "Yes, delete Anna")
    await api.until(query.answered.is_set)
    await api.until(lambda: number not in anna.private.messages)
    await api.until(lambda: "Anna" not in table.board()["caption"])


def known(table: Table) -> set[str]:
    """The numbers of all people of whom something is stored."""
    with closing(sqlite3.connect(table.file)) as database:
        found = database.execute(
            "SELECT external FROM identities UNION SELECT external FROM places"
            " WHERE kind = 'direct' AND external NOT LIKE 'gone:%'"
        )
        return {external for (external,) in found}


async def settled(table: Table, front: Telegram) -> None:
    """Wait until all that was said and pressed so far has been dealt with, and answered."""
    await table.api.until(lambda: not table.api.unconfirmed)
    async with asyncio.timeout(60):
        with closing(sqlite3.connect(table.file)) as database:
            query = "SELECT count(*) FROM inbox WHERE payload IS NOT NULL"
            while database.execute(query).fetchone()[0]:  # noqa: ASYNC110 - no event
                await asyncio.sleep(0.01)
        while front._responder._unsaid:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.01)


async def test_asked_in_a_group_the_answer_is_given_where_nobody_else_reads_it(
    table: Table,
) -> None:
    api, anna, group = table.api, table.anna, table.group
    anna.says(group, "/privacy")
    await api.until(lambda: api.texts(group))
    hint = group.newest()
    (button,) = hint["reply_markup"]["inline_keyboard"][0]
    assert button["url"] == "https://t.me/azumaya_bot?start=privacy"
    assert "Your data" not in hint["text"]
    shown = await privacy(table)
    assert shown["text"].startswith("Your data\n")
    anna.says(group, "/privacy")
    await api.until(lambda: "It is in our private chat." in api.texts(group))
    await api.until(lambda: len([t for t in api.texts(anna.private) if "Your data" in t]) == 2)
    assert not [text for text in api.texts(group) if "Your data" in text]


async def test_ones_data_come_as_a_document_into_the_private_chat(table: Table) -> None:
    api, anna = table.api, table.anna
    await table.begin()
    query = anna.presses(anna.private, await privacy(table), "Download my data")
    await api.until(lambda: "document" in anna.private.newest())
    await api.until(query.answered.is_set)
    document = anna.private.newest()["document"]
    assert document["file_name"] == "azumaya-data.json"
    found = json.loads(api.documents[document["file_id"]])
    assert found["user"]["name"] == "Anna"
    assert found["identities"] == [
        {"platform": "telegram", "external": str(anna.id), "handle": "anna"}
    ]
    assert [chat for chat in api.chats.values() if any("document" in m for m in
            chat.messages.values())] == [anna.private]  # fmt: skip


async def test_a_button_for_ones_data_in_a_group_shows_nothing_there(table: Table) -> None:
    api, anna, group = table.api, table.anna, table.group
    board = await table.begin()
    first = anna.sends(group, board, "export:0:0:")
    await api.until(first.answered.is_set)
    assert first.url == "https://t.me/azumaya_bot?start=privacy"
    await privacy(table)
    second = anna.sends(group, board, "export:0:0:")
    await api.until(lambda: "document" in anna.private.newest())
    assert second.text == "It is in our private chat."
    assert not [message for message in group.messages.values() if "document" in message]


@pytest.mark.sqlite
async def test_who_erases_themself_reads_a_last_word_and_boards_lose_the_name(
    table: Table, front: Telegram
) -> None:
    api, anna = table.api, table.anna
    await table.begin()
    menu = await privacy(table)
    number = menu["message_id"]
    anna.presses(anna.private, menu, "Delete my data")
    await api.until(lambda: tokens(anna.private.messages[number], "erase:0:0:yes"))
    question = anna.private.messages[number]
    assert "Your active game will be resigned." in question["text"]
    query = anna.presses(anna.private, question, "Yes, delete Anna")
    await api.until(query.answered.is_set)
    assert query.text.startswith("Your data has been deleted.")
    await api.until(lambda: number not in anna.private.messages)
    await api.until(lambda: "Anna" not in table.board()["caption"])
    assert "Ben" in table.board()["caption"]
    # A second press comes from a person without an account.
    again = anna.sends(anna.private, question, tokens(question, "erase:0:0:yes")[0])
    await api.until(again.answered.is_set)
    assert again.text == "Your data has been deleted here. You can start afresh."
    assert known(table) == {"12"}


@pytest.mark.sqlite
async def test_what_somebody_has_asked_for_is_not_said_any_more_when_they_have_erased_themself(
    table: Table, front: Telegram, monkeypatch: pytest.MonkeyPatch
) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    is_frozen, claim = False, SendScheduler.claim

    def frozen(self: SendScheduler, chat: int, who: Hashable, **more: Any) -> float:
        return 0.01 if is_frozen else claim(self, chat, who, **more)

    monkeypatch.setattr(SendScheduler, "claim", frozen)
    await table.begin()
    menu = await privacy(table)
    before = len(api.texts(anna.private))
    is_frozen = True
    anna.says(group, "/settings")
    anna.says(group, "/stats")
    anna.says(anna.private, "/matches")
    anna.presses(anna.private, menu, "Delete my data")
    asked = ben.says(group, "/rules othello")

    def waiting() -> int:
        return sum(map(len, front._responder._unsaid.values()))

    async with asyncio.timeout(60):
        while waiting() < 5:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.01)
    query = anna.sends(anna.private, menu, "erase:0:0:yes.1")
    await api.until(query.answered.is_set)
    assert query.text.startswith("Your data has been deleted.")
    is_frozen = False
    await settled(table, front)
    said = [m for m in group.messages.values() if m.get("reply_to_message", {}) == asked]
    assert len(said) == 1
    assert "Statistics for Anna" not in str(api.texts(group))
    assert not [message for message in group.messages.values() if tokens(message, "settings")]
    assert len(api.texts(anna.private)) <= before
    assert waiting() == 0


@pytest.mark.sqlite
@pytest.mark.parametrize("in_private", [False, True])
async def test_what_waits_to_be_said_and_names_somebody_is_not_said_any_more_when_they_are_erased(
    table: Table, front: Telegram, monkeypatch: pytest.MonkeyPatch, *, in_private: bool
) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    is_frozen, claim = False, SendScheduler.claim

    def frozen(self: SendScheduler, chat: int, who: Hashable, **more: Any) -> float:
        return 0.01 if is_frozen else claim(self, chat, who, **more)

    monkeypatch.setattr(SendScheduler, "claim", frozen)
    await table.begin()
    ben.starts()
    await api.until(lambda: api.texts(ben.private))
    menu = await privacy(table)
    chat = ben.private if in_private else group
    before = set(chat.messages)
    is_frozen = True
    asked = ben.says(chat, "/stats @anna")
    unsaid = front._responder._unsaid

    def his() -> list[str]:
        return [
            one.draft.text for (_, who), found in unsaid.items() if who == ben.id for one in found
        ]

    async with asyncio.timeout(60):
        while not his():  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.01)
    assert ["Anna" in text for text in his()] == [True]
    query = anna.sends(anna.private, menu, f"erase:0:0:yes.{user_number(table)}")
    await api.until(query.answered.is_set)
    assert query.text.startswith("Your data has been deleted.")
    is_frozen = False
    await settled(table, front)
    new = [message for number, message in chat.messages.items() if number not in before]
    said = [m["text"] for m in new if m.get("reply_to_message", {}) == asked]
    assert said == ["Das hat zu lange gedauert und stimmt nicht mehr. Frag bitte noch einmal."]
    ben.says(chat, "/rules othello")
    await api.until(lambda: "Othello" in str(api.texts(chat)[-1]))


def user_number(table: Table) -> int:
    """Anna's number in the house."""
    with closing(sqlite3.connect(table.file)) as database:
        found = database.execute("SELECT user_id FROM identities WHERE external = '11'")
        return int(found.fetchone()[0])


async def test_boards_in_the_private_chat_of_who_erases_themself_go(table: Table) -> None:
    api, anna = table.api, table.anna
    anna.starts()
    anna.says(anna.private, "/blackbox new")
    await api.until(lambda: api.boards(anna.private))
    (own,) = api.boards(anna.private)
    assert "Anna" in own["caption"]
    menu = await privacy(table)
    query = anna.sends(anna.private, menu, tokens(menu, "erase")[0])
    await api.until(query.answered.is_set)
    number = menu["message_id"]
    await api.until(lambda: tokens(anna.private.messages[number], "erase:0:0:yes"))
    question = anna.private.messages[number]
    anna.presses(anna.private, question, "Yes, delete Anna")
    await api.until(lambda: own["message_id"] not in anna.private.messages)
    assert not api.boards(anna.private)


_PRIVATE = ("settings:0:0:", "export:0:0:", "menu:0:0:othello", "step:1:2:d3", "start:0:0:othello")


@pytest.mark.sqlite
@pytest.mark.parametrize("token", _PRIVATE)
async def test_an_old_button_in_private_makes_nobody_of_who_has_erased_themself(
    table: Table, token: str
) -> None:
    await erased(table)
    old = table.anna.private.newest()
    query = table.anna.sends(table.anna.private, old, token)
    await table.api.until(query.answered.is_set)
    assert query.text == "Your data has been deleted here. You can start afresh."
    assert known(table) == {"12"}


_NOTHING_STORED = (
    "I have no data about you yet, so there is nothing to show or change. "
    "That starts with your first game."
)


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("token", "answer"),
    [
        ("step:1:2:d3", "This game is over."),
        ("again:1:3:", "You are not playing in this game."),
        ("settings:0:0:", _NOTHING_STORED),
        ("language:0:0:de", _NOTHING_STORED),
        ("erase:0:0:", _NOTHING_STORED),
        ("erase:0:0:yes.0", _NOTHING_STORED),
    ],
)
async def test_an_old_button_in_a_group_makes_nobody_of_who_has_erased_themself(
    table: Table, token: str, answer: str
) -> None:
    await erased(table)
    query = table.anna.sends(table.group, table.board(), token)
    await table.api.until(query.answered.is_set)
    assert query.text == answer
    assert known(table) == {"12"}


@pytest.mark.sqlite
@pytest.mark.parametrize(
    "act",
    [
        lambda table: table.ben.says(
            table.group, "/othello d3", reply=table.anna.says(table.group, "Hello")
        ),
        lambda table: table.ben.says(
            table.group, "/stats", reply=table.anna.says(table.group, "Hello")
        ),
        lambda table: table.ben.says(table.group, "/stats Anna", to=[table.anna]),
        lambda table: table.ben.says(table.group, "/unblock Anna", to=[table.anna]),
        lambda table: table.anna.says(table.anna.private, "Good-bye"),
        lambda table: table.anna.edits(table.group, table.anna.says(table.group, "x"), "/help"),
        lambda table: table.anna.blocks(),
        lambda table: table.api.membership(table.anna.private, table.anna, "kicked", "member"),
    ],
    ids=[
        "move in answer to them",
        "record in answer to them",
        "record by name",
        "unblock by name",
        "no command",
        "edited command",
        "blocks the bot",
        "unblocks the bot",
    ],
)
async def test_what_is_no_command_of_theirs_makes_nobody_of_who_has_erased_themself(
    table: Table, front: Telegram, act: Callable[[Table], object]
) -> None:
    await erased(table)
    act(table)
    await settled(table, front)
    assert known(table) == {"12"}


@pytest.mark.sqlite
async def test_an_answer_to_a_board_of_others_makes_nobody_of_who_has_erased_themself(
    table: Table, front: Telegram
) -> None:
    await erased(table)
    table.ben.says(table.group, "/othello new")
    await table.api.until(lambda: tokens(table.group.newest(), "accept"))
    challenge = table.group.newest()
    table.cleo.presses(table.group, challenge, tokens(challenge, "accept")[0])
    await table.api.until(lambda: len(table.api.boards(table.group)) == 2)
    await table.api.until(lambda: tokens(table.api.boards(table.group)[-1], "step"))
    await table.api.until(lambda: "game 2." in str(table.api.texts(table.group)))
    before = table.api.texts(table.group)
    for words in ("Well played", "d3"):
        table.anna.says(table.group, words, reply=table.api.boards(table.group)[-1])
    await settled(table, front)
    assert known(table) == {"12", "13"}
    # What an onlooker says is not for us.
    assert table.api.texts(table.group) == before


@pytest.mark.sqlite
async def test_who_has_erased_themself_begins_anew_by_joining_in(table: Table) -> None:
    await erased(table)
    table.ben.says(table.group, "/othello new")
    await table.api.until(lambda: tokens(table.group.newest(), "accept"))
    challenge = table.group.newest()
    table.anna.presses(table.group, challenge, tokens(challenge, "accept")[0])
    await table.api.until(lambda: len(table.api.boards(table.group)) == 2)
    assert known(table) == {"11", "12"}
