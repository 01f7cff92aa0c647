"""A read-only inspection of a database file."""

import asyncio
from pathlib import Path

import pytest

from bot.store import Store, migrate, times
from bot.store.database.inspection import Inspection, inspect
from bot.store.schema import REVISION
from bot.support.errors import StoreError
from tests.bot.store.looking import run


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "azumaya?.db"


@pytest.mark.parametrize("exists", [False, True])
def test_of_no_database_there_is_only_the_room_for_it(path: Path, *, exists: bool) -> None:
    if exists:
        path.touch()
    found = inspect(path)
    assert found.free > 0
    assert found == Inspection(None, False, 0, found.free, ())
    assert path.exists() is exists


def test_a_database_in_use_is_told_with_its_log(path: Path) -> None:
    with asyncio.Runner() as runner:
        store = runner.run(Store.open(path))
        runner.run(times.record_clock(store, since=store.now()))
        path.chmod(0o644)
        (path.parent / "other.db").write_bytes(b"x" * 999)
        parts = [path.with_name(f"{path.name}{end}") for end in ("", "-wal", "-shm")]
        found = inspect(path)
        assert found.size == sum(part.stat().st_size for part in parts)
        assert (found.revision, found.is_current) == (REVISION, True)
        assert found.loose == [(path, "0644")]
        runner.run(store.close())
    path.chmod(0o600)
    assert inspect(path).loose == []


@pytest.mark.usefixtures("next_revision")
def test_an_earlier_database_is_not_current(path: Path) -> None:
    migrate(path, to=REVISION)
    found = inspect(path)
    assert (found.revision, found.is_current) == (REVISION, False)
    migrate(path)
    found = inspect(path)
    assert (found.revision, found.is_current) == ("v9999", True)


def test_what_is_no_database_of_ours_is_told_in_a_line(path: Path, tmp_path: Path) -> None:
    def refusal(path: Path) -> str:
        with pytest.raises(StoreError) as refused:
            inspect(path)
        return str(refused.value)

    assert refusal(tmp_path).endswith("is a directory, not a database file")
    migrate(path)
    run(path, "UPDATE alembic_version SET version_num = '9999'")
    assert refusal(path) == "it was written by a newer Azumaya (revision 9999)"
    run(path, "DELETE FROM alembic_version")
    assert refusal(path) == "it is a database, but not one of Azumaya"
    run(path, "DROP TABLE alembic_version")
    assert refusal(path) == "it is a database, but not one of Azumaya"
    data = bytearray(path.read_bytes())
    data[8192:12288] = bytes(range(256)) * 16
    path.write_bytes(data)
    assert refusal(path).startswith("the database is damaged (")
    path.write_text("My diary. " * 500)
    assert refusal(path) == "it cannot be read: file is not a database"


def test_what_goes_while_it_is_looked_at_is_no_part_of_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(path)
    beside = path.with_name(f"{path.name}-shm")
    beside.write_bytes(b"x")

    def gone(revision: str) -> None:
        """Remove the file beside the database, when everything has been read."""
        beside.unlink()

    monkeypatch.setattr("bot.store.database.inspection.incompatibility", gone)
    found = inspect(path)
    assert (found.size, found.loose) == (path.stat().st_size, [])
    assert not beside.exists()
