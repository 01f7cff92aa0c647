"""The paired worlds at the web table: a seeker, a hider and an onlooker at their pages."""

import sqlite3
from collections.abc import Sequence
from contextlib import AsyncExitStack, closing
from functools import partial

from tools.attack.page import Page, browser
from tools.attack.process import App
from tools.attack.report import Scene
from tools.attack.worlds import FORGED, LINES, Notes, Secret, all_shown, both_worlds, deal

__all__ = ["worlds_web"]

_TYPING = ("/blackbox ", "/blackbox h", "/blackbox hide ", "/moves ", "/board ")
_NAMES = ("Anna", "Ben", "Cleo")
_STANDS = """
    SELECT messages.id, messages.stamp FROM messages JOIN places ON places.id = messages.place_id
    WHERE NOT messages.gone AND places.platform = 'web' AND (
        places.kind = 'channel' OR places.external IN (
            SELECT identities.external FROM identities
            JOIN users ON users.id = identities.user_id WHERE users.name = ?
        )
    )
"""
"""What somebody's page shows, where they have seen all there is."""


async def worlds_web(scene: Scene) -> None:
    """The whole attack; see the module."""
    await both_worlds(scene, _loaded, make=App)


async def _loaded(scene: Scene, app: App, secret: Secret, notes: Notes) -> None:
    async with AsyncExitStack() as stack:
        await app.start()
        pages = []
        for at, name in enumerate(_NAMES):
            session = await stack.enter_async_context(browser(f"127.0.8.{at + 1}"))
            page = Page(name, app.url, session, keeps=name != "Ben")
            await page.arrive()
            await page.connect()
            pages.append(page)
        world = _World(scene, app, secret, notes, people=pages)
        await world.hide_and_seek()
        dealt = await world.begin_alone()
        for page in pages:
            await page.disconnect()
        await app.end()
        deal(app.database, dealt, secret.setup)
        await app.start()
        for page in pages:
            await page.connect()
        await world.seek_alone(dealt)
        for page in pages:
            await page.disconnect()
        await app.end()
        for page in (pages[0], pages[2]):
            for frame in page.frames:
                if frame["t"] in ("message", "gone", "words"):
                    notes.keep(page.name, frame)


def _is_told(page: Page, connection: sqlite3.Connection) -> bool:
    return page.standing() == dict(connection.execute(_STANDS, (page.name,)).fetchall())


class _World:
    """What the three of them do, the same in both worlds but for the stones."""

    def __init__(
        self,
        scene: Scene,
        app: App,
        secret: Secret,
        notes: Notes,
        *,
        people: Sequence[Page],
    ) -> None:
        self.scene, self.app, self.secret, self.notes = scene, app, secret, notes
        self.anna, self.ben, self.cleo = people
        self.probes = 0

    async def hide_and_seek(self) -> None:
        """Ben hides, takes a stone back, hides it again, and closes the box; Anna asks."""
        answer = await self.anna.says("/challenge @Ben blackbox hide first")
        assert answer["ok"], answer
        match: int = await self.anna.until(lambda: max(self.anna.boards(), default=0))
        assert (await self.ben.press(f"accept:{match}:1:"))["ok"]
        version = 2
        await self._all_see(match, version)
        assert (await self.ben.press(f"private:{match}:{version}:"))["ok"]
        first, *others = self.secret.stones
        for number, stone in enumerate((first, *others, first, first)):
            await self.ben.sees(match, version, room="@house")
            answer = await self.ben.press(f"step:{match}:{version}:{stone}", room="@house")
            assert answer["ok"], answer
            version += 1
            await self._all_see(match, version)
            if number == 1:
                await self._probe(match, version)
        answer = await self.ben.says("/blackbox ready")
        assert answer["ok"], answer
        version += 1
        await self._all_see(match, version)
        if self.scene.is_thorough:
            await self._probe(match, version)
        await self._ask(match, version)

    async def _ask(self, match: int, version: int) -> None:
        for entry in self.secret.asked:
            answer = await self.anna.press(f"step:{match}:{version}:{entry}")
            self.notes.write(f"Anna asks {entry}", answer)
            version += 1
            await self._all_see(match, version)
        await self._probe(match, version)
        for page in (self.anna, self.cleo):
            await self._pictures(page, version)

    async def begin_alone(self) -> int:
        """A box that was dealt."""
        known = max(self.anna.boards())
        answer = await self.anna.says("/blackbox new")
        assert answer["ok"], answer
        match: int = await self.anna.until(
            lambda: max(found) if max(found := self.anna.boards()) > known else 0
        )
        await self._all_told()
        return match

    async def seek_alone(self, match: int) -> None:
        await self._all_see(match, 1)
        if self.scene.is_thorough:
            await self._probe(match, 1)
        await self._ask(match, 1)

    async def _all_told(self) -> None:
        """Wait until every page shows all that there is, and nothing else.

        So both worlds go in step: a board moves to the bottom after the answer that moved it.
        """
        await all_shown(self.app.database)
        with closing(sqlite3.connect(self.app.database)) as connection:
            for page in (self.anna, self.ben, self.cleo):
                await page.until(partial(_is_told, page, connection))

    async def _all_see(self, match: int, version: int) -> None:
        await self._all_told()
        for page in (self.anna, self.cleo):
            shown = await page.sees(match, version)
            self.notes.write(f"{page.name} sees {version}", shown)

    async def _probe(self, match: int, version: int) -> None:
        """All that the two who should not know can ask.

        In the short form each asks in one of the two rooms, and in the other one the next time.
        """
        rooms = ("lounge", "@house")
        for at, page in enumerate((self.anna, self.cleo)):
            turn = (self.probes + at) % 2
            for room in rooms if self.scene.is_thorough else rooms[turn : turn + 1]:
                await self._ask_all(page, room, match, version)
        self.probes += 1

    async def _ask_all(self, page: Page, room: str, match: int, version: int) -> None:
        for line in LINES:
            said = f"/{line.format(match)}"
            answer = await page.says(said, room=room)
            self.notes.write(f"{page.name}, {room}, {said}", {**answer, "id": 0})
            await self._all_told()
        for form in FORGED:
            token = form.format(match=match, now=version, before=version - 1)
            answer = await page.press(token, room=room)
            self.notes.write(f"{page.name}, {room}, {token}", {**answer, "id": 0})
            await self._all_told()
        for text in _TYPING:
            answer = await page.ask({"t": "complete", "room": room, "text": text})
            self.notes.write(f"{page.name}, {room}, {text}", {**answer, "id": 0})

    async def _pictures(self, page: Page, version: int) -> None:
        """The pictures of every message there may be, at every version that may be."""

        async def fetch(path: str) -> None:
            async with page.session.get(f"{self.app.url}{path}") as answer:
                self.notes.write(f"{page.name}, {path}", answer.status)
                self.notes.write(f"{page.name}, {path}", await answer.read())

        last = max(page.messages) + 2
        for number in range(1, last):
            for asked, theme in ((version, "light"), (version - 1, "dark")):
                await fetch(f"/picture/{number}/{asked}.png?theme={theme}")
