"""Logging out, ending sessions, deleting accounts: the effect on cookies and open pages."""

import asyncio
import hashlib
import json
from base64 import b64decode
from collections.abc import AsyncIterator

import pytest
from aiohttp import WSServerHandshakeError

from bot.cli import hosting
from bot.fronts.web import page_socket
from bot.fronts.web.auth import browser_of
from bot.matches.erasing import erase
from bot.store import Store, people, personal_data, sessions
from bot.store.sessions import NewSession
from bot.support.settings import PlaySettings
from tests.bot.fronts.browsing import Browser, Open, label, othello
from tests.bot.fronts.conftest import Arrive, opened_with
from tests.bot.store.sql import add_session

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"
SECOND = "the secret of another browser"


@pytest.fixture
async def anna(arrive: Arrive) -> Browser:
    return await arrive("Anna")


@pytest.fixture
async def second(table: Open, anna: Browser) -> AsyncIterator[Browser]:
    """Open another browser in which Anna is logged in."""
    user = await people.by_handle(table.app.store, "web", "anna")
    assert user is not None
    hashed = hashlib.sha256(SECOND.encode()).hexdigest()
    await add_session(table.app.store, user.id, NewSession(hashed, "Safari, iPhone"))
    async with Browser(table.url) as browser:
        browser.web.cookie_jar.update_cookies({"azumaya": SECOND})
        yield browser


async def is_known(browser: Browser, **headers: str) -> bool:
    """True if the server accepts this browser's cookie, on every path."""
    statuses = {
        (await browser.get(path, **headers))[0] for path in ("/me", "/export", "/picture/1/1.png")
    }
    try:
        await (await browser.connect(**headers)).close()
    except WSServerHandshakeError as refused:
        statuses.add(refused.status)
    else:
        statuses.add(200)
    assert statuses == {401} or 401 not in statuses
    return 401 not in statuses


async def test_logging_out_of_one_browser_voids_its_cookie_and_no_other(
    anna: Browser, second: Browser, stranger: Browser
) -> None:
    copy = f"azumaya={anna.cookie}"
    assert await is_known(stranger, Cookie=copy)
    here, there = await anna.tab(), await second.tab()
    async with anna.web.post("/leave") as response:
        assert response.status == 204
    assert await here.closed() == page_socket.FORGOTTEN
    assert not await is_known(stranger, Cookie=copy)
    assert (await there.say("I am still here"))["ok"] is True
    assert await is_known(second)


async def test_a_session_that_another_process_has_ended_closes_its_pages(
    table: Open, anna: Browser, second: Browser
) -> None:
    here, there = await anna.tab(), await second.tab()
    other = await Store.open(table.settings.database)
    await sessions.end(other, there.welcome["you"]["id"], only=2)
    await other.close()
    await table.app.on_remote_change()
    assert await there.closed() == page_socket.FORGOTTEN
    assert not [frame for frame in there.heard if frame["t"] == "farewell"]
    assert (await here.say("I am still here"))["ok"] is True


CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0"
WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6"


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (FIREFOX, "Firefox, Linux"),
        (f"Mozilla/5.0 (Windows NT 10.0) {CHROME} Safari/537.36 Edg/128.0", "Edge, Windows"),
        (f"Mozilla/5.0 (Windows NT 10.0) {CHROME} Safari/537.36 OPR/114.0", "Opera, Windows"),
        (f"Mozilla/5.0 (Linux; Android 14; K) {CHROME} Mobile Safari/537.36", "Chrome, Android"),
        (f"Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) {WEBKIT} Safari/604.1",
         "Safari, iPhone"),
        (f"Mozilla/5.0 (Macintosh; Intel Mac OS X 14_6) {WEBKIT} Safari/605.1.15",
         "Safari, macOS"),
        ("curl/8.5.0", ""),
        ("", ""),
        ("Firefox/" * 500, "Firefox"),
    ],
)  # fmt: skip
def test_a_browser_is_called_by_its_name_and_its_system(agent: str, words: str) -> None:
    class Request:
        headers = {"User-Agent": agent}  # noqa: RUF012 - not mutated

    assert browser_of(Request()) == words  # type: ignore[arg-type]


async def test_ones_games_are_fetched_with_ones_own_cookie_and_one_game_comes_along(
    anna: Browser, stranger: Browser
) -> None:
    tab = await anna.tab()
    await tab.say("/othello computer 1 black")
    await tab.say("/othello d3")
    every = (await tab.say("/export all"))["private"]["file"]
    assert every == {"url": "export?of=records%3A0%3A0%3A~0", "name": "azumaya-games.txt"}
    status, body, headers = await anna.get(every["url"])
    assert (status, headers["Content-Type"]) == (200, "text/plain")
    assert b"1. d3" in body
    assert (await stranger.get(every["url"]))[0] == 401
    # An address may not do anything else.
    assert (await anna.get("export?of=erase%3A0%3A0%3A"))[0] == 404
    one = (await tab.say("/export"))["private"]["file"]
    start, _, data = one["url"].partition(",")
    assert start == "data:text/plain;charset=utf-8;base64"
    assert b64decode(data).startswith(b'[Game "othello"]')


