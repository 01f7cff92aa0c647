"""How a screen is laid out: rows and selects by where its choices are, names of all sorts."""

from typing import Any

import pytest

from bot.actions import Action
from bot.fronts.discord.buttons import TokenButton
from bot.fronts.discord.layout import laid_out
from bot.fronts.discord.markdown import plain
from bot.screens import Choice, Screen


def choice(step: str, row: int, column: int, group: str = "") -> Choice:
    box = (column, row, column + 1, row + 1)
    action = Action("step", 1, 2, step)
    return Choice(
        step, f"{step}!", step, action, legal=True, box=box, group=group, row=row, column=column
    )


def rows(*choices: Choice) -> list[list[str]]:
    """The labels of buttons row by row; of selects those of their options."""
    found: list[list[str]] = []
    view: Any = laid_out(Screen(choices=choices), game="connect4").view
    for component in view.to_components():
        inner: Any = component.get("components", [])
        if inner and inner[0]["type"] == 3:
            found.append([option["label"] for option in inner[0]["options"]])
        elif inner:
            found.append([button["label"] for button in inner])
    return found


async def test_buttons_lie_in_the_rows_of_the_picture_whatever_they_are_called() -> None:
    shown = [choice("7", 1, 0), choice("x", 0, 2), choice("12", 1, 1), choice("b", 0, 0)]
    shown += [choice("q", 2, 0), choice("p", 2, 1)]
    assert rows(*shown) == [["b", "x"], ["7", "12"], ["q", "p"]]


async def test_few_choices_are_in_reading_order_five_in_a_row() -> None:
    shown = [choice(str(at), 4 - at, at) for at in range(5)]
    assert rows(*shown) == [["4", "3", "2", "1", "0"]]


async def test_groups_share_no_row_and_no_select() -> None:
    few = [choice(f"{group}{at}", 0, at, group) for at in range(4) for group in "xy"]
    assert rows(*few) == [["x0", "x1", "x2", "x3"], ["y0", "y1", "y2", "y3"]]
    many = [choice(f"{group}{at}", at, 0, group) for at in range(15) for group in "xy"]
    assert rows(*many) == [[f"{group}{at}!" for at in range(15)] for group in "xy"]


@pytest.mark.parametrize("game", ["", "othello", "connect4", "x" * 32])
def test_a_button_knows_its_game_whatever_letters_and_digits_that_is_called_by(game: str) -> None:
    for custom_id in (f"az:{game}:step:1:2:d3", f"az-pick:{game}:0"):
        found = TokenButton.__discord_ui_compiled_template__.fullmatch(custom_id)
        assert found
        assert found["game"] == game


def test_commands_with_digits_are_called_by_their_other_name_as_a_whole() -> None:
    names = {"connect4": "viergewinnt", "connect": "wrong", "board": "brett"}
    text = plain("/connect4 d, /board, /board2", names)
    assert text == "/viergewinnt d, /brett, /board2"
