"""The database file: who may use it."""

import fcntl
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.store.database.file import (
    Original,
    check_usable,
    exposed,
    is_full,
    make,
    single_instance_lock,
)
from bot.support.errors import StoreError, StoreGoneError


def is_in_use(path: Path) -> bool:
    try:
        with single_instance_lock(path):
            return False
    except StoreError as error:
        return str(error) == f"{path}: another Azumaya is using it"


def test_one_at_a_time_has_the_use_of_a_database(tmp_path: Path) -> None:
    path, link, hard = (tmp_path / name for name in ("azumaya.db", "link.db", "hard.db"))
    link.symlink_to(path)
    for _ in range(2):
        with single_instance_lock(path):
            hard.unlink(missing_ok=True)
            hard.hardlink_to(path)
            assert [is_in_use(one) for one in (path, link, hard)] == [True] * 3
    assert (path.stat().st_mode & 0o777) == 0o600


@pytest.mark.parametrize("is_linked", [False, True], ids=["file", "link to nothing yet"])
def test_a_new_database_is_its_owners_alone(tmp_path: Path, *, is_linked: bool) -> None:
    path = shown = tmp_path / "azumaya.db"
    if is_linked:
        shown = tmp_path / "link.db"
        shown.symlink_to(path)
    before = os.umask(0)
    try:
        make(shown)
    finally:
        os.umask(before)
    assert (path.stat().st_mode & 0o777) == 0o600
    make(shown)


@pytest.mark.parametrize(
    ("mode", "told"), [(0o600, None), (0o400, None), (0o640, "0640"), (0o604, "0604"), (1, "0001")]
)
def test_a_file_is_loose_if_anybody_but_its_owner_may_use_it(
    tmp_path: Path, mode: int, told: str | None
) -> None:
    path = tmp_path / "azumaya.db"
    path.touch()
    path.chmod(mode)
    assert exposed(path) == told


@pytest.mark.parametrize(
    ("name", "forbidden", "why"),
    [
        ("new.db", None, None),
        ("there.db", None, None),
        ("nowhere/new.db", None, "nowhere does not exist"),
        ("there.db/new.db", None, "there.db does not exist"),
        ("new.db", ".", "the directory is read-only"),
        ("folder", None, "is a directory, not a database file"),
        ("there.db", "there.db", "the file may not be read and written by this user"),
    ],
)
def test_what_cannot_be_a_database_is_refused_in_a_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    name: str,
    forbidden: str | None,
    why: str | None,
) -> None:
    (tmp_path / "there.db").touch()
    (tmp_path / "folder").mkdir()

    def access(path: Path, mode: int) -> bool:
        return forbidden is None or path != tmp_path / forbidden or not mode & os.W_OK

    # The administrator, as whom tests may run, is refused nothing.
    monkeypatch.setattr("os.access", access)
    if why is None:
        check_usable(tmp_path / name)
        return
    with pytest.raises(StoreError, match=why):
        check_usable(tmp_path / name)


def test_where_files_have_no_such_locks_a_name_beside_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.database.file.sys", SimpleNamespace(platform="darwin"))
    path, beside = tmp_path / "azumaya.db", tmp_path / "azumaya.db.lock"
    for _ in range(2):
        with single_instance_lock(path):
            assert is_in_use(path)
            assert (beside.stat().st_mode & 0o777) == 0o600
    assert not path.exists()
    beside.unlink()
    beside.mkdir()
    with (
        pytest.raises(StoreError, match=r"^\S+azumaya\.db\.lock: Is a directory$"),
        single_instance_lock(path),
    ):
        pass


def test_a_file_that_is_replaced_just_before_it_is_locked_is_not_the_one_that_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, usual, replaced = tmp_path / "azumaya.db", fcntl.fcntl, list[int]()

    def late(file: int, command: int, lock: bytes) -> object:
        if not replaced:
            replaced.append(file)
            path.rename(tmp_path / "former.db")
            path.touch()
        return usual(file, command, lock)

    monkeypatch.setattr(fcntl, "fcntl", late)
    with single_instance_lock(path):
        assert replaced
        assert is_in_use(path)
        assert not is_in_use(tmp_path / "former.db")


# The file and its log


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "azumaya.db"
    path.write_bytes(b"a database")
    log(path).write_bytes(b"its log")
    return path


def log(path: Path) -> Path:
    return path.with_name("azumaya.db-wal")


@pytest.fixture
def original(path: Path) -> Original:
    opened = Original(path)
    opened.opened()
    opened.check()
    return opened


def replaced(path: Path) -> None:
    """Replace a file by another one with the same content and times."""
    was, content = path.stat(), path.read_bytes()
    path.rename(path.with_name("former"))
    path.write_bytes(content)
    os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))


def test_a_file_is_known_again_and_missed_with_its_log(path: Path, original: Original) -> None:
    assert original.is_in_place()
    log(path).rename(path.with_name("elsewhere"))
    with pytest.raises(StoreGoneError, match=r"azumaya\.db-wal has gone$"):
        original.check()
    path.with_name("elsewhere").rename(log(path))
    original.check()
    replaced(log(path))
    with pytest.raises(StoreGoneError, match=r"azumaya\.db-wal has gone$"):
        original.check()
    assert original.is_in_place()
    path.with_name("former").unlink()
    replaced(path)
    with pytest.raises(StoreGoneError, match="another file lies in the database's place"):
        original.check()
    assert not original.is_in_place()
    path.unlink()
    with pytest.raises(StoreGoneError, match="the database has gone"):
        original.check()
    assert not original.is_in_place()


def test_only_a_file_that_others_wrote_without_its_log_must_not_be_closed(
    path: Path, original: Original
) -> None:
    assert not original.is_overwritten()
    log(path).unlink()
    assert not original.is_overwritten()
    log(path).write_bytes(b"")
    assert not original.is_overwritten()
    log(path).write_bytes(b"somebody else's")
    assert original.is_overwritten()
    log(path).unlink()
    was = path.stat()
    os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns + 1))
    assert original.is_overwritten()
    os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))
    path.write_bytes(b"a longer database")
    assert original.is_overwritten()
    # SQLite goes on writing to the former file.
    replaced(path)
    assert not original.is_overwritten()


def test_a_disk_is_full_if_it_has_no_room_for_a_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "azumaya.db"
    assert not is_full(path)
    assert not is_full(tmp_path / "nowhere" / "azumaya.db")
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=4096))
    assert is_full(path)
