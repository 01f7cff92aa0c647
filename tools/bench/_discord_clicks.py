"""The stand-in of the Discord benchmark and its users, as a process.

Prints its port, waits for the boards of all matches, clicks at a steady pace and prints the
milliseconds until each answer.
"""

import asyncio
import json
import re
import sys
from random import Random
from time import perf_counter
from typing import Any

from tests.bot.fronts.discord.standin import Asked, StandIn

_PERSON = re.compile(r"person(\d+) to move")


def _ready(standin: StandIn) -> dict[int, tuple[dict[str, Any], int, list[str]]]:
    """Return boards by match, with the player to move and the steps on their buttons."""
    found = {}
    for board in standin.boards():
        steps, on_turn = [], None
        for part in board["components"]:
            on_turn = on_turn or _PERSON.search(part.get("content", ""))
            steps += [
                one["custom_id"]
                for one in part.get("components", [])
                if ":step:" in one.get("custom_id", "")
            ]
        if steps and on_turn:
            found[int(steps[0].split(":")[3])] = (board, int(on_turn[1]), steps)
    return found


async def _click(standin: StandIn, *, clicks: int, interval: float) -> list[Asked]:
    """Click in the match that has waited longest, of those whose boards are current."""
    asked: list[Asked] = []
    seen: dict[int, str] = {}
    last: dict[int, int] = {}
    luck, begun = Random(1), perf_counter()
    for click in range(clicks):
        await asyncio.sleep(max(0.0, begun + click * interval - perf_counter()))
        ready = {
            match: found
            for match, found in _ready(standin).items()
            if seen.get(match) != found[2][0].split(":")[4]
        }
        if not ready:
            continue
        match = min(ready, key=lambda match: last.get(match, -1))
        board, person, steps = ready[match]
        seen[match], last[match] = steps[0].split(":")[4], click
        asked.append(await standin.press(person, board, luck.choice(steps)))
    return asked


async def _main(matches: int, clicks: int, interval: float) -> None:
    async with StandIn.open() as standin:
        standin.checks_bodies = False
        print(standin.port, flush=True)
        await standin.until(lambda: len(_ready(standin)) >= matches, timeout=60)
        asked = await _click(standin, clicks=clicks, interval=interval)
        await asyncio.gather(*(one.done.wait() for one in asked))
        print(json.dumps([one.seconds * 1000 for one in asked]), flush=True)
        # The bot ends first.
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))
