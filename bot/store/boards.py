"""Boards: messages that show matches, the work due on them, and who does it.

A board is *behind* while its message is out of date, an earlier message of it remains, or a
notification is due. A process works on it under a *lease*, so that two never do the same work.
`mark_behind` takes the lease in the transaction of a move: with one process it costs nothing.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Select,
    String,
    Update,
    and_,
    bindparam,
    case,
    cast,
    delete,
    exists,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.errors import Refused
from bot.domain.model import (
    ERASED,
    MISSING,
    THREAD_CLOSED,
    THREAD_OPENED,
    UNSURE,
    Board,
    Match,
    Place,
    PlaceKind,
    Quotas,
    Status,
)
from bot.store.changes import BOARDS, NOTHING
from bot.store.dialect import Whole, in_order, upsert
from bot.store.engine import Store
from bot.store.quotas import bring
from bot.store.rows import AnyRow
from bot.store.schema import boards, matches, moves, places, rated_matches, shards
from bot.store.shards import in_shards
from bot.store.times import is_ahead
from bot.support.platforms import Shard

__all__ = [
    "ANEW",
    "CAN_BE_ANEW",
    "Done",
    "Effect",
    "Lease",
    "add",
    "at",
    "behind",
    "by_id",
    "by_message",
    "claim",
    "drop",
    "drop_in",
    "hand_over",
    "holders",
    "insert_first",
    "is_shown",
    "mark_behind",
    "newest_if_finished",
    "note",
    "note_message",
    "of_match",
    "of_matches",
    "played_since",
    "release",
    "release_all",
    "show_anew",
    "show_beside",
    "show_in",
    "show_ratings_anew",
    "threads_to_close",
    "told_in",
]

_SPECTATORS = -1
ANEW = case((boards.c.shown < 0, boards.c.shown - 1), else_=-1)
"""A value of `shown` that forces a redraw. It differs from the current value, so that `note` does
not take it for the redraw in progress."""
CAN_BE_ANEW = or_(
    boards.c.message.is_(None),
    and_(boards.c.message != UNSURE, ~boards.c.message.startswith(MISSING)),
)
"""Whether a board has a message to redraw, or will have one."""

_ALIVE = (Status.PROPOSED.value, Status.RUNNING.value)
_MOST_HELD = 3600


_TO_SHOW = boards.c.shown < boards.c.wanted
_TO_LEAVE = or_(boards.c.former.is_not(None), boards.c.former_notice.is_not(None))
# Must match the condition of the index `ix_boards_behind`.
_IS_DUE = or_(_TO_SHOW, boards.c.notified < boards.c.news, _TO_LEAVE)


def behind(now: int) -> ColumnElement[bool]:
    """Return whether there is work to do on a board now."""
    after = boards.c.notify_after
    return and_(_IS_DUE, or_(_TO_SHOW, _TO_LEAVE, after <= now, after > now + _MOST_HELD))


@dataclass(frozen=True, slots=True)
class Effect:
    """What a change of a match means for its boards.

    `is_news`: players are notified, except the user `by`. `lease`: of the process that will show
    it. `is_beside`: moves and buttons keep their meaning, so earlier boards remain usable.
    """

    is_news: bool = False
    by: int | None = None
    lease: "Lease | None" = None
    is_beside: bool = False


@dataclass(frozen=True, slots=True)
class Lease:
    """The claim of a process on boards of its platforms and shards, until a Unix time."""

    holder: str
    platforms: frozenset[str]
    now: int
    until: int
    shards: tuple[Shard, ...] = ()


def _board(row: AnyRow) -> Board:
    return Board(
        id=row.id,
        match_id=row.match_id,
        place_id=row.place_id,
        seat=None if row.seat == _SPECTATORS else row.seat,
        message=row.message,
        former=row.former,
        shown=row.shown,
        wanted=row.wanted,
        notice=row.notice,
        former_notice=row.former_notice,
        notified=row.notified,
        news=row.news,
    )


_OF_MATCH = (
    select(boards.c.id)
    .where(boards.c.match_id == bindparam("match"))
    .order_by(boards.c.id)
    .with_for_update()
)
_REACHED = bindparam("reached", type_=Whole)
_HOLDER = bindparam("holder", type_=String)
_UNTIL = bindparam("until", type_=Whole)
_IS_NEWS = bindparam("is_news", type_=Integer) != 0
_NEWS = case((_IS_NEWS, _REACHED), else_=boards.c.news)
_MARK_BEHIND = (
    update(boards)
    .where(boards.c.id.in_(_OF_MATCH))
    .values(
        wanted=_REACHED,
        news=_NEWS,
        notify_after=case((_IS_NEWS, 0), else_=boards.c.notify_after),
    )
)


def _may_lease(
    holder: str | ColumnElement[str],
    *,
    now: int | ColumnElement[int],
    until: int | ColumnElement[int],
) -> ColumnElement[bool]:
    lease = boards.c.lease_until
    return or_(lease <= now, is_ahead(lease, now=until), boards.c.lease_holder == holder)


@lru_cache(maxsize=16)
def _mark_behind_and_lease(platforms: frozenset[str], shards: tuple[Shard, ...]) -> Update:
    """Return the statement for these platforms, cached since every move uses it."""
    may_lease = and_(
        or_(*(boards.c.platform == platform for platform in sorted(platforms))),
        _may_lease(_HOLDER, now=bindparam("now", type_=Whole), until=_UNTIL),
        in_shards(boards.c, shards),
    )
    return _MARK_BEHIND.values(
        lease_holder=case((may_lease, _HOLDER), else_=boards.c.lease_holder),
        lease_until=case((may_lease, _UNTIL), else_=boards.c.lease_until),
    )


def mark_behind(connection: Connection, *reached: tuple[int, int], effect: Effect) -> None:
    """Mark the boards of matches as behind; `reached` are match ids and new versions."""
    common: dict[str, Any] = {"is_news": int(effect.is_news)}
    statement, lease = _MARK_BEHIND, effect.lease
    if lease is not None and lease.platforms:
        statement = _mark_behind_and_lease(lease.platforms, lease.shards)
        common |= {"holder": lease.holder, "now": lease.now, "until": lease.until}
    values = [{"match": match_id, "reached": version, **common} for match_id, version in reached]
    connection.execute(statement, values[0] if len(values) == 1 else values)


async def insert_first(connection: AsyncConnection, match_id: int, place_id: int) -> None:
    """Add the first board of a new match. Raises `Refused` as `add` does."""
    await _insert(connection, match_id, place_id, seat=None, version=1, news=1, notified=0)


async def _insert(
    connection: AsyncConnection,
    match_id: int,
    place_id: int,
    *,
    seat: int | None,
    version: int,
    news: int,
    notified: int,
) -> None:
    query = select(places.c.platform, places.c.kind, places.c.external)
    place = (await connection.execute(query.where(places.c.id == place_id))).one()
    if place.kind == PlaceKind.DIRECT.value and place.external.startswith(ERASED):
        raise Refused("forgotten")
    new = upsert(connection, boards).values(
        match_id=match_id,
        place_id=place_id,
        platform=place.platform,
        seat=_SPECTATORS if seat is None else seat,
        shown=-1,
        wanted=version,
        notified=notified,
        news=news,
    )
    await connection.execute(new.on_conflict_do_nothing())


async def _move_or_insert(
    connection: AsyncConnection, match_id: int, place_id: int, *, seat: int | None, is_told: bool
) -> None:
    key = _SPECTATORS if seat is None else seat
    here = and_(boards.c.match_id == match_id, boards.c.place_id == place_id)
    # Lock the match: a concurrent change waits, and marks this board too.
    query = select(matches.c.version, matches.c.news).where(matches.c.id == match_id)
    match = (await connection.execute(query.with_for_update(key_share=True))).one()
    await in_order(connection, boards.c.id, here)
    bottom = {
        "seat": key,
        "former": func.coalesce(boards.c.message, boards.c.former),
        "message": None,
        "shown": -1,
        "wanted": match.version,
        "notify_after": 0,
    }
    to_bottom = update(boards).where(here).values(bottom)
    moved = await connection.execute(to_bottom.where(boards.c.seat == key))
    if not moved.rowcount and seat is not None:
        # The board that showed a challenge becomes the player's own.
        moved = await connection.execute(to_bottom.where(boards.c.seat == _SPECTATORS))
    if not moved.rowcount:
        await _insert(
            connection,
            match_id,
            place_id,
            seat=seat,
            version=match.version,
            news=match.news,
            notified=match.news if is_told else 0,
        )


async def add(
    store: Store,
    match: Match,
    place_id: int,
    *,
    seat: int | None,
    is_told: bool = True,
    by: int = 0,
    quotas: Quotas | None = None,
) -> None:
    """Add a board to a place, or move an existing one to the bottom.

    `is_told`: people know of the latest event. Raises `Refused` beyond the `quotas` of the user
    `by`, or if the place was the direct chat of a deleted account.
    """
    async with store.write(BOARDS) as connection:
        await bring(connection, by, place_id, quotas=quotas)
        await _move_or_insert(connection, match.id, place_id, seat=seat, is_told=is_told)


async def by_id(store: Store, board_id: int) -> Board | None:
    """Return the board with this id, or None."""
    async with store.read() as connection:
        query = select(boards).where(boards.c.id == board_id)
        row = (await connection.execute(query)).one_or_none()
    return _board(row) if row else None


async def of_match(store: Store, match_id: int, *, place_id: int | None = None) -> list[Board]:
    """Return the boards of a match, or those in one place, oldest first."""
    query = select(boards).where(boards.c.match_id == match_id).order_by(boards.c.id)
    if place_id is not None:
        query = query.where(boards.c.place_id == place_id)
    async with store.read() as connection:
        return [_board(row) for row in await connection.execute(query)]


async def of_matches(
    store: Store, match_ids: Iterable[int], place_ids: Iterable[int]
) -> list[Board]:
    """Return the boards of these matches in these places, oldest first."""
    query = select(boards).where(
        boards.c.match_id.in_(list(match_ids)), boards.c.place_id.in_(list(place_ids))
    )
    async with store.read() as connection:
        return [_board(row) for row in await connection.execute(query.order_by(boards.c.id))]


async def by_message(store: Store, platform: str, message: str) -> list[Board]:
    """Return the boards that a message shows."""
    query = select(boards).where(boards.c.message == message, boards.c.platform == platform)
    async with store.read() as connection:
        return [_board(row) for row in await connection.execute(query)]


def _at(place: Place, message: str) -> ColumnElement[bool]:
    """Match current and former messages. All topics of a group share their message ids."""
    here = [places.c.id == place.id]
    if place.community is not None:
        here.append(places.c.community == place.community)
    return and_(
        boards.c.platform == place.platform,
        or_(boards.c.message == message, boards.c.former == message),
        boards.c.place_id.in_(
            select(places.c.id).where(places.c.platform == place.platform, or_(*here))
        ),
    )


async def at(store: Store, place: Place, message: str) -> list[Board]:
    """Return the boards that a message shows or showed last, oldest first."""
    query = select(boards).where(_at(place, message)).order_by(boards.c.id)
    async with store.read() as connection:
        return [_board(row) for row in await connection.execute(query)]


async def played_since(store: Store, platform: str, since: int) -> list[tuple[str, int]]:
    """Return place and time of the moves on a platform since a Unix time."""
    query = (
        select(places.c.external, moves.c.at)
        .join_from(matches, moves, matches.c.id == moves.c.match_id)
        .join(boards, boards.c.match_id == matches.c.id)
        .join(places, places.c.id == boards.c.place_id)
        .where(
            boards.c.platform == platform,
            matches.c.updated > since,
            moves.c.at > since,
            ~is_ahead(moves.c.at, now=store.now()),
        )
    )
    async with store.read() as connection:
        return [(row.external, row.at) for row in await connection.execute(query)]


async def told_in(store: Store, platform: str, external: str, message: str) -> int | None:
    """Return the id of the match that a message shows or announces, or None."""
    query = (
        select(boards.c.match_id)
        .join(places, places.c.id == boards.c.place_id)
        .where(
            places.c.platform == platform,
            places.c.external == external,
            or_(boards.c.notice == message, boards.c.message == message),
        )
    )
    async with store.read() as connection:
        return (await connection.execute(query.limit(1))).scalar_one_or_none()


async def is_shown(store: Store, match_id: int, place_id: int) -> bool:
    """Return whether the match has a board in this place."""
    query = select(exists().where(boards.c.match_id == match_id, boards.c.place_id == place_id))
    async with store.read() as connection:
        return bool((await connection.execute(query)).scalar_one())


async def claim(
    store: Store,
    lease: Lease,
    platform: str,
    *,
    limit: int,
    but: Collection[int],
    unless_changed: Collection[int] = (),
) -> list[Board]:
    """Lease boards that are behind, oldest first, except `but`.

    Boards in `unless_changed` are skipped unless there is something to show.
    """
    if platform not in lease.platforms:
        return []
    due = and_(boards.c.platform == platform, behind(lease.now), _may_have(lease))
    has_changed = or_(boards.c.shown < boards.c.wanted, boards.c.id.not_in(unless_changed))
    query = select(boards).where(due, boards.c.id.not_in(but), has_changed)
    query = query.order_by(boards.c.id).limit(limit)
    async with store.read() as connection:
        found = list(await connection.execute(query))
    # A lease must not expire while its board is being shown.
    enough = lease.now + (lease.until - lease.now) // 2
    unleased = [
        row.id for row in found if row.lease_holder != lease.holder or row.lease_until < enough
    ]
    if not unleased:
        return [_board(row) for row in found]
    open_ = select(boards.c.id).where(boards.c.id.in_(unleased), due).order_by(boards.c.id)
    take: Update = (
        update(boards)
        .where(boards.c.id.in_(open_.with_for_update(skip_locked=True)))
        .values(lease_holder=lease.holder, lease_until=lease.until)
    )
    async with store.write(NOTHING) as connection:
        await connection.execute(take)
        taken = boards.c.lease_holder == lease.holder
        query = select(boards).where(boards.c.id.in_([row.id for row in found]), due, taken)
        return [_board(row) for row in await connection.execute(query.order_by(boards.c.id))]


@dataclass(frozen=True, slots=True)
class Done:
    """A board as it was read, and the work done on it."""

    board: Board
    values: Mapping[str, Any]
    has_told: bool = True
    """False if no notification was due from this board. Then one that another board hands over in
    the meantime remains due (`hand_over`)."""

    @classmethod
    def shown(
        cls,
        board: Board,
        version: int,
        message: str,
        *,
        is_told: bool,
        has_told: bool,
        notify_after: int = 0,
    ) -> "Done":
        """Record what `message` shows. Unless `is_told`, people are notified at `notify_after`."""
        notified = {"notified": version} if is_told else {"notify_after": notify_after}
        return cls(board, {"shown": version, "message": message, **notified}, has_told)

    @classmethod
    def absent(cls, board: Board, version: int, message: str) -> "Done":
        """Record that no message can show it (`UNSURE` or missing). People are to be notified."""
        return cls(board, {"shown": version, "message": message, "notified": -1, "notify_after": 0})

    @classmethod
    def left(cls, board: Board) -> "Done":
        return cls(board, {"former": None})

    @classmethod
    def notified(cls, board: Board, version: int, notice: str | None, *, has_told: bool) -> "Done":
        """Record a notification, sent if `has_told`. The last notice is to be removed."""
        former = board.notice or board.former_notice
        told = {"notified": version, "notice": notice, "former_notice": former}
        return cls(board, told, has_told)

    @classmethod
    def held(cls, board: Board, until: int) -> "Done":
        return cls(board, {"notice": None, "former_notice": None, "notify_after": until})

    @classmethod
    def tidied(cls, board: Board) -> "Done":
        return cls(board, {"former_notice": None})


async def note(store: Store, done: Sequence[Done], lease: Lease) -> dict[int, Board]:
    """Store the work done; return those of our boards that are still behind, by id.

    A board that was moved down or marked for a redraw in the meantime remains behind. Its notices
    are stored in any case, or they would never be removed.
    """
    is_ours = boards.c.lease_holder == lease.holder
    freed = {
        "lease_holder": case((is_ours, None), else_=boards.c.lease_holder),
        "lease_until": case((is_ours, 0), else_=boards.c.lease_until),
    }
    async with store.write(NOTHING) as connection:
        for one in sorted(done, key=lambda one: one.board.id):
            values, before = dict(one.values), one.board
            if "shown" in values:
                as_found = boards.c.shown == before.shown
                values["shown"] = case((as_found, values["shown"]), else_=boards.c.shown)
                # Neither the progress of an analysis nor a new message counts as news.
                is_moved = and_(boards.c.shown >= 0, boards.c.shown < boards.c.news)
                values["news_shown_at"] = case(
                    (is_moved, store.now()), else_=boards.c.news_shown_at
                )
            if "notified" in values and not one.has_told:
                as_found = boards.c.notified == before.notified
                values["notified"] = case((as_found, values["notified"]), else_=boards.c.notified)
            found = boards.c.id == before.id
            if "notice" not in values:
                found &= boards.c.message.is_not_distinct_from(before.message)
            await connection.execute(update(boards).where(found).values(**freed, **values))
        ids = [one.board.id for one in done]
        query = select(boards).where(boards.c.id.in_(ids), behind(lease.now), _may_have(lease))
        left = {row.id: _board(row) for row in await connection.execute(query)}
        if left:
            await connection.execute(
                update(boards)
                .where(boards.c.id.in_(left))
                .values(lease_holder=lease.holder, lease_until=lease.until)
            )
    return left


def _may_have(lease: Lease) -> ColumnElement[bool]:
    return and_(
        boards.c.platform.in_(lease.platforms),
        or_(_may_lease(lease.holder, now=lease.now, until=lease.until), _is_void(lease)),
        in_shards(boards.c, lease.shards),
    )


def _is_void(lease: Lease) -> ColumnElement[bool]:
    """Return whether the lease holder has lost its shard, perhaps without noticing yet."""
    speaks = exists().where(
        shards.c.platform == boards.c.platform, shards.c.holder == boards.c.lease_holder
    )
    divided = {shard.platform for shard in lease.shards}
    return and_(boards.c.platform.in_(divided), ~speaks)


async def hand_over(store: Store, board: Board, to: Collection[int]) -> None:
    """Pass a pending notification to other boards of the match that have not sent it yet."""
    news, notice = boards.c.news, boards.c.notice
    is_tidy = boards.c.former_notice.is_(None)
    is_open = boards.c.notified < news
    async with store.write(BOARDS) as connection:
        await in_order(connection, boards.c.id, boards.c.id.in_([board.id, *to]))
        given = await connection.execute(
            update(boards)
            .where(boards.c.id == board.id, is_open)
            .values(
                notified=news,
                notice=case((is_tidy, None), else_=notice),
                former_notice=func.coalesce(boards.c.former_notice, notice),
            )
        )
        if given.rowcount:
            untold = case((boards.c.notified < 0, boards.c.notified - 1), else_=-1)
            await connection.execute(
                update(boards)
                .where(boards.c.id.in_(list(to)), or_(is_open, notice.is_(None)))
                .values(notified=untold, notify_after=0)
            )


def _finished() -> Select[int, int]:
    is_alive = exists().where(matches.c.id == boards.c.match_id, matches.c.status.in_(_ALIVE))
    left = case((or_(is_alive.correlate(boards), _IS_DUE), 1), else_=0)
    return (
        select(boards.c.place_id, func.max(boards.c.id))
        .group_by(boards.c.place_id)
        .having(func.sum(left) == 0)
    )


async def newest_if_finished(store: Store, place_id: int) -> int | None:
    """Return the newest board's id, or None if the place has active matches or pending work."""
    async with store.read() as connection:
        found = await connection.execute(_finished().where(boards.c.place_id == place_id))
        row = found.one_or_none()
    return None if row is None else row[1]


