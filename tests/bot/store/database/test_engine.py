"""The database of a running app: who waits for whom, who sees what, and what has changed."""

import asyncio
import sqlite3
from pathlib import Path
from unittest.mock import Mock

import pytest
from pydantic import SecretStr
from sqlalchemy import Connection
from sqlalchemy import insert as insert_into
from sqlalchemy.exc import IntegrityError

from bot.store import Store, exists, people
from bot.store.database import sqlite
from bot.store.database.changes import BOARDS, NOTHING, PEOPLE, Changes, of_match
from bot.store.schema import identities
from bot.support.errors import StoreError
from tests.bot.failing import fails
from tests.bot.store.looking import files, rows
from tests.bot.transactions import reading, writing


def counted(connection: Connection) -> int:
    return int(connection.exec_driver_sql("SELECT count(*) FROM users").scalar_one())


async def count_users(store: Store) -> int:
    return await store.read(counted)


@pytest.fixture
async def store(path: Path) -> Store:
    return await Store.open(path)


_NEW = "INSERT INTO users (name, settings, created) VALUES ('x', '{}', 1)"


async def insert(store: Store, then: str = "") -> None:
    """Insert a user and run `then` in one transaction. Without `then`, fail."""

    def step(connection: Connection) -> None:
        connection.exec_driver_sql(_NEW)
        if not then:
            raise ZeroDivisionError
        connection.exec_driver_sql(then)

    await store.write(step)


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

    async with writing(store) as transaction:
        await transaction.run(lambda connection: connection.exec_driver_sql(_NEW))
        writers = [asyncio.create_task(meet(number)) for number in range(20)]
        assert await count_users(store) == 0
    await asyncio.gather(*writers)
    assert await count_users(store) == 21
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
    await asyncio.sleep(0)  # until the task knows
    await asyncio.sleep(0)
    other.execute("ROLLBACK")
    other.close()
    await asyncio.gather(task, return_exceptions=True)
    await people.get_or_create_user(store, "web", "last", name="Ben")
    assert rows(path, "SELECT name FROM users ORDER BY id") == [("Anna",), ("Ben",)]
    await store.close()


async def test_several_questions_see_one_state_and_the_next_one_sees_what_is_new(
    store: Store,
) -> None:
    async with reading(store, snapshot=True) as transaction:
        # The first query decides which state is seen.
        assert await transaction.run(counted) == 0
        await people.get_or_create_user(store, "web", "1", name="Anna")
        assert await transaction.run(counted) == 0
    assert await count_users(store) == 1
    await store.close()


async def test_a_house_that_is_open_needs_no_further_files(store: Store) -> None:
    """There may be no descriptor left by then."""

    # Coverage opens files between tests.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", Mock(side_effect=OSError(24, "Too many open files")))
        # Nor has anybody else written: it is as it was when it was opened.
        assert await store.database.remote_changes() == NOTHING
        async with reading(store):
            # From now on a caller waits for the connection that reads.
            waiting = asyncio.create_task(count_users(store))
            await people.get_or_create_user(store, "web", "1", name="Anna")
            assert not waiting.done()
            assert store.database.connections == (1, 2)
        assert await waiting == 1
        assert store.database.connections == (0, 2)
        assert await store.database.remote_changes() == NOTHING
    await store.close()


def test_of_a_database_that_could_not_be_opened_nothing_is_left_beside_it(
    good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails(monkeypatch, sqlite.SQLite, "remote_changes", ZeroDivisionError)
    with pytest.raises(ZeroDivisionError):
        asyncio.run(Store.open(good))
    assert files(good.parent) == [good.name]


async def test_whoever_rests_does_so(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    rested: list[float] = []

    async def sleep(seconds: float) -> None:
        rested.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    await store.database.wait_for_change(7)
    assert rested == [7]
    await store.close()


async def test_what_the_data_do_not_allow_is_told_without_them(store: Store) -> None:
    new = insert_into(identities).values(platform="web", external="s3cret", user_id=99)
    with pytest.raises(IntegrityError) as refused:
        await store.write(lambda connection: connection.execute(new))
    assert "s3cret" not in str(refused.value)
    await store.close()


def test_a_file_is_there_or_not_and_a_server_perhaps(path: Path) -> None:
    assert not exists(path)
    path.touch()
    assert exists(path)
    assert exists(SecretStr("postgresql:///nowhere"))


def test_what_an_unknown_word_of_others_means_is_everything() -> None:
    """Such as that of a later version, or a number that no match can have."""
    most = "9" * 19
    known = Changes(["b", "p", f"m{most}"])
    assert known.people
    assert known.matches == {int(most)}
    assert not known.everything
    assert [one.people for one in (NOTHING, BOARDS, of_match(7), PEOPLE)] == [False] * 3 + [True]
    for word in (f"m{most}9", "m²", "m٣", "m", "x", "*", "7", "m-7", f"m{'9' * 5000}"):
        unknown = Changes(["m7", word])
        assert (unknown.everything, unknown.people) == (True, True), word
