"""The command line without a command, with an unknown one, or without a package."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.bot.cli.console import azumaya


def test_without_a_command_it_says_what_there_is() -> None:
    result = azumaya("--help")
    assert result.exit_code == 0
    commands = ("run", "check-config", "migrate", "backup", "copy", "export", "forget", "sudokus")
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
