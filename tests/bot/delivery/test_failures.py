"""Failures to post, store or notify: retried, or left unsure."""

import asyncio
from functools import partial
from unittest.mock import Mock

import pytest
from structlog.typing import EventDict

from bot.delivery import ClosedError, RetryError, UnsureError
from bot.delivery import courier as couriers
from bot.domain.actions import Action
from bot.domain.model import UNSURE, Board, Place
from bot.matches import boards as match_boards
from bot.matches.boards import Relation
from bot.matches.erasing import erase
from bot.matches.policies import change
from bot.store import Store
from bot.store import boards as board_store
from bot.store import leases as lease_store
from bot.store import matches as match_store
from bot.store import places as place_store
from bot.support.errors import StoreError
from bot.support.tasks import Backoff
from tests.bot.delivery.working import at_work, boards
from tests.bot.failing import DISK_FULL, fails
from tests.bot.store.sql import execute
from tests.bot.table import Person, Table


async def full(*_: object, **__: object) -> None:
    """Fail as a write to a full disk does."""
    raise StoreError("azumaya.db: database or disk is full")


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("refusal", "pauses"),
    [
        (RetryError(500), [500] * 3),
        (RetryError(), [2, 4, 8, 16, 32, 60, 60]),
        (ClosedError("shut"), [*(2**doubled for doubled in range(1, 15)), 21600, 21600]),
    ],
    ids=lambda given: type(given).__name__,
)
async def test_a_pause_is_as_long_as_the_platform_wants_it_or_ever_longer(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch, refusal: Exception, pauses: list[int]
) -> None:
    (courier,), (board,) = table.reconciler._couriers, await boards(table, match)
    loop = asyncio.get_running_loop()
    # Nothing takes any time, so that pauses are what they are meant to be.
    monkeypatch.setattr(loop, "time", lambda: 1000.0)
    fails(monkeypatch, table.wall, "show", refusal)
    waited = []
    for _ in pauses:
        await courier.once()
        waited.append(courier._not_before[board.id] - 1000)
    assert waited == pauses
    monkeypatch.undo()
    assert await table.settle() == 0
    # What went well is forgotten: the next pause is a short one.
    assert not courier._failures


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


