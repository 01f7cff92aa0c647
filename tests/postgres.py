"""A real PostgreSQL for the tests: one server per run, one database per test.

The first test that needs the server starts a process for it (``python -m tests.postgres``). That
process stops the server and deletes its files when the tests have ended, even if they were killed.
The server listens only on a socket in a temporary folder, and does not sync to disk.
"""

import asyncio
import fcntl
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import pytest
from pydantic import SecretStr

from bot.store import migrate
from bot.store.schema import counters, key_values, metadata

T = TypeVar("T")

_USER = "azumaya"
_TEMPLATE = "house"
_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum": "off",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "listen_addresses": "",
    # Deadlocks are detected quickly.
    "deadlock_timeout": "100ms",
}
_INITDB = (
    *("--auth", "trust", "--encoding", "UTF8", "--no-locale"),
    *("--no-sync", "--no-instructions"),
)
_LONGEST_START = 60.0

_NOBODY_ELSE = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid != pg_backend_pid()"
)
_BARED = (
    # Settings that a test made on the database would prevent the cleanup.
    "SET default_transaction_read_only = off",
    "DROP SCHEMA public CASCADE",
    "CREATE SCHEMA public AUTHORIZATION pg_database_owner",
    "GRANT USAGE ON SCHEMA public TO PUBLIC",
)
_KEPT = {
    counters.name: f"UPDATE {counters.name} SET value = 0",
    key_values.name: f"DELETE FROM {key_values.name} WHERE key NOT IN ('button-key', 'push-key')",
}
_EMPTIED = "; ".join(
    [
        # Foreign keys are not checked: all rows go.
        "SET session_replication_role = replica",
        *(_KEPT.get(table.name, f"DELETE FROM {table.name}") for table in metadata.sorted_tables),
        "SELECT setval(quote_ident(sequencename)::regclass, 1, false) FROM pg_sequences",
    ]
)
"""Much quicker than TRUNCATE for so few rows."""


@cache
def binaries() -> Path | None:
    """Return the folder of `initdb` and `postgres`: Debian's newest, else the wheel's."""
    debian = Path("/usr/lib/postgresql").glob("*/bin")
    found = sorted(debian, key=lambda path: float(path.parent.name))[::-1]
    wheel = find_spec("pgserver")
    if wheel is not None and wheel.submodule_search_locations:
        found.append(Path(wheel.submodule_search_locations[0]) / "pginstall" / "bin")
    return next((path for path in found if (path / "initdb").exists()), None)


def why_not() -> str:
    """Return why no server can run here, or ""."""
    if sys.platform == "win32":
        return "the tests start PostgreSQL on Linux and macOS only"
    return "" if binaries() else "no PostgreSQL: apt install postgresql, or pip install pgserver"


class Server:
    """The server, as one process of the tests sees it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._count = count()
        self._free: list[str] = []
        self._bare: list[str] = []

    @classmethod
    def of(cls, shared: Path, *, owner: int) -> "Server":
        """Return the only server of a run, which ends with the process `owner`.

        The processes of a run share a folder.
        """
        with (shared / "postgres.lock").open("a+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            note = shared / "postgres.at"
            if not note.exists():
                server = cls(_started(owner))
                server._make_template()
                note.write_text(str(server.folder))
            return cls(Path(note.read_text()))

    def url(self, database: str, *, user: str = _USER, password: str = "") -> SecretStr:
        """Return the address of a database of this server."""
        who = f"{user}:{password}" if password else user
        return SecretStr(f"postgresql://{who}@/{database}?host={self.folder}")

    def execute(self, *statements: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Run each statement as the server's owner, and return the rows of the last one."""
        return self.each(*statements, database=database)[-1]

    def each(self, *statements: str, database: str) -> list[list[tuple[object, ...]]]:
        """Run statements on one connection, and return the rows of each."""

        async def run() -> list[list[tuple[object, ...]]]:
            connection = await asyncpg.connect(self.url(database).get_secret_value())
            rows: list[list[tuple[object, ...]]] = []
            try:
                for statement in statements:
                    if ";" in statement:
                        await connection.execute(statement)
                        rows.append([])
                    else:
                        rows.append([tuple(row) for row in await connection.fetch(statement)])
            finally:
                await connection.close()
            return rows

        return _apart(run)

    def _make_template(self) -> None:
        self.execute(
            f"CREATE DATABASE {_TEMPLATE}", "CREATE ROLE locked LOGIN PASSWORD 'open sesame'"
        )
        migrate(self.url(_TEMPLATE))

    def new(self, *, empty: bool = False) -> str:
        """Create a database, migrated or without tables, and return its name."""
        name = f"t{os.getpid()}_{next(self._count)}"
        template = "template0" if empty else _TEMPLATE
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    @contextmanager
    def lent(self) -> Iterator[SecretStr]:
        """Lend a migrated database without people.

        Reusing one is a hundred times quicker than creating one.
        """
        name = self._free.pop() if self._free else self.new()
        yield self.url(name)
        try:
            self.execute(_NOBODY_ELSE, _EMPTIED, database=name)
        except asyncpg.PostgresError:
            # A test has broken it: the next one is new.
            self.execute(f"DROP DATABASE {name} WITH (FORCE)")
        else:
            self._free.append(name)

    @contextmanager
    def bare(self) -> Iterator[str]:
        """Lend the name of a database without tables, in the same way."""
        name = self._bare.pop() if self._bare else self.new(empty=True)
        yield name
        try:
            self.execute(f"ALTER DATABASE {name} RESET ALL")
            self.execute(_NOBODY_ELSE, *_BARED, database=name)
        except asyncpg.PostgresError:
            self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        else:
            self._bare.append(name)


