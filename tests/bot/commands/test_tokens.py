"""What a button is about, as far as those may know who only carry it."""

import pytest

from bot.actions import Action
from bot.commands import is_menu, is_replay, match_of


def test_a_button_tells_which_match_it_is_about() -> None:
    assert match_of(Action("step", 17, 3, "d3").token) == 17


@pytest.mark.parametrize("token", ["", "x", "help:0:0:", "step:one:3:d3", "\ud800"])
def test_what_is_no_button_about_a_match_is_about_none(token: str) -> None:
    assert match_of(token) == 0


def test_keys_that_only_lead_elsewhere_are_nobodys_menu() -> None:
    assert is_menu(["rules:0:0:othello"])
    assert not is_menu([""])
    assert not is_menu(["step:1:1:d3", "rules:0:0:othello"])


def test_a_match_that_is_stepped_through_is_told_by_its_keys_alone() -> None:
    assert is_replay(["past:1:0:3", "past:1:0:5"])
    assert not is_replay(["past:1:0:3", "step:1:1:d3"])
    assert not is_replay([])
