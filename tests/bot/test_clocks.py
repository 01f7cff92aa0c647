"""Clocks that were wrong: nobody is forgotten for it, and no time binds that has not come."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bot.model import User
from bot.sessions import NewSession, Sessions
from bot.store import people
from bot.upkeep import Upkeep
from tests.bot.table import Table

MINUTE, HOUR, A_DAY = 60, 3600, 24 * 3600
A_YEAR = 365 * A_DAY


# Whoever came by a clock that was behind


async def come(table: Table, name: str) -> User:
    """Somebody comes to the table, in a browser of theirs; they play nothing."""
    new = NewSession(f"secret of {name}", "Firefox")
    return await Sessions(table.app, platform="web").arrive(name, "", new=new)


async def is_known(table: Table, name: str) -> bool:
    """Does the house know whose browser this is?"""
    known = await Sessions(table.app, platform="web").known_by(f"secret of {name}")
    assert known is None or known.user.name == name
    return known is not None


async def goes_on(table: Table, seconds: int) -> None:
    """So much time passes in a house that is open, by a clock that nobody sets."""
    # Few looks, but none after which the house might have been closed.
    step = HOUR if seconds < A_DAY else 20 * HOUR
    while seconds > 0:
        table.clock.forward(min(step, seconds))
        seconds -= step
        # The loop's clock, by which it is seen that somebody sets ours, stands still in a test.
        table.upkeep._apart = None
        table.upkeep._tidy_at = 0.0
        await table.upkeep._by_the_clock()


async def set_while_open(table: Table, seconds: float) -> None:
    table.clock.forward(seconds)
    await table.upkeep._by_the_clock()


async def set_while_closed(table: Table, seconds: float) -> None:
    """As after a kill: nothing is noted at the end."""
    table.clock.forward(seconds)
    await table.restart()
    await table.upkeep.begin()


either_way = pytest.mark.parametrize("correct", [set_while_open, set_while_closed])


@either_way
@pytest.mark.parametrize("behind", [40 * A_DAY, 20 * A_YEAR])
async def test_a_clock_that_was_behind_at_the_first_start_costs_nobody_who_they_are(
    table: Table, correct: Callable[[Table, float], Awaitable[None]], behind: int
) -> None:
    """And whoever never comes back is forgotten in the end, as late as others are."""
    table.clock.forward(-behind)
    await table.upkeep.begin()
    await come(table, "Anna")
    await goes_on(table, HOUR)
    await come(table, "Ben")
    await correct(table, behind)
    assert await is_known(table, "Anna")
    assert await is_known(table, "Ben")
    await goes_on(table, 29 * A_DAY)
    assert await is_known(table, "Anna")
    assert await is_known(table, "Ben")
    await goes_on(table, 2 * A_DAY)
    assert not await is_known(table, "Anna")
    assert not await is_known(table, "Ben")


async def test_nor_do_several_wrong_clocks_one_after_the_other(table: Table) -> None:
    """None of the processes ran for long enough to trust its clock."""
    table.clock.forward(-20 * A_YEAR)
    await table.upkeep.begin()
    await come(table, "Anna")
    for years in (3, 10, 7):
        await set_while_closed(table, years * A_YEAR)
    await goes_on(table, 3 * HOUR)
    assert await is_known(table, "Anna")


async def test_the_first_second_of_all_clocks_is_noted_as_well(table: Table) -> None:
    """A machine without a clock begins in 1970."""
    now = table.clock.now
    table.clock.now = 7.0
    await table.upkeep.begin()
    await come(table, "Anna")
    await set_while_closed(table, now - 7)
    await goes_on(table, 3 * HOUR)
    assert await is_known(table, "Anna")


async def test_a_clock_that_begins_behind_at_every_start_keeps_nobody_for_ever(
    table: Table,
) -> None:
    await table.upkeep.begin()
    await come(table, "Anna")
    await goes_on(table, 29 * A_DAY)
    for correct in (set_while_open, set_while_closed):
        await set_while_closed(table, -20 * A_YEAR)
        await correct(table, 20 * A_YEAR)
    await goes_on(table, 3 * HOUR)
    assert await is_known(table, "Anna")
    await goes_on(table, 2 * A_DAY)
    assert not await is_known(table, "Anna")


async def test_while_the_house_is_closed_nobody_stays_away(table: Table) -> None:
    await table.upkeep.begin()
    await come(table, "Anna")
    await goes_on(table, 20 * A_DAY)
    await set_while_closed(table, A_YEAR)
    await goes_on(table, 9 * A_DAY)
    assert await is_known(table, "Anna")
    await goes_on(table, 2 * A_DAY)
    assert not await is_known(table, "Anna")


async def test_of_two_processes_one_mends_what_the_clock_has_skipped(table: Table) -> None:
    """Else who had been away for longer than it skipped would be so for less with each of them."""
    await table.upkeep.begin()
    await come(table, "Anna")
    await goes_on(table, 20 * A_DAY)
    table.clock.forward(5 * A_DAY)
    await asyncio.gather(*(Upkeep(table.app).begin() for _ in range(3)))
    await table.upkeep._by_the_clock()
    await goes_on(table, 9 * A_DAY)
    assert await is_known(table, "Anna")
    await goes_on(table, 2 * A_DAY)
    assert not await is_known(table, "Anna")


@either_way
async def test_a_clock_that_was_ahead_keeps_nobody_for_years(
    table: Table, correct: Callable[[Table, float], Awaitable[None]]
) -> None:
    """Neither them nor whoever comes after them, by the right clock."""
    table.clock.forward(9 * A_YEAR)
    await table.upkeep.begin()
    await come(table, "Anna")
    await goes_on(table, 2 * HOUR)
    await correct(table, -9 * A_YEAR)
    await come(table, "Ben")
    assert await is_known(table, "Anna")
    await goes_on(table, 29 * A_DAY)
    assert await is_known(table, "Anna")
    assert await is_known(table, "Ben")
    await goes_on(table, 2 * A_DAY)
    for name in ("Anna", "Ben"):
        assert not await is_known(table, name)
        assert await people.by_handle(table.app.store, "web", name) is None
