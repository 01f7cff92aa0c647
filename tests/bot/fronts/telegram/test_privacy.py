"""One's own data on Telegram: told, handed over and erased in the private chat alone."""

import json

import pytest

from bot.fronts.telegram import Telegram
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import Message

pytestmark = pytest.mark.usefixtures("front")


async def privacy(table: Table) -> Message:
    """Anna asks in private; gives the answer."""
    anna = table.anna
    anna.starts("privacy")
    await table.api.until(
        lambda: [m for m in anna.private.messages.values() if tokens(m, "export")]
    )
    return anna.private.newest()


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
    query = anna.presses(anna.private, await privacy(table), "My data as a file")
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


async def test_who_erases_themself_reads_a_last_word_and_boards_lose_the_name(
    table: Table, front: Telegram
) -> None:
    api, anna = table.api, table.anna
    await table.begin()
    menu = await privacy(table)
    number = menu["message_id"]
    anna.presses(anna.private, menu, "Erase me")
    await api.until(lambda: tokens(anna.private.messages[number], "erase:0:0:yes"))
    question = anna.private.messages[number]
    assert "The match that you are playing is given up." in question["text"]
    query = anna.presses(anna.private, question, "Yes, erase Anna")
    await api.until(query.answered.is_set)
    assert query.text.startswith("You are erased.")
    await api.until(lambda: number not in anna.private.messages)
    await api.until(lambda: "Anna" not in table.board()["caption"])
    assert "Ben" in table.board()["caption"]
    # The same button once more is that of somebody who is no more.
    again = anna.sends(anna.private, question, tokens(question, "erase:0:0:yes")[0])
    await api.until(again.answered.is_set)
    assert again.text == "I do not know this button any more. /board shows the board anew."


async def test_boards_in_the_private_chat_of_who_erases_themself_go(table: Table) -> None:
    """Nobody would show them anew, and the name is on them."""
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
    anna.presses(anna.private, question, "Yes, erase Anna")
    await api.until(lambda: own["message_id"] not in anna.private.messages)
    assert not api.boards(anna.private)
