"""The bot on Telegram, with our own Bot API server in Telegram's place."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
import structlog
from structlog.typing import EventDict

from bot.app import App
from bot.commands import Commands
from bot.delivery import Reconciler
from bot.fronts.telegram import send_scheduler, setup
from bot.fronts.telegram.front import Telegram
from bot.loops.computers import Computers
from bot.store import Address, key_values
from bot.support.settings import Settings, all_settings
from tests import warm
from tests.bot.fronts.telegram import spec
from tests.bot.fronts.telegram.playing import handed_on, tokens
from tests.bot.fronts.telegram.server import BOT_ID, TOKEN, BotApi, Chat, Message, Person
from tests.bot.table import written

HURRY = 0.01
"""Seconds that one of Telegram's seconds takes in most tests."""


@dataclass
class Table:
    """What a test needs: the server, three people, a group."""

    api: BotApi
    database: Address
    folder: Path
    anna: Person
    ben: Person
    cleo: Person
    group: Chat
    written: str = ""
    """The output of other processes."""
    logged: Sequence[EventDict] = ()
    """The log of this process."""

    @classmethod
    def of(cls, api: BotApi, database: Address, folder: Path) -> "Table":
        """Add three people and a group to a server."""
        return cls(
            api,
            database,
            folder,
            api.person(11, "Anna", username="anna"),
            api.person(12, "Ben", language="de"),
            api.person(13, "Cleo <b>&", username="Cleo"),
            api.group(-100, "Garden"),
        )

    @property
    def file(self) -> Path:
        """Return the database's file, for tests that read it (marked ``sqlite``)."""
        assert isinstance(self.database, Path)
        return self.database

    def troubles(self) -> list[tuple[str, int | None]]:
        """Return the warnings and errors of the log: event and update id."""
        return [
            (line["event"], line.get("update"))
            for line in self.logged
            if line["log_level"] not in ("debug", "info")
        ]

    def settings(self, **more: Any) -> Settings:
        telegram = {"token": TOKEN, "api_base": self.api.base, **more}
        play = {"commands_per_second": 100, "pings": "always"}
        return all_settings().model_validate(
            {"database": self.database, "telegram": telegram, "play": play}
        )

    @asynccontextmanager
    async def open(self, *, is_known: bool = True, **more: Any) -> AsyncIterator[Telegram]:
        """Open the app and its front, as in production."""
        async with running(self.settings(**more), is_known=is_known) as (_, front):
            yield front

    async def answer(self, person: Person, chat: Chat, line: str, verb: str) -> Message:
        """Let a person type a line, and return the newest message once it has this button."""
        person.says(chat, line)
        await self.api.until(lambda: tokens(chat.newest(), verb))
        return chat.newest()

    async def begin(self, chat: Chat | None = None, line: str = "/othello new black") -> Message:
        """Start Anna's and Ben's match, and return the board after Anna's ping."""
        chat = chat or self.group
        challenge = await self.answer(self.anna, chat, line, "accept")
        self.ben.presses(chat, challenge, tokens(challenge, "accept")[0])
        await self.api.until(lambda: self.api.boards(chat))
        if "Anna to move" in self.board(chat)["caption"]:
            # Ben has just joined and needs no ping.
            await self.api.until(lambda: tokens(chat.newest(), "step") == [])
        return self.board(chat)

    async def begin_in_private(self) -> None:
        """Start Anna's and Ben's match in their private chats."""
        api, anna, ben = self.api, self.anna, self.ben
        if anna.private.closed:
            anna.starts()
        before = [len(api.boards(person.private)) for person in (anna, ben)]
        anna.says(anna.private, "/othello new black")
        await api.until(lambda: tokens(anna.private.newest(), "withdraw"))
        ben.starts(handed_on(anna.private.newest()))
        for person, count in zip((anna, ben), before, strict=True):
            await api.until(partial(self.has_boards, person, more_than=count))

    def has_boards(self, person: Person, *, more_than: int) -> bool:
        return len(self.api.boards(person.private)) > more_than

    async def begin_mill(self) -> Message:
        """Start Nine Men's Morris where Anna's g1 closes a mill and captures a man."""
        await self.begin(line="/morris new white")
        for person, move in zip((self.anna, self.ben) * 2, ("a1", "b2", "d1", "d2"), strict=True):
            person.says(self.group, f"/morris {move}")
            await self.api.until(partial(self.is_shown, move))
        return self.board()

    def board(self, chat: Chat | None = None) -> Message:
        """Return the only board in a chat."""
        (board,) = self.api.boards(chat or self.group)
        return board

    def is_shown(self, move: str, chat: Chat | None = None) -> bool:
        """Return whether the board in a chat shows this as the last move."""
        board = self.board(chat)
        return f"Last move: {move}\n" in board["caption"]


