"""What a front learns from the token of a button."""

import pytest

from bot.commands import is_menu, is_replay, match_of
from bot.commands.tokens import combine_actions, offered_moves
from bot.domain.actions import Action
from bot.domain.errors import Refused
from tests.bot.table import Person, buttons, said


def test_a_button_tells_which_match_it_is_about() -> None:
    assert match_of(Action("step", 17, 3, "d3").token) == 17
    for token in ("", "x", "help:0:0:", "step:one:3:d3", "\ud800"):
        assert match_of(token) == 0


def test_the_keys_of_a_keyboard_show_its_kind() -> None:
    assert is_menu(["rules:0:0:othello"])
    assert not is_menu([""])
    assert not is_menu(["step:1:1:d3", "rules:0:0:othello"])
    assert is_replay(["past:1:0:3", "past:1:0:5"])
    assert not is_replay(["past:1:0:3", "step:1:1:d3"])
    assert not is_replay([])
    assert offered_moves(["rules:0:0:othello", "", "step:7:3:d3", "step:8:4:c4"]) == (7, 3)
    assert offered_moves(["rules:0:0:othello", "private:7:3:"]) is None


async def test_a_page_has_at_most_three_digits(anna: Person) -> None:
    for verb in ("help", "played"):
        for page in ("~0", "~999"):
            assert not (await anna.presses(f"{verb}:0:0:{page}")).refused
        for page in ("~", "~1000", "~-1", "~x", "~٣", "~²"):
            told = said(await anna.presses(f"{verb}:0:0:{page}"))
            assert told == anna.says("error-button-unknown")


async def test_a_game_in_a_key_comes_with_all_its_options_or_with_none(anna: Person) -> None:
    for argument in ("othello", "othello.0", "othello.1"):
        assert anna.says("button-start-open") in buttons(await anna.presses(f"menu:0:0:{argument}"))
        for wrong in (f"{argument}.0.0", f"{argument}.", f"{argument}.2", f"{argument}.x"):
            told = said(await anna.presses(f"menu:0:0:{wrong}"))
            assert told == anna.says("error-button-unknown")


async def test_only_single_steps_at_one_board_are_chosen_together(anna: Person) -> None:
    command, first = await anna.command(), Action("step", 7, 3, "a1")
    meant = combine_actions(
        command, [first, Action("step", 7, 3, "b2"), Action("step", 7, 3, "c3")]
    )
    assert (meant.verb, meant.match, meant.version) == ("step", 7, 3)
    assert (meant.steps, meant.also) == (("a1",), ("b2", "c3"))
    # One alone may be anything.
    alone = combine_actions(command, [Action("step", 7, 3, "a1.b2")])
    assert (alone.steps, alone.also) == (("a1", "b2"), ())
    for wrong in (
        [first, Action("step", 8, 3, "b2")],
        [first, Action("step", 7, 4, "b2")],
        [first, Action("play", 7, 3, "b2")],
        [first, Action("step", 7, 3, "")],
        [first, Action("step", 7, 3, "b2.c3")],
        [Action("step", 7, 3, "b2.c3"), first],
        [Action("play", 7, 3, "a1"), Action("play", 7, 3, "b2")],
    ):
        with pytest.raises(Refused, match="button-unknown"):
            combine_actions(command, wrong)
