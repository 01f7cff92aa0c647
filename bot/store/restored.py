"""Restored databases: ids and versions used since the backup must not return.

Chats keep buttons, ids and boards that a restored database does not know. So it is marked, and the
next start raises all ids, and the versions of open matches, by the age of the backup. Old buttons
then belong to unknown matches or to old versions, and boards are redrawn.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, and_, case, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.model import Status
from bot.store.dialect import go_on_after, last_number
from bot.store.schema import OURS, boards, counters, key_values, matches, metadata

__all__ = ["go_on", "is_noted", "note", "note_in"]

_ITS = and_(key_values.c.platform == OURS, key_values.c.key == "restored")
_MARK = {"platform": OURS, "key": "restored", "value": "numbers have to go on"}
_A_SECOND = 10
"""More matches, messages or versions than are ever created in a second."""
_AT_ONCE = 1000


def note(connection: Connection) -> None:
    """Mark a database within a transaction."""
    connection.execute(delete(key_values).where(_ITS))
    connection.execute(insert(key_values).values(_MARK))


def note_in(path: Path) -> None:
    """Mark a file, unless its revision has no place for the mark. Blocking."""
    with closing(sqlite3.connect(path)) as connection, connection:
        there = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?"
        if connection.execute(there, [key_values.name]).fetchone()[0]:
            mark = insert(key_values).prefix_with("OR REPLACE").values(_MARK)
            connection.execute(str(mark.compile(compile_kwargs={"literal_binds": True})))


async def is_noted(connection: AsyncConnection) -> bool:
    """Return whether a database is marked."""
    return (await connection.execute(select(func.count()).where(_ITS))).scalar_one() > 0


async def go_on(connection: AsyncConnection, *, now: int) -> None:
    """Raise all ids and remove the mark, if there is one, while no other process writes."""
    if not (await connection.execute(delete(key_values).where(_ITS))).rowcount:
        return
    leap = _AT_ONCE + _A_SECOND * max(0, now - await _made(connection))
    for table in metadata.sorted_tables:
        if (ids := table.autoincrement_column) is not None:
            number = await last_number(connection, table, ids)
            await go_on_after(connection, table, ids, number + leap)
    await connection.execute(update(counters).values(value=counters.c.value + leap))
    is_on = matches.c.status.in_([Status.PROPOSED.value, Status.RUNNING.value])
    reached = matches.c.version + leap
    await connection.execute(
        update(matches)
        .where(is_on)
        .values(
            version=reached,
            stands_since=reached,
            # What was true at the version is true at the new one.
            given_back=case(
                (matches.c.given_back == matches.c.version, reached), else_=matches.c.given_back
            ),
        )
    )
    its = select(matches.c.version).where(matches.c.id == boards.c.match_id)
    await connection.execute(
        update(boards)
        .where(boards.c.match_id.in_(select(matches.c.id).where(is_on)))
        .values(wanted=its.scalar_subquery())
    )


async def _made(connection: AsyncConnection) -> int:
    clock = select(key_values.c.value).where(
        key_values.c.platform == OURS, key_values.c.key == "clock"
    )
    if noted := (await connection.execute(clock)).scalar_one_or_none():
        return int(noted.split()[-1])
    newest = select(func.max(matches.c.updated))
    return (await connection.execute(newest)).scalar_one() or 0
