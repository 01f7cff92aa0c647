"""Wrong system clocks: no account is deleted, and no deadline binds too early or too late."""

from collections.abc import Awaitable, Callable

import pytest

from bot.commands import Answer
from bot.commands.own import arrive
from bot.domain.actions import Action
from bot.domain.model import User
from bot.store import Store, personal_data, sessions
from bot.store.sessions import NewSession
from tests.bot.store.sql import value
from tests.bot.table import Person, Table

MINUTE, HOUR, A_DAY = 60, 3600, 24 * 3600
A_YEAR = 365 * A_DAY


# People who came while the clock was behind


async def come(table: Table, name: str) -> User:
    """Log in with a new browser and play nothing."""
    new = NewSession(f"secret of {name}", "Firefox")
    return await arrive(table.app, name, "", new=new)


async def is_known(table: Table, name: str) -> bool:
    """True if the browser with this name has a session."""
    known = await sessions.by_token(table.app.store, f"secret of {name}")
    assert known is None or known.user.name == name
    return known is not None


async def goes_on(table: Table, seconds: int) -> None:
    """Let time pass in a running app, by a clock that is not changed."""
    # Few looks, but none after which the house might have been closed.
    step = HOUR if seconds < A_DAY else 20 * HOUR
    while seconds > 0:
        table.clock.forward(min(step, seconds))
        seconds -= step
        # The loop's clock stands still in a test, and it is what reveals changes of ours.
        table.upkeep._clock_offset = None
        table.upkeep._tidy_at = 0.0
        await table.upkeep._look()


async def set_while_open(table: Table, seconds: float) -> None:
    table.clock.forward(seconds)
    await table.upkeep._look()


async def set_while_closed(table: Table, seconds: float) -> None:
    """Set the clock while the app is down, as after a kill: the end is not noted."""
    table.clock.forward(seconds)
    await table.restart()
    await table.upkeep.begin()


@pytest.mark.parametrize(
    ("correct", "behind"),
    [
        pytest.param(set_while_open, 40 * A_DAY, marks=pytest.mark.slow),
        (set_while_closed, 20 * A_YEAR),
    ],
)
async def test_a_clock_that_was_behind_at_the_first_start_costs_nobody_who_they_are(
    table: Table, correct: Callable[[Table, float], Awaitable[None]], behind: int
) -> None:
    """Inactive accounts are still deleted, as late as others."""
    table.clock.forward(-behind)
    await table.upkeep.begin()
    await come(table, "Anna")
    await goes_on(table, HOUR)
    # Since that was noted, some time has passed.
    table.clock.forward(200)
    await come(table, "Ben")
    await correct(table, behind)
    assert await is_known(table, "Anna")
    ben = await sessions.by_token(table.app.store, "secret of Ben")
    assert ben is not None
    assert ben.session.seen == table.app.store.now()
    await goes_on(table, 29 * A_DAY)
    assert await is_known(table, "Anna")
    assert await is_known(table, "Ben")
    await goes_on(table, 2 * A_DAY)
    assert not await is_known(table, "Anna")
    assert not await is_known(table, "Ben")


async def test_the_first_second_of_all_clocks_is_noted_as_well(table: Table) -> None:
    """A machine without a clock begins in 1970."""
    now = table.clock.now
    table.clock.now = 7.0
    await table.upkeep.begin()
    await come(table, "Anna")
    await set_while_closed(table, now - 7)
    await goes_on(table, 3 * HOUR)
    assert await is_known(table, "Anna")


# What was stored by a clock that was ahead


async def set_right(table: Table) -> None:
    """Set a clock that was nine years ahead, and restart the app."""
    table.clock.forward(-9 * A_YEAR)
    await table.restart()


async def test_challenges_from_the_future_are_not_counted(
    table: Table, anna: Person, ben: Person
) -> None:
    table.configure("play", challenges_from_all_per_day=1)
    table.clock.forward(9 * A_YEAR)
    assert await anna.types("/othello @Ben") == Answer()
    await anna.presses(Action("withdraw", await table.newest(), 1))
    await set_right(table)
    table.configure("play", challenges_from_all_per_day=1)
    assert await anna.types("/othello @Ben") == Answer()


async def test_what_is_held_against_the_erased_is_not_kept_for_years(
    table: Table, ben: Person
) -> None:
    anna = await table.arrive("Anna", platform="telegram")
    store = table.app.store
    table.clock.forward(9 * A_YEAR)
    await anna.types("/challenge @Ben othello", place=table.lounge)
    await personal_data.erase(store, anna.id, name="Former player")
    assert await traces_left(store) == 1
    await set_right(table)
    await table.upkeep.purge()
    assert await traces_left(table.app.store) == 0


async def traces_left(store: Store) -> int:
    return int(await value(store, "SELECT count(*) FROM erased_challenges"))


# Times that 32 bits do not hold


@pytest.mark.both
async def test_after_2038_people_play_on(table: Table, anna: Person, ben: Person) -> None:
    match = await table.begin(anna, ben)
    table.clock.forward(2**31 - table.clock.now)
    await table.plays(match, "d3,c3")
    await table.settle()
    assert [ply.notation for ply in (await table.loaded(match)).match.plies] == ["d3", "c3"]
    assert table.wall.shown[-1].version == 4
