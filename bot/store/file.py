"""The database's file: made for one pair of eyes, kept for one house, known again by its inode.

A name can be taken away and given to another file; SQLite would go on writing into the one that
it has opened, which nobody finds any more. So every transaction looks whether the name still
means that file (two calls of stat, some 5 µs), and nothing is acknowledged where it does not.

The lock is on the file itself, far behind what SQLite locks there. It is a lock of an open file
description: those of POSIX belong to the process and are lost when SQLite closes any descriptor
of the file. The other way round, closing our descriptor would lose SQLite's own locks: it is
opened before the store and closed after it (`sole_use` goes around all).
"""

import fcntl
import os
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.errors import StoreError, StoreGoneError

__all__ = ["Original", "loose", "make", "sole_use", "usable"]

_OWN = 0o600
"""Hidden stones, private lines and what identifies people are nobody else's business."""
_FAR = 1 << 62
"""A byte that SQLite never locks: it uses 510 of them after the first 2**30."""
_LOCK = struct.pack("hhqqi0q", fcntl.F_WRLCK, os.SEEK_SET, _FAR, 1, 0)
"""Linux's `struct flock`."""


def usable(path: Path) -> None:
    """Refuse, in one line, what SQLite could not use as a database file. Raises `StoreError`."""
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


def make(path: Path) -> None:
    """Make an empty file that only its owner may read, unless there is one. Raises OSError.

    What SQLite puts beside a database is as open as the database.
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, _OWN))
    except FileExistsError:
        if not path.exists():
            # A symbolic link to nothing yet: exclusive making does not go through it.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, _OWN))


def loose(path: Path) -> str | None:
    """The mode of a file that others than its owner may use (``"0644"``), else None."""
    mode = path.stat().st_mode & 0o777
    return f"{mode:04o}" if mode & 0o077 else None


class Original:
    """The file that was opened, and its write-ahead log: are they still where they were?"""

    def __init__(self, path: Path) -> None:
        self._path = path
        real = path.resolve()
        self._log = real.with_name(f"{real.name}-wal")
        self._known = _identity(path)
        self._known_log: tuple[int, int] | None = None

    def opened(self) -> None:
        """SQLite has opened it, and its log with it, which stays as long as it is open."""
        self._known_log = _identity(self._log)

    def check(self) -> None:
        """Blocking (a little). Raises `StoreGoneError`."""
        found = _identity(self._path)
        if found is None:
            raise StoreGoneError(f"{self._path}: the database has gone")
        if found != self._known:
            raise StoreGoneError(f"{self._path}: another file lies in the database's place")
        if self._known_log is not None and _identity(self._log) != self._known_log:
            raise StoreGoneError(f"{self._path}: the database's log {self._log} has gone")


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


@contextmanager
def sole_use(path: Path) -> Iterator[None]:
    """Keep a second house out of a database while the block runs, or until the process has gone.

    Two of them would show every board twice. Raises `StoreError`. The other commands of the
    command line show nothing, and write as everybody does: in transactions that look at versions.
    """
    # Where the system has no locks of that kind, it is a name beside the file that is locked.
    on_file, real = sys.platform == "linux", path.resolve()
    name = real if on_file else real.with_name(f"{real.name}.lock")
    while True:
        try:
            file = os.open(name, os.O_RDWR | os.O_CREAT, _OWN)
        except OSError as error:
            usable(path)
            raise StoreError(f"{name}: {error.strerror}") from error
        try:
            try:
                if on_file:
                    fcntl.fcntl(file, fcntl.F_OFD_SETLK, _LOCK)
                else:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise StoreError(f"{path}: another Azumaya is using it") from error
            held = os.fstat(file)
            if _identity(name) != (held.st_dev, held.st_ino):
                # Taken away meanwhile; what we have locked is nothing any more.
                continue
            yield
            return
        finally:
            os.close(file)
