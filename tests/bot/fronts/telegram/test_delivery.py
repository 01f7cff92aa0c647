"""Telegram's limits and failures: what is sent late, and what is not sent twice."""

from contextlib import AsyncExitStack
from functools import partial

import pytest
from telegram.error import BadRequest

from bot.delivery import ClosedError, GoneError
from bot.delivery import courier as couriers
from bot.fronts.telegram import setup
from bot.fronts.telegram.sender import Chat as TelegramChat
from bot.fronts.telegram.sender import IsPictureError, _meant
from bot.fronts.telegram.widgets import Draft
from tests.bot.fronts.telegram.conftest import Table, running
from tests.bot.fronts.telegram.playing import ANNA_MAY_BEGIN, BEN_IS_CALLED, tokens
from tests.bot.fronts.telegram.server import QUERY_SECONDS, Chat, Message, Person
from tests.bot.store.sql import execute


def sent(table: Table, method: str) -> int:
    return sum(call.method == method and not call.refused for call in table.api.calls)


@pytest.mark.slow
async def test_unchanged_boards_and_old_queries_are_no_failures(table: Table) -> None:
    async with running(table.settings()) as (app, _):
        board = await table.begin()
        # As after a crash between the edit and its record.
        await execute(app.store, "UPDATE boards SET shown = -1")
        app.changed.set()
        await table.api.until(
            lambda: any("not modified" in call.refused for call in table.api.calls)
        )
        query = table.anna.presses(table.group, board, "d3")
        del table.api.queries[query.id]
        await table.api.until(lambda: table.is_shown("d3"))
        assert any("too old" in call.refused for call in table.api.calls)


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
async def test_a_typed_move_sends_no_second_board_after_a_sending_that_timed_out(
    table: Table,
) -> None:
    async with table.open():
        await lose_board(table, arrives=True)
        board = table.board()
        table.anna.says(table.group, "/othello d3")
        await table.api.until(
            lambda: any("Ben: Your turn" in t for t in table.api.texts(table.group))
        )
        assert [message["message_id"] for message in table.api.boards(table.group)] == [
            board["message_id"]
        ]
        # It keeps its content until the next press.
        query = table.ben.presses(table.group, board, "c4")
        await table.api.until(query.answered.is_set)
        assert (query.alert, query.text) == (True, "Das Brett hat sich geändert.")
        await table.api.until(lambda: table.is_shown("d3"))
        assert table.board()["message_id"] == board["message_id"]
        assert sent(table, "sendPhoto") == 1


@pytest.mark.slow
@pytest.mark.usefixtures("_impatient")
async def test_a_reply_to_a_board_whose_sending_timed_out_makes_it_the_board(
    table: Table,
) -> None:
    async with table.open():
        await lose_board(table, arrives=True)
        board = table.board()
        table.anna.says(table.group, "d3", reply=board)
        await table.api.until(lambda: table.is_shown("d3"))
        assert table.board()["message_id"] == board["message_id"]


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


@pytest.mark.slow
@pytest.mark.parametrize("arrives", [True, False])
async def test_a_stop_during_a_sending_leads_to_no_second_board_after_the_start(
    table: Table, monkeypatch: pytest.MonkeyPatch, *, arrives: bool
) -> None:
    monkeypatch.setattr(couriers, "_LAST_SECONDS", 0.1)
    broken = table.api.swallow if arrives else table.api.lose
    async with table.open():
        old = await table.begin()
        broken.add("sendPhoto")
        table.ben.says(table.group, "/board")
        await table.api.until(lambda: table.api.knocks or sent(table, "sendPhoto"))
    broken.clear()
    async with table.open():
        await table.api.until(lambda: offers(table.group))
        await table.api.until(lambda: old["message_id"] not in table.group.messages)
        assert len(table.api.boards(table.group)) == arrives
        table.anna.says(table.group, "/othello d3")
        await table.api.until(
            lambda: any("Ben: Your turn" in t for t in table.api.texts(table.group))
        )
        assert len(table.api.boards(table.group)) == arrives
        assert sent(table, "sendPhoto") == arrives


@pytest.mark.slow
@pytest.mark.usefixtures("_impatient")
async def test_a_board_requested_twice_replaces_one_that_had_arrived(table: Table) -> None:
    async with table.open():
        await lose_board(table, arrives=True)
        (first,) = table.api.boards(table.group)
        table.anna.says(table.group, "/board")
        await table.api.until(lambda: len(table.api.boards(table.group)) == 2)
        second = table.api.boards(table.group)[1]
        table.anna.presses(table.group, second, "d3")
        await table.api.until(
            lambda: "Last move: d3" in table.group.messages[second["message_id"]]["caption"]
        )
        # Both look alive, and a press removes the unknown one.
        query = table.anna.presses(table.group, first, "d3")
        await table.api.until(query.answered.is_set)
        await table.api.until(lambda: first["message_id"] not in table.group.messages)
        await table.api.until(lambda: len(table.api.boards(table.group)) == 1)
        await table.api.until(lambda: table.is_shown("d3"))


