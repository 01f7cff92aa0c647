"""Which test executes which line of the core, and how long it takes; kept in `build`."""

import ast
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.mutation.changes import Place
from tools.mutation.copies import ROOT, Copy, digest, files
from tools.mutation.inside import Answer

__all__ = ["Record", "recorded"]

_KEPT = ROOT / "build" / "mutation.json"
_NOT_OURS = (
    "tests/bot/fronts/page/",
    "tests/games/",
    "tests/page/",
    "tests/renderers/",
    "tests/sixth_game/",
    "tests/test_faults.py",
    "tests/test_house.py",
    "tests/test_survival.py",
)
_MOST_SECONDS = 1800


@dataclass(slots=True)
class Record:
    """What the tests do where nothing is changed."""

    seconds: dict[str, float] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    lines: dict[tuple[str, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    _users: dict[str, set[tuple[str, int]]] = field(default_factory=dict)

    def reaching(self, place: Place) -> list[str]:
        """The tests that could notice a change, quickest first, those about the module before.

        Of a test with parameters the others come later: they look at much the same things.
        """
        found: set[str] = set()
        for line in place.lines:
            found |= self.lines.get((place.path, line), set())
        module = Path(place.path)
        tests_files = {_file(test) for test in self.seconds}
        own_files = {file for file in tests_files if Path(file).stem == f"test_{module.stem}"}
        if place.names:
            self._users = self._users or _users()
            for user in _all_users(place.names, self._users):
                found |= self.lines.get(user, set())
            # Tests may look at what there is, and execute nothing.
            dotted = ".".join(module.with_suffix("").parts)
            own_files |= {file for file in tests_files if dotted in (ROOT / file).read_text()}
            found |= {test for test in self.seconds if _file(test) in own_files}
        turns: Counter[str] = Counter()
        order: dict[str, tuple[int, bool, float]] = {}
        for test in sorted(found - set(self.failed), key=lambda test: self.seconds[test]):
            function = test.partition("[")[0]
            order[test] = (turns[function], _file(test) not in own_files, self.seconds[test])
            turns[function] += 1
        return sorted(order, key=lambda test: order[test])


def _is_test(path: Path) -> bool:
    """Is it a file of tests that are asked?"""
    return path.parts[0] == "tests" and path.name.startswith("test_") and _is_ours(path)


def _is_ours(path: Path) -> bool:
    return not str(path).startswith(_NOT_OURS)


def _is_of_all(path: Path) -> bool:
    """May what any test does depend on this file?"""
    return path.suffix in {".py", ".ftl"} and _is_ours(path) and not _is_test(path)


def recorded(copies: Sequence[Copy]) -> Record:
    """The record of this tree: what is known of it already, and the rest by running tests."""
    tests = {str(path): digest([path]) for path in files() if _is_test(path)}
    tree = digest(path for path in files() if _is_of_all(path))
    kept: dict[str, Any] = json.loads(_KEPT.read_text()) if _KEPT.exists() else {}
    known = kept.get("files", {}) if kept.get("tree") == tree else {}
    known = {name: one for name, one in known.items() if one["digest"] == tests.get(name)}
    missing = [name for name in tests if name not in known]
    if missing:
        # What takes long stands side by side.
        shares = [missing[number :: len(copies)] for number in range(len(copies))]
        with ThreadPoolExecutor(len(copies)) as threads:
            answers = threads.map(_all_run, copies, shares)
            for answer in answers:
                known |= _sorted_by_file(answer)
        for name in missing:
            known[name]["digest"] = tests[name]
    _KEPT.parent.mkdir(exist_ok=True)
    _KEPT.write_text(json.dumps({"tree": tree, "files": known}))
    record = Record()
    for one in known.values():
        record.seconds |= one["seconds"]
        record.failed |= one["failed"]
        names = list(one["seconds"])
        for path, lines in one["lines"].items():
            for line, numbers in lines.items():
                record.lines[path, int(line)].update(names[number] for number in numbers)
    return record


def _all_run(copy: Copy, names: list[str]) -> Answer:
    answer = copy.run(names, seconds=_MOST_SECONDS)
    if "seconds" not in answer:
        raise RuntimeError(f"the tests do not end, or do not begin: {answer}")
    return answer


def _sorted_by_file(answer: Answer) -> dict[str, Any]:
    """What came of all tests, by the file that they are in; lines have the numbers of tests."""
    found: dict[str, Any] = defaultdict(lambda: {"seconds": {}, "failed": {}, "lines": {}})
    numbers: dict[str, int] = {}
    for test, seconds in answer["seconds"].items():
        known = found[_file(test)]["seconds"]
        numbers[test] = len(known)
        known[test] = seconds
    for test, why in answer["failed"].items():
        found[_file(test)]["failed"][test] = why
    for path, lines in answer["lines"].items():
        for line, tests in lines.items():
            for test in tests:
                of = found[_file(test)]["lines"].setdefault(path, {})
                of.setdefault(line, []).append(numbers[test])
    return found


def _file(test: str) -> str:
    return test.partition("::")[0]


# --- who uses a name ----------------------------------------------------------------------


def _users() -> dict[str, set[tuple[str, int]]]:
    """Where each name is used, as lines of functions; those of statements of a module as name."""
    found: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for path in files():
        if path.parts[0] == "bot" and path.suffix == ".py":
            for node in ast.parse((ROOT / path).read_text("utf-8")).body:
                for name, line in _mentioned(node):
                    found[name].add((str(path), line))
                for target in _made(node):
                    for name, _ in _mentioned(node):
                        if name != target:
                            # No path: another name that is made of this one.
                            found[name].add((target, 0))
    return found


def _mentioned(node: ast.AST) -> Iterable[tuple[str, int]]:
    for one in ast.walk(node):
        match one:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield name, one.lineno


def _made(node: ast.stmt) -> list[str]:
    match node:
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def _all_users(
    names: Iterable[str], users: dict[str, set[tuple[str, int]]]
) -> set[tuple[str, int]]:
    """Lines that use one of these names, or one that is made of them."""
    found: set[tuple[str, int]] = set()
    left, seen = list(names), set(names)
    while left:
        for path, line in users.get(left.pop(), ()):
            if line:
                found.add((path, line))
            elif path not in seen:
                seen.add(path)
                left.append(path)
    return found
