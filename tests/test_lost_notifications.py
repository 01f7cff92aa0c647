"""A lost notification causes a delay, and never a wrong answer."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random

import aiohttp
import pytest
from pydantic import SecretStr

import games
from tests.bot.table import written
from tests.databases import name_of
from tests.postgres import Server
from tests.sampling import sampled
from tests.story import CURRENT_WITHIN, App, Person, Story

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("_engine_of_store")]


class Deaf:
    """A way to the server on which notifications, and only those, are lost."""

    def __init__(self, server: Path) -> None:
        self.server = server
        self.is_deaf = False
        self.dropped = 0

    @asynccontextmanager
    async def open(self) -> AsyncIterator[int]:
        tasks: set[asyncio.Task[None]] = set()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            there, to = await asyncio.open_unix_connection(str(self.server / ".s.PGSQL.5432"))
            for way in (self._up(reader, to), self._down(there, writer)):
                task = asyncio.ensure_future(way)
                tasks.add(task)
                task.add_done_callback(tasks.discard)

        async with await asyncio.start_server(connected, "127.0.0.1", 0) as listening:
            yield listening.sockets[0].getsockname()[1]
            for task in list(tasks):
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _up(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                writer.write(data)
        finally:
            writer.close()

    async def _down(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readexactly(5)
                body = await reader.readexactly(int.from_bytes(head[1:]) - 4)
                if head[:1] == b"A" and self.is_deaf:
                    self.dropped += 1
                    continue
                writer.write(head + body)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@pytest.fixture
async def story(tmp_path: Path, server: Server, database: SecretStr) -> AsyncIterator[Story]:
    """Start a match in which Anna has moved, and Ben's process loses all notifications."""
    deaf = Deaf(server.folder)
    async with AsyncExitStack() as stack:
        port = await stack.enter_async_context(deaf.open())
        there = f"postgresql://azumaya@127.0.0.1:{port}/{name_of(database)}?sslmode=disable"
        people = []
        for name, url in (("Anna", written(database)), ("Ben", there)):
            (tmp_path / name).mkdir()
            app = App(tmp_path / name, database=url)
            await app.start()
            stack.push_async_callback(app.kill)
            jar = aiohttp.CookieJar(unsafe=True)
            session = await stack.enter_async_context(aiohttp.ClientSession(cookie_jar=jar))
            people.append(Person(name, app, session))
            await people[-1].arrive()
            await people[-1].connect()
        anna, ben = people
        story = Story(anna, ben, Random("deaf"))
        await story.begin()
        while not (await anna.sees(*story.newest))["turn"] or not story.acknowledged:
            await story.move()
        await ben.sees(*story.newest)
        deaf.is_deaf = True
        cells = (await anna.sees(*story.newest))["picture"]["cells"]
        token = next(cell["token"] for cell in cells if cell["legal"])
        assert await story.press(anna, token)
        yield story


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_whose_turn_it_is_is_told_right_though_a_notification_is_lost(story: Story) -> None:
    async def told() -> str:
        answer = await story.ben.says("/matches")
        return str(answer["private"]["text"])

    async with asyncio.timeout(CURRENT_WITHIN):
        while "waiting for Anna" in (said := await told()):  # noqa: ASYNC110 - a person asks again
            # As often as one may ask.
            await asyncio.sleep(0.3)
    assert "your turn" in said.casefold()
    assert await story.ben.sees(*story.newest)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("way", sampled(["press", "line"], "press"))
async def test_who_plays_where_a_move_has_not_been_heard_of_is_judged_on_what_is_stored(
    story: Story, way: str
) -> None:
    """Ben answers at once; to his table it is still Anna's turn."""
    match, version = story.newest
    game = games.get("othello")
    position = game.start(options := game.options_from({}), game.new_setup(options, Random(1)))
    for _, move in story.acknowledged:
        (seat,) = position.turn
        position = position.play(seat, game.parse(position.view(seat), seat, move))
    (seat,) = position.turn
    move = game.notation(position.moves(seat)[0])
    if way == "press":
        assert await story.press(story.ben, f"play:{match}:{version}:{move}")
    else:
        answer = await story.ben.says(f"/othello {move}")
        assert answer["ok"], answer
