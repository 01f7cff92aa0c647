"""Connections of the web app: valid frames, their number, their rate."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import count, pairwise
from typing import Any

import pytest
from aiohttp import ClientWebSocketResponse, WSCloseCode, WSMsgType, WSServerHandshakeError

from bot.commands import Command, Completion
from bot.delivery.rooms import Rooms, Visitor
from bot.fronts.web import WebSettings, page_socket
from bot.store import personal_data
from tests.bot.fronts.browsing import Browser, Open, Tab
from tests.bot.fronts.conftest import Arrive, opened_with
from tests.bot.fronts.http.lines import UPGRADE, Line, asked, lines


async def test_without_a_cookie_there_is_no_connection(stranger: Browser) -> None:
    with pytest.raises(WSServerHandshakeError) as refused:
        await stranger.connect()
    assert refused.value.status == 401
    with pytest.raises(WSServerHandshakeError) as refused:
        await stranger.connect(Cookie="azumaya=made-up")
    assert refused.value.status == 401


async def test_a_welcome_says_who_one_is_and_what_there_is(arrive: Arrive) -> None:
    tab = await (await arrive("Anna", "de")).tab(locale="en-GB")
    welcome = tab.welcome
    assert welcome["you"]["name"] == "Anna"
    assert welcome["language"] == "de"
    assert welcome["rooms"] == [
        {"room": "lounge", "title": "#lounge", "kind": "channel"},
        {"room": "garden", "title": "#garden", "kind": "channel"},
        {"room": "@house", "title": "Azumaya", "kind": "direct"},
    ]
    assert welcome["reset"] is False


async def test_a_page_that_does_not_say_hello_first_is_sent_away(arrive: Arrive) -> None:
    anna = await arrive("Anna")
    for first in (
        '{"t": "say", "id": 1, "room": "lounge", "text": "hello"}',
        '{"t": "hello"}',
        "nonsense",
    ):
        tab = await anna.connect()
        await tab.socket.send_str(first)
        assert (await tab.socket.receive()).type is WSMsgType.CLOSE
        assert tab.socket.close_code == 1008


# Half of a character outside the first plane: JSON can write it, no text can hold it.
HALF = r'{"t": "say", "id": 1, "room": "lounge", "text": "\ud800"}'


async def test_what_is_no_frame_ends_the_connection(table: Open, arrive: Arrive) -> None:
    anna = await arrive("Anna")
    too_long = "x" * (table.settings.of(WebSettings).message_bytes + 1)
    for frame, code in (
        *((text, 1008) for text in ("nonsense", "[]", "{}", '{"id": "x"}', "[" * 5000, HALF)),
        (too_long, 1009),
    ):
        tab = await anna.tab()
        await tab.socket.send_str(frame)
        assert await tab.closed() == code, frame[:20]
    tab = await anna.tab()
    await tab.socket.send_bytes(b"{}")
    assert await tab.closed() == 1003


async def test_a_request_that_is_none_is_answered_and_does_nothing(arrive: Arrive) -> None:
    tab = await (await arrive("Anna")).tab()
    frames: list[dict[str, Any]] = [
        {"t": "dance"},
        {"t": "hello"},
        {"t": "say", "room": "lounge"},
        {"t": "say", "room": "lounge", "text": 5},
        {"t": "say", "room": 5, "text": "x"},
        {"t": "say", "room": "lounge", "text": "x", "seen": {"x": 1}},
        {"t": "say", "room": "lounge", "text": "x", "seen": [1]},
        {"t": "say", "room": "lounge", "text": "x", "author": 1},
        {"t": "say", "room": "nowhere", "text": "x"},
        {"t": "press", "room": "nowhere", "token": "x"},
        {"t": "press", "room": "lounge", "token": "x" * 300},
        {"t": "older", "room": "nowhere", "before": 9},
        {"t": "older", "room": "lounge", "before": -1},
        {"t": "older", "room": "lounge", "before": 2**70},
        {"t": "older", "room": "lounge", "before": 1.5},
        {"t": "appearance", "theme": "pink"},
        {"t": "complete", "room": "nowhere", "text": "/"},
    ]
    for frame in frames:
        answer = await tab.ask(frame)
        assert answer["ok"] is False, frame
        assert answer["error"]
    # Neither do buttons that the bot never made.
    for token in ("", "x", "step:1", "step:9:9:d3", "drop:0:0:", "step:1:2:\x00", ":::", "é" * 60):
        answer = await tab.press(token)
        assert answer["ok"] is False, token
        assert answer["error"]
    assert (await tab.say("still here"))["ok"] is True
    await tab.until(lambda: tab.lines() == ["still here"])


async def test_tabs_are_counted_when_they_are_opened_and_not_when_they_say_hello(
    arrive: Arrive,
) -> None:
    anna = await arrive("Anna")

    async def opened() -> Tab | int:
        try:
            return await anna.connect()
        except WSServerHandshakeError as refused:
            return refused.status

    found = await asyncio.gather(*(opened() for _ in range(40)))
    tabs = [each for each in found if isinstance(each, Tab)]
    assert (len(tabs), found.count(429)) == (16, 24)
    for tab in tabs:
        await tab.hello()
    # After one is closed, another may open.
    await tabs[0].close()

    async def again() -> bool:
        return isinstance(await opened(), Tab)

    while not await again():
        continue


@opened_with(messages_per_second=5)
async def test_pings_are_throttled_like_everything_else(table: Open, arrive: Arrive) -> None:
    """A flood is answered at the configured rate and delays no one."""
    browser, ben = await arrive("Anna"), await (await arrive("Ben")).tab()
    # A browser would not mix them: pongs are separate from other frames.
    anna = await browser.web.ws_connect(f"{table.url}/socket", autoping=False)
    await anna.send_json({"t": "hello", "id": 1})
    while (await anna.receive_json())["t"] != "done":
        pass
    loop = asyncio.get_running_loop()
    pongs = 0

    async def count() -> None:
        nonlocal pongs
        async for frame in anna:
            pongs += frame.type is WSMsgType.PONG

    began = loop.time()
    tasks = [asyncio.create_task(count()), asyncio.create_task(_pinged(anna, 2_000))]
    for number in range(10):
        assert (await ben.say(f"line {number}"))["ok"]
    elapsed = loop.time() - began
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await anna.close()
    # A burst of four seconds' worth, and then so many a second.
    assert 0 < pongs <= 5 * 4 + 5 * elapsed + 1


@pytest.mark.slow
@opened_with(messages_per_second=10)
async def test_frames_are_counted_for_a_person_and_not_for_each_of_their_pages(
    arrive: Arrive,
) -> None:
    hers, his = await arrive("Anna"), await arrive("Ben")
    clock = asyncio.get_running_loop().time
    began = clock()
    pages, ben = [await hers.tab() for _ in range(4)], await his.tab()
    ask = {"t": "older", "room": "lounge", "before": 1}
    asked = [(page, await page.send(ask)) for page in pages for _ in range(15)]
    assert (await ben.say("I need not wait for her"))["ok"]
    his_answer = clock()
    assert all([(await page.answer(id_))["ok"] for page, id_ in asked])
    # The hellos, and a burst of four seconds' worth.
    assert clock() - began > (4 + 60 - 40) / 10 - 0.1
    assert his_answer < clock()


@pytest.mark.slow
@opened_with(messages_per_second=10, message_bytes=1024)
async def test_frames_that_come_in_pieces_are_read_at_the_pace_of_whole_ones(
    table: Open, arrive: Arrive
) -> None:
    """Thousands of empty pieces are one message to the library, and work all the same."""
    pieces = 60
    hers, his = await arrive("Anna"), await arrive("Ben")
    clock = asyncio.get_running_loop().time
    async with _raw(table, hers) as anna:
        ben = await his.tab()
        began = clock()
        empty = _frame(WSMsgType.CONTINUATION, is_last=False)
        flood = empty * (pieces * 1024 // len(empty))
        question = b'{"t":"hello","id":7}'
        anna.writer.write(
            _frame(WSMsgType.TEXT, is_last=False)
            + flood
            + _frame(WSMsgType.CONTINUATION, question, is_last=True)
        )
        assert (await ben.say("I need not wait for her"))["ok"]
        his_answer = clock()
        await anna.reader.readuntil(b'"done"')
        # A burst of four seconds' worth.
        assert clock() - began > (pieces - 40) / 10 - 0.1
        assert his_answer < clock()


async def test_a_frame_that_comes_byte_by_byte_is_read_all_the_same(
    table: Open, arrive: Arrive
) -> None:
    browser = await arrive("Anna")
    async with _raw(table, browser) as anna:
        for byte in _frame(WSMsgType.TEXT, b'{"t":"hello","id":7}', is_last=True):
            anna.writer.write(bytes([byte]))
            # By then it has been read by itself.
            assert (await browser.get("/healthz"))[0] == 200
        await anna.reader.readuntil(b'"done"')


@asynccontextmanager
async def _raw(table: Open, browser: Browser) -> AsyncIterator[Line]:
    """Open a page's connection on which anything can be sent."""
    async with lines() as dial:
        line = await dial(table.web.port)
        assert await line.ask(asked(table, "/socket", browser, UPGRADE)) == 101
        yield line


