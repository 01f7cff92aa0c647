"""Boards: the messages that show matches, what is due on them, and who is at work on it.

A board is *behind* while its message does not show what it ought to, while an earlier message
of it is still there, or while people have not been told what there is to tell, and that cannot
wait any longer. Whoever brings it up to date has a *lease* on it, so that several processes never
do the same work twice: in the columns, since nothing else is common to them. Whoever plays a move
takes the leases along in that same transaction (`mark_behind`), so that with one process a lease
costs nothing.
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

from bot.errors import Refused
from bot.model import (
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
from bot.platforms import Shard
from bot.store.changes import BOARDS, NOTHING
from bot.store.dialect import Whole, in_order, upsert
from bot.store.engine import Store
from bot.store.quotas import bring
from bot.store.rows import AnyRow
from bot.store.schema import boards, matches, moves, places, rated_matches, shards
from bot.store.shards import in_shards
from bot.store.times import is_ahead

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
"""What `shown` is of a board that is to be shown anew, also where that is being done just now for
another reason: the number must be another one than it was (see `note`)."""
CAN_BE_ANEW = or_(
    boards.c.message.is_(None),
    and_(boards.c.message != UNSURE, ~boards.c.message.startswith(MISSING)),
)
"""Is there a message that could show a board anew, or one to come? People were told where there is
none, and are told again only when something happens in the match."""

_ALIVE = (Status.PROPOSED.value, Status.RUNNING.value)
_MOST_HELD = 3600
"""Seconds; a time further ahead was noted by a clock that has been set since."""


_TO_SHOW = boards.c.shown < boards.c.wanted
_TO_LEAVE = or_(boards.c.former.is_not(None), boards.c.former_notice.is_not(None))
# In the words of the index.
_IS_DUE = or_(_TO_SHOW, boards.c.notified < boards.c.news, _TO_LEAVE)


def behind(now: int) -> ColumnElement[bool]:
    """Is there something to do about a board now?"""
    after = boards.c.notify_after
    return and_(_IS_DUE, or_(_TO_SHOW, _TO_LEAVE, after <= now, after > now + _MOST_HELD))


@dataclass(frozen=True, slots=True)
class Effect:
    """What a change of a match means for its boards: is there something to tell, by whom?

    `lease` is that of whoever will show it, which is taken along. `is_beside`: what can be played,
    and what a press means, stays what it was, so that boards of before can still be pressed.
    """

    is_news: bool = False
    by: int | None = None
    lease: "Lease | None" = None
    is_beside: bool = False


@dataclass(frozen=True, slots=True)
class Lease:
    """Who works on boards, of which platforms, and until when nobody else does (Unix seconds).

    Of a platform that several processes speak for, `shards` are those of this one.
    """

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


# --- as a step of a transaction -------------------------------------------------------------

_OF_MATCH = (
    select(boards.c.id)
    .where(boards.c.match_id == bindparam("match"))
    .order_by(boards.c.id)
    .with_for_update()
)
"""Where there are several writers: as `in_order`, in the one statement."""
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
    """May this holder take a board? Nobody has it for longer than it can be had from now on."""
    lease = boards.c.lease_until
    return or_(lease <= now, is_ahead(lease, now=until), boards.c.lease_holder == holder)


@lru_cache(maxsize=16)
def _mark_behind_and_lease(platforms: frozenset[str], shards: tuple[Shard, ...]) -> Update:
    """The statement for who serves these: built once, for it is a part of every move."""
    may_lease = and_(
        # Not one IN of them all: SQLAlchemy would write that anew each time.
        or_(*(boards.c.platform == platform for platform in sorted(platforms))),
        _may_lease(_HOLDER, now=bindparam("now", type_=Whole), until=_UNTIL),
        in_shards(boards.c, shards),
    )
    return _MARK_BEHIND.values(
        lease_holder=case((may_lease, _HOLDER), else_=boards.c.lease_holder),
        lease_until=case((may_lease, _UNTIL), else_=boards.c.lease_until),
    )


def mark_behind(connection: Connection, *reached: tuple[int, int], effect: Effect) -> None:
    """Matches have reached versions: their boards are to show it, and to tell it if it is news."""
    common: dict[str, Any] = {"is_news": int(effect.is_news)}
    statement, lease = _MARK_BEHIND, effect.lease
    if lease is not None and lease.platforms:
        statement = _mark_behind_and_lease(lease.platforms, lease.shards)
        common |= {"holder": lease.holder, "now": lease.now, "until": lease.until}
    values = [{"match": match_id, "reached": version, **common} for match_id, version in reached]
    connection.execute(statement, values[0] if len(values) == 1 else values)


async def insert_first(connection: AsyncConnection, match_id: int, place_id: int) -> None:
    """The board of a match that has just been made, where it was made.

    Raises `Refused` as `add` does.
    """
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
        # Whoever asked, or was to see it, was erased meanwhile.
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
    # Wanted by two at once, it is wanted once.
    await connection.execute(new.on_conflict_do_nothing())


async def _move_or_insert(
    connection: AsyncConnection, match_id: int, place_id: int, *, seat: int | None, is_told: bool
) -> None:
    key = _SPECTATORS if seat is None else seat
    here = and_(boards.c.match_id == match_id, boards.c.place_id == place_id)
    # As it is now: whoever is about to change it waits for us, and marks this board as well.
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
        # What showed a challenge to one person shows them their side of the match from now on.
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


# --- asking for boards ----------------------------------------------------------------------


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
    """Want a board in a place; one that is there already moves to the bottom.

    `is_told` means that people have heard of the match's news elsewhere, or need not. With `quotas`
    it counts among what the user `by` brings there. Raises `Refused` where that is too much, or
    the place was the conversation of somebody who has been erased.
    """
    async with store.write(BOARDS) as connection:
        await bring(connection, by, place_id, quotas=quotas)
        await _move_or_insert(connection, match.id, place_id, seat=seat, is_told=is_told)


async def by_id(store: Store, board_id: int) -> Board | None:
    """The board with this id, or None."""
    async with store.read() as connection:
        query = select(boards).where(boards.c.id == board_id)
        row = (await connection.execute(query)).one_or_none()
    return _board(row) if row else None


async def of_match(store: Store, match_id: int, *, place_id: int | None = None) -> list[Board]:
    """All boards of a match, or those in one place; oldest first."""
    query = select(boards).where(boards.c.match_id == match_id).order_by(boards.c.id)
    if place_id is not None:
        query = query.where(boards.c.place_id == place_id)
    async with store.read() as connection:
        return [_board(row) for row in await connection.execute(query)]


async def of_matches(
    store: Store, match_ids: Iterable[int], place_ids: Iterable[int]
) -> list[Board]:
    """The boards of these matches in these places, oldest first."""
    query = select(boards).where(
        boards.c.match_id.in_(list(match_ids)), boards.c.place_id.in_(list(place_ids))
    )
    async with store.read() as connection:
        return [_board(row) for row in await connection.execute(query.order_by(boards.c.id))]


async def by_message(store: Store, platform: str, message: str) -> list[Board]:
    """The boards that a message on a platform shows."""
    query = select(boards).where(boards.c.message == message, boards.c.platform == platform)
    async with store.read() as connection:
        return [_board(row) for row in await connection.execute(query)]


def _at(place: Place, message: str) -> ColumnElement[bool]:
    """Is a message here a board, or was it until one took its place?

    All topics of a group count their messages together.
    """
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
    """The boards of all matches that a message here shows, or showed last; oldest first."""
    query = select(boards).where(_at(place, message)).order_by(boards.c.id)
    async with store.read() as connection:
        return [_board(row) for row in await connection.execute(query)]


async def played_since(store: Store, platform: str, since: int) -> list[tuple[str, int]]:
    """Moves of this time (Unix seconds) that boards on a platform have shown: where, and when."""
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
    """The id of the match that a message in a place shows, or tells people of; or None."""
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
    """Has the match a board in this place?"""
    query = select(exists().where(boards.c.match_id == match_id, boards.c.place_id == place_id))
    async with store.read() as connection:
        return bool((await connection.execute(query)).scalar_one())


# --- bringing them up to date ---------------------------------------------------------------


async def claim(
    store: Store,
    lease: Lease,
    platform: str,
    *,
    limit: int,
    but: Collection[int],
    unless_changed: Collection[int] = (),
) -> list[Board]:
    """Boards on a platform that are behind, leased from now on; oldest first, without `but`.

    Those `unless_changed` only where there is something to show, not only to tell. Those that are
    leased already by this holder, for long enough, need no transaction of their own. None on a
    platform, or in a part of it, that is not the lease's.
    """
    if platform not in lease.platforms:
        return []
    due = and_(boards.c.platform == platform, behind(lease.now), _may_have(lease))
    has_changed = or_(boards.c.shown < boards.c.wanted, boards.c.id.not_in(unless_changed))
    query = select(boards).where(due, boards.c.id.not_in(but), has_changed)
    query = query.order_by(boards.c.id).limit(limit)
    async with store.read() as connection:
        found = list(await connection.execute(query))
    # What had to wait meanwhile would else become another's while it is being shown.
    enough = lease.now + (lease.until - lease.now) // 2
    unleased = [
        row.id for row in found if row.lease_holder != lease.holder or row.lease_until < enough
    ]
    if not unleased:
        return [_board(row) for row in found]
    # Which others are about to take is theirs.
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
    """A board as it was found, and what has been done about it since."""

    board: Board
    values: Mapping[str, Any]
    has_told: bool = True
    """Has somebody been told, or heard of it elsewhere? Where nobody was to be told by this board,
    another one may have handed that over meanwhile (`hand_over`): then it is still to be done."""

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
        """It shows this version in this message now; `is_told`: and nobody needs to be told.

        Else people are told when it is `notify_after`. Has it told somebody itself (`has_told`)?
        """
        notified = {"notified": version} if is_told else {"notify_after": notify_after}
        return cls(board, {"shown": version, "message": message, **notified}, has_told)

    @classmethod
    def absent(cls, board: Board, version: int, message: str) -> "Done":
        """There is nothing that could show it (`UNSURE`, missing): people are to hear of that."""
        return cls(board, {"shown": version, "message": message, "notified": -1, "notify_after": 0})

    @classmethod
    def left(cls, board: Board) -> "Done":
        """Its former message is no more."""
        return cls(board, {"former": None})

    @classmethod
    def notified(cls, board: Board, version: int, notice: str | None, *, has_told: bool) -> "Done":
        """People were told of this version, if there was anybody to tell (`has_told`).

        The last notice is to go.
        """
        former = board.notice or board.former_notice
        told = {"notified": version, "notice": notice, "former_notice": former}
        return cls(board, told, has_told)

    @classmethod
    def held(cls, board: Board, until: int) -> "Done":
        """The last notice is gone, and the news can wait `until` then (Unix seconds)."""
        return cls(board, {"notice": None, "former_notice": None, "notify_after": until})

    @classmethod
    def tidied(cls, board: Board) -> "Done":
        """Its former notice is no more."""
        return cls(board, {"former_notice": None})


async def note(store: Store, done: Sequence[Done], lease: Lease) -> dict[int, Board]:
    """Store what has been done; gives those of our boards, by id, that are (still) behind.

    One that was moved to the bottom meanwhile stays behind: it has to be posted again; what was
    said beside it is noted all the same, else nobody would ever take that away. So does
    one that is to be shown anew, for somebody on it has lost their name while it was being shown.
    Leases end, but for those that are behind. What others have in hand meanwhile stays theirs, and
    what is not for us to show any more is left to them.
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
                # How far somebody has come with looking back moves nothing, nor does a new message.
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
    """Boards that may be taken in hand: others have not, and it is for us to show them."""
    return and_(
        boards.c.platform.in_(lease.platforms),
        or_(_may_lease(lease.holder, now=lease.now, until=lease.until), _is_void(lease)),
        in_shards(boards.c, lease.shards),
    )


