"""A house that has been played in for years, beside an empty one: moves, memory, a cold start.

The years are copies of matches that were really played, by many people in many places. Where
``build/grown.db`` is there from an earlier run, it is taken as it is.
"""

import asyncio
import os
import sqlite3
import sys
from contextlib import AsyncExitStack
from itertools import cycle
from pathlib import Path
from shutil import copyfile, move
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from bot.model import Status
from bot.store import migrate
from tests.ports import free_port
from tools.bench._bot import bot, until_open
from tools.bench._house import House
from tools.bench._play import PER_SECOND, Player, opened, players

__all__ = ["measure"]

_FINISHED, _OPEN = 1_000_000, 100_000
_PEOPLE, _PLACES = 20_000, 1_000
_GAMES = ("othello", "sogo", "moyo")
"""What random moves bring to an end."""
_TEMPLATES = 10  # of either kind
_OPENING = 3  # moves of a match that is open
_ROUNDS, _STARTS = 5, 3
_GROWN = Path("build/grown.db")
_COPIES = """
WITH RECURSIVE copies(copy) AS
  (VALUES (1) UNION ALL SELECT copy + 1 FROM copies WHERE copy < :copies)
INSERT INTO {table} ({columns}) SELECT {values} FROM copies CROSS JOIN template.{table} AS old
WHERE old.{key} IN (SELECT id FROM template.matches WHERE status = :status)
"""
_PERSON = f"1 + (:shift + copy * 7 + {{}}) % {_PEOPLE}"
_CHANGED = {
    "matches": {
        "id": "old.id + :span * (:shift + copy)",
        "code": "hex(randomblob(8))",
        "place_id": f"1 + (:shift + copy) % {_PLACES}",
        "challenger_id": _PERSON.format(0),
        "opponent_id": "CASE WHEN old.opponent_id IS NULL THEN NULL ELSE "
        + _PERSON.format(1)
        + " END",
    },
    "seats": {"user_id": _PERSON.format("seat")},
    "moves": {},
    "results": {
        "user_id": _PERSON.format("seat"),
        "place_id": f"1 + (:shift + copy) % {_PLACES}",
    },
    "boards": {
        "id": "NULL",
        "place_id": f"1 + (:shift + copy) % {_PLACES}",
        "message": "'there'",
        "shown": "wanted",
        "notified": "news",
    },
}


async def _played(template: Path) -> None:
    """Play the matches that are copied: as many to their end as are left open."""
    app = await opened(template)
    for player, game in zip(await players(app, _TEMPLATES), cycle(_GAMES), strict=False):
        player.game = game
        await player.begin()
        while await _is_running(player):
            await player.move()
        await player.begin()
        for _ in range(_OPENING):
            await player.move()
    await app.close()


async def _is_running(player: Player) -> bool:
    loaded = await player.app.matches.get(player.match)
    return loaded.match.status is Status.RUNNING


def _grow(file: Path, template: Path) -> None:
    """Fill a database with copies of the matches of another one."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("ATTACH ? AS template", (str(template),))
    numbers = (
        "WITH RECURSIVE numbers(number) AS (VALUES (1) UNION ALL"
        f" SELECT number + 1 FROM numbers WHERE number < {_PEOPLE})"
    )
    connection.execute(
        f"{numbers} INSERT INTO users (id, name, settings, created)"
        " SELECT number, 'Guest ' || number, '{}', 0 FROM numbers"
    )
    connection.execute(
        f"{numbers} INSERT INTO places (id, platform, external, kind, title, settings, created)"
        " SELECT number, 'bench', 'hall' || number, 'channel', 'hall', '{}', 0 FROM numbers"
        f" WHERE number <= {_PLACES}"
    )
    (span,) = connection.execute("SELECT max(id) FROM template.matches").fetchone()
    shift = 0
    for status, number in ((Status.OVER, _FINISHED), (Status.RUNNING, _OPEN)):
        given = {"status": status, "copies": number // _TEMPLATES, "span": span, "shift": shift}
        connection.execute("BEGIN")
        for table, changed in _CHANGED.items():
            key = "id" if table == "matches" else "match_id"
            names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            values = {name: f"old.{name}" for name in names}
            if table != "matches":
                values["match_id"] = "old.match_id + :span * (:shift + copy)"
            values |= changed
            connection.execute(
                _COPIES.format(
                    table=table,
                    key=key,
                    columns=", ".join(names),
                    values=", ".join(values.values()),
                ),
                given,
            )
        connection.execute("COMMIT")
        shift += number // _TEMPLATES
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


async def _start(file: Path) -> float:
    """Seconds until the house answers, with nothing of its file in the system's memory."""
    os.sync()
    descriptor = os.open(file, os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)
    port = free_port()
    began = perf_counter()
    async with bot(file, WEB__ENABLED="true", WEB__PORT=str(port)):
        await until_open(f"http://127.0.0.1:{port}")
        return perf_counter() - began


def _warm(file: Path) -> None:
    """Read it once: who has run for a while does not wait for the disk, as after a cold start."""
    with file.open("rb", buffering=0) as read:
        while read.read(1 << 24):
            pass


def measure() -> dict[str, float]:
    """Medians of rounds that take turns."""
    if sys.platform != "linux":
        print("grown: only Linux forgets a file at a word", file=sys.stderr)
        return {}
    with TemporaryDirectory() as name:
        empty = Path(name, "empty.db")
        migrate(empty)
        if not _GROWN.exists():
            template, growing = Path(name, "template.db"), Path(name, "growing.db")
            asyncio.run(_played(template))
            copyfile(empty, growing)
            _grow(growing, template)
            _GROWN.parent.mkdir(exist_ok=True)
            growing.chmod(0o600)
            move(growing, _GROWN)
        starts = {
            file: median([asyncio.run(_start(file)) for _ in range(_STARTS)])
            for file in (empty, _GROWN)
        }
        _warm(_GROWN)
        return asyncio.run(_moves(empty, _GROWN)) | {
            "grown house: its file (GB)": _GROWN.stat().st_size / 1e9,
            "grown house: cold start (s)": starts[_GROWN],
            "grown house: cold start of an empty one (s)": starts[empty],
        }


async def _moves(empty: Path, grown: Path) -> dict[str, float]:
    rates: dict[str, list[float]] = {"empty": [], "grown": []}
    halves, tails = [], []
    async with AsyncExitStack() as stack:
        houses = {
            "empty": await stack.enter_async_context(House.of(empty, 0)),
            "grown": await stack.enter_async_context(House.of(grown, 0)),
        }
        for _ in range(_ROUNDS):
            for name, house in houses.items():
                rates[name].append(await house.rate())
            half, tail = await houses["grown"].paced()
            halves.append(half)
            tails.append(tail)
        memory = await houses["grown"].memory()
    many = f"{_FINISHED} finished and {_OPEN} open matches"
    return {
        f"grown house: moves per second, {many}": median(rates["grown"]),
        "grown house: an empty one's rate to its own": median(rates["empty"])
        / median(rates["grown"]),
        f"grown house: p50 at {PER_SECOND}/s (ms)": median(halves) * 1e3,
        f"grown house: p99 at {PER_SECOND}/s (ms)": median(tails) * 1e3,
        "grown house: resident memory (MiB)": memory,
    }
