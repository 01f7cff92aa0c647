"""Users, their identities, and places."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import (
    ColumnElement,
    String,
    Text,
    and_,
    case,
    cast,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.marks import mark
from bot.model import MISSING, UNSURE, Place, PlaceKind, Status, User
from bot.store import quotas, rooms, traces
from bot.store.engine import AnyRow, Store, new_id
from bot.store.matches import Going, give_up
from bot.store.schema import (
    blocks,
    boards,
    erased_blocks,
    erased_challenges,
    identities,
    matches,
    messages,
    moves,
    places,
    results,
    seats,
)
from bot.store.schema import sessions as sessions_table
from bot.store.schema import users as users_table
from bot.store.sessions import NewSession, insert_session

__all__ = [
    "HandleTakenError",
    "Introduced",
    "belongings",
    "by_handle",
    "by_identity",
    "change_place",
    "change_user",
    "export",
    "externals",
    "forget",
    "forget_idler",
    "get_or_create_place",
    "get_or_create_user",
    "handles",
    "idlers",
    "introduced",
    "is_taken",
    "move_place",
    "names",
    "place",
    "place_called",
    "private_messages",
    "skeletons",
    "user",
    "were_here",
    "were_here_between",
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
    places.c.community,
    places.c.title,
    places.c.settings,
)


_AT_ONCE = 500
"""Rows of an export that are read together."""


class HandleTakenError(Exception):
    """Somebody else on this platform has this handle, or a name that looks the same."""


@dataclass(frozen=True, slots=True)
class Introduced:
    """A user as one platform knows them; without a `skeleton`, somebody else may look like them."""

    user: User
    handle: str | None
    skeleton: str | None


def _user(row: AnyRow) -> User:
    return User(id=row.id, name=row.name, language=row.language, settings=row.settings)


def _place(row: AnyRow) -> Place:
    return Place(
        id=row.id,
        platform=row.platform,
        external=row.external,
        kind=PlaceKind(row.kind),
        community=row.community,
        title=row.title,
        settings=row.settings,
    )


async def by_identity(store: Store, platform: str, external: str) -> User | None:
    """The user with this identity, or None."""
    query = select(*_USER).join(identities)
    query = query.where(identities.c.platform == platform, identities.c.external == external)
    async with store.read() as connection:
        row = (await connection.execute(query)).one_or_none()
    return User(*row) if row else None


async def get_or_create_user(
    store: Store,
    platform: str,
    external: str,
    *,
    name: str,
    handle: str | None = None,
    vouched: bool = False,
    skeleton: str | None = None,
    session: NewSession | None = None,
    idle_since: int | None = None,
    only_known: bool = False,
) -> User:
    """The user with this identity: made on first sight, renamed where the platform says so.

    `only_known`: nobody is made; raises LookupError instead.

    Nobody else there has this handle, nor this `skeleton` (`bot.lookalikes`). Raises
    `HandleTakenError`; where the platform has `vouched` for the handle, whoever had it before
    loses it instead. Somebody new begins with a `session`, where the platform has such a thing;
    one who has an `idle_since` is forgotten unless they play.
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
            query = select(*_USER, identities.c.handle, identities.c.skeleton).join(identities)
            query = query.where(
                identities.c.platform == platform, identities.c.external == external
            )
            row = (await connection.execute(query)).one_or_none()
            if row is None:
                if only_known:
                    raise LookupError(external)
                made = await connection.execute(
                    insert(users_table).values(
                        name=name, settings={}, created=store.now(), idle_since=idle_since
                    )
                )
                user_id = new_id(made)
                await connection.execute(
                    insert(identities).values(
                        platform=platform,
                        external=external,
                        user_id=user_id,
                        handle=handle,
                        skeleton=skeleton,
                    )
                )
                await traces.find(connection, user_id, platform, external)
                if session is not None:
                    await insert_session(connection, user_id, session, now=store.now())
                return User(id=user_id, name=name, language=None, settings={})
            if (row.name, row.handle, row.skeleton) != (name, handle, skeleton):
                await connection.execute(
                    update(users_table).where(users_table.c.id == row.id).values(name=name)
                )
                await connection.execute(
                    update(identities)
                    .where(identities.c.platform == platform, identities.c.external == external)
                    .values(handle=handle, skeleton=skeleton)
                )
            return User(id=row.id, name=name, language=row.language, settings=row.settings)
    except IntegrityError as error:
        raise HandleTakenError(handle) from error


