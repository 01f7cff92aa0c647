from collections.abc import AsyncIterator

import pytest

from bot.store import Address
from tests.bot.fronts.discord.scene import Scene


@pytest.fixture
async def scene(database: Address) -> AsyncIterator[Scene]:
    async with Scene.open(database) as scene:
        yield scene
