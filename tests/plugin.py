"""Fixtures of all tests: no environment of the user, and no deadline except pytest's.

A test with a `database` runs on SQLite. Tests in `_BOTH`, and those marked ``both``, run on
PostgreSQL too. ``--store both`` runs all tests on both (``make test-all``). ``--store sqlite`` and
``--store postgres`` run them on one.
"""

import gc
import os
import ssl
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from functools import cache
from pathlib import Path
from shutil import copy
from time import monotonic, sleep

import pytest
from _pytest.terminal import TerminalReporter
from alembic.config import Config
from hypothesis import HealthCheck, settings

from bot.store import Address, migrate
from bot.store.database import migrating, postgres_server, sqlite
from bot.store.schema import REVISION
from bot.support import logs
from tests import postgres
from tests.compiling import compiled_once
from tests.missing import missing

# A deadline would measure the machine, and the suite has its own timeout.
_SETTINGS = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True, derandomize=True
)
settings.register_profile("fixed", _SETTINGS)
# `make test-all` uses random examples. Failures are kept as an `@example`.
settings.register_profile("random", _SETTINGS, derandomize=False)
settings.load_profile("fixed")


# xdist is loaded later and would be asked first.
@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return cores + 1 (the Makefile allows 4): tests wait for processes, browsers and clocks.

    On two cores, a fourth process cost more to import and collect than it gained.
    """
    return (os.cpu_count() or 1) + 1


_SQLITE, _POSTGRES = "sqlite", "postgres"
_BOTH = ("tests/bot/store/", "tests/bot/delivery/test_reconciler.py")
_ENGINE = "_engine_of_store"
_IN_MEMORY = Path("/dev/shm")
"""Files of tests are kept in memory if possible, since a test waits for about twenty commits.

Killing a process loses nothing there. That the app syncs to disk is tested in
tests/bot/store/database/test_sqlite_thread.py.
"""
_ROOM = 4 << 30


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--store",
        choices=("usual", "both", _SQLITE, _POSTGRES),
        default="usual",
        help="the database of the tests that need one; usual: SQLite, and both where it matters",
    )
    parser.addoption("--server", type=Path, help="the folder of a PostgreSQL that runs already")


def pytest_configure(config: pytest.Config) -> None:
    if _memory_has_room():
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_IN_MEMORY))


def _memory_has_room() -> bool:
    """Return whether the memory disk is large enough and may hold programs.

    In containers it is often neither.
    """
    if not hasattr(os, "statvfs") or not os.access(_IN_MEMORY, os.W_OK):
        return False
    found = os.statvfs(_IN_MEMORY)
    return found.f_bavail * found.f_frsize >= _ROOM and not found.f_flag & os.ST_NOEXEC


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if _ENGINE in metafunc.fixturenames:
        metafunc.parametrize(_ENGINE, _engines(metafunc), indirect=True)


def _engines(metafunc: pytest.Metafunc) -> list[str]:
    """Return the databases that a test runs on."""
    for only in (_SQLITE, _POSTGRES):
        if metafunc.definition.get_closest_marker(only):
            return [only]
    name, chosen = metafunc.definition.nodeid, str(metafunc.config.option.store)
    is_for_both = name.startswith(_BOTH) or metafunc.definition.get_closest_marker("both")
    if chosen == "both" or (chosen == "usual" and is_for_both):
        return [_SQLITE, _POSTGRES]
    return [_SQLITE if chosen == "usual" else chosen]


@pytest.fixture(name=_ENGINE)
def engine_of_store(request: pytest.FixtureRequest) -> str:
    """Return the kind of the test's `database`."""
    chosen = str(request.param)
    if chosen == _POSTGRES and (why := postgres.why_not()):
        missing(why)
    if chosen != request.config.option.store and request.config.option.store in _EACH:
        pytest.skip(f"is for {chosen} only")
    return chosen


_EACH = (_SQLITE, _POSTGRES)
_FIRST = "gw0"
_LONGEST_STANDSTILL = "60s"
_LONGEST_COMPILING = 60.0


