"""The project as a whole: its files, pins, texts and layers."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib.metadata import distribution
from pathlib import Path

import pytest
from fluent.syntax import FluentParser, visitor
from fluent.syntax import ast as fluent
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

# Written so that they do not find themselves.
FOREIGN = {
    "a package index": r"py[p]i\.org|python[h]osted\.org|registry\.np[m]js|anaconda\.[o]rg",
    "an index option": r"--(extra-)?inde[x]-url|--find-link[s]|PIP_INDE[X]",
    "a path of one machine": r"(?<![\w.)}*-])/(roo[t]|hom[e]|User[s]|wor[k]|op[t]|mn[t])/\w",
}


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [path for name in listed.stdout.split("\0") if (path := ROOT / name).is_file()]


# Files


@pytest.mark.parametrize("what", FOREIGN)
def test_no_file_names_what_belongs_to_one_machine(what: str) -> None:
    pattern = re.compile(FOREIGN[what].encode())
    files = tracked()
    assert ROOT / "pyproject.toml" in files
    found = [
        f"{path.relative_to(ROOT)}: {match[0]!r}"
        for path in files
        for match in pattern.finditer(path.read_bytes())
    ]
    assert not found, f"{what} in {found}"


def test_the_changelog_starts_with_unreleased_changes_or_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    if headings[0] == "[Unreleased]":
        del headings[0]
    dated = [re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)", one) for one in headings]
    assert None not in dated, headings
    releases = [(one[2], one[1]) for one in dated if one]
    assert releases[0][1] == PROJECT["version"]
    assert releases == sorted(set(releases), reverse=True)


def test_the_badges_say_what_the_project_says() -> None:
    python = PROJECT["requires-python"].removeprefix(">=") + "+"
    said = {"version": PROJECT["version"], "python": python, "licence": PROJECT["license"]}
    for name, value in said.items():
        badge = (ROOT / "docs" / "images" / f"{name}.svg").read_text(encoding="utf-8")
        assert f'aria-label="{name}: {value}"' in badge
        assert re.findall(r"<text .*>(.*)</text>", badge) == [name, value]


# Pins


def pins(name: str) -> dict[str, str]:
    """Return the pinned versions in a constraint file and in those that it refers to."""
    found: dict[str, str] = {}
    for line in (ROOT / "constraints" / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("-c "):
            found |= pins(line.removeprefix("-c "))
        elif line and not line.startswith("#"):
            pin = re.fullmatch(r"([A-Za-z0-9._-]+)==([0-9][0-9a-z.]*)(; python_version .+)?", line)
            assert pin, f"{name}: {line}"
            found[canonicalize_name(pin[1])] = pin[2]
    return found


def needed(requirements: list[str], *, also_on: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the installed versions of `requirements` and of all their dependencies.

    `also_on`: only of those that another environment needs, too.
    """
    found: dict[str, str] = {}
    todo = [(Requirement(text), frozenset({""})) for text in requirements]
    seen: set[str] = set()
    while todo:
        requirement, extras = todo.pop()
        marker = requirement.marker
        is_needed = marker is None or all(
            any(marker.evaluate({**there, "extra": extra}) for extra in extras)
            for there in ({}, also_on or {})
        )
        if str(requirement) in seen or not is_needed:
            continue
        seen.add(str(requirement))
        installed = distribution(requirement.name)
        found[canonicalize_name(requirement.name)] = installed.version
        inner = frozenset({*requirement.extras, ""})
        todo += [(Requirement(text), inner) for text in installed.requires or ()]
    return found


def test_every_package_that_the_bot_runs_or_is_checked_with_is_pinned() -> None:
    runs, dev = PROJECT["dependencies"], PROJECT["optional-dependencies"]["dev"]
    for name, wanted in (("run.txt", runs), ("dev.txt", runs + dev)):
        assert needed(wanted).items() <= pins(name).items()


def test_every_installed_package_says_that_it_runs_on_the_oldest_python_that_is_promised() -> None:
    """Of 3.11 that is 3.11.0: what a distribution has is seldom the newest of its kind."""
    (promised,) = SpecifierSet(PROJECT["requires-python"])
    oldest = f"{promised.version}.0"
    asked = {
        name: distribution(name).metadata.json.get("requires_python", "")
        for name in needed(
            PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"],
            also_on={"python_version": promised.version, "python_full_version": oldest},
        )
    }
    assert [name for name, said in asked.items() if oldest not in SpecifierSet(str(said))] == []


