"""Group commit: waiting transactions reach the disk together, and fail separately."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, text

from bot.domain.errors import Refused
from bot.store import Store
from bot.store.changes import NOTHING
from bot.store.schema import key_values
from bot.support.errors import StoreError

pytestmark = pytest.mark.sqlite

Step = Callable[[Connection], str]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(tmp_path / "house.db")
    yield opened
    await opened.close()


def noting(word: str, *, then: Exception | None = None) -> Step:
    """Return a step that stores a word, and then fails if told to."""

    def step(connection: Connection) -> str:
        row = {"platform": "test", "key": word, "value": word}
        connection.execute(insert(key_values).values(row))
        if then:
            raise then
        return word

    return step


@asynccontextmanager
async def held(store: Store) -> AsyncIterator[None]:
    """Hold the write lock until all other writers wait for it."""
    async with store.write(NOTHING):
        yield
        for _ in range(5):
            await asyncio.sleep(0)


def write(store: Store, *steps: Step) -> list[asyncio.Task[str]]:
    return [asyncio.create_task(store.write_at_once(NOTHING, step)) for step in steps]


async def ended(*tasks: asyncio.Task[str]) -> list[str | BaseException]:
    return await asyncio.gather(*tasks, return_exceptions=True)


def words(store: Store) -> list[str]:
    assert isinstance(store.address, Path)
    with closing(sqlite3.connect(store.address)) as connection:
        query = "SELECT key FROM memos WHERE platform = 'test' ORDER BY rowid"
        return [word for (word,) in connection.execute(query)]


def transactions(store: Store) -> int:
    """Count the transactions in the log, by the frames that carry the size of the file.

    https://www.sqlite.org/fileformat2.html#the_write_ahead_log
    """
    assert isinstance(store.address, Path)
    log = store.address.with_name("house.db-wal").read_bytes()
    page = int.from_bytes(log[8:12])
    frames = (log[at : at + 24] for at in range(32, len(log), 24 + page))
    return sum(frame[4:8] != bytes(4) and frame[8:16] == log[16:24] for frame in frames)


async def test_what_waits_at_the_same_time_is_one_transaction_in_the_order_in_which_it_came(
    store: Store,
) -> None:
    before = transactions(store)
    async with held(store):
        tasks = write(store, *map(noting, ("c", "a", "b")))
    assert await ended(*tasks) == ["c", "a", "b"]
    assert words(store) == ["c", "a", "b"]
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
    assert await ended(*write(store, noting("b"))) == ["b"]


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
    loop, begun = asyncio.get_running_loop(), asyncio.Event()

    def slow(connection: Connection) -> str:
        loop.call_soon_threadsafe(begun.set)
        return noting("a")(connection)

    async with held(store):
        first, second = write(store, slow, noting("b"))
    await begun.wait()
    first.cancel()
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
            self.is_stored = True

    good, bad = Note("with a"), Note("with b", Refused("no-such-code"))
    async with held(store):
        tasks = [
            *write(store.together_with(good), noting("a")),
            *write(store.together_with(bad), noting("b")),
        ]
    assert (await ended(*tasks))[0] == "a"
    assert (good.is_stored, bad.is_stored) == (True, False)
    assert words(store) == ["a", "with a"]


async def test_a_house_that_closes_stores_what_had_come_before(store: Store) -> None:
    async with held(store):
        tasks = write(store, noting("a"), noting("b"))
        await asyncio.sleep(0)
        closing_ = asyncio.create_task(store.close())
    assert await ended(*tasks) == ["a", "b"]
    await closing_
    assert words(store) == ["a", "b"]
