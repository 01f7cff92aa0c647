"""Leaderboards and statistics over a million results: what is typed until the answer is there."""

import sqlite3
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from bot.app import App
from bot.commands import Answer, Command, Commands
from bot.model import PlaceKind
from bot.store import migrate, people, places, standings
from tools.bench._play import opened

__all__ = ["measure"]

_RESULTS, _PEOPLE = 1_000_000, 20_000
_ROUNDS = 21
_OFTEN = 5_000
"""Matches of the one whose statistics are asked for."""
_BEGAN = 1_000_000_000

_NUMBERS = (
    "WITH RECURSIVE numbers(n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM numbers WHERE n < {most})"
)
_MATCHES = """
INSERT INTO matches (id, code, game, rules, options, setup, status, version, turn, place_id,
  challenger_id, created, updated)
SELECT n + 1, hex(randomblob(8)), 'othello', 1, '{{"rules": "othello"}}', '', 'over', 9, 0, 1, 1,
  {began} + n, {began} + n FROM numbers
"""
_SOMEBODY = (
    f"CASE WHEN n < {_OFTEN} THEN {{often}} ELSE 2 + (n * {{step}} + {{from_}}) % {_PEOPLE} END"
)
_INTO_RESULTS = """
INSERT INTO results (match_id, seat, user_id, game, place_id, solo, half_points, score, kind,
  moves, at)
SELECT n + 1, {seat}, {user}, 'othello', 1, 0, {points}, 30, 'othello', 60,
  {began} + n FROM numbers
"""
_INTO_STANDINGS = """
INSERT INTO standings (scope, month, game, solo, kind, user_id, matches, wins, draws, streak,
  longest, worth, hidden)
SELECT :scope, :month, 'othello', 0, 'othello', user_id, count(*), sum(half_points = 2), 0, 1, 3,
  1500 + (user_id * 7919) % 700, 0 FROM results GROUP BY user_id
"""


def _grow(file: Path, *, place: int, month: int) -> None:
    """A house in which so many have played so much, all of it in one place."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("BEGIN")
    users = _NUMBERS.format(most=_PEOPLE + 1)
    connection.execute(
        f"{users} INSERT OR IGNORE INTO users (id, name, settings, created)"
        " SELECT n + 1, 'Guest ' || n, '{}', 0 FROM numbers"
    )
    connection.execute(
        f"{users} INSERT OR IGNORE INTO identities (platform, external, user_id)"
        " SELECT 'bench', 'guest' || n, n + 1 FROM numbers"
    )
    matches = _NUMBERS.format(most=_RESULTS // 2 - 1)
    connection.execute(matches + _MATCHES.format(began=_BEGAN))
    for seat, often, step in ((0, 1, 1), (1, "2 + n % 50", 7)):
        user = _SOMEBODY.format(often=often, step=step, from_=seat * 11)
        points = "2 * (n % 3 = 0)" if seat == 0 else "2 * (n % 3 <> 0)"
        connection.execute(
            matches + _INTO_RESULTS.format(seat=seat, user=user, points=points, began=_BEGAN)
        )
    connection.execute(
        f"{_NUMBERS.format(most=_OFTEN * 60 - 1)} INSERT INTO moves"
        " (match_id, ply, seat, notation, at)"
        " SELECT 1 + n / 60, n % 60, n % 2, char(97 + n % 8) || (1 + n / 60 % 8), 0 FROM numbers"
    )
    for scope in ("", f"place:{place}", "community:bench:all"):
        for number in (0, month):
            connection.execute(_INTO_STANDINGS, {"scope": scope, "month": number})
    connection.execute(
        "INSERT INTO ratings (user_id, game, kind, value, deviation, volatility, at, matches)"
        " SELECT user_id, 'othello', 'othello', worth, 80, 0.06, 0, matches FROM standings"
        " WHERE scope = '' AND month = 0"
    )
    connection.execute(
        f"{_NUMBERS.format(most=_OFTEN - 1)} INSERT INTO rated_matches"
        " (match_id, game, kind, first_id, second_id, half_points, first_value, second_value, at)"
        " SELECT n + 1, 'othello', 'othello', 1, 2 + n % 50, 2, 1500 + n % 97, 1500, n FROM numbers"
    )
    connection.execute("COMMIT")
    connection.close()


async def _took(ask: Callable[[], Awaitable[Answer]]) -> float:
    """The median of some rounds, in milliseconds."""
    times = []
    for _ in range(_ROUNDS):
        began = perf_counter()
        answer = await ask()
        times.append(perf_counter() - began)
        assert not answer.refused
        assert answer.public or answer.private
    return median(times) * 1e3


async def measure() -> dict[str, float]:
    """Medians of rounds, over one database."""
    with TemporaryDirectory() as name:
        file = Path(name, "ladders.db")
        migrate(file)
        app = await opened(file)
        try:
            return await _measured(app, file)
        finally:
            await app.close()


async def _measured(app: App, file: Path) -> dict[str, float]:
    store = app.store
    anna = await people.get_or_create_user(store, "bench", "anna", name="Anna")
    hall = await places.get_or_create_place(
        store, "bench", "hall", kind=PlaceKind.CHANNEL, title="hall", community="all"
    )
    _grow(file, place=hall.id, month=standings.month_of(store.now()))
    commands = Commands(app)
    numbers = count()

    async def ask(line: str) -> Answer:
        command = Command(anna, hall, identity=f"anna{next(numbers)}")
        return await commands.typed(command, line)

    async def press(token: str) -> Answer:
        return await commands.pressed(
            Command(anna, hall, identity=f"anna{next(numbers)}"), f"ladder:0:0:{token}"
        )

    await ask("/leaderboard othello")
    return {
        "leaderboard over 1,000,000 results: all time (ms)": await _took(
            lambda: ask("/leaderboard othello")
        ),
        "leaderboard over 1,000,000 results: this month (ms)": await _took(
            lambda: ask("/leaderboard othello month")
        ),
        "leaderboard over 1,000,000 results: of each game (ms)": await _took(
            lambda: ask("/leaderboard")
        ),
        "leaderboard over 1,000,000 results: its page 1,000 (ms)": await _took(
            lambda: press("othello..othello.999")
        ),
        f"statistics of {_OFTEN} matches (ms)": await _took(lambda: ask("/stats")),
    }