@pytest.fixture(scope="session")
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> postgres.Server:
    """Return the PostgreSQL of this run, which the first test that needs it starts."""
    if found := request.config.option.server:
        return postgres.Server(found)
    if why := postgres.why_not():
        missing(why)
    is_one_of_many = "PYTEST_XDIST_WORKER" in os.environ
    folder = tmp_path_factory.getbasetemp()
    return postgres.Server.of(
        folder.parent if is_one_of_many else folder,
        owner=os.getppid() if is_one_of_many else os.getpid(),
    )


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a migrated database without people, since copying is quicker than migrating."""
    path = tmp_path_factory.mktemp("empty") / "azumaya.db"
    migrate(path)
    return path


@pytest.fixture
def next_revision(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Write a migration after the newest, as in a later release, and return its file."""
    versions = tmp_path_factory.mktemp("versions")
    ours = Path(migrating.__file__).parent / "migrations" / "versions"
    made, newest = migrating._alembic, REVISION

    def with_one_more() -> Config:
        config = made()
        config.set_main_option("version_locations", f"{ours}{os.pathsep}{versions}")
        return config

    monkeypatch.setattr(migrating, "_alembic", with_one_more)
    for module in (migrating, postgres_server, sqlite):
        monkeypatch.setattr(module, "REVISION", "v9999")
    file = versions / "9999_later.py"
    file.write_text(
        "import sqlalchemy as sa\n"
        "from alembic import op\n"
        f"revision, down_revision = 'v9999', {newest!r}\n"
        "branch_labels = depends_on = None\n"
        "def upgrade():\n    pass\n"
    )
    return file


@pytest.fixture
def database(
    request: pytest.FixtureRequest, _engine_of_store: str, tmp_path: Path
) -> Iterator[Address]:
    """Return the address of an empty database: a file, or one of the server."""
    if _engine_of_store == _SQLITE:
        yield Path(copy(request.getfixturevalue("empty"), tmp_path))
        return
    server: postgres.Server = request.getfixturevalue("server")
    with server.lent() as address:
        yield address


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest tests first, so that the run does not end with one of them alone."""
    items.sort(key=lambda item: "long" not in item.keywords)


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Print each reason for skipped tests once."""
    skipped = terminalreporter.stats.get("skipped", [])
    for reason, count in Counter(report.longrepr[2] for report in skipped).items():
        terminalreporter.write_line(f"{count} skipped: {reason.removeprefix('Skipped: ')}")


def pytest_collection_finish() -> None:
    """Exclude what is loaded so far from garbage collection, and collect less often.

    That saves a twentieth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Let the first worker compile the tests to bytecode, which the others read."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None:
        return (yield)
    # The workers' folders are siblings.
    compiled = Path(session.config.option.basetemp).parent / "compiled"
    if worker == _FIRST:
        try:
            return (yield)
        finally:
            compiled.touch()
    until = monotonic() + _LONGEST_COMPILING
    while not compiled.exists() and monotonic() < until:
        sleep(0.05)
    return (yield)


@pytest.fixture(scope="session", autouse=True)
def _statements_are_compiled_once() -> Iterator[None]:
    with compiled_once():
        yield


@pytest.fixture(scope="session", autouse=True)
def _certificates_are_read_once() -> Iterator[None]:
    """Load the certificates once, since each HTTP client would load all of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_worker_is_cut_off_for_standing_still() -> Iterator[None]:
    """Give PostgreSQL more patience with a worker that the machine does not schedule.

    With four workers on two slow cores, a transaction was idle for over ten seconds now and then.
    """
    with pytest.MonkeyPatch.context() as patch:
        if "PYTEST_XDIST_WORKER" in os.environ:
            patch.setitem(
                postgres_server._SESSION, "idle_in_transaction_session_timeout", _LONGEST_STANDSTILL
            )
        yield


@pytest.fixture(autouse=True)
def _nothing_said_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test's app log again what it logs only now and then."""
    monkeypatch.setattr(logs, "_failures", logs.RateLimitedLog())


@pytest.fixture(scope="session")
def _nowhere(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Return an empty directory, shared by all tests that write nothing.

    With thousands of folders, pytest needs a millisecond more for each new one.
    """
    lent = tmp_path_factory.mktemp("nowhere")

    def empty() -> Path:
        nonlocal lent
        if any(lent.iterdir()):
            lent = tmp_path_factory.mktemp("nowhere")
        return lent

    return empty


@pytest.fixture(autouse=True)
def _apart_from_the_user(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, _nowhere: Callable[[], Path]
) -> None:
    """Run without our environment variables, in an empty directory.

    Subprocesses import this checkout.
    """
    for name in list(os.environ):
        if name.upper().startswith("AZUMAYA_"):
            monkeypatch.delenv(name)
    has_own = "tmp_path" in request.fixturenames
    monkeypatch.chdir(request.getfixturevalue("tmp_path") if has_own else _nowhere())
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
