"""The web table over real HTTP and real WebSockets."""

import asyncio
import hashlib
import json
import re
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from aiohttp import (
    ClientSession,
    ClientWebSocketResponse,
    TCPConnector,
    WSMsgType,
    WSServerHandshakeError,
)
from fluent.syntax import FluentParser
from fluent.syntax import ast as fluent
from structlog.typing import EventDict

from bot.commands import Answer, Command
from bot.errors import Refused, StoreError, StoreGoneError
from bot.fronts.web import Web, visit, wire
from bot.model import PlaceKind
from bot.settings import PlaySettings
from bot.store import matches, people, rooms, sessions
from renderers import font_file
from tests.bot.fronts.browsing import Browser, Open, Tab, cells, label, open_table
from tests.bot.fronts.conftest import Arrive
from tests.bot.table import Clock

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "bot" / "fronts" / "page"


# --- the page -------------------------------------------------------------------------------


async def test_the_page_and_its_parts_are_served_with_their_types(stranger: Browser) -> None:
    types = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
    status, body, headers = await stranger.get("/")
    assert status == 200
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert body == (PAGE / "index.html").read_bytes()
    for file in PAGE.iterdir():
        if file.suffix == ".html":
            continue
        status, body, headers = await stranger.get(f"/static/{file.name}")
        assert (status, body) == (200, file.read_bytes())
        assert headers["Content-Type"].startswith(types[file.suffix[1:]])


@pytest.mark.parametrize(
    ("name", "weight"), [("opensans.ttf", "regular"), ("opensansbold.ttf", "semibold")]
)
async def test_the_page_brings_its_font_which_a_browser_keeps_for_a_year(
    stranger: Browser, name: str, weight: str
) -> None:
    for file in ("index.html", "page.css"):
        assert f"/static/{name}" in (PAGE / file).read_text("utf-8")
    status, body, headers = await stranger.get(f"/static/{name}")
    assert (status, body) == (200, font_file(weight).read_bytes())
    assert headers["Content-Type"] == "font/ttf"
    assert headers["Cache-Control"] == "public, max-age=31536000"
    status, body, _ = await stranger.get(f"/static/{name}", **{"If-None-Match": headers["ETag"]})
    assert (status, body) == (304, b"")


async def test_every_answer_forbids_what_is_not_of_this_house(stranger: Browser) -> None:
    for path in ("/", "/static/page.js", "/me", "/nothing", "/health"):
        _, _, headers = await stranger.get(path)
        policy = headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "aiohttp" not in headers["Server"]


def test_the_page_has_nothing_that_the_policy_forbids() -> None:
    html = (PAGE / "index.html").read_text("utf-8")
    assert not re.search(r"<style|style=|<script>|\son[a-z]+=|https?:", html)
    for file in PAGE.glob("*.js"):
        text = file.read_text("utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|eval\(|document\.write", text)


async def test_what_the_browser_has_already_is_not_sent_again(stranger: Browser) -> None:
    _, _, headers = await stranger.get("/static/page.css")
    status, body, _ = await stranger.get("/static/page.css", **{"If-None-Match": headers["ETag"]})
    assert (status, body) == (304, b"")


@pytest.mark.parametrize(
    "path", ["/static/nothing.js", "/static/../server.py", "/static/%2e%2e/web.py", "/static/"]
)
async def test_nothing_but_the_page_is_served(stranger: Browser, path: str) -> None:
    status, _, _ = await stranger.get(path)
    assert status == 404


async def test_the_house_says_that_it_is_well(stranger: Browser) -> None:
    status, body, _ = await stranger.get("/health", Host="somewhere.else.example")
    assert (status, json.loads(body)) == (200, {"playable": True, "problems": []})


# --- words ----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_word_of_the_page_is_sent_to_it(language: str) -> None:
    file = ROOT / "bot" / "locales" / language / "core.ftl"
    entries = FluentParser().parse(file.read_text("utf-8")).body
    written = {
        entry.id.name.removeprefix("web-")
        for entry in entries
        if isinstance(entry, fluent.Message) and entry.id.name.startswith("web-")
    }
    assert written == set(wire.WORDS)


def test_the_page_asks_for_no_word_that_it_does_not_get() -> None:
    html = (PAGE / "index.html").read_text("utf-8")
    asked = set(re.findall(r'data-(?:word|label)="([a-z-]+)"', html))
    for file in PAGE.glob("*.js"):
        asked.update(re.findall(r'word\(\s*"([a-z-]+)"', file.read_text("utf-8")))
    own = (PAGE / "words.js").read_text("utf-8")
    before = set(re.findall(r'^    "?([a-z-]+)"?: "', own, re.MULTILINE))
    assert asked <= set(wire.WORDS) | before
    assert {"tagline", "lost"} <= before


# --- arriving -------------------------------------------------------------------------------


async def test_a_name_gets_a_cookie_of_which_only_the_hash_is_stored(
    table: Open, stranger: Browser
) -> None:
    body = {"name": "Anna", "language": "de"}
    async with stranger.web.post("/arrive", json=body) as response:
        assert response.status == 200
        cookie = response.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Path=/" in cookie
    secret = stranger.cookie
    hashed = hashlib.sha256(secret.encode()).hexdigest()
    known = await sessions.by_token(table.house.store, "web", hashed)
    assert known is not None
    assert (known.user.name, known.user.language) == ("Anna", "de")
    assert known.external not in (secret, hashed)
    with sqlite3.connect(table.settings.database) as database:
        assert secret not in "\n".join(database.iterdump())
    database.close()


async def test_the_house_knows_who_has_come_in(stranger: Browser) -> None:
    status, _, _ = await stranger.get("/me")
    assert status == 401
    await stranger.arrive("Anna", "de")
    status, body, _ = await stranger.get("/me")
    assert (status, json.loads(body)) == (200, {"name": "Anna", "language": "de"})


