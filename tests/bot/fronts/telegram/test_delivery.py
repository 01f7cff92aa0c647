"""Telegram's limits and failures: what is sent late, and what is not sent twice."""

from contextlib import AsyncExitStack

import pytest
from telegram.error import BadRequest

from bot.delivery import ClosedError, GoneError, RetryError
from bot.fronts.telegram import setup
from bot.fronts.telegram.send_scheduler import Sending
from bot.fronts.telegram.sender import Chat as TelegramChat
from bot.fronts.telegram.sender import IsPictureError, _delivery_error
from bot.fronts.telegram.widgets import Draft
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import QUERY_SECONDS, Chat, Message


def sent(table: Table, method: str) -> int:
    return sum(call.method == method and not call.refused for call in table.api.calls)


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the time to wait for an answer."""
    monkeypatch.setattr(setup, "_ANSWER_SECONDS", 0.4)


def offers(chat: Chat) -> list[Message]:
    """Return the messages that offer the board, whose delivery is unknown."""
    return [message for message in chat.messages.values() if tokens(message, "board")]


async def lose_board(table: Table, *, arrives: bool) -> None:
    """Let Ben ask for the board, and lose Telegram's answer; the board `arrives` or not."""
    old = await table.begin()
    broken = table.api.swallow if arrives else table.api.lose
    broken.add("sendPhoto")
    table.ben.says(table.group, "/board")
    await table.api.until(lambda: old["message_id"] not in table.group.messages)
    await table.api.until(lambda: offers(table.group))
    broken.clear()
    assert len(table.api.boards(table.group)) == arrives


@pytest.mark.slow
@pytest.mark.usefixtures("_impatient")
async def test_a_board_that_was_lost_on_the_way_is_offered_also_after_a_restart(
    table: Table,
) -> None:
    async with table.open():
        await lose_board(table, arrives=False)
        table.anna.says(table.group, "/othello d3")
        await table.api.until(
            lambda: any("Ben: Your turn" in t for t in table.api.texts(table.group))
        )
        assert not table.api.boards(table.group)
    async with table.open():
        (offer,) = offers(table.group)
        # Everyone may press it, not only the players who are pinged.
        table.cleo.presses(table.group, offer, "Show board")
        await table.api.until(lambda: table.api.boards(table.group))
        await table.api.until(lambda: not offers(table.group))
        table.ben.presses(table.group, table.board(), "c3")
        await table.api.until(lambda: table.is_shown("c3"))


async def test_other_refusals_are_raised(table: Table) -> None:
    async with table.open() as front:
        board = await table.begin()
        post, chat, blank = front._sender, TelegramChat(table.group.id), Draft(" ")
        await post.turn(Sending(chat.id, "test"))
        with pytest.raises(IsPictureError):
            await post.edit(chat, board["message_id"], blank)
        await post.turn(Sending(chat.id, "test"))
        with pytest.raises(BadRequest, match="text is empty"):
            await post.send(chat, blank)


async def test_a_board_whose_turn_has_not_come_is_not_sent(table: Table) -> None:
    async with table.open() as front:
        board = await table.begin()
        post, chat, draft = front._sender, TelegramChat(table.group.id), Draft("later")
        post.scheduler.freeze(chat.id, 30)
        with pytest.raises(RetryError):
            await post.send(chat, draft, sending=Sending(chat.id, "board"))
        with pytest.raises(RetryError):
            await post.edit(chat, board["message_id"], draft, Sending(chat.id, "board"))
        assert table.board() == board


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("not enough rights to send text messages to the chat", ClosedError),
        ("CHAT_RESTRICTED", ClosedError),
        ("TOPIC_CLOSED", ClosedError),
        ("message thread not found", GoneError),
        ("chat not found", GoneError),
        ("message text is empty", type(None)),
    ],
)
def test_the_text_of_a_refusal_tells_closed_chats_from_lost_ones(text: str, meaning: type) -> None:
    assert isinstance(_delivery_error(BadRequest(text)), meaning)


