"""Cheats: a code used twice at once, statistics of hidden users, farmed ratings."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from bot.store.ratings import LEAST_PLIES, MOST_A_DAY
from tests.databases import ask
from tools.attack.history import History, pressable
from tools.attack.page import Page, visiting
from tools.attack.play_web import WebGame
from tools.attack.process import App
from tools.attack.report import Scene

_NAMES = ("Anna", "Ben", "Cleo", "Dora")
_JOINS = 5
_BEYOND = 3
"""Games that are played beyond the rated ones of a day."""


@asynccontextmanager
async def _four(scene: Scene) -> AsyncIterator[tuple[App, list[Page]]]:
    """Run the bot with four users in the lounge."""
    app = App(scene.folder, {"PLAY__LEADERBOARD_MINIMUM": "1"})
    async with app.running(), AsyncExitStack() as stack:
        pages = []
        for at, name in enumerate(_NAMES):
            visit = visiting(name, app.url, f"127.0.9.{at + 1}", Page)
            pages.append(await stack.enter_async_context(visit))
        yield app, pages
    scene.report.all_broken("no traceback in the log", app.tracebacks())


async def joins(scene: Scene) -> None:
    """Let three users press `Join` and type the code of an open challenge in the same moment."""
    report = scene.report
    async with _four(scene) as (app, (anna, *others)):
        for _ in scene.rounds(_JOINS):
            answer = await anna.says("/othello new")
            match = answer["proposed"]
            board = await anna.sees(match, 1)
            code, token = board["copied"][0], f"accept:{match}:1:"
            asked = [page.says(code) for page in others] + [page.press(token) for page in others]
            scene.luck(match).shuffle(asked)
            answers = await asyncio.gather(*asked)
            report.count("joins at once", len(answers))
            players = ask(app.database, f"SELECT user_id FROM seats WHERE match_id = {match}")
            report.check(len(set(players)) == 2, "one user joins", players)
            found = [one["error"] for one in answers if not one["ok"]]
            report.check(len(found) >= len(others) - 1, "the other users are refused", answers)


async def hidden_statistics(scene: Scene) -> None:
    """Ask in every way for the results of a user who hides them, before and after a rated game."""
    report = scene.report
    async with _four(scene) as (app, (_, ben, cleo, dora)):
        answer = await ben.press("settings:0:0:record.me")
        report.check(answer["ok"], "results can be hidden", answer)
        before = await _asked(cleo, *_OWN)
        game = WebGame(History(report), "lounge", "/othello @Ben", (dora, ben), scene.luck())
        await finish(game, plies=LEAST_PLIES)
        rated = ask(app.database, "SELECT 1 FROM rated_matches")
        report.check(len(rated) == 1, "the game was rated", rated)
        after = await _asked(cleo, *_OWN)
        report.check(after == before, "the answers about a hidden user stay the same", after)
        await _asked(cleo, *_LISTS)

        def lists() -> list[str]:
            """Return the lists in the room, which are for all."""
            screens = [message["screen"] for message in cleo.messages.values()]
            return [str(one) for one in screens if one and not one["match"]]

        await cleo.until(lambda: len(lists()) >= len(_LISTS))
        report.counts["lists"] = len(lists())
        report.all_broken("no list names a hidden user", [one for one in lists() if "Ben" in one])
        report.check(all("Dora" in one for one in lists()), "others are listed", lists())


_OWN = ("/stats @Ben", "/stats @Ben othello", "/stats Ben", "/history @Ben")
_LISTS = ("/leaderboard othello", "/leaderboard", "/leaderboard othello month")


async def _asked(page: Page, *lines: str) -> list[str]:
    answers = [await page.says(line) for line in lines]
    return [str((one.get("error"), one.get("private"))) for one in answers]


async def farmed_ratings(scene: Scene) -> None:
    """Play against oneself in two browsers, resign and abort: little is rated."""
    report = scene.report
    async with _four(scene) as (app, (anna, ben, *_)):
        game = WebGame(History(report), "lounge", "/othello @Ben", (anna, ben), scene.luck())

        async def rated() -> int:
            return len(ask(app.database, "SELECT 1 FROM rated_matches"))

        await finish(game, plies=LEAST_PLIES - 1)
        report.check(not await rated(), "a resignation at once is not rated", await rated())
        await finish(game, plies=LEAST_PLIES, aborts=True)
        report.check(not await rated(), "an aborted game is not rated", await rated())
        for _ in range(MOST_A_DAY + _BEYOND):
            await finish(game, plies=LEAST_PLIES)
            report.count("games won against oneself")
        found = await rated()
        report.check(found == MOST_A_DAY, "few games of two users are rated in a day", found)


async def finish(game: WebGame, *, plies: int, aborts: bool = False) -> None:
    """Play a new game for so many moves, and let the second user end it."""
    anna, ben = game.people
    while not (boards := anna.boards(game.room)) or boards[max(boards)]["over"]:
        await game.move()
    match, most = max(boards), game.moves + plies
    while game.moves < most:
        await game.move()
    if aborts:
        for page in (ben, anna):
            await page.says(f"/abort {match}")
    else:
        asked = await ben.says(f"/resign {match}")
        (token,) = (
            one
            for one in pressable(asked["private"])
            if one.startswith("resign:") and one.endswith(":yes")
        )
        await ben.press(token)
    await anna.until(lambda: anna.boards(game.room)[match]["over"])
