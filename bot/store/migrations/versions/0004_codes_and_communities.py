"""Codes of matches, communities of places"""

from secrets import choice

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def upgrade() -> None:
    connection = op.get_bind()
    op.add_column("matches", sa.Column("code", sa.String(length=16), nullable=True))
    for (match_id,) in connection.execute(sa.text("SELECT id FROM matches")).all():
        code = "".join(choice(_ALPHABET) for _ in range(12))
        connection.execute(
            sa.text("UPDATE matches SET code = :code WHERE id = :id"),
            {"code": code, "id": match_id},
        )
    with op.batch_alter_table("matches", schema=None) as batch_op:
        batch_op.alter_column("code", existing_type=sa.String(length=16), nullable=False)
        batch_op.create_unique_constraint(batch_op.f("uq_matches_code"), ["code"])

    op.add_column("places", sa.Column("community", sa.String(length=64), nullable=True))
    # A channel's name begins with its server, a topic's with its group; conversations of several
    # people on Discord have no server ("@me") and stay by themselves.
    places = sa.text("SELECT id, platform, external FROM places WHERE kind = 'channel'")
    for place_id, platform, external in connection.execute(places).all():
        community = "web" if platform == "web" else external.partition("/")[0]
        if community != "@me":
            connection.execute(
                sa.text("UPDATE places SET community = :community WHERE id = :id"),
                {"community": community[:64], "id": place_id},
            )
    with op.batch_alter_table("places", schema=None) as batch_op:
        batch_op.create_index(
            "ix_places_platform_community", ["platform", "community"], unique=False
        )
