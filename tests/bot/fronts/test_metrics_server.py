"""Metrics over HTTP, at a separate address."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.app import App
from bot.fronts.metrics_server import metrics_server
from bot.store import boards, inbox
from bot.support.errors import StoreError
from bot.support.settings import MetricsSettings, Settings


@asynccontextmanager
async def served(path: Path) -> AsyncIterator[tuple[App, str]]:
    """Open an app with a metrics server and no fronts; yield it and the URL."""
    settings = Settings(database=path, metrics=MetricsSettings(address="127.0.0.1:0"))
    app = await App.open(settings)
    for name in ("web", "telegram"):
        app.couriers[name] = None  # type: ignore[assignment]  # only its name is asked for
    server = metrics_server(app)
    await server.start("the metrics")
    try:
        yield app, f"http://127.0.0.1:{server.port}"
    finally:
        await server.stop()
        await app.close()


async def asked(url: str) -> tuple[int, str, str]:
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        return answer.status, answer.headers["Content-Type"], await answer.text()


async def test_figures_are_told_as_prometheus_reads_them(tmp_path: Path) -> None:
    async with served(tmp_path / "azumaya.db") as (app, url):
        app.metrics.platform_failed("telegram", 429)
        await inbox.receive(app.store, "telegram", {1: {"text": "/help"}})
        status, kind, text = await asked(f"{url}/metrics")
    assert status == 200
    assert kind.startswith("text/plain; version=")
    found = {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert found["azumaya_platform_errors_total", "rate_limited", "telegram"] == 1
    assert found["azumaya_boards_behind", "web"] == 0
    assert found["azumaya_queue_length", "telegram inbox"] == 1
    assert found["azumaya_pool_size", "database"] > found["azumaya_pool_used", "database"]
    assert found["azumaya_playable",] == found["azumaya_ready",] == 1
    assert found["process_open_fds",] > 0


async def test_a_database_that_does_not_answer_is_told_and_nothing_old_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(*_: object) -> dict[str, int]:
        raise StoreError("azumaya.db: the database has gone")

    async with served(tmp_path / "azumaya.db") as (_, url):
        assert "azumaya_boards_behind{" in (await asked(f"{url}/metrics"))[2]
        monkeypatch.setattr(boards, "boards_behind", gone)
        status, _, text = await asked(f"{url}/metrics")
    assert status == 200
    assert "azumaya_boards_behind{" not in text
    assert "azumaya_playable 0.0" in text


async def test_a_house_without_a_web_table_is_asked_there_whether_it_is_well(
    tmp_path: Path,
) -> None:
    async with served(tmp_path / "azumaya.db") as (app, url):
        for path in ("/healthz", "/readyz", "/health"):
            assert (await asked(f"{url}{path}"))[0] == 200
        app.health.unready_reason = "the bot is starting"
        assert (await asked(f"{url}/readyz"))[0] == 503
        for path in ("/", "/static/0123456789abcdef/page.js", "/metrics/"):
            assert (await asked(f"{url}{path}"))[0] == 404
