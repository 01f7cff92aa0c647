"""Work in a table, claimed by one process at a time, and that of computers in matches.

A claim postpones the time of a row. It is renewed, so that work of a dead process becomes free.
Users are served in turn: first those with the fewest claimed matches, then the longest unserved.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    case,
    func,
    or_,
    select,
    update,
)

from bot.store import key_values
from bot.store.database.changes import NOTHING
from bot.store.database.dialect import Whole
from bot.store.database.engine import AnyRow, Store, now, reads, writes
from bot.store.schema import OURS, matches
from bot.store.times import Number
from games.computer import LEVELS

SECONDS = 15
"""Seconds of a claim."""
SPARE = 4
"""Additional candidates, as other processes may be quicker."""


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a table: its `ids`, and when each row can be claimed (`after`)."""

    ids: Column[int]
    after: Column[int]

    @property
    def is_there(self) -> ColumnElement[bool]:
        return self.after.is_not(None)

    def is_open(self, now: Number) -> ColumnElement[bool]:
        """Return whether it can be claimed. A time too far ahead came from a wrong clock."""
        return or_(self.after <= now, self.after > now + SECONDS)

    def claim(
        self, connection: Connection, wanted: Sequence[int], *also: Column[Any], limit: int
    ) -> list[AnyRow]:
        """Claim the first `limit` that are open; return their ids and the columns `also`."""
        is_free = and_(self.is_there, self.is_open(now(connection)), self.ids.in_(wanted))
        query = select(self.ids, *also).where(is_free)
        query = query.with_for_update(skip_locked=True, key_share=True)
        free = {row[0]: row for row in connection.execute(query)}
        taken = [free[one] for one in wanted if one in free][:limit]
        self._put_off(connection, self.ids.in_([row[0] for row in taken]), after=SECONDS)
        return taken

    def put_back(self, connection: Connection, ids: Collection[int], *, after: int = 0) -> None:
        self._put_off(connection, and_(self.ids.in_(ids), self.is_there), after=after)

    def _put_off(self, connection: Connection, which: ColumnElement[bool], *, after: int) -> None:
        putting_off = update(self.ids.table).where(which)
        connection.execute(putting_off.values({self.after: now(connection) + after}))

    def next(self, connection: Connection, *where: ColumnElement[bool]) -> int | None:
        query = select(func.min(self.after)).where(self.is_there, *where)
        return connection.execute(query).scalar_one()


NOTED_EVERY = SECONDS // 3
"""Seconds between two notes that this process does such work."""
_PRESENCE = "thinks"

_WORK = Work(matches.c.id, matches.c.work_after)
_LEVEL = func.coalesce(*(matches.c.computers[seat].as_integer() for seat in (0, 1)))


@dataclass(frozen=True, slots=True)
class Taken:
    """A claimed match, its version, and the user for whom it is."""

    match: int
    version: int
    person: int


async def claim(
    store: Store,
    *,
    limit: int,
    levels: Collection[int] = range(1, LEVELS + 1),
    but: Collection[int] = (),
    served: Callable[[int], int] = lambda _: 0,
) -> list[Taken]:
    """Claim work for `levels`, except `but`; `served` is greater for users served later."""
    most = limit + SPARE
    rows = await _waiting(store, levels, but, most=most)
    rows = sorted(rows, key=lambda row: (row.share, served(row.person), row.since, row.id))
    whose = {row.id: row.person for row in rows[:most]}
    taken = await _take(store, list(whose), limit=limit) if whose else []
    return [Taken(row.id, row.version, whose[row.id]) for row in taken]


def _waiting_query() -> Select[Any]:
    its, is_open = matches.c, _WORK.is_open(bindparam("now", type_=Whole))
    # Keeps the planner from using an index for this order: few of very many matches wait.
    each = its.challenger_id + 0
    in_hand = func.sum(case((is_open, 0), else_=1)).over(partition_by=each)
    behind = func.row_number().over(partition_by=[each, is_open], order_by=[its.work_after, its.id])
    waiting = (
        select(
            its.id,
            its.challenger_id.label("person"),
            its.work_after.label("since"),
            is_open.label("is_open"),
            (in_hand + behind).label("share"),
            behind.label("behind"),
        )
        .where(_WORK.is_there, _LEVEL.in_(bindparam("levels", expanding=True)), its.aside.is_(None))
        .subquery()
    )
    return select(waiting).where(
        waiting.c.is_open,
        waiting.c.behind <= bindparam("most", type_=Whole),
        waiting.c.id.not_in(bindparam("but", expanding=True)),
    )


_WAITING = _waiting_query()


@reads
def _waiting(
    connection: Connection, levels: Collection[int], but: Collection[int], *, most: int
) -> Sequence[AnyRow]:
    given = {"now": now(connection), "levels": [*levels], "but": [*but], "most": most}
    return connection.execute(_WAITING, given).all()


@writes(NOTHING)
def _take(connection: Connection, wanted: Sequence[int], *, limit: int) -> Sequence[AnyRow]:
    return _WORK.claim(connection, wanted, matches.c.version, limit=limit)


@writes(NOTHING)
def release(connection: Connection, match_ids: Collection[int], *, after: int = 0) -> None:
    """Let other processes claim these matches in `after` seconds."""
    _WORK.put_back(connection, match_ids, after=after)


@reads
def next_work(
    connection: Connection,
    *,
    levels: Collection[int] = range(1, LEVELS + 1),
    but: Collection[int] = (),
) -> int | None:
    """Return when work can next be claimed (Unix seconds), or None."""
    is_open = (_LEVEL.in_(levels), matches.c.aside.is_(None), matches.c.id.not_in(but))
    return _WORK.next(connection, *is_open)


async def note_presence(store: Store) -> None:
    """Note on a shared database that this process does the work of computers."""
    await key_values.remember(store, OURS, _PRESENCE, str(store.now()))


async def has_remote_engine(store: Store) -> bool:
    """Return whether another process has noted that recently."""
    if not store.is_shared:
        return False
    noted = await key_values.get(store, OURS, _PRESENCE)
    return noted is not None and store.now() < int(noted) + SECONDS
