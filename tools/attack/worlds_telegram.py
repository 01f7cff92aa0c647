"""The paired bots on Telegram: a seeker and a spectator in a group, the hider in private."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import TOKEN, BotApi, Message
from tests.bot.fronts.telegram.spec import Spec
from tools.attack.messages import shown_on_telegram
from tools.attack.process import App
from tools.attack.report import Report
from tools.attack.worlds import BOXES, Bot, Notes

_SECOND = 0.01
"""The length of Telegram's seconds here: a group takes only 20 messages a minute."""
_PATIENCE = 20.0
_BEN = 12
_COUNTERS = ("message_id", "reply_parameters", "callback_query_id")
"""Not compared: they count earlier messages."""


@asynccontextmanager
async def open_telegram(report: Report, folder: Path, notes: Notes) -> AsyncIterator[Bot]:
    api = _RecordingApi(notes)
    await api.start()
    settings = {"WEB__ENABLED": "true", "TELEGRAM__TOKEN": TOKEN, "TELEGRAM__API_BASE": api.base}
    try:
        async with App(folder, settings, second=_SECOND).running() as app:
            yield _TelegramBot(app, notes, api)
    finally:
        await api.stop()
    report.all_broken("Telegram's rules are kept", api.problems)


class _RecordingApi(BotApi):
    """Records everything that the bot sends to others than the hider."""

    def __init__(self, notes: Notes) -> None:
        super().__init__(Spec.read(), second=_SECOND / 2)
        self.notes = notes
        self.answers: dict[tuple[int, int], list[dict[str, Any]]] = {}
        """Calls by the chat and message that they answer."""

    async def _carry_out(self, method: str, given: dict[str, str], files: dict[str, bytes]) -> Any:
        to_ben = str(_BEN) in (given.get("chat_id"), given.get("user_id"))
        if not to_ben and method not in ("getUpdates", "answerCallbackQuery", "deleteMessage"):
            call = _comparable(method, given, files)
            # A board is brought up to date: it may skip a version.
            self.notes.keep("Telegram", call, about=_about(given))
            self.answers.setdefault(_answered(method, given), []).append(call)
        return await super()._carry_out(method, given, files)


def _answered(method: str, given: dict[str, str]) -> tuple[int, int]:
    if "reply_parameters" in given:
        return int(given["chat_id"]), int(json.loads(given["reply_parameters"])["message_id"])
    if method == "setMessageReaction":
        return int(given["chat_id"]), int(given["message_id"])
    return 0, 0


def _about(given: dict[str, str]) -> str:
    match, version = shown_on_telegram(
        {"reply_markup": json.loads(given.get("reply_markup", "{}"))}
    )
    return f"match {match} at {version} in {given['chat_id']}" if match else ""


def _comparable(method: str, given: dict[str, str], files: dict[str, bytes]) -> dict[str, Any]:
    """Return a call without counters, its attachments by their hashes."""
    kept: dict[str, Any] = {key: value for key, value in given.items() if key not in _COUNTERS}
    names = {f"attach://{name}": sha256(data).hexdigest() for name, data in files.items()}
    for key in ("photo", "document"):
        if key in kept:
            kept[key] = names.get(kept[key], kept[key])
    if "media" in kept:
        media = json.loads(kept["media"])
        kept["media"] = {**media, "media": names.get(media["media"], media["media"])}
    return {"method": method, "given": kept, "files": sorted(names.values())}


class _TelegramBot(Bot):
    # Keyboard pages that are never offered, each with a cell chosen on it.
    FORGED = (*Bot.FORGED, *(f"tab:{{match}}:{{now}}:.{cell}" for box in BOXES for cell in box))

    def __init__(self, app: App, notes: Notes, api: _RecordingApi) -> None:
        super().__init__(app, notes)
        self.api = api
        names = {11: "Anna", _BEN: "Ben", 13: "Cleo"}
        self.people = {
            name: api.person(number, name, username=f"{name.lower()}_x")
            for number, name in names.items()
        }
        self.group = api.group(-100, "Garden")

    async def challenge(self) -> None:
        await self.api.until(lambda: self.api.fetches, seconds=60)
        for person in self.people.values():
            person.starts()
            await self._until(partial(self.api.texts, person.private))
        self.people["Anna"].says(self.group, "/blackbox @ben_x hide first")
        await self._until(lambda: tokens(self.group.newest(), "accept"))
        challenge = self.group.newest()
        self.match = shown_on_telegram(challenge)[0]
        await self._press("Ben", challenge, f"accept:{self.match}:1:")
        await self._message()

    async def press(self, name: str, token: str, *, private: bool = False) -> Any:
        return await self._press(name, await self._message(), token)

    async def _press(self, name: str, message: Message, token: str) -> Any:
        query = self.people[name].sends(self.group, message, token)
        await self._until(query.answered.is_set)
        return query.text, query.alert, query.url

    async def type(self, name: str, line: str, *, private: bool = False) -> Any:
        person = self.people[name]
        chat = person.private if private else self.group
        number = person.says(chat, f"/{line}")["message_id"]
        if name == "Ben":
            return None
        return await self._until(lambda: self.api.answers.get((chat.id, number)))

    async def board(self) -> Any:
        message = await self._message()
        shown = [message.get(key) for key in ("caption", "caption_entities", "reply_markup")]
        picture = self.api.photos[message["photo"][0]["file_id"]]
        return [shown, sha256(picture).hexdigest()]

    async def _message(self) -> Message:
        def shown() -> Message | None:
            boards = (
                one
                for one in self.api.boards(self.group)
                if shown_on_telegram(one)[0] == self.match
            )
            return next((one for one in boards if shown_on_telegram(one)[1] >= self.version), None)

        found: Message = await self._until(shown)
        return found

    async def _until(self, holds: Any) -> Any:
        return await self.api.until(holds, seconds=_PATIENCE)
