"""The addresses of places, of matches, and of an app below a path."""

import pytest
from aiohttp import ClientSession, CookieJar

from tests.bot.fronts.browsing import Browser, Open, Tab, label, othello, rated
from tests.bot.fronts.conftest import Arrive, opened_with

HTML = {"Accept": "text/html"}


async def test_every_place_is_answered_with_the_page_and_others_with_one_that_says_so(
    stranger: Browser,
) -> None:
    for path in ("/", "/g/k7mf2qtx9wpa", "/rooms/%40house", "/people/%C3%84nn", "/rules/sogo"):
        status, body, _ = await stranger.get(path)
        assert (status, b"<main" in body) == (200, True)
    for path in ("/nothing", "/rooms", "/g/a/b", "/settings/more"):
        status, body, _ = await stranger.get(path, **HTML)
        assert (status, b"<main" in body) == (404, True)
        assert (await stranger.get(path))[0] == 404


@opened_with(public_url="https://play.example.org/azumaya/")
async def test_an_app_below_a_path_works_whether_the_proxy_strips_it_or_not(table: Open) -> None:
    own = {"Host": "play.example.org", "Origin": "https://play.example.org"}
    for below in ("/azumaya", ""):
        async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as web:
            base = f"{table.url}{below}"
            async with web.get(f"{base}/settings", headers=own) as answer:
                page = await answer.text()
            assert '<base href="/azumaya/">' in page
            assert 'src="/azumaya/static/' in page
            name = {"name": "Ben" if below else "Anna"}
            async with web.post(f"{base}/arrive", json=name, headers=own) as answer:
                assert answer.status == 200
                cookie = answer.cookies["azumaya"]
            assert cookie["path"] == "/azumaya/"
            cookies = {**own, "Cookie": f"azumaya={cookie.value}"}
            async with web.ws_connect(f"{base}/socket", headers=cookies) as socket:
                await socket.send_json({"t": "hello", "id": 1})
                assert (await socket.receive_json())["t"] == "welcome"
    async with (
        ClientSession() as web,
        web.get(f"{table.url}/azumaya", headers=own, allow_redirects=False) as answer,
    ):
        assert (answer.status, answer.headers["Location"]) == (302, "/azumaya/")


async def _open(tab: Tab, code: str, **more: int) -> dict[str, object]:
    return await tab.ask({"t": "open", "code": code, **more})


async def test_the_address_of_a_match_shows_it_to_those_who_may_see_it(arrive: Arrive) -> None:
    anna, ben = await arrive("Anna"), await arrive("Ben")
    hers, his = await anna.tab(), await ben.tab()
    done = await hers.ask({"t": "start", "room": "@house", "game": "othello", "whom": "computer 1"})
    assert done["ok"], done
    private = (await hers.board(room="@house"))["screen"]["code"]
    assert (await _open(hers, private))["room"] == "@house"
    unknown = await _open(his, "aaaabbbbcccc")
    assert (await _open(his, private))["error"] == unknown["error"]
    assert (await _open(his, ""))["error"] == unknown["error"]
    await his.say("/othello computer 1")
    shown = (await his.board())["screen"]["code"]
    assert (await _open(hers, shown))["room"] == "lounge"
    past = (await _open(hers, shown, ply=0))["private"]
    assert isinstance(past, dict)
    assert past["ply"] == 0


async def test_an_open_challenge_can_be_joined_at_its_address(arrive: Arrive) -> None:
    anna, ben = await arrive("Anna"), await arrive("Ben")
    hers, his = await anna.tab(), await ben.tab()
    assert (await hers.say("/othello new", room="@house"))["ok"]
    (found,) = await hers.until(lambda: hers.boards("@house"))
    code = found["screen"]["copied"][0].split()[-1]
    offered = (await _open(his, code))["private"]
    assert isinstance(offered, dict)
    assert "Anna" in offered["title"]
    assert (await his.press(label(offered, "Join"), room="@house"))["ok"]
    assert (await his.board(room="@house"))["screen"]["mine"]
    assert (await _open(his, code))["match"] == found["screen"]["match"]


