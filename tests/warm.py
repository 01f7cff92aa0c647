"""The house in processes of its own that need not import it first: one has, and they are its forks.

Of the second and a half of a core that ``azumaya run`` takes, nine tenths are imports, words and
fonts, the same every time. Here one process has loaded them and does nothing else
(`tests.warmed`); each house that is started is a fork of it, with an environment, a directory and
a log of its own, and is ended and killed like any other. That the program starts from nothing is
proven elsewhere (``tests/bot/command_line/test_serving.py``, ``tests/test_deploy.py``).
"""

import asyncio
import os
import resource
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from bot.fronts.discord.replies import PATIENCE

__all__ = ["Process", "start"]

_context = get_context("forkserver")
_context.set_forkserver_preload(["tests.warmed", __name__])


@dataclass
class Process:
    """A running ``azumaya``, used as those of `asyncio.subprocess` are."""

    _process: ForkServerProcess
    _code: int | None = None

    @property
    def returncode(self) -> int | None:
        """The exit code, or the number of a signal below zero; None while it runs."""
        return self._process.exitcode if self._code is None else self._code

    @property
    def pid(self) -> int:
        pid = self._process.pid
        assert pid is not None
        return pid

    async def wait(self) -> int:
        """Wait for the end; gives the exit code."""
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
        """Raises ProcessLookupError where it has ended."""
        if self.returncode is not None:
            raise ProcessLookupError
        os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def start(
    *words: str,
    environment: Mapping[str, str],
    folder: Path,
    log: Path | None = None,
    errors: Path | None = None,
    descriptors: int | None = None,
    second: float = 1.0,
    patience: float = PATIENCE,
    clock: float = 0.0,
) -> Process:
    """``azumaya`` with these words in `folder`; what it writes is added to `log`, if there is one.

    What it writes to stderr is added to `errors`, if there is such a file; more than so many
    `descriptors` it cannot have. New files are as open as those of this process.

    `second` is how long Telegram's seconds are for it, `patience` how many seconds an answer on
    Discord may take before it is only promised, `clock` by how many seconds its clock is ahead.
    """
    begun = _Start(
        words,
        dict(environment),
        folder,
        log,
        errors,
        _mask(),
        descriptors,
        second,
        patience,
        clock,
    )
    process = _context.Process(target=_azumaya, args=(begun,))
    process.start()
    return Process(process)


def _mask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


@dataclass(frozen=True)
class _Start:
    """What a fork has to become, as `start` says it."""

    words: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    log: Path | None
    errors: Path | None
    mask: int
    descriptors: int | None
    second: float
    patience: float
    clock: float


def _azumaya(begun: _Start) -> None:
    """The fork: become what a new process would be, and do what it would do."""
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
        # The hard limit as well: a house that raises its soft one gains nothing.
        resource.setrlimit(resource.RLIMIT_NOFILE, (begun.descriptors, begun.descriptors))
    os.chdir(begun.folder)
    os.environ.clear()
    os.environ.update(begun.environment)
    sys.argv = ["azumaya", *begun.words]

    from bot.__main__ import main
    from bot.fronts.discord import interactions
    from bot.fronts.telegram import send_scheduler

    send_scheduler.SECOND, vars(interactions)["PATIENCE"] = begun.second, begun.patience
    if begun.clock:
        _set_clock(ahead=begun.clock)
    main()


def _set_clock(*, ahead: float) -> None:
    """Let everybody who asks for the time be told another, by whatever name they call it.

    Only `datetime` asks the machine itself; the house uses it for nothing that counts.
    """
    right = time.time

    def wrong() -> float:
        return right() + ahead

    for module in list(sys.modules.values()):
        for name, found in list(getattr(module, "__dict__", {}).items()):
            if found is right:
                setattr(module, name, wrong)
