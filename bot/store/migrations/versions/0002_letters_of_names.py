"""Names without their digits"""

from alembic import op
from sqlalchemy import Column, String, Text

revision = "v0002"
down_revision = "v0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    letters = String(640).with_variant(Text(collation="C"), "postgresql")
    op.add_column("identities", Column("letters", letters))
    op.create_index(
        "uq_identities_platform_letters", "identities", ["platform", "letters"], unique=True
    )
