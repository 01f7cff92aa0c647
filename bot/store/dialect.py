"""What SQLite and PostgreSQL say differently, for all statements of the store.

SQLite has one writer at a time. On PostgreSQL there are many: whoever counts something and writes
by the count *holds* what it is counted for, until the end of the transaction; whoever finds
nothing and makes it, makes it by an *upsert*; and rows that several may change together are
locked in the order of their ids, so that nobody waits for somebody who waits for them.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

import sqlalchemy
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Integer,
    Table,
    Text,
    cast,
    func,
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
    "hold",
    "hold_people",
    "in_order",
    "is_shared",
    "lock_key",
    "upsert",
]

Whole = BigInteger().with_variant(Integer(), "sqlite")
"""Whole numbers of 64 bits: times, ids, and what a button may carry."""


def String(length: int) -> TypeEngine[str]:  # noqa: N802 - it stands in the place of SQLAlchemy's
    """A text that is not meant to be longer; neither database is asked to refuse one that is."""
    return sqlalchemy.String(length).with_variant(Text(), "postgresql")


_HOLD = text(
    "SELECT pg_advisory_xact_lock(key) FROM unnest(CAST(:keys AS bigint[])) WITH ORDINALITY"
    " AS held (key, place) ORDER BY place"
)

SERVER_NOW = cast(func.floor(func.extract("epoch", func.clock_timestamp())), BigInteger)
"""Whole Unix seconds by PostgreSQL's own clock, whatever ours says."""


def is_shared(connection: AsyncConnection) -> bool:
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
        keys = sorted({lock_key(name) for name in names})
        await connection.execute(_HOLD, {"keys": keys})


async def hold_people(connection: AsyncConnection, *user_ids: int | None) -> None:
    """Let nobody else count, or write, what is counted for these people."""
    await hold(connection, *(f"person {user_id}" for user_id in user_ids if user_id is not None))


_INSERTS: "Mapping[str, Callable[[Table], sqlite.Insert | postgresql.Insert]]" = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}


def upsert(connection: AsyncConnection, table: Table) -> "sqlite.Insert | postgresql.Insert":
    """An INSERT that has an ON CONFLICT."""
    return _INSERTS[connection.dialect.name](table)


async def in_order(
    connection: AsyncConnection, ids: Column[Any], *where: ColumnElement[bool]
) -> None:
    """Lock the rows that are about to be changed, in the order of their `ids`."""
    if is_shared(connection):
        query = select(ids).where(*where).order_by(ids).with_for_update(key_share=True)
        await connection.execute(query)
