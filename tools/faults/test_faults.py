"""A share of all crashes and one random fault, chosen by the commit."""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_SHARES = 20
_FAULTS = ("restart", "kill", "database", "cut")
"""The others take too long."""


def _turn(of: int) -> int:
    """Return a number below `of`, chosen by the commit."""
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, cwd=_ROOT, check=True
    )
    return int.from_bytes(sha256(commit.stdout).digest()[:4]) % of


def _run(*arguments: str) -> None:
    done = subprocess.run(
        (sys.executable, "-m", "tools.faults", *arguments),
        capture_output=True,
        text=True,
        check=False,
        cwd=_ROOT,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    )
    assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr[-3000:]}"
    assert " 0 crashes" not in done.stdout


@pytest.mark.long
@pytest.mark.sqlite
@pytest.mark.parametrize("on", ["core", "telegram", "discord"])
def test_the_invariants_hold_after_a_crash(on: str) -> None:
    _run("--part", "systematic", "--on", on, "--share", f"{_turn(_SHARES)}/{_SHARES}")


@pytest.mark.long
@pytest.mark.postgres
@pytest.mark.usefixtures("_engine_of_store")
def test_three_processes_survive_a_random_fault() -> None:
    _run("--part", "random", "--fault", _FAULTS[_turn(len(_FAULTS))])
