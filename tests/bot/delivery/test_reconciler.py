"""Boards catch up, people are told: looked for, done, stored as done."""

import asyncio

import pytest
from sqlalchemy import update
from structlog.typing import EventDict

from bot.actions import Action
from bot.app import App
from bot.backoff import Backoff
from bot.boards import Touched
from bot.delivery import (
    ClosedError,
    LaterError,
    Limits,
    Outgoing,
    Reconciler,
    UnsureError,
)
from bot.delivery import courier as couriers
from bot.erasing import erase
from bot.errors import StoreError
from bot.model import UNSURE, Board, Place
from bot.policies import change
from bot.store import Store
from bot.store import boards as board_store
from bot.store import matches as match_store
from bot.store import places as place_store
from bot.store.schema import places
from tests.bot.table import Person, Table, Wall


@pytest.fixture
async def match(table: Table, anna: Person, ben: Person) -> int:
    return await table.begin(anna, ben)


async def boards(table: Table, match_id: int) -> list[Board]:
    return await board_store.of_match(table.app.store, match_id)


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


async def test_a_board_that_was_being_shown_when_others_came_to_speak_is_shown_once_more(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows whether what we showed, stopped in the middle of it, came after theirs."""
    await table.settle()
    edit = table.wall.edit

    async def stopped(outgoing: Outgoing, message: str) -> str:
        monkeypatch.setattr(table.app.shards, "term", lambda _: "another one")
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
    # It was no new turn, so nobody was told again.
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
        patch.setattr(board_store, "note", full)
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


@pytest.mark.parametrize(
    ("refusal", "pauses"),
    [
        (LaterError(500), [500] * 3),
        (LaterError(), [2, 4, 8, 16, 32, 60, 60]),
        (StoreError("azumaya.db: disk I/O error"), [2, 4, 8, 16, 32, 60, 60]),
        (ClosedError("shut"), [*(2**doubled for doubled in range(1, 15)), 21600, 21600]),
    ],
    ids=lambda given: type(given).__name__,
)
async def test_a_pause_is_as_long_as_the_platform_wants_it_or_ever_longer(
    table: Table,
    match: int,
    monkeypatch: pytest.MonkeyPatch,
    refusal: Exception,
    pauses: list[int],
) -> None:
    async def not_now(*_: object) -> str:
        raise refusal

    (courier,), (board,) = table.reconciler._couriers, await boards(table, match)
    loop = asyncio.get_running_loop()
    # Nothing takes any time, so that pauses are what they are meant to be.
    monkeypatch.setattr(loop, "time", lambda: 1000.0)
    monkeypatch.setattr(table.wall, "show", not_now)
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


async def test_a_board_in_the_conversation_of_somebody_erased_is_forgotten_and_not_tried(
    table: Table, anna: Person, match: int
) -> None:
    """As earlier versions have left some."""
    await anna.types(f"/board {match}", place=anna.direct)
    table.wall.fails.add(anna.direct.id)
    left = update(places).where(places.c.id == anna.direct.id)
    async with table.app.store.write() as connection:
        await connection.execute(left.values(external=f"gone:{anna.direct.id}"))
    assert await table.settle() == 0
    assert {board.place_id for board in await boards(table, match)} == {table.lounge.id}


async def test_a_board_that_was_sent_and_could_not_be_noted_is_not_sent_again(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object, **__: object) -> None:
        raise StoreError("azumaya.db: database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(board_store, "note", full)
        assert await table.settle() == 1
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
    working = asyncio.create_task(table.reconciler.run())
    await table.wall.until(lambda: table.wall.refusals == 1)
    table.wall.closed.clear()
    await anna.types("/stats")
    await table.wall.until(lambda: [post.version for post in table.wall.shown] == [2])
    await stop(working)


async def deleted(table: Table, match: int) -> None:
    """Somebody deletes the board in the channel; it is noticed when a move is to be shown."""
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


async def test_that_a_board_has_been_deleted_is_told_once_whatever_changes_how_it_would_look(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    await deleted(table, match)
    told = len(table.wall.told)
    store = table.app.store
    await change(store, await place_store.place(store, table.lounge.id), {"theme": "dark"})
    await table.app.boards.show(await table.loaded(match), ben.direct, user_id=ben.id)
    await table.app.directory.opened(await table.app.directory.closed(ben.direct))
    await match_store.put_aside(store, match)
    await match_store.take_up(store, match)
    await table.settle()
    assert [notice for _, notice in table.wall.told[told:] if notice.aside] == []
    await anna.presses(Action("resign", match, 3, "yes"))
    await table.settle()
    told = len(table.wall.told)
    await erase(store, table.app.matches, ben.id)
    await table.app.written_elsewhere()
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
    async def unsure(*_: object) -> str:
        raise UnsureError

    with monkeypatch.context() as patch:
        patch.setattr(table.wall, "send", unsure)
        await table.settle()
    (board,) = await boards(table, match)
    assert board.message == UNSURE
    await table.plays(match, "d3")
    await table.settle()
    assert table.wall.shown == []
    assert all(notice.aside == anna.says("notice-unsure") for _, notice in table.wall.told)
    # It has arrived after all: somebody touches it.
    touched = await table.app.boards.recognise(match, table.lounge, "m1", carries=True)
    assert touched is Touched.BOARD
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
    async with table.app.store.write() as connection:
        await connection.exec_driver_sql(
            f"UPDATE boards SET message = '?' WHERE match_id = {other}"
        )
    # What is stored of a message decides, whatever stands under it, and also at the same moment.
    recognise = table.app.boards.recognise
    for carries in (False, True):
        touched = await recognise(other, table.lounge, board.message, carries=carries)
        assert touched is Touched.FOREIGN
    assert not await board_store.note_message(table.app.store, other, table.lounge, board.message)
    # Of an unknown one its buttons do.
    assert await recognise(other, table.lounge, "m99", carries=False) is Touched.FOREIGN
    assert [one.message for one in await boards(table, other)] == [UNSURE]
    assert await recognise(other, table.lounge, "m99", carries=True) is Touched.BOARD
    assert [one.message for one in await boards(table, other)] == ["m99"]


async def test_a_board_in_doubt_is_one_message_though_two_are_touched_at_once(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table.app.store.write() as connection:
        await connection.exec_driver_sql("UPDATE boards SET message = '?'")
    recognise, note = table.app.boards.recognise, board_store.note_message

    async def after_another(store: Store, match_id: int, place: Place, message: str) -> bool:
        assert await note(store, match_id, place, "m8")
        return await note(store, match_id, place, message)

    monkeypatch.setattr(board_store, "note_message", after_another)
    assert await recognise(match, table.lounge, "m9", carries=True) is Touched.FOREIGN
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
    touched = await table.app.boards.recognise(match, table.lounge, board.message, carries=True)
    assert touched is Touched.BOARD


@pytest.mark.sqlite
async def test_a_store_that_cannot_be_written_at_the_start_is_no_end(
    table: Table, match: int, logged: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object) -> None:
        raise StoreError("azumaya.db: database or disk is full")

    monkeypatch.setattr(board_store, "release_all", full)
    working = asyncio.create_task(table.reconciler.run())
    await table.wall.until(lambda: [post.version for post in table.wall.shown] == [2])
    await stop(working)
    assert "leases not released" in [line["event"] for line in logged]


# Several platforms, several processes


async def test_a_slow_platform_holds_up_no_other(table: Table, anna: Person, ben: Person) -> None:
    release = asyncio.Event()
    slow = Wall("chat")
    show = slow.show

    async def slowly(outgoing: Outgoing, message: str) -> str:
        await release.wait()
        return await show(outgoing, message)

    slow.show = slowly  # type: ignore[method-assign]
    match = await table.begin(anna, ben)
    loaded = await table.loaded(match)
    for number in range(70):
        away = await table.app.directory.direct("chat", str(number), "x")
        await board_store.add(table.app.store, loaded.match, away.id, seat=None)
    # Boards of the slow platform are older, and more than it has hands for.
    await anna.types("/board", place=anna.direct)
    working = asyncio.create_task(Reconciler(table.app, {"chat": slow, "web": table.wall}).run())
    await table.wall.until(lambda: len(table.wall.shown) == 2)
    assert slow.shown == []
    release.set()
    await slow.until(lambda: len(slow.posts) == 70)
    await stop(working)


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
    for number in range(20):
        room = await table.channel(f"room{number}")
        await board_store.add(table.app.store, match, room.id, seat=None)
    await asyncio.gather(table.settle(), theirs.once())
    assert len(table.wall.shown) == 21
    await other.close()


# Who is told


async def test_nobody_is_told_of_what_they_did_themselves(
    table: Table, anna: Person, ben: Person
) -> None:
    await anna.types("/othello @Ben first")
    match = await table.newest()
    await table.settle()
    assert told(table) == [["Ben"]]
    await ben.types("/accept")
    await table.settle()
    assert told(table) == [["Ben"], ["Anna"]]
    await table.plays(match, "d3")
    await table.settle()
    await table.plays(match, "c3")
    await table.settle()
    await ben.types("/resign")
    await ben.presses(Action("resign", match, 4, "yes"))
    await table.settle()
    assert told(table) == [["Ben"], ["Anna"], ["Ben"], ["Anna"], ["Anna"]]
    assert table.wall.told[-1][1].text == "Othello, match 1, is over. Anna wins: Ben gave up."


async def test_who_accepts_and_begins_is_not_told_that_it_is_their_turn(
    table: Table, anna: Person, ben: Person
) -> None:
    await anna.types("/othello @Ben second")
    await table.settle()
    await ben.types("/accept")
    await table.settle()
    # Who asked hears that somebody has joined.
    assert told(table) == [["Ben"], ["Anna"]]


async def test_a_change_that_gives_nobody_the_turn_is_no_news(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben, words="blackbox")
    loaded = await table.loaded(match)
    await table.settle()
    before = len(table.wall.told)
    (seat,) = loaded.position.turn
    hider = (anna, ben)[seat]
    moves = [loaded.game.notation(move) for move in loaded.position.moves(seat)][:3]
    for move in moves:
        await hider.types(f"/blackbox {move}", place=hider.direct)
        await table.settle()
    assert (await table.loaded(match)).turn == {seat}
    assert len(table.wall.told) == before


async def test_a_no_is_told_to_the_challenger(table: Table, anna: Person, ben: Person) -> None:
    await anna.types("/othello @Ben")
    await table.settle()
    await ben.types("/decline")
    await table.settle()
    assert told(table) == [["Ben"], ["Anna"]]


async def test_each_is_told_by_one_board_their_own_if_they_have_one(
    table: Table, anna: Person, ben: Person, match: int
) -> None:
    await table.settle()
    await ben.types("/board", place=ben.direct)
    garden = await table.channel("garden")
    await anna.types(f"/board {match}", place=garden)
    await table.settle()
    before = len(table.wall.told)
    await table.plays(match, "d3")
    await table.settle()
    assert [place for place, _ in table.wall.told[before:]] == [ben.direct.id]


async def test_whom_a_board_has_called_is_not_called_by_it_once_more(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = []

    async def show(outgoing: Outgoing, message: str) -> str:
        called.append([one.name for one in outgoing.called])
        return message

    monkeypatch.setattr(table.wall, "limits", Limits(calls_in_boards=True))
    monkeypatch.setattr(table.wall, "show", show)
    await anna.types("/othello @Ben")
    await table.settle()
    loaded = await table.loaded(await table.newest())
    await table.app.boards.show(loaded, table.lounge, user_id=ben.id)
    await table.settle()
    assert called == [["Ben"], []]
    assert table.wall.told == []


def told(table: Table) -> list[list[str]]:
    """Whom the notices named, one after the other."""
    return [[one.name for one in notice.recipients] for _, notice in table.wall.told]


# Crashes: the move is committed, and then the lights go out


class LightsOut(BaseException):
    """Nothing after this is run."""


async def dies(*_: object, **__: object) -> None:
    raise LightsOut


async def crash(table: Table, patch: pytest.MonkeyPatch, target: object, name: str) -> None:
    """Deliver until `name` is reached, and start again from the file."""
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
    await crash(table, monkeypatch, board_store, "note")
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
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(couriers, "_LOOK_EVERY", 1000.0)
    task = asyncio.create_task(table.reconciler.run())
    await table.wall.until(lambda: len(table.wall.shown) == 1)
    (courier,) = table.reconciler._couriers
    async with asyncio.timeout(60):
        # Until it has nothing in hand, and waits to be roused.
        while courier._in_hand or courier._changed.is_set():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await table.plays(match, "d3")
    await table.wall.until(lambda: table.wall.shown[-1].version == 3)
    await stop(task)


async def test_the_loop_rests_while_nothing_changes(
    table: Table, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(couriers, "_LOOK_EVERY", 1000.0)
    looks, due = [], couriers.Courier._due

    async def counted(self: couriers.Courier) -> list[Board]:
        looks.append(self)
        return await due(self)

    monkeypatch.setattr(couriers.Courier, "_due", counted)
    task = asyncio.create_task(table.reconciler.run())
    await table.wall.until(lambda: len(table.wall.shown) == 1)
    await table.plays(match, "d3")
    await table.wall.until(lambda: table.wall.shown[-1].version == 3)
    (courier,) = table.reconciler._couriers
    async with asyncio.timeout(60):
        while courier._in_hand:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    before = len(looks)
    for _ in range(20):
        # Takes about as long as a look does.
        await boards(table, match)
    assert len(looks) - before <= 2
    await stop(task)


async def test_the_loop_is_roused_by_whoever_asks_for_a_board_or_touches_one_in_doubt(
    table: Table, anna: Person, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(couriers, "_LOOK_EVERY", 1000.0)
    task = asyncio.create_task(table.reconciler.run())
    await table.wall.until(lambda: len(table.wall.shown) == 1)
    loaded = await table.loaded(match)
    await table.app.boards.show(loaded, anna.direct, user_id=anna.id)
    await table.wall.until(lambda: len(table.wall.shown) == 2)
    assert table.wall.shown[-1].place == anna.direct.id
    async with table.app.store.write() as connection:
        await connection.exec_driver_sql("UPDATE boards SET message = '?' WHERE place_id = 1")
    touched = await table.app.boards.recognise(match, table.lounge, "m9", carries=True)
    assert touched is Touched.BOARD
    await table.wall.until(lambda: "m9" in table.wall.posts)
    await stop(task)


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
    away = await table.app.directory.direct("elsewhere", "1", "x")
    await board_store.add(table.app.store, (await table.loaded(match)).match, away.id, seat=None)
    assert await table.settle() == 0
    assert {post.place for post in table.wall.posts.values()} == {table.lounge.id}