async def introduced(store: Store, platform: str, external: str) -> Introduced | None:
    """Somebody as this platform knows them, or None."""
    query = select(*_USER, identities.c.handle, identities.c.skeleton).join(identities)
    query = query.where(identities.c.platform == platform, identities.c.external == external)
    async with store.read() as connection:
        row = (await connection.execute(query)).one_or_none()
    return Introduced(_user(row), row.handle, row.skeleton) if row else None


_A_DAY = 24 * 3600


async def were_here(store: Store, user_ids: Iterable[int], *, now: int) -> None:
    """Note that these users are here; of interest for those who have never played."""
    away = and_(users_table.c.id.in_(list(user_ids)), users_table.c.idle_since < now - _A_DAY)
    async with store.read() as connection:
        found = (await connection.execute(select(users_table.c.id).where(away).limit(1))).first()
    if found is not None:
        async with store.write() as connection:
            await connection.execute(update(users_table).where(away).values(idle_since=now))


def _is_idle(before: int) -> ColumnElement[bool]:
    """Has this user never played, waits nobody for them, and were they last here `before`?"""
    waits = and_(
        matches.c.status == Status.PROPOSED.value,
        or_(
            matches.c.challenger_id == users_table.c.id,
            matches.c.opponent_id == users_table.c.id,
        ),
    )
    return and_(
        users_table.c.idle_since < before,
        ~exists().where(seats.c.user_id == users_table.c.id),
        ~exists().where(waits),
    )


async def idlers(store: Store, *, before: int, limit: int) -> list[int]:
    """Users who have never played, whom nobody waits for, and who were last here `before`."""
    query = select(users_table.c.id).where(_is_idle(before))
    query = query.order_by(users_table.c.idle_since).limit(limit)
    async with store.read() as connection:
        return list((await connection.execute(query)).scalars())


def _is_implausible(user_id: int) -> ColumnElement[bool]:
    """Was this user last here long before somebody arrived who had come before them?

    Then the clock was far behind at that time.
    """
    earlier = users_table.alias("earlier")
    them = select(users_table.c.idle_since).where(users_table.c.id == user_id).scalar_subquery()
    return exists().where(earlier.c.id < user_id, earlier.c.created > them + _A_DAY)


async def were_here_between(store: Store, first: int, last: int, *, now: int) -> None:
    """Whoever was last here in this time was so now: in truth the clock was wrong then."""
    then = users_table.c.idle_since.between(first, last)
    async with store.write() as connection:
        await connection.execute(update(users_table).where(then).values(idle_since=now))


async def forget_idler(store: Store, user_id: int, *, before: int, name: str) -> bool:
    """Forget somebody if they are (still) one of `idlers`; of several processes one does.

    Their number goes, too, unless something is left that was about them. Whose stamp cannot be
    right is not forgotten for it: their time counts from now.
    """
    async with store.write() as connection:
        query = select(users_table.c.id).where(users_table.c.id == user_id, _is_idle(before))
        # Whoever has played, been asked or come back since they were looked for is one no more;
        # and now nobody can do so any more before they have gone.
        if (await connection.execute(query.with_for_update())).first() is None:
            return False
        if (await connection.execute(select(_is_implausible(user_id)))).scalar_one():
            mended = update(users_table).where(users_table.c.id == user_id)
            await connection.execute(mended.values(idle_since=store.now()))
            return False
        await _forget(connection, user_id, name=name, now=store.now())
        await connection.execute(
            delete(users_table).where(
                users_table.c.id == user_id, ~exists().where(_theirs(user_id))
            )
        )
    return True


async def is_taken(store: Store, platform: str, *, handle: str, skeleton: str) -> bool:
    """Has somebody on this platform this handle, or a name that looks like this?"""
    query = select(identities.c.user_id).where(
        identities.c.platform == platform,
        or_(identities.c.handle == handle, identities.c.skeleton == skeleton),
    )
    async with store.read() as connection:
        return (await connection.execute(query.limit(1))).first() is not None


