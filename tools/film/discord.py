"""Anna and Ben in a channel on Discord, at the strict stand-in."""

import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

from bot.app import App
from bot.commands import Commands
from bot.fronts.discord import Discord
from bot.settings import Settings
from tests.bot.fronts.discord.standin import CHANNEL, TOKEN, Asked, StandIn
from tools.film.chats import discord_page
from tools.film.front import ANNA, BEN, NAMES, Front, Offer, Tally
from tools.film.house import PLAY

__all__ = ["DiscordFront"]

_LOCALES = {ANNA: "en-GB", BEN: "de"}
_BUTTON, _SELECT, _PRIVATE = 2, 3, 1 << 6
_POST = re.compile(r"/channels/\d+/messages$")
_EDIT = re.compile(r"/channels/\d+/messages/\d+$")
_WORDS = re.compile(r"person(\d+)")

Message = dict[str, Any]


class _StandIn(StandIn):
    """The stand-in, which keeps pictures, knows who asked for what, and calls people by name."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures: dict[int, bytes] = {}
        self.askers: dict[int, int] = {}
        """By private messages: who alone sees them."""
        self.commands: dict[str, str] = {}
        """By interactions: what was typed."""
        self.tally = Tally()

    async def dispatch(self, event: str, data: dict[str, Any], session: Any = None) -> None:
        if event == "INTERACTION_CREATE":
            data = deepcopy(data)
            user = int(data.get("member", data)["user"]["id"])
            data["locale"] = _LOCALES.get(user, "en-US")
            _name(data)
        await super().dispatch(event, data, session)

    async def _answer(
        self, method: str, path: list[str], body: Any, files: dict[str, bytes]
    ) -> tuple[int, Any]:
        whole = "/" + "/".join(path)
        if method == "POST" and _POST.match(whole):
            self.tally.messages += 1
            self.tally.pings += bool((body.get("allowed_mentions") or {}).get("users"))
        elif method == "PATCH":
            self.tally.edits += 1
        elif path[-1] == "callback":
            self.tally.edits += body["type"] == 7
        return await super()._answer(method, path, body, files)

    def _reply(self, asked: Asked, body: Any, files: dict[str, bytes]) -> Message:
        message = super()._reply(asked, body, files)
        if message["flags"] & _PRIVATE:
            self.tally.answers += 1
            self.askers[int(message["id"])] = asked.user
        else:
            self.tally.messages += 1
        message["command"] = self.commands.get(asked.id, "")
        return message

    def _edit(self, message: Message, body: Any, files: dict[str, bytes]) -> Message:
        edited = super()._edit(message, body, files)
        if files:
            self.pictures[int(message["id"])] = next(iter(files.values()))
        return edited


def _name(one: Any) -> None:
    """Give people in an event the names that they have."""
    if isinstance(one, dict):
        if (number := _WORDS.fullmatch(str(one.get("username", "")))) and int(number[1]) in NAMES:
            name = NAMES[int(number[1])]
            one |= {"global_name": name, "username": name.lower()}
        for child in one.values():
            _name(child)
    elif isinstance(one, list):
        for child in one:
            _name(child)


class DiscordFront(Front):
    name = "discord"
    writes = True

    def __init__(self, folder: Path, luck: Random) -> None:
        super().__init__(folder, luck)
        self.standin = _StandIn()
        self._came = 0
        self._opened: Asked
        self._counted = Tally()
        self._where = {ANNA: CHANNEL, BEN: CHANNEL}

    async def begin(self) -> None:
        await self.standin.start()

    async def end(self) -> None:
        await self.standin.stop()

    def settings(self) -> Settings:
        discord = {
            "token": TOKEN,
            "api_base": self.standin.api_base,
            "gateway": self.standin.gateway,
        }
        return Settings(database=self.database, play=PLAY, discord=discord)  # type: ignore[arg-type]

    def make(self, app: App, commands: Commands) -> Discord:
        return Discord(app, commands)

    async def is_open(self) -> None:
        standin = self.standin
        await standin.until(lambda: standin.seen["op 2"] > self._came)
        self._came = standin.seen["op 2"]
        before = deepcopy(standin.tally)
        while True:
            # What comes before it is ready is lost, as in earnest.
            asked = await standin.slash(1, "help")
            try:
                await standin.until(asked.done.is_set, timeout=1)
            except TimeoutError:
                continue
            break
        await self.house.settled()
        standin.tally = before

    # --- what people do -------------------------------------------------------------------

    async def types(self, person: int, line: str) -> None:
        """``/othello move:new user:Ben`` as the fields of a command."""
        name, *given = line.removeprefix("/").split()
        fields: dict[str, Any] = dict(one.split(":", 1) for one in given)
        if who := fields.pop("user", ""):
            number = next(number for number, name in NAMES.items() if name == who)
            asking: dict[str, Any] = {"user": number, "people": (number,)}
        else:
            asking = {}
        self._counted.lines += 1
        self._where[person] = CHANNEL
        asked = await self.standin.slash(person, name, **fields, **asking)
        self.standin.commands[asked.id] = line.removeprefix("/")
        await self._answered(asked)

    def seen(self, person: int, *, in_private: bool = False) -> list[Message]:
        """What somebody sees in the channel, or in the chat with the bot, oldest first."""
        return [
            one
            for number, one in sorted(self.standin.messages.items())
            if int(one["channel_id"]) == (_private(person) if in_private else CHANNEL)
            and (not one["flags"] & _PRIVATE or self.standin.askers.get(number) == person)
        ]

    def offers(self, person: int) -> Iterator[Offer]:
        # People look first at the chat in which they are.
        is_there = self._where[person] != CHANNEL
        for in_private in (is_there, not is_there):
            for message in reversed(self.seen(person, in_private=in_private)):
                yield from _offers(message, message["components"])

    async def press(self, person: int, offer: Offer, *more: Offer) -> None:
        message, custom_id, kind = offer.how
        given = {}
        if kind == _SELECT:
            given = {"component_type": 3, "values": [offer.token, *(one.token for one in more)]}
        # Whoever chooses several says when that is all.
        self._counted.presses += offer.cost + len(more) + bool(more)
        # Another chat is opened first.
        self._counted.presses += self._where[person] != int(message["channel_id"])
        self._where[person] = int(message["channel_id"])
        asked = await self.standin.press(person, message, custom_id, **given)
        await self._answered(asked)
        self._opened = asked

    async def writes_down(self, line: str) -> None:
        """Type a line into the window that has just been opened, and send it off."""
        self._counted.lines += 1
        self._counted.presses += 1
        await self._answered(await self.standin.fill_in(self._opened, line))

    async def _answered(self, asked: Asked) -> None:
        await self.standin.until(asked.done.is_set, timeout=20)
        await self.house.settled()

    def tally(self) -> Tally:
        told = self.standin.tally
        return Tally(
            self._counted.presses,
            self._counted.lines,
            told.messages,
            told.answers,
            told.edits,
            pings=told.pings,
        )

    # --- what is seen ---------------------------------------------------------------------

    def page(self, person: int, opened: Message | None = None, *, in_private: bool = False) -> str:
        return discord_page(
            "@ Azumaya" if in_private else "# lounge",
            self.seen(person, in_private=in_private)[-12:],
            self.standin.pictures,
            names=NAMES,
            viewer=person,
            opened=opened,
        )

    def select(self, person: int) -> Message | None:
        """The newest list that can be opened."""
        every = self.seen(person) + self.seen(person, in_private=True)
        for message in reversed(every):
            for row in message["components"]:
                for one in row.get("components", ()):
                    if one["type"] == _SELECT:
                        return dict(one)
        return None


def _private(person: int) -> int:
    """The chat of somebody with the bot, at the stand-in."""
    return 10 * person


def _offers(message: Message, components: list[Message]) -> Iterator[Offer]:
    for one in components:
        yield from _offers(message, one.get("components", []))
        custom_id = one.get("custom_id", "")
        if one["type"] == _BUTTON and custom_id and not one.get("disabled"):
            how = (message, custom_id, _BUTTON)
            yield Offer(custom_id.split(":", 2)[2], one.get("label", ""), 1, how)
        for option in one.get("options", ()):
            # The list is opened, and something in it is chosen.
            how = (message, custom_id, _SELECT)
            yield Offer(option["value"], option["label"], 2, how)