@pytest.mark.parametrize(
    ("name", "suggested"),
    [
        ("Anna", "Anna 2"),
        ("  aNNa ", "aNNa 2"),
        ("Azumaya", "Guest"),
        ("BOT", "BOT 2"),
        ("A" * 33, "A" * 32),
        ("Ben\x07\u202e", "Ben"),
        ("Ben\u200b", "Ben"),
        ("Аnna", "Аnna 2"),
        ("Ａnna", "Anna 2"),
        ("ʙot", "ʙot 2"),
        ("Play", "Play 2"),
    ],
)
async def test_a_name_that_cannot_be_had_comes_back_with_one_that_can(
    arrive: Arrive, stranger: Browser, name: str, suggested: str
) -> None:
    await arrive("Anna")
    status, told = await stranger.arrive(name)
    assert status == 400
    assert told["error"]
    assert told["suggestion"] == suggested
    status, told = await stranger.arrive(told["suggestion"])
    assert (status, told) == (200, {"name": suggested})


async def test_every_next_suggestion_is_free_too(arrive: Arrive, stranger: Browser) -> None:
    for name in ("Anna", "Anna 2", "Anna 3"):
        await arrive(name)
    _, told = await stranger.arrive("anna")
    assert told["suggestion"] == "anna 4"


@pytest.mark.parametrize("name", ["", "   ", "\u200d", "@@", "\x00"])
async def test_a_name_without_anything_to_read_is_refused(stranger: Browser, name: str) -> None:
    status, told = await stranger.arrive(name)
    assert status == 400
    assert told == {"error": "Please choose a name that one can read."}


async def test_the_refusal_is_in_the_language_that_was_chosen(stranger: Browser) -> None:
    _, told = await stranger.arrive("", "de")
    assert told["error"] == "Bitte wähl einen Namen, den man lesen kann."


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b"[]",
        b'{"name": 5, "language": "en"}',
        b'{"language": "en"}',
        b'{"name": "A", "language": "en", "admin": true}',
        b'{"name": "\\ud800", "language": "en"}',
        b'{"name": "\xff", "language": "en"}',
        b"[" * 4000,
    ],
)
async def test_an_arrival_that_is_none_is_refused_with_a_word(
    stranger: Browser, body: bytes
) -> None:
    async with stranger.web.post("/arrive", data=body) as response:
        assert response.status == 400
        assert (await response.json())["error"]


async def test_an_endless_arrival_is_not_read(stranger: Browser) -> None:
    async with stranger.web.post("/arrive", json={"name": "A" * 5000}) as response:
        assert response.status == 413


async def test_a_flood_of_arrivals_is_slowed_down(stranger: Browser) -> None:
    answers = [(await stranger.arrive(""))[0] for _ in range(120)]
    assert set(answers) == {400, 429}


async def test_one_sender_of_arrivals_keeps_nobody_else_out(table: Open) -> None:
    """Four loops from one address, and 20 people from others."""
    floods: list[int] = []

    def at(address: str) -> ClientSession:
        return ClientSession(connector=TCPConnector(local_addr=(address, 0)))

    async def flood(session: ClientSession) -> None:
        while True:
            body = {"name": f"Flood {len(floods)}", "language": "en"}
            async with session.post(f"{table.url}/arrive", json=body) as answer:
                floods.append(answer.status)

    async with at("127.0.0.1") as sender, asyncio.TaskGroup() as tasks:
        loops = [tasks.create_task(flood(sender)) for _ in range(4)]
        async with asyncio.timeout(60):
            while 429 not in floods:  # noqa: ASYNC110 - each turn is a flood of requests
                await asyncio.sleep(0)
            for number in range(20):
                body = {"name": f"Guest {number}", "language": "en"}
                async with (
                    at(f"127.0.0.{2 + number}") as newcomer,
                    newcomer.post(f"{table.url}/arrive", json=body) as answer,
                ):
                    assert answer.status == 200
        for loop in loops:
            loop.cancel()
    assert floods.count(200) <= table.settings.web.arrivals_per_minute + 60


async def test_how_many_may_arrive_from_one_address_can_be_chosen(tmp_path: Path) -> None:
    async with (
        open_table(tmp_path / "azumaya.db", arrivals_per_minute=3) as table,
        Browser(table.url) as browser,
    ):
        answers = [(await browser.arrive(f"Anna {number}"))[0] for number in range(1, 5)]
        assert answers == [200, 200, 200, 429]


async def test_whoever_leaves_is_forgotten_in_this_browser_and_all_its_tabs(
    arrive: Arrive,
) -> None:
    anna = await arrive("Anna")
    tab = await anna.tab()
    async with anna.web.post("/leave") as response:
        assert response.status == 204
    assert await tab.closed() == visit.FORGOTTEN
    status, _, _ = await anna.get("/me")
    assert status == 401


# --- origins --------------------------------------------------------------------------------

FOREIGN = ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost.evil.example"]


@pytest.mark.parametrize("origin", FOREIGN)
async def test_pages_of_others_can_do_nothing_here(
    arrive: Arrive, stranger: Browser, origin: str
) -> None:
    async with stranger.web.post(
        "/arrive", json={"name": "Eve"}, headers={"Origin": origin}
    ) as response:
        assert response.status == 403
    anna = await arrive("Anna")
    with pytest.raises(WSServerHandshakeError) as refused:
        await anna.connect(Origin=origin)
    assert refused.value.status == 403
    async with anna.web.post("/leave", headers={"Origin": origin}) as response:
        assert response.status == 403
    assert (await anna.get("/me"))[0] == 200


async def test_our_own_page_can(table: Open, stranger: Browser) -> None:
    status, _ = await stranger.arrive("Anna", Origin=table.url)
    assert status == 200
    tab = await stranger.connect(Origin=table.url)
    assert (await tab.hello())["you"]["name"] == "Anna"


