"""Record which tests execute which lines of the bot, and how long they take."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile

from coverage import CoverageData

from tools.mutation.changes import Place
from tools.mutation.runner import ROOT, Copy, tracked_files

Line = tuple[str, int]

_KEPT = ROOT / "build" / "mutation.json"
_COVERAGE = ROOT / "build" / "mutation.coverage"
_LOG = ROOT / "build" / "mutation.log"
# Nothing in these is about the core.
_IGNORED = ("bot/fronts/page", "games", "renderers", "sixth_game", "test_house.py")
# As `make test` runs the others.
_OPTIONS = (
    *(f"--ignore=tests/{path}" for path in _IGNORED),
    *("--numprocesses=auto", "--maxprocesses=4", "--dist=worksteal"),
    *("--cov=bot", "--cov-context=test", "--cov-report="),
)
_MOST_SECONDS = 3600
_AT_A_TIME = 4


@dataclass
class Record:
    """What the tests do without a change."""

    seconds: dict[str, float]
    failed: dict[str, str]
    tests_of: dict[Line, set[str]]

    def tests_for(self, place: Place) -> list[str]:
        """Return the tests that may notice a change, in the order in which they run.

        Tests of the same module run first, then the quickest test of each file, then the second
        quickest, and so on. Files of the same package run four tests each time. The second case of
        a parametrized test follows the others of its file.
        """
        found: set[str] = set()
        for line in place.lines:
            found |= self.tests_of.get((place.path, line), set())
        # A function that no test calls may be called at import.
        runs_at_import = bool(place.names) or not found
        own_files = self._files_about(place, or_name_it=runs_at_import)
        if runs_at_import:
            for used in _lines_with(place.names) if place.names else ():
                found |= self.tests_of.get(used, set())
            found |= {test for test in self.seconds if _file(test) in own_files}
        cases: Counter[str] = Counter()
        ranks: dict[str, tuple[int, float]] = {}
        for test in sorted(found - set(self.failed), key=lambda test: self.seconds[test]):
            function = test.partition("[")[0]
            ranks[test] = (cases[function], self.seconds[test])
            cases[function] += 1
        package = f"tests/{Path(place.path).parent}/"
        files: Counter[str] = Counter()
        order: dict[str, tuple[bool, int, float]] = {}
        for test in sorted(ranks, key=lambda test: ranks[test]):
            file = _file(test)
            turn = files[file] // (_AT_A_TIME if file.startswith(package) else 1)
            order[test] = (file not in own_files, turn, self.seconds[test])
            files[file] += 1
        return sorted(order, key=lambda test: order[test])

    def _files_about(self, place: Place, *, or_name_it: bool) -> set[str]:
        """Return the test files of a module and of its package, or also those that name it."""
        module = Path(place.path).with_suffix("")
        package, dotted = (".".join(one.parts) for one in (module.parent, module))
        named = re.compile(rf"\b{dotted}\b|from {package} import [\w\s,(]*\b{module.name}\b")
        pair = (module, module.parent)
        own = {str("tests" / one.with_name(f"test_{one.name}.py")) for one in pair}
        return {
            file
            for file in {_file(test) for test in self.seconds}
            if file in own or (or_name_it and named.search((ROOT / file).read_text()))
        }


def _lines_with(names: frozenset[str]) -> Iterator[Line]:
    pattern = re.compile(rf"\b({'|'.join(names)})\b")
    for path in (ROOT / "bot").rglob("*.py"):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if pattern.search(line):
                yield str(path.relative_to(ROOT)), number


def load_record(copy: Copy) -> Record:
    """Return the record of this tree; run all tests if the last record is of another."""
    digest = _digest()
    kept = json.loads(_KEPT.read_text()) if _KEPT.exists() else {}
    if kept.get("digest") != digest:
        results = copy.run(*_OPTIONS, seconds=_MOST_SECONDS)
        _KEPT.parent.mkdir(exist_ok=True)
        copyfile(copy.folder / "pytest.log", _LOG)
        if "pytest" in results.failed:
            raise RuntimeError(f"pytest {results.failed['pytest']}: see {_LOG}")
        copyfile(copy.folder / ".coverage", _COVERAGE)
        kept = {"digest": digest, "seconds": results.seconds, "failed": results.failed}
        _KEPT.write_text(json.dumps(kept))
    return Record(kept["seconds"], kept["failed"], _read_coverage(set(kept["seconds"])))


def _read_coverage(tests: set[str]) -> dict[Line, set[str]]:
    data = CoverageData(str(_COVERAGE))
    data.read()
    found: dict[Line, set[str]] = {}
    for path in data.measured_files():
        for line, contexts in data.contexts_by_lineno(path).items():
            # A context is "<test>|setup", "<test>|run" or "<test>|teardown".
            found[path, line] = {context.rpartition("|")[0] for context in contexts} & tests
    return found


def _digest() -> str:
    digest = hashlib.sha256()
    for path in tracked_files():
        if path.parts[0] in {"bot", "games", "renderers", "tests"}:
            digest.update(f"{path}\0".encode() + (ROOT / path).read_bytes() + b"\0")
    return digest.hexdigest()


def _file(test: str) -> str:
    return test.partition("::")[0]
