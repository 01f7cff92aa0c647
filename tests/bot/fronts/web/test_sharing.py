"""Pages of shared games: for anyone, and no more than spectators may see."""

import json
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from html import unescape
from random import Random

import pytest
from structlog.typing import EventDict

import games
from bot.domain.actions import Action
from bot.fronts.web.server import Web
from bot.screens import Reader
from bot.store import Address, shares
from bot.support.errors import StoreError
from bot.support.rates import AddressRates
from bot.support.texts import Texts
from games import records
from renderers.preview import HEIGHT, WIDTH
from tests.bot.commands.test_sharing import HOUSE, code_in, over, publish
from tests.bot.fronts.browsing import Browser
from tests.bot.posed import pose, puzzle
from tests.bot.table import Person, Table

HTML = {"Accept": "text/html"}


@dataclass(frozen=True, slots=True)
class World:
    """A browser without an account, and the players."""

    table: Table
    web: Web
    browser: Browser
    anna: Person
    ben: Person

    async def get(self, path: str, **headers: str) -> tuple[int, bytes, Mapping[str, str]]:
        return await self.browser.get(f"s/{path}", **headers)


@pytest.fixture
async def world(database: Address) -> AsyncIterator[World]:
    table = await Table.open(database)
    anna, ben = await table.arrive("Anna"), await table.arrive("Ben", locale="de")
    publish(table)
    web = Web(table.app, table.commands)
    await web.start()
    async with Browser(web.url.rstrip("/")) as browser:
        yield World(table, web, browser, anna, ben)
    await web.stop()
    await table.close()


def tags(page: bytes) -> dict[str, str]:
    """Return the tags that chats read, which look at the first bytes only."""
    found = re.findall(r'<meta (?:property|name)="([\w:-]+)" content="([^"]*)"', page.decode())
    return {name: unescape(value) for name, value in found}


def path_of(address: str) -> str:
    assert address.startswith(f"{HOUSE}/s/")
    return address.removeprefix(f"{HOUSE}/s/")


async def test_a_link_unfolds_as_the_board_for_anyone_who_has_it(world: World) -> None:
    match_id = await over(world.table, world.anna, world.ben)
    code = code_in(await world.anna.types("/share"))
    status, page, headers = await world.get(code)
    assert status == 200
    assert headers["X-Robots-Tag"] == tags(page)["robots"] == "noindex"
    assert headers["Referrer-Policy"] == tags(page)["referrer"] == "no-referrer"
    assert "Set-Cookie" not in headers
    found = tags(page)
    # Some chats read no more.
    first = {"og:title", "og:image", "og:image:width", "og:image:height", "og:description"}
    assert tags(page[:1024]).keys() >= first | {"twitter:card"}
    assert found["og:title"] == "Othello · Black ⚫ – ⚪ White"
    assert found["og:description"].startswith("Black wins: White resigned.")
    assert found["og:url"] == f"{HOUSE}/s/{code}"
    assert found["twitter:card"] == "summary_large_image"
    assert (found["og:image:width"], found["og:image:height"]) == (str(WIDTH), str(HEIGHT))
    assert found["og:image:alt"].startswith(found["og:title"])
    status, picture, headers = await world.get(path_of(found["og:image"]))
    assert (status, headers["Content-Type"]) == (200, "image/png")
    assert "immutable" in headers["Cache-Control"]
    assert len(picture) < 300_000
    assert picture[16:24] == WIDTH.to_bytes(4) + HEIGHT.to_bytes(4)
    # With other names it is another picture.
    for person in (world.anna, world.ben):
        await person.presses(Action("share", match_id, 0, "names"))
    named = tags((await world.get(code))[1])
    assert named["og:title"] == "Othello · Anna ⚫ – ⚪ Ben"
    assert (await world.get(path_of(named["og:image"])))[1] != picture
    assert (await world.get(path_of(found["og:image"])))[2]["Cache-Control"] == "no-cache"
    # Only pictures are kept: a page that was taken back is gone at once.
    look = found["og:image"].partition("look=")[2]
    assert (await world.get(f"{code}?look={look}"))[2]["Cache-Control"] == "no-cache"


async def test_a_page_is_in_the_language_of_its_reader_and_asked_for_only_if_it_changed(
    world: World,
) -> None:
    match_id = await world.table.begin(world.anna, world.ben)
    code = code_in(await world.anna.types(f"/share {match_id}"))
    status, page, headers = await world.get(code, **{"Accept-Language": "de-AT,en;q=0.5"})
    assert 'lang="de"' in page.decode()
    assert "Accept-Language" in headers["Vary"]
    for path in (code, f"{code}/now.json"):
        known = {"If-None-Match": (await world.get(path))[2]["ETag"]}
        assert (await world.get(path, **known))[:2] == (304, b"")
    await world.table.plays(match_id, "d3")
    status, page, _ = await world.get(f"{code}/now.json", **known)
    assert status == 200
    assert json.loads(page)["record"] == [{"seat": 0, "text": "d3"}]


