"""A read-only inspection of a database file."""

import asyncio
from pathlib import Path

import pytest

from bot.errors import StoreError
from bot.store import Store, migrate, times
from bot.store.inspection import Inspection, inspect
from bot.store.schema import REVISION
from tests.bot.store.looking import run
from tests.bot.table import Clock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "azumaya?.db"


@pytest.mark.parametrize("exists", [False, True])
def test_of_no_database_there_is_only_the_room_for_it(path: Path, *, exists: bool) -> None:
    if exists:
        path.touch()
    found = inspect(path)
    assert found.free > 0
    assert found == Inspection(None, False, 0, found.free, (), None, None)
    assert path.exists() is exists


async def used(path: Path) -> tuple[Store, int]:
    """Open a database and note the time twice. Return the store and the last time."""
    clock = Clock()
    store = await Store.open(path, clock=clock)
    since = store.now()
    for seconds in (0, 700):
        clock.forward(seconds)
        await times.note_clock(store, since=since)
    return store, since + 700


def test_a_database_is_told_with_its_log_and_the_last_time_that_it_knows_of(path: Path) -> None:
    with asyncio.Runner() as runner:
        store, noted = runner.run(used(path))
        path.chmod(0o644)
        (path.parent / "other.db").write_bytes(b"x" * 999)
        parts = [path.with_name(f"{path.name}{end}") for end in ("", "-wal", "-shm")]
        assert all(part.stat().st_size > 0 for part in parts)
        found = inspect(path)
        assert found.size == sum(part.stat().st_size for part in parts)
        assert (found.revision, found.is_current, found.noted) == (REVISION, True, noted)
        assert found.loose == [(path, "0644")]
        assert found.changed == int(path.stat().st_mtime)
        runner.run(store.close())
    path.chmod(0o600)
    assert (inspect(path).loose, inspect(path).noted) == ([], noted)


@pytest.mark.usefixtures("next_revision")
def test_an_earlier_database_is_not_current(path: Path) -> None:
    migrate(path, to=REVISION)
    found = inspect(path)
    assert (found.revision, found.is_current, found.noted) == (REVISION, False, None)
    migrate(path)
    run(path, "INSERT INTO memos (platform, key, value) VALUES ('web', 'clock', '1 2')")
    found = inspect(path)
    assert (found.revision, found.is_current, found.noted) == ("v9999", True, None)


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

    monkeypatch.setattr("bot.store.inspection.unknown", gone)
    found = inspect(path)
    assert (found.size, found.loose) == (path.stat().st_size, [])
    assert not beside.exists()