def _is_void(lease: Lease) -> ColumnElement[bool]:
    """Is a board leased by somebody who speaks there no more, and may not know of it yet?"""
    speaks = exists().where(
        shards.c.platform == boards.c.platform, shards.c.holder == boards.c.lease_holder
    )
    divided = {shard.platform for shard in lease.shards}
    return and_(boards.c.platform.in_(divided), ~speaks)


async def hand_over(store: Store, board: Board, to: Collection[int]) -> None:
    """What a board has to tell is told by other boards of its match instead, once.

    Not by those that have told somebody of it already.
    """
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
    """The places in which all matches are over and told of, with the newest board of each."""
    is_alive = exists().where(matches.c.id == boards.c.match_id, matches.c.status.in_(_ALIVE))
    left = case((or_(is_alive.correlate(boards), _IS_DUE), 1), else_=0)
    return (
        select(boards.c.place_id, func.max(boards.c.id))
        .group_by(boards.c.place_id)
        .having(func.sum(left) == 0)
    )


async def newest_if_finished(store: Store, place_id: int) -> int | None:
    """The id of the newest board of a place in which nothing is left to do; else None.

    There is, while a match is on or proposed, and while something is to be shown or told.
    """
    async with store.read() as connection:
        found = await connection.execute(_finished().where(boards.c.place_id == place_id))
        row = found.one_or_none()
    return None if row is None else row[1]


