"""Revisions of the database, and what Alembic needs to go from one to another."""

from typing import TYPE_CHECKING

from sqlalchemy import Connection

from bot.errors import StoreError
from bot.store.schema import REVISION

if TYPE_CHECKING:
    from alembic.config import Config

__all__ = ["REVISION", "check", "revisions", "upgrade"]


def _alembic() -> "Config":
    from alembic.config import Config  # noqa: PLC0415 - slow, and most starts need none of it

    config = Config()
    config.set_main_option("script_location", "bot.store:migrations")
    config.set_main_option("path_separator", "os")
    return config


def revisions() -> list[str]:
    """All revisions, oldest first."""
    from alembic.script import ScriptDirectory  # noqa: PLC0415 - see _alembic

    script = ScriptDirectory.from_config(_alembic())
    return [revision.revision for revision in script.walk_revisions()][::-1]


def check(name: str, *, revision: str | None, has_tables: bool) -> None:
    """Refuse a database that is not ours, or not yet; `name` is what it is called.

    Raises `StoreError`.
    """
    if has_tables and revision is None:
        raise StoreError(f"{name}: is a database, but not one of Azumaya")
    if revision not in (None, REVISION) and revision not in revisions():
        raise StoreError(f"{name}: was written by a newer Azumaya (revision {revision})")


def upgrade(connection: Connection, to: str) -> None:
    """Bring a database to a revision, in the transaction that has begun."""
    from alembic import command  # noqa: PLC0415 - see _alembic

    config = _alembic()
    config.attributes["connection"] = connection
    command.upgrade(config, to)
