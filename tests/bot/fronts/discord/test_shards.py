"""Several processes with one bot on Discord: each serves its shards."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial, partialmethod
from typing import Any

import pytest
from aiolimiter import AsyncLimiter

from bot.app import App
from bot.commands import Answer, Command, Commands
from bot.delivery import Outgoing, Reconciler, RetryError
from bot.domain.model import Place, Status
from bot.fronts.discord import client as client_module
from bot.fronts.discord.client import Client
from bot.fronts.discord.front import Discord
from bot.fronts.discord.interactions import InteractionHandler
from bot.loops.watch import ChangePoller
from bot.matches import playing
from bot.store import Address, match_queries, people, places
from bot.store import shards as shard_store
from bot.support.settings import PlaySettings, all_settings
from tests.bot.fronts.discord.standin import CHANNEL, GUILD, TOKEN, StandIn
from tests.bot.fronts.discord.test_wire import ANNA, Running

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("_engine_of_store")]

SHARDS = 2


class Recorded(Discord):
    """Record the versions that were shown."""

    def __init__(self, app: App, commands: Commands) -> None:
        super().__init__(app, commands)
        self.shown: list[int] = []

    async def send(self, outgoing: Outgoing) -> str:
        self.shown.append(outgoing.loaded.match.version)
        return await super().send(outgoing)

    async def edit(self, outgoing: Outgoing, message: str) -> str:
        self.shown.append(outgoing.loaded.match.version)
        return await super().edit(outgoing, message)


@pytest.fixture
async def standin() -> AsyncIterator[StandIn]:
    async with StandIn.open(shards=SHARDS) as standin:
        yield standin
    assert standin.problems == []


@asynccontextmanager
async def process(
    database: Address, standin: StandIn, *numbers: int
) -> AsyncIterator[tuple[Running, Recorded]]:
    """Run a process that serves these shards."""
    discord = {
        "token": TOKEN,
        "api_base": standin.api_base,
        "gateway": standin.gateway,
        "shard_count": SHARDS,
        "shard_ids": numbers,
    }
    play = PlaySettings(commands_per_second=100, pings="always")
    settings = all_settings().model_validate(
        {"database": database, "discord": discord, "play": play}
    )
    app = await App.open(settings)
    await app.shards.begin(settings.shards, at_once=["discord"])
    front = Recorded(app, Commands(app))
    await front.start()
    parts = (Reconciler(app, {"discord": front}), ChangePoller(app), app.shards)
    working = {asyncio.create_task(part.run()) for part in parts}
    running = Running(app, front, standin)
    try:
        await running.ready()
        yield running, front
    finally:
        for task in working:
            task.cancel()
        await asyncio.wait(working)
        await front.stop()
        await app.shards.end()
        await app.close()


async def test_a_board_is_shown_by_the_process_of_its_server(
    database: Address, standin: StandIn
) -> None:
    assert (GUILD >> 22) % SHARDS == 0
    async with (
        process(database, standin, 0) as (first, front),
        process(database, standin, 1) as (second, other),
    ):
        await first.begun()
        await first.shows("'label': 'd3'")
        app = second.app
        place = await places.place_called(app.store, "discord", f"{GUILD}/{CHANNEL}")
        assert place is not None
        (match,) = await match_queries.in_place(app.store, place.id, status=[Status.RUNNING])
        anna = await people.by_identity(app.store, "discord", str(ANNA))
        assert anna is not None
        await playing.play(app.matches, match, anna.id, "d3")
        await first.shows("Last move: d3")
        assert front.shown
        assert other.shown == []


async def test_work_during_a_lost_connection_is_left_for_later(
    database: Address, standin: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Discord._channel

    async def cut(self: Discord, place: Place) -> Any:
        channel = await found(self, place)
        await self._connected().close()
        return channel

    async with process(database, standin, 0) as (running, _):
        await running.begun()
        place = await places.place_called(running.app.store, "discord", f"{GUILD}/{CHANNEL}")
        assert place is not None
        monkeypatch.setattr(Discord, "_channel", cut)
        with pytest.raises(RetryError):
            await running.front.close_thread(place)


@pytest.mark.slow
async def test_a_press_when_the_process_is_taken_for_dead_is_answered_and_changes_nothing(
    database: Address, standin: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, ends, pressed = asyncio.Event(), asyncio.Event(), Commands.run_button

    async def held_up(self: Commands, command: Command, *tokens: str) -> Answer:
        began.set()
        await ends.wait()
        return await pressed(self, command, *tokens)

    async def closes(close: Callable[[Any], Awaitable[None]], one: Any) -> None:
        ends.set()
        await close(one)

    for ending in (InteractionHandler, Client):
        close: Any = ending.close
        monkeypatch.setattr(ending, "close", partialmethod(partial(closes, close)))
    async with process(database, standin, 0) as (running, _):
        await running.begun()
        board = await running.shows("'label': 'd3'")
        before, store = running.front.client, running.app.store
        monkeypatch.setattr(Commands, "run_button", held_up)
        asking = asyncio.ensure_future(running.press(ANNA, board, "d3"))
        await began.wait()
        await shard_store.remove(store, [store.database.holder])
        asked = await asking
        while running.front.client is before:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.01)
        (reply,) = asked.replies
        assert "nothing has changed" in str(standin.messages[reply]["components"])
        monkeypatch.setattr(Commands, "run_button", pressed)
        assert before.is_closed()
        await running.ready()
        await running.press(ANNA, board, "d3")
        await running.shows("Last move: d3")
        assert standin.seen["op 2"] == 2


async def test_a_process_uses_its_share_of_the_rate_limit(
    database: Address, standin: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = list[tuple[float, float]]()
    asked = list[None]()

    class Counting(AsyncLimiter):
        def __init__(self, most: float, seconds: float) -> None:
            super().__init__(most, seconds)
            made.append((most, seconds))

        async def acquire(self, amount: float = 1) -> None:
            asked.append(None)
            await super().acquire(amount)

    monkeypatch.setattr(client_module, "AsyncLimiter", Counting)
    async with process(database, standin, 0) as (running, _):
        (most, seconds), *_ = made
        # Within any second: the burst plus what refills.
        assert most + 1 / seconds * most == 50 / SHARDS
        before = len(standin.requests)
        counted = len(asked)
        await running.begun()
        await running.shows("'label': 'd3'")
        paths = [path for _, path, _ in standin.requests[before:]]
        free = [path for path in paths if "/interactions/" in path or "/webhooks/" in path]
        assert free
        assert len(asked) - counted == len(paths) - len(free) > 0
