"""A Discord channel for two users, on the simulated Discord of the tests."""

import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

from bot.fronts.discord.front import Discord
from tests.bot.fronts.discord.standin import CHANNEL, TOKEN, Asked, StandIn
from tools.attack.messages import Message, until_ready
from tools.film.chats import discord_page
from tools.film.front import ANNA, BEN, NAMES, Front, Offer

_LOCALES = {ANNA: "en-GB", BEN: "de"}
_BUTTON, _SELECT, _PRIVATE = 2, 3, 1 << 6
_USERNAME = re.compile(r"person(\d+)")


class _StandIn(StandIn):
    """Also keeps pictures, remembers commands, and gives users names."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures: dict[int, bytes] = {}
        self.askers: dict[int, int] = {}
        """Ephemeral messages -> the user who sees them."""
        self.commands: dict[str, str] = {}
        """Interactions -> what was typed."""

    async def dispatch(self, event: str, data: dict[str, Any], session: Any = None) -> None:
        if event == "INTERACTION_CREATE":
            data = deepcopy(data)
            user = int(data.get("member", data)["user"]["id"])
            data["locale"] = _LOCALES.get(user, "en-US")
            _name(data)
        await super().dispatch(event, data, session)

    def _reply(self, asked: Asked, body: Any, files: dict[str, bytes]) -> Message:
        message = super()._reply(asked, body, files)
        if message["flags"] & _PRIVATE:
            self.askers[int(message["id"])] = asked.user
        message["command"] = self.commands.get(asked.id, "")
        return message

    def _edit(self, message: Message, body: Any, files: dict[str, bytes]) -> Message:
        edited = super()._edit(message, body, files)
        if files:
            self.pictures[int(message["id"])] = next(iter(files.values()))
        return edited


def _name(one: Any) -> None:
    """Give the users in an event their names."""
    if isinstance(one, dict):
        if (number := _USERNAME.fullmatch(str(one.get("username", "")))) and int(
            number[1]
        ) in NAMES:
            name = NAMES[int(number[1])]
            one |= {"global_name": name, "username": name.lower()}
        for child in one.values():
            _name(child)
    elif isinstance(one, list):
        for child in one:
            _name(child)


class DiscordFront(Front):
    name = "discord"
    kind = Discord

    def __init__(self, folder: Path, rng: Random) -> None:
        super().__init__(folder, rng)
        self.standin = _StandIn()
        self._came = 0
        self._opened: Asked
        self._where = {ANNA: CHANNEL, BEN: CHANNEL}

    async def begin(self) -> None:
        await self.standin.start()

    async def end(self) -> None:
        await self.standin.stop()

    def section(self) -> dict[str, Any]:
        standin = self.standin
        return {"token": TOKEN, "api_base": standin.api_base, "gateway": standin.gateway}

    async def is_open(self) -> None:
        await until_ready(self.standin, after=self._came)
        self._came = self.standin.seen["op 2"]
        await self.bot.settled()

    async def types(self, person: int, line: str) -> None:
        """Run a command with fields, as in ``/othello move:new user:Ben``."""
        name, *given = line.removeprefix("/").split()
        fields: dict[str, Any] = dict(one.split(":", 1) for one in given)
        if who := fields.pop("user", ""):
            number = next(number for number, name in NAMES.items() if name == who)
            asking: dict[str, Any] = {"user": number, "people": (number,)}
        else:
            asking = {}
        self._where[person] = CHANNEL
        asked = await self.standin.slash(person, name, **fields, **asking)
        self.standin.commands[asked.id] = line.removeprefix("/")
        await self._answered(asked)

    def seen(self, person: int, *, in_private: bool = False) -> list[Message]:
        """Return what a user sees in the channel or in the private chat, oldest first."""
        return [
            one
            for number, one in sorted(self.standin.messages.items())
            if int(one["channel_id"]) == (_private(person) if in_private else CHANNEL)
            and (not one["flags"] & _PRIVATE or self.standin.askers.get(number) == person)
        ]

    def offers(self, person: int) -> Iterator[Offer]:
        # The chat that the user is in comes first.
        is_there = self._where[person] != CHANNEL
        for in_private in (is_there, not is_there):
            for message in reversed(self.seen(person, in_private=in_private)):
                yield from _offers(message, message["components"])

    async def press(self, person: int, offer: Offer, *more: Offer) -> None:
        message, custom_id, kind = offer.how
        given = {}
        if kind == _SELECT:
            given = {"component_type": 3, "values": [offer.token, *(one.token for one in more)]}
        self._where[person] = int(message["channel_id"])
        asked = await self.standin.press(person, message, custom_id, **given)
        await self._answered(asked)
        self._opened = asked

    async def writes_down(self, line: str) -> None:
        """Type a line into the form that was just opened, and submit it."""
        await self._answered(await self.standin.fill_in(self._opened, line))

    async def _answered(self, asked: Asked) -> None:
        await self.standin.until(asked.done.is_set, timeout=20)
        await self.bot.settled()

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
        """Return the newest select menu."""
        every = self.seen(person) + self.seen(person, in_private=True)
        for message in reversed(every):
            for row in message["components"]:
                for one in row.get("components", ()):
                    if one["type"] == _SELECT:
                        return dict(one)
        return None


def _private(person: int) -> int:
    return 10 * person


def _offers(message: Message, components: list[Message]) -> Iterator[Offer]:
    for one in components:
        yield from _offers(message, one.get("components", []))
        custom_id = one.get("custom_id", "")
        if one["type"] == _BUTTON and custom_id and not one.get("disabled"):
            how = (message, custom_id, _BUTTON)
            yield Offer(custom_id.split(":", 2)[2], one.get("label", ""), how)
        for option in one.get("options", ()):
            how = (message, custom_id, _SELECT)
            yield Offer(option["value"], option["label"], how)
