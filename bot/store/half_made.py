"""Partial moves: one per player, valid for one version of a match."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, exists, literal, select

from bot.store.changes import NOTHING
from bot.store.dialect import upsert
from bot.store.engine import reads, writes
from bot.store.schema import beginnings, identities

_SEPARATOR = "."


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first steps of a move, empty if the player has undone them."""

    match: int
    version: int
    steps: tuple[str, ...]


@writes(NOTHING)
def note(connection: Connection, user_id: int, begun: Beginning) -> None:
    """Store a user's partial move in place of the last one, unless the account is deleted."""
    if not begun.steps:
        theirs_there = delete(beginnings).where(beginnings.c.user_id == user_id)
        connection.execute(theirs_there.where(beginnings.c.match_id == begun.match))
        return
    is_known = exists().where(identities.c.user_id == user_id)
    values = {
        "user_id": user_id,
        "match_id": begun.match,
        "version": begun.version,
        "steps": _SEPARATOR.join(begun.steps),
    }
    theirs = select(
        *(literal(value, beginnings.c[name].type) for name, value in values.items())
    ).where(is_known)
    new = upsert(connection, beginnings)
    connection.execute(
        new.from_select(list(values), theirs).on_conflict_do_update(
            index_elements=[beginnings.c.user_id],
            set_={name: new.excluded[name] for name in values if name != "user_id"},
        )
    )


@reads
def of(connection: Connection, user_id: int) -> Beginning | None:
    """Return a user's latest partial move, or None."""
    query = select(beginnings.c.match_id, beginnings.c.version, beginnings.c.steps).where(
        beginnings.c.user_id == user_id
    )
    row = connection.execute(query).one_or_none()
    return Beginning(row.match_id, row.version, tuple(row.steps.split(_SEPARATOR))) if row else None
