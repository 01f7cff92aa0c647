"""Names on the web without their signs and digits"""

from collections.abc import Callable

from alembic import op
from sqlalchemy import Column, String, Text, column, select, table, update

from bot.domain.lookalikes import letters, visible_skeleton

revision = "v0003"
down_revision = "v0002"
branch_labels = None
depends_on = None

_KEYS: dict[str, Callable[[str], str]] = {"skeleton": visible_skeleton, "letters": letters}
_IDENTITIES = table("identities", *map(column, ("platform", "external", "user_id", *_KEYS)))
_USERS = table("users", column("id"), column("name"))


def upgrade() -> None:
    is_long = String(640).with_variant(Text(collation="C"), "postgresql")
    op.add_column("identities", Column("letters", is_long))
    # Only names on the web are unique now. Of two that are too close, the older one counts.
    op.execute(update(_IDENTITIES).values(skeleton=None))
    at, connection = _IDENTITIES.c, op.get_bind()
    query = select(at.external, _USERS.c.name).where(
        at.platform == "web", _USERS.c.id == at.user_id
    )
    taken = {key: set[str]() for key in _KEYS}
    for row in connection.execute(query.order_by(_USERS.c.id)).all():
        keys = {key: read(row.name) for key, read in _KEYS.items()}
        free = {key: name for key, name in keys.items() if name not in taken[key]}
        for key, name in free.items():
            taken[key].add(name)
        if free:
            where = at.platform == "web", at.external == row.external
            connection.execute(update(_IDENTITIES).where(*where).values(free))
    op.create_index(
        "uq_identities_platform_letters", "identities", ["platform", "letters"], unique=True
    )
