"""Values in words."""

import pytest

from bot.domain.clocks import Clock
from bot.screens import format_duration
from bot.screens.wording import clock_words
from bot.support.texts import Texts


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0 s"),
        (59, "59 s"),
        (574, "9 min 34 s"),
        (3605, "1 h"),
        (3 * 3600 + 599, "3 h 9 min"),
        (86_400 + 59 * 60, "1 day"),
        (2 * 86_400 + 3 * 3600, "2 days 3 h"),
    ],
)
def test_a_duration_is_no_more_exact_than_its_second_unit(seconds: int, said: str) -> None:
    assert format_duration(seconds, Texts("en")) == said


def test_days_are_per_turn_and_an_increment_is_per_move() -> None:
    clocks = [Clock.parse(clock) for clock in ("3d", "3m+5s")]
    said = [clock_words(clock, Texts("en")) for clock in clocks]
    assert said == ["3 days per turn", "3 min + 5 s per move"]
