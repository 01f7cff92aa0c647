"""The page in a real browser: the stories that the house is for, as people live them.

Needs Chromium or Chrome. Without one these tests are skipped; with ``CI=true`` they fail.
"""

import asyncio
import json
import os
import re
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser as Chromium
from playwright.async_api import BrowserContext, Locator, Page, Route, async_playwright, expect

from bot import hosting
from bot.fronts.web import page_socket
from bot.settings import PlaySettings
from bot.store import people
from renderers import font_file, sogo
from tests.bot.fronts.browsing import Browser, Open, label, open_table

# One browser for all, and so one loop; each window has cookies and a memory of its own.
pytestmark = pytest.mark.asyncio(loop_scope="module")

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE: Any = {"width": 360, "height": 740}
SIDEWAYS: Any = {"width": 740, "height": 360}
DESK: Any = {"width": 1280, "height": 800}

# How much wider or narrower than ours the letters are that a layout has to stand.
FAMILIES = {"narrow": 75, "wide": 130}
FAMILY = """
@font-face {{
  font-family: "Any"; src: url("/static/any.ttf"); font-weight: 100 900; size-adjust: {percent}%;
}}
:root {{ --text: "Any" !important; --display: "Any" !important; }}
"""
# Notes at every frame where the board stands: the picture itself, in whole pixels.
WATCH = """board => {
  window.places = [];
  const look = () => {
    const { x, y, width, height } = board.getBoundingClientRect();
    const place = [x, y, width, height].map(Math.round).join(" ");
    if (window.places.at(-1) !== place) window.places.push(place);
    requestAnimationFrame(look);
  };
  look();
}"""

# The contrast of an edge with what lies around it.
CONTRAST = """([field, ground]) => {
  const ink = document.createElement("canvas").getContext("2d");
  const light = color => {
    ink.fillStyle = color;
    ink.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...ink.getImageData(0, 0, 1, 1).data].map(
      one => one <= 10 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const look = selector => getComputedStyle(document.querySelector(selector));
  const [edge, paper] = [look(field).borderTopColor, look(ground).backgroundColor].map(light);
  return Math.max(edge, paper) / Math.min(edge, paper);
}"""

# A laptop under full load is slow, not wrong.
expect.set_options(timeout=20_000)

# The shortest match of Othello: Black has everything after nine moves.
SHORTEST = ("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5")


def installed() -> str:
    """The browser of this machine."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None and MAC.exists():
        found = str(MAC)
    if found is None:
        why = f"no browser: none of {', '.join(BROWSERS)} is installed"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    return found


@dataclass(slots=True)
class Window:
    """A page of somebody, and the few gestures that people make on it."""

    page: Page
    problems: list[str] = field(default_factory=list)

    @property
    def log(self) -> Locator:
        """The messages of the room in front."""
        return self.page.get_by_role("log")

    @property
    def line(self) -> Locator:
        return self.page.locator("#line")

    @property
    def sheet(self) -> Locator:
        """What one looks at for a moment: the menu of games, a start card, the help."""
        return self.page.locator("#sheet")

    @property
    def refusal(self) -> Locator:
        """Why the last typed line was refused."""
        return self.page.locator(".log:not([hidden]) .refusal, #stage .refusal")

    @property
    def stage(self) -> Locator:
        """Where the board lies that this person plays on."""
        return self.page.locator("#stage")

    @property
    def board(self) -> Locator:
        """The card with the board on the stage, else with the last one of the room."""
        return self.page.locator(
            "#stage .card:has(> .board),"
            " .table:not([data-board]) .log:not([hidden])"
            " .message:nth-last-child(1 of .message:has(.board)) .card:has(> .board)"
        )

    @property
    def boards(self) -> Locator:
        """All boards of the room."""
        return self.page.locator("#stage .board, .log:not([hidden]) .board")

    async def come_in(self, url: str, name: str) -> None:
        await self.page.goto(url)
        await self.page.locator("#name").fill(name)
        await self.page.keyboard.press("Enter")
        await expect(self.line).to_be_visible()

    async def say(self, text: str) -> None:
        await self.line.fill(text)
        await self.line.press("Enter")

    async def click(self, step: str) -> None:
        """Click a legal cell by what its label begins with."""
        await self.board.locator(f'.cell.legal[aria-label^="{step}"]').click()

    async def refused(self, step: str) -> None:
        """Click a cell that cannot be played now, and read why."""
        await self.board.locator(f'.cell[aria-label^="{step}"]').click()
        await expect(self.board.locator(".card-note")).to_be_in_viewport(ratio=1)

    async def has_turn(self, *, now: bool = True) -> None:
        """Wait until it is this person's turn, or not any more."""
        turn = expect(self.board)
        await (turn.to_have_class if now else turn.not_to_have_class)(re.compile(r"\bturn\b"))

    async def watch_the_board(self) -> None:
        """Note from now on where the board stands on the screen; `places` has it."""
        await expect(self.board.locator("img")).to_be_visible()
        await self.board.locator(".board").evaluate(WATCH)

    async def places(self) -> list[str]:
        """Where the board has stood since `watch_the_board`: one place if it never jumped."""
        # Two frames later everything that has arrived is drawn.
        for _ in range(2):
            await self.page.evaluate("new Promise(done => requestAnimationFrame(done))")
        return list(await self.page.evaluate("window.places"))

    async def view(self, name: str) -> None:
        """Bring the talk or the board to the front, where there is room for one of them."""
        await self.page.locator("#views").get_by_role("button", name=name).click()

    async def enter(self, room: str) -> None:
        await self.page.get_by_role("navigation").get_by_role("link", name=room).click()

    async def focused(self) -> str:
        """The accessible name or the id of what has the focus."""
        script = "(e => e.ariaLabel || e.id || e.textContent)(document.activeElement)"
        return str(await self.page.evaluate(script))


OpenWindow = Callable[..., Awaitable[Window]]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def chromium() -> AsyncIterator[Chromium]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=installed(), args=ARGUMENTS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="module")
async def window(chromium: Chromium) -> AsyncIterator[OpenWindow]:
    """Opens windows, each with cookies of its own; none may report a problem in the end."""
    opened: list[Window] = []
    async with AsyncExitStack() as contexts:

        async def open_window(*, family: str | None = None, **looks: Any) -> Window:
            looks = {"viewport": DESK, "locale": "en-GB", **looks}
            context = await chromium.new_context(**looks)
            contexts.push_async_callback(context.close)
            if family:
                await set_in(context, FAMILIES[family])
            found = Window(await context.new_page())
            found.page.on("pageerror", lambda error: found.problems.append(str(error)))
            found.page.on(
                "console",
                lambda said: (
                    found.problems.append(said.text)
                    if said.type == "error" and "Failed to load resource" not in said.text
                    else None
                ),
            )
            opened.append(found)
            return found

        yield open_window
    assert [problem for each in opened for problem in each.problems] == []


@pytest_asyncio.fixture(loop_scope="module")
async def app(tmp_path: Path) -> AsyncIterator[Open]:
    """A table where one match is enough for the leaderboard."""
    play = PlaySettings(commands_per_second=100, leaderboard_minimum=1)
    async with open_table(tmp_path / "azumaya.db", play=play) as opened:
        yield opened


