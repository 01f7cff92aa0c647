"""Once a second: has another process written, and is the database still where it was?

The command line forgets and renames people beside a playing house, and hosts move files. Both
are noticed here when nobody does anything; whatever is read or written looks at the file itself
(`bot.store.file`).
"""

import asyncio

from structlog import get_logger

from bot.errors import StoreError
from bot.house import House

__all__ = ["Watch"]

_log = get_logger(__name__)

_EVERY = 1.0
"""Seconds between two looks. One costs some 0.2 ms."""


class Watch:
    """Looks at the database, and tells the house (or, of a fault, the host: once)."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._fault = ""

    async def run(self) -> None:
        """Look, sleep; until cancelled."""
        while True:
            await self.once()
            await asyncio.sleep(_EVERY)

    async def once(self) -> None:
        """One look."""
        try:
            elsewhere = await self._house.store.written_elsewhere()
        except StoreError as error:
            if self._fault != str(error):
                self._fault = str(error)
                _log.error("nothing is stored until the database is back", reason=self._fault)
            return
        if self._fault:
            self._fault = ""
            _log.info("the database is back")
            elsewhere = True
        if elsewhere:
            await self._house.written_elsewhere()
