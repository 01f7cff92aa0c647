"""Background tasks: kept, finished in time or cancelled, restarted if they must not end."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import pytest
from structlog.typing import EventDict

from bot.support import tasks
from bot.support.tasks import Backoff, DutyCycle, KeyedExecutor, Pace, Tasks, kept_running


async def test_what_is_under_way_is_finished_and_what_takes_too_long_is_cancelled() -> None:
    ended, working = list[str](), Tasks()

    async def work(name: str, wait: asyncio.Event) -> None:
        try:
            await wait.wait()
            ended.append(name)
        except asyncio.CancelledError:
            # It has its last words, too, before the house is closed.
            await asyncio.sleep(0)
            ended.append(f"{name} cancelled")
            raise

    soon = asyncio.Event()
    working.begin(work("quick", soon))
    working.begin(work("slow", asyncio.Event()))
    await asyncio.sleep(0)
    soon.set()
    await working.close(seconds=0.05)
    assert ended == ["quick", "slow cancelled"]


async def test_what_has_ended_is_held_no_longer() -> None:
    working = Tasks()
    await working.begin(asyncio.sleep(0))
    await asyncio.sleep(0)
    assert not working._tasks


@pytest.mark.parametrize(
    ("well_after", "pauses"),
    [(60.0, [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]), (-1.0, [1.0] * 8)],
)
async def test_what_fails_is_logged_whole_and_runs_again_after_pauses_until_it_has_run_well(
    monkeypatch: pytest.MonkeyPatch, logged: list[EventDict], well_after: float, pauses: list[float]
) -> None:
    waited: list[float] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    async def run() -> None:
        if len(waited) < 8:
            raise ZeroDivisionError

    monkeypatch.setattr(tasks, "_WELL_AFTER", well_after)
    monkeypatch.setattr(asyncio, "sleep", wait)
    await kept_running("the clock", run)
    monkeypatch.undo()
    assert waited == pauses
    assert all("ZeroDivisionError" in line.pop("exception") for line in logged)
    assert [(line["event"], line["what"]) for line in logged] == [
        ("task failed, restarting", "the clock")
    ] * 8


async def test_what_ends_by_itself_or_is_cancelled_does_not_run_again() -> None:
    waiting = asyncio.create_task(kept_running("the clock", asyncio.Event().wait))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


class Work:
    """Work that starts, and ends on demand."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self._may_end: dict[str, asyncio.Event] = {}

    def __call__(self, name: str) -> Callable[[], Coroutine[Any, Any, None]]:
        may_end = self._may_end[name] = asyncio.Event()

        async def work() -> None:
            self.begun.append(name)
            await may_end.wait()
            self.ended.append(name)

        return work

    def may_end(self, name: str) -> None:
        """Let it end as soon as it has started."""
        self._may_end[name].set()

    async def ends(self, *names: str) -> None:
        for name in names:
            self.may_end(name)
        for _ in range(200):
            await asyncio.sleep(0)


async def test_only_a_few_go_on_in_each_pass_of_the_loop_and_who_has_gone_takes_no_turn() -> None:
    pace, passes, went = Pace(2), 0, list[int]()

    async def caller() -> None:
        await pace.turn()
        went.append(passes)

    callers = [asyncio.create_task(caller()) for _ in range(6)]
    await asyncio.sleep(0)
    callers[0].cancel()
    while not all(one.done() for one in callers):
        passes += 1
        await asyncio.sleep(0)
    assert len(went) == 5
    assert max(went.count(one) for one in went) == 2


async def test_a_duty_cycle_rests_after_each_use_as_long_as_its_share_asks_for() -> None:
    cycle, loop = DutyCycle(0.2, longest=60), asyncio.get_running_loop()
    async with cycle.turn():
        start = loop.time()
        await asyncio.sleep(0.01)
        used = loop.time() - start
    rested = loop.time()
    async with cycle.turn():
        # Timers fire up to one tick of the clock early.
        assert loop.time() - rested >= 4 * used - 0.01


async def test_a_duty_cycle_does_not_rest_long_after_one_slow_use() -> None:
    cycle = DutyCycle(1 / 10_000, longest=0.01)
    async with cycle.turn():
        await asyncio.sleep(0.01)
    async with asyncio.timeout(30), cycle.turn():
        pass


