from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.table import Person, Table


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    """An open house with a channel and nobody in it yet."""
    opened = await Table.open(tmp_path / "azumaya.db")
    yield opened
    await opened.close()


@pytest.fixture
async def anna(table: Table) -> Person:
    return await table.arrive("Anna")


@pytest.fixture
async def ben(table: Table) -> Person:
    """Reads German."""
    return await table.arrive("Ben", locale="de")


@pytest.fixture
async def cleo(table: Table) -> Person:
    return await table.arrive("Cleo")
