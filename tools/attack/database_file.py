"""Take the database file away while people play."""

import asyncio
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from tools.attack.crowd import crowd
from tools.attack.history import within
from tools.attack.process import App, AppError
from tools.attack.report import Scene, becomes_true

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
