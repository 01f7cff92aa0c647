"""What SQLite and PostgreSQL say differently, for all statements of the store.

SQLite has one writer at a time. On PostgreSQL there are many: whoever counts something and writes
by the count *holds* what it is counted for, until the end of the transaction; whoever finds
nothing and makes it, makes it by an *upsert*; and rows that several may change together are
locked in the order of their ids, so that nobody waits for somebody who waits for them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import TypeEngine

__all__ = [
    "SERVER_NOW",
    "String",
    "Whole",
    "fill",
    "go_on_after",
    "hold",
    "hold_people",
    "hold_people_at_once",
    "in_order",
    "is_shared",
    "last_number",
    "lock_key",
    "upsert",
]

Whole = BigInteger().with_variant(Integer(), "sqlite")
"""Whole numbers of 64 bits: times, ids, and what a button may carry."""


def String(length: int) -> TypeEngine[str]:  # noqa: N802 - it stands in the place of SQLAlchemy's
    """A text that is not meant to be longer; neither database is asked to refuse one that is."""
    return sqlalchemy.String(length).with_variant(Text(collation="C"), "postgresql")


_HOLD = text(
    "SELECT pg_advisory_xact_lock(key) FROM unnest(CAST(:keys AS bigint[])) WITH ORDINALITY"
    " AS held (key, place) ORDER BY place"
)

SERVER_NOW = cast(func.floor(func.extract("epoch", func.clock_timestamp())), BigInteger)
"""Whole Unix seconds by PostgreSQL's own clock, whatever ours says."""


def is_shared(connection: AsyncConnection | Connection) -> bool:
    """Are there others who write at the same time?"""
    return connection.dialect.name != "sqlite"


def lock_key(name: str) -> int:
    """The number by which PostgreSQL knows a lock of this name."""
    return int.from_bytes(sha256(f"azumaya {name}".encode()).digest()[:8], signed=True)


async def hold(connection: AsyncConnection, *names: str) -> None:
    """Let nobody else hold any of these until this transaction ends.

    To be called once in a transaction, and before anything is read that rests on it: then nobody
    who holds one thing waits for another.
    """
    if is_shared(connection):
        await connection.execute(_HOLD, _keys(names))


def _keys(names: Iterable[str]) -> dict[str, list[int]]:
    return {"keys": sorted({lock_key(name) for name in names})}


async def hold_people(connection: AsyncConnection, *user_ids: int | None) -> None:
    """Let nobody else count, or write, what is counted for these people."""
    await hold(connection, *_people(user_ids))


def hold_people_at_once(connection: Connection, *who: int | str) -> None:
    """The same in a transaction that goes to the database as a whole; strangers by a sign."""
    if is_shared(connection):
        connection.execute(_HOLD, _keys(_people(who)))


def _people(user_ids: Iterable[int | str | None]) -> Iterator[str]:
    return (f"person {user_id}" for user_id in user_ids if user_id is not None)


_INSERTS: "Mapping[str, Callable[[Table], sqlite.Insert | postgresql.Insert]]" = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}


def upsert(
    connection: AsyncConnection | Connection, table: Table
) -> "sqlite.Insert | postgresql.Insert":
    """An INSERT that has an ON CONFLICT."""
    return _INSERTS[connection.dialect.name](table)


async def in_order(
    connection: AsyncConnection, ids: Column[Any], *where: ColumnElement[bool]
) -> None:
    """Lock the rows that are about to be changed, in the order of their `ids`."""
    if is_shared(connection):
        query = select(ids).where(*where).order_by(ids).with_for_update(key_share=True)
        await connection.execute(query)


# --- a database that is copied -----------------------------------------------------------------


async def fill(
    connection: AsyncConnection, table: Table, rows: Sequence[tuple[Any, ...]]
) -> list[tuple[Any, ...]]:
    """Put whole rows into a table, as quickly as can be; JSON comes as text.

    Gives the rows of which NULs were left out of a text: PostgreSQL has none in texts.
    """
    if not is_shared(connection):
        sql = str(insert(table).compile(dialect=connection.dialect))
        await connection.exec_driver_sql(sql, list(rows))
        return []
    changed = [row for row in rows if any(isinstance(one, str) and "\0" in one for one in row)]
    if changed:
        rows = [
            tuple(one.replace("\0", "") if isinstance(one, str) else one for one in row)
            for row in rows
        ]
    raw: Any = (await connection.get_raw_connection()).driver_connection
    columns = [column.name for column in table.columns]
    await raw.copy_records_to_table(table.name, records=rows, columns=columns)
    return changed


_LAST = text("SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(:table, :id) AS regclass))")
_GO_ON = text("SELECT setval(pg_get_serial_sequence(:table, :id), :number)")
_LAST_IN_FILE = text("SELECT seq FROM sqlite_sequence WHERE name = :table")
_FORGET_IN_FILE = text("DELETE FROM sqlite_sequence WHERE name = :table")
_GO_ON_IN_FILE = text("INSERT INTO sqlite_sequence (name, seq) VALUES (:table, :number)")


async def last_number(connection: AsyncConnection, table: Table, ids: Column[int]) -> int:
    """The highest id that a table has ever given out, as far as the database remembers."""
    if is_shared(connection):
        found = await connection.execute(_LAST, {"table": table.name, "id": ids.name})
    else:
        found = await connection.execute(_LAST_IN_FILE, {"table": table.name})
    highest = await connection.execute(select(func.max(ids)))
    return max(found.scalar_one_or_none() or 0, highest.scalar_one() or 0)


async def go_on_after(
    connection: AsyncConnection, table: Table, ids: Column[int], number: int
) -> None:
    """Let a table give out only higher ids from now on."""
    if number and is_shared(connection):
        which = {"table": table.name, "id": ids.name, "number": number}
        await connection.execute(_GO_ON, which)
    elif number and table.dialect_options["sqlite"]["autoincrement"]:
        await connection.execute(_FORGET_IN_FILE, {"table": table.name})
        await connection.execute(_GO_ON_IN_FILE, {"table": table.name, "number": number})
