"""A new clock during a match: offered, accepted, refused."""

from bot.domain.clocks import Clock
from tests.bot.commands.test_offering import presses, under_way
from tests.bot.table import A_DAY, NOTHING, Person, Table, buttons, said


async def clock_of(table: Table, match_id: int) -> Clock | None:
    return (await table.loaded(match_id)).match.terms.clock


async def test_a_new_clock_is_offered_and_accepted_and_runs_from_then_on(
    table: Table, anna: Person, ben: Person
) -> None:
    match_id = await under_way(table, anna, ben)
    assert said(await anna.types("/clock")) == "Which clock? For example: /clock 3d"
    version = (await table.loaded(match_id)).match.version
    for clock in ("4d", "10s+5s", "abc", "20d+1h", "3d+5s+1s", "-1d"):
        answer = await anna.types(f"/clock {clock}")
        assert answer.refused
        assert "There is no clock" in said(answer)
    assert (await table.loaded(match_id)).match.version == version
    assert await anna.types("/clock 3d") == NOTHING
    assert "Anna proposes a new clock: 3 days per turn." in (await table.screen(match_id)).text
    assert await clock_of(table, match_id) is None
    table.clock.now += 100
    assert await ben.types("/bedenkzeit 3t") == NOTHING
    match = (await table.loaded(match_id)).match
    assert match.terms.clock == Clock(3 * A_DAY)
    assert match.clocks is not None
    assert match.clocks.due == table.app.store.now() + 3 * A_DAY
    # The new clock is stored, and the player to move has lost no time.
    await table.restart()
    assert (await table.loaded(match_id)).match == match
    assert match.is_playable_at(match.version - 2)
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
    assert (match.terms.clock, match.clocks) == (None, None)
    await table.settle()
    _, told = table.wall.told[-1]
    assert told.text == f"Othello, game {match_id}: Anna accepted. The game now has no clock."
    table.clock.now += 30 * A_DAY
    await table.settle()
    assert await ben.types("/othello c3") == NOTHING


async def test_the_number_of_the_match_stands_before_or_after_the_clock(
    table: Table, anna: Person, ben: Person
) -> None:
    other = await table.begin(anna, ben, words="sogo unrated")
    for line in ("/clock {} 5 days", "/clock #{} 5d", "/clock 5 d {}"):
        match_id = await table.begin(anna, ben, words="othello unrated")
        assert await anna.types(line.format(match_id)) == NOTHING
        (offer,) = (await table.loaded(match_id)).match.offers
        assert offer.clock == "5d"
    assert not (await table.loaded(other)).match.offers
    offered = await anna.completes("/clock ")
    assert "/clock 3d" in offered
    # No match has a clock.
    assert "/clock untimed" not in offered


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
    assert await clock_of(table, match_id) == Clock(7 * A_DAY)
    assert said(await anna.types("/clock 7d")) == anna.says("error-clock-same")