async def test_a_board_that_was_sent_and_could_not_be_noted_is_not_sent_again(
    table: Table, match: int, logged: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(lease_store, "record_work", full)
        assert await table.settle() == 1
        (line,) = [entry for entry in logged if entry["event"] == "board not shown"]
        assert line["reason"] == "azumaya.db: database or disk is full"
        assert await table.settle() == 1
    assert len(table.wall.shown) == 1
    assert await table.settle() == 0
    assert [post.version for post in table.wall.shown] == [2]
    (board,) = await boards(table, match)
    assert [board.message] == list(table.wall.posts)


async def test_a_place_that_is_shut_to_us_waits_for_somebody_in_it(
    table: Table, anna: Person, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Not by itself, in the time that a test has.
    monkeypatch.setattr(couriers, "_CLOSED_PAUSES", Backoff(3600.0, 3600.0))
    table.wall.closed.add(table.lounge.id)
    async with at_work(table.reconciler):
        await table.wall.until(lambda: table.wall.refusals == 1)
        table.wall.closed.clear()
        await anna.types("/stats")
        await table.wall.until(lambda: [post.version for post in table.wall.shown] == [2])


async def deleted(table: Table, match: int) -> None:
    """Delete the board in the channel, which is noticed at the next edit."""
    await table.settle()
    (message,) = table.wall.posts
    table.wall.posts.clear()
    table.wall.deleted.add(message)
    await table.plays(match, "d3")
    await table.settle()


async def test_a_board_that_somebody_deleted_in_a_channel_stays_away_and_a_notice_offers_it(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    await deleted(table, match)
    assert table.wall.posts == {}
    place, notice = table.wall.told[-1]
    assert place == table.lounge.id
    assert notice.aside == anna.says("notice-missing")
    assert [one.name for one in notice.recipients] == ["Ben"]
    (button,) = notice.buttons
    await ben.presses(button)
    await table.settle()
    assert [post.version for post in table.wall.posts.values()] == [3]


async def test_a_board_that_has_been_deleted_does_not_queue_for_its_place(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    await deleted(table, match)
    monkeypatch.setattr(table.wall, "check_ready", queue := Mock())
    told = len(table.wall.told)
    await table.plays(match, "c3")
    await table.settle()
    assert (queue.called, len(table.wall.told)) == (False, told + 1)


async def test_that_a_board_has_been_deleted_is_told_once_whatever_changes_how_it_would_look(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    await deleted(table, match)
    told = len(table.wall.told)
    store = table.app.store
    await change(store, await place_store.place(store, table.lounge.id), {"theme": "dark"})
    await match_boards.show(
        table.app.matches, await table.loaded(match), ben.direct, user_id=ben.id
    )
    await table.app.directory.opened(await table.app.directory.mark_unreachable(ben.direct))
    await match_store.mark_unreadable(store, match)
    await match_store.mark_readable(store, match)
    await table.settle()
    assert [notice for _, notice in table.wall.told[told:] if notice.aside] == []
    await anna.presses(Action("resign", match, 3, "yes"))
    await table.settle()
    told = len(table.wall.told)
    await erase(store, table.app.matches, ben.id)
    await table.app.on_remote_change()
    await table.settle()
    assert table.wall.told[told:] == []


async def test_a_board_that_is_gone_from_a_private_conversation_comes_back(
    table: Table, anna: Person, match: int
) -> None:
    await anna.types("/board", place=anna.direct)
    await table.settle()
    mine = next(key for key, post in table.wall.posts.items() if post.place == anna.direct.id)
    del table.wall.posts[mine]
    table.wall.deleted.add(mine)
    await table.plays(match, "d3")
    await table.settle()
    assert {post.place for post in table.wall.posts.values()} == {anna.direct.id, table.lounge.id}
    assert {post.version for post in table.wall.posts.values()} == {3}


async def test_a_board_in_doubt_is_not_sent_again_but_offered(
    table: Table, anna: Person, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        fails(patch, table.wall, "send", UnsureError)
        await table.settle()
    (board,) = await boards(table, match)
    assert board.message == UNSURE
    await table.plays(match, "d3")
    await table.settle()
    assert table.wall.shown == []
    assert {notice.aside for _, notice in table.wall.told} == {anna.says("notice-unsure")}
    # A press shows that it did arrive.
    touched = await match_boards.recognise(
        table.app.matches, match, table.lounge, "m1", carries=True
    )
    assert touched is Relation.BOARD
    await table.settle()
    assert [post.version for post in table.wall.posts.values()] == [3]


async def test_a_message_that_shows_one_match_never_becomes_the_board_of_another(
    table: Table, anna: Person, match: int
) -> None:
    await table.settle()
    (board,) = await boards(table, match)
    assert board.message
    await anna.types("/othello new")
    other = match + 1
    await execute(table.app.store, f"UPDATE boards SET message = '?' WHERE match_id = {other}")
    # What is stored of a message decides, whatever stands under it, and also at the same moment.
    recognise = partial(match_boards.recognise, table.app.matches)
    for carries in (False, True):
        touched = await recognise(other, table.lounge, board.message, carries=carries)
        assert touched is Relation.FOREIGN
    assert not await board_store.record_message(table.app.store, other, table.lounge, board.message)
    # Of an unknown one its buttons do.
    assert await recognise(other, table.lounge, "m99", carries=False) is Relation.FOREIGN
    assert [one.message for one in await boards(table, other)] == [UNSURE]
    assert await recognise(other, table.lounge, "m99", carries=True) is Relation.BOARD
    assert [one.message for one in await boards(table, other)] == ["m99"]


async def test_a_board_in_doubt_is_one_message_though_two_are_touched_at_once(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    await execute(table.app.store, "UPDATE boards SET message = '?'")
    note = board_store.record_message

    async def after_another(store: Store, match_id: int, place: Place, message: str) -> bool:
        assert await note(store, match_id, place, "m8")
        return await note(store, match_id, place, message)

    monkeypatch.setattr(board_store, "record_message", after_another)
    touched = await match_boards.recognise(
        table.app.matches, match, table.lounge, "m9", carries=True
    )
    assert touched is Relation.FOREIGN
    assert [one.message for one in await boards(table, match)] == ["m8"]


async def test_a_board_that_is_noted_while_somebody_touches_it_stays(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.settle()
    (board,) = await boards(table, match)
    assert board.message

    async def not_yet(*_: object) -> list[Board]:
        return []

    monkeypatch.setattr(board_store, "at", not_yet)
    touched = await match_boards.recognise(
        table.app.matches, match, table.lounge, board.message, carries=True
    )
    assert touched is Relation.BOARD


@pytest.mark.sqlite
async def test_a_store_that_cannot_be_written_at_the_start_is_no_end(
    table: Table, match: int, logged: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    fails(monkeypatch, lease_store, "release_all", DISK_FULL)
    async with at_work(table.reconciler):
        await table.wall.until(lambda: [post.version for post in table.wall.shown] == [2])
    assert "leases not released" in [line["event"] for line in logged]
