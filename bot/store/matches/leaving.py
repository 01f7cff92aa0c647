"""Matches and challenges of a deleted account."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, select

from bot.domain.errors import StaleBoard
from bot.domain.model import Status
from bot.store.dialect import hold_people
from bot.store.leases import Effect
from bot.store.matches.committing import Ended, bump, end_all
from bot.store.schema import matches


def give_up(connection: Connection, user_id: int, which: Sequence[Ended], *, now: int) -> None:
    """End matches of a deleted account. Raises `StaleBoard` if one has changed."""
    hold_people(connection, *{user for ended in which for user in ended.match.people})
    query = select(matches.c.id, matches.c.version)
    query = query.where(matches.c.id.in_([ended.match.id for ended in which]))
    query = query.order_by(matches.c.id).with_for_update(of=matches, key_share=True)
    found = {row.id: row.version for row in connection.execute(query)}
    for ended in which:
        if found.get(ended.match.id) != ended.match.version:
            raise StaleBoard(ended.match.id)
    end_all(connection, which, now=now, effect=Effect(is_news=True, by=user_id))


def end_challenges(
    connection: Connection, which: ColumnElement[bool], *, gone: int, now: int
) -> None:
    """Withdraw the waiting challenges of `which` made by `gone`, and decline the others."""
    query = select(matches.c.id, matches.c.version, matches.c.challenger_id).where(
        which, matches.c.status == Status.PROPOSED.value
    )
    for row in connection.execute(query.with_for_update()).all():
        is_theirs = row.challenger_id == gone
        status = Status.WITHDRAWN if is_theirs else Status.DECLINED
        bump(
            connection,
            row.id,
            row.version,
            values={"status": status.value, "expires": None},
            now=now,
            effect=Effect(is_news=True, by=gone),
        )