async def threads_to_close(store: Store, platform: str) -> list[int]:
    """Return the ids of the bot's finished threads that are not closed yet."""
    finished = _finished().where(boards.c.platform == platform).subquery()
    place_id, newest = finished.c
    query = (
        select(place_id)
        .join_from(finished, places, places.c.id == place_id)
        .where(
            places.c.settings[THREAD_OPENED].as_string().is_not(None),
            places.c.settings[THREAD_CLOSED].as_string().is_distinct_from(cast(newest, String)),
        )
    )
    async with store.read() as connection:
        return list((await connection.execute(query)).scalars())


async def show_beside(store: Store, place_id: int) -> None:
    """Redraw boards elsewhere of the active matches and challenges shown in this place."""
    here = select(boards.c.match_id).where(boards.c.place_id == place_id)
    running = select(matches.c.id).where(matches.c.status.in_(_ALIVE), matches.c.id.in_(here))
    async with store.write(BOARDS) as connection:
        shown = (boards.c.match_id.in_(running), boards.c.place_id != place_id, CAN_BE_ANEW)
        await in_order(connection, boards.c.id, *shown)
        await connection.execute(update(boards).where(*shown).values(shown=ANEW))


async def show_anew(store: Store, board_ids: Collection[int]) -> None:
    """Redraw these boards."""
    these = (boards.c.id.in_(list(board_ids)), CAN_BE_ANEW)
    async with store.write(BOARDS) as connection:
        await in_order(connection, boards.c.id, *these)
        await connection.execute(update(boards).where(*these).values(shown=ANEW))


