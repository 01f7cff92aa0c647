"""The check of sizes: what it counts, and when it fails."""

import pytest
from click.testing import CliRunner

from tools import sizes as module
from tools.sizes import Size, main, sizes, table

CONTRACTS = '[[tool.importlinter.contracts]]\ncontainers = ["bot"]\nlayers = ["a", "b | c"]\n'


def counted(**files: str) -> dict[str, Size]:
    paths = {f"{name.replace('__', '/')}.py": text for name, text in files.items()}
    return {size.name: size for size in sizes({"pyproject.toml": CONTRACTS, **paths})}


def test_lines_are_counted_by_folder() -> None:
    found = counted(bot__a="1\n2\n", games__b="3", renderers__c="4\n", tests__d="5\n", docs__e="6")
    assert found["lines of the program"].today == 4
    assert found["lines of tests"].today == 1
    assert found["lines of tools"].today == 0
    assert found["floors of bot"].today == 2


def test_a_file_may_have_600_lines() -> None:
    found = sizes({"pyproject.toml": CONTRACTS, "bot/a.py": "\n" * 600, "bot/b.js": "\n" * 601})
    assert [one.files for one in found if one.files] == [("bot/b.js",)]


def test_the_modules_beside_the_program_are_loose_and_those_in_packages_are_not() -> None:
    found = counted(bot__app="", bot__support__logs="", games__app="")
    assert found["loose modules in bot"].today == 1


def test_private_names_of_libraries_are_counted() -> None:
    found = counted(bot__a="a._b  # noqa: SLF001 - no other way\nc._d  # noqa: SLF001 - our own")
    assert found["private names"].today == 1
    assert found["private names"].files == ("bot/a.py",)


def test_the_table_marks_what_is_over_its_aim() -> None:
    rows = table([Size("a", 8, 5, ("x.py",)), Size("b", 5, 5)]).splitlines()
    assert rows[1].split() == ["a", "8", "5", "too", "large", "x.py"]
    assert rows[2].split() == ["b", "5", "5"]


@pytest.mark.parametrize(("lines", "code"), [(600, 0), (601, 1)])
def test_the_exit_code_says_whether_a_size_is_over_its_aim(
    monkeypatch: pytest.MonkeyPatch, lines: int, code: int
) -> None:
    files = {"pyproject.toml": CONTRACTS, "bot/a.py": "\n" * lines}
    monkeypatch.setattr(module, "_tracked", lambda: files)
    assert CliRunner().invoke(main).exit_code == code


def test_the_files_of_the_project_are_found() -> None:
    assert {"tools/sizes.py", "pyproject.toml"} <= module._tracked().keys()
