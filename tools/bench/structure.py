"""Calls, files and SQL statements of a typed move, from its event to its commit and its board.

The fourth move of a match of Othello is typed on each front, so nothing happens for the first
time. A call counts if the function is ours and calls another one of ours. Code that brings
statements to the database's driver does not count, the statements do (without BEGIN and COMMIT).

**To the commit**, work for the event counts and nothing else: the task that commits, its ancestors,
and the tasks that these start later. Boards and notifications of earlier moves, and caches that are
refreshed by time, are left out.

**From the commit to the boards**, a call counts if it leads to the board: the task that hands the
board to the platform's library made it, or what woke that task later, directly or not. The count
ends when the last board is handed over: as a frame to the page's WebSocket, as an edit to
discord.py or python-telegram-bot.

So these do not count: the answer to the player, notifications and their deletion, storing what was
shown. On the web, the list of active games and the request of the picture do not count either. The
thread that draws the picture is left out. The wait for it counts, and so do cells and alt text.
Functions are what a reader has to read: each counts once.

Also reports the share of the fronts in the code, and their calls of the store.
"""

import ast
import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, cast
from unittest.mock import patch

import discord
import telegram
from aiohttp import web
from simcord.actors import MemberActor
from sqlalchemy import Engine, event

from bot.app import App
from bot.delivery import Reconciler
from bot.domain.model import Match
from bot.fronts.telegram import send_scheduler
from bot.matches import policies
from bot.store import boards
from bot.store import matches as match_store
from bot.store.database.sqlite_thread import ConnectionThread
from tests.bot.fronts.browsing import Browser, open_table, othello
from tests.bot.fronts.discord.scene import Scene
from tests.bot.fronts.telegram.conftest import Table, running
from tests.bot.fronts.telegram.server import BotApi, Person

_ROOT = Path(__file__).parents[2]
_OURS = ("bot", "games", "renderers")
_STORE = "bot.store"
_DRIVER = tuple(
    f"bot/store/database/{name}.py" for name in ("engine", "file", "sqlite", "sqlite_thread")
)
TRACES = False
"""Whether to print each call."""


_Task = asyncio.Task[Any]


@dataclass(eq=False, slots=True)
class _Callback:
    """What the event loop runs outside of tasks."""

    function: Callable[..., Any]

    def __call__(self, *given: Any) -> None:
        _here.doer = self
        try:
            self.function(*given)
        finally:
            _here.doer = None


_Doer = _Task | _Callback | None
"""None: the network, or a thread."""


class _Tasks:
    """A task factory that remembers which task started which."""

    def __init__(self) -> None:
        self.started_by: dict[_Doer, _Task | None] = {}

    def __call__(
        self,
        loop: asyncio.AbstractEventLoop,
        work: Coroutine[Any, Any, Any] | Generator[Any, None, Any],
        **more: Any,
    ) -> _Task:
        task = asyncio.Task(work, loop=loop, **more)
        self.started_by[task] = asyncio.current_task(loop)
        return task

    def line(self, task: _Doer) -> list[_Doer]:
        """Return a task and its ancestors."""
        found: list[_Doer] = []
        while task is not None:
            found.append(task)
            task = self.started_by.get(task)
        return found


