"""Which changes the mutation tool makes."""

from pathlib import Path
from textwrap import dedent

import pytest

from tools.mutation import CORE, TUNING, __main__
from tools.mutation.changes import apply, find_places
from tools.mutation.runner import ROOT


def all_changed(source: str, *, tuning: frozenset[str] = frozenset()) -> set[str]:
    source = dedent(source).strip("\n")
    return {
        apply(source, change)
        for place in find_places("some.py", source, tuning=tuning)
        for change in place.changes
    }


@pytest.mark.parametrize(
    ("source", "others"),
    [
        ("a = b < c", {"a = b <= c", "a = b >= c"}),
        ("a = b is not c", {"a = b is c"}),
        ("a = (b) // (c)", {"a = (b) * (c)"}),
        ("a = -b", {"a = b"}),
        ("a = not b", {"a =  b"}),
        ("a = 7", {"a = 8", "a = 6"}),
        ("a = True", {"a = False"}),
        ("a = b and c", {"a = b or c", "a = True and c", "a = b and True"}),
        ("a = b if c else d", {"a = b if (not (c)) else d"}),
        ("a = [b for b in c if d]", {"a = [b for b in c if (not (d))]"}),
        ("a += b", {"a -= b", "pass"}),
        ("raise a", {"pass"}),
        ("def f(): return a", {"def f(): pass"}),
        ("if a: pass", {"if (not (a)): pass"}),
        ("f('Ä', b == c)", {"pass", "f('Ä', b != c)"}),
        ("def f(a):\n    b = a\n    a = b", {"def f(a):\n    b = a\n    pass"}),
    ],
)
def test_one_place_is_changed_in_one_way(source: str, others: set[str]) -> None:
    assert all_changed(source) == others


SKIPPED = """
a: int | None
"A text."
assert a < 7
__all__ = ["a" + "b"]
if TYPE_CHECKING: f(7)
_log.info("a", b=c + 7)
store_failed(_log, "a", b + 7)
a = f"{b + 7}"
a = zip(b, c, strict=True)
a = String(16)
@a(b=True)
class C: ...
def f(a: int | None) -> int | None:
    yield
    try: ...
    except C: return None
"""


def test_what_no_test_should_notice_is_not_changed() -> None:
    assert all_changed(SKIPPED) == set()


def test_the_modules_and_constants_that_are_named_exist() -> None:
    assert [path for path in CORE if not (ROOT / path).exists()] == []
    assert all_changed("A = 7\nB = 8", tuning=frozenset({"A"})) == {"A = 7\nB = 9", "A = 7\nB = 7"}
    for path, constants in TUNING.items():
        source = (ROOT / path).read_text("utf-8")
        defined = {name for place in find_places(path, source) for name in place.names}
        assert set(constants.split()) <= defined, path


def test_the_same_seed_chooses_the_same_changes_of_lines_that_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(__main__, "ROOT", tmp_path)
    lines = [f"a{number} = b > {number}" for number in range(40)]

    def chosen(source: list[str]) -> set[str]:
        (tmp_path / "code.py").write_text("\n".join(source))
        trials = __main__._choose(["code.py"], seed=1, count=10)
        changed = {line for one in trials for line in one.after.splitlines()} - {*source}
        assert len(changed) == 10
        return changed

    assert chosen(lines) == chosen(["", *lines, ""])
    assert len(chosen(lines) & chosen(lines[1:])) >= 9
