"""Messages in rooms of the web app."""

import asyncio
from typing import Any

from bot.store import Store, blocks, boards, rooms
from bot.store.schema import messages as rows
from tests.bot.store.sql import execute
from tests.bot.table import Person, Table
from tests.optional import not_none


async def add(store: Store, place_id: int, **said: Any) -> rooms.Message:
    return not_none(await rooms.message(store, await rooms.add(store, place_id, **said)))


async def test_stamps_rise_with_every_change_whoever_writes(
    table: Table, store: Store, anna: Person
) -> None:
    said = await asyncio.gather(
        *(
            add(store, table.lounge.id, author_id=anna.id, screen={"text": f"{number}"})
            for number in range(20)
        )
    )
    assert sorted(message.stamp for message in said) == list(range(1, 21))
    await rooms.mark_deleted(store, said[0].id)
    gone = not_none(await rooms.message(store, said[0].id))
    assert (gone.stamp, gone.gone, gone.screen) == (21, True, None)
    assert await rooms.newest(store) == 21


async def test_numbers_and_stamps_are_given_out_once_whatever_is_deleted(
    table: Table, store: Store, anna: Person
) -> None:
    for number in range(3):
        last = await add(store, table.lounge.id, author_id=anna.id, screen={"text": "x"})
        assert (last.id, last.stamp) == (number + 1, number + 1)
    await execute(store, "DELETE FROM messages")
    said = await add(store, table.lounge.id, author_id=anna.id, screen={"text": "y"})
    assert (said.id, said.stamp) == (4, 4)


async def test_a_line_knows_who_said_it_or_asked_for_it_and_who_does_not_want_it(
    table: Table, store: Store, anna: Person, ben: Person, cleo: Person
) -> None:
    async def line(author: Person | None, *, is_answer: bool = False) -> rooms.Message:
        author_id = author.id if author else None
        return await add(
            store, table.lounge.id, author_id=author_id, screen={"text": "x"}, is_answer=is_answer
        )

    await blocks.add(store, ben.id, anna.id)
    await blocks.add(store, cleo.id, anna.id)
    await blocks.add(store, anna.id, ben.id)
    said, asked, house = await line(anna), await line(anna, is_answer=True), await line(None)
    other = await line(cleo)
    unwanted = frozenset({ben.id, cleo.id})
    assert [
        (one.author, one.author_id, one.asked_by, one.unwanted_by)
        for one in (said, asked, house, other)
    ] == [
        ("Anna", anna.id, None, unwanted),
        (None, None, anna.id, unwanted),
        (None, None, None, frozenset()),
        ("Cleo", cleo.id, None, frozenset()),
    ]
    # How an answer is marked is nothing to be shown.
    for one in (said, asked, house, other):
        assert (one.screen, one.gone, one.at) == ({"text": "x"}, False, store.now())
        assert await rooms.message(store, one.id) == one


