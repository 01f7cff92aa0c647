"""What a button is about, as far as those may know who only carry it."""

import pytest

from bot.actions import Action
from bot.commands import is_menu, is_replay, match_of
from bot.commands.tokens import is_private, meant_together, offered_moves
from bot.errors import Refused
from tests.bot.table import Person, buttons, said


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


def test_the_board_of_which_keys_offer_moves_is_that_of_their_steps() -> None:
    assert offered_moves(["rules:0:0:othello", "", "step:7:3:d3", "step:8:4:c4"]) == (7, 3)
    assert offered_moves(["rules:0:0:othello", "private:7:3:"]) is None


def test_only_the_key_to_the_private_board_is_private() -> None:
    assert is_private("private:7:3:")
    assert not is_private("step:7:3:d3")
    assert not is_private("private")


@pytest.mark.parametrize("verb", ["menu", "help", "rules", "played"])
async def test_a_page_has_at_most_three_digits(anna: Person, verb: str) -> None:
    for page in ("~0", "~999"):
        assert not (await anna.presses(f"{verb}:0:0:{page}")).refused
    for page in ("~", "~1000", "~-1", "~x", "~٣", "~²"):
        told = said(await anna.presses(f"{verb}:0:0:{page}"))
        assert told == anna.says("error-button-unknown")


@pytest.mark.parametrize("argument", ["othello", "othello.0", "othello.1"])
async def test_a_game_in_a_key_comes_with_all_its_options_or_with_none(
    anna: Person, argument: str
) -> None:
    assert anna.says("button-start-open") in buttons(await anna.presses(f"menu:0:0:{argument}"))
    for wrong in (f"{argument}.0.0", f"{argument}.", f"{argument}.2", f"{argument}.x"):
        told = said(await anna.presses(f"menu:0:0:{wrong}"))
        assert told == anna.says("error-button-unknown")


async def test_only_single_steps_at_one_board_are_chosen_together(anna: Person) -> None:
    command, first = await anna.command(), Action("step", 7, 3, "a1")
    meant = meant_together(command, [first, Action("step", 7, 3, "b2"), Action("step", 7, 3, "c3")])
    assert (meant.verb, meant.match, meant.version) == ("step", 7, 3)
    assert (meant.steps, meant.also) == (("a1",), ("b2", "c3"))
    # One alone may be anything.
    alone = meant_together(command, [Action("step", 7, 3, "a1.b2")])
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
            meant_together(command, wrong)