@pytest.mark.slow
async def test_a_board_too_old_to_be_deleted_loses_its_buttons(table: Table) -> None:
    async with table.open():
        old = await table.begin()
        old["date"] -= 3 * 24 * 3600
        table.ben.says(table.group, "/board")
        await table.api.until(lambda: len(table.api.boards(table.group)) == 2)
        await table.api.until(lambda: "reply_markup" not in table.group.messages[old["message_id"]])
        (_, board) = table.api.boards(table.group)
        table.anna.presses(table.group, board, "d3")
        await table.api.until(
            lambda: "Last move: d3" in table.group.messages[board["message_id"]]["caption"]
        )


async def test_an_outage_is_waited_out(table: Table) -> None:
    async with table.open():
        board = await table.begin()
        table.api.away = True
        table.api._happened()
        table.anna.presses(table.group, board, "d3")
        table.ben.says(table.group, "/othello c3")
        table.anna.says(table.group, "/othello b3")
        await table.api.until(lambda: table.api.knocks > 3)
        table.api.away = False
        await table.api.until(lambda: table.is_shown("b3"))
        assert len(table.api.boards(table.group)) == 1


@pytest.mark.parametrize("cell", ["d3", "a1"])
async def test_a_press_whose_answer_was_cut_off_is_answered_when_the_network_is_back(
    table: Table, cell: str
) -> None:
    api = table.api
    async with table.open():
        board = await table.begin()
        api.cut.add("answerCallbackQuery")
        (key,) = (one for one in tokens(board, "step") if one.endswith(f":{cell}"))
        query = table.anna.sends(table.group, board, key)
        await api.until(lambda: api.knocks > 0)
        api.cut.clear()
        await api.until(query.answered.is_set)
    assert query.alert is (cell != "d3")


@pytest.mark.parametrize("broken", ["swallow", "lose"])
async def test_an_answer_that_may_not_have_arrived_says_so(table: Table, broken: str) -> None:
    api, group, breaks = table.api, table.group, getattr(table.api, broken)
    async with table.open():
        breaks.add("sendMessage")
        table.anna.says(group, "/help")
        await api.until(lambda: api.knocks or any(one.method == "sendMessage" for one in api.calls))
        breaks.clear()
        await api.until(lambda: group.newest()["text"].startswith("My answer may not have"))
        sent = [one["text"] for one in group.messages.values() if "How to play" in one["text"]]
    assert len(sent) == (broken == "swallow")


async def test_a_press_that_is_too_old_to_be_answered_is_given_up_in_silence(table: Table) -> None:
    api = table.api
    async with table.open():
        board = await table.begin()
        api.cut.add("answerCallbackQuery")
        query = table.anna.presses(table.group, board, "d3")
        await api.until(lambda: api.knocks > 0)
        query.at -= QUERY_SECONDS
        api.cut.clear()
        await api.until(lambda: [one for one in api.calls if "query is too old" in one.refused])
    assert not query.answered.is_set()
    troubles = [event for event, _ in table.troubles()]
    assert troubles == ["Telegram cannot be reached"]


@pytest.mark.slow
@pytest.mark.parametrize(("way", "restarted"), [("unblocks", True), ("starts", False)])
async def test_after_a_block_the_board_comes_back_and_the_opponent_sees_both(
    table: Table, way: str, *, restarted: bool
) -> None:
    api, anna, ben = table.api, table.anna, table.ben
    unreachable = "I cannot reach Ben right now."
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(table.open())
        await table.begin_in_private()
        ben.blocks()
        anna.says(anna.private, "/othello d3")
        await api.until(lambda: unreachable in table.board(anna.private)["caption"])
        assert table.is_shown("d3", anna.private)
        if restarted:
            await stack.aclose()
            await stack.enter_async_context(table.open())
            await api.until(lambda: sum(bool(call.refused) for call in api.calls) > 1)
        getattr(ben, way)()
        await api.until(lambda: "Letzter Zug: d3" in api.boards(ben.private)[-1]["caption"])
        called = "Du bist am Zug: Othello, Partie 1."
        await api.until(lambda: called in api.texts(ben.private))
        await api.until(lambda: unreachable not in table.board(anna.private)["caption"])
