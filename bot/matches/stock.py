"""The puzzles that every new database gets, so that ``/puzzle`` works from the first day.

`tools.puzzles` finds them and writes ``stock.jsonl``.
"""

import asyncio
import json
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files

import games
from bot.domain.glicko import NEW, Rating
from bot.store import Store, key_values, puzzles
from bot.store.puzzles import NewPuzzle
from bot.store.schema import OURS

_VALUES = (1000.0, 1250.0, 1500.0, 1750.0, 2000.0)
"""First ratings, by the lowest level of the computer that finds the move. Users start at 1500."""
_DEVIATION = 150.0
_KEY = "stock"


def _text() -> str:
    return (files("bot.matches") / "stock.jsonl").read_text("utf-8")


def stock(text: str | None = None) -> Iterator[NewPuzzle]:
    """Yield the puzzles of the current rules. Blocking."""
    for line in (text or _text()).splitlines():
        if line.startswith("#"):
            continue
        one = json.loads(line)
        if one["rules"] != games.get(one["game"]).rules_version:
            continue
        rating = Rating(_VALUES[one.pop("level") - 1], _DEVIATION, NEW.volatility)
        one["line"] = tuple(one["line"])
        yield NewPuzzle(match_id=None, rating=rating, **one)


async def store_stock(store: Store) -> None:
    """Store the puzzles, unless these are known to be stored."""
    text = await asyncio.to_thread(_text)
    digest = sha256(text.encode()).hexdigest()
    if await key_values.get(store, OURS, _KEY) == digest:
        return
    found = await asyncio.to_thread(lambda: list(stock(text)))
    await puzzles.add_stock(store, found, key=_KEY, digest=digest)
