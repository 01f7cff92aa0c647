"""Thinking processes: started, killed, stopped during a search."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

import games
from bot.engines.tasks import Choose, Hint, Rank, Task, Wake
from bot.engines.worker import KeepAlive, Outcome, can_cache, mark_compiled, needs_warming, packed
from bot.engines.workers import SearchFailedError, Workers, WorkersGoneError, _DiedError, _Worker
from tests.bot.engines.ends import Ends
from tests.bot.engines.numbas import BROKEN, DEADLY
from tests.bot.failing import waits, watched
from tests.sampling import sampled


@pytest.fixture
async def cold() -> AsyncIterator[Workers]:
    """Return workers that have not started yet, and may have to compile engines."""
    workers = Workers(1)
    yield workers
    await workers.close()


@pytest.fixture
def workers(cold: Workers) -> Workers:
    cold._is_cold = False
    return cold


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the empty folder for compiled code."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "azumaya"


@pytest.fixture
def _unkept(kept: Path) -> None:
    """Make the folder for compiled code unusable."""
    kept.touch()


@pytest.fixture
def answering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Replace the thinking process by a program with a given answer."""

    def answer(said: bytes) -> None:
        (tmp_path / "answer").write_bytes(said)
        program = tmp_path / "python"
        program.write_text(
            f"#!/bin/sh\nhead -c 4 >/dev/null\ncat {tmp_path}/answer\n", encoding="utf-8"
        )
        program.chmod(0o700)
        monkeypatch.setattr("sys.executable", str(program))
        monkeypatch.setattr("bot.engines.workers._PAUSES", (0.0,))

    return answer


@pytest.fixture
def numba_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that installs another numba for processes."""

    def be(text: str) -> None:
        (tmp_path / "numba.py").write_text(text, encoding="utf-8")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)

    return be


@pytest.fixture(autouse=True)
def _no_numba(numba_is: Callable[[str], None]) -> None:
    """Run without numba: processes start three times as fast."""
    numba_is("raise ModuleNotFoundError('No module', name='numba')")


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Record sleeps instead of waiting."""
    found, sleep = list[float](), asyncio.sleep

    async def noted(seconds: float) -> None:
        if seconds:
            found.append(seconds)
        await sleep(0)

    monkeypatch.setattr("asyncio.sleep", noted)
    return found


def othello(*, seconds: float = 0.1, level: int = 3) -> Choose:
    game = games.get("othello")
    options = game.options_from({})
    position = game.start(options, "." * 26 + "." + "OX" + "......" + "XO" + "." * 27 + " X")
    return Choose("othello", position.view(0), 0, seconds, level, 7)


async def until(holds: Callable[[], object]) -> None:
    """Wait until something holds, by polling.

    Thinking processes have the lowest priority: on a busy machine they need minutes.
    """
    async with asyncio.timeout(240):
        while not holds():  # noqa: ASYNC110 - other processes send no events
            await asyncio.sleep(0.01)


def processes() -> list[psutil.Process]:
    """Return the running processes that think."""
    found = []
    for one in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if "bot.engines.worker" in " ".join(one.cmdline()):
                found.append(one)
    return found


@pytest.mark.usefixtures("kept")
async def test_a_process_of_low_priority_searches_and_an_error_has_no_details(
    workers: Workers, logged: list[dict[str, object]]
) -> None:
    assert await workers.do(othello()) in ("d3", "c4", "f5", "e6")
    (process,) = processes()
    assert process.nice() > psutil.Process().nice()
    # Numba is optional.
    assert logged == []
    with pytest.raises(SearchFailedError) as failed:
        await workers.do(othello(level=9))
    assert failed.value.kind == "ValueError"
    assert failed.value.args == ("ValueError",)


async def test_a_process_that_is_killed_is_replaced_and_the_search_begun_anew(
    workers: Workers,
) -> None:
    await workers.do(othello())
    (process,) = processes()
    thought = asyncio.create_task(workers.do(othello(seconds=30.0, level=5)))
    await until(lambda: workers._busy)
    process.kill()
    await until(lambda: [one for one in processes() if one.pid != process.pid])
    thought.cancel()
    with pytest.raises(asyncio.CancelledError):
        await thought
    assert await workers.do(othello()) is not None


