"""Group commit: waiting transactions share one COMMIT, each in a savepoint."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine

from bot.store.in_thread import InThread
from bot.store.unit import Also

__all__ = ["Committer", "Waiting"]


class Waiting(NamedTuple):
    """A transaction in the queue, and the future for its result."""

    step: Callable[[Connection], Any]
    also: Sequence[Also]
    done: asyncio.Future[Any]

    def run(self, connection: Connection) -> Any:
        done = self.step(connection)
        for one in self.also:
            one(connection)
        return done


class Committer:
    """Runs transactions on a `sqlite3` connection, in the thread of that connection."""

    def __init__(self) -> None:
        # Transactions start and end here, for several at once.
        self._there = InThread()

    @property
    def engine(self) -> Engine:
        return self._there.engine

    def commit(self, raw: sqlite3.Connection, group: Iterable[Waiting]) -> list[Any]:
        """Commit a group; return the result or exception of each. Raises if all fail."""
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
            # SQLite has rolled back everything: the disk is full or gone.
            raise
        raw.execute("ROLLBACK TO one")
        done = error
    raw.execute("RELEASE one")
    return done
