"""Several processes with one bot: one fetches updates and sends, another takes over."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from time import monotonic

import pytest
from pydantic import SecretStr

from bot.app import App
from bot.cli.running import running as house
from bot.commands import Answer, Command, Commands
from bot.delivery import Reconciler
from bot.fronts.telegram import setup
from bot.fronts.telegram.front import Telegram
from bot.fronts.telegram.receiver import Receiver
from bot.fronts.web import WebSettings
from bot.matches import shards as shards_module
from bot.store import Store, inbox, key_values
from bot.store.database.postgres import Postgres
from bot.support.settings import ComputerSettings
from tests import warm
from tests.bot.fronts.telegram.conftest import HURRY, Table, process
from tests.bot.fronts.telegram.lines import match_of, typed
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import BOT_ID
from tests.ports import free_port
from tests.postgres import Server

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("_engine_of_store")]


async def happens(condition: Callable[[], object]) -> None:
    """Wait for a condition in another process, by polling."""
    async with asyncio.timeout(90):
        while not condition():  # noqa: ASYNC110 - see above
            await asyncio.sleep(0.02)


async def test_another_process_takes_over_from_a_stopped_one_which_is_then_silent(
    table: Table, server: Server, database: SecretStr
) -> None:
    api = table.api
    name = database.get_secret_value().partition("@/")[2].partition("?")[0]

    def rows(query: str) -> list[object]:
        return [row[0] for row in server.execute(query, database=name)]

    def record() -> list[object]:
        query = "SELECT notation FROM moves WHERE notation != 'pass' ORDER BY ply"
        return rows(query)

    def polled_by(process: str, since: float = 0.0) -> bool:
        return any(poll.by == process and poll.at > since for poll in api.fetches)

    moves = match_of(8)
    wanted = [move for _, move in moves]
    async with AsyncExitStack() as running:

        async def start(name: str) -> warm.Process:
            there = len(rows("SELECT holder FROM processes"))
            started = await running.enter_async_context(process(table, name=name, second=HURRY))
            await happens(lambda: len(rows("SELECT holder FROM processes")) > there)
            return started

        first = await start("first")
        await api.until(lambda: polled_by("first"))
        await start("second")
        await table.begin()
        typed(table, moves[:2])
        await happens(lambda: record() == wanted[:2])
        assert {call.by for call in api.calls} == {"first"}

        typed(table, moves[2:6])
        await happens(lambda: len(record()) > 2)
        first.send_signal(signal.SIGSTOP)
        await api.until(lambda: polled_by("second"))
        await happens(lambda: record() == wanted[:6])
        first.send_signal(signal.SIGCONT)
        woken = monotonic()
        log = table.folder / "logfirst.txt"
        await happens(lambda: "shards lost" in log.read_text())
        typed(table, moves[6:])
        await api.until(lambda: table.is_shown(wanted[-1]))
        assert record() == wanted
        # Calls that were under way arrive after it wakes, but none about later moves.
        later = [call for call in api.calls if call.by == "first" and call.at > woken]
        shown = str([call.given for call in later])
        assert not [move for move in wanted[6:] if f"Last move: {move}" in shown]
        # The stopped process had its connections open, and did not fetch again.
        assert set(api.conflicts) <= {"first"}
        nods = [
            call.given["message_id"] for call in api.calls if call.method == "setMessageReaction"
        ]
        assert len(nods) == len(set(nods))


@pytest.mark.slow
async def test_an_update_delivered_to_any_process_is_handled_by_one_and_later_by_the_next(
    table: Table,
) -> None:
    """A proxy delivers to the process that waits, until the other one ends."""
    api = table.api
    ports = {name: free_port() for name in ("first", "second")}

    def open_(name: str) -> AbstractAsyncContextManager[object]:
        settings = table.settings(
            webhook_url=f"http://127.0.0.1:{ports['second']}/telegram",
            webhook_port=ports[name],
            api_base=api.base_of(name),
        )
        web, computer = WebSettings(enabled=False), ComputerSettings(workers=0)
        return house(settings.model_copy(update={"web": web, "computer": computer}))

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


class Sight:
    """Control whether other processes see this one, and its clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time, self.is_there = 1000.0, True
        monkeypatch.setattr(shards_module, "_now", lambda: self.time)
        monkeypatch.setattr(Postgres, "is_present", property(lambda _: self.is_there))

    def cut(self) -> None:
        """Cut the connection by which other processes see it."""
        self.is_there = False
        self.time += 2

    def back(self) -> None:
        """Restore the connection."""
        self.is_there = True


