"""Fill the disk while people play: with the database and the log on it, or one of them."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import aiohttp

from tests.disks import filled, small_disk
from tools.attack.crowd import Crowd, crowd
from tools.attack.fuzz_http import send_raw
from tools.attack.page import Gone, Page, browser
from tools.attack.process import App
from tools.attack.report import Scene, becomes_true

__all__ = ["full_disk", "full_disk_of_the_database", "full_disk_of_the_log"]

_FULL, _FULL_SHORT = 3.0, 1.0
"""Seconds that the disk stays full after the first refusal."""
_WITHIN = 10.0
"""Seconds in which the bot refuses, and in which it recovers."""


async def full_disk(scene: Scene) -> None:
    await _fill(scene, database=True, log=True)


async def full_disk_of_the_database(scene: Scene) -> None:
    await _fill(scene, database=True, log=False)


async def full_disk_of_the_log(scene: Scene) -> None:
    """Players notice nothing."""
    await _fill(scene, database=False, log=True)


async def _fill(scene: Scene, *, database: bool, log: bool) -> None:
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
            if not await players.plays_on("people play before anything happens"):
                return
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
    scene.report.check(are_told, "people are told that nothing can be stored", f"in {_WITHIN} s")
    await asyncio.sleep(_FULL if scene.is_thorough else _FULL_SHORT)
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
