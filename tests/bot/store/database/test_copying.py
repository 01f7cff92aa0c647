"""Copies of a database: complete, of one state, to an empty target, or not made."""

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot.store import Address, copy, migrate, revisions, single_instance_lock, title
from bot.store.database import copying, dialect
from bot.store.schema import identities, metadata, moves
from bot.support.errors import StoreError
from tests.bot.store.looking import files, rows, run
from tests.databases import ask, ask_each, name_of
from tests.postgres import Server

# Between a file and a server, in both directions.
pytestmark = pytest.mark.sqlite

NOT_COPIED = {"processes", "shards"}
COPIED = [table for table in metadata.sorted_tables if table.name not in NOT_COPIED]
Rows = list[tuple[Any, ...]]


@pytest.fixture
def fresh(server: Server, _engine_of_store: str) -> Iterator[SecretStr]:
    """Yield the URL of a database without tables."""
    with server.bare() as name:
        yield server.url(name)


@pytest.fixture(params=["file", "server"])
def target(request: pytest.FixtureRequest, tmp_path: Path, fresh: SecretStr) -> Address:
    """Return where no database is yet."""
    return fresh if request.param == "server" else tmp_path / "copy.db"


def contents(address: Address) -> dict[str, Rows]:
    """Return the rows of all tables that are copied."""
    queries = {}
    for table in COPIED:
        columns = ", ".join(f'"{one.name}"' for one in table.columns)
        key = ", ".join(f'"{one.name}"' for one in table.primary_key)
        queries[table.name] = f'SELECT {columns} FROM "{table.name}" ORDER BY {key}'
    return dict(zip(queries, ask_each(address, *queries.values()), strict=True))


def change(address: Address, *statements: str) -> None:
    if isinstance(address, Path):
        run(address, *statements)
    else:
        folder = Path(address.get_secret_value().partition("?host=")[2])
        Server(folder).execute(*statements, database=name_of(address))


def refusal(source: Address, target: Address) -> str:
    """Return the line with which a copy is refused."""
    with pytest.raises(StoreError) as refused:
        copy(source, target)
    (line,) = str(refused.value).splitlines()
    return line