async def test_a_name_that_merely_leads_here_is_not_ours(table: Open, stranger: Browser) -> None:
    """DNS rebinding: the page is at evil.example, which now means 127.0.0.1."""
    port = table.web.port
    for host in (f"evil.example:{port}", "localhost.evil.example", "10.0.0.1", "["):
        status, _, _ = await stranger.get("/", Host=host, Origin=f"http://{host}")
        assert status == 403
    for host in (f"localhost:{port}", f"[::1]:{port}", "127.0.0.1"):
        status, _, _ = await stranger.get("/", Host=host, Origin=f"http://{host}")
        assert status == 200


async def test_an_origin_of_the_settings_is_ours_too(tmp_path: Path) -> None:
    origin = "https://play.example.org"
    async with (
        open_table(tmp_path / "azumaya.db", origins=(origin,)) as table,
        Browser(table.url) as browser,
    ):
        host = {"Host": "play.example.org", "Origin": origin}
        async with browser.web.post("/arrive", json={"name": "Anna"}, headers=host) as response:
            assert response.status == 200
            assert "Secure" in response.headers["Set-Cookie"]
        assert (await browser.get("/", Host="other.example.org"))[0] == 403


# --- connections ----------------------------------------------------------------------------


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
    assert welcome["texts"]["send"] == "Senden"
    assert welcome["texts"]["waiting"] == "du bist dran: {count}"
    assert welcome["rooms"] == [
        {"room": "lounge", "title": "#lounge", "kind": "channel", "waiting": 0},
        {"room": "garden", "title": "#garden", "kind": "channel", "waiting": 0},
        {"room": "@house", "title": "Azumaya", "kind": "direct", "waiting": 0},
    ]
    assert welcome["reset"] is False


@pytest.mark.parametrize(
    "first",
    [
        '{"t": "say", "id": 1, "room": "lounge", "text": "hello"}',
        '{"t": "hello"}',
        "nonsense",
    ],
)
async def test_who_does_not_say_hello_first_is_sent_away(arrive: Arrive, first: str) -> None:
    tab = await (await arrive("Anna")).connect()
    await tab.socket.send_str(first)
    assert (await tab.socket.receive()).type is WSMsgType.CLOSE
    assert tab.socket.close_code == 1008


# Half of a character outside the first plane: JSON can write it, no text can hold it.
HALF = r'{"t": "say", "id": 1, "room": "lounge", "text": "\ud800"}'


@pytest.mark.parametrize("frame", ["nonsense", "[]", "{}", '{"id": "x"}', "[" * 5000, HALF])
async def test_what_is_no_frame_ends_the_connection(arrive: Arrive, frame: str) -> None:
    tab = await (await arrive("Anna")).tab()
    await tab.socket.send_str(frame)
    assert await tab.closed() == 1008


async def test_bytes_end_the_connection(arrive: Arrive) -> None:
    tab = await (await arrive("Anna")).tab()
    await tab.socket.send_bytes(b"{}")
    assert await tab.closed() == 1003


async def test_a_frame_beyond_the_limit_ends_the_connection(table: Open, arrive: Arrive) -> None:
    tab = await (await arrive("Anna")).tab()
    await tab.socket.send_str("x" * (table.settings.web.message_bytes + 1))
    assert await tab.closed() == 1009


@pytest.mark.parametrize(
    "frame",
    [
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
        {"t": "older", "room": "lounge", "before": -1},
        {"t": "older", "room": "lounge", "before": 2**70},
        {"t": "older", "room": "lounge", "before": 1.5},
        {"t": "look", "theme": "pink"},
        {"t": "complete", "room": "nowhere", "text": "/"},
    ],
)
async def test_a_request_that_is_none_is_answered_and_does_nothing(
    arrive: Arrive, frame: Mapping[str, Any]
) -> None:
    tab = await (await arrive("Anna")).tab()
    answer = await tab.ask(dict(frame))
    assert answer["ok"] is False
    assert answer["error"]
    assert (await tab.say("still here"))["ok"] is True
    await tab.until(lambda: tab.lines() == ["still here"])


async def test_nobody_reaches_somebody_elses_direct_room(table: Open, arrive: Arrive) -> None:
    anna, ben = await arrive("Anna"), await arrive("Ben")
    hers, his = await anna.tab(), await ben.tab()
    await hers.say("only for the house", room="@house")
    you = hers.welcome["you"]["id"]
    external = await people.identity_of(table.house.store, you, "web")
    assert external is not None
    for room in (external, external[:64], "@anna"):
        assert (await his.say("here I am", room=room))["ok"] is False
        older = await his.ask({"t": "older", "room": room, "before": 1000})
        assert older["ok"] is False
    await hers.say("done")
    await his.until(lambda: his.lines() == ["done"])
    assert his.lines("@house") == []
    assert hers.lines("@house") == ["only for the house"]


async def test_one_person_has_only_so_many_tabs(arrive: Arrive) -> None:
    anna = await arrive("Anna")
    for _ in range(16):
        await anna.tab()
    with pytest.raises(WSServerHandshakeError) as refused:
        await anna.connect()
    assert refused.value.status == 429


async def test_tabs_are_counted_when_they_are_opened_and_not_when_they_say_hello(
    arrive: Arrive,
) -> None:
    anna = await arrive("Anna")

    async def opened() -> Tab | int:
        try:
            return await anna.connect()
        except WSServerHandshakeError as refused:
            return refused.status

    found = await asyncio.gather(*(opened() for _ in range(400)))
    tabs = [each for each in found if isinstance(each, Tab)]
    assert (len(tabs), found.count(429)) == (16, 384)
    for tab in tabs:
        await tab.hello()
    # Whoever closes one may open another.
    await tabs[0].close()

    async def again() -> bool:
        return isinstance(await opened(), Tab)

    async with asyncio.timeout(20):
        while not await again():
            continue