async def show_ratings_anew(connection: AsyncConnection, user_id: int) -> None:
    """Redraw the boards of a user's rated matches."""
    theirs = or_(rated_matches.c.first_id == user_id, rated_matches.c.second_id == user_id)
    shown = (boards.c.match_id.in_(select(rated_matches.c.match_id).where(theirs)), CAN_BE_ANEW)
    await in_order(connection, boards.c.id, *shown)
    await connection.execute(update(boards).where(*shown).values(shown=ANEW))


async def show_in(store: Store, place_id: int) -> None:
    """Redraw the boards of running matches in a place."""
    running = select(matches.c.id).where(matches.c.status == Status.RUNNING.value)
    async with store.write(BOARDS) as connection:
        shown = (
            boards.c.place_id == place_id,
            boards.c.match_id.in_(running),
            CAN_BE_ANEW,
        )
        await in_order(connection, boards.c.id, *shown)
        await connection.execute(update(boards).where(*shown).values(shown=ANEW))


async def release(store: Store, holders: Collection[str]) -> None:
    """End the leases of processes that stop or have died."""
    theirs = and_(_IS_DUE, boards.c.lease_holder.in_(list(holders)))
    async with store.write(BOARDS) as connection:
        await in_order(connection, boards.c.id, theirs)
        await connection.execute(
            update(boards).where(theirs).values(lease_holder=None, lease_until=0)
        )


