"""Forged frames at the web table: whatever a page sends, it is answered, and nothing else happens.

Many people, each with a line of their own, send requests of every kind: every verb and command
with their own and other people's match numbers, all versions, nasty arguments, wrong types,
spoilt JSON, rubbish. Two victims on each platform are in the same database.
"""

import asyncio
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from itertools import count
from typing import Any

import aiohttp

import games
from bot.commands import table
from bot.texts import LANGUAGES, Texts
from tools.attack import inputs
from tools.attack.ledger import Ledger
from tools.attack.page import PATIENCE, Frame, Page, browser
from tools.attack.people import secrets_of
from tools.attack.process import App
from tools.attack.report import Scene
from tools.attack.victims import Victims, lay

__all__ = ["afterwards", "apology", "fuzz_web"]

_PEOPLE = 10
_SHORT = 100
"""Frames of each person in the short form."""
_BREATH = 0.1
"""Seconds until somebody asks again who was told that they ask too fast."""
_NOBODYS = 987
"""The number of no match: beyond all that are begun here, and below those written with a comma."""


def apology(text: object) -> bool:
    """Does the house say that something went wrong on its side?"""
    return any(Texts(language)("error-ours") in str(text) for language in LANGUAGES)


def afterwards(
    scene: Scene, app: App, victims: Victims, before: list[str], secrets: list[str]
) -> None:
    """What must be true when the house has ended: the same for every fuzz."""
    report, after = scene.report, victims.rows()
    report.counts["victims' rows"] = len(before)
    report.all_broken("victims' rows are unchanged", sorted(set(after) ^ set(before)))
    report.all_broken("no traceback in the log", app.tracebacks())
    ledger = Ledger.read(app.database)
    report.counts["matches that replay"] = len(ledger.matches)
    report.all_broken("the database is whole and replays", ledger.problems)
    tell = [*secrets, *secrets_of(app.database)]
    report.all_broken("no secret in the log", app.tells(tell))


async def fuzz_web(scene: Scene) -> None:
    """The whole attack; see the module."""
    app = App(scene.folder)
    victims = await lay(app.database, scene.luck("victims"))
    before = victims.rows()
    async with app.running():
        forgers = [_Forger(scene, app, number) for number in range(_PEOPLE)]
        await asyncio.gather(
            *(forger.loaded() for forger in forgers), _ask_for_all(scene, app, victims)
        )
        cookies = [cookie for forger in forgers for cookie in forger.cookies]
    afterwards(scene, app, victims, before, cookies)
    # The same seed, the same inputs: by this one can see it.
    digest = hashlib.sha256()
    for forger in forgers:
        digest.update(forger.digest.digest())
    if scene.seconds is None:
        scene.report.counts["digest of all inputs"] = int(digest.hexdigest()[:8], 16)


async def _ask_for_all(scene: Scene, app: App, victims: Victims) -> None:
    """A foreign match is answered as one that does not exist, whatever is asked of it.

    Every verb and every command that takes a number, at right and wrong versions.
    """
    luck, report = scene.luck("asking"), scene.report
    async with browser("127.0.2.200") as session, Page("Asker", app.url, session).here() as page:
        for verb in inputs.VERBS:
            nobodys = {}
            for match in luck.sample(victims.matches, 9):
                version, given = luck.choice((0, 1, 2, 3, 6)), luck.choice(("", "yes", "d3", "x"))
                asked = f"{verb}:{{}}:{version}:{given}"
                if asked not in nobodys:
                    answer = await _answer(partial(page.press, asked.format(_NOBODYS)))
                    nobodys[asked] = _told(answer, number=_NOBODYS)
                answer = await _answer(partial(page.press, asked.format(match)))
                told = _told(answer, number=match)
                report.count("foreign matches asked for")
                report.check(
                    told == nobodys[asked],
                    "a foreign match is answered as one that does not exist",
                    f"{asked.format(match)}: {told:.300} and not {nobodys[asked]:.120}",
                )
        # Behind /holiday a number is one of days, behind /quiet an hour, which are theirs to take.
        apart = {*games.ids(), "holiday", "quiet"}
        for word in [spec.name for spec in table() if spec.name not in apart]:
            answer = await _answer(partial(page.says, f"/{word} {_NOBODYS}"))
            nobody = _told(answer, number=_NOBODYS)
            for match in luck.sample(victims.matches, 6):
                answer = await _answer(partial(page.says, f"/{word} {match}"))
                told = _told(answer, number=match)
                report.count("foreign matches asked for")
                report.check(
                    told == nobody,
                    "a foreign match is answered as one that does not exist",
                    f"/{word} {match}: {told:.300} and not {nobody:.120}",
                )


