"""Compare two bots that differ only in their hidden stones.

Everything that anyone but the hider sees is recorded on both bots and must be equal to the byte.
"""

import asyncio
import hashlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from tests.databases import ask
from tools.attack.process import App
from tools.attack.records import Records
from tools.attack.report import Report, Scene, becomes_true

_PATIENCE = 20.0
_LEAST = 15
"""Fewer observations than this prove nothing."""


_ASKED = (32, 29, 27, 21, 6, 8)
"""Entries of rays that end alike in both boxes."""
_MOMENT = re.compile(r"unix_time\W+\d+|<t:\d+|Open until [^.]+|\d+ \w+, \d\d:\d\d UTC")
"""A moment within a text: until when a challenge can be accepted."""
BOXES = (("d6", "a6", "h4", "c2", "b1"), ("b6", "b4", "h3", "d2", "d1"))
"""The stones hidden in the two bots, in boxes of 8 by 8 cells."""


@dataclass
class Notes:
    """Observations on one bot, without times."""

    seen: list[str] = field(default_factory=list)
    sent: dict[str, set[str]] = field(default_factory=dict)
    """Unasked messages in any order, by the board version they show; "" if they show none."""

    def write(self, where: str, what: object) -> None:
        self.seen.append(f"{where}: {_plain(what)}")

    def keep(self, where: str, what: object, *, about: str = "") -> None:
        self.sent.setdefault(about, set()).add(f"{where}: {_plain(what)}")

    def __len__(self) -> int:
        return len(self.seen) + sum(map(len, self.sent.values()))


def _plain(what: object) -> str:
    if isinstance(what, bytes):
        return f"{len(what)} bytes, {hashlib.sha256(what).hexdigest()}"
    return _MOMENT.sub("", json.dumps(_timeless(what), sort_keys=True, ensure_ascii=False))


def _timeless(what: Any) -> Any:
    if isinstance(what, dict):
        other = {"at", "stamp", "date", "edit_date", "code"}  # times, and random codes of matches
        return {key: _timeless(value) for key, value in what.items() if key not in other}
    return [_timeless(one) for one in what] if isinstance(what, list | tuple) else what


class Bot(ABC):
    """One of the two bots, where Anna seeks, Ben hides and Cleo watches."""

    LINES: ClassVar = (
        *("moves", "moves {match}", "matches", "stats @Ben", "resign {match}", "blackbox z99"),
        *("blackbox hide b2", "blackbox unhide b2", "blackbox ready", "leaderboard blackbox"),
    )
    FORGED: ClassVar[Sequence[str]] = (
        *(f"{verb}:{{match}}:{{now}}:" for verb in ("alt", "flip", "moves", "step", "resign")),
        # With a version, it would be refused for two seconds as a misdirected press.
        "again:{match}:0:",
        *(f"play:{{match}}:{{now}}:{given}" for given in ("hide b2", "unhide b2", "ready", "z9")),
        *(f"step:{{match}}:{{before}}:{given}" for given in ("", "a1", "b2", "ready", "guess")),
        *(f"sure:{{match}}:{{before}}:{given}" for given in ("guess", "ready", "hide b2")),
    )
    HAS_PRIVATE: ClassVar[bool] = True
    """Whether commands can be typed in private."""

    def __init__(self, app: App, notes: Notes) -> None:
        self.app, self.notes = app, notes
        self.match, self.version = 0, 2
        self._probes = 0

    @abstractmethod
    async def challenge(self) -> None:
        """Start the game in public, up to version 2, and set `match`."""

    @abstractmethod
    async def press(self, name: str, token: str, *, private: bool = False) -> Any:
        """Press a button that need not exist, and return the answer."""

    @abstractmethod
    async def type(self, name: str, line: str, *, private: bool = False) -> Any:
        """Type a command, and return the answer."""

    @abstractmethod
    async def board(self) -> Any:
        """Return the public board when it shows `version`."""

    async def settle(self) -> None:
        """Wait until all boards and notifications are delivered, so that both bots keep step."""
        behind = (
            "SELECT 1 FROM boards WHERE message IS NULL OR shown < wanted OR notified < news"
            " OR former_notice IS NOT NULL"
        )
        assert await becomes_true(lambda: not ask(self.app.database, behind), seconds=_PATIENCE)

    async def play(self, stones: Sequence[str]) -> None:
        """Hide the stones, take one back, hide it again, and ask; probe before and after."""
        await self.challenge()
        await self.press("Ben", f"private:{self.match}:2:")
        first = stones[0]
        moves = [*(f"hide {stone}" for stone in stones), f"unhide {first}", f"hide {first}"]
        for move in moves:
            await self._hide(move)
        await self.probe()
        await self._hide("ready")
        for entry in _ASKED:
            answer = await self.press("Anna", f"step:{self.match}:{self.version}:{entry}")
            self.notes.write(f"Anna asks {entry}", answer)
            await self.advance()
        await self.probe()

    async def _hide(self, move: str) -> None:
        await self.type("Ben", f"blackbox {move}", private=True)
        await self.advance()

    async def advance(self) -> None:
        """Wait for the next version everywhere, and record the public board."""
        self.version += 1
        await self.board()
        await self.settle()
        self.notes.write(f"the public board at {self.version}", await self.board())

    async def probe(self) -> None:
        """Record all answers that Anna and Cleo can get, each in another place the next time."""
        for at, name in enumerate(("Anna", "Cleo")):
            private = self.HAS_PRIVATE and (self._probes + at) % 2 == 1
            for form in self.FORGED:
                token = form.format(match=self.match, now=self.version, before=self.version - 1)
                self.notes.write(f"{name} presses {token}", await self.press(name, token))
            for form in self.LINES:
                line = form.format(match=self.match)
                answer = await self.type(name, line, private=private)
                self.notes.write(f"{name} types {line}, private: {private}", answer)
            await self.complete(name)
        self._probes += 1

    async def complete(self, name: str) -> None:  # noqa: B027 - not on every front
        """Record what is offered while a command is typed."""


