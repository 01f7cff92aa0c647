"""Statements of the tests, each as a transaction."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Executable, Row, text

from bot.store import sessions
from bot.store.database.changes import NOTHING
from bot.store.database.engine import now, reads, writes
from bot.store.sessions import NewSession


def _statement(given: Executable | str) -> Executable:
    return text(given) if isinstance(given, str) else given


@reads
def rows(connection: Connection, query: Executable | str) -> Sequence[Row[Any]]:
    return connection.execute(_statement(query)).all()


@reads
def value(connection: Connection, query: Executable | str) -> Any:
    return connection.execute(_statement(query)).scalar_one()


@writes(NOTHING)
def execute(connection: Connection, *statements: Executable | str) -> None:
    for statement in statements:
        connection.execute(_statement(statement))


@writes(NOTHING)
def add_session(
    connection: Connection, user_id: int, new: NewSession, *, at: int | None = None
) -> None:
    seen = now(connection) if at is None else at
    sessions.insert_session(connection, user_id, new, now=seen)