async def test_pings_are_throttled_like_everything_else(tmp_path: Path) -> None:
    """A flood of them is answered at the pace that is set, and holds nobody up."""
    async with (
        open_table(tmp_path / "azumaya.db", messages_per_second=5) as table,
        Browser(table.url) as browser,
        Browser(table.url) as other,
    ):
        await browser.arrive("Anna")
        await other.arrive("Ben")
        ben = await other.tab()
        # As a browser never would: what it gets is told apart from what it is told.
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
        tasks = [asyncio.create_task(count()), asyncio.create_task(_pinged(anna, 20_000))]
        for number in range(10):
            assert (await ben.say(f"line {number}"))["ok"]
        elapsed = loop.time() - began
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await anna.close()
        # A burst of four seconds' worth, and then so many a second.
        assert 0 < pongs <= 5 * 4 + 5 * elapsed + 1


async def _pinged(socket: ClientWebSocketResponse, number: int) -> None:
    for _ in range(number):
        await socket.ping()


async def test_a_ping_is_no_hello_and_buys_no_time(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visit, "_GREETING", 0.3)
    tab = await (await arrive("Anna")).connect()

    async def pinging() -> None:
        with suppress(ConnectionError):
            while True:
                await tab.socket.ping()
                await asyncio.sleep(0.05)

    task = asyncio.create_task(pinging())
    async with asyncio.timeout(20):
        assert (await tab.socket.receive()).type is WSMsgType.CLOSE
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_a_page_that_pings_before_it_says_hello_is_welcome(arrive: Arrive) -> None:
    tab = await (await arrive("Anna")).connect()
    await tab.socket.ping()
    assert (await tab.hello())["you"]["name"] == "Anna"


async def test_everybody_sees_who_is_here(arrive: Arrive) -> None:
    def named(tab: Tab) -> list[str]:
        return next((frame["names"] for frame in reversed(tab.heard) if frame["t"] == "people"), [])

    anna = await (await arrive("anna")).tab()
    ben = await (await arrive("Ben")).tab()
    await anna.until(lambda: named(anna) == ["anna", "Ben"])
    await ben.until(lambda: named(ben) == ["anna", "Ben"])
    await ben.close()
    await anna.until(lambda: named(anna) == ["anna"])


async def test_a_person_erased_meanwhile_is_sent_away(table: Open, arrive: Arrive) -> None:
    tab = await (await arrive("Anna")).tab()
    await people.forget(table.house.store, tab.welcome["you"]["id"], name="#1")
    await tab.send({"t": "say", "room": "lounge", "text": "am I?"})
    assert await tab.closed() == visit.FORGOTTEN


# --- chat -----------------------------------------------------------------------------------


async def test_what_one_says_everybody_in_the_room_reads(arrive: Arrive) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    assert (await anna.say("Good evening!"))["ok"] is True
    await ben.until(lambda: ben.lines() == ["Good evening!"])
    (message,) = ben.room("lounge")
    assert message["author"] == anna.welcome["you"]
    assert ben.lines("garden") == []


async def test_markup_is_text_and_control_characters_are_gone(arrive: Arrive) -> None:
    tab = await (await arrive("Anna")).tab()
    await tab.say("<b>&amp;\u202e\x00 \n @everyone</b>")
    await tab.until(lambda: tab.lines() == ["<b>&amp; @everyone</b>"])


async def test_nothing_and_far_too_much_are_refused(arrive: Arrive) -> None:
    tab = await (await arrive("Anna")).tab()
    assert "nothing" in (await tab.say(" \u200b "))["error"]
    assert "2,000" in (await tab.say("x" * 2001))["error"]
    assert (await tab.say("x" * 2000))["ok"] is True
    await tab.until(lambda: tab.lines() == ["x" * 2000])


async def test_a_flood_of_words_is_answered_word_by_word_and_mostly_not_said(
    tmp_path: Path,
) -> None:
    play = PlaySettings(commands_per_second=1)
    async with (
        open_table(tmp_path / "azumaya.db", play=play, messages_per_second=1000) as table,
        Browser(table.url) as browser,
    ):
        await browser.arrive("Anna")
        tab = await browser.tab()
        ids = [
            await tab.send({"t": "say", "room": "lounge", "text": f"word {number}"})
            for number in range(100)
        ]
        answers = [await tab.answer(id_) for id_ in ids]
        said = [number for number, answer in enumerate(answers) if answer["ok"]]
        assert 4 <= len(said) <= 20
        refusals = {answer["error"] for answer in answers if not answer["ok"]}
        assert refusals == {"That was very fast. Take a breath, then go on."}
        await tab.until(lambda: tab.lines() == [f"word {number}" for number in said])


async def test_a_flood_of_frames_waits_and_loses_nothing(tmp_path: Path) -> None:
    async with (
        open_table(tmp_path / "azumaya.db", messages_per_second=10) as table,
        Browser(table.url) as browser,
    ):
        await browser.arrive("Anna")
        tab = await browser.tab()
        clock = asyncio.get_running_loop().time
        began = clock()
        ask = {"t": "older", "room": "lounge", "before": 1}
        ids = [await tab.send(ask) for _ in range(46)]
        answers = [await tab.answer(id_) for id_ in ids]
        assert all(answer["ok"] for answer in answers)
        assert clock() - began > 0.4


async def test_so_many_lines_an_hour_and_then_a_pause(tmp_path: Path) -> None:
    async with (
        open_table(tmp_path / "azumaya.db", lines_per_hour=3) as table,
        Browser(table.url) as hers,
        Browser(table.url) as his,
    ):
        clock = Clock()
        table.house.store.clock = clock
        await hers.arrive("Anna")
        await his.arrive("Ben", "de")
        anna, ben = await hers.tab(), await his.tab()
        for number in range(3):
            assert (await anna.say(f"line {number}", room="garden"))["ok"] is True
            clock.forward(600)
        refused = await anna.say("one more")
        assert refused["error"] == (
            "You have written 3 lines within an hour. In 30 minutes you can go on."
        )
        # Commands do not count, nor what others write.
        assert (await anna.say("/help"))["ok"] is True
        assert (await ben.say("Guten Abend"))["ok"] is True
        clock.forward(1800)
        assert (await anna.say("again"))["ok"] is True
        assert (await anna.say("and again"))["ok"] is False
        await ben.until(lambda: ben.lines() == ["Guten Abend", "again"])


