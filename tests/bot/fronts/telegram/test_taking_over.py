"""Several processes with one bot: one fetches updates and speaks, another takes over."""

import asyncio
import signal
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from time import monotonic

import pytest
from pydantic import SecretStr

from bot import shards as shards_module
from bot.__main__ import running as house
from bot.commands import Answer, Command, Commands
from bot.errors import StoreBusyError
from bot.model import Status
from bot.store import Store, match_queries, places
from bot.store import shards as shard_store
from tests import warm
from tests.bot.fronts.telegram.conftest import HURRY, Table, process
from tests.bot.fronts.telegram.lines import match_of, typed
from tests.bot.fronts.telegram.playing import tokens
from tests.postgres import Server
from tests.test_survival import free_port

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("_engine_of_store")]

WITHIN = 15.0
"""Seconds in which another process has taken over, whatever has become of the first."""


async def happens(condition: Callable[[], object]) -> None:
    """In another process, which tells nobody."""
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - see above
            await asyncio.sleep(0.02)


@pytest.mark.timeout(120)
async def test_another_process_takes_over_within_15_seconds_and_the_first_is_silent_from_then_on(
    table: Table, server: Server, database: SecretStr
) -> None:
    """Killed, and stopped in the middle of its work to wake up when all is done."""
    api = table.api
    name = database.get_secret_value().partition("@/")[2].partition("?")[0]

    def rows(query: str) -> list[object]:
        return [row[0] for row in server.execute(query, database=name)]

    def record() -> list[object]:
        query = "SELECT notation FROM moves WHERE notation != 'pass' ORDER BY ply"
        return rows(query)

    def polled_by(process: str, since: float = 0.0) -> bool:
        return any(poll.by == process and poll.at > since for poll in api.fetches)

    def acts(process: str, since: float) -> list[str]:
        """What a process has done since then."""
        done = [*api.calls, *api.fetches]
        return [call.method for call in done if call.by == process and call.at > since]

    moves = match_of(12)
    wanted = [move for _, move in moves]
    async with AsyncExitStack() as running:

        async def start(name: str) -> warm.Process:
            there = len(rows("SELECT holder FROM processes"))
            started = await running.enter_async_context(process(table, name=name, second=HURRY))
            await happens(lambda: len(rows("SELECT holder FROM processes")) > there)
            return started

        first = await start("first")
        await api.until(lambda: polled_by("first"))
        second = await start("second")
        await table.begin()
        typed(table, moves[:2])
        await happens(lambda: record() == wanted[:2])
        assert acts("second", 0.0) == []

        first.kill()
        killed = monotonic()
        typed(table, moves[2:4])
        await api.until(lambda: polled_by("second"))
        assert monotonic() - killed < WITHIN
        await happens(lambda: record() == wanted[:4])

        await start("third")
        typed(table, moves[4:10])
        await happens(lambda: len(record()) > 4)
        second.send_signal(signal.SIGSTOP)
        stopped = monotonic()
        await api.until(lambda: polled_by("third"))
        assert monotonic() - stopped < WITHIN
        await happens(lambda: record() == wanted[:10])
        second.send_signal(signal.SIGCONT)
        woken = monotonic()
        log = table.folder / "logsecond.txt"
        await happens(lambda: "others speak now" in log.read_text())
        typed(table, moves[10:])
        await api.until(lambda: table.is_shown(wanted[-1]))
        assert record() == wanted
        # What was on its way when it was stopped arrives as soon as it wakes; nothing after that.
        assert acts("second", woken + 0.5) == []
        # Theirs was still open when it was stopped: nobody else was in anybody's way.
        assert set(api.conflicts) <= {"second"}
        nods = [
            call.given["message_id"] for call in api.calls if call.method == "setMessageReaction"
        ]
        assert len(nods) == len(set(nods))


async def test_what_is_delivered_to_any_process_is_dealt_with_by_one_and_then_by_the_next(
    table: Table,
) -> None:
    """Two behind a proxy, which leads to the one that waits, until the other one ends."""
    api = table.api
    ports = {name: free_port() for name in ("first", "second")}

    def open_(name: str) -> AbstractAsyncContextManager[object]:
        settings = table.settings(
            webhook_url=f"http://127.0.0.1:{ports['second']}/telegram",
            webhook_port=ports[name],
            api_base=api.base_of(name),
        )
        web = settings.web.model_copy(update={"enabled": False})
        return house(settings.model_copy(update={"web": web}))

    def speakers() -> set[str]:
        spoken = ("sendMessage", "sendPhoto", "editMessageMedia", "answerCallbackQuery")
        return {call.by for call in api.calls if call.method in spoken}

    async with AsyncExitStack() as first:
        await first.enter_async_context(open_("first"))
        await api.until(lambda: api.webhook)
        async with open_("second"):
            board = await table.begin()
            pressed = table.anna.presses(table.group, board, "d3")
            await api.until(lambda: table.is_shown("d3"))
            await api.until(pressed.answered.is_set)
            assert speakers() == {"first"}
            await first.aclose()
            table.ben.says(table.group, "/othello c3")
            await api.until(lambda: table.is_shown("c3"))
            assert speakers() == {"first", "second"}
            assert set(api.deliveries) == {200}


async def test_what_was_begun_before_another_took_over_is_done_by_that_one_alone(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut off from the rest in the middle of a command, which goes on when all is over."""
    api = table.api
    for name, seconds in (("_LEASE", 3), ("_RELIED_ON", 1.5), ("_BEAT_EVERY", 0.3)):
        monkeypatch.setattr(shards_module, name, seconds)
    cut_off = set[str]()
    beat, typed = shard_store.beat, Commands.typed
    is_under_way, may_end, has_ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def lost(store: Store, *, seconds: int) -> bool:
        if store.holder in cut_off:
            raise StoreBusyError("cut off")
        return await beat(store, seconds=seconds)

    async def held_up(self: Commands, command: Command, line: str) -> Answer:
        if is_under_way.is_set():
            return await typed(self, command, line)
        is_under_way.set()
        await may_end.wait()
        answer = await typed(self, command, line)
        has_ended.set()
        return answer

    monkeypatch.setattr(shard_store, "beat", lost)
    monkeypatch.setattr(Commands, "typed", held_up)

    def open_(name: str) -> AbstractAsyncContextManager[object]:
        settings = table.settings(api_base=api.base_of(name))
        web = settings.web.model_copy(update={"enabled": False})
        return house(settings.model_copy(update={"web": web}))

    store = await Store.open(table.database)
    async with open_("first"):
        await api.until(lambda: any(call.by == "first" for call in api.fetches))
        (holder,) = await shard_store.present(store)
        async with open_("second"):
            table.anna.says(table.group, "/othello new")
            async with asyncio.timeout(10):
                await is_under_way.wait()
            cut_off.add(holder)
            await api.until(lambda: tokens(table.group.newest(), "accept"))
            may_end.set()
            async with asyncio.timeout(10):
                await has_ended.wait()
            garden = await places.place_called(store, "telegram", str(table.group.id))
            assert garden is not None
            assert len(await match_queries.in_place(store, garden.id, status=tuple(Status))) == 1
    await store.close()
    shown = [call.by for call in api.calls if call.method.startswith("send")]
    assert shown == ["second"]
    errors = [one for one in table.logged if one["log_level"] == "error"]
    assert {one["event"] for one in errors} == {"shards not renewed"}
    table.logged = []
