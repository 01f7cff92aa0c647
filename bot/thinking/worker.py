"""A process that thinks: ``python -m bot.thinking.worker``.

It reads a `Task` after the other from its input and writes what came of each, an `Outcome`, to its
output, and before it, every second, a `Sign` that it is alive; a `Stop` ends the search that is
under way early, and the end of the input ends the process. Before its first `Outcome` it writes
once that it is `Ready`: numba has been loaded, unless it was started with ``--plain``. All of them
are pickled, behind four bytes that say how long they are. Where it crashes, its errors say of what
kind it was, and where.
"""

import faulthandler
import os
import pickle
import signal
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue
from shutil import rmtree
from tempfile import TemporaryFile, gettempdir
from typing import Any, BinaryIO

import games
from bot.thinking.tasks import Task, where

__all__ = [
    "LENGTH",
    "PLAIN",
    "Outcome",
    "Ready",
    "Sign",
    "Stop",
    "accelerate",
    "done",
    "forget_compiled",
    "main",
    "needs_warming",
    "note_warm",
    "packed",
    "why_nothing_is_kept",
]

PLAIN = "--plain"
"""Lets a process do without numba, which might end it."""
_SIGN_EVERY = 1.0
"""Seconds between two signs of life during a search."""
LENGTH = 4
"""Bytes before each message, which say how long it is."""
_WHOLE = "whole"
"""The file that says that all players have been compiled."""
_KEPT = 30 * 24 * 3600
"""Seconds for which what was compiled of other versions is kept."""
_NICE = 10
"""Others are served first. With less, nobody would get a hint where all cores are busy."""


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
class Ready:
    """All that searches need has been loaded."""

    trouble: str
    """What kind of error numba makes, which is not used then; nothing where it works, or is not
    there."""


@dataclass(frozen=True, slots=True)
class Sign:
    """The process is alive, and not done yet."""

    worked: float
    """Seconds of a core that it has used since it was started."""


def packed(message: Any) -> bytes:
    """A message as it is sent."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(data).to_bytes(LENGTH, "big") + data


def done(task: Task[Any], stopped: threading.Event) -> Outcome:
    """What comes of a task, sooner where it is `stopped`. Blocking."""
    end = time.monotonic() + task.seconds

    def is_late() -> bool:
        return stopped.is_set() or time.monotonic() >= end

    try:
        return Outcome(task.done(is_late))
    except Exception as error:  # noqa: BLE001 - told to whoever asked, who logs it
        # Not its text, in which there may be what nobody is to read.
        return Outcome(error=type(error).__name__, where=where(error))


def _read(source: BinaryIO) -> Any:
    """The next message; None at the end."""
    length = source.read(LENGTH)
    return pickle.loads(source.read(int.from_bytes(length, "big"))) if length else None  # noqa: S301 - by whoever started us


def accelerate() -> BaseException | None:
    """Let players search fast, where numba works: before the first of them is asked for.

    Gives what it raises where it is there and does not work.

    What numba compiles it keeps on disk, and looks only whether the file of a function has changed,
    not those of the functions that it calls: so each state of the players' code has a folder of its
    own; where nobody can write in it, every process compiles for itself. Half installed, numba may
    raise anything, also what should end a process. `azumaya doctor` says of both what there is to
    do.
    """
    os.environ.pop("NUMBA_CACHE_DIR", None)
    if not why_nothing_is_kept():
        os.environ["NUMBA_CACHE_DIR"] = str(_cache())
    try:
        import_module("numba")
    except BaseException as error:  # noqa: BLE001 - SIGINT is ignored here: it is numba's own
        # Nobody is to use what has been loaded of it.
        sys.modules["numba"] = None  # type: ignore[assignment]
        is_missing = isinstance(error, ModuleNotFoundError) and error.name == "numba"
        return None if is_missing else error
    trouble: BaseException | None = import_module("games.computer.accelerated").TROUBLE
    return trouble


def why_nothing_is_kept() -> str:
    """Where what numba compiles cannot be kept, and why; nothing where it can. Blocking."""
    folder = _cache()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        return f"{folder}: {error.strerror}"
    return ""


def forget_compiled() -> None:
    """Let all that numba has kept of this code be made anew: it may be damaged. Blocking."""
    rmtree(_cache(), ignore_errors=True)


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


class _Teller:
    """Tells whoever asked what came of a task, and meanwhile, every second, that we are alive."""

    def __init__(self, told: BinaryIO) -> None:
        self._told = told
        self._telling = threading.Lock()
        self._is_busy = threading.Event()

    def begin(self) -> None:
        """A task has come."""
        self._is_busy.set()

    def answer(self, outcome: Outcome) -> None:
        """Say what came of it."""
        with self._telling:
            self._is_busy.clear()
            self._tell(outcome)

    def give_signs(self) -> None:
        """For ever, in a thread of its own: a process that is only stopped gives none."""
        while True:
            self._is_busy.wait()
            with self._telling:
                if self._is_busy.is_set():
                    self._tell(Sign(time.process_time()))
            time.sleep(_SIGN_EVERY)

    def get_ready(self, trouble: BaseException | None) -> None:
        """Say that all has been loaded, with this trouble."""
        with self._telling:
            self._tell(Ready(type(trouble).__name__ if trouble else ""))

    def _tell(self, message: Outcome | Ready | Sign) -> None:
        self._told.write(packed(message))
        self._told.flush()


def _tell_of_crashes() -> None:
    """Let what ends us say of what kind it was, and where, and nothing else reach our errors.

    What players and libraries print may be of a match.
    """
    errors = os.fdopen(os.dup(sys.stderr.fileno()), "w")
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stderr.fileno())
    os.dup2(nothing, sys.stdout.fileno())
    os.close(nothing)
    faulthandler.enable(errors, all_threads=False)

    def tell(kind: type[BaseException], error: BaseException, _: object) -> None:
        print(kind.__name__, *where(error), sep="\n", file=errors, flush=True)
        # Whichever thread it was: without it nobody would hear of us, or we of nobody.
        os._exit(1)

    def tell_of_thread(failed: threading.ExceptHookArgs) -> None:
        tell(failed.exc_type, failed.exc_value or SystemExit(), None)

    sys.excepthook = tell
    threading.excepthook = tell_of_thread


def main() -> None:
    """Think until nobody asks any more."""
    # Who ends the house ends us by ending our input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICE)
    asked, told = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever a player prints is no answer.
    _tell_of_crashes()
    teller = _Teller(told)
    tasks = SimpleQueue[tuple[Task[Any], threading.Event]]()

    def listen() -> None:
        stopped = threading.Event()
        while (message := _read(asked)) is not None:
            if isinstance(message, Stop):
                stopped.set()
            else:
                stopped = threading.Event()
                teller.begin()
                tasks.put((message, stopped))
        # In the middle of a search, too: nobody will hear of it.
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    teller.get_ready(None if PLAIN in sys.argv else accelerate())
    # Not before: whoever hangs over numba is to seem dead.
    threading.Thread(target=teller.give_signs, daemon=True).start()
    while True:
        teller.answer(done(*tasks.get()))


if __name__ == "__main__":
    # So that what is sent is of the module that others know.
    from bot.thinking.worker import main as run

    run()
