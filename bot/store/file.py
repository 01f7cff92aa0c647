"""The database's file: made for one pair of eyes, kept for one house, known again by its inode.

A name can be taken away and given to another file; SQLite would go on writing into the one that
it has opened, which nobody finds any more. So every transaction looks whether the name still
means that file (two calls of stat, some 5 µs), and nothing is acknowledged where it does not.

The lock is on the file itself, far behind what SQLite locks there. It is a lock of an open file
description: those of POSIX belong to the process and are lost when SQLite closes any descriptor
of the file. The other way round, closing our descriptor would lose SQLite's own locks: it is
opened before the store and closed after it (`sole_use` goes around all).

No library locks so: one byte of an open file description. filelock and portalocker lock a file
beside it, which another name of the database does not lead to and which can be taken away; or all
of a file with `flock`, which on network file systems shuts out SQLite as well.
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

from bot.errors import StoreError, StoreGoneError

__all__ = ["Original", "check_log", "is_full", "loose", "make", "sole_use", "to_look", "usable"]

_OWN = 0o600
"""Hidden stones, private lines and what identifies people are nobody else's business."""
_FAR = 1 << 62
"""A byte that SQLite never locks: it uses 510 of them after the first 2**30."""
_PENDING = 1 << 30
"""A byte that SQLite locks for a moment when it opens a database (its PENDING_BYTE)."""


_LEAST = 64 << 10
"""Bytes: an index of the log alone takes half of that."""


def _flock(kind: int, byte: int) -> bytes:
    """Linux's `struct flock`, for one byte."""
    return struct.pack("hhqqi0q", kind, os.SEEK_SET, byte, 1, 0)


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


def check_log(path: Path) -> None:
    """Refuse a log without its file, which SQLite would throw away. Raises `StoreError`."""
    real = path.resolve()
    log = real.with_name(f"{real.name}-wal")
    is_there = real.exists() and real.stat().st_size > 0
    if not is_there and log.exists() and log.stat().st_size > 0:
        raise StoreError(
            f"{path}: is not there, but {log.name} is, with what was stored last; put the file "
            "back beside it, or take that away"
        )


def is_full(path: Path) -> bool:
    """Is there no room where a database lies, not even for what SQLite puts beside it?"""
    try:
        return shutil.disk_usage(path.resolve().parent).free < _LEAST
    except OSError:
        return False


def to_look(path: Path) -> str:
    """The URI by which SQLite reads a file that may be in use, and changes nothing.

    What is in its log counts, and nothing is folded. Where there is no log, SQLite would make one
    even to read, unless it is told that nobody writes.
    """
    real = path.resolve()
    how = "mode=ro" if real.with_name(f"{real.name}-wal").exists() else "immutable=1"
    return f"file:{quote(str(real))}?{how}"


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
        self._as_left: tuple[int, int] | None = None
        """When the file was changed last, and its size, while its log was there."""
        self._descriptor: int | None = None

    def opened(self) -> None:
        """SQLite has opened it, and its log with it, which stays as long as it is open."""
        self._known_log = _identity(self._log)

    def saved(self) -> None:
        """What its lost log held is in the file now."""
        self._as_left = _state(self._path)

    def is_in_place(self) -> bool:
        """Is it still the file that was opened?"""
        return _identity(self._path) == self._known

    def check(self) -> None:
        """Blocking (a little). Raises `StoreGoneError`."""
        found = _identity(self._path)
        if found is None:
            raise StoreGoneError(f"{self._path}: the database has gone")
        if found != self._known:
            raise StoreGoneError(f"{self._path}: another file lies in the database's place")
        if self._known_log is not None and _identity(self._log) != self._known_log:
            raise StoreGoneError(f"{self._path}: the database's log {self._log} has gone")
        self._as_left = _state(self._path)

    @contextmanager
    def alone(self) -> Iterator[bool]:
        """Has nothing but the log gone, and may what was in it be written into the file?

        Not where another log lies in its place that holds anything, for somebody has written there
        who did not know ours (whoever only looks leaves an empty one); nor where the file itself
        has been changed since, as by a copy into it. While the block runs nobody opens the file
        who has not done so before. Blocking (a little).
        """
        if not self._lacks_its_log_only():
            yield False
            return
        with self._nobody_opens() as is_ours:
            yield is_ours and self._lacks_its_log_only()

    def _lacks_its_log_only(self) -> bool:
        return (
            _identity(self._path) == self._known
            and self._known_log is not None
            and _is_empty(self._log)
            and _state(self._path) == self._as_left
        )

    @contextmanager
    def _nobody_opens(self) -> Iterator[bool]:
        """Keep others from opening the file while the block runs; False where we cannot."""
        if sys.platform != "linux":
            yield True
            return
        try:
            if self._descriptor is None:
                # It stays open until the store is closed: see above.
                self._descriptor = os.open(self._path, os.O_RDWR)
            held = os.fstat(self._descriptor)
            if (held.st_dev, held.st_ino) != self._known:
                # Replaced in this very moment. This one is not SQLite's, and can be closed.
                self.close()
                yield False
                return
            fcntl.fcntl(self._descriptor, fcntl.F_OFD_SETLK, _flock(fcntl.F_WRLCK, _PENDING))
        except OSError:
            yield False
            return
        try:
            yield True
        finally:
            fcntl.fcntl(self._descriptor, fcntl.F_OFD_SETLK, _flock(fcntl.F_UNLCK, _PENDING))

    def close(self) -> None:
        """SQLite has closed the file, or never had it open."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _state(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _is_empty(path: Path) -> bool:
    """Is there nothing at this name, or nothing in it?"""
    try:
        return path.stat().st_size == 0
    except FileNotFoundError:
        return True
    except OSError:
        return False


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
                    fcntl.fcntl(file, fcntl.F_OFD_SETLK, _flock(fcntl.F_WRLCK, _FAR))
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