def test_the_bot_runs_without_what_only_the_tests_need() -> None:
    tools = {"pytest", "hypothesis", "mypy", "ruff", "playwright", "glicko2-py"}
    assert not pins("run.txt").keys() & tools


def test_what_checks_the_page_is_pinned_with_all_that_it_needs() -> None:
    page = ROOT / "tests" / "page"
    wanted = json.loads((page / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    lock = (page / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(lock)["packages"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())
    assert packages.pop("")["devDependencies"] == wanted
    assert all(packages[f"node_modules/{name}"]["version"] == wanted[name] for name in wanted)
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    # Where they come from is the business of the machine that installs them.
    assert "://" not in lock


def test_what_builds_the_project_is_pinned() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
    (requirement,) = map(Requirement, build["requires"])
    assert pins("build.txt")[requirement.name] in requirement.specifier


# Layers


def imported(path: Path) -> Iterator[str]:
    """Yield the top-level packages that a module imports anywhere."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield (node.module or "").partition(".")[0]


def test_games_import_the_standard_library_only() -> None:
    modules = sorted((ROOT / "games").rglob("*.py"))
    assert ROOT / "games" / "base.py" in modules
    for path in modules:
        foreign = set(imported(path)) - sys.stdlib_module_names - {"games"}
        assert not foreign, f"{path.relative_to(ROOT)} imports {foreign}"


def test_the_guides_map_of_the_layers_is_the_linters() -> None:
    guide = (ROOT / "docs" / "development.md").read_text(encoding="utf-8")
    drawn = guide.partition("```\nbot/\n")[2].partition("```")[0].replace("·\n", "· ")
    floors = [line.split("  ")[0] for line in drawn.splitlines() if not line.startswith(" ")]
    house = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (layers,) = (
        contract["layers"]
        for contract in house["tool"]["importlinter"]["contracts"]
        if contract.get("containers") == ["bot"]
    )
    assert [floor.replace("·", "|") for floor in floors] == layers


# Texts


class Parameters(visitor.Visitor):
    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_VariableReference(self, node: fluent.VariableReference) -> None:  # noqa: N802
        self.names.add(node.id.name)


def messages(text: str) -> dict[str, frozenset[str]]:
    """Return the parameters of each message, term and attribute. Raises ValueError."""
    found: dict[str, frozenset[str]] = {}
    entries = FluentParser().parse(text).body
    if junk := [entry.content for entry in entries if isinstance(entry, fluent.Junk)]:
        raise ValueError(f"not Fluent: {junk}")
    for entry in entries:
        if not isinstance(entry, fluent.Message | fluent.Term):
            continue
        name = f"-{entry.id.name}" if isinstance(entry, fluent.Term) else entry.id.name
        parts = {name: entry.value} if entry.value else {}
        parts |= {f"{name}.{part.id.name}": part.value for part in entry.attributes}
        for part, value in parts.items():
            if part in found:
                raise ValueError(f"twice: {part}")
            parameters = Parameters()
            parameters.visit(value)
            found[part] = frozenset(parameters.names)
    return found


def files_of(language: str) -> list[Path]:
    """Return the files of texts, also those of fronts."""
    return sorted((ROOT / "bot").glob(f"**/locales/{language}/*.ftl"))


def texts(language: str) -> dict[str, dict[str, frozenset[str]]]:
    """Return the messages of each file."""
    return {path.name: messages(path.read_text(encoding="utf-8")) for path in files_of(language)}


def test_both_languages_have_the_same_files_messages_and_parameters() -> None:
    english, german = texts("en"), texts("de")
    assert english.keys() == german.keys()
    for name, found in english.items():
        assert found.keys() == german[name].keys(), name
        for message, parameters in found.items():
            assert german[name][message] == parameters, f"{name}: {message}"


def test_no_message_stands_in_two_files() -> None:
    names = [message for found in texts("en").values() for message in found]
    assert len(names) == len(set(names))