async def test_what_is_taken_away_or_forgotten_is_nothing_else(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    async def line(author: Person | None, *, is_answer: bool = False) -> int:
        author_id = author.id if author else None
        return await rooms.add(
            store, table.lounge.id, author_id=author_id, screen={"text": "x"}, is_answer=is_answer
        )

    first, second, asked = await line(anna), await line(anna), await line(anna, is_answer=True)
    his, his_answer, house = await line(ben), await line(ben, is_answer=True), await line(None)

    async def every() -> list[tuple[int, int | None, int | None, bool, int]]:
        found = await rooms.news(store, "web", since=0, limit=99)
        assert all((one.screen is None) == one.gone for one in found)
        return [(one.id, one.author_id, one.asked_by, one.gone, one.stamp) for one in found]

    rest = [
        (his, ben.id, None, False, 4),
        (his_answer, None, ben.id, False, 5),
        (house, None, None, False, 6),
    ]
    assert (await every())[3:] == rest
    await rooms.mark_deleted(store, first)
    assert (await every())[-1] == (first, anna.id, None, True, 7)
    await store.write(lambda connection: rooms.forget_author(connection, anna.id))
    found = await every()
    assert found[:1] == [(asked, None, None, False, 3)]
    assert found[1:4] == rest
    assert found[4:] == [(first, None, None, True, 8), (second, None, None, True, 9)]
    by_ben = rows.c.author_id == ben.id
    await store.write(lambda connection: rooms.stamp_anew(connection, by_ben))
    assert [one[0] for one in await every()] == [asked, house, first, second, his, his_answer]
    assert await rooms.newest(store) == 11


async def test_what_is_read_of_a_room_ends_where_it_was_asked_to(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    here, other = table.lounge.id, (await table.channel("garden")).id
    ids = []
    for number in range(6):
        place = other if number in (2, 4) else here
        ids.append(await rooms.add(store, place, author_id=anna.id, screen={"text": f"{number}"}))
    mine = [ids[number] for number in (0, 1, 3, 5)]

    def seen(found: list[rooms.Message]) -> list[int]:
        return [message.id for message in found]

    assert seen(await rooms.changed(store, here, since=0, limit=9)) == mine
    assert seen(await rooms.changed(store, here, since=2, limit=9)) == mine[2:]
    assert seen(await rooms.changed(store, here, since=4, limit=9)) == mine[3:]
    assert seen(await rooms.changed(store, here, since=0, limit=2)) == mine[2:]
    assert seen(await rooms.news(store, "web", since=4, limit=9)) == ids[4:]
    assert seen(await rooms.news(store, "web", since=0, limit=3)) == ids[:3]
    assert seen(await rooms.older(store, here, before=mine[2], limit=9)) == mine[:2]
    assert seen(await rooms.older(store, here, before=mine[3], limit=2)) == mine[1:3]
    await rooms.mark_deleted(store, mine[0])
    assert seen(await rooms.older(store, here, before=mine[2], limit=9)) == mine[1:2]
    # Another platform has its own rooms.
    assert await rooms.news(store, "lines", since=0, limit=9) == []
    assert await rooms.message(store, 99) is None
    # Read marks belong to a person and a room, and never go back.
    for user, place, message in (
        (anna, here, mine[1]),
        (anna, here, mine[0]),
        (anna, here, ids[2]),
        (anna, other, ids[2]),
        (ben, here, mine[3]),
        (anna, here, 999),
    ):
        await rooms.note_read(store, user.id, place, message_id=message)
    assert await rooms.read_by(store, anna.id) == {here: mine[1], other: ids[2]}
    assert await rooms.read_by(store, ben.id) == {here: mine[3]}
    await rooms.note_read(store, anna.id, here, message_id=mine[2])
    assert await rooms.read_by(store, anna.id) == {here: mine[2], other: ids[2]}


async def test_messages_of_other_boards_stay_as_they_are(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    here = table.lounge.id
    one, two = [
        (await boards.of_match(store, await table.begin(anna, ben)))[0].id for _ in range(2)
    ]
    for board in (one, two):
        await rooms.board_message(store, here, board, message_id=None, former=None)
    first, second = await rooms.news(store, "web", since=0, limit=9)
    assert [(it.board_id, it.gone, it.stamp, it.screen) for it in (first, second)] == [
        (one, False, 1, None),
        (two, False, 2, None),
    ]
    again = await rooms.board_message(store, here, one, message_id=first.id, former=None)
    assert (again, await rooms.newest(store)) == (first.id, 3)
    assert await rooms.message(store, second.id) == second
    await rooms.mark_deleted(store, first.id)
    new = await rooms.board_message(store, here, one, message_id=None, former=None)
    assert new not in (first.id, second.id)
    assert await rooms.message(store, second.id) == second


async def test_a_board_has_one_message_however_often_it_is_asked_for(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    (board,) = await boards.of_match(store, match_id)

    async def message(message_id: int | None, former: int | None = None) -> int:
        return await rooms.board_message(
            store, table.lounge.id, board.id, message_id=message_id, former=former
        )

    first = await message(None)
    # A crash before the reference was stored.
    assert await message(None) == first
    assert await message(first) == first
    assert await rooms.newest(store) == 3
    # Moved to the bottom, with a crash before the old one was taken away.
    moved = await message(None, first)
    assert moved != first
    assert await message(None, first) == moved
    await rooms.mark_deleted(store, first)
    assert await message(None) == moved
