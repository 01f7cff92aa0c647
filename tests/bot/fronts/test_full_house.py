"""A full server: each person keeps a page, none keeps all of them, and pages say so."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.fronts.web import page_socket
from tests.bot.fronts.browsing import Browser, Open, Tab, open_table

Come = Callable[..., Awaitable[Browser]]


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Open]:
    """A house for 64 connections behind a proxy, which says who comes from where."""
    async with open_table(
        tmp_path / "azumaya.db",
        connections=64,
        connections_per_address=64,
        proxies=("127.0.0.1",),
    ) as opened:
        yield opened


@pytest.fixture
async def come(table: Open) -> AsyncIterator[Come]:
    """Connect from an address: ``await come("Anna", "1.2.3.4")``."""
    async with AsyncExitStack() as browsers:

        async def arrive(name: str, address: str) -> Browser:
            browser = Browser(table.url, **{"X-Forwarded-For": address})
            await browsers.enter_async_context(browser)
            assert (await browser.arrive(name))[0] == 200
            return browser

        yield arrive


async def open_tabs(tabs: list[Tab]) -> list[Tab]:
    """Those of these that are still open, once all others have heard that they are not."""
    answers = await asyncio.gather(*(is_open(tab) for tab in tabs))
    return [tab for tab, answer in zip(tabs, answers, strict=True) if answer]


async def is_open(tab: Tab) -> bool:
    if tab.closed_with is not None or tab.socket.closed:
        return False
    try:
        id_ = await tab.send({"t": "appearance", "theme": "light"})
    except ConnectionError:
        return False
    await tab.until(lambda: tab.closed_with is not None or tab._answers.get(id_))
    return tab.closed_with is None


async def test_four_people_with_sixteen_pages_each_keep_nobody_out(table: Open, come: Come) -> None:
    crowd = [await come(f"Crowd {number}", f"1.2.3.{number}") for number in range(4)]
    pages = {browser: [await browser.tab() for _ in range(16)] for browser in crowd}
    anna = await come("Anna", "5.6.7.8")
    tab = await anna.tab()
    assert (await tab.say("I am here, too"))["ok"]
    status, body, _ = await anna.get("/health")
    assert (status, json.loads(body)) == (200, {"playable": True, "problems": []})
    kept = {browser: await open_tabs(tabs) for browser, tabs in pages.items()}
    assert all(kept.values())
    # What went was told that it makes room; it was what had waited longest.
    gone = {tab.closed_with for tabs in pages.values() for tab in tabs} - {None}
    assert gone == {page_socket.MAKES_ROOM}
    assert all(tabs == pages[browser][-len(tabs) :] for browser, tabs in kept.items())
    assert max(map(len, kept.values())) - min(map(len, kept.values())) <= 1


async def test_a_page_for_which_there_is_no_room_is_told_so_and_health_says_it(
    tmp_path: Path,
) -> None:
    """Eight people with a page each, of as many addresses, in a house for sixteen."""
    async with (
        open_table(tmp_path / "small.db", connections=16, proxies=("127.0.0.1",)) as table,
        AsyncExitStack() as browsers,
    ):

        async def come(number: int) -> Tab:
            browser = Browser(table.url, **{"X-Forwarded-For": f"1.2.3.{number}"})
            await browsers.enter_async_context(browser)
            assert (await browser.arrive(f"Guest {number}"))[0] == 200
            return await browser.connect()

        for number in range(8):
            await (await come(number)).hello()
        refused = await come(99)
        assert (await refused.socket.receive()).data == page_socket.FULL
        # Requests are answered, however many pages fail to connect without closing.
        vain = [await come(100 + number) for number in range(20)]
        async with Browser(table.url) as host:
            status, body, _ = await host.get("/health")
        assert status == 200
        assert json.loads(body)["problems"] == ["there is no room for another connection"]
        assert len(vain) == 20


async def test_a_page_that_is_being_answered_has_its_answer_before_it_makes_room(
    table: Open, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await come("Anna", "5.6.7.8")
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
    crowd = [await anna.tab() for _ in range(15)]
    for number in range(4):
        other = await come(f"Crowd {number}", f"1.2.3.{number}")
        crowd += [await other.tab() for _ in range(12)]
    go_on.set()
    assert (await tab.answer(id_))["ok"]
    assert await tab.closed() == page_socket.MAKES_ROOM