@pytest.mark.parametrize("is_blocked", [False, True])
async def test_home_lists_open_challenges_and_games_of_others(
    arrive: Arrive, *, is_blocked: bool
) -> None:
    anna, ben = await arrive("Anna"), await arrive("Ben")
    hers, his = await anna.tab(), await ben.tab()
    assert (await hers.say("/othello new"))["ok"]
    assert (await hers.say("/sogo computer 1 white", room="garden"))["ok"]
    assert (await hers.say("/moyo computer 1", room="@house"))["ok"]
    assert (await hers.say("/othello @Ben"))["ok"]
    await his.board(match=4)
    if is_blocked:
        assert (await his.say("/block @Anna"))["ok"]
    listed = (await his.ask({"t": "home"}))["others"]
    if is_blocked:
        assert [one["room"] for one in listed] in ([], ["garden"])
        return
    assert [(one["room"], bool(one["code"])) for one in listed] == [
        ("lounge", False),
        ("garden", True),
    ]
    assert [one["title"] for one in listed] == ["Othello · Anna", "Sogo · Anna ⚪ – ⚫ Snail 🤖"]
    status, picture, _ = await ben.get(listed[1]["picture"])
    assert (status, picture[:4]) == (200, b"\x89PNG")
    assert (await hers.ask({"t": "home"}))["others"] == []
    assert (await his.press(f"accept:{listed[0]['match']}:{listed[0]['version']}:"))["ok"]


async def _end(tab: Tab, *, room: str = "lounge") -> None:
    asked = await tab.say("/resign", room=room)
    assert (await tab.press(label(asked["private"], "Yes, resign"), room=room))["ok"]


async def _history(tab: Tab, name: str = "", **more: object) -> list[str]:
    done = await tab.ask({"t": "history", "name": name, **more})
    assert done["ok"], done
    return [f"{one['title']} {one['other']} {one['result']}" for one in done["history"]["games"]]


async def test_a_players_finished_games_are_listed_to_those_who_may_see_them(
    arrive: Arrive,
) -> None:
    browsers = [await arrive(name) for name in ("Anna", "Ben", "Cleo")]
    anna, ben, cleo = [await browser.tab() for browser in browsers]
    await rated(*await othello(anna, ben))
    private = await anna.ask(
        {"t": "start", "room": "@house", "game": "sogo", "whom": "computer 1", "side": 0}
    )
    assert private["ok"], private
    await anna.board(room="@house")
    await _end(anna, room="@house")
    won, aborted = "Othello Ben Won", "Sogo Snail 🤖 No result"
    assert await _history(anna) == [aborted, won]
    assert await _history(cleo, "Anna") == await _history(ben, "anna") == [won]
    assert await _history(cleo, "Ben") == ["Othello Anna Lost"]
    shown = (await cleo.ask({"t": "history", "name": "Anna"}))["history"]
    status, picture, _ = await browsers[2].get(shown["games"][0]["picture"])
    assert (status, picture[:4]) == (200, b"\x89PNG")
    assert (await _open(cleo, shown["games"][0]["code"]))["room"] == "lounge"
    assert shown["against"] == ""
    assert (await ben.ask({"t": "history", "name": "Anna"}))["history"]["against"] == "You 0 – 1"
    assert (await cleo.ask({"t": "history", "name": "Dora"}))["error"]


async def test_an_imported_game_is_listed_to_its_user_alone(arrive: Arrive) -> None:
    anna, ben = [await (await arrive(name)).tab() for name in ("Anna", "Ben")]
    assert (await anna.say("/import f5d6", room="@house"))["ok"]
    assert await _history(anna) == ["Study · Othello Black & White No result"]
    assert await _history(ben, "Anna") == []


async def test_players_who_hide_their_record_are_in_no_history_of_others(arrive: Arrive) -> None:
    anna, ben, cleo = [await (await arrive(name)).tab() for name in ("Anna", "Ben", "Cleo")]
    await rated(*await othello(anna, ben))
    assert (await ben.say("/settings record me"))["ok"]
    hidden = await cleo.ask({"t": "history", "name": "Ben"})
    assert (hidden["ok"], hidden["error"]) == (False, "Ben keeps their statistics private.")
    assert await _history(cleo, "Anna") == []
    assert await _history(ben, "Anna") == await _history(anna) == ["Othello Ben Won"]


async def test_the_history_is_filtered_by_game_result_and_rating(arrive: Arrive) -> None:
    anna, ben = [await (await arrive(name)).tab() for name in ("Anna", "Ben")]
    await rated(*await othello(anna, ben))
    assert (await anna.say("/sogo computer 1"))["ok"]
    await anna.board(match=2)
    await _end(anna)
    for filters, count in (
        ({}, 2),
        ({"game": "othello"}, 1),
        ({"result": "won"}, 1),
        ({"result": "lost", "game": "othello"}, 0),
        ({"result": "drawn"}, 0),
        ({"rated": True}, 1),
        ({"before": 2}, 1),
    ):
        assert len(await _history(anna, **filters)) == count, filters


async def test_who_asks_for_the_list_of_home_too_often_is_refused(arrive: Arrive) -> None:
    hers, his = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    asked = [(await hers.ask({"t": "home"}))["ok"] for _ in range(30)]
    assert asked[:8] == [True] * 8
    assert not all(asked)
    assert (await his.ask({"t": "home"}))["ok"]
