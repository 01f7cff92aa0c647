"""Several processes with one bot: one fetches updates and speaks, another takes over."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from time import monotonic

import pytest
from pydantic import SecretStr
from telegram import Update

from bot import shards as shards_module
from bot.app import App
from bot.commands import Answer, Command, Commands
from bot.delivery import Reconciler
from bot.errors import StoreBusyError
from bot.fronts.telegram import Telegram
from bot.fronts.telegram.receiver import Receiver
from bot.fronts.telegram.setup import note_commands, open_bot
from bot.house import running as house
from bot.model import Status
from bot.store import Store, inbox, match_queries, places
from bot.store import shards as shard_store
from tests import warm
from tests.bot.fronts.telegram.conftest import HURRY, Table, process
from tests.bot.fronts.telegram.lines import match_of, typed
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import BOT_ID
from tests.ports import free_port
from tests.postgres import Server

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("_engine_of_store")]

WITHIN = 15.0
"""Seconds in which another process has taken over, whatever has become of the first."""


async def happens(condition: Callable[[], object]) -> None:
    """Wait for a condition in another process, by polling."""
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
        await happens(lambda: "shards lost" in log.read_text())
        typed(table, moves[10:])
        await api.until(lambda: table.is_shown(wanted[-1]))
        assert record() == wanted
        # What was on its way when it was stopped arrives as soon as it wakes; nothing after that.
        assert acts("second", woken + 0.5) == []
        # The stopped process still had its connections open.
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
            async with asyncio.timeout(60):
                await is_under_way.wait()
            cut_off.add(holder)
            await api.until(lambda: tokens(table.group.newest(), "accept"))
            may_end.set()
            async with asyncio.timeout(60):
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


class Sight:
    """Whether others see the one process that there is, and what its watch says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time, self.is_there = 1000.0, True
        monkeypatch.setattr(shards_module, "_now", lambda: self.time)
        monkeypatch.setattr(Store, "is_present", property(lambda _: self.is_there))

    def cut(self) -> None:
        """The connection by which others see it is cut."""
        self.is_there = False
        self.time += 2

    def back(self) -> None:
        """Another connection is there."""
        self.is_there = True


@pytest.fixture
def sight(monkeypatch: pytest.MonkeyPatch) -> Sight:
    return Sight(monkeypatch)


@asynccontextmanager
async def speaking(table: Table) -> AsyncIterator[App]:
    """A house that shares its database with others, and speaks on Telegram."""
    app = await App.open(table.settings())
    await app.shards.begin(app.settings.shards)
    await note_commands(BOT_ID, app.store)
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


async def test_who_has_pressed_is_answered_when_others_see_us_again(
    table: Table, sight: Sight, monkeypatch: pytest.MonkeyPatch
) -> None:
    pressed, is_done = Commands.pressed, asyncio.Event()

    async def cut_meanwhile(self: Commands, command: Command, token: str) -> Answer:
        answer = await pressed(self, command, token)
        sight.cut()
        is_done.set()
        return answer

    async with speaking(table) as app:
        board = await table.begin()
        monkeypatch.setattr(Commands, "pressed", cut_meanwhile)
        query = table.anna.presses(table.group, board, "d3")
        async with asyncio.timeout(60):
            await is_done.wait()
        for _ in range(100):
            await asyncio.sleep(0)
        assert not query.answered.is_set()
        sight.back()
        await table.api.until(query.answered.is_set)
        await table.api.until(lambda: table.is_shown("d3"))
        assert not query.alert
        assert await app.inbox("telegram").unfinished() == {}


async def test_what_comes_to_its_turn_while_others_do_not_see_us_is_done_afterwards(
    table: Table, sight: Sight, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed, is_under_way, may_end = Commands.typed, asyncio.Event(), asyncio.Event()
    has_ended = asyncio.Event()

    async def held_up(self: Commands, command: Command, line: str) -> Answer:
        is_under_way.set()
        await may_end.wait()
        answer = await typed(self, command, line)
        has_ended.set()
        return answer

    async with speaking(table):
        await table.begin()
        monkeypatch.setattr(Commands, "typed", held_up)
        table.anna.says(table.group, "/othello d3")
        async with asyncio.timeout(60):
            await is_under_way.wait()
        arrived = len(table.api.fetches)
        table.ben.says(table.group, "/othello c3")
        await table.api.until(lambda: len(table.api.fetches) > arrived)
        sight.cut()
        may_end.set()
        async with asyncio.timeout(60):
            await has_ended.wait()
        for _ in range(100):
            await asyncio.sleep(0)
        sight.back()
        await table.api.until(lambda: table.is_shown("c3"))


async def test_what_is_finished_while_the_inbox_is_read_is_not_done_again(
    table: Table, sight: Sight, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was under way when its process could not say for long that it was there."""
    typed, unfinished, lines = Commands.typed, inbox.unfinished, list[str]()
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
        monkeypatch.setattr(Commands, "typed", held_up)
        monkeypatch.setattr(inbox, "unfinished", slow)
        table.anna.says(table.group, "/othello new")
        async with asyncio.timeout(60):
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


async def test_updates_are_fetched_on_where_that_was_not_for_us_for_a_moment(
    table: Table,
) -> None:
    settings, taken = table.settings().telegram, list[Update]()
    store = await Store.open(table.database)
    bot = open_bot(settings, failed=lambda _: None)
    answers = iter([False])

    async def take(updates: Sequence[Update]) -> None:
        taken.extend(updates)

    receiver = Receiver(
        bot,
        inbox.Inbox(store, "telegram", ours=lambda: store),
        settings,
        take=take,
        answer_late=lambda *_: None,
        is_ours=lambda: next(answers, True),
    )
    fetching = asyncio.create_task(receiver.run(lambda: None))
    table.anna.says(table.group, "/othello new")
    await table.api.until(lambda: taken or fetching.done())
    assert len(taken) == 1
    fetching.cancel()
    await asyncio.wait([fetching])
    await bot.shutdown()
    await store.close()
