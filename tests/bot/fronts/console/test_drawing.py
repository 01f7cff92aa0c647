"""Screens as text for a terminal."""

from collections.abc import AsyncIterator

import pytest
from prompt_toolkit.formatted_text import to_plain_text
from prompt_toolkit.utils import get_cwidth

from bot.domain.actions import Action
from bot.fronts.console.drawing import render_screen
from bot.screens import Button, Screen
from bot.store import Address
from bot.support.tables import Table as Columns
from tests.bot.table import Person, Table, two_seat_games


@pytest.fixture
async def table(database: Address) -> AsyncIterator[Table]:
    opened = await Table.open(database)
    yield opened
    await opened.close()


def lines_of(screen: Screen, *, columns: int = 80) -> list[str]:
    text = render_screen(screen, columns=columns, lines=18, coloured=True)
    return to_plain_text(text).splitlines()


@pytest.mark.parametrize("game_id", two_seat_games())
async def test_every_board_fits_into_80_by_24_characters_and_has_coordinates(
    table: Table, anna: Person, ben: Person, game_id: str
) -> None:
    screen = await table.screen(await table.begin(anna, ben, words=game_id), anna)
    lines = lines_of(screen)
    assert len(lines) <= 18
    assert max(map(get_cwidth, lines)) <= 80
    squares = [step for step in screen.cells if step[0].isalpha()]
    letters, numbers = ({step[at] for step in squares} for at in (0, 1))
    header = next(at for at, line in enumerate(lines) if line.split()[:2] == ["a", "b"])
    assert lines[header].split() == sorted(letters)
    named = {line.split()[0] for line in lines[header + 1 :] if line.strip()}
    assert numbers <= named


async def test_a_finished_board_stays(table: Table, anna: Person, ben: Person) -> None:
    await table.given_up(number := await table.begin(anna, ben), ben)
    text = "\n".join(lines_of(await table.screen(number, anna)))
    assert text.count("●") == 6


async def test_a_board_shows_the_lines_of_its_picture(
    table: Table, anna: Person, ben: Person
) -> None:
    lines = lines_of(await table.screen(await table.begin(anna, ben, words="morris"), anna))
    assert " 6  │   b6 ──── d6 ──── f6  │" in [line.rstrip() for line in lines]


def test_lines_end_between_words_and_labels_stay_whole() -> None:
    rows = ((Button("One label", Action("a")), Button("Another label", Action("b"))),)
    screen = Screen(title="Five wide words", text="ab cdefghijklmnop q", rows=rows)
    assert lines_of(screen, columns=10) == [
        *["", "Five wide", "words", "ab", "cdefghijklmnop", "q"],
        *["[One\xa0label]", "·", "[Another\xa0label]"],
    ]


def test_tables_are_shown_below_the_text() -> None:
    table = Columns((("1.", "d3"), ("2.", "c4")))
    assert lines_of(Screen(text="Moves", tables=(table,))) == ["", "Moves", "1.  d3", "2.  c4"]
