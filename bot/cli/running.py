"""Assemble and run the whole bot."""

import logging
import os
from asyncio import TaskGroup
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from structlog import get_logger

from bot.app import App
from bot.cli.base import FRONTS
from bot.commands import Commands
from bot.delivery import Reconciler
from bot.fronts.base import Front
from bot.fronts.metrics_server import metrics_server
from bot.loops.analyst import Analyst
from bot.loops.computers import Computers
from bot.loops.upkeep import Upkeep
from bot.loops.watch import Watch
from bot.matches import stock
from bot.matches.shards import ShardsTakenError
from bot.store import loose, single_instance_lock, title
from bot.support.errors import HostError, StoreError, reason
from bot.support.logs import store_failed
from bot.support.platforms import DISCORD
from bot.support.setting_types import split_address
from bot.support.settings import Settings

_log = get_logger(__name__)


def _served(app: App, commands: Commands) -> list[Front]:
    served = app.settings.served
    return [front.make(app, commands) for front in FRONTS if front.name in served]


@asynccontextmanager
async def running(
    settings: Settings, make: Callable[[App, Commands], Iterable[Front]] = _served
) -> AsyncIterator[Mapping[str, Front]]:
    """Run the bot with the fronts of `make` while the block runs, by platform.

    Raises `StoreError` or `HostError`.
    """
    async with AsyncExitStack() as parts:
        parts.enter_context(single_instance_lock(settings.database))
        app = await App.open(settings)
        parts.callback(_end_at_once_if_left_open, app)
        parts.push_async_callback(app.close)
        if mode := loose(settings.database):
            # May be intended, for example for backups.
            _log.warning("other users can access the database", mode=mode, better="chmod 600")
        _log.info("serving", fronts=", ".join(settings.served) or "nothing")
        await _divide(app, parts)
        upkeep = Upkeep(app)
        await upkeep.begin()
        await _stock(app)
        commands = Commands(app)
        fronts = {front.platform: front for front in make(app, commands)}
        app.health.not_yet = "the bot is starting"
        if settings.metrics.address:
            await _tell_figures(app, parts)
        for front in fronts.values():
            await _open(front, settings)
            parts.push_async_callback(front.stop)
        async with TaskGroup() as tasks:
            under_way = [
                tasks.create_task(Reconciler(app, fronts).run()),
                tasks.create_task(upkeep.run()),
                tasks.create_task(Watch(app).run()),
                tasks.create_task(Computers(app).run()),
                tasks.create_task(Analyst(app).run()),
                tasks.create_task(app.shards.run()),
            ]
            app.health.not_yet = ""
            yield fronts
            app.health.not_yet = "the bot is stopping"
            for task in under_way:
                task.cancel()


async def _divide(app: App, parts: AsyncExitStack) -> None:
    try:
        await app.shards.begin(app.settings.shards, at_once=[DISCORD.name])
    except ShardsTakenError as error:
        raise HostError(
            f"another process on this database already serves {error}. Use --fronts or --shards"
        ) from None
    except TimeoutError as error:
        raise StoreError(f"{title(app.settings.database)}: the database does not answer") from error
    parts.push_async_callback(_leave_to_others, app)


async def _leave_to_others(app: App) -> None:
    try:
        await app.shards.end()
    except StoreError as error:
        # The other processes notice it themselves.
        store_failed(_log, "shards not released", error)


async def _stock(app: App) -> None:
    try:
        await stock.lay_in(app.store)
    except StoreError as error:
        # The next start tries again.
        store_failed(_log, "stock of puzzles not stored", error)


async def _open(front: Front, settings: Settings) -> None:
    try:
        await front.start()
    except OSError as error:
        listens = next((one.listens for one in FRONTS if one.name == front.platform), None)
        if listens is None:
            raise
        what, host, port = listens(settings)
        raise HostError(f"{what} cannot use {host}:{port}: {reason(error)}") from error


async def _tell_figures(app: App, parts: AsyncExitStack) -> None:
    server, where = metrics_server(app), app.settings.metrics.address
    try:
        await server.start()
    except OSError as error:
        raise HostError(f"the metrics cannot use {where}: {reason(error)}") from error
    parts.push_async_callback(server.stop)
    _log.info("serving metrics", host=split_address(where)[0], port=server.port)


def _end_at_once_if_left_open(app: App) -> None:
    """Exit before SQLite touches a database that it would damage (`SQLite.close`)."""
    if app.store.engine.is_left_open:
        _log.info("stopped")
        logging.shutdown()
        os._exit(0)
