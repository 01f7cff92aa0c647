"""An evening on Telegram: the real front, and the Bot API server of the tests.

A step is a transaction, or a call as the server hears it: just before it does what is asked, or
just after, when nobody will read the answer any more. Telegram keeps what it could not deliver, so
people do everything once, and wait; whatever they wait for must come, with or without a death.
"""

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from bot.app import App
from bot.commands import Commands
from bot.fronts.telegram import Telegram, send_scheduler
from bot.settings import Settings
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import TOKEN, BotApi, Chat, Message, Person, Query
from tests.fate import AFTER, BEFORE, Fate
from tools.attack.play_telegram import shows
from tools.faults.fronts import PATIENCE, PLAY, Evening, at_a_front

__all__ = ["on_telegram"]

_SECOND = 0.004
"""How long a second takes."""
_TWICE = 2


class _Server(BotApi):
    """The server, which tells a fate of all that it is asked."""

    def __init__(self) -> None:
        super().__init__(None, second=_SECOND / 2)
        self.fate = Fate()
        self.posted: list[tuple[int, Message]] = []
        """Every message that the bot has ever sent, as it was then, and its chat."""

    async def _carry_out(self, method: str, given: dict[str, str], files: dict[str, bytes]) -> Any:
        fate, is_polling = self.fate, method == "getUpdates"
        if not is_polling:
            await fate.comes(BEFORE, f"telegram.{method}")
        done = await super()._carry_out(method, given, files)
        if not is_polling or done:
            await fate.comes(AFTER, f"telegram.{method}")
        return done

    def _post(self, chat: Chat, given: Any, content: dict[str, Any]) -> Message:
        told = super()._post(chat, given, content)
        self.posted.append((chat.id, dict(told)))
        return told


