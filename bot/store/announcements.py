"""Announcements of the operator, and the places where each is posted until it expires.

A place is marked (`mark_sent`) before the message is sent: a crash may lose it, never repeat it.
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, insert, literal, select, update

from bot.domain.model import Status
from bot.store.database.changes import BOARDS, NOTHING
from bot.store.database.engine import new_id, now, reads, writes
from bot.store.schema import announcement_places, announcements, boards, matches
from bot.store.shards import in_shards
from bot.support.platforms import Shard

MOST_SECONDS = 30 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement to be posted in a place."""

    id: int
    place_id: int
    text: str


@writes(BOARDS)
def add(connection: Connection, text: str, *, seconds: int) -> int:
    """Announce `text` for `seconds` where running matches are shown; return how many places."""
    until = now(connection) + seconds
    made = connection.execute(insert(announcements).values(text=text, until=until))
    number = new_id(made)
    shown = (
        select(literal(number), boards.c.place_id, boards.c.platform, literal(value=False))
        .join(matches, matches.c.id == boards.c.match_id)
        .where(matches.c.status == Status.RUNNING.value)
        .distinct()
    )
    columns = ["announcement_id", "place_id", "platform", "begun"]
    return connection.execute(insert(announcement_places).from_select(columns, shown)).rowcount


@reads
def pending(
    connection: Connection,
    platform: str,
    *,
    but: Collection[Announcement],
    limit: int,
    shards: Collection[Shard] = (),
) -> list[Announcement]:
    """Return announcements to post, oldest first, except `but`."""
    here = announcement_places.c
    query = (
        select(announcements.c.id, here.place_id, announcements.c.text)
        .join(announcement_places, here.announcement_id == announcements.c.id)
        .where(
            here.platform == platform,
            here.begun.is_(False),
            announcements.c.until > now(connection),
            in_shards(here, shards),
        )
        .order_by(announcements.c.id, here.place_id)
        .limit(limit + len(but))
    )
    found = [Announcement(*row) for row in connection.execute(query)]
    return [one for one in found if one not in but][:limit]


@writes(NOTHING)
def mark_sent(connection: Connection, one: Announcement) -> bool:
    """Mark a place as being notified; False if another process did, or it expired."""
    open_ = update(announcement_places).where(_is(one), announcement_places.c.begun.is_(False))
    return connection.execute(open_.values(begun=True)).rowcount == 1


@writes(BOARDS)
def unmark_sent(connection: Connection, one: Announcement) -> None:
    """Unmark a place where the announcement was certainly not posted."""
    connection.execute(update(announcement_places).where(_is(one)).values(begun=False))


def _is(one: Announcement) -> ColumnElement[bool]:
    here = announcement_places.c
    return and_(here.announcement_id == one.id, here.place_id == one.place_id)
