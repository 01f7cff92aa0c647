"""Places: found by their platform's names, each changed on its own."""

import asyncio
from functools import partial
from typing import Any

import pytest
from sqlalchemy import insert, select

from bot.domain.errors import Refused
from bot.domain.model import PARENT, Place, PlaceKind, Status
from bot.store import Store, personal_data, places, rooms
from bot.store.schema import announcement_places, announcements, boards, matches, results
from tests.bot.store.sql import execute, rows
from tests.bot.store.test_match_queries import put
from tests.bot.table import Person, Table


async def place(
    store: Store,
    name: str,
    *,
    platform: str = "chat",
    title: str = "Garden",
    community: str | None = None,
    parent: str | None = None,
    kind: PlaceKind = PlaceKind.CHANNEL,
    **settings: str,
) -> Place:
    found = await places.get_or_create_place(
        store, platform, name, kind=kind, title=title, community=community
    )
    if parent is not None:
        settings[PARENT] = parent
    return await places.change_place(store, found.id, settings=settings) if settings else found


async def test_a_place_has_the_title_and_community_that_it_was_said_to_have_last(
    store: Store,
) -> None:
    others = [await place(store, "1", platform="web"), await place(store, "2")]
    first = await place(store, "1", language="de")
    assert (first.community, first.kind, first.settings) == (
        None,
        PlaceKind.CHANNEL,
        {"language": "de"},
    )
    for title, said, community in (
        ("Garden", "us", "us"),
        ("Garden", None, "us"),
        ("Yard", None, "us"),
        ("Yard", "them", "them"),
        ("Garden", "us", "us"),
    ):
        found = await place(store, "1", title=title, community=said)
        assert (found.id, found.title, found.community) == (first.id, title, community)
        assert found == await places.place(store, first.id)
        assert found == await places.place_called(store, "chat", "1")
    assert [await places.place(store, other.id) for other in others] == others
    assert await places.place_called(store, "web", "2") is None


