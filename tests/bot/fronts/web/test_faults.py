"""The web app under faults."""

import asyncio
from typing import Any

import pytest
from structlog.typing import EventDict

from bot.commands import Answer, Command
from bot.domain.model import PlaceKind
from bot.fronts.web import WebSettings
from bot.fronts.web.server import Web
from bot.store import match_queries, places, rooms, sessions
from bot.support.errors import HostError, StoreError, StoreGoneError
from tests.bot.fronts.browsing import Browser, Open
from tests.bot.fronts.conftest import Arrive


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> tuple[asyncio.Event, asyncio.Event]:
    """Hold up each line: one event says that it has come, the other lets it go on."""
    begun, go_on = asyncio.Event(), asyncio.Event()
    add = rooms.add

    async def slow(*arguments: Any, **named: Any) -> int:
        begun.set()
        await go_on.wait()
        return await add(*arguments, **named)

    monkeypatch.setattr(rooms, "add", slow)
    return begun, go_on


async def test_who_goes_away_meanwhile_does_not_undo_what_was_asked(
    arrive: Arrive, held: tuple[asyncio.Event, asyncio.Event]
) -> None:
    anna, ben = await (await arrive("Anna")).tab(), await (await arrive("Ben")).tab()
    begun, go_on = held
    await anna.send({"t": "say", "room": "lounge", "text": "my last words"})
    await begun.wait()
    await anna.close()
    go_on.set()
    await ben.until(lambda: ben.lines() == ["my last words"])


async def test_closing_waits_for_what_is_under_way(
    table: Open, arrive: Arrive, held: tuple[asyncio.Event, asyncio.Event]
) -> None:
    begun, go_on = held
    tab = await (await arrive("Anna")).tab()
    await tab.send({"t": "say", "room": "lounge", "text": "my last words"})
    await begun.wait()
    closing = asyncio.create_task(table.web.stop())
    assert await tab.closed() == 1001
    assert not closing.done()
    go_on.set()
    await closing
    place = await places.get_or_create_place(
        table.app.store, "web", "lounge", kind=PlaceKind.CHANNEL, title="#lounge"
    )
    (said,) = await rooms.older(table.app.store, place.id, before=1000, limit=10)
    assert said.screen == {"text": "my last words"}


async def test_a_message_that_cannot_be_stored_is_refused_and_not_shown(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = await (await arrive("Anna")).tab()

    async def full(*_: Any, **__: Any) -> rooms.Message:
        raise StoreError("azumaya.db: database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(rooms, "add", full)
        answer = await tab.say("lost")
    assert answer["error"].startswith("I could not save that")
    assert (await tab.say("said"))["ok"] is True
    await tab.until(lambda: tab.lines() == ["said"])


async def test_a_store_that_fails_for_many_pages_is_logged_once(
    table: Open, arrive: Arrive, monkeypatch: pytest.MonkeyPatch, logged: list[EventDict]
) -> None:
    tabs = [await (await arrive(name)).tab() for name in ("Anna", "Ben", "Cleo")]

    async def gone(*_: Any, **__: Any) -> None:
        raise StoreGoneError("azumaya.db: the database has gone")

    with monkeypatch.context() as patch:
        patch.setattr(match_queries, "open_of", gone)
        for user_id in (tab.welcome["you"]["id"] for tab in tabs):
            for page in table.web._hub.pages_of(user_id):
                page.tell_soon("rooms")
        for tab in tabs:
            # The page comes back and catches up, as soon as that can be.
            assert await tab.closed() == 1013
    assert [(line["event"], line.get("reason")) for line in logged if line["level"] == "error"] == [
        ("page not updated", "azumaya.db: the database has gone")
    ]


async def test_a_store_that_fails_over_http_is_no_traceback(
    stranger: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: Any, **__: Any) -> None:
        raise StoreError("azumaya.db: disk I/O error")

    monkeypatch.setattr(sessions, "by_token", broken)
    status, body, _ = await stranger.get("/me", Cookie="azumaya=x")
    assert status == 503
    assert b"disk" not in body


async def test_a_mistake_of_ours_is_an_apology(
    table: Open, arrive: Arrive, monkeypatch: pytest.MonkeyPatch, logged: list[EventDict]
) -> None:
    tab = await (await arrive("Anna")).tab()

    async def broken(command: Command, line: str) -> Answer:
        raise ZeroDivisionError

    monkeypatch.setattr(table.commands, "run_line", broken)
    answer = await tab.say("/play")
    assert answer["error"].startswith("Something went wrong on my side")
    (entry,) = [entry for entry in logged if "exception" in entry]
    assert "ZeroDivisionError" in entry["exception"]
    logged.clear()


async def test_a_port_in_use_is_an_error_for_the_operator(table: Open) -> None:
    taken = WebSettings(port=table.web.port)
    settings = table.settings.model_copy(update={"web": taken})
    app = table.app
    second = Web(type(app)(settings, app.store, app.key), table.commands)
    with pytest.raises(HostError, match="Address already in use"):
        await second.start()
    await second.stop()