@asynccontextmanager
async def running(
    settings: Settings, *, is_known: bool = True
) -> AsyncIterator[tuple[App, Telegram]]:
    """Open a front whose commands are registered, except in tests of that."""
    app = await App.open(settings)
    try:
        if is_known:
            await key_values.remember(app.store, "telegram", *setup.commands_mark(BOT_ID))
        front = Telegram(app, Commands(app))
        await front.start()
        working = [
            asyncio.create_task(Reconciler(app, {front.platform: front}).run()),
            asyncio.create_task(Computers(app).run()),
        ]
        try:
            yield app, front
        finally:
            for one in working:
                one.cancel()
            await asyncio.wait(working)
            await front.stop()
            await app.shards.end()
    finally:
        await app.close()


@asynccontextmanager
async def process(
    table: Table,
    *command: str,
    token: str = TOKEN,
    base: str | None = None,
    name: str = "",
    second: float = 1.0,
) -> AsyncIterator[warm.Process]:
    """Start the bot in another process, and check that its output never has the token.

    With several processes each has a `name`.
    """
    log = table.folder / f"log{name}.txt"
    running = warm.start(
        *(command or ("run",)),
        environment={
            **{key: value for key, value in os.environ.items() if "AZUMAYA" not in key},
            "AZUMAYA_DATABASE": written(table.database),
            "AZUMAYA_WEB__ENABLED": "false",
            "AZUMAYA_PLAY__COMMANDS_PER_SECOND": "100",
            "AZUMAYA_PLAY__PINGS": "always",
            "AZUMAYA_LOG__LEVEL": "debug",
            "AZUMAYA_TELEGRAM__TOKEN": token,
            "AZUMAYA_TELEGRAM__API_BASE": base
            or (table.api.base_of(name) if name else table.api.base),
        },
        folder=table.folder,
        log=log,
        second=second,
    )
    try:
        yield running
    finally:
        if running.returncode is None:
            running.kill()
        await running.wait()
        table.written = log.read_text()
        assert not token or token.partition(":")[2] not in table.written


@pytest.fixture(scope="session")
def description() -> spec.Spec | None:
    """Return the description of the Bot API, if it is present."""
    return spec.Spec.read()


@pytest.fixture(scope="session", autouse=True)
def _texts_of_commands_are_read_once() -> Iterator[None]:
    """Hash the registered commands once, since each start of the front would do it again."""
    made = setup.commands_mark

    @cache
    def mark(bot_id: int, _table: object) -> tuple[str, str]:
        return made(bot_id)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setup, "commands_mark", lambda bot: mark(bot, vars(setup)["table"]))
        yield


@pytest.fixture
def second() -> float:
    """Return the seconds that one of Telegram's seconds takes."""
    return HURRY


@pytest.fixture
async def table(
    database: Address,
    tmp_path: Path,
    description: spec.Spec | None,
    second: float,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[Table]:
    monkeypatch.setattr(send_scheduler, "SECOND", second)
    # Shortened seconds make the server less exact than the bot, by milliseconds.
    api = BotApi(description, second=second if second == 1 else second / 2)
    await api.start()
    opened = Table.of(api, database, tmp_path)
    with structlog.testing.capture_logs() as events:
        opened.logged = events
        yield opened
    await api.stop()
    assert api.problems == []
    assert api.floods == 0
    unexpected = opened.logged
    assert [event for event in unexpected if event["log_level"] in ("error", "critical")] == []


@pytest.fixture
async def front(table: Table) -> AsyncIterator[Telegram]:
    async with table.open() as front:
        yield front


async def connected(table: Table, front: Telegram) -> None:
    """Wait for the webhook, and route it to the front's port."""
    await table.api.until(lambda: table.api.webhook)
    assert table.api.webhook["max_connections"] == "40"
    table.api.webhook["url"] = f"http://127.0.0.1:{front.port}/telegram"
