"""Pauses between tries grow, and no longer than they should."""

from bot.support.backoff import Backoff


def test_every_failure_in_a_row_doubles_the_pause_up_to_the_longest() -> None:
    pauses = Backoff(2.0, 60.0)
    assert [pauses.after(failures) for failures in range(1, 8)] == [2, 4, 8, 16, 32, 60, 60]


def test_what_has_failed_for_years_waits_no_longer_than_the_longest_pause() -> None:
    assert Backoff(0.5, 30.0).after(10**6) == 30
