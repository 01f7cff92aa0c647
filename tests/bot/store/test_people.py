"""People: stored, found, exported, deleted."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.marks import mark
from bot.store import Store, people, personal_data, places, rooms
from bot.store.people import HandleTakenError, Reachable
from bot.store.schema import users
from bot.store.sessions import NewSession
from tests.bot.store.sql import rows
from tests.bot.store.test_places import place
from tests.bot.table import Person, Table, file_of, said
from tests.optional import not_none

# Meeting


async def test_a_new_name_is_taken_over(store: Store) -> None:
    first = await people.get_or_create_user(store, "web", "1", name="Anna", handle="anna")
    await people.change_user(store, first.id, language="de", settings={"theme": "dark"})
    renamed = await people.get_or_create_user(store, "web", "1", name="Annette", handle="annette")
    assert (renamed.id, renamed.name) == (first.id, "Annette")
    assert (renamed.language, renamed.settings) == ("de", {"theme": "dark"})
    assert await people.by_handle(store, "web", "anna") is None
    assert await people.by_handle(store, "web", "ANNETTE") == renamed


async def test_a_handle_belongs_to_one_person(store: Store) -> None:
    await people.get_or_create_user(store, "web", "1", name="Anna", handle="anna")
    with pytest.raises(HandleTakenError):
        await people.get_or_create_user(store, "web", "2", name="anna", handle="anna")
    assert await people.by_identity(store, "web", "2") is None
    other = await people.get_or_create_user(store, "web", "2", name="Ben", handle="ben")
    with pytest.raises(HandleTakenError):
        await people.get_or_create_user(store, "web", "2", name="Anna", handle="anna")
    assert await people.by_identity(store, "web", "2") == other
    # Other platforms, and those without handles, do not matter.
    await people.get_or_create_user(store, "elsewhere", "2", name="Anna", handle="anna")
    await people.get_or_create_user(store, "web", "3", name="Anna")
    await people.get_or_create_user(store, "web", "4", name="Anna")


async def test_a_handle_for_which_the_platform_vouches_changes_hands(store: Store) -> None:
    first = await people.get_or_create_user(store, "web", "1", name="Anna", handle="anna")
    ben = await people.get_or_create_user(store, "web", "3", name="Ben", handle="ben")
    twin = await people.get_or_create_user(store, "chat", "1", name="Anna", handle="anna")
    second = await people.get_or_create_user(
        store, "web", "2", name="Eve", handle="anna", vouched=True
    )
    assert await people.by_handle(store, "web", "anna") == second
    assert await people.by_identity(store, "web", "1") == first
    # Other handles stay, and so does this one on other platforms.
    assert await people.by_handle(store, "web", "ben") == ben
    assert await people.by_handle(store, "chat", "anna") == twin
    for _ in range(2):
        await people.get_or_create_user(store, "web", "2", name="E", handle="anna", vouched=True)
    assert await people.by_handle(store, "web", "anna") is not None
    # Without that, the handle stays with its owner.
    with pytest.raises(HandleTakenError):
        await people.get_or_create_user(store, "web", "1", name="Anna", handle="anna")


async def test_of_two_who_want_one_handle_at_once_one_gets_it(store: Store) -> None:
    met = await asyncio.gather(
        *(
            people.get_or_create_user(store, "web", str(n), name="Anna", handle="anna")
            for n in range(5)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(result, HandleTakenError) for result in met) == 4


async def test_a_new_name_is_that_of_one_person_on_one_platform(store: Store) -> None:
    async def met(platform: str, external: str, name: str, handle: str) -> int:
        found = await people.get_or_create_user(
            store, platform, external, name=name, handle=handle, skeleton=f"{name} seen"
        )
        return found.id

    anna, ben = await met("web", "1", "Anna", "anna"), await met("web", "2", "Ben", "ben")
    twin = await met("chat", "1", "Cleo", "cleo")
    assert await met("web", "1", "Annette", "annette") == anna
    for platform, external, name, user_id in (
        ("web", "1", "Annette", anna),
        ("web", "2", "Ben", ben),
        ("chat", "1", "Cleo", twin),
    ):
        found = not_none(await people.introduced(store, platform, external))
        assert (found[0].id, found[0].name) == (user_id, name)
        assert found[1] == name.casefold()
        assert await people.taken(store, platform, [f"{name} seen"]) >= {f"{name} seen"}
    assert await people.introduced(store, "chat", "2") is None
    # People who must exist are not created.
    with pytest.raises(LookupError):
        await people.get_or_create_user(store, "chat", "2", name="Dora", only_known=True)
    assert await people.by_identity(store, "chat", "2") is None


async def test_whether_a_name_is_taken_is_asked_of_one_platform(store: Store) -> None:
    for platform, external, name, seen, read in (
        ("web", "1", "Anna", "arma", "arrna"),
        ("web", "2", "Zoe_", "zoe_", "zoe"),
        ("chat", "1", "Anton", "anton", None),
    ):
        await people.get_or_create_user(
            store,
            platform,
            external,
            name=name,
            handle=name.casefold(),
            skeleton=seen,
            letters=read,
        )
    for key in ("anna", "arma", "arrna"):
        assert await people.taken(store, "web", [key, "x"]) == {"anna", "arma", "arrna"}
    assert await people.taken(store, "web", ["x", "anton", "zo%"]) == set()
    assert await people.taken(store, "chat", ["anton"]) == {"anton"}
    with pytest.raises(people.HandleTakenError):
        await people.get_or_create_user(store, "web", "3", name="Zoe2", letters="zoe")
    # As their owners write them, unless they are called something else.
    await people.get_or_create_user(store, "web", "6", name="Call me Al", handle="anders")
    assert await people.handles(store, "web", "AN", limit=9) == ["anders", "Anna"]
    assert await people.handles(store, "web", "an", limit=1) == ["anders"]
    assert await people.handles(store, "web", "zoe_", limit=9) == ["Zoe_"]
    assert await people.handles(store, "chat", "", limit=9) == ["Anton"]


async def test_somebody_is_told_where_they_have_an_identity_and_was_active_by_the_minute(
    table: Table, anna: Person, ben: Person
) -> None:
    store, asked = table.app.store, [anna.id, ben.id]
    twin = await people.get_or_create_user(store, "chat", anna.identity, name="Dora")
    await people.get_or_create_user(store, "web", "elsewhere", name="Eve")
    await people.change_user(store, anna.id, settings={"theme": "dark"})
    await people.change_user(store, ben.id, language="de")
    # What is not given stays.
    assert (await people.change_user(store, ben.id, settings={"theme": "light"})).language == "de"
    assert dict((await anna.user()).settings) == {"theme": "dark"}
    await people.mark_active(store, anna.id, table.lounge.id)
    minute = int(table.clock.now) // 60 * 60
    assert 0 < table.clock.now - minute < 60
    assert await people.reachable(store, "web", [*asked, twin.id, 99]) == {
        anna.id: Reachable(anna.identity, {"theme": "dark"}, minute, table.lounge.id),
        ben.id: Reachable(ben.identity, {"theme": "light"}, None, None),
    }
    assert await people.reachable(store, "chat", [*asked, twin.id]) == {
        twin.id: Reachable(anna.identity, {}, None, None)
    }
    assert await people.reachable(store, "web", [ben.id]) != {}
    assert await people.names(store, [anna.id, twin.id]) == {anna.id: "Anna", twin.id: "Dora"}


async def test_who_was_erased_does_nothing_any_more(
    table: Table, anna: Person, ben: Person
) -> None:
    store = table.app.store
    await personal_data.erase(store, anna.id, name="#1")
    await people.mark_active(store, anna.id, table.lounge.id)
    of_anna = select(users.c.active, users.c.active_in).where(users.c.id == anna.id)
    (found,) = await rows(store, of_anna)
    assert tuple(found) == (None, None)
    with pytest.raises(Refused):
        await people.change_user(store, anna.id, language="de")


async def test_that_somebody_is_here_is_noted_of_those_who_were_away_for_a_day(
    store: Store,
) -> None:
    async def met(external: str, idle_since: int | None) -> int:
        found = await people.get_or_create_user(
            store, "web", external, name=external, idle_since=idle_since
        )
        return found.id

    async def idle() -> list[int | None]:
        query = select(users.c.idle_since).order_by(users.c.id)
        return [since for (since,) in await rows(store, query)]

    day = 24 * 3600
    who = [await met("1", 100), await met("2", 101), await met("3", None)]
    await met("4", 100)
    await people.were_here(store, who, now=100 + day)
    assert await idle() == [100, 101, None, 100]
    await people.were_here(store, who, now=101 + day)
    assert await idle() == [101 + day, 101, None, 100]
    await people.were_here(store, [], now=900 + day)
    assert await idle() == [101 + day, 101, None, 100]


# Exports


def raw(path: Path) -> str:
    """Dump the database as text."""
    with closing(sqlite3.connect(path)) as connection:
        return "\n".join(connection.iterdump())


async def test_an_export_says_what_chats_call_somebody_and_holds_no_key(
    table: Table, anna: Person
) -> None:
    store = table.app.store
    await people.get_or_create_user(store, "discord", "4711", name="Dora")
    dora = not_none(await people.by_identity(store, "discord", "4711"))
    found = await personal_data.export(store, dora.id)
    assert found["identities"] == [{"platform": "discord", "external": "4711", "handle": None}]
    secret = NewSession("f" * 64, "Firefox, Linux")
    eve = await people.get_or_create_user(store, "web", "room of Eve", name="Eve", session=secret)
    found = await personal_data.export(store, eve.id)
    assert [session["label"] for session in found["sessions"]] == ["Firefox, Linux"]
    for key in ("f" * 64, "room of Eve", anna.identity):
        assert key not in json.dumps(found)


# Forgetting


@pytest.mark.sqlite
async def test_of_somebody_forgotten_nothing_is_left_but_the_opponents_records(
    table: Table, anna: Person, ben: Person, cleo: Person
) -> None:
    store, lounge = table.app.store, table.lounge
    over = await table.begin(anna, ben, moves="d3,c3")
    await ben.presses(Action("resign", over, 4, "yes"))
    await table.begin(ben, anna)
    await anna.types("/othello @Cleo")
    await cleo.types("/morris @Anna")
    await anna.types("/settings theme dark")
    await anna.types("/language de")
    await rooms.add(store, lounge.id, author_id=anna.id, screen={"text": "Hello from Anna"})
    await rooms.add(store, lounge.id, author_id=ben.id, screen={"text": "Hello to you"})
    await rooms.add(store, lounge.id, author_id=None, screen={"text": f"1. {mark(anna.id)}: 9"})
    await rooms.add(store, lounge.id, author_id=None, screen={"text": "1. Ben: 100 %"})
    await rooms.add(store, anna.direct.id, author_id=None, screen={"text": "To her alone"})
    await table.settle()
    await personal_data.erase(store, anna.id, name=f"#{anna.id}")
    await table.app.close()
    left = raw(file_of(table.settings))
    for trace in ("Anna", "anna", anna.identity, "dark", "To her alone"):
        assert trace not in left, trace
    assert "Hello to you" in left
    assert "1. Ben: 100 %" in left
    await table.restart()
    record = ben.says("stats-versus", game="Othello", wins=0, draws=0, losses=1, rate=0)
    assert said(await ben.types("/stats")).startswith(record)
    assert said(await ben.types("/moves 1")).splitlines()[1].split() == ["1.", "d3", "c3"]
    assert ben.says("name-erased") in (await table.screen(1, ben)).title


async def test_pages_are_told_what_is_gone_and_what_reads_differently_now(
    table: Table, anna: Person, ben: Person
) -> None:
    store, lounge = table.app.store, table.lounge.id
    hers = await rooms.add(store, lounge, author_id=anna.id, screen={"text": "mine"})
    await rooms.add(store, lounge, author_id=ben.id, screen={"text": "his"})
    text = f"1. {mark(anna.id)}: 9"
    answer = await rooms.add(store, lounge, author_id=None, screen={"text": text})
    # Forgotten people are not in these rooms, so pages need not reload them.
    await rooms.add(store, lounge, author_id=None, screen={"text": f"1. {mark(ben.id)}: 9"})
    await rooms.add(store, lounge, author_id=ben.id, screen={"text": text})
    newest = await rooms.newest(store)
    await personal_data.erase(store, anna.id, name="#1")
    told = await rooms.changed(store, lounge, since=newest, limit=9)
    assert [(message.id, message.gone, message.screen) for message in told] == [
        (hers, True, None),
        (answer, False, {"text": text}),
    ]
    assert told[0].author is None
    assert await rooms.newest(store) == newest + 2
    later = await rooms.add(store, lounge, author_id=ben.id, screen={"text": "later"})
    assert later > answer
    assert await rooms.newest(store) == newest + 3


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 3, 7])
async def test_however_much_somebody_wrote_all_of_it_is_handed_over_and_goes(
    table: Table, anna: Person, monkeypatch: pytest.MonkeyPatch, *, number: int
) -> None:
    store, lounge = table.app.store, table.lounge.id
    monkeypatch.setattr(personal_data, "_AT_ONCE", 3)
    lines = [
        await rooms.add(store, lounge, author_id=anna.id, screen={"text": f"{line}"})
        for line in range(number)
    ]
    found = await personal_data.export(store, anna.id)
    assert [message["id"] for message in found["messages"]] == lines
    assert (await personal_data.belongings(store, anna.id)) == (0, 0, 0, number)
    await personal_data.erase(store, anna.id, name="#1")
    told = await rooms.news(store, "web", since=number, limit=99)
    assert [(message.id, message.stamp) for message in told] == [
        (line, number + place) for place, line in enumerate(lines, 1)
    ]
    assert all(message.gone and message.screen is None for message in told)


# Places


async def test_the_topics_of_a_group_with_a_new_name_belong_to_it_and_no_others(
    store: Store,
) -> None:
    group, one, far, other = [
        await place(store, name, platform=platform, community=community)
        for platform, name, community in (
            ("web", "old", "old"),
            ("web", "old/1", "old"),
            ("chat", "old/1", "old"),
            ("web", "x/1", "x"),
        )
    ]
    assert await places.move_place(store, "web", "old", "new") == group.id
    moved = [await places.place(store, place.id) for place in (group, one, far, other)]
    assert [place.community for place in moved] == ["new", "new", "old", "x"]
    assert [place.external for place in moved] == ["new", "old/1", "old/1", "x/1"]


# Settings


async def test_two_processes_that_change_settings_at_once_lose_none(
    store: Store, other: Store, anna: Person
) -> None:
    keys = [f"key{number}" for number in range(12)]
    await asyncio.gather(
        *(
            change
            for number, key in enumerate(keys)
            for one in [(store, other)[number % 2]]
            for change in (
                people.change_user(one, anna.id, settings={key: "1"}),
                places.change_place(one, anna.place.id, settings={key: "1"}),
            )
        ),
        people.change_user(store, anna.id, language="de"),
        people.change_user(other, anna.id, settings={"theme": "dark"}),
    )
    user = await anna.user()
    assert (user.language, user.settings) == ("de", {"theme": "dark", **dict.fromkeys(keys, "1")})
    place = await places.place(store, anna.place.id)
    assert dict(place.settings) == dict.fromkeys(keys, "1")
