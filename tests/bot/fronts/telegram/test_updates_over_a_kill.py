"""After a SIGKILL or a restart: nothing is lost, done twice or kept for ever."""

import asyncio
from functools import partial
from typing import Any

import pytest

from bot.matches.directory import Directory
from bot.store import Store, inbox
from bot.store.inbox import Finishing
from bot.support.errors import StoreBusyError, StoreError
from bot.support.rates import Rates
from bot.support.texts import Texts
from tests.bot.fronts.telegram.conftest import Table, process
from tests.bot.fronts.telegram.lines import match_of, record, typed


async def test_a_move_whose_player_could_not_be_read_is_played_in_order_later(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, failed = Directory.identify, 0

    async def fails_twice(*given: Any, **more: Any) -> Any:
        nonlocal failed
        failed += 1
        if failed <= 2:
            raise StoreBusyError("a lock took too long")
        return await read(*given, **more)

    async with table.open():
        await table.begin()
        monkeypatch.setattr(Directory, "identify", fails_twice)
        moves = match_of(4)
        typed(table, moves)
        await table.api.until(lambda: table.is_shown(moves[-1][1]))
    errors = [one["event"] for one in table.logged if one["log_level"] == "error"]
    assert errors == ["update not handled"]  # each kind once a minute
    table.logged = []


@pytest.mark.slow
async def test_a_press_refused_because_of_a_full_disk_is_not_done_at_the_next_start(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, api, group = table.anna, table.api, table.group
    is_full, failed = False, 0
    write = Store.write

    async def fails(*given: Any, **more: Any) -> Any:
        nonlocal failed
        if is_full:
            failed += 1
            raise StoreError("the disk is full")
        return await write(*given, **more)

    async with table.open() as front:
        await table.begin()
        anna.says(group, "/othello d3")
        await api.until(lambda: table.is_shown("d3"))
        await table.answer(anna, group, "/resign", "resign:1:3:yes")
        question, take = group.newest(), front._dispatcher.dispatch

        async def taken_in(updates: Any) -> None:
            nonlocal is_full
            is_full = True
            await take(updates)

        monkeypatch.setattr(Store, "write", fails)
        monkeypatch.setattr(front._dispatcher, "dispatch", taken_in)
        press = await api.answer(anna.presses(group, question, "Yes, resign"))
        assert "nothing has changed" in press.text
        # Nor can it be noted that she was told so.
        tried = failed
        async with asyncio.timeout(30):
            while failed == tried:  # noqa: ASYNC110 - no event
                await asyncio.sleep(0.05)
        is_full = False
        async with asyncio.timeout(30):
            while await inbox.unfinished(front._app.store, "telegram"):  # noqa: ASYNC110 - no event
                await asyncio.sleep(0.05)
    monkeypatch.undo()
    async with table.open():
        anna.says(group, "/help")
        await api.until(lambda: "/rules" in api.texts(group)[-1])
        assert "Ben wins" not in table.board()["caption"]
    assert isinstance(table.logged, list)
    full = [event for event in table.logged if event.get("reason") == "the disk is full"]
    assert full
    for event in full:
        table.logged.remove(event)


@pytest.mark.slow
@pytest.mark.parametrize("is_pressed", [False, True])
async def test_a_refusal_for_the_rate_is_sent_only_after_it_was_stored(
    table: Table, monkeypatch: pytest.MonkeyPatch, *, is_pressed: bool
) -> None:
    """Otherwise a kill in between could play a refused press."""
    cleo, api = table.cleo, table.api
    hasty, is_full, noted = Texts("en")("error-too-fast"), True, asyncio.Event()
    finish = Finishing.finish

    async def finish_with_room(*given: Any, **more: Any) -> None:
        if is_full:
            noted.set()
            raise StoreError("the disk is full")
        await finish(*given, **more)

    async def never(*_: Any) -> bool:
        return False

    async with table.open():
        board = await table.begin()
        cleo.starts()
        await api.until(lambda: api.texts(cleo.private))
        monkeypatch.setattr(Finishing, "finish", finish_with_room)
        monkeypatch.setattr(Rates, "try_acquire", never)
        press = None
        if is_pressed:
            press = cleo.sends(table.group, board, "rules:0:0:othello")
        else:
            cleo.says(cleo.private, "/help")
        # After two attempts the notices have been sent.
        for _ in range(2):
            noted.clear()
            await noted.wait()
        assert press is None or not press.answered.is_set()
        assert hasty not in api.texts(cleo.private)
        is_full = False
        if press:
            await api.until(press.answered.is_set)
            assert press.text == hasty
        else:
            await api.until(lambda: hasty in api.texts(cleo.private))
    assert isinstance(table.logged, list)
    for event in [one for one in table.logged if one.get("reason") == "the disk is full"]:
        table.logged.remove(event)


@pytest.mark.sqlite
@pytest.mark.parametrize("second", [0.9])
async def test_no_move_is_lost_or_played_twice_over_a_kill(table: Table) -> None:
    moves = match_of(24)
    wanted = [move for _, move in moves]

    def played() -> int:
        return sum(call.method == "setMessageReaction" for call in table.api.calls)

    def has_reached(count: int) -> bool:
        return played() >= count

    async with table.open():
        await table.begin()
    for kill_at in (3, 7):
        typed(table, moves[:12])
        moves = moves[12:]
        async with process(table) as running:
            enough = played() + kill_at
            await table.api.until(partial(has_reached, enough))
            running.kill()
    async with process(table) as running:
        await table.api.until(lambda: [move for move in record(table) if move != "pass"] == wanted)
        running.terminate()
        await asyncio.wait_for(running.wait(), 60)
        assert running.returncode == 0
    assert [move for move in record(table) if move != "pass"] == wanted
    # A killed process cannot store its last messages, so each kill may cost one 429.
    table.api.floods = max(0, table.api.floods - 2)