async def test_of_many_lines_at_once_no_more_than_an_hours_are_said(tmp_path: Path) -> None:
    path = tmp_path / "azumaya.db"
    async with (
        open_table(path, lines_per_hour=5) as one,
        open_table(path, lines_per_hour=5) as other,
        Browser(one.url) as browser,
    ):
        await browser.arrive("Anna")
        known = await people.by_handle(one.house.store, "web", "anna")
        place = one.web._hall.channels["lounge"]
        halls = [table.web._hall for table in (one, other)]
        said = await asyncio.gather(
            *(halls[n % 2].say(place, author=known, screen={"text": "x"}) for n in range(20)),
            return_exceptions=True,
        )
        assert said.count(None) == 5
        assert {error.code for error in said if isinstance(error, Refused)} == {"too-many-lines"}


async def both(one: Tab, other: Tab, *lines: str) -> None:
    """Wait until two pages show exactly these lines."""
    for tab in (one, other):
        await tab.until(partial(lambda tab: tab.lines() == list(lines), tab))


async def test_lines_of_somebody_blocked_are_not_shown_live_nor_afterwards(
    arrive: Arrive,
) -> None:
    hers, his = await arrive("Anna"), await arrive("Ben")
    third = await (await arrive("Cleo")).tab()
    anna, second, ben = await hers.tab(), await hers.tab(), await his.tab()
    await ben.say("before")
    await both(anna, second, "before")
    await anna.say("/block @Ben")
    # What was there goes, on all pages of hers; for others it stays.
    await both(anna, second)
    await ben.say("after")
    await third.say("good evening")
    await both(anna, second, "good evening")
    assert third.lines() == ["before", "after", "good evening"]
    later = await hers.tab()
    assert later.lines() == ["good evening"]
    again = await hers.tab(since=1)
    assert again.lines() == ["good evening"]
    await later.ask({"t": "older", "room": "lounge", "before": 2**40})
    assert later.lines() == ["good evening"]
    # Ben sees everybody, himself too, and nothing of it.
    assert ben.lines() == ["before", "after", "good evening"]
    await anna.say("/unblock @Ben")
    await both(anna, second, "before", "after", "good evening")


async def test_pages_of_people_who_never_played_are_noted(table: Open, arrive: Arrive) -> None:
    anna = await arrive("Anna")
    store, a_day = table.house.store, 24 * 3600
    now = int(table.house.clock())
    user = await people.by_handle(store, "web", "anna")
    assert user is not None

    async def idle() -> bool:
        return user.id in await people.idlers(store, before=now + a_day, limit=9)

    assert await idle()
    clock = Clock()
    clock.now = now + 2 * a_day
    table.house.store.clock = clock
    tab = await anna.tab()
    assert not await idle()
    assert table.house.here[user.id] == 1
    await tab.close()
    await (await (await arrive("Ben")).tab()).until(lambda: not table.house.here[user.id])


async def test_earlier_words_come_in_portions(arrive: Arrive) -> None:
    anna = await arrive("Anna")
    tab = await anna.tab()
    for number in range(70):
        await tab.say(f"line {number}")
    later = await anna.tab()
    assert later.lines() == [f"line {number}" for number in range(40, 70)]
    answer = await later.ask(
        {"t": "older", "room": "lounge", "before": later.room("lounge")[0]["id"]}
    )
    assert answer["more"] is True
    assert later.lines() == [f"line {number}" for number in range(10, 70)]
    answer = await later.ask(
        {"t": "older", "room": "lounge", "before": later.room("lounge")[0]["id"]}
    )
    assert answer["more"] is False
    assert later.lines() == [f"line {number}" for number in range(70)]


# --- matches --------------------------------------------------------------------------------


async def othello(anna: Tab, ben: Tab) -> tuple[Tab, Tab]:
    """Anna challenges Ben and he accepts; gives Black's tab and White's."""
    assert (await anna.say("/othello @Ben black"))["ok"] is True
    challenge = await ben.board()
    assert (await ben.press(label(challenge["screen"], "Accept")))["ok"] is True
    await anna.board(version=2)
    await ben.board(version=2)
    return anna, ben


async def test_a_refused_move_names_its_match_and_other_refusals_none(arrive: Arrive) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    board = await anna.board(version=2)
    for refused in (await anna.say("/othello a1"), await anna.say("/othello z9")):
        assert refused["error"]
        assert refused["about"] == board["screen"]["match"]
    for line in ("/othelo a1", "/sogo a1"):
        refused = await anna.say(line)
        assert refused["error"]
        assert refused["about"] is None


async def test_two_people_play_and_both_see_the_board_change_in_its_place(arrive: Arrive) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    hers, his = await anna.board(version=2), await ben.board(version=2)
    assert hers["author"] is None
    assert hers["screen"]["turn"] is True
    assert his["screen"]["turn"] is False
    assert set(cells(hers)) == {"c4", "d3", "e6", "f5"}
    assert cells(his) == {}
    assert len(cells(his, legal=False)) == 64

    assert (await anna.press(cells(hers)["d3"])) == {
        "t": "done",
        "id": 3,
        "ok": True,
        "error": None,
        "about": None,
        "private": None,
        "completions": [],
        "more": False,
    }
    after = await ben.board(version=3)
    assert after["id"] == his["id"] == hers["id"]
    assert after["screen"]["turn"] is True
    match = str(after["screen"]["match"])
    assert (await ben.say("/othello c3", seen={match: 3}))["ok"] is True
    assert (await anna.board(version=4))["screen"]["turn"] is True


