"""SQLite's threads: what waits is committed together, fails separately, and is read at once."""

import asyncio
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from shutil import copy

import pytest
from pydantic import SecretStr
from sqlalchemy import Connection, bindparam, func, insert, select, text

from bot.domain.errors import Refused
from bot.store import Store, people
from bot.store.database.changes import NOTHING
from bot.store.database.sqlite_thread import Reader
from bot.store.schema import key_values, users
from bot.support.errors import StoreError, StoreGoneError
from tests.bot.transactions import held

pytestmark = pytest.mark.sqlite

Step = Callable[[Connection], str]

COUNT = select(func.count()).select_from(users)
NEW = users.insert().values(name="Anna", settings={}, created=1)


@pytest.fixture
async def store(empty: Path, tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(Path(copy(empty, tmp_path / "house.db")))
    yield opened
    await opened.close()


@pytest.fixture
async def other(store: Store) -> AsyncIterator[Store]:
    opened = await Store.open(store.address)
    yield opened
    await opened.close()


def file_of(store: Store) -> Path:
    assert not isinstance(store.address, SecretStr)
    return store.address


async def counted(store: Store) -> int:
    return await store.read(lambda connection: connection.execute(COUNT).scalar_one())


# Writing


def noting(word: str, *, then: Exception | None = None) -> Step:
    """Return a step that stores a word, and then fails if told to."""

    def step(connection: Connection) -> str:
        row = {"platform": "test", "key": word, "value": word}
        connection.execute(insert(key_values).values(row))
        if then:
            raise then
        return word

    return step


def write(store: Store, *steps: Step) -> list[asyncio.Task[str]]:
    return [asyncio.create_task(store.write(step, NOTHING)) for step in steps]


async def ended(*tasks: asyncio.Task[str]) -> list[str | BaseException]:
    return await asyncio.gather(*tasks, return_exceptions=True)


def words(store: Store) -> list[str]:
    with closing(sqlite3.connect(file_of(store))) as connection:
        query = "SELECT key FROM memos WHERE platform = 'test' ORDER BY rowid"
        return [word for (word,) in connection.execute(query)]


def transactions(store: Store) -> int:
    """Count the transactions in the log, by the frames that carry the size of the file.

    https://www.sqlite.org/fileformat2.html#the_write_ahead_log
    """
    log = file_of(store).with_name("house.db-wal").read_bytes()
    page = int.from_bytes(log[8:12])
    frames = (log[at : at + 24] for at in range(32, len(log), 24 + page))
    return sum(frame[4:8] != bytes(4) and frame[8:16] == log[16:24] for frame in frames)


async def test_what_waits_at_the_same_time_is_one_transaction_in_the_order_in_which_it_came(
    store: Store,
) -> None:
    await ended(*write(store, noting("first")))
    before = transactions(store)
    async with held(store):
        tasks = write(store, *map(noting, ("c", "a", "b")))
    assert await ended(*tasks) == ["c", "a", "b"]
    assert words(store) == ["first", "c", "a", "b"]
    # What held them up wrote nothing.
    assert transactions(store) == before + 1
    await ended(*write(store, noting("d")))
    assert transactions(store) == before + 2


async def test_one_that_fails_takes_nothing_away_from_the_others(store: Store) -> None:
    no = Refused("no-such-code")
    async with held(store):
        tasks = write(store, noting("a"), noting("b", then=no), noting("a"), noting("c"))
    first, refused, double, last = await ended(*tasks)
    assert (first, refused, last) == ("a", no, "c")
    assert "UNIQUE" in str(double)
    assert words(store) == ["a", "c"]
    assert await ended(*write(store, noting("b", then=no))) == [no]
    assert await ended(*write(store, noting("b"))) == ["b"]
    assert words(store) == ["a", "c", "b"]


async def test_whoever_has_gone_before_their_turn_stores_nothing(store: Store) -> None:
    async with held(store):
        first, second, third = write(store, *map(noting, ("a", "b", "c")))
        await asyncio.sleep(0)
        first.cancel()
        second.cancel()
    gone = await ended(first, second)
    assert all(isinstance(one, asyncio.CancelledError) for one in gone)
    assert await ended(third) == ["c"]
    assert words(store) == ["c"]


async def test_whoever_goes_while_the_disk_is_at_work_takes_nobody_along(store: Store) -> None:
    loop, begun, goes_on = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

    def slow(connection: Connection) -> str:
        loop.call_soon_threadsafe(begun.set)
        goes_on.wait(20)
        return noting("a")(connection)

    async with held(store):
        first, second = write(store, slow, noting("b"))
    await begun.wait()
    first.cancel()
    goes_on.set()
    assert await ended(second) == ["b"]
    assert words(store) == ["a", "b"]


async def test_what_sqlite_itself_takes_back_is_told_to_all(store: Store) -> None:
    def full(connection: Connection) -> str:
        connection.execute(text("PRAGMA max_page_count = 1"))
        noting("x" * 10**6)(connection)
        return "written"

    async with held(store):
        tasks = write(store, noting("a"), full, noting("b"))
    told = await ended(*tasks)
    assert [isinstance(one, StoreError) and "full" in str(one) for one in told] == [True] * 3
    assert words(store) == []


async def test_what_is_written_along_with_one_of_them_fails_with_it_alone(store: Store) -> None:
    class Note:
        """Fails on demand."""

        def __init__(self, word: str, then: Exception | None = None) -> None:
            self.step, self.is_stored = noting(word, then=then), False

        def __call__(self, connection: Connection) -> None:
            self.step(connection)

        def committed(self) -> None:
            self.is_stored = bool(asyncio.current_task())

    good, bad = Note("with a"), Note("with b", Refused("no-such-code"))
    async with held(store):
        tasks = [
            *write(store.together_with(good), noting("a")),
            *write(store.together_with(bad), noting("b")),
        ]
    assert (await ended(*tasks))[0] == "a"
    assert (good.is_stored, bad.is_stored) == (True, False)
    assert words(store) == ["a", "with a"]


async def test_what_is_refused_as_it_comes_while_the_house_closes_is_not_stored(
    store: Store,
) -> None:
    async with held(store):
        early = write(store, noting("early"), noting("too"))
        await asyncio.sleep(0)
        closing = asyncio.create_task(store.close())
        await asyncio.sleep(0)
        (late,) = await ended(*write(store, noting("late")))
        assert isinstance(late, StoreGoneError)
    assert await ended(*early) == ["early", "too"]
    await closing
    assert words(store) == ["early", "too"]


async def test_a_commit_to_a_file_that_has_gone_counts_as_failed(store: Store) -> None:
    path = file_of(store)

    def step(connection: Connection) -> str:
        path.rename(path.with_name("away.db"))
        return noting("a")(connection)

    async with held(store):
        tasks = write(store, step, noting("b"))
    assert [type(one) for one in await ended(*tasks)] == [StoreGoneError] * 2
    (late,) = await ended(*write(store, noting("c")))
    assert isinstance(late, StoreGoneError)
    path.with_name("away.db").rename(path)
    assert "c" not in words(store)


async def test_a_file_that_another_process_locks_for_long_is_one_line(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file_of(store)
    await store.write(
        lambda connection: connection.exec_driver_sql("PRAGMA busy_timeout=0").all(), NOTHING
    )
    with closing(sqlite3.connect(path, isolation_level=None)) as locking:
        locking.execute("BEGIN IMMEDIATE")
        busy = await ended(*write(store, noting("a"), noting("b")))
        assert [str(one) for one in busy] == [f"{path}: database is locked"] * 2
    assert await ended(*write(store, noting("a"))) == ["a"]


# Reading


async def test_it_sees_what_was_written_here_and_elsewhere_just_before(
    store: Store, other: Store
) -> None:
    before = await counted(store)
    for number, one in enumerate((store, other, store, other), 1):
        await people.get_or_create_user(one, "web", f"new{number}", name=f"Anna {number}")
        assert await counted(store) == before + number


async def test_many_at_once_get_their_own_answers_though_some_stop_waiting(store: Store) -> None:
    query = select(bindparam("number", type_=users.c.id.type))

    async def ask(number: int) -> int:
        return await store.read(
            lambda connection: connection.execute(query, {"number": number}).scalar_one()
        )

    asked = [asyncio.create_task(ask(number)) for number in range(40)]
    await asyncio.sleep(0)
    for task in asked[::3]:
        task.cancel()
    answers = await asyncio.gather(*asked, return_exceptions=True)
    for number, answer in enumerate(answers):
        if number % 3:
            assert answer == number
        else:
            assert isinstance(answer, asyncio.CancelledError)


async def test_nothing_is_written_by_a_question(store: Store) -> None:
    before = await counted(store)
    with pytest.raises(StoreError, match="readonly"):
        await store.read(lambda connection: connection.execute(NEW))
    assert await counted(store) == before


async def test_of_a_file_that_has_gone_nothing_is_told_until_it_is_back(store: Store) -> None:
    before, path = await counted(store), file_of(store)
    away = path.rename(path.with_name("away.db"))
    with pytest.raises(StoreGoneError):
        await counted(store)
    away.rename(path)
    assert await counted(store) == before


async def test_who_asks_before_it_is_closed_gets_an_answer_and_who_asks_later_hears_why_not(
    other: Store,
) -> None:
    asked = [asyncio.create_task(counted(other)) for _ in range(50)]
    await asyncio.sleep(0)
    await other.close()
    assert len(await asyncio.gather(*asked)) == 50
    with pytest.raises(StoreGoneError, match="closed"):
        await counted(other)


# Opening and closing


async def test_each_connection_is_synced_to_disk_overwrites_and_checks_foreign_keys(
    store: Store,
) -> None:
    names = ("journal_mode", "synchronous", "secure_delete", "foreign_keys")

    def ask(connection: Connection) -> list[object]:
        found = (connection.exec_driver_sql(f"PRAGMA {name}") for name in names)
        return [one.scalar_one() for one in found]

    assert await store.read(ask) == ["wal", 2, 1, 1]
    assert await store.write(ask) == ["wal", 2, 1, 1]


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Connection]:
    """Return the connections that were closed."""
    from bot.store.database import sqlite_thread

    found = list[sqlite3.Connection]()

    class Noted(sqlite_thread._Raw):
        def close(self) -> None:
            found.append(self)
            super().close()

    monkeypatch.setattr(sqlite_thread, "_Raw", Noted)
    return found


async def test_a_connection_that_cannot_be_prepared_is_closed(
    tmp_path: Path, closed: list[sqlite3.Connection]
) -> None:
    reader = Reader(tmp_path / "any.db", lambda: None, ["SELECT 1", "SELECT * FROM no_table"])
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        await reader.open()
    assert len(closed) == 1
    await reader.close()


@pytest.mark.slow
def test_a_store_that_is_not_closed_does_not_keep_the_process_alive(tmp_path: Path) -> None:
    program = (
        "import asyncio, pathlib, time\n"
        "from bot.store import Store\n"
        "async def main():\n"
        "    store = await Store.open(pathlib.Path('any.db'))\n"
        "    asyncio.ensure_future(store.read(lambda _: time.sleep(3600)))\n"
        "    await store.write(lambda _: None)\n"
        "    return store\n"
        "store = asyncio.run(main())\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, timeout=60, check=True)
