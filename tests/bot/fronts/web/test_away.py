"""Pages that were disconnected, and servers that were stopped."""

import asyncio
from typing import Any

import pytest
from aiohttp import WSCloseCode
from aiohttp.web import WebSocketResponse

from bot.fronts.web import page_socket
from tests.bot.fronts.browsing import Open, othello
from tests.bot.fronts.conftest import Arrive


async def test_who_comes_back_gets_what_was_missed_and_no_more(arrive: Arrive) -> None:
    browser, ben = await arrive("Anna"), await (await arrive("Ben")).tab()
    anna = await browser.tab()
    await othello(anna, ben)
    await ben.say("before")
    await anna.until(lambda: "before" in anna.lines())
    since = max(message["stamp"] for message in anna.messages.values())
    await anna.close()
    await ben.say("while you were away")
    await ben.say("/board")
    await ben.until(lambda: len(ben.boards()) == 1 and ben.boards()[0]["id"] > 2)
    back = await browser.tab(since=since)
    assert back.welcome["reset"] is False
    assert "before" not in back.lines()
    assert "while you were away" in back.lines()
    assert [frame for frame in back.heard if frame["t"] == "gone"]
    assert len(back.boards()) == 1


async def test_a_page_that_does_not_read_is_sent_away_to_catch_up(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_socket, "_MOST_PENDING", 3)
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    stuck, frame = asyncio.Event(), page_socket.PageSocket._frame

    async def slow(self: page_socket.PageSocket, posted: Any) -> str | None:
        if self.visitor.user.name == "Anna":
            await stuck.wait()
        return await frame(self, posted)

    monkeypatch.setattr(page_socket.PageSocket, "_frame", slow)
    for number in range(6):
        await ben.say(f"line {number}")
    # It does not wait until the page reads.
    assert await anna.closed() == 1013
    stuck.set()


async def test_another_page_of_the_player_knows_how_far_they_have_read(arrive: Arrive) -> None:
    browser = await arrive("Anna")
    anna, ben = await browser.tab(), await (await arrive("Ben")).tab()
    assert anna.welcome["read"] == {}
    await ben.say("Hello!")
    await anna.until(lambda: "Hello!" in anna.lines())
    (message,) = anna.room("lounge")
    assert (await anna.ask({"t": "read", "room": "lounge", "message": message["id"]}))["ok"] is True
    assert (await anna.ask({"t": "read", "room": "garden", "message": message["id"]}))["ok"] is True
    assert (await anna.ask({"t": "read", "room": "nowhere", "message": 1}))["ok"] is False
    assert (await browser.tab()).welcome["read"] == {"lounge": message["id"]}


async def test_a_start_card_is_a_frame(arrive: Arrive) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    card = (await anna.say("/play othello"))["private"]["start"]
    assert card["game"] == "othello"
    assert [value for value, _ in card["whom"]["choices"]] == ["", "Ben"]
    chosen = {"game": "othello", "options": {"rules": "reversi"}, "side": 0, "whom": "Ben"}
    start = {"t": "start", "room": "lounge", **chosen}
    assert (await anna.ask(start))["ok"] is True
    board = await ben.board()
    assert "Anna plays Black" in board["screen"]["text"]
    for wrong in ({"whom": "Nobody"}, {"game": "chess"}, {"side": 7}, {"room": "nowhere"}):
        assert (await anna.ask({**start, **wrong}))["ok"] is False


async def test_a_page_that_reads_nothing_does_not_hold_up_the_end(
    table: Open, arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await (await arrive("Anna")).tab()
    patch = pytest.MonkeyPatch()

    async def hangs(*_: object, **__: object) -> None:
        patch.undo()
        await asyncio.Event().wait()

    monkeypatch.setattr(page_socket, "_LAST_SECONDS", 0.05)
    patch.setattr(WebSocketResponse, "close", hangs)
    await table.web.stop()
    assert await anna.closed() == WSCloseCode.ABNORMAL_CLOSURE
