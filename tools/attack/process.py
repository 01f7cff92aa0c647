"""The real process: started, ended, killed, under limits if need be, and all that it writes."""

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import DEVNULL, Process
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp

from bot.fronts.discord.replies import PATIENCE
from tests import warm
from tests.ports import free_port

__all__ = ["App", "AppError", "run", "told_in", "tracebacks_in"]

ROOT = Path(__file__).parents[2]
_STARTING = 60.0
"""Seconds until a house that has not opened its door is given up."""
_ENDING = 20.0


class AppError(Exception):
    """The house did not start, or did not end."""


def _environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Ours, without what the user has set for a house of their own."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("AZUMAYA_")}
    given = {f"AZUMAYA_{key}": value for key, value in settings.items()}
    return {**kept, **given, "PYTHONPATH": str(ROOT)}


async def run(*words: str, settings: Mapping[str, str], folder: Path) -> tuple[int, str]:
    """A command of the command line, to its end: exit code, and what it wrote."""
    with TemporaryDirectory() as beside:
        log = Path(beside, "log")
        running = warm.start(*words, environment=_environment(settings), folder=folder, log=log)
        try:
            async with asyncio.timeout(_STARTING):
                code = await running.wait()
        except TimeoutError:
            running.kill()
            await running.wait()
            code = -1
        return code, log.read_text("utf-8", "replace")  # noqa: ASYNC240 - nobody else waits


@dataclass
class App:
    """``azumaya run`` on one database file and one port; what it writes is kept in `log`."""

    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    """By the ends of their variables' names."""
    of_life: Callable[[int], Mapping[str, str]] = lambda _: {}
    """More of them, for the how many-th process that is started."""
    database: Path = Path()
    """Its file; for one of a server ``DATABASE`` is set."""
    fronts: tuple[str, ...] = ()
    """What it serves; all that is set up, where none is named."""
    log: Path = Path()
    descriptors: int | None = None
    """So many it may have at most."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """More than its settings: for a program that starts anew."""
    second: float = 1.0
    """How long Telegram's seconds are for the house."""
    patience: float = PATIENCE
    """Seconds that an answer on Discord may take before it is only promised at first."""
    clock: float = 0.0
    """Seconds by which its clock is ahead."""
    port: int = field(default_factory=free_port)
    """Where its door is; without a web table, where it tells figures."""
    process: Process | warm.Process | None = None
    lives: int = 0
    """How many processes have been started."""

    def __post_init__(self) -> None:
        if self.database == Path():
            self.database = self.folder / "azumaya.db"
        if self.log == Path():
            self.log = self.folder / "house.log"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def variables(self) -> dict[str, str]:
        """What is set, of which the caller's wishes win."""
        return {
            "DATABASE": str(self.database),
            **self._door,
            "PLAY__COMMANDS_PER_SECOND": "100",
            # The same few people begin one match after the other, all day long.
            "PLAY__CHALLENGES_FROM_ONE_PER_DAY": "1000",
            "PLAY__CHALLENGES_FROM_ALL_PER_DAY": "10000",
            "PLAY__OPEN_CHALLENGES_PER_PERSON": "100",
            "PLAY__RUNNING_MATCHES_PER_PERSON": "10000",
            "PLAY__PINGS": "always",
            "WEB__LINES_PER_HOUR": "100000",
            "WEB__MESSAGES_PER_SECOND": "1000",
            "LOG__LEVEL": "debug",
            **self.settings,
            **self.of_life(self.lives),
        }

    @property
    def _door(self) -> dict[str, str]:
        if not self.fronts:
            return {"WEB__PORT": str(self.port)}
        door = {"FRONTS": ",".join(self.fronts)}
        if "web" in self.fronts:
            return door | {"WEB__PORT": str(self.port)}
        return door | {"METRICS__ADDRESS": f"127.0.0.1:{self.port}"}

    async def spawn(self) -> None:
        """Start the process, and do not wait for it."""
        self.lives += 1
        environment = {**_environment(self.variables), **self.environment}
        if not self.environment:
            self.process = warm.start(
                "run",
                environment=environment,
                folder=self.folder,
                log=self.log,
                descriptors=self.descriptors,
                second=self.second,
                patience=self.patience,
                clock=self.clock,
            )
            return
        # Libraries that are to be loaded before all others are for a new program.
        assert (self.second, self.patience, self.clock) == (1.0, PATIENCE, 0.0)
        assert self.descriptors is None
        words = (sys.executable, "-m", "bot", "run")
        # The log is the caller's to lay anywhere, on a disk that fills up, too.
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *words, cwd=self.folder, env=environment, stdin=DEVNULL, stdout=log, stderr=log
            )

    async def start(self) -> None:
        """Start, and wait until the door is open. Raises `AppError`."""
        await self.spawn()
        try:
            async with aiohttp.ClientSession() as session, asyncio.timeout(_STARTING):
                while not await self.is_open(session):
                    if self.process is None or self.process.returncode is not None:
                        raise AppError(f"the house did not start: {self.written()[-1000:]}")
                    await asyncio.sleep(0.02)
        except TimeoutError:
            await self.kill()
            raise AppError(f"the door stayed shut: {self.written()[-1000:]}") from None

    async def is_open(self, session: aiohttp.ClientSession) -> bool:
        """Does anybody answer at the door?"""
        try:
            async with session.get(f"{self.url}/health"):
                return True
        except aiohttp.ClientConnectionError:
            return False

    async def kill(self) -> None:
        """SIGKILL."""
        await self.end(signal.SIGKILL)

    async def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End the process; gives its exit code. Raises `AppError` where it will not end."""
        assert self.process is not None
        with suppress(ProcessLookupError):
            self.process.send_signal(how)
        try:
            async with asyncio.timeout(_ENDING):
                return await self.process.wait()
        except TimeoutError:
            self.process.kill()
            await self.process.wait()
            raise AppError(f"the house did not end by {how.name}") from None

    @asynccontextmanager
    async def running(self) -> AsyncIterator["App"]:
        """Open while the block runs; ended in good order, or killed where that fails."""
        await self.start()
        try:
            yield self
        finally:
            if self.process is not None and self.process.returncode is None:
                await self.end()

    # --- what it wrote --------------------------------------------------------------------

    def written(self) -> str:
        """Everything that the process has written so far."""
        return self.log.read_text("utf-8", "replace") if self.log.exists() else ""

    def tracebacks(self) -> list[str]:
        """The last lines of the tracebacks in the log, and how often there is one like it."""
        return tracebacks_in(self.written())

    def tells(self, secrets: Iterable[str]) -> list[str]:
        """Which of these secrets stand in the log, each with the line around it."""
        return told_in(self.written(), secrets)


def tracebacks_in(written: str) -> list[str]:
    """The last lines of the tracebacks in a log, and how often there is one like it."""
    lines = written.splitlines()
    found = [at for at, line in enumerate(lines) if line.startswith("Traceback (most recent")]
    ends = Counter(
        next((line for line in lines[at + 1 :] if line and line[0] not in " \t"), "?")
        for at in found
    )
    return [f"{number} times: {line}" for line, number in ends.items()]


def told_in(written: str, secrets: Iterable[str]) -> list[str]:
    """Which of these secrets stand in a log, each with the line around it."""
    return [
        f"{secret[:4]}… in {_around(written, secret)!r}"
        for secret in secrets
        if secret and secret in written
    ]


def _around(text: str, secret: str) -> str:
    at = text.index(secret)
    line = text[text.rfind("\n", 0, at) + 1 : at + len(secret) + 40]
    return re.sub(re.escape(secret), "<secret>", line)[:200]
