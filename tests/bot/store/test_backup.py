"""A backup of a database in use: complete, private, and no file after a failure."""

import asyncio
import os
import resource
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from bot.matches.erasing import erase
from bot.store import Store, backup, people, rooms, sqlite
from bot.store.file import make
from bot.support.errors import StoreError
from tests.bot.store.looking import files, rows, run, with_a_damaged_index
from tests.bot.table import Table


async def test_what_was_erased_is_in_no_byte_of_the_file_nor_of_a_backup(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = sqlite3.connect

    def keeping(*args: Any, **options: Any) -> sqlite3.Connection:
        """Connect like an SQLite that was built without SECURE_DELETE."""
        connection: sqlite3.Connection = usual(*args, **options)
        connection.execute("PRAGMA secure_delete=OFF")
        return connection

    monkeypatch.setattr(sqlite3, "connect", keeping)
    table = await Table.open(path)
    anna, zebulon = await table.arrive("Anna"), await table.arrive("Zebulon")
    for number in range(40):
        for author, word in ((zebulon, "secretline"), (anna, "otherline")):
            line = {"text": f"{word} {number} {'x' * 200}"}
            await rooms.add(table.app.store, table.lounge.id, author_id=author.id, screen=line)
    await erase(table.app.store, table.app.matches, zebulon.id)
    copy = tmp_path / "copy.db"
    await asyncio.to_thread(backup, path, copy)
    await table.app.store.empty_log()
    await table.close()
    for file in (path, copy):
        found = file.read_bytes()
        assert found.count(b"otherline") >= 40
        for erased in (b"secretline", b"Zebulon", b"zebulon", zebulon.identity.encode()):
            assert erased not in found


@pytest.mark.parametrize("left", [None, 0o644])
def test_a_copy_is_its_owners_alone_whatever_was_left_of_one_before(
    good: Path, tmp_path: Path, left: int | None
) -> None:
    target = tmp_path / "copy.db"
    if left is not None:
        half = tmp_path / "copy.db.part"
        half.write_bytes(b"half of a copy")
        half.chmod(left)
    before = os.umask(0)
    try:
        backup(good, target)
    finally:
        os.umask(before)
    assert (target.stat().st_mode & 0o777) == 0o600
    assert rows(target, "SELECT count(*) FROM users") == [(1,)]


def test_a_copy_that_is_damaged_as_the_database_is_is_kept_and_called_so(
    good: Path, tmp_path: Path
) -> None:
    with_a_damaged_index(good)
    target = tmp_path / "copy.db"
    with pytest.raises(StoreError, match=r"damaged \(.+\), and so is the copy, which was kept"):
        backup(good, target)
    assert files(tmp_path) == ["azumaya.db", "copy.db"]
    assert rows(target, "SELECT count(*) FROM users") == [(1,)]


async def test_a_backup_of_a_live_database_is_whole(path: Path, tmp_path: Path) -> None:
    store = await Store.open(path)
    await people.get_or_create_user(store, "web", "1", name="Anna")
    target = tmp_path / "copy.db"
    async with store.write() as connection:
        # What is not committed yet belongs to no copy.
        await connection.exec_driver_sql("UPDATE users SET name = 'Nobody'")
        await asyncio.to_thread(backup, path, target)
    await store.close()
    copy = await Store.open(target)
    found = await people.by_identity(copy, "web", "1")
    assert found is not None
    assert found.name == "Anna"
    await copy.close()
    assert files(tmp_path) == ["azumaya.db", "copy.db"]


def test_a_backup_overwrites_nothing(good: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    target.write_text("precious")
    with pytest.raises(StoreError, match=r"copy\.db: exists already; nothing was written"):
        backup(good, target)
    assert target.read_text() == "precious"


def test_a_backup_needs_a_database(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    with pytest.raises(StoreError, match=r"azumaya\.db: there is no such database"):
        backup(path, target)
    path.write_text("My diary. " * 500)
    with pytest.raises(StoreError, match=r"azumaya\.db: the database is damaged \(file is not"):
        backup(path, target)
    assert files(tmp_path) == ["azumaya.db"]


def test_a_backup_that_comes_to_nothing_leaves_nothing(
    good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spoilt(path: Path) -> None:
        make(path)
        path.write_bytes(b"no database" * 1000)

    monkeypatch.setattr(sqlite, "make", spoilt)
    before = files(tmp_path)
    with pytest.raises(StoreError, match="damaged"):
        backup(good, tmp_path / "copy.db")
    assert files(tmp_path) == before


def test_a_backup_for_which_there_is_no_room_leaves_nothing(good: Path, tmp_path: Path) -> None:
    # More than SQLite keeps in memory.
    run(good, "CREATE TABLE large (what)", "INSERT INTO large VALUES (zeroblob(10000000))")
    before, limits = files(tmp_path), resource.getrlimit(resource.RLIMIT_FSIZE)
    # As on a full disk: no file can become longer.
    resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, limits[1]))
    try:
        with pytest.raises(StoreError, match=r"^\S+copy\.db: \w[\w /]+$"):
            backup(good, tmp_path / "copy.db")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert files(tmp_path) == before
