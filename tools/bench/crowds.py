"""Commands of somebody with 3,000 running matches, in a room with 3,000 open challenges.

Each figure is the median of a few answers, of a house that has just been opened.
"""

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from bot.store import migrate
from tests.bot.commands.test_crowds import challenges, running
from tests.bot.table import Person, Table

__all__ = ["measure"]

_TIMES = 9
_FULL_ROOM = ("/accept", "/challenge othello", "/othello new", "/board")
_MANY_MATCHES = ("/othello", "/othello d3", "/board", "/moves", "/resign", "/matches")


async def _took(table: Table, person: Person, line: str) -> float:
    """Milliseconds until the answer is there; nothing is in memory before."""
    took = []
    for _ in range(_TIMES):
        table.app.matches.read_anew()
        began = perf_counter()
        await person.types(line)
        took.append(perf_counter() - began)
    return median(took) * 1e3


async def _completed(table: Table, person: Person, line: str) -> float:
    took = []
    for _ in range(_TIMES):
        table.app.matches.read_anew()
        began = perf_counter()
        await person.completes(line)
        took.append(perf_counter() - began)
    return median(took) * 1e3


async def measure() -> dict[str, float]:
    """Medians in milliseconds."""
    figures: dict[str, float] = {}
    with TemporaryDirectory() as folder:
        for name, lines in (("full room", _FULL_ROOM), ("many matches", _MANY_MATCHES)):
            path = Path(folder, f"{len(figures)}.db")
            migrate(path)
            table = await Table.open(path)
            anna, ben = await table.arrive("Anna"), await table.arrive("Ben")
            if name == "full room":
                challenges(table)
            else:
                running(table, anna, ben)
            for line in lines:
                figures[f"{name}: {line} (ms)"] = await _took(table, anna, line)
            figures[f"{name}: completing /othello d (ms)"] = await _completed(
                table, anna, "/othello d"
            )
            figures[f"{name}: /othello by somebody else (ms)"] = await _took(
                table, await table.arrive("Cleo"), "/othello"
            )
            await table.close()
    return figures
