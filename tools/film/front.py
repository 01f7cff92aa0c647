"""What the fronts have in common: two users who look, type and press."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, ClassVar, Self

import renderers
from bot.store import migrate
from bot.support.settings import all_settings
from bot.support.texts import Texts
from renderers import RenderOptions
from tests.bot.seated import users
from tools.film.running import PLAY, RunningBot

ANNA, BEN = 11, 12
NAMES = {ANNA: "Anna", BEN: "Ben"}
ASK = Texts("en")("button-start-open")
"""The button of an open challenge."""
STONES = ("a2", "e2", "h2", "c6", "e8")
"""What is hidden in Black Box."""
HALF = 5
"""Moves of the first match before the restart."""
_TIMEOUT = 20.0
_NAVIGATION = ("private:", "tab:")
"""Buttons that lead to one's own board, or to another page of a keyboard."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A button or an option that a user can press."""

    token: str
    label: str
    how: Any


class Front:
    """One front with its bot, and Anna and Ben there."""

    name: ClassVar[str]
    kind: ClassVar[type[Any]]
    """The class of the front itself."""

    def __init__(self, folder: Path, rng: Random) -> None:
        self.database = folder / f"{self.name}.db"
        self.rng = rng
        self.bot: RunningBot

    async def __aenter__(self) -> Self:
        migrate(self.database)
        await self.begin()
        given = {"database": self.database, "play": PLAY, self.name: self.section()}
        settings = all_settings().model_validate(given)
        self.bot = RunningBot(settings, self.kind, rng=self.rng)
        await self.bot.open()
        await self.is_open()
        return self

    async def __aexit__(self, *why: object) -> None:
        await self.bot.close()
        await self.end()

    async def restart(self) -> None:
        await self.bot.close()
        await self.bot.open()
        await self.is_open()

    async def on_turn(self, match: int) -> tuple[int, int]:
        """Return the user to move, and the other one."""
        loaded = await self.bot.match(match)
        (seat, *_) = sorted(loaded.position.turn)
        names = await self.bot.app.names.of(loaded.match.people)
        name = names[users(loaded.match)[seat]]
        mover = next(one for one in NAMES if NAMES[one] == name)
        return mover, ANNA + BEN - mover

    # What each front defines

    def section(self) -> dict[str, Any]:
        """Return the settings of the front."""
        raise NotImplementedError

    async def begin(self) -> None:
        """Start the platform's server."""

    async def end(self) -> None:
        """Stop it."""

    async def is_open(self) -> None:
        """Wait until users can come."""

    async def types(self, person: int, line: str) -> None:
        """Type a line, or fill in a command, where both can read it."""
        raise NotImplementedError

    def offers(self, person: int) -> Iterable[Offer]:
        """Return what a user can press, newest message first."""
        raise NotImplementedError

    async def press(self, person: int, offer: Offer, *more: Offer) -> None:
        """Press an offer; `more` are options chosen with it."""
        raise NotImplementedError

    # What all have in common

    async def until(self, person: int, holds: Callable[[Offer], bool]) -> Offer:
        """Return the first offer for which this holds; wait until there is one."""
        begun = monotonic()
        while True:
            found = next(filter(holds, self.offers(person)), None)
            if found:
                return found
            if monotonic() - begun > _TIMEOUT:
                seen = [one.token for one in self.offers(person)][:40]
                raise TimeoutError(f"{self.name}: {NAMES[person]} is offered {seen}")
            await self.bot.settled()

    async def presses(self, person: int, what: str) -> None:
        """Press the newest button with this label, or with a token that begins so."""
        offer = await self.until(person, lambda one: what == one.label or _is(one.token, what))
        await self.press(person, offer)
        await self.bot.settled()

    async def moves(self, person: int, match: int, step: str, *, sure: bool = True) -> None:
        """Press a move of one step, also if its button is on another page."""
        version = (await self.bot.match(match)).match.version
        token, where = f"step:{match}:{version}:{step}", await self._page_with(match, step)
        ways = tuple(f"{way}{match}:{version}:" for way in _NAVIGATION)
        tried: set[str] = set()

        def is_of_use(one: Offer) -> bool:
            return one.token == token or (one.token.startswith(ways) and one.token not in tried)

        while token not in tried:
            await self.until(person, is_of_use)
            # A user who sees the picture knows the page.
            useful = filter(is_of_use, self.offers(person))
            found = min(useful, key=lambda one: (one.token != token, where not in one.token))
            await self.press(person, found)
            await self.bot.settled()
            tried.add(found.token)
        if sure and (await self.bot.match(match)).match.version == version:
            asked = f"sure:{match}:{version}:"
            await self.press(person, await self.until(person, lambda one: _is(one.token, asked)))
            await self.bot.settled()

    async def _page_with(self, match: int, step: str) -> str:
        """Return how tokens of the keyboard page with a step begin."""
        loaded = await self.bot.match(match)
        view = loaded.position.view(min(loaded.position.turn))
        cell = renderers.get(loaded.game.id).cells(view, RenderOptions()).get(step)
        return f":{cell.group}" if cell and cell.group else ":"


def _is(token: str, what: str) -> bool:
    return ":" in what and token.startswith(what)
