"""Backups and restores: complete, or not made. Buttons from after a backup are void."""

import asyncio
import os
import resource
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from sqlalchemy import Connection

from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.matches.erasing import erase
from bot.store import (
    Address,
    Store,
    backup,
    people,
    restore,
    revisions,
    rooms,
    single_instance_lock,
)
from bot.store.database import backups, sqlite
from bot.support.errors import StoreError
from tests.bot.store.looking import files, rows, run, with_a_damaged_index
from tests.bot.table import Clock, Person, Table
from tests.databases import name_of
from tests.optional import not_none
from tests.postgres import Server

_NAMES = "SELECT name FROM users"


# Backups


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
    await table.app.store.database.empty_log()
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


async def test_a_backup_of_a_live_database_is_whole(path: Path, tmp_path: Path) -> None:
    store = await Store.open(path)
    await people.get_or_create_user(store, "web", "1", name="Anna")
    target = tmp_path / "copy.db"

    def change(connection: Connection) -> None:
        connection.exec_driver_sql("UPDATE users SET name = 'Nobody'")
        # What is not committed yet belongs to no copy.
        backup(path, target)

    await store.write(change)
    await store.close()
    copy = await Store.open(target)
    found = not_none(await people.by_identity(copy, "web", "1"))
    assert found.name == "Anna"
    await copy.close()
    assert files(tmp_path) == ["azumaya.db", "copy.db"]


def test_a_backup_overwrites_nothing(good: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    target.write_text("precious")
    with pytest.raises(StoreError, match=r"copy\.db: exists already; nothing was written"):
        backup(good, target)
    assert target.read_text() == "precious"


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (Path.unlink, "there is no such database"),
        (lambda path: path.write_text("My diary. " * 500), "the database is damaged (file is not"),
        (with_a_damaged_index, "the database is damaged (wrong # of entries"),
    ],
)
def test_a_backup_needs_a_sound_database(
    good: Path, tmp_path: Path, spoil: Callable[[Path], Any], said: str
) -> None:
    spoil(good)
    with pytest.raises(StoreError) as refused:
        backup(good, tmp_path / "copy.db")
    assert str(refused.value).startswith(f"{good}: {said}")
    assert not (tmp_path / "copy.db").exists()


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


# Restores of files


@pytest.fixture
def kept(good: Path, tmp_path: Path) -> Path:
    """Return a backup in which the only user had another name."""
    run(good, "UPDATE users SET name = 'Before'")
    target = tmp_path / "b.db"
    backup(good, target)
    run(good, "UPDATE users SET name = 'After'")
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
    replaced = not_none(restore(kept, good))
    assert files(tmp_path) == sorted(["azumaya.db", "b.db", replaced.name])
    assert rows(good, _NAMES) == [("Before",)]
    # What was in the log is kept as well.
    assert rows(replaced, _NAMES) == [("In the log",)]
    assert rows(good, "PRAGMA integrity_check") == [("ok",)]
    assert good.stat().st_mode & 0o777 == 0o600


def test_a_backup_becomes_the_database_where_there_is_none(
    good: Path, kept: Path, tmp_path: Path
) -> None:
    crashed(good)
    good.rename(tmp_path / "moved away.db")
    line = refusal(kept, good)
    assert line.startswith(f"{good}: is not there, but azumaya.db-wal is")
    Path(f"{good}-wal").unlink()
    assert restore(kept, good) is None
    assert rows(good, _NAMES) == [("Before",)]
    assert files(tmp_path) == ["azumaya.db", "b.db", "moved away.db"]


@pytest.mark.usefixtures("next_revision")
def test_a_backup_of_an_earlier_version_is_migrated(good: Path, kept: Path) -> None:
    before = kept.read_bytes()
    restore(kept, good)
    assert rows(good, "SELECT version_num FROM alembic_version") == [(revisions()[-1],)]
    assert rows(good, _NAMES) == [("Before",)]
    assert kept.read_bytes() == before


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


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (
            lambda path: run(path, "UPDATE alembic_version SET version_num = '9999'"),
            "was written by a newer Azumaya (revision 9999)",
        ),
        (
            lambda path: run(path, "DROP TABLE alembic_version"),
            "is a database, but not one of Azumaya",
        ),
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


def test_a_backup_that_is_refused_leaves_no_file(good: Path, kept: Path, tmp_path: Path) -> None:
    good.unlink()
    kept.write_bytes(b"")
    assert refusal(kept, good) == f"{kept}: is empty"
    assert files(tmp_path) == ["b.db"]


def test_a_backup_does_not_replace_itself(good: Path, tmp_path: Path) -> None:
    (tmp_path / "b.db").symlink_to(good)
    line = f"{tmp_path / 'b.db'}: cannot be copied to where it is"
    assert refusal(tmp_path / "b.db", good) == line


def test_beside_a_running_house_nothing_is_replaced(good: Path, kept: Path) -> None:
    with single_instance_lock(good):
        assert refusal(kept, good) == f"{good}: another Azumaya is using it"
    with closing(sqlite3.connect(good)) as connection:
        # Another command, which takes no lock of a house.
        connection.execute("BEGIN")
        connection.execute(_NAMES).fetchall()
        assert refusal(kept, good) == f"{good}: database is locked"


