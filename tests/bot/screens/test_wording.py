"""Values in words."""

from bot.screens.wording import clock_words, format_duration
from bot.support.texts import Texts


def test_a_duration_is_no_more_exact_than_its_second_unit() -> None:
    said = [format_duration(seconds, Texts("en")) for seconds in (0, 574, 3605, 11_399, 89_940)]
    assert said == ["0 s", "9 min 34 s", "1 h", "3 h 9 min", "1 day"]


def test_days_are_per_turn_and_an_increment_is_per_move() -> None:
    said = [clock_words(clock, Texts("en")) for clock in ("3d", "3m+5s", "")]
    assert said == ["3 days per turn", "3 min + 5 s per move", "no clock"]
