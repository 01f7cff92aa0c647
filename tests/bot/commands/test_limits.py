"""How fast one person may ask."""

from contextlib import suppress

import pytest

from bot.commands import Answer
from bot.commands.rate_limit import CommandRateLimiter
from bot.errors import Refused
from tests.bot.table import Clock, Person, Table, said


def taken(send_scheduler: CommandRateLimiter, user_id: int, times: int) -> int:
    """How many of `times` commands at once are let through."""
    through = 0
    for _ in range(times):
        with suppress(Refused):
            send_scheduler.take(user_id)
            through += 1
    return through


def test_a_burst_is_fine_and_a_flood_is_not() -> None:
    clock = Clock()
    send_scheduler = CommandRateLimiter(5, clock)
    assert taken(send_scheduler, 1, 100) == 20
    clock.forward(1)
    assert taken(send_scheduler, 1, 100) == 5
    clock.forward(1000)
    assert taken(send_scheduler, 1, 100) == 20


def test_everybody_has_their_own_pace() -> None:
    send_scheduler = CommandRateLimiter(1, Clock())
    assert taken(send_scheduler, 1, 10) == 4
    assert taken(send_scheduler, 2, 10) == 4


@pytest.mark.parametrize("rate", [0.1, 0.2, 0.5, 1])
def test_the_slowest_pace_lets_somebody_through(rate: float) -> None:
    clock = Clock()
    send_scheduler = CommandRateLimiter(rate, clock)
    assert taken(send_scheduler, 1, 10) >= 1
    clock.forward(1 / rate)
    assert taken(send_scheduler, 1, 10) == 1


def test_a_clock_that_is_set_back_gives_and_takes_nothing() -> None:
    clock = Clock()
    send_scheduler = CommandRateLimiter(1, clock)
    taken(send_scheduler, 1, 4)
    clock.forward(-3600)
    assert taken(send_scheduler, 1, 4) == 0
    clock.forward(2)
    assert taken(send_scheduler, 1, 4) == 2


def test_people_who_are_long_gone_take_no_memory() -> None:
    clock = Clock()
    send_scheduler = CommandRateLimiter(1, clock)
    for user_id in range(10_000):
        send_scheduler.take(user_id)
    assert len(send_scheduler._buckets) <= 4096


async def test_of_a_hundred_commands_in_a_second_each_is_answered_and_none_is_lost(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben)
    table.commands._pace = CommandRateLimiter(5, table.clock)
    lines = ["/othello d3", *["/matches"] * 99]
    answers = await anna.at_once(*lines)
    assert answers[0] == Answer()
    texts = [said(answer) for answer in answers[1:]]
    assert texts.count(anna.says("error-too-fast")) == 100 - 20
    assert all(texts)
    assert [ply.notation for ply in (await table.loaded(match_id)).match.plies] == ["d3"]
    # Nobody else waits for that, and a second later all is well.
    assert await ben.types("/othello c3") == Answer()
    table.clock.forward(1)
    assert await anna.types("/othello c4") == Answer()
