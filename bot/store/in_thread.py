"""SQLAlchemy on an open `sqlite3` connection, within the thread of that connection."""

import sqlite3

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.pool import StaticPool

__all__ = ["InThread"]


class InThread:
    """Wraps a `sqlite3` connection in its thread. It starts and ends no transactions."""

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
        if self._connection is None or raw is not self._raw:
            # Reset first, so that a failed attempt is repeated.
            self._connection, self._raw = None, raw
            self.engine.dispose(close=False)
            self._connection = self.engine.connect()
        return self._connection
