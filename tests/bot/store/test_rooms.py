"""What was said at the web table."""

import asyncio

import pytest

from bot.store import Store, boards, rooms
from tests.bot.table import Person, Table


@pytest.fixture
def store(table: Table) -> Store:
    return table.app.store


async def texts(store: Store, place_id: int, **limits: int) -> list[str]:
    found = await rooms.changed(store, place_id, **{"since": 0, "limit": 99, **limits})
    return [message.screen["text"] for message in found if message.screen]


async def test_what_is_said_stands_in_order_under_its_author(
    table: Table, store: Store, anna: Person
) -> None:
    said = await rooms.add(store, table.lounge.id, author_id=anna.id, screen={"text": "one"})
    assert (said.author, said.author_id, said.gone) == ("Anna", anna.id, False)
    await rooms.add(store, table.lounge.id, author_id=None, screen={"text": "two"})
    await rooms.add(store, anna.direct.id, author_id=anna.id, screen={"text": "elsewhere"})
    assert await texts(store, table.lounge.id) == ["one", "two"]
    assert await rooms.message(store, said.id) == said
    assert await rooms.message(store, 99) is None


async def test_stamps_rise_with_every_change_whoever_writes(
    table: Table, store: Store, anna: Person
) -> None:
    said = await asyncio.gather(
        *(
            rooms.add(store, table.lounge.id, author_id=anna.id, screen={"text": f"{number}"})
            for number in range(20)
        )
    )
    assert sorted(message.stamp for message in said) == list(range(1, 21))
    gone = await rooms.take_away(store, said[0].id)
    assert gone is not None
    assert (gone.stamp, gone.gone, gone.screen) == (21, True, None)
    assert await rooms.newest(store) == 21
    assert await rooms.take_away(store, 99) is None


async def test_numbers_and_stamps_are_given_out_once_whatever_is_deleted(
    table: Table, store: Store, anna: Person
) -> None:
    last = None
    for number in range(3):
        last = await rooms.add(store, table.lounge.id, author_id=anna.id, screen={"text": "x"})
        assert (last.id, last.stamp) == (number + 1, number + 1)
    async with store.write() as connection:
        await connection.exec_driver_sql("DELETE FROM messages")
    said = await rooms.add(store, table.lounge.id, author_id=anna.id, screen={"text": "y"})
    assert (said.id, said.stamp) == (4, 4)


async def test_news_come_in_the_order_of_their_stamps_whatever_the_room(
    table: Table, store: Store, anna: Person
) -> None:
    for place in (table.lounge, anna.direct, table.lounge):
        await rooms.add(store, place.id, author_id=anna.id, screen={"text": "x"})
    await rooms.take_away(store, 1)
    found = await rooms.news(store, since=1, limit=9)
    assert [(message.id, message.gone) for message in found] == [(2, False), (3, False), (1, True)]
    assert [message.id for message in await rooms.news(store, since=1, limit=2)] == [2, 3]


async def test_a_page_reads_what_it_has_missed(table: Table, store: Store, anna: Person) -> None:
    for number in range(10):
        await rooms.add(store, table.lounge.id, author_id=anna.id, screen={"text": f"{number}"})
    assert await texts(store, table.lounge.id, since=7) == ["7", "8", "9"]
    # Not all of what was said in a year: the newest.
    assert await texts(store, table.lounge.id, limit=2) == ["8", "9"]
    await rooms.take_away(store, 5)
    older = await rooms.older(store, table.lounge.id, before=7, limit=3)
    assert [message.id for message in older] == [3, 4, 6]


async def test_a_board_has_one_message_however_often_it_is_asked_for(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    (board,) = await boards.of_match(store, match_id)

    async def message(message_id: int | None, former: int | None = None) -> rooms.Message:
        return await rooms.board_message(
            store, table.lounge.id, board.id, message_id=message_id, former=former
        )

    first = await message(None)
    # A crash before the reference was stored.
    assert (await message(None)).id == first.id
    edited = await message(first.id)
    assert edited.id == first.id
    assert edited.stamp > first.stamp
    # Moved to the bottom, with a crash before the old one was taken away.
    moved = await message(None, first.id)
    assert moved.id != first.id
    assert (await message(None, first.id)).id == moved.id
    await rooms.take_away(store, first.id)
    assert (await message(None)).id == moved.id
