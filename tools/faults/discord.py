"""An evening on Discord: the real front on the wire of the strict stand-in.

A step is a transaction, or a request as Discord hears it. Discord keeps nothing for a bot that is
away: whoever presses then reads that it has failed, and presses once more, if it was not done.
Every message has a nonce, so none stands there twice.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from bot.app import App
from bot.commands import Commands
from bot.fronts.discord import Discord
from bot.settings import Settings
from tests.bot.fronts.discord.standin import CHANNEL, TOKEN, Asked
from tests.fate import AFTER, BEFORE, Fate
from tools.attack.play_discord import Message, Wire, tokens
from tools.attack.story import meant
from tools.faults.fronts import PATIENCE, PLAY, Evening, at_a_front

__all__ = ["on_discord"]

_ANNA, _BEN = 1000, 1001
_DECLINED = 2
"""The match that is not begun."""


class _StandIn(Wire):
    """Discord, which tells a fate of all that it is asked."""

    def __init__(self) -> None:
        super().__init__()
        # How fast it answers is another question, and this machine may have much else to do.
        self.in_time = PATIENCE
        self.fate = Fate()
        self.called: list[str] = []
        """The keys of all news that it has ever posted, with the versions in them."""

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
            self.called.append(f"board {board} at {version}")
        return message


class _Discord(Evening):
    """Two people in a channel."""

    name = "an evening on Discord"
    secrets = frozenset({TOKEN})

    def __init__(self, database: Path) -> None:
        super().__init__(database)
        self.standin = _StandIn()
        self.ready_for = 0
        """The life of the house that has answered already."""
        self.identified = 0
        """How often a house had come, when the one that is there began."""

    async def open(self) -> None:
        await self.standin.start()

    async def close(self) -> None:
        await self.standin.stop()

    def settings(self) -> Settings:
        wire = {"api_base": self.standin.api_base, "gateway": self.standin.gateway}
        discord = {"token": TOKEN, **wire}
        return Settings(database=self.database, play=PLAY, discord=discord)  # type: ignore[arg-type]

    def front(self, app: App, commands: Commands) -> Discord:
        return Discord(app, commands)

    def fated(self, fate: Fate) -> None:
        self.standin.fate = fate
        self.identified = self.standin.seen["op 2"]

    async def has_died(self) -> None:
        async with self.standin.changed:
            self.standin.changed.notify_all()

    # --- the people -----------------------------------------------------------------------

    async def people(self) -> None:
        await self._does(
            lambda: self.standin.slash(
                _ANNA, "othello", move="new", user=_BEN, side="first", people=(_BEN,)
            ),
            lambda: self._at(1, 1),
        )
        await self._presses(_BEN, "accept:1:1:", 2)
        await self._presses(_ANNA, "step:1:2:d3", 3)
        await self._presses(_BEN, "step:1:3:c3", 4)
        await self._does(
            lambda: self.standin.slash(_ANNA, "othello", move="c4"), lambda: self._at(1, 5)
        )
        await self._does(lambda: self.standin.slash(_ANNA, "leaderboard"))
        await self._presses(_BEN, "resign:1:5:", 6)
        await self._does(
            lambda: self.standin.slash(_ANNA, "rematch"), lambda: self._at(_DECLINED, 1)
        )
        await self._presses(_BEN, "decline:2:1:", 2, match=_DECLINED)

    async def _ready(self) -> None:
        """Wait until the house has come (again), and answers."""
        standin = self.standin
        async with asyncio.timeout(PATIENCE):
            while self.ready_for != self.lives:
                life = self.lives
                await standin.until(lambda: standin.seen["op 2"] > self.identified)
                # What comes before it is ready is lost, as in earnest.
                asked = await standin.slash(_ANNA, "help")
                with suppress(TimeoutError):
                    await standin.until(asked.done.is_set, timeout=0.2)
                    # It may have died over that very answer.
                    self.ready_for = 0 if self.doom.died.is_set() else life

    async def _does(
        self,
        act: Callable[[], Awaitable[Asked]],
        holds: Callable[[], object] | None = None,
    ) -> None:
        """Do something until it is done; once, unless the house dies over it."""
        await self._ready()
        deaths, asked = self.deaths, await act()
        done = holds or asked.done.is_set
        await self.standin.until(lambda: done() or self.deaths > deaths, timeout=PATIENCE)
        if self.deaths > deaths:
            await self._ready()
            await self.settled()
            if not done():
                again = await act()
                await self.standin.until(holds or again.done.is_set, timeout=PATIENCE)

    async def _presses(self, person: int, token: str, version: int, *, match: int = 1) -> None:
        """Press a button of a board, and say yes where one is asked whether one means it."""

        async def act() -> Asked:
            asked = await self._pressed(person, token, self.standin.boards(CHANNEL))
            deaths = self.deaths

            def answered() -> object:
                return asked.replies or self._at(match, version) or self.deaths > deaths

            await self.standin.until(answered, timeout=PATIENCE)
            replies = [self.standin.messages[one] for one in asked.replies]
            if any(f"{token}yes" in tokens(one) for one in replies):
                return await self._pressed(person, f"{token}yes", replies)
            return asked

        await self._does(act, lambda: self._at(match, version))

    async def _pressed(self, person: int, token: str, messages: list[Message]) -> Asked:
        message = next(one for one in reversed(messages) if token in tokens(one))
        custom_id, given = tokens(message)[token]
        return await self.standin.press(person, message, custom_id, **given)

    def _at(self, match: int, version: int) -> bool:
        """Does a board show this? What was declined has no buttons."""
        return any(
            _shows(one) >= (match, version)
            or (match == _DECLINED and version > 1 and "Declined." in str(one))
            for one in self.standin.boards(CHANNEL)
        )

    # --- what must hold -------------------------------------------------------------------

    def found(self, doubles: Counter[str]) -> Iterator[str]:
        yield from (f"Discord's rules are kept: {one}" for one in self.standin.problems)
        if (stored := self.stored_moves()) != {1: 3}:
            yield f"every move is stored, once: {stored}"
        known = {str(message): (match, version) for _, message, match, version in self.boards()}
        for message, (match, version) in known.items():
            board = self.standin.messages.get(int(message))
            if board is None or _shows(board) not in ((0, 0), (match, version)):
                about = board and _shows(board)
                yield f"boards are current: match {match} at {version} is {about}"
        shown = self.standin.boards(CHANNEL)
        for board in shown:
            if board["id"] not in known:
                yield f"no board is left behind: {_shows(board)}"
        notices = {str(row[0]) for row in self.rows("SELECT notice FROM boards")}
        replies = {str(one) for asked in self.standin._asked.values() for one in asked.replies}
        left = [
            told["content"]
            for message, told in self.standin.messages.items()
            if told not in shown and str(message) not in notices | replies
        ]
        if left and self.deaths:
            # It had been posted and not been noted, and the match went on before it could be.
            doubles["discord: a call that nobody knows of, and that is out of date"] += 1
            left = left[1:]
        yield from (f"no message is left behind: {content!r}" for content in left)
        for what, number in Counter(self.standin.called).items():
            if number > 1:
                yield f"nobody is called twice: {what}, {number} times"


def _shows(message: Message) -> tuple[int, int]:
    """The match and version that a message shows."""
    named = [meant(token)[:2] for token in tokens(message) if token.count(":") >= 3]
    return max((one for one in named if one[0]), default=(0, 0))


on_discord = at_a_front(_Discord)
