"""The board keeps its place, whatever happens around it."""

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

import games
from bot import hosting
from tests.bot.fronts.browsing import Open, open_table
from tests.bot.fronts.page.windows import DESK, FAMILIES, PHONE, OpenWindow, Window, challenged
from tests.bot.table import a_moment_later
from tests.sampling import sampled

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def motion() -> str:
    return "no-preference"


async def test_the_board_neither_jumps_nor_loses_the_focus_when_it_changes(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(viewport=PHONE), await window()
    await challenged(app.web.url, anna, ben)
    await anna.watch_the_board()
    await anna.click("d3")
    await ben.has_turn()
    await anna.has_turn(now=False)
    focused = await anna.focused()
    await ben.click("c3")
    await anna.has_turn()
    assert len(await anna.places()) == 1
    assert await anna.focused() == focused


async def sit_down(url: str, game: str, side: str = "white", /, **people: Window) -> None:
    """Two people come in; the first challenges the other, who accepts."""
    (first, anna), (second, ben) = people.items()
    await anna.come_in(url, first)
    await ben.come_in(url, second)
    await anna.say(f"/{game} @{second} {side}")
    await ben.log.locator(".card-buttons button").first.click()


@pytest.mark.parametrize(("anna_speaks", "ben_speaks"), [("en-GB", "de-DE"), ("de-DE", "en-GB")])
@pytest.mark.parametrize("family", sampled(FAMILIES, "wide"))
async def test_nothing_that_is_written_beside_the_board_moves_it(
    app: Open, window: OpenWindow, family: str, anna_speaks: str, ben_speaks: str
) -> None:
    anna = await window(viewport=PHONE, locale=anna_speaks, family=family)
    ben = await window(viewport=DESK, locale=ben_speaks, family=family)
    await sit_down(app.web.url, "othello", Anna=anna, Benedikt=ben)
    await ben.has_turn()
    for each in (anna, ben):
        await each.watch_the_board()
        # Refused by a press: out of turn, then against the rules.
        await each.refused("d4")
    await ben.board.locator(".cell.legal").first.hover()
    await ben.click("d3")
    await anna.has_turn()
    await expect(anna.board.locator(".card-note")).to_have_count(0)
    # What is offered has the room of what can wait.
    await ben.say("/draw")
    for each in (anna, ben):
        await expect(each.board.locator(".card-questions")).to_be_visible()
    await anna.click("c3")
    await ben.has_turn()
    for each in (anna, ben):
        await each.say("/othello z9")
        await expect(each.refusal).to_be_visible()
    await ben.say("/othello c4")
    await expect(ben.refusal).to_be_hidden()
    await anna.has_turn()
    await ben.board.get_by_role("button", name=re.compile("Resign|Aufgeben")).click()
    await ben.board.locator(".whisper .danger").click()
    for each in (anna, ben):
        await expect(each.board).to_have_class(re.compile(r"\bover\b"))
    assert len(await anna.places()) == 1
    assert len(await ben.places()) == 1


@pytest.mark.parametrize("game", sampled(games.ids(), "moyo"))
async def test_a_finished_board_stays_as_large_as_it_is_while_another_match_is_asked_for(
    app: Open, window: OpenWindow, game: str
) -> None:
    anna, ben = await window(viewport=PHONE), await window(viewport=PHONE, locale="de-DE")
    await sit_down(app.web.url, game, "first", Anna=anna, Benedikt=ben)
    await anna.board.get_by_role("button", name="Resign").click()
    await anna.board.get_by_role("button", name="Yes, resign").click()
    for each in (anna, ben):
        await expect(each.board).to_have_class(re.compile(r"\bover\b"))
        await each.watch_the_board()
    await a_moment_later(app.app.store)
    await anna.board.get_by_role("button", name="Rematch").click()
    answers = ben.stage.locator(".asked").get_by_role("button")
    await expect(answers.filter(visible=True)).to_have_text(
        ["Annehmen", "Ablehnen", "Regeln", "Züge"]
    )
    for each in (anna, ben):
        await each.stand_apart(
            each.board.locator(".board"),
            each.board.locator(".card-text"),
            each.stage.locator(".asked .card-title"),
            each.stage.locator(".asked button:visible").first,
            each.page.locator("#composer"),
        )
    # Rules cover the board; after closing them the player can answer.
    await ben.stage.get_by_role("button", name="Regeln").click()
    rules = ben.stage.get_by_role("dialog")
    await expect(rules.get_by_role("heading")).to_be_in_viewport(ratio=1)
    await expect(rules.get_by_role("button", name="Schließen")).to_be_in_viewport(ratio=1)
    await ben.page.keyboard.press("Escape")
    await expect(rules).to_have_count(0)
    # So does a refusal cover nothing that is pressed.
    await ben.say("/othello z9")
    await expect(ben.refusal).to_be_in_viewport(ratio=1)
    await answers.filter(has_text="Ablehnen").click(trial=True)
    await ben.refusal.get_by_role("button", name="Schließen").click()
    # The player can step through the game while waiting.
    await anna.stage.get_by_role("button", name="Moves").click()
    await expect(anna.board.get_by_role("slider")).to_be_in_viewport(ratio=1)
    await anna.page.keyboard.press("Escape")
    # Once it is answered the board has its buttons again.
    await answers.filter(has_text="Ablehnen").click()
    for each, name in ((anna, "Rematch"), (ben, "Revanche")):
        again = each.board.get_by_role("button", name=name)
        await expect(again).to_be_in_viewport(ratio=1)
        await expect(each.stage.locator(".asked")).to_have_count(0)
        assert len(await each.places()) == 1


@pytest.mark.parametrize("family", sampled(FAMILIES, "wide"))
async def test_a_half_made_move_leaves_the_board_where_it_is(
    app: Open, window: OpenWindow, family: str
) -> None:
    anna = await window(viewport=PHONE, family=family)
    ben = await window(viewport=PHONE, family=family, locale="de-DE")
    await sit_down(app.web.url, "morris", Anna=anna, Ben=ben)
    await anna.has_turn()
    for each in (anna, ben):
        await each.watch_the_board()
    # White closes a mill on the outer ring and has to say which stone is taken.
    for mover, step in zip([anna, ben] * 2, ("a7", "d6", "d7", "f6"), strict=True):
        await mover.has_turn()
        await mover.click(step)
        await mover.has_turn(now=False)
    await anna.has_turn()
    await anna.click("g7")
    await expect(anna.board).to_have_class(re.compile(r"\bown\b"))
    for part in (".chip", ".card-buttons button"):
        await expect(anna.board.locator(part)).to_be_in_viewport(ratio=1)
    await anna.page.keyboard.press("Escape")
    await expect(anna.board).not_to_have_class(re.compile(r"\bown\b"))
    await anna.click("g7")
    await expect(anna.board).to_have_class(re.compile(r"\bown\b"))
    await anna.board.locator(".cell.legal").first.click()
    await ben.has_turn()
    await anna.has_turn(now=False)
    assert len(await ben.places()) == 1
    assert len(await anna.places()) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [("山田太郎と仲間たち", "محمد بن عبد الله"), ("अनिता शर्मा", "🦊 Ελένη 👩🏽‍🚀")],
)
@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
async def test_names_of_all_scripts_leave_the_board_where_it_is(
    app: Open, window: OpenWindow, first: str, second: str, viewport: dict[str, int]
) -> None:
    one, other = await window(viewport=viewport), await window(viewport=viewport, locale="de-DE")
    await sit_down(app.web.url, "othello", **{first: one, second: other})
    await other.has_turn()
    for each in (one, other):
        await each.watch_the_board()
        await each.refused("d4")
    await other.click("d3")
    await one.has_turn()
    await one.click("c3")
    await other.has_turn()
    await one.has_turn(now=False)
    assert len(await one.places()) == 1
    assert len(await other.places()) == 1


