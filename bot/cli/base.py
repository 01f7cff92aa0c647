"""What all commands share: their errors, and access to the database."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from bot.store import Store, exists, title
from bot.support.errors import HostError, StoreError, reason
from bot.support.settings import SettingsError, load

T = TypeVar("T")


class CommandLine(click.Group):
    """A group that reports errors which the operator can fix in one line."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except (HostError, SettingsError, StoreError) as error:
            raise click.ClickException(str(error)) from error
        except OSError as error:
            # For example a name that is too long for a file.
            if error.filename is None:
                raise
            raise click.ClickException(f"{error.filename}: {reason(error)}") from error


def run_on_store(config: Path | None, act: Callable[[Store], Awaitable[T]]) -> T:
    """Run `act` on the database, also while the bot runs."""
    settings = load(config)

    async def done() -> T:
        if not exists(settings.database):
            raise StoreError(f"{title(settings.database)}: there is no such database")
        store = await Store.open(settings.database, migrates=False)
        try:
            return await act(store)
        finally:
            await store.close()

    return asyncio.run(done())
