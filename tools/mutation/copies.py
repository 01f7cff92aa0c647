"""Copies of the tree, in which tests run while one thing is changed."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import cache_from_source
from pathlib import Path
from shutil import copy2
from typing import IO

from tools.mutation.inside import Answer, Request

__all__ = ["ROOT", "Copy", "digest", "files"]

ROOT = Path(__file__).parents[2]

_LOADED = (
    "PIL.Image",
    "aiohttp.web",
    "aiosqlite",
    "alembic.command",
    "discord",
    "fluent.runtime",
    "httpx",
    "hypothesis.stateful",
    "pydantic_settings",
    "simcord",
    "sqlalchemy.ext.asyncio",
    "structlog",
    "telegram.ext",
)
"""Of other people, and slow to import."""

_ENVIRONMENT = {
    "CI": "true",
    # All that pytest finds by itself; what it has not found may be loaded before.
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "PYTEST_PLUGINS": "_hypothesis_pytestplugin,pytest_asyncio.plugin,pytest_socket,pytest_timeout,"
    "simcord.pytest_plugin,xdist.plugin",
}


def files() -> list[Path]:
    """All that git knows or would know, relative to the tree."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found = (Path(name) for name in listed.stdout.split("\0") if name)
    return sorted(path for path in found if (ROOT / path).is_file())


def digest(paths: Iterable[Path]) -> str:
    """Says whether one of these files has changed."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"{path}\0".encode() + (ROOT / path).read_bytes() + b"\0")
    return digest.hexdigest()


class Copy:
    """A copy of the tree in `folder`, and the process that runs its tests."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tree = folder / "tree"
        for path in files():
            target = self._tree / path
            target.parent.mkdir(parents=True, exist_ok=True)
            copy2(ROOT / path, target)
        # No file of bytecode is ever of a change: it would be taken for the module's own,
        # where size and second are the same.
        subprocess.run(
            [
                sys.executable,
                "-m",
                "compileall",
                "-q",
                "bot",
                "games",
                "renderers",
                "tests",
                "tools",
            ],
            cwd=self._tree,
            check=True,
        )
        self._process = subprocess.Popen(
            [sys.executable, str(self._tree / "tools" / "mutation" / "inside.py"), *_LOADED],
            cwd=self._tree,
            env={**os.environ, **_ENVIRONMENT},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(
        self, names: list[str], tests: dict[str, float] | None = None, *, seconds: float
    ) -> Answer:
        """Run tests; see `Request`."""
        request: Request = {
            "files": names,
            "tests": tests,
            "seconds": seconds,
            "folder": str(self._folder),
        }
        requests, answers = self._pipes()
        requests.write(json.dumps(request) + "\n")
        requests.flush()
        line = answers.readline()
        if not line:
            raise RuntimeError(f"nobody runs tests any more: exit code {self._process.wait()}")
        answer: Answer = json.loads(line)
        return answer

    @contextmanager
    def changed(self, path: str, source: str) -> Iterator[None]:
        """Have another source in a module while the block runs."""
        module = self._tree / path
        compiled = Path(cache_from_source(str(module)))
        before = module.read_text("utf-8"), compiled.read_bytes()
        compiled.unlink()
        was = module.stat()
        module.write_text(source, "utf-8")
        try:
            yield
        finally:
            module.write_text(before[0], "utf-8")
            os.utime(module, ns=(was.st_atime_ns, was.st_mtime_ns))
            compiled.write_bytes(before[1])

    def close(self) -> None:
        requests, answers = self._pipes()
        requests.close()
        self._process.wait()
        answers.close()

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout
