"""Bring all boards up to date, with a `Courier` for each platform, which delays no other.

After a crash the same search finds what is left. Only the newest state of a board is shown.
"""

import asyncio
from collections.abc import Mapping

from structlog import get_logger

from bot.app import App
from bot.delivery.channel import Channel
from bot.delivery.courier import Courier
from bot.delivery.mailer import Announcer
from bot.delivery.outcomes import Outcomes
from bot.delivery.requested_analyses import RequestedAnalyses
from bot.store import leases as lease_store
from bot.support.logs import StoreErrorsLogged

_log = get_logger(__name__)


class Reconciler:
    """Keep all boards up to date."""

    def __init__(self, app: App, channels: Mapping[str, Channel]) -> None:
        self._app = app
        self._outcomes = outcomes = Outcomes(app)
        couriers = {name: Courier(app, channel, outcomes) for name, channel in channels.items()}
        self._couriers = tuple(couriers.values())
        self._mailers = tuple(
            mailer(app, channel)
            for channel in channels.values()
            for mailer in (Announcer, RequestedAnalyses)
        )
        app.couriers.update(couriers)

    async def run(self) -> None:
        if not self._app.store.is_shared:
            # If that fails, they expire within a minute.
            with StoreErrorsLogged(_log, "leases not released"):
                await lease_store.release_all(self._app.store)
        try:
            async with asyncio.TaskGroup() as tasks:
                for courier in self._couriers:
                    tasks.create_task(courier.run())
                for mailer in self._mailers:
                    tasks.create_task(mailer.run())
        finally:
            await self._outcomes.close()
            if (store := self._app.store).is_shared:
                with StoreErrorsLogged(_log, "leases not released"):
                    await lease_store.release(store, [store.database.holder])

    async def once(self) -> int:
        """Bring boards up to date now; return how many could not be."""
        for mailer in self._mailers:
            await mailer.once()
        return sum([await courier.once() for courier in self._couriers])
