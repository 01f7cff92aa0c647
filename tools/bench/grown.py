"""A database with a million finished and 100,000 open games, beside an empty one.

It holds copies of games that were really played, by many people in many places. A file
``build/grown.db`` of an earlier run is used again.
"""

import asyncio
import os
import sqlite3
import sys
from itertools import cycle
from pathlib import Path
from shutil import copyfile, move
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import psutil

from bot.commands import Command, Commands
from bot.domain.model import Status
from bot.screens import Client
from bot.store import migrate, people, places
from tests.ports import free_port
from tools.bench._bot import bot, until_open
from tools.bench._play import PER_SECOND, draw_sprites, opened, paced, players, throughput

_FINISHED, _OPEN = 1_000_000, 100_000
_PEOPLE, _PLACES = 20_000, 1_000
_GAMES = ("othello", "sogo", "moyo")
"""Games that random moves bring to an end."""
_TEMPLATES = 10
"""Games to copy, of either kind."""
_OPENING = 3
"""Moves of an open game."""
_ROUNDS, _STARTS, _PAIRS = 5, 3, 8
_LINES = ("/leaderboard", "/leaderboard othello month", "/stats", "/matches", "/othello", "/board")
_GROWN = Path("build/grown.db")
_NUMBERS = (
    "WITH RECURSIVE numbers(number) AS"
    " (VALUES (1) UNION ALL SELECT number + 1 FROM numbers WHERE number < {})"
)
_COPIES = """
INSERT INTO {table} ({columns}) SELECT {values} FROM numbers CROSS JOIN template.{table} AS old
WHERE old.{key} IN (SELECT id FROM template.matches WHERE status = :status)
"""
_PERSON = f"1 + (:shift + number * 7 + {{}}) % {_PEOPLE}"
_PLACE = f"1 + (:shift + number) % {_PLACES}"
_CHANGED = {
    "matches": {
        "code": "hex(randomblob(8))",
        "place_id": _PLACE,
        "challenger_id": _PERSON.format(0),
        "opponent_id": f"CASE WHEN old.opponent_id IS NOT NULL THEN {_PERSON.format(1)} END",
    },
    "seats": {"user_id": _PERSON.format("seat")},
    "moves": {},
    "results": {"user_id": _PERSON.format("seat"), "place_id": _PLACE},
    "boards": {
        "id": "NULL",
        "place_id": _PLACE,
        "message": "'there'",
        "shown": "wanted",
        "notified": "news",
    },
}
"""Columns whose values are not those of the template."""
_STANDINGS = """
INSERT INTO standings (scope, month, game, solo, kind, user_id, matches, wins, draws, streak,
  longest, worth, hidden)
SELECT '', 0, game, solo, kind, user_id, count(*), sum(half_points = 2), 0, 1, 3,
  1500 + (user_id * 7919) % 700, 0 FROM results GROUP BY game, solo, kind, user_id
"""


async def _play_templates(template: Path) -> None:
    """Play the games to copy: one to its end and one open in each place."""
    app = await opened(template)
    for player, game in zip(await players(app, _TEMPLATES), cycle(_GAMES), strict=False):
        player.game = game
        await player.begin()
        while await player.is_on():
            await player.move()
        await player.begin()
        for _ in range(_OPENING):
            await player.move()
    await app.close()


