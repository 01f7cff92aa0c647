"""Add a browser: by a code, after a confirmation."""

import io
import json
import sqlite3
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from bot.fronts.web import page_socket, server
from tests.bot.fronts.browsing import Browser, Open, code_of, label, open_table
from tests.bot.fronts.conftest import Arrive
from tests.bot.table import file_of


@pytest.fixture
async def anna(arrive: Arrive) -> Browser:
    return await arrive("Anna")


async def also(
    browser: Browser, code: str, *, sure: bool = False, **headers: str
) -> tuple[int, Any]:
    body = {"code": code, "language": "en", "sure": sure}
    async with browser.web.post(f"{browser.url}/also", json=body, headers=headers) as response:
        return response.status, await response.json()


async def name_in(browser: Browser) -> str | None:
    status, body, _ = await browser.get("/me")
    return str(json.loads(body)["name"]) if status == 200 else None


async def test_a_second_browser_becomes_mine_and_is_listed_and_ended(
    anna: Browser, stranger: Browser
) -> None:
    here = await anna.tab()
    code = await code_of(here)
    status, question = await also(stranger, code)
    assert status == 200
    assert question["title"] == "Log in as Anna?"
    assert "You will be logged in as Anna in this browser" in question["text"]
    # To be asked is not to be her.
    assert await name_in(stranger) is None
    headers = {"User-Agent": "Mozilla/5.0 (iPhone) Version/17 Safari/604"}
    assert await also(stranger, code, sure=True, **headers) == (200, {})
    assert await name_in(stranger) == "Anna"
    assert stranger.cookie != anna.cookie
    there = await stranger.tab()
    assert (await there.say("It is me"))["ok"]
    await here.until(lambda: here.lines() == ["It is me"])
    settings = (await here.say("/settings"))["private"]
    listed = (await here.press(label(settings, "Browsers: 2")))["private"]
    assert "Safari, iPhone, since today" in listed["text"]
    await here.press(label(listed, "Log out 2: Safari, iPhone"))
    assert await there.closed() == page_socket.FORGOTTEN
    assert await name_in(stranger) is None


async def test_who_was_here_before_is_named_in_the_question_and_leaves(
    arrive: Arrive, anna: Browser, stranger: Browser
) -> None:
    ben = await arrive("Ben")
    page = await ben.tab()
    old = ben.cookie
    code = await code_of(await anna.tab())
    _, question = await also(ben, code)
    assert "The games of Ben stay with Ben" in question["text"]
    assert "you cannot come back under that name" in question["text"]
    assert await name_in(ben) == "Ben"
    await also(ben, code, sure=True)
    assert await name_in(ben) == "Anna"
    assert await page.closed() == page_socket.FORGOTTEN
    # A copy of the old cookie is void.
    assert ben.cookie != old
    status, _, _ = await stranger.get("/me", Cookie=f"azumaya={old}")
    assert status == 401


async def test_only_a_confirmed_question_logs_a_browser_in(
    anna: Browser, stranger: Browser
) -> None:
    code = await code_of(await anna.tab())
    for path in (f"/also?code={code}&sure=true", f"/?me={code}", "/also"):
        await stranger.get(path)
    for wrong in ("", "x", "k7mf2qtx9wpa", "#me=", "\u00e4" * 12):
        assert (await also(stranger, wrong, sure=True))[0] == 400
    assert await name_in(stranger) is None
    async with Browser(anna.url) as another:
        assert (await also(another, code))[0] == 200


async def test_an_address_that_tries_many_codes_is_stopped_and_no_other(tmp_path: Path) -> None:
    async with (
        open_table(tmp_path / "codes.db", proxies=("127.0.0.1",)) as table,
        Browser(table.url, **{"X-Forwarded-For": "1.2.3.4"}) as eve,
        Browser(table.url, **{"X-Forwarded-For": "5.6.7.8"}) as anna,
        Browser(table.url, **{"X-Forwarded-For": "5.6.7.9"}) as phone,
    ):
        await anna.arrive("Anna")
        code = await code_of(await anna.tab())
        found = [(await also(eve, f"k7mf2qtx9w{n:02}"))[0] for n in range(21)]
        assert found[0] == 400
        assert found[-1] == 429
        # Not even the right one is looked at.
        assert (await also(eve, code, sure=True))[0] == 429
        assert (await also(phone, code, sure=True))[0] == 200


async def test_all_addresses_that_try_codes_have_a_limit_and_a_first_try_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_CODES", (5, 60.0))
    monkeypatch.setattr(server, "_FIRST_CODES_OF", (2, 60.0))
    async with (
        open_table(tmp_path / "codes.db", proxies=("127.0.0.1",)) as table,
        AsyncExitStack() as browsers,
    ):

        async def come(address: str) -> Browser:
            browser = Browser(table.url, **{"X-Forwarded-For": address})
            return await browsers.enter_async_context(browser)

        anna, phone = await come("5.6.7.8"), await come("5.6.7.9")
        await anna.arrive("Anna")
        code = await code_of(await anna.tab())
        crowd = [await come(f"1.2.3.{number}") for number in range(3)]
        found = [(await also(eve, "k7mf2qtx9wpa"))[0] for _ in range(4) for eve in crowd]
        # Two each, and five of all together.
        assert sorted(found) == [400] * 11 + [429]
        assert (await also(crowd[0], code))[0] == 429
        # To be asked, and to say yes.
        assert (await also(phone, code))[0] == 200
        assert (await also(phone, code, sure=True))[0] == 200


@pytest.mark.sqlite
async def test_a_code_is_in_no_log_no_database_and_no_other_page(
    table: Open, log: io.StringIO, arrive: Arrive, anna: Browser, stranger: Browser
) -> None:
    ben = await (await arrive("Ben")).tab()
    tab = await anna.tab()
    code = await code_of(tab)
    await also(stranger, code)
    await also(stranger, code, sure=True)
    await also(stranger, code, sure=True)
    await tab.say("That is all")
    await ben.until(lambda: "That is all" in ben.lines())
    assert code not in log.getvalue()
    assert "user logged in in another browser" in log.getvalue()
    assert code not in json.dumps(ben.heard)
    with sqlite3.connect(file_of(table.settings)) as database:
        assert code not in "\n".join(database.iterdump())
    database.close()
