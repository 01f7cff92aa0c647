"""SIGKILL during play in the web app.

Every game is played without a pause. The process is killed at random moments, also while it starts.
In the end every confirmed move is stored once, every record replays and no board exists twice.
`tools.faults` crashes the bot at every step on Discord and Telegram.
"""

import asyncio

from tools.attack.history import History, within
from tools.attack.players import Player, at_the_web, check, go_on, rooms
from tools.attack.process import App
from tools.attack.report import Scene, becomes_true

_SHORT = 3
"""Kills in the short form."""
_LONGEST = 10.0
"""Seconds of play between two kills."""


async def kills(scene: Scene) -> None:
    history, luck = History(scene.report), scene.luck()
    channels = ",".join(["lounge", *(room for room, _ in rooms())])
    app = App(scene.folder, {"WEB__CHANNELS": channels})
    async with at_the_web(history, app.url, scene.luck("web")) as games, app.running():
        players = [Player(game, [app.url], luck) for game in games]
        for player in players:
            await player.start()
        for number in scene.rounds(_SHORT):
            await go_on(players, history, f"{number} kills")
            # On a loaded machine a moment is not enough for a move.
            await _tries(history, 1 + luck.randrange(30))
            await asyncio.sleep(within(luck.uniform(0, 0.5)))
            await app.kill()
            scene.report.count("kills")
            if luck.random() < 1 / 3:
                await app.spawn()
                await asyncio.sleep(within(luck.uniform(0, 0.3)))
                await app.kill()
                scene.report.count("kills during a start")
            await app.start()
        await go_on(players, history, "the last kill")
        for player in players:
            await player.stop()
            await player.game.press_old()
            await player.game.check_boards()
            await player.game.leave()
    check(players, history, app.database, [app])


async def _tries(history: History, moves: int) -> None:
    enough = len(history.tried) + moves
    await becomes_true(lambda: len(history.tried) >= enough, seconds=_LONGEST)
