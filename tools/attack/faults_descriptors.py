"""Descriptors run out: idle callers take all there are, and those who play must not notice."""

import asyncio
import resource
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import aiohttp

from tools.attack.crowd import crowd
from tools.attack.page import Gone, Page, browser
from tools.attack.process import App
from tools.attack.report import Scene

__all__ = ["few_descriptors", "many_callers"]

_HALF = b"GET /me HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: "
_AT_ONCE = 100
_LOG_PER_SECOND = 4096
"""Bytes that the log may grow in a second: 35 GB a day are too many."""
_AWAY = 15.0
"""Seconds in which newcomers come in again when the callers have gone."""


async def few_descriptors(scene: Scene) -> None:
    """``ulimit -n 128``, and 200 who call and say nothing."""
    await _crowded(scene, descriptors=128, callers=200)


async def many_callers(scene: Scene) -> None:
    """``ulimit -n 1024``, and 1,100 who call and say half of what they want."""
    await _crowded(scene, descriptors=1024, callers=1100)


async def _crowded(scene: Scene, *, descriptors: int, callers: int) -> None:
    report = scene.report
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = callers + 400
    if hard != resource.RLIM_INFINITY and hard < wanted:
        report.skipped.append(f"no {wanted} descriptors for the callers themselves, but {hard}")
        return
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    app = App(scene.folder, descriptors=descriptors)
    async with AsyncExitStack() as stack:
        playing = await stack.enter_async_context(crowd(scene, app))
        if not await playing.plays_on("people play before anything happens"):
            return
        lines, log = playing.lines_open(), app.log.stat().st_size
        async with _callers(app, callers) as calling:
            report.count("idle callers", calling)
            await playing.plays_on("people play on beside idle callers", moves=10)
            with playing.resting():
                await asyncio.sleep(2)
            grown = app.log.stat().st_size - log
            report.counts["bytes that the log grew by"] = grown
            report.check(grown < 60 * _LOG_PER_SECOND, "the log does not swell", f"{grown} bytes")
        report.check(playing.lines_open() == lines, "no line breaks", playing.lines_open())
        with playing.resting():
            report.check(await _comes_in(app), "newcomers come in again", f"not in {_AWAY} s")
    playing.settle()
    report.all_broken("no traceback in the log", app.tracebacks())


@asynccontextmanager
async def _callers(app: App, number: int) -> AsyncIterator[int]:
    """So many connections that say half a header, or nothing, while the block runs."""
    made: list[asyncio.StreamWriter] = []

    async def call(at: int) -> None:
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(5):
                _, writer = await asyncio.open_connection(
                    "127.0.0.1", app.port, local_addr=(f"127.0.5.{at % 250 + 1}", 0)
                )
            made.append(writer)
            if at % 2:
                writer.write(_HALF)

    try:
        for at in range(0, number, _AT_ONCE):
            await asyncio.gather(*(call(at + more) for more in range(_AT_ONCE)))
        yield len(made)
    finally:
        for writer in made:
            writer.close()
        for writer in made:
            with suppress(OSError):
                await writer.wait_closed()


async def _comes_in(app: App) -> bool:
    """Can somebody new come in and be answered?"""
    with suppress(TimeoutError):
        async with asyncio.timeout(_AWAY), browser("127.0.6.1") as session:
            while True:
                try:
                    async with Page("Newby", app.url, session).here() as page:
                        return bool((await page.says("/help"))["ok"])
                except (AssertionError, Gone, aiohttp.ClientError):
                    await asyncio.sleep(0.2)
    return False
