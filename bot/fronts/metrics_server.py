"""Serve ``/metrics`` and the health probes over HTTP.

They have a separate address, off by default: how much is played concerns only the operator.
"""

from typing import Final

from aiohttp import web
from structlog import get_logger

from bot.app import App
from bot.fronts import probes
from bot.fronts.http import ConnectionLimits, HttpServer
from bot.store import boards, inbox
from bot.support.errors import StoreError
from bot.support.logs import store_failed
from bot.support.setting_types import split_address

_log = get_logger(__name__)

_CONNECTIONS: Final = 16
_RESERVE: Final = 32


class MetricsServer:
    """The metrics server. `start` raises OSError if it cannot listen."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._server: HttpServer | None = None

    async def start(self) -> None:
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
        _log.info("serving metrics", host=host, port=server.port)

    async def stop(self) -> None:
        if self._server is not None:
            await self._server.stop()
            self._server = None

    @property
    def port(self) -> int:
        """The open port. Only valid after `start`."""
        assert self._server is not None
        return self._server.port

    async def _metrics(self, _: web.Request) -> web.Response:
        app, metrics = self._app, self._app.metrics
        try:
            behind = await boards.boards_behind(app.store)
            waiting = await inbox.updates_waiting(app.store)
        except StoreError as error:
            store_failed(_log, "metrics not read", error)
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
