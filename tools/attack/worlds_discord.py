"""The paired worlds on Discord, over the wire: all in a channel, the hider's board private."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from tests.bot.fronts.discord.standin import CHANNEL, TOKEN, Asked
from tools.attack.play_discord import Message, Wire, tokens
from tools.attack.process import App
from tools.attack.report import Scene
from tools.attack.standins import discord_spec
from tools.attack.story import meant
from tools.attack.worlds import FORGED, LINES, Notes, Secret, all_shown, both_worlds

__all__ = ["worlds_discord"]

ANNA, BEN, CLEO = 1001, 1002, 1003
_COMPLETION, _PROMISED = 4, 5
_PATIENCE = 20.0
_SLASH = {"moves": "match", "resign": "match", "stats": "user", "leaderboard": "game"}


async def worlds_discord(scene: Scene) -> None:
    """The whole attack; see the module."""
    wires: dict[Path, _Heard] = {}

    def make(folder: Path) -> App:
        wires[folder] = _Heard()
        wires[folder].in_time = _PATIENCE
        # What is only nodded at in time may be answered later, or not at all: nobody would know
        # which. So there is time for all answers, and both worlds go in step.
        return App(folder, {"DISCORD__TOKEN": TOKEN}, patience=_PATIENCE)

    async def loaded(_: Scene, app: App, secret: Secret, notes: Notes) -> None:
        wire = wires[app.folder]
        wire.checks_bodies = discord_spec()
        await wire.start()
        app.settings = {
            **app.settings,
            "DISCORD__API_BASE": wire.api_base,
            "DISCORD__GATEWAY": wire.gateway,
        }
        try:
            async with app.running():
                await _World(scene, app, secret, notes, wire=wire).loaded()
        finally:
            await wire.stop()
        for request in wire.heard:
            notes.keep("Discord", request)
        scene.report.all_broken("Discord's rules are kept", wire.problems)

    await both_worlds(scene, loaded, make=make)


def _numberless(what: Any) -> Any:
    """The same without the numbers of messages, which count whatever was said before.

    How often somebody had to ask before the bot was ready is one of these things.
    """
    return json.loads(re.sub(r"\d{15,}", "0", json.dumps(what)))


class _Heard(Wire):
    """Hears all that the bot says to anybody but the hider."""

    def __init__(self, *, shards: int = 1) -> None:
        super().__init__(shards=shards)
        self.heard: list[tuple[str, str, Any, list[str]]] = []

    async def _answer(
        self, method: str, path: list[str], body: Any, files: dict[str, bytes]
    ) -> tuple[int, Any]:
        his = f"channels/{BEN * 10}/" in "/".join(path)
        asked = next((self._asked[part] for part in path if part in self._asked), None)
        his |= asked is not None and asked.user == BEN
        his |= method == "POST" and path[:1] == ["users"] and body["recipient_id"] == BEN
        # What is told to one person alone is compared where they asked.
        if not his and method in ("POST", "PATCH") and path[0] == "channels":
            hashes = [hashlib.sha256(data).hexdigest() for data in files.values()]
            where = _numberless("/".join(path))
            # References and nonces count what was said before; the last ping may come too late.
            left = {
                key: value
                for key, value in body.items()
                if "reference" not in key and key != "nonce"
            }
            self.heard.append((method, where, _numberless(left), sorted(hashes)))
        return await super()._answer(method, path, body, files)


class _World:
    """What the three of them do, the same in both worlds but for the stones."""

    def __init__(
        self, scene: Scene, app: App, secret: Secret, notes: Notes, *, wire: _Heard
    ) -> None:
        self.scene, self.database = scene, app.database
        self.wire, self.secret, self.notes = wire, secret, notes
        self.match, self.version = 0, 2

    async def loaded(self) -> None:
        await self.wire.ready()
        await self._slash(
            ANNA, "blackbox", move="new", user=BEN, people=(BEN,), mode="hide", side="first"
        )
        board = await self._board(1)
        custom_id, given = next(
            widget for token, widget in tokens(board).items() if token.startswith("accept:")
        )
        await self._done(await self.wire.press(BEN, board, custom_id, **given))
        board = await self._board(2)
        await self._press(BEN, board, f"private:{self.match}:2:")
        first, *others = self.secret.stones
        for number, stone in enumerate((first, *others)):
            await self._slash(BEN, "blackbox", move=f"hide {stone}")
            await self._next()
            if number == 1:
                await self._probe()
        for verb in ("unhide", "hide"):
            await self._slash(BEN, "blackbox", move=f"{verb} {first}")
            await self._next()
        await self._slash(BEN, "blackbox", move="ready")
        await self._next()
        if self.scene.is_thorough:
            await self._probe()
        for entry in self.secret.asked:
            await self._slash(ANNA, "blackbox", move=f"ask {entry}")
            await self._next()
        await self._probe()

    # --- what is done and seen ------------------------------------------------------------

    async def _next(self) -> None:
        self.version += 1
        board = await self._board(self.version)
        await all_shown(self.database)
        self.notes.write(f"the channel sees {self.version}", _numberless(board["components"]))

    async def _board(self, version: int) -> Message:
        """The board in the channel, once it shows this version."""

        def shown() -> Message | None:
            for message in self.wire.boards(CHANNEL):
                named = [meant(token) for token in tokens(message) if meant(token)[0]]
                if named and max(named)[1] >= version:
                    self.match = max(named)[0]
                    return message
            return None

        found: Message = await self.wire.until(shown, timeout=_PATIENCE)
        return found

    async def _done(self, asked: Asked) -> Asked:
        """Wait for the answer, which is the first that comes: nothing is promised here."""
        await self.wire.until(asked.done.is_set, timeout=_PATIENCE)
        assert asked.kind != _PROMISED, asked
        return asked

    async def _slash(self, person: int, name: str, **given: Any) -> Asked:
        return await self._done(await self.wire.slash(person, name, **given))

    async def _press(self, person: int, board: Message, token: str) -> Asked:
        """Press a button, which need not be there."""
        custom_id = f"az:blackbox:{token}"
        button = {"type": 2, "style": 2, "label": "x", "custom_id": custom_id, "id": 99}
        row = {"type": 1, "components": [button], "id": 98}
        forged = {**board, "components": [*board["components"], row]}
        return await self._done(await self.wire.press(person, forged, custom_id))

    def _told(self, asked: Asked) -> Any:
        told = [self.wire.messages.get(number, {}).get("components") for number in asked.replies]
        return _numberless(told)

    async def _probe(self) -> None:
        """All that the two who should not know can ask."""
        board = await self._board(self.version)
        for person in (ANNA, CLEO):
            for form in FORGED:
                token = form.format(match=self.match, now=self.version, before=self.version - 1)
                asked = await self._press(person, board, token)
                self.notes.write(f"{person} presses {token}", self._told(asked))
            for line in LINES:
                name, _, words = line.format(self.match).partition(" ")
                options: dict[str, Any] = {"move": words} if name == "blackbox" else {}
                if words and name in _SLASH:
                    options = {_SLASH[name]: words}
                if name == "stats":
                    options = {"user": BEN, "people": (BEN,)}
                asked = await self._slash(person, name, **options)
                self.notes.write(f"{person} types {line}", self._told(asked))
            for typed in ("", "h", "hide ", "unhide "):
                option = {"name": "move", "type": 3, "value": typed, "focused": True}
                data = {"id": "1", "name": "blackbox", "type": 1, "options": [option]}
                await self._done(await self.wire._ask(_COMPLETION, person, CHANNEL, data, None))
