"""Replace a database file by a backup, all or nothing.

The backup is copied, checked and renamed. The old file keeps a second name. A crash leaves one of
the two, without a log of the old one that SQLite would apply to the new one.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from bot.store import moved, restored
from bot.store.file import make, sole_use, to_look, usable
from bot.store.inspection import inspect
from bot.support.errors import StoreError

__all__ = ["restore"]

_LOGS = ("-wal", "-journal")
"""SQLite would apply these to another file of that name."""
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def restore(backup: Path, target: Path) -> Path | None:
    """Put a copy of `backup` at `target`; return the old file's path. Raises `StoreError`."""
    if not backup.is_file():
        raise StoreError(f"{backup}: there is no such backup")
    if target.exists() and target.samefile(backup):
        raise StoreError(f"{backup}: is the database itself")
    usable(target)
    real = target.resolve()
    part, is_new = real.with_name(f"{real.name}.part"), not real.exists()
    with sole_use(target):
        try:
            if real.stat().st_size:
                # SQLite would delete the log of an empty file.
                moved.refuse(target)
            _copied(backup, part)
            _sound(part, backup)
            _marked(part)
            return _put(part, real, target)
        except OSError as error:
            raise StoreError(f"{error.filename or target}: {error.strerror}") from error
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)
                if is_new and real.stat().st_size == 0:
                    real.unlink()


def _copied(backup: Path, part: Path) -> None:
    """Copy a backup with its log, even from a read-only directory."""
    if backup.stat().st_size == 0:
        raise StoreError(f"{backup}: is empty")
    for end in ("", *_LOGS):
        part.with_name(f"{part.name}{end}").unlink(missing_ok=True)
    make(part)
    try:
        with (
            closing(sqlite3.connect(to_look(backup), uri=True)) as reading,
            closing(sqlite3.connect(part)) as writing,
        ):
            # A failed copy is deleted and needs no journal.
            writing.execute("PRAGMA journal_mode=OFF")
            reading.backup(writing)
    except sqlite3.Error as error:
        raise StoreError(f"{backup}: cannot be copied: {error}") from error


def _sound(part: Path, backup: Path) -> None:
    try:
        inspect(part)
    except StoreError as error:
        text = str(error).removesuffix("; restore a backup")
        raise StoreError(f"{backup}: {text}") from error


def _marked(part: Path) -> None:
    try:
        restored.note_in(part)
    except sqlite3.Error as error:
        raise StoreError(f"{part}: {error}") from error


def _put(part: Path, real: Path, target: Path) -> Path | None:
    kept = _free_name(real)
    with _alone(real, target):
        if real.stat().st_size:
            os.link(real, kept)
        logs = [end for end in _LOGS if real.with_name(f"{real.name}{end}").exists()]
        for end in logs:
            real.with_name(f"{real.name}{end}").rename(kept.with_name(f"{kept.name}{end}"))
        real.with_name(f"{real.name}-shm").unlink(missing_ok=True)
        os.replace(part, real)  # noqa: PTH105 - patched in tests
    folder = os.open(real.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return kept if kept.exists() or logs else None


def _free_name(real: Path) -> Path:
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    for number in count(1):
        kept = real.with_name(f"{real.name}.replaced-{day}{f'-{number}' if number > 1 else ''}")
        if not any(kept.with_name(f"{kept.name}{end}").exists() for end in ("", *_LOGS)):
            break
    return kept


@contextmanager
def _alone(real: Path, target: Path) -> Iterator[None]:
    """Lock out all processes, with the log folded into the file. A damaged file keeps its log."""
    with closing(sqlite3.connect(real, isolation_level=None)) as connection:
        try:
            if real.stat().st_size:
                connection.execute("PRAGMA journal_mode=DELETE")
                connection.execute("BEGIN EXCLUSIVE")
                if real.with_name(f"{real.name}-wal").exists():
                    raise StoreError(f"{target}: database is locked")
        except sqlite3.Error as error:
            if error.sqlite_errorcode & 0xFF not in _DAMAGED:
                raise StoreError(f"{target}: {error}") from error
            # Closing it later might change a log of that name.
            connection.close()
        yield
