"""Searches: served by cost, warmed, and sent without secrets."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from bot.engines.tasks import Choose, Hint, Rank, Review, Task, WantsDraw
from bot.engines.turns import CostQueue
from bot.engines.worker import load_and_run, packed
from games import get, ids
from games.computer import LEVELS, Candidate, IsLate, engine, never
from tests.games.computer.late import late_after
from tests.games.playing import cases, moments, play_out

SEARCHING = """
import sys
from bot.engines.worker import accelerate
assert accelerate() is None
from numba.core.event import install_recorder
from bot.engines.tasks import prepare
from tests.bot.engines.test_turns import search_everything
prepare(sys.argv[1])
with install_recorder("numba:compile") as recorder:
    search_everything(sys.argv[1])
for _, event in recorder.buffer:
    print(event.data["dispatcher"].py_func.__qualname__)
"""


async def settled() -> None:
    """Run all tasks that are ready."""
    for _ in range(8):
        await asyncio.sleep(0)


async def test_what_costs_more_comes_later_unless_it_has_waited_for_longer() -> None:
    turns, served = CostQueue(1), list[str]()

    async def search(what: str, cost: float) -> None:
        await turns.acquire(cost)
        served.append(what)
        turns.release()

    await turns.acquire(0.0)
    clock = asyncio.get_running_loop().time
    tasks = [asyncio.create_task(search(*one)) for one in (("dear", 600.0), ("fair", 0.001))]
    await settled()
    begun = clock()
    while clock() <= begun + 0.002:  # noqa: ASYNC110 - the clock sends no event
        await asyncio.sleep(0)
    tasks.append(asyncio.create_task(search("cheap", 0.0)))
    await settled()
    turns.release()
    await asyncio.gather(*tasks)
    assert served == ["fair", "cheap", "dear"]


def search_everything(game_id: str) -> None:
    """Run searches of all kinds in some positions of matches with all options."""
    player = engine(game_id)
    for case in filter(lambda case: player.can_play(case.options), cases(get(game_id))):
        for position, seat in moments(case, 5):
            told = game_id, position.view(seat), seat, 600.0
            tasks: list[Task[Any]] = [WantsDraw(*told)]
            if seat in position.turn:
                tasks += [Hint(*told), Rank(*told)]
                tasks += [Choose(*told, level, 1) for level in range(1, LEVELS + 1)]
            for task in tasks:
                task.run(late_after(40))
        if player.reviews_matches:
            Review(game_id, play_out(case).end.view(None), 0, 600.0).run(late_after(40))


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ids())
def test_no_search_compiles_anything_once_its_engine_is_loaded(
    game_id: str, tmp_path: Path
) -> None:
    told = subprocess.run(
        [sys.executable, "-c", SEARCHING, game_id],
        env=os.environ | {"XDG_CACHE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == []


def test_the_time_of_a_search_starts_once_its_engine_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, late = 0.0, list[bool]()

    def load(_: str) -> None:
        nonlocal now
        now += 100.0

    def search(_: object, is_late: IsLate) -> None:
        late.append(is_late())

    monkeypatch.setattr("bot.engines.worker.prepare", load)
    monkeypatch.setattr("time.monotonic", lambda: now)
    monkeypatch.setattr(WantsDraw, "run", search)
    load_and_run(WantsDraw("othello", None, 0, 1.0), Event())
    assert late == [False]


def test_what_is_sent_is_the_same_wherever_the_hidden_stones_are() -> None:
    game = get("blackbox")
    options = game.options_from({"size": "5", "stones": "3"})
    sent = set()
    for setup in ("a1 c3 e5", "a1 c3 e4"):
        view = game.start(options, setup).view(0)
        sent.add(packed(Hint(game.id, view, 0, 2.0)) + packed(Choose(game.id, view, 0, 2.0, 5, 1)))
    assert len(sent) == 1


def test_nothing_is_certain_that_was_not_seen_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    game = get("othello")
    options = game.options_from({})
    position = game.start(options, game.new_setup(options, Random(1)))
    (seat,), (first, second, third, *_) = position.turn, position.moves(min(position.turn))
    found = (Candidate(first, 1.0, is_exact=True), Candidate(second, 1.0), Candidate(third, 0.0))
    monkeypatch.setattr(engine(game.id), "rank", lambda *_, **__: found)
    ranked = Rank(game.id, position.view(seat), seat, 1.0).run(never)
    assert [one.expectation for one in ranked] == [1.0, 0.99, 0.01]
