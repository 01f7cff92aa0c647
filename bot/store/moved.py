"""The mark in a database that was moved, so that commands refuse the old one."""

import sqlite3
from collections.abc import Collection
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import Connection, and_, delete, insert, select

from bot.store.file import to_look
from bot.store.schema import OURS, key_values
from bot.support.errors import StoreError

__all__ = ["TABLE", "WHERE_TO", "check", "note", "refuse", "where_to"]

_KEY = "moved"
_ITS = and_(key_values.c.platform == OURS, key_values.c.key == _KEY)
WHERE_TO = select(key_values.c.value).where(_ITS)
TABLE = key_values.name


def check(name: str, where: str | None) -> None:
    """Refuse a database with a mark. Raises `StoreError`."""
    if where is not None:
        raise StoreError(
            f"{name}: its data was moved to {where}; set that as the database, "
            "or run azumaya stay to keep using this one"
        )


def note(connection: Connection, where: str | None) -> None:
    """Set the mark, or remove it with None."""
    connection.execute(delete(key_values).where(_ITS))
    if where is not None:
        connection.execute(insert(key_values).values(platform=OURS, key=_KEY, value=where))


def where_to(connection: sqlite3.Connection, tables: Collection[str]) -> str | None:
    """Return the mark in a file with these tables, or None."""
    if TABLE not in tables:
        return None
    found = connection.execute(
        str(WHERE_TO.compile(compile_kwargs={"literal_binds": True}))
    ).fetchone()
    return found and str(found[0])


def refuse(path: Path) -> None:
    """Refuse a file with a mark. An unreadable file has none. Raises `StoreError`."""
    where = None
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(to_look(path), uri=True)) as found,
    ):
        where = where_to(found, [TABLE])
    check(str(path), where)
