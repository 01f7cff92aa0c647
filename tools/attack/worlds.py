"""Two houses with other hidden stones and the same public history: nobody can tell them apart.

What everybody but the hider gets to see over the wire is written down, step by step, in both of
them, and must be equal to the byte: frames, refusals, the board turned and in words, moves, stale
buttons, completion, lists, pictures.
"""

import asyncio
import hashlib
import json
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import games
from tools.attack.ledger import Ledger
from tools.attack.process import App
from tools.attack.report import Report, Scene

__all__ = [
    "FORGED",
    "LINES",
    "Notes",
    "Secret",
    "all_shown",
    "both_worlds",
    "compare",
    "deal",
    "secrets",
]

_TRIES = 80
_PATIENCE = 20.0
_MOST_ASKED = 6
_LEAST = 15
"""With fewer observations of either kind there was nothing to tell the worlds apart by."""

LINES: tuple[str, ...] = ("moves", "moves {}", "matches", "stats @Ben", "resign {}", "blackbox z99")
LINES += ("blackbox hide b2", "blackbox unhide b2", "blackbox ready", "leaderboard blackbox")
"""What those who should not know type, and what plays nothing; the number of the match goes into
the braces."""

FORGED = (
    *(f"{verb}:{{match}}:{{now}}:" for verb in ("alt", "flip", "moves", "step", "resign")),
    # Of no version: what may have been meant for another button is refused for two seconds, and
    # seconds tell no world from another.
    "again:{match}:0:",
    *(f"play:{{match}}:{{now}}:{given}" for given in ("hide b2", "unhide b2", "ready", "z9")),
    *(f"step:{{match}}:{{before}}:{given}" for given in ("", "a1", "b2", "ready", "guess")),
    *(f"sure:{{match}}:{{before}}:{given}" for given in ("guess", "ready", "hide b2")),
)
"""What they press: buttons that are there, outdated ones, and some that never were."""


@dataclass(frozen=True, slots=True)
class Secret:
    """What is hidden in one of the worlds, and the entries whose answers do not tell which."""

    stones: tuple[str, ...]
    asked: tuple[int, ...]

    @property
    def setup(self) -> str:
        return " ".join(self.stones)


def secrets(luck: Random, *, size: int, number: int) -> tuple[Secret, Secret]:
    """Two boxes without a stone in common, and what can be asked of both with equal answers."""
    game = games.get("blackbox")
    options = game.options_from({"size": str(size), "stones": str(number)})
    boxes: list[tuple[tuple[str, ...], dict[int, str]]] = []
    for _ in range(_TRIES):
        stones = tuple(game.new_setup({**options, "fair": "no"}, luck).split())
        position: Any = game.start(options, " ".join(stones))
        entries = range(1, 4 * size + 1)
        boxes.append((stones, {entry: str(position.answer(entry)) for entry in entries}))
    pairs = (
        (one, other)
        for at, one in enumerate(boxes)
        for other in boxes[:at]
        if not set(one[0]) & set(other[0])
    )

    def alike(pair: tuple[Any, Any]) -> list[int]:
        return [entry for entry in pair[0][1] if pair[0][1][entry] == pair[1][1][entry]]

    best = max(pairs, key=lambda pair: len(alike(pair)))
    asked: list[int] = []
    ends: set[str] = set()
    for entry in luck.sample(alike(best), len(alike(best))):
        # Where a ray came out, nothing is left to be asked.
        if str(entry) not in ends and len(asked) < _MOST_ASKED:
            asked.append(entry)
            ends.add(best[0][1][entry])
    return Secret(best[0][0], tuple(asked)), Secret(best[1][0], tuple(asked))


@dataclass
class Notes:
    """What was seen, each with where; without what differs for other reasons (times)."""

    seen: list[str] = field(default_factory=list)
    kept: dict[str, set[str]] = field(default_factory=dict)
    """What was told without being asked for, in no order, by what it was about; an empty word
    where everybody must have been told it."""

    def write(self, where: str, what: object) -> None:
        self.seen.append(f"{where}: {plain(what)}")

    def keep(self, where: str, what: object, *, about: str = "") -> None:
        self.kept.setdefault(about, set()).add(f"{where}: {plain(what)}")

    def __len__(self) -> int:
        return len(self.seen) + sum(map(len, self.kept.values()))


def plain(what: object) -> str:
    """The same text for the same things; bytes by their hash."""
    if isinstance(what, bytes):
        return f"{len(what)} bytes, {hashlib.sha256(what).hexdigest()}"
    return json.dumps(_timeless(what), sort_keys=True, ensure_ascii=False)


