"""Runs tests in a copy of the tree, each time in a fork that has what does not change.

A script of its own, which imports nothing of ours but only the modules that it is given as words:
it is the forks that import, after the copy was changed. A request is a line of JSON on stdin, the
answer to it a line on stdout; see `Request` and `Answer`.
"""

import json
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import Any, TypedDict

import pytest

TraceFunction = Callable[[FrameType, str, Any], Any]


_ENDS = {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED}


class Request(TypedDict):
    """What is to be run."""

    files: list[str]
    tests: dict[str, float] | None
    """How long each test may take, in the order in which they run until one fails.

    None: all there are, however many fail, and it is written down which lines they execute.
    No tests: the files are only imported, and compiled for later.
    """
    seconds: float
    """How long all of it may take."""
    folder: str
    """For temporary files, the log and the answer."""


class Answer(TypedDict, total=False):
    """What came of it."""

    failed: dict[str, str]
    """Why tests have failed."""
    is_hung: bool
    seconds: dict[str, float]
    lines: dict[str, dict[int, list[str]]]
    """Which tests execute the lines of a file."""


class _Recorder:
    """Notes how long tests take and which of our lines they execute.

    A tracer of our own: that of coverage.py keeps a stack for each greenlet of SQLAlchemy's, and
    hung in it, or, without, took lines of one file for those of another.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.lines: dict[str, dict[int, list[str]]] = {}
        self._tracers: dict[str, TraceFunction | None] = {}
        self._executed: dict[str, set[int]] = {}
        self._root = f"{Path.cwd()}/"

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        threading.settrace(self._called)
        sys.settrace(self._called)
        begun = perf_counter()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = perf_counter() - begun
            sys.settrace(None)
            threading.settrace(None)
            for path, numbers in self._executed.items():
                for number in numbers:
                    self.lines.setdefault(path, {}).setdefault(number, []).append(item.nodeid)
                numbers.clear()

    def _called(self, frame: FrameType, _event: str, _arg: object) -> TraceFunction | None:
        name = frame.f_code.co_filename
        try:
            return self._tracers[name]
        except KeyError:
            return self._tracers.setdefault(name, self._tracer(name))

    def _tracer(self, name: str) -> TraceFunction | None:
        """What notes the lines of a file, if it is ours."""
        path = name.removeprefix(self._root)
        if path == name or not path.startswith("bot/"):
            return None
        add = self._executed.setdefault(path, set()).add

        def executed(frame: FrameType, event: str, _arg: object) -> TraceFunction:
            if event == "line":
                add(frame.f_lineno)
            return executed

        return executed


class _Runner:
    """Runs the tests that are asked for in their order; notes what fails."""

    def __init__(self, tests: dict[str, float] | None) -> None:
        self._tests = tests
        self.failed: dict[str, str] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self._tests is None:
            return
        order = {name: number for number, name in enumerate(self._tests)}
        items[:] = sorted(
            (item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid]
        )
        for item in items:
            item.add_marker(pytest.mark.timeout(self._tests[item.nodeid], method="signal"))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.setdefault(f"import of {report.nodeid}", _last_line(report.longreprtext))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.setdefault(report.nodeid, _last_line(report.longreprtext))


def _last_line(text: str) -> str:
    errors = [line[2:] for line in text.splitlines() if line.startswith("E ")]
    return (errors or text.splitlines() or [""])[0].strip()


def _run(request: Request, answer: Path) -> None:
    """In the fork."""
    os.setsid()
    folder = Path(request["folder"])
    log = os.open(folder / "log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    tests = request["tests"]
    # Bytecode is kept of what is not changed only.
    sys.dont_write_bytecode = bool(tests)
    if sys.dont_write_bytecode:
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    runner = _Runner(tests)
    recorder = _Recorder() if tests is None else None
    words = ["-q", "--tb=short", "-p", "no:cacheprovider", f"--basetemp={folder / 'temporary'}"]
    if tests is not None:
        words.append("-x")
    plugins = [runner] if recorder is None else [runner, recorder]
    try:
        code: object = pytest.main([*words, *request["files"]], plugins=plugins)
    except Exception as error:  # noqa: BLE001 - warnings about what a failed test has left open
        code = error
    if code not in _ENDS and not runner.failed:
        runner.failed["pytest"] = f"ends with {code!r}"
    found: Answer = {"failed": runner.failed}
    if recorder is not None:
        found |= {"seconds": recorder.seconds, "lines": recorder.lines}
    answer.write_text(json.dumps(found))


def _answer(request: Request) -> Answer:
    answer = Path(request["folder"]) / "answer.json"
    answer.unlink(missing_ok=True)
    process = multiprocessing.get_context("fork").Process(target=_run, args=(request, answer))
    process.start()
    try:
        process.join(request["seconds"])
    finally:
        # With all that a test has left behind.
        assert process.pid is not None
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    is_hung = process.exitcode is None
    process.join()
    if answer.exists():
        found: Answer = json.loads(answer.read_text())
        return found
    return {"failed": {}, "is_hung": True} if is_hung else {"failed": {"the process": "has died"}}


def main() -> None:
    """Answer until there is no request any more."""
    # Where a script stands comes first otherwise.
    sys.path[0] = str(Path.cwd())
    with warnings.catch_warnings(action="ignore"):
        for name in sys.argv[1:]:
            import_module(name)
    for line in sys.stdin:
        request: Any = json.loads(line)
        sys.stdout.write(json.dumps(_answer(request)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
