"""Restoring a backup: complete, or not done."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot.store import backup, restore, restoring, sole_use
from bot.support.errors import StoreError
from tests.bot.store.looking import files, rows, with_a_damaged_index

_NAMES = "SELECT name FROM users"


def rename(path: Path, name: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE users SET name = ?", [name])


@pytest.fixture
def kept(good: Path, tmp_path: Path) -> Path:
    """Return a backup in which the only user had another name."""
    rename(good, "Before")
    target = tmp_path / "b.db"
    backup(good, target)
    rename(good, "After")
    return target


def crashed(path: Path) -> None:
    """Leave a log beside a database, as a killed process does. The user's new name is in it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        with connection:
            connection.execute("UPDATE users SET name = 'In the log'")
        for end in ("", "-wal"):
            shutil.copy(f"{path}{end}", f"{path}{end}.left")
    for end in ("", "-wal"):
        Path(f"{path}{end}.left").replace(f"{path}{end}")


def refusal(source: Path, target: Path) -> str:
    before = {name: (target.parent / name).read_bytes() for name in files(target.parent)}
    with pytest.raises(StoreError) as refused:
        restore(source, target)
    after = {name: (target.parent / name).read_bytes() for name in files(target.parent)}
    assert after == before
    (line,) = str(refused.value).splitlines()
    return line


def test_after_a_crash_the_backup_counts_and_not_the_log_that_was_left(
    good: Path, kept: Path, tmp_path: Path
) -> None:
    crashed(good)
    replaced = restore(kept, good)
    assert replaced is not None
    assert files(tmp_path) == sorted(["azumaya.db", "b.db", replaced.name])
    assert rows(good, _NAMES) == [("Before",)]
    # What was in the log is kept as well.
    assert rows(replaced, _NAMES) == [("In the log",)]
    assert rows(good, "PRAGMA integrity_check") == [("ok",)]
    assert good.stat().st_mode & 0o777 == 0o600


def test_what_was_replaced_before_is_replaced_by_nothing(good: Path, kept: Path) -> None:
    first = restore(kept, good)
    second = restore(kept, good)
    assert first
    assert second
    assert first != second
    assert rows(first, _NAMES) == [("After",)]
    assert rows(second, _NAMES) == [("Before",)]


def test_where_there_is_no_database_any_more_the_backup_becomes_it(
    good: Path, kept: Path, tmp_path: Path
) -> None:
    crashed(good)
    good.rename(tmp_path / "moved away.db")
    replaced = restore(kept, good)
    assert rows(good, _NAMES) == [("Before",)]
    assert replaced is not None
    assert files(tmp_path) == ["azumaya.db", f"{replaced.name}-wal", "b.db", "moved away.db"]


@pytest.mark.parametrize("spoiled", [b"My diary. " * 900, None])
def test_a_damaged_database_is_replaced_and_kept_with_its_log(
    good: Path, kept: Path, tmp_path: Path, spoiled: bytes | None
) -> None:
    crashed(good)
    text = spoiled or good.read_bytes()[:5000]
    good.write_bytes(text)
    log = Path(f"{good}-wal").read_bytes()
    replaced = restore(kept, good)
    assert rows(good, _NAMES) == [("Before",)]
    assert replaced is not None
    if f"{replaced.name}-wal" in files(tmp_path):
        assert (replaced.read_bytes(), Path(f"{replaced}-wal").read_bytes()) == (text, log)
    assert not {"azumaya.db-wal", "azumaya.db-shm", "azumaya.db.part"} & set(files(tmp_path))


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


def of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE alembic_version")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (newer, "it was written by a newer Azumaya (revision 9999)"),
        (of_another_program, "it is a database, but not one of Azumaya"),
        (with_a_damaged_index, "the database is damaged ("),
        (lambda path: path.write_text("My diary. " * 900), "file is not a database"),
        (lambda path: path.write_bytes(b""), "is empty"),
        (lambda path: path.unlink(), "there is no such backup"),
    ],
)
def test_what_is_no_sound_backup_of_ours_replaces_nothing(
    good: Path, kept: Path, spoil: Callable[[Path], Any], said: str
) -> None:
    spoil(kept)
    line = refusal(kept, good)
    assert line.startswith(f"{kept}: ")
    assert said in line
    assert "restore a backup" not in line


def test_a_backup_does_not_replace_itself(good: Path, tmp_path: Path) -> None:
    (tmp_path / "b.db").symlink_to(good)
    assert refusal(tmp_path / "b.db", good) == f"{tmp_path / 'b.db'}: is the database itself"


def test_beside_a_running_house_nothing_is_replaced(good: Path, kept: Path) -> None:
    with sole_use(good):
        assert refusal(kept, good) == f"{good}: another Azumaya is using it"
    with closing(sqlite3.connect(good)) as connection:
        # Another command, which takes no lock of a house.
        connection.execute("BEGIN")
        connection.execute(_NAMES).fetchall()
        assert refusal(kept, good) == f"{good}: database is locked"


@pytest.mark.parametrize("step", ["_copied", "inspect", "os.link", "os.replace"])
@pytest.mark.parametrize("is_after", [False, True])
def test_whatever_interrupts_it_leaves_the_old_one_or_the_new_one_whole(
    good: Path, kept: Path, monkeypatch: pytest.MonkeyPatch, step: str, *, is_after: bool
) -> None:
    crashed(good)
    module: Any = os if step.startswith("os.") else restoring
    name = step.removeprefix("os.")
    usual = getattr(module, name)

    def interrupted(*args: Any, **options: Any) -> None:
        if is_after:
            usual(*args, **options)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(module, name, interrupted)
        with pytest.raises(KeyboardInterrupt):
            restore(kept, good)
    is_new = (step, is_after) == ("os.replace", True)
    assert rows(good, _NAMES) == [("Before" if is_new else "In the log",)]
    assert rows(good, "PRAGMA integrity_check") == [("ok",)]
    # Leftovers of a killed restore do no harm.
    Path(f"{good}.part").write_bytes(b"half")
    restore(kept, good)
    assert rows(good, _NAMES) == [("Before",)]


def test_a_server_restores_its_own_backups(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"^postgresql://there/azumaya: .*pg_restore .*replaced$"):
        restore(tmp_path / "b.db", SecretStr("postgresql://anna:s3cret@there/azumaya"))
