"""Personal data on Telegram: shown, exported and deleted in the private chat only."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from bot.fronts.telegram.front import Telegram
from bot.fronts.telegram.send_scheduler import Sending, SendScheduler
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import Message, Person, Query

pytestmark = pytest.mark.usefixtures("front")

DELETED = (
    "Account deleted\n"
    "Your data has been deleted. Thank you for playing! If you come back, you start fresh."
)
SURE = "erase:0:0:yes"
STARTED_AFRESH = "Your data has been deleted here. You can start afresh."
NOTHING_STORED = (
    "I have no data about you yet, so there is nothing to show or change. "
    "That starts with your first game."
)


async def privacy(table: Table, person: Person | None = None) -> Message:
    """Send a private request, of Anna by default, and return the answer."""
    person = person or table.anna
    person.starts("privacy")
    chat = person.private
    await table.api.until(lambda: [one for one in chat.messages.values() if tokens(one, "export")])
    return chat.newest()


async def asked_to_erase(table: Table, person: Person, menu: Message) -> Message:
    """Let a person ask for the end of their account, and return the question."""
    chat, number = person.private, menu["message_id"]
    person.presses(chat, menu, tokens(menu, "erase")[0])
    await table.api.until(lambda: tokens(chat.messages[number], SURE))
    return chat.messages[number]


async def erased(table: Table) -> None:
    """Let Anna start a match in the group and delete her account."""
    api, anna = table.api, table.anna
    await table.begin()
    menu = await privacy(table)
    question = await asked_to_erase(table, anna, menu)
    await api.answer(anna.presses(anna.private, question, "Yes, delete Anna"))
    await api.until(lambda: anna.private.messages[menu["message_id"]]["text"] == DELETED)
    await api.until(lambda: "Anna" not in table.board()["caption"])


def known(table: Table) -> set[str]:
    """Return the numbers of all people about whom something is stored."""
    with closing(sqlite3.connect(table.file)) as database:
        found = database.execute(
            "SELECT external FROM identities UNION SELECT external FROM places"
            " WHERE kind = 'direct' AND external NOT LIKE 'gone:%'"
        )
        return {external for (external,) in found}


async def settled(table: Table, front: Telegram) -> None:
    """Wait until all messages and presses have been handled and answered."""
    await table.api.until(lambda: not table.api.unconfirmed)
    with closing(sqlite3.connect(table.file)) as database:
        query = "SELECT count(*) FROM inbox WHERE payload IS NOT NULL"
        while database.execute(query).fetchone()[0]:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.01)
    while front._responder._unsaid:  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.01)


async def test_a_request_in_a_group_is_answered_in_the_private_chat(table: Table) -> None:
    api, anna, group = table.api, table.anna, table.group
    anna.says(group, "/privacy")
    await api.until(lambda: api.texts(group))
    hint = group.newest()
    (button,) = hint["reply_markup"]["inline_keyboard"][0]
    assert button["url"] == "https://t.me/azumaya_bot?start=privacy"
    assert "Your data" not in hint["text"]
    shown = await privacy(table)
    assert shown["text"].startswith("Your data\nI store your name ")
    (fold,) = (one for one in shown["entities"] if one["type"] == "expandable_blockquote")
    assert fold["offset"] == shown["text"].index("\nGood positions ") + 1
    assert fold["offset"] + fold["length"] == len(shown["text"])
    anna.says(group, "/privacy")
    await api.until(lambda: "It is in our private chat." in api.texts(group))
    await api.until(lambda: len([t for t in api.texts(anna.private) if "Your data" in t]) == 2)
    assert not [text for text in api.texts(group) if "Your data" in text]


async def test_personal_data_comes_as_a_document_in_the_private_chat(table: Table) -> None:
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


async def test_a_button_for_personal_data_in_a_group_shows_nothing_there(table: Table) -> None:
    api, anna, group = table.api, table.anna, table.group
    board = await table.begin()
    first = await api.answer(anna.sends(group, board, "export:0:0:"))
    assert first.url == "https://t.me/azumaya_bot?start=privacy"
    await privacy(table)
    second = anna.sends(group, board, "export:0:0:")
    await api.until(lambda: "document" in anna.private.newest())
    assert second.text == "It is in our private chat."
    assert not [message for message in group.messages.values() if "document" in message]


@pytest.mark.sqlite
async def test_a_deletion_is_confirmed_and_removes_the_name_from_boards(
    table: Table, front: Telegram
) -> None:
    api, anna = table.api, table.anna
    await table.begin()
    menu = await privacy(table)
    anna.says(anna.private, "/board")
    await api.until(lambda: api.boards(anna.private))
    number = menu["message_id"]
    question = await asked_to_erase(table, anna, menu)
    assert "One active game without a move of yours will end without a result." in question["text"]
    query = await api.answer(anna.presses(anna.private, question, "Yes, delete Anna"))
    # A message that stays, without buttons, in place of the question.
    await api.until(lambda: anna.private.messages[number]["text"] == DELETED)
    assert "reply_markup" not in anna.private.messages[number]
    assert query.text == ""
    await api.until(lambda: "Anna" not in table.board()["caption"])
    assert "Ben" in table.board()["caption"]
    await api.until(lambda: not api.boards(anna.private))
    # A second press comes from a person without an account.
    again = await api.answer(anna.sends(anna.private, question, tokens(question, SURE)[0]))
    assert again.text == STARTED_AFRESH
    assert known(table) == {"12"}


@pytest.mark.slow
@pytest.mark.sqlite
async def test_waiting_answers_to_or_about_a_deleted_account_are_not_sent(
    table: Table, front: Telegram, monkeypatch: pytest.MonkeyPatch
) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    is_frozen, claim = False, SendScheduler.claim

    def frozen(self: SendScheduler, sending: Sending) -> float:
        return 0.01 if is_frozen else claim(self, sending)

    monkeypatch.setattr(SendScheduler, "claim", frozen)
    await table.begin()
    menu = await privacy(table)
    before, calls = len(api.texts(anna.private)), len(api.calls)
    is_frozen = True
    anna.says(group, "/settings")
    anna.says(group, "/stats")
    anna.says(anna.private, "/matches")
    anna.presses(anna.private, menu, "Delete my data")
    ben.says(group, "/stats @anna")
    ben.says(group, "/rules othello")
    unsaid = front._responder._unsaid

    while sum(map(len, unsaid.values())) < 6:  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.01)
    await api.answer(anna.sends(anna.private, menu, "erase:0:0:yes.1"))
    is_frozen = False
    await settled(table, front)
    sent = [call.given.get("text", "") for call in api.calls[calls:]]
    late = "Das hat zu lange gedauert und stimmt nicht mehr. Frag bitte noch einmal."
    assert sent.count(late) == 2
    assert not [text for text in sent if "Statistics" in text or "Statistik" in text]
    assert not [message for message in group.messages.values() if tokens(message, "settings")]
    assert len(api.texts(anna.private)) <= before
    assert not any(unsaid.values())


def old_buttons(table: Table) -> Iterator[tuple[Query, str]]:
    """Press buttons from before the deletion, each with the expected answer."""
    anna, board, nothing = table.anna, table.board(), NOTHING_STORED
    for token in ("settings:0:0:", "menu:0:0:othello", "step:1:2:d3", "start:0:0:othello"):
        yield anna.sends(anna.private, anna.private.newest(), token), STARTED_AFRESH
    for token, answer in (
        ("step:1:2:d3", "This game is over."),
        ("again:1:3:", "You are not playing in this game."),
        ("language:0:0:de", nothing),
        ("erase:0:0:yes.0", nothing),
    ):
        yield anna.sends(table.group, board, token), answer


@pytest.mark.slow
@pytest.mark.sqlite
async def test_after_a_deletion_only_a_new_game_stores_the_player_again(
    table: Table, front: Telegram
) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    await erased(table)
    for query, answer in old_buttons(table):
        await api.until(query.answered.is_set)
        assert query.text == answer
        assert known(table) == {"12"}
    for act in (
        lambda: ben.says(group, "/othello d3", reply=anna.says(group, "Hello")),
        lambda: ben.says(group, "/stats", reply=anna.says(group, "Hello")),
        lambda: ben.says(group, "/stats Anna", to=[anna]),
        lambda: ben.says(group, "/unblock Anna", to=[anna]),
        lambda: anna.says(anna.private, "Good-bye"),
        lambda: anna.edits(group, anna.says(group, "x"), "/help"),
        anna.blocks,
        anna.unblocks,
    ):
        act()
        await settled(table, front)
        assert known(table) == {"12"}
    challenge = await table.answer(ben, group, "/othello new", "accept")
    table.cleo.presses(group, challenge, tokens(challenge, "accept")[0])
    await api.until(lambda: tokens(api.boards(group)[-1], "step:2"))
    await api.until(lambda: "game 2." in str(api.texts(group)))
    before = api.texts(group)
    for words in ("Well played", "d3"):
        anna.says(group, words, reply=api.boards(group)[-1])
    await settled(table, front)
    assert known(table) == {"12", "13"}
    assert api.texts(group) == before
    anna.says(group, "/sogo new")
    await api.until(lambda: known(table) == {"11", "12", "13"})
