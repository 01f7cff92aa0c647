"""The paired worlds on Telegram: a seeker and an onlooker in a group, a hider in private."""

import json
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from bot.actions import Action
from bot.fronts.telegram.widgets import TAB
from tests.bot.fronts.telegram.playing import tokens
from tests.bot.fronts.telegram.server import TOKEN, Chat, Message, Person
from tools.attack.play_telegram import Api, shows
from tools.attack.process import App
from tools.attack.report import Scene
from tools.attack.standins import telegram_spec
from tools.attack.worlds import FORGED, LINES, Notes, Secret, all_shown, both_worlds

__all__ = ["worlds_telegram"]

_SECOND = 0.01
"""How long Telegram's seconds are here: a group takes but 20 messages in a minute."""
_PATIENCE = 20.0
_NUMBERS = ("message_id", "reply_parameters", "callback_query_id")
"""Left out of what is compared: they count how many things were said before."""


async def worlds_telegram(scene: Scene) -> None:
    """The whole attack; see the module."""
    apis: dict[Path, _Heard] = {}

    def make(folder: Path) -> App:
        apis[folder] = _Heard(telegram_spec(), second=_SECOND / 2)
        return App(folder, {"WEB__ENABLED": "true", "TELEGRAM__TOKEN": TOKEN}, second=_SECOND)

    async def loaded(_: Scene, app: App, secret: Secret, notes: Notes) -> None:
        api = apis[app.folder]
        await api.start()
        app.settings = {**app.settings, "TELEGRAM__API_BASE": api.base}
        try:
            async with app.running():
                await _World(scene, app, secret, notes, api=api).loaded()
        finally:
            await api.stop()
        for call in api.heard:
            # Boards are brought up to date, not told move by move: a version may be left out.
            notes.keep("Telegram", call.said, about=call.about)
        scene.report.all_broken("Telegram's rules are kept", api.problems)

    await both_worlds(scene, loaded, make=make)


@dataclass(frozen=True, slots=True)
class _Call:
    """What the bot says to others than the hider."""

    about: str
    """The match and version that it shows, and where; an empty word for what is no board."""
    said: dict[str, Any]
    answers: tuple[int, int]
    """The chat and message that it answers, or nods at; zeros for none."""


class _Heard(Api):
    """Hears all that the bot says to anybody but the hider."""

    hider: int = 0

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.heard: list[_Call] = []
        self.his: set[str] = set()
        """The presses of the hider."""

    async def _carry_out(self, method: str, given: dict[str, str], files: dict[str, bytes]) -> Any:
        own = given.get("chat_id") == str(self.hider)
        own |= given.get("callback_query_id") in self.his or given.get("user_id") == str(self.hider)
        if not own and method not in ("getUpdates", "answerCallbackQuery", "deleteMessage"):
            said = _said(method, given, files)
            self.heard.append(_Call(_about(given), said, answers=_answered(method, given)))
        return await super()._carry_out(method, given, files)


def _answered(method: str, given: dict[str, str]) -> tuple[int, int]:
    if "reply_parameters" in given:
        return int(given["chat_id"]), int(json.loads(given["reply_parameters"])["message_id"])
    if method == "setMessageReaction":
        return int(given["chat_id"]), int(given["message_id"])
    return 0, 0


def _about(given: dict[str, str]) -> str:
    """The chat, match and version of a board; an empty word for what is none."""
    match, version = shows({"reply_markup": json.loads(given.get("reply_markup", "{}"))})
    return f"match {match} at {version} in {given['chat_id']}" if match else ""


def _said(method: str, given: dict[str, str], files: dict[str, bytes]) -> dict[str, Any]:
    """A call without what differs by itself: numbers of messages, and names of attachments."""
    left: dict[str, Any] = {key: value for key, value in given.items() if key not in _NUMBERS}
    names = {f"attach://{name}": sha256(data).hexdigest() for name, data in files.items()}
    for key in ("photo", "document"):
        if key in left:
            left[key] = names.get(left[key], left[key])
    if "media" in left:
        media = json.loads(left["media"])
        left["media"] = {**media, "media": names.get(media["media"], media["media"])}
    return {"method": method, "given": left, "files": sorted(names.values())}


