"""Users on Discord who play one match after another in the simulated channel."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any

from tests.bot.fronts.discord.standin import CHANNEL, Asked, StandIn
from tools.attack.history import History, StuckError, chosen, in_turn, parse_token, within
from tools.attack.page import Gone
from tools.attack.records import Move

__all__ = ["DiscordGame", "Message", "Wire", "doubled", "tokens"]

_ADVANCES_WITHIN = 5.0
"""Seconds until a board advances or a refusal comes."""
_SLASH = 2
_COMPONENT, _SELECT, _DEFERRED = 2, 3, 6

Message = dict[str, Any]
Widget = tuple[str, dict[str, Any]]
"""A custom id, and what is sent with it."""


def tokens(message: Message) -> dict[str, Widget]:
    """Return what can be pressed on a message: the token of each button and each option."""
    return dict(_pressable(message["components"]))


def _pressable(components: list[dict[str, Any]]) -> Iterator[tuple[str, Widget]]:
    for one in components:
        yield from _pressable(one.get("components", []))
        custom_id = one.get("custom_id", "")
        if one["type"] == _COMPONENT and custom_id and not one.get("disabled"):
            yield custom_id.split(":", 2)[2], (custom_id, {})
        for option in one.get("options", ()):
            given = {"component_type": _SELECT, "values": [option["value"]]}
            yield option["value"], (custom_id, given)


def _starting(message: Message, verb: str) -> list[str]:
    return [token for token in tokens(message) if token.startswith(f"{verb}:")]


class Wire(StandIn):
    """A Discord that records when each message was posted."""

    def __init__(self, *, shards: int = 1) -> None:
        super().__init__(shards=shards)
        self.posted: dict[int, float] = {}

    async def ready(self, *, after: int = 0) -> None:
        """Wait until the bot has identified more than `after` times, and answers."""
        await self.until(lambda: self.seen["op 2"] > after, timeout=60)
        data = {"id": "1", "name": "help", "type": 1, "options": [], "resolved": {}}
        async with asyncio.timeout(60):
            while True:
                # Commands before it is ready are lost.
                asked = await self._ask(_SLASH, 1, CHANNEL, data, None)
                with suppress(TimeoutError):
                    await self.until(asked.done.is_set, timeout=2)
                    return

    def _post(self, channel: int, body: Any, files: dict[str, bytes]) -> Message:
        message = super()._post(channel, body, files)
        self.posted.setdefault(int(message["id"]), monotonic())
        return message


def _boards(standin: StandIn) -> Iterator[tuple[Message, str]]:
    """Yield the public messages that show a match, each with a token of its newest version."""
    for message in standin.boards(CHANNEL):
        named = [token for token in tokens(message) if parse_token(token)[0]]
        if named:
            yield message, max(named, key=lambda token: parse_token(token)[1])


def doubled(standin: Wire) -> Iterator[tuple[float, str]]:
    """Yield boards that exist twice, and when the first was posted."""
    first: dict[int, int] = {}
    for message, token in _boards(standin):
        match, number = parse_token(token)[0], int(message["id"])
        before = first.setdefault(match, number)
        if before != number:
            yield standin.posted[before], f"board of match {match}"


@dataclass
class DiscordGame:
    """One user or two in the channel."""

    history: History
    standin: Wire
    game: str
    people: tuple[int, ...]
    luck: Random
    gone: asyncio.Event
    """Set when the bot was killed."""
    match: int = 0
    last: int = 0
    """The last user who moved."""
    unanswered: tuple[int, str] | None = None
    _pressed: set[Move] = field(default_factory=set)
    """What was pressed at the last version."""

    async def play(self) -> None:
        """Play on and on. Raises `Gone` when the bot is gone."""
        while True:
            await self.move()

    def boards(self) -> dict[int, Message]:
        """Return the boards of this game by their matches."""
        return {
            parse_token(token)[0]: found
            for found, token in _boards(self.standin)
            if tokens(found)[token][0].split(":")[1] == self.game
        }

    def board(self) -> tuple[int, Message] | None:
        """Return the version and the board of this match."""
        shown = [
            (parse_token(token)[1], found)
            for found, token in _boards(self.standin)
            if parse_token(token)[0] == self.match
        ]
        return max(shown, key=lambda one: one[0], default=None)

    async def sees(self, version: int, *, seconds: float | None = None) -> Message:
        """Return the board when it shows at least this version. Raises TimeoutError."""

        def shown() -> Message | None:
            found = self.board()
            return found[1] if found is not None and found[0] >= version else None

        message: Message = await self._until(shown, seconds)
        return message

    async def _until(self, holds: Any, seconds: float | None = None) -> Any:
        def either() -> Any:
            return self.gone.is_set() or holds()

        found = await self.standin.until(either, timeout=seconds or self.history.patience)
        if self.gone.is_set():
            raise Gone("the bot is gone")
        return found

    async def move(self) -> None:
        """Challenge, accept or move, whatever is next."""
        shown = self.board() if self.match else None
        if shown is None or _starting(shown[1], "again"):
            await self._start()
            return
        message = await self.sees(self.history.newest.get(self.match, 1))
        if _starting(message, "again"):
            return
        if accept := _starting(message, "accept"):
            await self._ask(self.people[-1], message, tokens(message)[accept[0]])
            await self.sees(2)
            return
        if not _starting(message, "step"):
            raise StuckError(f"there is nothing to choose in match {self.match} on Discord")
        for person in in_turn(self.people, self.last):
            # A move from before a kill may have appeared.
            steps = _starting(message, "step")
            if not steps or await self._press(person, message, chosen(steps, self.luck)):
                return

    async def _start(self) -> None:
        before, first = self.boards(), self.people[0]
        newest = max(before, default=0)
        if newest > self.match and not _starting(before[newest], "again"):
            # Started before a kill, without an answer.
            self.match = newest
            return
        given: dict[str, Any] = {"move": "new"}
        if len(self.people) > 1:
            given |= {"user": self.people[1], "people": self.people[1:]}
        asked = await self._done(await self.standin.slash(first, self.game, **given))

        def started() -> int:
            return max(set(self.boards()) - set(before), default=0)

        def places() -> list[tuple[Message, Widget]]:
            """Return the buttons by which the bot asks where to play alone."""
            answers = [self._message(reply) for reply in asked.replies]
            return [
                (answer, tokens(answer)[token])
                for answer in answers
                for token in _starting(answer, "start")
            ]

        await self._until(lambda: started() or places())
        if not started():
            await self._ask(first, *places()[0])
        self.match = await self._until(started)

    def _message(self, number: int) -> Message:
        return self.standin.messages.get(number, {"components": []})

    async def _press(self, person: int, message: Message, token: str) -> bool:
        """Press until the move is whole, and return whether this user may move."""
        shown = message
        while True:
            move = parse_token(token)
            self.history.attempt(move)
            self._pressed = {one for one in self._pressed if one[:2] == move[:2]} | {move}
            self.unanswered = (person, token)
            asked = await self._ask(person, shown, tokens(shown)[token], version=move[1])
            shown = self._message(asked.replies[-1]) if asked.replies else message
            longer = [one for one in _starting(shown, "step") if one.startswith(f"{token}.")]
            if not longer:
                break
            token = self.luck.choice(longer)
        if asked.replies and (sure := _starting(shown, "sure")):
            asked = await self._ask(person, shown, tokens(shown)[sure[0]], version=move[1])
        self.unanswered = None
        if asked.is_answered or asked.kind != _DEFERRED:
            return False
        self.last = person
        if all(f"{move[2]}.".startswith(f"{one[2]}.") for one in self._pressed):
            self.history.confirm(move, "Discord")
        else:
            # Another press at this version may be why the board advanced.
            self.history.report.count("moves without a sure confirmation, Discord")
        return True

    async def _ask(
        self, person: int, message: Message, widget: Widget, *, version: int | None = None
    ) -> Asked:
        """Press, and wait for an answer or for a board with a higher `version`."""
        custom_id, given = widget
        asked = await self._done(await self.standin.press(person, message, custom_id, **given))
        if version is not None and asked.kind == _DEFERRED:

            def advanced() -> bool:
                found = self.board()
                return found is not None and found[0] > version

            limit = within(max(_ADVANCES_WITHIN, self.history.current_within))
            await self._until(lambda: asked.is_answered or advanced(), limit)
        return asked

    async def _done(self, asked: Asked) -> Asked:
        await self._until(asked.done.is_set)
        return asked

    # --- after a kill ---------------------------------------------------------------------

    async def resume(self) -> None:
        """Check that the board is current in time, and repeat an interrupted press."""
        await self.check_boards()
        shown = self.board()
        if self.unanswered is None or shown is None:
            return
        person, token = self.unanswered
        self.unanswered = None
        if token in tokens(shown[1]):
            await self._press(person, shown[1], token)
            self.history.report.count("interrupted presses repeated, Discord")

    async def check_boards(self) -> None:
        """Check that the board shows at least the confirmed version."""
        limit, version = within(self.history.current_within), self.history.newest.get(self.match, 0)
        try:
            if version:
                await self.sees(version, seconds=limit)
        except TimeoutError:
            self.history.late("Discord", self.match)