async def test_what_shares_a_key_goes_in_order_and_all_else_side_by_side() -> None:
    executor, work = KeyedExecutor(), Work()
    # Keys may be told one by one.
    for name, keys in (("one", "a"), ("two", "ab"), ("three", "b"), ("four", "c"), ("five", "")):
        executor.run(iter(keys), work(name))
    await work.ends()
    assert work.begun == ["one", "four", "five"]
    await work.ends("four", "five")
    executor.run("c", work("six"))
    await work.ends()
    assert work.begun[3:] == ["six"]
    await work.ends("one")
    assert work.begun[4:] == ["two"]
    await work.ends("two")
    assert work.begun[5:] == ["three"]
    # It waits for what was last of a key, not for the first.
    last = executor.run("ac", work("seven"))
    await work.ends("three")
    assert "seven" not in work.begun
    await work.ends("six", "seven")
    await last
    assert work.ended[-1] == "seven"
    await asyncio.sleep(0)
    assert not executor._last
    assert not executor._tasks._tasks


async def test_what_has_an_owner_comes_before_others_things_a_few_times_at_the_most() -> None:
    executor, work = KeyedExecutor(), Work()
    for number in range(20):
        executor.run("a", work(f"ben {number}"), owner="ben")
    executor.run("a", work("anna"), owner="anna")
    executor.run("a", work("nobody"))
    await work.ends()
    every = [*(f"ben {number}" for number in range(20)), "anna", "nobody"]
    await work.ends(*every)
    late = [work.begun.index(name) for name in ("anna", "nobody")]
    assert late == [8, 9]
    # Each owner's order is kept, and none starves.
    assert [name for name in work.begun if name.startswith("ben")] == every[:20]
    assert work.ended == work.begun
    assert not executor._tasks._tasks
    assert not executor._last


async def test_who_does_much_in_many_places_is_in_each_of_them_in_turn() -> None:
    executor, work = KeyedExecutor(), Work()
    every = [(place, owner) for place in range(10) for owner in (f"host {place}", "ben") * 4]
    for number, (place, owner) in enumerate(every):
        also = {("match", place)} if owner != "ben" else {("match", any_) for any_ in range(10)}
        executor.run({owner, place, *also}, work(f"{number}"), owner=owner)
        work.may_end(f"{number}")
    await work.ends()
    for here in range(10):
        wanted = [str(number) for number, (place, _) in enumerate(every) if place == here]
        assert [name for name in work.ended if name in wanted] == wanted


async def test_what_waits_for_its_owner_and_shares_no_key_lets_others_in_at_once() -> None:
    executor, work = KeyedExecutor(), Work()
    for number in range(20):
        executor.run("a", work(f"ben {number}"), owner="ben")
    executor.run("b", work("anna"), owner="anna")
    await work.ends()
    assert work.begun == ["ben 0", "anna"]


async def test_an_executor_that_closes_forgets_what_has_waited_for_its_owner() -> None:
    executor, work = KeyedExecutor(), Work()
    for number in range(20):
        executor.run("a", work(f"ben {number}"), owner="ben")
    await work.ends()
    closing = asyncio.create_task(executor.close(seconds=60))
    await work.ends("ben 0")
    await closing
    assert work.begun == ["ben 0"]
    assert not executor._tasks._tasks


async def test_an_executor_that_closes_begins_nothing_more_and_ends_what_has_begun() -> None:
    executor, work = KeyedExecutor(), Work()
    for name, key in (("one", "a"), ("two", "a"), ("slow", "b")):
        executor.run(key, work(name))
    await work.ends()
    closing = asyncio.create_task(executor.close(seconds=0.05))
    await work.ends()
    executor.run("c", work("late"))
    await work.ends("one")
    assert not closing.done()
    await closing
    assert (work.begun, work.ended) == (["one", "slow"], ["one"])
    await asyncio.sleep(0)
    assert not executor._tasks._tasks
    # Where there is nothing to wait for, nothing is.
    await KeyedExecutor().close(seconds=60)


async def test_however_many_wait_for_each_other_in_a_row_all_of_it_is_done() -> None:
    people = 800
    executor, may_begin, done = KeyedExecutor(), asyncio.Event(), list[int]()

    async def work(person: int) -> None:
        await may_begin.wait()
        done.append(person)

    begun = [
        executor.run([person, person + 1], partial(work, person), owner=("person", person))
        for pieces in (4, 2)
        for person in range(people)
        for _ in range(pieces)
    ]
    begun.append(executor.run([people], partial(work, people), owner=("person", people)))
    may_begin.set()
    await asyncio.wait(begun)
    assert len(done) == len(begun)


def test_every_failure_in_a_row_doubles_the_pause_up_to_the_longest() -> None:
    pauses = Backoff(2.0, 60.0)
    assert [pauses.after(failures) for failures in range(1, 8)] == [2, 4, 8, 16, 32, 60, 60]
    assert pauses.after(10**6) == 60
