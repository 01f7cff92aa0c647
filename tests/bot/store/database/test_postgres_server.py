"""PostgreSQL: servers and databases that are refused, and how errors name them."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from pydantic import SecretStr
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import create_async_engine

from bot.store import Store, backup, migrate, revisions, title
from bot.store.database import migrating, postgres_server
from bot.store.schema import metadata
from bot.support import logs
from bot.support.errors import StoreBusyError, StoreError
from bot.support.settings import Settings
from tests.bot.failing import fails
from tests.postgres import Server

FIRST_RELEASE = Path(__file__).with_name("release_0_1_0.postgresql.sql")

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("_engine_of_store")]


@pytest.fixture
def fresh(server: Server, _engine_of_store: str) -> Iterator[str]:
    """Yield the name of a database without tables."""
    with server.bare() as name:
        yield name


def refusal(address: SecretStr) -> str:
    """Return the line with which both ways to open a database refuse it."""
    with pytest.raises(StoreError) as by_migrating:
        migrate(address)
    with pytest.raises(StoreError) as by_opening:
        asyncio.run(Store.open(address))
    line = str(by_migrating.value)
    assert line == str(by_opening.value)
    assert len(line.splitlines()) == 1
    assert line.startswith(f"{title(address)}: ")
    return line.removeprefix(f"{title(address)}: ")


# Migrations


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return list(compare_metadata(context, metadata))


def connecting(address: SecretStr) -> Awaitable[Any]:
    """Connect without a limit of idle time in a transaction."""
    return postgres_server.connect(address, idle_in_transaction_session_timeout="0")


@pytest.mark.parametrize("is_old", [False, True])
def test_migrations_lead_to_the_schema_that_the_code_has(
    server: Server, fresh: str, *, is_old: bool
) -> None:
    address = server.url(fresh)
    if is_old:
        server.execute(FIRST_RELEASE.read_text(), database=fresh)
    migrate(address)

    async def compared() -> list[object]:
        engine = create_async_engine(
            "postgresql+asyncpg://", async_creator=lambda *_, **__: connecting(address)
        )
        async with engine.connect() as connection:
            found = await connection.run_sync(differences)
        await engine.dispose()
        return found

    assert asyncio.run(compared()) == []
    sorted_otherwise = (
        "SELECT count(*) FROM information_schema.columns WHERE table_schema = 'public'"
        " AND table_name != 'alembic_version'"
        " AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'"
    )
    assert server.execute(sorted_otherwise, database=fresh) == [(0,)]
    assert server.execute("SELECT nextval('written')", database=fresh) == [(1,)]
    small = "SELECT count(*) FROM pg_sequences WHERE data_type != 'bigint'::regtype"
    assert server.execute(small, database=fresh) == [(0,)]


async def test_of_several_processes_that_migrate_at_once_one_does_it(
    server: Server, fresh: str
) -> None:
    address = server.url(fresh)
    await asyncio.gather(*(asyncio.to_thread(migrate, address) for _ in range(4)))
    found = server.execute("SELECT version_num FROM alembic_version", database=fresh)
    assert found == [(revisions()[-1],)]


# Servers and databases that are refused


def test_a_wrong_password_is_refused_and_stands_nowhere(server: Server) -> None:
    address = server.url("house", user="locked", password="not-open-sesame")
    assert refusal(address) == 'password authentication failed for user "locked"'
    assert "not-open-sesame" not in f"{title(address)} {address!r} {Settings(database=address)!r}"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://anna:sec/ret@nowhere:port/azumaya",
        "postgresql://anna:secret@[/azumaya",
        "postgresql://anna:secret@127.0.0.1:99999/azumaya",
        "postgresql://anna:secret@host/azumaya?sslmode=perhaps",
        "postgresql://anna:a@secret@127.0.0.1:1/azumaya",
        "postgresql://anna:a@secret#or/other@127.0.0.1:1/azumaya",
    ],
)
def test_what_is_no_url_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(StoreError) as refused:
        migrate(SecretStr(url))
    line = str(refused.value)
    assert len(line.splitlines()) == 1
    assert "sec" not in line
    assert "anna" not in line


def test_a_server_that_is_too_old_is_refused(
    server: Server, fresh: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_server, "OLDEST", 99)
    assert refusal(server.url(fresh)).endswith(" is too old; 99 is the oldest")
    assert tables(server, fresh) == set()


def tables(server: Server, name: str) -> set[object]:
    query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    return {row[0] for row in server.execute(query, database=name)}


@pytest.mark.parametrize(
    "made",
    [
        ["CREATE TABLE recipes (name text)"],
        # Theirs may know Alembic as well, and its revisions may be called as ours.
        [
            "CREATE TABLE alembic_version (version_num varchar(32))",
            "INSERT INTO alembic_version VALUES ('0003')",
        ],
    ],
)
def test_somebody_elses_database_is_refused_and_left_alone(
    server: Server, fresh: str, made: list[str]
) -> None:
    server.execute(*made, database=fresh)
    before = tables(server, fresh)
    assert refusal(server.url(fresh)) == "is a database, but not one of Azumaya"
    assert tables(server, fresh) == before


def test_a_newer_database_is_refused_and_left_alone(server: Server, fresh: str) -> None:
    migrate(server.url(fresh))
    server.execute("UPDATE alembic_version SET version_num = '9999'", database=fresh)
    said = "was written by a newer Azumaya (revision 9999)"
    assert refusal(server.url(fresh)) == said


def test_a_database_that_can_only_be_read_is_refused(server: Server, fresh: str) -> None:
    server.execute(f"ALTER DATABASE {fresh} SET default_transaction_read_only = on")
    assert refusal(server.url(fresh)) == "can only be read; it may be a standby"


def test_a_database_without_a_schema_for_us_is_refused(server: Server, fresh: str) -> None:
    server.execute(f"ALTER DATABASE {fresh} SET search_path = nowhere")
    assert refusal(server.url(fresh)) == "there is no schema that this user may use"
    assert tables(server, fresh) == set()


def test_a_database_of_another_encoding_is_refused(server: Server) -> None:
    server.execute("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1'")
    try:
        assert refusal(server.url("latin")) == "its encoding is LATIN1; it must be UTF8"
    finally:
        server.execute("DROP DATABASE latin WITH (FORCE)")


def test_data_that_a_migration_does_not_fit_are_told_in_a_line(
    server: Server, fresh: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(connection: Connection, _to: str, **_given: object) -> None:
        connection.exec_driver_sql("CREATE TABLE half (id int PRIMARY KEY)")
        connection.exec_driver_sql("INSERT INTO half VALUES (1), (1)")

    monkeypatch.setattr(migrating, "upgrade", broken)
    assert "cannot be migrated: " in refusal(server.url(fresh))
    assert tables(server, fresh) == set()


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (TimeoutError(), "it does not answer"),
        (ConnectionRefusedError(111, "Connection refused"), "it cannot be reached (Connection"),
        (OSError("no route"), "it cannot be reached (no route)"),
        (asyncpg.InterfaceError("one\ntwo"), "one"),
        (asyncpg.InterfaceError(""), "InterfaceError"),
    ],
    ids=repr,
)
def test_why_a_server_cannot_be_had_is_told_in_a_line(
    monkeypatch: pytest.MonkeyPatch, error: Exception, why: str
) -> None:
    fails(monkeypatch, asyncpg, "connect", error)
    address = SecretStr("postgresql://u:s3cret@host/house")
    with pytest.raises(StoreBusyError) as refused:
        migrate(address)
    line = str(refused.value)
    assert line.startswith(f"postgresql://host/house: {why}")
    assert len(line.splitlines()) == 1


@pytest.mark.parametrize(
    "url", ["postgresql://u:s3cret@host/house", "postgresql:///x?password=s3cret"]
)
def test_no_log_has_the_password_of_a_database(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    fails(monkeypatch, asyncpg, "connect", ConnectionRefusedError(111, "Connection refused"))
    monkeypatch.setenv("PGPASSWORD", "0th3rs3cret")
    for way_in in (lambda address: asyncio.run(Store.open(address)), migrate):
        monkeypatch.setattr(logs, "_secrets", set())
        with pytest.raises(StoreError):
            way_in(SecretStr(url))
        for line in ("by s3cret", "by 0th3rs3cret", f"at {url}"):
            assert "s3cret" not in logs.without_secrets(line)
        # Nor the name of the host, wherever else it stands.
        assert "/house" not in logs.without_secrets(f"at {url}")


@pytest.mark.slow
def test_without_the_extra_one_line_says_what_is_missing() -> None:
    asked = (
        "import sys; sys.modules['asyncpg'] = None\n"
        "from pydantic import SecretStr\n"
        "from bot.support.errors import StoreError\n"
        "from bot.store import migrate\n"
        "try: migrate(SecretStr('postgresql://x/y'))\n"
        "except StoreError as error: print(error)\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True
    )
    assert found.stdout == (
        "PostgreSQL needs the extra postgres. To install it: in a clone, pip install "
        "-c constraints/run.txt -e '.[postgres]'\n"
    )


def test_a_backup_is_the_servers_business(database: SecretStr, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="pg_dump"):
        backup(database, tmp_path / "copy.db")
    assert not list(tmp_path.iterdir())
