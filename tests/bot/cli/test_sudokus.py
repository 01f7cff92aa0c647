"""Generating sudokus needs no bot."""

import re

from tests.bot.cli.console import azumaya


def test_sudokus_are_made() -> None:
    first = azumaya("sudokus", "1", "--seed", "x")
    assert first.exit_code == 0
    assert re.fullmatch(r"[0-9.]{81}\n", first.stdout)
    assert azumaya("sudokus", "0").exit_code == 2
