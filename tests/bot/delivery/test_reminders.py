"""Reminders for the player to move: when, how often, and when not."""

import asyncio

import pytest

from bot.commands import Answer
from bot.delivery import Notice
from bot.domain.model import Place
from bot.store import match_queries
from bot.store.match_queries import Timer
from tests.bot.matches.test_clocks_of_matches import (
    A_DAY,
    HOUR,
    away,
    begin,
    goes_by,
    match_of,
    passes,
)
from tests.bot.table import Person, Table
from tests.optional import not_none

QUARTER = A_DAY // 4


def reminders(table: Table) -> list[str]:
    return [notice.text for _, notice in table.wall.told if "left." in notice.text]


async def test_whoever_is_on_turn_is_reminded_at_a_quarter_of_their_time_and_an_hour_before_its_end(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await begin(table, anna, ben)
    await table.settle()
    await goes_by(table, A_DAY - QUARTER - 1)
    assert reminders(table) == []
    await goes_by(table, 1)
    assert reminders(table) == [f"Othello, game {match_id}: your turn, 6 h left."]
    (place, notice) = table.wall.told[-1]
    assert place == table.lounge.id
    assert [one.name for one in notice.recipients] == ["Anna"]
    await goes_by(table, QUARTER - HOUR - 1)
    assert len(reminders(table)) == 1
    await goes_by(table, 1)
    assert reminders(table)[1:] == [f"Othello, game {match_id}: your turn, 1 h left."]
    await goes_by(table, HOUR)
    assert len(reminders(table)) == 2
    # Who moves has the next turn before them.
    assert await anna.types("/othello c4") == Answer()
    await goes_by(table, A_DAY - QUARTER)
    assert len(reminders(table)) == 3
    assert [one.name for one in table.wall.told[-1][1].recipients] == ["Ben"]


async def test_a_turn_of_some_hours_has_one_reminder_and_blitz_has_none(
    table: Table, anna: Person, ben: Person
) -> None:
    hours, blitz = await begin(table, anna, ben, "3h+1h"), await begin(table, anna, ben, "30m+30s")
    long, short = [not_none((await match_of(table, one)).clocks) for one in (hours, blitz)]
    assert long.remind_at == not_none(long.due) - HOUR
    assert short.remind_at is None


async def test_nobody_is_reminded_twice_over_a_restart(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await begin(table, anna, ben)
    await passes(table, A_DAY - QUARTER)
    await table.upkeep.once()
    # The process ends after the reminder is stored, before it is sent.
    assert reminders(table) == []
    assert (await match_of(table, match_id)).is_reminded
    for _ in range(3):
        await table.restart()
        await table.upkeep.begin()
        await table.settle()
    assert len(reminders(table)) == 1


@pytest.mark.parametrize("is_told", [True, False])
async def test_a_kill_while_somebody_is_reminded_reminds_them_once(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch, *, is_told: bool
) -> None:
    await begin(table, anna, ben)
    await table.settle()
    await passes(table, A_DAY - QUARTER)
    await table.upkeep.once()

    async def killed(place: Place, notice: Notice) -> str | None:
        if is_told:
            table.wall.told.append((place.id, notice))
        raise asyncio.CancelledError

    with monkeypatch.context() as patch:
        patch.setattr(table.wall, "notify", killed)
        with pytest.raises(asyncio.CancelledError):
            await table.reconciler.once()
    assert len(reminders(table)) == int(is_told)
    await table.restart()
    await table.upkeep.begin()
    for _ in range(3):
        await table.settle()
    # The notice may have arrived, so it is not sent again.
    assert len(reminders(table)) == int(is_told)


async def test_however_many_look_at_once_one_of_them_reminds(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await begin(table, anna, ben)
    await passes(table, A_DAY - QUARTER)
    version = (await match_of(table, match_id)).version
    await asyncio.gather(*(table.upkeep.once() for _ in range(4)))
    assert (await match_of(table, match_id)).version == version + 1
    await table.settle()
    assert len(reminders(table)) == 1


async def test_a_move_before_its_time_takes_a_reminder_away(
    table: Table, anna: Person, ben: Person
) -> None:
    await begin(table, anna, ben)
    await passes(table, A_DAY - QUARTER)
    assert await anna.types("/othello c4") == Answer()
    await table.settle()
    assert reminders(table) == []
    match_id = await table.newest()
    await table.given_up(match_id, ben)
    await goes_by(table, A_DAY)
    assert reminders(table) == []
    assert await match_queries.next_due(table.app.store, Timer.REMINDER) is None


async def test_a_reminder_makes_nothing_that_was_seen_stale(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await begin(table, anna, ben)
    seen = (await match_of(table, match_id)).version
    assert await anna.types("/draw") == Answer()
    await goes_by(table, A_DAY - QUARTER)
    match = await match_of(table, match_id)
    assert match.is_reminded
    assert match.is_playable_at(seen)
    # What was offered stands.
    assert await ben.types("/draw") == Answer()
    assert (await match_of(table, match_id)).ending is not None


async def test_time_that_is_given_back_comes_before_a_reminder(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await begin(table, anna, ben)
    await passes(table, HOUR)
    await away(table, A_DAY - QUARTER)
    await table.restart()
    await table.upkeep.begin()
    await table.settle()
    assert reminders(table) == []
    running = not_none((await match_of(table, match_id)).clocks)
    assert running.remind_at == not_none(running.due) - QUARTER


def at_clock(table: Table, hour: int) -> None:
    """Set the hour in Reykjavik, which has UTC all year."""
    table.clock.now += A_DAY - table.clock.now % A_DAY + hour * HOUR


async def test_a_reminder_that_falls_into_quiet_hours_comes_at_their_end(
    table: Table, anna: Person, ben: Person
) -> None:
    at_clock(table, 10)
    await anna.types("/quiet 22-7 Reykjavik")
    match_id = await begin(table, anna, ben)
    version = (await match_of(table, match_id)).version
    await goes_by(table, A_DAY - QUARTER)
    assert reminders(table) == [], "it is four o'clock in the night"
    assert (await match_of(table, match_id)).version == version, "and nothing has happened"
    await table.restart()
    await goes_by(table, 3 * HOUR - 1)
    assert reminders(table) == []
    await goes_by(table, 1)
    assert reminders(table) == [f"Othello, game {match_id}: your turn, 3 h left."]
    await goes_by(table, 2 * HOUR)
    assert len(reminders(table)) == 2


@pytest.mark.parametrize(("hour", "sleeper", "hours"), [(6, 0, "22-7"), (10, 1, "0-23")])
async def test_where_the_time_ends_in_quiet_hours_or_the_other_side_has_them_one_is_reminded(
    table: Table, anna: Person, ben: Person, *, hour: int, sleeper: int, hours: str
) -> None:
    at_clock(table, hour)
    await (anna, ben)[sleeper].types(f"/quiet {hours} Reykjavik")
    await begin(table, anna, ben)
    await goes_by(table, A_DAY - QUARTER)
    assert len(reminders(table)) == 1
