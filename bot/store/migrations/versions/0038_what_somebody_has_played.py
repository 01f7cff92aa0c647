"""All that `/stats` counts of a result stands in the index of whose it is"""

from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_results_user_id_match_id", "results")
    op.create_index(
        "ix_results_of_user",
        "results",
        ["user_id", "match_id", "seat", "game", "solo", "level", "half_points", "moves"],
    )
