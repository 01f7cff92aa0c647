"""What the three fronts have in common for people who play there: to look, to type, to press."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Self

import renderers
from bot.app import App
from bot.commands import Commands
from bot.settings import Settings
from bot.store import migrate
from bot.texts import Texts
from renderers import RenderOptions
from tools.film.house import House

__all__ = ["ANNA", "ASK", "BEN", "NAMES", "Front", "Offer", "Tally"]

ANNA, BEN = 11, 12
NAMES = {ANNA: "Anna", BEN: "Ben"}
_PATIENCE = 20.0
ASK = Texts("en")("button-start-open")
"""What Anna presses who has nobody in particular in mind."""
_WAYS = ("private:", "tab:")
"""Buttons that lead to others: to one's own board, or to another page of a keyboard."""


@dataclass(slots=True)
class Tally:
    """What people have done, and what the house has said."""

    presses: int = 0
    lines: int = 0
    messages: int = 0
    """New ones that stay in a chat, and everybody there sees, or whoever it is the chat of."""
    answers: int = 0
    """New ones for one pair of eyes among others'."""
    edits: int = 0
    keys: int = 0
    """Changes of keys alone, of which the picture above them knows nothing."""
    pings: int = 0

    def __sub__(self, other: Self) -> "Tally":
        names = [field.name for field in fields(self)]
        return Tally(**{name: getattr(self, name) - getattr(other, name) for name in names})


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that somebody can press: what it is called, and how it is done."""

    token: str
    label: str
    cost: int
    """So many presses."""
    how: Any


class Front:
    """One front, its house, and Anna and Ben there."""

    name: str
    writes = False
    """Is there a window to type in, for stones that are hidden together?"""

    def __init__(self, folder: Path, luck: Random) -> None:
        self.database = folder / f"{self.name}.db"
        self.luck = luck
        self.house: House

    async def __aenter__(self) -> Self:
        migrate(self.database)
        await self.begin()
        self.house = House(self.settings(), self.make, luck=self.luck)
        await self.house.open()
        await self.is_open()
        return self

    async def __aexit__(self, *why: object) -> None:
        await self.house.close()
        await self.end()

    async def restart(self) -> None:
        """The house goes, and comes again."""
        await self.house.close()
        await self.house.open()
        await self.is_open()

    # --- what a front says ----------------------------------------------------------------

    def settings(self) -> Settings:
        """The settings of its house."""
        raise NotImplementedError

    def make(self, app: App, commands: Commands) -> Any:
        """The front itself."""
        raise NotImplementedError

    async def begin(self) -> None:
        """Open what stands for the platform."""

    async def end(self) -> None:
        """Close it."""

    async def is_open(self) -> None:
        """Wait until people can come."""

    async def types(self, person: int, line: str) -> None:
        """Type a line, or fill in a command, in the place where all are."""
        raise NotImplementedError

    def offers(self, person: int) -> Iterable[Offer]:
        """What somebody can press, the newest message first."""
        raise NotImplementedError

    async def press(self, person: int, offer: Offer, *more: Offer) -> None:
        """Press it; `more` are chosen in the same breath."""
        raise NotImplementedError

    async def writes_down(self, line: str) -> None:
        """Type a line into the window that has just been opened, where there are any."""
        raise NotImplementedError

    def tally(self) -> Tally:
        """What has been done and said so far."""
        raise NotImplementedError

    async def challenge(self, game: str) -> None:
        """Anna asks for a match as a newcomer does: she types /play, and presses."""
        await self.types(ANNA, "/play")
        await self.presses(ANNA, f"menu:0:0:{game}")
        await self.until(ANNA, lambda one: one.token.startswith(f"start:0:0:{game}"))
        if not any(one.label == ASK for one in self.offers(ANNA)):
            # What one can play alone is offered so first.
            await self.presses(ANNA, f"menu:0:0:{game}.")
        await self.presses(ANNA, ASK)

    # --- what all have in common ----------------------------------------------------------

    async def until(self, person: int, holds: Callable[[Offer], bool]) -> Offer:
        """Wait until somebody is offered something."""
        begun = monotonic()
        while True:
            found = next(filter(holds, self.offers(person)), None)
            if found:
                return found
            if monotonic() - begun > _PATIENCE:
                seen = [one.token for one in self.offers(person)][:40]
                raise TimeoutError(f"{self.name}: {NAMES[person]} is offered {seen}")
            await self.house.settled()

    async def presses(self, person: int, what: str) -> None:
        """Press the newest button of this name, or with a token that begins so."""
        offer = await self.until(person, lambda one: what == one.label or _is(one.token, what))
        await self.press(person, offer)
        await self.house.settled()

    async def moves(self, person: int, match: int, *steps: str, sure: bool = True) -> None:
        """Make a move step by step, finding the way to where it can be made."""
        loaded = await self.house.match(match)
        version = loaded.match.version
        for at in range(1, len(steps) + 1):
            if await self.step(person, match, version, *steps[:at], whole=steps):
                break
        if sure and (await self.house.match(match)).match.version == version:
            asked = f"sure:{match}:{version}:"
            await self.press(person, await self.until(person, lambda one: _is(one.token, asked)))
            await self.house.settled()

    async def step(
        self, person: int, match: int, version: int, *steps: str, whole: tuple[str, ...]
    ) -> bool:
        """One press of a move, and those that lead to it; was it all of the move?"""
        meant = [f"step:{match}:{version}:{'.'.join(one)}" for one in (whole, steps)]
        if len(steps) > 1 and any(_is(one.token, f"rest:{match}:") for one in self.offers(person)):
            # It lies beside what was pressed first.
            meant[0] = f"rest:{match}:{version}:{steps[-1]}"
        tried: set[str] = set()
        where = await self._page_with(match, steps)
        while True:

            def is_of_use(one: Offer, tried: set[str] = tried) -> bool:
                way = any(_is(one.token, f"{way}{match}:{version}:") for way in _WAYS)
                return one.token in meant or (way and one.token not in tried)

            await self.until(person, is_of_use)
            every = list(self.offers(person))
            found = next((one for token in meant for one in every if one.token == token), None)
            # Whoever looks at the picture knows on which page it is.
            ways = sorted(filter(is_of_use, every), key=lambda one: where not in one.token)
            found = found or ways[0]
            await self.press(person, found)
            await self.house.settled()
            if found.token in meant:
                return found.token == meant[0]
            tried.add(found.token)

    async def _page_with(self, match: int, steps: tuple[str, ...]) -> str:
        """What a page of a keyboard begins with in which the last of these steps is."""
        loaded = await self.house.match(match)
        *chosen, last = steps
        rendering = RenderOptions(chosen=tuple(chosen))
        view = loaded.position.view(min(loaded.position.turn))
        cell = renderers.get(loaded.game.id).cells(view, rendering).get(last)
        return f":{cell.group}" if cell and cell.group else ":"


def _is(token: str, what: str) -> bool:
    return ":" in what and token.startswith(what)
