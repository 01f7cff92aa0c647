"""Copies of a database: complete, of one state, to an empty target, or not made."""
# ruff: noqa: ASYNC240 - a test may block on files

import asyncio
import os
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest
from click.testing import CliRunner
from pydantic import SecretStr
from sqlalchemy import Table as SchemaTable
from sqlalchemy import insert, select, update

import games
from bot.__main__ import main
from bot.cli import moving
from bot.cli.moving import Copied
from bot.domain.model import OfferKind, PlaceKind
from bot.matches.erasing import erase
from bot.store import (
    Address,
    Store,
    analysis_requests,
    announcements,
    blocks,
    copying,
    dialect,
    half_made,
    inbox,
    key_values,
    migrate,
    note_move,
    passing,
    people,
    places,
    postgres_server,
    revisions,
    rooms,
    sessions,
    shards,
    sole_use,
    title,
)
from bot.store.copying import Copy
from bot.store.engine import new_id
from bot.store.half_made import Beginning
from bot.store.schema import announcements as announcements_table
from bot.store.schema import boards as boards_table
from bot.store.schema import (
    erased_attempts,
    erased_challenges,
    identities,
    looks_back,
    metadata,
    moves,
    puzzles,
    showings,
)
from bot.store.schema import sessions as sessions_table
from bot.store.sessions import NewSession
from bot.support.errors import StoreError
from bot.support.platforms import Shard
from tests import warm
from tests.bot.posed import pose, puzzle
from tests.bot.seated import users
from tests.bot.table import Person, Table, written
from tests.databases import ask, ask_each, name_of
from tests.postgres import Server
from tests.sampling import sampled
from tests.wire import Wire

# From a file to a server; the first test copies back, too.
pytestmark = pytest.mark.sqlite

NOT_COPIED = {"processes", "shards"}
TABLES = [table for table in metadata.sorted_tables if table.name not in NOT_COPIED]
COPIES_MOVES = b'COPY "moves"'
"""Users and matches are there by then."""
LARGE = 2**62
"""Larger than what a float or half the bits can hold."""


@pytest.fixture
def fresh(server: Server, _engine_of_store: str) -> Iterator[SecretStr]:
    """Yield the URL of a database without tables."""
    with server.bare() as name:
        yield server.url(name)


