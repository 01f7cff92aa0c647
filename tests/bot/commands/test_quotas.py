"""How much one person may have of everything, also with several processes on one database."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

import games
from bot.actions import Action
from bot.app import App
from bot.commands import Answer, Commands
from bot.errors import StoreError
from bot.model import Place, Status
from bot.store import batching, match_queries, people, personal_data
from tests.bot.store.looking import plans_of, statements
from tests.bot.table import Person, Table, said

NOTHING = Answer()
A_DAY = 24 * 3600


def with_play(table: Table, **play: int) -> None:
    """Other settings from now on."""
    changed = table.settings.play.model_copy(update=play)
    table.app.settings = table.settings.model_copy(update={"play": changed})


@asynccontextmanager
async def another_house(table: Table) -> AsyncIterator[Commands]:
    """A second process on the same database, as far as the database can tell."""
    app = await App.open(table.app.settings, clock=table.clock)
    yield Commands(app)
    await app.close()


# Challenges


async def challenges(table: Table, place: Place) -> int:
    return len(await match_queries.in_place(table.app.store, place.id, status=Status))


def in_vain(who: Person, *, hours: int = 24, minutes: int = 1440) -> str:
    """Return the refusal after three unanswered challenges to Ben."""
    told = {"count": 3, "hours": hours, "minutes": minutes}
    return who.says("error-challenged-enough", name="Ben", **told)


async def test_who_has_asked_in_vain_is_told_how_often_and_until_when(
    table: Table, anna: Person, ben: Person
) -> None:
    for _ in range(3):
        await anna.types("/othello @Ben")
        await anna.presses(Action("withdraw", await table.newest(), 1))
        table.clock.forward(3600)
    answer = said(await anna.types("/othello @Ben"))
    assert answer == in_vain(anna, hours=21, minutes=1260)
    assert answer == "Ben has not accepted 3 challenges from you. Try again in 21 hours."
    table.clock.forward(20 * 3600 + 1800)
    assert said(await anna.types("/othello @Ben")) == in_vain(anna, hours=0, minutes=30)
    # The first of them is forgotten, and the next one only an hour after it.
    table.clock.forward(1800)
    assert await anna.types("/othello @Ben") == NOTHING
    await anna.presses(Action("withdraw", await table.newest(), 1))
    assert said(await anna.types("/othello @Ben")) == in_vain(anna, hours=1, minutes=60)


async def test_challenging_and_withdrawing_again_and_again_ends_after_three(
    table: Table, anna: Person, ben: Person
) -> None:
    for _ in range(3):
        assert await anna.types("/othello @Ben", place=anna.direct) == NOTHING
        await anna.presses(Action("withdraw", await table.newest(anna.direct), 1))
    for _ in range(9):
        answer = await anna.types("/othello @Ben", place=anna.direct)
        assert said(answer) == in_vain(anna)
    await table.settle()
    assert len({post.board for post in table.wall.shown if post.place == ben.direct.id}) == 3


async def test_what_came_to_nothing_counts_however_it_ended(
    table: Table, anna: Person, ben: Person
) -> None:
    with_play(table, challenge_hours=1)
    await anna.types("/othello @Ben")
    await ben.types("/decline")
    await anna.types("/othello @Ben")
    table.clock.forward(3601)
    await table.settle()
    assert (await table.loaded(await table.newest())).match.status is Status.EXPIRED
    await anna.types("/othello @Ben")
    refused = in_vain(anna, hours=23, minutes=1380)
    assert said(await anna.types("/sogo @Ben")) == refused
    assert said(await anna.types("/sogo @Ben", place=await table.channel("garden"))) == refused


async def test_a_day_later_one_may_ask_again(table: Table, anna: Person, ben: Person) -> None:
    for game_id in ("othello", "sogo", "morris"):
        await anna.types(f"/{game_id} @Ben")
    assert said(await anna.types("/moyo @Ben")) == in_vain(anna)
    table.clock.forward(A_DAY)
    assert await anna.types("/moyo @Ben") == NOTHING


async def test_what_was_played_does_not_count_nor_what_goes_elsewhere(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    for _ in range(5):
        await table.begin(anna, ben)
    for game_id in ("othello", "sogo", "morris"):
        assert await anna.types(f"/{game_id} @Ben") == NOTHING
        assert await anna.types(f"/{game_id} @Cleo") == NOTHING
        assert await ben.types(f"/{game_id} @Anna") == NOTHING
        assert await anna.types(f"/{game_id} new") == NOTHING


async def asked_in_vain(table: Table, anna: Person, times: int = 3) -> None:
    for _ in range(times):
        assert await anna.types("/othello @Ben") == NOTHING
        await anna.presses(Action("withdraw", await table.newest(), 1))
        table.clock.forward(1)


async def test_after_a_match_together_one_may_ask_for_another(
    table: Table, anna: Person, ben: Person
) -> None:
    """What came to nothing before has been made up for; what comes to nothing after it counts."""
    running = await table.begin(ben, anna)
    table.clock.forward(1)
    await asked_in_vain(table, anna)
    refused = in_vain(anna)
    assert said(await anna.types("/othello @Ben")) == refused
    await table.given_up(running, ben)
    over = (await table.loaded(running)).match.version
    table.clock.forward(1)
    assert await anna.presses(Action("again", running, over)) == NOTHING
    await anna.presses(Action("withdraw", await table.newest(), 1))
    table.clock.forward(1)
    await asked_in_vain(table, anna, 2)
    assert said(await anna.types("/othello @Ben")) == refused
    assert said(await anna.presses(Action("again", running, 3))) == refused


async def test_whom_one_has_asked_in_vain_may_take_one_up_or_ask_back(
    table: Table, anna: Person, ben: Person
) -> None:
    await asked_in_vain(table, anna)
    refused = in_vain(anna)
    assert said(await anna.types("/othello @Ben")) == refused
    await ben.types("/othello @Anna")
    table.clock.forward(1)
    await asked_in_vain(table, anna, 2)
    assert await anna.types("/othello @Ben") == NOTHING
    await ben.types("/accept")
    table.clock.forward(1)
    await asked_in_vain(table, anna, 3)
    assert said(await anna.types("/othello @Ben")) == refused


async def test_a_no_is_no_leave_to_ask_on_nor_is_a_match_with_somebody_else(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    for _ in range(3):
        assert await anna.types("/othello @Ben") == NOTHING
        await ben.types("/decline")
        table.clock.forward(1)
    await anna.presses(Action("resign", await table.begin(anna, cleo), 2, "yes"))
    await ben.presses(Action("resign", await table.begin(cleo, ben), 2, "yes"))
    answer = await anna.types("/othello @Ben")
    assert said(answer) == in_vain(anna)


async def test_many_together_reach_one_person_only_so_often(table: Table, anna: Person) -> None:
    most = table.settings.play.challenges_from_all_per_day
    many = [await table.arrive(f"Puppet {number}") for number in range(most // 2 + 1)]
    for puppet in many[:-1]:
        assert await puppet.types("/othello @Anna") == NOTHING
        await puppet.types("/decline")
        assert await puppet.types("/sogo @Anna") == NOTHING
    refused = many[-1].says("error-takes-no-challenges", name="Anna")
    assert said(await many[-1].types("/othello @Anna")) == refused
    # Whom Anna has answered is no burden to her.
    await anna.presses(Action("decline", await table.newest(), 1))
    assert await many[-1].types("/othello @Anna") == NOTHING


async def test_ten_at_once_and_in_two_processes_are_counted_one_by_one(
    table: Table, anna: Person, ben: Person
) -> None:
    places = [await table.channel(f"room{number}") for number in range(10)]
    async with another_house(table) as other:
        commands = [await anna.command(place) for place in places]
        answers = await asyncio.gather(
            *(
                (other if number % 2 else table.commands).typed(command, "/othello @Ben")
                for number, command in enumerate(commands)
            )
        )
    assert sum(answer == NOTHING for answer in answers) == 3
    assert sum([await challenges(table, place) for place in places]) == 3


# Running matches


@pytest.fixture
async def busy(table: Table, anna: Person) -> Person:
    """Anna, who has two matches on and may have no more."""
    with_play(table, running_matches_per_person=2)
    for room in ("one", "two"):
        assert await anna.types("/blackbox new", place=await table.channel(room)) == NOTHING
    return anna


async def test_nobody_plays_more_matches_than_one_may(
    table: Table, busy: Person, ben: Person
) -> None:
    refused = busy.says("error-too-many-matches", count=2)
    assert said(await busy.types("/blackbox new")) == refused
    await ben.types("/othello @Anna")
    assert said(await busy.types("/accept")) == refused
    assert said(await busy.presses(Action("accept", await table.newest(), 1))) == refused


async def test_who_has_too_many_on_cannot_be_made_to_play_another(
    table: Table, busy: Person, ben: Person
) -> None:
    await busy.types("/othello new")
    answer = await ben.types("/accept")
    assert said(answer) == ben.says("error-too-many-matches-theirs", name="Anna")
    garden = await table.channel("one")
    await busy.presses(Action("resign", await table.newest(garden), 1, "yes"))
    assert await ben.types("/accept") == NOTHING


async def test_two_processes_together_begin_no_more_than_one_may(
    table: Table, anna: Person
) -> None:
    with_play(table, running_matches_per_person=3)
    places = [await table.channel(f"room{number}") for number in range(8)]
    async with another_house(table) as other:
        commands = [await anna.command(place) for place in places]
        await asyncio.gather(
            *(
                (other if number % 2 else table.commands).typed(command, "/blackbox new")
                for number, command in enumerate(commands)
            )
        )
    assert len(await match_queries.of_user(table.app.store, anna.id)) == 3


# What it costs


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


# People who never played


async def idle(table: Table, name: str) -> int:
    user = await table.app.names.choose("web", name, name, idle_since=int(table.clock()))
    await table.app.directory.direct("web", name, "Azumaya")
    return user.id


async def users(table: Table) -> set[int]:
    known = [*range(1, 60)]
    return set(await people.names(table.app.store, known))


async def test_people_who_never_played_go_after_thirty_days(table: Table, ben: Person) -> None:
    gone, played = await idle(table, "Gone"), await idle(table, "Played")
    here, back = await idle(table, "Sits here"), await idle(table, "Back")
    await table.app.matches.begin_at_once(
        games.get("blackbox"),
        games.get("blackbox").options_from({}),
        place_id=table.lounge.id,
        user_id=played,
    )
    table.app.here[here] += 1
    table.clock.forward(29 * A_DAY)
    assert await table.upkeep.tidy() == 0
    await people.were_here(table.app.store, [back], now=int(table.clock()))
    table.clock.forward(A_DAY)
    assert await table.upkeep.tidy() == 0
    table.clock.forward(1)
    assert await table.upkeep.tidy() == 1
    assert await table.upkeep.tidy() == 0
    assert {gone, played, here, back, ben.id} - await users(table) == {gone}
    assert await people.by_handle(table.app.store, "web", "gone") is None
    # The name is free again.
    assert await idle(table, "Gone")


async def test_that_somebody_is_here_is_noted_once_a_day(table: Table) -> None:
    here, store = await idle(table, "Dora"), table.app.store
    begun = int(table.clock())

    async def noted() -> int:
        await people.were_here(store, [here], now=int(table.clock()))
        async with store.read() as connection:
            query = "SELECT idle_since FROM users WHERE name = 'Dora'"
            return int((await connection.exec_driver_sql(query)).scalar_one()) - begun

    table.clock.forward(A_DAY)
    assert await noted() == 0
    table.clock.forward(1)
    assert await noted() == A_DAY + 1


async def test_whom_somebody_waits_for_stays(table: Table, anna: Person) -> None:
    with_play(table, challenge_hours=720)
    context = await idle(table, "Asked")
    table.clock.forward(15 * A_DAY)
    await anna.types("/othello @Asked")
    table.clock.forward(16 * A_DAY)
    assert await table.upkeep.tidy() == 0
    assert context in await users(table)
    await anna.types("/decline")
    assert await table.upkeep.tidy() == 1
    assert await people.by_handle(table.app.store, "web", "asked") is None


@pytest.mark.parametrize("what", ["challenged", "challenges", "plays", "back"])
async def test_who_is_an_idler_no_more_when_their_turn_comes_stays(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Between the look for idlers and the forgetting of one."""
    late = await idle(table, "Late")
    table.clock.forward(31 * A_DAY)
    app, blackbox, othello = table.app, games.get("blackbox"), games.get("othello")
    idlers = personal_data.idlers

    async def propose(challenger: int, opponent: int | None) -> None:
        await app.matches.propose(
            othello,
            othello.options_from({}),
            place_id=table.lounge.id,
            challenger=challenger,
            opponent=opponent,
            preferred_seat=None,
            expires=int(table.clock()) + A_DAY,
        )

    async def found(*given: Any, **named: Any) -> list[int]:
        looked = await idlers(*given, **named)
        assert looked == [late]
        if what == "challenged":
            await propose(anna.id, late)
        elif what == "challenges":
            await propose(late, None)
        elif what == "plays":
            await app.matches.begin_at_once(
                blackbox,
                blackbox.options_from({}),
                place_id=table.lounge.id,
                user_id=late,
            )
        else:
            await people.were_here(app.store, [late], now=int(table.clock()))
        return looked

    monkeypatch.setattr(personal_data, "idlers", found)
    assert await table.upkeep.tidy() == 0
    assert await people.by_handle(app.store, "web", "late") is not None
    assert (await app.names.of([late]))[late] == "Late"


