"""``azumaya`` in separate processes that are forks of one with everything imported.

``azumaya run`` takes one and a half seconds of CPU time. Nine tenths of that are imports, texts and
fonts, the same every time. One process loads them and does nothing else (`tests.warmed`). Each fork
has its own environment, directory and log, and is stopped or killed like any other process. A start
without all this is tested in ``tests/bot/cli/test_serving.py`` and
``tests/test_deploy.py``.
"""

import asyncio
import os
import resource
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from bot.fronts.discord.replies import PATIENCE

_context = get_context("forkserver")
_context.set_forkserver_preload(["tests.warmed", __name__])


@dataclass
class Process:
    """A running ``azumaya``, with the interface of `asyncio.subprocess.Process`."""

    _process: ForkServerProcess
    _code: int | None = None

    @property
    def returncode(self) -> int | None:
        """The exit code, or the negative number of a signal; None while it runs."""
        return self._process.exitcode if self._code is None else self._code

    @property
    def pid(self) -> int:
        pid = self._process.pid
        assert pid is not None
        return pid

    async def wait(self) -> int:
        """Wait for the end and return the exit code."""
        if self._code is None:
            ended, loop = asyncio.Event(), asyncio.get_running_loop()
            loop.add_reader(self._process.sentinel, ended.set)
            try:
                await ended.wait()
            finally:
                loop.remove_reader(self._process.sentinel)
            self._code = self._process.exitcode
            self._process.close()
        assert self._code is not None
        return self._code

    def send_signal(self, number: int) -> None:
        """Send a signal. Raises ProcessLookupError if the process has ended."""
        if self.returncode is not None:
            raise ProcessLookupError
        os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    async def clear(self) -> None:
        """Kill it if it still runs, and wait for its end."""
        if self.returncode is None:
            self.kill()
        await self.wait()


def start(*words: str, **more: Any) -> Process:
    """Start ``azumaya`` with these arguments. `more`: the fields of `_Start`."""
    process = _context.Process(target=_azumaya, args=(_Start(words, **more),))
    process.start()
    return Process(process)


def _mask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


@dataclass(frozen=True)
class _Start:
    """A start in `folder`, as it is sent to the fork."""

    words: Sequence[str]
    environment: Mapping[str, str]
    """No engine starts unless it says so."""
    folder: Path
    log: Path | None = None
    """Output is appended to it."""
    errors: Path | None = None
    """Instead of `log`, for stderr."""
    descriptors: int | None = None
    """The limit of open files."""
    second: float = 1.0
    """The length of Telegram's seconds."""
    patience: float = PATIENCE
    """How many seconds a reply on Discord may take before it is deferred."""
    clock: float = 0.0
    """The seconds that its clock is ahead."""
    mask: int = field(default_factory=_mask)
    """The umask, that of the starting process."""


def _azumaya(begun: _Start) -> None:
    """Become a new process after the fork, and run the program."""
    assert "tests.warmed" in sys.modules, "nothing was loaded before"
    nothing, adding = Path(os.devnull), os.O_WRONLY | os.O_APPEND | os.O_CREAT
    log = begun.log or nothing
    for path, flags, number in (
        (nothing, os.O_RDONLY, 0),
        (log, adding, 1),
        (begun.errors or log, adding, 2),
    ):
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    os.umask(begun.mask)
    if begun.descriptors is not None:
        # The hard limit as well, so that raising the soft limit has no effect.
        resource.setrlimit(resource.RLIMIT_NOFILE, (begun.descriptors, begun.descriptors))
    os.chdir(begun.folder)
    os.environ.clear()
    if "run" in begun.words:
        os.environ["AZUMAYA_COMPUTER__WORKERS"] = "0"
    os.environ.update(begun.environment)
    sys.argv = ["azumaya", *begun.words]

    from bot.cli import main
    from bot.fronts.discord import interactions
    from bot.fronts.telegram import send_scheduler

    send_scheduler.SECOND, vars(interactions)["PATIENCE"] = begun.second, begun.patience
    if begun.clock:
        _set_clock(ahead=begun.clock)
    main()


def _set_clock(*, ahead: float) -> None:
    """Replace `time.time` in every module that has imported it, under any name.

    `datetime` still reads the machine's clock, which is used for nothing that these tests check.
    """
    right = time.time

    def wrong() -> float:
        return right() + ahead

    for module in list(sys.modules.values()):
        for name, found in list(getattr(module, "__dict__", {}).items()):
            if found is right:
                setattr(module, name, wrong)
