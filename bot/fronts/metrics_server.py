"""The figures of the house over HTTP, on an address of their own: ``/metrics``, and the probes.

What they say names nobody, but how much is played is the host's business alone: so they are apart
from the web table, and off until the host names an address.
"""

from typing import Final

from aiohttp import web
from structlog import get_logger

from bot.app import App
from bot.errors import StoreError
from bot.fronts import probes
from bot.fronts.http import ConnectionLimits, HttpServer
from bot.logs import store_failed
from bot.settings import split_address
from bot.store import figures

__all__ = ["MetricsServer"]

_log = get_logger(__name__)

_CONNECTIONS: Final = 16
_RESERVE: Final = 32


class MetricsServer:
    """Serves the figures. `start` raises OSError where it cannot listen."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._server: HttpServer | None = None

    async def start(self) -> None:
        """Open the port."""
        host, port = split_address(self._app.settings.metrics.address)
        self._app.metrics.watch_process()
        served = web.Application()
        served.add_routes([web.get("/metrics", self._metrics), *probes.routes(self._app.health)])
        limits = ConnectionLimits(
            connections=_CONNECTIONS, per_address=_CONNECTIONS, reserve=_RESERVE
        )
        server = HttpServer(served, host=host, port=port, limits=limits)
        await server.start()
        self._server = server
        _log.info("figures are told", host=host, port=server.port)

    async def stop(self) -> None:
        """Close the port."""
        if self._server is not None:
            await self._server.stop()
            self._server = None

    @property
    def port(self) -> int:
        """The port that is listened on. It must be open."""
        assert self._server is not None
        return self._server.port

    async def _metrics(self, _: web.Request) -> web.Response:
        app, metrics = self._app, self._app.metrics
        try:
            behind = await figures.boards_behind(app.store)
            waiting = await figures.updates_waiting(app.store)
        except StoreError as error:
            store_failed(_log, "figures not read", error)
            metrics.unknown()
        else:
            report = await app.health.report()
            metrics.observe(
                fronts=app.couriers,
                behind=behind,
                waiting=waiting,
                is_playable=report.playable,
                is_ready=report.is_ready,
            )
        body, content_type = metrics.exposition()
        return web.Response(body=body, headers={"Content-Type": content_type})
