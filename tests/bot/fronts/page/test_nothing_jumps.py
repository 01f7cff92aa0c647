"""The board keeps its place, whatever happens around it, and pieces move on it."""

import re

import pytest
from playwright.async_api import expect

import games
from bot.matches import playing, reading
from tests.bot.fronts.browsing import Open, Tab, label
from tests.bot.fronts.page.windows import DESK, FAMILIES, PHONE, OpenWindow, answer, begin
from tests.bot.seated import users
from tests.bot.table import a_moment_later
from tests.sampling import sampled

pytestmark = pytest.mark.asyncio(loop_scope="session")

# Counts the layers of a moving board.
COUNTED = """
window.layers = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  if (this.previousSibling === null) window.layers.push(this.parentNode.children.length);
  return animate.apply(this, given);
};
"""


@pytest.fixture
def motion() -> str:
    return "no-preference"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("de-DE", "山田太郎と仲間たち"), ("en-GB", "محمد بن عبد الله")),
        pytest.param(("en-GB", "अनिता शर्मा"), ("de-DE", "🦊 Ελένη 👩🏽‍🚀"), marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("family", sampled(FAMILIES, "wide"))
async def test_nothing_that_is_written_beside_the_board_moves_it(
    app: Open, window: OpenWindow, family: str, first: tuple[str, str], second: tuple[str, str]
) -> None:
    anna = await window(viewport=PHONE, locale=first[0], family=family)
    other = await window(viewport=DESK, locale=second[0], family=family)
    await anna.come_in(app.web.url, first[1])
    await other.come_in(app.web.url, second[1])
    await anna.say(f"/othello @{second[1]} white")
    await other.log.locator(".card-buttons button").first.click()
    await other.has_turn()
    for each in (anna, other):
        await each.watch_the_board()
        # Refused by a press: out of turn, then against the rules.
        await each.refused("d4")
    await other.board.locator(".cell.legal").first.hover()
    await other.click("d3")
    await anna.has_turn()
    await expect(anna.board.locator(".card-note")).to_have_count(0)
    # What is offered has the room of what can wait.
    await other.say("/draw")
    for each in (anna, other):
        await expect(each.board.locator(".card-questions")).to_be_visible()
    await anna.click("c3")
    await other.has_turn()
    for each in (anna, other):
        await each.say("/othello z9")
        await expect(each.refusal).to_be_visible()
    await anna.page.keyboard.press("Alt+b")
    square = (await anna.focused())[:2]
    await other.say("/othello c4")
    await expect(other.refusal).to_be_hidden()
    await anna.has_turn()
    # A board that changes keeps the focus on its square.
    assert (await anna.focused())[:2] == square
    await other.board.get_by_role("button", name=re.compile("Resign|Aufgeben")).click()
    await other.board.locator(".whisper .danger").click()
    for each in (anna, other):
        await expect(each.board).to_have_class(re.compile(r"\bover\b"))
        await each.never_moved()


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(games.ids(), "moyo"))
async def test_a_finished_board_keeps_its_size_while_a_rematch_is_offered(
    app: Open, window: OpenWindow, ben: Tab, game: str
) -> None:
    anna = await window(viewport=PHONE, locale="de-DE")
    await begin(app.web.url, anna, ben, f"/{game} @Ben first")
    loaded = await reading.get(app.app.matches, 1)
    seat = min(loaded.turn)
    move = loaded.game.notation(loaded.position.moves(seat)[0])
    await playing.play(app.app.matches, 1, users(loaded.match)[seat], move)
    await ben.board(version=3)
    await anna.board.get_by_role("button", name="Aufgeben").click()
    await anna.board.locator(".whisper .danger").click()
    await expect(anna.board).to_have_class(re.compile(r"\bover\b"))
    await anna.watch_the_board()
    await a_moment_later(app.app.store)
    over = await ben.board(version=4)
    assert (await ben.press(label(over["screen"], "Rematch")))["ok"]
    answers = anna.stage.locator(".asked").get_by_role("button")
    await expect(answers.filter(visible=True)).to_have_text(
        ["Annehmen", "Ablehnen", "Regeln", "Wiedergabe", "Analyse", "Teilen"]
    )
    await anna.stand_apart(
        anna.board.locator(".board"),
        anna.board.locator(".card-text"),
        anna.stage.locator(".asked .card-title"),
        anna.stage.locator(".asked button:visible").first,
        anna.page.locator("#composer"),
    )
    # Rules cover the board; after closing them the player can answer.
    await anna.stage.get_by_role("button", name="Regeln").click()
    rules = anna.stage.get_by_role("dialog")
    await expect(rules.get_by_role("heading")).to_be_in_viewport(ratio=1)
    await expect(rules.get_by_role("button", name="Schließen")).to_be_in_viewport(ratio=1)
    await anna.page.keyboard.press("Escape")
    await expect(rules).to_have_count(0)
    # So does a refusal cover nothing that is pressed.
    await anna.say("/othello z9")
    await expect(anna.refusal).to_be_in_viewport(ratio=1)
    await answers.filter(has_text="Ablehnen").click(trial=True)
    await anna.refusal.get_by_role("button", name="Schließen").click()
    await anna.never_moved()
    # The player can step through the game while deciding.
    await anna.stage.get_by_role("button", name="Wiedergabe").click()
    await expect(anna.board.get_by_role("slider")).to_be_in_viewport(ratio=1)
    await anna.page.keyboard.press("Escape")
    await anna.watch_the_board()
    # Once it is answered the board has its buttons again.
    await answers.filter(has_text="Ablehnen").click()
    await expect(anna.board.get_by_role("button", name="Revanche")).to_be_in_viewport(ratio=1)
    await expect(anna.stage.locator(".asked")).to_have_count(0)
    await anna.never_moved()


