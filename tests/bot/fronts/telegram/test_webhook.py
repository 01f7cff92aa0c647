"""Webhook updates: only from Telegram, and handled like polled ones."""

import asyncio
from functools import partial

import pytest

from tests.bot.fronts.telegram.conftest import Table, connected
from tests.bot.fronts.telegram.lines import match_of, record
from tests.bot.fronts.telegram.playing import tokens


def is_played(table: Table, move: str) -> bool:
    """Return whether this is the last move in the database, passes left out."""
    return [found for found in record(table) if found != "pass"][-1] == move


@pytest.mark.sqlite
async def test_the_webhook_plays_as_polling_does(table: Table) -> None:
    moves = match_of(6)
    async with table.open(webhook_url="http://127.0.0.1:9/telegram", webhook_port=0) as front:
        await connected(table, front)
        board = await table.begin()
        await table.api.answer(table.anna.presses(table.group, board, moves[0][1]))
        for seat, move in moves[1:]:
            # Deliveries overtake each other, as Telegram's do, so they are sent one by one.
            (table.anna, table.ben)[seat].says(table.group, f"/othello {move}")
            await table.api.until(partial(is_played, table, move))
        assert not any(call.method == "getUpdates" for call in table.api.calls)


@pytest.mark.slow
@pytest.mark.sqlite
async def test_a_change_from_the_webhook_to_polling_loses_nothing(table: Table) -> None:
    url = "http://127.0.0.1:9/telegram"
    async with table.open(webhook_url=url, webhook_port=0) as front:
        await connected(table, front)
        await table.begin()
    table.api.webhook["url"] = "http://127.0.0.1:9/nowhere"
    async with table.open():
        await table.api.until(lambda: not table.api.webhook)
        table.anna.says(table.group, "/othello d3")
        await table.api.until(lambda: record(table) == ["d3"])


async def test_the_webhook_answers_only_telegram_and_only_numbered_objects(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    async with table.open(webhook_url="http://127.0.0.1:9/telegram", webhook_port=0) as front:
        await connected(table, front)
        right = table.api.webhook["secret_token"].encode()

        async def status(secret: bytes, body: bytes) -> int:
            reader, writer = await asyncio.open_connection("127.0.0.1", front.port)
            writer.write(
                b"POST /telegram HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + b"Content-Length: %d\r\n" % len(body)
                + b"X-Telegram-Bot-Api-Secret-Token: "
                + secret
                + b"\r\n\r\n"
                + body
            )
            answer = await reader.read()
            writer.close()
            await writer.wait_closed()
            assert b"\r\nServer: Azumaya\r\n" in answer
            return int(answer.split()[1])

        wrong = (b"wrong", b"", b"\x80", b"\xff" * 64, "Straße".encode(), b"a\xed\xa0\x80")
        assert {await status(secret, b"{}") for secret in wrong} == {403}
        numbers = (b'"x"', b'"7"', b"true", b"1000000000000000000000")
        unnumbered = (b"{", b"[]", *(b'{"update_id": %s}' % number for number in numbers))
        assert {await status(right, body) for body in unnumbered} == {400}
        numbered = (b'{"update_id": 7}', b'{"update_id": 8, "message": {"x": 1}}')
        assert {await status(right, body) for body in numbered} == {200}
    assert not caplog.records


async def test_path_secret_and_number_of_deliveries_can_be_chosen(table: Table) -> None:
    async with table.open(
        webhook_url="http://127.0.0.1:9/telegram",
        webhook_port=0,
        webhook_path="/a/b",
        webhook_secret="a-secret_of_our-own",
        max_connections=7,
    ) as front:
        await table.api.until(lambda: table.api.webhook)
        assert table.api.webhook["max_connections"] == "7"
        assert table.api.webhook["secret_token"] == "a-secret_of_our-own"
        table.api.webhook["url"] = f"http://127.0.0.1:{front.port}/telegram"
        table.anna.says(table.group, "/othello new")
        await table.api.until(lambda: 404 in table.api.deliveries)
        table.api.webhook["url"] = f"http://127.0.0.1:{front.port}/a/b"
        await table.api.until(lambda: tokens(table.group.newest(), "accept"))
