"""Fill the disk, or take the database file away, while people play."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic

import aiohttp

from tests.disks import filled, small_disk
from tools.attack.crowd import Crowd, crowd
from tools.attack.fuzz_http import send_raw
from tools.attack.history import within
from tools.attack.page import Gone, Page, browser
from tools.attack.process import App, AppError
from tools.attack.report import Scene, becomes_true

__all__ = ["full_disk", "take_away"]

# --- the disk -------------------------------------------------------------------------------

_FULL = 1.0
"""Seconds that the disk stays full after the first refusal."""
_WITHIN = 10.0
"""Seconds in which the bot refuses, and in which it recovers."""


async def full_disk(scene: Scene, *, database: bool = True, log: bool = True) -> None:
    """Fill the disk of the database, of the log, or of both."""
    report = scene.report
    with small_disk(scene.folder / "disk", 12) as disk:
        if disk is None:
            report.skipped.append("only root may mount a small disk")
            return
        app = App(
            scene.folder,
            database=disk / "azumaya.db" if database else Path(),
            log=disk / "log" if log else Path(),
        )
        async with crowd(scene, app) as players:
            before = players.open_pages()
            with filled(disk):
                for odd in (b"no request\r\n\r\n", b"GET / HTTP/1.1\r\nHost x\r\n\r\n"):
                    # There is no room to log these.
                    await send_raw(app.port, odd)
                if database:
                    await _while_full(scene, players)
                else:
                    await _newcomer(scene, app)
                    await players.plays_on("people play on while only the log is full")
            await players.plays_on("people play on after there is room", seconds=_WITHIN)
            report.check(players.open_pages() == before, "no connection breaks", before)
            health = await _health(app, lambda status: status == 200)
            report.check(health[0] == 200, "/health is well again", health)
        players.settle()


async def _while_full(scene: Scene, players: Crowd) -> None:
    before = players.refused()
    are_told = await becomes_true(lambda: players.refused() > before, seconds=_WITHIN)
    scene.report.check(are_told, "users read that nothing can be stored", f"in {_WITHIN} s")
    await asyncio.sleep(_FULL)
    scene.report.count("requests refused while full", players.refused() - before)
    # Its one row may still fit where larger ones are refused.
    health = await _health(players.app, lambda status: status != 200)
    scene.report.check(health[0] != 200, "/health says that nothing can be stored", health)


async def _newcomer(scene: Scene, app: App) -> None:
    try:
        async with browser("127.0.4.99") as session, Page("Newby", app.url, session).here() as page:
            answer = await page.says("/help")
            scene.report.check(answer["ok"], "new users are served", answer)
    except (AssertionError, TimeoutError, Gone, aiohttp.ClientError) as error:
        scene.report.broken("new users are served", f"{type(error).__name__}: {error}")


async def _health(app: App, is_expected: Callable[[int], bool]) -> tuple[int, str]:
    """Return what /health says as soon as it is expected, or in the end."""
    until, timeout = monotonic() + _WITHIN, aiohttp.ClientTimeout(10)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        while True:
            async with session.get(f"{app.url}/health") as answer:
                if is_expected(answer.status) or monotonic() > until:
                    return answer.status, (await answer.text())[:200]
            await asyncio.sleep(0.2)


# --- the database file ----------------------------------------------------------------------

_NOTICED = 5.0
"""Seconds in which the bot notices that its file is gone."""


async def take_away(scene: Scene, *, replace: bool) -> None:
    """Delete the database file, or put an older copy in its place."""
    report, app = scene.report, App(scene.folder)
    with suppress(AppError):
        async with crowd(scene, app) as players:
            log, refused = len(app.written()), players.refused()
            _take_away(app.database, replace=replace)
            is_told = await becomes_true(
                lambda: players.refused() > refused or not players.open_pages(),
                seconds=within(_NOTICED),
            )
            report.check(is_told, "users read why", f"not in {_NOTICED} s")
            # The other pair may wait for the answer to a move.
            await asyncio.sleep(0.5)
            confirmed = sum(players.moves())
            await asyncio.sleep(2)
            late = sum(players.moves()) - confirmed
            report.check(not late, "nothing is confirmed into a file that is gone", late)
            written = app.written()[log:].lower()
            is_logged = any(level in written for level in ("warning", "error", "critical"))
            report.check(is_logged, "the log says it", "nothing above info")
    report.all_broken("no traceback in the log", app.tracebacks())


def _take_away(database: Path, *, replace: bool) -> None:
    copy = database.with_name("older.db")
    with closing(sqlite3.connect(database)) as old, closing(sqlite3.connect(copy)) as new:
        old.backup(new)
    for end in ("", "-wal", "-shm"):
        database.with_name(database.name + end).unlink(missing_ok=True)
    if replace:
        copy.rename(database)