OpenBot = Callable[[Report, Path, Notes], AbstractAsyncContextManager[Bot]]


async def compare_bots(scene: Scene, open_bot: OpenBot) -> None:
    """Play on two bots side by side, and compare."""
    notes = Notes(), Notes()
    async with asyncio.TaskGroup() as both:
        for stones, written in zip(BOXES, notes, strict=True):
            both.create_task(_play(scene, open_bot, stones, written))
    compare(scene.report, *notes)


async def _play(scene: Scene, open_bot: OpenBot, stones: Sequence[str], notes: Notes) -> None:
    folder = scene.folder / stones[0]
    folder.mkdir()
    async with open_bot(scene.report, folder, notes) as bot:
        await bot.play(stones)
    report, app, hides = scene.report, bot.app, {f"hide {stone}" for stone in stones}
    report.all_broken("no traceback in the log", app.tracebacks())
    report.all_broken("no secret in the log", app.leaked([" ".join(stones), *hides]))
    report.all_broken("the database is whole", Records.read(app.database).problems)
    stored = {move for (move,) in ask(app.database, "SELECT notation FROM moves")}
    report.check(hides <= stored, "the stones are where they were hidden", stored)


def compare(report: Report, one: Notes, other: Notes) -> None:
    """Report what tells two bots apart.

    A board may skip a version on one of them. A version that both showed must be equal.
    """
    report.counts["observations on each bot"] = min(len(one), len(other))
    report.check(
        min(len(set(one.seen)), sum(map(len, one.sent.values()))) >= _LEAST,
        "there is enough to be compared",
        f"{len(set(one.seen))} different answers, {len(one)} observations",
    )
    report.check(
        len(one.seen) == len(other.seen),
        "both bots answer alike",
        f"{len(one.seen)} and {len(other.seen)} answers",
    )
    differ = [pair for pair in zip(one.seen, other.seen, strict=False) if pair[0] != pair[1]]
    skipped = {"", *one.sent} ^ {"", *other.sent}
    sent = [
        f"{about} {what}"
        for about in sorted({"", *one.sent, *other.sent} - skipped)
        for what in sorted(one.sent.get(about, set()) ^ other.sent.get(about, set()))
    ]
    report.counts["versions shown by one bot only"] = len(skipped)
    report.counts["differences"] = len(differ) + len(sent)
    report.all_broken("both bots answer alike", map(_difference, differ))
    report.all_broken("both bots send the same", sent)


def _difference(pair: tuple[str, str]) -> str:
    one, other = pair
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return f"{one[:60]} … {one[max(0, at - 60) : at + 100]} / {other[max(0, at - 60) : at + 100]}"