async def test_what_is_not_shared_is_answered_like_any_unknown_address(world: World) -> None:
    match_id = await over(world.table, world.anna, world.ben)
    code = code_in(await world.anna.types("/share"))
    nowhere = await world.browser.get("/nothing", **HTML)
    files = ("", "/now.json", "/0.json", "/0.png", "/0/preview.png", "/replay.gif", "/record.txt")
    match_code = (await world.table.loaded(match_id)).match.code
    unknown = [f"{'a' * 22}{file}" for file in files]
    for path in (*unknown, f"{code}/99.png", f"{code}/x", match_code, str(match_id), f"{code}a"):
        assert (await world.get(path, **HTML))[:2] == (404, nowhere[1]), path
        assert (await world.get(path))[0] == 404
    for file in files:
        assert (await world.get(f"{code}{file}"))[0] == 200
        # A proxy may strip the path of the app, or not.
        assert (await world.browser.get(f"azumaya/s/{code}{file}"))[0] == 200
    await world.ben.presses(Action("share", match_id, 0, "stop"))
    for file in files:
        status, body, headers = await world.get(f"{code}{file}", **HTML)
        assert (status, body) == (404, nowhere[1]), file
        assert headers["Cache-Control"] == nowhere[2]["Cache-Control"] == "no-cache"


async def test_a_page_links_to_its_replay(world: World) -> None:
    match_id = await over(world.table, world.anna, world.ben)
    code = code_in(await world.anna.types(f"/share {match_id}"))
    page = (await world.get(code))[1].decode()
    link = re.search(rf'href="/azumaya/s/({code}/replay.gif[^"]+)"', page)
    assert link
    status, replay, headers = await world.get(unescape(link[1]))
    assert (status, headers["Content-Type"], replay[:6]) == (200, "image/gif", b"GIF89a")
    assert "immutable" in headers["Cache-Control"]


async def test_a_page_links_to_each_position_that_can_be_played_against_the_computer(
    world: World,
) -> None:
    table = world.table
    match_id = await table.begin(world.anna, world.ben, words="sogo")
    code = code_in(await world.anna.types(f"/share {match_id}"))
    hidden = '<a id="play" href="" hidden>'
    assert hidden in (await world.get(code))[1].decode()
    await table.plays(match_id, "a1,b1,a1,b1,a1,b1,a1")
    assert hidden in (await world.get(code))[1].decode()
    for ply in (0, 6, 7):
        shown = json.loads((await world.get(f"{code}/{ply}.json"))[1])
        assert shown["play"] == ("" if ply == 7 else f"/azumaya/play/{code}.{ply}")
    assert (await world.browser.get(f"play/{code}.6"))[0] == 200
    match_id = await over(table, world.anna, world.ben)
    code = code_in(await world.anna.types(f"/share {match_id}"))
    page = (await world.get(code))[1].decode()
    assert f'<a id="play" href="/azumaya/play/{code}.2">Play this position</a>' in page


async def test_a_page_links_to_its_record_without_names_unless_all_agree(world: World) -> None:
    match_id = await over(world.table, world.anna, world.ben)
    code = code_in(await world.anna.types(f"/share {match_id}"))
    assert f'href="/azumaya/s/{code}/record.txt"' in (await world.get(code))[1].decode()
    for person, named in ((world.anna, False), (world.ben, True)):
        await person.presses(Action("share", match_id, 0, "names"))
        _, record, _ = await world.get(f"{code}/record.txt")
        (found,) = records.read(record)
        assert [move for _, move in found.moves] == ["d3", "c3"]
        assert ("Anna" in record.decode()) is named


async def test_crawlers_ask_for_heads_and_ranges_and_get_whole_answers(world: World) -> None:
    await over(world.table, world.anna, world.ben)
    code = code_in(await world.anna.types("/share"))
    for path in (code, f"{code}/1.png", f"{code}/1/preview.png"):
        _, body, headers = await world.get(path, Range="bytes=0-99")
        assert headers["Accept-Ranges"] == "none"
        async with world.browser.web.head(f"{world.browser.url}/s/{path}") as head:
            assert head.status == 200
            assert head.headers["Content-Length"] == headers["Content-Length"] == str(len(body))


async def test_an_address_asks_for_so_many_files_in_a_minute(world: World) -> None:
    world.web._shared._asked_of = AddressRates(2, 60.0)
    assert [(await world.get("a" * 22))[0] for _ in range(3)] == [404, 404, 429]


