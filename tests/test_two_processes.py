"""Two processes on one PostgreSQL: shared pages, divided Discord shards."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import aiohttp
import pytest
from pydantic import SecretStr

from tests import warm
from tests.databases import name_of
from tests.postgres import Server
from tests.story import App, Person, Story

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("_engine_of_store")]

MOVES = 6
LEASE = 15
"""Seconds for which a process that has died can hold anything."""


@pytest.fixture
async def story(tmp_path: Path, database: SecretStr) -> AsyncIterator[Story]:
    """Start two processes, with Anna at one and Ben at the other."""
    apps = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        apps.append(App(tmp_path / name, database=database.get_secret_value()))
    async with AsyncExitStack() as open_:
        people = []
        # At once: both find a database that is to be looked at, and a room that is to be made.
        await asyncio.gather(*(app.start() for app in apps))
        for name, app in zip(("Anna", "Ben"), apps, strict=True):
            jar = aiohttp.CookieJar(unsafe=True)
            session = await open_.enter_async_context(aiohttp.ClientSession(cookie_jar=jar))
            person = Person(name, app, session)
            await person.arrive()
            people.append(person)
        for person in people:
            await person.connect()
        anna, ben = people
        yield Story(anna, ben, Random("two processes"))
        for person in people:
            await person.disconnect()
        for app in apps:
            await app.kill()


@pytest.mark.slow
async def test_a_page_sees_what_is_played_on_another_process_and_nothing_is_lost(
    story: Story, server: Server, database: SecretStr
) -> None:
    await story.begin()
    while len(story.acknowledged) < MOVES:
        await story.move()
    match, version = story.newest
    seen = [await person.sees(match, version) for person in story.people]
    assert seen[0]["version"] == seen[1]["version"]
    name = database.get_secret_value().partition("@/")[2].partition("?")[0]
    query = f"SELECT notation FROM moves WHERE match_id = {match} AND notation != 'pass'"
    stored = server.execute(f"{query} ORDER BY ply", database=name)
    assert [row[0] for row in stored] == [move for _, move in story.acknowledged]


@pytest.mark.long
@pytest.mark.timeout(120)
@pytest.mark.slow
async def test_what_a_process_was_thinking_about_when_it_died_another_one_takes_up(
    server: Server, database: SecretStr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZUMAYA_COMPUTER__SECONDS", "60")
    monkeypatch.setenv("AZUMAYA_COMPUTER__WORKERS", "1")
    first, second = (App(tmp_path, database=database.get_secret_value()) for _ in range(2))
    work = "SELECT work_after, extract(epoch FROM now()) FROM matches"

    def held_until() -> tuple[float, float]:
        """Return when another process may claim the computer's turn, and the time now."""
        ((until, now),) = server.execute(work, database=name_of(database))
        return float(str(until)), float(str(now))

    async def taken_up(*, after: float) -> None:
        async with asyncio.timeout(2 * LEASE):
            while held_until()[0] <= after:  # noqa: ASYNC110 - other processes do it
                await asyncio.sleep(0.05)

    await first.start()
    try:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            anna = Person("Anna", first, session)
            await anna.arrive()
            await anna.connect()
            assert (await anna.says("/sogo computer 5 second"))["ok"]
            await taken_up(after=held_until()[1])
            await second.start()
            await first.kill()
            until, now = held_until()
            assert until - now <= LEASE
            # A dead process does not renew its claim.
            await taken_up(after=until)
            assert held_until()[1] - now <= LEASE + 5
    finally:
        for one in (first, second):
            if one.process is not None and one.process.returncode is None:
                await one.kill()


@pytest.mark.timeout(120)
async def test_no_two_processes_serve_the_same_shards_and_a_crash_frees_them(
    server: Server, database: SecretStr, tmp_path: Path
) -> None:
    """Discord cannot be reached, which does not matter here."""
    name = database.get_secret_value().partition("@/")[2].partition("?")[0]
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
            if one.returncode is None:
                one.kill()
                await one.wait()
