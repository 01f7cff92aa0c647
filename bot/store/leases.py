"""The work due on boards, and the leases under which processes do it.

A board is *behind* while its message is out of date, an earlier message of it remains, or a
notification is due. A process works on it under a *lease*, so that two never do the same work.
`mark_behind` takes the lease in the transaction of a move: with one process it costs nothing.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Integer,
    Select,
    String,
    Update,
    and_,
    bindparam,
    case,
    exists,
    false,
    func,
    or_,
    select,
    update,
)

from bot.domain.model import Board, Match
from bot.store.boards import IS_DUE, behind, board_of
from bot.store.database.changes import BOARDS, NOTHING
from bot.store.database.dialect import Whole, in_order
from bot.store.database.engine import Store, now, writes
from bot.store.schema import boards, shards
from bot.store.shards import in_shards
from bot.store.times import is_ahead
from bot.support.platforms import Shard


@dataclass(frozen=True, slots=True)
class Lease:
    """The claim of a process on boards of its platforms and shards, until a Unix time."""

    holder: str
    platforms: frozenset[str]
    now: int
    until: int
    shards: tuple[Shard, ...] = ()

    @property
    def values(self) -> dict[str, Any]:
        return {"holder": self.holder, "now": self.now, "until": self.until}


_OF_MATCH = (
    select(boards.c.id)
    .where(boards.c.match_id == bindparam("match"))
    .order_by(boards.c.id)
    .with_for_update()
)
_REACHED = bindparam("reached", type_=Whole)
_HOLDER = bindparam("holder", type_=String)
_NOW: Any = bindparam("now", type_=Whole)
_UNTIL: Any = bindparam("until", type_=Whole)
_IS_BOARD = boards.c.id == bindparam("board", type_=Whole)
_HOLD = update(boards).where(_IS_BOARD).values(lease_holder=_HOLDER, lease_until=_UNTIL)
_IS_NEWS = bindparam("is_news", type_=Integer) != 0
_NEWS = case((_IS_NEWS, _REACHED), else_=boards.c.news)
_MARK_BEHIND = (
    update(boards)
    .where(boards.c.id.in_(_OF_MATCH))
    .values(
        wanted=_REACHED, news=_NEWS, notify_after=case((_IS_NEWS, 0), else_=boards.c.notify_after)
    )
)


class _Statements(NamedTuple):
    """The statements of a process with some platforms and shards."""

    mark: Update
    """Marks the boards of a match as behind, and leases them."""
    find: Select[Any]
    """Boards of a platform that can be leased."""
    take: Update
    taken: Select[Any]
    left: Select[Any]
    """A board that is still behind."""


@lru_cache(maxsize=16)
def _statements(platforms: frozenset[str], mine: tuple[Shard, ...]) -> _Statements:
    """Return the statements, cached since every move uses them."""
    until, is_ours = boards.c.lease_until, boards.c.lease_holder == _HOLDER
    is_free = or_(until <= _NOW, is_ahead(until, now=_UNTIL), is_ours)
    if divided := {shard.platform for shard in mine}:
        # A holder may have lost its shard without noticing yet.
        its = shards.c.platform == boards.c.platform, shards.c.holder == boards.c.lease_holder
        is_free |= and_(boards.c.platform.in_(divided), ~exists().where(*its))
    # No IN, whose list would be expanded at every move.
    is_here = or_(false(), *(boards.c.platform == one for one in sorted(platforms)))
    may_have = and_(is_here, is_free, in_shards(boards.c, mine))
    is_due = and_(boards.c.platform == bindparam("chat", type_=String), behind(_NOW), may_have)
    has_changed = or_(boards.c.shown < boards.c.wanted, boards.c.id.not_in(_among("unchanged")))
    these, ordered = boards.c.id.in_(_among("ids")), select(boards).order_by(boards.c.id)
    open_ = select(boards.c.id).where(these, is_due).order_by(boards.c.id)
    taking = update(boards).where(boards.c.id.in_(open_.with_for_update(skip_locked=True)))
    found = ordered.where(is_due, boards.c.id.not_in(_among("but")), has_changed)
    return _Statements(
        mark=_MARK_BEHIND.values(
            lease_holder=case((may_have, _HOLDER), else_=boards.c.lease_holder),
            lease_until=case((may_have, _UNTIL), else_=boards.c.lease_until),
        ),
        find=found.limit(bindparam("limit", type_=Integer)),
        take=taking.values(lease_holder=_HOLDER, lease_until=_UNTIL),
        taken=ordered.where(these, is_due, is_ours),
        left=select(boards).where(_IS_BOARD, behind(_NOW), may_have),
    )


def _among(name: str) -> BindParameter[Any]:
    return bindparam(name, expanding=True)


def mark_behind(connection: Connection, match: Match, lease: Lease | None) -> None:
    """Mark the boards of a match as behind its new version, and take the `lease` on ours."""
    statement, is_news = _MARK_BEHIND, int(match.news == match.version)
    given: dict[str, Any] = {"match": match.id, "reached": match.version, "is_news": is_news}
    if lease is not None and lease.platforms:
        statement = _statements(lease.platforms, lease.shards).mark
        given |= {"holder": lease.holder, "now": lease.now, "until": lease.until}
    connection.execute(statement, given)


async def claim(
    store: Store,
    lease: Lease,
    platform: str,
    *,
    limit: int,
    exclude: Collection[int],
    unless_changed: Collection[int] = (),
) -> list[Board]:
    """Lease boards that are behind, oldest first, except `exclude`.

    Boards in `unless_changed` are skipped unless there is something to show.
    """
    if platform not in lease.platforms:
        return []
    query = _statements(lease.platforms, lease.shards).find
    given = {**lease.values, "chat": platform, "limit": limit}
    given |= {"but": list(exclude), "unchanged": list(unless_changed)}
    found = await store.read(lambda connection: connection.execute(query, given).all())
    # A lease must not expire while its board is being shown.
    enough = lease.now + (lease.until - lease.now) // 2
    unleased = [
        row.id for row in found if row.lease_holder != lease.holder or row.lease_until < enough
    ]
    if not unleased:
        return [board_of(row) for row in found]
    return await _claim(store, platform, lease, [row.id for row in found], unleased)


@writes(NOTHING)
def _claim(
    connection: Connection,
    platform: str,
    lease: Lease,
    found: Sequence[int],
    unleased: Sequence[int],
) -> list[Board]:
    statements = _statements(lease.platforms, lease.shards)
    given = {**lease.values, "chat": platform}
    connection.execute(statements.take, {**given, "ids": list(unleased)})
    taken = connection.execute(statements.taken, {**given, "ids": list(found)})
    return [board_of(row) for row in taken]


@dataclass(frozen=True, slots=True)
class BoardUpdate:
    """A board as it was read, and the work done on it."""

    board: Board
    values: Mapping[str, Any]
    has_notified: bool = True
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
    ) -> "BoardUpdate":
        """Record what `message` shows. Unless `is_told`, people are notified at `notify_after`."""
        notified = {"notified": version} if is_told else {"notify_after": notify_after}
        return cls(board, {"shown": version, "message": message, **notified}, has_told)

    @classmethod
    def absent(cls, board: Board, version: int, message: str) -> "BoardUpdate":
        """Record that no message can show it (`UNSURE` or missing). People are to be notified."""
        return cls(board, {"shown": version, "message": message, "notified": -1, "notify_after": 0})

    @classmethod
    def notified(
        cls, board: Board, version: int, notice: str | None, *, has_told: bool
    ) -> "BoardUpdate":
        """Record a notification, sent if `has_told`. The last notice is to be removed."""
        former = board.notice or board.former_notice
        told = {"notified": version, "notice": notice, "former_notice": former}
        return cls(board, told, has_told)


@cache
def _noting(names: frozenset[str], *, has_notified: bool) -> tuple[Update, tuple[str, ...]]:
    """Return the statement that stores work, and what it compares, as every move uses it."""
    its, is_ours = boards.c, boards.c.lease_holder == _HOLDER
    values: dict[str, Any] = {
        name: bindparam(f"new_{name}", type_=its[name].type) for name in names
    }
    compared = ["id"]

    def as_found(name: str) -> ColumnElement[bool]:
        compared.append(name)
        return its[name].is_not_distinct_from(bindparam(f"found_{name}", type_=its[name].type))

    if "shown" in names:
        values["shown"] = case((as_found("shown"), values["shown"]), else_=its.shown)
        # Neither the progress of an analysis nor a new message counts as news.
        is_moved = and_(its.shown >= 0, its.shown < its.news)
        values["news_shown_at"] = case((is_moved, _NOW), else_=its.news_shown_at)
    if "notified" in names and not has_notified:
        values["notified"] = case((as_found("notified"), values["notified"]), else_=its.notified)
    which = its.id == bindparam("found_id")
    if "notice" not in names:
        which &= as_found("message")
    values["lease_holder"] = case((is_ours, None), else_=its.lease_holder)
    values["lease_until"] = case((is_ours, 0), else_=its.lease_until)
    return update(boards).where(which).values(values), tuple(compared)


@writes(NOTHING)
def record_work(connection: Connection, done: BoardUpdate, lease: Lease) -> Board | None:
    """Store the work done; return the board if it is ours and still behind.

    A board that was moved down or marked for a redraw in the meantime remains behind. Its notices
    are stored in any case, or they would never be removed.
    """
    board, statements = done.board, _statements(lease.platforms, lease.shards)
    noting, read = _noting(frozenset(done.values), has_notified=done.has_notified)
    found = {f"found_{name}": getattr(board, name) for name in read}
    new = {f"new_{name}": value for name, value in done.values.items()}
    clock = {"now": now(connection)} if "shown" in read else {}
    connection.execute(noting, {"holder": lease.holder, **clock, **found, **new})
    given = {**lease.values, "board": board.id}
    left = connection.execute(statements.left, given).one_or_none()
    if left is None:
        return None
    connection.execute(_HOLD, given)
    return board_of(left)


@writes(BOARDS)
def hand_over(connection: Connection, board: Board, to: Collection[int]) -> None:
    """Pass a pending notification to other boards of the match that have not sent it yet."""
    news, notice = boards.c.news, boards.c.notice
    is_tidy = boards.c.former_notice.is_(None)
    is_open = boards.c.notified < news
    in_order(connection, boards.c.id, boards.c.id.in_([board.id, *to]))
    given = connection.execute(
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
        connection.execute(
            update(boards)
            .where(boards.c.id.in_(list(to)), or_(is_open, notice.is_(None)))
            .values(notified=untold, notify_after=0)
        )


@writes(BOARDS)
def release(connection: Connection, holders: Collection[str]) -> None:
    """End the leases of processes that stop or have died."""
    theirs = and_(IS_DUE, boards.c.lease_holder.in_(list(holders)))
    in_order(connection, boards.c.id, theirs)
    connection.execute(update(boards).where(theirs).values(lease_holder=None, lease_until=0))


@writes(BOARDS, alone=True)
def release_all(connection: Connection) -> None:
    """End all leases, at the start of a process that is known to be the only one."""
    leased = update(boards).where(boards.c.lease_holder.is_not(None))
    connection.execute(leased.values(lease_holder=None, lease_until=0))
