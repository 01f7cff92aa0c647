"""A database of any revision becomes one of today, whole, or stays as it was."""

import asyncio
import os
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect

from bot import hosting
from bot.model import Ending, EndingKind
from bot.store import Store, migrate, migrating, revisions, rooms, sessions
from bot.store.schema import REVISION, metadata
from tests.bot.store.looking import fill, refusal, rows, run, tables

TABLES = {table.name for table in metadata.sorted_tables}


@pytest.mark.parametrize("revision", revisions())
def test_a_database_of_every_revision_becomes_one_of_today(path: Path, revision: str) -> None:
    migrate(path, to=revision)
    fill(path)
    # What a house remembers for itself is no data of anybody's.
    ours = {name: name for name in tables(path)} | {
        "memos": "memos WHERE platform != 'house'",
        "sqlite_sequence": "sqlite_sequence WHERE 0",
    }
    before = {name: rows(path, f"SELECT count(*) FROM {ours[name]}") for name in tables(path)}
    migrate(path)
    assert tables(path) >= TABLES
    assert rows(path, "SELECT version_num FROM alembic_version") == [(revisions()[-1],)]
    assert rows(path, "PRAGMA foreign_key_check") == []
    after = {name: rows(path, f"SELECT count(*) FROM {ours[name]}") for name in before}
    assert after == before


@pytest.mark.parametrize("revision", revisions())
def test_migrations_lead_to_the_schema_that_the_code_has(path: Path, revision: str) -> None:
    migrate(path, to=revision)
    migrate(path)
    made = create_engine(f"sqlite:///{path}")
    with made.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    made.dispose()


def test_keys_and_what_becomes_of_rows_that_refer_to_others_are_those_that_the_code_says(
    path: Path,
) -> None:
    """Which is what comparing schemas leaves out."""
    migrate(path)
    made = create_engine(f"sqlite:///{path}")
    found = inspect(made)
    for table in metadata.sorted_tables:
        keys = found.get_pk_constraint(table.name)["constrained_columns"]
        assert keys == [column.name for column in table.primary_key], table
        refers = {
            (key["constrained_columns"][0], key["options"].get("ondelete"))
            for key in found.get_foreign_keys(table.name)
        }
        assert refers == {(key.parent.name, key.ondelete) for key in table.foreign_keys}, table
        ((sql,),) = rows(path, f"SELECT sql FROM sqlite_master WHERE name = '{table.name}'")
        counts_on = bool(table.dialect_options["sqlite"]["autoincrement"])
        assert ("AUTOINCREMENT" in str(sql)) == counts_on, table
    made.dispose()


def test_names_of_before_get_skeletons_and_who_came_later_none(path: Path) -> None:
    migrate(path, to="0003")
    names = {1: "Anna", 2: "\u0410nna", 3: "Ben", 4: "Anna"}
    run(
        path,
        *(
            f"INSERT INTO users VALUES ({id_}, '{name}', NULL, '{{}}', 1)"
            for id_, name in names.items()
        ),
        *(
            f"INSERT INTO identities VALUES ('{'web' if id_ < 4 else 'discord'}', '{id_}', {id_},"
            f" '{name.casefold()}')"
            for id_, name in names.items()
        ),
        "INSERT INTO places VALUES (1, 'web', 'lounge', 'channel', '', '{}', 1)",
        "INSERT INTO matches VALUES (1, 'othello', 1, '{}', '', 'over', 1, 0, 1, 3, NULL, NULL,"
        " NULL, NULL, 1, 1)",
        "INSERT INTO seats VALUES (1, 0, 3)",
    )
    migrate(path)
    found = rows(path, "SELECT user_id, skeleton FROM identities ORDER BY user_id")
    assert found == [(1, "anna"), (2, None), (3, "ben"), (4, "anna")]
    # Whoever has played, or is not of the web table, stays; for the others time begins now.
    idle = rows(path, "SELECT id FROM users WHERE idle_since > created ORDER BY id")
    assert idle == [(1,), (2,)]


