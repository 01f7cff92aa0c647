"""The processes that think, as they are: started, killed, stopped in the middle of a search."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

import games
from bot.thinking.worker import Task, needs_warming
from bot.thinking.workers import SearchFailedError, Workers


@pytest.fixture
async def workers() -> AsyncIterator[Workers]:
    workers = Workers(1)
    yield workers
    await workers.close()


def othello(*, seconds: float = 0.1, level: int = 1, do: str = "choose") -> Task:
    game = games.get("othello")
    options = game.options_from({})
    position = game.start(options, "." * 26 + "." + "OX" + "......" + "XO" + "." * 27 + " X")
    return Task(do, "othello", position.view(0), 0, seconds, level, 7)


async def until(holds: Callable[[], object]) -> None:
    """Wait until something holds; it is looked at often."""
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110 - processes tell nobody of themselves
            await asyncio.sleep(0.01)


def processes() -> list[psutil.Process]:
    """The processes that think, without those that have just ended."""
    found = []
    for one in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if "bot.thinking.worker" in " ".join(one.cmdline()):
                found.append(one)
    return found


async def test_a_search_is_made_in_a_process_of_low_priority(workers: Workers) -> None:
    assert await workers.do(othello()) in ("d3", "c4", "f5", "e6")
    (process,) = processes()
    assert process.nice() > psutil.Process().nice()


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


async def test_an_error_tells_its_kind_and_nothing_of_the_match(workers: Workers) -> None:
    with pytest.raises(SearchFailedError) as failed:
        await workers.do(othello(level=9))
    assert failed.value.kind == "ValueError"
    assert failed.value.args == ("ValueError",)


async def test_whoever_ends_the_house_ends_its_thinking(workers: Workers) -> None:
    await workers.do(othello())
    (process,) = processes()
    os.kill(process.pid, signal.SIGINT)
    assert await workers.do(othello()) is not None
    await workers.close()
    assert not psutil.pid_exists(process.pid)


async def test_while_nobody_searches_all_players_are_compiled_once(
    workers: Workers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("bot.thinking.workers._QUIET", 0.0)
    monkeypatch.setattr("games.ids", lambda: ("blackbox",))
    assert needs_warming()
    await workers.do(othello())
    await workers.tidy()
    await until(lambda: not needs_warming())
