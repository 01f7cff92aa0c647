"""Users, their identities, and places."""

import json
from collections.abc import Iterable, Mapping
from time import time
from typing import Any

from sqlalchemy import String, Text, case, cast, delete, insert, literal, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model import Place, PlaceKind, Status, User
from bot.store.engine import AnyRow, Store, new_id
from bot.store.schema import boards, identities, matches, messages, moves, places, results, seats
from bot.store.schema import users as users_table

__all__ = [
    "HandleTakenError",
    "by_handle",
    "by_identity",
    "change_place",
    "change_user",
    "enter",
    "export",
    "externals",
    "forget",
    "handles",
    "identity_of",
    "meet",
    "move_place",
    "names",
    "place",
    "places_of",
    "user",
]

_USER = (
    users_table.c.id,
    users_table.c.name,
    users_table.c.language,
    users_table.c.settings,
)
_PLACE = (
    places.c.id,
    places.c.platform,
    places.c.external,
    places.c.kind,
    places.c.title,
    places.c.settings,
)


class HandleTakenError(Exception):
    """Somebody else on this platform has this handle."""


def _user(row: AnyRow) -> User:
    return User(id=row.id, name=row.name, language=row.language, settings=row.settings)


def _place(row: AnyRow) -> Place:
    return Place(
        id=row.id,
        platform=row.platform,
        external=row.external,
        kind=PlaceKind(row.kind),
        title=row.title,
        settings=row.settings,
    )


async def by_identity(store: Store, platform: str, external: str) -> User | None:
    """The user with this identity, or None."""
    query = select(*_USER).join(identities)
    query = query.where(identities.c.platform == platform, identities.c.external == external)
    async with store.read() as connection:
        row = (await connection.execute(query)).one_or_none()
    return _user(row) if row else None


async def meet(
    store: Store,
    platform: str,
    external: str,
    *,
    name: str,
    handle: str | None = None,
    vouched: bool = False,
) -> User:
    """The user with this identity: made on first sight, renamed where the platform says so.

    Raises `HandleTakenError`; where the platform has `vouched` for the handle, whoever had it
    before loses it instead.
    """
    try:
        async with store.write() as connection:
            if vouched and handle is not None:
                await connection.execute(
                    update(identities)
                    .where(
                        identities.c.platform == platform,
                        identities.c.handle == handle,
                        identities.c.external != external,
                    )
                    .values(handle=None)
                )
            query = select(*_USER, identities.c.handle).join(identities)
            query = query.where(
                identities.c.platform == platform, identities.c.external == external
            )
            row = (await connection.execute(query)).one_or_none()
            if row is None:
                made = await connection.execute(
                    insert(users_table).values(name=name, settings={}, created=int(time()))
                )
                user_id = new_id(made)
                await connection.execute(
                    insert(identities).values(
                        platform=platform, external=external, user_id=user_id, handle=handle
                    )
                )
                return User(id=user_id, name=name, language=None, settings={})
            if (row.name, row.handle) != (name, handle):
                await connection.execute(
                    update(users_table).where(users_table.c.id == row.id).values(name=name)
                )
                await connection.execute(
                    update(identities)
                    .where(identities.c.platform == platform, identities.c.external == external)
                    .values(handle=handle)
                )
            return User(id=row.id, name=name, language=row.language, settings=row.settings)
    except IntegrityError as error:
        raise HandleTakenError(handle) from error


async def by_handle(store: Store, platform: str, handle: str) -> User | None:
    """The user whom people on this platform call ``@handle``, or None."""
    query = select(*_USER).join(identities)
    query = query.where(identities.c.platform == platform, identities.c.handle == handle.casefold())
    async with store.read() as connection:
        row = (await connection.execute(query)).one_or_none()
    return _user(row) if row else None


async def identity_of(store: Store, user_id: int, platform: str) -> str | None:
    """What a user is called on a platform by the platform itself, or None."""
    query = select(identities.c.external).where(
        identities.c.user_id == user_id, identities.c.platform == platform
    )
    async with store.read() as connection:
        return (await connection.execute(query.limit(1))).scalar_one_or_none()


async def handles(store: Store, platform: str, prefix: str, *, limit: int) -> list[str]:
    """Handles on this platform that begin with `prefix`, as their owners write them."""
    low = prefix.casefold()
    query = select(users_table.c.name, identities.c.handle).join(identities)
    query = query.where(
        identities.c.platform == platform,
        identities.c.handle.startswith(low, autoescape=True),
    )
    query = query.order_by(identities.c.handle).limit(limit)
    async with store.read() as connection:
        found = await connection.execute(query)
        return [row.name if row.name.casefold() == row.handle else row.handle for row in found]