def contents(address: Address) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of all tables, without leases."""
    queries = {}
    for table in TABLES:
        columns = [f'"{one.name}"' for one in table.columns if not one.name.startswith("lease_")]
        key = ", ".join(f'"{one.name}"' for one in table.primary_key)
        sql = f'SELECT {", ".join(columns)} FROM "{table.name}" ORDER BY {key}'
        queries[table.name] = sql
    return dict(zip(queries, ask_each(address, *queries.values()), strict=True))


async def copy(source: Address, target: Address) -> Copied:
    return await moving.copy(source, target, lambda _done, _total: None)


async def refusal(source: Address, target: Address) -> str:
    """Return the line with which a copy is refused."""
    with pytest.raises(StoreError) as refused:
        await copy(source, target)
    (line,) = str(refused.value).splitlines()
    return line


def tables(address: SecretStr) -> list[tuple[Any, ...]]:
    return ask(address, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")


# What there is to copy


async def evening(table: Table, seed: int) -> list[Person]:
    """Play a random evening that leaves a row in every table, and return the people."""
    luck, store = Random(seed), table.app.store
    crowd = [await table.arrive(name) for name in ("Anna", "Ben", "Cläre 日本")]
    crowd.append(await table.arrive("Dora", platform="telegram"))
    for game_id in games.ids():
        first, second = luck.sample(crowd[:3], 2)
        game = games.get(game_id)
        if game.seats(game.options_from({})) == 2:
            match_id = await table.begin(first, second, words=game_id)
            await at_random(table, match_id, luck, most=luck.randrange(2, 9))
        else:
            await first.types(f"/{game_id} new")
            await at_random(table, await table.newest(), luck, most=3)
    given_up = await table.begin(*crowd[:2])
    # As many moves as a match needs to be rated.
    await table.plays(given_up, "d3,c3,c4,e3")
    await table.given_up(given_up, crowd[0])
    await crowd[1].types(f"/analyse {given_up}")
    await pose(store, puzzle(plies=1, match_id=given_up))
    tried = await crowd[2].types("/puzzle")
    await table.app.matches.resign(tried.elsewhere, crowd[2].id)
    await crowd[1].types("/holiday 3d")
    back = await table.begin(*crowd[:2], words="othello unrated")
    await table.plays(back, "d3,c3")
    for one in crowd[:2]:
        await table.app.matches.offer(back, one.id, OfferKind.TAKEBACK)
    await table.plays(back, "c4")
    await crowd[0].types("/challenge anybody othello")
    await crowd[1].types("/challenge @nobody-yet othello")
    await table.settle()
    await gone(table, crowd[0])
    await rooms.add(store, table.lounge.id, author_id=crowd[0].id, screen={"text": "Hé \0 \ud800"})
    last = await rooms.add(store, table.lounge.id, author_id=crowd[1].id, screen={"text": "…"})
    await rooms.take_away(store, last.id)
    await half_made.note(store, crowd[0].id, Beginning(match_id, 5, ("d6",)))
    await rooms.note_read(store, crowd[0].id, table.lounge.id, message_id=last.id)
    await passing.note(store, table.lounge, crowd[0].id, "why not")
    await blocks.add(store, crowd[0].id, crowd[1].id)
    await announcements.add(store, "We move.", seconds=3600)
    await analysis_requests.add(store, given_up, table.lounge, crowd[1].id)
    await key_values.remember(store, "chat", "known", "…")
    await inbox.take_in(store, "telegram", {LARGE: {"said": ["\0", 1.5, None]}, 7: {}})
    await inbox.finish(store, "telegram", 7)
    # A board is claimed, as in a running process.
    async with store.write() as connection:
        await connection.execute(insert(showings).values(user_id=crowd[0].id, at=store.now()))
        (told,) = await connection.execute(select(puzzles.c.id))
        erased = {"trace": "f00d", "puzzle_id": told.id}
        await connection.execute(insert(erased_attempts).values(erased))
        seen = {"user_id": crowd[0].id, "match_id": match_id, "at": store.now()}
        await connection.execute(insert(looks_back).values(seen))
        await connection.execute(
            update(boards_table).values(lease_holder="f00d", lease_until=LARGE)
        )
    return crowd


async def at_random(table: Table, match_id: int, luck: Random, *, most: int) -> None:
    for _ in range(most):
        loaded = await table.loaded(match_id)
        if not loaded.turn:
            return
        seat = min(loaded.turn)
        found = loaded.position.moves(seat)
        move = loaded.game.notation(luck.choice(found[:50]))
        await table.app.matches.play(match_id, users(loaded.match)[seat], move, sure=True)


async def gone(table: Table, anna: Person) -> None:
    """Store and delete a browser user whom Anna blocked after an unanswered challenge."""
    store = table.app.store
    eva = await people.get_or_create_user(store, "telegram", "eva", name="Eva", handle="eva")
    await blocks.add(store, anna.id, eva.id)
    async with store.write() as connection:
        for who in (eva.id, anna.id):
            new = NewSession(token_hash=f"secret of {who}", label="Firefox")
            await sessions.insert_session(connection, who, new, now=store.now())
        row = {"trace": "f00d", "opponent_id": anna.id, "at": store.now()}
        await connection.execute(insert(erased_challenges).values(row))
    known = await sessions.by_token(store, "web", f"secret of {anna.id}")
    assert known is not None
    await sessions.keep_code(store, known.session.id, "hash")
    await erase(store, table.app.matches, eva.id)


@pytest.fixture
async def played(table: Table, anna: Person, ben: Person) -> None:
    await table.plays(await table.begin(anna, ben), "d3,c5")


# All of it


async def test_a_database_is_the_same_after_it_was_copied_to_a_server_and_back(
    database: Path, fresh: SecretStr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages end in the middle of a match, and with the last row."""
    monkeypatch.setattr(copying, "_PAGE", 3)
    table = await Table.open(database)
    await evening(table, 1)
    await shards.beat(table.app.store, seconds=10**6)
    await shards.take(table.app.store, [Shard("telegram")], tenure="f00d")
    before = contents(database)
    assert all(before.values()), [name for name, rows in before.items() if not rows]
    # The app is running.
    there = await copy(database, fresh)
    assert contents(fresh) == before
    again = await copy(fresh, tmp_path / "back.db")
    assert contents(tmp_path / "back.db") == contents(database) == before
    assert there == again
    assert there.rows == {name: len(rows) for name, rows in before.items()}
    assert (there.unreadable, there.changed) == ({}, [])
    running = [row[0] for row in ask(database, "SELECT status FROM matches")].count("running")
    assert there.running == running > 0
    # The copy has no process yet.
    for name in NOT_COPIED:
        assert len(ask(database, f"SELECT * FROM {name}")) == 1
        assert ask(fresh, f"SELECT * FROM {name}") == []
    leases = "SELECT DISTINCT lease_holder, lease_until FROM boards"
    assert ask(database, leases) == [("f00d", LARGE)]
    assert ask(fresh, leases) == [(None, 0)]
    await table.close()


