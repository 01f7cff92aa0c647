"""A worker process that runs engines: ``python -m bot.engines.worker``.

It reads `Task` and `Stop` messages from stdin. `Stop` ends the running search early, and the end of
the input ends the process. It writes `Ready` once after loading numba, which ``--plain`` skips. It
writes a `KeepAlive` every second during a search, and an `Outcome` after it. Each message is
pickled, after four bytes with its length. A crash writes its kind and place to stderr. Its priority
is low, except with ``--quick``.
"""

import faulthandler
import os
import pickle
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
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
from bot.engines.tasks import Task, prepare, where

NO_NUMBA_FLAG = "--plain"
"""Start without numba, which may crash the process."""
PROMPT = "--quick"
"""Start with the priority of the bot, for searches of milliseconds."""
_SIGN_EVERY = 1.0
LENGTH = 4
"""Bytes before each message that hold its length."""
_WHOLE = "whole"
_KEPT = 30 * 24 * 3600
"""Seconds until caches of other versions are deleted."""
_MOST_TROUBLE = 300
"""Characters of an error of numba."""
_NICE = 10
"""Low priority, but enough for hints when all cores are busy."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The caller no longer waits for the result."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a task, or the kind and place of an error, never its text."""

    value: Any = None
    error: str = ""
    where: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ready:
    """The process is ready for searches."""

    trouble: str
    """The error that disabled numba. Empty if numba works or is not installed."""


@dataclass(frozen=True, slots=True)
class KeepAlive:
    """The process is alive and still searching."""

    worked: float
    """CPU seconds used since the start."""


def packed(message: Any) -> bytes:
    """Return a message with its length, ready to send."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(data).to_bytes(LENGTH, "big") + data


def run_task(task: Task[Any], stopped: threading.Event) -> Outcome:
    """Run a task, ending early if `stopped`. Blocking."""
    end = time.monotonic() + task.seconds

    def is_late() -> bool:
        return stopped.is_set() or time.monotonic() >= end

    try:
        return Outcome(task.run(is_late))
    except Exception as error:  # noqa: BLE001 - the caller logs it
        # Not the text, which may contain a secret of the match.
        return Outcome(error=type(error).__name__, where=where(error))


def load_and_run(task: Task[Any], stopped: threading.Event) -> Outcome:
    """Load the engine of a task, then run the task with all of its time. Blocking."""
    if task.needs_engine:
        # An engine that fails here may still find a move.
        with suppress(Exception):
            prepare(task.game)
    return run_task(task, stopped)


def _read(source: BinaryIO) -> Any:
    length = source.read(LENGTH)
    return pickle.loads(source.read(int.from_bytes(length, "big"))) if length else None  # noqa: S301 - from the parent process


def accelerate() -> BaseException | None:
    """Load numba if it works, before any engine is loaded. Return its error, if any.

    Each version of the code has its own cache: numba misses changes in other files that a function
    depends on. A broken installation may raise anything, even SystemExit.
    """
    os.environ.pop("NUMBA_CACHE_DIR", None)
    if can_cache():
        os.environ["NUMBA_CACHE_DIR"] = str(_cache())
    try:
        import_module("numba")
    except BaseException as error:  # noqa: BLE001 - SIGINT is ignored here, so numba raised it
        # Prevent imports of a partly loaded numba.
        sys.modules["numba"] = None  # type: ignore[assignment]
        is_missing = isinstance(error, ModuleNotFoundError) and error.name == "numba"
        return None if is_missing else error
    trouble: BaseException | None = import_module("games.computer.accelerated").TROUBLE
    return trouble


def can_cache() -> bool:
    """Return whether compiled code can be cached. Blocking."""
    folder = _cache()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError:
        return False
    return True


def forget_compiled() -> None:
    """Delete the compiled code of this version, which may be damaged. Blocking."""
    rmtree(_cache(), ignore_errors=True)


def needs_warming() -> bool:
    """Return whether engines are not compiled yet. False without numba. Blocking."""
    return find_spec("numba") is not None and not (_cache() / _WHOLE).exists()


def mark_compiled() -> None:
    """Mark all engines as compiled, and delete old caches. Blocking."""
    with suppress(OSError):
        (_cache() / _WHOLE).touch()
        for folder in _folder().glob("players-*"):
            if time.time() - folder.stat().st_mtime > _KEPT and folder != _cache():
                rmtree(folder, ignore_errors=True)


def _cache() -> Path:
    state = sha256()
    for file in sorted(Path(games.__file__).parent.rglob("*.py")):
        state.update(file.read_bytes())
    return _folder() / f"players-{state.hexdigest()[:16]}"


def _folder() -> Path:
    named = os.environ.get("XDG_CACHE_HOME", "")
    with suppress(RuntimeError):
        return (Path(named) if named else Path.home() / ".cache") / "azumaya"
    return Path(gettempdir()) / f"azumaya-{os.getpid()}"


def _tell_of_crashes() -> None:
    """Write only the kind and place of crashes to stderr: other output may reveal secrets."""
    errors = os.fdopen(os.dup(sys.stderr.fileno()), "w")
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stderr.fileno())
    os.dup2(nothing, sys.stdout.fileno())
    os.close(nothing)
    faulthandler.enable(errors, all_threads=False)

    def tell(kind: type[BaseException], error: BaseException, _: object) -> None:
        print(kind.__name__, *where(error), sep="\n", file=errors, flush=True)
        # The process is useless without any of its threads.
        os._exit(1)

    def tell_of_thread(failed: threading.ExceptHookArgs) -> None:
        tell(failed.exc_type, failed.exc_value or SystemExit(), None)

    sys.excepthook = tell
    threading.excepthook = tell_of_thread


def main() -> None:
    """Run tasks until the input ends."""
    # After Ctrl+C the bot closes our input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice") and PROMPT not in sys.argv:
        os.nice(_NICE)
    asked, told = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Keep the output of engines apart from the messages.
    _tell_of_crashes()
    tasks = SimpleQueue[tuple[Task[Any], threading.Event]]()

    def listen() -> None:
        stopped = threading.Event()
        while (message := _read(asked)) is not None:
            if isinstance(message, Stop):
                stopped.set()
            else:
                stopped = threading.Event()
                tasks.put((message, stopped))
        # Even during a search: its result has no reader.
        os._exit(0)

    def tell(message: Outcome | Ready | KeepAlive) -> None:
        told.write(packed(message))
        told.flush()

    threading.Thread(target=listen, daemon=True).start()
    error = None if NO_NUMBA_FLAG in sys.argv else accelerate()
    trouble = f"{type(error).__name__}: {error}" if error else ""
    tell(Ready(" ".join(trouble.split())[:_MOST_TROUBLE].rstrip(" .:")))
    with ThreadPoolExecutor(1) as searcher:
        while True:
            search = searcher.submit(load_and_run, *tasks.get())
            # A suspended process gives no signs of life.
            while not wait([search], timeout=_SIGN_EVERY).done:
                tell(KeepAlive(time.process_time()))
            tell(search.result())


if __name__ == "__main__":
    # Pickle needs the classes of the importable module, not of `__main__`.
    from bot.engines.worker import main as run

    run()
