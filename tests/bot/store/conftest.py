from pathlib import Path

import pytest

from bot.store import migrate
from tests.bot.store.looking import fill


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "azumaya.db"


@pytest.fixture
def good(path: Path) -> Path:
    """A database of ours with something in every table."""
    migrate(path)
    fill(path)
    return path
