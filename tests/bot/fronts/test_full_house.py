"""A full server: pages make room, and one that finds none says so."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import pytest

from bot.fronts.web import page_socket
from tests.bot.fronts.browsing import Browser, Open
from tests.bot.fronts.conftest import opened_with

Come = Callable[[int], Awaitable[Browser]]


_FULL = opened_with(connections=16, proxies=("127.0.0.1",))
"""A server for eight pages behind a proxy that names addresses."""


@pytest.fixture
async def come(table: Open) -> AsyncIterator[Come]:
    """Log in a guest from their own address."""
    async with AsyncExitStack() as browsers:

        async def arrive(number: int) -> Browser:
            browser = Browser(table.url, **{"X-Forwarded-For": f"1.2.3.{number}"})
            await browsers.enter_async_context(browser)
            assert (await browser.arrive(f"Guest {chr(96 + number)}"))[0] == 200
            return browser

        yield arrive


@pytest.mark.slow
@_FULL
async def test_a_page_for_which_there_is_no_room_is_closed_and_health_says_it(
    table: Open, come: Come
) -> None:
    for number in range(8):
        await (await come(number)).tab()
    refused = await (await come(99)).connect()
    assert (await refused.socket.receive()).data == page_socket.FULL
    # Requests are answered, however many pages fail to connect without closing.
    waiting = [await (await come(100 + number)).connect() for number in range(10)]
    async with Browser(table.url) as operator:
        status, body, _ = await operator.get("/health")
    assert status == 200
    assert json.loads(body)["problems"] == ["there is no room for another connection"]
    assert len(waiting) == 10


@_FULL
async def test_a_page_that_is_being_answered_has_its_answer_before_it_makes_room(
    table: Open, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await come(1)
    tab = await anna.tab()
    begun, go_on = asyncio.Event(), asyncio.Event()
    complete = table.commands.complete

    async def slow(*given: object, **named: object) -> object:
        begun.set()
        await go_on.wait()
        return await complete(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(table.commands, "complete", slow)
    id_ = await tab.send({"t": "complete", "room": "lounge", "text": "/he"})
    await begun.wait()
    others = [await anna.tab() for _ in range(7)]
    newest = await (await come(2)).tab()
    go_on.set()
    assert (await tab.answer(id_))["ok"]
    assert await tab.closed() == page_socket.MAKES_ROOM
    # Of the player with the most pages it is the one unused for longest.
    assert all(one.closed_with is None for one in (*others, newest))