def deadly(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Let processes die at every task; return for each whether it was without numba."""
    were_plain = list[bool]()

    async def die(worker: _Worker, task: Task[Any]) -> Outcome:
        were_plain.append(worker.is_plain)
        worker.is_ready = True
        await worker.end()
        raise _DiedError("SIGKILL")

    monkeypatch.setattr(_Worker, "do", die)
    return were_plain


async def test_a_search_is_begun_anew_after_longer_and_longer_pauses_at_last_without_numba(
    workers: Workers, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    were_plain = deadly(monkeypatch)
    with pytest.raises(SearchFailedError) as failed:
        await workers.do(othello())
    assert failed.value.kind == "SIGKILL"
    assert pauses == [1.0, 5.0]
    assert were_plain == [False, False, True]


@pytest.mark.slow
async def test_while_one_search_pauses_others_are_served(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    sleep, pauses, go_on = asyncio.sleep, asyncio.Event(), asyncio.Event()

    async def until_told(seconds: float) -> None:
        if seconds < 1:
            await sleep(seconds)
            return
        pauses.set()
        await go_on.wait()

    monkeypatch.setattr("asyncio.sleep", until_told)
    with monkeypatch.context() as patch:
        deadly(patch)
        first = asyncio.create_task(workers.do(othello()))
        await pauses.wait()
    assert await workers.do(othello()) in ("d3", "c4", "f5", "e6")
    assert not first.done()
    go_on.set()
    assert await first in ("d3", "c4", "f5", "e6")


async def test_who_gives_up_during_a_pause_is_gone_at_once(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    were_plain = deadly(monkeypatch)
    monkeypatch.setattr("bot.engines.workers._PAUSES", (0.0, 3600.0))
    thought = asyncio.create_task(workers.do(othello()))
    await until(lambda: were_plain and workers._lane._free)
    thought.cancel()
    with pytest.raises(asyncio.CancelledError):
        await thought
    assert workers._lane._free == 1


@pytest.mark.slow
async def test_a_search_that_nobody_wants_any_more_ends_and_its_process_goes_on(
    workers: Workers,
) -> None:
    await workers.do(othello())
    (before,) = processes()
    thought = asyncio.create_task(workers.do(othello(seconds=600.0, level=5)))
    await until(lambda: workers._busy)
    thought.cancel()
    with pytest.raises(asyncio.CancelledError):
        await thought
    assert await workers.do(othello()) is not None
    (after,) = processes()
    assert after.pid == before.pid


async def test_whoever_ends_the_house_ends_its_thinking(workers: Workers) -> None:
    await workers.do(othello())
    (process,) = processes()
    os.kill(process.pid, signal.SIGINT)
    assert await workers.do(othello()) is not None
    await workers.close()
    assert not psutil.pid_exists(process.pid)


async def test_a_process_that_starts_while_the_house_closes_ends_too(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins, closes, started = asyncio.Event(), asyncio.Event(), []
    start = _Worker.start

    async def slowly(*flags: str) -> _Worker:
        begins.set()
        await closes.wait()
        started.append(await start(*flags))
        return started[-1]

    monkeypatch.setattr(_Worker, "start", slowly)
    await workers.scale()
    await begins.wait()
    closing = asyncio.create_task(workers.close())
    await asyncio.sleep(0)
    closes.set()
    await closing
    assert len(started) == 1
    assert not started[0].is_alive


@pytest.mark.slow
async def test_one_that_was_only_stopped_is_replaced_before_long(
    workers: Workers, monkeypatch: pytest.MonkeyPatch, logged: list[dict[str, object]]
) -> None:
    monkeypatch.setattr("bot.engines.workers._SILENT", 4.0)
    await workers.do(othello())
    (process,) = processes()
    process.suspend()
    assert await workers.do(othello()) is not None
    assert not psutil.pid_exists(process.pid)
    (line,) = logged
    assert (line["event"], line["kind"]) == ("worker process replaced", "silent")


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("how", "kind"), [("crash", "SIGSEGV: Segmentation"), ("error", "exit 1: _Odd")]
)
async def test_of_one_that_crashes_the_log_says_how_and_where_and_nothing_of_the_match(
    workers: Workers,
    how: str,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
    logged: list[dict[str, object]],
) -> None:
    monkeypatch.setattr("bot.engines.workers._PAUSES", (0.0,))
    with pytest.raises(SearchFailedError):
        await workers.do(Ends("othello", None, 0, 0.1, how))
    (line,) = logged
    assert str(line["kind"]).startswith(kind)
    assert "ends.py:" in str(line["where"])
    assert "secret" not in str(logged)


@pytest.mark.usefixtures("kept", "pauses")
@pytest.mark.slow
async def test_once_one_has_crashed_what_was_compiled_before_is_made_anew(workers: Workers) -> None:
    crash = Ends("othello", None, 0, 0.1, "crash")
    for is_first in (True, False):
        await workers.do(othello())
        mark_compiled()
        with pytest.raises(SearchFailedError):
            await workers.do(crash)
        assert needs_warming() == is_first


@pytest.mark.slow
@pytest.mark.usefixtures("_unkept")
async def test_where_nothing_can_be_kept_it_thinks_all_the_same(workers: Workers) -> None:
    assert not can_cache()
    assert await workers.do(othello()) in ("d3", "c4", "f5", "e6")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [(b"\x00\x00", "exit 0"), (packed(KeepAlive(1.0)) + packed(KeepAlive(99.0)), "stuck")],
)
async def test_of_an_answer_that_is_none_the_log_says_what_kind_it_was(
    answer: bytes,
    kind: str,
    workers: Workers,
    answering: Callable[[bytes], None],
    logged: list[dict[str, object]],
) -> None:
    answering(answer)
    with pytest.raises(SearchFailedError):
        await workers.do(othello())
    assert [line["kind"] for line in logged] == [kind]


async def test_what_costs_less_comes_first(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[type[Task[Any]]] = []

    async def search(worker: object, task: Task[Any]) -> Outcome:
        searched.append(type(task))
        await asyncio.sleep(0)
        return Outcome()

    monkeypatch.setattr("bot.engines.workers._Worker.do", search)
    move = othello(level=5)
    told = (move.game, move.view, move.seat, 0.1)
    tasks = [move, Rank(*told), move, Hint(*told), Rank(*told), Hint(*told)]
    await asyncio.gather(*map(workers.do, tasks))
    assert searched == [Choose, Hint, Hint, Choose, Rank, Rank]


@pytest.mark.slow
@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("kind", sampled(BROKEN, "ArithmeticError (wrong)"))
async def test_with_a_numba_that_does_not_work_it_thinks_without_and_that_is_logged_once(
    kind: str, numba_is: Callable[[str], None], logged: list[dict[str, object]]
) -> None:
    numba_is(BROKEN[kind])
    workers = Workers(2)
    workers._is_cold = False
    for move in await asyncio.gather(*map(workers.do, [othello()] * 2)):
        assert move in ("d3", "c4", "f5", "e6")
    await workers.close()
    (line,) = logged
    assert str(line["event"]).startswith("numba does not work")
    assert line["kind"] == kind.partition(" ")[0]
    assert "secret" not in str(logged)


@pytest.mark.usefixtures("kept", "pauses")
@pytest.mark.slow
async def test_where_loading_numba_is_deadly_it_thinks_without_and_tries_it_a_few_times_only(
    workers: Workers, numba_is: Callable[[str], None], logged: list[dict[str, object]]
) -> None:
    numba_is(DEADLY["SIGSEGV"])
    for _ in range(4):
        assert await workers.do(othello()) in ("d3", "c4", "f5", "e6")
    replaced = "worker process replaced"
    assert len([line for line in logged if line["event"] == replaced]) == 3
    (line,) = [line for line in logged if line["event"] != replaced]
    assert str(line["event"]).startswith("numba does not work")
    assert str(line["kind"]).startswith("SIGSEGV")
    # It is no longer replaced by another one that might have numba.
    (before,) = processes()
    await workers.do(othello())
    assert [one.pid for one in processes()] == [before.pid]


@pytest.mark.slow
async def test_one_that_is_killed_once_it_is_ready_says_nothing_against_numba(
    workers: Workers,
) -> None:
    for _ in range(4):
        await workers.do(othello())
        (process,) = processes()
        assert "--plain" not in process.cmdline()
        process.kill()


@pytest.mark.slow
async def test_what_nobody_waits_for_any_more_is_not_begun_once_its_process_has_started(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = waits(monkeypatch, _Worker, "start")
    searched = watched(monkeypatch, _Worker, "do")
    unwanted = asyncio.create_task(workers.do(othello(level=4)))
    await begun.wait()
    unwanted.cancel()
    wanted = othello()
    waiting = asyncio.create_task(workers.do(wanted))
    await asyncio.sleep(0)
    go_on.set()
    assert await waiting in ("d3", "c4", "f5", "e6")
    assert [task for _, task in searched] == [wanted]


async def test_without_processes_nobody_can_think() -> None:
    with pytest.raises(WorkersGoneError):
        await Workers(0).do(othello())


@pytest.mark.slow
@pytest.mark.usefixtures("kept")
async def test_after_the_start_all_players_are_compiled_once(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.ids", lambda: ("othello",))
    assert needs_warming()
    await workers.scale()
    await until(lambda: not needs_warming())


@pytest.mark.usefixtures("kept")
async def test_whoever_closes_while_players_are_compiled_is_warned_of_nothing(
    workers: Workers, monkeypatch: pytest.MonkeyPatch, logged: list[dict[str, object]]
) -> None:
    await workers.scale()
    await until(lambda: workers._busy)
    await workers.close()
    assert logged == []


async def test_a_move_of_a_low_level_does_not_wait_for_a_long_search(workers: Workers) -> None:
    long = asyncio.create_task(workers.do(othello(seconds=600.0, level=5)))
    await until(lambda: workers._busy)
    assert await workers.do(othello(level=2)) in ("d3", "c4", "f5", "e6")
    assert not long.done()
    long.cancel()


async def test_after_the_start_every_process_has_loaded_every_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded = set[tuple[int, str]]()

    async def load(worker: _Worker, task: Task[Any]) -> Outcome:
        if not worker.is_plain:
            loaded.add((worker._process.pid, task.game))
        # While one process loads an engine, the other one starts.
        await asyncio.sleep(0)
        return Outcome()

    monkeypatch.setattr(_Worker, "do", load)
    monkeypatch.setattr("bot.engines.workers.needs_warming", lambda: False)
    workers = Workers(2)
    await workers.scale()
    await until(lambda: not workers._is_cold)
    await workers.close()
    assert {game_id for _, game_id in loaded} == set(games.ids())
    assert len(loaded) == 2 * len(games.ids())


async def test_while_engines_are_compiled_a_hint_is_found_without_numba(
    cold: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiling, were_plain = asyncio.Event(), list[bool]()

    async def search(worker: _Worker, task: Task[Any]) -> Outcome:
        if isinstance(task, Wake) and task.game:
            compiling.set()
            await asyncio.Event().wait()
        if isinstance(task, Hint):
            were_plain.append(worker.is_plain)
        return Outcome()

    monkeypatch.setattr(_Worker, "do", search)
    monkeypatch.setattr("bot.engines.workers.needs_warming", lambda: True)
    await cold.scale()
    await compiling.wait()
    move = othello()
    await cold.do(Hint(move.game, move.view, move.seat, 0.1))
    assert were_plain == [True]


@pytest.mark.slow
@pytest.mark.usefixtures("kept")
async def test_processes_start_before_they_are_needed_and_end_after_ten_idle_minutes(
    cold: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.engines.workers.needs_warming", lambda: False)
    await cold.scale()
    await until(lambda: not cold._is_cold)
    started = processes()
    assert len(started) == 2
    for level in (1, 5):
        await cold.do(othello(level=level))
    assert processes() == started
    cold._used -= 601
    await cold.scale()
    assert processes() == []
