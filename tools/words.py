"""Check that what is read is plain English: ``python -m tools.words``.

Reads the English texts, the guides, the changelog, docstrings, comments and the subjects of new
commits. Prints each finding as ``file:line: what`` and exits with 1 if there is one.
"""

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
from fluent.syntax import FluentParser
from fluent.syntax import ast as fluent
from fluent.syntax.visitor import Visitor

ROOT = Path(__file__).parents[1]

LONGEST_SENTENCE = 30
LONGEST_SUBJECT = 72
_CODE = ("bot", "games", "renderers", "tests", "tools")
_GENERATED = re.compile(r"docs/players/\w+/(game-.*|index)\.md")

BANNED = re.compile(
    r"\b(whoever|whosoever|somebody|nobody|everybody|anew|by lot|looking back|look back on"
    r"|counts for nobody|is told|are told|of its own|at all|in vain|but for|such as it"
    r"|meanwhile)\b".replace(" ", r"\s+"),
    re.IGNORECASE,
)
_NAMES_THEM = {"tools/words.py", "tools/test_words.py"}

_SENTENCE_END = re.compile(r"(?<=[.!?:…])[\"”’)*_]*\s+|\n\s*\n|\n\s*(?=[-*>|]|\d+\.\s)")
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_HTML = re.compile(r"<(?!/?\w+>)[^>]*>")
_LINK = re.compile(r"\]\([^)]*\)")
_INLINE_CODE = re.compile(r"(`+)[^`]+\1")


class Passage(NamedTuple):
    """Something that is read: where it is, its text, and whether its sentences are counted."""

    file: str
    line: int
    text: str
    is_prose: bool = True


@click.command(help=__doc__)
@click.argument("paths", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(*, paths: tuple[Path, ...]) -> None:
    """Check `paths`, or all of the project and the subjects of new commits."""
    files = [path.resolve() for path in paths] or _all_files()
    found = [what for path in files for passage in passages(path) for what in findings(passage)]
    if not paths:
        found += long_subjects(_subjects())
    click.echo("\n".join([*found, f"{len(files)} files, {len(found)} findings"]))
    sys.exit(bool(found))


def findings(passage: Passage) -> Iterator[str]:
    """Yield the problems of a passage, one line each."""
    place = f"{passage.file}:{passage.line}"
    for match in BANNED.finditer("" if passage.file in _NAMES_THEM else passage.text):
        yield f"{place}: “{' '.join(match[0].lower().split())}”"
    if passage.is_prose:
        for sentence in _SENTENCE_END.split(passage.text):
            if (count := len(re.findall(r"[\w$][\w'’-]*", sentence))) > LONGEST_SENTENCE:
                yield f"{place}: {count} words: {' '.join(sentence.split()[:8])} …"


def passages(path: Path) -> Iterator[Passage]:
    """Yield what a file has to read. Files of other kinds have nothing."""
    name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
    text = path.read_text("utf-8")
    match path.suffix:
        case ".py":
            yield from _in_python(name, text)
        case ".md":
            yield from _in_markdown(name, text)
        case ".ftl":
            yield from _in_fluent(name, text)
        case ".js" | ".css":
            yield from _in_comments(name, text, r"//.*|/\*(?s:.*?)\*/")
        case ".toml":
            yield from _in_comments(name, text, r"(?<!\S)# .*")


def _in_python(name: str, source: str) -> Iterator[Passage]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield Passage(
                    name, node.lineno, _without_code(_without_drawings(text, node.col_offset))
                )
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Passage(name, token.start[0], token.string, is_prose=False)


def _in_markdown(name: str, source: str) -> Iterator[Passage]:
    blank = _FENCE.sub(lambda match: "\n" * match[0].count("\n"), source)
    for number, line in enumerate(blank.splitlines(), 1):
        # A line is a paragraph here, and a cell of a table is read by itself.
        for cell in line.split("|") if line.startswith("|") else [line]:
            yield Passage(name, number, _without_code(_HTML.sub("", cell)))


def _without_drawings(docstring: str, margin: int) -> str:
    """Blank the lines that are indented further than `margin`: boards, trees and tables."""
    return re.sub(rf"^ {{{margin + 4}}}.*$", "", docstring, flags=re.MULTILINE)


def _without_code(text: str) -> str:
    return _LINK.sub("]", _INLINE_CODE.sub("code", text))


def _in_fluent(name: str, source: str) -> Iterator[Passage]:
    for entry in FluentParser().parse(source).body:
        if entry.span is None or isinstance(entry, fluent.Junk):
            continue
        line = source.count("\n", 0, entry.span.start) + 1
        reader = _Reader()
        reader.visit(entry)
        for text, is_prose in reader.found:
            yield Passage(name, line, text, is_prose)


class _Reader(Visitor):
    """Collect the patterns and comments of an entry; a placeable counts as a word."""

    def __init__(self) -> None:
        self.found: list[tuple[str, bool]] = []

    def visit_Pattern(self, node: fluent.Pattern) -> None:  # noqa: N802 - named by fluent.syntax
        parts = (
            part.value if isinstance(part, fluent.TextElement) else "$it" for part in node.elements
        )
        self.found.append(("".join(parts), True))
        self.generic_visit(node)

    def visit_BaseComment(self, node: fluent.BaseComment) -> None:  # noqa: N802 - see above
        self.found.append((node.content or "", False))

    visit_Comment = visit_GroupComment = visit_ResourceComment = visit_BaseComment  # noqa: N815


def _in_comments(name: str, source: str, pattern: str) -> Iterator[Passage]:
    for match in re.finditer(pattern, source, re.MULTILINE):
        line = source.count("\n", 0, match.start()) + 1
        yield Passage(name, line, match[0], is_prose=False)


def _all_files() -> list[Path]:
    listed = _git("ls-files", "-z").split("\0")
    wanted = (
        *("README.md", "SECURITY.md", "CHANGELOG.md", "CONTRIBUTING.md"),
        *("config.example.toml", "pyproject.toml"),
    )
    return [
        ROOT / name
        for name in listed
        if (ROOT / name).is_file()
        and (
            name in wanted
            or (name.startswith("docs/") and name.endswith(".md") and not _GENERATED.match(name))
            or ("/locales/en/" in name and name.endswith(".ftl"))
            or (
                name.startswith(tuple(f"{top}/" for top in _CODE))
                and name.endswith((".py", ".js", ".css"))
            )
        )
    ]


def _subjects() -> list[str]:
    """Return the subjects of commits since the last release, or since this check exists."""
    since = _git("describe", "--tags", "--abbrev=0", "--match=v*", check=False).strip()
    if not since:
        added = _git("log", "--diff-filter=A", "--format=%H", "--", "tools/words.py").split()
        since = added[-1] if added else "HEAD"
    return _git("log", "--no-merges", "--format=%h %s", f"{since}..HEAD").splitlines()


def long_subjects(lines: list[str]) -> list[str]:
    """Return a finding for each subject that is too long; a line is a hash and a subject."""
    return [
        f"commit {commit}: its subject has {len(subject)} characters"
        for commit, _, subject in (line.partition(" ") for line in lines)
        if len(subject) > LONGEST_SUBJECT
    ]


def _git(*words: str, check: bool = True) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=check)
    return done.stdout


if __name__ == "__main__":
    main()