async def test_ones_data_are_fetched_with_ones_own_cookie_only(
    table: Open, anna: Browser, stranger: Browser
) -> None:
    tab = await anna.tab()
    await tab.say("Hello from Anna")
    privacy = (await tab.say("/privacy"))["private"]
    shown = (await tab.press(label(privacy, "Download my data")))["private"]
    assert shown["file"] == {"url": "export", "name": "azumaya-data.json"}
    assert "Hello from Anna" not in json.dumps(shown)
    status, body, headers = await anna.get(shown["file"]["url"])
    assert status == 200
    assert headers["Content-Disposition"] == 'attachment; filename="azumaya-data.json"'
    assert headers["Cache-Control"] == "no-store"
    assert headers["Content-Type"].startswith("application/json")
    found = json.loads(body)
    assert found["user"]["name"] == "Anna"
    assert [message["screen"]["text"] for message in found["messages"]] == ["Hello from Anna"]
    hashed = hashlib.sha256(anna.cookie.encode()).hexdigest()
    known = await sessions.by_token(table.app.store, hashed)
    assert known is not None
    for key in (anna.cookie, hashed, known.external):
        assert key not in body.decode()
    assert (await stranger.get("/export"))[0] == 401


@opened_with(play=PlaySettings(commands_per_second=0.1))
async def test_exports_that_are_requested_too_fast_are_refused(anna: Browser) -> None:
    assert (await anna.get("/export"))[0] == 200
    status, body, _ = await anna.get("/export")
    assert status == 503
    assert body.decode() == "Too fast. Please wait a moment, then try again."


async def test_a_player_who_deletes_their_account_reads_so_and_all_their_pages_close(
    table: Open, arrive: Arrive, anna: Browser, second: Browser
) -> None:
    here, also, there = await anna.tab(), await anna.tab(), await second.tab()
    ben = await (await arrive("Ben")).tab()
    await here.say("Hello from Anna")
    await ben.until(lambda: ben.lines() == ["Hello from Anna"])
    privacy = (await here.say("/privacy", room="@house"))["private"]
    question = (await here.press(label(privacy, "Delete my data"), room="@house"))["private"]
    assert "The message you wrote will be deleted." in question["text"]
    done = await here.press(label(question, "Yes, delete Anna"), room="@house")
    assert done["private"]["text"].startswith("Your data has been deleted.")
    for tab in (here, also, there):
        assert await tab.closed() == page_socket.FORGOTTEN
    # For the page that comes after this one, in each of them.
    farewells = [[one["text"] for one in tab.heard if one["t"] == "farewell"]
                 for tab in (here, also, there)]  # fmt: skip
    assert farewells == [[done["private"]["text"]]] * 3
    await ben.until(lambda: ben.lines() == [])
    assert not await is_known(anna)
    assert not await is_known(second)
    # The name is free for anybody.
    async with Browser(table.url) as again:
        assert (await again.arrive("Anna"))[0] == 200


async def test_a_page_that_does_not_answer_holds_up_no_forgetting(
    table: Open, arrive: Arrive, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab, ben = await anna.tab(), await (await arrive("Ben")).tab()
    go_on, close = asyncio.Event(), page_socket.PageSocket.close

    async def slow(self: page_socket.PageSocket, code: int) -> None:
        await go_on.wait()
        await close(self, code)

    monkeypatch.setattr(page_socket.PageSocket, "close", slow)
    await personal_data.erase(table.app.store, tab.welcome["you"]["id"], name="#1")
    await table.app.on_remote_change()
    heard = len(tab.heard)
    await ben.say("Not for her")
    await ben.until(ben.lines)
    go_on.set()
    assert await tab.closed() == page_socket.FORGOTTEN
    assert [frame["t"] for frame in tab.heard[heard:]] == ["farewell"]


async def test_an_account_deleted_on_the_command_line_leaves_no_name_on_open_pages(
    table: Open, arrive: Arrive, anna: Browser
) -> None:
    hers, ben = await anna.tab(), await (await arrive("Ben")).tab()
    await othello(hers, ben)
    number = hers.welcome["you"]["id"]
    other = await Store.open(table.settings.database)
    await erase(other, hosting.matches_of(other), number)
    await other.close()
    await table.app.on_remote_change()
    await ben.until(lambda: "Former player" in ben.boards()[0]["screen"]["title"])
    board = await ben.board(version=3)
    assert board["screen"]["over"] is True
    assert "Anna" not in json.dumps(board)
    assert await hers.closed() == page_socket.FORGOTTEN
