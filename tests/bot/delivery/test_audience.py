"""Notifications: for whom, how long they can wait, and which board carries them."""

from dataclasses import replace

import pytest
from structlog.typing import EventDict

from bot.delivery import Outgoing
from bot.delivery.audience import best_board, notify_after
from bot.domain.actions import Action
from bot.domain.model import Board, Ending, EndingKind, Place, PlaceKind, Status
from bot.matches import boards as match_boards
from bot.store import boards
from bot.support.platforms import Medium
from tests.bot.table import Person, Table

ANNA = {"chat": "anna"}
A_BOARD = Board(
    id=1,
    match_id=1,
    place_id=1,
    seat=None,
    message="m",
    former=None,
    shown=1,
    wanted=1,
    notice=None,
    former_notice=None,
    notified=0,
    news=1,
)


def place(
    number: int, external: str = "lounge", *, platform: str = "chat", parent: str = ""
) -> Place:
    is_own = external in ("anna", "ben")
    return Place(
        id=number,
        platform=platform,
        external=external,
        kind=PlaceKind.DIRECT if is_own else PlaceKind.CHANNEL,
        community=None,
        title=external,
        settings={"parent": parent} if parent else {},
    )


def best(*places: Place, externals: dict[str, str] = ANNA) -> int | None:
    """Return the place of the best board, of one in each place, oldest first."""
    shown = [(replace(A_BOARD, id=10 * one.id, place_id=one.id), one) for one in places]
    found = best_board(shown, externals)
    return None if found is None else found // 10


@pytest.mark.parametrize(
    ("places", "taken"),
    [
        # In the user's own conversation, before a thread, before the channel that it is in.
        ([place(1), place(2, parent="lounge"), place(3, "anna")], 3),
        ([place(1), place(2, parent="lounge")], 2),
        ([place(1, parent="lounge"), place(2)], 1),
        # Of several that are as good the first.
        ([place(1), place(2, "garden")], 1),
        ([place(2, "garden"), place(1)], 1),
        ([place(1, parent="a"), place(2, parent="b")], 1),
        # Not in the conversation of another user, nor where the user is not known.
        ([place(1, "ben"), place(2)], 2),
        ([place(1, "ben")], None),
        ([place(1, platform="elsewhere"), place(2)], 2),
        ([place(1, "anna", platform="elsewhere")], None),
        ([], None),
    ],
)
def test_a_user_is_told_by_the_best_board_that_reaches_them(
    places: list[Place], taken: int | None
) -> None:
    assert best(*places) == taken


def test_each_platform_has_its_own_ids_of_users() -> None:
    assert best(place(1, platform="elsewhere"), externals={"elsewhere": "a"}) == 1


async def test_somebodys_turn_waits_a_minute_while_they_are_there(
    table: Table, anna: Person, ben: Person
) -> None:
    await anna.types("/othello @Ben first")
    match_id, begun = await table.newest(), int(table.clock())
    offered = await table.loaded(match_id)
    assert notify_after(offered, "never", settings={}, active=begun, now=begun) == 0
    await ben.types("/accept")
    loaded = await table.loaded(match_id)
    for active, until in ((begun, begun + 60), (begun - 600, 0), (None, 0)):
        found = notify_after(loaded, "away", settings={}, active=active, now=begun, changed=begun)
        assert found == until
    for seconds, move in ((0, "d3"), (7, "c3"), (13, "c4")):
        table.clock.forward(seconds)
        await table.plays(match_id, move)
    loaded, last = await table.loaded(match_id), begun + 20
    assert last == int(table.clock())
    assert notify_after(loaded, "always", settings={}, active=last, now=last) == 0
    assert notify_after(loaded, "never", settings={}, active=last, now=last) is None
    for active, now, until in (
        (last, last, last + 60),
        (None, last, 0),
        # Ten minutes without doing anything is to be away; a clock that was ahead tells nothing.
        (last - 599, last, last + 60),
        (last - 600, last, 0),
        (last + 1, last, 0),
        (last, last + 59, last + 60),
        (last + 60, last + 60, 0),
        # A clock that has been set back since.
        (last - 1, last - 1, 0),
    ):
        assert notify_after(loaded, "away", settings={}, active=active, now=now) == until


