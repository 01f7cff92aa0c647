"""How a process that thinks gives way to others; what it is asked and answers: `test_workers`."""

import os
import threading

import pytest

from bot.thinking.worker import give_way


def gives_way(took: float, worked: float) -> bool:
    """Does a thread run only while nobody else wants its core, after such a search?"""
    if not hasattr(os, "SCHED_IDLE"):
        return False
    ways = []

    def search() -> None:
        before = os.sched_getscheduler(0)
        give_way(took, worked)
        ways.extend([before, os.sched_getscheduler(0)])

    # A thread of its own: what it gives up it cannot have back.
    thread = threading.Thread(target=search)
    thread.start()
    thread.join()
    assert ways[0] == os.SCHED_OTHER
    return ways[1] == os.SCHED_IDLE


@pytest.mark.parametrize(
    ("took", "worked", "gives"),
    [(2.0, 1.9, True), (0.06, 0.05, True), (2.0, 0.2, False), (0.001, 0.001, False)],
)
@pytest.mark.parametrize(("load", "is_calm"), [(2.3, True), (3.0, False)])
def test_who_was_left_enough_of_a_core_leaves_it_to_whoever_else_wants_it(
    *,
    took: float,
    worked: float,
    gives: bool,
    load: float,
    is_calm: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr("os.getloadavg", lambda: (load, 1.0, 1.0))
    assert gives_way(took, worked) is (gives and is_calm and hasattr(os, "SCHED_IDLE"))