@pytest.mark.slow
@pytest.mark.parametrize("family", sampled(FAMILIES, "wide"))
async def test_a_partial_move_leaves_the_board_where_it_is(
    app: Open, window: OpenWindow, ben: Tab, family: str
) -> None:
    anna = await window(viewport=PHONE, family=family, locale="de-DE")
    await begin(app.web.url, anna, ben, "/morris @Ben white")
    await anna.watch_the_board()
    # White closes a mill on the outer ring and has to say which stone is taken.
    for version, (hers, his) in enumerate((("a7", "d6"), ("d7", "f6")), start=1):
        await anna.click(hers)
        await ben.board(version=2 * version + 1)
        assert (await ben.say(f"/morris {his}"))["ok"]
        await expect(anna.board).to_contain_text(his)
        await anna.has_turn()
    await anna.click("g7")
    await expect(anna.board).to_have_class(re.compile(r"\bown\b"))
    await expect(anna.board.locator(".card-buttons button")).to_have_count(7)
    for part in (".chip", ".card-buttons button"):
        await expect(anna.board.locator(part).first).to_be_in_viewport(ratio=1)
    await anna.page.keyboard.press("Escape")
    await expect(anna.board).not_to_have_class(re.compile(r"\bown\b"))
    await anna.click("g7")
    await expect(anna.board).to_have_class(re.compile(r"\bown\b"))
    await anna.board.locator(".cell.legal").first.click()
    await anna.has_turn(now=False)
    await anna.never_moved()


@pytest.mark.slow
async def test_the_page_is_set_in_the_fonts_that_it_brings(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window()
    await begin(app.web.url, anna, ben)
    loaded = "document.fonts.ready.then(() => [...document.fonts].map(font => font.status))"
    assert await anna.page.evaluate(loaded) == ["loaded", "loaded", "unloaded", "unloaded"]


async def test_a_disc_drops_and_the_taken_one_turns_over_then_the_plain_picture_stands(
    app: Open, window: OpenWindow, ben: Tab
) -> None:
    anna = await window()
    await anna.page.add_init_script(COUNTED)
    await begin(app.url, anna, ben)
    await anna.watch_the_board()
    await anna.click("d3")
    await anna.has_turn(now=False)
    await answer(ben, "c3")
    await anna.has_turn()
    await anna.board.get_by_role("button", name="Moves").click()
    await expect(anna.board.locator(".step-at")).to_have_text("Move 2 of 2: c3")
    await anna.page.keyboard.press("ArrowLeft")
    await expect(anna.board.locator(".step-at")).to_have_text("Move 1 of 2: d3")
    await expect(anna.board.locator(".motion *")).to_have_count(0)
    # A drop has a ground, a shadow and a piece; a turn has a ground and two pieces.
    assert (await anna.page.evaluate("window.layers"))[:2] == [7, 7]
    await anna.never_moved()
