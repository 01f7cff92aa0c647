"""Log in to the web app, log out, and be refused."""

import hashlib
import json
import sqlite3
from pathlib import Path

import pytest
from aiohttp import ClientSession, TCPConnector, WSServerHandshakeError

from bot.fronts.web import server
from bot.store import sessions
from tests.bot.fronts.browsing import Browser, Open, open_table
from tests.bot.fronts.conftest import Arrive, opened_with
from tests.bot.table import file_of


@pytest.mark.sqlite
async def test_a_name_gets_a_cookie_of_which_only_the_hash_is_stored(
    table: Open, stranger: Browser
) -> None:
    body = {"name": "Anna", "language": "de"}
    agent = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Firefox/130.0"}
    async with stranger.web.post("/arrive", json=body, headers=agent) as response:
        assert response.status == 200
        cookie = response.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Path=/" in cookie
    secret = stranger.cookie
    hashed = hashlib.sha256(secret.encode()).hexdigest()
    known = await sessions.by_token(table.app.store, hashed)
    assert known is not None
    assert (known.user.name, known.user.language) == ("Anna", "de")
    assert known.external not in (secret, hashed)
    with sqlite3.connect(file_of(table.settings)) as database:
        assert database.execute("SELECT label FROM sessions").fetchall() == [("Firefox, Linux",)]
        everything = "\n".join(database.iterdump())
    database.close()
    assert secret not in everything
    assert "rv:130" not in everything
    assert everything.count(hashed) == 1


async def test_a_browser_asks_who_it_is(stranger: Browser) -> None:
    status, _, _ = await stranger.get("/me")
    assert status == 401
    await stranger.arrive("Anna", "de")
    status, body, _ = await stranger.get("/me")
    assert (status, json.loads(body)) == (200, {"name": "Anna", "language": "de"})


async def test_a_refused_name_comes_back_with_a_suggestion_and_the_reason(
    arrive: Arrive, stranger: Browser
) -> None:
    await arrive("Anna")
    for name, suggested in (("  aNNa ", "aNNa B"), ("BOT", "Guest"), ("Ben\x07\u202e", "Ben")):
        status, answer = await stranger.arrive(name)
        assert status == 400
        assert answer["error"]
        assert answer["suggestion"] == suggested
    assert await stranger.arrive("Anna B") == (200, {"name": "Anna B"})


async def test_what_is_no_login_is_refused_with_a_reason(stranger: Browser) -> None:
    for name in ("", "\u200d", "\x00"):
        assert await stranger.arrive(name) == (400, {"error": "Please choose a readable name."})
    _, answer = await stranger.arrive("", "de")
    assert answer["error"] == "Bitte wähl einen Namen, den man lesen kann."
    for body in (b"", b"[]", b'{"code": 5}', b'{"code": "x", "user": 1}', b'{"sure": true}'):
        async with stranger.web.post("/also", data=body) as response:
            assert (response.status, "error" in await response.json()) == (400, True)
    for body in (
        b"",
        b"nonsense",
        b"[]",
        b'{"name": 5, "language": "en"}',
        b'{"language": "en"}',
        b'{"name": "A", "language": "en", "admin": true}',
        b'{"name": "\\ud800", "language": "en"}',
        b'{"name": "\xff", "language": "en"}',
        b"[" * 4000,
    ):
        async with stranger.web.post("/arrive", data=body) as response:
            assert response.status == 400, body
            assert (await response.json())["error"]
    async with stranger.web.post("/arrive", json={"name": "A" * 5000}) as response:
        assert response.status == 413


async def arriving(browser: Browser, address: str) -> int:
    """Request the page from a proxied address; 400 would be a missing name."""
    status, _ = await browser.arrive("", **{"X-Forwarded-For": address})
    return status


async def test_all_sites_of_a_provider_have_a_limit_that_is_no_other_providers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_ARRIVALS", (4, 3600.0))
    monkeypatch.setattr(server, "_FIRST_ARRIVALS_NEAR", (12, 3600.0))
    async with (
        open_table(tmp_path / "azumaya.db", proxies=("127.0.0.1",)) as table,
        Browser(table.url) as browser,
    ):
        for flood, another in (
            ([f"2001:470:{n:x}::1" for n in range(100)], "2001:db8::1"),
            ([f"198.51.{n}.1" for n in range(100)], "203.0.113.1"),
        ):
            times = 0
            while await arriving(browser, flood[times]) != 429:
                times += 1
            assert times >= 12
            assert await arriving(browser, another) == 400


@opened_with(arrivals_per_minute=3)
async def test_one_address_may_log_in_so_many_players_and_keeps_no_other_out(table: Open) -> None:
    async def log_in(address: str, name: str) -> int:
        body = {"name": name, "language": "en"}
        async with (
            ClientSession(connector=TCPConnector(local_addr=(address, 0))) as browser,
            browser.post(f"{table.url}/arrive", json=body) as answer,
        ):
            return answer.status

    answers = [await log_in("127.0.0.1", f"Anna {initial}") for initial in "BCDE"]
    assert answers == [200, 200, 200, 429]
    assert await log_in("127.0.0.2", "Ben") == 200


FOREIGN = ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost.evil.example"]


async def test_pages_of_others_can_do_nothing_here(arrive: Arrive, stranger: Browser) -> None:
    anna = await arrive("Anna")
    for origin in FOREIGN:
        async with stranger.web.post(
            "/arrive", json={"name": "Eve"}, headers={"Origin": origin}
        ) as response:
            assert response.status == 403
        with pytest.raises(WSServerHandshakeError) as refused:
            await anna.connect(Origin=origin)
        assert refused.value.status == 403
        async with anna.web.post("/leave", headers={"Origin": origin}) as response:
            assert response.status == 403
    assert (await anna.get("/me"))[0] == 200


async def test_our_page_may_and_a_name_that_merely_leads_here_may_not(
    table: Open, stranger: Browser
) -> None:
    """DNS rebinding: the page is at evil.example, which now means 127.0.0.1."""
    status, _ = await stranger.arrive("Anna", Origin=table.url)
    assert status == 200
    tab = await stranger.connect(Origin=table.url)
    assert (await tab.hello())["you"]["name"] == "Anna"
    port = table.web.port
    for host in (f"evil.example:{port}", "localhost.evil.example", "10.0.0.1", "["):
        status, _, _ = await stranger.get("/", Host=host, Origin=f"http://{host}")
        assert status == 403
    for host in (f"localhost:{port}", f"[::1]:{port}", "127.0.0.1"):
        status, _, _ = await stranger.get("/", Host=host, Origin=f"http://{host}")
        assert status == 200


@opened_with(origins=("https://play.example.org",))
async def test_an_origin_of_the_settings_is_ours_too(stranger: Browser) -> None:
    host = {"Host": "play.example.org", "Origin": "https://play.example.org"}
    async with stranger.web.post("/arrive", json={"name": "Anna"}, headers=host) as response:
        assert response.status == 200
        assert "Secure" in response.headers["Set-Cookie"]
    assert (await stranger.get("/", Host="other.example.org"))[0] == 403
