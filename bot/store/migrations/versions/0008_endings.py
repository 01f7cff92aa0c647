"""Endings"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("matches", schema=None) as batch_op:
        batch_op.add_column(sa.Column("ending", sa.String(length=16), nullable=True))
        batch_op.add_column(sa.Column("ended_by", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("aside", sa.Integer(), nullable=True))
    _fill()


def _fill() -> None:
    """Endings of matches that are over already: until now, only their outcomes told of them."""
    matches = sa.table(
        "matches",
        sa.column("id", sa.Integer),
        sa.column("status", sa.String),
        sa.column("turn", sa.Integer),
        sa.column("outcome", sa.JSON),
        sa.column("ending", sa.String),
        sa.column("ended_by", sa.Integer),
    )
    seats = sa.table("seats", sa.column("match_id", sa.Integer), sa.column("seat", sa.Integer))
    connection = op.get_bind()
    is_over = matches.c.status == "over"
    played = sa.select(sa.func.count()).where(seats.c.match_id == matches.c.id).scalar_subquery()
    found = connection.execute(sa.select(matches.c.id, matches.c.outcome, played).where(is_over))
    ended = [
        {"match": match_id, "by": seat}
        for match_id, outcome, count in found
        if (seat := _gave_up(outcome, count)) is not None
    ]
    connection.execute(matches.update().where(is_over).values(ending="rules", turn=0))
    if ended:
        connection.execute(
            matches.update()
            .where(matches.c.id == sa.bindparam("match"))
            .values(ending="resigned", ended_by=sa.bindparam("by")),
            ended,
        )


def _gave_up(outcome: Any, seats: int) -> int | None:
    """The seat that gave up: the one that has not won. None where the rules ended the match."""
    if outcome is None or outcome["reason"] != "resigned":
        return None
    return min(set(range(seats)) - set(outcome["winners"]), default=None)