async def skeletons(store: Store, platform: str, prefix: str, *, limit: int) -> set[str]:
    """What names on this platform look like, of those that begin with `prefix`."""
    query = select(identities.c.skeleton).where(
        identities.c.platform == platform,
        identities.c.skeleton >= prefix,
        identities.c.skeleton < prefix + chr(0x10FFFF),
    )
    async with store.read() as connection:
        return set((await connection.execute(query.limit(limit))).scalars())


async def by_handle(store: Store, platform: str, handle: str) -> User | None:
    """The user whom people on this platform call ``@handle``, or None."""
    query = select(*_USER).join(identities)
    query = query.where(identities.c.platform == platform, identities.c.handle == handle.casefold())
    async with store.read() as connection:
        row = (await connection.execute(query)).one_or_none()
    return _user(row) if row else None


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
    """Change what is given; settings are merged into the old ones.

    Nobody else writes between what is read and what is written, in whatever process. Raises
    `Refused` for somebody who has been erased.
    """
    async with store.write() as connection:
        await quotas.is_still_here(connection, user_id)
        query = select(*_USER).where(users_table.c.id == user_id).with_for_update()
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


async def get_or_create_place(
    store: Store,
    platform: str,
    external: str,
    *,
    kind: PlaceKind,
    title: str,
    community: str | None = None,
) -> Place:
    """The place with this name on its platform, made on first sight.

    A `community` that is None stays what it was.
    """
    query = select(*_PLACE).where(places.c.platform == platform, places.c.external == external)
    async with store.read() as connection:
        row = (await connection.execute(query)).one_or_none()
    if row is not None and row.title == title and community in (None, row.community):
        return _place(row)
    async with store.write() as connection:
        row = (await connection.execute(query)).one_or_none()
        if row is None:
            await connection.execute(
                insert(places).values(
                    platform=platform,
                    external=external,
                    kind=kind.value,
                    community=community,
                    title=title,
                    settings={},
                    created=store.now(),
                )
            )
        else:
            changed = {"title": title, "community": community or row.community}
            await connection.execute(update(places).where(places.c.id == row.id).values(**changed))
        return _place((await connection.execute(query)).one())


async def place_called(store: Store, platform: str, external: str) -> Place | None:
    """The place with this name on its platform, or None."""
    query = select(*_PLACE).where(places.c.platform == platform, places.c.external == external)
    async with store.read() as connection:
        row = (await connection.execute(query)).one_or_none()
    return _place(row) if row else None


async def place(store: Store, place_id: int) -> Place:
    """The place with this id. Raises LookupError."""
    async with store.read() as connection:
        query = select(*_PLACE).where(places.c.id == place_id)
        row = (await connection.execute(query)).one_or_none()
    if row is None:
        raise LookupError(place_id)
    return _place(row)


async def change_place(store: Store, place_id: int, *, settings: Mapping[str, str]) -> Place:
    """Merge `settings` into the old ones, as `change_user` does."""
    async with store.write() as connection:
        query = select(*_PLACE).where(places.c.id == place_id).with_for_update()
        before = _place((await connection.execute(query)).one())
        after = replace(before, settings={**before.settings, **settings})
        await connection.execute(
            update(places).where(places.c.id == place_id).values(settings=dict(after.settings))
        )
    return after


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
                notice=None,
                shown=-1,
            )
        )
        if to_id != from_id:
            await connection.execute(delete(places).where(places.c.id == from_id))
    return to_id


