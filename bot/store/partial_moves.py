"""Partial moves: one per player, valid for one version of a match."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, select

from bot.store.database.changes import NOTHING
from bot.store.database.dialect import insert_or_update
from bot.store.database.engine import reads, writes
from bot.store.quotas import has_account
from bot.store.schema import beginnings

_SEPARATOR = "."


@dataclass(frozen=True, slots=True)
class PartialMove:
    """The first steps of a move, empty if the player has undone them."""

    match: int
    version: int
    steps: tuple[str, ...]


@writes(NOTHING)
def note(connection: Connection, user_id: int, begun: PartialMove) -> None:
    """Store a user's partial move in place of the last one, unless the account is deleted."""
    if not begun.steps:
        theirs = delete(beginnings).where(beginnings.c.user_id == user_id)
        connection.execute(theirs.where(beginnings.c.match_id == begun.match))
    elif has_account(connection, user_id):
        steps = _SEPARATOR.join(begun.steps)
        row = {"match_id": begun.match, "version": begun.version, "steps": steps}
        insert_or_update(connection, beginnings, {"user_id": user_id, **row})


@reads
def of(connection: Connection, user_id: int) -> PartialMove | None:
    """Return a user's latest partial move, or None."""
    query = select(beginnings).where(beginnings.c.user_id == user_id)
    row = connection.execute(query).one_or_none()
    return (
        PartialMove(row.match_id, row.version, tuple(row.steps.split(_SEPARATOR))) if row else None
    )
