"""Words of the host to all who play: which places are still to hear them.

A place is in the table while it waits. Whoever says it there takes it (`begin`) before, in a
transaction of its own: so it is never said twice, whatever stops a process in between.
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, delete, insert, literal, select, update

from bot.model import Status
from bot.platforms import Shard
from bot.store.changes import BOARDS, NOTHING
from bot.store.engine import Store, new_id
from bot.store.schema import announcement_places, announcements, boards, matches
from bot.store.shards import in_shards
from bot.store.times import is_ahead

__all__ = ["MOST_SECONDS", "Announcement", "add", "begin", "finish", "give_back", "tidy", "waiting"]

MOST_SECONDS = 30 * 24 * 3600
"""So long can something be to be said."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """What is to be said in a place."""

    id: int
    place_id: int
    text: str


async def add(store: Store, text: str, *, seconds: int) -> int:
    """Let all places in which a running match is shown hear something, in the next `seconds`.

    At most `MOST_SECONDS`. Gives how many there are.
    """
    async with store.write(BOARDS) as connection:
        until = store.now() + seconds
        made = await connection.execute(insert(announcements).values(text=text, until=until))
        number = new_id(made)
        shown = (
            select(literal(number), boards.c.place_id, boards.c.platform, literal(value=False))
            .join(matches, matches.c.id == boards.c.match_id)
            .where(matches.c.status == Status.RUNNING.value)
            .distinct()
        )
        columns = ["announcement_id", "place_id", "platform", "begun"]
        done = await connection.execute(insert(announcement_places).from_select(columns, shown))
    return done.rowcount


async def waiting(
    store: Store,
    platform: str,
    *,
    but: Collection[tuple[int, int]],
    limit: int,
    shards: Collection[Shard] = (),
) -> list[Announcement]:
    """What is to be said on a platform, oldest first, without `but` (announcement and place).

    Where several processes speak there, `shards` are those of this one.
    """
    here = announcement_places.c
    query = (
        select(announcements.c.id, here.place_id, announcements.c.text)
        .join(announcement_places, here.announcement_id == announcements.c.id)
        .where(
            here.platform == platform,
            here.begun.is_(False),
            _is_current(store),
            in_shards(here, shards),
        )
        .order_by(announcements.c.id, here.place_id)
        .limit(limit + len(but))
    )
    async with store.read() as connection:
        found = [Announcement(*row) for row in await connection.execute(query)]
    return [one for one in found if (one.id, one.place_id) not in but][:limit]


async def begin(store: Store, one: Announcement) -> bool:
    """Take it upon oneself to say this; False where somebody else has, or it need not be said."""
    async with store.write(NOTHING) as connection:
        done = await connection.execute(
            update(announcement_places)
            .where(_is(one), announcement_places.c.begun.is_(False))
            .values(begun=True)
        )
    return done.rowcount == 1


async def give_back(store: Store, one: Announcement) -> None:
    """It could not be said, for certain: it is still to be said."""
    async with store.write(BOARDS) as connection:
        await connection.execute(update(announcement_places).where(_is(one)).values(begun=False))


async def finish(store: Store, one: Announcement) -> None:
    """It was said, or there is nobody to hear it."""
    async with store.write(NOTHING) as connection:
        await connection.execute(delete(announcement_places).where(_is(one)))


async def tidy(store: Store) -> None:
    """Forget what need not be said any more."""
    async with store.write(NOTHING) as connection:
        await connection.execute(delete(announcements).where(~_is_current(store)))


def _is_current(store: Store) -> ColumnElement[bool]:
    """Is it still to be said? Not for ever, where a clock that was ahead has said until when."""
    until, now = announcements.c.until, store.now()
    return and_(until > now, ~is_ahead(until, now=now + MOST_SECONDS))


def _is(one: Announcement) -> ColumnElement[bool]:
    here = announcement_places.c
    return and_(here.announcement_id == one.id, here.place_id == one.place_id)
