"""Inspect a database without changing it, even while it is in use."""

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from bot.store.database.file import check_log, check_usable, exposed, is_full, to_look
from bot.store.database.migrating import incompatibility, stored_revision
from bot.store.schema import REVISION
from bot.support.errors import StoreError

_BESIDE = ("", "-wal", "-shm")
"""Suffixes of the files of a database."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """The state of a database file. Sizes are in bytes."""

    revision: str | None
    is_current: bool
    size: int
    free: int
    loose: Sequence[tuple[Path, str]]
    """Files that other users may access, with their modes (``"0644"``)."""


def inspect(path: Path) -> Inspection:
    """Read and check a whole database file. Blocking. Raises `StoreError` if it is unusable."""
    check_usable(path)
    check_log(path)
    real = path.resolve()
    free = shutil.disk_usage(real.parent).free
    if not any(size for _, size, _ in _parts(real)):
        return Inspection(None, False, 0, free, ())
    revision = _read(path)
    parts = list(_parts(real))
    return Inspection(
        revision,
        is_current=revision == REVISION,
        size=sum(size for _, size, _ in parts),
        free=free,
        loose=[(part, mode) for part, _, mode in parts if mode],
    )


def _parts(real: Path) -> Iterator[tuple[Path, int, str | None]]:
    """Yield the files of a database that are there, with their sizes and loose modes."""
    for end in _BESIDE:
        part = real.with_name(real.name + end)
        with suppress(FileNotFoundError):
            yield part, part.stat().st_size, exposed(part)


def damage(path: Path) -> str | None:
    """Return the damage found in a file, or None. Blocking."""
    try:
        with closing(sqlite3.connect(to_look(path), uri=True)) as connection:
            return _damage(connection)
    except sqlite3.Error as error:
        return str(error)


def _damage(connection: sqlite3.Connection) -> str | None:
    found: str = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    return None if found == "ok" else " ".join(found.split())


def _read(path: Path) -> str:
    try:
        with closing(sqlite3.connect(to_look(path), uri=True)) as connection:
            if what := _damage(connection):
                raise StoreError(f"the database is damaged ({what}); restore a backup")
            revision, _ = stored_revision(connection)
    except sqlite3.Error as error:
        what = "the disk is full" if is_full(path) else "it cannot be read"
        raise StoreError(f"{what}: {error}") from error
    if revision is None:
        raise StoreError("it is a database, but not one of Azumaya")
    if why := incompatibility(revision):
        raise StoreError(f"it {why}")
    return revision