@pytest.mark.slow
@pytest.mark.usefixtures("_impatient")
async def test_a_question_is_not_taken_for_a_missing_board(table: Table) -> None:
    async with table.open():
        await table.begin()
        table.anna.presses(table.group, table.board(), "Resign")
        await table.api.until(lambda: tokens(table.group.newest(), "resign"))
        question = table.group.newest()
        table.api.lose.add("sendPhoto")
        table.ben.says(table.group, "/board")
        await table.api.until(lambda: offers(table.group))
        table.api.lose.clear()
        table.anna.presses(table.group, question, "Yes, resign")
        await table.api.until(lambda: any("is over" in t for t in table.api.texts(table.group)))
        await table.api.until(lambda: question["message_id"] not in table.group.messages)
        assert not table.api.boards(table.group)


@pytest.mark.slow
@pytest.mark.usefixtures("_impatient")
async def test_a_player_alone_is_offered_a_board_that_may_be_missing(table: Table) -> None:
    async with table.open():
        anna = table.anna
        anna.starts()
        table.api.swallow.add("sendPhoto")
        anna.says(anna.private, "/blackbox new")
        await table.api.until(lambda: offers(anna.private))
        table.api.swallow.clear()
        anna.says(anna.private, "/blackbox ask 17")
        await table.api.until(
            lambda: tokens(anna.private.messages.get(anna.private.last, {}), "board")
        )
        assert len(table.api.boards(anna.private)) == 1
        anna.presses(anna.private, offers(anna.private)[0], "Show board")
        await table.api.until(lambda: len(table.api.boards(anna.private)) == 2)
        await table.api.until(lambda: not offers(anna.private))


async def test_other_refusals_are_raised(table: Table) -> None:
    async with table.open() as front:
        board = await table.begin()
        post, chat, blank = front._sender, TelegramChat(table.group.id), Draft(" ")
        await post.turn(chat, "test")
        with pytest.raises(IsPictureError):
            await post.edit(chat, board["message_id"], blank)
        await post.turn(chat, "test")
        with pytest.raises(BadRequest, match="text is empty"):
            await post.send(chat, blank)


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
    assert isinstance(_meant(BadRequest(text)), meaning)


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


@pytest.mark.slow
@pytest.mark.usefixtures("_impatient")
async def test_a_ping_that_timed_out_is_not_sent_again(table: Table) -> None:
    async with table.open():
        await table.begin()
        table.api.swallow.add("sendMessage")
        table.anna.presses(table.group, table.board(), "d3")
        await table.api.until(lambda: BEN_IS_CALLED in table.api.texts(table.group))
        table.api.swallow.clear()
        table.ben.presses(table.group, table.board(), "c3")
        await table.api.until(lambda: ANNA_MAY_BEGIN in table.api.texts(table.group))
        said = [call for call in table.api.calls if "Ben: Your turn: " in str(call.given)]
        assert len(said) == 1


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


async def test_after_a_restart_buttons_work_and_no_ping_is_repeated(table: Table) -> None:
    async with table.open():
        board = await table.begin()
    async with table.open():
        table.anna.presses(table.group, board, "d3")
        await table.api.until(lambda: table.is_shown("d3"))
        await table.api.until(lambda: BEN_IS_CALLED in table.api.texts(table.group))
    said = [call for call in table.api.calls if "Anna: Ben accepted" in str(call.given)]
    assert len(said) == 1


@pytest.mark.slow
@pytest.mark.parametrize("second", [1.0])
async def test_groups_that_play_fast_all_at_once_stay_within_telegrams_limits(table: Table) -> None:
    """Real seconds, and more groups than the bot may speak to in one of them."""
    api, moves = table.api, ("d3", "c3", "b3", "d2", "d1", "a3", "c4", "e3")
    groups = [api.group(-1000 - number, f"Garden {number}") for number in range(26)]

    def challenge_in(group: Chat) -> Message | None:
        return group.newest() if tokens(group.newest(), "accept") else None

    def is_current(group: Chat) -> bool:
        return all("Last move: e3" in board["caption"] for board in api.boards(group))

    async with table.open():
        for number, group in enumerate(groups):
            host = api.person(100 + number, f"Host {number}")
            host.says(group, "/othello new black")
        for number, group in enumerate(groups):
            challenge = await api.until(partial(challenge_in, group))
            table.ben.presses(group, challenge, tokens(challenge, "accept")[0])
            for at, move in enumerate(moves):
                mover = table.ben if at % 2 else Person(api, 100 + number, f"Host {number}")
                mover.says(group, f"/othello {move}")
        # How long that takes is a matter of the machine; what is looked at is what is sent.
        await api.until(lambda: all(map(api.boards, groups)), seconds=120)
        await api.until(lambda: all(map(is_current, groups)), seconds=120)
    assert api.floods == 0
    assert all(len(api.boards(group)) == 1 for group in groups)
    said = [call for call in api.calls if call.method.startswith(("send", "edit"))]
    assert len(said) >= 3 * len(groups)
    assert said[-1].at - said[0].at > 2


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
