"""Is the house well? Asked over HTTP by whoever watches over it: people, proxies, supervisors.

::

    /healthz    the process is alive: 200, and nothing is looked at. For whoever would start it anew
    /readyz     200 where it can serve: the database can be written, every front is connected. For
                whoever sends people here, such as a proxy before several houses
    /health     200 while people can play at all, whatever else is wrong

All answer with JSON; `problems` says what is wrong in a few fixed words each, and names nobody.
"""

from typing import Final

from aiohttp import web

from bot.health import Health

__all__ = ["PATHS", "routes"]

PATHS: Final = frozenset({"/health", "/healthz", "/readyz"})

_HEADERS: Final = {"Cache-Control": "no-store"}


def routes(health: Health) -> list[web.RouteDef]:
    """The three of them, for an application."""

    async def alive(_: web.Request) -> web.Response:
        return web.json_response({"alive": True}, headers=_HEADERS)

    async def ready(_: web.Request) -> web.Response:
        report = await health.report()
        return _answer({"ready": report.is_ready, "problems": report.problems}, report.is_ready)

    async def playable(_: web.Request) -> web.Response:
        report = await health.report()
        return _answer({"playable": report.playable, "problems": report.problems}, report.playable)

    return [
        web.get("/health", playable),
        web.get("/healthz", alive),
        web.get("/readyz", ready),
    ]


def _answer(found: dict[str, object], is_well: object) -> web.Response:
    return web.json_response(found, status=200 if is_well else 503, headers=_HEADERS)
