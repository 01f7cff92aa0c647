"""The paired bots on the web app."""

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any

from tools.attack.page import Page, visiting
from tools.attack.process import App
from tools.attack.report import Report
from tools.attack.worlds import Bot, Notes

_TYPING = ("/blackbox ", "/blackbox h", "/blackbox hide ", "/moves ", "/board ")
_ON_PAGE = """
    SELECT messages.id, messages.stamp FROM messages JOIN places ON places.id = messages.place_id
    WHERE NOT messages.gone AND places.platform = 'web' AND (
        places.kind = 'channel' OR places.external IN (
            SELECT identities.external FROM identities
            JOIN users ON users.id = identities.user_id WHERE users.name = ?
        )
    )
"""


@asynccontextmanager
async def open_web(_: Report, folder: Path, notes: Notes) -> AsyncIterator[Bot]:
    app = App(folder)
    async with app.running(), AsyncExitStack() as stack:
        pages = []
        for at, name in enumerate(("Anna", "Ben", "Cleo")):
            visit = visiting(name, app.url, f"127.0.8.{at + 1}", Page)
            pages.append(await stack.enter_async_context(visit))
        yield _WebBot(app, notes, pages)
    for page in pages:
        for frame in page.frames:
            if page.name != "Ben" and frame["t"] in ("message", "gone", "words"):
                notes.keep(page.name, frame)


class _WebBot(Bot):
    def __init__(self, app: App, notes: Notes, pages: list[Page]) -> None:
        super().__init__(app, notes)
        self.pages = {page.name: page for page in pages}
        self.anna = self.pages["Anna"]

    async def challenge(self) -> None:
        answer = await self.anna.says("/challenge @Ben blackbox hide first")
        assert answer["ok"], answer
        self.match = await self.anna.until(lambda: max(self.anna.boards(), default=0))
        await self.press("Ben", f"accept:{self.match}:1:")
        await self.board()

    async def press(self, name: str, token: str, *, private: bool = False) -> Any:
        return await self._ask(name, {"t": "press", "token": token}, private=private)

    async def type(self, name: str, line: str, *, private: bool = False) -> Any:
        request = {"t": "say", "text": f"/{line}", "seen": {}}
        return await self._ask(name, request, private=private)

    async def _ask(self, name: str, request: dict[str, Any], *, private: bool) -> Any:
        room = "@house" if private else "lounge"
        answer = await self.pages[name].ask({**request, "room": room})
        await self.settle()
        return {**answer, "id": 0}

    async def complete(self, name: str) -> None:
        for text in _TYPING:
            answer = await self._ask(name, {"t": "complete", "text": text}, private=False)
            self.notes.write(f"{name} completes {text}", answer)

    async def board(self) -> Any:
        return [
            await page.sees(self.match, self.version)
            for name, page in self.pages.items()
            if name != "Ben"
        ]

    async def settle(self) -> None:
        """Wait for the pages too: a board moves down after the answer that moved it."""
        await super().settle()
        with closing(sqlite3.connect(self.app.database)) as connection:
            for page in self.pages.values():
                await page.until(partial(_shows_all, page, connection))

    async def play(self, stones: Sequence[str]) -> None:
        await super().play(stones)
        for name in ("Anna", "Cleo"):
            await self._fetch_pictures(self.pages[name])

    async def _fetch_pictures(self, page: Page) -> None:
        """Fetch the pictures of all messages, also those of others and of other versions."""
        for number in range(1, max(page.messages) + 2):
            for version, theme in ((self.version, "light"), (self.version - 1, "dark")):
                path = f"/picture/{number}/{version}.png?theme={theme}"
                async with page.session.get(f"{self.app.url}{path}") as answer:
                    self.notes.write(f"{page.name}, {path}", answer.status)
                    self.notes.write(f"{page.name}, {path}", await answer.read())


def _shows_all(page: Page, connection: sqlite3.Connection) -> bool:
    shown = {(number, found["stamp"]) for number, found in page.messages.items()}
    return shown == set(connection.execute(_ON_PAGE, (page.name,)))
