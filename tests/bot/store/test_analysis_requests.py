"""Requests of analyses: taken by one process, given back to those who are still there."""

import pytest

from bot.store import analyses, analysis_requests, personal_data
from bot.store.analysis_requests import Requested
from tests.bot.table import Person, Table

pytestmark = pytest.mark.both


async def waiting(table: Table) -> list[Requested]:
    return await analysis_requests.waiting(table.app.store, "web", but=(), limit=9)


@pytest.fixture
async def over(table: Table, anna: Person, ben: Person) -> int:
    """Let both players ask for the analysis of a match, and abandon it."""
    match_id = await table.begin(anna, ben)
    await table.given_up(match_id, ben)
    for person in (anna, ben):
        await person.types(f"/analyse {match_id}")
    assert await waiting(table) == []
    await analyses.give_up_alone(table.app.store, match_id)
    return match_id


async def test_one_process_takes_a_request_and_gives_it_back_to_who_is_still_there(
    table: Table, anna: Person, ben: Person, over: int
) -> None:
    store = table.app.store
    (one,) = await waiting(table)
    assert (one.match_id, one.place_id, one.users) == (over, table.lounge.id, (anna.id, ben.id))
    assert [await analysis_requests.begin(store, one) for _ in range(2)] == [True, False]
    await personal_data.forget(store, anna.id, name="Former")
    await analysis_requests.give_back(store, one)
    (again,) = await waiting(table)
    assert (again.users, again.at) == ((ben.id,), one.at)
    assert again.number > one.number
    # A retry waits as long as before.
    assert again == one


@pytest.mark.slow
async def test_a_request_is_not_taken_after_its_analysis_was_resumed(
    table: Table, anna: Person, over: int
) -> None:
    (one,) = await waiting(table)
    table.app.matches.memory.invalidate()
    await anna.types(f"/analyse {over}")
    assert not await analysis_requests.begin(table.app.store, one)
    assert await waiting(table) == []
    await table.settle()
    assert len([notice for _, notice in table.wall.told if notice.picture is not None]) == 1
