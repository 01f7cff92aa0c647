"""Run tests in copies of the tree, where a module can be changed."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from shutil import copy2

import pytest

ROOT = Path(__file__).parents[2]

CONTEXT: ForkServerContext | SpawnContext = get_context("forkserver")
"""Each run is a fork of a process that has imported what takes long (`preload`)."""
_PRELOADED = (
    "aiohttp.web alembic.command discord httpx hypothesis.stateful PIL.Image simcord telegram.ext"
)
_ARGUMENTS = (
    *("-q", "--tb=short", "-p", "no:cacheprovider"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # for what is imported already
)

_ENDS = {
    pytest.ExitCode.OK,
    pytest.ExitCode.TESTS_FAILED,
    pytest.ExitCode.NO_TESTS_COLLECTED,
    pytest.ExitCode.INTERRUPTED,  # an import failed
}


def tracked_files() -> list[Path]:
    """Return the files of the tree that git does not ignore, relative to it."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = (Path(name) for name in listed.stdout.split("\0") if name)
    return sorted(path for path in found if (ROOT / path).is_file())


def preload() -> None:
    """Import what takes long, but nothing of ours, before the first run."""
    CONTEXT.set_forkserver_preload(_PRELOADED.split())


@dataclass(slots=True)
class Results:
    """The tests that failed, with the reason, and the seconds that each test took."""

    failed: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


class Copy:
    """A copy of the tree, in an empty folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for path in tracked_files():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            copy2(ROOT / path, target)
        # Python checks the hash of the source: with times, it could miss a change.
        compiling = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode=checked-hash"]
        subprocess.run([*compiling, "bot"], cwd=folder, check=True)

    @contextmanager
    def changed(self, path: str, source: str) -> Iterator[None]:
        module = self.folder / path
        before = module.read_text("utf-8")
        module.write_text(source, "utf-8")
        try:
            yield
        finally:
            module.write_text(before, "utf-8")

    def run(
        self, *options: str, limits: Mapping[str, float] | None = None, seconds: float
    ) -> Results:
        """Run the tests in `limits` in their order, each within its seconds; without, all."""
        receiver, sender = CONTEXT.Pipe(duplex=False)
        process = CONTEXT.Process(target=_run_pytest, args=(self.folder, options, limits, sender))
        process.start()
        sender.close()
        try:
            if receiver.poll(seconds):
                found: Results = receiver.recv()
                return found
            return Results(failed={"pytest": "does not end"})
        except EOFError:
            return Results(failed={"pytest": "the process died"})
        finally:
            _kill_group(process)


def _kill_group(process: BaseProcess) -> None:
    """Kill a process and what its tests have left running."""
    assert process.pid is not None
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.join()


def _run_pytest(
    folder: Path, options: Sequence[str], limits: Mapping[str, float] | None, sender: Connection
) -> None:
    os.setsid()
    os.chdir(folder)
    log = os.open("pytest.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    sys.path.insert(0, str(folder))
    os.environ |= {"CI": "true", "PYTHONPATH": str(folder)}
    plugin = _Plugin(limits)
    files = dict.fromkeys(test.partition("::")[0] for test in limits or ())
    code: object = None
    try:
        code = pytest.main([*_ARGUMENTS, *options, *files], plugins=[plugin])
    finally:
        if code not in _ENDS:
            plugin.results.failed.setdefault("pytest", f"ends with {code!r}")
        sender.send(plugin.results)


class _Plugin:
    """Orders and limits tests, and collects their results."""

    def __init__(self, limits: Mapping[str, float] | None) -> None:
        self._limits = limits
        self.results = Results()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self._limits is None:
            return
        found = {item.nodeid: item for item in items}
        items[:] = [found[test] for test in self._limits if test in found]
        for item in items:
            item.add_marker(pytest.mark.timeout(self._limits[item.nodeid], method="signal"))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._fail(f"import of {report.nodeid}", report.longreprtext)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        seconds = self.results.seconds
        seconds[report.nodeid] = seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self._fail(report.nodeid, report.longreprtext)

    def _fail(self, test: str, text: str) -> None:
        errors = [line[2:] for line in text.splitlines() if line.startswith("E ")]
        self.results.failed.setdefault(test, (errors or text.splitlines() or [""])[0].strip())
