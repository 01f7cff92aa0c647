"""Revisions of the database, and what Alembic needs to go from one to another."""

import logging
import sqlite3
from collections.abc import Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, create_engine

from bot.errors import StoreError
from bot.store.schema import REVISION, metadata

if TYPE_CHECKING:
    from alembic.config import Config

__all__ = [
    "INSTEAD",
    "REVISION",
    "Columns",
    "check",
    "check_current",
    "columns_of",
    "misfit",
    "revisions",
    "upgrade",
]

# Not structlog's, which says it where nobody has asked for a log: among what a command prints.
_log = logging.getLogger(__name__)

INSTEAD = (
    ". It was left as it was; go on with that commit, restore a backup of before, or name another "
    "database"
)
"""What is advised where a house's own database does not fit; of a backup it is no advice."""

Columns = Collection[tuple[str, str]]
"""Of a database: the names of a table and of a column of it, each."""
_COLUMNS = (
    "SELECT found.name, its.name FROM sqlite_master AS found, pragma_table_info(found.name) AS its"
    " WHERE found.type = 'table'"
)


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


def check(name: str, *, revision: str | None, has_tables: bool, columns: Columns) -> None:
    """Refuse a database that is not ours, or not yet; `name` is what it is called.

    Raises `StoreError`.
    """
    if has_tables and revision is None:
        raise StoreError(f"{name}: is a database, but not one of Azumaya")
    if revision not in (None, REVISION) and revision not in revisions():
        raise StoreError(f"{name}: was written by a newer Azumaya (revision {revision})")
    if revision is not None and (why := misfit(revision, columns)):
        raise StoreError(f"{name}: {why}")


def check_current(name: str, revision: str | None) -> None:
    """Refuse a database that wants to be migrated, which a house at work on it would not survive.

    Raises `StoreError`.
    """
    if revision == REVISION:
        return
    what = "has no tables yet" if revision is None else f"is of an earlier Azumaya ({revision})"
    raise StoreError(
        f"{name}: {what}; azumaya migrate brings it up to date while no house runs on it, or the "
        "next start of one"
    )


def columns_of(connection: sqlite3.Connection) -> Columns:
    """All columns of a file."""
    return connection.execute(_COLUMNS).fetchall()


def misfit(revision: str, columns: Columns) -> str | None:
    """Why a database with these columns is not of that revision, one of ours; None where it is.

    Numbers have been given anew in our history: migrating what another commit has made under the
    same number would fail half-way, or not fail, which is worse. What others have put into the
    database beside ours does not matter.
    """
    now = {(table.name, column.name) for table in metadata.tables.values() for column in table.c}
    wanted = now if revision == REVISION else _columns_of_earlier(revisions()[-2])[revision]
    lacks, too_early = wanted - set(columns), set(columns) & now - wanted
    if not lacks and not too_early:
        return None
    why = f"lacks {_first(lacks)}" if lacks else f"has {_first(too_early)}, which came later"
    return (
        f"it says that it is of revision {revision}, and {why}: a commit that numbered its "
        f"migrations otherwise has made it, and this one cannot take it over{INSTEAD}"
    )


def _first(columns: Columns) -> str:
    return ".".join(min(columns))


@cache
def _columns_of_earlier(last: str) -> Mapping[str, frozenset[tuple[str, str]]]:
    """What databases of the revisions up to `last` have: they are made, in memory."""
    from alembic import command  # noqa: PLC0415 - see _alembic

    made: dict[str, frozenset[tuple[str, str]]] = {}
    engine = create_engine("sqlite://")
    with engine.begin() as connection:

        def note(*, step: Any, **_about: Any) -> None:
            found = connection.exec_driver_sql(_COLUMNS).all()
            made[step.up_revision_id] = frozenset(
                (table, column) for table, column in found if not table.startswith("sqlite_")
            )

        config = _alembic()
        config.attributes.update(connection=connection, applied=note)
        command.upgrade(config, last)
    engine.dispose()
    return made


def upgrade(connection: Connection, to: str, *, revision: str | None = None) -> None:
    """Bring a database of `revision` to another one, in the transaction that has begun."""
    from alembic import command  # noqa: PLC0415 - see _alembic

    config = _alembic()
    config.attributes["connection"] = connection
    target = REVISION if to == "head" else to
    if revision is None:
        _log.info("makes the tables of a new database (revision %s)", target)
    else:
        _log.info("brings the database from revision %s to %s", revision, target)
    command.upgrade(config, to)
