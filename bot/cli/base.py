"""Database access of all commands."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.store import Store, exists, title
from bot.support.errors import StoreError
from bot.support.settings import Settings

T = TypeVar("T")


def in_store(settings: Settings, act: Callable[[Store], Awaitable[T]]) -> T:
    """Run `act` on the database, also while the bot runs."""

    async def done() -> T:
        if not exists(settings.database):
            raise StoreError(f"{title(settings.database)}: there is no such database")
        store = await Store.open(settings.database, migrates=False)
        try:
            return await act(store)
        finally:
            await store.close()

    return asyncio.run(done())
