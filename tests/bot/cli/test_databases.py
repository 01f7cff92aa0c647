"""The database as a whole: migrated, copied, restored, readable by its owner only."""

import json
import re
from pathlib import Path

import pytest

from bot.store import migrate, revisions
from tests.bot.cli.console import DATABASE, azumaya, files, modes, problem


@pytest.mark.usefixtures("next_revision")
def test_the_database_is_migrated() -> None:
    migrate(DATABASE, to=revisions()[0])
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


def test_a_host_says_that_a_database_was_put_back_by_other_means(anna: int) -> None:
    """What comes of it is in tests/bot/store/test_restored.py."""
    told = azumaya("restored").stdout
    assert told.startswith("azumaya.db is recorded as restored.")
    assert azumaya("export", str(anna)).exit_code == 0
    Path("config.toml").write_text('database = "other.db"')
    assert problem(azumaya("restored")) == "other.db: there is no such database"


def test_a_database_is_copied_to_where_there_is_none(anna: int) -> None:
    """More of it, and of servers, in tests/bot/store/test_copying.py."""
    told = azumaya("copy", "azumaya.db", "copy.db")
    assert told.exit_code == 0
    assert told.stdout.startswith("Copied azumaya.db to copy.db: ")
    # A redirected log has no progress bar.
    assert len(told.stderr.splitlines()) == 1
    assert files() == ["azumaya.db", "copy.db"]
    assert azumaya("stay").exit_code == 0
    already = "copy.db: exists already; nothing was written"
    assert problem(azumaya("copy", "azumaya.db", "copy.db")) == already
    itself = "azumaya.db: cannot be copied to where it is"
    assert problem(azumaya("copy", "azumaya.db", "./azumaya.db")) == itself
    nothing = "nowhere.db: there is no such database"
    assert problem(azumaya("copy", "nowhere.db", "other.db")) == nothing
    Path("config.toml").write_text(told.stdout.rpartition("set: ")[2])
    assert json.loads(azumaya("export", str(anna)).stdout)["user"]["name"] == "Anna Ö."


@pytest.mark.parametrize("command", [["backup"], ["restore"]])
def test_a_url_where_a_file_is_wanted_is_refused_without_being_repeated(
    command: list[str],
) -> None:
    result = azumaya(*command, "postgresql://anna:s3@cret@host/house")
    assert result.exit_code == 2
    assert not {"s3", "anna", "host"} & set(re.findall(r"\w+", result.output))
    assert files() == []


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
