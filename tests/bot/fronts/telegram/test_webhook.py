"""Webhook updates: only from Telegram, and handled like polled ones."""

import asyncio
from functools import partial

import aiohttp
import pytest

from tests.bot.fronts.telegram.conftest import Table, connected
from tests.bot.fronts.telegram.lines import match_of, record


def is_played(table: Table, move: str) -> bool:
    """Return whether this is the last move in the database, passes left out."""
    return [found for found in record(table) if found != "pass"][-1] == move


@pytest.mark.sqlite
async def test_the_webhook_plays_as_polling_does(table: Table) -> None:
    moves = match_of(20)
    async with table.open(webhook_url="http://127.0.0.1:9/telegram", webhook_port=0) as front:
        await connected(table, front)
        board = await table.begin()
        query = table.anna.presses(table.group, board, moves[0][1])
        await table.api.until(query.answered.is_set)
        for seat, move in moves[1:]:
            # Deliveries overtake each other, as Telegram's do: one after the other here.
            (table.anna, table.ben)[seat].says(table.group, f"/othello {move}")
            await table.api.until(partial(is_played, table, move))
        assert not any(call.method == "getUpdates" for call in table.api.calls)


@pytest.mark.parametrize(
    ("secret", "body", "status"),
    [
        ("wrong", b"{}", 403),
        ("", b"{}", 403),
        (None, b"{", 400),
        (None, b"[]", 400),
        (None, b'{"update_id": "x"}', 400),
        (None, b'{"update_id": "7"}', 400),
        (None, b'{"update_id": true}', 400),
        (None, b'{"update_id": 1000000000000000000000}', 400),
        (None, b'{"update_id": 7}', 200),
        (None, b'{"update_id": 8, "message": {"x": 1}}', 200),
    ],
)
async def test_the_webhook_is_for_telegram_alone(
    table: Table, secret: str | None, body: bytes, status: int
) -> None:
    async with table.open(webhook_url="http://127.0.0.1:9/telegram", webhook_port=0) as front:
        await connected(table, front)
        token = table.api.webhook["secret_token"] if secret is None else secret
        headers = {"X-Telegram-Bot-Api-Secret-Token": token}
        url = f"http://127.0.0.1:{front.port}/telegram"
        async with (
            aiohttp.ClientSession() as session,
            session.post(url, data=body, headers=headers) as answer,
        ):
            assert answer.status == status


@pytest.mark.parametrize("value", [b"\x80", b"\xff" * 64, "Straße".encode(), b"a\xed\xa0\x80"])
async def test_a_secret_of_any_bytes_is_a_wrong_secret(
    table: Table, value: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with table.open(webhook_url="http://127.0.0.1:9/telegram", webhook_port=0) as front:
        await connected(table, front)
        reader, writer = await asyncio.open_connection("127.0.0.1", front.port)
        writer.write(
            b"POST /telegram HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n"
            b"X-Telegram-Bot-Api-Secret-Token: " + value + b"\r\n\r\n{}"
        )
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()
    assert answer.startswith(b"HTTP/1.1 403 ")
    assert b"\r\nServer: Azumaya\r\n" in answer
    assert not caplog.records


async def test_the_path_of_the_webhook_can_be_chosen(table: Table) -> None:
    url = "http://127.0.0.1:9/telegram"
    async with table.open(webhook_url=url, webhook_port=0, webhook_path="/a/b") as front:
        await connected(table, front)
        table.api.webhook["url"] = f"http://127.0.0.1:{front.port}/a/b"
        await table.begin()
        table.api.webhook["url"] = f"http://127.0.0.1:{front.port}/telegram"
        table.anna.says(table.group, "/othello d3")
        await table.api.until(lambda: 404 in table.api.deliveries)
        # Telegram tries again, and then it arrives.
        table.api.webhook["url"] = f"http://127.0.0.1:{front.port}/a/b"
        await table.api.until(lambda: table.is_shown("d3"))


async def test_the_number_of_deliveries_at_once_can_be_chosen(table: Table) -> None:
    url = "http://127.0.0.1:9/telegram"
    async with table.open(webhook_url=url, webhook_port=0, max_connections=7):
        await table.api.until(lambda: table.api.webhook)
        assert table.api.webhook["max_connections"] == "7"


async def test_the_secret_of_the_webhook_can_be_chosen(table: Table) -> None:
    chosen = "a-secret_of_ones-own"
    url = "http://127.0.0.1:9/telegram"
    async with table.open(webhook_url=url, webhook_port=0, webhook_secret=chosen):
        await table.api.until(lambda: table.api.webhook)
        assert table.api.webhook["secret_token"] == chosen


@pytest.mark.sqlite
async def test_from_webhook_to_polling_and_back_nothing_is_lost(table: Table) -> None:
    url = "http://127.0.0.1:9/telegram"
    async with table.open(webhook_url=url, webhook_port=0) as front:
        await connected(table, front)
        await table.begin()
    table.api.webhook["url"] = "http://127.0.0.1:9/nobody"
    async with table.open():
        await table.api.until(lambda: not table.api.webhook)
        table.anna.says(table.group, "/othello d3")
        await table.api.until(lambda: record(table) == ["d3"])