async def test_the_board_stays_where_it_is_while_the_connection_is_lost(
    tmp_path: Path, window: OpenWindow
) -> None:
    anna, ben = await window(viewport=PHONE), await window()
    database = tmp_path / "azumaya.db"
    async with open_table(database) as table:
        port = table.web.port
        await challenged(table.web.url, anna, ben)
        for each in (anna, ben):
            await each.watch_the_board()
    for each in (anna, ben):
        await expect(each.page.get_by_role("status")).to_contain_text("Connection lost")
    async with open_table(database, port=port):
        for each in (anna, ben):
            await expect(each.page.get_by_role("status")).to_be_hidden()
            assert len(await each.places()) == 1


async def test_a_refused_line_is_told_where_it_was_typed_until_the_next_one(
    app: Open, window: OpenWindow
) -> None:
    anna = await window(viewport=PHONE)
    await anna.come_in(app.web.url, "Anna")
    await anna.say("/othelo")
    await expect(anna.refusal).to_contain_text("/othelo")
    await expect(anna.page.locator("#news")).to_contain_text("/othelo")
    await anna.refusal.get_by_role("button", name="Close").click()
    await expect(anna.refusal).to_be_hidden()
    await expect(anna.line).to_be_focused()
    await anna.say("/othelo")
    await expect(anna.refusal).to_be_visible()
    # It belongs to its room.
    await anna.page.get_by_role("button", name="Open the room list").click()
    await anna.enter("#garden")
    await expect(anna.refusal).to_be_hidden()
    await anna.page.get_by_role("button", name="Open the room list").click()
    await anna.enter("#lounge")
    await expect(anna.refusal).to_be_visible()
    await anna.say("Hello!")
    await expect(anna.log.get_by_text("Hello!")).to_be_visible()
    await expect(anna.refusal).to_be_hidden()
    # So is a refused press in the head.
    await hosting.shut_out(app.app.store, "web:lounge")
    await app.app.written_elsewhere()
    await anna.page.get_by_role("button", name="Play").click()
    await expect(anna.refusal).to_be_visible()


