"""The paired bots on Discord: all in one channel, the hider's board private."""

import hashlib
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

from tests.bot.fronts.discord.standin import CHANNEL, TOKEN, Asked, StandIn
from tools.attack.messages import Message, shown_on_discord, until_ready
from tools.attack.process import App
from tools.attack.report import Report
from tools.attack.worlds import Bot, Notes

_IDS = {"Anna": 1001, "Ben": 1002, "Cleo": 1003}
_COMPLETION, _PROMISED = 4, 5
_PATIENCE = 20.0
_OPTIONS = {"blackbox": "move", "moves": "match", "resign": "match", "leaderboard": "game"}


@asynccontextmanager
async def open_discord(report: Report, folder: Path, notes: Notes) -> AsyncIterator[Bot]:
    standin = _RecordingStandIn(notes)
    standin.in_time = _PATIENCE
    await standin.start()
    settings = {
        "DISCORD__TOKEN": TOKEN,
        "DISCORD__API_BASE": standin.api_base,
        "DISCORD__GATEWAY": standin.gateway,
    }
    try:
        # With so much patience, every answer is the first one, and both bots keep step.
        async with App(folder, settings, patience=_PATIENCE).running() as app:
            await until_ready(standin)
            yield _DiscordBot(app, notes, standin)
    finally:
        await standin.stop()
    report.all_broken("Discord's rules are kept", standin.problems)


def _without_ids(what: Any) -> Any:
    """Leave out message ids: they count earlier messages."""
    return json.loads(re.sub(r"\d{15,}", "0", json.dumps(what)))


class _RecordingStandIn(StandIn):
    """Records everything that the bot sends to the channel, not what it sends to the hider."""

    def __init__(self, notes: Notes) -> None:
        super().__init__()
        self.notes = notes

    async def _answer(
        self, method: str, path: list[str], body: Any, files: dict[str, bytes]
    ) -> tuple[int, Any]:
        is_public = path[0] == "channels" and path[1] != str(_IDS["Ben"] * 10)
        if is_public and method in ("POST", "PATCH"):
            hashes = sorted(hashlib.sha256(data).hexdigest() for data in files.values())
            # References and nonces count earlier messages.
            kept = {key: body[key] for key in body if "reference" not in key and key != "nonce"}
            self.notes.keep("Discord", _without_ids([method, path, kept, hashes]))
        return await super()._answer(method, path, body, files)


class _DiscordBot(Bot):
    HAS_PRIVATE: ClassVar = False

    def __init__(self, app: App, notes: Notes, standin: StandIn) -> None:
        super().__init__(app, notes)
        self.standin = standin

    async def challenge(self) -> None:
        ben = _IDS["Ben"]
        given: dict[str, Any] = {"user": ben, "people": (ben,), "mode": "hide", "side": "first"}
        await self._done(await self.standin.slash(_IDS["Anna"], "blackbox", move="new", **given))
        self.version = 1
        self.match, _ = shown_on_discord(await self._message())
        await self.press("Ben", f"accept:{self.match}:1:")
        self.version = 2
        await self._message()

    async def press(self, name: str, token: str, *, private: bool = False) -> Any:
        custom_id = f"az:blackbox:{token}"
        button = {"type": 2, "style": 2, "label": "x", "custom_id": custom_id, "id": 99}
        board = await self._message()
        row = {"type": 1, "components": [button], "id": 98}
        forged = {**board, "components": [*board["components"], row]}
        return await self._done(await self.standin.press(_IDS[name], forged, custom_id))

    async def type(self, name: str, line: str, *, private: bool = False) -> Any:
        command, _, words = line.partition(" ")
        given: dict[str, Any] = {_OPTIONS[command]: words} if words and command in _OPTIONS else {}
        if command == "stats":
            given = {"user": _IDS["Ben"], "people": (_IDS["Ben"],)}
        return await self._done(await self.standin.slash(_IDS[name], command, **given))

    async def complete(self, name: str) -> None:
        for typed in ("", "h", "hide ", "unhide "):
            option = {"name": "move", "type": 3, "value": typed, "focused": True}
            data = {"id": "1", "name": "blackbox", "type": 1, "options": [option]}
            await self._done(await self.standin._ask(_COMPLETION, _IDS[name], CHANNEL, data, None))

    async def board(self) -> Any:
        return _without_ids((await self._message())["components"])

    async def _message(self) -> Message:
        def shown() -> Message | None:
            for message in self.standin.boards(CHANNEL):
                if shown_on_discord(message)[1] >= self.version:
                    return message
            return None

        found: Message = await self.standin.until(shown, timeout=_PATIENCE)
        return found

    async def _done(self, asked: Asked) -> Any:
        await self.standin.until(asked.done.is_set, timeout=_PATIENCE)
        assert asked.kind != _PROMISED, asked
        replies = [self.standin.messages.get(number, {}) for number in asked.replies]
        return _without_ids([reply.get("components") for reply in replies])
