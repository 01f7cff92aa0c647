"""Telegram's pace: its pauses are kept, and users without a pause hold up no one."""

import asyncio
from functools import partial

import pytest

from bot.fronts.telegram import send_scheduler, widgets
from bot.fronts.telegram.send_scheduler import Sending
from bot.fronts.telegram.sender import Chat as TelegramChat
from tests.bot.fronts.telegram.conftest import Table
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import Refusal


@pytest.mark.slow
async def test_a_pause_that_telegram_wants_is_kept_in_its_chat(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = list[int]()

    def refuse(chat: int) -> None:
        refused.append(chat)
        raise Refusal(429, "Too Many Requests: retry after 100", retry_after=100)

    async with table.open() as front:
        await table.begin()
        with monkeypatch.context() as limited:
            limited.setattr(table.api, "_limit", refuse)
            table.anna.says(table.group, "/othello d3")
            await table.api.until(lambda: refused and table.group.reactions)
    assert refused == [table.group.id]
    figures = front._app.metrics.exposition()[0].decode().splitlines()
    counted = 'azumaya_platform_errors_total{front="telegram",kind="rate_limited"} 1.0'
    assert counted in figures
    assert front._sender.scheduler.claim(Sending(table.group.id, "test")) > 30
    assert front._sender.scheduler.claim(Sending(-999, "test")) == 0


@pytest.mark.parametrize("second", [0.05])
async def test_one_user_who_presses_without_a_pause_holds_up_no_board_and_the_last_press_counts(
    table: Table,
) -> None:
    api, group, cleo = table.api, table.group, table.cleo

    def edits() -> int:
        return sum(call.method == "editMessageText" for call in api.calls)

    async with table.open():
        await table.begin()
        menu = await table.answer(cleo, group, "/play othello", "options")
        queries = [cleo.sends(group, menu, f"options:0:0:othello.{at % 2}") for at in range(24)]
        await api.until(lambda: all(query.answered.is_set() for query in queries))
        table.anna.says(group, "/othello d3")
        await api.until(partial(table.is_shown, "d3"))
        # Of those that waited only the newest was worth sending.
        assert edits() <= 10
        await api.until(lambda: tokens(group.messages[menu["message_id"]], "start:0:0:othello.1"))
        assert edits() <= 12


@pytest.mark.slow
async def test_an_edit_that_telegram_delays_never_overwrites_a_newer_one(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    api, group, cleo = table.api, table.group, table.cleo
    async with table.open():
        menu = await table.answer(cleo, group, "/play othello", "options")
        with monkeypatch.context() as limited:
            refused = asyncio.Event()

            def refuse(_chat: int) -> None:
                refused.set()
                raise Refusal(429, "Too Many Requests: retry after 1", retry_after=1)

            limited.setattr(api, "_limit", refuse)
            cleo.sends(group, menu, "options:0:0:othello.1")
            await refused.wait()
        calls = len(api.calls)
        await api.answer(cleo.sends(group, menu, "options:0:0:othello.0"))
        await api.until(lambda: tokens(group.messages[menu["message_id"]], "start:0:0:othello.0"))
        await asyncio.sleep(1.5)
    edits = [call for call in api.calls[calls:] if call.method == "editMessageText"]
    assert len(edits) == 1
    assert tokens(group.messages[menu["message_id"]], "start:0:0:othello.0")


@pytest.mark.slow
async def test_of_many_answers_in_one_group_the_oldest_are_dropped(table: Table) -> None:
    api, group = table.api, table.group
    async with table.open() as front:
        await table.begin()
        pace = front._sender.scheduler
        pace.freeze(group.id, 1)
        chat, say = TelegramChat(group.id), front._responder.send
        work = [
            asyncio.ensure_future(say(chat, widgets.note(f"answer {person}"), person=person))
            for person in range(1, 201)
        ]
        await asyncio.sleep(0)
        assert pace.waiting <= 42
        table.anna.says(group, "/othello d3")
        await api.until(partial(table.is_shown, "d3"))
        await asyncio.gather(*work)
    said = [text for text in api.texts(group) if text.startswith("answer")]
    assert sorted(said) == sorted(f"answer {person}" for person in range(1, 41))
    assert isinstance(table.logged, list)
    crowds = [line for line in table.logged if line["event"] == "too many replies wait in a group"]
    assert [line["chat"] for line in crowds] == [group.id]


@pytest.mark.parametrize("also", [pytest.param("", marks=pytest.mark.slow), "erased", "offer"])
async def test_a_press_that_became_a_toast_gets_its_keys_when_the_senders_budget_allows(
    table: Table, monkeypatch: pytest.MonkeyPatch, also: str
) -> None:
    api, anna, group = table.api, table.anna, table.group
    async with table.open() as front:
        board = await table.begin_mill()
        most = send_scheduler._ONES_KEYS
        monkeypatch.setattr(send_scheduler, "_ONES_KEYS", 0)
        (key,) = (one for one in tokens(board, "step", loud=True) if one.endswith(":g1"))
        query = await api.answer(anna.sends(group, board, key))
        assert query.text.startswith("g1 closes a mill")
        if also == "erased":
            # Another user's account. The keyboard could have named them.
            front._app.deletion_count += 1
        if also == "offer":
            table.ben.says(group, "/draw")
            await api.until(lambda: "Ben offers a draw." in table.board()["caption"])
        assert not tokens(table.board(), f"{key}.b2")
        monkeypatch.setattr(send_scheduler, "_ONES_KEYS", most)
        await api.until(lambda: "Cancel" in str(table.board()["reply_markup"]))
        captured = [one.rpartition(".")[2] for one in tokens(table.board(), "step", loud=True)]
        assert captured[:2] == ["b2", "d2"]
