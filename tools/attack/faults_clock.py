"""The clock jumps while people play and while a challenge waits: a day back, ten days on."""

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

_LIBRARIES = Path("/usr/lib")
_APART = "yard"
"""A room in which nobody accepts what is proposed."""
_ABOUT = 600.0
"""Seconds by which what is said may be dated wrong, and its clock be the right one."""
_ON_TIME = 5.0 + 2.0
"""Seconds within which a challenge ends whose time is up, and its board says so: the house looks
every five, and libfaketime lets its clock be a second late."""


def _library() -> Path | None:
    """libfaketime, where Debian's package is installed."""
    return next(_LIBRARIES.glob("*/faketime/libfaketimeMT.so.1"), None)


async def clock_jumps(scene: Scene) -> None:
    """Back by a day: a challenge of an hour ends after an hour. Forward: people play on."""
    library, report = _library(), scene.report
    if library is None:
        report.skipped.append("libfaketime is not installed (Debian: apt install faketime)")
        return
    clock = scene.folder / "clock"
    _set(clock, timedelta())
    app = App(
        scene.folder,
        {"PLAY__CHALLENGE_HOURS": "1", "WEB__CHANNELS": ",".join((*ROOMS, _APART))},
        environment={
            "LD_PRELOAD": str(library),
            "FAKETIME_TIMESTAMP_FILE": str(clock),
            # Seconds for which the offset is kept: whoever asks for the time each time that a line
            # is written, and reads a file for it, has no time to play.
            "FAKETIME_CACHE_DURATION": "1",
            # Time that has passed stays what it is, as it does on a machine whose clock is set.
            "DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            # Its mend for an old glibc ends each wait of a thread at once, and the next one, and so
            # on: most of a core went into that.
            "FAKETIME_FORCE_MONOTONIC_FIX": "0",
        },
    )
    async with crowd(scene, app) as playing:
        await playing.plays_on("people play before anything happens", moves=2, seconds=40)
        async with browser("127.0.7.1") as session, Page("Zoe", app.url, session).here() as page:
            for what, jump in (("back", timedelta(days=-1)), ("forward", timedelta(days=10))):
                _set(clock, jump)
                await _noticed(page, jump)
                report.count("jumps of the clock")
                await playing.plays_on(f"people play on after a jump {what}", moves=1, seconds=60)
                answer = await page.says("/othello new", room=_APART)
                report.check(answer["ok"], "challenges are made after a jump", answer)
                match = await page.until(lambda: _proposed(page))
                # An hour and a minute later, by the clock.
                _set(clock, jump + timedelta(minutes=61))
                since, on_time = monotonic(), within(_ON_TIME)
                try:
                    with playing.resting():
                        shown = await page.sees(match, 2, room=_APART, seconds=on_time)
                    report.check(shown["over"], "a challenge ends, and is not accepted", shown)
                except TimeoutError:
                    report.broken(
                        "a challenge ends on time", f"after a jump {what}: not in {on_time:.1f} s"
                    )
                report.most("seconds until a challenge ended", int(monotonic() - since))
    playing.settle()
    report.all_broken("no traceback in the log", app.tracebacks())


async def _noticed(page: Page, jump: timedelta) -> None:
    """Say something until the house dates it by its new clock. Raises TimeoutError."""
    async with asyncio.timeout(PATIENCE):
        while True:
            await page.says("What time is it?")
            newest = page.messages[max(page.messages)]
            if abs(newest["at"] - time() - jump.total_seconds()) < _ABOUT:
                return
            await asyncio.sleep(0.1)


def _proposed(page: Page) -> int:
    """The match that this person's open challenge is, as soon as it stands there."""
    found = [
        match
        for match, shown in page.boards(_APART).items()
        if page.name in shown["title"] and not shown["over"] and not shown["picture"]
    ]
    return max(found, default=0)


def _set(clock: Path, offset: timedelta) -> None:
    """Let the house's clock go wrong by so much; it goes on from there."""
    seconds = int(offset.total_seconds())
    new = clock.with_suffix(".new")
    new.write_text(f"{seconds:+d}\n")
    new.replace(clock)