async def threads_to_close(store: Store, platform: str) -> list[int]:
    """The ids of the places that are threads of ours, finished, and not closed since."""
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
    """Show anew what is shown elsewhere of what is on, or asked for, and has a board in a place."""
    here = select(boards.c.match_id).where(boards.c.place_id == place_id)
    running = select(matches.c.id).where(matches.c.status.in_(_ALIVE), matches.c.id.in_(here))
    async with store.write(BOARDS) as connection:
        shown = (boards.c.match_id.in_(running), boards.c.place_id != place_id, CAN_BE_ANEW)
        await in_order(connection, boards.c.id, *shown)
        await connection.execute(update(boards).where(*shown).values(shown=ANEW))


async def show_anew(store: Store, board_ids: Collection[int]) -> None:
    """Show these boards once more, whatever they show."""
    these = (boards.c.id.in_(list(board_ids)), CAN_BE_ANEW)
    async with store.write(BOARDS) as connection:
        await in_order(connection, boards.c.id, *these)
        await connection.execute(update(boards).where(*these).values(shown=ANEW))


async def show_ratings_anew(connection: AsyncConnection, user_id: int) -> None:
    """Show anew what says how somebody was rated, as a step of a transaction."""
    theirs = or_(rated_matches.c.first_id == user_id, rated_matches.c.second_id == user_id)
    shown = (boards.c.match_id.in_(select(rated_matches.c.match_id).where(theirs)), CAN_BE_ANEW)
    await in_order(connection, boards.c.id, *shown)
    await connection.execute(update(boards).where(*shown).values(shown=ANEW))