async def test_numbers_that_were_given_out_are_not_given_out_again(
    table: Table, anna: Person, ben: Person, database: Path, fresh: SecretStr
) -> None:
    """Also those of which nothing is left, nor of any other one: users, places, boards."""

    async def newest(store: Store) -> list[int]:
        """Return the ids that new rows get."""
        user = await people.get_or_create_user(store, "web", "new", name="New", handle="new")
        place = await places.get_or_create_place(
            store, "web", "new", kind=PlaceKind.CHANNEL, title="New"
        )
        row: dict[str, Any] = {"match_id": match_id, "place_id": table.lounge.id, "seat": 7}
        row |= {"shown": 0, "wanted": 0, "notified": 0, "news": 0, "platform": "web"}
        async with store.write() as connection:
            board = new_id(await connection.execute(insert(boards_table).values(row)))
            asked = insert(announcements_table).values(text="?", until=1)
            said = new_id(await connection.execute(asked))
            new = NewSession(token_hash="new", label="")
            await sessions.insert_session(connection, user.id, new, now=1)
            known = select(sessions_table.c.id)
            session = (await connection.execute(known.order_by(-sessions_table.c.id))).first()
        assert session is not None
        line = await rooms.add(store, place.id, author_id=user.id, screen={"text": "?"})
        return [user.id, place.id, board, said, session.id, line.id]

    store = table.app.store
    match_id = await table.begin(anna, ben)
    given = await newest(store)
    async with store.write() as connection:
        for sql in (
            "DELETE FROM messages",
            "DELETE FROM sessions",
            "DELETE FROM announcements",
            f"DELETE FROM boards WHERE id = {given[2]}",
            f"DELETE FROM places WHERE id = {given[1]}",
            f"DELETE FROM users WHERE id = {given[0]}",
        ):
            await connection.exec_driver_sql(sql)
    await copy(database, fresh)
    house = await Table.open(fresh)
    assert all(new > old for new, old in zip(await newest(house.app.store), given, strict=True))
    back = [await house.arrive(person.name) for person in (anna, ben)]
    assert [person.id for person in back] == [anna.id, ben.id]
    await house.plays(match_id, "d3")
    assert await house.begin(*back) > match_id
    # The source stays as it was.
    assert (await table.loaded(match_id)).match.plies == ()
    await house.close()


