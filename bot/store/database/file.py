"""The database file: private, locked for one instance, and identified by its inode.

SQLite goes on writing to a file that was deleted or replaced. So every transaction checks that the
path still leads to the same file (two stat calls, some 5 µs).

The lock is one byte of an open file description. POSIX locks would be lost when SQLite closes any
descriptor of the file. Closing ours would lose SQLite's locks, so `single_instance_lock` encloses
the store. A lock file misses other paths to the database. `flock` locks out SQLite on network file
systems.
"""

import fcntl
import os
import shutil
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from bot.support.errors import StoreError, StoreGoneError

_OWN = 0o600
_FAR = 1 << 62
"""SQLite never locks this byte: it uses 510 bytes after the first 2**30."""
_LEAST = 64 << 10
"""Bytes. The index of the log alone takes half of that."""


def _flock(kind: int, byte: int) -> bytes:
    """Return Linux's `struct flock` for one byte."""
    return struct.pack("hhqqi0q", kind, os.SEEK_SET, byte, 1, 0)


def check_usable(path: Path) -> None:
    """Refuse a path that SQLite cannot use. Raises `StoreError`."""
    folder = path.resolve().parent
    if not folder.is_dir():
        raise StoreError(f"{path}: the directory {folder} does not exist")
    if not os.access(folder, os.W_OK):
        raise StoreError(
            f"{path}: the directory is read-only, and SQLite must write beside the file"
        )
    if path.is_dir():
        raise StoreError(f"{path}: is a directory, not a database file")
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        raise StoreError(f"{path}: the file may not be read and written by this user")


def check_log(path: Path) -> None:
    """Refuse a log without its file, as SQLite would delete it. Raises `StoreError`."""
    real = path.resolve()
    log = real.with_name(f"{real.name}-wal")
    is_there = real.exists() and real.stat().st_size > 0
    if not is_there and log.exists() and log.stat().st_size > 0:
        raise StoreError(
            f"{path}: is not there, but {log.name} is, with what was stored last; put the file "
            "back beside it, or take that away"
        )


def is_full(path: Path) -> bool:
    """Return whether the disk is too full even for SQLite's log."""
    try:
        return shutil.disk_usage(path.resolve().parent).free < _LEAST
    except OSError:
        return False


def to_look(path: Path) -> str:
    """Return a URI to read a file in use. `immutable` keeps SQLite from creating a log."""
    real = path.resolve()
    how = "mode=ro" if real.with_name(f"{real.name}-wal").exists() else "immutable=1"
    return f"file:{quote(str(real))}?{how}"


def make(path: Path) -> None:
    """Create an empty file with mode 0600, unless there is one. Raises OSError."""
    # Closing any descriptor of an open database would release SQLite's locks.
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, _OWN))


def exposed(path: Path) -> str | None:
    """Return the mode of a file that other users may access (``"0644"``), else None."""
    mode = path.stat().st_mode & 0o777
    return f"{mode:04o}" if mode & 0o077 else None


class Original:
    """The file that was opened, and its write-ahead log."""

    def __init__(self, path: Path) -> None:
        self._path = path
        real = path.resolve()
        self._log = real.with_name(f"{real.name}-wal")
        self._known = _identity(_stat(path))
        self._known_log: tuple[int, int] | None = None
        self._as_left: tuple[int, int] | None = None
        """Time and size of the file at the last check."""

    def opened(self) -> None:
        self._known_log = _identity(_stat(self._log))

    def saved(self) -> None:
        self._as_left = _state(_stat(self._path))

    def is_in_place(self) -> bool:
        return _identity(_stat(self._path)) == self._known

    def check(self) -> None:
        """Check that file and log were not removed or replaced. Raises `StoreGoneError`."""
        found = _stat(self._path)
        if found is None:
            raise StoreGoneError(f"{self._path}: the database has gone")
        if _identity(found) != self._known:
            raise StoreGoneError(f"{self._path}: another file lies in the database's place")
        if self._known_log is not None and _identity(_stat(self._log)) != self._known_log:
            raise StoreGoneError(f"{self._path}: the database's log {self._log} has gone")
        self._as_left = _state(found)

    def is_overwritten(self) -> bool:
        """Return whether others have written without the log, which would now damage that."""
        file, log = _stat(self._path), _stat(self._log)
        if _identity(file) != self._known or _identity(log) == self._known_log:
            return False
        return (log is not None and log.st_size > 0) or _state(file) != self._as_left


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


def _state(found: os.stat_result | None) -> tuple[int, int] | None:
    return found and (found.st_mtime_ns, found.st_size)


def _identity(found: os.stat_result | None) -> tuple[int, int] | None:
    return found and (found.st_dev, found.st_ino)


@contextmanager
def single_instance_lock(path: Path) -> Iterator[None]:
    """Lock a database: two instances would post every board twice. Raises `StoreError`."""
    # Without locks of that kind, lock a file next to it.
    on_file, real = sys.platform == "linux", path.resolve()
    name = real if on_file else real.with_name(f"{real.name}.lock")
    while True:
        try:
            file = os.open(name, os.O_RDWR | os.O_CREAT, _OWN)
        except OSError as error:
            check_usable(path)
            raise StoreError(f"{name}: {error.strerror}") from error
        try:
            try:
                if on_file:
                    fcntl.fcntl(file, fcntl.F_OFD_SETLK, _flock(fcntl.F_WRLCK, _FAR))
                else:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise StoreError(f"{path}: another Azumaya is using it") from error
            held = os.fstat(file)
            if _identity(_stat(name)) != _identity(held):
                # Replaced before it was locked.
                continue
            yield
            return
        finally:
            os.close(file)
