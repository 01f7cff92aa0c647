"""A rotating share of all deaths: which one, the commit says, so that in time all are died."""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_SHARES = 20
"""Of so many one is tried. There are more steps in each evening, so that each share has some."""


def turn(of: int) -> int:
    """Whose turn it is among so many."""
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False, cwd=ROOT
    )
    return int.from_bytes(sha256(commit.stdout.encode()).digest()[:4]) % of


@pytest.mark.long
@pytest.mark.sqlite
@pytest.mark.parametrize("on", ["core", "telegram", "discord"])
def test_whatever_step_of_an_evening_the_house_dies_at_what_is_promised_holds(on: str) -> None:
    share = f"{turn(_SHARES)}/{_SHARES}"
    # A process of its own, for it decides in what order sets are: at once, else it starts twice.
    done = subprocess.run(
        (
            sys.executable,
            "-m",
            "tools.faults",
            "--part",
            "systematic",
            "--on",
            on,
            "--share",
            share,
        ),
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    )
    assert done.returncode == 0, f"share {share}\n{done.stdout}\n{done.stderr[-3000:]}"
    assert " 0 deaths" not in done.stdout
