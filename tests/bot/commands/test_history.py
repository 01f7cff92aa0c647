"""``/history``: finished games of a player, page by page, and who may read them."""

from dataclasses import replace

import pytest

from bot.commands import Command
from bot.domain.actions import Action
from bot.domain.model import Place
from bot.screens import Screen
from bot.screens.pictures import Gif
from bot.support.platforms import Medium
from tests.bot.matches.test_ratings import lost
from tests.bot.table import Person, Table, buttons, said, screen_of


async def listed(person: Person, line: str, *, place: Place | None = None) -> Screen:
    return screen_of(await person.types(line, place=place))


def numbers(screen: Screen) -> list[int]:
    return [row[0].action.match for row in screen.rows if row[0].action.verb == "past"]


async def test_each_finished_game_is_one_press_from_its_board_its_replay_and_its_analysis(
    table: Table, anna: Person, ben: Person
) -> None:
    await lost(table, ben, anna)
    screen = await listed(anna, "/history")
    ways = buttons(await anna.types("/matches"))
    assert screen_of(await anna.presses(ways["Finished games: 1"])) == screen
    assert screen.title == anna.says("played-title")
    assert screen.text.startswith("#1 Othello · ")
    assert "Anna wins: Ben resigned (" in screen.text
    (row,) = screen.rows
    board, replay = [(await anna.presses(button)).private for button in row[:2]]
    assert board is not None
    assert (board.match, board.ply) == (1, 4)
    assert replay is not None
    assert replay.match == 1
    assert isinstance(replay.picture, Gif)
    assert row[2].action.verb == "analyse"
    assert not (await anna.presses(row[2])).refused


async def test_a_history_has_pages_that_keep_player_game_and_result(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    for _ in range(6):
        await lost(table, ben, anna)
    await lost(table, anna, ben)
    page = await listed(cleo, "/history @Anna othello won")
    assert page.title == cleo.says("played-title-of", name="Anna")
    assert numbers(page) == [6, 5, 4, 3, 2]
    more = buttons(page)[cleo.says("button-more")]
    last = screen_of(await cleo.presses(more))
    assert numbers(last) == [1]
    assert set(buttons(last)) & {cleo.says("button-more"), cleo.says("button-back")} == {
        cleo.says("button-back")
    }
    first = (await cleo.presses(buttons(last)[cleo.says("button-back")])).private
    assert first == page
    # So does the button of an older version.
    own = screen_of(await anna.presses(Action("played", argument="~0")))
    assert numbers(own) == [7, 6, 5, 4, 3]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("/history won", []),
        ("/history lost", [1]),
        ("/verlauf verloren @Anna", [1]),
        ("/history Anna gewonnen", []),
        ("/history ben othello won", [1]),
        ("/history othello @ben", [1]),
        ("/history sogo", []),
        ("/history @Ben drawn", []),
    ],
)
async def test_a_history_is_limited_by_words_in_any_order_and_language(
    table: Table, anna: Person, ben: Person, line: str, found: list[int]
) -> None:
    await lost(table, anna, ben)
    screen = await listed(anna, line)
    assert numbers(screen) == found
    assert (screen.text == anna.says("played-no-such")) == (not found)


async def test_games_of_others_are_listed_where_they_are_shown_and_hidden_with_the_record(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    cellar = await table.channel("cellar")
    await lost(table, ben, anna)
    assert numbers(await listed(cleo, "/history @Anna")) == [1]
    assert numbers(await listed(cleo, "/history @Anna", place=cellar)) == []
    assert numbers(await listed(ben, "/history @Anna", place=cellar)) == [1]
    page = Action("played", argument=f"..{anna.id}.0")
    assert not (await cleo.presses(page)).refused
    await ben.presses(Action("settings", argument="record.me"))
    assert numbers(await listed(cleo, "/history @Anna")) == []
    assert said(await cleo.types("/history @Ben")) == cleo.says("error-stats-hidden", name="Ben")
    assert said(await cleo.presses(page)) == cleo.says("error-button-unknown")
    assert numbers(await listed(ben, "/history")) == [1]
    assert said(await anna.types("/history @azumaya")) == anna.says("error-stats-house")


async def test_where_all_read_the_answer_it_lists_what_all_may_see(
    table: Table, anna: Person, ben: Person
) -> None:
    await lost(table, ben, anna)
    cellar = await table.channel("cellar")

    async def typed(line: str, place: Place) -> Screen:
        command: Command = replace(
            await ben.command(place), medium=replace(Medium(), answers_stay=True)
        )
        return screen_of(await table.commands.run_line(command, line))

    for place, found in ((table.lounge, [1]), (cellar, []), (ben.direct, [1])):
        screen = await typed("/history @Anna", place)
        assert (numbers(screen), screen.secret) == (found, place is ben.direct)
    assert (await typed("/history", cellar)).secret


async def test_completion_offers_players_games_and_results_that_are_accepted(
    table: Table, anna: Person, ben: Person
) -> None:
    assert await anna.completes("/history w") == ["/history won"]
    assert await anna.completes("/history @Ben oth") == ["/history @Ben othello"]
    assert "/history @Ben" in await anna.completes("/history @b")
    assert await anna.completes("/history won l") == []
    await ben.presses(Action("settings", argument="record.me"))
    assert await anna.completes("/history @b") == []
