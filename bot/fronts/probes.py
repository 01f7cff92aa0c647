"""HTTP health probes.

::

    /healthz    200 while the process is alive. Checks nothing; for restarts (liveness).
    /readyz     200 if the database is writable and every front is connected; for proxies.
    /health     200 if users can play, whatever else is wrong.

All return JSON. `problems` holds fixed texts without personal data.
"""

from typing import Final

from aiohttp import web

from bot.health import Health

PATHS: Final = frozenset({"/health", "/healthz", "/readyz"})

_HEADERS: Final = {"Cache-Control": "no-store"}


def routes(health: Health) -> list[web.RouteDef]:
    """Return the routes of the three probes."""

    async def alive(_: web.Request) -> web.Response:
        return web.json_response({"alive": True}, headers=_HEADERS)

    async def ready(_: web.Request) -> web.Response:
        report = await health.report()
        return _answer({"ready": report.is_ready, "problems": report.problems}, report.is_ready)

    async def playable(_: web.Request) -> web.Response:
        report = await health.report()
        return _answer({"playable": report.playable, "problems": report.problems}, report.playable)

    return [web.get("/health", playable), web.get("/healthz", alive), web.get("/readyz", ready)]


def _answer(found: dict[str, object], is_well: object) -> web.Response:
    return web.json_response(found, status=200 if is_well else 503, headers=_HEADERS)
