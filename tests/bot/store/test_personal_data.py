"""A person's stored data, and no one else's: shown, counted, deleted."""

import inspect
import json
import re
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Table as SchemaTable
from sqlalchemy import insert, select, update

from bot.domain.actions import Action
from bot.domain.model import UNSURE, PlaceKind
from bot.store import (
    Store,
    blocks,
    boards,
    ephemeral_replies,
    partial_moves,
    people,
    personal_data,
    places,
    rooms,
)
from bot.store.partial_moves import PartialMove
from bot.store.schema import erased_blocks, erased_challenges, metadata, showings, users
from bot.store.sessions import NewSession
from tests.bot.store.sql import add_session, execute, rows
from tests.bot.store.test_boards import place, put
from tests.bot.table import Person, Table

A_DAY = 24 * 3600


async def begin(table: Table, one: Person, other: Person, *, words: str = "othello") -> int:
    """Start a match where the players are, and return its id."""
    await one.types(f"/challenge @{other.name} {words} first")
    match_id = await table.newest(one.place)
    await other.types(f"/accept {match_id}")
    return match_id


@pytest.fixture
async def crowd(table: Table, store: Store) -> list[Person]:
    """Return Anna, Ben and Cleo, who have a row in every table, for each pair of them."""
    yard = await place(store, "yard", platform="chat", community="chat")
    arrived = [await table.arrive(name, platform="chat") for name in ("Anna", "Ben", "Cleo")]
    crowd = [replace(one, place=yard) for one in arrived]
    anna, ben, cleo = crowd
    lounge = table.lounge.id
    for number, (one, other) in enumerate(((anna, ben), (ben, cleo), (cleo, anna))):
        over = await begin(table, one, other)
        await table.plays(over, ("d3,c3", "c4,e3", "f5,d6")[number])
        await one.presses(Action("resign", over, 4, "yes"))
        running = await begin(table, one, other, words="sogo")
        assert running == over + 1
        line = await rooms.add(store, lounge, author_id=one.id, screen={"text": f"of {one.name}"})
        await partial_moves.note(store, one.id, PartialMove(running, 2, ("a1",)))
        await rooms.note_read(store, one.id, lounge, message_id=line)
        await ephemeral_replies.note(store, yard, one.id, f"why not, {one.name}")
        await boards.add(store, (await table.loaded(over)).match, one.direct.id, seat=None)
        # Whom another platform calls by the same name is another one.
        same = await places.get_or_create_place(
            store, "elsewhere", one.identity, kind=PlaceKind.DIRECT, title="same"
        )
        await boards.add(store, (await table.loaded(over)).match, same.id, seat=None)
        await add_session(store, one.id, NewSession(one.name, f"browser of {one.name}"))
        block = {"blocker_id": one.id, "trace": f"b{number}", "at": number}
        kept = {"challenger_id": one.id, "opponent_id": other.id, "at": number}
        await execute(
            store,
            insert(erased_blocks).values(block),
            insert(erased_challenges).values(kept),
            insert(showings).values(user_id=one.id, at=number),
        )
    for one, other in ((anna, ben), (ben, cleo), (cleo, anna)):
        await blocks.add(store, one.id, other.id)
    return crowd


async def exported(store: Store, person: Person) -> dict[str, Any]:
    return await personal_data.export(store, person.id)


async def test_an_export_has_somebodys_own_row_of_every_table_and_no_key(
    table: Table, store: Store, crowd: list[Person]
) -> None:
    anna, ben, _ = crowd
    found = await exported(store, anna)

    def column(table: str, name: str) -> list[Any]:
        return sorted(row[name] for row in found[table])

    assert found["user"]["id"] == anna.id
    assert found["identities"] == [
        {"platform": "chat", "external": anna.identity, "handle": "anna"}
    ]
    assert column("sessions", "label") == ["browser of Anna"]
    # She began the first two; in the last two she was asked.
    assert column("matches", "id") == [1, 2, 5, 6]
    assert column("moves", "notation") == ["d3", "d6"]
    assert column("places", "id") == [anna.direct.id]
    assert [(row["blocker_id"], row["blocked_id"]) for row in found["blocks"]] == [
        (anna.id, ben.id)
    ]
    assert column("blocks of people who were erased", "at") == [0]
    assert column("challenges before being erased", "at") == [0]
    assert column("boards shown in rooms", "at") == [0]
    assert column("results", "match_id") == [1, 5]
    assert [row["screen"]["text"] for row in found["messages"]] == ["of Anna"]
    assert column("readings", "user_id") == [anna.id]
    assert column("answers to be taken away", "message") == ["why not, Anna"]
    keys = {
        name for rows in found.values() if isinstance(rows, list) for row in rows for name in row
    }
    assert ben.name not in json.dumps(found)
    assert not keys & {"token_hash", "code", "trace", "asked_by_stranger"}
    # What was set up for a match that is on may be what she must not know yet.
    assert [row["id"] for row in found["matches"] if row["setup"] is not None] == [1, 5]
    await anna.presses(Action("resign", 2, 2, "yes"))
    for author in (None, anna.id, anna.id):
        await rooms.add(store, anna.direct.id, author_id=author, screen={"text": "more"})
    assert await personal_data.belongings(store, anna.id) == (0, 1, 3, 3)


