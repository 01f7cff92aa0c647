"""The bot as a real process: started, stopped and killed, and what it logs."""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import aiohttp

from bot.fronts.discord.replies import PATIENCE
from tests import warm
from tests.ports import free_port

ROOT = Path(__file__).parents[2]
_STARTS_WITHIN = 60.0
_ENDS_WITHIN = 20.0
_DEFAULTS = {
    "COMPUTER__WORKERS": "1",
    "PLAY__COMMANDS_PER_SECOND": "100",
    # A few users start one game after the other.
    "PLAY__CHALLENGES_FROM_ONE_PER_DAY": "1000",
    "PLAY__CHALLENGES_FROM_ALL_PER_DAY": "10000",
    "PLAY__OPEN_CHALLENGES_PER_PERSON": "100",
    "PLAY__RUNNING_MATCHES_PER_PERSON": "10000",
    "PLAY__PINGS": "always",
    "WEB__LINES_PER_HOUR": "100000",
    "WEB__MESSAGES_PER_SECOND": "1000",
    "LOG__LEVEL": "debug",
}


class AppError(Exception):
    """The bot did not start, or did not end."""


@dataclass
class App:
    """``azumaya run`` on one database and one port."""

    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    """By the ends of their variables' names."""
    database: Path = Path()
    """By default in the folder. For a server, set ``DATABASE``."""
    log: Path = Path()
    second: float = 1.0
    """The length of Telegram's seconds."""
    patience: float = PATIENCE
    """Seconds until an answer on Discord is deferred."""
    ahead: float = 0.0
    """The seconds that its clock is ahead, from the next start on."""
    port: int = field(default_factory=free_port)
    process: warm.Process | None = None

    def __post_init__(self) -> None:
        if self.database == Path():
            self.database = self.folder / "azumaya.db"
        if self.log == Path():
            self.log = self.folder / "log"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def variables(self) -> dict[str, str]:
        """Return the environment with its settings."""
        settings = {
            **_DEFAULTS,
            "DATABASE": str(self.database),
            "WEB__PORT": str(self.port),
            **self.settings,
        }
        return {
            # Without the settings of a bot that runs here.
            **{key: value for key, value in os.environ.items() if not key.startswith("AZUMAYA_")},
            **{f"AZUMAYA_{key}": value for key, value in settings.items()},
        }

    async def spawn(self) -> None:
        """Start the process without waiting for it."""
        self.process = warm.start(
            "run",
            environment=self.variables(),
            folder=self.folder,
            log=self.log,
            second=self.second,
            patience=self.patience,
            clock=self.ahead,
        )

    async def start(self) -> None:
        """Start, and wait until it serves. Raises `AppError`."""
        await self.spawn()
        try:
            async with aiohttp.ClientSession() as session, asyncio.timeout(_STARTS_WITHIN):
                while not await self._serves(session):
                    if self.process is None or self.process.returncode is not None:
                        raise AppError(f"the bot did not start: {self.written()[-1000:]}")
                    await asyncio.sleep(0.02)
        except TimeoutError:
            await self.kill()
            raise AppError(f"the bot does not serve: {self.written()[-1000:]}") from None

    async def _serves(self, session: aiohttp.ClientSession) -> bool:
        try:
            async with session.get(f"{self.url}/health"):
                return True
        except aiohttp.ClientConnectionError:
            return False

    async def kill(self) -> None:
        await self.end(signal.SIGKILL)

    async def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End the process and return its exit code. Raises `AppError` if it does not end."""
        assert self.process is not None
        with suppress(ProcessLookupError):
            self.process.send_signal(how)
        try:
            async with asyncio.timeout(_ENDS_WITHIN):
                return await self.process.wait()
        except TimeoutError:
            self.process.kill()
            await self.process.wait()
            raise AppError(f"the bot did not end by {how.name}") from None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Self]:
        """Run while the block runs."""
        await self.start()
        try:
            yield self
        finally:
            if self.process is not None and self.process.returncode is None:
                await self.end()

    def written(self) -> str:
        return self.log.read_text("utf-8", "replace") if self.log.exists() else ""

    def tracebacks(self) -> list[str]:
        """Return the last lines of the tracebacks in the log, with their numbers."""
        lines = self.written().splitlines()
        ends = Counter(
            next((line for line in lines[at + 1 :] if line and line[0] not in " \t"), "?")
            for at, line in enumerate(lines)
            if line.startswith("Traceback (most recent")
        )
        return [f"{number} times: {line}" for line, number in ends.items()]

    def leaked(self, secrets: Iterable[str]) -> list[str]:
        """Return the lines of the log that contain one of these secrets, without it."""
        return [
            f"{secret[:4]}… in {line.replace(secret, '<secret>')[:200]!r}"
            for secret in filter(None, secrets)
            for line in self.written().splitlines()
            if secret in line
        ]
