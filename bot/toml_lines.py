"""Line numbers of keys in TOML, for error messages. `tomllib` does not provide them."""

import re
import tomllib
from collections import Counter, deque
from collections.abc import Iterator

__all__ = ["KeyPath", "toml_lines"]

KeyPath = tuple[str | int, ...]
"""Keys and list indices, from the outermost inwards."""

_TOKEN = re.compile(
    r"""
    (?P<skip> [ \t\r]+ | \#[^\n]* )
  | (?P<token>
        \n
      | \"{3} (?: [^\\] | \\. )*? \"{3,5} | '{3} .*? '{3,5}   # texts over several lines
      | "(?: [^"\\] | \\. )*" | '[^']*'
      | [][{}=.,]
      | [^][{}=.,"'\#\s]+
    )
    """,
    re.VERBOSE | re.DOTALL,
)


def toml_lines(text: str) -> dict[KeyPath, int]:
    """Return the line, from 1, of each key, table and list element of a *valid* TOML text."""
    return _TomlLines(text).lines


class _TomlLines:
    def __init__(self, text: str) -> None:
        self.lines: dict[KeyPath, int] = {}
        self._tokens: deque[tuple[str, int]] = deque()
        self._tables: Counter[KeyPath] = Counter()  # index of the next [[element]]
        line = 1
        for match in _TOKEN.finditer(text):
            if match["token"]:
                self._tokens.append((match["token"], line))
            line += match[0].count("\n")
        table: KeyPath = ()
        while self._tokens:
            if self._next() == "[":
                table = self._header()
            elif self._next() == "\n":
                self._tokens.popleft()
            else:
                self._pair(table)

    def _next(self) -> str:
        return self._tokens[0][0] if self._tokens else "\n"

    def _skip(self, *tokens: str) -> None:
        while self._tokens and self._next() in tokens:
            self._tokens.popleft()

    def _note(self, path: KeyPath) -> None:
        self.lines.setdefault(path, self._tokens[0][1])

    def _header(self) -> KeyPath:
        self._tokens.popleft()
        is_list = self._next() == "["
        self._skip("[")
        path: KeyPath = ()
        for part in self._key():
            if path in self._tables:
                path = (*path, self._tables[path] - 1)
            path = (*path, part)
            self._note(path)
        if is_list:
            self._tables[path] += 1
        if path in self._tables:
            path = (*path, self._tables[path] - 1)
            self._note(path)
        self._skip("]")
        return path

    def _key(self) -> Iterator[str]:
        """Yield the parts of a dotted key. Each is still the next token while it is handled."""
        while True:
            part = self._next()
            yield tomllib.loads(f"k = {part}")["k"] if part[0] in "\"'" else part
            self._tokens.popleft()
            if self._next() != ".":
                return
            self._tokens.popleft()

    def _pair(self, table: KeyPath) -> None:
        path = table
        for part in self._key():
            path = (*path, part)
            self._note(path)
        self._skip("=")
        self._value(path)

    def _value(self, path: KeyPath) -> None:
        if self._next() == "[":
            self._tokens.popleft()
            self._skip("\n")
            index = 0
            while self._next() != "]":
                self._note((*path, index))
                self._value((*path, index))
                index += 1
                self._skip("\n", ",")
            self._tokens.popleft()
        elif self._next() == "{":
            self._tokens.popleft()
            self._skip("\n")
            while self._next() != "}":
                self._pair(path)
                self._skip("\n", ",")
            self._tokens.popleft()
        else:
            while self._next() not in ("\n", ",", "]", "}"):
                self._tokens.popleft()
