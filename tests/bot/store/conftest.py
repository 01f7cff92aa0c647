from pathlib import Path
from shutil import copy

import pytest

from tests.bot.store.looking import fill


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "azumaya.db"


@pytest.fixture
def good(path: Path, empty: Path) -> Path:
    """A database of ours with something in every table."""
    copy(empty, path)
    fill(path)
    return path