async def export(store: Store, user_id: int) -> dict[str, Any]:
    """Everything the database knows of a user, as JSON-ready data. Raises LookupError.

    Nothing that opens a door is in it, and nothing that this person must not know (yet).
    """
    async with store.snapshot() as connection:

        async def rows(query: Any) -> list[dict[str, Any]]:
            return await _plain(connection, query)

        found = await rows(select(users_table).where(users_table.c.id == user_id))
        if not found:
            raise LookupError(user_id)
        # The setup of a running match may be what this person must not know yet.
        setup = case((matches.c.ending.is_not(None), matches.c.setup)).label("setup")
        return {
            "user": found[0],
            "identities": await rows(
                select(
                    identities.c.platform,
                    _named(identities.c.platform, identities.c.external),
                    identities.c.handle,
                ).where(identities.c.user_id == user_id)
            ),
            "sessions": await rows(
                select(
                    *(column for column in sessions_table.c if column.name != "token_hash")
                ).where(sessions_table.c.user_id == user_id)
            ),
            # A code opens somebody's challenge to whoever reads it; it is no data of a person.
            "matches": await rows(
                select(
                    *(column for column in matches.c if column.name not in ("setup", "code")),
                    setup,
                ).where(_theirs(user_id))
            ),
            "moves": await rows(
                select(moves)
                .join(
                    seats,
                    (seats.c.match_id == moves.c.match_id) & (seats.c.seat == moves.c.seat),
                )
                .where(seats.c.user_id == user_id)
            ),
            "places": await rows(
                select(
                    *(column for column in places.c if column.name != "external"),
                    _named(places.c.platform, places.c.external),
                )
                .join(
                    identities,
                    (identities.c.platform == places.c.platform)
                    & (identities.c.external == places.c.external),
                )
                .where(identities.c.user_id == user_id, places.c.kind == PlaceKind.DIRECT.value)
            ),
            # Only whom they have blocked: who has blocked them is not theirs to know.
            "blocks": await rows(select(blocks).where(blocks.c.blocker_id == user_id)),
            "blocks of people who were erased": await rows(
                select(*(column for column in erased_blocks.c if column.name != "trace")).where(
                    erased_blocks.c.blocker_id == user_id
                )
            ),
            "challenges before being erased": await rows(
                select(*(column for column in erased_challenges.c if column.name != "trace")).where(
                    erased_challenges.c.challenger_id == user_id
                )
            ),
            "results": await rows(select(results).where(results.c.user_id == user_id)),
            "messages": await rows(select(messages).where(messages.c.author_id == user_id)),
        }


def _named(platform: Any, external: Any) -> Any:
    """What a platform calls somebody; on the web that is our own business, and once was a hash."""
    return case((platform != "web", external)).label("external")


async def _plain(connection: AsyncConnection, query: Any) -> list[dict[str, Any]]:
    """Rows as plain data, read in parts, so that others have their turn while there are many."""
    plain: list[dict[str, Any]] = []
    # What comes first in our tables is their key, or its beginning.
    ordered = query.order_by(text("1, 2")).limit(_AT_ONCE)
    while len(plain) % _AT_ONCE == 0:
        part = (await connection.execute(ordered.offset(len(plain)))).mappings().all()
        if not part:
            break
        plain += [dict(row) for row in part]
    return plain


def _theirs(user_id: int) -> ColumnElement[bool]:
    """The matches that a person has to do with."""
    return or_(
        matches.c.id.in_(select(seats.c.match_id).where(seats.c.user_id == user_id)),
        matches.c.challenger_id == user_id,
        matches.c.opponent_id == user_id,
    )


async def belongings(store: Store, user_id: int) -> tuple[int, int, int]:
    """What goes when a person is erased: running matches, results, lines that they wrote."""
    running = (
        select(func.count())
        .select_from(matches)
        .join(seats)
        .where(seats.c.user_id == user_id, matches.c.status == Status.RUNNING.value)
    )
    played = select(func.count()).select_from(results).where(results.c.user_id == user_id)
    said = select(func.count()).select_from(messages).where(messages.c.author_id == user_id)
    query = select(*(part.scalar_subquery() for part in (running, played, said)))
    async with store.read() as connection:
        first, second, third = (await connection.execute(query)).one()
    return first, second, third


async def private_messages(store: Store, user_id: int) -> list[tuple[Place, str]]:
    """What shows matches in a person's own conversations: the place, and the message."""
    direct = and_(
        places.c.platform == identities.c.platform,
        places.c.external == identities.c.external,
        places.c.kind == PlaceKind.DIRECT.value,
    )
    query = (
        select(places, boards.c.message, boards.c.notice)
        .join_from(identities, places, direct)
        .join(boards, boards.c.place_id == places.c.id)
        .where(identities.c.user_id == user_id)
    )
    async with store.read() as connection:
        found = (await connection.execute(query)).all()
    return [
        (_place(row), message)
        for row in found
        for message in (row.message, row.notice)
        if message not in (None, UNSURE, MISSING)
    ]


