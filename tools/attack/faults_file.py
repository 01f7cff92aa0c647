"""The database file goes, another lies in its place, another house wants it, nobody may write."""

import asyncio
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic

import bot.app
from bot.settings import Settings
from tests.disks import small_disk
from tools.attack.crowd import Crowd, crowd
from tools.attack.process import App, AppError, run
from tools.attack.report import Scene
from tools.attack.story import within

__all__ = ["database_replaced", "database_unlinked", "read_only", "second_house"]

_NOTICED = 5.0
"""Seconds in which the house has to notice that its file is not there any more."""


async def database_unlinked(scene: Scene) -> None:
    """The file and its log are deleted while people play."""

    def unlink(database: Path) -> None:
        for end in ("", "-wal", "-shm"):
            database.with_name(database.name + end).unlink(missing_ok=True)

    await _taken_away(scene, unlink)


async def database_replaced(scene: Scene) -> None:
    """A copy of this morning lies in its place while people play."""

    def replace(database: Path) -> None:
        copy = database.with_name("this-morning.db")
        with closing(sqlite3.connect(database)) as old, closing(sqlite3.connect(copy)) as new:
            old.backup(new)
        for end in ("-wal", "-shm"):
            database.with_name(database.name + end).unlink(missing_ok=True)
        copy.replace(database)

    await _taken_away(scene, replace)


async def _taken_away(scene: Scene, take: Callable[[Path], None]) -> None:
    report, app = scene.report, App(scene.folder)
    async with crowd(scene, app) as playing:
        if not await playing.plays_on("people play before anything happens"):
            return
        kept = app.database.with_name("kept.db")
        # Another name for the same file: what is written to it from now on can be looked at.
        kept.hardlink_to(app.database)
        log = len(app.written())
        take(app.database)
        since = monotonic()
        limit = within(_NOTICED)
        if scene.is_thorough:
            await asyncio.sleep(limit)
        else:
            # A pair asks one thing after the other: what was refused once stays so.
            await playing.told(since=since, seconds=limit)
        noticed = monotonic()
        await asyncio.sleep(2)
        late = playing.acknowledged(since=noticed)
        report.count("moves acknowledged before it was noticed", len(_between(playing, since)))
        report.count("moves acknowledged after that", len(late))
        report.check(
            not late,
            "nothing is acknowledged into a file that is gone",
            f"{len(late)} moves, more than {limit:.1f} s later",
        )
        refused = playing.refused(since=since)
        report.check(
            refused or not playing.lines_open(),
            "people are told",
            f"nobody was refused; {playing.state()}",
        )
        told = [
            line
            for line in app.written()[log:].splitlines()
            if "error" in line.lower() or "critical" in line.lower() or "warning" in line.lower()
        ]
        report.counts["lines of the log about it"] = len(told)
        report.check(told, "the log says it", "no line above info")
        with suppress(AppError):
            await playing.stop()
    report.all_broken("no traceback in the log", app.tracebacks())


def _between(playing: Crowd, since: float) -> list[object]:
    return [
        move
        for pair in playing.pairs
        for at, move in pair.acknowledged
        if at - since < _NOTICED and at >= since
    ]


async def second_house(scene: Scene) -> None:
    """Another house wants the same file: directly, by a link, and with the lock taken away."""
    report, app = scene.report, App(scene.folder)
    link = scene.folder / "link.db"
    far = scene.folder / "far"
    far.mkdir()
    async with crowd(scene, app) as playing:
        await playing.plays_on("people play before anything happens")
        link.symlink_to(app.database)
        (far / "deep.db").symlink_to(link)
        if scene.is_thorough:
            await _refused(scene, "the same file", app.database)
            await _refused(scene, "a symbolic link", link)
        await _refused(scene, "a link to a link, elsewhere", far / "deep.db")
        for lock in scene.folder.glob("*.lock"):
            lock.unlink()
        await _refused(scene, "the lock file removed", app.database)
        await playing.plays_on("people play on beside all that")
        await app.kill()
    # And after a SIGKILL it starts at once, whatever lies there.
    playing.settle()
    await app.start()
    report.check(await app.end() == 0, "it starts and ends well after a SIGKILL", "exit code")
    report.all_broken("no traceback in the log", app.tracebacks())


async def _refused(scene: Scene, what: str, path: Path) -> None:
    """A second house must end by itself, with one clear line."""
    # Libraries speak at the level debug; what a host reads by default is one line.
    second = App(
        scene.folder, {"LOG__LEVEL": "info"}, database=path, log=scene.folder / "second.log"
    )
    second.log.unlink(missing_ok=True)
    await second.spawn()
    assert second.process is not None
    scene.report.count("second houses")
    try:
        async with asyncio.timeout(within(10)):
            code = await second.process.wait()
    except TimeoutError:
        await second.kill()
        scene.report.broken("a second house is refused", f"{what}: it runs beside the first")
        return
    lines = second.written().strip().splitlines()
    clear = code == 1 and len(lines) == 1
    scene.report.check(clear, "a second house is told why in a line", f"{what}: {code} {lines}")


async def read_only(scene: Scene) -> None:
    """A directory in which nobody may write: one clear line, at the start and at every command."""
    with small_disk(scene.folder / "disk", 12) as disk:
        if disk is None:
            scene.report.skipped.append("no disk that is read-only: only root may mount one")
            return
        app = App(disk.parent, database=disk / "azumaya.db")
        # As the program does it, but without starting it.
        await (await bot.app.App.open(Settings(database=app.database))).close()
        backup = ("backup", str(disk / "copy.db"))
        commands = (
            [("run",), ("migrate",), backup, *(("run",), ("migrate",), backup)]
            if scene.is_thorough
            else [("run",), backup, ("migrate",)]
        )
        half = (len(commands) + 1) // 2
        for made, some in ((True, commands[:half]), (False, commands[half:])):
            database = app.database if made else disk / "other.db"
            _remount(disk, "ro")
            for command in some:
                code, written = await run(
                    *command,
                    settings={"DATABASE": str(database), "WEB__PORT": "0"},
                    folder=scene.folder,
                )
                scene.report.count("commands in a read-only directory")
                lines = written.strip().splitlines()
                scene.report.check(
                    code == 1 and len(lines) == 1,
                    "one clear line where nobody may write",
                    f"{command[0]} of {database.name}: {code} {lines[-3:]}",
                )
            _remount(disk, "rw")
        # Nothing was harmed, and it opens again.
        async with app.running():
            pass
    scene.report.all_broken("no traceback in the log", app.tracebacks())


def _remount(disk: Path, how: str) -> None:
    mount = shutil.which("mount")
    assert mount is not None
    subprocess.run([mount, "-o", f"remount,{how}", str(disk)], check=True, capture_output=True)
