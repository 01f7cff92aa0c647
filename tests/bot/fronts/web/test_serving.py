"""The page and texts that the web app serves."""

import json
import re
from pathlib import Path

import pytest

from bot.fronts.web import wire
from bot.store import key_values
from bot.support.errors import StoreError
from bot.support.texts import LANGUAGES
from renderers import font_file
from tests.bot.fronts.browsing import Browser

ROOT = Path(__file__).parents[4]
PAGE = ROOT / "bot" / "fronts" / "page"


# --- the page -------------------------------------------------------------------------------


async def test_the_page_and_its_parts_are_served_with_their_types_and_nothing_else(
    stranger: Browser,
) -> None:
    types = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
    status, body, headers = await stranger.get("/")
    assert status == 200
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    before, after = re.split(
        r"\{\{words\}\}.*\{\{noscript\}\}", (PAGE / "index.html").read_text(), flags=re.DOTALL
    )
    assert body.decode().startswith(before)
    assert body.decode().endswith(after)
    for file in PAGE.iterdir():
        if file.suffix == ".html":
            continue
        status, body, headers = await stranger.get(f"/static/{file.name}")
        assert (status, body) == (200, file.read_bytes())
        assert headers["Content-Type"].startswith(types[file.suffix[1:]])
    for path in ("nothing.js", "../server.py", "%2e%2e/web.py", ""):
        assert (await stranger.get(f"/static/{path}"))[0] == 404


async def test_a_browser_keeps_the_fonts_for_a_year_and_asks_for_the_rest_only_if_it_changed(
    stranger: Browser,
) -> None:
    fonts = {"opensans.ttf": "regular", "opensansbold.ttf": "semibold"}
    for name in (*fonts, "page.css"):
        status, body, headers = await stranger.get(f"/static/{name}")
        assert status == 200
        if weight := fonts.get(name):
            assert body == font_file(weight).read_bytes()
            assert headers["Content-Type"] == "font/ttf"
            assert headers["Cache-Control"] == "public, max-age=31536000"
        again = await stranger.get(f"/static/{name}", **{"If-None-Match": headers["ETag"]})
        assert again[:2] == (304, b"")


async def test_every_answer_has_the_security_headers(stranger: Browser) -> None:
    for path in ("/", "/static/page.js", "/me", "/nothing", "/health"):
        _, _, headers = await stranger.get(path)
        policy = headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "aiohttp" not in headers["Server"]


async def test_the_process_is_alive_whatever_is_wrong(
    stranger: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object) -> None:
        raise StoreError("azumaya.db: database or disk is full")

    monkeypatch.setattr(key_values, "remember", full)
    answers = {
        path: (await stranger.get(path, Host="somewhere.else.example"))[:2]
        for path in ("/healthz", "/readyz", "/health")
    }
    problems = ["the store cannot be written"]
    assert {path: (status, json.loads(body)) for path, (status, body) in answers.items()} == {
        "/healthz": (200, {"alive": True}),
        "/readyz": (503, {"ready": False, "problems": problems}),
        "/health": (503, {"playable": False, "problems": problems}),
    }


# --- words ----------------------------------------------------------------------------------


def test_the_page_asks_for_no_word_that_it_does_not_get() -> None:
    html = (PAGE / "index.html").read_text("utf-8")
    asked = set(re.findall(r'data-(?:word|label)="([a-z-]+)"', html))
    for file in PAGE.glob("*.js"):
        asked.update(re.findall(r'word\(\s*"([a-z-]+)"', file.read_text("utf-8")))
    assert asked <= {*wire.translations("en"), *wire.BEFORE_WELCOME}


def test_the_page_can_be_arrived_at_in_every_language_and_ends_where_it_ends() -> None:
    words = json.loads(wire.page("{{words}}"))
    assert {code: own["own-name"] for code, own in words.items()} == LANGUAGES
    for own in words.values():
        assert set(own) == {*wire.BEFORE_WELCOME, "own-name"}
        assert "{name}" in own["take-name"]
    assert "<" not in wire.page("{{words}}")
    assert wire.page("{{noscript}}").count("JavaScript") == len(LANGUAGES)
