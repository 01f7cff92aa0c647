"""Log in to the web app, log out, and be refused."""

import asyncio
import hashlib
import json
import sqlite3
from pathlib import Path

import pytest
from aiohttp import (
    ClientSession,
    TCPConnector,
    WSServerHandshakeError,
)

from bot.fronts.web import page_socket
from bot.store import sessions
from tests.bot.fronts.browsing import Browser, Open, open_table
from tests.bot.fronts.conftest import Arrive
from tests.bot.table import file_of

# --- arriving -------------------------------------------------------------------------------


@pytest.mark.sqlite
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
    known = await sessions.by_token(table.app.store, "web", hashed)
    assert known is not None
    assert (known.user.name, known.user.language) == ("Anna", "de")
    assert known.external not in (secret, hashed)
    with sqlite3.connect(file_of(table.settings)) as database:
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
        ("BOT", "Guest"),
        ("A" * 33, "A" * 32),
        ("Ben\x07\u202e", "Ben"),
        ("Ben\u200b", "Ben"),
        ("Аnna", "Аnna 2"),
        ("Ａnna", "Anna 2"),
        ("ʙot", "Guest"),
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
    assert told == {"error": "Please choose a readable name."}


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


async def arriving(browser: Browser, address: str) -> int:
    """Request the page from a proxied address; 400 would be a missing name."""
    status, _ = await browser.arrive("", **{"X-Forwarded-For": address})
    return status


async def test_whoever_arrives_from_five_sites_keeps_out_nobody_who_comes_first_from_theirs(
    tmp_path: Path,
) -> None:
    async with (
        open_table(tmp_path / "azumaya.db", proxies=("127.0.0.1",)) as table,
        Browser(table.url) as browser,
    ):
        flood = (f"2001:470:{n % 5 + 1:x}:{n:x}::1" for n in range(1200))
        for number in range(20):
            async with asyncio.timeout(60):
                while 429 not in [await arriving(browser, next(flood)) for _ in range(10)]:
                    continue
            assert await arriving(browser, f"203.0.113.{number}") == 400
            assert await arriving(browser, f"2001:db8:{number:x}::1") == 400


async def test_all_sites_of_a_provider_have_a_limit_that_is_no_other_providers(
    tmp_path: Path,
) -> None:
    async with (
        open_table(tmp_path / "azumaya.db", proxies=("127.0.0.1",)) as table,
        Browser(table.url) as browser,
    ):
        for flood, another in (
            ([f"2001:470:{n:x}::1" for n in range(2000)], "2001:db8::1"),
            ([f"198.51.{n // 250}.{n % 250}" for n in range(2000)], "203.0.113.1"),
        ):
            times = 0
            while await arriving(browser, flood[times]) != 429:
                times += 1
            assert times >= 240
            assert await arriving(browser, another) == 400


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
    assert await tab.closed() == page_socket.FORGOTTEN
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