@dataclass(slots=True)
class _Trace:
    """What was called until the commit, and from there to the boards."""

    tasks: _Tasks
    suspended: dict[int, FrameType]
    """Frames that were entered before, by id; kept so that no new frame reuses an id."""
    before: frozenset[_Doer]
    """The tasks that existed before."""
    entered: list[tuple[_Doer, FrameType]] = field(default_factory=list)
    done_after: list[tuple[_Doer, FrameType | _Doer]] = field(default_factory=list)
    """After the commit: who entered which frame, or woke whom."""
    seen: set[int] = field(default_factory=set)
    parents: set[int] = field(default_factory=set)
    """Ids of frames that called another function of ours."""
    statements: list[_Doer] = field(default_factory=list)
    committed: _Doer = None
    to_boards: dict[int, FrameType] = field(default_factory=dict)
    """Frames that count after the commit, by their place in `done_after`."""

    def called(self, frame: FrameType, what: str, _argument: object) -> None:
        """Record a call; see `sys.setprofile`."""
        if what != "call" or id(frame) in self.seen or not _is_ours(frame):
            return
        if id(frame) in self.suspended:
            return
        self.seen.add(id(frame))
        if self.committed:
            self.done_after.append((_now(), frame))
        else:
            self.entered.append((_now(), frame))
        caller = frame.f_back
        while caller is not None and not _is_ours(caller):
            caller = caller.f_back
        if caller is not None:
            self.parents.add(id(caller))

    def executed(self, *_: object) -> None:
        """Count a statement that reaches the driver."""
        if not self.committed:
            self.statements.append(_now())

    def woke(self, callback: Callable[..., Any]) -> Callable[..., Any]:
        """Note what the event loop will run, and return it."""
        if not self.committed:
            return callback
        task = getattr(callback, "__self__", None)
        if isinstance(task, asyncio.Task):
            self.done_after.append((_now(), task))
            return callback
        self.done_after.append((_now(), known := _Callback(callback)))
        return known

    def _counts(self, task: _Doer) -> bool:
        """Return whether a task works for the event; work outside of tasks does."""
        line = set(self.tasks.line(self.committed))
        return task is None or any(
            # Older tasks of the same ancestor have nothing to do with the event.
            one in line and all(later not in self.before for later in theirs[:at])
            for theirs in [self.tasks.line(task)]
            for at, one in enumerate(theirs)
        )

    def shown(self) -> None:
        """Count what has led to the board that this task hands over, the last step first."""
        leading = {_now()}
        for at, (doer, done) in reversed([*enumerate(self.done_after)]):
            if not isinstance(done, FrameType):
                leading |= {doer} if done in leading else set()
            elif doer in leading and id(done) in self.parents:
                self.to_boards[at] = done

    def calls(self) -> tuple[list[FrameType], list[FrameType]]:
        """Return the frames that count, to the commit and after it."""
        to_commit = [
            one for task, one in self.entered if id(one) in self.parents and self._counts(task)
        ]
        return to_commit, [frame for _, frame in sorted(self.to_boards.items())]

    def figures(self, front: str) -> dict[str, float]:
        to_commit, shown = self.calls()
        return {
            f"typed move, {front}: calls to the commit": len(to_commit),
            f"typed move, {front}: files": len({one.f_code.co_filename for one in to_commit}),
            f"typed move, {front}: SQL statements": sum(map(self._counts, self.statements)),
            f"commit to boards, {front}: calls": len(shown),
            f"commit to boards, {front}: functions": len({one.f_code for one in shown}),
            f"commit to boards, {front}: their files": len(
                {one.f_code.co_filename for one in shown}
            ),
        }


_here = threading.local()
"""Whose work a thread does outside of tasks."""


def _now() -> _Doer:
    with suppress(RuntimeError):
        if task := asyncio.current_task():
            return task
    return getattr(_here, "doer", None)


def _suspended() -> Iterator[FrameType]:
    """Yield the frames of suspended coroutines: they will be resumed, not called."""
    for task in asyncio.all_tasks():
        coroutine: Any = task.get_coro()
        while coroutine is not None and hasattr(coroutine, "cr_frame"):
            if coroutine.cr_frame is not None:
                yield coroutine.cr_frame
            coroutine = coroutine.cr_await


def _is_ours(frame: FrameType) -> bool:
    code = frame.f_code
    if code.co_filename.endswith(_DRIVER):
        return False
    return code.co_filename.startswith(tuple(f"{_ROOT / name}/" for name in _OURS)) and (
        code.co_name[0] != "<"
    )


@contextmanager
def _traced(tasks: _Tasks, library: type, send_board: str) -> Iterator[_Trace]:
    """Trace this thread, and what it lets others do, while the block runs.

    `send_board`: the method of a library that the front calls with a board.
    """
    loop = cast("Any", asyncio.get_running_loop())
    suspended = {id(frame): frame for frame in _suspended()}
    trace = _Trace(tasks, suspended, frozenset(asyncio.all_tasks()))
    commit, call = match_store.commit, ConnectionThread.call
    call_soon, call_at, run = loop.call_soon, loop.call_at, loop.run_in_executor
    send = getattr(library, send_board)

    def sent(sender: Any, *given: Any, **more: Any) -> Awaitable[Any]:
        # The page's socket also has frames without a board.
        if library is not web.WebSocketResponse or given[0].startswith('{"t": "message"'):
            trace.shown()
        return cast("Awaitable[Any]", send(sender, *given, **more))

    async def committed(*arguments: Any, **more: Any) -> Match:
        done = await commit(*arguments, **more)
        trace.committed = trace.committed or _now()
        return done

    def there(function: Callable[..., Any]) -> Callable[..., Any]:
        doer = _now()

        def traced(*given: Any) -> Any:
            _here.doer = doer
            sys.setprofile(trace.called)
            try:
                return function(*given)
            finally:
                sys.setprofile(None)
                _here.doer = None

        return traced

    async def called(connected: ConnectionThread, function: Callable[..., Any]) -> Any:
        return await call(connected, there(function))

    event.listen(Engine, "before_cursor_execute", trace.executed)
    ConnectionThread.call = called  # type: ignore[method-assign,assignment]
    match_store.commit = committed
    loop.call_soon = lambda act, *given, **more: call_soon(trace.woke(act), *given, **more)
    loop.call_at = lambda when, act, *given, **more: call_at(when, trace.woke(act), *given, **more)
    # The default pool has what a step hands to a thread and awaits. The other one draws.
    loop.run_in_executor = lambda pool, function, *given: run(
        pool, function if pool else there(function), *given
    )
    setattr(library, send_board, sent)
    sys.setprofile(trace.called)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        setattr(library, send_board, send)
        loop.call_soon, loop.call_at, loop.run_in_executor = call_soon, call_at, run
        match_store.commit = commit
        ConnectionThread.call = call  # type: ignore[method-assign]
        event.remove(Engine, "before_cursor_execute", trace.executed)


