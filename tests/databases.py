"""The content of a database of either kind, read without our own code."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.store import Address
from tests.postgres import Server


def name_of(address: Address) -> str:
    """Return a database's name on its server."""
    assert not isinstance(address, Path)
    return address.get_secret_value().partition("@/")[2].partition("?")[0]


def ask(address: Address, sql: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query."""
    (rows,) = ask_each(address, sql)
    return rows


def ask_each(address: Address, *queries: str) -> list[list[tuple[Any, ...]]]:
    """Return the rows of each query, all read on one connection."""
    if isinstance(address, Path):
        with closing(sqlite3.connect(address)) as connection:
            return [connection.execute(query).fetchall() for query in queries]
    folder = address.get_secret_value().partition("?host=")[2]
    return Server(Path(folder)).each(*queries, database=name_of(address))
