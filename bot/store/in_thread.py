"""SQLAlchemy's side of a connection of `sqlite3`, for whoever is in the thread of that already.

There and back for each statement costs more than most statements take (`bot.store.batching`), and
SQLAlchemy's asyncio twice as much again: what people wait for is done there as a whole.
"""

import sqlite3

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.pool import StaticPool

__all__ = ["InThread"]


class InThread:
    """Gives the connection of SQLAlchemy that belongs to one of `sqlite3`.

    It is called, and what it gives is used, in the thread of that one alone. Nothing is begun or
    ended by it: that is for whoever holds the one of `sqlite3`.
    """

    def __init__(self) -> None:
        self._raw: sqlite3.Connection | None = None
        self.engine: Engine = create_engine(
            "sqlite://",
            creator=lambda: self._raw,
            poolclass=StaticPool,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
        )
        self._connection: Connection | None = None

    def on(self, raw: sqlite3.Connection) -> Connection:
        """That of `raw`, the same as long as it is that one which is asked for."""
        if self._connection is None or raw is not self._raw:
            # Where this fails, the next one tries again.
            self._connection, self._raw = None, raw
            self.engine.dispose(close=False)
            self._connection = self.engine.connect()
        return self._connection
