"""The command line as a whole: what it says, and mistakes reported in one line."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.bot.cli.console import DATABASE, DIARY, azumaya, files, problem


def test_without_a_command_it_says_what_there_is() -> None:
    result = azumaya("--help")
    assert result.exit_code == 0
    commands = ("run", "check-config", "migrate", "backup", "copy", "export", "forget")
    for command in commands:
        assert re.search(rf"^  {command}  +\S", result.stdout, re.MULTILINE), command
        assert azumaya(command, "--help").exit_code == 0


def test_the_version_is_that_of_the_project() -> None:
    project = Path(__file__).parents[3] / "pyproject.toml"
    version = tomllib.loads(project.read_text("utf-8"))["project"]["version"]
    assert azumaya("--version").stdout == f"Azumaya, version {version}\n"


def test_an_unknown_command_is_refused() -> None:
    result = azumaya("dance")
    assert result.exit_code == 2
    assert "No such command 'dance'" in result.stderr


@pytest.mark.slow
def test_a_package_that_is_missing_is_told_in_a_line_whatever_is_typed() -> None:
    without = "import sys; sys.modules['aiohttp'] = None; import bot.__main__"
    done = subprocess.run(
        [sys.executable, "-c", without], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("Error: the package aiohttp is missing. ")


@pytest.mark.parametrize(
    "arguments", [("run",), ("migrate",), ("export", "1"), ("backup", "copy.db")]
)
def test_a_damaged_database_is_told_in_a_line(arguments: tuple[str, ...]) -> None:
    DATABASE.write_text(DIARY)
    assert problem(azumaya(*arguments)) == (
        "azumaya.db: the database is damaged (file is not a database); restore a sound backup"
    )
    assert files() == ["azumaya.db"]


@pytest.mark.parametrize("arguments", [("export", "1"), ("backup", "copy.db")])
def test_where_there_is_no_database_none_is_made(arguments: tuple[str, ...]) -> None:
    assert problem(azumaya(*arguments)) == "azumaya.db: there is no such database"
    assert files() == []


@pytest.mark.parametrize("command", ["run", "export"])
def test_a_database_whose_name_no_file_can_have_is_told_in_a_line(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZUMAYA_DATABASE", long := "x" * 300 + ".db")
    result = azumaya(command, *(["1"] if command == "export" else []))
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].endswith(f"{long}: File name too long")
