"""Typed moves without a command, and messages that are not for the bot."""

import asyncio
from functools import partial

import pytest

from bot.fronts.telegram.sender import PLATFORM
from bot.store import Store, boards
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.playing import ANNA_MAY_BEGIN, BEN_IS_CALLED
from tests.bot.fronts.telegram.server import Chat, Message, Person

pytestmark = pytest.mark.usefixtures("front")


async def heard(table: Table, person: Person, chat: Chat) -> None:
    """Wait until all earlier messages in a chat have been handled."""
    ask = person.says(chat, "/play@azumaya_bot")
    await table.api.until(lambda: answers(chat, ask))


def answers(chat: Chat, asked: Message) -> list[str]:
    return [
        message["text"]
        for message in chat.messages.values()
        if message.get("reply_to_message", {}).get("message_id") == asked["message_id"]
    ]


async def test_in_private_a_move_needs_no_command_and_anything_else_gets_a_reason(
    table: Table,
) -> None:
    api, anna, ben = table.api, table.anna, table.ben
    await table.begin_in_private()
    for line, reason in (
        ("a1", "A disc on a1 flips nothing. Every move must flip at least one disc."),
        ("thanks, see you later", "type your move"),
    ):
        asked = anna.says(anna.private, line)
        await api.until(partial(answers, anna.private, asked))
        assert reason in answers(anna.private, asked)[0]
    anna.says(anna.private, "d3")
    await api.until(lambda: "Letzter Zug: d3\n" in table.board(ben.private)["caption"])
    ben.says(ben.private, "C3.")
    await api.until(lambda: table.is_shown("c3", anna.private))


async def noted(table: Table, ping: Message) -> None:
    """Wait until the bot has stored the message, by which it finds the match of a reply."""
    store = await Store.open(table.database)
    chat, message = str(ping["chat"]["id"]), str(ping["message_id"])
    try:
        while await boards.match_of_message(store, PLATFORM, chat, message) is None:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.01)
    finally:
        await store.close()


async def test_a_reply_to_the_ping_is_a_move(table: Table) -> None:
    api, group = table.api, table.group
    board = await table.begin()
    (ping,) = [m for m in group.messages.values() if m.get("text") == ANNA_MAY_BEGIN]
    await noted(table, ping)
    table.anna.says(group, "d3", reply=ping)
    await api.until(lambda: table.is_shown("d3"))
    # Anna's goes once Ben's is noted.
    await api.until(lambda: ANNA_MAY_BEGIN not in api.texts(group))
    (ping,) = [m for m in group.messages.values() if m.get("text") == BEN_IS_CALLED]
    refused = table.ben.says(group, "a1", reply=ping)
    await api.until(lambda: answers(group, refused))
    assert "dreht nichts um" in answers(group, refused)[0]
    assert table.board()["message_id"] == board["message_id"]


async def test_a_refusal_stays_in_a_group_until_the_next_answer_to_the_same_player(
    table: Table,
) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    board = await table.begin()
    early = ben.says(group, "/othello c4")
    illegal = anna.says(group, "/othello a1")
    await api.until(lambda: answers(group, early) and answers(group, illegal))
    anna.presses(group, board, "d3")
    await api.until(lambda: not answers(group, illegal))
    assert answers(group, early) == ["Du bist nicht am Zug."]
    wrong = ben.says(group, "/othello a1")
    await api.until(lambda: answers(group, wrong) and not answers(group, early))
    ben.says(group, "/othello c3")
    await api.until(lambda: table.is_shown("c3") and not answers(group, wrong))


@pytest.mark.slow
async def test_chat_in_reply_to_a_board_or_a_ping_gets_no_answer(table: Table) -> None:
    group = table.group
    board = await table.begin()
    ping = group.newest()
    said = [
        person.says(group, words, reply=to)
        for person in (table.anna, table.cleo)
        for words in ("nice opening!", "😀")
        for to in (board, ping)
    ]
    # A spectator's replies are never moves.
    said += [table.cleo.says(group, move, reply=board) for move in ("d3", "a1")]
    table.anna.edits(group, said[0], "nice!")
    await heard(table, table.anna, group)
    assert [answers(group, one) for one in said] == [[]] * len(said)
    assert "Anna to move." in table.board()["caption"]


async def test_edited_moves_and_commands_are_not_played(table: Table) -> None:
    group = table.group
    board = await table.begin()
    edits = (
        (table.anna.says(group, "hm", reply=board), "d3"),
        (table.anna.says(group, "Hm, where?"), "/othello d3"),
    )
    for said, text in edits:
        table.anna.edits(group, said, text)
        await table.api.until(partial(answers, group, said))
        assert "edited messages" in answers(group, said)[0]
    assert "Anna to move." in table.board()["caption"]


async def test_commands_of_other_bots_get_no_answer(table: Table) -> None:
    group = table.group
    board = await table.begin()
    ignored = [
        table.anna.says(group, line)
        for line in ("/roll", "/weather Berlin", "/roll@dice_bot", "/unknown@azumaya_bots")
    ]
    addressed = [
        table.anna.says(group, "/roll@azumaya_bot"),
        table.anna.says(group, "/roll", reply=board),
    ]
    table.anna.starts()
    addressed_in_private = table.anna.says(table.anna.private, "/roll")
    for one, chat in (
        *((one, group) for one in addressed),
        (addressed_in_private, table.anna.private),
    ):
        await table.api.until(partial(answers, chat, one))
        assert answers(chat, one) == ["I do not know /roll. /help shows all commands."]
    assert [answers(group, one) for one in ignored] == [[]] * len(ignored)


async def hiding(table: Table) -> None:
    """Start a match in the group: Ben hides, Anna seeks."""
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    await table.answer(anna, group, "/blackbox new mode=hide first", "accept")
    ben.presses(group, group.newest(), "Join")
    await api.until(lambda: api.boards(group))


@pytest.mark.parametrize("way", ["typed", "answered"])
async def test_a_secret_move_in_a_group_is_refused_with_a_link_to_the_private_chat(
    table: Table, way: str
) -> None:
    api, ben, group = table.api, table.ben, table.group
    await hiding(table)
    before = table.board()
    if way == "typed":
        said = ben.says(group, "/blackbox hide c3")
    else:
        said = ben.says(group, "hide c3", reply=before)
    await api.until(lambda: answers(group, said))
    (refusal,) = answers(group, said)
    assert refusal.startswith("Ben\nNicht gespielt: Hier können es alle lesen.")
    # The bot deletes only its own messages, and does not react.
    assert said["message_id"] in group.messages
    assert said["message_id"] not in group.reactions
    (question,) = [m for m in group.messages.values() if m.get("text") == refusal]
    query = await api.answer(ben.presses(group, question, "Verstecken"))
    assert "start=" in query.url
    ben.starts(query.url.partition("start=")[2])
    await api.until(lambda: api.boards(ben.private))
    # There it can be said.
    ben.says(ben.private, "hide c3")
    await api.until(lambda: "1 von 5" in str(table.board(ben.private)))
    calls = [call.method for call in api.calls if call.given.get("chat_id") == str(group.id)]
    assert calls.count("deleteMessage") <= 1
