"""Records of games, sent by the page."""

from functools import partial
from io import BytesIO
from typing import Any

from games import records
from tests.bot.fronts.browsing import Browser, Tab
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
