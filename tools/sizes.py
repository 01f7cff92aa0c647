"""Compare the sizes of the project with their aims: ``python -m tools.sizes``.

Exits with 1 if a size is over its aim.
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import click

ROOT = Path(__file__).parents[1]

_PROGRAM = ("bot", "games", "renderers")


class Size(NamedTuple):
    """A size of today, what it should be at most, and the files that it comes from."""

    name: str
    today: int
    aim: int
    files: tuple[str, ...] = ()


@click.command(help=__doc__)
def main() -> None:
    found = list(sizes(_tracked()))
    click.echo(table(found))
    sys.exit(any(size.today > size.aim for size in found))


def _tracked() -> dict[str, str]:
    command = ["git", "ls-files", "*.py", "bot/fronts/page/*.js", "pyproject.toml"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    paths = (path for path in listed.stdout.splitlines() if (ROOT / path).is_file())
    return {path: (ROOT / path).read_text("utf-8") for path in paths}


def table(found: list[Size]) -> str:
    """Return the sizes as a table."""
    rows = [f"{'':21}{'today':>8}{'aim':>8}"]
    for size in found:
        row = f"{size.name:21}{size.today:8,}{size.aim:8,}"
        marks = ["too large"] * (size.today > size.aim)
        rows.append("  ".join([row, *marks, *size.files]))
    return "\n".join(rows)


def sizes(files: Mapping[str, str]) -> Iterator[Size]:
    """Yield the sizes of a project, which is given as path -> text."""
    lines = {path: len(text.splitlines()) for path, text in files.items() if path.endswith(".py")}
    program = {path: count for path, count in lines.items() if path.split("/")[0] in _PROGRAM}
    yield Size("lines of the program", sum(program.values()), 54_000)
    for folder, aim in (("tests", 62_000), ("tools", 13_000)):
        counts = (count for path, count in lines.items() if path.startswith(f"{folder}/"))
        yield Size(f"lines of {folder}", sum(counts), aim)
    long = tuple(one for one in files if one.startswith(_PROGRAM) and files[one].count("\n") > 600)
    yield Size("files over 600 lines", len(long), 0, long)
    loose = [path for path in program if re.fullmatch(r"bot/(?!__)\w+\.py", path)]
    yield Size("loose modules in bot", len(loose), 4)
    contracts = tomllib.loads(files["pyproject.toml"])["tool"]["importlinter"]["contracts"]
    (floors,) = (one["layers"] for one in contracts if one.get("containers") == ["bot"])
    yield Size("floors of bot", len(floors), 9)
    noted = re.compile(r"noqa: SLF001(?!.*our own)")
    private = {one: len(noted.findall(files[one])) for one in program if one.startswith("bot/")}
    users = tuple(path for path, count in private.items() if count)
    yield Size("private names", sum(private.values()), 0, users)


if __name__ == "__main__":
    main()
