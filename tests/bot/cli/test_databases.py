"""The database as a whole: migrated, copied, restored, readable by its owner only."""

import json
import re
from pathlib import Path

import pytest

from bot.store import migrate
from bot.store.schema import REVISION
from tests.bot.cli.console import DATABASE, azumaya, files, modes, problem


@pytest.mark.usefixtures("next_revision")
def test_the_database_is_migrated() -> None:
    migrate(DATABASE, to=REVISION)
    assert azumaya("migrate").stdout == "azumaya.db is up to date.\n"
    assert azumaya("migrate").exit_code == 0


def test_a_backup_is_made_once(anna: int) -> None:
    assert azumaya("backup", "copy.db").stdout == "Copied to copy.db.\n"
    assert problem(azumaya("backup", "copy.db")) == ("copy.db: exists already; nothing was written")
    Path("config.toml").write_text("database = 'copy.db'\n")
    assert json.loads(azumaya("export", str(anna)).stdout)["user"]["name"] == "Anna Ö."


def test_a_backup_is_put_in_the_place_of_the_database_which_is_kept(anna: int) -> None:
    azumaya("backup", "copy.db")
    azumaya("forget", "--yes", str(anna))
    result = azumaya("restore", "copy.db")
    assert (result.exit_code, result.stderr) == (0, "")
    first, second = result.stdout.splitlines()
    assert first == "Restored azumaya.db from copy.db."
    kept = re.fullmatch(r"The old database is kept as \S+/(azumaya\.db\.replaced-\S+)\. .*", second)
    assert kept
    assert files() == ["azumaya.db", kept[1], "copy.db"]
    assert azumaya("export", str(anna)).exit_code == 0
    assert problem(azumaya("restore", "other.db")) == "other.db: there is no such backup"


def test_a_database_is_copied_to_where_there_is_none(anna: int) -> None:
    """More of it, and of servers, in tests/bot/store/database/test_copying.py."""
    result = azumaya("copy", "azumaya.db", "copy.db")
    assert (result.exit_code, result.stderr) == (0, "")
    assert re.match(
        r"Copied azumaya\.db to copy\.db: \d+ rows \(users: 1, games: 0\)\.\n", result.stdout
    )
    assert files() == ["azumaya.db", "copy.db"]
    full = "copy.db: is not empty; nothing was written"
    assert problem(azumaya("copy", "azumaya.db", "copy.db")) == full
    nothing = "nowhere.db: there is no such database"
    assert problem(azumaya("copy", "nowhere.db", "other.db")) == nothing
    Path("config.toml").write_text(result.stdout.rpartition("set: ")[2])
    assert json.loads(azumaya("export", str(anna)).stdout)["user"]["name"] == "Anna Ö."


@pytest.mark.parametrize(
    "command",
    [
        ["backup", "postgresql://anna:s3cret@nowhere.invalid/house"],
        ["restore", "postgresql://anna:s3cret@nowhere.invalid/house"],
        ["copy", "azumaya.db", "postgresql://anna:s3cret@nowhere.invalid/house"],
        ["copy", "postgresql://anna:s3cret@nowhere:port/house", "b.db"],
        ["copy", "azumaya.db", "b.db", "postgresql://anna:s3cret@host/house"],
    ],
)
@pytest.mark.usefixtures("anna")
def test_a_password_in_an_argument_is_not_repeated(command: list[str]) -> None:
    result = azumaya(*command)
    assert result.exit_code in (1, 2)
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert "Error: " in result.stderr
    assert "s3cret" not in result.stderr
    assert files() == ["azumaya.db"]


@pytest.mark.parametrize("command", [["backup"], ["copy", "azumaya.db"]], ids=lambda one: one[0])
@pytest.mark.usefixtures("anna")
def test_a_name_that_no_file_can_have_is_told_in_a_line(command: list[str]) -> None:
    long = "x" * 300 + ".db"
    line = problem(azumaya(*command, long))
    assert line.endswith(f"{long}: File name too long")


@pytest.mark.parametrize("command", [("migrate",), ("backup", "copy.db")])
def test_nobody_else_may_read_what_a_command_writes(
    usual_mask: None, anna: int, command: tuple[str, ...]
) -> None:
    assert azumaya(*command).exit_code == 0
    assert set(modes().values()) == {"600"}