async def test_the_waiting_counts_follow_the_turn(arrive: Arrive) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()

    def waiting(tab: Tab) -> dict[str, int]:
        frames = [frame for frame in tab.heard if "rooms" in frame]
        return {room["room"]: room["waiting"] for room in frames[-1]["rooms"]}

    await othello(anna, ben)
    await anna.until(lambda: waiting(anna)["lounge"] == 1)
    await anna.press(cells(await anna.board(version=2))["d3"])
    await anna.until(lambda: waiting(anna)["lounge"] == 0)
    await ben.until(lambda: waiting(ben)["lounge"] == 1)


async def test_a_double_click_plays_once(arrive: Arrive) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    token = cells(await anna.board(version=2))["d3"]
    press = {"t": "press", "room": "lounge", "token": token}
    first, second = [await anna.answer(await anna.send(press)) for _ in range(2)]
    assert first["ok"] is True
    assert second["ok"] is False
    assert second["error"] == "The board has moved on. This is how it stands now:"
    assert second["private"] is None
    assert (await anna.board(version=3))["screen"]["version"] == 3


async def test_a_stale_press_in_another_room_shows_the_live_board_in_private(
    arrive: Arrive,
) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    token = cells(await anna.board(version=2))["d3"]
    await anna.press(token)
    answer = await anna.press(token, room="garden")
    assert answer["ok"] is False
    assert answer["error"] == "The board has moved on. This is how it stands now:"
    assert answer["private"]["version"] == 3
    assert answer["private"]["replaces"] is None
    assert answer["error"] not in answer["private"]["text"]


@pytest.mark.parametrize(
    ("who", "step", "reason"),
    [
        ("anna", "a1", "flip nothing"),
        ("anna", "d4", "already"),
        ("ben", "d3", "not your turn"),
        ("cleo", "d3", "not playing"),
    ],
)
async def test_a_press_that_cannot_be_says_why(
    arrive: Arrive, who: str, step: str, reason: str
) -> None:
    tabs = {name: await (await arrive(name.title())).tab() for name in ("anna", "ben", "cleo")}
    await othello(tabs["anna"], tabs["ben"])
    board = await tabs[who].board(version=2)
    token = (cells(board, legal=False) | cells(board))[step]
    answer = await tabs[who].press(token)
    assert answer["ok"] is False
    assert reason in answer["error"]


@pytest.mark.parametrize(
    "token",
    [
        "",
        "x",
        "step:1",
        "step:9:9:d3",
        "drop:0:0:",
        "step:1:2:\x00",
        ":::",
        "step:-1:2:d3",
        "é" * 60,
    ],
)
async def test_buttons_that_we_never_made_do_nothing(arrive: Arrive, token: str) -> None:
    tab = await (await arrive("Anna")).tab()
    answer = await tab.press(token)
    assert answer["ok"] is False
    assert answer["error"]


async def test_a_half_made_move_stands_in_the_boards_place_for_one_pair_of_eyes(
    arrive: Arrive,
) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await anna.say("/moyo @Ben")
    await ben.press(label((await ben.board())["screen"], "Accept"))
    await ben.board(version=2)
    board = await anna.board(version=2)
    mover = anna if board["screen"]["turn"] else ben
    board = await mover.board(version=2)
    cell, token = next(iter(cells(board).items()))
    heard = len(ben.heard), len(anna.heard)
    answer = await mover.press(token)
    private = answer["private"]
    assert answer["ok"] is True
    assert private["replaces"] == board["id"]
    assert private["version"] == board["screen"]["version"]
    assert private["picture"]["url"].startswith("data:image/png;base64,")
    following = cells({"screen": private})
    assert following
    assert all(step.startswith(f"{cell}.") for step in following)
    watching = ben if mover is anna else anna
    assert len(watching.heard) == heard[0 if watching is ben else 1]
    await mover.press(next(iter(following.values())))
    assert (await watching.board(version=3))["id"] == board["id"]


async def test_a_board_called_again_leaves_its_old_place(arrive: Arrive) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    first = await ben.board(version=2)
    await anna.say("/board")
    await ben.until(lambda: first["id"] not in ben.messages and ben.boards())
    assert (await ben.board(version=2))["id"] > first["id"]
    assert len(ben.boards()) == 1


async def test_a_public_answer_is_for_the_whole_room(tmp_path: Path) -> None:
    play = PlaySettings(leaderboard_minimum=1)
    async with (
        open_table(tmp_path / "azumaya.db", play=play) as table,
        Browser(table.url) as first,
        Browser(table.url) as second,
    ):
        await first.arrive("Anna")
        await second.arrive("Ben")
        anna, ben = await first.tab(), await second.tab()
        await othello(anna, ben)
        asked = await ben.press(label((await ben.board(version=2))["screen"], "Resign"))
        assert (await ben.press(label(asked["private"], "Yes, give up")))["ok"] is True
        await anna.board(version=3)
        answer = await anna.say("/leaderboard")
        assert (answer["ok"], answer["private"]) == (True, None)
        await ben.until(lambda: any("1. Anna: 100" in line for line in ben.lines()))


async def test_completion_comes_from_the_house(arrive: Arrive) -> None:
    tab = await (await arrive("Anna")).tab()
    answer = await tab.ask({"t": "complete", "room": "lounge", "text": "/oth"})
    assert [offer["text"] for offer in answer["completions"]] == ["/othello "]
    assert answer["completions"][0]["hint"]
    answer = await tab.ask({"t": "complete", "room": "lounge", "text": "/othello @a"})
    assert [offer["text"] for offer in answer["completions"]] == ["/othello @Anna"]


async def test_who_changes_the_language_gets_the_page_in_it(arrive: Arrive) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    answer = await anna.say("/language de")
    assert answer["private"]["text"] == "Von jetzt an spreche ich Deutsch mit dir."
    words = await anna.until(lambda: [frame for frame in anna.heard if frame["t"] == "words"])
    assert words[0]["language"] == "de"
    assert words[0]["texts"]["send"] == "Senden"
    await anna.until(lambda: "Du bist am Zug." in anna.boards()[0]["screen"]["text"])
    assert not [frame for frame in ben.heard if frame["t"] == "words"]