async def test_the_end_waits_for_who_is_there_and_is_no_news_for_who_saw_it(
    table: Table, anna: Person, ben: Person
) -> None:
    loaded, end = await table.loaded(await table.begin(anna, ben)), int(table.clock())
    ended = replace(loaded.match, status=Status.OVER, ending=Ending(EndingKind.RULES))
    over = replace(loaded, match=ended)
    assert (
        notify_after(over, "always", settings={}, active=end, now=end, changed=end, is_here=True)
        == 0
    )
    assert notify_after(over, "never", settings={}, active=end, now=end, changed=end) is None
    for active, is_here, now, until in (
        (end - 119, True, end, None),
        (end + 30, True, end + 60, None),
        # Somewhere else, or too long ago to have seen it: they may come back.
        (end, False, end, end + 60),
        (end - 120, True, end, end + 60),
        (end - 599, True, end + 59, 0),
        (end, False, end + 60, 0),
        (end - 7200, True, end, 0),
        (None, False, end, 0),
    ):
        found = notify_after(
            over, "away", settings={}, active=active, now=now, changed=end, is_here=is_here
        )
        assert found == until, (active, is_here, now)
    for active, until in ((end, end + 60), (end + 1, None)):
        resigned = replace(over, match=replace(ended, ending=Ending(EndingKind.RESIGNED, 0)))
        now = max(active, end)
        found = notify_after(
            resigned, "away", settings={}, active=active, now=now, changed=end, is_here=True
        )
        assert found == until


async def test_nobody_is_told_of_what_they_did_themselves(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await anna.starts("/othello @Ben first")
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
    assert table.wall.told[-1][1].text == "Othello, game 1 is over. Anna wins: Ben resigned."


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


async def test_what_is_told_in_a_channel_is_in_its_language_and_in_private_in_that_of_who_is_told(
    table: Table, anna: Person, ben: Person
) -> None:
    await ben.types("/language de")
    match = await table.begin(anna, ben)
    await table.settle()
    await table.plays(match, "d3")
    await table.settle()
    assert table.wall.told[-1][1].text == "Your turn: Othello, game 1."
    await ben.types("/board", place=ben.direct)
    await table.plays(match, "c3")
    await table.plays(match, "c4")
    await table.settle()
    assert table.wall.told[-1][1].text == "Du bist am Zug: Othello, Partie 1."


async def test_whom_a_board_has_called_is_not_called_by_it_once_more(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = []

    async def show(outgoing: Outgoing, message: str) -> str:
        called.append([one.name for one in outgoing.mentions])
        return message

    monkeypatch.setattr(table.wall, "medium", Medium(calls_in_boards=True))
    monkeypatch.setattr(table.wall, "show", show)
    await anna.types("/othello @Ben")
    await table.settle()
    loaded = await table.loaded(await table.newest())
    await match_boards.show(table.app.matches, loaded, table.lounge, user_id=ben.id)
    await table.settle()
    assert called == [["Ben"], []]
    assert table.wall.told == []


async def test_a_board_that_is_edited_calls_nobody_and_leaves_that_to_a_notice(
    table: Table, anna: Person, ben: Person, logged: list[EventDict]
) -> None:
    table.wall.medium = Medium(calls_in_boards=True)
    await anna.types("/othello @Ben")
    match = await table.loaded(await table.newest())
    await match_boards.show(table.app.matches, match, ben.direct, user_id=ben.id, is_told=False)
    # The board in private can notify no one, and the other one not yet.
    table.wall.silent.add(ben.direct.id)
    table.wall.mute.add(table.lounge.id)
    await table.settle()
    assert "the platform is down" in logged[-1].pop("exception")
    table.wall.mute.clear()
    shown = await boards.of_match(table.app.store, match.match.id)
    await boards.redraw_boards(table.app.store, [board.id for board in shown])
    await table.settle()
    assert told(table) == [["Ben"]]


def told(table: Table) -> list[list[str]]:
    """Return the names of the recipients of each notice."""
    return [[one.name for one in notice.recipients] for _, notice in table.wall.told]
