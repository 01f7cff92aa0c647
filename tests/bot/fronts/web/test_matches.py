"""Matches at the web table, and their pictures."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.model import Place, Status
from bot.rooms import Message, Rooms
from bot.sessions import Known, Sessions
from bot.settings import PlaySettings
from tests.bot.fronts.browsing import Browser, Open, Tab, cells, label, open_table, othello
from tests.bot.fronts.conftest import Arrive
from tests.bot.table import a_moment_later, two_seat_games
from tests.sampling import sampled

# --- matches --------------------------------------------------------------------------------


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

    assert (await anna.press(cells(hers)["d3"])) == {
        "t": "done",
        "id": 3,
        "ok": True,
        "error": None,
        "about": None,
        "private": None,
        "completions": [],
        "more": False,
        "match": None,
        "room": None,
        "begun": None,
        "proposed": None,
        "told": False,
    }
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


async def test_a_board_that_went_to_the_bottom_while_it_was_looked_up_leaves_no_ghost(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    before = await ben.board(version=2)
    stale = cells(before, legal=False)["d3"]
    assert (await anna.say("/othello d3"))["ok"] is True
    await ben.board(version=3)
    look_up = Rooms.showing

    async def looked_up(rooms: Rooms, match_id: int, place: Place) -> Message | None:
        found = await look_up(rooms, match_id, place)
        assert (await anna.say("/board"))["ok"] is True
        await ben.until(lambda: before["id"] not in ben.messages)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(Rooms, "showing", looked_up)
        assert (await ben.press(stale))["ok"] is False
    # What comes after it has been told when this has.
    assert (await ben.say("/othello c3"))["ok"] is True
    await ben.board(version=4)
    assert before["id"] not in ben.messages


async def test_the_waiting_counts_follow_the_turn(arrive: Arrive) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()

    def waiting(tab: Tab) -> dict[str, int]:
        frames = [frame for frame in tab.heard if "rooms" in frame]
        return {room["room"]: room["waiting"] for room in frames[-1]["rooms"]}

    await othello(anna, ben)
    await anna.until(lambda: waiting(anna)["lounge"] == 1)
    await anna.press(cells(await anna.board(version=2))["d3"])
    await anna.until(lambda: waiting(anna)["lounge"] == 0)
    await ben.until(lambda: waiting(ben)["lounge"] == 1)


async def test_a_double_click_plays_once(arrive: Arrive) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    token = cells(await anna.board(version=2))["d3"]
    press = {"t": "press", "room": "lounge", "token": token}
    first, second = [await anna.answer(await anna.send(press)) for _ in range(2)]
    assert first["ok"] is True
    assert second["ok"] is False
    assert second["error"] == "The board has changed."
    assert second["private"] is None
    assert (await anna.board(version=3))["screen"]["version"] == 3


async def test_a_stale_press_in_another_room_shows_the_current_board_in_private(
    arrive: Arrive,
) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    token = cells(await anna.board(version=2))["d3"]
    await anna.press(token)
    answer = await anna.press(token, room="garden")
    assert answer["ok"] is False
    assert answer["error"] == "The board has changed."
    assert answer["private"]["version"] == 3
    assert answer["private"]["replaces"] is None
    assert answer["error"] not in answer["private"]["text"]


@pytest.mark.parametrize(
    ("who", "step", "reason"),
    [
        ("anna", "a1", "flips nothing"),
        ("anna", "d4", "already"),
        ("ben", "d3", "not your turn"),
        ("cleo", "d3", "not playing"),
    ],
)
async def test_a_press_that_cannot_be_says_why(
    arrive: Arrive, who: str, step: str, reason: str
) -> None:
    tabs = {name: await (await arrive(name.title())).tab() for name in ("anna", "ben", "cleo")}
    await othello(tabs["anna"], tabs["ben"])
    board = await tabs[who].board(version=2)
    token = (cells(board, legal=False) | cells(board))[step]
    answer = await tabs[who].press(token)
    assert answer["ok"] is False
    assert reason in answer["error"]


@pytest.mark.parametrize(
    "token",
    [
        "",
        "x",
        "step:1",
        "step:9:9:d3",
        "drop:0:0:",
        "step:1:2:\x00",
        ":::",
        "step:-1:2:d3",
        "é" * 60,
    ],
)
async def test_buttons_that_we_never_made_do_nothing(arrive: Arrive, token: str) -> None:
    tab = await (await arrive("Anna")).tab()
    answer = await tab.press(token)
    assert answer["ok"] is False
    assert answer["error"]


async def test_a_half_made_move_stands_in_the_boards_place_for_one_pair_of_eyes(
    arrive: Arrive,
) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
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
    assert done["private"] is None
    secret = await hider.board(version=2, room="@house")
    assert "Choose a cell for the first stone" in secret["screen"]["text"]
    # The way back is known there, and only there.
    match = board["screen"]["match"]
    assert secret["screen"]["home"] == {"room": "lounge", "token": f"board:{match}:0:"}
    assert board["screen"]["home"] is None
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


async def test_typed_moves_are_there_to_be_stepped_through(arrive: Arrive) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    await anna.say("/othello d3")
    button = label((await ben.board(version=3))["screen"], "Moves")
    for answer in (await ben.say("/moves"), await ben.press(button)):
        shown = answer["private"]
        assert (shown["ply"], [move["text"] for move in shown["record"]]) == (1, ["d3"])


async def test_a_board_called_again_leaves_its_old_place(arrive: Arrive) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    first = await ben.board(version=2)
    await anna.say("/board")
    await ben.until(lambda: first["id"] not in ben.messages and ben.boards())
    assert (await ben.board(version=2))["id"] > first["id"]
    assert len(ben.boards()) == 1


def answers(tab: Tab) -> list[dict[str, Any]]:
    """What the house has said in the rooms, boards aside."""
    return [one for one in tab.messages.values() if not one["screen"].get("match")]


async def test_a_public_answer_is_for_the_whole_room(tmp_path: Path) -> None:
    play = PlaySettings(leaderboard_minimum=1)
    async with (
        open_table(tmp_path / "azumaya.db", play=play) as table,
        Browser(table.url) as first,
        Browser(table.url) as second,
    ):
        await first.arrive("Anna")
        await second.arrive("Ben")
        anna, ben = await first.tab(), await second.tab()
        await othello(anna, ben)
        await anna.say("/othello d3")
        await ben.say("/othello c3")
        await anna.say("/othello c4")
        await ben.say("/othello e3")
        asked = await ben.press(label((await ben.board(version=6))["screen"], "Resign"))
        assert (await ben.press(label(asked["private"], "Yes, resign")))["ok"] is True
        await anna.board(version=7)
        answer = await anna.say("/leaderboard")
        assert (answer["ok"], answer["private"]) == (True, None)
        await ben.until(lambda: any("1. Anna: 1662?" in line for line in ben.lines()))
        # The picture is drawn when it is requested, with the names and colours of that time.
        await anna.say("/leaderboard othello")
        await ben.until(lambda: any(one["screen"].get("picture") for one in answers(ben)))
        (told,) = [one for one in answers(ben) if one["screen"].get("picture")]
        picture = told["screen"]["picture"]
        assert (picture["alt"], picture["cells"]) == ("Leaderboard: Othello", [])
        status, body, headers = await second.get(picture["url"])
        assert (status, body[:4], headers["Content-Type"]) == (200, b"\x89PNG", "image/png")
        number = told["id"]
        assert (await second.get(f"/drawn/{number - 1}.png"))[0] == 404
        assert (await second.get("/drawn/999.png"))[0] == 404
        async with Browser(table.url) as stranger:
            assert (await stranger.get(picture["url"]))[0] == 401


async def test_completion_comes_from_the_house(arrive: Arrive) -> None:
    tab = await (await arrive("Anna")).tab()
    answer = await tab.ask({"t": "complete", "room": "lounge", "text": "/oth"})
    assert [offer["text"] for offer in answer["completions"]] == ["/othello "]
    assert answer["completions"][0]["hint"]
    answer = await tab.ask({"t": "complete", "room": "lounge", "text": "/othello @a"})
    assert [offer["text"] for offer in answer["completions"]] == ["/othello @Anna"]


async def test_who_changes_the_language_gets_the_page_in_it(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await othello(anna, ben)
    asked, now = [], Sessions.now

    async def counted(self: Sessions, session_id: int) -> Known | None:
        asked.append(session_id)
        return await now(self, session_id)

    monkeypatch.setattr(Sessions, "now", counted)
    await anna.say("/stats")
    # Who they are is asked again only where that may have changed.
    assert len(asked) == 1
    answer = await anna.say("/language de")
    assert len(asked) == 3
    assert answer["private"]["text"] == "Sprache: jetzt Deutsch."
    words = await anna.until(lambda: [frame for frame in anna.heard if frame["t"] == "words"])
    assert words[0]["language"] == "de"
    assert words[0]["texts"]["send"] == "Senden"
    await anna.until(lambda: "Du bist am Zug." in anna.boards()[0]["screen"]["text"])
    assert not [frame for frame in ben.heard if frame["t"] == "words"]


# --- whole matches --------------------------------------------------------------------------


@pytest.mark.parametrize("game", sampled(two_seat_games(), "morris"))
async def test_a_whole_match_by_clicking(table: Open, arrive: Arrive, game: str) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    assert (await anna.say(f"/{game} @Ben first"))["ok"] is True
    await ben.press(label((await ben.board())["screen"], "Accept"))
    luck = Random(game)
    while (loaded := await table.app.matches.get(1)).match.status is Status.RUNNING:
        (seat,) = loaded.turn
        tab = (anna, ben)[seat]
        shown = await tab.board(version=loaded.match.version)
        for step in loaded.game.steps(luck.choice(loaded.position.moves(seat))):
            buttons = [button["token"] for row in shown["screen"]["buttons"] for button in row]
            steps = {token.rpartition(".")[2].rpartition(":")[2]: token for token in buttons}
            steps |= {cell.rpartition(".")[2]: token for cell, token in cells(shown).items()}
            answer = await tab.press(steps[step])
            assert answer["ok"] is True, answer
            shown = {"screen": answer["private"]}
    for tab in (anna, ben):
        over = await tab.board(version=loaded.match.version)
        assert label(over["screen"], "Rematch")


# --- pictures -------------------------------------------------------------------------------


async def test_a_board_has_a_picture_that_the_browser_may_keep(arrive: Arrive) -> None:
    browser, ben = await arrive("Anna"), await (await arrive("Ben")).tab()
    anna = await browser.tab(theme="dark")
    await othello(anna, ben)
    picture = (await anna.board(version=2))["screen"]["picture"]
    assert "theme=dark" in picture["url"]
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


async def test_a_picture_that_has_been_overtaken_is_not_kept(arrive: Arrive) -> None:
    browser, ben = await arrive("Anna"), await (await arrive("Ben")).tab()
    anna = await browser.tab()
    await othello(anna, ben)
    before = (await anna.board(version=2))["screen"]["picture"]["url"]
    await anna.press(cells(await anna.board(version=2))["d3"])
    after = (await anna.board(version=3))["screen"]["picture"]["url"]
    old, new = await browser.get(before), await browser.get(after)
    assert old[2]["Cache-Control"] == "no-store"
    assert old[1] == new[1]


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


async def test_a_message_without_a_picture_has_none(arrive: Arrive) -> None:
    browser = await arrive("Anna")
    tab = await browser.tab()
    await tab.say("words")
    await tab.until(tab.lines)
    number = tab.room("lounge")[0]["id"]
    assert (await browser.get(f"/picture/{number}/0.png"))[0] == 404


async def test_other_colours_give_other_pictures(arrive: Arrive) -> None:
    browser, ben = await arrive("Anna"), await (await arrive("Ben")).tab()
    anna = await browser.tab(theme="light")
    await othello(anna, ben)
    light = (await anna.board(version=2))["screen"]["picture"]["url"]
    assert (await anna.ask({"t": "appearance", "theme": "dark"}))["ok"] is True
    await anna.until(lambda: "theme=dark" in anna.boards()[0]["screen"]["picture"]["url"])
    dark = anna.boards()[0]["screen"]["picture"]["url"]
    assert (await browser.get(light))[1] != (await browser.get(dark))[1]


async def test_a_page_gets_pictures_for_the_pixels_that_it_has(arrive: Arrive) -> None:
    browser, ben = await arrive("Anna"), await (await arrive("Ben")).tab()
    anna = await browser.tab(pixels=1080)
    await othello(anna, ben)
    for tab, width in ((anna, 1200), (ben, 800)):
        picture = (await tab.board(version=2))["screen"]["picture"]
        assert picture["width"] == width
        assert max(cell["box"][2] for cell in picture["cells"]) > width * 0.9
    url = (await anna.board(version=2))["screen"]["picture"]["url"]
    assert int.from_bytes((await browser.get(url))[1][16:20]) == 1200
    # A window that goes to another screen says so.
    assert (await anna.ask({"t": "appearance", "theme": "light", "pixels": 700}))["ok"] is True
    await anna.until(lambda: anna.boards()[0]["screen"]["picture"]["width"] == 800)
    for nonsense in (-1, 1.5, "many"):
        answer = await anna.ask({"t": "appearance", "theme": "light", "pixels": nonsense})
        assert answer["ok"] is False
    assert (await browser.get(url.replace("size=1200", "size=999999")))[0] == 200
    assert int.from_bytes((await browser.get(url.replace("=1200", "=9999")))[1][16:20]) == 800


async def test_a_half_made_move_is_drawn_as_large_as_the_board(arrive: Arrive) -> None:
    browser, ben = await arrive("Anna"), await (await arrive("Ben")).tab(pixels=1080)
    anna = await browser.tab(pixels=1080)
    await anna.say("/moyo @Ben")
    await ben.press(label((await ben.board())["screen"], "Accept"))
    boards = [(tab, await tab.board(version=2)) for tab in (anna, ben)]
    ((mover, tokens),) = ((tab, cells(board)) for tab, board in boards if cells(board))
    private = (await mover.press(next(iter(tokens.values()))))["private"]
    assert private["picture"]["width"] == 1200


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


async def test_a_rod_of_sogo_can_be_clicked_on_every_level(arrive: Arrive) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    await anna.say("/sogo @Ben white")
    await ben.press(label((await ben.board())["screen"], "Accept"))
    picture = (await anna.board(version=2))["screen"]["picture"]
    assert len(picture["cells"]) == 16
    for cell in picture["cells"]:
        assert len(cell["also"]) == 4
        for left, top, right, bottom in cell["also"]:
            assert 0 <= left < right <= picture["width"]
            assert 0 <= top < bottom <= picture["height"]


async def test_a_setting_changes_the_boards_that_are_there(arrive: Arrive) -> None:
    browser, ben = await arrive("Anna"), await (await arrive("Ben")).tab()
    anna = await browser.tab()
    await othello(anna, ben)
    dots = (await anna.board(version=2))["screen"]["picture"]["url"]
    with_dots = (await browser.get(dots))[1]
    settings = (await anna.say("/settings"))["private"]
    await anna.press(label(settings, "Dots on legal moves: shown"))
    await anna.until(lambda: anna.boards()[0]["screen"]["picture"]["url"] != dots)
    without = (await browser.get(anna.boards()[0]["screen"]["picture"]["url"]))[1]
    assert without != with_dots
