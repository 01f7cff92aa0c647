"""Remove and replace the database file while people play."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from tools.attack.crowd import crowd
from tools.attack.process import App, AppError
from tools.attack.report import Scene, becomes_true
from tools.attack.story import within

__all__ = ["database_replaced", "database_unlinked"]

_NOTICED = 5.0
"""Seconds in which the bot notices that its file is gone."""


async def database_unlinked(scene: Scene) -> None:
    await _take_away(scene, _unlink)


async def database_replaced(scene: Scene) -> None:
    """An older copy takes the place of the file."""

    def replace(database: Path) -> None:
        copy = database.with_name("older.db")
        with closing(sqlite3.connect(database)) as old, closing(sqlite3.connect(copy)) as new:
            old.backup(new)
        _unlink(database)
        copy.rename(database)

    await _take_away(scene, replace)


def _unlink(database: Path) -> None:
    for end in ("", "-wal", "-shm"):
        database.with_name(database.name + end).unlink(missing_ok=True)


async def _take_away(scene: Scene, take: Callable[[Path], None]) -> None:
    report, app = scene.report, App(scene.folder)
    with suppress(AppError):
        async with crowd(scene, app) as players:
            if not await players.plays_on("people play before anything happens"):
                return
            log, refused = len(app.written()), [page.refused for page in players.pages]
            take(app.database)
            limit = within(_NOTICED)

            def are_told() -> bool:
                now = [page.refused for page in players.pages]
                return now != refused or not players.open_pages()

            is_told = await becomes_true(are_told, seconds=limit)
            report.check(is_told, "people are told", f"not in {limit:.1f} s")
            confirmed = sum(players.moves())
            await asyncio.sleep(2)
            late = sum(players.moves()) - confirmed
            report.check(not late, "nothing is confirmed into a file that is gone", late)
            written = app.written()[log:].lower()
            is_logged = any(level in written for level in ("warning", "error", "critical"))
            report.check(is_logged, "the log says it", "nothing above info")
    report.all_broken("no traceback in the log", app.tracebacks())
