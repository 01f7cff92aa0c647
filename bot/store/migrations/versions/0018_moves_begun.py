"""Which moves people have begun"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_WHOLE = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "beginnings",
        sa.Column("user_id", _WHOLE, autoincrement=False, nullable=False),
        sa.Column("match_id", _WHOLE, nullable=False),
        sa.Column("version", _WHOLE, nullable=False),
        sa.Column(
            "steps",
            sa.String(64).with_variant(sa.Text(collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_beginnings_user_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_beginnings_match_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_beginnings")),
    )
    op.create_index("ix_beginnings_match_id", "beginnings", ["match_id"])