@pytest.mark.sqlite
async def test_somebody_who_never_played_goes_whole_or_not_at_all(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = await idle(table, "Gone")
    table.clock.forward(31 * A_DAY)
    run = batching.Connection.run

    async def run_until_the_last(
        self: batching.Connection, method: Any, sql: str, given: Any
    ) -> Any:
        if sql.startswith("DELETE FROM users"):
            raise sqlite3.OperationalError("cut off")
        return await run(self, method, sql, given)

    with monkeypatch.context() as patched:
        patched.setattr(batching.Connection, "run", run_until_the_last)
        with pytest.raises(StoreError):
            await table.upkeep.tidy()
    assert (await table.app.names.of([gone]))[gone] == "Gone"
    # And the next look finds them.
    assert await table.upkeep.tidy() == 1
    assert gone not in await users(table)


async def test_they_go_in_batches_and_two_processes_forget_nobody_twice(table: Table) -> None:
    for number in range(25):
        await idle(table, f"Idle {number}")
    table.clock.forward(31 * A_DAY)
    async with another_house(table) as other:
        from bot.upkeep import Upkeep

        await asyncio.gather(table.upkeep.tidy(), Upkeep(other._app).tidy())
    await table.upkeep.tidy()
    assert await users(table) == set()


async def test_a_house_that_keeps_everybody_forgets_nobody(table: Table) -> None:
    house = table.settings.house.model_copy(update={"forget_unplayed_days": 0})
    table.app.settings = table.settings.model_copy(update={"house": house})
    kept = await idle(table, "Kept")
    table.clock.forward(4000 * A_DAY)
    assert await table.upkeep.tidy() == 0
    assert await users(table) == {kept}