async def forget(store: Store, user_id: int, *, name: str, going: Going | None = None) -> None:
    """Erase a person: identities, sessions, settings, name, what they wrote, told to the pages.

    Matches, moves and results stay, as those of `name`: they are the opponents' records too.
    Challenges that wait for an answer end, and what they play as `going` says, all in one
    transaction. The person's direct rooms go with their messages. Nobody else's words are
    touched, nor the house's. What is held against them by others is kept for when they come back
    (`bot.store.traces`). Raises LookupError, or `StaleBoard` where a match is not as in `going`.
    """
    async with store.write() as connection:
        if going is not None:
            await give_up(connection, user_id, going, now=store.now())
        await _forget(connection, user_id, name=name, now=store.now())


async def _forget(connection: AsyncConnection, user_id: int, *, name: str, now: int) -> None:
    theirs = _theirs(user_id)
    query = select(users_table.c.name).where(users_table.c.id == user_id)
    known = (await connection.execute(query)).scalar_one_or_none()
    if known is None:
        raise LookupError(user_id)
    await traces.keep(connection, user_id, now=now)
    await _forget_direct_places(connection, user_id)
    await rooms.erase(connection, messages.c.author_id == user_id)
    await _rename_in_answers(connection, user_id, known=known, name=name)
    for table in (identities, sessions_table):
        await connection.execute(delete(table).where(table.c.user_id == user_id))
    await connection.execute(
        delete(blocks).where(or_(blocks.c.blocker_id == user_id, blocks.c.blocked_id == user_id))
    )
    await connection.execute(
        update(users_table)
        .where(users_table.c.id == user_id)
        .values(name=name, language=None, settings={}, idle_since=None)
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
    # Every board with the name on it is shown anew, also one that is being shown just now
    # for the first time: the number must be another one than it was (see `caught_up`).
    version = select(matches.c.version).where(matches.c.id == boards.c.match_id)
    anew = case((boards.c.shown < 0, boards.c.shown - 1), else_=-1)
    await connection.execute(
        update(boards)
        .where(boards.c.match_id.in_(select(matches.c.id).where(theirs)))
        .values(shown=anew, wanted=version.scalar_subquery())
    )


async def _rename_in_answers(
    connection: AsyncConnection, user_id: int, *, known: str, name: str
) -> None:
    """Let pages show the house's answers with the new name.

    Where a mark stands for the person, they need only be read again. Answers of former versions
    hold the name itself: in leaderboards, after the rank and before a colon, and nowhere else.
    """
    answers = messages.c.author_id.is_(None) & messages.c.screen.is_not(None)
    written = cast(messages.c.screen, Text)
    query = select(messages.c.id, messages.c.screen).where(
        answers, written.contains(f". {json.dumps(known)[1:-1]}: ", autoescape=True)
    )
    entry = re.compile(rf"^(\d+\. ){re.escape(known)}(?=: )", re.MULTILINE)
    for row in (await connection.execute(query)).all():
        renamed = entry.sub(lambda found: f"{found[1]}{name}", row.screen.get("text", ""))
        if renamed != row.screen.get("text", ""):
            await connection.execute(
                update(messages)
                .where(messages.c.id == row.id)
                .values(screen={**row.screen, "text": renamed})
            )
            await rooms.stamp_anew(connection, messages.c.id == row.id)
    marked = written.contains(json.dumps(mark(user_id))[1:-1], autoescape=True)
    await rooms.stamp_anew(connection, answers & marked)


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
        await rooms.erase(connection, messages.c.place_id.in_(direct))
        await connection.execute(delete(boards).where(boards.c.place_id.in_(direct)))
        await connection.execute(
            update(places)
            .where(places.c.id.in_(direct))
            .values(external=literal("gone:") + cast(places.c.id, String), title="", settings={})
        )
