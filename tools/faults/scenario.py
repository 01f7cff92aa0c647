"""A scenario of the core: what users do, and what they know when the process dies.

Each action stays in `Scenario.pending` until it is answered. Moves with a positive answer are in
`Scenario.acknowledged`. The steps are in `tools.faults.steps`.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from bot.commands import Answer
from bot.domain.actions import Action
from bot.domain.model import Place, Status
from bot.matches import MatchState, playing
from tests.bot.seated import users
from tests.bot.table import A_MOMENT
from tools.attack.records import Move
from tools.faults.core_app import CoreApp

LAST_MOVES = 3
"""Moves of a match after `Scenario.play_nearly_all`, at least."""

Event = Callable[[CoreApp], Awaitable[None]]
"""An event that its sender repeats after a crash."""


@dataclass(frozen=True, slots=True)
class _Pending:
    """An action without an answer."""

    who: str
    what: str | Action | Event
    place: Place | None = None
    move: Move | None = None
    """The move that it makes."""


@dataclass(slots=True)
class Scenario:
    app: CoreApp
    luck: Random
    pending: list[_Pending] = field(default_factory=list)
    acknowledged: set[Move] = field(default_factory=set)
    matches: dict[str, int] = field(default_factory=dict)
    """The matches by their names in the steps."""
    repairs: list[str] = field(default_factory=list)
    """SQL by which the operator repairs a damaged file before the next start."""
    is_setup: bool = False
    """Whether no crash happens now."""

    def on(self, app: CoreApp) -> "Scenario":
        """Return a copy at this point, on another app."""
        return Scenario(
            app,
            Random(0),
            list(self.pending),
            set(self.acknowledged),
            dict(self.matches),
            list(self.repairs),
        )

    # --- actions --------------------------------------------------------------------------

    async def act(
        self,
        who: str,
        what: str | Action | Event,
        *,
        place: Place | None = None,
        move: Move | None = None,
        settles: bool = True,
    ) -> Answer:
        """Type a line, press a button or send an event; return the answer."""
        pending = _Pending(who, what, place, move)
        self.pending.append(pending)
        answer = await self.repeat(pending)
        self.pending.remove(pending)
        if settles:
            await self.app.settle()
        return answer

    async def repeat(self, pending: _Pending) -> Answer:
        """Do it, perhaps once more after a crash."""
        what, move = pending.what, pending.move
        if not isinstance(what, str | Action):
            await what(self.app)
            return Answer()
        user = self.app.people[pending.who]
        if isinstance(what, Action):
            answer = await user.presses(what, place=pending.place)
        else:
            answer = await user.types(what, place=pending.place)
        if move and not answer.refused and answer.private is None:
            self.acknowledged.add(move)
        return answer

    async def press(self, who: str, verb: str, name: str, argument: str = "") -> Answer:
        """Press a button of a match at its current version."""
        loaded = await self.loaded(name)
        return await self.act(who, Action(verb, loaded.match.id, loaded.match.version, argument))

    async def start(self, name: str, who: str, line: str, *, place: Place | None = None) -> None:
        """Start a match or challenge a user, and call the match `name`."""
        answer = await self.act(who, line, place=place, settles=False)
        assert not answer.refused, answer
        self.matches[name] = await self.app.newest(place or self.app.people[who].place)
        await self.app.settle()

    async def start_between(self, name: str, first: str, second: str, line: str) -> None:
        """Start a match of two users; `line` may contain ``@`` for the name of the second."""
        await self.start(name, first, line.replace("@", f"@{second}"))
        await self.press(second, "accept", name)

    # --- moves ----------------------------------------------------------------------------

    async def play(
        self, name: str, number: int = 1, *, typed: bool = False, place: Place | None = None
    ) -> None:
        """Make legal moves for the players to move."""
        for _ in range(number):
            loaded = await self.loaded(name)
            if loaded.match.status is not Status.RUNNING:
                return
            await self.move(loaded, typed=typed, place=place)
            await self.app.settle()

    async def move(
        self, loaded: MatchState, *, typed: bool = False, place: Place | None = None
    ) -> None:
        """Make a legal move for the player to move, unless that is a computer."""
        match, game, seat = loaded.match, loaded.game, min(loaded.turn)
        user = match.user_at(seat)
        if user is None:
            return
        who = next(name for name, one in self.app.people.items() if one.id == user)
        move = self._legal_move(loaded, seat)
        known = (match.id, match.version, ".".join(game.steps(move)))
        what: str | Action = Action("step", *known)
        if typed or game.is_secret(move):
            what = f"/{game.id} {game.notation(move)}"
        if game.is_secret(move):
            place = self.app.people[who].direct
        await self.act(who, what, place=place, move=known, settles=False)

    def _legal_move(self, loaded: MatchState, seat: int) -> Any:
        """Return a legal move that needs no confirmation."""
        position, game = loaded.position, loaded.game
        assert position is not None
        moves = list(position.moves(seat))
        self.luck.shuffle(moves)
        view = position.view(seat)
        return next(move for move in moves if game.caution(view, seat, move) is None)

    async def play_nearly_all(self, name: str) -> None:
        """Play a match until shortly before its end, without crashes."""
        loaded = await self.loaded(name)
        record, position = [], loaded.position
        assert position is not None
        while position.outcome() is None:
            if (forced := position.forced()) is not None:
                position = position.play(*forced)
                continue
            seat = min(position.turn)
            move = self.luck.choice(position.moves(seat))
            record.append((users(loaded.match)[seat], loaded.game.notation(move)))
            position = position.play(seat, move)
        self.is_setup = True
        for user, notation in record[:-LAST_MOVES]:
            await playing.play(self.app.app.matches, loaded.match.id, user, notation, sure=True)
        await self.app.settle()
        self.is_setup = False

    # --- time and matches -----------------------------------------------------------------

    async def wait(self, seconds: float = A_MOMENT) -> None:
        """Let time pass and do what is due."""
        self.app.clock.forward(seconds)
        await self.app.settle()

    async def loaded(self, name: str) -> MatchState:
        return await self.app.loaded(self.matches[name])
