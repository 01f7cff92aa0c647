"""The database driver makes as few trips to its thread as it can."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from bot.store.batching import Connection


@pytest.mark.parametrize("end", [Connection.commit, Connection.rollback])
async def test_a_transaction_is_ended_once_and_by_one_trip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: Any
) -> None:
    execute, trips = Connection._execute, []

    async def counted(self: Connection, *given: Any) -> Any:
        trips.append(given)
        return await execute(self, *given)  # type: ignore[no-untyped-call]

    def connector() -> sqlite3.Connection:
        return sqlite3.connect(tmp_path / "any.db", isolation_level=None)

    connection = await Connection(connector, check=lambda: None)
    try:
        monkeypatch.setattr(Connection, "_execute", counted)
        for _ in range(2):
            cursor = connection.cursor()
            await cursor.execute("BEGIN IMMEDIATE")
            await end(connection)
            assert trips == []
            await cursor.execute("BEGIN IMMEDIATE")
            await cursor.execute("CREATE TABLE IF NOT EXISTS lines (text TEXT)")
            assert len(trips) == 1
            await end(connection)
            assert len(trips) == 2
            await end(connection)
            assert len(trips) == 2
            trips.clear()
    finally:
        monkeypatch.undo()
        await connection.close()
