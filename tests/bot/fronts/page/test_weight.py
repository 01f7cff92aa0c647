"""What the page costs on the wire, and what it needs of it."""

import pytest
from playwright.async_api import Request, WebSocket, expect

from tests.bot.fronts.browsing import Open
from tests.bot.fronts.page.windows import OpenWindow

pytestmark = pytest.mark.asyncio(loop_scope="session")

_FIRST, _SECOND, _REQUESTS = 205_000, 20_000, 12
"""Bytes of both visits, and requests of the second one."""


async def test_a_first_visit_and_a_second_one_stay_within_their_weights(
    app: Open, window: OpenWindow
) -> None:
    anna = await window()
    requests: list[Request] = []
    frames: list[str | bytes] = []

    def requested(request: Request) -> None:
        requests.append(request)

    def connected(socket: WebSocket) -> None:
        socket.on("framereceived", received)

    def received(frame: str | bytes) -> None:
        frames.append(frame)

    anna.page.on("requestfinished", requested)
    anna.page.on("websocket", connected)
    await anna.page.goto(app.url)
    await expect(anna.page.locator(".game img")).to_have_count(5)
    await anna.page.wait_for_load_state("networkidle")
    assert 50_000 < sum(await _sizes(requests, frames)) < _FIRST
    await anna.come_in(app.url, "Anna")
    requests.clear()
    frames.clear()
    await anna.page.reload()
    await expect(anna.line).to_be_visible()
    await anna.page.wait_for_load_state()
    second = await _sizes(requests, frames)
    assert sum(second) < _SECOND
    assert 0 < len(second) <= _REQUESTS


async def _sizes(requests: list[Request], frames: list[str | bytes]) -> list[int]:
    """Return the bytes of all answers that came over the network."""
    found = [await request.sizes() for request in requests]
    answers = [one["responseBodySize"] + one["responseHeadersSize"] for one in found]
    return [sum(map(len, frames)), *filter(None, answers)]


async def test_the_page_opens_without_a_network_and_says_so(app: Open, window: OpenWindow) -> None:
    anna = await window(app, "Anna", service_workers="allow")
    await anna.page.evaluate("navigator.serviceWorker.ready")
    await anna.page.context.set_offline(offline=True)
    await anna.page.reload()
    await expect(anna.page.locator("#banner")).to_contain_text("Connection lost")
    await expect(anna.line).to_be_hidden()
    await anna.page.context.set_offline(offline=False)
    await expect(anna.line).to_be_visible()


async def test_an_old_page_reloads_itself_once_for_a_new_server(
    app: Open, window: OpenWindow
) -> None:
    anna = await window(app, "Anna")
    await anna.page.evaluate("document.body.id = 'old'")
    hub = app.web._hub
    hub.build = "of a later version"
    await hub.pages_of(1)[0].close()
    await expect(anna.page.locator("#banner")).to_contain_text("There is a new version.")
    await expect(anna.page.locator("#old")).to_have_count(0)
    await anna.page.get_by_role("button", name="Reload now").click()
    await expect(anna.line).to_be_visible()
