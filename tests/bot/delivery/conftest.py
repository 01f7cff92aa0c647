import pytest

from tests.bot.table import Person, Table


@pytest.fixture
async def match(table: Table, anna: Person, ben: Person) -> int:
    return await table.begin(anna, ben)
