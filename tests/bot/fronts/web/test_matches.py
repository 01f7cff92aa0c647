"""Matches in the web app, with pictures."""

from base64 import b64encode
from typing import Any

import pytest

from bot.delivery.rooms import DIRECT_ROOM, Rooms
from bot.loops.analyst import Analyst
from bot.store import Store, sessions
from bot.store.rooms import Message
from bot.store.sessions import Known
from tests.bot.fronts.browsing import Browser, Open, Tab, cells, label, othello, rated
from tests.bot.fronts.conftest import Arrive
from tests.bot.table import Thinking, a_moment_later


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

    done = await anna.press(cells(hers)["d3"])
    assert {key for key, value in done.items() if value} == {"t", "id", "ok"}
    after = await ben.board(version=3)
    assert after["id"] == his["id"] == hers["id"]
    assert after["screen"]["turn"] is True
    match = str(after["screen"]["match"])
    assert (await ben.say("/othello c3", seen={match: 3}))["ok"] is True
    assert (await anna.board(version=4))["screen"]["turn"] is True


async def test_what_is_typed_concerns_the_match_that_is_on_the_stage(arrive: Arrive) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    first = (await anna.board(version=2))["screen"]["match"]
    assert (await anna.say("/sogo computer 1"))["ok"] is True
    both = {str(first): 2, str(first + 1): 2}
    asked = await anna.say("/resign", seen=both)
    assert asked["about"] is None
    for match in (first, first + 1):
        asked = await anna.say("/resign", seen=both, staged=match)
        assert asked["about"] == match


async def test_a_move_is_played_on_the_board_in_front_or_refused_and_all_else_is_chat(
    arrive: Arrive,
) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    match = (await anna.board(version=2))["screen"]["match"]
    chat = [(ben, "c4"), (anna, "m8"), (anna, "pass"), (anna, "D3?"), (anna, "d3 or c4")]
    refused = await anna.say("a1", seen={str(match): 2}, staged=match)
    assert not refused["ok"]
    assert "flips" in str(refused["error"] or refused["private"])
    for tab, line in [*chat, (anna, "D3!")]:
        assert (await tab.say(line, seen={str(match): 2}, staged=match))["ok"] is True
    assert "d3" in (await ben.board(version=3))["screen"]["text"]
    # Outdated, then not in front.
    assert (await ben.say("c3", seen={str(match): 2}, staged=match))["error"]
    assert (await ben.say("c3"))["ok"] is True
    await ben.until(lambda: "c3" in ben.lines())
    assert [one for one in ben.lines() if len(one) < 10] == [*(line for _, line in chat), "c3"]


async def test_a_stone_that_cannot_be_hidden_is_refused_instead_of_shown_to_all(
    arrive: Arrive,
) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    assert (await anna.say("/blackbox @Ben hide"))["ok"] is True
    assert (await ben.press(label((await ben.board())["screen"], "Accept")))["ok"] is True
    board = (await anna.board(version=2))["screen"]
    hider, seeker = (anna, ben) if board["turn"] else (ben, anna)
    for tab, line, is_fine in (
        (hider, "hide c3", True),
        (hider, "hide c3", False),
        (hider, "verstecke c3!", False),
        (seeker, "hide c4", True),
        (hider, "c3?", True),
    ):
        done = await tab.say(line, staged=board["match"])
        assert done["ok"] is is_fine, (line, done)
    await seeker.until(lambda: "c3?" in seeker.lines())
    assert [one for one in seeker.lines() if len(one) < 10] == ["hide c4", "c3?"]


async def test_offers_are_on_the_board_and_not_behind_resigning(arrive: Arrive) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    for terms, offers in (("", ["Draw", "Abort"]), ("unrated", ["Takeback", "Draw", "Abort"])):
        assert (await anna.say(f"/othello @Ben black {terms}"))["ok"] is True
        challenge = await ben.until(
            lambda: [one for one in ben.room("lounge") if "Accept" in str(one)]
        )
        assert (await ben.press(label(challenge[-1]["screen"], "Accept")))["ok"] is True
        board = await anna.until(lambda: [one for one in anna.boards() if one["screen"]["offers"]])
        assert [one["label"] for one in board[-1]["screen"]["offers"]] == offers
        assert (await anna.say("/othello d3"))["ok"] is True
        asked = await anna.say("/resign", staged=board[-1]["screen"]["match"])
        assert "Offer draw" not in str(asked["private"]["buttons"])
        assert (await anna.press(label(asked["private"], "Yes, resign")))["ok"] is True


