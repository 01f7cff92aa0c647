"""Places: channels, groups and direct chats, by what their platforms call them."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from sqlalchemy import (
    ColumnElement,
    Connection,
    Enum,
    and_,
    bindparam,
    delete,
    func,
    or_,
    select,
    type_coerce,
    update,
)

from bot.domain.model import PARENT, Place, PlaceKind, Status
from bot.store import quotas
from bot.store.boards import ANEW
from bot.store.database.changes import BOARDS, NOTHING, PEOPLE
from bot.store.database.dialect import insert_new
from bot.store.database.engine import Store, now, reads, writes
from bot.store.schema import (
    analysis_requests,
    announcement_places,
    boards,
    matches,
    messages,
    passing,
    places,
    results,
)
from bot.store.standings import of_community, of_place, recount

_KIND = Enum(PlaceKind, native_enum=False, values_callable=lambda kinds: [*kinds])
PLACE = (
    places.c.id,
    places.c.platform,
    places.c.external,
    type_coerce(places.c.kind, _KIND).label("kind"),
    places.c.community,
    places.c.title,
    places.c.settings,
)


async def get_or_create_place(
    store: Store,
    platform: str,
    external: str,
    *,
    kind: PlaceKind,
    title: str,
    community: str | None = None,
    asked_by: int | None = None,
) -> Place:
    """Return a place, created or changed if needed. Raises `Refused` if `asked_by` is deleted."""
    known = await place_called(store, platform, external)
    if known is not None and known.title == title and community in (None, known.community):
        return known
    has_moved = known is not None and community not in (None, known.community)

    def insert_or_update(connection: Connection) -> Place:
        row = _called(connection, platform, external)
        if row is None:
            if asked_by is not None:
                quotas.check_account(connection, asked_by)
            about = {"kind": kind.value, "community": community, "title": title}
            where = {"platform": platform, "external": external, "created": now(connection)}
            insert_new(connection, places, {**where, **about, "settings": {}})
        else:
            # A concurrent request may be setting what is unknown here.
            changed = {"title": title} | ({"community": community} if community else {})
            connection.execute(update(places).where(places.c.id == row.id).values(**changed))
            if has_moved:
                recount(connection, row.id, [])
        place = _called(connection, platform, external)
        assert place is not None
        return place

    return await store.write(insert_or_update, BOARDS, alone=has_moved)


_BY_NAME = select(*PLACE).where(
    places.c.platform == bindparam("platform"), places.c.external == bindparam("external")
)


def _called(connection: Connection, platform: str, external: str) -> Place | None:
    row = connection.execute(_BY_NAME, {"platform": platform, "external": external}).one_or_none()
    return Place(*row) if row else None


place_called = reads(_called)


async def around(store: Store, place: Place) -> Place | None:
    """Return the channel or group around a thread or topic, or None."""
    return await place_called(store, place.platform, place.parent) if place.parent else None


_BY_ID = select(*PLACE).where(places.c.id == bindparam("id"))
"""Built once, since every event uses it."""


@reads
def place(connection: Connection, place_id: int) -> Place:
    """Return the place with this id. Raises LookupError."""
    row = connection.execute(_BY_ID, {"id": place_id}).one_or_none()
    if row is None:
        raise LookupError(place_id)
    return Place(*row)


def _locked(connection: Connection, *which: ColumnElement[bool]) -> list[Place]:
    """Lock places in one order, to see concurrent changes."""
    query = select(*PLACE).where(*which).order_by(places.c.id).with_for_update(key_share=True)
    return [Place(*row) for row in connection.execute(query)]


@writes(PEOPLE)
def change_place(connection: Connection, place_id: int, *, settings: Mapping[str, str]) -> Place:
    """Merge `settings` into those of a place."""
    (before,) = _locked(connection, places.c.id == place_id)
    return _with_settings(connection, before, settings)


def _with_settings(connection: Connection, place: Place, settings: Mapping[str, str]) -> Place:
    after = replace(place, settings={**place.settings, **settings})
    stored = update(places).where(places.c.id == place.id).values(settings=dict(after.settings))
    connection.execute(stored)
    return after


@writes(PEOPLE)
def change_with_threads(
    connection: Connection, place_id: int, *, settings: Mapping[str, str], look: Collection[str]
) -> list[Place]:
    """Merge `settings` into a place, and those in `look` into its threads and topics.

    Those with another value than the place keep it. Return the changed places, this one first.
    """
    this = select(*PLACE).where(places.c.id == place_id)
    around = Place(*connection.execute(this).one())
    found = _locked(connection, or_(places.c.id == place_id, _is_inside(around)))
    (before,) = (one for one in found if one.id == place_id)
    changed = [_with_settings(connection, before, settings)]
    for inside in (one for one in found if one.id != place_id):
        same = {
            key: value
            for key, value in settings.items()
            if key in look and inside.settings.get(key) == before.settings.get(key)
        }
        if same:
            changed.append(_with_settings(connection, inside, same))
    return changed


def _is_inside(place: Place) -> ColumnElement[bool]:
    of_group = and_(places.c.platform == place.platform, places.c.community == place.community)
    return and_(of_group, places.c.settings[PARENT].as_string() == place.external)


@writes(NOTHING)
def note_once(connection: Connection, place_id: int, key: str) -> bool:
    """Set a key in the settings of a place; False if it was set already."""
    (before,) = _locked(connection, places.c.id == place_id)
    if before.settings.get(key):
        return False
    _with_settings(connection, before, {key: "yes"})
    return True


@reads
def played_in(connection: Connection) -> list[tuple[Place, int]]:
    """Return all channels, groups and topics, with their numbers of running matches."""
    running = and_(matches.c.place_id == places.c.id, matches.c.status == Status.RUNNING.value)
    count = select(func.count()).select_from(matches).where(running).scalar_subquery()
    query = select(*PLACE, count).where(places.c.kind == PlaceKind.CHANNEL.value)
    found = connection.execute(query.order_by(places.c.platform, places.c.external))
    return [(Place(*place), running) for *place, running in found]


@writes(alone=True)
def move_place(connection: Connection, platform: str, old: str, new: str) -> int | None:
    """Rename a place, or merge it into a known one; return its id, or None if unknown."""
    before, after = (_called(connection, platform, external) for external in (old, new))
    if before is None:
        return None
    from_id, to_id = before.id, (after or before).id
    of_group = and_(places.c.platform == platform, places.c.community == old)
    connection.execute(update(places).where(of_group).values(community=new))
    if after is None:
        connection.execute(update(places).where(places.c.id == from_id).values(external=new))
    else:
        _with_settings(connection, after, {**before.settings, **after.settings})
        # Keep the new place's board of a match that is shown in both.
        there = select(boards.c.match_id).where(boards.c.place_id == to_id)
        doubled = and_(boards.c.place_id == from_id, boards.c.match_id.in_(there))
        connection.execute(delete(boards).where(doubled))
        said = announcement_places.c
        heard = select(said.announcement_id).where(said.place_id == to_id)
        other = update(announcement_places).where(said.announcement_id.not_in(heard))
        connection.execute(other.where(said.place_id == from_id).values(place_id=to_id))
        for table in (matches, results, messages, analysis_requests):
            moved = update(table).where(table.c.place_id == from_id)
            connection.execute(moved.values(place_id=to_id))
    recount(connection, to_id, [of_place(from_id), of_community(platform, old)])
    unposted = dict.fromkeys(("message", "former", "notice", "former_notice"))
    moved = update(boards).where(boards.c.place_id == from_id)
    connection.execute(moved.values(**unposted, place_id=to_id, shown=ANEW))
    # In the new chat the same ids belong to other messages.
    connection.execute(delete(passing).where(passing.c.place_id == from_id))
    if to_id != from_id:
        connection.execute(delete(places).where(places.c.id == from_id))
    return to_id
