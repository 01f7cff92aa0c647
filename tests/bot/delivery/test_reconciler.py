"""Boards catch up, people are told: looked for, done, stored as done."""

import asyncio

import pytest
from structlog.typing import EventDict

from bot.delivery import LaterError, Outgoing
from bot.errors import StoreError
from bot.model import Board
from bot.store import boards as rows
from tests.bot.table import Person, Table


@pytest.fixture
async def match(table: Table, anna: Person, ben: Person) -> int:
    return await table.begin(anna, ben)


async def boards(table: Table, match_id: int) -> list[Board]:
    return await rows.of_match(table.house.store, match_id)


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


async def test_only_the_newest_state_is_shown(table: Table, match: int) -> None:
    await table.plays(match, "d3,c3,c4,e3")
    await table.settle()
    assert [post.version for post in table.wall.shown] == [6]
    assert len(table.wall.told) == 1


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
    # It was no new turn, so nobody was told again.
    assert len(table.wall.told) == 1


async def test_a_move_while_a_board_is_being_shown_is_shown_next(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    show = table.wall.show

    async def slow(outgoing: Outgoing, message: str) -> str:
        if outgoing.live.match.version == 2:
            await table.plays(match, "d3")
        return await show(outgoing, message)

    monkeypatch.setattr(table.wall, "show", slow)
    await table.settle()
    assert [post.version for post in table.wall.shown] == [2, 3]
    assert len(table.wall.posts) == 1


async def test_a_board_moved_while_it_is_being_shown_is_posted_again(
    table: Table, anna: Person, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.settle()
    show = table.wall.show
    moved: list[bool] = []

    async def slow(outgoing: Outgoing, message: str) -> str:
        if not moved:
            moved.append(True)
            await anna.types("/othello")
        return await show(outgoing, message)

    monkeypatch.setattr(table.wall, "show", slow)
    await table.plays(match, "d3")
    await table.settle()
    assert [post.version for post in table.wall.posts.values()] == [3]
    (board,) = await boards(table, match)
    assert [board.message] == list(table.wall.posts)


# Failures


async def test_a_failing_place_stops_no_other(
    table: Table, anna: Person, match: int, logged: list[EventDict]
) -> None:
    await anna.types("/board", place=anna.direct)
    garden = await table.channel("garden")
    await anna.types(f"/board {match}", place=garden)
    table.wall.fails.add(table.lounge.id)
    assert await table.settle() == 1
    assert {post.place for post in table.wall.posts.values()} == {anna.direct.id, garden.id}
    assert "the platform is down" in logged[-1].pop("exception")
    # The move is stored, and the board is shown when the platform is back.
    await table.plays(match, "d3")
    table.wall.fails.clear()
    assert await table.settle() == 0
    assert {post.version for post in table.wall.posts.values()} == {3}
    assert len(table.wall.posts) == 3


async def test_a_board_that_cannot_be_noted_costs_a_line_and_comes_later(
    table: Table, match: int, logged: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object, **__: object) -> None:
        raise StoreError("azumaya.db: database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(rows, "note", full)
        assert await table.settle() == 1
    (line,) = [entry for entry in logged if entry["event"] == "board not shown"]
    assert line["reason"] == "azumaya.db: database or disk is full"
    assert "exception" not in line
    assert await table.settle() == 0


async def test_a_failing_notice_posts_no_second_board(
    table: Table, match: int, logged: list[EventDict]
) -> None:
    table.wall.mute.add(table.lounge.id)
    for _ in range(3):
        assert await table.settle() == 1
        assert "the platform is down" in logged[-1].pop("exception")
    assert len(table.wall.posts) == 1
    assert len(table.wall.shown) == 1
    table.wall.mute.clear()
    assert await table.settle() == 0
    assert len(table.wall.shown) == 1
    assert len(table.wall.told) == 1


async def test_a_place_that_wants_a_pause_is_asked_again_with_the_newest_state(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    show = table.wall.show

    async def not_now(*_: object) -> str:
        raise LaterError(60)

    with monkeypatch.context() as patch:
        patch.setattr(table.wall, "show", not_now)
        assert await table.settle() == 1
    assert table.wall.show == show
    await table.plays(match, "d3")
    assert await table.settle() == 0
    assert [post.version for post in table.wall.shown] == [3]


async def test_a_place_that_is_gone_is_forgotten(table: Table, anna: Person, match: int) -> None:
    await anna.types("/board", place=anna.direct)
    table.wall.gone.add(table.lounge.id)
    assert await table.settle() == 0
    assert {board.place_id for board in await boards(table, match)} == {anna.direct.id}
    # The match goes on where it is still shown, and can be fetched back.
    await table.plays(match, "d3")
    await table.settle()
    assert [post.version for post in table.wall.posts.values()] == [3]
    table.wall.gone.clear()
    await anna.types("/board")
    await table.settle()
    assert len(table.wall.posts) == 2


# Crashes: the move is committed, and then the lights go out


class LightsOut(BaseException):
    """Nothing after this is run."""


async def dies(*_: object, **__: object) -> None:
    raise LightsOut


async def crash(table: Table, patch: pytest.MonkeyPatch, target: object, name: str) -> None:
    """Go through the duties until `name` is reached, and start again from the file."""
    with patch.context() as context:
        context.setattr(target, name, dies)
        with pytest.raises(LightsOut):
            await table.settle()
    await table.restart()


async def test_a_crash_before_showing_loses_nothing(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.settle()
    await table.plays(match, "d3")
    await crash(table, monkeypatch, table.wall, "show")
    await table.settle()
    assert [post.version for post in table.wall.posts.values()] == [3]


async def test_a_crash_between_showing_and_storing_edits_once_more(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.settle()
    await table.plays(match, "d3")
    await crash(table, monkeypatch, rows, "note")
    await table.settle()
    assert [post.version for post in table.wall.shown] == [2, 3, 3]
    assert len(table.wall.posts) == 1


async def test_a_crash_between_showing_and_telling_shows_once(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    await crash(table, monkeypatch, table.wall, "notify")
    await table.settle()
    assert len(table.wall.shown) == 1
    assert len(table.wall.told) == 1


# The loop itself


@pytest.fixture
async def running(table: Table) -> asyncio.Task[None]:
    return asyncio.create_task(table.reconciler.run())


async def stop(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_the_loop_is_roused_by_a_move(
    table: Table, match: int, running: asyncio.Task[None]
) -> None:
    await table.wall.until(lambda: len(table.wall.shown) == 1)
    await table.plays(match, "d3")
    await table.wall.until(lambda: table.wall.shown[-1].version == 3)
    await stop(running)


async def test_a_slow_place_keeps_no_other_waiting(
    table: Table, anna: Person, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall, release = table.wall, asyncio.Event()
    show = wall.show

    async def slow(outgoing: Outgoing, message: str) -> str:
        if outgoing.place.id == table.lounge.id:
            await release.wait()
        return await show(outgoing, message)

    monkeypatch.setattr(wall, "show", slow)
    await anna.types("/board", place=anna.direct)
    task = asyncio.create_task(table.reconciler.run())
    await table.wall.until(lambda: len(wall.shown) == 1)
    await table.plays(match, "d3")
    await table.wall.until(lambda: len(wall.shown) == 2)
    assert {post.place for post in wall.shown} == {anna.direct.id}
    release.set()
    await table.wall.until(lambda: [post.version for post in wall.posts.values()] == [3, 3])
    await stop(task)


async def test_what_is_being_shown_when_the_house_closes_is_shown_to_the_end(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall, begun, release = table.wall, asyncio.Event(), asyncio.Event()
    show = wall.show

    async def slow(outgoing: Outgoing, message: str) -> str:
        begun.set()
        await release.wait()
        return await show(outgoing, message)

    monkeypatch.setattr(wall, "show", slow)
    task = asyncio.create_task(table.reconciler.run())
    await begun.wait()
    task.cancel()
    await asyncio.sleep(0)
    release.set()
    await asyncio.gather(task, return_exceptions=True)
    (board,) = await boards(table, match)
    assert [board.message] == list(wall.posts)


async def test_a_platform_that_is_not_served_waits(table: Table, anna: Person, match: int) -> None:
    away = await table.house.direct_place("elsewhere", "1", "x")
    await rows.add(table.house.store, (await table.live(match)).match, away.id, seat=None)
    assert await table.settle() == 0
    assert {post.place for post in table.wall.posts.values()} == {table.lounge.id}