async def _answer(ask: Callable[[], Awaitable[Frame]]) -> Frame:
    """What is answered to somebody who takes a breath where the house says so."""
    async with asyncio.timeout(PATIENCE):
        answer = await ask()
        while Texts("en")("error-too-fast") in json.dumps(answer):
            await asyncio.sleep(_BREATH)
            answer = await ask()
    return answer


def _told(answer: Frame, *, number: int) -> str:
    """All that an answer tells, but for its own number and that of the match asked for."""
    told = json.dumps({key: value for key, value in answer.items() if key != "id"})
    return re.sub(rf"(?<!\d){number}(?!\d)", "N", told)


class _Forger:
    """Somebody who sends frames that no page of ours would."""

    def __init__(self, scene: Scene, app: App, number: int) -> None:
        self.scene, self.app, self.report = scene, app, scene.report
        self.number = number
        self.luck = scene.luck("forger", number)
        self.digest = hashlib.sha256()
        self.cookies: list[str] = []
        self.line: aiohttp.ClientWebSocketResponse | None = None

    async def loaded(self) -> None:
        async with browser(f"127.0.2.{self.number + 1}") as session:
            await self._arrive(session, f"Fuzz{self.number}")
            for number in self.scene.rounds(_SHORT):
                sent = self._next(number)
                if self.line is None or self.line.closed:
                    await self._connect(session)
                await self._send(sent, number)
            if self.line is not None:
                await self.line.close()

    def _next(self, number: int) -> str | bytes:
        """The next frame; the same for the same seed, whatever was answered so far."""
        rubbish = self.luck.random() < 0.01
        sent = inputs.raw(self.luck) if rubbish else inputs.frame(self.luck, number + 10)
        self.digest.update(sent if isinstance(sent, bytes) else sent.encode("utf-8", "replace"))
        return sent

    async def _arrive(self, session: aiohttp.ClientSession, name: str) -> None:
        body, headers = {"name": name, "language": "en"}, {"Origin": self.app.url}
        async with session.post(f"{self.app.url}/arrive", json=body, headers=headers) as answer:
            assert answer.status == 200, await answer.text()
        self.cookies.append(answer.cookies["azumaya"].value)

    async def _connect(self, session: aiohttp.ClientSession) -> None:
        """Open a line, as somebody new where the house wants who they were to wait."""
        for attempt in count():
            if await self._is_let_in(session):
                return
            if attempt == 0:
                await self._arrive(session, f"Fuzz{self.number}x{len(self.cookies)}")
            else:
                await asyncio.sleep(_BREATH)

    async def _is_let_in(self, session: aiohttp.ClientSession) -> bool:
        self.line = await session.ws_connect(
            f"{self.app.url}/socket",
            headers={"Origin": self.app.url},
            max_msg_size=1 << 24,
            timeout=aiohttp.ClientWSTimeout(ws_close=2.0),
        )
        self.report.count("lines opened")
        await self.line.send_json({"t": "hello", "id": 1})
        await self._answer(1, "hello")
        return self.line.close_code != aiohttp.WSCloseCode.TRY_AGAIN_LATER

    async def _send(self, sent: str | bytes, number: int) -> None:
        """Send a frame; an answer must come, or the end of the line."""
        assert self.line is not None
        self.report.count("frames sent")
        wanted = _id_of(sent)
        try:
            if isinstance(sent, bytes):
                await self.line.send_bytes(sent)
            else:
                await self.line.send_str(sent)
        except ConnectionError:
            return
        await self._answer(wanted, f"forger {self.number}, frame {number}: {sent!r:.300}")

    async def _answer(self, wanted: int | None, what: str) -> None:
        """Read until the answer, or the end of the line."""
        assert self.line is not None
        try:
            async with asyncio.timeout(PATIENCE):
                async for told in self.line:
                    if told.type is aiohttp.WSMsgType.TEXT and self._is_answer(
                        json.loads(told.data), wanted, what
                    ):
                        return
        except TimeoutError:
            self.report.broken("every request is answered on an open line", what)
            await self.line.close()
            return
        self.report.count("lines closed by the house")

    def _is_answer(self, told: Mapping[str, Any], wanted: int | None, what: str) -> bool:
        self.report.check(not apology(told), "nothing goes wrong on our side", what)
        if told["t"] != "done":
            return False
        if wanted is not None and wanted != told["id"]:
            self.report.broken("an answer bears the number of its request", what)
        self.report.count("refused" if not told["ok"] else "done")
        return True


def _id_of(sent: str | bytes) -> int | None:
    """The number that an answer to this frame must bear; None where the frame has none."""
    try:
        found = json.loads(sent)["id"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    good = isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 2**53
    return found if good else None