@pytest.mark.parametrize(("module", "step"), [(sqlite, "inspect"), (os, "link"), (backups, "_put")])
@pytest.mark.parametrize("is_after", [False, True])
def test_an_interrupted_restore_leaves_the_old_database_or_the_new_one(
    good: Path,
    kept: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: ModuleType,
    step: str,
    *,
    is_after: bool,
) -> None:
    crashed(good)
    usual = getattr(module, step)

    def interrupted(*args: Any, **options: Any) -> None:
        if is_after:
            usual(*args, **options)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(module, step, interrupted)
        with pytest.raises(KeyboardInterrupt):
            restore(kept, good)
    is_new = (step, is_after) == ("_put", True)
    assert rows(good, _NAMES) == [("Before" if is_new else "In the log",)]
    assert rows(good, "PRAGMA integrity_check") == [("ok",)]
    # Leftovers of a killed restore do no harm.
    Path(f"{good}.part").write_bytes(b"half")
    restore(kept, good)
    assert rows(good, _NAMES) == [("Before",)]


# After a restore


class Kept:
    """A backup of a table's database, made by the means of either kind."""

    def __init__(self, address: Address) -> None:
        self.address = address
        if isinstance(address, Path):
            self.file = address.with_name("kept.db")
            backup(address, self.file)
        else:
            self.name = name_of(address)
            self._server = Server(Path(address.get_secret_value().partition("?host=")[2]))
            self._server.execute(f"CREATE DATABASE {self.name}_kept TEMPLATE {self.name}")

    async def put_back(self, clock: Clock) -> None:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(backups, "time", clock)
            await asyncio.to_thread(self._put_back)

    def _put_back(self) -> None:
        if isinstance(self.address, Path):
            restore(self.file, self.address)
            return
        self._server.execute(
            f"DROP DATABASE {self.name} WITH (FORCE)",
            f"CREATE DATABASE {self.name} TEMPLATE template0",
        )
        restore(self._server.url(f"{self.name}_kept"), self.address)
        self._server.execute(f"DROP DATABASE {self.name}_kept")


async def put_back(table: Table, meanwhile: Callable[[], Awaitable[None]]) -> None:
    """Make a backup, let something happen, and restore the backup."""
    await table.app.close()
    kept = await asyncio.to_thread(Kept, table.app.store.address)
    await table.restart()
    await meanwhile()
    await table.app.close()
    await kept.put_back(table.clock)
    await table.restart()


async def test_no_button_or_number_of_a_match_that_is_forgotten_acts_in_another_one(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    forgotten = 0

    async def meanwhile() -> None:
        nonlocal forgotten
        forgotten = await table.begin(anna, ben)
        await anna.types("/othello new black")

    await put_back(table, meanwhile)
    match_id = await table.begin(anna, cleo)
    waits = await cleo.starts("/sogo new")
    assert forgotten
    for old in (
        Action("step", forgotten, 2, "d3"),
        Action("resign", forgotten, 2, "yes"),
        Action("accept", forgotten + 1, 1),
    ):
        answer = await (ben if old.verb == "accept" else anna).presses(old)
        assert answer.refused, old
    assert (await anna.types(f"/resign {forgotten}")).refused
    assert (await table.loaded(match_id)).match.moves_made == 0
    assert (await table.loaded(waits)).match.opponent is None


async def test_no_button_of_another_course_of_a_match_acts_in_it_and_its_boards_are_drawn_anew(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, moves="d3")
    await table.settle()
    before = (await table.loaded(match_id)).match.version
    old: list[Action] = []

    async def meanwhile() -> None:
        await table.plays(match_id, "c3,c4")
        await table.settle()
        version = (await table.loaded(match_id)).match.version
        old.extend(Action("step", match_id, seen, "e3") for seen in range(before, version + 1))

    await put_back(table, meanwhile)
    assert (await table.loaded(match_id)).match.moves_made == 1
    told = len(table.wall.told)
    await table.settle()
    assert {post.version for post in table.wall.of(match_id)} == {
        (await table.loaded(match_id)).match.version
    }
    assert len(table.wall.told) == told, "nobody is told anything once more"
    await table.plays(match_id, "c5,d6")
    for action in old:
        for person in (anna, ben):
            assert (await person.presses(action)).refused, action
    assert (await table.loaded(match_id)).match.moves_made == 3


async def test_people_places_and_messages_are_given_no_numbers_that_others_had(
    table: Table, anna: Person
) -> None:
    numbers: list[int] = []

    async def stamp() -> int:
        """Say something, and return the number by which pages ask for what is newer."""
        await rooms.add(table.app.store, table.lounge.id, author_id=anna.id, screen={})
        return await rooms.newest(table.app.store)

    async def meanwhile() -> None:
        numbers.extend([(await table.arrive("Ben")).id, (await table.channel("den")).id])
        numbers.append(await stamp())

    await put_back(table, meanwhile)
    cleo, yard = await table.arrive("Cleo"), await table.channel("yard")
    assert cleo.id > numbers[0]
    assert yard.id > numbers[1]
    assert await stamp() > numbers[2]
    assert await people.user(table.app.store, anna.id) is not None
    with pytest.raises(Refused):
        await table.loaded(1)


@pytest.mark.sqlite
async def test_a_second_restore_of_the_same_backup_goes_on_beyond_the_first(
    table: Table, anna: Person, ben: Person
) -> None:
    await table.app.close()
    address = table.app.store.address
    assert isinstance(address, Path)
    kept = await asyncio.to_thread(Kept, address)
    numbers = []
    for _ in range(3):
        await table.restart()
        numbers.append(await table.begin(anna, ben))
        table.clock.forward(3600)
        await table.app.close()
        address.unlink()
        await kept.put_back(table.clock)
    assert sorted(set(numbers)) == numbers