async def test_a_board_that_went_to_the_bottom_while_it_was_looked_up_leaves_no_ghost(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    before = await ben.board(version=2)
    stale = cells(before, legal=False)["d3"]
    assert (await anna.say("/othello d3"))["ok"] is True
    await ben.board(version=3)
    look_up = Rooms.messages_of

    async def looked_up(rooms: Rooms, *where: Any) -> dict[int, Message]:
        found = await look_up(rooms, *where)
        assert (await anna.say("/board"))["ok"] is True
        await ben.until(lambda: before["id"] not in ben.messages)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(Rooms, "messages_of", looked_up)
        assert (await ben.press(stale))["ok"] is False
    # What comes after it has been told when this has.
    assert (await ben.say("/othello c3"))["ok"] is True
    await ben.board(version=4)
    assert before["id"] not in ben.messages


async def test_a_partial_move_stands_in_the_boards_place_for_its_player_only(
    arrive: Arrive,
) -> None:
    anna = await (await arrive("Anna")).tab(pixels=1080)
    ben = await (await arrive("Ben")).tab(pixels=1080)
    await anna.say("/moyo @Ben")
    await ben.press(label((await ben.board())["screen"], "Accept"))
    await ben.board(version=2)
    board = await anna.board(version=2)
    mover = anna if board["screen"]["turn"] else ben
    board = await mover.board(version=2)
    cell, token = next(iter(cells(board).items()))
    watching = ben if mover is anna else anna
    seen = dict(watching.messages)
    answer = await mover.press(token)
    private = answer["private"]
    assert answer["ok"] is True
    assert private["replaces"] == board["id"]
    assert private["version"] == board["screen"]["version"]
    assert private["picture"]["url"].startswith("data:image/png;base64,")
    # It is drawn as large as the board.
    assert private["picture"]["width"] == board["screen"]["picture"]["width"] == 1200
    following = cells({"screen": private})
    assert following
    assert all(step.startswith(f"{cell}.") for step in following)
    assert (await watching.say("/stats"))["ok"] is True
    assert watching.messages == seen
    await mover.press(next(iter(following.values())))
    assert (await watching.board(version=3))["id"] == board["id"]


async def test_the_private_board_is_led_to_and_says_what_is_to_be_done(
    table: Open, arrive: Arrive
) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await anna.say("/blackbox @Ben hide")
    challenge = await ben.board()
    assert (await ben.press(label(challenge["screen"], "Accept")))["ok"] is True
    hider = anna if (await anna.board(version=2))["screen"]["turn"] else ben
    board = await hider.board(version=2)
    done = await hider.press(label(board["screen"], "Hide stones"))
    assert (done["match"], done["room"]) == (board["screen"]["match"], "@house")
    assert "private" not in done
    secret = await hider.board(version=2, room="@house")
    assert "Choose a cell for the first stone" in secret["screen"]["text"]
    # The way back is known there, and only there.
    match = board["screen"]["match"]
    assert secret["screen"]["home"] == "lounge"
    assert board["screen"]["home"] == ""
    # Another match is asked for where the other side looks, too.
    asked = await hider.press(label(secret["screen"], "Resign"), room="@house")
    await hider.press(label(asked["private"], "Yes, resign"), room="@house")
    over = await hider.board(version=3, room="@house")
    await a_moment_later(table.app.store)
    done = await hider.press(label(over["screen"], "Rematch"), room="@house")
    assert (done["proposed"], done["room"]) == (match + 1, "lounge")
    seeker = ben if hider is anna else anna
    rematch = await seeker.board(match=match + 1)
    # A refusal reaches the challenger.
    await seeker.press(label(rematch["screen"], "Decline"))
    await hider.until(lambda: hider.messages[rematch["id"]]["screen"]["over"])
    declined = [one.messages[rematch["id"]]["screen"]["news"] for one in (hider, seeker)]
    assert declined == ["Your challenge to Black Box was declined.", ""]


async def test_who_changes_the_language_gets_the_page_in_it(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    asked, in_use = [], sessions.in_use

    async def counted(store: Store, session_id: int) -> Known | None:
        asked.append(session_id)
        return await in_use(store, session_id)

    monkeypatch.setattr(sessions, "in_use", counted)
    await anna.say("/stats")
    # Who they are is asked again only where that may have changed.
    assert len(asked) == 1
    answer = await anna.say("/language de")
    assert len(asked) == 3
    assert answer["private"]["text"] == "Sprache: jetzt Deutsch."
    words = await anna.until(lambda: [frame for frame in anna.heard if frame["t"] == "words"])
    assert words[0]["language"] == "de"
    await anna.until(lambda: "Du bist am Zug." in anna.boards()[0]["screen"]["text"])
    assert not [frame for frame in ben.heard if frame["t"] == "words"]


async def test_a_board_has_a_picture_that_the_browser_keeps_until_it_is_overtaken(
    arrive: Arrive,
) -> None:
    browser, ben = await arrive("Anna"), await (await arrive("Ben")).tab()
    anna = await browser.tab()
    await othello(anna, ben)
    picture = await again(anna, "dark")
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
    light = (await again(anna, "light"))["url"]
    assert (await browser.get(light))[1] != body
    await anna.press(cells(await anna.board(version=2))["d3"])
    sent = (await anna.board(version=3))["screen"]["picture"]["url"]
    _, body, headers = await browser.get(light)
    assert headers["Cache-Control"] == "no-store"
    assert sent == f"data:image/png;base64,{b64encode(body).decode()}"


async def again(tab: Tab, theme: str) -> dict[str, Any]:
    """Let a board be sent again in this theme, and return its picture, which is not sent along."""
    await tab.ask({"t": "appearance", "theme": theme})
    await tab.until(lambda: f"theme={theme}" in tab.boards()[0]["screen"]["picture"]["url"])
    picture: dict[str, Any] = tab.boards()[0]["screen"]["picture"]
    return picture


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
    # A message without a picture has none.
    await anna.say("words")
    await anna.until(anna.lines)
    number = anna.room("lounge")[0]["id"]
    assert (await browser.get(f"/picture/{number}/0.png"))[0] == 404


async def test_a_page_gets_pictures_for_the_pixels_that_it_has(arrive: Arrive) -> None:
    browser, ben = await arrive("Anna"), await (await arrive("Ben")).tab()
    anna = await browser.tab(pixels=1080)
    await othello(anna, ben)
    for tab, width in ((anna, 1200), (ben, 800)):
        picture = (await tab.board(version=2))["screen"]["picture"]
        assert picture["width"] == width
        assert max(cell["box"][2] for cell in picture["cells"]) > width * 0.9
    # A window that goes to another screen says so.
    assert (await anna.ask({"t": "appearance", "theme": "light", "pixels": 700}))["ok"] is True
    await anna.until(lambda: anna.boards()[0]["screen"]["picture"]["width"] == 800)
    for nonsense in (-1, 1.5, "many"):
        answer = await anna.ask({"t": "appearance", "theme": "light", "pixels": nonsense})
        assert answer["ok"] is False
    url = anna.boards()[0]["screen"]["picture"]["url"]
    for size, width in ((800, 800), (1200, 1200), (999_999, 800)):
        status, body, _ = await browser.get(url.replace("size=800", f"size={size}"))
        assert (status, int.from_bytes(body[16:20])) == (200, width)


async def test_the_words_of_a_picture_are_in_the_readers_language_in_its_address_too(
    arrive: Arrive,
) -> None:
    """What fetches a picture does not know what the page has said of its language."""
    browser = await arrive("Anna", "de")
    other = await arrive("Ben")
    pictures = []
    for each in (browser, other):
        tab = await each.tab(locale="de" if each is browser else "en")
        await tab.say("/blackbox new", room="@house")
        url = (await tab.board(room="@house"))["screen"]["picture"]["url"]
        pictures.append((url, (await each.get(url))[1]))
    (german, one), (english, another) = pictures
    assert "language=de" in german
    assert "language=en" in english
    assert one != another


async def test_a_setting_changes_the_boards_that_are_there(arrive: Arrive) -> None:
    browser, ben = await arrive("Anna"), await (await arrive("Ben")).tab()
    anna = await browser.tab()
    await othello(anna, ben)
    dots = (await again(anna, "dark"))["url"]
    with_dots = (await browser.get(dots))[1]
    settings = (await anna.say("/settings"))["private"]
    await anna.press(label(settings, "Dots on legal moves: shown"))
    await anna.until(lambda: anna.boards()[0]["screen"]["picture"]["url"] != dots)
    without = (await browser.get(anna.boards()[0]["screen"]["picture"]["url"]))[1]
    assert without != with_dots


async def test_a_line_with_a_button_says_that_the_analysis_is_ready(
    table: Open, arrive: Arrive
) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    await rated(anna, ben)
    table.app.engines = Thinking()
    board = await anna.board(version=7)
    assert (await anna.press(label(board["screen"], "Analysis")))["private"]["is_analysing"] is True
    await Analyst(table.app).once()
    said = "Othello, game 1: the analysis is ready."
    await anna.until(lambda: said in anna.lines())
    (line,) = [one for one in anna.room("lounge") if one["screen"]["text"] == said]
    shown = await anna.press(label(line["screen"], "Show analysis"))
    assert shown["private"]["judged"].startswith("Accuracy: Anna ")


async def test_a_match_is_downloaded_as_an_animation_by_those_who_may_see_it(
    arrive: Arrive, stranger: Browser
) -> None:
    browsers = [await arrive("Anna"), await arrive("Ben")]
    anna, ben = [await browser.tab() for browser in browsers]
    await othello(anna, ben)
    board = await anna.board(version=2)
    await anna.press(cells(board)["d3"])
    match = board["screen"]["match"]
    name = (await ben.press(f"past:{match}:0:1"))["private"]["animation"]
    assert name == f"othello-{match}.gif"
    for browser in browsers:
        status, body, headers = await browser.get(f"replay/{match}.gif?theme=dark&language=de")
        assert (status, body[:6], headers["Content-Type"]) == (200, b"GIF89a", "image/gif")
        assert headers["Content-Disposition"] == f'attachment; filename="{name}"'
        assert headers["Cache-Control"] == "private, no-cache"
    assert (await stranger.get(f"replay/{match}.gif"))[0] == 401
    # Ben may not see Anna's match in her direct room, nor hear that there is one.
    assert (await anna.say("/othello computer 1", room=DIRECT_ROOM))["ok"]
    paths = [f"replay/{number}.gif" for number in (match + 1, match + 9)]
    refused = [await browsers[1].get(path) for path in paths]
    assert [(status, body) for status, body, _ in refused] == [(404, refused[0][1])] * 2
