"""Telegram's limits, moods and failures: what is said late, and what is not said twice."""

import asyncio

import pytest

from bot.fronts.telegram import setup
from bot.store import matches as rows
from tests.bot.fronts.telegram.conftest import Table, running
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import Refusal


def sent(table: Table, method: str) -> int:
    return sum(call.method == method and not call.refused for call in table.api.calls)


@pytest.mark.parametrize("second", [0.25])
async def test_boards_catch_up_with_the_newest_state_only(table: Table) -> None:
    async with table.open():
        await table.begin()
        before = sent(table, "editMessageMedia")
        moves = ("d3", "c3", "b3", "d2", "d1", "a3", "c4", "e3")
        for at, move in enumerate(moves):
            (table.anna, table.ben)[at % 2].says(table.group, f"/othello {move}")
        await table.api.until(lambda: table.is_shown("e3"))
        assert sent(table, "editMessageMedia") - before < len(moves) / 2


@pytest.mark.parametrize("second", [0.1])
async def test_a_pause_that_telegram_wants_is_kept_in_that_chat_alone(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table.open():
        await table.begin()
        other = table.api.group(-200, "Lounge")
        limit, refused = table.api._limit, []

        def stricter(chat: int) -> None:
            if chat == table.group.id and not refused:
                refused.append(asyncio.get_running_loop().time())
                raise Refusal(429, "Too Many Requests: retry after 1", retry_after=1)
            limit(chat)

        monkeypatch.setattr(table.api, "_limit", stricter)
        table.anna.says(table.group, "/othello d3")
        await table.api.until(lambda: refused)
        # PTB's pauses are whole seconds; ours is shorter here, and still longer than this.
        table.cleo.says(other, "/othello new")
        await table.api.until(lambda: tokens(other.newest(), "accept"))
        assert "d3\n" not in table.board()["caption"]
        await table.api.until(lambda: table.is_shown("d3"))


async def test_a_board_that_is_shown_again_unchanged_is_no_failure(table: Table) -> None:
    async with running(table.settings()) as (house, _):
        await table.begin()
        (board,) = await rows.boards_of(house.store, 1)
        assert board.message is not None
        # As after a crash between the edit and its note.
        await rows.shown(house.store, board, -1, board.message)
        house.changed.set()
        await table.api.until(
            lambda: any("not modified" in call.refused for call in table.api.calls)
        )
        table.anna.says(table.group, "/othello d3")
        await table.api.until(lambda: table.is_shown("d3"))


async def test_a_query_that_is_too_old_is_no_failure(table: Table) -> None:
    async with table.open():
        board = await table.begin()
        query = table.anna.presses(table.group, board, "d3")
        del table.api.queries[query.id]
        await table.api.until(lambda: table.is_shown("d3"))
        assert any("too old" in call.refused for call in table.api.calls)


async def test_a_send_that_timed_out_posts_no_second_board(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "_ANSWER_SECONDS", 0.4)
    async with table.open():
        old = await table.begin()
        table.api.swallow.add("sendPhoto")
        table.ben.says(table.group, "/board")
        await table.api.until(lambda: old["message_id"] not in table.group.messages)
        table.api.swallow.clear()
        # It did arrive; whoever presses it makes it the board again.
        table.anna.presses(table.group, table.board(), "d3")
        await table.api.until(lambda: table.is_shown("d3"))
        assert sent(table, "sendPhoto") == 1
        table.ben.presses(table.group, table.board(), "c3")
        await table.api.until(lambda: table.is_shown("c3"))
        assert len(table.api.boards(table.group)) == 1


async def test_a_ping_that_timed_out_is_not_said_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "_ANSWER_SECONDS", 0.4)
    async with table.open():
        await table.begin()
        table.api.swallow.add("sendMessage")
        table.anna.presses(table.group, table.board(), "d3")
        await table.api.until(lambda: "Ben: Du bist dran: Othello" in table.api.texts(table.group))
        table.api.swallow.clear()
        table.ben.presses(table.group, table.board(), "c3")
        await table.api.until(lambda: "Anna: Your turn in Othello." in table.api.texts(table.group))
        said = [call for call in table.api.calls if "Du bist dran" in str(call.given)]
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
        await table.api.until(lambda: table.is_shown("b3"), seconds=20)
        assert len(table.api.boards(table.group)) == 1


async def test_a_ping_is_not_repeated_after_a_restart(table: Table) -> None:
    async with table.open():
        await table.begin()
    async with table.open():
        table.anna.says(table.group, "/othello d3")
        await table.api.until(lambda: table.is_shown("d3"))
        await table.api.until(lambda: "Ben: Du bist dran: Othello" in table.api.texts(table.group))
    said = [call for call in table.api.calls if "Anna: Your turn" in str(call.given)]
    assert len(said) == 1


async def test_buttons_outlive_a_restart(table: Table) -> None:
    async with table.open():
        board = await table.begin()
    async with table.open():
        table.anna.presses(table.group, board, "d3")
        await table.api.until(lambda: table.is_shown("d3"))


@pytest.mark.parametrize("second", [1.0])
async def test_a_busy_group_stays_within_telegrams_limits(table: Table) -> None:
    """Real seconds, and a server that counts every message."""
    async with table.open():
        await table.begin()
        for person in (table.anna, table.ben, table.cleo) * 4:
            person.says(table.group, "/stats")
        await table.api.until(lambda: len(table.api.texts(table.group)) >= 4, seconds=20)
        assert table.api.floods == 0
