"""Quotas per user, also with several processes on one database."""

import asyncio
from typing import Any

import pytest

import games
from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.model import Place, Status
from bot.matches import beginning
from bot.store import match_queries, people, personal_data
from bot.support.errors import StoreError
from bot.support.rates import Rates
from tests.bot.store.looking import plans_of, statements
from tests.bot.store.test_matches import new_match
from tests.bot.table import A_DAY, NOTHING, Clock, Person, Table, said
from tests.bot.transactions import cut_off


async def challenges(table: Table, place: Place) -> int:
    return len(await match_queries.in_place(table.app.store, place.id, status=Status))


def in_vain(who: Person, *, hours: int = 24, minutes: int = 1440) -> str:
    """Return the refusal after three unanswered challenges to Ben."""
    told = {"count": 3, "hours": hours, "minutes": minutes}
    return who.says("error-challenged-enough", name="Ben", **told)


async def test_a_refusal_says_how_many_challenges_were_not_accepted_and_when_to_try_again(
    table: Table, anna: Person, ben: Person
) -> None:
    for _ in range(3):
        await anna.types("/othello @Ben", place=anna.direct)
        await anna.presses(Action("withdraw", await table.newest(anna.direct), 1))
        table.clock.forward(3600)
    for place in (anna.direct, table.lounge):
        answer = said(await anna.types("/othello @Ben", place=place))
        assert answer == in_vain(anna, hours=21, minutes=1260)
        assert answer == "Ben has not accepted 3 challenges from you. Try again in 21 hours."
    await table.settle()
    assert len({post.board for post in table.wall.shown if post.place == ben.direct.id}) == 3
    table.clock.forward(20 * 3600 + 1800)
    assert said(await anna.types("/othello @Ben")) == in_vain(anna, hours=0, minutes=30)
    # The first of them is forgotten, and the next one only an hour after it.
    table.clock.forward(1800)
    assert await anna.types("/othello @Ben") == NOTHING
    await anna.presses(Action("withdraw", await table.newest(), 1))
    assert said(await anna.types("/othello @Ben")) == in_vain(anna, hours=1, minutes=60)


@pytest.fixture
async def busy(table: Table, anna: Person) -> Person:
    """Return Anna, who has two active games and may have no more."""
    table.configure("play", running_matches_per_person=2)
    for room in ("one", "two"):
        assert await anna.types("/blackbox new", place=await table.channel(room)) == NOTHING
    return anna


async def test_no_player_has_more_active_games_than_allowed(
    table: Table, busy: Person, ben: Person
) -> None:
    refused = busy.says("error-too-many-matches", count=2)
    assert said(await busy.types("/blackbox new")) == refused
    await ben.types("/othello @Anna")
    assert said(await busy.types("/accept")) == refused
    assert said(await busy.presses(Action("accept", await table.newest(), 1))) == refused
    await ben.types("/withdraw")
    # Nor does another player start one with them.
    await busy.types("/othello new")
    answer = await ben.types("/accept")
    assert said(answer) == ben.says("error-too-many-matches-theirs", name="Anna")
    garden = await table.channel("one")
    await busy.presses(Action("resign", await table.newest(garden), 1, "yes"))
    assert await ben.types("/accept") == NOTHING


@pytest.mark.sqlite
async def test_a_challenge_counts_by_indexes_and_a_move_counts_nothing(
    table: Table, anna: Person, ben: Person
) -> None:
    with statements() as context:
        await anna.types("/othello @Ben first")
        await ben.types("/accept")
    plans = await plans_of(table.app.store, context)
    counting = [plan for plan in plans if "blocks" in plan or "count(*)" in plan]
    assert any("ix_matches_opponent_id_created" in plan for plan in counting)
    assert [plan for plan in counting if plan.startswith("SCAN") and "CONSTANT" not in plan] == []
    with statements() as context:
        await anna.types("/othello d3")
    said_ = [statement for statement, _ in context]
    assert [one for one in said_ if "blocks" in one or "count(" in one or "idle" in one] == []


async def idle(table: Table, name: str) -> int:
    user = await table.app.names.choose("web", name, name, idle_since=int(table.clock()))
    await table.app.directory.direct("web", name, "Azumaya")
    return user.id


async def users(table: Table) -> set[int]:
    known = [*range(1, 60)]
    return set(await people.names(table.app.store, known))


async def test_who_comes_back_just_before_they_would_be_forgotten_stays(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the query for idle users, and before one of them is deleted."""
    late = [await idle(table, f"Late {'x' * number}") for number in range(4)]
    challenged, challenger, player, back = late
    table.clock.forward(31 * A_DAY)
    app, idlers = table.app, personal_data.idlers

    async def propose(challenger: int, opponent: int | None) -> None:
        expires = int(table.clock()) + A_DAY
        await beginning.propose(
            app.matches, new_match(table, challenger, opponent, expires=expires)
        )

    async def found(*given: Any, **named: Any) -> list[int]:
        looked = await idlers(*given, **named)
        assert sorted(looked) == late
        await propose(anna.id, challenged)
        await propose(challenger, None)
        options = games.get("blackbox").options_from({})
        await beginning.begin(
            app.matches, new_match(table, player, game="blackbox", options=options)
        )
        await people.were_here(app.store, [back], now=int(table.clock()))
        return looked

    monkeypatch.setattr(personal_data, "idlers", found)
    assert await table.upkeep.purge() == 0
    assert set(late) <= await users(table)
    assert (await app.names.of(late))[challenged] == "Late"


@pytest.mark.sqlite
async def test_somebody_who_never_played_goes_whole_or_not_at_all(table: Table) -> None:
    gone = await idle(table, "Gone")
    table.clock.forward(31 * A_DAY)
    with (
        cut_off(lambda statement: statement.startswith("DELETE FROM users")),
        pytest.raises(StoreError),
    ):
        await table.upkeep.purge()
    assert (await table.app.names.of([gone]))[gone] == "Gone"
    # And the next look finds them.
    assert await table.upkeep.purge() == 1
    assert gone not in await users(table)


@pytest.fixture
async def loop_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Replace the loop's clock by one that the test moves."""
    clock = Clock()
    monkeypatch.setattr(asyncio.get_running_loop(), "time", clock)
    return clock


async def test_people_who_are_long_gone_take_no_memory(loop_clock: Clock) -> None:
    rates = Rates.per_second(1)
    for user_id in range(10_000):
        await rates.try_acquire(user_id)
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
