"""Changes by another process, or a lost database: noticed, logged once, repaired if possible."""

import asyncio
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copy
from unittest.mock import AsyncMock

import pytest
from sqlalchemy import Connection
from structlog.typing import EventDict

from bot.cli import hosting
from bot.domain.model import Status
from bot.loops.watch import ChangePoller
from bot.matches import erasing
from bot.store import Store, backup, people, personal_data
from bot.store.database import file
from bot.support.errors import StoreError, StoreGoneError
from tests.bot.table import Person, Table, said
from tests.bot.transactions import writing

pytestmark = pytest.mark.sqlite


@pytest.fixture
def watch(table: Table) -> ChangePoller:
    return ChangePoller(table.app)


@pytest.fixture
def database(tmp_path: Path, empty: Path) -> Path:
    return Path(copy(empty, tmp_path))


# Damage


async def test_damage_that_is_found_while_people_play_is_told_to_whoever_watches(
    table: Table, watch: ChangePoller, logged: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        type(table.app.store.database),
        "check_integrity",
        AsyncMock(
            side_effect=StoreError("house.db: the database is damaged (a page); restore a backup")
        ),
    )
    await watch.check_integrity()
    report = await table.app.health.report()
    assert report.playable
    assert report.problems == ("the database is damaged",)
    assert [entry["level"] for entry in logged if "damaged" in entry["event"]] == ["error"]


# Another process


async def erase(database: Path, person: Person) -> None:
    """Delete an account as `azumaya forget` does."""
    store = await Store.open(database)
    await erasing.erase(store, hosting.matches_of(store), person.id)
    await store.close()


async def test_what_another_process_has_written_is_seen_at_the_next_look(
    table: Table, watch: ChangePoller, database: Path, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben)
    await table.settle()
    await watch.once()
    changed = table.app.changed.listen()
    await erase(database, ben)
    await watch.once()
    assert changed.is_set()
    assert (await table.loaded(match)).match.status is Status.OVER
    assert await table.app.names.of([ben.id]) == {ben.id: f"#{ben.id}"}
    await table.settle()
    assert [post.version for post in table.wall.of(match)] == [3]


