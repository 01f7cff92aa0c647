"""Anna and Ben at the web table: their connections, as they are counted."""

from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

from bot.app import App
from bot.commands import Commands
from bot.fronts.web import Web
from bot.settings import Settings, WebSettings
from tests.bot.fronts.browsing import Browser, Tab
from tools.film.front import ANNA, BEN, NAMES, Front, Offer, Tally
from tools.film.house import PLAY

__all__ = ["WebFront"]

_LANGUAGES = {ANNA: "en", BEN: "de"}
_ROOM = "lounge"


class WebFront(Front):
    name = "web"

    def __init__(self, folder: Path, luck: Random) -> None:
        super().__init__(folder, luck)
        self.port = 0
        self.tabs: dict[int, Tab] = {}
        self._stack = AsyncExitStack()
        self._private: dict[int, list[tuple[str, dict[str, Any]]]] = {ANNA: [], BEN: []}
        self._counted = Tally()

    def settings(self) -> Settings:
        web = WebSettings(port=self.port)
        return Settings(database=self.database, play=PLAY, web=web)

    def make(self, app: App, commands: Commands) -> Web:
        return Web(app, commands)

    @property
    def url(self) -> str:
        return str(self.house.front.url).rstrip("/")

    async def come(self) -> None:
        """Both arrive, without a page."""
        for person, name in NAMES.items():
            browser = await self._stack.enter_async_context(Browser(self.url))
            await browser.arrive(name, _LANGUAGES[person])
            self.tabs[person] = await browser.tab()
            self._counted.lines += 1

    async def end(self) -> None:
        await self._stack.aclose()

    async def __aexit__(self, *why: object) -> None:
        await self._stack.aclose()
        await super().__aexit__(*why)

    # --- what people do -------------------------------------------------------------------

    async def types(self, person: int, line: str) -> None:
        self._counted.lines += 1
        self._heard(person, _ROOM, await self.tabs[person].say(line, room=_ROOM))

    async def challenge(self, game: str) -> None:
        """Play, the game, who plays with me; how many play is chosen first where one may."""
        await self.come()
        self._counted.presses += 3
        options = {}
        if game == "blackbox":
            self._counted.presses += 1
            options = {"mode": "hide", "size": "8"}
        frame = {"t": "start", "room": _ROOM, "game": game, "options": options, "whom": ""}
        answer = await self.tabs[ANNA].ask(frame)
        assert answer["ok"], answer
        await self.house.settled()

    def offers(self, person: int) -> Iterator[Offer]:
        for room, screen in reversed(self._private[person]):
            yield from _offers(room, screen)
        messages = self.tabs[person].messages
        for number in sorted(messages, reverse=True):
            yield from _offers(messages[number]["room"], messages[number]["screen"])

    async def press(self, person: int, offer: Offer, *more: Offer) -> None:
        assert not more
        self._counted.presses += 1
        self._heard(person, offer.how, await self.tabs[person].press(offer.token, room=offer.how))

    def _heard(self, person: int, room: str, answer: dict[str, Any]) -> None:
        if private := answer.get("private"):
            self._private[person].append((room, private))
            self._counted.answers += 1

    def tally(self) -> Tally:
        """A message that both hear is one; the page calls nobody who has not chosen that."""
        messages: set[int] = set()
        changes: set[tuple[int, int]] = set()
        for tab in self.tabs.values():
            for frame in tab.heard:
                if frame["t"] == "message" and frame["message"]["author"] is None:
                    messages.add(frame["message"]["id"])
                    changes.add((frame["message"]["id"], frame["message"]["stamp"]))
        return Tally(
            self._counted.presses,
            self._counted.lines,
            messages=len(messages),
            answers=self._counted.answers,
            edits=len(changes) - len(messages),
        )


def _offers(room: str, screen: dict[str, Any]) -> Iterator[Offer]:
    for cell in (screen.get("picture") or {}).get("cells", ()):
        if cell["legal"]:
            yield Offer(cell["token"], cell["label"], 1, room)
    for row in screen.get("buttons") or ():
        for button in row:
            yield Offer(button["token"], button["label"], 1, room)
