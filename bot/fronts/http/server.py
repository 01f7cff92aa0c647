"""The HTTP server. See the package."""

import asyncio
import errno
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from ipaddress import ip_network

from aiohttp import web

from bot.fronts.http.addresses import (
    Address,
    Groups,
    group_limits,
    groups_of,
    parse_address,
    without_port,
)
from bot.fronts.http.connections import (
    HEADERS,
    LAST_SECONDS,
    Connection,
    ConnectionLimits,
    Connections,
    connection_of,
    reserved_for_requests,
)
from bot.support import process
from bot.support.errors import HostError, reason
from bot.support.held import ConnectionLimiter, Held, LetGo, uncount
from bot.support.tasks import Turns

_BODY_SECONDS = 10.0
_TURN_SECONDS = 10.0
"""To wait for earlier requests of the same address."""
_AT_ONCE = 8
"""Requests per address processed at once. A browser uses six connections."""
_BACKLOG = 128

_NONE_LEFT = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_NO_SUCH_ADDRESS = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)
_PAUSE = 1.0
"""Seconds before accepting again when the system is out of resources."""

_TURNED_AWAY = "".join(
    [
        "HTTP/1.1 503 Service Unavailable\r\n",
        *(f"{name}: {value}\r\n" for name, value in HEADERS.items()),
        "Retry-After: 10\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    ]
).encode()

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class HttpServer:
    """An application on a port. Handlers of paths that end with `upload` read the body."""

    def __init__(
        self,
        app: web.Application,
        *,
        host: str,
        port: int,
        limits: ConnectionLimits,
        upload: str = "",
    ) -> None:
        app.middlewares.insert(0, self._serve)
        app.on_response_prepare.append(_add_headers)
        self.host, self._port, self._upload = host, port, upload
        self._proxies = [ip_network(proxy, strict=False) for proxy in limits.proxies]
        self._limits = limits
        self._passed_on: Counter[str] = Counter()
        self._turns = Turns()
        """By household and site, while any of their requests is processed."""
        # aiohttp's runner starts and stops the application. We accept connections ourselves.
        self._runner = web.AppRunner(app, handle_signals=False, shutdown_timeout=_PAUSE)
        self._sockets: list[socket.socket] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, name: str) -> None:
        """Start to listen. Raises `HostError`, which says that `name` cannot use the address."""
        await self._runner.setup()
        try:
            self._sockets = await _listening(self.host, self._port)
        except OSError as error:
            await self._runner.cleanup()
            where = f"{f'[{self.host}]' if ':' in self.host else self.host}:{self._port}"
            raise HostError(f"{name} cannot use {where}: {reason(error)}") from error
        self._connections = Connections(self._limits, free=process.free_files())
        most, per_address = self._connections.most, self._connections.per_address
        self._held = ConnectionLimiter(
            most=most - reserved_for_requests(most),
            per_address=per_address - reserved_for_requests(per_address),
        )
        self._tasks = [
            asyncio.create_task(self._connections.sweep()),
            *(asyncio.create_task(self._accept(each)) for each in self._sockets),
        ]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for each in self._sockets:
            each.close()
        await self._runner.cleanup()

    @property
    def port(self) -> int:
        return int(self._sockets[0].getsockname()[1])

    @property
    def has_room(self) -> bool:
        """True if another long-lived connection fits."""
        return self._connections.has_room and self._held.has_room

    def release_slots(self, request: web.Request) -> None:
        """Free the slots of `request`, which only waits for the client to close."""
        connection = connection_of(request)
        self._connections.idle(connection)
        connection.turns.close()
        connection.counts.close()

    @contextmanager
    def hold(self, request: web.Request, *, owner: str, let_go: LetGo) -> Iterator[Held | None]:
        """Hold the connection of `request` while the block runs. Yields None if there is no room.

        Another connection may be closed for it. It may be closed later itself, by `let_go`.
        """
        connection, loop = connection_of(request), asyncio.get_running_loop()
        connection.turns.close()
        connection.stays = True

        def ends(*, is_last: bool) -> None:
            # Closing takes a while and must not keep new clients out.
            self._connections.idle(connection)
            let_go(is_last=is_last)

        new = Held(owner, self.caller(request), loop.time(), loop.time, ends)
        try:
            if self._held.hold(new):
                self._connections.log_rate_limited("a page was closed to make room")
        except LookupError:
            self._connections.log_rate_limited("no room for another page")
            self.release_slots(request)
            connection.stays = False
            yield None
            return
        try:
            yield new
        finally:
            connection.stays = False
            self._held.release(new)

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, peer = await loop.sock_accept(listening)
            except OSError as error:
                if error.errno in _NONE_LEFT:
                    self._connections.log_rate_limited("no descriptor is left for a connection")
                    self._connections.drop_oldest()
                    await asyncio.sleep(_PAUSE)
                continue
            address = parse_address(peer[0])
            many = self._is_proxy(address)
            if not self._connections.admit(address, many=many):
                with suppress(OSError):
                    accepted.send(_TURNED_AWAY)
                accepted.close()
                # Many more may be waiting: give other tasks a chance.
                await asyncio.sleep(0)
                continue
            server = self._runner.server
            made = partial(Connection, server, self._connections, address, many=many)
            with suppress(OSError):
                await loop.connect_accepted_socket(made, accepted)

    @web.middleware
    async def _serve(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        connection = connection_of(request)
        connection.set_deadline(_BODY_SECONDS + LAST_SECONDS)
        try:
            is_upload = bool(self._upload) and request.path.endswith(self._upload)
            if request.can_read_body and not is_upload:
                async with asyncio.timeout(_BODY_SECONDS):
                    await request.read()
        except TimeoutError:
            raise _closing(web.HTTPRequestTimeout()) from None
        except web.RequestPayloadError:
            raise _closing(web.HTTPBadRequest()) from None
        with connection.counts, connection.turns:
            groups = self.caller(request)
            if groups != connection.groups:
                self._count(groups, connection)
            await self._take_turn(groups, connection)
            with connection.serving():
                return await handler(request)

    async def _take_turn(self, groups: Groups, connection: Connection) -> None:
        """Limit the requests of an address that are processed at once. Raises 503."""
        if connection.is_shared and groups == connection.groups:
            # A proxy that does not forward addresses stands for many clients.
            return
        connection.set_deadline(_TURN_SECONDS + LAST_SECONDS)
        try:
            async with asyncio.timeout(_TURN_SECONDS) as connection.patience:
                for share in group_limits(groups, _AT_ONCE).items():
                    turn = self._turns.of(*share)
                    await turn.acquire()
                    connection.turns.callback(turn.release)
        except TimeoutError:
            self._connections.log_rate_limited("too many requests from one address at once")
            raise web.HTTPServiceUnavailable(headers={"Retry-After": "1"}) from None
        finally:
            connection.patience = None
        # Let other tasks run, even if the handler never waits.
        await asyncio.sleep(0)

    def _count(self, groups: Groups, connection: Connection) -> None:
        """Count a proxied connection for the client's address. Raises 429."""
        most = group_limits(groups, self._connections.per_address)
        if any(self._passed_on[group] >= number for group, number in most.items()):
            self._connections.log_rate_limited(
                "too many connections from one address through the proxy"
            )
            raise web.HTTPTooManyRequests
        self._passed_on.update(most.keys())
        connection.counts.callback(uncount, self._passed_on, most)

    def caller(self, request: web.BaseRequest) -> Groups:
        """Return the client's groups, following X-Forwarded-For through trusted proxies."""
        address = connection_of(request).address
        forwarded = ",".join(request.headers.getall("X-Forwarded-For", ())).split(",")
        # The last entry comes from the nearest proxy. A client can forge the first.
        while forwarded and self._is_proxy(address):
            try:
                address = parse_address(without_port(forwarded.pop().strip()))
            except ValueError:
                break
        return groups_of(address)

    def _is_proxy(self, address: Address) -> bool:
        return any(address in network for network in self._proxies)


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)


def _closing(error: web.HTTPException) -> web.HTTPException:
    """Close the connection after this response, as the request was not read to its end."""
    error.force_close()
    return error


async def _listening(host: str, port: int) -> list[socket.socket]:
    """Open a socket for every address of `host`. Raises OSError."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    opened: list[socket.socket] = []
    missing: OSError | None = None
    for family, _, _, _, address in dict.fromkeys(found):
        try:
            opened.append(socket.create_server(address, family=family, backlog=_BACKLOG))
        except OSError as error:
            if error.errno in _NO_SUCH_ADDRESS:
                # "localhost" may resolve to an IPv6 address on a host without IPv6.
                missing = error
                continue
            for each in opened:
                each.close()
            raise
    if missing is not None and not opened:
        raise missing
    for each in opened:
        each.setblocking(False)
    return opened
