"""Quiet hours, in the player's time zone."""

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.quiet import HOURS, ZONE, QuietHours, hours_in, written
from tests.optional import not_none

BERLIN = "Europe/Berlin"


def quiet(hours: str, zone: str = BERLIN) -> QuietHours:
    return not_none(QuietHours.of({HOURS: hours, ZONE: zone}))


def at(text: str, zone: str = BERLIN, fold: int = 0) -> int:
    here = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold)
    return int(here.astimezone(UTC).timestamp())


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("22-7", "22-7"),
        ("22:30-06:15", "22:30-6:15"),
        ("0-9", "0-9"),
        ("22-24", "22-0"),
        ("10pm-7am", "22-7"),
        ("12am-12pm", "0-12"),
        ("10:30pm–6am", "22:30-6"),
    ],
)
def test_hours_are_read_as_people_write_them(said: str, stored: str) -> None:
    hours = not_none(hours_in(said))
    assert written(*hours) == stored
    assert hours_in(stored) == hours


@pytest.mark.parametrize(
    "said",
    ["", "22", "22-", "25-7", "22-7:60", "7-7", "0-24", "13pm-2am", "22-7-8", "٢٢-٧", "24:30-7"],
)
def test_what_no_clock_shows_are_no_hours(said: str) -> None:
    assert hours_in(said) is None


def test_who_has_set_only_half_of_it_has_none() -> None:
    assert QuietHours.of({}) is None
    assert QuietHours.of({HOURS: "22-7"}) is None
    assert QuietHours.of({ZONE: BERLIN}) is None
    assert QuietHours.of({HOURS: "off", ZONE: BERLIN}) is None
    assert QuietHours.of({HOURS: "22-7", ZONE: "Europe/Atlantis"}) is None
    assert QuietHours.of({HOURS: "22-7", ZONE: "../../etc/passwd"}) is None


def test_hours_over_midnight_end_in_the_morning() -> None:
    hours = quiet("22-7")
    assert hours.until(at("2026-11-24T21:59:59")) == 0
    assert hours.until(at("2026-11-24T22:00")) == at("2026-11-25T07:00")
    assert hours.until(at("2026-11-25T06:59:59")) == at("2026-11-25T07:00")
    assert hours.until(at("2026-11-25T07:00")) == 0


def test_hours_of_a_day_end_on_that_day() -> None:
    hours = quiet("9-17", "America/New_York")
    zone = "America/New_York"
    assert hours.until(at("2026-11-24T08:59", zone)) == 0
    assert hours.until(at("2026-11-24T12:00", zone)) == at("2026-11-24T17:00", zone)


def test_a_night_in_which_clocks_are_set_back_is_an_hour_longer() -> None:
    evening, morning = at("2026-10-24T22:00"), at("2026-10-25T07:00")
    assert quiet("22-7").until(evening) == morning == evening + 10 * 3600


def test_a_night_in_which_clocks_are_set_forward_is_an_hour_shorter() -> None:
    evening = at("2026-03-28T22:00")
    assert quiet("22-7").until(evening) == evening + 8 * 3600


def test_hours_that_end_in_an_hour_that_comes_twice_end_after_now() -> None:
    hours = quiet("22-2:30")
    first, second = at("2026-10-25T02:10"), at("2026-10-25T02:10", fold=1)
    assert second - first == 3600
    assert hours.until(first) == first + 20 * 60
    assert hours.until(second) == second + 20 * 60


def test_hours_that_end_in_an_hour_that_never_comes_end_all_the_same() -> None:
    hours = quiet("22-2:30")
    end = hours.until(at("2026-03-29T01:59"))
    assert end == at("2026-03-29T03:30")


@given(
    now=st.integers(1_577_836_800, 1_893_456_000),
    begins=st.times(),
    ends=st.times(),
    zone=st.sampled_from([BERLIN, "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"]),
)
def test_they_end_later_and_within_a_day(now: int, begins: time, ends: time, zone: str) -> None:
    begins, ends = begins.replace(second=0, microsecond=0), ends.replace(second=0, microsecond=0)
    if begins == ends:
        return
    hours = quiet(written(begins, ends), zone)
    end = hours.until(now)
    assert end == 0 or now < end <= now + 25 * 3600
