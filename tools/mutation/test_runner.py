"""How the mutation tool runs tests."""

from multiprocessing import get_context
from pathlib import Path

import pytest

from tools.mutation import runner
from tools.mutation.runner import Copy

CODE = """
def more(number):
    while number < 7:
        number += 1
    return number
"""
TESTS = """
from bot.code import more

def test_less():
    assert more(1) == 7

def test_more():
    assert more(9) == 9
"""
LIMITS = {f"test_code.py::test_{name}": 10.0 for name in ("more", "less")}


@pytest.fixture
def copy(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Copy:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "__init__.py").touch()
    (tmp_path / "bot" / "code.py").write_text(CODE)
    (tmp_path / "test_code.py").write_text(TESTS)
    files = [path.relative_to(tmp_path) for path in tmp_path.rglob("*.py")]
    # The server of forks belongs to the other tests.
    monkeypatch.setattr(runner, "CONTEXT", get_context("spawn"))
    monkeypatch.setattr(runner, "ROOT", tmp_path)
    monkeypatch.setattr(runner, "tracked_files", lambda: files)
    return Copy(tmp_path_factory.mktemp("copy"))


def test_tests_run_until_one_fails(copy: Copy) -> None:
    assert copy.run("-x", limits=LIMITS, seconds=60).failed == {}
    with copy.changed("bot/code.py", CODE.replace("7", "8")):
        failed = copy.run("-x", limits=LIMITS, seconds=60).failed
    assert failed == {"test_code.py::test_less": "assert 8 == 7"}
    assert copy.run("-x", limits=LIMITS, seconds=60).failed == {}


def test_an_endless_loop_and_a_failed_import_are_noticed(copy: Copy) -> None:
    with copy.changed("bot/code.py", CODE.replace("+", "-")):
        failed = copy.run(limits={"test_code.py::test_less": 0.2}, seconds=60).failed
    assert "Timeout" in failed["test_code.py::test_less"]
    with copy.changed("bot/code.py", CODE.replace("def more", "def less")):
        ((test, reason),) = copy.run("-x", limits=LIMITS, seconds=60).failed.items()
    assert "import" in test
    assert "more" in reason
