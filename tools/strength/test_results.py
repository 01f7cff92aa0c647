"""Tables that take hours are played bit by bit."""

import os
import signal
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from tools.strength.results import Results, each

# From Python 3.12 on it is warned of processes that are forked beside threads, as xdist has some.
forks = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


def squared(number: int) -> float:
    return float(number**2)


def test_what_was_played_is_not_played_again_also_by_another_process(tmp_path: Path) -> None:
    file, played = tmp_path / "new" / "kept", []

    def worth(number: int) -> float:
        played.append(number)
        return squared(number)

    for version, count in (("one", 2), ("two", 4)):
        results = Results(version, file=file)
        with results.of("line"):
            assert each(count, worth) == [squared(number) for number in range(count)]
        # The next one is ended over its last line.
        file.write_text(f'{file.read_text()}{{"line": "li')
    assert played == [0, 1, 2, 3]
    assert results.versions == {"one", "two"}
    # Another part of a line, and another line, have results of their own.
    with results.of("line"):
        each(1, worth, of="part")
    with results.of("other line"):
        each(1, worth)
    assert played == [0, 1, 2, 3, 0, 0]
    assert results.versions == {"two"}


@pytest.mark.parametrize("held", ["precious", "precious\n", "{}\n", "[1]\n", '{"line": 1}\n'])
def test_a_file_that_holds_something_else_is_left_as_it_is(tmp_path: Path, held: str) -> None:
    file = tmp_path / "kept"
    file.write_text(held)
    with pytest.raises(ValueError, match="something else"):
        Results("one", file=file)
    assert file.read_text() == held


@forks
def test_several_processes_come_to_the_same_as_one(tmp_path: Path) -> None:
    results = Results("one", file=tmp_path / "kept", jobs=2)
    with results.of("line"):
        assert each(5, squared) == [0.0, 1.0, 4.0, 9.0, 16.0]
    assert len((tmp_path / "kept").read_text().splitlines()) == 5


@forks
def test_where_a_process_dies_nobody_waits_for_it() -> None:
    def dies(number: int) -> float:
        os.kill(os.getpid(), signal.SIGKILL)
        return 0.0

    with Results("one", jobs=2).of("line"), pytest.raises(BrokenProcessPool):
        each(2, dies)
