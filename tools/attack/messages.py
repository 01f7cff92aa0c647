"""What messages on the simulated platforms show: matches, versions and buttons."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from tests.bot.fronts.discord.standin import StandIn
from tools.attack.records import parse_token

Message = dict[str, Any]
Widget = tuple[str, dict[str, Any]]
"""A custom id, and what is sent with it."""

_COMPONENT, _SELECT = 2, 3


def tokens(message: Message) -> dict[str, Widget]:
    """Return what can be pressed on Discord: the token of each button and each option."""
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


def shown_on_discord(message: Message) -> tuple[int, int]:
    """Return the match and version that a message shows, or zeros."""
    named = [parse_token(token)[:2] for token in tokens(message) if token.count(":") >= 3]
    return max((one for one in named if one[0]), default=(0, 0))


def shown_on_telegram(message: Message) -> tuple[int, int]:
    """Return the match and version that a message shows, or zeros."""
    for row in message.get("reply_markup", {}).get("inline_keyboard", []):
        for button in row:
            data = button.get("callback_data", "")
            if data.count(":") >= 3 and parse_token(data)[0]:
                return parse_token(data)[:2]
    return 0, 0


async def until_ready(standin: StandIn, *, after: int = 0) -> None:
    """Wait until the bot has identified at Discord more than `after` times, and answers."""
    await standin.until(lambda: standin.seen["op 2"] > after)
    async with asyncio.timeout(60):
        while True:
            # Discord drops commands that come before the bot is ready.
            asked = await standin.slash(1, "help")
            with suppress(TimeoutError):
                await standin.until(asked.done.is_set, timeout=1)
                return
