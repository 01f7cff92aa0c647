"""Group commit: transactions that wait for a SQLite file at the same time reach the disk together.

Each runs within a savepoint, so that one that fails takes nothing away from the others. The trip
to the database's thread, the COMMIT and what it waits for on the disk are paid once for all.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine

from bot.store.in_thread import InThread
from bot.store.unit import Also

__all__ = ["Committer", "Waiting"]


class Waiting(NamedTuple):
    """A transaction that is to be stored: its steps, and what becomes of it."""

    step: Callable[[Connection], Any]
    also: Sequence[Also]
    done: asyncio.Future[Any]

    def run(self, connection: Connection) -> Any:
        """All of it, within a transaction."""
        done = self.step(connection)
        for one in self.also:
            one(connection)
        return done


class Committer:
    """Runs transactions on a connection of `sqlite3`, in the thread to which that belongs."""

    def __init__(self) -> None:
        # It is to begin and end nothing: that is done here, for several at once.
        self._there = InThread()

    @property
    def engine(self) -> Engine:
        """Where their statements go through."""
        return self._there.engine

    def commit(self, raw: sqlite3.Connection, group: Iterable[Waiting]) -> list[Any]:
        """Store all that can be stored: what each gives, or the exception that it raised.

        Raises what keeps all of them from being stored.
        """
        connection = self._there.on(raw)
        raw.execute("BEGIN IMMEDIATE")
        try:
            done = [_within_savepoint(raw, connection, one) for one in group]
            raw.execute("COMMIT")
        except BaseException:
            raw.rollback()
            raise
        return done


def _within_savepoint(raw: sqlite3.Connection, connection: Connection, one: Waiting) -> Any:
    raw.execute("SAVEPOINT one")
    try:
        done = one.run(connection)
    except Exception as error:
        if not raw.in_transaction:
            # SQLite has rolled back everything: no room, or no disk.
            raise
        raw.execute("ROLLBACK TO one")
        done = error
    raw.execute("RELEASE one")
    return done
