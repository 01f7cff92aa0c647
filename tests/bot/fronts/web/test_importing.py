"""Records of games, sent by the page."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from io import BytesIO
from typing import Any

from bot.store import Address
from games import records
from tests.bot.fronts.browsing import Browser, Tab, open_table
from tests.bot.fronts.conftest import Arrive

GAME = '[Game "othello"]\n[Seat1 "Ann"]\n[Seat2 "Bob"]\n\n1. f5 d6 2. c3\n'


async def sent(browser: Browser, record: bytes | str | BytesIO) -> tuple[int, Any]:
    async with browser.web.post(f"{browser.url}/import", data=record) as response:
        return response.status, await response.json(content_type=None)


def boards(tab: Tab, match_id: int) -> list[Any]:
    return [one for one in tab.room("@house") if one["screen"].get("match") == match_id]


async def test_a_file_or_a_text_that_was_sent_opens_with_the_next_import(arrive: Arrive) -> None:
    browser = await arrive("Anna")
    tab = await browser.tab()
    large = GAME.encode() + b"\n; a comment" * 1000
    for record in (large, f"othello {GAME}"):
        assert await sent(browser, record) == (200, {"error": ""})
        opened = await tab.say("/import", room="@house")
        assert opened["begun"]
        shown = partial(boards, tab, opened["begun"])
        assert "Ann – Bob" in (await tab.until(shown))[0]["screen"]["title"]


async def test_what_is_no_record_too_large_or_from_a_stranger_is_refused(
    arrive: Arrive, stranger: Browser
) -> None:
    browser = await arrive("Anna")
    status, answer = await sent(browser, "hello")
    assert (status, "hello" in answer["error"]) == (400, True)
    _, answer = await sent(browser, BytesIO(bytes(records.MOST_BYTES + 1)))
    assert answer["error"] == "That file is too large. I read up to 5 MB."
    async with stranger.web.post(f"{stranger.url}/import", data=GAME) as response:
        assert response.status == 401


async def test_slow_files_delay_only_those_of_their_address(database: Address) -> None:
    begun, held = asyncio.Semaphore(0), asyncio.Event()

    async def slowly() -> AsyncIterator[bytes]:
        yield b"f5"
        begun.release()
        await held.wait()

    near, far = ({"X-Forwarded-For": f"192.0.2.{number}"} for number in (1, 2))
    async with (
        open_table(database, proxies=["127.0.0.1"]) as table,
        Browser(table.url, **near) as browser,
        Browser(table.url, **far) as other,
        asyncio.TaskGroup() as group,
    ):
        await browser.arrive("Anna")
        await other.arrive("Ben")
        url = f"{table.url}/import"
        sending = [group.create_task(browser.web.post(url, data=slowly())) for _ in range(4)]
        for _ in sending:
            await begun.acquire()
        async with asyncio.timeout(10):
            assert await sent(other, "f5 d6") == (200, {"error": ""})
        held.set()
