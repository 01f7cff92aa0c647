"""What runs the tests while something is changed, on a small tree of its own."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tools.mutation import inside

CODE = """
def more(number):
    while number < 7:
        number += 1
    return number
"""
TESTS = """
from bot.code import more

def test_of_less():
    assert more(1) == 7

def test_of_more():
    assert more(9) == 9

def test_of_nothing():
    pass

def test_that_fails():
    assert more(7) == 8, "seven"
"""


class Runner:
    """The script, running in a tree."""

    def __init__(self, process: asyncio.subprocess.Process, folder: Path) -> None:
        self.process = process
        self.folder = folder

    async def asks(self, tests: dict[str, float] | None) -> dict[str, Any]:
        assert self.process.stdin
        assert self.process.stdout
        request = {"files": ["test_code.py"], "tests": tests, "seconds": 100}
        line = json.dumps({**request, "folder": str(self.folder)})
        self.process.stdin.write(line.encode() + b"\n")
        answer: dict[str, Any] = json.loads(await self.process.stdout.readline())
        return answer


@pytest.fixture
async def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Runner]:
    tree = tmp_path / "tree"
    (tree / "bot").mkdir(parents=True)
    (tree / "bot" / "__init__.py").touch()
    (tree / "bot" / "code.py").write_text(CODE)
    (tree / "test_code.py").write_text(TESTS)
    # Other people's plugins take longer to import than these tests to run.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "pytest_timeout")
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-B", inside.__file__),
        cwd=tree,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    yield Runner(process, tmp_path)
    assert process.stdin
    process.stdin.close()
    assert await process.wait() == 0


async def test_it_is_known_which_test_executes_which_line(runner: Runner) -> None:
    answer = await runner.asks(None)
    names = {f"test_code.py::test_{name}" for name in ("of_less", "of_more", "of_nothing")}
    failing = "test_code.py::test_that_fails"
    assert set(answer["seconds"]) == names | {failing}
    assert answer["failed"] == {failing: "AssertionError: seven"}
    lines = answer["lines"]["bot/code.py"]
    assert lines["4"] == ["test_code.py::test_of_less"]
    assert lines["3"] == ["test_code.py::test_of_less", "test_code.py::test_of_more", failing]


async def test_tests_run_in_their_order_until_one_notices(runner: Runner) -> None:
    limits = {f"test_code.py::test_of_{name}": 10.0 for name in ("more", "less")}
    assert (await runner.asks(limits))["failed"] == {}
    code = runner.folder / "tree" / "bot" / "code.py"
    code.write_text(CODE.replace("7", "8"))
    answer = await runner.asks(limits)
    assert answer["failed"] == {"test_code.py::test_of_less": "assert 8 == 7"}


async def test_what_never_ends_and_what_cannot_be_imported_is_noticed(runner: Runner) -> None:
    limits = {"test_code.py::test_of_less": 0.2}
    code = runner.folder / "tree" / "bot" / "code.py"
    code.write_text(CODE.replace("+", "-"))
    ((test, why),) = (await runner.asks(limits))["failed"].items()
    assert test == "test_code.py::test_of_less"
    assert "Timeout" in why
    code.write_text(CODE.replace("def more", "def less"))
    ((test, why),) = (await runner.asks(limits))["failed"].items()
    assert "import" in test
    assert "more" in why
