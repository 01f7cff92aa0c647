"""Watch the database for writes of other processes and for faults."""

import asyncio

from structlog import get_logger

from bot.app import App
from bot.store import EVERYTHING
from bot.support.errors import StoreError, StoreGoneError
from bot.support.logs import StoreErrorsLogged
from bot.support.tasks import beside

_log = get_logger(__name__)

_EVERY = 1.0
"""Seconds between two checks. One takes about 0.2 ms."""
_AT_MOST_EVERY = 0.02


class ChangePoller:
    """Check the database and update the app. Each fault is logged once."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._fault = ""

    async def run(self) -> None:
        async with beside(self.check_integrity()):
            while True:
                await self.once()
                await asyncio.sleep(_AT_MOST_EVERY)
                await self._app.store.database.wait_for_change(_EVERY - _AT_MOST_EVERY)

    async def check_integrity(self) -> None:
        """Check the whole database. If it is damaged, log that and run on."""
        try:
            await self._app.store.database.check_integrity()
        except StoreError as error:
            _log.error("the database is damaged", reason=str(error))
            self._app.health.parts["the database is damaged"] = lambda: False

    async def once(self) -> None:
        try:
            elsewhere = await self._app.store.database.remote_changes()
        except StoreError as error:
            if self._fault != str(error):
                self._fault = str(error)
                _log.error("nothing is stored until the database is back", reason=self._fault)
                if isinstance(error, StoreGoneError):
                    await self._save()
            return
        self._app.shards.seen()
        if self._fault:
            self._fault = ""
            _log.info("the database is back")
            elsewhere = EVERYTHING
        if elsewhere:
            await self._app.on_remote_change(elsewhere)

    async def _save(self) -> None:
        """If only the write-ahead log is gone, save its content."""
        database = self._app.store.database
        with StoreErrorsLogged(_log, "not saved"):
            if await database.save():
                _log.warning("recent writes are saved to the database file: restart the bot")
            elif database.is_in_place():
                _log.error("stop the bot regularly: if it is killed, recent writes are lost")
