"""Threads of matches: opened if wanted, closed after the last message."""

import pytest

from bot.delivery import ClosedError
from bot.domain.actions import Action
from bot.domain.model import THREAD_CLOSED, Place
from bot.loops.analyst import Analyst
from bot.store import boards, places
from bot.support.platforms import Medium
from tests.bot.table import Person, Table


@pytest.fixture(autouse=True)
async def threads(table: Table) -> None:
    """Let the lounge have a thread for each match."""
    table.wall.medium = Medium(opens_threads=True)
    await places.change_place(table.app.store, table.lounge.id, settings={"threads": "on"})


async def thread(table: Table, number: int = 1) -> Place:
    found = await places.place_called(table.app.store, "web", f"thread{number}")
    assert found is not None
    return found


async def resign(match: int, who: Person, *, place: Place | None = None) -> None:
    await who.presses(Action("resign", match, 2, "yes"), place=place)


async def test_a_thread_is_closed_after_the_last_message_of_its_match(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben)
    await table.settle()
    assert table.wall.closed_threads == []
    await resign(match, anna)
    await table.settle()
    (closed,) = set(table.wall.closed_threads)
    assert closed == ("thread1", len(table.wall.shown), len(table.wall.told))
    assert [place for place, _ in table.wall.told][-1] == (await thread(table)).id


async def test_a_thread_is_closed_again_after_an_analysis_was_posted_in_it(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben)
    await table.settle()
    await table.given_up(match, anna)
    await table.settle()
    await anna.types(f"/analyse {match}", place=await thread(table))
    await Analyst(table.app).once()
    (courier,) = table.reconciler._couriers
    await courier.once()
    told = len(table.wall.told)
    await table.settle()
    # The message does not wait for that.
    for mailer in table.reconciler._mailers:
        await mailer._tasks.close(seconds=60)
    assert table.wall.closed_threads[-1] == ("thread1", len(table.wall.shown), told + 1)


async def test_a_thread_in_which_another_match_has_begun_is_closed_after_that(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben)
    await table.settle()
    await resign(match, anna)
    await anna.types("/rematch", place=await thread(table))
    await table.settle()
    assert table.wall.closed_threads == []
    await ben.types("/decline")
    await table.settle()
    assert {external for external, *_ in table.wall.closed_threads} == {"thread1"}


async def test_a_thread_that_people_have_opened_is_left_open(
    table: Table, anna: Person, ben: Person
) -> None:
    own = await table.channel("people")
    await places.change_place(table.app.store, own.id, settings={"parent": "lounge"})
    await anna.types("/othello @Ben first", place=own)
    await ben.types("/accept", place=own)
    await resign(await table.newest(own), anna, place=own)
    await table.settle()
    assert table.wall.closed_threads == []


async def test_a_thread_that_a_crash_left_open_is_found_on_its_platform(
    table: Table, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben)
    await table.settle()
    await resign(match, anna)
    await table.settle()
    store, closed = table.app.store, await thread(table)
    await places.change_place(store, closed.id, settings={THREAD_CLOSED: ""})
    found = [await boards.threads_to_close(store, platform) for platform in ("web", "chat")]
    assert found == [[closed.id], []]


async def test_a_thread_that_cannot_be_closed_fails_no_match(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await table.begin(anna, ben)
    await table.settle()
    tried = []

    async def refuses(place: Place) -> None:
        tried.append(place.external)
        raise ClosedError("no such right")

    monkeypatch.setattr(table.wall, "close_thread", refuses)
    await resign(match, anna)
    assert await table.settle() == 0
    assert set(tried) == {"thread1"}
    # Nor does anybody try it for ever.
    assert await boards.threads_to_close(table.app.store, "web") == []
    assert {post.version for post in table.wall.of(match)} == {3}
