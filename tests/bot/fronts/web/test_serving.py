"""The page and texts that the web app serves."""

import json
import re
from functools import partial
from gzip import decompress
from pathlib import Path

import pytest
from aiohttp import ClientSession

from bot.fronts.web import wire
from bot.store import key_values
from bot.support.errors import StoreError
from bot.support.texts import LANGUAGES, Texts
from renderers import font_file
from tests.bot.fronts.browsing import Browser, Open

ROOT = Path(__file__).parents[4]
PAGE = ROOT / "bot" / "fronts" / "page"


async def test_the_page_and_its_parts_are_served_with_their_types_and_nothing_else(
    stranger: Browser,
) -> None:
    types = {"css": "text/css", "js": "text/javascript", "png": "image/png", "svg": "image/svg"}
    types |= {"webmanifest": "application/manifest+json", "woff2": "font/woff2"}
    status, body, headers = await stranger.get("/")
    assert status == 200
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    folder = await stranger.folder()
    slots = {"static": re.escape(folder)}
    parts = re.split(r"{{(\w+)}}", (PAGE / "index.html").read_text())
    parts[::2] = map(re.escape, parts[::2])
    parts[1::2] = [slots.get(slot, ".*") for slot in parts[1::2]]
    assert re.fullmatch("".join(parts), body.decode(), flags=re.DOTALL)
    for file in {*PAGE.iterdir()} - {*PAGE.glob("*.html")}:
        status, body, headers = await stranger.get(f"{folder}/{file.name}")
        assert status == 200
        if file.suffix == ".js":
            lines = zip(body.decode().split("\n"), file.read_text().split("\n"), strict=True)
            left_out = [written for sent, written in lines if sent != written]
            assert left_out
            assert all(re.match(r" *(//|/\*\*| \*)", line) for line in left_out)
        else:
            assert body == file.read_bytes()
        assert headers["Content-Type"].startswith(types[file.suffix[1:]])
    for path in ("nothing.js", "../server.py", "%2e%2e/web.py", ""):
        assert (await stranger.get(f"{folder}/{path}"))[0] == 404
    assert (await stranger.get("/static/0123456789abcdef/page.js"))[0] == 404


async def test_a_browser_keeps_all_files_for_ever_and_asks_for_the_page_only_if_it_changed(
    stranger: Browser,
) -> None:
    folder = await stranger.folder()
    for name, weight in (("opensans.ttf", "regular"), ("opensansbold.ttf", "semibold")):
        status, body, headers = await stranger.get(f"{folder}/{name}")
        assert (status, body) == (200, font_file(weight).read_bytes())
        assert headers["Content-Type"] == "font/ttf"
    for path in (f"{folder}/opensans.ttf", f"{folder}/page.css", "/"):
        _, _, headers = await stranger.get(path)
        assert ("immutable" in headers["Cache-Control"]) is (path != "/")
        again = await stranger.get(path, **{"If-None-Match": headers["ETag"]})
        assert again[:2] == (304, b"")


async def test_texts_are_compressed_for_browsers_that_read_gzip(table: Open) -> None:
    async with ClientSession(table.url, auto_decompress=False) as web:
        for name in ("page.js", "page.css", "garden.svg", "opensans.woff2"):
            async with Browser(table.url) as plain:
                path = f"{await plain.folder()}/{name}"
            async with web.get(path, headers={"Accept-Encoding": "gzip"}) as response:
                body, headers = await response.read(), response.headers
            async with web.get(path, headers={"Accept-Encoding": "identity"}) as response:
                assert "Content-Encoding" not in response.headers
                whole = await response.read()
            is_text = name != "opensans.woff2"
            assert headers.get("Content-Encoding") == ("gzip" if is_text else None)
            assert (decompress(body) if is_text else body) == whole
            assert headers["Vary"] == "Accept-Encoding"


async def test_every_answer_has_the_security_headers(stranger: Browser) -> None:
    for path in ("/", f"{await stranger.folder()}/page.js", "/me", "/nothing", "/health"):
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


def test_the_page_asks_for_no_word_that_it_does_not_get() -> None:
    html = (PAGE / "index.html").read_text("utf-8")
    asked = set(re.findall(r'data-(?:word|label)="([a-z-]+)"', html))
    for file in PAGE.glob("*.js"):
        asked.update(re.findall(r'word\(\s*"([a-z-]+)"', file.read_text("utf-8")))
    assert asked <= set(wire.words(Texts("en")))


def test_the_page_has_its_texts_in_every_language_and_ends_where_it_ends() -> None:
    words = json.loads(_page("{{words}}"))
    assert {code: own["own-name"] for code, own in words.items()} == LANGUAGES
    assert words["de"]["waiting"] == "du bist am Zug: {count}"
    assert len({frozenset(own) for own in words.values()}) == 1
    assert "<" not in _page("{{words}}")
    assert _page("{{noscript}}").count("JavaScript") == len(LANGUAGES)


_page = partial(wire.page, base="/", folder="", modules=())