async def test_no_place_is_made_for_somebody_who_was_erased_but_theirs_is_there(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    async def asked(name: str, by: Person) -> Place:
        return await places.get_or_create_place(
            store, "web", name, kind=PlaceKind.DIRECT, title="x", asked_by=by.id
        )

    there = await asked("there", ben)
    await personal_data.erase(store, anna.id, name="#1")
    with pytest.raises(Refused, match="forgotten"):
        await asked("new", anna)
    assert await places.place_called(store, "web", "new") is None
    assert await asked("there", anna) == there
    assert (await asked("new", ben)).kind is PlaceKind.DIRECT


async def test_a_thread_has_a_group_around_it_and_what_a_group_is_given_its_threads_have_too(
    store: Store,
) -> None:
    group = await place(store, "1", community="us")
    inside = [await place(store, f"1/{n}", community="us", parent="1") for n in range(2)]
    own = await place(store, "1/8", community="us", parent="1", theme="light")
    other = await place(store, "2/1", community="us", parent="2")
    await place(store, "1/9", community="them", parent="1")
    await place(store, "1/0", platform="far", community="us", parent="1")
    assert [await places.around(store, one) for one in inside] == [group, group]
    assert await places.around(store, other) is None
    assert await places.around(store, group) is None
    given, look = {"theme": "dark", "clock": "3d"}, ["theme", "language"]
    changed = await places.change_with_threads(store, group.id, settings=given, look=look)
    assert [one.id for one in changed] == [group.id, *(one.id for one in inside)]
    assert [await places.place(store, one.id) for one in changed] == changed
    assert [one.settings.get("clock") for one in changed] == ["3d", None, None]
    assert {one.settings["theme"] for one in changed} == {"dark"}
    assert await places.place(store, own.id) == own
    changed = await places.change_with_threads(store, other.id, settings=given, look=look)
    assert [one.id for one in changed] == [other.id]


async def test_what_is_noted_once_is_noted_in_one_place_and_takes_nothing_away(
    store: Store,
) -> None:
    here, other = await place(store, "1", language="de"), await place(store, "2")
    assert await places.note_once(store, here.id, "told")
    assert not await places.note_once(store, here.id, "told")
    assert (await places.place(store, here.id)).settings == {"language": "de", "told": "yes"}
    assert (await places.place(store, other.id)).settings == {}
    # What was taken back is news again.
    await places.change_place(store, here.id, settings={"told": ""})
    assert await places.note_once(store, here.id, "told")
    assert await places.note_once(store, other.id, "told")


async def test_it_is_counted_how_many_matches_run_in_each_channel(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    far, near = await place(store, "2"), await place(store, "1")
    for where, status, times in (
        (table.lounge, Status.RUNNING, 2),
        (far, Status.RUNNING, 1),
        (near, Status.OVER, 1),
        (anna.direct, Status.RUNNING, 3),
    ):
        for _ in range(times):
            await put(store, where, status, anna.id, ben.id)
    await put(store, near, Status.PROPOSED, challenger_id=anna.id)
    assert await places.played_in(store) == [(near, 0), (far, 1), (table.lounge, 2)]


async def test_two_places_that_are_one_now_have_in_common_what_each_had_and_no_other_loses_anything(
    table: Table, store: Store, anna: Person, ben: Person
) -> None:
    old = await place(store, "old", community="old", theme="dark", language="de")
    new = await place(store, "new", community="new", language="en")
    third, twin = await place(store, "3", community="3"), await place(store, "old", platform="far")
    topic = await place(store, "old/1", community="old", parent="old")
    users = anna.id, ben.id
    both = await put(store, old, Status.RUNNING, *users, shown=(old, new))
    one = await put(store, old, Status.RUNNING, *users, shown=(old, third))
    other = await put(store, third, Status.RUNNING, *users, shown=(third, twin))
    for where in (old, new, third):
        await rooms.add(store, where.id, author_id=None, screen={"text": where.external})
    changed = boards.update().values(
        message="m", former="f", notice="n", former_notice="o", wanted=7, shown=7
    )
    await execute(store, changed)
    for where, match in ((old, both), (third, other)):
        result = {"match_id": match, "seat": 0, "user_id": anna.id, "game": "othello", "at": 1}
        counts = {"solo": False, "half_points": 2, "score": 0, "place_id": where.id}
        await execute(store, insert(results).values(**result, **counts))
    for number, where_to in ((1, (old, new, third)), (2, (old, third)), (3, (third,))):
        said = {"id": number, "text": "x", "until": 2**31 - 1}
        await execute(store, insert(announcements).values(**said))
        for where in where_to:
            waits = {"announcement_id": number, "place_id": where.id, "platform": "chat"}
            # Which of two stays can be told by this.
            begun = where == new
            await execute(store, insert(announcement_places).values(**waits, begun=begun))

    assert await places.move_place(store, "chat", "nothing", "new") is None
    assert await places.move_place(store, "chat", "old", "new") == new.id

    async def every(*columns: Any) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in await rows(store, select(*columns).order_by(*columns))]

    assert await places.place_called(store, "chat", "old") is None
    moved = await places.place(store, new.id)
    assert moved.settings == {"theme": "dark", "language": "en"}
    assert (moved.external, moved.community) == ("new", "new")
    assert (await places.place(store, topic.id)).community == "new"
    assert [await places.place(store, it.id) for it in (third, twin)] == [third, twin]
    in_new, in_third = new.id, third.id
    assert await every(matches.c.id, matches.c.place_id) == [
        (both, in_new),
        (one, in_new),
        (other, in_third),
    ]
    kept = ("m", "f", "n", "o")
    about = (boards.c.message, boards.c.former, boards.c.notice, boards.c.former_notice)
    assert await every(boards.c.match_id, boards.c.place_id, *about) == [
        (both, in_new, *kept),
        (one, in_new, None, None, None, None),
        (one, in_third, *kept),
        (other, in_third, *kept),
        (other, twin.id, *kept),
    ]
    shown = {
        row[:2]: row[2] for row in await every(boards.c.match_id, boards.c.place_id, boards.c.shown)
    }
    assert shown.pop((one, in_new)) < 0
    assert set(shown.values()) == {7}
    assert await every(results.c.match_id, results.c.place_id) == [
        (both, in_new),
        (other, in_third),
    ]
    said_in = announcement_places.c
    assert await every(said_in.announcement_id, said_in.place_id, said_in.begun) == [
        (1, in_new, True),
        (1, in_third, False),
        (2, in_new, False),
        (2, in_third, False),
        (3, in_third, False),
    ]
    told = [
        [message.screen for message in await rooms.older(store, where, before=99, limit=9)]
        for where in (in_new, in_third)
    ]
    assert told == [[{"text": "old"}, {"text": "new"}], [{"text": "3"}]]


async def test_a_place_that_is_entered_by_many_at_once_is_one_place(store: Store) -> None:
    lounge = partial(
        places.get_or_create_place, store, "web", "lounge", kind=PlaceKind.CHANNEL, title="#lounge"
    )
    assert len({place.id for place in await asyncio.gather(*(lounge() for _ in range(10)))}) == 1
