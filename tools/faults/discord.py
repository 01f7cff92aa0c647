"""The scenario on Discord: the real front at the strict stand-in.

A step is a transaction or a request. Discord keeps nothing for a bot that is away: the user reads
that the press failed, and repeats it if nothing was done. Every message has a nonce, so no message
may appear twice.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from bot.fronts.discord.front import Discord
from tests.bot.fronts.discord.standin import CHANNEL, TOKEN, Asked, StandIn
from tests.databases import ask
from tests.fate import AFTER, BEFORE, Fate
from tools.attack.messages import Message, shown_on_discord, tokens
from tools.faults.fronts import PATIENCE, FrontScenario

_ANNA, _BEN = 1000, 1001
_DECLINED = 2
"""The match whose challenge is declined."""


class _StandIn(StandIn):
    """Discord, which reports every request to a fate."""

    def __init__(self) -> None:
        super().__init__()
        # How fast the bot answers is not tested here.
        self.in_time = PATIENCE
        self.fate = Fate()
        self.notified: list[str] = []
        """The boards and versions of all notifications."""

    async def _answer(
        self, method: str, path: list[str], body: Any, files: dict[str, bytes]
    ) -> tuple[int, Any]:
        what = f"discord.{method.lower()}-{'-'.join(one for one in path if one.isalpha())}"
        fate = self.fate
        await fate.comes(BEFORE, what)
        done = await super()._answer(method, path, body, files)
        await fate.comes(AFTER, what)
        return done

    def _post(self, channel: int, body: Any, files: dict[str, bytes]) -> Message:
        before = len(self.messages)
        message = super()._post(channel, body, files)
        nonce = str(body.get("nonce", ""))
        if nonce.startswith("p") and len(self.messages) > before:
            board, _, version = nonce.removeprefix("p").split(".")
            self.notified.append(f"board {board} at {version}")
        return message


class DiscordScenario(FrontScenario):
    """Two users in a channel."""

    kind = Discord
    standin: _StandIn
    secrets = frozenset({TOKEN})

    def __init__(self, database: Path) -> None:
        super().__init__(database, _StandIn())
        self.ready_for = 0
        """The start of the bot that has answered already."""
        self.identified = 0
        """The number of connections before the last start."""

    def platform_settings(self) -> dict[str, Any]:
        standin = self.standin
        wire = {"api_base": standin.api_base, "gateway": standin.gateway}
        return {"discord": {"token": TOKEN, **wire}}

    async def wake(self) -> None:
        self.identified = self.standin.seen["op 2"]
        async with self.standin.changed:
            self.standin.changed.notify_all()

    # --- the users ------------------------------------------------------------------------

    async def act(self) -> None:
        slash = self.standin.slash
        await self._do(
            lambda: slash(_ANNA, "othello", move="new", user=_BEN, side="first", people=(_BEN,)),
            lambda: self._is_at(1, 1),
        )
        await self._press(_BEN, "accept:1:1:", 2)
        await self._press(_ANNA, "step:1:2:d3", 3)
        await self._press(_BEN, "step:1:3:c3", 4)
        await self._do(lambda: slash(_ANNA, "othello", move="c4"), lambda: self._is_at(1, 5))
        await self._do(lambda: slash(_ANNA, "leaderboard"))
        await self._press(_BEN, "resign:1:5:", 6)
        await self._do(lambda: slash(_ANNA, "rematch"), lambda: self._is_at(_DECLINED, 1))
        await self._press(_BEN, "decline:2:1:", 2, match=_DECLINED)

    async def _ready(self) -> None:
        """Wait until the bot has connected since its last start, and answers."""
        standin = self.standin
        async with asyncio.timeout(PATIENCE):
            while self.ready_for != self.starts:
                start = self.starts
                await standin.until(lambda: standin.seen["op 2"] > self.identified)
                # Discord drops what is sent before the bot is ready.
                asked = await standin.slash(_ANNA, "help")
                with suppress(TimeoutError):
                    await standin.until(asked.done.is_set, timeout=0.2)
                    # The crash may have happened right after this answer.
                    self.ready_for = 0 if self.life.crash.happened.is_set() else start

    async def _do(
        self, act: Callable[[], Awaitable[Asked]], holds: Callable[[], object] | None = None
    ) -> None:
        """Do something and wait until it is done; repeat it after a crash if it is not."""
        await self._ready()
        crashes, asked = self.crashes, await act()
        is_done = holds or asked.done.is_set
        await self.standin.until(lambda: is_done() or self.crashes > crashes, timeout=PATIENCE)
        if self.crashes > crashes:
            await self._ready()
            await self.settled()
            if not is_done():
                again = await act()
                await self.standin.until(holds or again.done.is_set, timeout=PATIENCE)

    async def _press(self, user: int, token: str, version: int, *, match: int = 1) -> None:
        """Press a button of a board, and confirm it if asked."""

        async def act() -> Asked:
            asked = await self._press_on(user, token, self.standin.boards(CHANNEL))
            crashes = self.crashes
            await self.standin.until(
                lambda: asked.replies or self._is_at(match, version) or self.crashes > crashes,
                timeout=PATIENCE,
            )
            replies = [self.standin.messages[one] for one in asked.replies]
            if any(f"{token}yes" in tokens(one) for one in replies):
                return await self._press_on(user, f"{token}yes", replies)
            return asked

        await self._do(act, lambda: self._is_at(match, version))

    async def _press_on(self, user: int, token: str, messages: list[Message]) -> Asked:
        message = next(one for one in reversed(messages) if token in tokens(one))
        custom_id, given = tokens(message)[token]
        return await self.standin.press(user, message, custom_id, **given)

    def _is_at(self, match: int, version: int) -> bool:
        """Return whether a board shows this version. A declined challenge has no buttons."""
        return any(
            shown_on_discord(one) >= (match, version)
            or (match == _DECLINED and version > 1 and "Declined." in str(one))
            for one in self.standin.boards(CHANNEL)
        )

    # --- the invariants -------------------------------------------------------------------

    def problems(self, unavoidable: Counter[str]) -> Iterator[str]:
        yield from (f"Discord's rules are kept: {one}" for one in self.standin.problems)
        if (stored := self.stored_moves()) != {1: 3}:
            yield f"every move is stored once: {stored}"
        for _, message, match, version in self.boards():
            board = self.standin.messages.get(int(message))
            if board is None or shown_on_discord(board) not in ((0, 0), (match, version)):
                yield f"boards are current: match {match} is not at {version}: {board}"
        yield from self._left_behind(unavoidable)
        for what, number in Counter(self.standin.notified).items():
            if number > 1:
                yield f"no user is notified twice: {what}, {number} times"

    def _left_behind(self, unavoidable: Counter[str]) -> Iterator[str]:
        """Check that the database knows every message."""
        boards, known = self.standin.boards(CHANNEL), {int(row[1]) for row in self.boards()}
        for board in boards:
            if int(board["id"]) not in known:
                yield f"no board is left behind: {shown_on_discord(board)}"
        known |= {int(row[0] or 0) for row in ask(self.database, "SELECT notice FROM boards")}
        known |= {one for asked in self.standin._asked.values() for one in asked.replies}
        left = [
            one["content"]
            for number, one in self.standin.messages.items()
            if one not in boards and number not in known
        ]
        if left and self.crashes:
            # It was not stored before the crash, and the match went on before the restart.
            unavoidable["discord: an outdated notification that is not stored"] += 1
            left = left[1:]
        yield from (f"no message is left behind: {content!r}" for content in left)