# --- pictures -------------------------------------------------------------------------------


async def test_a_board_has_a_picture_that_the_browser_may_keep(arrive: Arrive) -> None:
    browser, ben = await arrive("Anna"), await (await arrive("Ben")).tab()
    anna = await browser.tab(theme="dark")
    await othello(anna, ben)
    picture = (await anna.board(version=2))["screen"]["picture"]
    assert "theme=dark" in picture["url"]
    assert picture["alt"]
    status, body, headers = await browser.get(picture["url"])
    assert status == 200
    assert headers["Content-Type"] == "image/png"
    assert headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert headers["Vary"] == "Cookie"
    assert body.startswith(b"\x89PNG")
    assert int.from_bytes(body[16:20]) == picture["width"]
    assert int.from_bytes(body[20:24]) == picture["height"]
    width, height = picture["width"], picture["height"]
    for cell in picture["cells"]:
        left, top, right, bottom = cell["box"]
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height


async def test_a_picture_that_has_been_overtaken_is_not_kept(arrive: Arrive) -> None:
    browser, ben = await arrive("Anna"), await (await arrive("Ben")).tab()
    anna = await browser.tab()
    await othello(anna, ben)
    before = (await anna.board(version=2))["screen"]["picture"]["url"]
    await anna.press(cells(await anna.board(version=2))["d3"])
    after = (await anna.board(version=3))["screen"]["picture"]["url"]
    old, new = await browser.get(before), await browser.get(after)
    assert old[2]["Cache-Control"] == "no-store"
    assert old[1] == new[1]


async def test_pictures_are_for_those_who_may_see_them(arrive: Arrive, stranger: Browser) -> None:
    browser, other = await arrive("Anna"), await arrive("Ben")
    anna = await browser.tab()
    await anna.say("/blackbox new", room="@house")
    board = await anna.board(room="@house")
    url = board["screen"]["picture"]["url"]
    assert (await browser.get(url))[0] == 200
    assert (await other.get(url))[0] == 404
    assert (await stranger.get(url))[0] == 401
    number = board["id"]
    for path in (f"/picture/{number}/99.png", "/picture/999/1.png", "/picture/x/1.png"):
        assert (await browser.get(path))[0] == 404


async def test_a_message_without_a_picture_has_none(arrive: Arrive) -> None:
    browser = await arrive("Anna")
    tab = await browser.tab()
    await tab.say("words")
    await tab.until(tab.lines)
    number = tab.room("lounge")[0]["id"]
    assert (await browser.get(f"/picture/{number}/0.png"))[0] == 404


async def test_other_colours_give_other_pictures(arrive: Arrive) -> None:
    browser, ben = await arrive("Anna"), await (await arrive("Ben")).tab()
    anna = await browser.tab(theme="light")
    await othello(anna, ben)
    light = (await anna.board(version=2))["screen"]["picture"]["url"]
    assert (await anna.ask({"t": "look", "theme": "dark"}))["ok"] is True
    await anna.until(lambda: "theme=dark" in anna.boards()[0]["screen"]["picture"]["url"])
    dark = anna.boards()[0]["screen"]["picture"]["url"]
    assert (await browser.get(light))[1] != (await browser.get(dark))[1]


async def test_a_setting_changes_the_boards_that_are_there(arrive: Arrive) -> None:
    browser, ben = await arrive("Anna"), await (await arrive("Ben")).tab()
    anna = await browser.tab()
    await othello(anna, ben)
    dots = (await anna.board(version=2))["screen"]["picture"]["url"]
    with_dots = (await browser.get(dots))[1]
    settings = (await anna.say("/settings"))["private"]
    await anna.press(label(settings, "Dots on legal moves: shown"))
    await anna.until(lambda: anna.boards()[0]["screen"]["picture"]["url"] != dots)
    without = (await browser.get(anna.boards()[0]["screen"]["picture"]["url"]))[1]
    assert without != with_dots


# --- being away -----------------------------------------------------------------------------


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


async def test_who_missed_too_much_starts_over(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visit, "_MOST_MISSED", 5)
    anna, ben = await arrive("Anna"), await (await arrive("Ben")).tab()
    await ben.say("first")
    await ben.until(ben.lines)
    since = ben.room("lounge")[0]["stamp"]
    for number in range(6):
        await ben.say(f"line {number}")
    back = await anna.tab(since=since)
    assert back.welcome["reset"] is True
    assert back.lines() == ["first", *(f"line {number}" for number in range(6))]


async def test_a_page_from_another_time_starts_over(arrive: Arrive) -> None:
    anna = await arrive("Anna")
    tab = await anna.tab()
    await tab.say("hello")
    back = await anna.tab(since=10_000)
    assert back.welcome["reset"] is True
    assert back.lines() == ["hello"]
    assert back.welcome["stamp"] < 10_000


async def test_a_page_that_does_not_read_is_sent_away_to_catch_up(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visit, "_MOST_PENDING", 3)
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    stuck = asyncio.Event()

    async def slow(self: visit.Visit, posted: object) -> None:
        await stuck.wait()

    monkeypatch.setattr(visit.Visit, "_deliver", slow)
    for number in range(6):
        await ben.say(f"line {number}")
    stuck.set()
    assert await anna.closed() == 1013


