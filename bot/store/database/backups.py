"""Back up a database file, and restore it, all or nothing.

Chats keep buttons, ids and boards from after the backup, which a restored database does not know.
So a restore raises all ids, and the versions of open matches, by the age of the backup. Old buttons
then belong to unknown matches or to old versions, and boards are redrawn.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from time import time
from urllib.parse import quote

from sqlalchemy import Connection, case, func, select, update

from bot.domain.model import Status
from bot.store import key_values
from bot.store.database import sqlite
from bot.store.database.base import Address, title
from bot.store.database.copying import copy, filling
from bot.store.database.dialect import go_on_after, last_number
from bot.store.database.file import check_log, make, to_look
from bot.store.schema import OURS, boards, counters, matches, metadata
from bot.support.errors import StoreError

_LOGS = ("-wal", "-shm", "-journal")
"""SQLite would apply these to another file of that name."""
_A_SECOND = 10
"""More matches, messages or versions than are ever created in a second."""
_AT_ONCE = 1000


def backup(source: Address, target: Path) -> None:
    """Copy a file, even one in use, and check the copy. Blocking. Raises `StoreError`."""
    if not isinstance(source, Path):
        raise StoreError(
            f"{title(source)}: to make a backup, also while the bot runs, use pg_dump"
            f" --format=custom --file={target} …; nothing was written"
        )
    if target.exists():
        raise StoreError(f"{target}: exists already; nothing was written")
    if not source.exists():
        raise StoreError(f"{source}: there is no such database")
    with _copy_of(source, f"file:{quote(str(source))}", target) as part:
        part.replace(target)


def restore(backup: Address, target: Address) -> Path | None:
    """Replace a file by a backup, and return its new path, if any. Blocking. Raises `StoreError`.

    Another database is copied, and the target must be empty.
    """
    if not isinstance(backup, Path) or not isinstance(target, Path):
        copy(backup, target, then=_go_on)
        return None
    if not backup.is_file():
        raise StoreError(f"{backup}: there is no such backup")
    check_log(target)
    real = target.resolve()
    with filling(target, backup), _copy_of(backup, to_look(backup), real) as part:
        sqlite.migrate(part)
        with sqlite.transaction(part) as connection:
            _go_on(connection)
        _empty_log(part)
        return _put(part, real)


@contextmanager
def _copy_of(source: Path, uri: str, target: Path) -> Iterator[Path]:
    """Make a checked copy that may become `target`, else it is removed."""
    part = target.with_name(f"{target.name}.part")

    def remove() -> None:
        for end in ("", *_LOGS):
            part.with_name(f"{part.name}{end}").unlink(missing_ok=True)

    try:
        remove()
        make(part)
        with sqlite.store_errors(source), closing(sqlite3.connect(uri, uri=True)) as reading:
            reading.execute("PRAGMA schema_version")
            with sqlite.store_errors(target), closing(sqlite3.connect(part)) as writing:
                # A failed copy is deleted and needs no journal.
                writing.execute("PRAGMA journal_mode=OFF")
                reading.backup(writing)
        try:
            found = sqlite.inspect(part)
        except StoreError as error:
            raise StoreError(f"{source}: {str(error).removeprefix(f'{part}: ')}") from error
        if found is None:
            raise StoreError(f"{source}: is empty")
        yield part
    except OSError as error:
        raise StoreError(f"{target}: {error.strerror}") from error
    finally:
        # Fails in a read-only directory, even without a file.
        with suppress(OSError):
            remove()


def _put(part: Path, real: Path) -> Path | None:
    """Rename a file to its place, with a second name for the old one and its logs."""
    kept = None
    if real.exists() and real.stat().st_size > 0:
        kept = real.with_name(f"{real.name}.replaced-{datetime.now(UTC):%Y-%m-%d-%H%M%S-%f}")
        _empty_log(real)
        os.link(real, kept)
        for end in _LOGS:
            with suppress(FileNotFoundError):
                real.with_name(f"{real.name}{end}").rename(kept.with_name(f"{kept.name}{end}"))
    part.replace(real)
    return kept


def _empty_log(path: Path) -> None:
    """Write the log into the file, unless that is damaged. Refuse a file in use."""
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as error:
        raise StoreError(f"{path}: {error}") from error
    except sqlite3.DatabaseError:
        return


def _go_on(connection: Connection) -> None:
    """Raise all ids, and the versions of open matches."""
    leap = _AT_ONCE + _A_SECOND * max(0, int(time()) - _made(connection))
    for table in metadata.sorted_tables:
        if (ids := table.autoincrement_column) is not None:
            go_on_after(connection, table, ids, last_number(connection, table, ids) + leap)
    connection.execute(update(counters).values(value=counters.c.value + leap))
    is_on = matches.c.status.in_([Status.PROPOSED.value, Status.RUNNING.value])
    reached = matches.c.version + leap
    # What was true at the version is true at the new one.
    was_given = matches.c.given_back == matches.c.version
    given = {"given_back": case((was_given, reached), else_=matches.c.given_back)}
    open_ = update(matches).where(is_on)
    connection.execute(open_.values(version=reached, stands_since=reached, **given))
    its = select(matches.c.version).where(matches.c.id == boards.c.match_id).scalar_subquery()
    shown = update(boards).where(boards.c.match_id.in_(select(matches.c.id).where(is_on)))
    connection.execute(shown.values(wanted=its))


def _made(connection: Connection) -> int:
    """Return when the backup was made: the last noted time, else the last change."""
    if noted := key_values.value_of(connection, OURS, "clock"):
        return int(noted.split()[-1])
    return connection.execute(select(func.max(matches.c.updated))).scalar_one() or 0
