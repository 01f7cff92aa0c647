"""Places: channels, groups and direct chats, by what their platforms call them."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from sqlalchemy import (
    ColumnElement,
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
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.model import PARENT, Place, PlaceKind, Status
from bot.store import quotas
from bot.store.boards import ANEW
from bot.store.changes import BOARDS, NOTHING, PEOPLE
from bot.store.dialect import upsert
from bot.store.engine import Store
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

__all__ = [
    "PLACE",
    "around",
    "change_place",
    "change_with_inside",
    "get_or_create_place",
    "move_place",
    "note_once",
    "place",
    "place_called",
    "played_in",
]


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
    query = select(*PLACE).where(places.c.platform == platform, places.c.external == external)
    async with store.read() as connection:
        row = (await connection.execute(query)).one_or_none()
    if row is not None and row.title == title and community in (None, row.community):
        return Place(*row)
    has_moved = row is not None and community not in (None, row.community)
    async with store.write(BOARDS, alone=has_moved) as connection:
        row = (await connection.execute(query)).one_or_none()
        if row is None:
            if asked_by is not None:
                await quotas.is_still_here(connection, asked_by)
            new = upsert(connection, places).values(
                platform=platform,
                external=external,
                kind=kind.value,
                community=community,
                title=title,
                settings={},
                created=store.now(),
            )
            await connection.execute(new.on_conflict_do_nothing())
        else:
            # A concurrent request may be setting what is unknown here.
            changed = {"title": title} | ({"community": community} if community else {})
            await connection.execute(update(places).where(places.c.id == row.id).values(**changed))
            if has_moved:
                now = store.now()
                await connection.run_sync(recount, row.id, [], now=now)
        return Place(*(await connection.execute(query)).one())


async def place_called(store: Store, platform: str, external: str) -> Place | None:
    """Return the place with this external id, or None."""
    query = select(*PLACE).where(places.c.platform == platform, places.c.external == external)
    async with store.read() as connection:
        row = (await connection.execute(query)).one_or_none()
    return Place(*row) if row else None


async def around(store: Store, place: Place) -> Place | None:
    """Return the channel or group around a thread or topic, or None."""
    return await place_called(store, place.platform, place.parent) if place.parent else None


async def place(store: Store, place_id: int) -> Place:
    """Return the place with this id. Raises LookupError."""
    async with store.read() as connection:
        query = select(*PLACE).where(places.c.id == place_id)
        row = (await connection.execute(query)).one_or_none()
    if row is None:
        raise LookupError(place_id)
    return Place(*row)


async def change_place(store: Store, place_id: int, *, settings: Mapping[str, str]) -> Place:
    """Merge `settings` into those of a place."""
    async with store.write(PEOPLE) as connection:
        query = select(*PLACE).where(places.c.id == place_id).with_for_update(key_share=True)
        before = Place(*(await connection.execute(query)).one())
        after = replace(before, settings={**before.settings, **settings})
        await connection.execute(
            update(places).where(places.c.id == place_id).values(settings=dict(after.settings))
        )
    return after


async def change_with_inside(
    store: Store, place_id: int, *, settings: Mapping[str, str], look: Collection[str]
) -> list[Place]:
    """Merge `settings` into a place, and those in `look` into its threads and topics.

    Those with another value than the place keep it. Return the changed places, this one first.
    """
    this = select(*PLACE).where(places.c.id == place_id)
    async with store.write(PEOPLE) as connection:
        around = Place(*(await connection.execute(this)).one())
        # Lock all of them in one order, to see concurrent changes.
        query = select(*PLACE).where(or_(places.c.id == place_id, _is_inside(around)))
        query = query.order_by(places.c.id).with_for_update(key_share=True)
        found = [Place(*row) for row in await connection.execute(query)]
        (before,) = (one for one in found if one.id == place_id)
        changed = [replace(before, settings={**before.settings, **settings})]
        for inside in (one for one in found if one.id != place_id):
            same = {
                key: value
                for key, value in settings.items()
                if key in look and inside.settings.get(key) == before.settings.get(key)
            }
            if same:
                changed.append(replace(inside, settings={**inside.settings, **same}))
        for one in changed:
            which = update(places).where(places.c.id == one.id)
            await connection.execute(which.values(settings=dict(one.settings)))
    return changed


def _is_inside(place: Place) -> ColumnElement[bool]:
    of_group = and_(places.c.platform == place.platform, places.c.community == place.community)
    return and_(of_group, places.c.settings[PARENT].as_string() == place.external)


async def note_once(store: Store, place_id: int, key: str) -> bool:
    """Set a key in the settings of a place; False if it was set already."""
    async with store.write(NOTHING) as connection:
        query = select(places.c.settings).where(places.c.id == place_id)
        query = query.with_for_update(key_share=True)
        before = (await connection.execute(query)).scalar_one()
        if before.get(key):
            return False
        noted = update(places).where(places.c.id == place_id)
        await connection.execute(noted.values(settings={**before, key: "yes"}))
    return True


async def played_in(store: Store) -> list[tuple[Place, int]]:
    """Return all channels, groups and topics, with their numbers of running matches."""
    running = and_(matches.c.place_id == places.c.id, matches.c.status == Status.RUNNING.value)
    count = select(func.count()).select_from(matches).where(running).scalar_subquery()
    query = select(*PLACE, count).where(places.c.kind == PlaceKind.CHANNEL.value)
    async with store.read() as connection:
        found = await connection.execute(query.order_by(places.c.platform, places.c.external))
        return [(Place(*place), running) for *place, running in found]


async def _merge_settings(connection: AsyncConnection, from_id: int, to_id: int) -> None:
    query = select(places.c.settings).where(places.c.id == bindparam("place"))
    before, now = [
        (await connection.execute(query, {"place": place_id})).scalar_one()
        for place_id in (from_id, to_id)
    ]
    merged = update(places).where(places.c.id == to_id).values(settings={**before, **now})
    await connection.execute(merged)


async def move_place(store: Store, platform: str, old: str, new: str) -> int | None:
    """Rename a place, or merge it into a known one; return its id, or None if unknown."""

    async def found(connection: AsyncConnection, external: str) -> int | None:
        query = select(places.c.id).where(
            places.c.platform == platform, places.c.external == external
        )
        return (await connection.execute(query)).scalar_one_or_none()

    async with store.write(alone=True) as connection:
        from_id, to_id = await found(connection, old), await found(connection, new)
        if from_id is None:
            return None
        await connection.execute(
            update(places)
            .where(places.c.platform == platform, places.c.community == old)
            .values(community=new)
        )
        if to_id is None:
            to_id = from_id
            await connection.execute(
                update(places).where(places.c.id == from_id).values(external=new)
            )
        else:
            await _merge_settings(connection, from_id, to_id)
            # Keep the new place's board of a match that is shown in both.
            there = select(boards.c.match_id).where(boards.c.place_id == to_id)
            await connection.execute(
                delete(boards).where(boards.c.place_id == from_id, boards.c.match_id.in_(there))
            )
            said = announcement_places.c
            heard = select(said.announcement_id).where(said.place_id == to_id)
            await connection.execute(
                update(announcement_places)
                .where(said.place_id == from_id, said.announcement_id.not_in(heard))
                .values(place_id=to_id)
            )
            for table in (matches, results, messages, analysis_requests):
                await connection.execute(
                    update(table).where(table.c.place_id == from_id).values(place_id=to_id)
                )
        await connection.run_sync(
            recount,
            to_id,
            [of_place(from_id), of_community(platform, old)],
            now=store.now(),
        )
        await connection.execute(
            update(boards)
            .where(boards.c.place_id == from_id)
            .values(
                place_id=to_id,
                message=None,
                former=None,
                notice=None,
                former_notice=None,
                shown=ANEW,
            )
        )
        # In the new chat the same ids belong to other messages.
        await connection.execute(delete(passing).where(passing.c.place_id == from_id))
        if to_id != from_id:
            await connection.execute(delete(places).where(places.c.id == from_id))
    return to_id
