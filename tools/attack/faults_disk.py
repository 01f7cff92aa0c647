"""A disk that fills up while people play: with the database and the log on it, or one of them."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from time import monotonic

import aiohttp

from tests.disks import filled, small_disk
from tools.attack.crowd import Crowd, crowd
from tools.attack.fuzz_http import ask_raw
from tools.attack.page import Gone, Page, browser
from tools.attack.process import App
from tools.attack.report import Scene

__all__ = ["full_disk", "full_disk_of_the_database", "full_disk_of_the_log"]

_FULL = 3.0
_FULL_SHORT = 1.0
"""Seconds that the disk stays full."""
_TOLD = 10.0
"""Seconds in which somebody has to be refused: what there is room for is used up first."""
_HEALED = 10.0
"""Seconds in which everybody has to play again after there is room."""


async def full_disk(scene: Scene) -> None:
    """Database and log on it."""
    await _fill(scene, database=True, log=True)


async def full_disk_of_the_database(scene: Scene) -> None:
    """The log is elsewhere."""
    await _fill(scene, database=True, log=False)


async def full_disk_of_the_log(scene: Scene) -> None:
    """The database is elsewhere: nobody who plays notices anything."""
    await _fill(scene, database=False, log=True)


async def _fill(scene: Scene, *, database: bool, log: bool) -> None:
    with small_disk(scene.folder / "disk", 12) as disk:
        if disk is None:
            scene.report.skipped.append("no small disk: only root may mount one")
            return
        app = App(
            scene.folder,
            database=disk / "azumaya.db" if database else Path(),
            log=disk / "house.log" if log else Path(),
        )
        async with AsyncExitStack() as stack:
            playing = await stack.enter_async_context(crowd(scene, app))
            if not await playing.plays_on("people play before anything happens"):
                return
            before = playing.lines_open()
            with filled(disk):
                scene.report.count("disks filled")
                for odd in (b"no request\r\n\r\n", b"GET / HTTP/1.1\r\nHost x\r\n\r\n"):
                    # Whoever logs such things finds no room for it.
                    await ask_raw(app.port, odd)
                if database:
                    await _while_full(scene, playing)
                else:
                    await _newcomer(scene, app)
                    await playing.plays_on("people play on while only the log is full")
            await playing.plays_on(
                "people play on the same lines after there is room", seconds=_HEALED
            )
            scene.report.check(
                playing.lines_open() == before,
                "no line breaks",
                f"{before} before, {playing.lines_open()} after",
            )
            health = await _healed(app)
            scene.report.check(health[0] == 200, "/health is well again", health)
        playing.settle()
        if not database:
            # What was refused was refused for its own reasons, none of which is a disk.
            scene.report.counts["moves refused"] = len(playing.refused())
        scene.report.all_broken("no traceback in the log", app.tracebacks())


async def _while_full(scene: Scene, playing: Crowd) -> None:
    """Until something is refused, and a while longer."""
    since = monotonic()
    try:
        async with asyncio.timeout(_TOLD):
            while not playing.refused(since=since):  # noqa: ASYNC110 - people are watched
                await asyncio.sleep(0.05)
    except TimeoutError:
        scene.report.broken("people are told that nothing can be stored", f"not in {_TOLD} s")
    await asyncio.sleep(_FULL if scene.is_thorough else _FULL_SHORT)
    health = await _told_by_health(playing.app)
    scene.report.count("moves refused while full", len(playing.refused(since=since)))
    scene.report.check(
        health[0] != 200, "/health says that nothing can be stored", f"{health[0]} {health[1]}"
    )


async def _newcomer(scene: Scene, app: App) -> None:
    """Somebody comes in, of whom the log cannot tell."""
    try:
        async with (
            browser("127.0.4.99") as session,
            Page("Newby", app.url, session).here() as one,
        ):
            answer = await one.says("/help")
            scene.report.check(answer["ok"], "newcomers are served", answer)
    except (AssertionError, TimeoutError, Gone, aiohttp.ClientError) as error:
        scene.report.broken("newcomers are served", f"{type(error).__name__}: {error}")


async def _told_by_health(app: App) -> tuple[int, str]:
    """What /health says as soon as it is not well.

    Its one row may fit once more where SQLite begins its write-ahead log anew, while larger ones
    are refused.
    """
    until = monotonic() + _TOLD
    while (health := await _health(app))[0] == 200 and monotonic() < until:  # noqa: ASYNC110
        await asyncio.sleep(0.2)
    return health


async def _healed(app: App) -> tuple[int, str]:
    """What /health says as soon as it is well: it may tell how things were a second ago."""
    until = monotonic() + _HEALED
    while (health := await _health(app))[0] != 200 and monotonic() < until:  # noqa: ASYNC110
        await asyncio.sleep(0.2)
    return health


async def _health(app: App) -> tuple[int, str]:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{app.url}/health", timeout=aiohttp.ClientTimeout(10)) as answer,
    ):
        return answer.status, (await answer.text())[:200]
