"""How far a typed move travels through the house: calls, files and statements to its commit.

The second move of a match of Othello, typed on each front, from the event to the commit. Calls
are those of our own functions that call others of ours (leaf helpers are left out), each time
that one is entered; what brings statements to the database's driver is not counted, but they are.
And how much of the house the fronts are, and how often they speak to the store themselves.
"""

import ast
import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from sqlalchemy import event

from bot.app import App
from bot.store import matches as match_store
from tests.bot.fronts.browsing import Browser, open_table, othello
from tests.bot.fronts.discord.scene import Scene
from tests.bot.fronts.telegram.conftest import Table, running
from tests.bot.fronts.telegram.server import BotApi

__all__ = ["measure"]

_ROOT = Path(__file__).parents[2]
_OURS = ("bot", "games", "renderers")
_STORE = "bot.store"
_DRIVER = ("bot/store/engine.py", "bot/store/batching.py")
_REST = 0.5
"""Seconds until nothing is left of the move before."""


@dataclass(slots=True)
class _Trace:
    """What was called, in order, until the commit."""

    entered: list[FrameType] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)
    parents: set[int] = field(default_factory=set)
    """Frames that called others of ours."""
    statements: int = 0
    is_over: bool = False

    def called(self, frame: FrameType, what: str, _argument: object) -> None:
        """See `sys.setprofile`."""
        if what != "call" or self.is_over or id(frame) in self.seen or not _is_ours(frame):
            return
        self.seen.add(id(frame))
        # Kept, so that no other frame gets its number.
        self.entered.append(frame)
        caller = frame.f_back
        while caller is not None and not _is_ours(caller):
            caller = caller.f_back
        if caller is not None:
            self.parents.add(id(caller))

    def executed(self, *_: object) -> None:
        """A statement has reached the driver."""
        self.statements += not self.is_over

    def figures(self, front: str) -> dict[str, float]:
        """The counts, named."""
        calls = [frame for frame in self.entered if id(frame) in self.parents]
        files = {frame.f_code.co_filename for frame in calls}
        return {
            f"typed move, {front}: calls to the commit": len(calls),
            f"typed move, {front}: files": len(files),
            f"typed move, {front}: SQL statements": self.statements,
        }


def _under_way() -> Iterator[int]:
    """The frames of coroutines that wait for something now: they are not entered, but go on."""
    for task in asyncio.all_tasks():
        coroutine: Any = task.get_coro()
        while coroutine is not None and hasattr(coroutine, "cr_frame"):
            if coroutine.cr_frame is not None:
                yield id(coroutine.cr_frame)
            coroutine = coroutine.cr_await


def _is_ours(frame: FrameType) -> bool:
    code = frame.f_code
    if code.co_filename.endswith(_DRIVER):
        return False
    return code.co_filename.startswith(tuple(f"{_ROOT / name}/" for name in _OURS)) and (
        code.co_name[0] != "<"
    )


@contextmanager
def _traced(app: App) -> Iterator[_Trace]:
    """Trace what happens in this thread while the block runs, as far as the next commit."""
    trace, record = _Trace(), match_store.record
    trace.seen.update(_under_way())
    engines = [app.store._reader.sync_engine, app.store._writer.sync_engine]

    async def recorded(*arguments: Any, **more: Any) -> bool:
        done = await record(*arguments, **more)
        trace.is_over = True
        return done

    for engine in engines:
        event.listen(engine, "before_cursor_execute", trace.executed)
    match_store.record = recorded
    sys.setprofile(trace.called)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        match_store.record = record
        for engine in engines:
            event.remove(engine, "before_cursor_execute", trace.executed)


async def measure() -> dict[str, float]:
    """The table of figures."""
    figures: dict[str, float] = {}
    for front, played in (("web", _web), ("Discord", _discord), ("Telegram", _telegram)):
        with TemporaryDirectory() as folder:
            async with played(Path(folder)) as (app, play):
                # Boards are followed by notices, and pages hear of more than boards.
                await asyncio.sleep(_REST)
                with _traced(app) as trace:
                    await play()
        figures |= trace.figures(front)
    return figures | _sizes()


_Played = AsyncIterator[tuple[App, Callable[[], Awaitable[Any]]]]


@asynccontextmanager
async def _web(folder: Path) -> _Played:
    async with (
        open_table(folder / "azumaya.db") as table,
        Browser(table.url) as hers,
        Browser(table.url) as his,
    ):
        await hers.arrive("Anna")
        await his.arrive("Ben")
        anna, ben = await othello(await hers.tab(), await his.tab())
        await anna.say("/othello d3")
        await ben.board(version=3)
        await anna.board(version=3)
        yield table.app, lambda: ben.say("/othello c3")


@asynccontextmanager
async def _discord(folder: Path) -> _Played:
    async with Scene.open(folder) as scene:
        await scene.begun()
        await scene.slash(scene.anna, "othello", move="d3")
        yield scene.app, lambda: scene.slash(scene.ben, "othello", move="c3")


@asynccontextmanager
async def _telegram(folder: Path) -> _Played:
    api = BotApi(None)
    await api.start()
    table = Table.of(api, folder / "azumaya.db")
    async with running(table.settings()) as (app, _):
        await table.begin()
        table.anna.says(table.group, "/othello d3")
        await api.until(lambda: table.is_shown("d3"))

        async def play() -> None:
            table.ben.says(table.group, "/othello c3")
            await api.until(lambda: table.is_shown("c3"))

        yield app, play
    await api.stop()


# --- how much there is --------------------------------------------------------------------------


def _sizes() -> dict[str, float]:
    files = {path: path.read_text("utf-8") for name in _OURS for path in _python(_ROOT / name)}
    fronts = {path for path in files if "fronts" in path.parts}
    lines = {path: len(text.splitlines()) for path, text in files.items()}
    return {
        "fronts: calls of the store": sum(_calls_of_store(files[path]) for path in fronts),
        "fronts: share of all lines (%)": 100
        * sum(lines[path] for path in fronts)
        / sum(lines.values()),
    }


def _python(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.py") if "migrations" not in path.parts]


def _calls_of_store(text: str) -> int:
    """Places in a module that call a function of a module of the store."""
    tree = ast.parse(text)
    modules = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == _STORE
        for alias in node.names
    }
    return sum(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in modules
        for node in ast.walk(tree)
    )