def test_whoever_had_a_cookie_has_a_session_and_their_room_afterwards(path: Path) -> None:
    migrate(path, to="0003")
    anna = "a" * 64
    run(
        path,
        "INSERT INTO users VALUES (7, 'Anna', NULL, '{}', 123), (8, 'Ben', NULL, '{}', 124)",
        f"INSERT INTO identities VALUES ('web', '{anna}', 7, 'anna'), ('discord', '42', 8, NULL)",
        f"INSERT INTO places VALUES (5, 'web', '{anna}', 'direct', 'Azumaya', '{{}}', 123)",
    )
    migrate(path)
    found = rows(path, "SELECT user_id, token_hash, made, ended FROM sessions")
    assert found == [(7, anna, 123, None)]
    assert rows(path, "SELECT external FROM identities WHERE user_id = 7") == [(anna,)]

    async def asked() -> None:
        store = await Store.open(path)
        known = await sessions.by_token(store, "web", anna)
        assert known is not None
        assert (known.user.name, known.external) == ("Anna", anna)
        await store.close()

    asyncio.run(asked())


def test_stamps_and_numbers_of_messages_go_on_where_they_were(path: Path) -> None:
    migrate(path, to="0003")
    run(
        path,
        "INSERT INTO places VALUES (5, 'web', 'lounge', 'channel', '#lounge', '{}', 1)",
        'INSERT INTO messages VALUES (3, 30, 5, NULL, NULL, \'{"text": "x"}\', 0, 1)',
        "INSERT INTO messages VALUES (9, 12, 5, NULL, NULL, NULL, 1, 1)",
    )
    migrate(path)
    assert rows(path, "SELECT id, stamp, gone FROM messages ORDER BY id") == [
        (3, 30, 0),
        (9, 12, 1),
    ]
    run(path, "DELETE FROM messages")

    async def said() -> rooms.Message:
        store = await Store.open(path)
        message = await rooms.add(store, 5, author_id=None, screen={"text": "y"})
        await store.close()
        return message

    message = asyncio.run(said())
    assert (message.id, message.stamp) == (10, 31)


_START = "...........................OX......XO........................... X"


_BOX = "h8 a7 c4 b2 a1"


ENDED: dict[int, tuple[str, int, str | None, tuple[str | None, int | None]]] = {
    1: ("running", 2, None, (None, None)),
    2: ("over", 2, '{"winners": [0], "reason": "discs", "scores": [40, 24]}', ("rules", None)),
    3: ("over", 2, '{"winners": [], "reason": "draw", "scores": [32, 32]}', ("rules", None)),
    4: ("over", 2, '{"winners": [1], "reason": "resigned", "scores": [2, 2]}', ("resigned", 0)),
    5: ("over", 2, '{"winners": [0], "reason": "resigned", "scores": [2, 2]}', ("resigned", 1)),
    6: ("over", 1, '{"winners": [], "reason": "guessed", "scores": [12]}', ("rules", None)),
    7: ("over", 1, '{"winners": [], "reason": "resigned", "scores": [25]}', ("resigned", 0)),
    8: ("declined", 0, None, (None, None)),
    9: ("proposed", 0, None, (None, None)),
}
"""Match -> status, number of seats and outcome as they were; ending and seat as they are now."""


def ended_once(path: Path) -> None:
    """A database of the first revision, with matches that have ended in every way there was."""
    migrate(path, to="0001")
    said = ["INSERT INTO places VALUES (1, 'web', 'lounge', 'channel', '#lounge', '{}', 1)"]
    said += [f"INSERT INTO users VALUES ({user}, 'U{user}', NULL, '{{}}', 1)" for user in (1, 2)]
    for match, (status, seats, outcome, _) in ENDED.items():
        game, setup = ("blackbox", _BOX) if seats == 1 else ("othello", _START if seats else "")
        options = {"othello": '{"rules": "othello"}'}.get(
            game, '{"mode": "solo", "size": "8", "stones": "5", "fair": "yes"}'
        )
        told = f"'{outcome}'" if outcome else "NULL"
        said.append(
            f"INSERT INTO matches VALUES ({match}, '{game}', 1, '{options}', '{setup}', '{status}',"
            f" 3, 1, 1, 1, NULL, NULL, NULL, {told}, 1, 1)"
        )
        said += [f"INSERT INTO seats VALUES ({match}, {at}, {at + 1})" for at in range(seats)]
    run(path, *said)