@pytest.fixture
def sight(monkeypatch: pytest.MonkeyPatch) -> Sight:
    return Sight(monkeypatch)


@asynccontextmanager
async def speaking(table: Table) -> AsyncIterator[App]:
    """Run a bot that shares its database with others."""
    app = await App.open(table.settings())
    await app.shards.begin(app.settings.shards)
    await key_values.remember(app.store, "telegram", *setup.commands_mark(BOT_ID))
    front = Telegram(app, Commands(app))
    await front.start()
    working = asyncio.create_task(Reconciler(app, {front.platform: front}).run())
    try:
        yield app
    finally:
        working.cancel()
        await asyncio.wait([working])
        await front.stop()
        await app.shards.end()
        await app.close()


@pytest.mark.slow
async def test_a_press_is_answered_after_the_process_is_seen_again(
    table: Table, sight: Sight, monkeypatch: pytest.MonkeyPatch
) -> None:
    pressed, is_done = Commands.run_button, asyncio.Event()

    async def cut_meanwhile(self: Commands, command: Command, token: str) -> Answer:
        answer = await pressed(self, command, token)
        sight.cut()
        is_done.set()
        return answer

    async with speaking(table) as app:
        board = await table.begin()
        monkeypatch.setattr(Commands, "run_button", cut_meanwhile)
        query = table.anna.presses(table.group, board, "d3")
        await is_done.wait()
        for _ in range(100):
            await asyncio.sleep(0)
        assert not query.answered.is_set()
        sight.back()
        await table.api.until(query.answered.is_set)
        await table.api.until(lambda: table.is_shown("d3"))
        assert not query.alert
        # Updates are fetched again.
        table.ben.says(table.group, "/othello c3")
        await table.api.until(lambda: table.is_shown("c3"))
        assert await inbox.unfinished(app.store, "telegram") == {}


async def test_an_update_finished_while_the_inbox_is_read_is_not_done_again(
    table: Table, sight: Sight, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was running while its process could not renew its lease."""
    typed, unfinished, lines = Commands.run_line, inbox.unfinished, list[str]()
    is_under_way, may_end = asyncio.Event(), asyncio.Event()
    is_read, may_go_on = asyncio.Event(), asyncio.Event()
    run, is_interrupted = Receiver.run, asyncio.Event()

    async def watched(self: Receiver, connected: Callable[[], None]) -> None:
        try:
            await run(self, connected)
        finally:
            is_interrupted.set()

    async def held_up(self: Commands, command: Command, line: str) -> Answer:
        lines.append(line)
        if len(lines) == 1:
            is_under_way.set()
            await may_end.wait()
        return await typed(self, command, line)

    async def slow(store: Store, platform: str) -> dict[int, object]:
        found = await unfinished(store, platform)
        is_read.set()
        await may_go_on.wait()
        return found

    monkeypatch.setattr(Receiver, "run", watched)
    async with speaking(table) as app:
        await table.api.until(lambda: table.api.fetches)
        monkeypatch.setattr(Commands, "run_line", held_up)
        monkeypatch.setattr(inbox, "unfinished", slow)
        table.anna.says(table.group, "/othello new")
        await is_under_way.wait()
        sight.time += 9
        await is_interrupted.wait()
        await app.shards.once()
        await is_read.wait()
        may_end.set()
        await table.api.until(lambda: tokens(table.group.newest(), "accept"))
        while await unfinished(app.store, "telegram"):  # noqa: ASYNC110 - no event
            await asyncio.sleep(0)
        may_go_on.set()
        table.ben.says(table.group, "/help")
        await table.api.until(lambda: "/help" in lines)
        assert lines == ["/othello new", "/help"]
