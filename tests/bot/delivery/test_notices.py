"""Notices beside a board: to whom, once, and never about one's own action."""

import pytest

from bot.delivery import Outgoing
from bot.domain.actions import Action
from bot.support.platforms import Medium
from tests.bot.table import Person, Table


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
        called.append([one.name for one in outgoing.called])
        return message

    monkeypatch.setattr(table.wall, "medium", Medium(calls_in_boards=True))
    monkeypatch.setattr(table.wall, "show", show)
    await anna.types("/othello @Ben")
    await table.settle()
    loaded = await table.loaded(await table.newest())
    await table.app.boards.show(loaded, table.lounge, user_id=ben.id)
    await table.settle()
    assert called == [["Ben"], []]
    assert table.wall.told == []


def told(table: Table) -> list[list[str]]:
    """Return the names of the recipients of each notice."""
    return [[one.name for one in notice.recipients] for _, notice in table.wall.told]
