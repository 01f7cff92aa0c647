"""Another clock for a match: offered by one, accepted by the other, and what may be asked for."""

import pytest

from bot.clocks import Clock
from bot.commands import Answer
from tests.bot.commands.test_offering import presses, under_way
from tests.bot.table import Person, Table, buttons, said

NOTHING = Answer()
DAY = 24 * 3600


async def clock_of(table: Table, match_id: int) -> Clock | None:
    return (await table.loaded(match_id)).match.terms.clock


@pytest.mark.parametrize("way", ["by its button", "by the same command"])
async def test_another_clock_is_offered_and_accepted_and_runs_from_then_on(
    table: Table, anna: Person, ben: Person, way: str
) -> None:
    match_id = await under_way(table, anna, ben)
    assert await anna.types("/clock 3d") == NOTHING
    assert "Anna proposes a new clock: 3 days per turn." in (await table.screen(match_id)).text
    assert await clock_of(table, match_id) is None
    table.clock.now += 100
    if way == "by its button":
        assert await presses(table, ben, match_id, "Accept new clock") == NOTHING
    else:
        assert await ben.types("/bedenkzeit 3t") == NOTHING
    match = (await table.loaded(match_id)).match
    assert match.terms.clock == Clock(3 * DAY)
    assert match.running is not None
    assert match.running.due == table.app.store.now() + 3 * DAY
    # The new clock is stored, and the player to move has lost no time.
    await table.restart()
    assert (await table.loaded(match_id)).match == match
    assert match.is_as_seen(match.version - 2)
    await table.settle()
    assert "Accept new clock" not in buttons(await table.screen(match_id))
    _, told = table.wall.told[-1]
    agreed = "Ben accepted. New clock: 3 days per turn. Both clocks were reset."
    assert told.text == f"Othello, game {match_id}: {agreed}"


async def test_a_match_goes_on_without_a_clock_where_both_want_that(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await table.begin(anna, ben, words="othello 1d")
    assert await anna.types("/othello d3") == NOTHING
    assert await ben.types("/clock none") == NOTHING
    assert await anna.types(f"/clock off #{match_id}") == NOTHING
    match = (await table.loaded(match_id)).match
    assert (match.terms.clock, match.running) == (None, None)
    await table.settle()
    _, told = table.wall.told[-1]
    assert told.text == f"Othello, game {match_id}: Anna accepted. The game now has no clock."
    table.clock.now += 30 * DAY
    await table.settle()
    assert await ben.types("/othello c3") == NOTHING


@pytest.mark.parametrize("line", ["/clock {} 5 days", "/clock #{} 5d", "/clock 5 d {}"])
async def test_a_clock_is_meant_for_the_match_before_or_behind_it(
    table: Table, anna: Person, ben: Person, line: str
) -> None:
    first, second = [
        await table.begin(anna, ben, words=f"{game} unrated") for game in ("othello", "sogo")
    ]
    assert await anna.types(line.format(first)) == NOTHING
    (offer,) = (await table.loaded(first)).match.offers
    assert offer.clock == "5d"
    assert not (await table.loaded(second)).match.offers


async def test_who_wants_yet_another_clock_does_not_accept_the_one_that_is_offered(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    assert await anna.types("/clock 3d") == NOTHING
    assert said(await ben.types("/clock 7d")) == ben.says("error-offer-answer-first")
    assert said(await anna.types("/clock 7d")) == anna.says("error-offer-open")
    assert await presses(table, ben, match_id, "Decline") == NOTHING
    assert await clock_of(table, match_id) is None
    assert await ben.types("/clock 7d") == NOTHING
    assert await anna.types("/clock 7d") == NOTHING
    assert await clock_of(table, match_id) == Clock(7 * DAY)
    assert said(await anna.types("/clock 7d")) == anna.says("error-clock-same")


@pytest.mark.parametrize("clock", ["4d", "10s+5s", "abc", "20d+1h", "3d+5s+1s", "-1d"])
async def test_a_clock_that_there_is_not_is_offered_to_nobody(
    table: Table, anna: Person, ben: Person, clock: str
) -> None:
    match_id = await under_way(table, anna, ben)
    version = (await table.loaded(match_id)).match.version
    answer = await anna.types(f"/clock {clock}")
    assert answer.refused
    assert "There is no clock" in said(answer)
    assert (await table.loaded(match_id)).match.version == version


async def test_who_names_no_clock_is_told_how(table: Table, anna: Person, ben: Person) -> None:
    await under_way(table, anna, ben)
    assert said(await anna.types("/clock")) == "Which clock? For example: /clock 3d"


async def test_where_one_plays_alone_there_is_nobody_to_offer_a_clock_to(
    table: Table, anna: Person
) -> None:
    await anna.types("/blackbox new")
    assert said(await anna.types("/clock 3d")) == anna.says("error-offer-alone")


async def test_clocks_are_completed(anna: Person) -> None:
    offered = await anna.completes("/clock ")
    assert "/clock 3d" in offered
    assert "/clock untimed" in offered
