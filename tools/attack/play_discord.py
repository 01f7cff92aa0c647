"""People on Discord who play one match after the other, at the strict stand-in over the wire."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any

from tests.bot.fronts.discord.standin import CHANNEL, Asked, StandIn
from tools.attack.ledger import Move
from tools.attack.page import Gone
from tools.attack.play import in_turn, late, taken
from tools.attack.story import Story, StuckError, meant, within

__all__ = ["DiscordGame", "Wire", "doubled", "tokens"]

_PROMPT = 0.5
"""A press that is acknowledged sooner than this was done before: later the house says only that
an answer will come (0.6 s)."""
_DOUBT = 5.0
"""Seconds in which a board goes on, or somebody is told why it does not."""
_SLASH = 2
_COMPONENT, _SELECT, _DEFERRED = 2, 3, 6

Message = dict[str, Any]
Widget = tuple[str, dict[str, Any]]
"""A custom id, and what is sent with it."""


def tokens(message: Message) -> dict[str, Widget]:
    """What could be pressed on a message: the token of each button and each option."""
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


class Wire(StandIn):
    """The stand-in, with a memory for when each message was posted."""

    def __init__(self, *, shards: int = 1) -> None:
        super().__init__(shards=shards)
        self.posted: dict[int, float] = {}

    async def ready(self, *, after: int = 0) -> None:
        """Wait until the bot has come (once more than `after` times) and answers."""
        await self.until(lambda: self.seen["op 2"] > after, timeout=60)
        data = {"id": "1", "name": "help", "type": 1, "options": [], "resolved": {}}
        async with asyncio.timeout(60):
            while True:
                # What comes before it is ready is lost, as in earnest.
                asked = await self._ask(_SLASH, 1, CHANNEL, data, None)
                with suppress(TimeoutError):
                    await self.until(asked.done.is_set, timeout=2)
                    return

    def _post(self, channel: int, body: Any, files: dict[str, bytes]) -> Message:
        message = super()._post(channel, body, files)
        self.posted.setdefault(int(message["id"]), monotonic())
        return message


def doubled(standin: Wire) -> Iterator[tuple[float, str]]:
    """Boards that stand there twice: when the first of them was posted, and what it is."""
    first: dict[int, int] = {}
    for message, token in _boards(standin):
        match, number = meant(token)[0], int(message["id"])
        before = first.setdefault(match, number)
        if before != number:
            yield standin.posted[before], f"board of match {match}"


@dataclass
class DiscordGame:
    """Two people, or one, in the stand-in's channel."""

    story: Story
    standin: Wire
    game: str
    people: tuple[int, ...]
    luck: Random
    gone: asyncio.Event
    """Set when the house has been killed."""
    match: int = 0
    last: int = 0
    """Who made the last move."""
    unanswered: tuple[int, str] | None = None
    _pressed: set[Move] = field(default_factory=set)
    """What was pressed at the version at which something was pressed last."""

    async def play(self) -> None:
        """Play on and on. Raises `Gone` when the house is gone."""
        while True:
            await self.move()

    # --- what is there --------------------------------------------------------------------

    def boards(self) -> dict[int, Message]:
        """The messages that show a match of this game, by its number: nobody else plays it."""
        return {
            meant(token)[0]: found
            for found, token in _boards(self.standin)
            if tokens(found)[token][0].split(":")[1] == self.game
        }

    def board(self) -> tuple[int, Message] | None:
        """The newest version of this match that a board shows, and the message."""
        shown = [
            (meant(token)[1], found)
            for found, token in _boards(self.standin)
            if meant(token)[0] == self.match
        ]
        return max(shown, key=lambda one: one[0], default=None)

    async def sees(self, version: int, *, seconds: float | None = None) -> Message:
        """The board once it shows at least this version. Raises TimeoutError."""

        def shown() -> Message | None:
            found = self.board()
            return found[1] if found is not None and found[0] >= version else None

        message: Message = await self._until(shown, seconds)
        return message

    async def _until(self, holds: Any, seconds: float | None = None) -> Any:
        def either() -> Any:
            return self.gone.is_set() or holds()

        found = await self.standin.until(either, timeout=seconds or self.story.patience)
        if self.gone.is_set():
            raise Gone("the house is gone")
        return found

    # --- one move -------------------------------------------------------------------------

    async def move(self) -> None:
        """Whatever comes next: a challenge, its acceptance, a move."""
        shown = self.board() if self.match else None
        if shown is None or any(token.startswith("again:") for token in tokens(shown[1])):
            await self._begin()
            return
        message = await self.sees(self.story.newest.get(self.match, 1))
        offered = tokens(message)
        if any(token.startswith("again:") for token in offered):
            return
        accept = [token for token in offered if token.startswith("accept:")]
        if accept:
            asked = await self._ask(self.people[-1], message, offered[accept[0]])
            # A late one only says that an answer will come: it may have been before the commit.
            is_sure = asked.seconds < _PROMPT and not self.story.is_in_doubt
            if asked.kind == _DEFERRED and is_sure:
                self.story.newest[self.match] = max(2, self.story.newest.get(self.match, 0))
            await self.sees(2)
            return
        await self._choose(message)

    async def _begin(self) -> None:
        before, first = self.boards(), self.people[0]
        newest = max(before, default=0)
        if newest > self.match and not any(
            one.startswith("again:") for one in tokens(before[newest])
        ):
            # Begun before a kill, which nobody was told: another one would not be begun beside it.
            self.match = newest
            return
        given: dict[str, Any] = {"move": "new"}
        if len(self.people) > 1:
            given |= {"user": self.people[1], "people": self.people[1:]}
        asked = await self._done(await self.standin.slash(first, self.game, **given))
        if not asked.kind:
            raise Gone("not acknowledged")

        def begun() -> int:
            return max(set(self.boards()) - set(before), default=0)

        def where() -> list[tuple[Message, Widget]]:
            """Where to play alone is asked; the answer may be a late one."""
            answers = [self._message(reply) for reply in asked.replies]
            offered = [(answer, *each) for answer in answers for each in tokens(answer).items()]
            return [(answer, widget) for answer, token, widget in offered if token[:6] == "start:"]

        await self._until(lambda: begun() or where())
        if not begun():
            await self._ask(first, *where()[0])
        self.match = await self._until(begun)
        self.story.report.count("matches begun, Discord")

    def _message(self, number: int) -> Message:
        return self.standin.messages.get(number, {"components": []})

    async def _choose(self, message: Message) -> None:
        if not _steps(message):
            raise StuckError(f"there is nothing to choose in match {self.match} on Discord")
        for person in in_turn(self.people, self.last):
            # Meanwhile it may show a move that was made before a kill, and that nobody was told of.
            steps = _steps(message)
            if not steps or await self._press(person, message, taken(steps, self.luck)):
                return

    async def _press(self, person: int, message: Message, token: str) -> bool:
        """Press, and go on until the move is whole; gives whether this person may move."""
        move = meant(token)
        self._presses(move)
        self.unanswered = (person, token)
        asked = await self._ask(person, message, tokens(message)[token])
        while True:
            shown = self._message(asked.replies[-1]) if asked.replies else message
            longer = [one for one in _steps(shown) if one.startswith(f"{token}.")]
            sure = [one for one in tokens(shown) if one.startswith("sure:")]
            if longer:
                token = self.luck.choice(longer)
                move = meant(token)
                self._presses(move)
                self.unanswered = (person, token)
                asked = await self._ask(person, shown, tokens(shown)[token])
            elif sure and asked.replies:
                # Said with the notation; the move is what was pressed first.
                asked = await self._ask(person, shown, tokens(shown)[sure[0]])
            else:
                break
        self.unanswered = None
        if asked.is_answered or asked.kind != _DEFERRED:
            return False
        if not await self._is_followed(asked, move):
            return False
        self.last = person
        if asked.seconds < _PROMPT and not self._may_be_another(move):
            self.story.yes(move, "Discord")
        else:
            self.story.report.count("moves without a word, Discord")
        return True

    def _presses(self, move: Move) -> None:
        self.story.tries(move)
        self._pressed = {one for one in self._pressed if one[:2] == move[:2]} | {move}

    def _may_be_another(self, move: Move) -> bool:
        """May another press of ours at this version be why the board has gone on?"""
        return any(not f"{move[2]}.".startswith(f"{one[2]}.") for one in self._pressed)

    async def _is_followed(self, asked: Asked, move: Move) -> bool:
        """Has the board gone on? Where the database may be away, an apology can follow a nod."""
        if not self.story.is_in_doubt:
            return True
        await self._comes_of(asked, move[1])
        with suppress(TimeoutError):
            await self._until(lambda: asked.is_answered, 1.0)
        return not asked.is_answered

    async def _ask(self, person: int, message: Message, widget: Widget) -> Asked:
        """Press, and wait for what comes of it. Raises TimeoutError where nothing does."""
        custom_id, given = widget
        asked = await self._done(await self.standin.press(person, message, custom_id, **given))
        if given and asked.kind == _DEFERRED:
            # A select is let go of first, whatever is said after that.
            is_in_doubt = self.story.is_in_doubt
            try:
                await self._comes_of(asked, meant(given["values"][0])[1])
            except TimeoutError:
                if not (is_in_doubt or self.story.is_in_doubt):
                    chosen = f"Discord: {given['values'][0]}"
                    self.story.report.broken("something comes of what is chosen", chosen)
                raise
        return asked

    async def _comes_of(self, asked: Asked, version: int) -> None:
        """Wait until something is said, or the board shows more than this version."""

        def gone_on() -> bool:
            found = self.board()
            return found is not None and found[0] > version

        limit = within(max(_DOUBT, self.story.current_within))
        await self._until(lambda: asked.is_answered or gone_on(), limit)

    async def _done(self, asked: Asked) -> Asked:
        """Wait for the acknowledgement, and for the answer that was promised."""
        await self._until(asked.done.is_set)
        if asked.kind == _DEFERRED and asked.seconds >= _PROMPT:
            # An answer may still come; a board that goes on says the same.
            try:
                await self._until(lambda: asked.is_answered, 1.0)
            except TimeoutError:
                return asked
        return asked

    # --- after a kill ---------------------------------------------------------------------

    async def come_back(self) -> None:
        """The board must be current in time, and the button that was pressed is harmless."""
        await self.rendering()
        if self.unanswered is None or not (shown := self.board()):
            return
        person, token = self.unanswered
        self.unanswered = None
        if token not in tokens(shown[1]):
            self.story.report.count("old buttons refused, Discord")
            return
        went = await self._press(person, shown[1], token)
        count = "that went on" if went else "refused"
        self.story.report.count(f"old buttons {count}, Discord")

    async def rendering(self) -> None:
        version, limit = self.story.newest.get(self.match, 0), within(self.story.current_within)
        try:
            if version:
                await self.sees(version, seconds=limit)
        except TimeoutError:
            late(self.story, "Discord", match=self.match, version=version, limit=limit)


def _steps(message: Message) -> list[str]:
    return [token for token in tokens(message) if token.startswith("step:")]


def _boards(standin: StandIn) -> Iterator[tuple[Message, str]]:
    """The public messages that show a match, and a token of each that names it."""
    for message in standin.boards(CHANNEL):
        named = [token for token in tokens(message) if meant(token)[0]]
        if named:
            yield message, max(named, key=lambda token: meant(token)[1])
