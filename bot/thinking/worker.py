"""A process that thinks: ``python -m bot.thinking.worker``.

It reads a `Task` after the other from its input and writes what came of each, an `Outcome`, to its
output; a `Stop` ends the search that is under way early, and the end of the input ends the process.
All of them are pickled, behind four bytes that say how long they are.

A task holds a view, never a position: what its seat may not know is not in this process.
"""

import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue
from random import Random
from shutil import rmtree
from tempfile import gettempdir, mkdtemp
from typing import Any, BinaryIO

import games
from games import Note, computer
from games.computer import LEVELS

__all__ = [
    "LENGTH",
    "Hinted",
    "Outcome",
    "Ranked",
    "Stop",
    "Task",
    "accelerate",
    "done",
    "main",
    "needs_warming",
    "note_warm",
    "packed",
]

LENGTH = 4
"""Bytes before each message, which say how long it is."""
_WHOLE = "whole"
"""The file that says that all players have been compiled."""
_KEPT = 30 * 24 * 3600
_NICE = 10
"""Others are served first."""


@dataclass(frozen=True, slots=True)
class Task:
    """Something to think about, for at most so many `seconds`."""

    do: str
    """One of those below: what is asked of the player."""
    game: str
    view: Any
    seat: int
    seconds: float
    level: int = LEVELS
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Stop:
    """Whoever asked does not want to know it any more."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a task: a value, or what kind of error, and where; never what it says."""

    value: Any = None
    error: str = ""
    where: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hinted:
    """A good move as it is stored, why it is one, and what else is worth knowing."""

    move: str
    why: Note | None
    advice: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A move as it is stored, and what a search thinks of it (`games.computer.Candidate`)."""

    move: str
    expectation: float
    line: tuple[str, ...]
    is_exact: bool


def packed(message: Any) -> bytes:
    """A message as it is sent."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(data).to_bytes(LENGTH, "big") + data


def _chosen(task: Task, is_late: Callable[[], bool]) -> str:
    player, game = computer.player(task.game), games.get(task.game)
    move = player.choose(
        task.view, task.seat, level=task.level, rng=Random(task.seed), is_late=is_late
    )
    return game.notation(move)


def _warmed(task: Task, is_late: Callable[[], bool]) -> None:
    """Let all that a player needs be compiled: the first move of somebody need not wait for it."""
    game, player = games.get(task.game), computer.player(task.game)
    position = game.start(options := game.options_from({}), game.new_setup(options, Random(1)))
    seat = min(position.turn)
    view = position.view(seat)
    for level in (1, LEVELS):
        player.choose(view, seat, level=level, rng=Random(1), is_late=is_late)
    best = player.rank(view, seat, is_late=is_late)[0].move
    player.reason(view, seat, best, is_late=is_late)
    player.advice(view, seat, best, is_late=is_late)


def _draws(task: Task, is_late: Callable[[], bool]) -> bool:
    return computer.player(task.game).wants_draw(task.view, task.seat, is_late=is_late)


def _hinted(task: Task, is_late: Callable[[], bool]) -> Hinted:
    player, half = computer.player(task.game), time.monotonic() + task.seconds / 2

    def is_half() -> bool:
        return is_late() or time.monotonic() >= half

    # The other half is for what else there is to say.
    best = player.rank(task.view, task.seat, is_late=is_half)[0].move
    return Hinted(
        games.get(task.game).notation(best),
        player.reason(task.view, task.seat, best, is_late=is_late),
        player.advice(task.view, task.seat, best, is_late=is_late),
    )


def _retold(task: Task, is_late: Callable[[], bool]) -> tuple[Note, ...]:
    return computer.player(task.game).course(task.view, is_late=is_late)


def _ranked(task: Task, is_late: Callable[[], bool]) -> tuple[Ranked, ...]:
    player, written = computer.player(task.game), games.get(task.game).notation
    return tuple(
        Ranked(written(one.move), one.expectation, tuple(map(written, one.line)), one.is_exact)
        for one in player.rank(task.view, task.seat, is_late=is_late)
    )


_DO: Mapping[str, Callable[[Task, Callable[[], bool]], Any]] = {
    "choose": _chosen,
    "course": _retold,
    "hint": _hinted,
    "rank": _ranked,
    "wants-draw": _draws,
    "warm": _warmed,
}


def done(task: Task, stopped: threading.Event) -> Outcome:
    """What comes of a task, sooner where it is `stopped`. Blocking."""
    end = time.monotonic() + task.seconds

    def is_late() -> bool:
        return stopped.is_set() or time.monotonic() >= end

    try:
        return Outcome(_DO[task.do](task, is_late))
    except Exception as error:  # noqa: BLE001 - told to whoever asked, who logs it
        # Not its text, in which there may be what nobody is to read.
        frames = traceback.extract_tb(error.__traceback__)
        where = tuple(f"{Path(one.filename).name}:{one.lineno}" for one in frames)
        return Outcome(error=type(error).__name__, where=where)


def _read(source: BinaryIO) -> Any:
    """The next message; None at the end."""
    length = source.read(LENGTH)
    return pickle.loads(source.read(int.from_bytes(length, "big"))) if length else None  # noqa: S301 - by whoever started us


def accelerate() -> None:
    """Let players search fast, where numba is there: before the first of them is asked for.

    What numba compiles it keeps on disk, and looks only whether the file of a function has changed,
    not those of the functions that it calls: so each state of the players' code has a folder of its
    own. Half installed, numba may raise anything; `azumaya doctor` says what.
    """
    folder = _cache()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        folder = Path(mkdtemp(prefix="azumaya-"))
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    with suppress(Exception):
        import_module("numba")


def needs_warming() -> bool:
    """Has numba not compiled all players yet, in the state in which their code is now? Blocking.

    False where there is no numba.
    """
    return find_spec("numba") is not None and not (_cache() / _WHOLE).exists()


def note_warm() -> None:
    """All players have been compiled: what was of earlier code goes, a month later. Blocking."""
    with suppress(OSError):
        (_cache() / _WHOLE).touch()
        for folder in _folder().glob("players-*"):
            if time.time() - folder.stat().st_mtime > _KEPT and folder != _cache():
                rmtree(folder, ignore_errors=True)


def _cache() -> Path:
    """Where what is compiled of this state of the players' code is kept."""
    state = sha256()
    for file in sorted(Path(games.__file__).parent.rglob("*.py")):
        state.update(file.read_bytes())
    return _folder() / f"players-{state.hexdigest()[:16]}"


def _folder() -> Path:
    """Where programs of this person keep what they can make again."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    with suppress(RuntimeError):
        return (Path(named) if named else Path.home() / ".cache") / "azumaya"
    return Path(gettempdir()) / f"azumaya-{os.getpid()}"


def main() -> None:
    """Think until nobody asks any more."""
    # Who ends the house ends us by ending our input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICE)
    accelerate()
    asked, told = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever a player prints is no answer.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    tasks = SimpleQueue[tuple[Task, threading.Event]]()

    def listen() -> None:
        stopped = threading.Event()
        while (message := _read(asked)) is not None:
            if isinstance(message, Stop):
                stopped.set()
            else:
                stopped = threading.Event()
                tasks.put((message, stopped))
        # In the middle of a search, too: nobody will hear of it.
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        told.write(packed(done(*tasks.get())))
        told.flush()


if __name__ == "__main__":
    # So that what is sent is of the module that others know.
    from bot.thinking.worker import main as run

    run()