@pytest.mark.slow
async def test_what_is_written_during_the_copy_is_not_in_it(
    table: Table, anna: Person, ben: Person, database: Path, fresh: SecretStr
) -> None:
    match_id = await table.begin(anna, ben)

    def done(steps: int, _total: int) -> None:
        # The first rows have been copied, and others not yet.
        if steps:
            sql = f"INSERT INTO memos (platform, key, value) VALUES ('x', 'later {steps}', 'x')"
            with closing(sqlite3.connect(database)) as connection, connection:
                connection.execute(sql)
                connection.execute(f"DELETE FROM moves WHERE match_id = {match_id}")
                connection.execute("UPDATE users SET name = 'later'")

    await table.plays(match_id, "d3,c5")
    before = contents(database)
    await moving.copy(database, fresh, done)
    assert contents(fresh) == before
    assert contents(database) != before


@pytest.mark.slow
async def test_the_source_and_the_files_beside_it_stay_as_they_are(
    table: Table, anna: Person, ben: Person, database: Path, tmp_path: Path
) -> None:
    def files() -> dict[str, bytes]:
        return {
            path.name: path.read_bytes()
            for path in database.parent.glob(f"{database.name}*")
            # Only the reader's progress is written there.
            if not path.name.endswith("-shm")
        }

    await table.plays(await table.begin(anna, ben), "d3,c5")
    before = files()
    assert before[f"{database.name}-wal"]
    await copy(database, tmp_path / "while open")
    assert files() == before
    assert contents(tmp_path / "while open") == contents(database)
    await table.close()
    before = files()
    assert list(before) == [database.name]
    await copy(database, tmp_path / "when closed")
    assert files() == before


