"""Updates are handled once and in order, by polling and by webhook, also after outages."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.commands import Answer, Command, Commands
from bot.fronts.telegram.front import Telegram
from bot.matches.shards import Shards
from bot.store import inbox
from bot.support import metrics
from bot.support.texts import Texts
from tests.bot.fronts.telegram.conftest import Table, running
from tests.bot.fronts.telegram.lines import match_of, record
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.table import Clock


@pytest.mark.sqlite
@pytest.mark.parametrize("way", [pytest.param("typed", marks=pytest.mark.slow), "pressed"])
async def test_moves_from_two_chats_are_played_in_the_order_of_their_updates(
    table: Table, way: str
) -> None:
    """Send them in two private chats while the bot is stopped, so that it gets all at once."""
    moves = match_of(10)
    anna, ben = table.anna, table.ben
    async with table.open():
        await table.begin_in_private()
    first = int(tokens(table.board(ben.private), "resign")[0].split(":")[2])
    for version, (seat, move) in enumerate(moves, first):
        mover = (anna, ben)[seat]
        if way == "typed":
            mover.says(mover.private, f"/othello {move}")
        else:
            board = table.board(mover.private)
            mover.sends(mover.private, board, f"step:1:{version}:{move}")
    async with table.open():
        await table.api.until(
            lambda: [m for m in record(table) if m != "pass"] == [m for _, m in moves]
        )


@pytest.mark.slow
async def test_a_press_that_names_a_match_of_other_players_holds_up_none_of_them(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_under_way, may_end = asyncio.Event(), asyncio.Event()
    pressed = Commands.run_button

    async def slow(self: Commands, command: Command, token: str) -> Answer:
        if command.client.identity == str(table.cleo.id):
            is_under_way.set()
            await may_end.wait()
        return await pressed(self, command, token)

    monkeypatch.setattr(Commands, "run_button", slow)
    api, anna, cleo, group = table.api, table.anna, table.cleo, table.group
    async with table.open():
        board = await table.begin()
        cleo.starts()
        await api.until(lambda: api.texts(cleo.private))
        forged = cleo.sends(cleo.private, cleo.private.newest(), "step:1:2:d3")
        await is_under_way.wait()
        anna.presses(group, board, "d3")
        await api.until(lambda: table.is_shown("d3"))
        assert not forged.answered.is_set()
        may_end.set()
        await api.until(forged.answered.is_set)
        assert forged.alert


@pytest.mark.slow
@pytest.mark.sqlite
async def test_presses_over_the_rate_are_refused_before_they_wait_in_line(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = list[str]()
    pressed = Commands.run_button

    async def counted(self: Commands, command: Command, token: str) -> Answer:
        done.append(command.client.identity)
        return await pressed(self, command, token)

    monkeypatch.setattr(Commands, "run_button", counted)
    settings = table.settings()
    play = settings.play.model_copy(update={"commands_per_second": 0.1})
    async with running(settings.model_copy(update={"play": play})):
        board = await table.begin()
        presses = [table.cleo.sends(table.group, board, "rules:0:0:othello") for _ in range(30)]
        await table.api.until(lambda: all(press.answered.is_set() for press in presses))
        told = [press.text for press in presses]
        # A busy machine may have free capacity for another one.
        assert told.count(Texts("en")("error-too-fast")) >= 27
        assert done.count(str(table.cleo.id)) <= 3
    assert isinstance(table.database, Path)
    with closing(sqlite3.connect(table.database)) as database:
        left = database.execute("SELECT count(*) FROM inbox WHERE payload IS NOT NULL")
        assert left.fetchone() == (0,)


@pytest.mark.slow
async def test_many_lines_of_one_player_hold_up_no_opponent_and_are_refused_once(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    api, anna, ben, group = table.api, table.anna, table.ben, table.group
    done = list[str]()
    typed = Commands.run_line

    async def counted(self: Commands, command: Command, line: str) -> Answer:
        answer = await typed(self, command, line)
        done.append(command.client.identity)
        return answer

    monkeypatch.setattr(Commands, "run_line", counted)
    settings = table.settings()
    play = settings.play.model_copy(update={"commands_per_second": 5})
    settings = settings.model_copy(update={"play": play})
    async with running(settings):
        ben.starts()
        board = await table.begin()
    for chat in (ben.private, group):
        for number in range(50):
            ben.says(chat, f"/othello a{number}")
    pressed = anna.presses(group, board, "d3")
    done.clear()
    async with running(settings) as (app, _):
        await api.until(pressed.answered.is_set)
        assert await inbox.unfinished(app.store, "telegram")
        await api.until(lambda: table.is_shown("d3"))
        hasty = Texts("de")("error-too-fast")
        await api.until(lambda: hasty in api.texts(ben.private) and hasty in api.texts(group))
        while await inbox.unfinished(app.store, "telegram"):  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.01)
    assert not pressed.alert
    assert 10 <= done.count(str(ben.id)) <= 40


@pytest.mark.slow
async def test_an_update_without_a_number_holds_up_no_others(table: Table) -> None:
    table.api.spec = None
    async with table.open():
        table.api._pending.append({"message": {"text": "/help"}})
        await table.api.until(lambda: table.troubles() == [("no updates from Telegram", None)])
        table.anna.starts()
        await table.api.until(lambda: table.api.texts(table.anna.private))
    assert ("updates without numbers", None) in table.troubles()


async def test_a_start_without_a_network_waits_for_it(table: Table) -> None:
    port = table.api.port
    await table.api.stop()
    async with table.open() as front:
        assert front.port == 0
        table.api._stopping.clear()
        await table.api.start(port)
        await table.begin()


async def test_the_time_to_the_commit_is_measured_from_the_arrival(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, take_in = Clock(), inbox.receive

    async def slow(*given: Any) -> list[int]:
        clock.forward(3)
        return await take_in(*given)

    monkeypatch.setattr(metrics, "perf_counter", clock)
    monkeypatch.setattr(inbox, "receive", slow)
    async with table.open() as front:
        await table.begin()
    number, seconds = (
        front._app.metrics.registry.get_sample_value(
            f"azumaya_event_to_commit_seconds_{what}", {"front": "telegram"}
        )
        for what in ("count", "sum")
    )
    assert number
    assert seconds is not None
    assert seconds >= 3 * number


@pytest.mark.parametrize("answer", ["No, keep playing", "Resign"])
async def test_an_answer_is_dropped_without_a_trace_when_another_process_has_taken_over(
    table: Table, front: Telegram, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    api, anna, group = table.api, table.anna, table.group
    board = await table.begin()
    anna.presses(group, board, "Resign")
    await api.until(lambda: tokens(group.newest(), "resign"))
    pressed, is_dropped = Commands.run_button, asyncio.Event()

    def another(self: Shards, platform: str) -> str:
        is_dropped.set()
        return "another"

    async def lost(self: Commands, command: Command, token: str) -> Answer:
        shown = await pressed(self, command, token)
        monkeypatch.setattr(Shards, "tenure", another)
        return shown

    monkeypatch.setattr(Commands, "run_button", lost)
    anna.presses(group, board if answer == "Resign" else group.newest(), answer)
    await is_dropped.wait()