def _grow(file: Path, template: Path) -> None:
    """Fill a database with copies of the games of `template`."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("ATTACH ? AS template", (str(template),))
    connection.execute(
        f"{_NUMBERS.format(_PEOPLE)} INSERT INTO users (id, name, settings, created)"
        " SELECT number, 'Guest ' || number, '{}', 0 FROM numbers"
    )
    connection.execute(
        f"{_NUMBERS.format(_PLACES)}"
        " INSERT INTO places (id, platform, external, kind, title, settings, created)"
        " SELECT number, 'bench', 'hall' || number, 'channel', 'hall', '{}', 0 FROM numbers"
    )
    (span,) = connection.execute("SELECT max(id) FROM template.matches").fetchone()
    shift = 0
    for status, number in ((Status.OVER, _FINISHED), (Status.RUNNING, _OPEN)):
        copies = number // _TEMPLATES
        connection.execute("BEGIN")
        for table in _CHANGED:
            given = {"status": status, "span": span, "shift": shift}
            connection.execute(_NUMBERS.format(copies) + _copy_of(connection, table), given)
        connection.execute("COMMIT")
        shift += copies
    connection.execute(_STANDINGS)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def _copy_of(connection: sqlite3.Connection, table: str) -> str:
    key = "id" if table == "matches" else "match_id"
    names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    values = {name: f"old.{name}" for name in names}
    values[key] = f"old.{key} + :span * (:shift + number)"
    values |= _CHANGED[table]
    columns, selected = ", ".join(names), ", ".join(values.values())
    return _COPIES.format(table=table, key=key, columns=columns, values=selected)


async def _start(file: Path) -> tuple[float, float]:
    """Return the seconds until the bot answers, without its file in the page cache, and its MiB."""
    os.sync()
    descriptor = os.open(file, os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)
    port = free_port()
    began = perf_counter()
    async with bot(file, WEB__ENABLED="true", WEB__PORT=str(port)):
        await until_open(f"http://127.0.0.1:{port}")
        (process,) = psutil.Process().children()
        return perf_counter() - began, process.memory_info().rss / 2**20


def _warm(file: Path) -> None:
    """Bring the file into the page cache."""
    with file.open("rb", buffering=0) as read:
        while read.read(1 << 24):
            pass


def measure() -> dict[str, float]:
    """Return medians of alternating rounds."""
    if sys.platform != "linux":
        print("grown: needs Linux, to drop a file from the page cache", file=sys.stderr)
        return {}
    with TemporaryDirectory() as name:
        empty = Path(name, "empty.db")
        migrate(empty)
        if not _GROWN.exists():
            template, growing = Path(name, "template.db"), Path(name, "growing.db")
            asyncio.run(_play_templates(template))
            copyfile(empty, growing)
            _grow(growing, template)
            _GROWN.parent.mkdir(exist_ok=True)
            growing.chmod(0o600)
            move(growing, _GROWN)
        starts = {
            file: [asyncio.run(_start(file)) for _ in range(_STARTS)] for file in (empty, _GROWN)
        }
        _warm(_GROWN)
        figures = asyncio.run(_moves(empty, _GROWN)) | asyncio.run(_answers(_GROWN))
        return figures | {
            "grown: size of the file (GB)": _GROWN.stat().st_size / 1e9,
            "grown: cold start (s)": median(took for took, _ in starts[_GROWN]),
            "grown: cold start on an empty database (s)": median(took for took, _ in starts[empty]),
            "grown: resident memory after a start (MiB)": median(mib for _, mib in starts[_GROWN]),
        }


async def _moves(empty: Path, grown: Path) -> dict[str, float]:
    draw_sprites()
    on_empty, on_grown, latencies = [], [], []
    apps = [await opened(file) for file in (empty, grown)]
    small, large = [await players(app, _PAIRS) for app in apps]
    for _ in range(_ROUNDS):
        on_empty.append(await throughput(small))
        on_grown.append(await throughput(large))
        latencies.append(await paced(large))
    for app in apps:
        await app.close()
    p50, p99 = (median(values) for values in zip(*latencies, strict=True))
    return {
        f"grown: moves per second, {_FINISHED} finished, {_OPEN} open": median(on_grown),
        "grown: rate on an empty database to its own": median(on_empty) / median(on_grown),
        f"grown: p50 at {PER_SECOND}/s (ms)": p50 * 1e3,
        f"grown: p99 at {PER_SECOND}/s (ms)": p99 * 1e3,
    }


async def _answers(grown: Path) -> dict[str, float]:
    """Return the median times of answers to what is typed."""
    app = await opened(grown)
    commands, figures = Commands(app), {}
    user, place = await people.user(app.store, 1), await places.place(app.store, 1)
    assert user is not None
    for line in _LINES:
        took = []
        for number in range(_ROUNDS):
            app.matches.memory.invalidate()
            began = perf_counter()
            await commands.run_line(Command(Client(user, f"{line}{number}"), place), line)
            took.append(perf_counter() - began)
        figures[f"grown: {line} (ms)"] = median(took) * 1e3
    await app.close()
    return figures