@pytest.mark.parametrize("revision", revisions()[: revisions().index("0008")])
async def test_matches_that_had_ended_know_how_and_by_whom(path: Path, revision: str) -> None:
    ended_once(path)
    migrate(path, to=revision)
    outcomes = rows(path, "SELECT id, outcome FROM matches")
    migrate(path)
    found = rows(path, "SELECT id, ending, ended_by FROM matches ORDER BY id")
    assert found == [(match, *ending) for match, (*_, ending) in ENDED.items()]
    assert rows(path, "SELECT id, outcome FROM matches") == outcomes
    on_turn = rows(path, "SELECT id FROM matches WHERE turn != 0 AND status = 'over'")
    assert on_turn == []
    # And they are read as that.
    store = await Store.open(path)
    matches = hosting.matches_of(store)
    for match, (status, _, _, (kind, by)) in ENDED.items():
        loaded = await matches.get(match)
        assert loaded.match.status.value == status
        assert loaded.match.ending == (Ending(EndingKind(kind), by) if kind else None)
    assert (await matches.get(7)).view(None).stones == tuple(reversed(_BOX.split()))
    assert (await matches.get(1)).turn == {0}
    await store.close()


MADE_OTHERWISE = {
    # 22ea80b had the offers of matches as 0019, which are 0020 by now.
    ("0018", "0019"): ("ALTER TABLE matches ADD COLUMN offers TEXT",),
    ("0020", "0019"): (),
    ("0034", "0034"): ("DROP TABLE puzzles",),
}


@pytest.mark.parametrize(("made", "says"), MADE_OTHERWISE)
def test_a_database_of_a_commit_that_numbered_otherwise_is_refused_and_left(
    path: Path, made: str, says: str
) -> None:
    migrate(path, to=made)
    run(
        path,
        *MADE_OTHERWISE[made, says],
        f"UPDATE alembic_version SET version_num = '{says}'",
        # Somebody else's, which concerns nobody.
        "CREATE TABLE large (what)",
    )
    before = rows(path, "SELECT sql FROM sqlite_master")
    line = refusal(path)
    assert line.startswith(f"it says that it is of revision {says}, and ")
    assert "a commit that numbered its migrations otherwise has made it" in line
    assert "It was left as it was" in line
    assert rows(path, "SELECT sql FROM sqlite_master") == before
    assert rows(path, "SELECT version_num FROM alembic_version") == [(says,)]


def test_the_newest_migration_is_known_without_a_look_at_all() -> None:
    assert revisions()[-1] == REVISION


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


@pytest.fixture
def one_more_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file for a revision after the newest."""
    versions = tmp_path / "versions"
    versions.mkdir()
    ours = Path(migrating.__file__).parent / "migrations" / "versions"
    before = migrating._alembic

    def with_one_more() -> Config:
        config = before()
        config.set_main_option("version_locations", f"{ours}{os.pathsep}{versions}")
        return config

    newest = revisions()[-1]
    monkeypatch.setattr(migrating, "_alembic", with_one_more)
    monkeypatch.setattr(migrating, "REVISION", "9999")
    file = versions / "9999_later.py"
    file.write_text(
        "import sqlalchemy as sa\n"
        "from alembic import op\n"
        f"revision, down_revision = '9999', {newest!r}\n"
        "branch_labels = depends_on = None\n"
    )
    return file


def test_a_later_revision_that_rebuilds_a_table_loses_nothing(
    good: Path, one_more_revision: Path
) -> None:
    with one_more_revision.open("a") as file:
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
    good: Path, one_more_revision: Path
) -> None:
    with one_more_revision.open("a") as file:
        file.write(
            "def upgrade():\n"
            "    op.create_table('half', sa.Column('id', sa.Integer))\n"
            "    op.execute('DELETE FROM memos')\n"
            "    op.execute('SELECT * FROM nowhere')\n"
        )
    assert "nowhere" in refusal(good)
    assert "half" not in tables(good)
    assert rows(good, "SELECT count(*) FROM memos") == [(2,)]


def test_a_revision_that_breaks_references_is_taken_back(
    good: Path, one_more_revision: Path
) -> None:
    with one_more_revision.open("a") as file:
        file.write("def upgrade():\n    op.execute('DELETE FROM places')\n")
    assert refusal(good).endswith(" refers to nothing")
    assert rows(good, "SELECT count(*) FROM places") == [(1,)]
