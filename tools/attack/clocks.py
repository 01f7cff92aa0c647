"""Moves in the last moments of a clock, and a machine's clock that is set."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from string import ascii_lowercase
from time import time

from tests.databases import ask
from tools.attack.history import History, within
from tools.attack.page import Page, visiting
from tools.attack.play_web import WebGame
from tools.attack.process import App
from tools.attack.records import Records
from tools.attack.report import Scene

_PAIRS = 4
_CLOCK = "3m+5s"
_LEFT = 8.0
"""Seconds that are left when the bot starts again."""
_BEFORE = (1.0, 0.05, 0.005, -0.5)
"""Seconds (`within`) before the end of the last second, in which the pairs move. One is late."""
_ENDED_WITHIN = 10.0
_SET = (3600.0, -3600.0, 0.0)
"""Seconds by which the clock is ahead after each start."""


@asynccontextmanager
async def _pairs(scene: Scene) -> AsyncIterator[tuple[App, list[WebGame]]]:
    """Run the bot with pairs who have begun a game with a clock, each in their own room."""
    rooms = [f"room{letter}" for letter in ascii_lowercase[:_PAIRS]]
    app = App(scene.folder, {"WEB__CHANNELS": ",".join(["lounge", *rooms])})
    history, found = History(scene.report), []
    async with app.running(), AsyncExitStack() as stack:
        for at, room in enumerate(rooms):
            people = []
            for seat, name in enumerate((f"Anna {room[-1]}", f"Ben {room[-1]}")):
                visit = visiting(name, app.url, f"127.0.10.{2 * at + seat + 1}", Page)
                people.append(await stack.enter_async_context(visit))
            line = f"/othello @{people[1].name} clock={_CLOCK}"
            game = WebGame(history, room, line, tuple(people), scene.luck(room))
            found.append(game)
            while game.moves < 2:
                await game.move()
        yield app, found
    # Time that is given back after a stop changes versions, too.
    records = Records.read(app.database)
    scene.report.all_broken("the database is whole and replays", records.problems)
    stored, confirmed = len(list(records.moves())), len(history.confirmed)
    scene.report.check(stored == confirmed, "each confirmed move is stored", (stored, confirmed))
    scene.report.all_broken("no traceback in the log", app.tracebacks())


async def last_moments(scene: Scene) -> None:
    """Move in the last milliseconds: the move counts or the game is lost, never both or neither."""
    report = scene.report
    async with _pairs(scene) as (app, games):
        await _restart(app, games, left=within(_LEFT))
        due = dict(ask(app.database, "SELECT id, due FROM matches"))
        answers = await asyncio.gather(
            *(
                _move_at(game, due[game.match] + 1 - within(before))
                for game, before in zip(games, _BEFORE, strict=True)
            )
        )
        for game, is_played in zip(games, answers, strict=True):
            report.count("moves in time" if is_played else "moves too late")
            if is_played:
                board = game.people[0].boards(game.room)[game.match]
                report.check(not board["over"], "a move in time keeps the game alive", game.match)
            else:
                await _is_over(game)
        report.check(answers[0], "a move before the end counts", answers)
        report.check(not answers[-1], "a move after the end does not count", answers)
        lost = ask(app.database, "SELECT id FROM matches WHERE status = 'over'")
        late = [
            (game.match,) for game, is_played in zip(games, answers, strict=True) if not is_played
        ]
        report.check(sorted(lost) == sorted(late), "who is late loses", (lost, late))


async def _move_at(game: WebGame, moment: float) -> bool:
    """Move at this moment of the machine's clock. Return whether the move was confirmed."""
    before = game.moves
    mover = next(page for page in game.people if page.boards(game.room)[game.match]["turn"])
    board = mover.boards(game.room)[game.match]
    await asyncio.sleep(max(0.0, moment - time()))
    await game._choose(mover, board)
    return game.moves > before


async def _is_over(game: WebGame) -> None:
    page = game.people[0]
    await page.until(
        lambda: page.boards(game.room)[game.match]["over"], seconds=within(_ENDED_WITHIN)
    )


async def clocks_set(scene: Scene) -> None:
    """Start again with the clock set forward and back: no player loses a game by that."""
    report = scene.report
    async with _pairs(scene) as (app, games):
        for ahead in _SET:
            await _restart(app, games, ahead=ahead)
            for game in games:
                before = game.moves
                while game.moves < before + 2:
                    await game.move()
            over = ask(app.database, "SELECT id FROM matches WHERE status = 'over'")
            report.check(not over, "no game ends by a clock that was set", (ahead, over))
            report.count("starts with another clock")


async def _restart(
    app: App, games: list[WebGame], *, ahead: float = 0.0, left: float | None = None
) -> None:
    for game in games:
        await game.leave()
    await app.end()
    if left is not None:
        with closing(sqlite3.connect(app.database)) as stored, stored:
            stored.execute("UPDATE matches SET due = ?, remind_at = NULL", (int(time() + left),))
    app.ahead = ahead
    await app.start()
    for game in games:
        await game.resume()
