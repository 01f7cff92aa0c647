"""Rate limits of a user's commands."""

import asyncio

import pytest

from bot.commands import Answer
from bot.support.rates import Rates
from tests.bot.table import Clock, Person, Table, said


@pytest.fixture
async def loop_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Replace the loop's clock by one that the test moves."""
    clock = Clock()
    monkeypatch.setattr(asyncio.get_running_loop(), "time", clock)
    return clock


async def test_people_who_are_long_gone_take_no_memory(loop_clock: Clock) -> None:
    rates = Rates.per_second(1)
    for user_id in range(10_000):
        await rates.take(user_id)
    assert len(rates._limiters) <= 4096


async def test_of_a_hundred_commands_in_a_second_each_is_answered_and_none_is_lost(
    table: Table, anna: Person, ben: Person, loop_clock: Clock
) -> None:
    match_id = await table.begin(anna, ben)
    table.commands._rates = Rates.per_second(5)
    lines = ["/othello d3", *["/matches"] * 99]
    answers = await anna.at_once(*lines)
    assert answers[0] == Answer()
    texts = [said(answer) for answer in answers[1:]]
    assert texts.count(anna.says("error-too-fast")) == 100 - 20
    assert all(texts)
    assert [ply.notation for ply in (await table.loaded(match_id)).match.plies] == ["d3"]
    # Other people do not wait, and a second later the limit is free again.
    assert await ben.types("/othello c3") == Answer()
    loop_clock.forward(1)
    assert await anna.types("/othello c4") == Answer()


async def test_the_rate_of_commands_does_not_follow_the_wall_clock(
    table: Table, anna: Person, loop_clock: Clock
) -> None:
    table.commands._rates = Rates.per_second(1)
    await anna.at_once(*["/matches"] * 4)
    for seconds in (3600, -7200):
        table.clock.forward(seconds)
        assert said(await anna.types("/matches")) == anna.says("error-too-fast")
    loop_clock.forward(2)
    assert said(await anna.types("/matches")) != anna.says("error-too-fast")
