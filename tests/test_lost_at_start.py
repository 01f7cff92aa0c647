"""A server that stops answering during the start: reported in one line, without a hang."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from tests import warm
from tests.bot.table import written
from tests.postgres import Server
from tests.wire import Wire

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("_engine_of_store")]

WITHIN = 60.0
"""Seconds: twice what a statement may take."""


@pytest.fixture
async def waiting(
    server: Server, database: SecretStr, tmp_path: Path
) -> AsyncIterator[warm.Process]:
    """Start a bot whose server stops answering during the start."""
    async with Wire(server.folder, b"server_version_num").open() as wire:
        environment = {
            **os.environ,
            "AZUMAYA_DATABASE": written(wire.url(database)),
            "AZUMAYA_WEB__PORT": "0",
        }
        log = tmp_path / "log.txt"
        house = warm.start("run", environment=environment, folder=tmp_path, log=log)
        try:
            async with asyncio.timeout(WITHIN):
                await wire.is_silent.wait()
            yield house
        finally:
            if house.returncode is None:
                house.kill()
                await house.wait()


@pytest.mark.timeout(120)
@pytest.mark.slow
async def test_a_server_that_falls_silent_at_the_start_is_told_in_a_line(
    waiting: warm.Process, tmp_path: Path
) -> None:
    async with asyncio.timeout(WITHIN):
        assert await waiting.wait() == 1
    (line,) = (tmp_path / "log.txt").read_text().splitlines()
    assert line.startswith("Error: postgresql://")


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_a_start_that_waits_for_the_server_can_be_interrupted(
    waiting: warm.Process,
) -> None:
    waiting.send_signal(signal.SIGINT)
    async with asyncio.timeout(60):
        await waiting.wait()
