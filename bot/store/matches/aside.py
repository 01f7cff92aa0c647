"""Matches that cannot be replayed."""

from sqlalchemy import Connection, update

from bot.store.boards import ANEW, CAN_BE_ANEW
from bot.store.dialect import in_order
from bot.store.engine import now
from bot.store.matches.committing import writes_match
from bot.store.schema import boards, matches


@writes_match
def put_aside(connection: Connection, match_id: int) -> bool:
    """Mark a match as unreadable; False if it was already. Its boards stay as they are."""
    noted = connection.execute(
        update(matches)
        .where(matches.c.id == match_id, matches.c.aside.is_(None))
        .values(aside=now(connection))
    )
    in_order(connection, boards.c.id, boards.c.match_id == match_id)
    connection.execute(
        update(boards)
        .where(boards.c.match_id == match_id)
        .values(shown=boards.c.wanted, notified=boards.c.news, former=None, former_notice=None)
    )
    return noted.rowcount == 1


@writes_match
def take_up(connection: Connection, match_id: int) -> None:
    """Mark a match as readable again, and redraw its boards."""
    connection.execute(update(matches).where(matches.c.id == match_id).values(aside=None))
    in_order(connection, boards.c.id, boards.c.match_id == match_id)
    connection.execute(
        update(boards).where(boards.c.match_id == match_id, CAN_BE_ANEW).values(shown=ANEW)
    )
