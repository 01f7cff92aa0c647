"""Helpers for the tests of database files: their content, and refusals."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event

from bot.store import Store, migrate
from bot.support.errors import StoreError


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


@contextmanager
def statements() -> Iterator[list[tuple[str, Any]]]:
    """Collect every statement that is sent, with its (first) parameters."""
    said: list[tuple[str, Any]] = []

    def listen(*about: Any) -> None:
        _, _, statement, parameters, *_, many = about
        said.append((statement, parameters[0] if many else parameters))

    event.listen(Engine, "before_cursor_execute", listen)
    try:
        yield said
    finally:
        event.remove(Engine, "before_cursor_execute", listen)


async def plans_of(store: Store, statements: list[tuple[str, Any]]) -> list[str]:
    """Return SQLite's query plans of these statements, one line a step."""
    steps: list[str] = []

    def explain(connection: Connection) -> None:
        for statement, parameters in statements:
            if not statement.startswith("BEGIN"):
                found = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
                steps.extend(f"{row.detail} // {statement} {parameters}" for row in found)

    await store.read(explain)
    return steps


def run(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def tables(path: Path) -> set[str]:
    found = rows(path, "SELECT name FROM sqlite_master WHERE type = 'table'")
    return {str(name) for (name,) in found if not str(name).startswith("sqlite_")}


def files(folder: Path) -> list[str]:
    return sorted(found.name for found in folder.iterdir())


def refusal(path: Path) -> str:
    """Return the line with which both ways to open `path` refuse it."""
    with pytest.raises(StoreError) as by_migrating:
        migrate(path)
    with pytest.raises(StoreError) as by_opening:
        asyncio.run(Store.open(path))
    line = str(by_migrating.value)
    assert line == str(by_opening.value)
    assert line.startswith(f"{path}: ")
    assert len(line.splitlines()) == 1
    return line.removeprefix(f"{path}: ")


def fill(path: Path) -> None:
    """Insert a row into every table: 1 for numbers, a JSON object for texts."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for name in sorted(tables(path) - {"alembic_version"}):
            columns = connection.execute(f"PRAGMA table_info({name})").fetchall()
            values = [
                1 if kind in ("INTEGER", "BIGINT", "BOOLEAN", "DOUBLE") else "{}"
                for _, _, kind, *_ in columns
            ]
            marks = ",".join("?" * len(values))
            connection.execute(f"INSERT INTO {name} VALUES ({marks})", values)


def with_a_damaged_index(path: Path) -> None:
    """Remove rows from an index, which only a check of the indexes finds."""
    whole = "SELECT * FROM sqlite_master WHERE type = 'index' AND sql NOT LIKE '%WHERE%'"
    (row,) = rows(path, f"{whole} LIMIT 1")
    _, index, table, *_ = row
    changes: list[tuple[str, Any]] = [
        ("DELETE FROM sqlite_master WHERE name = ?", [index]),
        (f'DELETE FROM "{table}"', []),
        ("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", row),
    ]
    for statement, values in changes:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("PRAGMA writable_schema=ON")
            connection.execute(statement, values)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA quick_check(1)").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA integrity_check(1)").fetchall() != [("ok",)]
