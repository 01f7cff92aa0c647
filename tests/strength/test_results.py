"""Tables that take hours are played bit by bit."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.strength.results import Results, each


@pytest.fixture(autouse=True)
def _of_no_other_line() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("line", ""), ("version", "one"), ("file", None), ("jobs", 1)):
            patch.setattr(Results, name, value)
        patch.setattr(Results, "_known", {})
        patch.setattr(Results, "versions", set())
        yield


def test_what_was_played_is_not_played_again_also_by_another_process(tmp_path: Path) -> None:
    played: list[int] = []

    def worth(number: int) -> float:
        played.append(number)
        return number / 2

    (tmp_path / "kept").write_text('{"line": "line", "num')
    for version, count in (("one", 2), ("two", 4)):
        Results.version = version
        Results._known = {}
        Results.go_on_with(tmp_path / "kept")
        Results.begin("line")
        assert each(count, worth) == [number / 2 for number in range(count)]
    assert played == [0, 1, 2, 3]
    assert Results.versions == {"one", "two"}
    # Another line, or another part of one, has results of its own.
    each(1, worth, of="part")
    Results.begin("other line")
    each(1, worth)
    assert played == [0, 1, 2, 3, 0, 0]


def test_several_processes_come_to_the_same_as_one(tmp_path: Path) -> None:
    Results.go_on_with(tmp_path / "kept")
    Results.jobs = 2
    assert each(5, lambda number: float(number**2)) == [0.0, 1.0, 4.0, 9.0, 16.0]
    assert len((tmp_path / "kept").read_text().splitlines()) == 5
