"""Check and migrate the revision of a database with Alembic."""

import logging
import secrets
from typing import TYPE_CHECKING

from sqlalchemy import Connection, insert

from bot.store.schema import OURS, REVISION, counters, key_values, metadata
from bot.support.errors import StoreError

if TYPE_CHECKING:
    from alembic.config import Config

# Not structlog, which would print even if no log was requested.
_log = logging.getLogger(__name__)


def _alembic() -> "Config":
    from alembic.config import Config  # noqa: PLC0415 - slow, and rarely needed

    config = Config()
    config.set_main_option("script_location", "bot.store.database:migrations")
    config.set_main_option("path_separator", "os")
    return config


def revisions() -> list[str]:
    """Return all revisions, oldest first."""
    from alembic.script import ScriptDirectory  # noqa: PLC0415 - see _alembic

    script = ScriptDirectory.from_config(_alembic())
    return [revision.revision for revision in script.walk_revisions()][::-1]


def check(name: str, *, revision: str | None, has_tables: bool) -> None:
    """Refuse a foreign database or an unknown revision. Raises `StoreError`."""
    if has_tables and revision is None:
        raise StoreError(f"{name}: is a database, but not one of Azumaya")
    # Alembic takes long to import, and is not needed at most starts.
    if revision not in {None, REVISION} and revision not in revisions():
        raise StoreError(f"{name}: was written by a newer Azumaya (revision {revision})")


def check_current(name: str, revision: str | None) -> None:
    """Refuse a database that needs a migration, as it may be in use. Raises `StoreError`."""
    if revision == REVISION:
        return
    what = "has no tables yet" if revision is None else f"is from an earlier Azumaya ({revision})"
    raise StoreError(
        f"{name}: {what}; to migrate it, start the bot, or stop it and run azumaya migrate"
    )


def upgrade(connection: Connection, to: str, *, revision: str | None = None) -> None:
    """Create the tables, or migrate them from `revision`, within the current transaction."""
    from alembic import command  # noqa: PLC0415 - see _alembic

    config = _alembic()
    config.attributes["connection"] = connection
    target = REVISION if to == "head" else to
    if revision is None:
        _log.info("creating the tables of a new database (revision %s)", target)
        _create(connection)
        command.stamp(config, to)
    else:
        _log.info("migrating the database from revision %s to %s", revision, target)
        command.upgrade(config, to)


def _create(connection: Connection) -> None:
    metadata.create_all(connection, checkfirst=False)
    keys = ((OURS, "button-key"), ("web", "push-key"))
    rows = [{"platform": of, "key": key, "value": secrets.token_hex(32)} for of, key in keys]
    connection.execute(insert(key_values), rows)
    connection.execute(insert(counters), {"name": "messages.stamp", "value": 0})
