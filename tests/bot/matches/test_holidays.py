"""Holidays: a player's clocks stop for days, visible to all, within a yearly limit."""

import asyncio
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.clocks import Clock, ClockState
from bot.domain.errors import Refused
from bot.domain.model import Status
from bot.matches.erasing import erase
from bot.store import matches as match_store
from bot.store import personal_data
from bot.store.matches import holidays
from bot.support.texts import Texts
from tests.bot.delivery.test_reminders import reminders
from tests.bot.matches.test_clocks_of_matches import (
    A_DAY,
    HOUR,
    away,
    begin,
    goes_by,
    match_of,
    passes,
)
from tests.bot.table import Person, Table, buttons, said
from tests.optional import not_none

WEEK = 7 * A_DAY


async def left(table: Table, person: Person, *, of: int = 28) -> int:
    found = await holidays.of_user(table.app.store, person.id, most_days=of)
    return found.days


async def due(table: Table, match_id: int) -> int:
    return not_none(not_none((await match_of(table, match_id)).clocks).due)


async def is_on(table: Table, match_id: int) -> bool:
    return (await match_of(table, match_id)).status is Status.RUNNING


async def test_the_time_of_whoever_is_away_stands_still_until_they_are_back(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await begin(table, anna, ben, "3d")
    await goes_by(table, A_DAY)
    before = await due(table, match_id)
    assert before == table.app.store.now() + 2 * A_DAY
    assert not (await anna.types("/holiday 2w")).refused
    assert await due(table, match_id) == before + 2 * WEEK
    # Nothing ends while they are away, nor is anybody reminded, and then all runs on.
    for _ in range(7):
        await goes_by(table, 2 * A_DAY)
    assert await is_on(table, match_id)
    assert reminders(table) == []
    await goes_by(table, A_DAY + A_DAY // 4)
    assert len(reminders(table)) == 1
    await goes_by(table, A_DAY - A_DAY // 4)
    assert await is_on(table, match_id)
    await goes_by(table, 1)
    assert not await is_on(table, match_id)
    ending = not_none((await match_of(table, match_id)).ending)
    assert ending.by is not None


async def test_a_turn_that_comes_to_somebody_away_begins_when_they_are_back(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await begin(table, anna, ben, "1d")
    began = table.app.store.now()
    assert not (await ben.types("/urlaub 1 woche")).refused
    # It is Anna's turn, whose time runs as before.
    assert await due(table, match_id) == began + A_DAY
    await goes_by(table, HOUR)
    assert await anna.types("/othello c4") == Answer()
    assert await due(table, match_id) == began + WEEK + A_DAY
    # Who is away may play all the same.
    assert await ben.types("/othello e3") == Answer()
    assert await due(table, match_id) == table.app.store.now() + A_DAY


async def test_everybody_sees_until_when_somebody_is_away(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await begin(table, anna, ben, "3d")
    board = await table.screen(match_id, ben)
    await table.settle()
    told, shown = len(table.wall.told), len(table.wall.shown)
    assert not (await anna.types("/holiday 1w")).refused
    await table.settle()
    day = Texts("de").day(table.app.store.now() + WEEK)
    line = ben.says("board-away", name="Anna", day=day)
    assert line not in board.text
    assert line in (await table.screen(match_id, ben)).text
    # Boards are edited, without notifications.
    assert len(table.wall.told) == told
    assert len(table.wall.shown) == shown + 1
    # What was pressed on the board of before still counts.
    (cell,) = [one for one in board.choices if one.step == "c4"]
    assert not (await anna.presses(cell.action)).refused
    await table.given_up(match_id, ben)
    assert line not in (await table.screen(match_id, ben)).text


async def test_who_comes_back_early_plays_on_and_keeps_the_days(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await begin(table, anna, ben, "3d")
    before = await due(table, match_id)
    answer = await anna.types("/holiday 14d")
    assert await left(table, anna) == 14
    await goes_by(table, 4 * A_DAY)
    back = buttons(answer)[anna.says("button-holiday-end")]
    assert not (await anna.presses(back)).refused
    assert await due(table, match_id) == before + 4 * A_DAY
    assert await left(table, anna) == 24
    assert (await match_of(table, match_id)).away == (None, None)
    assert "is on holiday" not in (await table.screen(match_id, anna)).text
    for word in ("end", "ende", "zurück", "off"):
        assert not (await anna.types(f"/holiday {word}")).refused
    assert await due(table, match_id) == before + 4 * A_DAY


async def test_hours_and_minutes_run_on(table: Table, anna: Person, ben: Person) -> None:
    hours = await begin(table, anna, ben, "3h+1h")
    version, before = (await match_of(table, hours)).version, await due(table, hours)
    await anna.types("/holiday 1w")
    assert await due(table, hours) == before
    # Its boards are not edited.
    assert (await match_of(table, hours)).version == version
    # A clock of days that is agreed on later stands still at once.
    await anna.types("/clock 3d")
    await ben.types("/clock 3d")
    assert await due(table, hours) == table.app.store.now() + WEEK + 3 * A_DAY
    # As it is remembered, so it is stored; and so it ends.
    match = await match_of(table, hours)
    await table.restart()
    assert await match_of(table, hours) == match
    await anna.types("/holiday end")
    assert await due(table, hours) == table.app.store.now() + 3 * A_DAY


async def test_a_match_of_days_that_goes_on_by_minutes_knows_of_no_holiday_any_more(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await begin(table, anna, ben, "3d")
    await anna.types("/holiday 1w")
    await anna.types("/clock 10m+5s")
    await ben.types("/clock 10m+5s")
    match = await match_of(table, match_id)
    assert match.away == ()
    await table.restart()
    assert await match_of(table, match_id) == match


async def test_a_holiday_counts_a_day_at_least_so_that_nobody_comes_and_goes_all_day(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await begin(table, anna, ben, "3d")
    table.configure("play", holiday_days=4)
    # To say another time at once is no second holiday.
    assert not (await anna.types("/holiday 1d")).refused
    assert not (await anna.types("/holiday 4d")).refused
    assert not (await anna.types("/holiday end")).refused
    assert await left(table, anna, of=4) == 3
    version = (await match_of(table, match_id)).version
    # Who is back already changes nothing by saying so again.
    assert not (await anna.types("/holiday end")).refused
    assert (await match_of(table, match_id)).version == version
    for days in (2, 1, 0):
        assert not (await anna.types("/holiday 1d")).refused
        assert not (await anna.types("/holiday end")).refused
        assert await left(table, anna, of=4) == days
    assert said(await anna.types("/holiday 1d")) == anna.says("error-holiday-budget", days=0)


async def test_a_match_that_begins_while_somebody_is_away_knows_it(
    table: Table, anna: Person, ben: Person
) -> None:
    now = table.app.store.now()
    await anna.types("/holiday 1w")
    match_id = await table.begin(anna, ben, words="othello 1d first")
    match = await match_of(table, match_id)
    assert match.away == (now + WEEK, None)
    assert await due(table, match_id) == now + WEEK + A_DAY
    # As it is remembered, so it is stored.
    await table.restart()
    assert await match_of(table, match_id) == match
    assert await anna.types("/othello d3") == Answer()
    assert await due(table, match_id) == table.app.store.now() + A_DAY


async def test_days_of_a_holiday_that_have_passed_are_not_given_back(
    table: Table, anna: Person
) -> None:
    assert not (await anna.types("/holiday 20")).refused
    await goes_by(table, 15 * A_DAY)
    assert said(await anna.types("/holiday 14d")) == anna.says("error-holiday-budget", days=13)
    assert not (await anna.types("/holiday 13d")).refused
    assert await left(table, anna) == 0


async def test_a_year_has_so_many_days_and_they_come_back_after_one(
    table: Table, anna: Person
) -> None:
    assert not (await anna.types("/holiday 20")).refused
    await goes_by(table, 20 * A_DAY)
    refused = await anna.types("/holiday 9d")
    assert refused.refused
    assert said(refused) == anna.says("error-holiday-budget", days=8)
    assert not (await anna.types("/holiday 8d")).refused
    # A new end replaces the current one.
    assert not (await anna.types("/holiday 7d")).refused
    assert await left(table, anna) == 1
    await goes_by(table, 7 * A_DAY)
    for days, count in ((337, 1), (10, 10), (10, 20), (20, 28)):
        await goes_by(table, days * A_DAY)
        assert await left(table, anna) == count


@pytest.mark.parametrize(
    ("line", "key", "told"),
    [
        ("/holiday tomorrow", "holiday-days", {"before": "/holiday "}),
        ("/holiday 0", "holiday-days", {"before": "/holiday "}),
        ("/holiday until 30 Feb", "holiday-days", {"before": "/holiday "}),
        ("/holiday 1.1.99999999999", "holiday-days", {"before": "/holiday "}),
        ("/holiday until 24 Dec 1999", "holiday-days", {"before": "/holiday "}),
        ("/holiday 29", "holiday-most", {"days": 28}),
    ],
)
async def test_what_is_no_holiday_changes_nothing(
    table: Table, anna: Person, line: str, key: str, told: dict[str, str | int]
) -> None:
    answer = await anna.types(line)
    assert answer.refused
    assert answer.public is None
    assert said(answer) == anna.says(f"error-{key}", **told)
    assert await left(table, anna) == 28


async def test_a_house_can_have_no_holidays(table: Table, anna: Person) -> None:
    table.configure("play", holiday_days=0)
    for line in ("/holiday", "/holiday 1d"):
        assert said(await anna.types(line)) == anna.says("error-holiday-never")
    assert anna.says("holiday-title") not in buttons(await anna.types("/settings"))


async def test_holidays_are_found_without_typing(table: Table, anna: Person) -> None:
    way = buttons(await anna.types("/settings"))[anna.says("holiday-title")]
    offered = await anna.presses(way)
    assert said(offered) == anna.says("holiday-off", days=28, most=28)
    taken = await anna.presses(buttons(offered)["7 days"])
    day = Texts("en").day(table.app.store.now() + WEEK)
    assert said(taken) == anna.says("holiday-on", day=day, days=21)
    assert "/holiday 2w" in await anna.completes("/holiday 2")
    assert "/holiday end" in await anna.completes("/holiday e")


async def test_two_holidays_at_once_are_one(table: Table, anna: Person) -> None:
    answers = await asyncio.gather(*(anna.types("/holiday 20d") for _ in range(4)))
    assert not any(answer.refused for answer in answers)
    assert await left(table, anna) == 8


async def test_an_absence_of_the_house_gives_back_what_was_lost_after_a_holiday(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await begin(table, anna, ben, "1d")
    await anna.types("/holiday 3d")
    await away(table, 2 * A_DAY)
    await table.settle()
    assert await due(table, match_id) == table.app.store.now() + 2 * A_DAY
    await away(table, 3 * A_DAY)
    await table.settle()
    assert await is_on(table, match_id)
    assert await due(table, match_id) == table.app.store.now() + A_DAY


async def test_a_holiday_brings_no_match_back_in_which_time_has_run_out(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await begin(table, anna, ben, "1d")
    await passes(table, A_DAY + 1)
    # The deadline has passed, but no process has checked it yet.
    assert not (await anna.types("/holiday 1w")).refused
    await table.settle()
    assert not await is_on(table, match_id)


async def test_an_absence_of_the_house_that_nobody_noticed_is_given_back_before_a_holiday(
    table: Table, anna: Person, ben: Person
) -> None:
    """As when a machine wakes up by a message."""
    match_id = await begin(table, anna, ben, "1d")
    await away(table, 2 * A_DAY)
    assert not (await anna.types("/holiday 1w")).refused
    await table.settle()
    assert await due(table, match_id) == table.app.store.now() + WEEK + A_DAY


async def test_a_clock_that_is_set_back_ends_no_holiday(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await begin(table, anna, ben, "1d")
    await anna.types("/holiday 1w")
    await table.upkeep._record_clock()
    before = await due(table, match_id)
    table.clock.forward(-HOUR)
    await table.settle()
    assert await due(table, match_id) == before


async def test_who_is_erased_is_on_no_holiday_any_more(
    table: Table, anna: Person, ben: Person
) -> None:
    await anna.types("/holiday 1w")
    store = table.app.store
    assert len((await personal_data.export(store, anna.id))["holidays"]) == 1
    await erase(store, table.app.matches, anna.id)
    assert (await personal_data.export(store, anna.id))["holidays"] == []
    with pytest.raises(Refused):
        await match_store.set_away(store, anna.id, seconds=A_DAY, most_days=28)


async def test_of_a_press_that_was_never_offered_comes_nothing(table: Table, anna: Person) -> None:
    answer = await anna.presses(Action("holiday", argument="x" * 20))
    assert answer.refused
    assert await left(table, anna) == 28


@given(
    bank=st.sampled_from(["1d", "3d", "14d", "3d+12h"]),
    steps=st.lists(
        st.tuples(st.sampled_from(["away", "back", "move"]), st.integers(0, 5 * A_DAY)), max_size=12
    ),
)
def test_holidays_take_no_time_and_give_none(bank: str, steps: list[tuple[str, int]]) -> None:
    """The player to move has the time that they would have without holidays."""
    clock, now = Clock.parse(bank), 1_000_000
    ends: dict[int, int | None] = {0: None, 1: None}
    running = ClockState.start(clock, seats=2, turn={0}, now=now)
    banks, turn, spent = [clock.base_time, clock.base_time], 0, 0
    for step, seconds in steps:
        if seconds:
            until = ends[turn]
            awake = seconds if until is None else max(0, now + seconds - max(now, until))
            spent += min(awake, seconds)
            now += seconds
        if spent > banks[turn]:
            assert running.has_run_out(now)
            return
        assert running.left(now) == banks[turn] - spent
        if step == "move":
            after = banks[turn] - spent
            banks[turn] = clock.base_time if clock.increment is None else after + clock.increment
            other = 1 - turn
            running = running.moved(
                clock, by=[turn], turn={other}, now=now, away=(ends[0], ends[1])
            )
            turn, spent = other, 0
        else:
            ends[turn] = now + 2 * A_DAY if step == "away" else None
            running = running.after_holiday_change(
                clock, turn={turn}, away=(ends[0], ends[1]), now=now
            )


@pytest.mark.parametrize(
    ("locale", "line"),
    [
        ("en", "/holiday until 24 Dec"),
        ("en-GB", "/holiday to 24/12"),
        ("en-US", "/holiday 12/24/{year}"),
        ("en", "/holiday {year}-12-24"),
        ("de", "/urlaub bis 24.12."),
        ("de", "/urlaub bis 24. Dez. {year}"),
    ],
)
async def test_a_holiday_can_be_said_by_its_last_day(table: Table, locale: str, line: str) -> None:
    dora = await table.arrive("Dora", locale=locale)
    now = datetime.fromtimestamp(table.clock(), UTC)
    # Eleven days before it, whatever the day is on which this is run.
    begin = datetime(now.year + 1, 12, 13, 15, tzinfo=UTC)
    table.clock.now += begin.timestamp() - now.timestamp()
    assert not (await dora.types(line.format(year=begin.year))).refused
    found = await holidays.of_user(table.app.store, dora.id, most_days=28)
    last = datetime.fromtimestamp(not_none(found.until), UTC)
    assert last.date() == date(begin.year, 12, 24)
    assert last.hour == 23
    shown = buttons(await dora.types("/settings"))
    day = Texts(locale[:2]).day(not_none(found.until))
    assert Texts(locale[:2])("settings-holiday", day=day) in shown


async def test_whoever_challenges_somebody_on_holiday_is_told_until_when(
    table: Table, anna: Person, ben: Person
) -> None:
    await ben.types("/holiday 1w")
    until = not_none((await holidays.of_user(table.app.store, ben.id, most_days=28)).until)
    away = anna.says("board-away", name="Ben", day=Texts("en").day(until))
    assert said(await anna.types("/othello @Ben")) == away
