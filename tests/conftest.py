"""What holds for every test: nothing of the user's environment, and no deadline but pytest's."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from bot import logs

# A deadline measures the machine, not the code; the suite's own timeout is enough.
settings.register_profile(
    "house",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    # The same examples for everybody who looks at one CI run; new ones at each desk.
    derandomize="CI" in os.environ,
    print_blob=True,
)
settings.load_profile("house")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: many tests wait for processes and browsers."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest begins first, so that in the end nobody waits for it alone."""
    items.sort(key=lambda item: "long" not in item.keywords)


@pytest.fixture(autouse=True)
def _nothing_said_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test has logged is no reason for the next one's house to be silent."""
    monkeypatch.setattr(logs, "_failures", logs.NowAndThen())


@pytest.fixture(autouse=True)
def _apart_from_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable of ours, and an empty directory to be in; processes import this checkout."""
    for name in list(os.environ):
        if name.upper().startswith("AZUMAYA_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
