from collections.abc import AsyncIterator
from pathlib import Path
from shutil import copy

import pytest

from bot.store import Store
from tests.bot.store.looking import fill
from tests.bot.table import Table


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "azumaya.db"


@pytest.fixture
def good(path: Path, empty: Path) -> Path:
    """Return a database with a row in every table."""
    copy(empty, path)
    fill(path)
    return path


@pytest.fixture
def store(table: Table) -> Store:
    return table.app.store


@pytest.fixture
async def other(table: Table) -> AsyncIterator[Store]:
    """Open the same database a second time, as another process does."""
    opened = await Store.open(table.settings.database)
    yield opened
    await opened.close()