async def test_what_the_house_writes_itself_is_no_news(
    table: Table, watch: ChangePoller, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await table.begin(anna, ben)
    forgotten: list[None] = []
    monkeypatch.setattr(table.app.matches.memory, "invalidate", lambda *_: forgotten.append(None))
    for line in ("d3", "c3"):
        await table.plays(match, line)
        await table.settle()
        await anna.types("/leaderboard")
        await watch.once()
    assert forgotten == []


async def test_reading_elsewhere_is_no_news(
    table: Table, watch: ChangePoller, database: Path, anna: Person
) -> None:
    await watch.once()
    changed = table.app.changed.listen()
    store = await Store.open(database)
    assert await personal_data.export(store, anna.id)
    await store.close()
    await watch.once()
    assert not changed.is_set()


def _rename(connection: Connection) -> None:
    connection.exec_driver_sql("UPDATE users SET name = 'Nobody'")


async def test_a_look_does_not_wait_for_a_writer(
    watch: ChangePoller, database: Path, logged: list[EventDict]
) -> None:
    """A look takes no lock of the database, so it is not refused as busy."""
    other = await Store.open(database)
    async with writing(other) as change:
        await change.run(_rename)
        await watch.once()
    await other.close()
    assert logged == []


# The database goes


def unlinked(path: Path) -> None:
    for found in path.parent.glob(f"{path.name}*"):
        found.unlink()


def move(path: Path, to: Path) -> None:
    path.rename(to)


def without_log(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


LOOKS_BEFORE_COMMIT = 1
"""A move is three statements: the match, its boards, the move itself."""


@pytest.mark.parametrize("taken_away", [unlinked, without_log])
async def test_nothing_is_acknowledged_any_more_once_the_database_has_gone(
    table: Table, database: Path, anna: Person, ben: Person, taken_away: Callable[[Path], None]
) -> None:
    """Not even the very next move, before anybody has looked."""
    await table.begin(anna, ben)
    command = await anna.command()
    taken_away(database)
    for line in ("/othello d3", "/othello", "/matches", "/challenge othello", "/language de"):
        answer = await table.commands.run_line(command, line)
        assert answer.refused, line
        assert said(answer) == anna.says("error-store-gone"), line
    report = await table.app.health.report()
    assert not report.playable
    assert report.problems == ("the store cannot be written",)


async def test_people_are_refused_each_time_and_the_host_is_told_once_of_all_of_them(
    table: Table, database: Path, match: int, anna: Person, logged: list[EventDict]
) -> None:
    command = await anna.command()
    unlinked(database)
    for _ in range(20):
        answer = await table.commands.run_line(command, "/othello d3")
        assert said(answer) == anna.says("error-store-gone")
    (line,) = [line for line in logged if line["level"] == "error"]
    assert (line["event"], line["reason"]) == (
        "command not stored",
        f"{database}: the database has gone",
    )


async def test_a_move_that_is_being_committed_while_the_database_goes_is_not_acknowledged(
    table: Table, database: Path, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    stat = file._stat
    looks: list[None] = []

    def look(path: Path) -> os.stat_result | None:
        found = stat(path)
        if path == database:
            looks.append(None)
        elif len(looks) == LOOKS_BEFORE_COMMIT:
            # In the last moment: after the last look that comes before the commit.
            unlinked(database)
        return found

    await table.loaded(match)
    monkeypatch.setattr(file, "_stat", look)
    with pytest.raises(StoreGoneError):
        await table.plays(match, "d3")
    assert len(looks) == LOOKS_BEFORE_COMMIT + 1


async def test_the_log_has_one_line_of_a_missing_database(
    watch: ChangePoller, database: Path, logged: list[EventDict]
) -> None:
    move(database, database.with_name("away"))
    for _ in range(3):
        await watch.once()
    (line,) = [line for line in logged if line["level"] != "warning"]
    assert (line["event"], line["level"]) == (
        "nothing is stored until the database is back",
        "error",
    )
    assert "the database has gone" in line["reason"]


SAFE = "recent writes are saved to the database file: restart the bot"


def content(path: Path) -> bytes:
    return path.read_bytes()


def put(source: Path, into: Path) -> None:
    into.write_bytes(content(source))


def plies(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        found: int = connection.execute("SELECT count(*) FROM moves").fetchone()[0]
        return found


async def test_where_the_log_alone_has_gone_what_was_in_it_is_written_into_the_file(
    table: Table, watch: ChangePoller, database: Path, match: int, logged: list[EventDict]
) -> None:
    await table.plays(match, "d3,c3")
    without_log(database)
    for _ in range(3):
        await watch.once()
    assert [line["event"] for line in logged if line["level"] == "warning"] == [SAFE]
    with pytest.raises(StoreGoneError):
        await table.plays(match, "c4")
    assert plies(database) == 2


async def test_what_is_put_into_the_file_itself_is_not_mixed_with_what_was_in_the_log(
    table: Table, watch: ChangePoller, database: Path, match: int, logged: list[EventDict]
) -> None:
    """As `rm azumaya.db-wal; cp backup azumaya.db` does, beside the running house."""
    kept = database.with_name("kept.db")
    await asyncio.to_thread(backup, database, kept)
    await table.plays(match, "d3,c3")
    without_log(database)
    put(kept, database)
    await watch.once()
    await table.app.store.close()
    assert table.app.store.database.is_left_open
    assert content(database) == content(kept)


async def test_where_somebody_else_has_written_meanwhile_nothing_is_written_over_it(
    table: Table, watch: ChangePoller, database: Path, match: int, logged: list[EventDict]
) -> None:
    """They made a log of their own, and did not know what was in ours."""
    await table.plays(match, "d3,c3")
    before = content(database)
    for end in ("-wal", "-shm"):
        database.with_name(database.name + end).unlink()
    other = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("CREATE TABLE something_else (id INTEGER)")
os._exit(0)
"""
    python = await asyncio.create_subprocess_exec(sys.executable, "-c", other, str(database))
    assert await python.wait() == 0
    await watch.once()
    await table.app.store.close()
    assert table.app.store.database.is_left_open
    assert content(database) == before


async def test_when_the_right_file_is_back_the_house_goes_on(
    table: Table, watch: ChangePoller, database: Path, match: int, logged: list[EventDict]
) -> None:
    away = database.with_name("away")
    for _ in range(2):
        move(database, away)
        await watch.once()
        with pytest.raises(StoreGoneError):
            await table.plays(match, "d3")
        move(away, database)
        await watch.once()
        await watch.once()
    assert [line["event"] for line in logged] == [
        "nothing is stored until the database is back",
        "the database is back",
    ] * 2
    await table.plays(match, "d3")
    assert (await table.loaded(match)).match.version == 3


async def test_closing_does_no_harm_to_the_file_that_lies_there_now(
    table: Table, database: Path, anna: Person
) -> None:
    """SQLite takes the log away when it closes, by its name: it could be another house's."""
    unlinked(database)
    other = await Store.open(database)
    await people.get_or_create_user(other, "web", "1", name="Ben")
    await table.app.close()
    await people.get_or_create_user(other, "web", "2", name="Cleo")
    copied = database.with_name("copy")
    await asyncio.to_thread(backup, database, copied)
    await other.close()
    for path in (database, copied):
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("SELECT name FROM users").fetchall() == [("Ben",), ("Cleo",)]