def _timeless(what: Any) -> Any:
    if isinstance(what, dict):
        left_out = {"at", "stamp", "date", "edit_date"}
        return {key: _timeless(value) for key, value in what.items() if key not in left_out}
    return [_timeless(one) for one in what] if isinstance(what, list | tuple) else what


def deal(database: Path, match: int, setup: str) -> None:
    """Put other stones into a box that was dealt; the house must be closed."""
    with closing(sqlite3.connect(database)) as connection:
        changed = connection.execute("UPDATE matches SET setup = ? WHERE id = ?", (setup, match))
        assert changed.rowcount == 1
        connection.commit()


async def all_shown(database: Path) -> None:
    """Wait until no board is behind, and nobody is yet to be told that it is their turn.

    So both worlds go in step, however slow one of them is. Raises TimeoutError.
    """
    behind = (
        "SELECT 1 FROM boards WHERE message IS NULL OR shown < wanted OR notified < news"
        " OR former_notice IS NOT NULL"
    )
    with closing(sqlite3.connect(database)) as connection:
        async with asyncio.timeout(_PATIENCE):
            while connection.execute(behind).fetchone():  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.02)


World = Callable[[Scene, App, Secret, Notes], Awaitable[None]]


async def both_worlds(scene: Scene, world: World, *, make: Callable[[Path], App]) -> None:
    """Live through both worlds, side by side, and compare."""
    report, found = scene.report, (Notes(), Notes())
    pair = secrets(scene.luck("stones"), size=8, number=5)
    houses = []
    for number in range(len(pair)):
        folder = scene.folder / str(number)
        folder.mkdir()
        houses.append(make(folder))
    async with asyncio.TaskGroup() as both:
        for app, secret, notes in zip(houses, pair, found, strict=True):
            both.create_task(_lived(world(scene, app, secret, notes), app))
    for number, (app, secret) in enumerate(zip(houses, pair, strict=True)):
        report.all_broken("no traceback in the log", app.tracebacks())
        report.all_broken(
            "no secret in the log", app.tells([secret.setup, *_hidings(secret.stones)])
        )
        report.all_broken("the database is whole", Ledger.read(app.database).problems)
        report.check(
            _hidden(app.database) >= set(secret.stones),
            "the stones are where they were hidden",
            f"{_hidden(app.database)} in world {number}",
        )
    report.counts["entries asked"] = len(pair[0].asked)
    compare(report, *found)


async def _lived(life: Awaitable[None], app: App) -> None:
    """Live; no process is left behind."""
    try:
        await life
    finally:
        if app.process is not None and app.process.returncode is None:
            await app.kill()


def compare(report: Report, one: Notes, other: Notes) -> None:
    """Report whatever tells two worlds apart.

    A board may have shown a version in one of them alone; where both showed it, they must have
    shown the same. All else must have been told in both.
    """
    report.counts["observations in each world"] = min(len(one), len(other))
    report.check(
        min(len(set(one.seen)), sum(map(len, one.kept.values()))) >= _LEAST,
        "there is enough to be compared",
        f"{len(set(one.seen))} different answers, {len(one)} observations",
    )
    report.check(
        len(one.seen) == len(other.seen),
        "the same was seen in both worlds",
        f"{len(one.seen)} and {len(other.seen)} observations",
    )
    differ = [pair for pair in zip(one.seen, other.seen, strict=False) if pair[0] != pair[1]]
    alone = {"", *one.kept} ^ {"", *other.kept}
    told = [
        f"{about} {what}"
        for about in sorted({"", *one.kept, *other.kept} - alone)
        for what in sorted(one.kept.get(about, set()) ^ other.kept.get(about, set()))
    ]
    report.counts["told in one of them alone"] = len(alone)
    report.counts["differences"] = len(differ) + len(told)
    report.all_broken("the same was seen in both worlds", map(_apart, differ))
    report.all_broken("the same was told in both worlds", told)


def _hidden(database: Path) -> set[str]:
    """The stones that somebody hid."""
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("SELECT notation FROM moves WHERE notation LIKE 'hide %'")
        return {notation.removeprefix("hide ") for (notation,) in found}


def _hidings(stones: Iterable[str]) -> list[str]:
    return [f"hide {stone}" for stone in stones]


def _apart(pair: tuple[str, str]) -> str:
    """Two observations from where they begin to differ."""
    one, other = pair
    at = next(
        (at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right),
        min(len(one), len(other)),
    )
    return f"{one[:60]} … {one[max(0, at - 60) : at + 100]} / {other[max(0, at - 60) : at + 100]}"
