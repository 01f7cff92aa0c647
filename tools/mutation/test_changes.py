"""The mutation script itself: what it changes, what it leaves alone, and that it can tell."""

from textwrap import dedent

import pytest

from tools.mutation import CORE, TUNING
from tools.mutation.changes import applied, within
from tools.mutation.copies import ROOT


def after(source: str, *, tuning: frozenset[str] = frozenset()) -> set[str]:
    """All that can become of a piece of source, where it is one line."""
    source = dedent(source).strip("\n")
    return {
        applied(source, change)
        for place in within("some.py", source, tuning=tuning)
        for change in place.changes
    }


@pytest.mark.parametrize(
    ("source", "others"),
    [
        ("a = b < c", {"a = b <= c", "a = b >= c"}),
        ("a = b is not c", {"a = b is c"}),
        ("a = b not in c", {"a = b in c"}),
        ("a = b + c", {"a = b - c"}),
        ("a = (b) // (c)", {"a = (b) * (c)"}),
        ("a = -b", {"a = b"}),
        ("a = not b", {"a =  b"}),
        ("a = 7", {"a = 8", "a = 6"}),
        ("a = True", {"a = False"}),
        ("a = b and c", {"a = b or c", "a = True and c", "a = b and True"}),
        ("a = b if c else d", {"a = b if (not (c)) else d"}),
        ("a = [b for b in c if d]", {"a = [b for b in c if (not (d))]"}),
        ("a += b", {"a -= b", "pass"}),
        ("a.b = c", {"pass"}),
        ("f(a)", {"pass"}),
        ("raise a", {"pass"}),
        ("def f(): return a", {"def f(): pass"}),
        ("if a: pass", {"if (not (a)): pass"}),
        ("f('Ä', b == c)", {"pass", "f('Ä', b != c)"}),
    ],
)
def test_a_place_is_changed_in_one_way_at_a_time(source: str, others: set[str]) -> None:
    assert after(source) == others


@pytest.mark.parametrize(
    "source",
    [
        "a: int | None",
        "def f(a: int | None) -> int | None: ...",
        "'A text.'",
        "assert a < 7",
        "__all__ = ['a' + 'b']",
        "if TYPE_CHECKING: f(7)",
        "_log.info('a', b=c + 7)",
        "store_failed(_log, 'a', b + 7)",
        "from a import b",
        "def f():\n    return None",
        "a = f'{b + 7}'",
        "a = zip(b, c, strict=True)",
        "@a(b=True)\nclass C: ...",
        "def f():\n    yield",
    ],
)
def test_what_no_test_should_notice_is_left_alone(source: str) -> None:
    assert after(source) == set()


def test_the_core_is_there() -> None:
    assert [path for path in CORE if not (ROOT / path).exists()] == []


def test_only_constants_that_are_there_are_left_alone() -> None:
    assert after("A = 7\nB = 8", tuning=frozenset({"A"})) == {"A = 7\nB = 9", "A = 7\nB = 7"}
    for path, names in TUNING.items():
        source = (ROOT / path).read_text("utf-8")
        made = {name for place in within(path, source) for name in place.names}
        assert names <= made, path


def test_names_are_dropped_only_where_they_have_had_a_value() -> None:
    source = """
    def f(a):
        b = a
        a = b
    """
    assert after(source) == {"def f(a):\n    b = a\n    pass"}


def test_an_import_is_noticed_by_who_uses_what_it_makes() -> None:
    places = within("some.py", "A = 7\nclass C:\n    b: int = 8\n    def f(self, c=9): return c")
    assert {place.line: place.names for place in places if place.kind == "number"} == {
        1: {"A"},
        3: {"C", "b"},
        4: {"C", "f"},
    }
    assert not next(place.names for place in places if place.kind == "statement")