def _apart(run: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine, even inside a running loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(run())).result()


# --- the process that has the server ----------------------------------------------------------

_KEEPERS: list[subprocess.Popen[bytes]] = []


def _started(owner: int) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="azumaya-pg-"))
    log = (folder / "keeper.log").open("w")
    # It outlives the process that starts it, and is not waited for.
    _KEEPERS.append(
        subprocess.Popen(
            [sys.executable, "-m", "tests.postgres", str(folder), str(owner)],
            cwd=Path(__file__).parents[1],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    )
    log.close()
    until = time.monotonic() + _LONGEST_START
    while not (folder / "ready").exists():
        if time.monotonic() > until or (folder / "failed").exists():
            pytest.fail(f"PostgreSQL did not start: {(folder / 'keeper.log').read_text()}")
        time.sleep(0.02)
    return folder


def _keep(folder: Path, owner: int) -> None:
    """Run a server in a folder until the owner has ended."""
    try:
        with _running(folder):
            (folder / "ready").touch()
            while _is_there(owner):
                time.sleep(0.3)
    except BaseException:
        (folder / "failed").touch()
        raise
    shutil.rmtree(folder, ignore_errors=True)


def _is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@contextmanager
def _running(folder: Path) -> Iterator[None]:
    cluster = Cluster(folder)
    cluster.start()
    try:
        yield
    finally:
        # Without a checkpoint: the data is thrown away.
        cluster.stop()


class Cluster:
    """The data of a server in a folder, and the server, which can be stopped and restarted.

    `settings` are PostgreSQL's own. The server refuses to run as root, so it runs as the user
    ``nobody`` then, who must be able to read its programs.
    """

    def __init__(self, folder: Path, settings: Mapping[str, str] | None = None) -> None:
        found = binaries()
        assert found is not None
        self.folder, self.data = folder, folder / "data"
        self._settings = {**_SETTINGS, **(settings or {})}
        self._where = found
        self._who: dict[str, Any] = {}
        self._environment = {**os.environ, "LC_ALL": "C", "HOME": str(folder), "TZ": "UTC"}
        self._server: subprocess.Popen[bytes] | None = None
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self._who = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            if not all(at.stat().st_mode & 0o005 == 0o005 for at in found.resolve().parents):
                mine = shutil.copytree(found.parent, folder / "postgres", symlinks=True)
                self._where = Path(mine) / "bin"
            folder.chmod(0o755)
        self.data.mkdir(mode=0o700)
        if self._who:
            os.chown(self.data, self._who["user"], self._who["group"])
            os.chown(folder, self._who["user"], self._who["group"])
        subprocess.run(
            [self._where / "initdb", "-D", self.data, "-U", _USER, *_INITDB],
            check=True,
            env=self._environment,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            **self._who,
        )
        known = self.data / "pg_hba.conf"
        # A role that needs a password.
        known.write_text(f"local all locked scram-sha-256\n{known.read_text()}")

    def start(self, *, log: int | None = None) -> None:
        """Start the server and wait until it is ready. Raises RuntimeError if it ends first."""
        options = [f"-c{key}={value}" for key, value in self._settings.items()]
        self._server = subprocess.Popen(
            [self._where / "postgres", "-D", self.data, f"-k{self.folder}", *options],
            env=self._environment,
            cwd=self.folder,
            stderr=log,
            **self._who,
        )
        while not _is_ready(self.data, self._server.pid):
            if self._server.poll() is not None:
                raise RuntimeError("the server has ended")
            time.sleep(0.02)

    def stop(self) -> None:
        """Stop at once, like ``pg_ctl stop -m immediate``."""
        server, self._server = self._server, None
        if server is None:
            return
        server.send_signal(signal.SIGQUIT)
        with suppress(subprocess.TimeoutExpired):
            server.wait(10)
        server.kill()
        server.wait()


def _is_ready(data: Path, server: int) -> bool:
    """Return whether the server is ready; one that died leaves its file behind."""
    try:
        lines = (data / "postmaster.pid").read_text().splitlines()
        return int(lines[0]) == server and lines[7].strip() == "ready"
    except (FileNotFoundError, IndexError):
        return False


if __name__ == "__main__":
    _keep(Path(sys.argv[1]), int(sys.argv[2]))
