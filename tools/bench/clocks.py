"""Clocks that run in a hundred thousand matches: a look at them; a thousand that end at once.

These are ended, and told of on a platform without limits: each once. What platforms allow in a
minute is the business of fronts (`bot.fronts.telegram.send_scheduler`), and is tested there.
"""

import sqlite3
from collections import Counter
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import games
from bot.app import App
from bot.delivery import Reconciler
from bot.model import PlaceKind, Status
from bot.store import match_queries, migrate, people, places
from bot.terms import Wishes
from bot.upkeep import Upkeep
from tests.bot.table import Wall
from tools.bench._play import opened

__all__ = ["measure"]

_RUNNING, _ENDING = 100_000, 1_000
_ROUNDS = 21
_MINUTE = 60
_COPIES = "WITH RECURSIVE copies(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < {})"
_CHANGED = {
    "matches": {"id": "old.id + n", "code": "hex(randomblob(8))"},
    "seats": {"match_id": "old.match_id + n"},
    "moves": {"match_id": "old.match_id + n"},
    "boards": {
        "id": "NULL",
        "match_id": "old.match_id + n",
        "message": "'there'",
        "shown": "wanted",
        "notified": "news",
    },
}


async def _first(app: App) -> int:
    """The match that is copied: two who have made two moves each, with a clock of days."""
    store, game = app.store, games.get("othello")
    hall = await places.get_or_create_place(
        store, "bench", "hall", kind=PlaceKind.CHANNEL, title="hall"
    )
    anna, ben = [
        await people.get_or_create_user(store, "bench", name, name=name) for name in ("Anna", "Ben")
    ]
    proposed = await app.matches.propose(
        game,
        game.options_from({}),
        place_id=hall.id,
        challenger=anna.id,
        opponent=ben.id,
        preferred_seat=0,
        expires=2**31,
        terms=Wishes(clock="7d").agreed(game, game.options_from({})),
    )
    begun = await app.matches.accept(proposed.match.id, ben.id)
    for user, move in ((anna, "d3"), (ben, "c3"), (anna, "c4"), (ben, "e3")):
        await app.matches.play(begun.match.id, user.id, move)
    return begun.match.id


def _copy(file: Path, match: int) -> None:
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("BEGIN")
    for table, changed in _CHANGED.items():
        names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        values = ", ".join(({name: f"old.{name}" for name in names} | changed).values())
        key = "id" if table == "matches" else "match_id"
        connection.execute(
            f"{_COPIES.format(_RUNNING - 1)} INSERT INTO {table} ({', '.join(names)})"
            f" SELECT {values} FROM copies CROSS JOIN {table} AS old WHERE old.{key} = ?",
            (match,),
        )
    connection.execute("COMMIT")
    connection.close()


async def measure() -> dict[str, float]:
    """Medians of looks; then one end of many."""
    with TemporaryDirectory() as name:
        file = Path(name, "clocks.db")
        migrate(file)
        app = await opened(file)
        try:
            _copy(file, await _first(app))
            return await _measured(app, file)
        finally:
            await app.close()


async def _measured(app: App, file: Path) -> dict[str, float]:
    upkeep, wall = Upkeep(app), Wall("bench")
    reconciler = Reconciler(app, {wall.platform: wall})
    await upkeep.begin()
    await upkeep.once()
    # The board of the match that was copied is behind.
    await reconciler.once()
    wall.shown.clear()
    wall.told.clear()
    looks = []
    for _ in range(_ROUNDS):
        began = perf_counter()
        await upkeep.once()
        looks.append(perf_counter() - began)
    connection = sqlite3.connect(file)
    with connection:
        connection.execute(
            # The first is remembered as it was.
            "UPDATE matches SET due = ? - id % ? WHERE id > 1 AND id <= ? + 1",
            (app.store.now() - 1, _MINUTE - 2, _ENDING),
        )
    connection.close()
    began = perf_counter()
    await upkeep.once()
    took = perf_counter() - began
    assert not await match_queries.due(app.store, until=app.store.now(), limit=1)
    async with app.store.read() as reading:
        found = await reading.exec_driver_sql(
            f"SELECT count(*) FROM matches WHERE status = '{Status.OVER.value}'"
        )
        assert found.scalar_one() == _ENDING
    began = perf_counter()
    for _ in range(2):
        await reconciler.once()
        await upkeep.once()
    told = perf_counter() - began
    over = Counter(post.match for post in wall.shown)
    assert len(over) == _ENDING
    assert set(over.values()) == {1}
    assert len(wall.told) == len({notice.key for _, notice in wall.told}) == _ENDING
    return {
        f"clocks: a look at {_RUNNING} that run, none at its end (ms)": median(looks) * 1e3,
        f"clocks: {_ENDING} that end in one minute, all ended (s)": took,
        f"clocks: {_ENDING} that ended in one minute, all told, each once (s)": told,
    }
