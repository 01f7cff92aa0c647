"""A short form of the random faults: one kind, which one the commit says, for some seconds."""

import os
import subprocess
import sys

import pytest

from tools.faults.test_systematic import ROOT, turn

_KINDS = ("restart", "kill", "database", "cut")
"""Those that machines bear which do other things as well; the others take their time."""


@pytest.mark.long
@pytest.mark.postgres
@pytest.mark.usefixtures("_engine_of_store")
def test_three_processes_on_one_server_lose_nothing_and_say_nothing_twice() -> None:
    kind = _KINDS[turn(len(_KINDS))]
    suite = (sys.executable, "-m", "tools.faults", "--part", "random", "--fault", kind)
    done = subprocess.run(
        (*suite, "--minutes", "0.2"),
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    )
    assert done.returncode == 0, f"{kind}\n{done.stdout}\n{done.stderr[-3000:]}"
    assert "moves lost" in done.stdout
