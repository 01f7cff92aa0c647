"""Files that are opened, checked, or refused in one line and left unchanged."""

import asyncio
import sqlite3
from pathlib import Path
from unittest.mock import Mock

import pytest

from bot.store import Store, migrate, people
from bot.store.database import sqlite
from bot.store.schema import REVISION
from bot.support.errors import StoreError
from tests.bot.store.looking import files, refusal, rows, run


def test_a_text_file_is_refused_and_left_alone(path: Path) -> None:
    text = "My diary. " * 500
    path.write_text(text)
    said = "the database is damaged (file is not a database); restore a sound backup"
    assert refusal(path) == said
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


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("disk I/O error", "the disk is full (disk I/O error)"),
        ("database is locked", "database is locked"),
    ],
)
def test_an_error_of_input_or_output_is_a_full_disk_if_the_disk_is_full(
    path: Path, monkeypatch: pytest.MonkeyPatch, error: str, told: str
) -> None:
    monkeypatch.setattr(sqlite, "is_full", lambda _: True)
    with pytest.raises(StoreError) as raised, sqlite.store_errors(path):
        raise sqlite3.OperationalError(error)
    assert str(raised.value) == f"{path}: {told}"


@pytest.fixture
def large(path: Path, next_revision: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a database that is too large to be checked at a start."""
    monkeypatch.setattr(sqlite, "_CHECKED_AT_START", 1 << 20)
    migrate(path, to=REVISION)
    run(
        path,
        "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 100000)"
        " INSERT INTO memos SELECT 'test', printf('%064d', n), printf('%0128d', n) FROM number",
    )
    return path


def damage(path: Path) -> None:
    """Damage a page near the end, which no start has to read."""
    at = path.stat().st_size // 4096 * 3 // 4 * 4096
    with path.open("r+b") as file:
        file.seek(at)
        file.write(bytes(range(256)) * 16)


@pytest.mark.slow
async def test_a_large_file_is_opened_at_once_and_looked_through_afterwards(large: Path) -> None:
    migrate(large)
    store = await Store.open(large)
    looking = asyncio.ensure_future(store.database.check_integrity())
    await asyncio.sleep(0)
    looking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await looking
    await store.database.check_integrity()
    await store.close()


async def test_damage_of_a_large_file_is_found_when_it_is_open(large: Path) -> None:
    migrate(large)
    store = await Store.open(large)
    damage(large)
    with pytest.raises(StoreError, match=r"the database is damaged .* restore a sound backup"):
        await store.database.check_integrity()
    await store.close()


@pytest.mark.slow
def test_a_large_file_that_is_damaged_is_not_migrated(large: Path) -> None:
    damage(large)
    before = large.read_bytes()
    assert "the database is damaged" in refusal(large)
    assert large.read_bytes() == before


def test_a_file_is_inspected_without_a_change_even_while_it_is_in_use(path: Path) -> None:
    assert sqlite.inspect(path) is None
    assert files(path.parent) == []
    with asyncio.Runner() as runner:
        store = runner.run(Store.open(path))
        before = {name: (path.parent / name).read_bytes() for name in files(path.parent)}
        assert len(before) == 3
        assert sqlite.inspect(path) == REVISION
        assert {name: (path.parent / name).read_bytes() for name in before} == before
        runner.run(store.close())


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


def test_a_file_in_a_closed_directory_is_refused_in_one_line(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "is_dir", Mock(side_effect=PermissionError(13, "Permission denied")))
    assert refusal(path) == "Permission denied"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["my?table#1.db", "100%.db", "a b.db", "täble.db"])
async def test_any_file_name_will_do(tmp_path: Path, name: str) -> None:
    store = await Store.open(tmp_path / name)
    await people.get_or_create_user(store, "web", "1", name="Anna")
    await store.close()
    assert files(tmp_path) == [name]
    assert rows(tmp_path / name, "SELECT name FROM users") == [("Anna",)]
