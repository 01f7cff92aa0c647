"""The database driver makes as few trips to its thread as it can."""

import asyncio
import sqlite3
import threading
from contextlib import nullcontext
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from sqlalchemy import text

from bot.store import Store
from bot.store.batching import Connection, connect


async def test_a_connection_is_prepared_in_one_trip(
    empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute, trips = Connection._execute, []

    async def counted(self: Connection, *given: Any) -> Any:
        trips.append(given)
        return await execute(self, *given)  # type: ignore[no-untyped-call]

    monkeypatch.setattr(Connection, "_execute", counted)
    store = await Store.open(Path(copy(empty, tmp_path)))
    # Five connections; SQLAlchemy asks two of them for something, a version is remembered, and
    # whether the database was put back is asked.
    assert len(trips) <= 5 + 4
    pragmas = [
        f"PRAGMA {name}"
        for name in ("journal_mode", "synchronous", "secure_delete", "foreign_keys")
    ]
    for connections in (store.read, store.snapshot, store.write):
        async with connections() as connection:
            found = [(await connection.exec_driver_sql(one)).scalar_one() for one in pragmas]
        assert found == ["wal", 2, 1, 1]
    asked = [(await store.read_at_once(text(one), {}))[0][0] for one in pragmas]
    assert asked == found
    await store.close()


async def test_a_connection_that_cannot_be_prepared_is_closed(tmp_path: Path) -> None:
    closed = list[sqlite3.Connection]()

    class Noted(sqlite3.Connection):
        def close(self) -> None:
            closed.append(self)
            super().close()

    path, first = str(tmp_path / "any.db"), ["SELECT 1", "SELECT * FROM no_table"]
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        await connect(path, check=lambda: None, first=first, factory=Noted)
    assert len(closed) == 1


async def test_what_is_opened_for_somebody_who_has_gone_is_closed_again(tmp_path: Path) -> None:
    may_open, closed = threading.Event(), list[sqlite3.Connection]()

    class Noted(sqlite3.Connection):
        def close(self) -> None:
            closed.append(self)
            super().close()

    def connector() -> sqlite3.Connection:
        may_open.wait(20)
        return sqlite3.connect(tmp_path / "any.db", factory=Noted)

    connection = Connection(connector, check=lambda: None)

    async def opened() -> Connection:
        return await connection

    opening = asyncio.create_task(opened())
    for _ in range(5):
        await asyncio.sleep(0)
    # Nor does a process that ends wait for it.
    assert connection._thread.daemon
    opening.cancel()
    may_open.set()
    with pytest.raises(asyncio.CancelledError):
        await opening
    assert len(closed) == 1
    await asyncio.to_thread(connection._thread.join, 20)
    assert not connection._thread.is_alive()


async def test_a_log_is_folded_where_all_of_it_is_and_nobody_else_is_at_it(tmp_path: Path) -> None:
    def connector() -> sqlite3.Connection:
        opened = sqlite3.connect(tmp_path / "any.db", isolation_level=None, timeout=0)
        opened.execute("PRAGMA journal_mode=WAL")
        return opened

    connection, other = await Connection(connector, check=lambda: None), connector()

    async def folds(*, alone: bool = True) -> bool:
        await connection.run(sqlite3.Cursor.execute, "INSERT INTO lines VALUES ('x')", ())
        return await connection.fold(lambda: nullcontext(enter_result=alone))

    try:
        await connection.run(sqlite3.Cursor.execute, "CREATE TABLE lines (text TEXT)", ())
        assert await folds()
        assert not await folds(alone=False)
        log = tmp_path / "any.db-wal"
        written = log.read_bytes()
        # Another connection still reads the old state.
        other.execute("BEGIN")
        other.execute("SELECT * FROM lines").fetchall()
        assert not await folds()
        other.execute("COMMIT")
        assert await folds()
        assert log.read_bytes() != written
        # Or writes: then all of it may be in the file, and a moment later not all.
        other.execute("BEGIN IMMEDIATE")
        assert not await connection.fold(lambda: nullcontext(enter_result=True))
        other.execute("COMMIT")
        assert await folds()
    finally:
        other.close()
        await connection.close()