async def user(store: Store, user_id: int) -> User | None:
    """The user with this id, or None."""
    async with store.read() as connection:
        query = select(*_USER).where(users_table.c.id == user_id)
        row = (await connection.execute(query)).one_or_none()
    return _user(row) if row else None


async def names(store: Store, user_ids: Iterable[int]) -> dict[int, str]:
    """The names of users by id."""
    query = select(users_table.c.id, users_table.c.name)
    query = query.where(users_table.c.id.in_(set(user_ids)))
    async with store.read() as connection:
        return {row.id: row.name for row in await connection.execute(query)}


async def externals(store: Store, platform: str, user_ids: Iterable[int]) -> dict[int, str]:
    """What a platform calls its users, by id; those without an identity there are left out."""
    query = select(identities.c.user_id, identities.c.external)
    query = query.where(identities.c.platform == platform, identities.c.user_id.in_(set(user_ids)))
    async with store.read() as connection:
        return {row.user_id: row.external for row in await connection.execute(query)}


async def change_user(
    store: Store,
    user_id: int,
    *,
    language: str | None = None,
    settings: Mapping[str, str] | None = None,
) -> User:
    """Change what is given; settings are merged into the old ones."""
    async with store.write() as connection:
        query = select(*_USER).where(users_table.c.id == user_id)
        before = _user((await connection.execute(query)).one())
        after = User(
            id=before.id,
            name=before.name,
            language=language or before.language,
            settings={**before.settings, **(settings or {})},
        )
        await connection.execute(
            update(users_table)
            .where(users_table.c.id == user_id)
            .values(language=after.language, settings=dict(after.settings))
        )
    return after


async def enter(
    store: Store, platform: str, external: str, *, kind: PlaceKind, title: str
) -> Place:
    """The place with this name on its platform, made on first sight."""
    query = select(*_PLACE).where(places.c.platform == platform, places.c.external == external)
    async with store.read() as connection:
        row = (await connection.execute(query)).one_or_none()
    if row is not None and row.title == title:
        return _place(row)
    async with store.write() as connection:
        row = (await connection.execute(query)).one_or_none()
        if row is None:
            await connection.execute(
                insert(places).values(
                    platform=platform,
                    external=external,
                    kind=kind.value,
                    title=title,
                    settings={},
                    created=int(time()),
                )
            )
        else:
            await connection.execute(
                update(places).where(places.c.id == row.id).values(title=title)
            )
        return _place((await connection.execute(query)).one())


async def place(store: Store, place_id: int) -> Place:
    """The place with this id. Raises LookupError."""
    async with store.read() as connection:
        query = select(*_PLACE).where(places.c.id == place_id)
        row = (await connection.execute(query)).one_or_none()
    if row is None:
        raise LookupError(place_id)
    return _place(row)


async def places_of(store: Store, platform: str) -> list[Place]:
    """All places of a platform."""
    async with store.read() as connection:
        query = select(*_PLACE).where(places.c.platform == platform).order_by(places.c.id)
        return [_place(row) for row in await connection.execute(query)]


async def change_place(store: Store, place_id: int, *, settings: Mapping[str, str]) -> Place:
    """Merge `settings` into the old ones."""
    async with store.write() as connection:
        query = select(*_PLACE).where(places.c.id == place_id)
        before = _place((await connection.execute(query)).one())
        merged = {**before.settings, **settings}
        await connection.execute(
            update(places).where(places.c.id == place_id).values(settings=merged)
        )
        return _place((await connection.execute(query)).one())


async def move_place(store: Store, platform: str, old: str, new: str) -> int | None:
    """A chat has a new name on its platform: its matches follow, its boards are posted anew.

    Where the new name is known already, both become one. Gives the place's id; None where there
    was nothing to move.
    """

    async def found(connection: AsyncConnection, external: str) -> int | None:
        query = select(places.c.id).where(
            places.c.platform == platform, places.c.external == external
        )
        return (await connection.execute(query)).scalar_one_or_none()

    async with store.write() as connection:
        from_id, to_id = await found(connection, old), await found(connection, new)
        if from_id is None:
            return None
        if to_id is None:
            to_id = from_id
            await connection.execute(
                update(places).where(places.c.id == from_id).values(external=new)
            )
        else:
            # A match that is shown in both keeps the board that is in the new place.
            there = select(boards.c.match_id).where(boards.c.place_id == to_id)
            await connection.execute(
                delete(boards).where(boards.c.place_id == from_id, boards.c.match_id.in_(there))
            )
            for table in (matches, results, messages):
                await connection.execute(
                    update(table).where(table.c.place_id == from_id).values(place_id=to_id)
                )
        await connection.execute(
            update(boards)
            .where(boards.c.place_id == from_id)
            .values(
                place_id=to_id,
                message=None,
                former=None,
                ping=None,
                shown=-1,
            )
        )
        if to_id != from_id:
            await connection.execute(delete(places).where(places.c.id == from_id))
    return to_id


