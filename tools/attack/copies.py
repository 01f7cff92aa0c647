"""Backups and copies during play: each is whole, and people play on with what was restored."""

import asyncio
import sys
from collections.abc import Collection
from contextlib import AsyncExitStack

from yarl import URL

from bot.store import Address
from tools.attack.crowd import Crowd, crowd
from tools.attack.history import History
from tools.attack.page import browser
from tools.attack.process import ROOT, App
from tools.attack.records import Move, Records
from tools.attack.report import Report, Scene

_BACKUPS = 3
_PLAYED_ON = 4
"""Moves of each pair after a backup was restored, or in a copy."""


async def copies(scene: Scene) -> None:
    """Back up while people play, restore the last backup, and copy that: people play on."""
    report, app = scene.report, App(scene.folder)
    async with crowd(scene, app) as players:
        for at in range(_BACKUPS):
            backup = scene.folder / f"backup-{at}.db"
            before = dict(players.history.confirmed)
            if not await _done(report, app, "backup", str(backup)):
                return
            _check(report, backup, before.values())
            await players.plays_on("people play on beside a backup", moves=2)
    players.settle()
    after = dict(players.history.confirmed)
    if not await _done(report, app, "restore", str(backup)):
        return
    _check(report, app.database, before.values(), counts=False)
    await _play_on(players, app)
    copied = App(scene.folder, database=scene.folder / "copy.db")
    if not await _done(report, app, "copy", str(app.database), str(copied.database)):
        return
    await _play_on(players, copied)
    report.counts["moves after the backup"] = len(after) - len(before)


def _check(
    report: Report, database: Address, confirmed: Collection[Move], *, counts: bool = True
) -> None:
    records = Records.read(database, counts=counts)
    report.all_broken("a backup is whole and replays", records.problems)
    report.all_broken("a backup has every move confirmed before it", records.lost(confirmed))


async def _play_on(players: Crowd, app: App) -> None:
    """Let the pairs, whose browsers know them, play on in this database."""
    report = players.scene.report
    async with app.running(), AsyncExitStack() as stack:
        for game in players.games:
            game.history, game.unanswered = History(report), None
            for page in game.people:
                session = await stack.enter_async_context(browser())
                session.cookie_jar.update_cookies({"azumaya": page.cookie}, URL(app.url))
                page.session, page.url, page.stamp = session, app.url, 0
                page.messages.clear()
                await page.connect()
                stack.push_async_callback(page.disconnect)
            before = game.moves
            while game.moves < before + _PLAYED_ON:
                await game.move()
            report.count("moves in restored and copied databases", _PLAYED_ON)
    _check(report, app.database, (), counts=False)
    report.all_broken("no traceback in the log", app.tracebacks())


async def _done(report: Report, app: App, *words: str) -> bool:
    """Run ``azumaya`` with the bot's settings."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *words),
        cwd=ROOT,
        env=app.variables(),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    report.count(words[0])
    return report.check(not process.returncode, f"azumaya {words[0]} works", said.decode())