async def show_in(store: Store, place_id: int) -> None:
    """Show anew what is shown of running matches in a place."""
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
    """End the leases of those who stop, or have died."""
    theirs = and_(_IS_DUE, boards.c.lease_holder.in_(list(holders)))
    async with store.write(BOARDS) as connection:
        await in_order(connection, boards.c.id, theirs)
        await connection.execute(
            update(boards).where(theirs).values(lease_holder=None, lease_until=0)
        )


async def holders(store: Store, *, now: int) -> set[str]:
    """Who has leases on boards that are behind."""
    held = select(boards.c.lease_holder).where(
        _IS_DUE, boards.c.lease_holder.is_not(None), boards.c.lease_until > now
    )
    async with store.read() as connection:
        return set((await connection.execute(held.distinct())).scalars())


async def release_all(store: Store) -> None:
    """End all leases: for a process that knows itself to be the only one, when it starts."""
    async with store.write(BOARDS, alone=True) as connection:
        await connection.execute(
            update(boards)
            .where(boards.c.lease_holder.is_not(None))
            .values(lease_holder=None, lease_until=0)
        )


async def note_message(store: Store, match_id: int, place: Place, message: str) -> bool:
    """Give a board here, of which nobody knew whether it had arrived, the message that it is.

    Not where that message is a board already.
    """
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
    """Forget boards."""
    gone = boards.c.id.in_(list(which))
    async with store.write(NOTHING) as connection:
        await in_order(connection, boards.c.id, gone)
        await connection.execute(delete(boards).where(gone))


async def drop_in(store: Store, platform: str, community: str) -> int:
    """Forget the boards in all places of a group that is gone; gives how many there were."""
    gone = select(places.c.id).where(places.c.platform == platform, places.c.community == community)
    async with store.write(NOTHING, alone=True) as connection:
        done = await connection.execute(delete(boards).where(boards.c.place_id.in_(gone)))
    return done.rowcount
