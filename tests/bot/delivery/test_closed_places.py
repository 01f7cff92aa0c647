"""Channels without permission to write: players are notified elsewhere, once."""

import asyncio

import pytest

from bot.delivery import Notice, Outgoing
from bot.domain.actions import Action
from bot.domain.model import Board, Place, PlaceKind
from bot.matches import boards as match_boards
from bot.matches import playing
from bot.store import Store, places
from bot.store import leases as lease_store
from bot.store.leases import BoardUpdate, Lease
from tests.bot.table import Person, Table


@pytest.fixture
async def thread(table: Table, anna: Person, ben: Person) -> Place:
    """Return the thread of match 1, with a board there and in the channel, and Ben to move."""
    await table.begin(anna, ben)
    await table.settle()
    thread = await places.get_or_create_place(
        table.app.store, "web", "thread", kind=PlaceKind.CHANNEL, title="#1", community="web"
    )
    thread = await places.change_place(
        table.app.store, thread.id, settings={"parent": table.lounge.external}
    )
    await match_boards.show(table.app.matches, await table.loaded(1), thread, user_id=anna.id)
    return thread


def told(table: Table) -> list[tuple[int, list[str]]]:
    """Return where later notices were sent, and to whom, in order."""
    every = [(place, [one.name for one in notice.recipients]) for place, notice in table.wall.told]
    return every[1:]


async def test_who_cannot_be_called_in_a_thread_that_shows_its_board_is_called_in_the_channel(
    table: Table, thread: Place
) -> None:
    await table.settle()
    table.wall.silent.add(thread.id)
    await table.plays(1, "d3")
    assert await table.settle() == 0
    assert {post.version for post in table.wall.of(1)} == {3}
    assert told(table) == [(table.lounge.id, ["Ben"])]
    await table.plays(1, "c3,c4")
    assert await table.settle() == 0
    assert told(table) == [(table.lounge.id, ["Ben"])] * 2
    # What was said in the thread is gone, what was said last is there.
    assert len(table.wall.notices) == 1


async def test_a_thread_that_is_open_again_is_where_people_are_called(
    table: Table, anna: Person, thread: Place
) -> None:
    table.wall.closed.add(thread.id)
    await table.plays(1, "d3")
    await table.settle()
    table.wall.closed.clear()
    assert await table.settle() == 0
    # Players who were notified are not notified again.
    assert told(table) == [(table.lounge.id, ["Ben"])]
    await table.plays(1, "c3")
    await table.settle()
    assert told(table) == [(table.lounge.id, ["Ben"]), (thread.id, ["Anna"])]


async def test_whoever_speaks_in_a_place_opens_it(
    table: Table, anna: Person, ben: Person, thread: Place
) -> None:
    await table.settle()
    table.wall.silent.add(thread.id)
    await table.plays(1, "d3")
    await table.settle()
    table.wall.silent.clear()
    thread = await places.place(table.app.store, thread.id)
    await ben.types("/othello c3", place=thread)
    await table.settle()
    assert told(table) == [(table.lounge.id, ["Ben"]), (thread.id, ["Anna"])]


async def test_where_there_is_no_other_board_nobody_is_called_and_nothing_is_tried_for_ever(
    table: Table, anna: Person, ben: Person
) -> None:
    await table.begin(anna, ben)
    await table.settle()
    table.wall.silent.add(table.lounge.id)
    await table.plays(1, "d3")
    assert await table.settle() == 0
    assert told(table) == []


def looked(table: Table, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Return an event that is set after the channel's board has been checked for players."""
    found = asyncio.Event()
    note = lease_store.record_work

    async def noting(store: Store, done: BoardUpdate, lease: Lease) -> Board | None:
        behind = await note(store, done, lease)
        if done.board.place_id == table.lounge.id and "notified" in done.values:
            found.set()
        return behind

    monkeypatch.setattr(lease_store, "record_work", noting)
    return found


async def test_whoever_finds_out_last_exactly_one_call_is_made(
    table: Table, thread: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.settle()
    table.wall.silent.add(thread.id)
    found, refuse = looked(table, monkeypatch), table.wall.notify

    async def waits(place: Place, notice: Notice) -> str | None:
        if place.id == thread.id:
            await found.wait()
        return await refuse(place, notice)

    monkeypatch.setattr(table.wall, "notify", waits)
    await table.plays(1, "d3")
    await table.settle()
    assert told(table) == [(table.lounge.id, ["Ben"])]


async def test_a_place_that_another_match_has_found_closed_keeps_no_news_to_itself(
    table: Table, thread: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.settle()
    found, edit = looked(table, monkeypatch), table.wall.edit

    async def waits(outgoing: Outgoing, message: str) -> str:
        if outgoing.place.id == thread.id:
            await found.wait()
            await table.app.directory.mark_unreachable(outgoing.place)
        return await edit(outgoing, message)

    monkeypatch.setattr(table.wall, "edit", waits)
    table.wall.silent.add(thread.id)
    await table.plays(1, "d3")
    await table.settle()
    assert told(table) == [(table.lounge.id, ["Ben"])]


async def test_whoever_waits_for_somebody_who_cannot_be_reached_is_told_on_their_board(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts, show = dict[int, str](), table.wall.show

    async def read(outgoing: Outgoing, message: str) -> str:
        texts[outgoing.place.id] = (await outgoing.screen()).text
        return await show(outgoing, message)

    monkeypatch.setattr(table.wall, "show", read)
    match = await anna.starts("/othello @Ben first", place=anna.direct)
    await match_boards.show(
        table.app.matches, await table.loaded(match), ben.direct, user_id=ben.id
    )
    await table.settle()
    challenged = anna.says("challenge-out-of-reach", name="Ben")
    on_turn = anna.says("board-out-of-reach", name="Ben")
    assert challenged not in texts[anna.direct.id]
    await table.app.directory.mark_unreachable(ben.direct)
    await table.settle()
    assert texts[anna.direct.id].endswith(f"\n{challenged}")
    await ben.presses(Action("accept", match), place=anna.direct)
    await table.settle()
    # He has come, and it is her turn.
    assert challenged not in texts[anna.direct.id]
    assert on_turn not in texts[anna.direct.id]
    table.wall.silent.add(ben.direct.id)
    await table.plays(match, "d3")
    await table.settle()
    assert texts[anna.direct.id].endswith(f"\n{on_turn}")
    for key in ("board-out-of-reach", "challenge-out-of-reach"):
        assert ben.says(key, name="Ben") not in texts[ben.direct.id]
        assert anna.says(key, name="Ben") not in texts[ben.direct.id]
    await table.plays(match, "c3")
    await table.settle()
    assert on_turn not in texts[anna.direct.id]
    await table.plays(match, "c4")
    await playing.resign(table.app.matches, match, anna.id)
    await table.settle()
    assert on_turn not in texts[anna.direct.id]
    assert challenged not in texts[anna.direct.id]