async def test_after_a_restart_the_same_people_and_the_same_buttons_work(tmp_path: Path) -> None:
    database = tmp_path / "azumaya.db"
    async with open_table(database) as table, Browser(table.url) as a, Browser(table.url) as b:
        await a.arrive("Anna")
        await b.arrive("Ben")
        anna, ben = await a.tab(), await b.tab()
        await othello(anna, ben)
        token = cells(await anna.board(version=2))["d3"]
        since = max(message["stamp"] for message in ben.messages.values())
        port = table.web.port
        await table.web.stop()
        assert await anna.closed() == 1001
        async with open_table(database, port=port):
            anna, ben = await a.tab(), await b.tab(since=since)
            assert ben.messages == {}
            assert (await anna.press(token))["ok"] is True
            assert (await ben.board(version=3))["screen"]["turn"] is True


async def test_a_crash_between_posting_and_noting_it_posts_nothing_twice(
    table: Open, arrive: Arrive
) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    shown = await anna.board(version=2)
    store = table.house.store
    async with store.write() as connection:
        # As after a crash between the two.
        await connection.exec_driver_sql("UPDATE boards SET message = NULL, shown = -1")
    table.house.changed.set()
    # The move that comes next is shown in the same message.
    assert (await anna.say("/othello d3"))["ok"] is True
    await anna.board(version=3)
    assert [board["id"] for board in anna.boards()] == [shown["id"]]


# --- when things go wrong -------------------------------------------------------------------


async def test_who_goes_away_meanwhile_does_not_undo_what_was_asked(
    table: Open, arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, ben = await arrive("Anna"), await (await arrive("Ben")).tab()
    anna = await browser.tab()
    begun, go_on = asyncio.Event(), asyncio.Event()
    add = rooms.add

    async def slow(*arguments: Any, **named: Any) -> rooms.Message:
        begun.set()
        await go_on.wait()
        return await add(*arguments, **named)

    monkeypatch.setattr(rooms, "add", slow)
    await anna.send({"t": "say", "room": "lounge", "text": "my last words"})
    await begun.wait()
    await anna.close()
    go_on.set()
    await ben.until(lambda: ben.lines() == ["my last words"])


async def test_closing_waits_for_what_is_under_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()
    add = rooms.add

    async def slow(*arguments: Any, **named: Any) -> rooms.Message:
        begun.set()
        await go_on.wait()
        return await add(*arguments, **named)

    database = tmp_path / "azumaya.db"
    async with open_table(database) as table, Browser(table.url) as browser:
        await browser.arrive("Anna")
        tab = await browser.tab()
        monkeypatch.setattr(rooms, "add", slow)
        await tab.send({"t": "say", "room": "lounge", "text": "my last words"})
        await begun.wait()
        closing = asyncio.create_task(table.web.stop())
        assert await tab.closed() == 1001
        assert not closing.done()
        go_on.set()
        await closing
        place = await people.enter(
            table.house.store, "web", "lounge", kind=PlaceKind.CHANNEL, title="#lounge"
        )
        (said,) = await rooms.older(table.house.store, place.id, before=1000, limit=10)
        assert said.screen == {"text": "my last words"}


async def test_closing_with_open_pages_takes_a_moment_only(tmp_path: Path) -> None:
    async with open_table(tmp_path / "azumaya.db") as table, Browser(table.url) as browser:
        await browser.arrive("Anna")
        for _ in range(10):
            await browser.tab()
        async with asyncio.timeout(4):
            await table.web.stop()


async def test_a_store_that_fails_is_told_and_nothing_is_said(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = await (await arrive("Anna")).tab()

    async def full(*_: Any, **__: Any) -> rooms.Message:
        raise StoreError("azumaya.db: database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(rooms, "add", full)
        answer = await tab.say("lost")
    assert answer["error"].startswith("I could not store that")
    assert (await tab.say("said"))["ok"] is True
    await tab.until(lambda: tab.lines() == ["said"])


async def test_pages_that_cannot_be_told_because_the_store_fails_are_one_line(
    table: Open, arrive: Arrive, monkeypatch: pytest.MonkeyPatch, logged: list[EventDict]
) -> None:
    tabs = [await (await arrive(name)).tab() for name in ("Anna", "Ben", "Cleo")]

    async def gone(*_: Any, **__: Any) -> None:
        raise StoreGoneError("azumaya.db: the database has gone")

    with monkeypatch.context() as patch:
        patch.setattr(matches, "awaited", gone)
        for user_id in (tab.welcome["you"]["id"] for tab in tabs):
            for page in table.web._hall.pages_of(user_id):
                page.tell_rooms()
        for tab in tabs:
            # The page comes back and catches up, as soon as that can be.
            assert await tab.closed() == 1013
    assert [(line["event"], line.get("reason")) for line in logged if line["level"] == "error"] == [
        ("page not told", "azumaya.db: the database has gone")
    ]


async def test_a_store_that_fails_over_http_is_no_traceback(
    stranger: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: Any, **__: Any) -> None:
        raise StoreError("azumaya.db: disk I/O error")

    monkeypatch.setattr(sessions, "by_token", broken)
    status, body, _ = await stranger.get("/me", Cookie="azumaya=x")
    assert status == 503
    assert b"disk" not in body


async def test_a_mistake_of_ours_is_an_apology(
    table: Open,
    arrive: Arrive,
    monkeypatch: pytest.MonkeyPatch,
    logged: list[EventDict],
) -> None:
    tab = await (await arrive("Anna")).tab()

    async def broken(command: Command, line: str) -> Answer:
        raise ZeroDivisionError

    monkeypatch.setattr(table.commands, "typed", broken)
    answer = await tab.say("/play")
    assert answer["error"].startswith("Something went wrong on my side")
    (entry,) = [entry for entry in logged if "exception" in entry]
    assert "ZeroDivisionError" in entry["exception"]
    logged.clear()


async def test_a_port_in_use_is_an_error_of_the_system(table: Open) -> None:
    settings = table.settings.model_copy(
        update={"web": table.settings.web.model_copy(update={"port": table.web.port})}
    )
    house = table.house
    second = Web(type(house)(settings, house.store, house.key), table.commands)
    with pytest.raises(OSError, match="Address already in use"):
        await second.start()
    await second.stop()
