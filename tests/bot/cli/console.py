"""An operator's console session and its results."""

from pathlib import Path

from click.testing import CliRunner, Result

from bot.cli import main

DATABASE = Path("azumaya.db")


DIARY = "My diary. " * 500


def azumaya(*arguments: str, said: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=said)


def files() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def problem(result: Result) -> str:
    """Check that a command failed with one line, and return the line."""
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return str(line).removeprefix("Error: ")


def modes() -> dict[str, str]:
    return {path.name: f"{path.stat().st_mode & 0o777:o}" for path in Path().iterdir()}