async def test_forgetting_somebody_leaves_what_is_anybody_elses(
    table: Table, store: Store, crowd: list[Person]
) -> None:
    anna, ben, cleo = crowd
    for number in range(1, 13):
        await put(store, number, message=f"m{number}", shown=9)
    before = await exported(store, ben)
    await personal_data.erase(store, anna.id, name="#1")
    after = await exported(store, ben)
    # His rows are unchanged, except what they say about games with her.
    assert json.dumps(after, default=str) == json.dumps(before, default=str)
    assert [row["blocked_id"] for row in after["blocks"]] == [cleo.id]
    assert (await exported(store, cleo))["blocks"] == []
    gone = await exported(store, anna)
    empty = {name for name, rows in gone.items() if rows == []}
    assert empty >= {"identities", "sessions", "places", "blocks", "messages", "readings"}
    assert empty >= {"beginnings", "answers to be taken away"}
    assert empty >= {"blocks of people who were erased", "challenges before being erased"}
    shown = [one for number in range(1, 7) for one in await boards.of_match(store, number)]
    # The board in her private chat is gone, and all boards with her name are edited.
    assert anna.direct.id not in {one.place_id for one in shown}
    assert {one.match_id for one in shown if one.shown < 0} == {1, 2, 5, 6}
    assert {one.match_id for one in shown if one.shown == 9} == {3, 4}
    assert len(shown) == 3 * 4 - 1
    assert (await places.place(store, anna.direct.id)).title == ""
    assert (await places.place(store, ben.direct.id)).external == ben.identity
    same = await places.place_called(store, "elsewhere", anna.identity)
    assert same is not None
    assert same.title == "same"


async def test_what_is_to_go_with_somebody_is_told_with_its_places(
    table: Table, store: Store, crowd: list[Person]
) -> None:
    anna = crowd[0]
    (hers,) = await boards.of_match(store, 1, place_id=anna.direct.id)
    for match in range(1, 7):
        for one in await boards.of_match(store, match):
            await put(store, one.id, message=f"m{one.id}")
    await put(store, hers.id, former="b", notice="n", former_notice="f")
    # And what goes with her next answer, wherever that is.
    passes = anna.place, "why not, Anna"
    found = await personal_data.messages_to_go(store, anna.id)
    assert {(place.id, message) for place, message in found} == {
        (passes[0].id, passes[1]),
        *((anna.direct.id, message) for message in (f"m{hers.id}", "b", "n", "f")),
    }
    await put(store, hers.id, message=UNSURE, former=None, notice="-n", former_notice=None)
    assert await personal_data.messages_to_go(store, anna.id) == [passes]


# People who never came back


async def here_last(store: Store, times: dict[int, int], **values: int) -> None:
    for user_id, idle_since in times.items():
        changed = update(users).where(users.c.id == user_id)
        await execute(store, changed.values(idle_since=idle_since, **values))


async def test_whoever_has_done_nothing_for_long_is_forgotten_the_longest_away_first(
    table: Table, store: Store
) -> None:
    names = ("Anna", "Ben", "Cleo", "Dora", "Eve", "Finn", "Gus", "Hal")
    anna, ben, cleo, dora, eve, finn, gus, hal = [await table.arrive(name) for name in names]
    long_ago = store.now() - 100 * A_DAY
    await table.begin(anna, ben)
    await cleo.types("/challenge @Dora othello")
    await hal.types("/challenge sogo")
    await hal.presses(Action("withdraw", await table.newest(), 1))
    waits = {one.id: long_ago - 999 for one in (anna, ben, cleo, dora)}
    seconds = ((eve, 3), (finn, 2), (gus, 1), (hal, 4))
    away = {one.id: long_ago + second for one, second in seconds}
    await here_last(store, waits | away, created=long_ago - 999)
    before = long_ago + 4
    assert await personal_data.idlers(store, before=before, limit=9) == [gus.id, finn.id, eve.id]
    assert await personal_data.idlers(store, before=before, limit=2) == [gus.id, finn.id]
    assert await personal_data.idlers(store, before=before + 1, limit=1) == [gus.id]

    async def forgotten(person: Person) -> bool:
        return await personal_data.forget_idler(store, person.id, before=before + 1, name="gone")

    assert [await forgotten(one) for one in (anna, dora, gus, gus, hal)] == [
        *(False, False, True, False, True)
    ]
    assert await people.by_handle(store, "web", "dora") is not None
    left = {row.id: row.name for row in await rows(store, select(users))}
    # His request is still stored under his account.
    rest = {one.id: one.name for one in (anna, ben, cleo, dora, eve, finn)}
    assert left == {**rest, hal.id: "gone"}


def test_every_table_that_names_people_is_known_to_who_exports_and_forgets() -> None:
    naming = {
        table.name
        for table in metadata.sorted_tables
        if any(key.column.table is users for key in table.foreign_keys)
    }
    known = {one.name for one in vars(personal_data).values() if isinstance(one, SchemaTable)}
    assert naming <= known.union(re.findall(r"schema\.(\w+)", inspect.getsource(personal_data)))
