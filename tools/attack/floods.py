"""Floods of the web app: players beside them wait no longer than a second.

Each flood comes from another process, so that players wait for the bot and not for this one.
"""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic

from tools.attack.crowd import MeasuredPage
from tools.attack.flooder import KINDS
from tools.attack.history import History, within
from tools.attack.page import Page, browser
from tools.attack.play_web import WebGame
from tools.attack.process import ROOT, App
from tools.attack.report import Report, Scene, becomes_true

_LONGEST = 1.0
"""Seconds that a player may wait for an answer."""
_GROWTH = 64
"""MiB that the bot may keep after all floods."""
_LASTS = 0.5
"""Seconds of a flood in the short form; ten times as long with more time."""
_PAUSE = 0.1
_STARTS_WITHIN = 30.0
_CALMS_WITHIN = 5.0


async def floods(scene: Scene) -> None:
    report = scene.report
    # The default: a player is slower than that.
    app = App(scene.folder, {"WEB__MESSAGES_PER_SECOND": "20"})
    async with app.running(), browser("127.0.1.1") as hers, browser("127.0.7.1") as theirs:
        anna = MeasuredPage("Anna", app.url, hers)
        flooder = Page("Flo", app.url, theirs)
        await flooder.arrive()
        game = WebGame(History(report), "lounge", "/blackbox new", (anna,), scene.luck("Anna"))
        async with anna.here():
            lasts = _LASTS if scene.seconds is None else 10 * _LASTS
            await _play(game, anna, lasts)
            report.most("ms for an answer, no flood", round(1000 * anna.longest))
            before = _memory(app)
            for _ in scene.rounds(1):
                for kind in KINDS:
                    async with _flood(kind, app, flooder.cookie):
                        await _play_beside(report, kind, game, anna, lasts)
            await _check_memory(report, app, before)
    report.all_broken("no traceback in the log", app.tracebacks())


async def _play_beside(
    report: Report, kind: str, game: WebGame, anna: MeasuredPage, lasts: float
) -> None:
    anna.longest = 0.0
    try:
        await _play(game, anna, lasts)
    finally:
        report.most(f"ms for an answer, {kind}", round(1000 * anna.longest))
        found = f"{kind}: {anna.longest:.2f} s where {within(_LONGEST):.2f} are allowed"
        report.check(
            anna.longest <= within(_LONGEST), "players do not wait long beside a flood", found
        )


async def _play(game: WebGame, anna: Page, lasts: float) -> None:
    until = monotonic() + lasts
    while True:
        await game.move()
        await anna.ask({"t": "complete", "room": game.room, "text": "/oth"})
        if monotonic() > until:
            return
        await asyncio.sleep(_PAUSE)


@asynccontextmanager
async def _flood(kind: str, app: App, cookie: str) -> AsyncIterator[None]:
    flooding = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tools.attack.flooder", kind, str(app.port), cookie),
        cwd=ROOT,
        stdin=DEVNULL,
        stdout=PIPE,
    )
    assert flooding.stdout is not None
    try:
        async with asyncio.timeout(within(_STARTS_WITHIN)):
            if not await flooding.stdout.readline():
                raise RuntimeError(f"there is no flood of {kind}")
        yield
    finally:
        if flooding.returncode is None:
            flooding.kill()
        await flooding.wait()


async def _check_memory(report: Report, app: App, before: int) -> None:
    await becomes_true(lambda: _memory(app) - before <= _GROWTH, seconds=_CALMS_WITHIN)
    grown = _memory(app) - before
    report.most("MiB that the bot grew by", grown)
    report.check(grown <= _GROWTH, "the bot keeps no memory of a flood", f"{grown} MiB")


def _memory(app: App) -> int:
    """Return the MiB that the bot has."""
    assert app.process is not None
    lines = Path(f"/proc/{app.process.pid}/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) // 1024
