"""Two processes on one PostgreSQL, each with a web table: one page sees what the other does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import aiohttp
import pytest
from pydantic import SecretStr

from tests.postgres import Server
from tests.test_survival import App, Person, Story

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("_engine_of_store")]

MOVES = 12


@pytest.fixture
async def story(tmp_path: Path, database: SecretStr) -> AsyncIterator[Story]:
    """Anna is at one table, Ben at the other."""
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


async def test_one_button_that_both_processes_are_asked_for_is_pressed_once(
    story: Story, server: Server, database: SecretStr
) -> None:
    """Anna has a second page, at the other table."""
    await story.begin()
    await story.move()
    first, second = story.people
    match, version = story.newest
    board = await first.sees(match, version)
    twin = Person("Anna", second.app, first.session)
    await twin.connect()
    mover = first if board["turn"] else second
    pages = [mover, twin] if mover is first else [second, second]
    shown = await mover.sees(match, version)
    tokens = [cell["token"] for cell in shown["picture"]["cells"] if cell["legal"]][:2]
    answers = await asyncio.gather(
        *(page.press(token) for page, token in zip(pages, tokens, strict=True))
    )
    assert sorted(bool(answer["ok"]) for answer in answers) == [False, True]
    await first.sees(match, version + 1)
    await second.sees(match, version + 1)
    await twin.disconnect()