async def test_the_log_never_has_the_code_of_a_page(
    world: World, logged: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object) -> None:
        raise StoreError("azumaya.db: database or disk is full")

    monkeypatch.setattr(shares, "by_code", full)
    assert (await world.get("a" * 22))[0] == 503
    failed = [event for event in logged if event["event"] == "store failed"]
    assert failed
    assert "a" * 22 not in str(failed)


async def test_a_puzzle_keeps_its_solution_folded(world: World) -> None:
    anna = world.anna
    await pose(world.table.app.store, puzzle())
    await anna.types("/puzzle othello", place=anna.direct)
    match_id = await world.table.newest(anna.direct)
    loaded = await world.table.loaded(match_id)
    seat = min(loaded.turn)
    wrong = loaded.game.notation(loaded.position.moves(seat)[0])
    attempt = Action("play", match_id, loaded.match.version, wrong)
    await anna.presses(attempt, place=anna.direct)
    code = code_in(await anna.types(f"/share {match_id}", place=anna.direct))
    # The attempt is not shared.
    assert (await world.get(f"{code}/0.json"))[0] == 200
    assert (await world.get(f"{code}/1.json"))[0] == 404
    _, page, _ = await world.get(code)
    html = page.decode()
    solution = re.search(r"<details><summary>Solution</summary><p>(Best: \w\d)", html)
    assert solution
    assert html.count(solution[1]) == 1
    assert "Anna" not in html


async def test_a_shared_record_shows_its_moves_and_nothing_that_it_says(world: World) -> None:
    said = {"Event": "<script>Cup", "Seat1": "Zoe", "Seat2": "Yan", "Result": "Won"}
    headers = "\n".join(f'[{name} "{value}"]' for name, value in said.items())
    anna = world.anna
    await anna.types(f"/import {headers}\n\nf5 d6 c3 Wrong", place=anna.direct)
    match_id = await world.table.newest(anna.direct)
    code = code_in(await anna.types(f"/share {match_id}", place=anna.direct))
    for path in (code, f"{code}/now.json", f"{code}/record.txt"):
        told = (await world.get(path))[1].decode()
        assert "c3" in told
        assert [one for one in ("Cup", "Zoe", "Yan", "Won", "Wrong") if one in told] == [], path


WAYS = [*games.ids(), "blackbox hide"]


@pytest.mark.parametrize("words", WAYS)
async def test_every_address_of_a_game_shows_what_spectators_see_and_no_one_s_name(
    world: World, words: str
) -> None:
    table, anna = world.table, world.anna
    game = games.get(words.split(maxsplit=1)[0])
    if game.seats(game.options_from({})) > 1 or " " in words:
        match_id = await table.begin(anna, world.ben, words=words)
    else:
        await anna.types(f"/{words} new")
        match_id = await table.newest()
    luck = Random(words)
    for _ in range(8):
        loaded = await table.loaded(match_id)
        seat = min(loaded.turn)
        moves = loaded.position.moves(seat)
        await table.plays(match_id, loaded.game.notation(luck.choice(moves)))
    loaded = await table.loaded(match_id)
    if game.has_secrets(loaded.match.options):
        assert (await anna.types(f"/share {match_id}")).refused
    await anna.presses(Action("resign", match_id, loaded.match.version, "yes"))
    code = code_in(await anna.types(f"/share {match_id}"))
    loaded = await table.loaded(match_id)
    last = len(loaded.match.plies)
    after = [
        await table.app.past_screens.after(loaded, Reader(Texts("en")), seat=None, ply=ply)
        for ply in range(last + 1)
    ]
    texts = [
        code,
        f"{code}/now.json",
        f"{code}/record.txt",
        *(f"{code}/{ply}.json" for ply in range(last + 1)),
    ]
    secret = ["Anna", "Ben", loaded.match.code, "past:", '"match"', '"version"', '"code"']
    for path in texts:
        status, body, headers = await world.get(path)
        assert status == 200
        # A random code may spell a name.
        told = f"{body.decode()} {dict(headers)}".replace(code, "")
        assert [one for one in secret if one in told] == [], path
    for ply, seen in enumerate(after):
        assert seen.picture is not None
        _, picture, headers = await world.get(f"{code}/{ply}.png")
        assert picture == seen.picture.data
        shown = json.loads((await world.get(f"{code}/{ply}.json"))[1])
        assert shown["picture"]["alt"] == seen.alt
        assert [told["text"] for told in shown["record"]] == [told.text for told in seen.record]
        _, preview, more = await world.get(f"{code}/{ply}/preview.png")
        assert preview.startswith(b"\x89PNG")
        assert len(preview) < 300_000
        assert "Anna" not in f"{dict(headers)} {dict(more)}"
