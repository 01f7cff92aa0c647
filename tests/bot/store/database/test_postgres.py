"""PostgreSQL: changes by other processes, and failures on the way."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from typing import Any

import asyncpg
import pytest
from pydantic import SecretStr
from sqlalchemy import Connection, select, text, update
from sqlalchemy.exc import DBAPIError
from structlog.typing import EventDict

from bot.domain.model import Status
from bot.loops.watch import ChangePoller
from bot.matches import boards as match_boards
from bot.store import Store, key_values, people, times
from bot.store.database import postgres, postgres_server
from bot.store.database.changes import EVERYTHING, NOTHING, PEOPLE
from bot.store.database.engine import Attempt
from bot.store.schema import users
from bot.support.errors import StoreBusyError, StoreError
from tests.bot.failing import fails
from tests.bot.table import Clock, Person, Table, said
from tests.bot.transactions import reading, writing
from tests.databases import name_of
from tests.postgres import Server
from tests.wire import Wire

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("_engine_of_store")]


NEW = users.insert().values(name="x", settings={}, created=1)


def named(user_id: int, name: str) -> Callable[[Connection], object]:
    """Return a step that renames a user."""
    changed = update(users).where(users.c.id == user_id).values(name=name)
    return lambda connection: connection.execute(changed)


@pytest.fixture
async def store(database: SecretStr) -> AsyncIterator[Store]:
    opened = await Store.open(database)
    yield opened
    await opened.close()


@pytest.fixture
async def other(database: SecretStr) -> AsyncIterator[Store]:
    """Open the same database a second time, as another process does."""
    opened = await Store.open(database)
    yield opened
    await opened.close()


# What others hear


async def test_what_one_writes_the_others_hear_and_nobody_hears_themselves(
    store: Store, other: Store
) -> None:
    await people.get_or_create_user(store, "web", "1", name="Anna")
    assert await other.database.remote_changes() == PEOPLE
    assert await other.database.remote_changes() == NOTHING
    assert await store.database.remote_changes() == NOTHING
    await key_values.remember(store, "web", "key", "value")
    assert await other.database.remote_changes() == NOTHING
    store.clock = clock = Clock()
    for about, seconds in ((NOTHING, 0), (NOTHING, times.AWAY // 2), (EVERYTHING, times.AWAY)):
        clock.forward(seconds)
        await times.record_clock(store, since=None)
        assert await other.database.remote_changes() == about


async def fail(store: Store, *, error: type[Exception] | None) -> None:
    """Write, and run a statement that fails. With `error`, ignore that and commit."""

    def step(connection: Connection) -> None:
        connection.execute(
            text("INSERT INTO users (name, settings, created) VALUES ('x', '{}', 1)")
        )
        with suppress(*([error] if error else [])):
            connection.execute(text("INSERT INTO nowhere VALUES (1)"))

    await store.write(step)


def counted(connection: Connection) -> int:
    return int(connection.execute(text("SELECT count(*) FROM users")).scalar_one())


async def count_users(store: Store) -> int:
    return await store.read(counted)


async def test_what_is_taken_back_nobody_hears(store: Store, other: Store) -> None:
    with pytest.raises(StoreError, match="nowhere"):
        await fail(store, error=None)
    assert await other.database.remote_changes() == NOTHING


async def test_whoever_rests_is_woken_at_once(store: Store, other: Store) -> None:
    async with asyncio.timeout(60):
        resting = asyncio.create_task(other.database.wait_for_change(3600))
        await asyncio.sleep(0)
        await people.get_or_create_user(store, "web", "1", name="Anna")
        await resting


async def test_whoever_has_lost_the_connection_believes_nothing(
    store: Store, other: Store, server: Server, database: SecretStr
) -> None:
    await cut(server, database)
    await people.get_or_create_user(store, "web", "1", name="Anna")
    assert await other.database.remote_changes() == EVERYTHING
    assert await other.database.remote_changes() == NOTHING


async def test_whoever_could_not_listen_for_a_while_believes_nothing_either(
    store: Store, other: Store, server: Server, database: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    await cut(server, database)
    with monkeypatch.context() as patch:
        fails(patch, asyncpg, "connect", ConnectionRefusedError(111, "Connection refused"))
        with pytest.raises(StoreBusyError):
            await other.database.remote_changes()
    await people.get_or_create_user(store, "web", "1", name="Anna")
    assert await other.database.remote_changes() == EVERYTHING
    assert await other.database.remote_changes() == NOTHING


async def test_whoever_has_heard_it_all_rests_until_there_is_more(
    store: Store, other: Store
) -> None:
    await people.get_or_create_user(store, "web", "1", name="Anna")
    assert await other.database.remote_changes() == PEOPLE
    resting = asyncio.create_task(other.database.wait_for_change(3600))
    for _ in range(9):
        # Nor does what one writes oneself wake anybody.
        await people.get_or_create_user(other, "web", "2", name="Ben")
    assert not resting.done()
    resting.cancel()
    # And no longer than they want to.
    await other.database.wait_for_change(0)


async def cut(server: Server, database: SecretStr) -> None:
    """End all connections to a database, as a server restart does."""
    name = name_of(database)
    ended = f"pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{name}'"
    # In a thread, so that the loop notices the closed connections.
    await asyncio.to_thread(server.execute, f"SELECT {ended}")


async def _hears(store: Store) -> None:
    await store.database.remote_changes()


async def _reads(store: Store) -> None:
    await store.read(lambda connection: connection.execute(select(users)))


async def _writes(store: Store) -> None:
    changed = update(users).values(active=1)
    await store.write(lambda connection: connection.execute(changed), NOTHING)


@pytest.mark.slow
@pytest.mark.parametrize("used", [_hears, _reads, _writes], ids=["hears", "reads", "writes"])
async def test_a_connection_of_which_only_the_last_word_has_come_is_one_that_failed(
    server: Server, database: SecretStr, used: Callable[[Store], Awaitable[object]]
) -> None:
    """The server says why it ends a connection; that it has ended may come later, or never."""
    async with Wire(server.folder).open() as wire:
        store = await Store.open(wire.url(database))
        try:
            await used(store)
            wire.keep_open()
            wire.ended.clear()
            await cut(server, database)
            await wire.ended.wait()
            for _ in range(5):
                # What was said before comes now.
                await asyncio.sleep(0)
            with pytest.raises(StoreError):
                await used(store)
            wire.cut()
            async with asyncio.timeout(30):
                while not store.database.is_present:
                    with suppress(StoreError):
                        await store.database.remote_changes()
        finally:
            await store.close()


async def test_the_clock_of_all_is_the_servers(
    store: Store, database: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.database.engine.time", lambda: 7.0)
    monkeypatch.setattr(postgres, "time", lambda: 7.0)
    other = await Store.open(database)
    asked = text("SELECT extract(epoch FROM now())")
    there = await other.read(lambda connection: connection.execute(asked).scalar_one())
    assert abs(other.clock() - float(there)) < 10
    await other.close()


async def test_several_questions_see_one_state_and_the_next_one_sees_what_is_new(
    store: Store, other: Store
) -> None:
    async with reading(store, snapshot=True) as one, reading(store) as several:
        for transaction in (one, several):
            assert await transaction.run(counted) == 0
        await people.get_or_create_user(other, "web", "1", name="Anna")
        assert await one.run(counted) == 0
        # A state each, and no transaction.
        assert await several.run(counted) == 1
    assert await count_users(store) == 1


async def test_readers_and_writers_do_not_wait_for_each_other_but_for_whoever_is_alone(
    store: Store, other: Store
) -> None:
    async with writing(store) as first, writing(other) as second:
        for transaction in (first, second):
            await transaction.run(lambda connection: connection.execute(NEW))
        assert await count_users(store) == 0
    async with writing(store, alone=True):
        waiting = asyncio.create_task(fail(other, error=DBAPIError))
        assert await count_users(other) == 2
        assert not waiting.done()
    with pytest.raises(StoreError, match="aborted"):
        await waiting


async def test_when_all_connections_are_in_use_whoever_comes_may_try_again(
    database: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_server, "_POOL_SECONDS", 0.05)
    store = await Store.open(database)
    async with AsyncExitStack() as held:
        for _ in range(postgres._READERS):
            await held.enter_async_context(reading(store))
        assert store.database.connections == (postgres._READERS, 2 * postgres._READERS)
        with pytest.raises(StoreBusyError, match="all connections are in use"):
            await count_users(store)
    await store.close()


async def test_a_process_has_nine_connections_at_most_as_the_guide_says(
    database: SecretStr,
) -> None:
    store = await Store.open(database)
    count = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    async with AsyncExitStack() as held:
        for _ in range(postgres._WRITERS):
            await held.enter_async_context(writing(store))
        for _ in range(postgres._READERS):
            last = await held.enter_async_context(reading(store))
        found = await last.run(lambda connection: connection.execute(text(count)).scalar_one())
        assert found == 9
    await store.close()


async def test_nothing_is_left_of_a_database_that_is_closed_or_could_not_be_opened(
    database: SecretStr, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = name_of(database)

    async def ours() -> object:
        query = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}'"
        return (await asyncio.to_thread(server.execute, query))[0][0]

    async def until_all_have_gone() -> None:
        async with asyncio.timeout(60):
            while await ours():
                """Each look takes a moment."""

    store = await Store.open(database)
    engine = store.database
    assert isinstance(engine, postgres.Postgres)
    ear = engine._listener
    await count_users(store)
    assert not store.database.is_left_open
    assert store.database.is_in_place()

    assert await ours()
    await store.close()
    assert ear.is_closed()
    await until_all_have_gone()
    ears: list[Any] = []

    async def fails(opened: postgres.Postgres) -> None:
        ears.append(opened._listener)
        raise ZeroDivisionError

    monkeypatch.setattr(postgres.Postgres, "_read_clock", fails)
    with pytest.raises(ZeroDivisionError):
        await Store.open(database)
    assert ears[0].is_closed()
    await until_all_have_gone()


# What goes wrong on the way


@pytest.mark.parametrize(
    "goes_wrong",
    [
        "PERFORM pg_terminate_backend(pg_backend_pid())",
        "RAISE EXCEPTION 'in the last moment' USING ERRCODE = '40001'",
    ],
)
async def test_whether_anything_is_stored_nobody_knows_whose_commit_is_not_answered(
    store: Store, server: Server, database: SecretStr, goes_wrong: str
) -> None:
    name = name_of(database)
    lost = (
        "CREATE FUNCTION lost() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN {}; RETURN NULL; END$$"
    )
    server.execute(
        lost.format(goes_wrong),
        "CREATE CONSTRAINT TRIGGER lost AFTER INSERT ON users"
        " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION lost()",
        database=name,
    )
    attempt = Attempt()
    unit = store.together_with(attempt)
    try:
        with pytest.raises(StoreError) as failed:
            await people.get_or_create_user(unit, "web", "1", name="Anna")
        assert type(failed.value) is StoreError
        assert attempt.may_be_stored
        # By now only the disconnected writer does not know.
        assert await count_users(store) == 0
    finally:
        server.execute("DROP FUNCTION lost CASCADE", database=name)
    await people.get_or_create_user(store, "web", "1", name="Anna")
    assert await count_users(store) == 1


async def test_what_has_failed_is_not_committed_by_whoever_overlooks_it(store: Store) -> None:
    """A transaction that has failed ends with a COMMIT that says nothing."""
    with pytest.raises(StoreError, match="aborted"):
        await fail(store, error=DBAPIError)
    assert await count_users(store) == 0


async def test_of_two_who_wait_for_each_other_one_may_try_again(store: Store) -> None:
    first = await people.get_or_create_user(store, "web", "1", name="Anna")
    second = await people.get_or_create_user(store, "web", "2", name="Ben")
    met = asyncio.Barrier(2)

    async def change(*ids: int) -> None:
        async with writing(store) as transaction:
            await transaction.run(named(ids[0], "x"))
            await met.wait()
            await transaction.run(named(ids[1], "x"))

    done = await asyncio.gather(
        change(first.id, second.id), change(second.id, first.id), return_exceptions=True
    )
    (busy,) = [one for one in done if one is not None]
    assert isinstance(busy, StoreBusyError)
    assert str(busy).endswith(": deadlock detected")


@pytest.mark.slow
async def test_whoever_stands_still_in_the_middle_of_something_holds_nobody_up(
    database: SecretStr, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(postgres_server._SESSION, "idle_in_transaction_session_timeout", "3s")
    store = await Store.open(database)
    anna = await people.get_or_create_user(other, "web", "1", name="Anna")

    async def stand_still() -> None:
        async with writing(store) as transaction:
            await transaction.run(named(anna.id, "x"))
            # They want the same row, and have it once the server has ended what stands still.
            await other.write(named(anna.id, "y"))

    with pytest.raises(StoreError):
        await stand_still()
    assert await people.names(other, [anna.id]) == {anna.id: "y"}
    await store.close()


async def test_somebody_who_stops_waiting_leaves_nothing_begun(store: Store) -> None:
    for moments in range(40):
        task = asyncio.create_task(
            people.get_or_create_user(store, "web", f"{moments}", name="Anna")
        )
        for _ in range(moments * 3):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await people.get_or_create_user(store, "web", "last", name="Ben")
    lonely = "SELECT count(*) FROM users LEFT JOIN identities ON user_id = id WHERE user_id IS NULL"
    open_ = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND state LIKE 'idle in transaction%'"
    )
    found = await store.read(
        lambda connection: [
            connection.execute(text(query)).scalar_one() for query in (lonely, open_)
        ]
    )
    assert found == [0, 0]


async def test_a_restart_of_the_server_costs_nobody_their_command(
    table: Table, server: Server, database: SecretStr, anna: Person, ben: Person
) -> None:
    match = await table.begin(anna, ben)
    await cut(server, database)
    assert (await anna.types("/othello d3")).private is None
    await cut(server, database)
    assert (await ben.types("/othello c3")).private is None
    assert (await table.loaded(match)).match.status is Status.RUNNING


async def test_what_has_been_stored_is_not_stored_again(
    table: Table, anna: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The challenge is there, and only bringing it to Ben fails: it would be two."""
    fails(monkeypatch, match_boards, "show", StoreBusyError("postgresql:///x: deadlock detected"))
    answer = await anna.types("/othello @Ben", place=anna.direct)
    assert said(answer) == anna.says("error-not-stored")
    asked = text("SELECT count(*) FROM matches")
    found = await table.app.store.read(lambda connection: connection.execute(asked).all())
    assert found == [(1,)]


async def test_while_the_server_is_away_people_are_told_and_the_host_once(
    table: Table, server: Server, database: SecretStr, anna: Person, logged: list[EventDict]
) -> None:
    name = name_of(database)
    watch, command = ChangePoller(table.app), await anna.command()
    server.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    await cut(server, database)
    try:
        answer = await table.commands.run_line(command, "/stats")
        assert said(answer) == anna.says("error-not-stored")
        await watch.once()
        await watch.once()
    finally:
        server.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    await watch.once()
    words = [entry["event"] for entry in logged if entry["level"] in ("error", "info")]
    assert words.count("nothing is stored until the database is back") == 1
    assert words.count("the database is back") == 1
    assert (await anna.types("/stats")).refused is False


async def test_numbers_beyond_32_bits_are_nobody(store: Store) -> None:
    assert await people.user(store, 2**40) is None
    asked = select(users.c.id).where(users.c.id == 2**62)
    assert await store.read(lambda connection: connection.execute(asked).all()) == []
