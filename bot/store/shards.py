"""Running processes, and the shards of platforms that each one serves.

A process reports every few seconds (`beat`). One that is overdue is removed with its shards
(`bury`). If it was only suspended, its next commit fails (`Fence`).
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
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
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from bot.store.changes import BOARDS, NOTHING
from bot.store.dialect import SERVER_NOW, Whole, hold
from bot.store.engine import Store
from bot.store.schema import places, processes, shards
from bot.support.errors import ShardLostError
from bot.support.platforms import SHARD_SHIFT, Shard

__all__ = [
    "Fence",
    "beat",
    "bury",
    "bury_overdue",
    "bury_silent",
    "held",
    "in_shards",
    "overdue",
    "present",
    "take",
]

_TABLE = "shards"


def _now(store: Store) -> ColumnElement[int]:
    return SERVER_NOW if store.is_shared else literal(store.now(), Whole)


async def beat(store: Store, *, seconds: int) -> bool:
    """Report that this process runs for `seconds` more; False if it was considered dead."""
    until = _now(store) + seconds
    ours = processes.c.holder == store.holder
    async with store.write(NOTHING) as connection:
        told = await connection.execute(update(processes).where(ours).values(until=until))
        if not told.rowcount:
            await connection.execute(insert(processes).values(holder=store.holder, until=until))
    return bool(told.rowcount)


async def present(store: Store) -> dict[str, int]:
    """Return the processes, and until when they are believed to run (database time)."""
    async with store.read() as connection:
        found = await connection.execute(select(processes.c.holder, processes.c.until))
        return {row.holder: row.until for row in found}


async def overdue(store: Store) -> set[str]:
    """Return the other processes that are overdue."""
    query = select(processes.c.holder).where(_is_late(store), processes.c.holder != store.holder)
    async with store.read() as connection:
        return set((await connection.execute(query)).scalars())


def _is_late(store: Store) -> ColumnElement[bool]:
    return processes.c.until <= _now(store)


async def bury(store: Store, holders: Collection[str]) -> None:
    """Remove dead processes, with their shards."""
    async with store.write(BOARDS) as connection:
        await connection.execute(delete(processes).where(processes.c.holder.in_(list(holders))))


async def bury_overdue(store: Store, holders: Collection[str]) -> set[str]:
    """Remove and return the processes that are still overdue."""
    found = processes.c.holder.in_(list(holders))
    async with store.write(BOARDS) as connection:
        gone = delete(processes).where(found, _is_late(store)).returning(processes.c.holder)
        return set((await connection.execute(gone)).scalars())


async def bury_silent(store: Store, holders: Mapping[str, int]) -> set[str]:
    """Remove and return the processes that have not reported since."""
    said = tuple_(processes.c.holder, processes.c.until).in_(list(holders.items()))
    async with store.write(BOARDS) as connection:
        gone = delete(processes).where(said).returning(processes.c.holder)
        return set((await connection.execute(gone)).scalars())


async def take(store: Store, wanted: Iterable[Shard], *, tenure: str) -> dict[Shard, str]:
    """Take these shards, or none: return those that others serve. Raises `ShardLostError`."""
    mine = set(wanted)
    ourselves = select(processes.c.holder).where(processes.c.holder == store.holder)
    async with store.write(NOTHING) as connection:
        await hold(connection, _TABLE)
        here = ourselves.with_for_update(read=True, key_share=True)
        if (await connection.execute(here)).first() is None:
            raise ShardLostError("others have taken this process for dead")
        found = await _held(connection)
        theirs = {
            shard: holder
            for shard, holder in found.items()
            if holder != store.holder and any(shard.overlaps(one) for one in mine)
        }
        if not theirs:
            platforms = {shard.platform for shard in mine}
            ours = (shards.c.holder == store.holder) & shards.c.platform.in_(platforms)
            await connection.execute(delete(shards).where(ours))
            values = [
                {
                    "platform": shard.platform,
                    "number": shard.number,
                    "count": shard.count,
                    "holder": store.holder,
                    "term": tenure,
                }
                for shard in sorted(mine)
            ]
            await connection.execute(insert(shards).values(values))
    return theirs


async def held(store: Store) -> dict[Shard, str]:
    """Return the shards that are served, and by which process."""
    async with store.read() as connection:
        return await _held(connection)


async def _held(connection: AsyncConnection) -> dict[Shard, str]:
    columns = shards.c
    query = select(columns.platform, columns.number, columns.count, columns.holder)
    return {Shard(*shard): holder for *shard, holder in await connection.execute(query)}


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
class Fence:
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

    def committed(self) -> None:
        """Do nothing."""
