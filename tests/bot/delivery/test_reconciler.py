"""Boards catch up and players are notified: found, done, stored as done."""

import asyncio

import pytest

from bot.app import App
from bot.delivery import Outgoing, Reconciler
from bot.store import boards as board_store
from bot.store import people
from tests.bot.delivery.working import boards
from tests.bot.table import Person, Table

# Boards


async def test_a_board_is_posted_once_and_edited_then(table: Table, match: int) -> None:
    await table.settle()
    (message,) = table.wall.posts
    for move in ("d3", "c3"):
        await table.plays(match, move)
        await table.settle()
    assert list(table.wall.posts) == [message]
    assert [post.version for post in table.wall.shown] == [2, 3, 4]


async def test_nothing_is_shown_twice(table: Table, match: int) -> None:
    await table.settle()
    shown, told = list(table.wall.shown), list(table.wall.told)
    await table.settle()
    await table.restart()
    await table.settle()
    assert (table.wall.shown, table.wall.told) == (shown, told)


async def test_a_board_that_is_shown_anew_has_names_that_another_process_has_changed(
    table: Table, anna: Person, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles: list[str] = []

    async def show(outgoing: Outgoing, message: str) -> str:
        titles.append((await outgoing.screen()).title)
        return message

    monkeypatch.setattr(table.wall, "show", show)
    await table.settle()
    store = table.app.store
    await people.get_or_create_user(store, "web", anna.identity, name="Hanna")
    await board_store.redraw_boards(store, [one.id for one in await boards(table, match)])
    await table.settle()
    assert titles == ["Othello · Anna ⚫ – ⚪ Ben", "Othello · Hanna ⚫ – ⚪ Ben"]


async def test_only_the_newest_state_is_shown(table: Table, match: int) -> None:
    await table.plays(match, "d3,c3,c4,e3")
    await table.settle()
    assert [post.version for post in table.wall.shown] == [6]
    assert len(table.wall.told) == 1


async def test_a_board_that_was_being_shown_when_others_came_to_speak_is_shown_once_more(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.settle()
    edit = table.wall.edit

    async def stopped(outgoing: Outgoing, message: str) -> str:
        monkeypatch.setattr(table.app.shards, "tenure", lambda _: "another one")
        return await edit(outgoing, message)

    monkeypatch.setattr(table.wall, "edit", stopped)
    await table.plays(match, "d3")
    await table.settle()
    assert [post.version for post in table.wall.shown] == [2, 3, 3]
    await table.plays(match, "c3")
    await table.settle()
    assert [post.version for post in table.wall.shown] == [2, 3, 3, 4]


async def test_a_board_that_moves_to_the_bottom_leaves_no_second_one(
    table: Table, anna: Person, match: int
) -> None:
    await table.settle()
    for _ in range(3):
        before = set(table.wall.posts)
        # Twice before anybody looks: still one message.
        await anna.types("/othello")
        await anna.types("/board")
        await table.settle()
        assert len(table.wall.posts) == 1
        assert not before & set(table.wall.posts)
    # The player to move is the same, so there is no second notification.
    assert len(table.wall.told) == 1


async def test_a_move_while_a_board_is_being_shown_is_shown_next(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    show = table.wall.show

    async def slow(outgoing: Outgoing, message: str) -> str:
        if outgoing.loaded.match.version == 2:
            await table.plays(match, "d3")
        return await show(outgoing, message)

    monkeypatch.setattr(table.wall, "show", slow)
    await table.settle()
    assert [post.version for post in table.wall.shown] == [2, 3]
    assert len(table.wall.posts) == 1


# Several platforms, several processes


async def test_of_two_processes_one_shows_a_board(table: Table, anna: Person, ben: Person) -> None:
    other = await App.open(table.settings, clock=table.clock)
    theirs = Reconciler(other, {"web": table.wall})
    match = await table.begin(anna, ben)
    # Who begins it takes it into their hands; who did not leaves it to them ...
    assert await theirs.once() == 0
    assert table.wall.shown == []
    await table.settle()
    assert [post.version for post in table.wall.shown] == [2]
    await table.plays(match, "d3")
    assert await theirs.once() == 0
    assert [post.version for post in table.wall.shown] == [2]
    # ... unless they have died over it.
    table.clock.forward(61)
    assert await theirs.once() == 0
    assert [post.version for post in table.wall.shown] == [2, 3]
    await table.settle()
    assert [post.version for post in table.wall.shown] == [2, 3]
    await other.close()


async def test_two_processes_at_once_show_every_board_once(
    table: Table, anna: Person, ben: Person
) -> None:
    other = await App.open(table.settings, clock=table.clock)
    theirs = Reconciler(other, {"web": table.wall})
    match = (await table.loaded(await table.begin(anna, ben))).match
    await table.settle()
    for number in range(6):
        room = await table.channel(f"room{number}")
        await board_store.add(table.app.store, match, room.id, seat=None)
    await asyncio.gather(table.settle(), theirs.once())
    assert len(table.wall.shown) == 7
    await other.close()


async def test_a_platform_that_is_not_served_waits(table: Table, anna: Person, match: int) -> None:
    away = await table.app.directory.direct("elsewhere", "1", "x")
    await board_store.add(table.app.store, (await table.loaded(match)).match, away.id, seat=None)
    assert await table.settle() == 0
    assert {post.place for post in table.wall.posts.values()} == {table.lounge.id}
