"""The HTTP server of the web app, and its delivery channel."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from mimetypes import guess_type
from typing import Annotated

from aiohttp import WSCloseCode, web
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from structlog import get_logger

from bot.app import App
from bot.commands import Commands, check_size
from bot.commands.own import arrive, code_hash, leave, question
from bot.delivery import Channel, Notice, Outgoing
from bot.delivery.rooms import Visitor
from bot.domain.errors import Refused
from bot.domain.model import Place
from bot.fronts import probes
from bot.fronts.http.addresses import provider
from bot.fronts.http.server import ConnectionLimits, HttpServer, connection_of
from bot.fronts.web import FRONT, WebSettings, auth, wire
from bot.fronts.web.hub import MOST_PAGES, Hub, command_of
from bot.fronts.web.page_files import PageFiles
from bot.fronts.web.page_socket import FULL, PageSocket
from bot.fronts.web.sharing import SharedPages
from bot.matches.names import NameRefused
from bot.screens import SIZES, Screen
from bot.store import sessions
from bot.store.sessions import Known
from bot.support.errors import StoreError
from bot.support.logs import store_failed
from bot.support.platforms import WEB
from bot.support.rates import AddressRates, Rates
from bot.support.tasks import Turns
from bot.support.texts import Texts, language_of

_log = get_logger(__name__)

_LONGEST_BODY = 4096
_UPLOAD, _UPLOADS = 30.0, 4
"""Seconds for a file, and files at once."""
_ARRIVALS = 80, 4.0
_FIRST_ARRIVALS_OF = 4, 60.0
_FIRST_ARRIVALS_NEAR = 240, 60.0
"""Number and seconds. First arrivals of an address count only for it and its provider."""
_CODES_OF = 20, 60.0
_FIRST_CODES_OF = 4, 60.0
_CODES = 200, 60.0
"""Number and seconds. The first codes of an address do not count towards the total."""
_SOCKETS_OF_ONE = 2 * MOST_PAGES, 60.0
"""Connections of one user: all pages, twice."""
_SOCKETS_SECONDS = 60.0
"""In these, an address may connect twice as many pages as it may keep."""
_RESERVE = 32
_RESERVE_OF_A_CHAT = 48
_HEARTBEAT = 25.0
_NAME = r"{name:[^/]{1,200}}"
_PLACES = (
    "/",
    f"/g/{_NAME}",
    f"/rooms/{_NAME}",
    f"/people/{_NAME}",
    f"/play/{_NAME}",
    *("/games", "/puzzles", "/settings", "/language", "/privacy", "/blocked", "/help"),
    *(f"/{place}{game}" for place in ("leaderboard", "rules") for game in ("", f"/{_NAME}")),
)
"""Paths for which the page itself knows what to show."""
_GOODBYE = 1.0

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class _Arrival(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    name: Annotated[str, Field(max_length=1000)]
    language: Annotated[str, Field(max_length=64)] = ""


class _Also(BaseModel):
    """The body of ``/also``. Without `sure`, it only asks what would happen."""

    model_config = ConfigDict(strict=True, extra="forbid")

    code: Annotated[str, Field(max_length=64)]
    language: Annotated[str, Field(max_length=64)] = ""
    sure: bool = False


class Web(Channel):
    """The web front."""

    platform = WEB
    medium = FRONT.medium

    def __init__(self, app: App, commands: Commands) -> None:
        self._app = app
        self._settings = app.settings.of(WebSettings)
        self._files = PageFiles(self._settings.base)
        self.build = self._files.build
        self._hub = Hub(app, commands, build=self.build)
        app.rechecks.append(self._hub.refresh)
        app.refresh_callbacks.append(self._hub.rooms.refresh)
        self._arrivals = Rates(*_ARRIVALS)
        self._arrivals_of = AddressRates(self._settings.arrivals_per_minute, 60)
        self._first_arrivals_of = AddressRates(*_FIRST_ARRIVALS_OF)
        self._first_arrivals_near = Rates(*_FIRST_ARRIVALS_NEAR)
        self._codes = Rates(*_CODES)
        self._codes_of = AddressRates(*_CODES_OF)
        self._first_codes_of = AddressRates(*_FIRST_CODES_OF)
        self._sockets_of_one = Rates(*_SOCKETS_OF_ONE)
        self._sockets_of = AddressRates(
            2 * self._settings.connections_per_address, _SOCKETS_SECONDS
        )
        self._shared = SharedPages(app, self)
        self._uploads = asyncio.Semaphore(_UPLOADS)
        self._uploads_of = Turns()
        self._server = self._served()

    def _served(self) -> HttpServer:
        served = web.Application(middlewares=[self._guard], client_max_size=_LONGEST_BODY)
        served.add_routes(probes.routes(self._app.health))
        # A proxy may strip the path of the app, or not.
        base = self._settings.base.rstrip("/")
        for path in dict.fromkeys(("", base)):
            served.add_routes(
                [
                    *(web.get(f"{path}{place}", self._files.page) for place in _PLACES),
                    web.get(
                        path + r"/static/{build:[0-9a-f]{16}}/{name:[a-z]+\.[a-z0-9]+}",
                        self._files.file,
                    ),
                    web.get(f"{path}/me", self._me),
                    web.post(f"{path}/arrive", self._arrive),
                    web.post(f"{path}/leave", self._leave),
                    web.post(f"{path}/also", self._also),
                    web.get(f"{path}/export", self._export),
                    web.post(f"{path}/import", self._import),
                    web.get(
                        path + r"/picture/{message:\d{1,15}}/{version:\d{1,15}}.png", self._picture
                    ),
                    web.get(path + r"/replay/{match:\d{1,15}}.gif", self._replay),
                    web.get(path + r"/drawn/{message:\d{1,15}}.png", self._drawn),
                    web.get(path + r"/game/{game:[a-z0-9_]{1,32}}.png", self._thumbnail),
                    web.get(f"{path}/socket", self._socket),
                    *self._shared.routes(path),
                ]
            )
        served.router.add_route("*", "/{path:.*}", self.nowhere)
        settings = self._settings
        limits = ConnectionLimits(
            connections=settings.connections,
            per_address=settings.connections_per_address,
            reserve=_RESERVE + _RESERVE_OF_A_CHAT * (len(self._app.settings.served) - 1),
            proxies=settings.proxies,
        )
        return HttpServer(
            served, host=settings.host, port=settings.port, limits=limits, upload="/import"
        )

    def caller(self, request: web.BaseRequest) -> Sequence[str]:
        return self._server.caller(request)

    async def start(self) -> None:
        await self._hub.open()
        await self._server.start("the web app")
        parts = self._app.health.parts
        parts["there is no room for another connection"] = lambda: self._server.has_room

    async def stop(self) -> None:
        await self._hub.close()
        await self._server.stop()

    @property
    def port(self) -> int:
        return self._server.port

    @property
    def url(self) -> str:
        host = self._settings.host
        if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
            host = "localhost"
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    # --- delivery, see `bot.delivery.Channel` ---------------------------------------------

    async def edit(self, outgoing: Outgoing, message: str) -> str:
        return await self.send(outgoing, int(message))

    async def send(self, outgoing: Outgoing, message_id: int | None = None) -> str:
        hub, board = self._hub, outgoing.board
        shown = await hub.rooms.show(outgoing.place, board, message_id=message_id)
        for user_id in outgoing.loaded.match.people:
            hub.schedule_update(user_id, "rooms")
        return str(shown)

    async def delete(self, _place: Place, message: str) -> None:
        await self._hub.rooms.delete(int(message))

    async def notify(self, place: Place, notice: Notice) -> str | None:
        """Post a remark about a board. Open pages show the news themselves (`Screen.news`)."""
        if self._hub.push is not None and notice.loaded is not None and notice.text:
            await self._hub.push.notify(place, notice, notice.loaded)
        if not notice.aside:
            return None
        rows = (notice.buttons,) if notice.buttons else ()
        said = wire.stored_screen(Screen(text=notice.aside, rows=rows))
        return str(await self._hub.rooms.say(place, said))

    @web.middleware
    async def _guard(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        """Check the origin. Answer 400 to an invalid body, and 503 if the store fails."""
        if request.path not in probes.PATHS and not auth.is_own_origin(request, self._settings):
            raise web.HTTPForbidden(text="This page belongs to another server.")
        try:
            return await handler(request)
        except ValidationError:
            return _json({"error": self.texts(request)("error-request")}, status=400)
        except StoreError as error:
            # Without the code of a shared game.
            resource = request.match_info.route.resource
            path = resource.canonical if resource else ""
            store_failed(_log, "store failed", error, path=path)
            raise web.HTTPServiceUnavailable(text="The store cannot be used now.") from error

    async def nowhere(self, request: web.Request) -> web.Response:
        """Answer users of a wrong address with the page, which says so."""
        if request.path == self._settings.base.rstrip("/"):
            raise web.HTTPFound(self._settings.base)
        if "text/html" not in request.headers.get("Accept", ""):
            raise web.HTTPNotFound
        page = await self._files.page(request)
        page.set_status(404)
        return page

    async def _known(self, request: web.Request) -> Known:
        if known := await sessions.by_token(self._app.store, auth.token_hash(request)):
            return known
        raise web.HTTPUnauthorized

    async def _me(self, request: web.Request) -> web.Response:
        user = (await self._known(request)).user
        language = language_of(user.language, self._app.settings.language)
        return _json({"name": user.name, "language": language})

    async def _arrive(self, request: web.Request) -> web.Response:
        arrival = _Arrival.model_validate_json(await request.read())
        texts = self.texts(request, arrival.language)
        if not await self._may_arrive(self.caller(request)):
            return _json({"error": texts("error-busy")}, status=429)
        session, token = auth.new_session(request)
        try:
            arriving = arrive(self._app, arrival.name, arrival.language, new=session)
            user = await asyncio.shield(self._hub.under_way.begin(arriving))
        except Refused as refused:
            return _refusal(texts, refused)
        _log.info("user arrived", user=user.id)
        response = _json({"name": user.name})
        auth.set_cookie(response, request, token, path=self._settings.base)
        return response

    async def _may_arrive(self, caller: Sequence[str]) -> bool:
        """Limit arrivals. An attacker can only lock out others of the same provider."""
        if not await self._arrivals_of.take(caller):
            return False
        return await self._is_first_arrival(caller) or await self._arrivals.try_acquire("all")

    async def _is_first_arrival(self, caller: Sequence[str]) -> bool:
        near = provider(caller)
        return (
            self._first_arrivals_near.has_room(near)
            and await self._first_arrivals_of.take(caller)
            and await self._first_arrivals_near.try_acquire(near)
        )

    def texts(self, request: web.Request, *preferred: str | None) -> Texts:
        browser = request.headers.get("Accept-Language", "").split(",")[0].split(";")[0].strip()
        return Texts(language_of(*preferred, browser, self._app.settings.language))

    async def _also(self, request: web.Request) -> web.Response:
        """Log in with a code from another browser."""
        also = _Also.model_validate_json(await request.read())
        known = await sessions.by_token(self._app.store, auth.token_hash(request))
        texts = self.texts(request, known.user.language if known else None, also.language)
        if not await self._may_try_a_code(self.caller(request)):
            return _json({"error": texts("error-codes-busy")}, status=429)
        try:
            if not also.sure:
                return _json(await question(self._app, also.code, known=known, texts=texts))
            return await self._redeem_code(request, known, also.code)
        except Refused as refused:
            return _refusal(texts, refused)

    async def _may_try_a_code(self, caller: Sequence[str]) -> bool:
        """Limit attempts. An attacker cannot lock out users with a code."""
        if not await self._codes_of.take(caller):
            return False
        return await self._first_codes_of.take(caller) or await self._codes.try_acquire("all")

    async def _redeem_code(
        self, request: web.Request, known: Known | None, code: str
    ) -> web.Response:
        """Redeem a code. Raises `Refused`."""
        session, token = auth.new_session(request)
        here = known.session.id if known else None
        logging_in = sessions.log_in(self._app.store, code_hash(code), session, instead_of=here)
        user_id = await asyncio.shield(self._hub.under_way.begin(logging_in))
        _log.info("user logged in in another browser", user=user_id)
        # Pages of the previous user close once this one has its cookie.
        self._hub.under_way.begin(self._app.recheck_people())
        response = _json({})
        auth.set_cookie(response, request, token, path=self._settings.base)
        return response

    async def _leave(self, request: web.Request) -> web.Response:
        """End the session. A copy of the cookie is useless afterwards."""
        known = await self._known(request)
        leaving = self._hub.under_way.begin(leave(self._app, known))
        await asyncio.shield(leaving)
        response = web.Response(status=204)
        auth.set_cookie(response, request, "", path=self._settings.base)
        return response

    async def _import(self, request: web.Request) -> web.Response:
        """Read a file for the ``/import`` that follows.

        Few at once, for their memory, and one of a site, which may be slow.
        """
        known, data = await self._known(request), bytearray()
        texts = self.texts(request, known.user.language)
        try:
            site, *_ = self.caller(request)
            async with asyncio.timeout(_UPLOAD), self._uploads_of.of(site), self._uploads:
                async for chunk in request.content.iter_any():
                    data += chunk
                    check_size(len(data))
            # What was typed has an encoding, a file has none.
            record = data.decode(errors="replace") if request.charset else bytes(data)
            await self._hub.commands.keep_record(known.user, record, texts)
        except TimeoutError:
            return _json({"error": texts("error-import-file")}, status=408)
        except Refused as refused:
            return _refusal(texts, refused)
        return _json({"error": ""})

    async def _export(self, request: web.Request) -> web.Response:
        place = next(iter(self._hub.rooms.channels.values()))
        command = command_of(await self._visitor(request), place)
        wanted = request.query.get("of", "export:0:0:")
        if not wanted.startswith(("export:", "records:")):
            raise web.HTTPNotFound
        screen = (await self._hub.commands.run_button(command, wanted)).private
        if screen is None or screen.file is None:
            raise web.HTTPServiceUnavailable(text=screen.text if screen else None)
        return web.Response(
            body=screen.file.data,
            content_type=guess_type(screen.file.name)[0],
            headers={
                "Cache-Control": "no-store",
                "Content-Disposition": f'attachment; filename="{screen.file.name}"',
            },
        )

    async def _visitor(self, request: web.Request) -> Visitor:
        """Return the user, and how to draw a picture for them. Raises 401."""
        known = await self._known(request)
        wide = request.query.get("size") == str(SIZES[-1])
        return Visitor(
            known.user,
            known.external,
            known.session.id,
            locale=request.query.get("language"),
            theme="dark" if request.query.get("theme") == "dark" else "light",
            size=SIZES[-1] if wide else SIZES[0],
        )

    async def _drawn(self, request: web.Request) -> web.Response:
        """Draw the picture of a public answer as the user may see it now."""
        visitor = await self._visitor(request)
        found = await self._hub.rooms.picture_token(int(request.match_info["message"]), visitor)
        if found is None:
            raise web.HTTPNotFound
        place, token = found
        picture = await self._hub.commands.drawn(command_of(visitor, place), token)
        if picture is None:
            raise web.HTTPNotFound
        return _image(picture.data, "private, max-age=60")

    async def _picture(self, request: web.Request) -> web.Response:
        """Return a board as the user may see it. Cacheable if `version` is current."""
        visitor = await self._visitor(request)
        message_id, asked = (int(request.match_info[key]) for key in ("message", "version"))
        version, picture = await self._hub.rooms.picture(message_id, visitor) or (0, None)
        if picture is None or asked > version:
            raise web.HTTPNotFound
        is_current = asked == version
        caching = "private, max-age=31536000, immutable" if is_current else "no-store"
        return _image(picture.data, caching)

    async def _replay(self, request: web.Request) -> web.Response:
        """Return a match as an animation, as spectators saw it."""
        visitor = await self._visitor(request)
        match = int(request.match_info["match"])
        place = await self._hub.rooms.place_of(visitor, match)
        if place is None:
            raise web.HTTPNotFound
        medium = replace(FRONT.medium, animates=True)
        command = command_of(visitor, place)
        asked = replace(command, verb="replay", match=match, medium=medium)
        screen = (await self._hub.commands.run(asked)).private
        if screen is None or screen.picture is None:
            raise web.HTTPServiceUnavailable(text=screen.text if screen else None)
        response = _image(screen.picture.data, "private, no-cache", "image/gif")
        name = f"{screen.game}-{match}.gif"
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    async def _thumbnail(self, request: web.Request) -> web.Response:
        theme = "dark" if request.query.get("theme") == "dark" else "light"
        try:
            body = await self._app.pictures.thumbnail(request.match_info["game"], theme=theme)
        except LookupError as error:
            raise web.HTTPNotFound from error
        headers = {"Cache-Control": "max-age=86400"}
        return web.Response(body=body, content_type="image/png", headers=headers)

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        visitor = await self._visitor(request)
        user_id = visitor.user.id
        with self._hub.reserve_page(user_id) as is_welcome:
            if not is_welcome:
                raise web.HTTPTooManyRequests
            socket = web.WebSocketResponse(
                # Receive pings as messages, to limit their rate.
                autoping=False,
                heartbeat=_HEARTBEAT,
                timeout=_GOODBYE,
                max_msg_size=self._settings.message_bytes,
                compress=False,
            )
            page_socket = PageSocket(self._hub, request, socket, visitor)
            # A page cannot read the status of a failed connection, but it can read a close code.
            if not await self._may_connect(request, user_id):
                connection_of(request).release_slots()
                await self._prepare(socket, request, user_id)
                await socket.close(code=WSCloseCode.TRY_AGAIN_LATER)
                return socket
            owner, let_go = str(user_id), page_socket.evict
            with self._server.hold(request, owner=owner, let_go=let_go) as held:
                await self._prepare(socket, request, user_id)
                if held is None:
                    await socket.close(code=FULL)
                else:
                    await page_socket.run(held.touch)
        return socket

    async def _prepare(
        self, socket: web.WebSocketResponse, request: web.Request, user_id: int
    ) -> None:
        await socket.prepare(request)
        turn = partial(self._hub.pieces.acquire, user_id)
        connection_of(request).read_in_pieces(size=self._settings.message_bytes, turn=turn)

    async def _may_connect(self, request: web.Request, user_id: int) -> bool:
        """Limit connections, as each is work for all pages."""
        # The user's limit first, so that others at the same address lose nothing.
        if not await self._sockets_of_one.try_acquire(user_id):
            return False
        return await self._sockets_of.take(self.caller(request))


def _json(data: dict[str, str], *, status: int = 200) -> web.Response:
    return web.json_response(data, status=status, headers={"Cache-Control": "no-store"})


def _refusal(texts: Texts, refused: Refused) -> web.Response:
    told = {"error": texts(f"error-{refused.code}", **refused.details)}
    if isinstance(refused, NameRefused):
        told["suggestion"] = refused.suggestion
    return _json(told, status=400)


def _image(body: bytes, caching: str, content_type: str = "image/png") -> web.Response:
    headers = {"Cache-Control": caching, "Vary": "Cookie"}
    return web.Response(body=body, content_type=content_type, headers=headers)
