"""Serve ``/metrics`` and the health probes over HTTP.

They have a separate address, off by default: how much is played concerns only the operator.
"""

from typing import Final

from aiohttp import web

from bot.app import App
from bot.fronts import probes
from bot.fronts.http.server import ConnectionLimits, HttpServer
from bot.support.setting_types import split_address

_CONNECTIONS: Final = 16
_RESERVE: Final = 32


def metrics_server(app: App) -> HttpServer:
    """Return the server. It is not started."""

    async def metrics(_: web.Request) -> web.Response:
        await app.observe()
        body, content_type = app.metrics.exposition()
        return web.Response(body=body, headers={"Content-Type": content_type})

    app.metrics.watch_process()
    served = web.Application()
    served.add_routes([web.get("/metrics", metrics), *probes.routes(app.health)])
    host, port = split_address(app.settings.metrics.address)
    limits = ConnectionLimits(connections=_CONNECTIONS, per_address=_CONNECTIONS, reserve=_RESERVE)
    return HttpServer(served, host=host, port=port, limits=limits)
