"""Set the clock a day back and ten days forward while people play and a challenge waits."""

import asyncio
from datetime import timedelta
from pathlib import Path
from time import monotonic, time

from tools.attack.crowd import ROOMS, crowd
from tools.attack.page import PATIENCE, Page, browser
from tools.attack.process import App
from tools.attack.report import Scene
from tools.attack.story import within

__all__ = ["clock_jumps"]

_APART = "yard"
"""A room in which no challenge is accepted."""
_TOLERANCE = 600.0
_ENDS_WITHIN = 5.0 + 1.0
"""Seconds in which a challenge ends. The bot checks every five."""


async def clock_jumps(scene: Scene) -> None:
    """Challenges end by the new clock, and play goes on."""
    clock, report = scene.folder / "clock", scene.report
    _set(clock, timedelta())
    settings = {"PLAY__CHALLENGE_HOURS": "1", "WEB__CHANNELS": ",".join((*ROOMS, _APART))}
    app = App(scene.folder, settings, clock=clock)
    async with crowd(scene, app) as players:
        await players.plays_on("people play before anything happens", moves=2, seconds=40)
        async with browser("127.0.7.1") as session, Page("Zoe", app.url, session).here() as page:
            for jump in (timedelta(days=-1), timedelta(days=10)):
                _set(clock, jump)
                await _is_noticed(page, jump)
                report.count("jumps of the clock")
                await players.plays_on("people play on after a jump", moves=1, seconds=60)
                answer = await page.says("/othello new", room=_APART)
                report.check(answer["ok"], "challenges are made after a jump", answer)
                match = await page.until(lambda: _challenge(page))
                _set(clock, jump + timedelta(minutes=61))
                start, limit = monotonic(), within(_ENDS_WITHIN)
                try:
                    with players.unhurried():
                        shown = await page.sees(match, 2, room=_APART, seconds=limit)
                    report.check(shown["over"], "a challenge ends, and is not accepted", shown)
                except TimeoutError:
                    report.broken("a challenge ends on time", f"not in {limit:.1f} s at {jump}")
                report.most("seconds until a challenge ended", int(monotonic() - start))
    players.settle()


async def _is_noticed(page: Page, jump: timedelta) -> None:
    """Write messages until one has the new time. Raises TimeoutError."""
    async with asyncio.timeout(PATIENCE):
        while True:
            await page.says("What time is it?")
            newest = page.messages[max(page.messages)]
            if abs(newest["at"] - time() - jump.total_seconds()) < _TOLERANCE:
                return
            await asyncio.sleep(0.1)


def _challenge(page: Page) -> int:
    """Return the match of this user's open challenge, 0 if it is not shown yet."""
    open_ones = [
        match
        for match, shown in page.boards(_APART).items()
        if page.name in shown["title"] and not shown["over"] and not shown["picture"]
    ]
    return max(open_ones, default=0)


def _set(clock: Path, offset: timedelta) -> None:
    new = clock.with_suffix(".new")
    new.write_text(str(offset.total_seconds()))
    new.replace(clock)