async def holders(store: Store, *, now: int) -> set[str]:
    """Return the holders of leases on boards that are behind."""
    held = select(boards.c.lease_holder).where(
        _IS_DUE, boards.c.lease_holder.is_not(None), boards.c.lease_until > now
    )
    async with store.read() as connection:
        return set((await connection.execute(held.distinct())).scalars())


async def release_all(store: Store) -> None:
    """End all leases, at the start of a process that is known to be the only one."""
    async with store.write(BOARDS, alone=True) as connection:
        await connection.execute(
            update(boards)
            .where(boards.c.lease_holder.is_not(None))
            .values(lease_holder=None, lease_until=0)
        )


async def note_message(store: Store, match_id: int, place: Place, message: str) -> bool:
    """Set the message of an `UNSURE` board, unless a board has it; return whether it was set."""
    is_taken = select(exists().where(_at(place, message)))
    async with store.write(BOARDS, alone=True) as connection:
        if (await connection.execute(is_taken)).scalar_one():
            return False
        done = await connection.execute(
            update(boards)
            .where(
                boards.c.match_id == match_id,
                boards.c.place_id == place.id,
                boards.c.message == UNSURE,
            )
            .values(message=message, shown=-1)
        )
    return done.rowcount > 0


async def drop(store: Store, which: Iterable[int]) -> None:
    """Delete boards."""
    gone = boards.c.id.in_(list(which))
    async with store.write(NOTHING) as connection:
        await in_order(connection, boards.c.id, gone)
        await connection.execute(delete(boards).where(gone))


async def drop_in(store: Store, platform: str, community: str) -> int:
    """Delete the boards in all places of a community; return their number."""
    gone = select(places.c.id).where(places.c.platform == platform, places.c.community == community)
    async with store.write(NOTHING, alone=True) as connection:
        done = await connection.execute(delete(boards).where(boards.c.place_id.in_(gone)))
    return done.rowcount
