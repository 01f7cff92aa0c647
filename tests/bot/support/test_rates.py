"""Rate limits of a user, an address and a household."""

import asyncio

import pytest

from bot.support.rates import AddressRates, Rates, per_second


@pytest.fixture
async def hours(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Replace the loop's clock by one that the test sets."""
    now = [1000.0]
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now[0])
    return now


async def times(rates: Rates, key: str, *, most: int = 100) -> int:
    """Count how often it may be done at once."""
    number = 0
    while number < most and await rates.try_acquire(key):
        number += 1
    return number


def test_as_many_at_once_as_come_in_four_seconds_and_one_at_least() -> None:
    for rate, most, seconds in ((2.0, 8.0, 4.0), (0.25, 1.0, 4.0), (0.1, 1.0, 10.0)):
        limiter = per_second(rate)
        assert (limiter.max_rate, limiter.time_period) == (most, seconds)


async def test_each_has_their_own_rate_which_comes_back_with_time(hours: list[float]) -> None:
    rates = Rates(3, 60)
    assert rates.has_room("anna")
    assert [await rates.try_acquire("anna") for _ in range(4)] == [True, True, True, False]
    assert not rates.has_room("anna")
    # To ask is not to do.
    assert all(rates.has_room("ben") for _ in range(10))
    assert await times(rates, "ben") == 3
    hours[0] += 21
    assert rates.has_room("anna")
    assert await times(rates, "anna") == 1
    fast = Rates.per_second(2)
    assert await times(fast, "anna") == 8
    hours[0] += 1.1
    assert await times(fast, "anna") == 2


async def test_an_address_has_its_rate_and_all_of_a_household_four_times_that(
    hours: list[float],
) -> None:
    rates = AddressRates(2, 60)

    async def asks(address: str) -> int:
        number = 0
        while number < 100 and await rates.take(("site", "site/home", f"site/home/{address}")):
            number += 1
        return number

    assert await asks("a") == 2
    # What one is refused is not counted for its neighbours.
    assert [await asks("a") for _ in range(20)] == [0] * 20
    assert [await asks(one) for one in "bcdef"] == [2, 2, 2, 0, 0]
    assert await rates.take(("elsewhere",))
    # A part of the site that is not full yet does not help, where the site itself is.
    assert not await rates.take(("site", "site/other", "site/other/a"))
    hours[0] += 61
    assert await asks("e") == 2


async def test_whoever_waits_for_their_rate_is_counted_with_their_others(
    hours: list[float],
) -> None:
    rates = Rates(2, 60)
    await rates.acquire("anna")
    await rates.acquire("anna")
    assert not rates.has_room("anna")
    waiting = asyncio.create_task(rates.acquire("anna"))
    # Other people do not wait.
    await rates.acquire("ben")
    await asyncio.sleep(0)
    assert not waiting.done()
    waiting.cancel()
    hours[0] += 31
    await rates.acquire("anna")
    assert not rates.has_room("anna")
