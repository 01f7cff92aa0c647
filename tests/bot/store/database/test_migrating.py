"""Migrations from an earlier revision: complete, or not done."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect

from bot.store import migrate, revisions
from bot.store.schema import REVISION, metadata
from tests.bot.store.looking import fill, refusal, rows, run, tables

FIRST_RELEASE = Path(__file__).with_name("release_0_1_0.sqlite.sql")
TABLES = {table.name for table in metadata.sorted_tables}


@pytest.fixture
def old(path: Path) -> Path:
    """Return a new database of release 0.1.0."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FIRST_RELEASE.read_text())
    return path


@pytest.fixture(params=["new", "old"])
def migrated(request: pytest.FixtureRequest, path: Path) -> Path:
    if request.param == "old":
        request.getfixturevalue("old")
    migrate(path)
    return path


def test_the_migrations_lead_to_the_schema_that_the_code_has(migrated: Path) -> None:
    made = create_engine(f"sqlite:///{migrated}")
    with made.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    made.dispose()


def test_keys_and_what_becomes_of_rows_that_refer_to_others_are_those_that_the_code_says(
    migrated: Path,
) -> None:
    """Which is what comparing schemas leaves out."""
    made = create_engine(f"sqlite:///{migrated}")
    found = inspect(made)
    for table in metadata.sorted_tables:
        keys = found.get_pk_constraint(table.name)["constrained_columns"]
        assert keys == [column.name for column in table.primary_key], table
        refers = {
            (key["constrained_columns"][0], key["options"].get("ondelete"))
            for key in found.get_foreign_keys(table.name)
        }
        assert refers == {(key.parent.name, key.ondelete) for key in table.foreign_keys}, table
        ((sql,),) = rows(migrated, f"SELECT sql FROM sqlite_master WHERE name = '{table.name}'")
        counts_on = bool(table.dialect_options["sqlite"]["autoincrement"])
        assert ("AUTOINCREMENT" in str(sql)) == counts_on, table
    made.dispose()


def test_a_new_database_has_the_rows_that_migrations_add(migrated: Path) -> None:
    assert rows(migrated, "SELECT platform, key, length(value) FROM memos ORDER BY key") == [
        ("house", "button-key", 64),
        ("web", "push-key", 64),
    ]
    assert rows(migrated, "SELECT * FROM counters") == [("messages.stamp", 0)]


def test_the_newest_migration_is_known_without_a_look_at_all() -> None:
    assert revisions()[-1] == REVISION


def test_names_of_earlier_users_keep_others_away(old: Path) -> None:
    for number, platform, name in ((1, "web", "Anna!"), (2, "web", "Anna 2"), (3, "chat", "Anna")):
        run(
            old,
            "INSERT INTO users (id, name, settings, created) "
            f"VALUES ({number}, '{name}', '{{}}', 0)",
            "INSERT INTO identities (platform, external, user_id, skeleton) "
            f"VALUES ('{platform}', '{number}', {number}, lower('{name}'))",
        )
    migrate(old)
    assert rows(old, "SELECT skeleton, letters FROM identities ORDER BY user_id") == [
        ("anna", "anna"),
        ("anna2", None),
        (None, None),
    ]


@pytest.mark.parametrize("exists", [False, True])
def test_no_file_and_an_empty_file_become_a_database(path: Path, *, exists: bool) -> None:
    if exists:
        path.touch()
    migrate(path)
    assert tables(path) >= TABLES


def test_migrating_twice_changes_nothing(good: Path) -> None:
    before = good.read_bytes()
    migrate(good)
    assert good.read_bytes() == before


def test_a_later_revision_that_rebuilds_a_table_loses_nothing(
    good: Path, next_revision: Path
) -> None:
    with next_revision.open("a") as file:
        file.write(
            "def upgrade():\n"
            "    with op.batch_alter_table('matches', recreate='always') as batch:\n"
            "        batch.add_column(sa.Column('note', sa.String(8)))\n"
        )
    migrate(good)
    for table in ("matches", "seats", "moves", "boards", "results"):
        assert rows(good, f"SELECT count(*) FROM {table}") == [(1,)], table
    assert rows(good, "PRAGMA foreign_key_check") == []


def test_a_revision_that_fails_half_way_leaves_the_database_as_it_was(
    good: Path, next_revision: Path
) -> None:
    with next_revision.open("a") as file:
        file.write(
            "def upgrade():\n"
            "    op.create_table('half', sa.Column('id', sa.Integer))\n"
            "    op.execute('DELETE FROM memos')\n"
            "    op.execute('SELECT * FROM nowhere')\n"
        )
    assert "nowhere" in refusal(good)
    assert "half" not in tables(good)
    assert rows(good, "SELECT count(*) FROM memos") == [(3,)]


def test_a_revision_that_breaks_references_is_taken_back(good: Path, next_revision: Path) -> None:
    with next_revision.open("a") as file:
        file.write("def upgrade():\n    op.execute('DELETE FROM places')\n")
    assert refusal(good).endswith(" refers to nothing")
    assert rows(good, "SELECT count(*) FROM places") == [(1,)]


def test_matches_of_the_first_release_wait_since_their_last_change(old: Path) -> None:
    fill(old)
    run(old, "UPDATE matches SET status = 'running', due = NULL, updated = 7")
    migrate(old)
    assert rows(old, "SELECT look_at, nudged FROM matches") == [(7 + 24 * 3600, None)]
