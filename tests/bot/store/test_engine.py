"""The database file: opened, migrated, refused in one clear line, copied while in use."""

import asyncio
import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from pydantic import SecretStr
from sqlalchemy import create_engine, inspect
from sqlalchemy import insert as insert_into
from sqlalchemy.exc import IntegrityError

from bot import hosting
from bot.erasing import erase
from bot.errors import StoreError
from bot.model import Ending, EndingKind, PlaceKind
from bot.store import (
    Store,
    backup,
    exists,
    figures,
    migrate,
    migrating,
    people,
    places,
    revisions,
    rooms,
    sessions,
    sqlite,
)
from bot.store.changes import NOTHING
from bot.store.file import make
from bot.store.schema import REVISION, identities, metadata
from tests.bot.table import Table

TABLES = {table.name for table in metadata.sorted_tables}


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def run(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    try:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    finally:
        connection.close()


def tables(path: Path) -> set[str]:
    found = rows(path, "SELECT name FROM sqlite_master WHERE type = 'table'")
    return {str(name) for (name,) in found if not str(name).startswith("sqlite_")}


def files(folder: Path) -> list[str]:
    return sorted(found.name for found in folder.iterdir())


def refusal(path: Path) -> str:
    """The one line with which opening `path` is refused, by both ways in."""
    with pytest.raises(StoreError) as by_migrating:
        migrate(path)
    with pytest.raises(StoreError) as by_opening:
        asyncio.run(Store.open(path))
    line = str(by_migrating.value)
    assert line == str(by_opening.value)
    assert line.startswith(f"{path}: ")
    assert len(line.splitlines()) == 1
    return line.removeprefix(f"{path}: ")


def fill(path: Path) -> None:
    """One row in every table, whatever its columns: all numbers 1, all texts a JSON object."""
    connection = sqlite3.connect(path)
    try:
        for name in sorted(tables(path) - {"alembic_version"}):
            columns = connection.execute(f"PRAGMA table_info({name})").fetchall()
            values = [1 if kind in ("INTEGER", "BOOLEAN") else "{}" for _, _, kind, *_ in columns]
            marks = ",".join("?" * len(values))
            connection.execute(f"INSERT INTO {name} VALUES ({marks})", values)
        connection.commit()
    finally:
        connection.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "azumaya.db"


@pytest.fixture
def good(path: Path) -> Path:
    """A database of ours with something in every table."""
    migrate(path)
    fill(path)
    return path


# Migrations


@pytest.mark.parametrize("revision", revisions())
def test_a_database_of_every_revision_becomes_one_of_today(path: Path, revision: str) -> None:
    migrate(path, to=revision)
    fill(path)
    # What a house remembers for itself is no data of anybody's.
    ours = {name: name for name in tables(path)} | {
        "memos": "memos WHERE platform != 'house'",
        "sqlite_sequence": "sqlite_sequence WHERE 0",
    }
    before = {name: rows(path, f"SELECT count(*) FROM {ours[name]}") for name in tables(path)}
    migrate(path)
    assert tables(path) >= TABLES
    assert rows(path, "SELECT version_num FROM alembic_version") == [(revisions()[-1],)]
    assert rows(path, "PRAGMA foreign_key_check") == []
    after = {name: rows(path, f"SELECT count(*) FROM {ours[name]}") for name in before}
    assert after == before


@pytest.mark.parametrize("revision", revisions())
def test_migrations_lead_to_the_schema_that_the_code_has(path: Path, revision: str) -> None:
    migrate(path, to=revision)
    migrate(path)
    made = create_engine(f"sqlite:///{path}")
    with made.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    made.dispose()


def test_keys_and_what_becomes_of_rows_that_refer_to_others_are_those_that_the_code_says(
    path: Path,
) -> None:
    """Which is what comparing schemas leaves out."""
    migrate(path)
    made = create_engine(f"sqlite:///{path}")
    found = inspect(made)
    for table in metadata.sorted_tables:
        keys = found.get_pk_constraint(table.name)["constrained_columns"]
        assert keys == [column.name for column in table.primary_key], table
        refers = {
            (key["constrained_columns"][0], key["options"].get("ondelete"))
            for key in found.get_foreign_keys(table.name)
        }
        assert refers == {(key.parent.name, key.ondelete) for key in table.foreign_keys}, table
        ((sql,),) = rows(path, f"SELECT sql FROM sqlite_master WHERE name = '{table.name}'")
        counts_on = bool(table.dialect_options["sqlite"]["autoincrement"])
        assert ("AUTOINCREMENT" in str(sql)) == counts_on, table
    made.dispose()


def test_names_of_before_get_skeletons_and_who_came_later_none(path: Path) -> None:
    migrate(path, to="0003")
    names = {1: "Anna", 2: "\u0410nna", 3: "Ben", 4: "Anna"}
    run(
        path,
        *(
            f"INSERT INTO users VALUES ({id_}, '{name}', NULL, '{{}}', 1)"
            for id_, name in names.items()
        ),
        *(
            f"INSERT INTO identities VALUES ('{'web' if id_ < 4 else 'discord'}', '{id_}', {id_},"
            f" '{name.casefold()}')"
            for id_, name in names.items()
        ),
        "INSERT INTO places VALUES (1, 'web', 'lounge', 'channel', '', '{}', 1)",
        "INSERT INTO matches VALUES (1, 'othello', 1, '{}', '', 'over', 1, 0, 1, 3, NULL, NULL,"
        " NULL, NULL, 1, 1)",
        "INSERT INTO seats VALUES (1, 0, 3)",
    )
    migrate(path)
    found = rows(path, "SELECT user_id, skeleton FROM identities ORDER BY user_id")
    assert found == [(1, "anna"), (2, None), (3, "ben"), (4, "anna")]
    # Whoever has played, or is not of the web table, stays; for the others time begins now.
    idle = rows(path, "SELECT id FROM users WHERE idle_since > created ORDER BY id")
    assert idle == [(1,), (2,)]


def test_whoever_had_a_cookie_has_a_session_and_their_room_afterwards(path: Path) -> None:
    migrate(path, to="0003")
    anna = "a" * 64
    run(
        path,
        "INSERT INTO users VALUES (7, 'Anna', NULL, '{}', 123), (8, 'Ben', NULL, '{}', 124)",
        f"INSERT INTO identities VALUES ('web', '{anna}', 7, 'anna'), ('discord', '42', 8, NULL)",
        f"INSERT INTO places VALUES (5, 'web', '{anna}', 'direct', 'Azumaya', '{{}}', 123)",
    )
    migrate(path)
    found = rows(path, "SELECT user_id, token_hash, made, ended FROM sessions")
    assert found == [(7, anna, 123, None)]
    assert rows(path, "SELECT external FROM identities WHERE user_id = 7") == [(anna,)]

    async def asked() -> None:
        store = await Store.open(path)
        known = await sessions.by_token(store, "web", anna)
        assert known is not None
        assert (known.user.name, known.external) == ("Anna", anna)
        await store.close()

    asyncio.run(asked())


def test_stamps_and_numbers_of_messages_go_on_where_they_were(path: Path) -> None:
    migrate(path, to="0003")
    run(
        path,
        "INSERT INTO places VALUES (5, 'web', 'lounge', 'channel', '#lounge', '{}', 1)",
        'INSERT INTO messages VALUES (3, 30, 5, NULL, NULL, \'{"text": "x"}\', 0, 1)',
        "INSERT INTO messages VALUES (9, 12, 5, NULL, NULL, NULL, 1, 1)",
    )
    migrate(path)
    assert rows(path, "SELECT id, stamp, gone FROM messages ORDER BY id") == [
        (3, 30, 0),
        (9, 12, 1),
    ]
    run(path, "DELETE FROM messages")

    async def said() -> rooms.Message:
        store = await Store.open(path)
        message = await rooms.add(store, 5, author_id=None, screen={"text": "y"})
        await store.close()
        return message

    message = asyncio.run(said())
    assert (message.id, message.stamp) == (10, 31)


_START = "...........................OX......XO........................... X"
_BOX = "h8 a7 c4 b2 a1"

ENDED: dict[int, tuple[str, int, str | None, tuple[str | None, int | None]]] = {
    1: ("running", 2, None, (None, None)),
    2: ("over", 2, '{"winners": [0], "reason": "discs", "scores": [40, 24]}', ("rules", None)),
    3: ("over", 2, '{"winners": [], "reason": "draw", "scores": [32, 32]}', ("rules", None)),
    4: ("over", 2, '{"winners": [1], "reason": "resigned", "scores": [2, 2]}', ("resigned", 0)),
    5: ("over", 2, '{"winners": [0], "reason": "resigned", "scores": [2, 2]}', ("resigned", 1)),
    6: ("over", 1, '{"winners": [], "reason": "guessed", "scores": [12]}', ("rules", None)),
    7: ("over", 1, '{"winners": [], "reason": "resigned", "scores": [25]}', ("resigned", 0)),
    8: ("declined", 0, None, (None, None)),
    9: ("proposed", 0, None, (None, None)),
}
"""Match -> status, number of seats and outcome as they were; ending and seat as they are now."""


def ended_once(path: Path) -> None:
    """A database of the first revision, with matches that have ended in every way there was."""
    migrate(path, to="0001")
    said = ["INSERT INTO places VALUES (1, 'web', 'lounge', 'channel', '#lounge', '{}', 1)"]
    said += [f"INSERT INTO users VALUES ({user}, 'U{user}', NULL, '{{}}', 1)" for user in (1, 2)]
    for match, (status, seats, outcome, _) in ENDED.items():
        game, setup = ("blackbox", _BOX) if seats == 1 else ("othello", _START if seats else "")
        options = {"othello": '{"rules": "othello"}'}.get(
            game, '{"mode": "solo", "size": "8", "stones": "5", "fair": "yes"}'
        )
        told = f"'{outcome}'" if outcome else "NULL"
        said.append(
            f"INSERT INTO matches VALUES ({match}, '{game}', 1, '{options}', '{setup}', '{status}',"
            f" 3, 1, 1, 1, NULL, NULL, NULL, {told}, 1, 1)"
        )
        said += [f"INSERT INTO seats VALUES ({match}, {at}, {at + 1})" for at in range(seats)]
    run(path, *said)


@pytest.mark.parametrize("revision", revisions()[: revisions().index("0008")])
async def test_matches_that_had_ended_know_how_and_by_whom(path: Path, revision: str) -> None:
    ended_once(path)
    migrate(path, to=revision)
    outcomes = rows(path, "SELECT id, outcome FROM matches")
    migrate(path)
    found = rows(path, "SELECT id, ending, ended_by FROM matches ORDER BY id")
    assert found == [(match, *ending) for match, (*_, ending) in ENDED.items()]
    assert rows(path, "SELECT id, outcome FROM matches") == outcomes
    on_turn = rows(path, "SELECT id FROM matches WHERE turn != 0 AND status = 'over'")
    assert on_turn == []
    # And they are read as that.
    store = await Store.open(path)
    matches = hosting.matches_of(store)
    for match, (status, _, _, (kind, by)) in ENDED.items():
        loaded = await matches.get(match)
        assert loaded.match.status.value == status
        assert loaded.match.ending == (Ending(EndingKind(kind), by) if kind else None)
    assert (await matches.get(7)).view(None).stones == tuple(reversed(_BOX.split()))
    assert (await matches.get(1)).turn == {0}
    await store.close()


def test_the_newest_migration_is_known_without_a_look_at_all() -> None:
    assert revisions()[-1] == REVISION


@pytest.mark.parametrize("exists", [False, True])
def test_no_file_and_an_empty_file_become_a_database(path: Path, *, exists: bool) -> None:
    if exists:
        path.touch()
    migrate(path)
    assert tables(path) >= TABLES


def test_migrating_twice_changes_nothing(good: Path) -> None:
    before = good.read_bytes()
    migrate(good)
    assert good.read_bytes() == before


@pytest.fixture
def one_more_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file for a revision after the newest."""
    versions = tmp_path / "versions"
    versions.mkdir()
    ours = Path(migrating.__file__).parent / "migrations" / "versions"
    before = migrating._alembic

    def with_one_more() -> Config:
        config = before()
        config.set_main_option("version_locations", f"{ours}{os.pathsep}{versions}")
        return config

    newest = revisions()[-1]
    monkeypatch.setattr(migrating, "_alembic", with_one_more)
    monkeypatch.setattr(migrating, "REVISION", "9999")
    file = versions / "9999_later.py"
    file.write_text(
        "import sqlalchemy as sa\n"
        "from alembic import op\n"
        f"revision, down_revision = '9999', {newest!r}\n"
        "branch_labels = depends_on = None\n"
    )
    return file


def test_a_later_revision_that_rebuilds_a_table_loses_nothing(
    good: Path, one_more_revision: Path
) -> None:
    with one_more_revision.open("a") as file:
        file.write(
            "def upgrade():\n"
            "    with op.batch_alter_table('matches', recreate='always') as batch:\n"
            "        batch.add_column(sa.Column('note', sa.String(8)))\n"
        )
    migrate(good)
    for table in ("matches", "seats", "moves", "boards", "results"):
        assert rows(good, f"SELECT count(*) FROM {table}") == [(1,)], table
    assert rows(good, "PRAGMA foreign_key_check") == []


def test_a_revision_that_fails_half_way_leaves_the_database_as_it_was(
    good: Path, one_more_revision: Path
) -> None:
    with one_more_revision.open("a") as file:
        file.write(
            "def upgrade():\n"
            "    op.create_table('half', sa.Column('id', sa.Integer))\n"
            "    op.execute('DELETE FROM memos')\n"
            "    op.execute('SELECT * FROM nowhere')\n"
        )
    assert "nowhere" in refusal(good)
    assert "half" not in tables(good)
    assert rows(good, "SELECT count(*) FROM memos") == [(2,)]


def test_a_revision_that_breaks_references_is_taken_back(
    good: Path, one_more_revision: Path
) -> None:
    with one_more_revision.open("a") as file:
        file.write("def upgrade():\n    op.execute('DELETE FROM places')\n")
    assert refusal(good).endswith(" refers to nothing")
    assert rows(good, "SELECT count(*) FROM places") == [(1,)]


# Files that are refused


def test_a_text_file_is_refused_and_left_alone(path: Path) -> None:
    text = "My diary. " * 500
    path.write_text(text)
    assert refusal(path) == ("the database is damaged (file is not a database); restore a backup")
    assert path.read_text() == text


@pytest.mark.parametrize("left", [100, 4096, 5000, 0.5])
def test_a_truncated_file_is_refused(good: Path, left: float) -> None:
    whole = good.read_bytes()
    good.write_bytes(whole[: int(left * len(whole)) if left < 1 else int(left)])
    assert "the database is damaged" in refusal(good)


def test_a_file_with_a_damaged_page_is_refused(good: Path) -> None:
    data = bytearray(good.read_bytes())
    at = len(data) // 2 // 4096 * 4096
    data[at : at + 4096] = bytes(range(256)) * 16
    good.write_bytes(data)
    assert "the database is damaged" in refusal(good)


@pytest.fixture
def large(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database that cannot be looked through in the time that a start has for it."""

    class OverAtOnce:
        """A timer whose time is up while SQLite is at work, whatever the machine does."""

        def __init__(self, _seconds: float, interrupt: Callable[[], None]) -> None:
            connection = getattr(interrupt, "__self__")  # noqa: B009 - a method of `sqlite3`
            assert isinstance(connection, sqlite3.Connection)
            self._connection = connection

        def start(self) -> None:
            self._connection.set_progress_handler(lambda: 1, 1000)

        def cancel(self) -> None:
            self._connection.set_progress_handler(None, 0)

        def join(self) -> None:
            """There is no thread."""

    monkeypatch.setattr(sqlite, "Timer", OverAtOnce)
    migrate(path, to=revisions()[-2])
    run(
        path,
        "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 100000)"
        " INSERT INTO memos SELECT 'test', printf('%064d', n), printf('%0128d', n) FROM number",
    )
    return path


def damage(path: Path) -> None:
    """A page near its end, which no start has to read."""
    at = path.stat().st_size // 4096 * 3 // 4 * 4096
    with path.open("r+b") as file:
        file.seek(at)
        file.write(bytes(range(256)) * 16)


async def test_a_large_file_is_opened_at_once_and_looked_through_afterwards(large: Path) -> None:
    migrate(large)
    store = await Store.open(large)
    looking = asyncio.ensure_future(store.look_through())
    await asyncio.sleep(0)
    looking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await looking
    await store.look_through()
    # Once is enough, whatever comes later.
    damage(large)
    await store.look_through()
    await store.close()


async def test_damage_of_a_large_file_is_found_when_it_is_open(large: Path) -> None:
    migrate(large)
    store = await Store.open(large)
    damage(large)
    with pytest.raises(StoreError, match=r"the database is damaged .* restore a backup"):
        await store.look_through()
    await store.close()


def test_a_large_file_that_is_damaged_is_not_migrated(large: Path) -> None:
    damage(large)
    before = large.read_bytes()
    assert "the database is damaged" in refusal(large)
    assert large.read_bytes() == before


def test_somebody_elses_database_is_refused_and_left_alone(path: Path) -> None:
    run(path, "CREATE TABLE recipes (name)", "INSERT INTO recipes VALUES ('soup')")
    before = path.read_bytes()
    assert refusal(path) == "is a database, but not one of Azumaya"
    assert path.read_bytes() == before


def test_a_newer_database_is_refused_and_left_alone(good: Path) -> None:
    run(good, "UPDATE alembic_version SET version_num = '9999'")
    before = good.read_bytes()
    assert refusal(good) == "was written by a newer Azumaya (revision 9999)"
    assert good.read_bytes() == before


def test_a_directory_is_refused(path: Path) -> None:
    path.mkdir()
    assert refusal(path) == "is a directory, not a database file"


def test_a_missing_directory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "azumaya.db"
    assert refusal(path) == f"the directory {path.parent} does not exist"
    assert not path.parent.exists()


@pytest.fixture
def no_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing in the directory may be written, not even by the superuser."""
    may = os.access

    def may_not_write(path: str | Path, mode: int) -> bool:
        return may(path, mode) and not (mode & os.W_OK and tmp_path in (path, *Path(path).parents))

    monkeypatch.setattr(os, "access", may_not_write)
    tmp_path.chmod(0o555)
    yield
    tmp_path.chmod(0o755)


def test_a_read_only_directory_is_refused(path: Path, no_writing: None) -> None:
    assert refusal(path) == "the directory is read-only, and SQLite must write beside the file"
    assert not path.exists()


def test_a_file_in_a_closed_directory_is_refused_in_one_line(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(_: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_dir", closed)
    assert refusal(path) == "Permission denied"


@pytest.mark.parametrize("name", ["my?table#1.db", "100%.db", "a b.db", "täble.db"])
async def test_any_file_name_will_do(tmp_path: Path, name: str) -> None:
    store = await Store.open(tmp_path / name)
    await people.get_or_create_user(store, "web", "1", name="Anna")
    await store.close()
    assert files(tmp_path) == [name]
    assert rows(tmp_path / name, "SELECT name FROM users") == [("Anna",)]


# Transactions


async def count_users(store: Store) -> int:
    async with store.read() as connection:
        found = await connection.exec_driver_sql("SELECT count(*) FROM users")
        return int(found.scalar_one())


@pytest.fixture
async def store(path: Path) -> Store:
    return await Store.open(path)


async def insert(store: Store, then: str = "") -> None:
    """A user, and something else in the same transaction."""
    async with store.write() as connection:
        await connection.exec_driver_sql(
            "INSERT INTO users (name, settings, created) VALUES ('x', '{}', 1)"
        )
        if not then:
            raise ZeroDivisionError
        await connection.exec_driver_sql(then)


async def test_what_fails_half_way_leaves_nothing(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        await insert(store)
    with pytest.raises(StoreError, match="no such table: nowhere"):
        await insert(store, "INSERT INTO nowhere VALUES (1)")
    assert await count_users(store) == 0
    await people.get_or_create_user(store, "web", "1", name="Anna")
    assert await count_users(store) == 1
    await store.close()


async def test_writers_queue_and_readers_do_not_wait(store: Store) -> None:
    async def meet(number: int) -> None:
        await people.get_or_create_user(store, "web", str(number), name=f"Anna {number}")

    async with store.write() as connection:
        await connection.exec_driver_sql(
            "INSERT INTO users (name, settings, created) VALUES ('x', '{}', 1)"
        )
        writers = [asyncio.create_task(meet(number)) for number in range(20)]
        assert await count_users(store) == 0
    await asyncio.gather(*writers)
    assert await count_users(store) == 21
    await store.close()


async def test_somebody_who_stops_waiting_stops_nobody_else(store: Store) -> None:
    for delay in range(60):
        task = asyncio.create_task(people.get_or_create_user(store, "web", f"{delay}", name="Anna"))
        for _ in range(delay):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await people.get_or_create_user(store, "web", "last", name="Ben")
    async with store.read() as connection:
        found = await connection.exec_driver_sql(
            "SELECT count(*) FROM users LEFT JOIN identities ON user_id = id WHERE user_id IS NULL"
        )
        assert found.scalar_one() == 0
    await store.close()


async def test_somebody_who_stops_waiting_for_a_lock_leaves_nothing_begun(
    store: Store, path: Path
) -> None:
    await people.get_or_create_user(store, "web", "first", name="Anna")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    task = asyncio.create_task(people.get_or_create_user(store, "web", "gone", name="Cem"))
    for _ in range(100):
        await asyncio.sleep(0)
    task.cancel()
    other.execute("ROLLBACK")
    other.close()
    await asyncio.gather(task, return_exceptions=True)
    await people.get_or_create_user(store, "web", "last", name="Ben")
    assert rows(path, "SELECT name FROM users ORDER BY id") == [("Anna",), ("Ben",)]
    await store.close()


async def test_two_places_of_one_name_are_one(store: Store) -> None:
    entered = await asyncio.gather(
        *(
            places.get_or_create_place(
                store, "web", "lounge", kind=PlaceKind.CHANNEL, title="#lounge"
            )
            for _ in range(10)
        )
    )
    assert len({place.id for place in entered}) == 1
    await store.close()


async def test_after_closing_only_the_file_is_left(store: Store, path: Path) -> None:
    await people.get_or_create_user(store, "web", "1", name="Anna")
    await store.close()
    assert files(path.parent) == [path.name]


async def test_several_questions_see_one_state_and_the_next_one_sees_what_is_new(
    store: Store,
) -> None:
    async with store.snapshot():
        # Whoever asks for the first time sees what there is then.
        async with store.snapshot() as connection:
            counted = "SELECT count(*) FROM users"
            assert (await connection.exec_driver_sql(counted)).scalar_one() == 0
            await people.get_or_create_user(store, "web", "1", name="Anna")
            assert (await connection.exec_driver_sql(counted)).scalar_one() == 0
        assert await count_users(store) == 1
    await store.close()


async def test_a_house_that_is_open_needs_no_further_files(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There may be no descriptor left by then."""

    def no_more(*_: object, **__: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(sqlite3, "connect", no_more)
    # Nor has anybody else written: it is as it was when it was opened.
    assert await store.written_elsewhere() == NOTHING
    async with AsyncExitStack() as held:
        for _ in range(figures.connections(store)[1] - 1):
            connection = await held.enter_async_context(store.read())
            await connection.exec_driver_sql("SELECT count(*) FROM users")
        # Whoever comes now waits for one of those that there are.
        waiting = asyncio.create_task(count_users(store))
        await people.get_or_create_user(store, "web", "1", name="Anna")
        assert not waiting.done()
        used, most = figures.connections(store)
        assert used == most - 1
    assert await waiting == 1
    assert figures.connections(store) == (0, most)
    await store.close()


def test_of_a_database_that_could_not_be_opened_nothing_is_left_beside_it(
    good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(_: sqlite.SQLite) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(sqlite.SQLite, "written_elsewhere", fails)
    with pytest.raises(ZeroDivisionError):
        asyncio.run(Store.open(good))
    assert files(good.parent) == [good.name]


async def test_whoever_rests_does_so(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    rested: list[float] = []

    async def sleep(seconds: float) -> None:
        rested.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    await store.rest(7)
    assert rested == [7]
    await store.close()


async def test_what_the_data_do_not_allow_is_told_without_them(store: Store) -> None:
    async def write() -> None:
        new = {"platform": "web", "external": "s3cret", "user_id": 99}
        async with store.write() as connection:
            await connection.execute(insert_into(identities).values(new))

    with pytest.raises(IntegrityError) as refused:
        await write()
    assert "s3cret" not in str(refused.value)
    await store.close()


def test_a_file_is_there_or_not_and_a_server_perhaps(path: Path) -> None:
    assert not exists(path)
    path.touch()
    assert exists(path)
    assert exists(SecretStr("postgresql:///nowhere"))


# Backup


async def test_what_was_erased_is_in_no_byte_of_the_file_nor_of_a_backup(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = sqlite3.connect

    def keeping(*args: Any, **options: Any) -> sqlite3.Connection:
        """As a SQLite does that was built without SECURE_DELETE."""
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


def test_a_backup_needs_a_directory(good: Path, tmp_path: Path) -> None:
    target = tmp_path / "nowhere" / "copy.db"
    with pytest.raises(StoreError, match=r"copy\.db: No such file or directory"):
        backup(good, target)


def test_a_backup_into_a_directory_where_nobody_may_write_is_refused_in_one_line(
    good: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "read-only"
    folder.mkdir()
    # A disk, not a mode: root may write everywhere, and only a disk refuses to unlink nothing.
    mount = ["mount", "-t", "tmpfs", "-o", "ro,size=1m", "none", str(folder)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount here")
    if done.returncode:
        pytest.skip("only root may mount a disk, and not in every container")
    try:
        with pytest.raises(StoreError, match=r"^\S+copy\.db: Read-only file system$"):
            backup(good, folder / "copy.db")
    finally:
        subprocess.run(["umount", str(folder)], check=True)


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


def test_a_backup_whose_half_cannot_be_cleared_away_is_refused_in_one_line(
    good: Path, tmp_path: Path
) -> None:
    (tmp_path / "copy.db.part").mkdir()
    with pytest.raises(StoreError, match=r"^\S+copy\.db: \w[\w ]+$"):
        backup(good, tmp_path / "copy.db")
    assert files(tmp_path) == ["azumaya.db", "copy.db.part"]
