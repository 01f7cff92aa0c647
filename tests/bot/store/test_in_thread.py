"""What is asked at once gets its answer in one trip, and is right all the same."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import Connection, func, select, text

from bot.errors import StoreError
from bot.store import Store, people
from bot.store.changes import NOTHING
from bot.store.schema import users
from tests.bot.table import Table

pytestmark = pytest.mark.both


def counted(connection: Connection) -> int:
    return int(connection.execute(select(func.count()).select_from(users)).scalar_one())


@pytest.fixture
def store(table: Table) -> Store:
    return table.app.store


@pytest.fixture
async def other(table: Table) -> AsyncIterator[Store]:
    """Another process's."""
    opened = await Store.open(table.settings.database)
    yield opened
    await opened.close()


async def test_it_sees_what_was_written_here_and_elsewhere_just_before(
    store: Store, other: Store
) -> None:
    before = await store.read_at_once(counted)
    for number, one in enumerate((store, other, store, other), 1):
        await people.get_or_create_user(one, "web", f"new{number}", name=f"Anna {number}")
        assert await store.read_at_once(counted) == before + number


async def test_it_waits_for_nobody_who_writes_and_sees_nothing_of_it(store: Store) -> None:
    before = await store.read_at_once(counted)
    async with store.write(NOTHING) as connection:
        await connection.execute(users.insert().values(name="Anna", settings={}, created=1))
        assert await store.read_at_once(counted) == before
    assert await store.read_at_once(counted) == before + 1


async def test_what_fails_is_one_line_and_the_next_one_is_answered(store: Store) -> None:
    with pytest.raises(StoreError, match="nowhere") as failed:
        await store.read_at_once(
            lambda connection: connection.execute(text("SELECT 1 FROM nowhere"))
        )
    assert "\n" not in str(failed.value)
    with pytest.raises(ZeroDivisionError):
        await store.read_at_once(lambda _: 1 // 0)
    assert await store.read_at_once(counted) >= 0


async def test_many_at_once_get_their_own_answers_though_some_stop_waiting(store: Store) -> None:
    def told(number: int) -> asyncio.Task[int]:
        query = select(text(f"{number}"))
        return asyncio.create_task(
            store.read_at_once(lambda connection: int(connection.execute(query).scalar_one()))
        )

    asked = [told(number) for number in range(40)]
    await asyncio.sleep(0)
    for task in asked[::3]:
        task.cancel()
    answers = await asyncio.gather(*asked, return_exceptions=True)
    for number, answer in enumerate(answers):
        assert answer == number or isinstance(answer, asyncio.CancelledError)
    assert [number for number, answer in enumerate(answers) if answer == number][:2] == [1, 2]
