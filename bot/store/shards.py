"""Running processes, and the shards of platforms that each one serves.

A process reports every few seconds (`beat`). One that is overdue is removed with its shards
(`remove`). If it was only suspended, its next commit fails (`Fence`).
"""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    and_,
    case,
    cast,
    delete,
    exists,
    insert,
    literal,
    or_,
    select,
    true,
    tuple_,
    update,
)
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from bot.store.database.changes import BOARDS, NOTHING
from bot.store.database.dialect import SERVER_NOW, Whole, advisory_lock, is_shared
from bot.store.database.engine import Also, holder, now, reads, writes
from bot.store.schema import places, processes, shards
from bot.support.errors import ShardLostError
from bot.support.platforms import SHARD_SHIFT, Shard

_TABLE = "shards"


def _now(connection: Connection) -> ColumnElement[int]:
    return SERVER_NOW if is_shared(connection) else literal(now(connection), Whole)


@writes(NOTHING)
def beat(connection: Connection, *, seconds: int) -> bool:
    """Report that this process runs for `seconds` more; False if it was considered dead."""
    ours, until = holder(connection), _now(connection) + seconds
    known = update(processes).where(processes.c.holder == ours).values(until=until)
    if connection.execute(known).rowcount:
        return True
    connection.execute(insert(processes).values(holder=ours, until=until))
    return False


@reads
def present(connection: Connection) -> dict[str, int]:
    """Return the processes, and until when they are believed to run (database time)."""
    found = connection.execute(select(processes.c.holder, processes.c.until))
    return {row.holder: row.until for row in found}


@reads
def overdue(connection: Connection) -> dict[str, int]:
    """Return the other processes that are overdue, as `present` does."""
    late = processes.c.until <= _now(connection), processes.c.holder != holder(connection)
    found = connection.execute(select(processes.c.holder, processes.c.until).where(*late))
    return {row.holder: row.until for row in found}


@writes(BOARDS)
def remove(connection: Connection, holders: Collection[str]) -> None:
    """Remove dead processes, with their shards."""
    connection.execute(delete(processes).where(processes.c.holder.in_(holders)))


@writes(BOARDS)
def bury(connection: Connection, holders: Mapping[str, int]) -> set[str]:
    """Remove and return the processes that have not reported since."""
    said = tuple_(processes.c.holder, processes.c.until).in_(list(holders.items()))
    gone = delete(processes).where(said).returning(processes.c.holder)
    return set(connection.execute(gone).scalars())


@writes(NOTHING)
def claim(connection: Connection, wanted: Collection[Shard], *, tenure: str) -> dict[Shard, str]:
    """Take these shards, or none: return those that others serve. Raises `ShardLostError`."""
    advisory_lock(connection, _TABLE)
    ours = holder(connection)
    ourselves = select(processes.c.holder).where(processes.c.holder == ours)
    if connection.execute(ourselves.with_for_update(read=True, key_share=True)).first() is None:
        raise ShardLostError("others have taken this process for dead")
    theirs = {
        shard: one
        for shard, one in _held(connection).items()
        if one != ours and any(shard.overlaps(mine) for mine in wanted)
    }
    if not theirs:
        platforms = {shard.platform for shard in wanted}
        before = (shards.c.holder == ours) & shards.c.platform.in_(platforms)
        connection.execute(delete(shards).where(before))
        values = [{**asdict(shard), "holder": ours, "term": tenure} for shard in sorted(wanted)]
        connection.execute(insert(shards).values(values))
    return theirs


def _held(connection: Connection) -> dict[Shard, str]:
    """Return the shards that are served, and by which process."""
    columns = shards.c
    query = select(columns.platform, columns.number, columns.count, columns.holder)
    return {Shard(*shard): holder for *shard, holder in connection.execute(query)}


held = reads(_held)


def in_shards(
    of: ReadOnlyColumnCollection[str, Column[Any]], mine: Collection[Shard]
) -> ColumnElement[bool]:
    """Match rows in these shards, and all rows of other platforms."""
    allowed: list[ColumnElement[bool]] = []
    for platform in {shard.platform for shard in mine if shard.count > 1}:
        numbers = sorted(shard.number for shard in mine if shard.platform == platform)
        (count,) = {shard.count for shard in mine if shard.platform == platform}
        is_numbered = and_(places.c.platform == platform, places.c.community.is_not(None))
        server = case((is_numbered, cast(places.c.community, Whole)), else_=0)
        number = (server // (1 << SHARD_SHIFT)) % count
        here = exists().where(places.c.id == of.place_id, number.in_(numbers))
        allowed.append(or_(of.platform != platform, here))
    return and_(true(), *allowed)


@dataclass(frozen=True, slots=True)
class Fence(Also):
    """Lets a unit of work write only in this tenure. It locks the shard until the commit."""

    platform: str
    tenure: str

    def __call__(self, connection: Connection) -> None:
        ours = select(shards.c.number).where(
            shards.c.platform == self.platform, shards.c.term == self.tenure
        )
        locked = ours.limit(1).with_for_update(read=True, key_share=True)
        if connection.execute(locked).first() is None:
            raise ShardLostError(f"another process speaks on {self.platform} now")
