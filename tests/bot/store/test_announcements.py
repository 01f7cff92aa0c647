"""Announcements and requested analyses in the database: to whom, how often, until when."""

import pytest

from bot.domain.model import Place
from bot.store import Store, analyses, announcements, boards, personal_data, upkeep
from bot.store.analyses import Requested
from bot.store.announcements import Announcement
from tests.bot.store.test_boards import place, put
from tests.bot.table import Person, Table


@pytest.fixture
async def shown(table: Table, store: Store, anna: Person, ben: Person) -> list[Place]:
    """Return the places of active games: the lounge, two more, one on another platform."""
    match = (await table.loaded(await table.begin(anna, ben))).match
    more = [await place(store, name) for name in ("a", "b")]
    more.append(await place(store, "c", platform="chat"))
    for one in more:
        await boards.add(store, match, one.id, seat=None)
    return [table.lounge, *more]


async def test_a_word_is_said_once_in_each_place_and_the_oldest_first(
    store: Store, shown: list[Place]
) -> None:
    async def waiting(
        platform: str = "web", *, but: tuple[Announcement, ...] = (), limit: int = 9
    ) -> list[tuple[str, int]]:
        found = await announcements.pending(store, platform, but=but, limit=limit)
        return [(one.text, one.place_id) for one in found]

    here, a, b, chat = [one.id for one in shown]
    assert await announcements.add(store, "first", seconds=60) == 4
    # A place in which a match is shown twice hears a word once.
    await put(store, 2, seat=1)
    assert await announcements.add(store, "second", seconds=60) == 4
    assert await waiting("chat") == [("first", chat), ("second", chat)]
    assert await waiting() == [(word, at) for word in ("first", "second") for at in (here, a, b)]
    assert await waiting(limit=2) == [("first", here), ("first", a)]
    but = (Announcement(1, here, "first"), Announcement(1, b, "first"))
    assert await waiting(but=but, limit=2) == [("first", a), ("second", here)]
    one = Announcement(1, a, "first")
    assert await announcements.mark_sent(store, one)
    assert not await announcements.mark_sent(store, one)
    assert await waiting(limit=3) == [("first", here), ("first", b), ("second", here)]
    await announcements.unmark_sent(store, one)
    assert len(await waiting()) == 6
    assert await announcements.mark_sent(store, one)
    assert await waiting(limit=4) == [
        ("first", here),
        ("first", b),
        ("second", here),
        ("second", a),
    ]


async def test_a_word_is_said_until_its_second(
    table: Table, store: Store, shown: list[Place]
) -> None:
    async def waiting() -> list[str]:
        # A purge in between deletes obsolete announcements only.
        await upkeep.purge(store)
        found = await announcements.pending(store, "chat", but=(), limit=9)
        return [one.text for one in found]

    await announcements.add(store, "short", seconds=10)
    await announcements.add(store, "long", seconds=11)
    table.clock.forward(9)
    assert await waiting() == ["short", "long"]
    table.clock.forward(1)
    assert await waiting() == ["long"]


async def waiting(table: Table) -> list[Requested]:
    return await analyses.pending(table.app.store, "web", but=(), limit=9)


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
    assert [await analyses.mark_sent(store, one) for _ in range(2)] == [True, False]
    await personal_data.erase(store, anna.id, name="Former")
    await analyses.unmark_sent(store, one)
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
    assert not await analyses.mark_sent(table.app.store, one)
    assert await waiting(table) == []
    await table.settle()
    assert len([notice for _, notice in table.wall.told if notice.picture is not None]) == 1
