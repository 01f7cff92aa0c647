"""Upkeep: expired challenges, purged rooms, each done and stored as done."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from math import inf

import pytest
from structlog.typing import EventDict

from bot.domain.errors import Refused
from bot.domain.model import Status
from bot.loops import upkeep
from bot.loops.upkeep import Upkeep
from bot.matches import beginning, reading
from bot.store import Store, announcements, match_queries, people, times
from bot.store.match_queries import Timer
from bot.store.sessions import NewSession
from bot.support.errors import StoreError
from bot.support.settings import HouseSettings
from tests.bot.failing import DISK_ERROR, fails, fails_first
from tests.bot.store.sql import add_session, value
from tests.bot.table import Person, Table


@asynccontextmanager
async def running(table: Table) -> AsyncIterator[None]:
    """Run all background tasks while the block runs."""
    work = [asyncio.create_task(table.upkeep.run()), asyncio.create_task(table.reconciler.run())]
    try:
        yield
    finally:
        # Not by one future of both: that one is done as soon as the first of them has ended.
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)


# Time


async def test_who_accepts_in_the_last_moment_plays(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await anna.starts("/othello @Ben")
    table.clock.forward(24 * 3600)
    await asyncio.gather(ben.types("/accept"), table.settle())
    loaded = await table.loaded(match_id)
    assert loaded.match.status in (Status.RUNNING, Status.EXPIRED)
    await table.settle()
    assert [post.version for post in table.wall.of(match_id)] == [2]


# The loop itself


async def test_what_fronts_could_not_look_at_is_looked_at_again(table: Table) -> None:
    looked = asyncio.Event()

    async def look() -> None:
        if not table.app.must_recheck:
            raise StoreError("azumaya.db: disk I/O error")
        looked.set()

    table.app.rechecks.append(look)
    await table.app.on_remote_change()
    assert table.app.must_recheck
    async with running(table), asyncio.timeout(60):
        await looked.wait()
    assert not table.app.must_recheck


async def idle(table: Table, *names: str) -> None:
    """Add people who have never played, and were last active a month and a day ago."""
    then = int(table.clock()) - 31 * 24 * 3600
    for name in names:
        await table.app.names.choose("web", name, name, idle_since=then)


@pytest.mark.parametrize("fails", [False, True])
async def test_a_clock_that_was_set_puts_off_what_cannot_be_mended(
    table: Table, monkeypatch: pytest.MonkeyPatch, *, fails: bool
) -> None:
    """Also where the look that noticed it came to nothing."""
    monkeypatch.setattr(upkeep, "_TRUSTED_AFTER", 1)
    await table.upkeep._look()
    await idle(table, "kept")
    table.clock.forward(2)
    with monkeypatch.context() as patched:
        if fails:
            patched.setattr(match_queries, "due", no_disk)
        with suppress(StoreError):
            await table.upkeep._look()
    await table.upkeep._look()
    assert await people.by_handle(table.app.store, "web", "kept")
    # The clock goes as fast as time does, so it was not changed.
    monkeypatch.setattr(upkeep, "_SET", 1.5)
    table.clock.forward(1)
    await table.upkeep._look()
    assert await people.by_handle(table.app.store, "web", "kept") is None


async def no_disk(*_: object, **__: object) -> list[int]:
    raise StoreError("azumaya.db: disk I/O error")


A_DAY = 24 * 3600


async def runs(table: Table) -> None:
    """Start the upkeep, let it look for due work, and kill it."""
    looked = asyncio.Event()

    async def look_again() -> None:
        looked.set()

    # What is done last in a look.
    table.app.rechecks[:] = [look_again]
    table.app.must_recheck = True
    upkeep_ = asyncio.create_task(Upkeep(table.app).run())
    await looked.wait()
    upkeep_.cancel()
    await asyncio.gather(upkeep_, return_exceptions=True)


A_YEAR = 365 * A_DAY


@pytest.fixture
async def old(table: Table, anna: Person) -> Person:
    """Return Anna, with a session unused for more than a year, by the clock."""
    await add_session(table.app.store, anna.id, NewSession("token", "Firefox"))
    return anna


async def left(table: Table) -> int:
    return int(await value(table.app.store, "SELECT count(*) FROM sessions"))


async def test_a_house_that_is_restarted_often_tidies_all_the_same(
    table: Table, old: Person
) -> None:
    table.clock.forward(A_YEAR + A_DAY)
    for _ in range(6):
        await runs(table)
        assert await left(table) == 1
        table.clock.forward(600)
    await runs(table)
    assert await left(table) == 0


@pytest.mark.parametrize("between", [2 * 3600, -600])
async def test_a_clock_that_may_have_been_set_while_the_house_was_closed_is_not_trusted(
    table: Table, old: Person, between: int
) -> None:
    table.clock.forward(2 * A_YEAR + A_DAY)
    for number in range(9):
        await runs(table)
        table.clock.forward(between if number == 4 else 600)
        assert await left(table) == 1


# When it checks, by both clocks: the loop's, and the system clock of stored times


class Time:
    """Both clocks, in step unless a test sets one."""

    def __init__(self, table: Table, patch: pytest.MonkeyPatch) -> None:
        self._clock = table.clock
        self._loop = 1000.0
        patch.setattr(asyncio.get_running_loop(), "time", lambda: self._loop)

    def passes(self, seconds: float) -> None:
        self._clock.forward(seconds)
        self._loop += seconds


async def looks(table: Table) -> float:
    """Do what is due, and return the seconds until the next look."""
    return await table.upkeep._look() - table.clock()


async def test_it_sleeps_until_the_next_challenge_expires(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Time(table, monkeypatch)
    assert await looks(table) == inf
    match_id = await anna.starts("/challenge othello")
    assert await looks(table) == A_DAY
    time.passes(A_DAY - 0.5)
    assert await looks(table) == 0.5
    time.passes(0.5)
    with monkeypatch.context() as patch:
        # It cannot be ended: that is not tried without a pause.
        fails(patch, beginning, "end_challenge", Refused("unreadable"))
        assert await looks(table) == 2
    assert (await table.loaded(match_id)).match.status is Status.PROPOSED
    assert await looks(table) == inf
    assert (await table.loaded(match_id)).match.status is Status.EXPIRED


async def test_the_clock_is_noted_every_quarter_of_a_minute_and_trusted_and_tidied_by_every_hour(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    time, noted, tidied = Time(table, monkeypatch), list[float](), list[float]()
    begun, note, tidy = table.clock(), times.record_clock, table.upkeep.purge

    async def note_clock(store: Store, *, since: int | None) -> times.ClockRecord:
        noted.append(table.clock() - begun)
        return await note(store, since=since)

    async def tidies() -> int:
        tidied.append(table.clock() - begun)
        return await tidy()

    monkeypatch.setattr(times, "record_clock", note_clock)
    monkeypatch.setattr(table.upkeep, "purge", tidies)
    await looks(table)
    for wait in (14, 1, 14, 1, 3569, 1, 3599, 1):
        time.passes(wait)
        await looks(table)
    assert noted == [0, 15, 30, 3599, 7199]
    assert tidied == [3600, 7200]
    # The clock is changed, so it has to run correctly for an hour again.
    table.clock.forward(-2)
    await looks(table)
    time.passes(3599)
    await looks(table)
    assert tidied == [3600, 7200]
    time.passes(1)
    await looks(table)
    assert len(tidied) == 3


async def test_where_many_are_to_be_forgotten_the_next_of_them_are_not_long_in_coming(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "_AT_ONCE", 2)
    monkeypatch.setattr(upkeep, "_TRUSTED_AFTER", 0)
    time, names = Time(table, monkeypatch), ["a1", "b2", "c3", "d4", "e5", "late"]
    await idle(table, *names[:5])

    async def left_after(seconds: float) -> int:
        time.passes(seconds)
        await looks(table)
        found = [await people.by_handle(table.app.store, "web", name) for name in names]
        return len([one for one in found if one])

    assert [await left_after(seconds) for seconds in (0, 4, 1, 4, 1)] == [3, 3, 1, 1, 0]
    # The last look found fewer than it might have: it takes an hour again.
    await idle(table, "late")
    assert [await left_after(seconds) for seconds in (3599, 1)] == [1, 0]


async def test_who_never_played_is_forgotten_to_the_second_unless_they_are_here_or_all_are_kept(
    table: Table,
) -> None:
    store, month = table.app.store, 30 * A_DAY
    here = await table.app.names.choose("web", "stays", "Stays", idle_since=store.now())
    await table.app.names.choose("web", "leaves", "Leaves", idle_since=store.now())
    table.app.open_pages[here.id] = 1
    forgotten = asyncio.Event()

    async def recheck() -> None:
        forgotten.set()

    table.app.rechecks.append(recheck)
    table.clock.forward(month)
    assert await table.upkeep.purge() == 0
    # No unnecessary check is triggered.
    assert not forgotten.is_set()
    keeps = table.settings.model_copy(update={"house": HouseSettings(forget_unplayed_days=0)})
    table.clock.forward(1)
    with_keeping = Upkeep(table.app)
    table.app.settings = keeps
    assert await with_keeping.purge() == 0
    assert not forgotten.is_set()
    table.app.settings = table.settings
    assert await table.upkeep.purge() == 1
    assert forgotten.is_set()
    assert await people.user(store, here.id) is not None
    # She was here then: it is a month from then on that she may be forgotten, too.
    table.app.open_pages.clear()
    table.clock.forward(month - 1)
    assert await table.upkeep.purge() == 0
    table.clock.forward(1)
    assert await table.upkeep.purge() == 1


async def test_what_is_of_no_use_any_more_goes_and_what_is_still_stays(
    table: Table, anna: Person, ben: Person
) -> None:
    store = table.app.store

    async def number() -> int:
        return int(await value(store, "SELECT count(*) FROM announcements"))

    await table.begin(anna, ben)
    await table.settle()
    await announcements.add(store, "We move tonight.", seconds=3600)
    match_id = await anna.starts("/othello @Ben")
    await table.upkeep.purge()
    assert await number() == 1
    # A challenge keeps all of its time.
    table.clock.forward(24 * 3600 - 1)
    await table.upkeep.purge()
    await table.upkeep.once()
    assert (await table.loaded(match_id)).match.status is Status.PROPOSED
    assert await number() == 0


async def test_what_a_change_of_rules_has_left_is_looked_for_once_and_again_after_a_failure(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = fails_first(monkeypatch, reading, "end_outdated_matches", DISK_ERROR)
    for wanted in (1, 2, 2, 2):
        await table.upkeep.once()
        assert len(looked) == wanted


async def test_a_look_that_comes_to_nothing_is_no_end_and_who_looked_no_longer_listens(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch, logged: list[EventDict]
) -> None:
    monkeypatch.setattr("bot.loops.rounds._AFTER_FAILURE", 0.02)
    match_id = await anna.starts("/challenge othello")
    table.clock.forward(24 * 3600)
    looks = fails_first(monkeypatch, match_queries, "due", DISK_ERROR)
    async with running(table), asyncio.timeout(60):
        await table.wall.until(lambda: [post.version for post in table.wall.of(match_id)] == [2])
    assert table.app.changed._events == []
    assert [timer for _, timer in looks].count(Timer.EXPIRY) == 2
    (line,) = [one for one in logged if one["event"] == "upkeep could not be read or stored"]
    assert line["reason"] == "azumaya.db: disk I/O error"
