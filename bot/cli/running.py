"""Assemble and run the whole bot."""

import logging
import os
from asyncio import TaskGroup
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from structlog import get_logger

from bot.app import App
from bot.commands import Commands
from bot.delivery import Reconciler
from bot.fronts import FRONTS
from bot.fronts.base import Front
from bot.fronts.metrics_server import metrics_server
from bot.loops.analyst import Analyst
from bot.loops.computers import Computers
from bot.loops.upkeep import Upkeep
from bot.loops.watch import ChangePoller
from bot.matches import stock
from bot.matches.shards import ShardsTakenError
from bot.store import exposed, single_instance_lock, title
from bot.support import logs
from bot.support.errors import HostError, StoreError
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
        for secret in settings.secrets:
            logs.register_secret(secret)
        app = await App.open(settings)
        parts.callback(_end_at_once_if_left_open, app)
        parts.push_async_callback(app.close)
        if isinstance(settings.database, Path) and (mode := exposed(settings.database)):
            # May be intended, for example for backups.
            _log.warning("other users can access the database", mode=mode, better="chmod 600")
        _log.info("serving", fronts=", ".join(settings.served) or "nothing")
        await _claim_shards(app, parts)
        upkeep = Upkeep(app)
        await upkeep.begin()
        # The next start tries again.
        await _logged("stock of puzzles not stored", partial(stock.store_stock, app.store))
        commands = Commands(app)
        fronts = {front.platform: front for front in make(app, commands)}
        app.health.unready_reason = "the bot is starting"
        if settings.metrics.address:
            metrics = metrics_server(app)
            await metrics.start("the metrics")
            parts.push_async_callback(metrics.stop)
            _log.info("serving metrics", host=metrics.host, port=metrics.port)
        for front in fronts.values():
            await front.start()
            parts.push_async_callback(front.stop)
        async with TaskGroup() as tasks:
            own = ChangePoller(app), Computers(app), Analyst(app)
            loops = Reconciler(app, fronts), upkeep, app.shards, *own
            under_way = [tasks.create_task(loop.run()) for loop in loops]
            app.health.unready_reason = ""
            yield fronts
            app.health.unready_reason = "the bot is stopping"
            for task in under_way:
                task.cancel()


async def _claim_shards(app: App, parts: AsyncExitStack) -> None:
    try:
        at_once = [front.name for front in FRONTS if front.needs_shards]
        await app.shards.begin(app.settings.shards, at_once=at_once)
    except ShardsTakenError as error:
        raise HostError(
            f"another process on this database already serves {error}. Use --fronts or --shards"
        ) from None
    except TimeoutError as error:
        raise StoreError(f"{title(app.settings.database)}: the database does not answer") from error
    # The other processes notice it themselves.
    parts.push_async_callback(_logged, "shards not released", app.shards.end)


async def _logged(what: str, work: Callable[[], Awaitable[None]]) -> None:
    """Do `work`, and only log if the store fails."""
    try:
        await work()
    except StoreError as error:
        logs.store_failed(_log, what, error)


def _end_at_once_if_left_open(app: App) -> None:
    """Exit before SQLite touches a database that it would damage (`SQLite.close`)."""
    if app.store.database.is_left_open:
        _log.info("stopped")
        logging.shutdown()
        os._exit(0)
