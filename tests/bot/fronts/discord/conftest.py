from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.fronts.discord.scene import Scene


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    async with Scene.open(tmp_path) as scene:
        yield scene