def is_absent(address: Address) -> bool:
    if isinstance(address, Path):
        return not list(address.parent.glob(f"{address.name}*"))
    return not ask(address, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")


def test_a_database_is_the_same_after_it_was_copied_to_a_server_and_back(
    good: Path, fresh: SecretStr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages end within a table, and with its last row."""
    monkeypatch.setattr(copying, "_PAGE", 3)
    large, json = 2**62, '{"said":["\\u0000","\\ud800",1.50,null]}'
    for number in range(5):
        run(good, f"INSERT INTO memos VALUES ('Cläre 日本', '{number}', '…')")
        run(good, f"INSERT INTO inbox VALUES ('x', {large + number}, '{json}', {number})")
    before = contents(good)
    assert all(before.values())
    counts = {name: len(there) for name, there in before.items()}
    assert copy(good, fresh) == counts
    assert contents(fresh) == before
    back = tmp_path / "back.db"
    assert copy(fresh, back) == counts
    assert contents(back) == contents(good) == before
    assert back.stat().st_mode & 0o777 == 0o600
    for name in NOT_COPIED:
        assert rows(good, f"SELECT * FROM {name}")
        assert ask(fresh, f"SELECT * FROM {name}") == rows(back, f"SELECT * FROM {name}") == []


def test_ids_of_deleted_rows_are_not_assigned_again(
    good: Path, fresh: SecretStr, tmp_path: Path
) -> None:
    run(good, "UPDATE sqlite_sequence SET seq = 70")
    copy(good, fresh)
    back = tmp_path / "back.db"
    copy(fresh, back)
    counted = "SELECT name, seq FROM sqlite_sequence ORDER BY name"
    assert rows(back, counted) == rows(good, counted) != []
    for name, _ in rows(good, counted):
        assert ask(fresh, f"SELECT nextval(pg_get_serial_sequence('{name}', 'id'))") == [(71,)]


@pytest.mark.slow
@pytest.mark.parametrize("from_server", [False, True])
def test_what_is_written_during_a_copy_is_not_in_it(
    good: Path,
    fresh: SecretStr,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    from_server: bool,
) -> None:
    source: Address = good
    if from_server:
        copy(good, fresh)
        source = fresh
    before, target, fill = contents(source), tmp_path / "copy.db", dialect.fill

    def fills(*about: Any) -> None:
        change(source, "DELETE FROM moves", "UPDATE users SET name = 'later'")
        fill(*about)

    monkeypatch.setattr(dialect, "fill", fills)
    copy(source, target)
    assert contents(target) == before != contents(source)


# What is refused


def test_a_target_that_is_not_empty_is_left_alone(good: Path, target: Address) -> None:
    migrate(target)
    before = contents(target)
    assert refusal(good, target) == f"{title(target)}: is not empty; nothing was written"
    assert contents(target) == before


def test_a_database_is_not_copied_to_itself(good: Path, tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(good)
    assert refusal(good, tmp_path / "link.db") == f"{good}: cannot be copied to where it is"


@pytest.mark.parametrize("is_source", [False, True])
def test_a_database_of_another_program_is_left_alone(
    good: Path, target: Address, *, is_source: bool
) -> None:
    change(target, "CREATE TABLE recipes (name text)")
    line = refusal(target, good.with_name("other.db")) if is_source else refusal(good, target)
    assert line == f"{title(target)}: is a database, but not one of Azumaya"
    assert ask(target, "SELECT * FROM recipes") == []


@pytest.mark.usefixtures("next_revision")
def test_a_source_of_an_earlier_version_is_not_migrated(tmp_path: Path, target: Address) -> None:
    old = revisions()[-2]
    migrate(tmp_path / "old.db", to=old)
    assert refusal(tmp_path / "old.db", target) == (
        f"{tmp_path / 'old.db'}: is from an earlier Azumaya ({old}); to migrate it, start the bot,"
        " or stop it and run azumaya migrate"
    )
    assert rows(tmp_path / "old.db", "SELECT version_num FROM alembic_version") == [(old,)]
    assert is_absent(target)


def test_a_database_of_a_running_bot_is_not_copied(
    good: Path, fresh: SecretStr, tmp_path: Path
) -> None:
    target = tmp_path / "copy.db"
    with single_instance_lock(good):
        assert refusal(good, target) == f"{good}: another Azumaya is using it"
    copy(good, fresh)
    change(fresh, f"INSERT INTO processes VALUES ('f00d', {2**31 - 1})")
    assert refusal(fresh, target) == f"{title(fresh)}: another Azumaya is using it"
    assert is_absent(target)


def test_a_database_that_cannot_be_opened_is_named(
    good: Path, tmp_path: Path, server: Server
) -> None:
    assert "does not exist" in refusal(good, tmp_path / "nowhere" / "copy.db")
    locked = server.url("house", user="locked", password="not-open-sesame")
    reason = 'postgresql:///house: password authentication failed for user "locked"'
    assert refusal(good, locked) == refusal(locked, tmp_path / "copy.db") == reason
    good.write_text("My diary. " * 500)
    assert "file is not a database" in refusal(good, tmp_path / "copy.db")
    assert files(tmp_path) == ["azumaya.db"]


# Failures


@pytest.mark.parametrize(
    ("times", "said"), [(0, "moves has 0 rows, and not 1; nothing was written"), (2, "moves")]
)
def test_a_copy_that_fails_leaves_nothing_and_can_be_repeated(
    good: Path, target: Address, monkeypatch: pytest.MonkeyPatch, times: int, said: str
) -> None:
    """A row gets lost, or is written twice."""
    fill = dialect.fill

    def spoilt(connection: Any, table: Any, found: Rows) -> None:
        for _ in range(times if table is moves else 1):
            fill(connection, table, found)

    with monkeypatch.context() as patched:
        patched.setattr(dialect, "fill", spoilt)
        line = refusal(good, target)
    assert line.startswith(f"{title(target)}: ")
    assert said in line
    assert is_absent(target)
    copy(good, target)
    assert contents(target) == contents(good)


def test_a_row_that_refers_to_nothing_is_refused_by_a_server(good: Path, fresh: SecretStr) -> None:
    run(good, f"UPDATE {identities.name} SET user_id = 987654321")
    line = refusal(good, fresh)
    assert line.startswith(f"{title(fresh)}: ")
    assert identities.name in line
    assert "987654321" not in line
    assert is_absent(fresh)


def test_of_two_copies_to_one_place_one_is_made(good: Path, target: Address) -> None:
    sources = [good, good.with_name("second.db")]
    shutil.copy(*sources)
    with ThreadPoolExecutor(2) as pool:
        tries = [pool.submit(copy, one, target) for one in sources]
    failed = [error for one in tries if (error := one.exception())]
    assert [type(error) for error in failed] == [StoreError]
    assert contents(target) == contents(good)
