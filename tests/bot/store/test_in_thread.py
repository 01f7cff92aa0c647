"""Queries asked at once are answered in one trip to the thread."""

import asyncio

import pytest
from pydantic import SecretStr
from sqlalchemy import bindparam, func, select, text

from bot.store import Store, people
from bot.store.changes import NOTHING
from bot.store.schema import users
from bot.support.errors import StoreError, StoreGoneError

pytestmark = pytest.mark.both

COUNT = select(func.count().label("number")).select_from(users)


async def counted(store: Store) -> int:
    ((number,),) = await store.read_at_once(COUNT, {})
    return int(number)


async def test_it_sees_what_was_written_here_and_elsewhere_just_before(
    store: Store, other: Store
) -> None:
    before = await counted(store)
    for number, one in enumerate((store, other, store, other), 1):
        await people.get_or_create_user(one, "web", f"new{number}", name=f"Anna {number}")
        assert await counted(store) == before + number


async def test_it_waits_for_nobody_who_writes_and_sees_nothing_of_it(store: Store) -> None:
    before = await counted(store)
    async with store.write(NOTHING) as connection:
        await connection.execute(users.insert().values(name="Anna", settings={}, created=1))
        assert await counted(store) == before
    assert await counted(store) == before + 1


async def test_what_fails_is_one_line_and_the_next_one_is_answered(store: Store) -> None:
    before = await counted(store)
    with pytest.raises(StoreError, match="nowhere") as failed:
        await store.read_at_once(text("SELECT 1 FROM nowhere"), {})
    assert "\n" not in str(failed.value)
    assert await counted(store) == before


async def test_many_at_once_get_their_own_answers_though_some_stop_waiting(store: Store) -> None:
    query = select(bindparam("number", type_=users.c.id.type).label("told"))
    asked = [
        asyncio.create_task(store.read_at_once(query, {"number": number})) for number in range(40)
    ]
    await asyncio.sleep(0)
    for task in asked[::3]:
        task.cancel()
    answers = await asyncio.gather(*asked, return_exceptions=True)
    for number, answer in enumerate(answers):
        if number % 3:
            assert answer == [(number,)]
        else:
            assert isinstance(answer, asyncio.CancelledError)


@pytest.mark.sqlite
async def test_nothing_is_written_by_a_question(store: Store) -> None:
    before = await counted(store)
    with pytest.raises(StoreError, match="readonly"):
        await store.read_at_once(users.insert().values(name="x", settings={}, created=1), {})
    assert await counted(store) == before


@pytest.mark.sqlite
async def test_of_a_file_that_has_gone_nothing_is_told_until_it_is_back(store: Store) -> None:
    before, path = await counted(store), store.address
    assert not isinstance(path, SecretStr)
    away = path.rename(path.with_name("away.db"))
    with pytest.raises(StoreGoneError):
        await counted(store)
    away.rename(path)
    assert await counted(store) == before


@pytest.mark.sqlite
async def test_who_asks_before_it_is_closed_gets_an_answer_and_who_asks_later_hears_why_not(
    other: Store,
) -> None:
    asked = [asyncio.create_task(counted(other)) for _ in range(50)]
    await asyncio.sleep(0)
    await other.close()
    assert len(await asyncio.gather(*asked)) == 50
    with pytest.raises(StoreGoneError, match="closed"):
        await counted(other)
