"""A new game needs three files and no edits: rules, pictures, and words in every language.

`files` has Connect Four, a small complete game. It is copied into a copy of the project. There the
project's tests of every game run on it, and none of them names it.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import copy2, copytree, ignore_patterns

import pytest

from bot.support.texts import LANGUAGES
from tests.postgres import Server, why_not

ROOT = Path(__file__).parents[2]
FILES = Path(__file__).parent / "files"
COPIED = ("bot", "constraints", "games", "renderers", "tests", "tools")

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the project to another folder, and add the game."""
    folder = tmp_path_factory.mktemp("copy")
    for name in COPIED:
        copytree(ROOT / name, folder / name, ignore=ignore_patterns("node_modules", "sixth_game"))
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md"):
        copy2(ROOT / name, folder)
    for file in sixth():
        assert not (folder / file).exists(), "a new game edits nothing"
        copy2(FILES / file, folder / file)
    return folder


def sixth() -> list[Path]:
    """Return the game's files, relative to the project."""
    found = (path.relative_to(FILES) for path in FILES.rglob("*") if path.is_file())
    return sorted(path for path in found if "__pycache__" not in path.parts)


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a Python module in the copy."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST", "AZUMAYA"))
    }
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def pytest_in(request: pytest.FixtureRequest) -> Run:
    """Run tests in the copy, one run after another: ``pytest_in(copy, "tests/…")``.

    They use the PostgreSQL that is already running.
    """
    words = ["-q", "-m", "", "-p", "no:cacheprovider"]
    if not why_not():
        server: Server = request.getfixturevalue("server")
        words.append(f"--server={server.folder}")
    return lambda folder, *more: run(folder, "pytest", *words, *more)


def passed(done: subprocess.CompletedProcess[str]) -> int:
    """Return how many tests passed, and fail if one did not."""
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(r"(\d+) passed", done.stdout)
    assert found, done.stdout
    return int(found[1])


def test_a_game_is_its_rules_its_pictures_and_its_words_in_every_language() -> None:
    words = [Path("bot", "locales", language, "connect4.ftl") for language in LANGUAGES]
    assert sixth() == sorted([Path("games/connect4.py"), Path("renderers/connect4.py"), *words])


CONTRACT = (
    "tests/games/test_contract.py",
    "tests/renderers/test_contract.py",
    "tests/bot/support/test_texts.py",
    "tests/bot/screens/test_screens.py",
    "tests/bot/screens/test_choices.py",
    "tests/games/test_records.py",
)
COMMANDS = ("tests/bot/commands", "tests/bot/fronts/discord/test_commands.py")
MATCHES = {
    "tests/bot/fronts/discord/test_boards.py": 1,
    "tests/bot/fronts/telegram/test_keyboards.py": 1,
}


LISTS = (
    "tests/bot/support/test_texts.py",
    "tests/bot/commands/test_starting.py",
    "tests/bot/commands/test_info.py",
    "tests/bot/fronts/discord/test_commands.py",
    "tools/test_gallery.py",
    "tests/test_house.py",
)
LISTING = "(play or which or help or rules or text or languages or choices or few or gallery)"


@pytest.fixture(scope="module")
def those_that_pass(copy: Path, pytest_in: Run) -> list[str]:
    """Run all tests together, since starting takes longer than most of them."""
    among = " or ".join(Path(file).name for file in LISTS)
    # The copy is not a repository, so its files cannot be listed.
    listing = f"({among}) and {LISTING} and not one_machine"
    where = dict.fromkeys((*CONTRACT, *COMMANDS, *MATCHES, *LISTS))
    done = pytest_in(copy, "-rp", *where, "-k", f"connect4 or ({listing})")
    found = re.findall(r"^PASSED (.+)", done.stdout, re.MULTILINE)
    assert len(found) == passed(done)
    return found


@pytest.mark.slow
def test_the_tests_of_every_game_pass_with_it_and_play_it_in_chat(
    those_that_pass: list[str],
) -> None:
    found = [test for test in those_that_pass if "connect4" in test]

    def among(*where: str) -> int:
        return sum(test.startswith(where) for test in found)

    assert all(among(file) for file in CONTRACT)
    assert among(*CONTRACT) > 60
    assert among(*COMMANDS) >= 5
    assert {file: among(file) for file in MATCHES} == MATCHES


@pytest.mark.slow
def test_nothing_that_lists_the_games_needs_to_be_told_of_it(those_that_pass: list[str]) -> None:
    found = [test for test in those_that_pass if "connect4" not in test]
    assert {file for file in LISTS if any(test.startswith(file) for test in found)} == set(LISTS)
    assert len(found) > 50


@pytest.mark.slow
def test_its_lines_and_types_are_right(copy: Path) -> None:
    code = [str(file) for file in sixth() if file.suffix == ".py"]
    for words in (
        ("ruff", "format", "--check"),
        ("ruff", "check", "--no-cache"),
        ("mypy", "--follow-imports=silent"),
    ):
        done = run(copy, *words, *code)
        assert done.returncode == 0, done.stdout + done.stderr


WRONG = [
    (
        "games/connect4.py",
        "return COLUMNS[move.column]\n",
        'return f"{COLUMNS[move.column]}."\n',
        'A step contains no whitespace, and no "." or ":", which buttons put between steps',
    ),
    (
        "games/connect4.py",
        'return Note("wins") if view',
        'return Note("Wins!") if view',
        "Each detail has a name like a code",
    ),
    (
        "renderers/connect4.py",
        "column=place.column)",
        "column=column)",
        "Rows count downwards and columns to the right",
    ),
    (
        "renderers/connect4.py",
        "blank(colours, layout.size,",
        "blank(colours, (layout.size[0], 3 * layout.size[1]),",
        "It is half to twice as high as wide",
    ),
]


def test_what_is_run_and_broken_is_there() -> None:
    assert [
        file for file in (*CONTRACT, *COMMANDS, *MATCHES, *LISTS) if not (ROOT / file).exists()
    ] == []
    assert [(FILES / file).read_text("utf-8").count(was) for file, was, *_ in WRONG] == [1] * len(
        WRONG
    )


@pytest.mark.slow
def test_what_breaks_the_contract_reads_each_sentence_that_is_broken(
    copy: Path, pytest_in: Run
) -> None:
    right = {file: (copy / file).read_text("utf-8") for file, *_ in WRONG}
    wrong = dict(right)
    for file, was, becomes, _ in WRONG:
        wrong[file] = wrong[file].replace(was, becomes)
    try:
        for file, text in wrong.items():
            (copy / file).write_text(text, "utf-8")
        done = pytest_in(copy, *CONTRACT[:2], "-k", "connect4")
    finally:
        for file, text in right.items():
            (copy / file).write_text(text, "utf-8")
    assert done.returncode == 1
    for file, *_, sentence in WRONG:
        assert f'The contract in {Path(file).parent}.base says: "{sentence}' in done.stdout
