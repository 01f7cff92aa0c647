"""Concurrent writers on PostgreSQL: who waits for whom, and for what."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection, Executable, delete, text, update

from bot.domain.errors import Refused
from bot.domain.model import PARENT, PlaceKind
from bot.matches import policies
from bot.store import Store, boards, key_values, leases, personal_data, sessions, times, tombstones
from bot.store.database.changes import BOARDS
from bot.store.database.dialect import advisory_lock, fill, lock_users
from bot.store.database.engine import writes
from bot.store.leases import Lease
from bot.store.places import change_place, get_or_create_place
from bot.store.places import place as place_of
from bot.store.schema import key_values as memos
from bot.store.schema import places, session_codes
from bot.store.sessions import NewSession
from bot.support.platforms import WEB
from tests.bot.store.sql import add_session, value
from tests.bot.store.test_boards import claimed, freed, put, shown_in
from tests.bot.table import Person, Table
from tests.bot.transactions import writing

pytestmark = pytest.mark.postgres

_WAITING = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND wait_event_type = 'Lock'"
)
Doing = Coroutine[Any, Any, Any]


def _executing(statement: Executable | str) -> Callable[[Connection], int]:
    """Return a step that returns the number of rows."""
    query = text(statement) if isinstance(statement, str) else statement
    return lambda connection: connection.execute(query).rowcount


async def begun(store: Store, doing: Doing) -> asyncio.Task[Any]:
    """Start a task and return it when it is done or waits for a lock."""
    task = asyncio.create_task(doing)
    while not task.done():
        if await value(store, _WAITING):
            break
    return task


async def test_what_concerns_many_waits_until_nobody_writes(
    table: Table, store: Store, other: Store, anna: Person, ben: Person
) -> None:
    match = (await table.loaded(await table.begin(anna, ben))).match
    idler = await table.arrive("Ida", platform="chat")
    alone: list[Callable[[], Doing]] = [
        lambda: leases.release_all(store),
        lambda: boards.record_message(store, match.id, table.lounge, "m1"),
        lambda: boards.drop_in(store, "web", "nobody's"),
        lambda: tombstones.unblock(store, anna.id, "chat", idler.identity),
        lambda: personal_data.forget_idler(store, idler.id, before=2**31, name="#3"),
        lambda: personal_data.erase(store, ben.id, name="#2"),
    ]
    for doing in alone:
        async with writing(other):
            # Plain writers do not wait for each other.
            await key_values.remember(store, WEB, "key", "value")
            task = await begun(other, doing())
            assert not task.done()
        await task


async def test_whoever_changes_several_boards_locks_them_in_the_order_of_their_ids(
    table: Table, store: Store, other: Store, anna: Person, ben: Person
) -> None:
    """Else two who change the same ones might wait for each other."""
    match = (await table.loaded(await table.begin(anna, ben))).match
    places = await shown_in(store, match, "a", "b", "c")
    await boards.drop(store, [2, 3, 4])
    # However the server goes through them, by their places or as they lie, the first comes last.
    for place in reversed(places):
        await boards.add(store, match, place.id, seat=None)
    another = (await table.loaded(await table.begin(anna, ben, words="sogo"))).match
    await boards.add(store, another, places[2].id, seat=None)
    assert [one.id for one in await boards.of_match(store, match.id)] == [1, 5, 6, 7]
    last = (await boards.of_match(store, match.id))[-1]
    await put(store, message="m", shown=1, lease_holder="mine", lease_until=2**31 - 1)
    lease = Lease("mine", frozenset({"web"}), store.now(), store.now() + 60)

    @writes(BOARDS)
    def marked(connection: Connection, news: int, lease: Lease | None) -> None:
        leases.mark_behind(connection, replace(match, version=9, news=news), lease)

    doings: list[Callable[[], Doing]] = [
        lambda: marked(store, 9, None),
        lambda: marked(store, 1, lease),
        lambda: boards.show_in(store, places[2].id),
        lambda: boards.show_beside(store, table.lounge.id),
        lambda: leases.release(store, ["mine"]),
        lambda: leases.hand_over(store, last, [5, 6]),
        lambda: boards.drop(store, [7, 6, 5]),
    ]
    for number, doing in enumerate(doings):
        await put(store, 7, notified=1)
        await put(store, 5, notified=1)
        async with writing(other) as held:
            await held.run(_executing("SELECT FROM boards WHERE id = 5 FOR UPDATE"))
            task = await begun(other, doing())
            assert not task.done(), number
            free = "SELECT id FROM boards WHERE id > 5 FOR UPDATE SKIP LOCKED"
            assert await held.run(_executing(free)) == 4, number
        await task


async def test_a_board_that_somebody_is_about_to_take_is_theirs(
    table: Table, store: Store, other: Store, anna: Person, ben: Person
) -> None:
    match = (await table.loaded(await table.begin(anna, ben))).match
    await shown_in(store, match, "a", "b")
    await freed(store)
    lease = Lease("mine", frozenset({"web"}), store.now(), store.now() + 60)
    async with writing(other) as held:
        await held.run(_executing("SELECT FROM boards WHERE id = 2 FOR UPDATE"))
        task = await begun(other, claimed(store, lease))
        assert task.done()
    assert await task == [1, 3]


async def test_what_is_counted_for_somebody_is_written_by_one_at_a_time(
    store: Store, other: Store, anna: Person, ben: Person
) -> None:
    async def known(person: Person, code: str) -> int:
        """Log a person in to a browser that has made a code."""
        await add_session(store, person.id, NewSession(f"secret of {person.name}", ""))
        session = (await sessions.of(store, person.id))[0].id
        await sessions.keep_code(store, session, code)
        return session

    await known(anna, "hers")
    his = await known(ben, "his")
    async with writing(other) as held:
        await held.run(lambda there: lock_users(there, None, anna.id, his + 99))
        ends = await begun(other, sessions.end(store, ben.id, but=his))
        assert await ends == 0
        await sessions.keep_code(store, his, "his")
        ends = await begun(other, sessions.end(store, anna.id, only=99))
        assert not ends.done()
    assert await ends == 0
    await sessions.keep_code(store, (await sessions.of(store, anna.id))[0].id, "hers")
    async with writing(other) as held:
        await held.run(lambda there: lock_users(there, anna.id))
        # She is known here, but a void code does not reveal it.
        new, hers = NewSession("new", ""), (await sessions.of(store, anna.id))[0].id
        comes = await begun(other, sessions.log_in(store, "hers", new, instead_of=hers))
        assert not comes.done()
        # In this moment all codes of hers are made void.
        await held.run(_executing(delete(session_codes)))
    with pytest.raises(Refused, match="no-such-browser"):
        await comes
    assert await sessions.by_token(store, "new") is None
    assert len(await sessions.of(store, ben.id)) == 1


async def test_the_clock_is_noted_by_one_at_a_time(store: Store, other: Store) -> None:
    async with writing(other) as held:
        await held.run(lambda there: advisory_lock(there, "another", "clock"))
        noted = await begun(other, times.record_clock(store, since=None))
        assert not noted.done()
    assert (await noted).now == store.now()


async def test_a_title_is_written_without_what_another_writes_of_the_place_in_that_moment(
    table: Table, store: Store, other: Store
) -> None:
    garden = places.c.external == "garden"
    await get_or_create_place(store, "chat", "garden", kind=PlaceKind.CHANNEL, title="#garden")
    async with writing(other) as held:
        await held.run(_executing(update(places).where(garden).values(community="friends")))
        seen = await begun(
            other,
            get_or_create_place(store, "chat", "garden", kind=PlaceKind.CHANNEL, title="#new"),
        )
        assert not seen.done()
    found = await seen
    assert (found.title, found.community) == ("#new", "friends")


async def test_a_look_that_a_thread_is_given_in_the_moment_when_its_channel_is_given_one_stays(
    table: Table, store: Store, other: Store
) -> None:
    group = await get_or_create_place(store, "chat", "g", kind=PlaceKind.CHANNEL, title="g")
    around, thread, beside = [
        await get_or_create_place(
            store, "chat", name, kind=PlaceKind.CHANNEL, title=name, community="us"
        )
        for name in ("1", "1/1", "1/2")
    ]
    for inside in (thread, beside):
        await change_place(store, inside.id, settings={PARENT: around.external})
    async with writing(other) as held:
        chosen = {PARENT: around.external, "theme": "dark"}
        theirs = update(places).where(places.c.id == thread.id)
        await held.run(_executing(theirs.values(settings=chosen)))
        given = await begun(other, policies.change(store, around, {"theme": "light"}))
        assert not given.done()
    await given
    found = [await place_of(store, one.id) for one in (around, thread, beside, group)]
    assert [one.settings.get("theme") for one in found] == ["light", "dark", "light", None]


async def test_two_looks_that_a_channel_is_given_at_once_reach_its_threads_one_after_the_other(
    table: Table, store: Store, other: Store
) -> None:
    around, thread = [
        await get_or_create_place(
            store, "chat", name, kind=PlaceKind.CHANNEL, title=name, community="us"
        )
        for name in ("1", "1/1")
    ]
    await change_place(store, thread.id, settings={PARENT: around.external})
    # What one transaction has read of the channel is older than what the other writes.
    await policies.change(other, around, {"theme": "dark"})
    await policies.change(store, around, {"theme": "light"})
    assert (await place_of(store, thread.id)).settings["theme"] == "light"


async def test_a_row_that_is_copied_loses_the_nul_in_its_texts(store: Store) -> None:
    copied = [("web", "key", "a\0b"), ("web", "other", "c")]
    await store.write(lambda connection: fill(connection, memos, copied))
    assert await key_values.get(store, "web", "key") == "ab"
    assert await key_values.get(store, "web", "other") == "c"
