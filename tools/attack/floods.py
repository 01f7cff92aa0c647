"""Floods at the door of the web table: whoever plays beside them waits no longer than a second."""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from tools.attack.flooders import FLOODS
from tools.attack.page import Frame, Page, browser
from tools.attack.play_web import WebGame
from tools.attack.process import ROOT, App
from tools.attack.report import Report, Scene
from tools.attack.story import Story, within

__all__ = ["floods"]

_LONGEST = 1.0
"""Seconds that the honest person may wait for an answer."""
_GROWTH = 64
"""MiB that may stay with the house when all floods are over."""
_LASTS = 0.5
"""Seconds of one flood in the short form; with more time ten times as long."""
_HAND = 0.1
"""Seconds between two moves: nobody is faster, nor slowed down by the house at this pace."""
_STANDS = 30.0
"""Seconds within which a flood has come up."""
_CALMS = 5.0
"""Seconds within which the house has given back what it took for a flood."""


@dataclass
class _Patient(Page):
    """Somebody who takes the time of every answer."""

    longest: float = 0.0

    async def ask(self, request: Frame) -> Frame:
        began = monotonic()
        try:
            return await super().ask(request)
        finally:
            self.longest = max(self.longest, monotonic() - began)


async def floods(scene: Scene) -> None:
    """Pipelined requests, pieces and halves of frames, readers who do not read; one by one."""
    report = scene.report
    # As a house has it that sets nothing: the pace of the honest person is within that.
    app = App(scene.folder, settings={"WEB__MESSAGES_PER_SECOND": "20"}, fronts=("web",))
    async with app.running(), browser("127.0.1.1") as hers, browser("127.0.7.1") as theirs:
        anna = _Patient("Anna", app.url, hers)
        flooder = Page("Flo", app.url, theirs)
        await flooder.arrive()
        story = Story(report)
        game = WebGame(story, "lounge", "/blackbox new", (anna,), scene.luck("Anna"))
        async with anna.here():
            lasts = _LASTS if scene.seconds is None else 10 * _LASTS
            await _plays(game, anna, lasts)
            report.most("ms that an answer took, in peace", round(1000 * anna.longest))
            before = _memory(app)
            for _ in scene.rounds(1):
                for kind in FLOODS:
                    async with _flood(kind, app, flooder.cookie):
                        await _waits(report, kind, game, anna, lasts)
            await _gives_back(report, app, before)
    report.all_broken("no traceback in the log", app.tracebacks())


async def _waits(report: Report, kind: str, game: WebGame, anna: _Patient, lasts: float) -> None:
    anna.longest = 0.0
    try:
        await _plays(game, anna, lasts)
    finally:
        report.most(f"ms that an answer took, {kind}", round(1000 * anna.longest))
        limit = within(_LONGEST)
        report.check(
            anna.longest <= limit,
            "nobody waits for long beside a flood",
            f"{kind}: {anna.longest:.2f} s where {limit:.2f} are allowed",
        )


async def _plays(game: WebGame, anna: Page, lasts: float) -> None:
    """Play and complete for a while, once at least."""
    until = monotonic() + lasts
    while True:
        await game.move()
        await anna.ask({"t": "complete", "room": game.room, "text": "/oth"})
        if monotonic() > until:
            return
        await asyncio.sleep(_HAND)


@asynccontextmanager
async def _flood(kind: str, app: App, cookie: str) -> AsyncIterator[None]:
    """A flood of this kind, which has come up, while the block runs."""
    flooding = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tools.attack.flooders", kind, str(app.port), cookie),
        cwd=ROOT,
        stdin=DEVNULL,
        stdout=PIPE,
    )
    assert flooding.stdout is not None
    try:
        async with asyncio.timeout(within(_STANDS)):
            if not await flooding.stdout.readline():
                raise RuntimeError(f"there is no flood of {kind}")
        yield
    finally:
        if flooding.returncode is None:
            flooding.kill()
        await flooding.wait()


async def _gives_back(report: Report, app: App, before: int | None) -> None:
    """The house keeps little of what it took for the floods."""
    if before is None:
        report.skipped.append("no /proc that tells the memory of a process")
        return
    until = monotonic() + _CALMS
    # Nothing tells when memory is given back.
    while (grown := (_memory(app) or 0) - before) > _GROWTH and monotonic() < until:  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    report.most("MiB that the house grew by", grown)
    report.check(grown <= _GROWTH, "the house keeps no memory of a flood", f"{grown} MiB")


def _memory(app: App) -> int | None:
    """MiB that the house has, where the system tells."""
    assert app.process is not None
    try:
        lines = Path(f"/proc/{app.process.pid}/status").read_text("utf-8").splitlines()
    except OSError:
        return None
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) // 1024