class _Telegram(Evening):
    """Two people in a group, and each of them in private."""

    name = "an evening on Telegram"
    secrets = frozenset({TOKEN.partition(":")[2]})

    def __init__(self, database: Path) -> None:
        super().__init__(database)
        self.api = _Server()
        self.queries: list[Query] = []
        self.lines: list[tuple[Chat, Message]] = []
        """Lines that are answered in words."""

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[None]:
        with mock.patch.object(send_scheduler, "SECOND", _SECOND):
            async with super()._opened():
                yield

    async def open(self) -> None:
        await self.api.start()

    async def close(self) -> None:
        await self.api.stop()

    def settings(self) -> Settings:
        telegram = {"token": TOKEN, "api_base": self.api.base}
        return Settings(database=self.database, play=PLAY, telegram=telegram)  # type: ignore[arg-type]

    def front(self, app: App, commands: Commands) -> Telegram:
        return Telegram(app, commands)

    def fated(self, fate: Fate) -> None:
        self.api.fate = fate

    async def has_died(self) -> None:
        self.api._happened()

    # --- the people -----------------------------------------------------------------------

    async def people(self) -> None:
        api = self.api
        anna = api.person(11, "Anna", username="anna")
        ben = api.person(12, "Ben", username="benni", language="de")
        group = api.group(-100, "Garden")
        await self._asks(anna, group, "/help")
        anna.starts()
        await self._until(lambda: self._ours(anna.private) or self.deaths)
        # A challenge in a group, taken, played, given up.
        anna.says(group, "/othello new black")
        await self._press(ben, group, "accept:1")
        await self._press(anna, group, "step:1:2:d3")
        await self._press(ben, group, "step:1:3:c3")
        anna.says(group, "/othello c4")
        await self._shown(group, 1, 5)
        ben.says(group, "/board")
        await self._asks(ben, group, "/settings pings always")
        await self._press(anna, group, "step:1:5:", is_refused=True)
        await self._press(ben, group, "resign:1:5")
        await self._until(lambda: self._is_asked(group) or self.deaths)
        if not self._is_asked(group):
            # The question was lost, as any answer in words.
            await self.settled()
            await self._press(ben, group, "resign:1:5")
        await self._press(ben, group, "resign:1:5:yes")
        await self._shown(group, 1, 6)
        # Hidden stones, alone.
        anna.says(anna.private, "/blackbox new")
        await self._press(anna, anna.private, "step:2:1:")
        await self._press(anna, anna.private, "step:2:2:")
        await self._shown(anna.private, 2, 3)
        # A challenge to somebody, who does not want.
        ben.starts()
        await self._until(lambda: self._ours(ben.private) or self.deaths)
        anna.says(group, "/sogo @benni")
        await self._press(ben, group, "decline:3")
        await self._asks(ben, group, "/leaderboard")

    def _is_asked(self, chat: Chat) -> bool:
        """Is somebody asked whether they want to give up?"""
        return any(tokens(one, "resign:1:5:yes") for one in self._ours(chat))

    async def _until(self, holds: Any) -> Any:
        return await self.api.until(holds, seconds=PATIENCE)

    def _ours(self, chat: Chat) -> list[Message]:
        return [one for one in chat.messages.values() if one["from"]["is_bot"]]

    async def _asks(self, person: Person, chat: Chat, line: str) -> None:
        """Type what is answered in words: the answer comes, unless the house dies over it."""
        message = person.says(chat, line)
        self.lines.append((chat, message))
        await self._until(lambda: self._answers(chat, message) or self.deaths)

    def _answers(self, chat: Chat, line: Message) -> list[Message]:
        """What was said because of a line."""
        return [
            one
            for number, one in self.api.posted
            if number == chat.id
            and one.get("reply_to_message", {}).get("message_id") == line["message_id"]
        ]

    async def _press(
        self, person: Person, chat: Chat, token: str, *, is_refused: bool = False
    ) -> None:
        """Press the newest button of this kind, as soon as there is one."""
        kind, _, rest = token.partition(":")
        loud = kind == "step" and rest.endswith(":") and not is_refused

        def found() -> tuple[Message, str] | None:
            for message in sorted(self._ours(chat), key=_number, reverse=True):
                for one in tokens(message, kind, loud=loud):
                    if one.startswith(token):
                        return message, one
            return None

        message, pressed = await self._until(found)
        query = person.sends(chat, message, pressed)
        self.queries.append(query)
        await self._until(query.answered.is_set)
        # What was done before a death is only answered after it.
        if query.alert != is_refused and not self.deaths:
            raise AssertionError(f"{pressed} of {person.name}: {query.text!r}")

    async def _shown(self, chat: Chat, match: int, version: int) -> None:
        await self._until(lambda: any(shows(one) >= (match, version) for one in self._ours(chat)))

    # --- what must hold -------------------------------------------------------------------

    def found(self, doubles: Counter[str]) -> Iterator[str]:
        yield from (f"Telegram's rules are kept: {one}" for one in self.api.problems)
        if (stored := self.stored_moves()) != {1: 3, 2: 2}:
            yield f"every move is stored, once: {stored}"
        if not all(query.answered.is_set() for query in self.queries):
            yield "every press is answered"
        yield from self._boards_found(doubles)
        yield from self._said_found(doubles)
        if not self.deaths:
            yield from (f"nothing is doubled without a death: {one}" for one in doubles)

    def _boards_found(self, doubles: Counter[str]) -> Iterator[str]:
        known = self.boards()
        for chat, message, match, version in known:
            shown = self.api.chats[int(chat)].messages.get(int(message or 0))
            if shown is None or shows(shown) not in ((0, 0), (match, version)):
                about = shown and shows(shown)
                yield f"boards are current: match {match} at {version} in {chat} is {about}"
        ours = {(chat, str(message)) for chat, message, *_ in known}
        for place in self.api.chats.values():
            for board in self.api.boards(place):
                if (str(place.id), str(board["message_id"])) not in ours:
                    doubles["telegram: a board that nobody knows of"] += 1

    def _said_found(self, doubles: Counter[str]) -> Iterator[str]:
        said = Counter(
            (chat, one["text"], _number(told := one["reply_to_message"]), shows(told))
            for chat, one in self.api.posted
            if "reply_to_message" in one and "text" in one
        )
        for what, number in said.items():
            if number == _TWICE:
                doubles["telegram: an answer or a call said twice"] += 1
            elif number > _TWICE:
                yield f"nothing is said more than twice: {what}"
        for place, line in self.lines:
            if not self._answers(place, line):
                doubles["telegram: an answer in words is lost"] += 1


def _number(message: Message) -> int:
    return int(message["message_id"])


on_telegram = at_a_front(_Telegram)
