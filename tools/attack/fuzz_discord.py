"""Forged interactions on Discord, over the wire: whatever is pressed or typed, it is answered.

Buttons and selects that no message of ours has, options of the wrong type, names and languages of
every sort, completions; in the server, in a group, in a server that has not installed the bot.
The stand-in holds the bot to Discord's rules meanwhile.
"""

import asyncio
from random import Random
from typing import Any

import games
from bot.commands import Kind, table
from tests.bot.fronts.discord.standin import ABROAD, CHANNEL, GROUP, TOKEN
from tools.attack import inputs
from tools.attack.fuzz_web import afterwards, apology
from tools.attack.play_discord import Message, Wire
from tools.attack.process import App
from tools.attack.report import Scene
from tools.attack.standins import discord_spec
from tools.attack.story import within
from tools.attack.victims import lay

__all__ = ["fuzz_discord"]

_PEOPLE = 8
_SHORT = 12
"""Interactions of each person in the short form."""
_PATIENCE = 4.0
_OFFER = 1.0
"""Seconds in which something is offered to whoever types; where there is nothing, there is none."""
_COMMAND, _COMPONENT, _COMPLETION = 2, 3, 4


class _Odd(Wire):
    """The stand-in, with people whose names and languages are odd."""

    def __init__(self, luck: Random) -> None:
        super().__init__()
        self.luck = luck

    async def dispatch(self, event: str, data: dict[str, Any], session: Any = None) -> None:
        if event == "INTERACTION_CREATE" and self.luck.random() < 0.3:
            user = data.get("user") or data["member"]["user"]
            user["global_name"] = inputs.name(self.luck)[:32] or None
            data["locale"] = self.luck.choice(("de", "en-GB", "xx", "tlh-KX", ""))
            data["guild_locale"] = self.luck.choice(("de", "ja", ""))
        await super().dispatch(event, data, session)


async def fuzz_discord(scene: Scene) -> None:
    """The whole attack; see the module."""
    wire = _Odd(scene.luck("wire"))
    wire.checks_bodies = discord_spec()
    await wire.start()
    app = App(
        scene.folder,
        {
            "DISCORD__TOKEN": TOKEN,
            "DISCORD__API_BASE": wire.api_base,
            "DISCORD__GATEWAY": wire.gateway,
        },
    )
    victims = await lay(app.database, scene.luck("victims"))
    before = victims.rows()
    try:
        async with app.running():
            await wire.ready()
            await asyncio.gather(*(_forge(scene, wire, number) for number in range(_PEOPLE)))
    finally:
        await wire.stop()
    said = [body for _, _, body in wire.requests if apology(body)]
    scene.report.all_broken("nothing goes wrong on our side", said)
    # On a machine that has no time for it nobody is in time.
    slow = {"acknowledged too late"} if within(1) > 1 else set()
    problems = [problem for problem in wire.problems if problem not in slow]
    scene.report.all_broken("Discord's rules are kept", problems)
    afterwards(scene, app, victims, before, [TOKEN])


async def _forge(scene: Scene, wire: _Odd, number: int) -> None:
    luck, report = scene.luck("forger", number), scene.report
    for _ in scene.rounds(_SHORT):
        kind, channel, data, message = _interaction(luck, wire, 5000 + number)
        asked = await wire._ask(kind, 5000 + number, channel, data, message)
        report.count("interactions sent")
        try:
            patience = _OFFER if kind == _COMPLETION else within(_PATIENCE)
            await wire.until(asked.done.is_set, timeout=patience)
        except TimeoutError:
            if kind == _COMPLETION:
                # Where the words make no sense there is nothing to offer.
                report.count("completions without an answer")
                continue
            report.broken("every interaction is answered", f"forger {number}: {data!r:.500}")


def _interaction(
    luck: Random, wire: _Odd, person: int
) -> tuple[int, int, dict[str, Any], Message | None]:
    channel = luck.choice((CHANNEL, CHANNEL, GROUP, ABROAD))
    kind = luck.choice((_COMMAND, _COMPONENT, _COMPONENT, _COMPLETION))
    if kind == _COMPONENT:
        return kind, channel, *_press(luck, wire, channel)
    spec = luck.choice(table())
    # Discord lets nobody send an option that a command does not have, nor one of another type.
    names = [argument.name.value for argument in spec.arguments if argument.name is not Kind.USER]
    if spec.game:
        names = ["move", "side", *(option.id for option in games.get(spec.game).options)]
    options: list[dict[str, Any]] = []
    needed = {argument.name.value for argument in spec.arguments if argument.required}
    needed |= {"move"} if spec.game else set()
    for name in sorted({*needed, *luck.sample(names, luck.randrange(len(names) + 1))}):
        value: Any = inputs.argument(luck)[:6000]
        options.append({"name": name, "type": 3, "value": value})
    typed = [option for option in options if option["name"] in ("move", "match", "options")]
    if kind == _COMPLETION and typed:
        # Only where Discord was told that we offer something.
        typed[-1]["focused"] = True
    elif kind == _COMPLETION:
        kind = _COMMAND
    data = {"id": "1", "name": spec.name, "type": 1, "options": options, "resolved": {}}
    return kind, channel, data, None


def _press(luck: Random, wire: _Odd, channel: int) -> tuple[dict[str, Any], Message]:
    """A press on a message of ours, or on one that looks like one."""
    game = luck.choice(("othello", "blackbox", "", "chess", "../x", "o" * 40))
    custom_id = f"{luck.choice(('az', 'az', 'az-pick', 'bz'))}:{game}:{inputs.token(luck)}"
    if luck.random() < 0.1:
        custom_id = inputs.mutated(custom_id, luck)
    custom_id = custom_id[:100] or "x"
    data: dict[str, Any] = {"custom_id": custom_id, "component_type": 2}
    if luck.random() < 0.3:
        data |= {"component_type": 3, "values": [inputs.token(luck)] * luck.randrange(3)}
    boards = wire.boards(channel)
    known: Message = luck.choice(boards) if boards else _message(channel)
    widget = {"type": 2, "style": 2, "label": "x", "custom_id": custom_id, "id": 99}
    row = {"type": 1, "components": [widget], "id": 98}
    shown = [*known["components"], row] if luck.random() < 0.8 else known["components"]
    return data, {**known, "components": shown}


def _message(channel: int) -> Message:
    """A message of the bot, as Discord would hand it out."""
    return {
        "id": "1",
        "channel_id": str(channel),
        "author": {"id": "4711", "username": "azumaya", "discriminator": "0", "avatar": None},
        "content": "",
        "timestamp": "2026-01-01T00:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "type": 0,
        "flags": 1 << 15,
        "components": [],
    }
