"""On PostgreSQL: whole numbers of 64 bits, and texts of any length, in the order of their signs"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_TYPES = {
    "integer": "bigint",
    "character varying": 'text COLLATE "C"',
    "text": 'text COLLATE "C"',
}
"""SQLite has had these all the time, whatever a column said; nor does it sort by a language."""


def upgrade() -> None:
    if op.get_context().dialect.name == "sqlite":
        return
    connection = op.get_bind()
    found = connection.execute(
        sa.text(
            "SELECT table_name, column_name, data_type FROM information_schema.columns"
            " WHERE table_schema = current_schema() AND table_name != 'alembic_version'"
            " AND data_type IN ('integer', 'character varying', 'text')"
            " ORDER BY table_name, ordinal_position"
        )
    ).all()
    changes: dict[str, list[str]] = {}
    for table, column, kind in found:
        changes.setdefault(table, []).append(f'ALTER COLUMN "{column}" TYPE {_TYPES[kind]}')
    # Each table is written anew once, not once for each of its columns.
    for table, changed in changes.items():
        op.execute(f'ALTER TABLE "{table}" {", ".join(changed)}')
    sequences = connection.execute(
        sa.text("SELECT sequencename FROM pg_sequences WHERE schemaname = current_schema()")
    )
    for sequence in sequences.scalars().all():
        op.execute(f'ALTER SEQUENCE "{sequence}" AS bigint')
