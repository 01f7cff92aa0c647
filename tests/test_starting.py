"""Starts on a PostgreSQL: divided shards, and a server that stops answering."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from tests import warm
from tests.bot.table import written
from tests.databases import name_of
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
            await house.clear()


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
async def test_a_start_that_waits_for_the_server_can_be_interrupted(waiting: warm.Process) -> None:
    waiting.send_signal(signal.SIGINT)
    async with asyncio.timeout(60):
        await waiting.wait()


@pytest.mark.timeout(120)
async def test_no_two_processes_serve_the_same_shards_and_a_crash_frees_them(
    server: Server, database: SecretStr, tmp_path: Path
) -> None:
    """Discord cannot be reached, which does not matter here."""
    name = name_of(database)
    started: list[warm.Process] = []
    log = tmp_path / "log.txt"

    def start(shards: str, count: int = 16) -> warm.Process:
        flags = ["--fronts", "discord", "--shards", shards, "--shard-count", str(count)]
        environment = {
            **os.environ,
            "AZUMAYA_DATABASE": database.get_secret_value(),
            "AZUMAYA_DISCORD__TOKEN": "not.a.token",
            "AZUMAYA_DISCORD__API_BASE": "http://127.0.0.1:9",
        }
        one = warm.start("run", *flags, environment=environment, folder=tmp_path, log=log)
        started.append(one)
        return one

    def spoken_for() -> list[object]:
        query = "SELECT number FROM shards ORDER BY number"
        return [row[0] for row in server.execute(query, database=name)]

    async def held(*numbers: int) -> None:
        """Wait until these shards are claimed, and no others."""
        async with asyncio.timeout(60):
            while spoken_for() != list(numbers):  # noqa: ASYNC110 - other processes do it
                await asyncio.sleep(0.05)

    try:
        first = start("0-3")
        await held(0, 1, 2, 3)
        start("4,5")
        await held(0, 1, 2, 3, 4, 5)
        too_much, other_count = start("3-6"), start("3", 8)
        async with asyncio.timeout(60):
            assert await too_much.wait() == await other_count.wait() == 1
        refusal = "Error: another process on this database already serves discord"
        refusals = [one for one in log.read_text().splitlines() if one.startswith("Error")]
        divide = ". Use --fronts or --shards"
        assert sorted(refusals) == [
            f"{refusal} 3/16, discord 4/16, discord 5/16{divide}",
            f"{refusal} 3/16{divide}",
        ]
        await held(0, 1, 2, 3, 4, 5)
        first.kill()
        await first.wait()
        # It waits until the database knows, and is not refused.
        start("0-2")
        await held(0, 1, 2, 4, 5)
    finally:
        for one in started:
            await one.clear()
