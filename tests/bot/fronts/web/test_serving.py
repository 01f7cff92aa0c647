"""The web table's page and its words, as they are served."""

import json
import re
from pathlib import Path

import pytest
from fluent.syntax import FluentParser
from fluent.syntax import ast as fluent

from bot import health
from bot.errors import StoreError
from bot.fronts.web import wire
from bot.store import key_values
from bot.texts import LANGUAGES
from renderers import font_file
from tests.bot.fronts.browsing import Browser, Open

ROOT = Path(__file__).parents[4]
PAGE = ROOT / "bot" / "fronts" / "page"


# --- the page -------------------------------------------------------------------------------


async def test_the_page_and_its_parts_are_served_with_their_types(stranger: Browser) -> None:
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


async def test_nobody_is_sent_to_a_house_whose_fronts_are_not_connected(
    stranger: Browser, table: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_FRESH", 0.0)
    status, body, headers = await stranger.get("/readyz")
    assert (status, json.loads(body)) == (200, {"ready": True, "problems": []})
    assert headers["Cache-Control"] == "no-store"
    table.app.health.parts["Discord is out of reach"] = lambda: False
    status, body, _ = await stranger.get("/readyz")
    told = {"ready": False, "problems": ["Discord is out of reach"]}
    assert (status, json.loads(body)) == (503, told)
    # People at the table can play all the same.
    assert (await stranger.get("/health"))[0] == 200


# --- words ----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_page_is_sent_to_it(language: str) -> None:
    file = ROOT / "bot" / "locales" / language / "core.ftl"
    entries = FluentParser().parse(file.read_text("utf-8")).body
    written = {
        entry.id.name.removeprefix("web-")
        for entry in entries
        if isinstance(entry, fluent.Message) and entry.id.name.startswith("web-")
    }
    assert written == {*wire.WORDS, *wire.BEFORE_WELCOME, "noscript"}


def test_the_page_asks_for_no_word_that_it_does_not_get() -> None:
    html = (PAGE / "index.html").read_text("utf-8")
    asked = set(re.findall(r'data-(?:word|label)="([a-z-]+)"', html))
    for file in PAGE.glob("*.js"):
        asked.update(re.findall(r'word\(\s*"([a-z-]+)"', file.read_text("utf-8")))
    assert asked <= {*wire.WORDS, *wire.BEFORE_WELCOME}


def test_the_page_can_be_arrived_at_in_every_language_and_ends_where_it_ends() -> None:
    words = json.loads(wire.page("{{words}}"))
    assert {code: own["own-name"] for code, own in words.items()} == LANGUAGES
    for own in words.values():
        assert set(own) == {*wire.BEFORE_WELCOME, "own-name"}
        assert "{name}" in own["take-name"]
    assert "<" not in wire.page("{{words}}")
    assert wire.page("{{noscript}}").count("JavaScript") == len(LANGUAGES)


async def test_small_pictures_of_games_are_served_for_both_themes(stranger: Browser) -> None:
    bodies = set()
    for theme in ("light", "dark"):
        status, body, headers = await stranger.get(f"/game/othello.png?theme={theme}")
        assert (status, headers["Content-Type"]) == (200, "image/png")
        bodies.add(body)
    assert len(bodies) == 2
    for nothing in ("chess", "base", "..%2fothello"):
        assert (await stranger.get(f"/game/{nothing}.png"))[0] == 404
