"""Changes that are due from time to time, and seldom have something to change."""

from sqlalchemy import ColumnElement, Connection, Executable, select

from bot.store.changes import NOTHING
from bot.store.engine import Store, reads, writes


async def run_if(store: Store, condition: ColumnElement[bool], *statements: Executable) -> None:
    """Run `statements` in a transaction, but only if a read finds that `condition` is true."""
    if await _is_true(store, condition):
        await _run(store, *statements)


@reads
def _is_true(connection: Connection, condition: ColumnElement[bool]) -> bool:
    return bool(connection.execute(select(condition)).scalar_one())


@writes(NOTHING)
def _run(connection: Connection, *statements: Executable) -> None:
    for statement in statements:
        connection.execute(statement)
