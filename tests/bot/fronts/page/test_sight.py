"""The player's board stays visible, on a phone and beside the chat; finished ones return to it."""

import asyncio
import json
import re

import pytest
from playwright.async_api import Locator, Route, WebSocketRoute, expect

import games
from tests.bot.fronts.browsing import Browser, Open, Tab, label
from tests.bot.fronts.page.windows import (
    DESK,
    PHONE,
    SIDEWAYS,
    SMALL,
    OpenWindow,
    accept,
    answer,
    begin,
)
from tests.bot.table import Thinking
from tests.sampling import sampled

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_on_a_phone_the_board_stays_however_much_is_said_and_the_talk_is_one_tap_away(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window(viewport=PHONE)
    await begin(app.web.url, anna, ben)
    await anna.watch_the_board()
    for number in range(6):
        await ben.say(f"Line {number}")
    talk = anna.page.locator("#views").get_by_role("button", name="Chat")
    await expect(talk).to_contain_text("6 Ben: Line 5", use_inner_text=True)
    await expect(anna.board.locator(".board")).to_be_in_viewport(ratio=1)
    await anna.refused("a1")
    # A refusal covers nothing that is pressed, and neither who plays nor whose turn it is.
    await anna.board.get_by_role("button", name="Resign").click(trial=True)
    parts = (".card-head", ".sides", ".board", ".card-text", ".card-note", ".card-buttons")
    await anna.stand_apart(*map(anna.board.locator, parts))
    await anna.click("d3")
    await answer(ben, "c3")
    await expect(anna.board).to_contain_text("c3")
    await anna.has_turn()
    await anna.never_moved()
    await talk.click()
    await expect(anna.log.get_by_text("Line 0")).to_be_in_viewport()
    await expect(anna.log.get_by_role("separator")).to_be_in_viewport()
    await expect(anna.stage).to_be_hidden()
    await anna.say("/othello z9")
    await expect(anna.refusal).to_be_in_viewport(ratio=1)
    await anna.view("Your turn")
    await anna.stand_apart(anna.board.locator(".card-text"), anna.refusal)
    await anna.board.get_by_role("button", name="Resign").click(trial=True)
    # The newest refusal takes the place of the one before, wherever that stands.
    await anna.refused("a1")
    await expect(anna.refusal).to_have_count(0)
    await anna.say("/othello z8")
    await expect(anna.refusal).to_be_in_viewport(ratio=1)
    await expect(anna.board.locator(".card-note")).to_have_count(0)
    await expect(anna.board.locator(".board")).to_be_in_viewport(ratio=1)
    # An answer to what was typed is read where the talk is; a key leads back.
    await anna.say("/help othello")
    await expect(anna.log.locator(".whisper")).to_be_in_viewport()
    await anna.page.keyboard.press("Alt+b")
    await expect(anna.board.locator(".board")).to_be_in_viewport(ratio=1)
    assert (await anna.focused()).startswith("b3")


@pytest.mark.slow
async def test_where_there_is_width_the_board_lies_beside_the_talk(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window(viewport=SIDEWAYS)
    await begin(app.web.url, anna, ben)
    await ben.say("/sogo @Anna")
    for number in range(6):
        await ben.say(f"Line {number}")
    board = anna.board.locator(".board")
    for viewport in (SIDEWAYS, DESK):
        await anna.page.set_viewport_size(viewport)
        for part in (board, anna.log.get_by_text("Line 5"), anna.line):
            await expect(part).to_be_in_viewport(ratio=1)
        field, talk = await board.bounding_box(), await anna.log.bounding_box()
        assert field
        assert talk
        assert field["x"] + field["width"] <= talk["x"]
        # So does all that stands above the talk, also what leads to a board that waits.
        for name in ("Next game that waits", "Play", "Help"):
            await expect(anna.page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
        # It is as large as the height allows.
        assert field["height"] > viewport["height"] * 0.65
    await anna.watch_the_board()
    await anna.refused("a1")
    await anna.click("d3")
    await answer(ben, "c3")
    await expect(anna.board).to_contain_text("c3")
    await anna.has_turn()
    await anna.never_moved()
    # In another room there is none, and back here it stands where it stood.
    await anna.enter("#garden")
    await expect(anna.stage).to_be_hidden()
    await anna.enter("#lounge")
    await expect(board).to_be_in_viewport(ratio=1)
    assert len(set(await anna.places()) - {"0 0 0 0"}) == 1
    # After resigning, the player closes the board when they like.
    await anna.board.get_by_role("button", name="Resign").click()
    await anna.board.get_by_role("button", name="Yes, resign").click()
    await expect(anna.board).to_have_class(re.compile(r"\bover\b"))
    await anna.stage.get_by_role("button", name="Close").click()
    await expect(anna.stage).to_be_hidden()
    await expect(anna.log.locator(".board")).to_have_count(1)


@pytest.mark.slow
async def test_all_of_a_hint_is_in_sight_over_the_board_and_in_the_chat(
    app: Open, window: OpenWindow
) -> None:
    app.app.engines = Thinking()
    anna = await window(app, "Anna", viewport=DESK, locale="de-DE")
    for number, line in enumerate(("/othello computer 1 first", "/blackbox neu tipps"), start=1):
        await anna.say(line)
        await expect(anna.board.locator(".card-number")).to_have_text(f"#{number}")
    # In the chat, it is of the board on the stage.
    await anna.page.set_viewport_size(PHONE)
    await anna.say("/hint")
    told = anna.log.locator(".whisper")
    button = told.get_by_role("button", name="So spielen")
    parts = (told.locator(part) for part in (".card-title", ".board", ".card-text"))
    await anna.stand_apart(*parts, button, anna.line)
    hint = anna.board.get_by_role("dialog")
    play = hint.get_by_role("button", name="So spielen")
    for viewport in (DESK, SMALL, PHONE):
        await anna.page.set_viewport_size(viewport)
        await anna.page.keyboard.press("Alt+b")
        await anna.board.get_by_role("button", name="Tipp").click()
        await anna.stand_apart(
            hint.locator(".card-title"), hint.locator(".board"), hint.locator(".card-text"), play
        )
        # The picture has given way, so that nothing has to be scrolled.
        for scrolled in (hint, hint.locator(".card-text")):
            assert await scrolled.evaluate("each => each.scrollHeight - each.clientHeight") <= 1
        await expect(hint.locator(".lower-edge")).to_be_hidden()
        if viewport != PHONE:
            await anna.page.keyboard.press("Escape")
            await expect(hint).to_have_count(0)
    # Beside it the words are scrolled where there is no height.
    await anna.page.set_viewport_size(SIDEWAYS)
    await anna.stand_apart(hint.locator(".card-title"), hint.locator(".card-text"), play)
    await expect(hint.locator(".board")).to_be_in_viewport(ratio=1)


@pytest.mark.slow
async def test_what_is_too_long_for_its_place_over_the_board_is_read_to_its_end(
    app: Open, window: OpenWindow
) -> None:
    anna = await window(app, "Anna", viewport=SMALL, locale="de-DE")
    await anna.say("/moyo computer 1 first")
    await anna.board.get_by_role("button", name="Regeln").click()
    rules = anna.board.get_by_role("dialog")
    more = rules.locator(".lower-edge")
    await expect(more).to_be_in_viewport(ratio=1)
    await anna.page.keyboard.press("End")
    await expect(more).to_be_hidden()
    text = rules.locator(".card-text")
    below = "each => each.scrollHeight - each.clientHeight - each.scrollTop"
    assert await text.evaluate(below) <= 1
    # However far it was scrolled it can be closed.
    close = rules.get_by_role("button", name="Schließen")
    await anna.stand_apart(close, text)
    await anna.page.keyboard.press("Escape")
    await expect(rules).to_have_count(0)


@pytest.mark.slow
async def test_the_old_picture_is_dimmed_until_the_new_one_is_there(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window()
    await begin(app.web.url, anna, ben)
    await expect(anna.board.locator("img")).to_be_visible()
    arrives = asyncio.Event()

    async def hold(route: Route) -> None:
        await arrives.wait()
        await route.continue_()

    await anna.page.route("**/picture/**", hold)
    await anna.page.get_by_role("button", name="Switch between").click()
    dimmed = expect(anna.board.locator(".board"))
    await dimmed.to_have_class("board old")
    arrives.set()
    await dimmed.to_have_class("board")


@pytest.mark.slow
async def test_an_answer_for_oneself_stays_in_sight_when_a_board_comes_late(
    app: Open, window: OpenWindow
) -> None:
    anna = await window(viewport=PHONE)
    late: list[str | bytes] = []
    holds = False
    held = asyncio.Event()

    def behind(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def pass_on(frame: str | bytes) -> None:
            what = json.loads(frame)
            if holds and what["t"] in {"message", "gone"}:
                late.append(frame)
                return held.set() if what["t"] == "gone" else None
            page.send(frame)
            if (what.get("private") or {}).get("title") == "Leaderboard":
                for one in late:
                    page.send(one)
            return None

        server.on_message(pass_on)

    await anna.page.route_web_socket(re.compile("/socket"), behind)
    await anna.come_in(app.web.url, "Anna")
    await anna.say("/blackbox new size=10")
    await anna.has_turn()
    await anna.say("/blackbox new size=6")
    await expect(anna.board.locator(".card-number")).to_have_text("#2")
    holds = True
    # Nothing has happened in that box yet: it is the same that one begins again.
    await anna.say("/blackbox new size=6")
    await held.wait()
    await anna.say("/leaderboard")
    await expect(anna.log.get_by_text("Leaderboard")).to_be_in_viewport()
    await expect(anna.log.get_by_text("Open board")).to_have_count(1)
    await expect(anna.log.get_by_text("Leaderboard")).to_be_in_viewport()


@pytest.mark.slow
async def test_games_of_other_players_are_lines_in_the_chat_and_boards_on_the_stage(
    app: Open, window: OpenWindow
) -> None:
    cleo = await window(viewport={"width": 800, "height": 800})
    async with Browser(app.url) as one, Browser(app.url) as other:
        for browser, name in ((one, "Annemargret"), (other, "Jo")):
            assert (await browser.arrive(name))[0] == 200
        first, second = await one.tab(), await other.tab()
        await first.say("/othello @Jo black")
        challenge = await second.board()
        await second.press(label(challenge["screen"], "Accept"))
        await first.say("/blackbox new")
        await first.until(lambda: len(first.boards()) == 2)
        await first.say("Well …")
        await cleo.come_in(app.web.url, "Cleo")
        await expect(cleo.log.get_by_text("Well …")).to_be_in_viewport(ratio=1)
        await cleo.log.get_by_role("button", name="Watch: Annemargret plays Black Box").click()
        for move, told in (("ask 1", "ray: 1"), ("mark c4", "move: c4"), ("mark c5", "move: c5")):
            await first.say(f"/blackbox {move}")
            await expect(cleo.stage.get_by_text(f"Last {told}")).to_be_visible()
    # There is room for their names, also on a phone.
    await cleo.view("Chat")
    await cleo.log.get_by_role("button", name="Watch: Annemargret plays Othello").click()
    await cleo.page.set_viewport_size(PHONE)
    for plate in await cleo.stage.locator(".sides .name").all():
        assert await plate.evaluate("name => name.scrollWidth <= name.clientWidth")


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(games.ids(), "blackbox"))
async def test_the_title_of_rules_is_in_sight_on_a_challenge_and_on_a_game_that_is_watched(
    app: Open, window: OpenWindow, ben: Tab, game: str
) -> None:
    cleo = await window(app, "Cleo", viewport=PHONE)

    async def open_in_sight(card: Locator, rules: Locator) -> None:
        for viewport in (PHONE, SIDEWAYS, DESK):
            await cleo.page.set_viewport_size(viewport)
            await card.get_by_role("button", name="Rules").click()
            await expect(rules.get_by_role("heading")).to_be_in_viewport(ratio=1)
            close = rules.get_by_role("button", name="Close")
            await expect(close).to_be_in_viewport(ratio=1)
            await close.click()

    async with Browser(app.url) as browser:
        await browser.arrive("Anna")
        anna = await browser.tab()
        for number in range(6):
            await ben.say(f"Line {number}")
        await anna.say(f"/{game} @Ben")
        challenge = cleo.log.locator(".card", has_text="Anna challenges Ben")
        await open_in_sight(challenge, challenge.locator(".whisper"))
        await accept(ben)
        # Until then, the message of the challenge becomes the line.
        await cleo.log.get_by_role("button", name="Watch").click()
        match = cleo.board
        await expect(match).to_contain_text("to move")
        await expect(match.locator("img")).to_be_visible()
        await open_in_sight(match, match.get_by_role("dialog"))
