"""Background work is kept, finished in time or cancelled, and begun again where it must not end."""

import asyncio

import pytest
from structlog.typing import EventDict

from bot import tasks
from bot.backoff import Backoff
from bot.tasks import Tasks, kept_running


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


async def test_what_fails_is_logged_whole_and_runs_again_after_ever_longer_pauses(
    monkeypatch: pytest.MonkeyPatch, logged: list[EventDict]
) -> None:
    monkeypatch.setattr(tasks, "_PAUSES", Backoff(0.001, 60.0))
    runs = 0

    async def run() -> None:
        nonlocal runs
        runs += 1
        if runs < 4:
            raise ZeroDivisionError

    await kept_running("the clock", run)
    assert runs == 4
    lines = [line for line in logged if line["event"] == "ended, and is begun again"]
    assert [line["what"] for line in lines] == ["the clock"] * 3
    assert all("ZeroDivisionError" in line.pop("exception") for line in lines)


async def test_what_has_ended_is_held_no_longer() -> None:
    working = Tasks()
    await working.begin(asyncio.sleep(0))
    await asyncio.sleep(0)
    assert not working._tasks


@pytest.mark.parametrize(
    ("well_after", "pauses"),
    [(60.0, [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]), (-1.0, [1.0] * 8)],
)
async def test_pauses_are_long_until_what_failed_has_run_well_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
    logged: list[EventDict],
    well_after: float,
    pauses: list[float],
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
    assert len([line.pop("exception") for line in logged]) == 8


async def test_what_ends_by_itself_or_is_cancelled_does_not_run_again() -> None:
    waiting = asyncio.create_task(kept_running("the clock", asyncio.Event().wait))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
