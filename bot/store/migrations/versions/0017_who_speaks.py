"""Which processes are there, and which part of a platform each of them speaks for"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

# As 0016 has made all others.
_WHOLE = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def _text(length: int) -> sa.types.TypeEngine[str]:
    return sa.String(length).with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "processes",
        sa.Column("holder", _text(32), nullable=False),
        sa.Column("until", _WHOLE, nullable=False),
        sa.PrimaryKeyConstraint("holder", name=op.f("pk_processes")),
    )
    op.create_table(
        "shards",
        sa.Column("platform", _text(16), nullable=False),
        sa.Column("number", _WHOLE, autoincrement=False, nullable=False),
        sa.Column("count", _WHOLE, autoincrement=False, nullable=False),
        sa.Column("holder", _text(32), nullable=False),
        sa.Column("term", _text(16), nullable=False),
        sa.ForeignKeyConstraint(
            ["holder"],
            ["processes.holder"],
            name=op.f("fk_shards_holder"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("platform", "number", "count", name=op.f("pk_shards")),
    )