def _frame(opcode: WSMsgType, payload: bytes = b"", *, is_last: bool) -> bytes:
    """Return a frame, or a part of one, as a browser sends it; its mask changes nothing."""
    assert len(payload) < 126
    return bytes([128 * is_last + opcode, 128 + len(payload)]) + bytes(4) + payload


@pytest.mark.slow
async def test_what_one_person_asks_for_on_many_pages_is_done_one_after_the_other(
    table: Open, arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    complete = table.commands.complete
    under_way, most, done = Counter[str](), Counter[str](), list[str]()

    async def counted(command: Command, line: str) -> tuple[Completion, ...]:
        name = command.client.user.name
        under_way[name] += 1
        most[name] = max(most[name], under_way[name])
        found = await complete(command, line)
        under_way[name] -= 1
        done.append(name)
        return found

    monkeypatch.setattr(table.commands, "complete", counted)
    hers, his = await arrive("Anna"), await arrive("Ben")
    pages = [*[await hers.tab() for _ in range(8)], await his.tab()]
    ask = {"t": "complete", "room": "lounge", "text": "/othello "}
    asked = [(page, await page.send(ask)) for _ in range(5) for page in pages]
    assert all([(await page.answer(id_))["ok"] for page, id_ in asked])
    assert most == {"Anna": 1, "Ben": 1}
    # One person does not wait for all requests of another.
    assert done.index("Ben") < 10
    assert done[-5:] == ["Anna"] * 5


async def _pinged(socket: ClientWebSocketResponse, number: int) -> None:
    for _ in range(number):
        await socket.ping()


async def test_a_ping_before_hello_is_welcome_and_buys_no_time(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = await arrive("Anna")
    tab = await browser.connect()
    await tab.socket.ping()
    assert (await tab.hello())["you"]["name"] == "Anna"
    monkeypatch.setattr(page_socket, "_GREETING", 0.3)
    tab = await browser.connect()

    async def pinging() -> None:
        with suppress(ConnectionError):
            while True:
                await tab.socket.ping()
                await asyncio.sleep(0.05)

    task = asyncio.create_task(pinging())
    assert (await tab.socket.receive()).type is WSMsgType.CLOSE
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@pytest.mark.slow
async def test_the_list_of_players_is_sent_once_a_second_at_most_and_its_last_state_always(
    arrive: Arrive,
) -> None:
    anna = await (await arrive("Anna")).tab()
    his = await arrive("Ben")
    clock = asyncio.get_running_loop().time
    began = clock()
    for _ in range(20):
        await (await his.tab()).close()
    took = clock() - began

    def told() -> list[list[str]]:
        return [frame["names"] for frame in anna.heard if frame["t"] == "people"]

    assert len(told()) <= took + 2
    carl = await (await arrive("Carl")).tab()
    await anna.until(lambda: told()[-1] == ["Anna", "Carl"])
    # New pages need not wait for that.
    await carl.until(lambda: any(frame["t"] == "people" for frame in carl.heard))
    await carl.close()
    await anna.until(lambda: told()[-1] == ["Anna"])


async def test_another_page_of_a_player_who_is_online_sends_no_list_of_players(
    arrive: Arrive,
) -> None:
    anna = await (await arrive("Anna")).tab()
    his = await arrive("Ben")
    for _ in range(3):
        await his.tab()
    await (await arrive("Carl")).tab()

    def told() -> list[list[str]]:
        return [frame["names"] for frame in anna.heard if frame["t"] == "people"]

    await anna.until(lambda: told()[-1:] == [["Anna", "Ben", "Carl"]])
    assert all(one != next_ for one, next_ in pairwise(told()))


async def coming(browser: Browser) -> int | None:
    """Open a page and close it again. Return the close code if it was refused."""
    tab = await browser.connect()
    with suppress(ConnectionError):
        await tab.socket.send_str('{"t": "hello", "id": 1}')
    first = await tab.socket.receive()
    await tab.socket.close()
    return None if first.type is WSMsgType.TEXT else tab.socket.close_code


async def until_turned_away(*browsers: Browser) -> tuple[int, int]:
    """Reconnect until refused. Return the number of successes, and the close code."""
    for number in count():
        if code := await coming(browsers[number % len(browsers)]):
            return number, code
    raise AssertionError


@pytest.mark.slow
async def test_a_player_who_reconnects_all_the_time_has_to_wait_and_no_other(
    arrive: Arrive,
) -> None:
    hers, his = await arrive("Anna"), await arrive("Ben")
    times, code = await until_turned_away(hers)
    assert times >= 32
    # With this code a page waits, longer each time, and comes back.
    assert code == WSCloseCode.TRY_AGAIN_LATER
    assert await coming(his) is None


async def test_the_pages_of_a_deleted_account_are_sent_away_when_they_ask(
    table: Open, arrive: Arrive
) -> None:
    anna = await arrive("Anna")
    tabs = [await anna.tab() for _ in range(2)]
    await personal_data.erase(table.app.store, tabs[0].welcome["you"]["id"], name="#1")
    frames: list[dict[str, Any]] = [{"t": "say", "text": "am I?"}, {"t": "read", "message": 1}]
    for tab, frame in zip(tabs, frames, strict=True):
        await tab.send({**frame, "room": "lounge"})
        assert await tab.closed() == page_socket.FORGOTTEN


async def test_who_is_erased_while_they_come_in_is_sent_away(
    table: Open, arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, enter = await arrive("Anna"), Rooms.enter

    async def late(rooms: Rooms, visitor: Visitor) -> Visitor:
        await personal_data.erase(table.app.store, visitor.user.id, name="#1")
        return await enter(rooms, visitor)

    monkeypatch.setattr(Rooms, "enter", late)
    tab = await anna.connect()
    await tab.send({"t": "hello"})
    assert (await tab.socket.receive()).data == page_socket.FORGOTTEN


# A full server: pages make room, and one that finds none says so.

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