async def measure() -> dict[str, float]:
    """Return the figures of all fronts."""
    figures: dict[str, float] = {}
    tasks = _Tasks()
    asyncio.get_running_loop().set_task_factory(tasks)
    for front, played, library, send_board in (
        ("web", _web, web.WebSocketResponse, "send_str"),
        ("Discord", _discord, discord.PartialMessage, "edit"),
        ("Telegram", _telegram, telegram.Bot, "edit_message_media"),
    ):
        quick = patch.object(policies, "_FRESH", inf), patch.object(send_scheduler, "SECOND", 0.0)
        with TemporaryDirectory() as folder, quick[0], quick[1]:
            async with played(Path(folder)) as play:
                with _traced(tasks, library, send_board) as trace:
                    await play()
        figures |= trace.figures(front)
        if TRACES:
            for way, calls in zip(("to the commit", "to the boards"), trace.calls(), strict=True):
                print(f"\n{front}, {way}")
                for frame in calls:
                    path = Path(frame.f_code.co_filename).relative_to(_ROOT)
                    print(f"  {path}  {frame.f_code.co_qualname}")
    return figures | _sizes()


_Played = AsyncIterator[Callable[[], Awaitable[Any]]]


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
        for version, (page, move) in enumerate([(anna, "d3"), (ben, "c3"), (anna, "b3")], 3):
            await page.say(f"/othello {move}")
            await ben.board(version=version)
            await anna.board(version=version)
        await anna.close()
        await ben.until(lambda: any(frame.get("names") == ["Ben"] for frame in ben.heard))

        async def play() -> None:
            await ben.say("/othello b2")
            await ben.board(version=6)
            await _shown(table.app)

        yield play


@asynccontextmanager
async def _discord(folder: Path) -> _Played:
    async with Scene.open(folder / "azumaya.db") as scene:
        await scene.begun()
        reconciler = asyncio.create_task(Reconciler(scene.app, {"discord": scene.front}).run())

        async def types(actor: MemberActor, move: str) -> None:
            await actor.slash(scene.channel, "othello", move=move)
            await _shown(scene.app)

        for actor, move in ((scene.anna, "d3"), (scene.ben, "c3"), (scene.anna, "b3")):
            await types(actor, move)
        yield lambda: types(scene.ben, "b2")
        reconciler.cancel()
        await asyncio.wait([reconciler])


@asynccontextmanager
async def _telegram(folder: Path) -> _Played:
    api = BotApi(None, second=0.0)
    await api.start()
    table = Table.of(api, folder / "azumaya.db", folder)
    async with running(table.settings()) as (app, _):
        await table.begin()

        async def types(person: Person, move: str) -> None:
            person.says(table.group, f"/othello {move}")
            await api.until(lambda: table.is_shown(move))
            await _shown(app)

        for person, move in ((table.anna, "d3"), (table.ben, "c3"), (table.anna, "b3")):
            await types(person, move)
        yield lambda: types(table.ben, "b2")
    await api.stop()


async def _shown(app: App) -> None:
    """Wait until the board shows the match and its notifications have been sent."""
    while any(  # noqa: ASYNC110
        one.shown < one.wanted or one.notified < one.news or one.former_notice
        for one in await boards.of_match(app.store, 1)
    ):
        await asyncio.sleep(0.01)


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
    """Count the calls of functions in modules of the store."""
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
