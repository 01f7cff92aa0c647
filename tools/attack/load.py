"""Many analyses and puzzles at once, and a worker that hangs, beside people who play."""

import asyncio
import os
import signal
from concurrent.futures import ProcessPoolExecutor
from contextlib import AsyncExitStack, suppress
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import monotonic

from tools.attack.fairness import finish
from tools.attack.history import History, within
from tools.attack.page import Page, visiting
from tools.attack.play_web import WebGame
from tools.attack.process import App
from tools.attack.records import Records
from tools.attack.report import Report, Scene

_SHORT, _LONG = (10, 50), (100, 300)
"""Users who ask for an analysis, and moves of others that are measured."""
_ROOMS = 25
_LETTERS = "abdefghkmps"
"""Letters of names that do not look alike."""
_PUZZLES = 10
"""Puzzles that each of them asks for."""
_TIMES, _FLOOR = 2.0, 0.1
"""The p99 of others may grow to so many times the quiet one, or to what none of a few notices."""
_PAUSE = 0.2
"""Seconds after each move of others: the crowd's pages show their board, too."""
_OTHERS = {"quiet": ("Berta", "Ben"), "loaded": ("Cleo", "Dominik")}
_ANSWERS_WITHIN = 60.0


async def many_requests(scene: Scene) -> None:
    """Ask for many analyses and puzzles at once. Others are answered nearly as fast as before."""
    report, (number, moves_of_others) = scene.report, _SHORT if scene.seconds is None else _LONG
    rooms = [f"room{at % _ROOMS}" for at in range(number // 2)]
    channels = ",".join(["lounge", *_OTHERS, *dict.fromkeys(rooms)])
    app = App(scene.folder, {"WEB__CHANNELS": channels, "COMPUTER__WORKERS": "1"})
    async with app.running(), AsyncExitStack() as stack:
        other = stack.enter_context(_other_process())
        crowd = []
        for at in range(number):
            name = "Z" + _LETTERS[at // len(_LETTERS)] + _LETTERS[at % len(_LETTERS)]
            visit = visiting(name, app.url, f"127.0.{20 + at // 4}.{at % 4 + 1}", Page)
            crowd.append(await stack.enter_async_context(visit))
        for room, *two in zip(rooms, crowd[::2], crowd[1::2], strict=True):
            line, history = f"/othello @{two[1].name}", History(report)
            await finish(WebGame(history, room, line, tuple(two), scene.luck(room)), plies=2)
        quiet = await _p99(other, app, "quiet", moves_of_others)
        # The crowd's machines are others: it must not take time from the bot.
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        asked = [asyncio.create_task(_asks(page, rooms[at // 2])) for at, page in enumerate(crowd)]
        loaded = await _p99(other, app, "loaded", moves_of_others)
        report.counts["requests at once"] = sum(map(len, await asyncio.gather(*asked)))
        report.most("ms for others (p99), quiet", round(1000 * quiet))
        report.most("ms for others (p99), under load", round(1000 * loaded))
        most = max(_TIMES * quiet, within(_FLOOR) if scene.seconds is None else 0)
        report.check(loaded <= most, "others do not wait for analyses and puzzles", (loaded, most))
    report.all_broken("no traceback in the log", app.tracebacks())


async def _asks(page: Page, room: str) -> list[bool]:
    lines = ["/analyse", *["/puzzle othello"] * _PUZZLES]
    return [(await page.says(line, room=room))["ok"] for line in lines]


def _other_process() -> ProcessPoolExecutor:
    """Return a process to measure in: the pages of a crowd keep this one busy."""
    return ProcessPoolExecutor(1, get_context("forkserver"))


async def _p99(other: ProcessPoolExecutor, app: App, room: str, number: int) -> float:
    """Return the seconds within which 99 % of so many moves of two new users are answered."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(other, _measured, app.url, room, number)


def _measured(url: str, room: str, number: int) -> float:
    async def measured() -> float:
        names, taken = _OTHERS[room], list[float]()
        async with AsyncExitStack() as stack:
            visits = [visiting(one, url, f"127.0.11.{len(one)}", Page) for one in names]
            pair = tuple([await stack.enter_async_context(visit) for visit in visits])
            line, history = f"/othello @{names[1]}", History(Report(room, 1))
            game = WebGame(history, room, line, pair, Random(room))
            while len(taken) < number:
                moves, start = game.moves, monotonic()
                await game.move()
                if game.moves > moves:
                    taken.append(monotonic() - start)
                await asyncio.sleep(_PAUSE)
        return sorted(taken)[-1 - number // 100]

    return asyncio.run(measured())


async def hung_worker(scene: Scene) -> None:
    """Stop the engine's process: another one answers, and people play on beside it."""
    report, history = scene.report, History(scene.report)
    app = App(scene.folder, {"COMPUTER__WORKERS": "1", "WEB__CHANNELS": "lounge,quiet,loaded"})
    async with app.running(), visiting("Anna", app.url, "127.0.11.1", Page) as anna:
        game = WebGame(history, "lounge", "/othello computer=2 first", (anna,), scene.luck())
        await _until_answered(game)
        report.check(_workers(app), "an engine runs", "none")
        with _other_process() as other:
            quiet = await _p99(other, app, "quiet", _SHORT[1])
            for pid in _workers(app):
                os.kill(pid, signal.SIGSTOP)
            start = monotonic()
            answered = asyncio.create_task(_until_answered(game))
            slowest = await _p99(other, app, "loaded", _SHORT[1])
        most = max(_TIMES * quiet, within(_FLOOR))
        report.check(slowest <= most, "people play on beside a hung engine", (slowest, most))
        await answered
        report.most("s until another process answered", round(monotonic() - start))
    report.all_broken("the database is whole", Records.read(app.database).problems)
    report.all_broken("no traceback in the log", app.tracebacks())


async def _until_answered(game: WebGame) -> None:
    """Make a move, and wait for the computer's."""
    before = game.moves
    while game.moves == before:
        await game.move()
    page, newest = game.people[0], game.history.newest
    seconds = within(_ANSWERS_WITHIN)
    board = await page.sees(game.match, newest[game.match] + 1, seconds=seconds)
    newest[game.match] = board["version"]


def _workers(app: App) -> list[int]:
    """Return the ids of the engines' processes."""
    assert app.process is not None
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = process.joinpath("stat").read_text("utf-8").rpartition(")")[2].split()[1]
            is_engine = b"bot.engines.worker" in process.joinpath("cmdline").read_bytes()
            if is_engine and int(parent) == app.process.pid:
                found.append(int(process.name))
    return found
