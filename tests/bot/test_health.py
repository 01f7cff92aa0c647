"""Health checks: cheap, and not blocked by what hangs."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from shutil import copy

import pytest

from bot import health
from bot.health import Health, Report
from bot.store import Store, key_values
from bot.support import logs
from tests.bot.failing import DISK_FULL, fails, watched
from tests.bot.transactions import writing

WELL = Report(playable=True, problems=(), is_ready=True)
NOT_STORED = Report(playable=False, problems=("the store cannot be written",), is_ready=False)


@pytest.fixture
async def store(empty: Path, tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(Path(copy(empty, tmp_path)))
    yield opened
    await opened.close()


@pytest.fixture
async def app(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Health]:
    """Open health checks that are repeated for every request."""
    monkeypatch.setattr(health, "_FRESH", 0.0)
    opened = Health(store)
    yield opened
    await opened.close()


async def test_all_is_well(app: Health) -> None:
    assert await app.report() == WELL


async def test_what_does_not_keep_people_from_playing_is_told_all_the_same(
    app: Health, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected = [False]
    app.parts["Discord cannot be reached"] = lambda: connected[0]
    with monkeypatch.context() as patch:
        patch.setattr(logs, "can_write", lambda: False)
        report = await app.report()
    assert report == Report(
        playable=True,
        problems=("the log cannot be written", "Discord cannot be reached"),
        is_ready=False,
    )
    connected[0] = True
    # A log that cannot be written makes nothing unready.
    with monkeypatch.context() as patch:
        patch.setattr(logs, "can_write", lambda: False)
        assert (await app.report()).is_ready
    assert await app.report() == WELL


async def test_a_house_that_closes_says_so_at_once_whatever_was_so_a_second_ago(
    app: Health, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_FRESH", 1000.0)
    assert await app.report() == WELL
    app.unready_reason = "the bot is stopping"
    assert await app.report() == Report(
        playable=True, problems=("the bot is stopping",), is_ready=False
    )


async def test_a_store_that_cannot_be_written_is_told_until_it_can(
    app: Health, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        fails(patch, key_values, "remember", DISK_FULL)
        assert await app.report() == NOT_STORED
    assert await app.report() == WELL


async def test_a_store_that_hangs_is_asked_once_and_hangs_nobody(
    app: Health, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_PATIENCE", 0.05)
    async with writing(store):
        # The write lock is held.
        waiting = len(asyncio.all_tasks())
        for _ in range(3):
            assert await app.report() == NOT_STORED
        assert len(asyncio.all_tasks()) <= waiting + 2
    monkeypatch.setattr(health, "_PATIENCE", 5.0)
    assert await app.report() == WELL


async def test_many_who_ask_cost_one_look(app: Health, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_FRESH", 1000.0)
    written = watched(monkeypatch, key_values, "remember")
    reports = await asyncio.gather(*(app.report() for _ in range(100)))
    assert set(reports) == {WELL}
    assert await app.report() == WELL
    assert len(written) == 1
