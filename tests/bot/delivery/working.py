"""Helpers for the tests of delivery: boards as stored, and a running delivery."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.delivery import Reconciler as Delivery
from bot.domain.model import Board
from bot.store import boards as board_store
from tests.bot.table import Table


@asynccontextmanager
async def at_work(delivery: Delivery) -> AsyncIterator[asyncio.Task[None]]:
    task = asyncio.create_task(delivery.run())
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def boards(table: Table, match_id: int) -> list[Board]:
    return await board_store.of_match(table.app.store, match_id)