class _World:
    """What the three of them do, the same in both worlds but for the stones."""

    def __init__(
        self, scene: Scene, app: App, secret: Secret, notes: Notes, *, api: _Heard
    ) -> None:
        self.scene, self.database = scene, app.database
        self.api, self.secret, self.notes = api, secret, notes
        self.anna = api.person(11, "Anna", username="anna_s")
        self.ben = api.person(12, "Ben", username="ben_h")
        self.cleo = api.person(13, "Cleo", username="cleo_o")
        self.group = api.group(-100, "Garden")
        api.hider = self.ben.id
        self.match = 0

    async def loaded(self) -> None:
        await self.api.until(lambda: self.api.polls, seconds=60)
        for person in (self.anna, self.ben, self.cleo):
            person.starts()
            await self._until(partial(self.api.texts, person.private))
        self.anna.says(self.group, "/blackbox @ben_h hide first")
        await self._until(lambda: tokens(self.group.newest(), "accept"))
        challenge = self.group.newest()
        token = tokens(challenge, "accept")[0]
        self.match = int(token.split(":")[1])
        await self._by_ben(self.group, challenge, token)
        board = await self._board(self.group, 2)
        await self._by_ben(self.group, board, f"private:{self.match}:2:")
        await self._hide()
        if self.scene.is_thorough:
            await self._probe(await self._board(self.group, self.version))
        for entry in self.secret.asked:
            await self._ask(entry)
        await self._probe(await self._board(self.group, self.version))

    async def _hide(self) -> None:
        """A stone, and back again, and all of them; then the box is closed."""
        self.version = 2
        first, *others = self.secret.stones
        for number, stone in enumerate((first, *others, first, first)):
            board = await self._board(self.ben.private, self.version)
            await self._by_ben(self.ben.private, board, f"step:{self.match}:{self.version}:{stone}")
            self.version += 1
            board = await self._all_see()
            if number == 1:
                await self._probe(board)
        # All stones lie: what can still be chosen are the stones, and nobody else finds out which.
        await self._turn_pages(board)
        self.ben.says(self.ben.private, "/blackbox ready")
        self.version += 1
        await self._all_see()

    async def _ask(self, entry: int) -> None:
        board = await self._board(self.group, self.version)
        query = self.anna.sends(self.group, board, f"step:{self.match}:{self.version}:{entry}")
        await self._until(query.answered.is_set)
        self.notes.write(f"Anna asks {entry}", (query.text, query.alert))
        self.version += 1
        await self._all_see()

    # --- what is seen ---------------------------------------------------------------------

    async def _until(self, holds: Any) -> Any:
        return await self.api.until(holds, seconds=_PATIENCE)

    async def _board(self, chat: Chat, version: int) -> Message:
        """The board in a chat, once it shows this version."""

        def shown() -> Message | None:
            boards = [found for found in self.api.boards(chat) if shows(found)[0] == self.match]
            return next((one for one in boards if shows(one)[1] >= version), None)

        found: Message = await self._until(shown)
        return found

    async def _all_see(self) -> Message:
        """The group's board, once it and the hider's own show what was just done."""
        await self._board(self.ben.private, self.version)
        board = await self._board(self.group, self.version)
        await all_shown(self.database)
        picture = self.api.photos[board["photo"][0]["file_id"]]
        shown = {key: board.get(key) for key in ("caption", "caption_entities", "reply_markup")}
        self.notes.write(f"the group sees {self.version}", shown)
        self.notes.write(f"the group sees {self.version}", picture)
        return board

    async def _by_ben(self, chat: Chat, message: Message, token: str) -> None:
        query = self.ben.sends(chat, message, token)
        self.api.his.add(query.id)
        await self._until(query.answered.is_set)
        assert not query.alert, (token, query.text)

    async def _probe(self, board: Message) -> None:
        """All that the two who should not know can ask, in the group and in private."""
        for person in (self.anna, self.cleo):
            for form in FORGED:
                token = form.format(match=self.match, now=self.version, before=self.version - 1)
                query = person.sends(self.group, board, token)
                await self._until(query.answered.is_set)
                told = (query.text, query.alert, query.url)
                self.notes.write(f"{person.name} presses {token}", told)
            for line in LINES:
                for chat in (self.group, person.private):
                    await self._says(person, chat, f"/{line.format(self.match)}")

    async def _turn_pages(self, board: Message) -> None:
        """Pages of the keyboard that were never offered: each with a cell chosen in it."""
        for person in (self.anna, self.cleo):
            for cell in (f"{column}{row}" for column in "abcdefgh" for row in range(1, 9)):
                token = Action(TAB, self.match, self.version, f".{cell}").token
                query = person.sends(self.group, board, token)
                await self._until(query.answered.is_set)
                self.notes.write(f"{person.name} presses {token}", (query.text, query.alert))

    async def _says(self, person: Person, chat: Chat, line: str) -> None:
        """Type something, and wait for the answer; there is one in the same chat in any case."""
        number = person.says(chat, line)["message_id"]

        def answers() -> list[dict[str, Any]]:
            return [call.said for call in self.api.heard if call.answers == (chat.id, number)]

        found = await self._until(answers)
        self.notes.write(f"{person.name} says {line} in {chat.title}", found)
