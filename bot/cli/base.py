"""Errors and database access of all commands."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import click

from bot.store import Store, exists, title
from bot.support.errors import HostError, StoreError, reason
from bot.support.settings import Settings, SettingsError

__all__ = ["clear_failures", "in_store"]

T = TypeVar("T")


@contextmanager
def clear_failures() -> Iterator[None]:
    """Report errors that the operator can fix in one line, without a traceback."""
    try:
        yield
    except SettingsError as error:
        raise click.ClickException("\n".join(error.problems)) from error
    except (HostError, StoreError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        # For example a name that is too long for a file.
        if error.filename is None:
            raise
        raise click.ClickException(f"{error.filename}: {reason(error)}") from error


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
