"""A database that was put back to what it was: what has been given out since must mean nothing.

Chats keep what the house has forgotten: buttons of matches that there never were, numbers that
people type, boards that are further on than their match. So whoever restores a database marks it,
and whoever opens it first lets all numbers go on beyond what can have been given out since the
backup, and takes every match that is on to a version beyond those it can have had. Then an old
button is of a match that nobody knows, or of a version that is over, as other old buttons are; and
boards that were kept are behind, and drawn anew.

How much was given out meanwhile is asked of nobody: the database that was replaced may be gone, or
not be the last one. It is reckoned from how long ago the backup was made, which is in it.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, and_, case, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model import Status
from bot.store.dialect import go_on_after, last_number
from bot.store.schema import OURS, boards, counters, key_values, matches, metadata

__all__ = ["go_on", "is_noted", "note", "note_in"]

_ITS = and_(key_values.c.platform == OURS, key_values.c.key == "restored")
_MARK = {"platform": OURS, "key": "restored", "value": "numbers have to go on"}
_A_SECOND = 10
"""Matches, lines, or versions of one match; no house has begun so many, day and night."""
_AT_ONCE = 1000


def note(connection: Connection) -> None:
    """Mark a database in a transaction that has begun."""
    connection.execute(delete(key_values).where(_ITS))
    connection.execute(insert(key_values).values(_MARK))


def note_in(path: Path) -> None:
    """Mark a file. Of a revision that had no place for it no button was ever pressed. Blocking."""
    with closing(sqlite3.connect(path)) as connection, connection:
        there = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?"
        if connection.execute(there, [key_values.name]).fetchone()[0]:
            mark = insert(key_values).prefix_with("OR REPLACE").values(_MARK)
            connection.execute(str(mark.compile(compile_kwargs={"literal_binds": True})))


async def is_noted(connection: AsyncConnection) -> bool:
    """Is there a mark?"""
    return (await connection.execute(select(func.count()).where(_ITS))).scalar_one() > 0


async def go_on(connection: AsyncConnection, *, now: int) -> None:
    """Let all numbers go on, and take the mark away, in a transaction in which nobody else writes.

    Nothing happens where there is no mark (any more).
    """
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
            # What was so at the version that it had is still so.
            **{
                name: case((matches.c[name] == matches.c.version, reached), else_=matches.c[name])
                for name in ("asked", "given_back")
            },
        )
    )
    its = select(matches.c.version).where(matches.c.id == boards.c.match_id)
    await connection.execute(
        update(boards)
        .where(boards.c.match_id.in_(select(matches.c.id).where(is_on)))
        .values(wanted=its.scalar_subquery())
    )


async def _made(connection: AsyncConnection) -> int:
    """When the database was as it is, or earlier (Unix seconds): the last time noted in it."""
    clock = select(key_values.c.value).where(
        key_values.c.platform == OURS, key_values.c.key == "clock"
    )
    if noted := (await connection.execute(clock)).scalar_one_or_none():
        return int(noted.split()[-1])
    newest = select(func.max(matches.c.updated))
    return (await connection.execute(newest)).scalar_one() or 0