async def test_what_comes_after_a_refusal_is_not_hidden_by_it(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window(viewport=PHONE)
    await challenged(app.web.url, anna, ben)
    await ben.say("/othello z9")
    await expect(ben.refusal).to_be_in_viewport(ratio=1)
    # The newest takes its place.
    await ben.board.locator('.cell[aria-label^="a1"]').click()
    await ben.board.locator(".card-note").get_by_role("button", name="Close").click()
    await expect(ben.board.locator(".card-note")).to_have_count(0)
    await expect(ben.refusal).to_have_count(0)
    await ben.say("/othello z9")
    await expect(ben.refusal).to_be_in_viewport(ratio=1)
    await anna.say("/sogo @Ben")
    # The way to what waits leads behind the board as well, and the new board comes before it.
    await ben.page.get_by_role("button", name="Next game that waits for you").click()
    await expect(ben.log.get_by_role("button", name="Accept")).to_be_in_viewport(ratio=1)
    await ben.log.get_by_role("button", name="Accept").click()
    await expect(ben.boards).to_have_count(2)
    await expect(ben.stage.locator(".card", has_text="Sogo")).to_be_in_viewport()
    # Where there is height for a board there is some for the way to the other one.
    await expect(anna.stage.locator(".staged-bar button")).to_be_in_viewport(ratio=1)


async def test_the_page_is_set_in_the_font_that_it_brings(app: Open, window: OpenWindow) -> None:
    anna, ben = await window(), await window()
    await challenged(app.web.url, anna, ben)
    # A first visit may go without (nothing waits or jumps for a font); a later one has it.
    devtools = await anna.page.context.new_cdp_session(anna.page)
    fonts: set[str] = set()
    for _ in range(10):
        await anna.page.reload()
        await expect(anna.board.locator("img")).to_be_visible()
        await devtools.send("DOM.enable")
        await devtools.send("CSS.enable")
        document = await devtools.send("DOM.getDocument")
        for selector in (".card-title", ".card-text", ".card-buttons button", "#room-title"):
            query = {"nodeId": document["root"]["nodeId"], "selector": selector}
            node = await devtools.send("DOM.querySelector", query)
            used = await devtools.send("CSS.getPlatformFontsForNode", node)
            fonts |= {font["familyName"] for font in used["fonts"] if font["isCustomFont"]}
            if not any(font["isCustomFont"] for font in used["fonts"]):
                break
        else:
            break
    else:
        pytest.fail("never set in its own font")
    assert fonts == {"Open Sans", "Open Sans SemiBold"}
