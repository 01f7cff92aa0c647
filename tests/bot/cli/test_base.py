"""The operator's mistakes are reported in one line, for every command."""

import pytest

from tests.bot.cli.console import DATABASE, DIARY, azumaya, files, problem


@pytest.mark.parametrize(
    "arguments", [("run",), ("migrate",), ("export", "1"), ("backup", "copy.db")]
)
def test_a_damaged_database_is_told_in_a_line(arguments: tuple[str, ...]) -> None:
    DATABASE.write_text(DIARY)
    assert problem(azumaya(*arguments)) == (
        "azumaya.db: the database is damaged (file is not a database); restore a backup"
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
