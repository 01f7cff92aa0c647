"""The tokens of buttons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.actions import Action
from bot.domain.errors import Refused

ANYTHING = st.text(st.characters(), max_size=80)
"""Lone surrogates, too, which no encoding takes."""


def test_a_token_is_read_back() -> None:
    action = Action("step", 12, 5, "d6.d7")
    assert action.token == "step:12:5:d6.d7"
    assert Action.read(action.token) == action


def test_the_argument_may_hold_colons() -> None:
    assert Action.read("play:1:2:d3:ne") == Action("play", 1, 2, "d3:ne")


@given(verb=st.sampled_from(["step", "again"]), numbers=st.tuples(*[st.integers(0, 10**9)] * 2))
def test_every_action_is_read_back(verb: str, numbers: tuple[int, int]) -> None:
    action = Action(verb, *numbers, "a1.b2")
    assert Action.read(action.token) == action


@pytest.mark.parametrize(
    "token",
    [
        "",
        "step",
        "step:1:2",
        ":1:2:d3",
        "step:-1:2:d3",
        "step:1:two:d3",
        "step:1:²:d3",
        "step:1:٣:d3",
        "step:1 :2:d3",
        f"step:{10**15}:2:d3",
        "step:1:2:" + "d" * 56,
        "step:1:2:" + "ö" * 28,
        "st ep:1:2:d3",
        "step:1:2:d3\n",
        "step:1:2:\x00",
        "step:1:2:\ud800",
    ],
)
def test_what_we_never_wrote_is_refused(token: str) -> None:
    with pytest.raises(Refused) as caught:
        Action.read(token)
    assert caught.value.code == "button-unknown"


@pytest.mark.parametrize("argument", ["d" * 55, "ö" * 27])
def test_a_token_fills_what_every_platform_takes(argument: str) -> None:
    action = Action("step", 1, 2, argument)
    assert 63 <= len(action.token.encode()) <= 64
    assert Action.read(action.token) == action


def test_the_largest_number_that_a_button_names_has_fifteen_digits() -> None:
    action = Action("step", 10**15 - 1, 2)
    assert Action.read(action.token) == action


@given(ANYTHING)
def test_whatever_is_sent_is_an_action_or_refused(token: str) -> None:
    try:
        action = Action.read(token)
    except Refused:
        return
    assert action.token.split(":", 1)[0] == token.split(":", 1)[0]
