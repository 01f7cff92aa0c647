"""Differences between SQLite and PostgreSQL in the statements of the store.

SQLite has one writer at a time, PostgreSQL has many. A transaction that writes by a count first
takes an advisory lock on what is counted (`advisory_lock`). Rows that several transactions change
are locked in order of id, to avoid deadlocks (`in_order`).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

import sqlalchemy
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Integer,
    Table,
    Text,
    cast,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.types import TypeEngine

Whole = BigInteger().with_variant(Integer(), "sqlite")
LongText = Text().with_variant(Text(collation="C"), "postgresql")


def String(length: int) -> TypeEngine[str]:  # noqa: N802 - replaces SQLAlchemy's
    """Return a text type of a nominal length, which neither database enforces."""
    return sqlalchemy.String(length).with_variant(Text(collation="C"), "postgresql")


_HOLD = text(
    "SELECT pg_advisory_xact_lock(key) FROM unnest(CAST(:keys AS bigint[])) WITH ORDINALITY"
    " AS held (key, place) ORDER BY place"
)

SERVER_NOW = cast(func.floor(func.extract("epoch", func.clock_timestamp())), BigInteger)
"""Unix seconds by the clock of the PostgreSQL server."""


def is_shared(connection: Connection) -> bool:
    """Return whether other processes can write at the same time."""
    return connection.dialect.name != "sqlite"


def lock_key(name: str) -> int:
    """Return the number of PostgreSQL's advisory lock with this name."""
    return int.from_bytes(sha256(f"azumaya {name}".encode()).digest()[:8], signed=True)


def advisory_lock(connection: Connection, *names: str) -> None:
    """Take advisory locks: once in a transaction, before its reads, to avoid deadlocks."""
    if is_shared(connection):
        connection.execute(_HOLD, {"keys": sorted({lock_key(name) for name in names})})


def lock_users(connection: Connection, *who: int | str | None) -> None:
    """Lock all that is counted for these users. Unregistered ones are strings."""
    advisory_lock(connection, *(f"person {user_id}" for user_id in who if user_id is not None))


UPSERTS: Mapping[str, Callable[[Table], "sqlite.Insert | postgresql.Insert"]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}
"""How to make an INSERT that supports ON CONFLICT, by dialect."""


def upsert(connection: Connection, table: Table) -> "sqlite.Insert | postgresql.Insert":
    """Return an INSERT that supports ON CONFLICT."""
    return UPSERTS[connection.dialect.name](table)


def insert_or_update(connection: Connection, table: Table, *rows: Mapping[str, Any]) -> None:
    """Insert rows, or update those that have their primary keys already."""
    connection.execute(_putting(connection.dialect.name, table, tuple(rows[0])), rows)


def insert_new(connection: Connection, table: Table, *rows: Mapping[str, Any]) -> None:
    """Insert rows, but not those that break a unique constraint."""
    connection.execute(_putting(connection.dialect.name, table), rows)


@cache
def _putting(
    dialect: str, table: Table, names: tuple[str, ...] = ()
) -> "sqlite.Insert | postgresql.Insert":
    """Return an INSERT that updates these columns of rows that exist."""
    new, keys = UPSERTS[dialect](table), table.primary_key.columns.keys()
    changed = {name: new.excluded[name] for name in names if name not in keys}
    if not changed:
        return new.on_conflict_do_nothing()
    return new.on_conflict_do_update(index_elements=keys, set_=changed)


def in_order(connection: Connection, ids: Column[Any], *where: ColumnElement[bool]) -> None:
    """Lock the rows that are about to change, in order of `ids`."""
    if is_shared(connection):
        query = select(ids).where(*where).order_by(ids).with_for_update(key_share=True)
        connection.execute(query)


def fill(connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert whole rows in bulk, JSON as text. PostgreSQL stores no NUL, so texts lose it there."""
    if is_shared(connection):
        rows = [tuple(_without_nul(one) for one in row) for row in rows]
        driver: Any = connection.connection.dbapi_connection
        columns = [column.name for column in table.columns]
        driver.run_async(
            lambda raw: raw.copy_records_to_table(table.name, records=rows, columns=columns)
        )
    else:
        sql = str(insert(table).compile(dialect=connection.dialect))
        connection.exec_driver_sql(sql, list(rows))


def _without_nul(value: Any) -> Any:
    return value.replace("\0", "") if isinstance(value, str) else value


_LAST = text("SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(:table, :id) AS regclass))")
_GO_ON = text("SELECT setval(pg_get_serial_sequence(:table, :id), :number)")
_LAST_IN_FILE = text("SELECT seq FROM sqlite_sequence WHERE name = :table")
_FORGET_IN_FILE = text("DELETE FROM sqlite_sequence WHERE name = :table")
_GO_ON_IN_FILE = text("INSERT INTO sqlite_sequence (name, seq) VALUES (:table, :number)")


def last_number(connection: Connection, table: Table, ids: Column[int]) -> int:
    """Return the highest id that a table has ever assigned, as far as known."""
    if is_shared(connection):
        found = connection.execute(_LAST, {"table": table.name, "id": ids.name})
    else:
        found = connection.execute(_LAST_IN_FILE, {"table": table.name})
    highest = connection.execute(select(func.max(ids)))
    return max(found.scalar_one_or_none() or 0, highest.scalar_one() or 0)


def go_on_after(connection: Connection, table: Table, ids: Column[int], number: int) -> None:
    """Make a table assign only higher ids."""
    if number and is_shared(connection):
        which = {"table": table.name, "id": ids.name, "number": number}
        connection.execute(_GO_ON, which)
    elif number and table.dialect_options["sqlite"]["autoincrement"]:
        connection.execute(_FORGET_IN_FILE, {"table": table.name})
        connection.execute(_GO_ON_IN_FILE, {"table": table.name, "number": number})
