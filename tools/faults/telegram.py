"""The scenario on Telegram: the real front at the Bot API server of the tests.

A step is a transaction or a call. Telegram keeps what it could not deliver, so users do everything
once and wait for the answer, with or without a crash.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from bot.fronts.telegram import send_scheduler
from bot.fronts.telegram.front import Telegram
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import TOKEN, BotApi, Chat, Message, Person, Query
from tests.fate import AFTER, BEFORE, Fate
from tools.attack.messages import shown_on_telegram
from tools.faults.fronts import PATIENCE, FrontScenario
from tools.faults.report import Findings

_SECOND = 0.004
"""Real seconds of a second on Telegram."""
_TWICE = 2


class _Server(BotApi):
    """The server, which reports every call to a fate."""

    def __init__(self) -> None:
        super().__init__(None, second=_SECOND / 2)
        self.fate = Fate()
        self.posted: list[tuple[int, Message]] = []
        """Every message of the bot as it was sent, with its chat."""

    async def _carry_out(self, method: str, given: dict[str, str], files: dict[str, bytes]) -> Any:
        fate, is_polling = self.fate, method == "getUpdates"
        if not is_polling:
            await fate.comes(BEFORE, f"telegram.{method}")
        done = await super()._carry_out(method, given, files)
        if not is_polling or done:
            await fate.comes(AFTER, f"telegram.{method}")
        return done

    def _post(self, chat: Chat, given: Any, content: dict[str, Any]) -> Message:
        message = super()._post(chat, given, content)
        self.posted.append((chat.id, dict(message)))
        return message


class TelegramScenario(FrontScenario):
    """Two users in a group and in their private chats."""

    kind = Telegram
    standin: _Server
    secrets = frozenset({TOKEN.partition(":")[2]})

    def __init__(self, database: Path) -> None:
        super().__init__(database, _Server())
        self.queries: list[Query] = []
        self.lines: list[tuple[Chat, Message]] = []
        """Lines with an answer in text."""

    async def run(self, crash_at: int | None) -> Findings:
        with mock.patch.object(send_scheduler, "SECOND", _SECOND):
            return await super().run(crash_at)

    def platform_settings(self) -> dict[str, Any]:
        return {"telegram": {"token": TOKEN, "api_base": self.standin.base}}

    async def wake(self) -> None:
        self.standin._happened()

    # --- the users ------------------------------------------------------------------------

    async def act(self) -> None:
        api = self.standin
        anna = api.person(11, "Anna", username="anna")
        ben = api.person(12, "Ben", username="benni", language="de")
        group = api.group(-100, "Garden")
        await self._ask(anna, group, "/help")
        anna.starts()
        await self._until(lambda: self._posts(anna.private) or self.crashes)
        # A challenge in the group, to its end.
        anna.says(group, "/othello new black")
        await self._press(ben, group, "accept:1")
        await self._press(anna, group, "step:1:2:d3")
        await self._press(ben, group, "step:1:3:c3")
        anna.says(group, "/othello c4")
        await self._shown(group, 1, 5)
        ben.says(group, "/board")
        await self._ask(ben, group, "/settings pings always")
        await self._press(anna, group, "step:1:5:", is_refused=True)
        await self._press(ben, group, "resign:1:5")
        await self._until(lambda: self._has_question(group) or self.crashes)
        if not self._has_question(group):
            # A crash may lose any answer in text.
            await self.settled()
            await self._press(ben, group, "resign:1:5")
        await self._press(ben, group, "resign:1:5:yes")
        await self._shown(group, 1, 6)
        # Hidden stones, alone.
        anna.says(anna.private, "/blackbox new")
        await self._press(anna, anna.private, "step:2:1:")
        await self._press(anna, anna.private, "step:2:2:")
        await self._shown(anna.private, 2, 3)
        # A declined challenge.
        ben.starts()
        await self._until(lambda: self._posts(ben.private) or self.crashes)
        anna.says(group, "/sogo @benni")
        await self._press(ben, group, "decline:3")
        await self._ask(ben, group, "/leaderboard")

    def _has_question(self, chat: Chat) -> bool:
        return any(tokens(one, "resign:1:5:yes") for one in self._posts(chat))

    async def _until(self, holds: Any) -> Any:
        return await self.standin.until(holds, seconds=PATIENCE)

    def _posts(self, chat: Chat) -> list[Message]:
        return [one for one in chat.messages.values() if one["from"]["is_bot"]]

    async def _ask(self, person: Person, chat: Chat, line: str) -> None:
        """Type a line and wait for its answer, unless the bot crashes."""
        message = person.says(chat, line)
        self.lines.append((chat, message))
        await self._until(lambda: self._has_answer(chat, message) or self.crashes)

    def _has_answer(self, chat: Chat, line: Message) -> bool:
        return any(
            number == chat.id
            and one.get("reply_to_message", {}).get("message_id") == line["message_id"]
            for number, one in self.standin.posted
        )

    async def _press(
        self, person: Person, chat: Chat, token: str, *, is_refused: bool = False
    ) -> None:
        """Press the newest button that begins with `token`, as soon as there is one."""
        kind, _, rest = token.partition(":")
        loud = kind == "step" and rest.endswith(":") and not is_refused

        def found() -> tuple[Message, str] | None:
            for message in sorted(self._posts(chat), key=_number, reverse=True):
                for one in tokens(message, kind, loud=loud):
                    if one.startswith(token):
                        return message, one
            return None

        message, pressed = await self._until(found)
        query = person.sends(chat, message, pressed)
        self.queries.append(query)
        await self._until(query.answered.is_set)
        # After a crash, a press that was carried out before may be refused.
        if query.alert != is_refused and not self.crashes:
            raise AssertionError(f"{pressed} of {person.name}: {query.text!r}")

    async def _shown(self, chat: Chat, match: int, version: int) -> None:
        await self._until(
            lambda: any(shown_on_telegram(one) >= (match, version) for one in self._posts(chat))
        )

    # --- the invariants -------------------------------------------------------------------

    def problems(self, unavoidable: Counter[str]) -> Iterator[str]:
        yield from (f"Telegram's rules are kept: {one}" for one in self.standin.problems)
        if (stored := self.stored_moves()) != {1: 3, 2: 2}:
            yield f"every move is stored once: {stored}"
        if not all(query.answered.is_set() for query in self.queries):
            yield "every press is answered"
        yield from self._board_problems(unavoidable)
        yield from self._answer_problems(unavoidable)
        if not self.crashes:
            yield from (f"nothing is doubled without a crash: {one}" for one in unavoidable)

    def _board_problems(self, unavoidable: Counter[str]) -> Iterator[str]:
        known = self.boards()
        for chat, message, match, version in known:
            shown = self.standin.chats[int(chat)].messages.get(int(message or 0))
            if shown is None or shown_on_telegram(shown) not in ((0, 0), (match, version)):
                yield f"boards are current: match {match} is not at {version} in {chat}: {shown}"
        stored = {(chat, str(message)) for chat, message, *_ in known}
        for place in self.standin.chats.values():
            for board in self.standin.boards(place):
                if (str(place.id), str(board["message_id"])) not in stored:
                    unavoidable["telegram: a board that is not stored"] += 1

    def _answer_problems(self, unavoidable: Counter[str]) -> Iterator[str]:
        counts = Counter(
            (chat, one["text"], _number(line := one["reply_to_message"]), shown_on_telegram(line))
            for chat, one in self.standin.posted
            if "reply_to_message" in one and "text" in one
        )
        for what, number in counts.items():
            if number == _TWICE:
                unavoidable["telegram: an answer or a notification sent twice"] += 1
            elif number > _TWICE:
                yield f"nothing is sent more than twice: {what}"
        for chat, line in self.lines:
            if not self._has_answer(chat, line):
                unavoidable["telegram: an answer in text is lost"] += 1


def _number(message: Message) -> int:
    return int(message["message_id"])