async def set_in(context: BrowserContext, percent: int) -> None:
    """Let pages be set in letters of another width, whatever fonts this machine has."""
    font = font_file("regular").read_bytes()

    async def style(route: Route) -> None:
        ours = await route.fetch()
        await route.fulfill(response=ours, body=await ours.text() + FAMILY.format(percent=percent))

    await context.route("**/static/page.css", style)
    await context.route(
        "**/static/any.ttf", lambda route: route.fulfill(body=font, content_type="font/ttf")
    )


async def challenged(url: str, anna: Window, ben: Window) -> None:
    """Anna and Ben come in; she challenges him to Othello with Black, and he accepts."""
    await anna.come_in(url, "Anna")
    await ben.come_in(url, "Ben")
    await anna.say("/othello @Ben black")
    await ben.log.get_by_role("button", name="Accept").click()
    await expect(anna.board).to_have_class(re.compile("turn"))
    await expect(ben.board.locator("img")).to_be_visible()


# --- the two stories ------------------------------------------------------------------------


async def test_two_people_play_othello_to_the_end_and_see_who_is_best(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await challenged(app.web.url, anna, ben)
    for number, move in enumerate(SHORTEST):
        mover, other = (anna, ben) if number % 2 == 0 else (ben, anna)
        await expect(mover.board).to_have_class(re.compile(r"\bturn\b"))
        await expect(mover.page).to_have_title("(1) Azumaya")
        await expect(other.page).to_have_title("Azumaya")
        if number % 3 == 1:
            await mover.say(f"/othello {move}")
        else:
            await mover.click(move)
        await expect(mover.board).not_to_have_class(re.compile(r"\bturn\b"))
    for each in (anna, ben):
        await expect(each.board).to_have_class(re.compile(r"\bover\b"))
        await expect(each.board).to_contain_text("Anna")
        await expect(each.page).to_have_title("Azumaya")
        await expect(each.boards).to_have_count(1)
    await ben.say("/leaderboard")
    await expect(anna.log.get_by_text("1. Anna: 100 %").first).to_be_visible()
    # What is over can be put away, and stepped through; the list of moves comes along.
    await anna.page.set_viewport_size(PHONE)
    cross = await anna.stage.locator(".staged > .icon svg").bounding_box()
    plates = await anna.board.locator(".sides").bounding_box()
    assert cross
    assert plates
    assert cross["y"] + cross["height"] <= plates["y"]
    await anna.board.get_by_role("button", name="Moves").click()
    record, at = anna.board.locator(".record"), anna.board.locator(".step-at")
    await record.scroll_into_view_if_needed()
    await expect(record.get_by_role("button", name="c5")).to_be_in_viewport(ratio=0.9)
    await expect(at).to_be_in_viewport()
    await expect(at).to_have_text("Move 9 of 9: c5")
    await anna.page.keyboard.press("Home")
    await anna.page.keyboard.press("ArrowRight")
    await expect(record.get_by_role("button", name="e6")).to_be_in_viewport(ratio=0.9)
    # The thumb goes from end to end of its slider.
    await expect(anna.board.get_by_role("slider")).to_have_css("padding-left", "0px")


async def test_somebody_plays_black_box_alone_in_the_direct_room(
    app: Open, window: OpenWindow
) -> None:
    anna = await window()
    await anna.come_in(app.web.url, "Anna")
    await anna.enter("Azumaya")
    await expect(anna.log.get_by_text("Type / to see")).to_be_visible()
    await anna.say("/blackbox new")
    await expect(anna.board).to_have_class(re.compile(r"\bturn\b"))
    picture = anna.board.locator("img")
    before = await picture.get_attribute("src") or ""
    await anna.board.get_by_role("button", name="ask 1", exact=True).click()
    await expect(picture).not_to_have_attribute("src", before)
    before = await picture.get_attribute("src") or ""
    await anna.say("/blackbox mark c4")
    await expect(picture).not_to_have_attribute("src", before)
    await expect(anna.board).to_contain_text("Marks 1 of 5")
    await anna.say("/blackbox guess")
    await anna.log.get_by_role("button", name="Yes, play it").click()
    await expect(anna.board).to_have_class(re.compile(r"\bover\b"))
    await expect(anna.log.locator(".whisper")).to_have_count(0)
    await anna.say("/leaderboard blackbox")
    await expect(anna.log.get_by_text("1. Anna:").first).to_be_visible()


async def test_somebody_new_begins_without_typing_a_word(app: Open, window: OpenWindow) -> None:
    anna = await window(viewport=PHONE)
    await anna.come_in(app.web.url, "Anna")
    await anna.log.get_by_role("button", name="Play").click()
    await anna.sheet.get_by_role("button", name="Othello").click()
    await anna.sheet.get_by_role("button", name="Who plays with me?").click()
    await expect(anna.sheet).to_be_hidden()
    await expect(anna.log.get_by_role("button", name="Withdraw")).to_be_visible()
    await expect(anna.log.locator(".log-empty")).to_have_count(0)


async def test_whatever_was_said_a_press_begins_a_match_with_what_one_chooses(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await anna.come_in(app.web.url, "Anna")
    await ben.come_in(app.web.url, "Ben")
    await ben.say("Hello!")
    await expect(anna.log.get_by_text("Hello!")).to_be_visible()
    for size in (DESK, SIDEWAYS, PHONE):
        await anna.page.set_viewport_size(size)
        for name in ("Play", "Help"):
            await expect(anna.page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    await anna.page.get_by_role("button", name="Play").click()
    pictures = anna.sheet.locator(".game img")
    await expect(pictures).to_have_count(5)
    for picture in await pictures.all():
        await expect(picture).to_have_js_property("complete", value=True)
        assert await picture.evaluate("image => image.naturalWidth") == 192
    await anna.sheet.get_by_role("button", name="Othello").click()
    await anna.sheet.get_by_text("Reversi: free opening").click()
    await anna.sheet.get_by_text("White", exact=True).click()
    await anna.sheet.get_by_text("Ben", exact=True).click()
    # The rules begin at their beginning, and what was chosen is kept meanwhile.
    await anna.sheet.get_by_role("button", name="Rules").click()
    await expect(anna.sheet.get_by_text("Black begins.")).to_be_in_viewport()
    await anna.page.keyboard.press("Escape")
    await expect(anna.sheet.get_by_text("Black begins.")).to_be_hidden()
    assert await anna.focused() == "Rules"
    await anna.sheet.get_by_role("button", name="Challenge Ben").click()
    await expect(anna.sheet).to_be_hidden()
    challenge = ben.log.locator(".card", has_text="Anna challenges Ben to Othello.")
    await expect(challenge).to_contain_text("Reversi")
    await expect(challenge).to_contain_text("Anna would play White")


async def test_the_rules_lead_back_to_an_empty_room_and_its_play(
    app: Open, window: OpenWindow
) -> None:
    anna = await window()
    await anna.come_in(app.web.url, "Anna")
    await anna.say("/rules othello")
    whisper = anna.log.locator(".whisper")
    await expect(whisper).to_be_visible()
    await expect(anna.log.get_by_role("button", name="Play")).to_be_hidden()
    await whisper.get_by_role("button", name="Close").click()
    await expect(anna.log.get_by_role("button", name="Play")).to_be_visible()
    # Typed, it is the same card.
    await anna.say("/play blackbox")
    sides = anna.sheet.get_by_role("group", name="Your side")
    await expect(sides).to_be_hidden()
    await anna.sheet.get_by_text("Two: you hide for each other").click()
    await expect(sides).to_be_visible()
    await anna.sheet.get_by_text("Somebody else").click()
    await anna.sheet.get_by_label("Their name").fill("Nobody")
    await anna.sheet.get_by_role("button", name="Challenge Nobody").click()
    await expect(anna.sheet.get_by_role("alert")).to_contain_text("Nobody")
    await anna.sheet.get_by_text("One: the box is dealt").click()
    await anna.sheet.get_by_role("button", name="Start").click()
    await anna.has_turn()


# --- what waits -----------------------------------------------------------------------------


async def test_what_waits_is_listed_longest_first_and_led_to(app: Open, window: OpenWindow) -> None:
    anna, ben = await window(viewport=PHONE), await window()
    await anna.come_in(app.web.url, "Anna")
    await ben.come_in(app.web.url, "Ben")
    for game, room in (("othello", "#lounge"), ("sogo", "#garden")):
        await ben.enter(room)
        await ben.say(f"/{game} @Anna {'white' if game == 'othello' else 'black'}")
        await expect(
            ben.log.get_by_role("button", name=re.compile("Withdraw|Decline"))
        ).to_be_visible()
        # Challenges wait like turns do: in the title, and in the head.
        waits = anna.page.get_by_role("button", name="Next board that waits for you")
        await expect(waits).to_have_accessible_name(
            re.compile(r"\(1\)" if room == "#lounge" else r"\(2\)")
        )
        await expect(anna.page).to_have_title(f"({1 if room == '#lounge' else 2}) Azumaya")
        await waits.click()
        await anna.log.get_by_role("button", name="Accept").click()
        await expect(anna.board).to_have_class(re.compile(r"\bturn\b"))
    rooms = app.web._hub.rooms
    author = await people.by_handle(app.app.store, "web", "ben")
    assert author is not None
    for number in range(40):
        screen = {"text": f"Line {number}"}
        await rooms.say(rooms.channels["lounge"], author=author, screen=screen)
        await rooms.say(rooms.channels["garden"], author=author, screen=screen)
    await anna.page.reload()
    await expect(waits).to_have_accessible_name(re.compile(r"\(2\)"))
    await anna.page.get_by_role("button", name="Open the room list").click()
    listed = anna.page.get_by_role("region", name="My matches").get_by_role("button")
    await expect(listed).to_have_text(
        [
            re.compile("Othello · Ben.*Your turn.*#lounge"),
            re.compile("Sogo · Ben.*Your turn.*#garden"),
        ]
    )
    await listed.nth(1).click()
    # Wherever on the page it lies.
    board = anna.page.locator(".card", has_text="Sogo · ")
    othello = anna.page.locator(".card", has_text="Othello · ")
    # It lay further back than what was loaded: it has come.
    await expect(board).to_have_count(1)
    await expect(board.locator(".board")).to_be_in_viewport(ratio=0.9)
    await anna.page.keyboard.press("F2")
    await expect(anna.page.get_by_role("heading", level=1)).to_have_text("#lounge")
    # While it is brought to the end it may be there twice; then it has the focus.
    await expect(anna.page.locator(":focus")).to_have_attribute("aria-label", re.compile("^d3"))
    await expect(othello).to_have_count(1)
    await expect(othello.locator(".board")).to_be_in_viewport(ratio=0.9)
    await anna.page.keyboard.press("F2")
    await expect(board.locator(".board")).to_be_in_viewport(ratio=0.9)
    await anna.page.keyboard.press("/")
    await anna.say("/next")
    await expect(anna.page.get_by_role("heading", level=1)).to_have_text("#lounge")
    await anna.page.get_by_role("button", name="Open the room list").click()
    await anna.page.get_by_role("button", name="Go to the board that waits in #garden").click()
    await expect(board.locator(".board")).to_be_in_viewport(ratio=0.9)


async def test_a_name_at_the_side_leads_to_a_challenge_and_to_a_record(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(viewport=PHONE), await window()
    await ben.come_in(app.web.url, "Ben B.")
    await anna.come_in(app.web.url, "Anna")
    here = anna.page.get_by_role("region", name="Here now")
    await anna.page.get_by_role("button", name="Open the room list").click()
    await here.get_by_role("button", name="Anna").click()
    await expect(here.get_by_role("button", name="Challenge")).to_be_hidden()
    await here.get_by_role("button", name="Ben B.").click()
    await here.get_by_role("button", name="Statistics").click()
    await expect(anna.sheet.get_by_role("heading", name="Ben B.")).to_be_visible()
    await expect(anna.sheet).to_contain_text("No finished matches yet.")
    await anna.sheet.get_by_role("button", name="Close").click()
    await anna.page.get_by_role("button", name="Open the room list").click()
    await here.get_by_role("button", name="Challenge Ben B.").click()
    # Whoever challenges somebody does not play alone.
    await anna.sheet.get_by_role("button", name="Black Box").click()
    await anna.sheet.get_by_role("button", name="Challenge Ben B.").click()
    await expect(ben.log.get_by_text("Anna challenges Ben B. to Black Box.")).to_be_visible()


async def test_new_begins_where_one_stopped_reading_also_after_the_page_was_closed(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await anna.come_in(app.web.url, "Anna")
    await ben.come_in(app.web.url, "Ben")
    await ben.say("Seen.")
    await expect(anna.log.get_by_text("Seen.")).to_be_visible()
    await anna.page.goto("about:blank")
    for text in ("Missed.", "Missed as well."):
        await ben.say(text)
    await ben.enter("#garden")
    await ben.say("Elsewhere.")
    await expect(ben.log.get_by_text("Elsewhere.")).to_be_visible()
    await anna.page.goto(app.web.url)
    await expect(anna.log.get_by_role("separator")).to_have_text("New")
    after = anna.log.get_by_role("separator").locator("xpath=following-sibling::*")
    await expect(after).to_have_count(2)
    await expect(after.first).to_contain_text("Missed.")
    garden = anna.page.get_by_role("navigation").get_by_role("link", name="#garden")
    await expect(garden).to_have_accessible_name(re.compile("unread: 1"))
    await anna.page.goto("about:blank")
    await anna.page.goto(app.web.url)
    await expect(anna.log.get_by_text("Missed as well.")).to_be_visible()
    await expect(anna.log.get_by_role("separator")).to_have_count(0)


# What a browser would show and sound, noted instead.
NOTED = """
window.told = []; window.tones = 0;
const note = () => {
  document.documentElement.dataset.noted = `${window.told.length} ${window.tones}`;
};
window.Notification = class {
  static requestPermission() { return Promise.resolve(window.answer); }
  constructor(title, { body }) {
    window.told.push(`${title}: ${body}`);
    window.last = this;
    note();
  }
  close() {}
};
const Tone = window.OscillatorNode;
window.OscillatorNode = class extends Tone {
  constructor(...given) { super(...given); window.tones += 1; note(); }
};
document.hasFocus = () => !window.away;
"""


async def test_one_is_told_by_notification_and_sound_once_one_has_chosen_that(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await anna.page.add_init_script(NOTED)
    await challenged(app.web.url, anna, ben)
    told, page = anna.page.locator("#alerts"), anna.page.locator("html")
    await anna.click("d3")
    await ben.has_turn()
    await ben.click("c3")
    await anna.has_turn()
    assert await anna.page.evaluate("[window.told.length, window.tones]") == [0, 0]
    await anna.page.get_by_role("button", name="When something waits for you").click()
    await anna.page.evaluate("window.answer = 'denied'")
    await told.get_by_label("Notifications").click()
    await expect(told.get_by_role("alert")).to_contain_text("does not allow")
    await expect(told.get_by_label("Notifications")).not_to_be_checked()
    await anna.page.evaluate("window.answer = 'granted'")
    await told.get_by_label("Notifications").check()
    await told.get_by_label("A quiet sound").check()
    # Both show at once what they are like.
    await expect(page).to_have_attribute("data-noted", "1 2")
    await told.get_by_role("button", name="Close").click()
    await anna.click("c4")
    await ben.has_turn()
    await anna.page.evaluate("window.away = true")
    await ben.click("e3")
    await expect(page).to_have_attribute("data-noted", "2 4")
    last = await anna.page.evaluate("window.told.at(-1)")
    assert last == "Othello · Ben: It is your turn in #lounge"
    await anna.enter("#garden")
    await anna.page.evaluate("window.last.onclick()")
    await expect(anna.page.get_by_role("heading", level=1)).to_have_text("#lounge")
    # It is this browser that remembers; and whoever looks needs no notification.
    await anna.page.reload()
    await anna.page.get_by_role("button", name="When something waits for you").click()
    await expect(told.get_by_label("A quiet sound")).to_be_checked()
    await told.get_by_role("button", name="Close").click()
    await ben.say("/sogo @Anna")
    await expect(anna.page).to_have_title("(2) Azumaya")
    await expect(page).to_have_attribute("data-noted", "0 2")


# --- arriving -------------------------------------------------------------------------------


async def test_a_taken_name_is_told_beside_the_field_and_the_other_taken_with_a_click(
    app: Open, window: OpenWindow
) -> None:
    anna, other = await window(), await window(locale="de-DE")
    await anna.come_in(app.web.url, "Anna")
    await other.page.goto(app.web.url)
    await expect(other.page.get_by_label("Wie heißt du hier?")).to_be_focused()
    await other.page.locator("#name").fill("anna")
    await other.page.keyboard.press("Enter")
    await expect(other.page.get_by_role("alert")).to_have_text(re.compile("vergeben"))
    await expect(other.page.locator("#name")).to_have_attribute("aria-invalid", "true")
    await other.page.get_by_role("button", name="anna 2").click()
    await expect(other.page.locator("#self-name")).to_have_text("anna 2")
    await expect(other.line).to_have_attribute("placeholder", re.compile("Befehle"))
    heading = other.page.locator("#rooms h2").first
    await expect(heading).to_have_text("Kanäle")
    await other.say("/sprache English")
    await expect(heading).to_have_text("Channels")
    await other.page.reload()
    await expect(other.page.locator("#self-name")).to_have_text("anna 2")


async def test_whoever_leaves_stands_at_the_door_again(app: Open, window: OpenWindow) -> None:
    anna = await window()
    await anna.come_in(app.web.url, "Anna")
    await anna.page.get_by_role("button", name="Leave").click()
    await anna.page.get_by_role("dialog").get_by_role("button", name="Stay").click()
    await expect(anna.line).to_be_visible()
    await anna.page.get_by_role("button", name="Leave").click()
    await anna.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    await expect(anna.page.locator("#name")).to_be_visible()


# --- the keyboard, and listening ------------------------------------------------------------


async def test_somebody_takes_their_data_home_and_is_erased(app: Open, window: OpenWindow) -> None:
    anna = await window()
    await anna.come_in(app.url, "Anna")
    await anna.say("/privacy")
    await anna.log.get_by_role("button", name="My data as a file").click()
    async with anna.page.expect_download() as download:
        await anna.log.get_by_role("link", name="azumaya-data.json").click()
    file = await download.value
    assert file.suggested_filename == "azumaya-data.json"
    assert json.loads((await file.path()).read_text("utf-8"))["user"]["name"] == "Anna"
    await anna.say("/privacy")
    await anna.log.get_by_role("button", name="Erase me").click()
    await anna.log.get_by_role("button", name="Yes, erase Anna").click()
    await expect(anna.page.locator("#name")).to_be_visible()
    last_word = anna.page.get_by_role("status").filter(has_text="You are erased.")
    await expect(last_word).to_be_visible()
    # It is said once.
    await anna.page.reload()
    await expect(anna.page.locator("#name")).to_be_visible()
    await expect(last_word).to_be_hidden()


async def link_of(window: Window) -> str:
    """The address that somebody makes for another browser of theirs."""
    await window.say("/settings")
    for name in (re.compile("Browsers?:"), "Let another browser in"):
        await window.log.locator(".whisper").get_by_role("button", name=name).click()
    address = await window.log.locator(".card-link").text_content()
    assert address is not None
    return address


async def test_a_link_brings_a_second_browser_in_after_a_question(
    app: Open, window: OpenWindow
) -> None:
    anna, phone = await window(), await window(viewport=PHONE, locale="de-DE")
    await anna.come_in(app.web.url, "Anna")
    address = await link_of(anna)
    assert address.startswith(app.web.url + "#me=")
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    await phone.page.goto(address)
    question = phone.page.get_by_role("dialog")
    await expect(question).to_contain_text("In diesem Browser bist du dann Anna")
    # The code is in no address any more, and was in none that a server gets to see.
    assert phone.page.url == app.web.url
    code = address.partition("=")[2]
    assert not [url for url in asked if code in url.partition("#")[0]]
    await expect(question.get_by_role("button", name="Nein, es bleibt, wie es ist")).to_be_focused()
    await question.get_by_role("button", name="Ja, ich bin Anna").click()
    await expect(phone.line).to_be_visible()
    await phone.say("Hello from the phone")
    await expect(anna.log.locator(".mine").get_by_text("Hello from the phone")).to_be_visible()


async def test_saying_no_leaves_everything_as_it_is(app: Open, window: OpenWindow) -> None:
    anna, ben = await window(), await window()
    await anna.come_in(app.web.url, "Anna")
    await ben.come_in(app.web.url, "Ben")
    address = await link_of(anna)
    # A link in a page that is open already asks as well.
    await ben.page.goto(address)
    question = ben.page.get_by_role("dialog")
    await expect(question).to_contain_text("The matches of Ben, who you are here now")
    await question.get_by_role("button", name="No, stay as it is").click()
    await expect(question).to_be_hidden()
    await ben.say("Still Ben")
    await expect(anna.log.get_by_text("Still Ben")).to_be_visible()
    await expect(ben.page.locator("#self-name")).to_have_text("Ben")
    assert ben.page.url == app.web.url


async def test_a_typed_code_brings_all_tabs_of_a_browser_over(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await anna.come_in(app.web.url, "Anna")
    await ben.come_in(app.web.url, "Ben")
    other = await ben.page.context.new_page()
    await other.goto(app.web.url)
    await expect(other.locator("#self-name")).to_have_text("Ben")
    code = (await link_of(anna)).partition("=")[2]
    await ben.say(f"/settings {code}")
    await ben.log.get_by_role("link", name="Go on").click()
    await ben.page.get_by_role("button", name="Yes, I am Anna").click()
    for page in (ben.page, other):
        await expect(page.locator("#self-name")).to_have_text("Anna")


async def test_a_code_can_be_typed_at_the_door_and_a_wrong_one_is_told(
    app: Open, window: OpenWindow
) -> None:
    anna, tablet = await window(), await window()
    await anna.come_in(app.web.url, "Anna")
    code = (await link_of(anna)).partition("=")[2]
    await tablet.page.goto(app.web.url)
    await tablet.page.get_by_role("button", name="I have a code").click()
    field = tablet.page.get_by_label("The code that you made there")
    await field.fill("k7mf-2qtx-9wpa")
    await field.press("Enter")
    await expect(tablet.page.get_by_role("dialog").get_by_role("alert")).to_contain_text("not work")
    await field.fill(code)
    await field.press("Enter")
    await tablet.page.get_by_role("button", name="Yes, I am Anna").click()
    await expect(tablet.page.locator("#self-name")).to_have_text("Anna")


async def test_a_page_that_makes_room_says_so_and_goes_on_when_it_is_asked(
    tmp_path: Path, window: OpenWindow
) -> None:
    """A house for eight pages, which somebody fills with theirs."""
    async with open_table(tmp_path / "small.db", connections=16) as app:
        anna = await window()
        await anna.come_in(app.web.url, "Anna")
        context = anna.page.context
        cookies = [f"{one['name']}={one['value']}" for one in await context.cookies()]
        async with Browser(app.url, Cookie="; ".join(cookies)) as elsewhere:
            hers = [await elsewhere.tab() for _ in range(7)]
            # All of the page finds a seat, however full the house is of those who stay.
            newest = await context.new_page()
            await newest.goto(app.web.url)
            await expect(newest.locator("#self-name")).to_have_text("Anna")
            banner = anna.page.get_by_role("status")
            await expect(banner).to_contain_text("this one rests")
            await banner.get_by_role("button", name="Go on here").click()
            await expect(banner).to_be_hidden()
            await anna.say("Here I am again")
            await expect(anna.log.get_by_text("Here I am again")).to_be_visible()
            assert await hers[0].closed() == page_socket.MAKES_ROOM


async def test_a_line_that_is_refused_stays_to_be_sent_later(
    tmp_path: Path, window: OpenWindow
) -> None:
    async with open_table(tmp_path / "quiet.db", lines_per_hour=1) as app:
        anna = await window()
        await anna.come_in(app.web.url, "Anna")
        await anna.say("One")
        await anna.say("Two")
        await expect(anna.refusal).to_contain_text("in an hour")
        await expect(anna.line).to_have_value("Two")


async def test_everything_can_be_done_with_the_keyboard_alone(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await challenged(app.web.url, anna, ben)
    keyboard = anna.page.keyboard
    await anna.page.reload()
    await anna.has_turn()
    # The board on turn is the first stop of the page, the whole of it one, and a key leads there.
    await keyboard.press("Tab")
    assert (await anna.focused()).startswith("d3")
    # So are its buttons.
    await keyboard.press("Tab")
    await expect(anna.board.get_by_role("button", name="Moves")).to_be_focused()
    await keyboard.press("ArrowRight")
    await expect(anna.board.get_by_role("button", name="Rules")).to_be_focused()
    await keyboard.press("Tab")
    assert not await anna.stage.evaluate("stage => stage.contains(document.activeElement)")
    await keyboard.press("Alt+b")
    assert (await anna.focused()).startswith("d3")
    await keyboard.press("ArrowDown")
    assert await anna.focused() == "d4, white"
    await keyboard.press("ArrowLeft")
    assert (await anna.focused()).startswith("c4")
    await keyboard.press("End")
    assert (await anna.focused()).startswith("e6")
    await keyboard.press("Enter")
    await expect(ben.board).to_have_class(re.compile(r"\bturn\b"))
    await expect(anna.board).not_to_have_class(re.compile(r"\bturn\b"))
    assert await anna.focused() == "e6, black"
    # "/" begins a command from anywhere, Tab takes what is offered.
    await keyboard.press("/")
    await expect(anna.line).to_be_focused()
    await keyboard.type("oth")
    await expect(anna.page.get_by_role("option")).to_have_count(1)
    await keyboard.press("Tab")
    await expect(anna.line).to_have_value("/othello ")
    await anna.line.fill("/mov")
    await expect(anna.page.get_by_role("option", name="/moves")).to_be_visible()
    await keyboard.press("ArrowDown")
    await expect(anna.line).to_have_attribute("aria-activedescendant", "offer-0")
    await keyboard.press("Enter")
    await keyboard.press("Enter")
    await expect(anna.log.locator(".whisper")).to_contain_text("e6")
    await keyboard.press("ArrowUp")
    await expect(anna.line).to_have_value("/moves")


async def test_a_screen_reader_hears_what_is_new_and_nothing_twice(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await challenged(app.web.url, anna, ben)
    news = anna.page.locator("#news")
    await ben.say("Good luck!")
    await expect(news).to_contain_text("Ben: Good luck!")
    await anna.click("d3")
    await ben.click("c3")
    heard = news.locator("p", has_text="c3").last
    await expect(heard).to_contain_text("Your turn")
    assert "Othello · Anna" not in (await heard.text_content() or "")
    await expect(anna.board.locator("img")).to_have_attribute("alt", re.compile("c3"))


async def test_a_refused_press_is_told_where_it_was_pressed(app: Open, window: OpenWindow) -> None:
    anna, ben = await window(), await window()
    await challenged(app.web.url, anna, ben)
    await ben.board.locator('.cell[aria-label^="d3"]').click()
    await expect(ben.board.locator(".card-note")).to_have_text("It is not your turn.")
    await anna.click("d3")
    await expect(ben.board.locator(".card-note")).to_have_count(0)


async def test_giving_up_is_asked_once_more_beside_the_board(app: Open, window: OpenWindow) -> None:
    anna, ben = await window(), await window()
    await challenged(app.web.url, anna, ben)
    await ben.board.get_by_role("button", name="Resign").click()
    question = ben.board.locator(".whisper")
    await expect(question).to_contain_text("Only you see this")
    await question.get_by_role("button", name="Close").click()
    await expect(question).to_have_count(0)
    await ben.board.get_by_role("button", name="Resign").click()
    await question.get_by_role("button", name="Yes, give up").click()
    for each in (anna, ben):
        await expect(each.board).to_have_class(re.compile(r"\bover\b"))
    await expect(question).to_have_count(0)


async def test_a_double_click_moves_once_and_presses_nothing_that_comes_under_it(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await challenged(app.web.url, anna, ben)
    await anna.board.locator('.cell.legal[aria-label^="d3"]').dblclick()
    await expect(ben.board).to_have_class(re.compile(r"\bturn\b"))
    await expect(anna.board.locator(".card-note")).to_have_count(0)
    await ben.board.get_by_role("button", name="Resign").dblclick()
    await expect(ben.board.locator(".whisper")).to_have_count(1)
    await expect(ben.board).not_to_have_class(re.compile(r"\bover\b"))


async def test_a_half_made_move_is_seen_by_its_maker_and_taken_back_with_escape(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await anna.come_in(app.web.url, "Anna")
    await ben.come_in(app.web.url, "Ben")
    await anna.say("/moyo @Ben")
    await ben.log.get_by_role("button", name="Accept").click()
    for each in (anna, ben):
        await expect(each.board.locator("img")).to_be_visible()
    turns = [each for each in (anna, ben) if await each.page.title() == "(1) Azumaya"]
    (mover,) = turns
    other = ben if mover is anna else anna
    shown = mover.board.locator("img")
    before = await shown.get_attribute("src")
    await mover.board.locator(".cell.legal").first.click()
    await expect(mover.board).to_contain_text("Only you see this")
    await expect(shown).to_have_attribute("src", re.compile("^data:image/png"))
    await expect(other.board).not_to_contain_text("choose a digit")
    await mover.page.keyboard.press("Escape")
    await expect(shown).to_have_attribute("src", before or "")
    await mover.board.locator(".cell.legal").first.click()
    await expect(mover.board).to_contain_text("Your turn. Now choose a digit")
    await expect(mover.board.locator(".chip")).to_have_text("Your turn · Only you see this")
    await mover.board.locator(".cell.legal").last.click()
    await expect(other.page).to_have_title("(1) Azumaya")


# --- nothing jumps --------------------------------------------------------------------------


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


async def sit_down(url: str, game: str, **people: Window) -> None:
    """Two people come in; the first challenges the other, who accepts."""
    (first, anna), (second, ben) = people.items()
    await anna.come_in(url, first)
    await ben.come_in(url, second)
    await anna.say(f"/{game} @{second} white")
    await ben.log.locator(".card-buttons button").first.click()


@pytest.mark.parametrize(("anna_speaks", "ben_speaks"), [("en-GB", "de-DE"), ("de-DE", "en-GB")])
@pytest.mark.parametrize("family", FAMILIES)
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


@pytest.mark.parametrize("family", FAMILIES)
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
        await expect(each.page.get_by_role("status")).to_contain_text("No connection")
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
    await ben.board.locator('.cell[aria-label^="a1"]').click()
    await ben.board.locator(".card-note").get_by_role("button", name="Close").click()
    await expect(ben.board.locator(".card-note")).to_have_count(0)
    await expect(ben.refusal).to_be_in_viewport(ratio=1)
    await anna.say("/sogo @Ben")
    # The way to what waits leads behind the board as well, and the new board comes before it.
    await ben.page.get_by_role("button", name="Next board that waits for you").click()
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


# --- addresses ------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["#%", "#%E0%A4%A", "#nothing", "#__proto__", "#constructor"])
async def test_an_address_that_leads_nowhere_opens_the_first_room(
    app: Open, window: OpenWindow, address: str
) -> None:
    anna = await window()
    await anna.come_in(f"{app.web.url}{address}", "Anna")
    heading = anna.page.get_by_role("heading", level=1)
    await expect(heading).to_have_text("#lounge")
    await anna.say("Here I am.")
    await expect(anna.log.get_by_text("Here I am.")).to_be_visible()
    # The same address beside an open page changes nothing; the way on is still open.
    await anna.enter("#garden")
    await expect(heading).to_have_text("#garden")
    await anna.page.evaluate("address => { location.hash = address }", address)
    await anna.page.reload()
    await expect(heading).to_have_text("#lounge")


# --- the board stays in sight ---------------------------------------------------------------


async def test_on_a_phone_the_board_stays_however_much_is_said_and_the_talk_is_one_tap_away(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(viewport=PHONE), await window()
    await challenged(app.web.url, anna, ben)
    await anna.watch_the_board()
    for number in range(6):
        await ben.say(f"Line {number}")
    talk = anna.page.locator("#views").get_by_role("button", name="Talk")
    await expect(talk).to_contain_text("6 Ben: Line 5", use_inner_text=True)
    await expect(anna.board.locator(".board")).to_be_in_viewport(ratio=1)
    await anna.refused("a1")
    # A refusal covers nothing that is pressed.
    await anna.board.get_by_role("button", name="Resign").click(trial=True)
    await anna.click("d3")
    await ben.click("c3")
    await anna.has_turn()
    assert len(await anna.places()) == 1
    await talk.click()
    await expect(anna.log.get_by_text("Line 0")).to_be_in_viewport()
    await expect(anna.log.get_by_role("separator")).to_be_in_viewport()
    await expect(anna.stage).to_be_hidden()
    await anna.say("/othello z9")
    await expect(anna.refusal).to_be_in_viewport(ratio=1)
    await anna.view("Your turn")
    await expect(anna.refusal).to_be_in_viewport(ratio=1)
    await anna.board.get_by_role("button", name="Resign").click(trial=True)
    await expect(anna.board.locator(".board")).to_be_in_viewport(ratio=1)
    # An answer to what was typed is read where the talk is; a key leads back.
    await anna.say("/help othello")
    await expect(anna.log.locator(".whisper")).to_be_in_viewport()
    await anna.page.keyboard.press("Alt+b")
    await expect(anna.board.locator(".board")).to_be_in_viewport(ratio=1)
    assert (await anna.focused()).startswith("b3")


@pytest.mark.parametrize("viewport", [SIDEWAYS, DESK], ids=["phone held sideways", "desk"])
async def test_where_there_is_width_the_board_lies_beside_the_talk(
    app: Open, window: OpenWindow, viewport: dict[str, int]
) -> None:
    anna, ben = await window(viewport=viewport), await window()
    await challenged(app.web.url, anna, ben)
    await anna.watch_the_board()
    for number in range(6):
        await ben.say(f"Line {number}")
    board = anna.board.locator(".board")
    for part in (board, anna.log.get_by_text("Line 5"), anna.line):
        await expect(part).to_be_in_viewport(ratio=1)
    field, talk = await board.bounding_box(), await anna.log.bounding_box()
    assert field
    assert talk
    assert field["x"] + field["width"] <= talk["x"]
    # It is as large as the height allows.
    assert field["height"] > viewport["height"] * 0.65
    await anna.refused("a1")
    await anna.click("d3")
    await ben.click("c3")
    await anna.has_turn()
    assert len(await anna.places()) == 1
    # In another room there is none, and back here it stands where it stood.
    await anna.page.evaluate("location.hash = '#garden'")
    await expect(anna.stage).to_be_hidden()
    await anna.page.evaluate("location.hash = '#lounge'")
    await expect(board).to_be_in_viewport(ratio=1)
    assert len(set(await anna.places()) - {"0 0 0 0"}) == 1
    # Whoever has given up puts the board away when they like.
    await anna.board.get_by_role("button", name="Resign").click()
    await anna.board.get_by_role("button", name="Yes, give up").click()
    await expect(anna.board).to_have_class(re.compile(r"\bover\b"))
    await anna.stage.get_by_role("button", name="Close").click()
    await expect(anna.stage).to_be_hidden()
    await expect(anna.log.locator(".board")).to_have_count(1)


async def test_rules_lie_over_the_board_and_moves_are_stepped_through_without_a_jump(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(viewport=PHONE), await window()
    await challenged(app.web.url, anna, ben)
    for mover, move in ((anna, "d3"), (ben, "c3"), (anna, "c4")):
        await mover.has_turn()
        await mover.click(move)
        await mover.has_turn(now=False)
    await ben.has_turn()
    await anna.watch_the_board()
    rules = anna.board.get_by_role("button", name="Rules")
    await rules.click()
    sheet = anna.board.get_by_role("dialog")
    await expect(sheet).to_contain_text("Black begins.")
    card, paper = await anna.board.bounding_box(), await sheet.bounding_box()
    assert card
    assert paper
    assert paper["width"] > 0.9 * card["width"]
    assert card["y"] <= paper["y"]
    assert paper["y"] + paper["height"] <= card["y"] + card["height"]
    await anna.page.keyboard.press("Escape")
    await expect(sheet).to_have_count(0)
    await expect(rules).to_be_focused()
    # Move by move: keys, the slider, the table; then back to the board as it is.
    picture = anna.board.locator("img")
    before = await picture.get_attribute("alt") or ""
    await anna.board.get_by_role("button", name="Moves").click()
    steps = anna.board.get_by_role("slider", name="Move by move")
    await expect(steps).to_be_focused()
    await expect(anna.board.locator(".record tbody td")).to_have_text(["d3", "c3", "c4"])
    await anna.page.keyboard.press("ArrowLeft")
    await expect(picture).to_have_attribute("alt", re.compile("White played c3"))
    await anna.board.get_by_role("button", name="d3", exact=True).click()
    await expect(picture).to_have_attribute("alt", re.compile("Black played d3"))
    await anna.page.keyboard.press("Home")
    await expect(steps).to_have_attribute("aria-valuetext", "Move 0 of 3")
    await expect(anna.board.locator(".cell")).to_have_count(0)
    # Who steps through the past is told that the match goes on, and finds it when they close.
    await ben.click("c5")
    await expect(anna.page.get_by_role("button", name="Your turn", exact=True)).to_be_visible()
    await anna.page.keyboard.press("Escape")
    await expect(picture).to_have_attribute("alt", re.compile("White played c5"))
    assert before != await picture.get_attribute("alt")
    assert len(await anna.places()) == 1


async def test_the_old_picture_is_dimmed_until_the_new_one_is_there(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await challenged(app.web.url, anna, ben)
    arrives = asyncio.Event()

    async def hold(route: Route) -> None:
        await arrives.wait()
        await route.continue_()

    await ben.page.route("**/picture/**", hold)
    await anna.click("d3")
    dimmed = expect(ben.board.locator(".board"))
    await dimmed.to_have_class("board old")
    arrives.set()
    await dimmed.to_have_class("board")
    await ben.has_turn()


async def test_the_way_to_what_is_newest_covers_nothing(app: Open, window: OpenWindow) -> None:
    anna = await window(viewport=PHONE)
    await anna.come_in(app.web.url, "Anna")
    await anna.say("/blackbox new")
    await anna.has_turn()
    await anna.board.get_by_role("button", name="Guess").click()
    # So does what is asked: it has come up to where it can be pressed.
    sure = anna.board.get_by_role("button", name="Yes, play it")
    await expect(sure).to_be_in_viewport(ratio=1)
    await anna.page.keyboard.press("Escape")
    await anna.view("Talk")
    for number in range(30):
        await anna.say(f"Line {number}")
    await expect(anna.log.get_by_text("Line 29")).to_be_visible()
    await anna.log.evaluate("log => { log.scrollTop -= 300 }")
    pill = anna.page.locator("#jump")
    await expect(pill).to_be_visible()
    log, button = await anna.log.bounding_box(), await pill.bounding_box()
    line = await anna.page.locator("#composer").bounding_box()
    assert log
    assert button
    assert line
    assert log["y"] + log["height"] <= button["y"]
    assert button["y"] + button["height"] <= line["y"]
    # It belongs to the talk.
    await anna.view("Your turn")
    await expect(pill).to_be_hidden()
    await anna.view("Talk")
    await pill.click()
    await expect(anna.log.get_by_text("Line 29")).to_be_in_viewport(ratio=1)
    await expect(pill).to_be_hidden()


async def test_a_board_that_is_watched_does_not_push_the_newest_line_out_of_sight(
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
        newest = cleo.log.get_by_text("Well …")
        await expect(newest).to_be_in_viewport(ratio=1)
        for move, told in (("ask 1", "ask 1"), ("mark c4", "mark c4"), ("mark c5", "mark c5")):
            await first.say(f"/blackbox {move}")
            await expect(cleo.log.get_by_text(f"Last move: {told}")).to_be_visible()
            await expect(newest).to_be_in_viewport(ratio=1)
    # There is room for their names, also on a phone.
    await cleo.page.set_viewport_size(PHONE)
    for plate in await cleo.log.locator(".sides .name").all():
        assert await plate.evaluate("name => name.scrollWidth <= name.clientWidth")


async def test_a_finished_match_is_found_again_and_opens(app: Open, window: OpenWindow) -> None:
    anna, ben = await window(), await window()
    await challenged(app.web.url, anna, ben)
    await expect(anna.board.locator(".card-number")).to_have_text("#1")
    await anna.click("d3")
    await ben.has_turn()
    await ben.board.get_by_role("button", name="Resign").click()
    await ben.board.get_by_role("button", name="Yes, give up").click()
    await expect(anna.board).to_have_class(re.compile(r"\bover\b"))
    await anna.say("/matches")
    await anna.log.get_by_role("button", name="Finished: 1").click()
    await anna.log.get_by_role("button", name="#1", exact=True).click()
    opened = anna.log.locator(".whisper")
    await expect(opened.locator(".card-number")).to_have_text("#1")
    await opened.get_by_role("button", name="To the beginning").click()
    await expect(opened.locator("img")).to_have_attribute("alt", re.compile("Black to move"))
    await opened.get_by_role("button", name="Close").click()
    await expect(opened).to_have_count(0)


# --- a phone --------------------------------------------------------------------------------


async def test_a_phone_of_360_pixels_is_enough(app: Open, window: OpenWindow) -> None:
    anna = await window(viewport=PHONE, has_touch=True, is_mobile=True)
    ben = await window(viewport=PHONE, has_touch=True, is_mobile=True, locale="de-DE")
    await anna.come_in(app.web.url, "Anna")
    await ben.page.goto(app.web.url)
    assert await ben.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    await ben.come_in(app.web.url, "Benedikt-Maximilian von Ypsilon")
    await anna.say("/othello @Benedikt-Maximilian von Ypsilon first")
    await ben.log.get_by_role("button", name="Annehmen").tap()
    await expect(anna.board.locator("img")).to_be_visible()
    for each in (anna, ben):
        assert await each.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        for part in ("#stage", ".log:not([hidden])"):
            wider = "part => part.scrollWidth - part.clientWidth"
            assert await each.page.locator(part).evaluate(wider) == 0
        box = await each.board.locator(".board").bounding_box()
        assert box
        assert box["width"] > 300
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        await expect(each.line).to_be_in_viewport()
    # The highest board fits, too, and is not too small for fingers.
    await anna.say("/moyo @Benedikt-Maximilian von Ypsilon first")
    await ben.view("Gespräch")
    await ben.log.get_by_role("button", name="Annehmen").tap()
    await expect(ben.board).to_contain_text("Moyo")
    for part in (".board", ".card-buttons .danger"):
        await expect(ben.board.locator(part)).to_be_in_viewport(ratio=1)
    cell = await ben.board.locator(".cell").first.bounding_box()
    assert cell
    assert cell["width"] >= 33
    # Of keys nothing is said where there are none.
    await anna.page.get_by_role("button", name="Help").tap()
    await expect(anna.sheet).to_contain_text("/othello")
    await expect(anna.sheet.locator(".keys")).to_be_hidden()
    await anna.page.keyboard.press("Escape")
    await expect(anna.page.get_by_role("navigation")).to_be_hidden()
    await anna.page.get_by_role("button", name="Open the room list").tap()
    await anna.enter("#garden")
    await expect(anna.page.get_by_role("heading", level=1)).to_have_text("#garden")
    await expect(anna.page.get_by_role("navigation")).to_be_hidden()


async def test_a_dense_screen_gets_a_picture_that_is_as_dense(
    app: Open, window: OpenWindow
) -> None:
    wide = {}
    for density in (1, 2, 3):
        phone = await window(
            viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=density
        )
        await phone.come_in(app.web.url, f"Anna {density}")
        await phone.say("/blackbox new")
        picture = phone.board.locator("img")
        await expect(picture).to_be_visible()
        await expect(phone.board.locator(".card-buttons .danger")).to_be_in_viewport(ratio=1)
        wide[density] = await picture.evaluate(
            "async (image) => { await image.decode(); return image.naturalWidth; }"
        )
        box = await picture.bounding_box()
        assert box
        assert wide[density] >= box["width"] * density
    assert wide == {1: 800, 2: 800, 3: 1200}


async def test_a_tap_on_a_level_of_sogo_means_its_rod(app: Open, window: OpenWindow) -> None:
    anna, ben = await window(), await window()
    await anna.come_in(app.web.url, "Anna")
    await ben.come_in(app.web.url, "Ben")
    await anna.say("/sogo @Ben white")
    await ben.log.get_by_role("button", name="Accept").click()
    await anna.has_turn()
    rod = anna.board.locator('.cell[aria-label^="b3"]')
    await expect(rod).to_have_count(1)
    field = await anna.board.locator(".board").bounding_box()
    assert field
    layout = sogo._layout(800, 4)
    left, top, right, bottom = layout.level(2, flipped=False).box(1, 1)
    share = field["width"] / layout.size[0]
    at = field["x"] + (left + right) / 2 * share, field["y"] + (top + bottom) / 2 * share
    await anna.page.mouse.click(*at)
    await ben.has_turn()
    await expect(anna.board).to_contain_text("Last move: b3")
    # The focus is where keys and screen readers know that rod to be.
    assert (await anna.focused()).startswith("b3")


# --- being away -----------------------------------------------------------------------------


async def test_the_page_comes_back_by_itself_and_shows_what_was_missed(
    tmp_path: Path, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    database = tmp_path / "azumaya.db"
    async with open_table(database) as table:
        port, url = table.web.port, table.web.url
        await challenged(url, anna, ben)
        await ben.say("Before.")
        await expect(anna.log.get_by_text("Before.")).to_be_visible()
    for each in (anna, ben):
        await expect(each.page.get_by_role("status")).to_contain_text("No connection")
    await anna.click("d3")
    await ben.say("Are you there?")
    await expect(ben.page.get_by_text("Not sent", exact=True)).to_be_visible()
    async with open_table(database, port=port):
        # The press waited for the connection, the words wait for their author.
        await expect(ben.board).to_have_class(re.compile(r"\bturn\b"))
        for each in (anna, ben):
            await expect(each.page.get_by_role("status")).to_be_hidden()
        await expect(anna.log.get_by_text("Are you there?")).to_have_count(0)
        await ben.page.get_by_role("button", name="Send again").click()
        await expect(anna.log.get_by_text("Are you there?")).to_be_visible()
        await expect(anna.log.get_by_text("Before.")).to_have_count(1)
        await expect(ben.page.get_by_text("Not sent", exact=True)).to_have_count(0)


async def test_news_in_other_rooms_is_counted_and_marked_where_it_begins(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(), await window()
    await challenged(app.web.url, anna, ben)
    await anna.enter("#garden")
    await ben.say("Where are you?")
    link = anna.page.get_by_role("navigation").get_by_role("link", name="#lounge")
    await expect(link).to_have_accessible_name(re.compile("your turn: 1, unread: 1"))
    await anna.enter("#lounge")
    divider = anna.log.get_by_role("separator")
    await expect(divider).to_be_visible()
    await expect(link).to_have_accessible_name(re.compile(r"your turn: 1$"))
    await anna.say("Here!")
    await expect(divider).to_have_count(0)


# --- colours --------------------------------------------------------------------------------


async def test_evening_comes_with_the_system_or_with_a_click_and_stays(
    app: Open, window: OpenWindow
) -> None:
    anna, ben = await window(color_scheme="dark"), await window(color_scheme="light")
    await challenged(app.web.url, anna, ben)
    hers, his = anna.board.locator("img"), ben.board.locator("img")
    await expect(hers).to_have_attribute("src", re.compile("theme=dark"))
    await expect(his).to_have_attribute("src", re.compile("theme=light"))
    await ben.page.get_by_role("button", name="Switch between").click()
    await expect(his).to_have_attribute("src", re.compile("theme=dark"))
    # Where a field ends can be seen in the morning and in the evening.
    for each in (anna, ben):
        for edge, ground in (("#composer", "html"), ("#name", "#name")):
            assert await each.page.evaluate(CONTRAST, [edge, ground]) >= 3
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    assert await ben.page.evaluate(paper) == await anna.page.evaluate(paper)
    await ben.page.reload()
    await expect(his).to_have_attribute("src", re.compile("theme=dark"))
