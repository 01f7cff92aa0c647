import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from bot.toml_lines import KeyPath, toml_lines

TRICKY = r'''
# [not.a.table]
plain = 1
"quoted \" = key" = "text with # and = and [brackets]"
dotted . inner."last one" = 'a "'

[table]  # a comment with "quotes"
several = ["one", "two",  # [
    "three",

    { in = 1, "a list" = [[], [2]] },
]
inline = { a = 1, b.c = 2, d = {} }
text = """
[fake]
key = "no key" \\ # and more
fake.key = 1 \"""
"""""
literal = @@@
[fake]
@@ # @@@@
when = 1979-05-27 07:32:00.5
float = -3.14e-2

[table.below]
here = true

[[lists]]
name = 1
[lists.below]
name = 2
[[lists.inner]]
name = 3
[[lists.inner]]
[[lists]]
name = 4
[  "spaced" . out  ]
end = inf
'''.replace("@", "'")


def paths(value: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from paths(inner, (*path, index))


def test_it_finds_exactly_the_keys_that_tomllib_finds() -> None:
    assert set(toml_lines(TRICKY)) == set(paths(tomllib.loads(TRICKY)))


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("plain",), "plain = 1"),
        (('quoted " = key',), '"quoted'),
        (("dotted",), "dotted"),
        (("dotted", "inner", "last one"), "dotted"),
        (("table",), "[table]"),
        (("table", "several"), "several"),
        (("table", "several", 1), "several"),
        (("table", "several", 2), '    "three"'),
        (("table", "several", 3, "a list", 1, 0), "    { in"),
        (("table", "inline", "b", "c"), "inline"),
        (("table", "literal"), "literal"),
        (("table", "when"), "when"),
        (("table", "float"), "float"),
        (("table", "below"), "[table.below]"),
        (("table", "below", "here"), "here"),
        (("lists", 0, "name"), "name = 1"),
        (("lists", 0, "below", "name"), "name = 2"),
        (("lists", 0, "inner", 0, "name"), "name = 3"),
        (("lists", 1, "name"), "name = 4"),
        (("spaced", "out", "end"), "end"),
    ],
)
def test_it_points_to_the_line_that_names_the_key(path: KeyPath, line: str) -> None:
    assert TRICKY.splitlines()[toml_lines(TRICKY)[path] - 1].startswith(line)


def test_windows_line_ends_count_once() -> None:
    assert toml_lines("a = 1\r\n\r\n[b]\r\nc = 2\r\n") == {
        ("a",): 1,
        ("b",): 3,
        ("b", "c"): 4,
    }