async def export(store: Store, user_id: int) -> dict[str, Any]:
    """Everything the database knows of a user, as JSON-ready data. Raises LookupError."""

    async def rows(connection: AsyncConnection, query: Any) -> list[dict[str, Any]]:
        return [dict(row) for row in (await connection.execute(query)).mappings()]

    async with store.snapshot() as connection:
        found = await rows(connection, select(users_table).where(users_table.c.id == user_id))
        if not found:
            raise LookupError(user_id)
        # The setup of a running match may be what this person must not know yet.
        setup = case((matches.c.ending.is_not(None), matches.c.setup)).label("setup")
        mine = select(seats.c.match_id).where(seats.c.user_id == user_id)
        return {
            "user": found[0],
            "identities": await rows(
                connection, select(identities).where(identities.c.user_id == user_id)
            ),
            "matches": await rows(
                connection,
                select(*(column for column in matches.c if column.name != "setup"), setup).where(
                    matches.c.id.in_(mine)
                    | (matches.c.challenger_id == user_id)
                    | (matches.c.opponent_id == user_id)
                ),
            ),
            "moves": await rows(
                connection,
                select(moves)
                .join(
                    seats,
                    (seats.c.match_id == moves.c.match_id) & (seats.c.seat == moves.c.seat),
                )
                .where(seats.c.user_id == user_id),
            ),
            "places": await rows(
                connection,
                select(places)
                .join(
                    identities,
                    (identities.c.platform == places.c.platform)
                    & (identities.c.external == places.c.external),
                )
                .where(identities.c.user_id == user_id, places.c.kind == PlaceKind.DIRECT.value),
            ),
            "results": await rows(connection, select(results).where(results.c.user_id == user_id)),
            "messages": await rows(
                connection, select(messages).where(messages.c.author_id == user_id)
            ),
        }


async def forget(store: Store, user_id: int, *, name: str) -> None:
    """Erase a person: identities, settings, name, what they wrote and what was told of them.

    Matches, moves and results stay, as those of `name`: they are the opponents' records too.
    Challenges that wait for an answer end. The person's direct rooms go with their messages.
    Raises LookupError.
    """
    theirs = or_(
        matches.c.id.in_(select(seats.c.match_id).where(seats.c.user_id == user_id)),
        matches.c.challenger_id == user_id,
        matches.c.opponent_id == user_id,
    )
    async with store.write() as connection:
        query = select(users_table.c.name).where(users_table.c.id == user_id)
        known = (await connection.execute(query)).scalar_one_or_none()
        if known is None:
            raise LookupError(user_id)
        await _forget_direct_places(connection, user_id)
        # The house's own answers, such as leaderboards, are stored as they were read.
        quoted = json.dumps(known)[1:-1]
        await connection.execute(
            delete(messages).where(
                (messages.c.author_id == user_id)
                | messages.c.author_id.is_(None)
                & cast(messages.c.screen, Text).contains(quoted, autoescape=True)
            )
        )
        await connection.execute(delete(identities).where(identities.c.user_id == user_id))
        await connection.execute(
            update(users_table)
            .where(users_table.c.id == user_id)
            .values(name=name, language=None, settings={})
        )
        ended = case(
            (matches.c.challenger_id == user_id, Status.WITHDRAWN.value),
            else_=Status.DECLINED.value,
        )
        await connection.execute(
            update(matches)
            .where(theirs, matches.c.status == Status.PROPOSED.value)
            .values(status=ended, version=matches.c.version + 1, expires=None)
        )
        # Every board with the name on it is shown anew.
        version = select(matches.c.version).where(matches.c.id == boards.c.match_id)
        await connection.execute(
            update(boards)
            .where(boards.c.match_id.in_(select(matches.c.id).where(theirs)))
            .values(shown=-1, wanted=version.scalar_subquery())
        )


async def _forget_direct_places(connection: AsyncConnection, user_id: int) -> None:
    own = select(identities.c.platform, identities.c.external).where(
        identities.c.user_id == user_id
    )
    for platform, external in (await connection.execute(own)).all():
        direct = select(places.c.id).where(
            places.c.platform == platform,
            places.c.kind == PlaceKind.DIRECT.value,
            places.c.external == external,
        )
        await connection.execute(delete(messages).where(messages.c.place_id.in_(direct)))
        await connection.execute(delete(boards).where(boards.c.place_id.in_(direct)))
        await connection.execute(
            update(places)
            .where(places.c.id.in_(direct))
            .values(external=literal("gone:") + cast(places.c.id, String), title="", settings={})
        )
