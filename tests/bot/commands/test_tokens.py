"""What a button is about, as far as those may know who only carry it."""

import pytest

from bot.actions import Action
from bot.commands import match_of


def test_a_button_tells_which_match_it_is_about() -> None:
    assert match_of(Action("step", 17, 3, "d3").token) == 17


@pytest.mark.parametrize("token", ["", "x", "help:0:0:", "step:one:3:d3", "\ud800"])
def test_what_is_no_button_about_a_match_is_about_none(token: str) -> None:
    assert match_of(token) == 0