async def test_a_copied_file_is_its_owners_alone(database: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    part = tmp_path / "copy.db.part"
    part.write_text("what an earlier copy has left")
    part.chmod(0o644)
    Path(f"{part}-journal").write_text("and beside it")
    await copy(database, target)
    assert target.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db"]


# Looked over in the end


Rows = list[tuple[Any, ...]]


def spoiled(which: SchemaTable, spoil: Callable[[Rows], Rows]) -> Callable[..., Any]:
    """Return a function that loses or changes rows of a table while copying."""
    fill = dialect.fill

    async def fails(connection: Any, table: Any, rows: Any) -> Any:
        return await fill(connection, table, spoil(rows) if table is which else rows)

    return fails


@pytest.mark.slow
@pytest.mark.usefixtures("played")
async def test_a_copy_that_lacks_a_row_is_taken_away_again(
    database: Path, fresh: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialect, "fill", spoiled(moves, lambda rows: rows[1:]))
    line = await refusal(database, fresh)
    told = "moves has 1 rows, and not 2; the copy was taken away again"
    assert line == f"{title(fresh)}: {told}"
    assert tables(fresh) == []


async def move(source: Address, target: Address) -> Copied:
    return await moving.copy(source, target, lambda _done, _total: None, is_moving=True)


@pytest.mark.usefixtures("played")
async def test_the_old_house_is_left_before_there_is_a_new_one(
    database: Path, fresh: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = list[bool]()

    def noted(address: Address, where: str | None) -> None:
        assert (address, where is None) == (database, False)
        found.append(bool(tables(fresh)))
        note_move(address, where)

    monkeypatch.setattr(moving, "note_move", noted)
    await move(database, fresh)
    assert (found, bool(tables(fresh))) == ([False], True)


@pytest.mark.slow
async def test_what_cannot_be_written_while_it_is_read_is_left_afterwards(
    database: Path, fresh: SecretStr
) -> None:
    await begun(database)
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    assert (await move(database, fresh)).why_unmarked == ""
    with pytest.raises(StoreError, match="its data was moved to"):
        migrate(database)


def failing_in_the_end(database: Path, why: BaseException, *, is_there: bool) -> Any:
    """Return a copy that fails at its end, before or after the new database is there."""
    copying_it = copying.copying

    @asynccontextmanager
    async def fails(*addresses: Address) -> AsyncIterator[Copy]:
        before = contents(database)
        async with copying_it(*addresses) as under_way:
            yield under_way
            assert contents(database) != before
            if not is_there:
                raise why
        raise why

    return fails


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("why", [StoreError("the disk is full"), asyncio.CancelledError()])
@pytest.mark.slow
async def test_where_there_is_no_new_file_in_the_end_the_old_house_is_not_left(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, why: BaseException
) -> None:
    before, target = contents(database), tmp_path / "copy.db"
    monkeypatch.setattr(moving, "copying", failing_in_the_end(database, why, is_there=False))
    with pytest.raises(type(why), match=f"^{why}$"):
        await move(database, target)
    assert not list(tmp_path.glob("copy*"))
    assert contents(database) == before


@pytest.mark.slow
@pytest.mark.usefixtures("played")
async def test_where_there_is_a_new_house_the_old_one_stays_left_whatever_fails_then(
    database: Path, fresh: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    why = StoreError("the connection is lost")
    monkeypatch.setattr(moving, "copying", failing_in_the_end(database, why, is_there=True))
    with pytest.raises(
        StoreError, match=r"the connection is lost\. .*: undo that with azumaya stay"
    ):
        await move(database, fresh)
    assert tables(fresh)
    with pytest.raises(StoreError, match="its data was moved to"):
        await Store.open(database)


@pytest.mark.slow
@pytest.mark.usefixtures("played")
async def test_whoever_is_stopped_while_the_mark_is_made_leaves_none(
    database: Path, fresh: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, marks, may_go_on = contents(database), asyncio.Event(), Event()
    loop = asyncio.get_running_loop()

    def slowly(address: Address, where: str | None) -> None:
        if where is not None:
            loop.call_soon_threadsafe(marks.set)
            may_go_on.wait(60)
        note_move(address, where)

    monkeypatch.setattr(moving, "note_move", slowly)
    moving_it = asyncio.ensure_future(move(database, fresh))
    await marks.wait()
    moving_it.cancel()
    await asyncio.sleep(0)
    may_go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await moving_it
    assert tables(fresh) == []
    assert contents(database) == before


@pytest.mark.usefixtures("played")
async def test_a_copy_in_which_a_running_match_went_otherwise_is_taken_away_again(
    database: Path, fresh: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = [column.name for column in moves.columns].index("notation")

    def otherwise(rows: Rows) -> Rows:
        """Replace the last move by another legal one."""
        return [*rows[:-1], (*rows[-1][:at], "c3", *rows[-1][at + 1 :])]

    monkeypatch.setattr(dialect, "fill", spoiled(moves, otherwise))
    line = await refusal(database, fresh)
    assert line.endswith(": match 1 is not as it was; the copy was taken away again")
    assert tables(fresh) == []


async def test_what_refers_to_nothing_is_told_in_a_line(
    anna: Person,
    database: Path,
    fresh: SecretStr,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = [column.name for column in identities.columns].index("user_id")
    nobody = 987654321
    theirs = spoiled(identities, lambda rows: [(*row[:at], nobody, *row[at + 1 :]) for row in rows])
    monkeypatch.setattr(dialect, "fill", theirs)
    line = await refusal(database, fresh)
    assert line.startswith(f"{title(fresh)}: ")
    assert "identities" in line
    assert str(nobody) not in line
    assert tables(fresh) == []


# What is refused


@pytest.mark.usefixtures("next_revision")
async def test_a_database_of_an_earlier_version_is_left_alone(
    tmp_path: Path,
) -> None:
    source = tmp_path / "old.db"
    await asyncio.to_thread(lambda: migrate(source, to=revisions()[-2]))
    line = await refusal(source, tmp_path / "copy.db")
    assert line == (
        f"{title(source)}: is from an earlier Azumaya (revision {revisions()[-2]});"
        " run azumaya migrate on it, then copy it"
    )
    assert ask(source, "SELECT version_num FROM alembic_version") == [(revisions()[-2],)]
    assert not list(tmp_path.glob("copy*"))


async def test_what_is_no_database_of_ours_is_not_copied(
    fresh: SecretStr, tmp_path: Path, server: Server
) -> None:
    source, target = tmp_path / "theirs.db", tmp_path / "copy.db"
    with closing(sqlite3.connect(source)) as connection, connection:
        connection.execute("CREATE TABLE recipes (name)")
    server.execute("CREATE TABLE recipes (name text)", database=name_of(fresh))
    for one in (source, fresh):
        line = await refusal(one, target)
        assert line.startswith(f"{title(one)}: ")
        assert line.endswith("is a database, but not one of Azumaya")
    source.write_text("My diary. " * 500)
    assert "file is not a database" in await refusal(source, target)
    assert not target.exists()


async def test_an_existing_target_is_refused_and_left_alone(
    database: Path, fresh: SecretStr, tmp_path: Path, server: Server
) -> None:
    there = tmp_path / "there.db"
    for end in ("", "-wal", "-journal"):
        beside = Path(f"{there}{end}")
        beside.write_text("mine")
        assert await refusal(database, there) == f"{beside}: exists already; nothing was written"
        assert beside.read_text() == "mine"
        beside.unlink()
    server.execute("CREATE TABLE recipes (name text)", database=name_of(fresh))
    line = await refusal(database, fresh)
    assert line == f"{title(fresh)}: is a database, but not one of Azumaya"
    assert tables(fresh) == [("recipes",)]
    server.execute("DROP TABLE recipes", database=name_of(fresh))
    await copy(database, fresh)
    before = contents(fresh)
    assert await refusal(database, fresh) == (
        f"{title(fresh)}: it already holds a bot's data; nothing was written"
    )
    assert contents(fresh) == before


async def test_places_that_cannot_be_written_are_told_in_a_line(
    database: Path, tmp_path: Path, server: Server
) -> None:
    assert "does not exist" in await refusal(database, tmp_path / "nowhere" / "copy.db")
    locked = server.url("house", user="locked", password="not-open-sesame")
    for pair in ((database, locked), (locked, tmp_path / "copy.db")):
        line = await refusal(*pair)
        reason = 'password authentication failed for user "locked"'
        assert line == f"postgresql:///house: {reason}"
    assert not list(tmp_path.glob("copy*"))


@pytest.mark.slow
async def test_of_two_copies_to_one_place_one_is_made(
    database: Path, fresh: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(postgres_server._SESSION, "lock_timeout", "100ms")
    async with copying.copying(database, fresh) as first:
        line = await refusal(database, fresh)
        assert line.endswith(": another Azumaya is using it")
        await first.fill(lambda _: None)
    assert contents(fresh) == contents(database)


async def test_a_house_that_began_at_the_place_meanwhile_keeps_it(
    database: Path, tmp_path: Path
) -> None:
    target = tmp_path / "copy.db"

    def done(steps: int, total: int) -> None:
        if steps == total:
            target.write_text("a house")

    with pytest.raises(StoreError, match="exists already; nothing was written"):
        await moving.copy(database, target, done)
    assert target.read_text() == "a house"
    assert not Path(f"{target}.part").exists()


@pytest.mark.slow
async def test_a_house_that_is_started_on_a_server_meanwhile_waits_and_opens_the_copy(
    table: Table, anna: Person, database: Path, fresh: SecretStr
) -> None:
    async with copying.copying(database, fresh) as under_way:
        opening = asyncio.ensure_future(Store.open(fresh))
        await under_way.fill(lambda _: None)
        assert not opening.done()
    store = await opening
    found = await people.user(store, anna.id)
    assert found is not None
    assert found.name == anna.name
    await store.close()


# Interrupted


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("number", sampled([signal.SIGKILL, signal.SIGINT], signal.SIGINT))
async def test_a_second_copy_succeeds_after_one_that_was_killed_or_interrupted(
    number: signal.Signals, server: Server, database: Path, fresh: SecretStr, tmp_path: Path
) -> None:
    out, errors = tmp_path / "out.txt", tmp_path / "errors.txt"
    async with Wire(server.folder, COPIES_MOVES).open() as wire:
        words = [written(database), written(wire.url(fresh))]
        process = warm.start(
            "copy", *words, environment=os.environ, folder=tmp_path, log=out, errors=errors
        )
        async with asyncio.timeout(60):
            await wire.is_silent.wait()
            process.send_signal(number)
            await process.wait()
    said = errors.read_text()
    assert out.read_text() == ""
    assert "Traceback" not in said
    if number is not signal.SIGKILL:
        assert process.returncode == 1
        assert said.endswith("Aborted!\n")
    # The second one waits until the first has gone.
    await copy(database, fresh)
    assert contents(fresh) == contents(database)


@pytest.mark.slow
@pytest.mark.usefixtures("played")
async def test_a_lost_connection_is_one_line_and_leaves_nothing(
    server: Server, database: Path, fresh: SecretStr, capfd: pytest.CaptureFixture[str]
) -> None:
    async with Wire(server.folder, COPIES_MOVES).open() as wire:
        target = wire.url(fresh)
        copying_it = asyncio.ensure_future(refusal(database, target))
        async with asyncio.timeout(60):
            await wire.is_silent.wait()
            wire.cut()
            line = await copying_it
    assert line.startswith(f"{title(target)}: ")
    assert capfd.readouterr() == ("", "")
    await copy(database, fresh)
    assert contents(fresh) == contents(database)


@pytest.mark.usefixtures("played")
@pytest.mark.slow
async def test_where_nobody_answers_in_the_end_it_is_said_that_it_may_be_there(
    database: Path, fresh: SecretStr, server: Server
) -> None:
    async with Wire(server.folder, b"SELECT 1; COMMIT").open() as wire:
        copying_it = asyncio.ensure_future(refusal(database, wire.url(fresh)))
        async with asyncio.timeout(60):
            await wire.is_silent.wait()
            wire.cut()
            line = await copying_it
    assert line.startswith(f"{title(fresh)}: perhaps not finished, which a second copy tells: ")
    await copy(database, fresh)


# By those who type it


def typed(*addresses: Address) -> list[str]:
    return ["copy", *map(written, addresses)]


async def begun(database: Path) -> list[int]:
    """Start a match, and return the ids of its two players."""
    table = await Table.open(database)
    people = [await table.arrive(name) for name in ("Anna", "Ben")]
    await table.plays(await table.begin(*people), "d3")
    await table.close()
    return [person.id for person in people]


def test_the_host_reads_what_was_copied_and_what_to_do_next(
    database: Path, fresh: SecretStr
) -> None:
    asyncio.run(begun(database))
    result = CliRunner().invoke(main, typed(database, fresh))
    assert (result.exit_code, result.exception) == (0, None)
    first, last = result.stdout.splitlines()
    assert first.startswith(f"Copied {title(database)} to {title(fresh)}: ")
    assert first.endswith("(users: 2, games: 1), all verified. Active games replayed: 1 of 1.")
    assert last.startswith("To use the copy, set")
    assert "AZUMAYA_DATABASE" in last
    told = f"Copying {title(database)}. Do not start the bot until this is done.\n"
    assert result.stderr == told


_ACTING = (
    ["forget", "--yes", "1"],
    ["migrate"],
    ["backup", "backup.db"],
    ["run"],
)


def acted(*words: str) -> str:
    """Return the line with which a command refuses to use the database."""
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, result.stdout) == (1, ""), words
    (line,) = result.stderr.splitlines()
    return str(line)


@pytest.mark.slow
def test_nothing_acts_on_a_database_that_the_house_has_moved_out_of(
    database: Path, fresh: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(begun(database))
    monkeypatch.setenv("AZUMAYA_DATABASE", written(database))
    assert CliRunner().invoke(main, typed(database, fresh)).exit_code == 0
    before = contents(database)
    moved = f"{title(database)}: its data was moved to {title(fresh)}; set that as the database, "
    moved += "or run azumaya stay to keep using this one"
    for words in _ACTING:
        assert acted(*words) == f"Error: {moved}", words
    monkeypatch.setattr("bot.cli.checks.numba_seen", lambda: (False, ""))
    told = CliRunner().invoke(main, ["doctor"])
    assert told.exit_code == 1
    assert moved.removeprefix(f"{title(database)}: ") in told.stdout
    third = "third.db"
    assert moved in CliRunner().invoke(main, ["copy", written(database), third]).stderr
    assert contents(database) == before
    # There it is a house like any other, and so it is here again when the host wants it.
    monkeypatch.setenv("AZUMAYA_DATABASE", written(fresh))
    assert CliRunner().invoke(main, ["places"]).exit_code == 0
    monkeypatch.setenv("AZUMAYA_DATABASE", written(database))
    stays = CliRunner().invoke(main, ["stay"])
    assert stays.stdout.startswith(f"{title(database)} is not marked as moved.")
    assert CliRunner().invoke(main, ["places"]).exit_code == 0


@pytest.mark.slow
def test_what_was_copied_back_is_the_house_again(
    database: Path, fresh: SecretStr, tmp_path: Path
) -> None:
    asyncio.run(begun(database))
    back = tmp_path / "back.db"
    for pair in ((database, fresh), (fresh, back)):
        assert CliRunner().invoke(main, typed(*pair)).exit_code == 0
    assert CliRunner().invoke(main, ["places"], env={"AZUMAYA_DATABASE": str(back)}).exit_code == 0


def test_a_house_that_runs_is_copied_for_a_trial_only(database: Path, fresh: SecretStr) -> None:
    with asyncio.Runner() as runner, sole_use(database):
        store = runner.run(Store.open(database))
        runner.run(shards.beat(store, seconds=60))
        result = CliRunner().invoke(main, typed(database, fresh))
        using = f"{title(database)}: another Azumaya is using it. Stop it, or use --trial"
        assert result.stderr.splitlines()[-1] == f"Error: {using}"
        assert tables(fresh) == []
        result = CliRunner().invoke(main, [*typed(database, fresh), "--trial"])
        assert (result.exit_code, len(result.stdout.splitlines())) == (0, 1)
        runner.run(store.close())
    asyncio.run(begun(database))


@pytest.mark.slow
def test_what_is_not_as_it_was_the_host_reads(database: Path, fresh: SecretStr) -> None:
    crowd = asyncio.run(begun(database))
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE moves SET notation = 'a1'")
        connection.execute("UPDATE users SET name = ?", ["An\0na"])
    result = CliRunner().invoke(main, typed(database, fresh))
    assert result.exit_code == 0
    assert result.stderr.splitlines()[1:] == [
        *(f"users {one}: NUL removed from a text, PostgreSQL cannot store it." for one in crowd),
        "Game 1 cannot be replayed in either database: flips-nothing.",
    ]
    assert "Active games replayed: 0 of 1." in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["a.db", "postgresql://anna:s3cret@nowhere.invalid/house"],
        ["postgresql://anna:s3cret@nowhere.invalid/house", "a.db"],
        ["postgresql://anna:s3cret@nowhere:port/house", "b.db"],
        ["a.db", "b.db", "postgresql://anna:s3cret@host/house"],
    ],
)
def test_a_password_that_was_typed_is_not_said_again(
    arguments: list[str], database: Path, tmp_path: Path
) -> None:
    database.rename(tmp_path / "a.db")
    result = CliRunner().invoke(main, ["copy", *arguments])
    assert result.exit_code in (1, 2)
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert "Error: " in result.stderr
    assert "s3cret" not in result.stderr


async def test_a_password_can_stand_in_the_environment(
    database: Path, server: Server, fresh: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.execute("GRANT ALL ON SCHEMA public TO locked", database=name_of(fresh))
    without = server.url(name_of(fresh), user="locked")
    monkeypatch.setenv("PGPASSWORD", "wrong")
    assert "password authentication failed" in await refusal(database, without)
    monkeypatch.setenv("PGPASSWORD", "open sesame")
    assert (await copy(database, without)).rows["counters"] == 1
