"""The HTTP server. See the package."""

import asyncio
import errno
import math
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_network
from typing import Any, Final

from aiohttp import web
from structlog import get_logger

from bot.fronts.http.addresses import (
    Address,
    Groups,
    group_limits,
    groups_of,
    is_local,
    parse_address,
    without_port,
)
from bot.support import process
from bot.support.errors import HostError, reason
from bot.support.held import ConnectionLimiter, Held, LetGo, uncount
from bot.support.logs import RateLimitedLog
from bot.support.tasks import Turns

_log = get_logger(__name__)

HEADERS: Final = {
    # Images in private screens arrive inline, as data URLs.
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; base-uri 'self'; object-src 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Server": "Azumaya",
    "X-Content-Type-Options": "nosniff",
}

_HEAD_SECONDS = 10.0
_IDLE_SECONDS = 75.0
"""Between two requests. Longer than proxies keep an unused connection."""
_LAST_SECONDS = 5.0
"""To send the rest when a connection closes. Some clients never read it."""
_READ_SECONDS = 10.0
_SLOWEST = 8192
"""A response must be read in `_READ_SECONDS`, plus one second for each so many bytes."""
_LINGER_SECONDS = 1.0
"""To read the rest of an unused body."""
_SWEEP_SECONDS = 1.0

_FEWEST = 8
_FOR_A_BROWSER = 8
"""A browser loads the page over six connections and keeps one WebSocket."""
_FOR_THE_HOST = 4
"""Connections reserved for clients on this machine that do not use a proxy."""
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

Turn = Callable[[], Awaitable[None]]
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, kw_only=True, slots=True)
class ConnectionLimits:
    """Limits of connections. `reserve` file descriptors stay free for all other uses."""

    connections: int
    per_address: int
    reserve: int
    proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies whose X-Forwarded-For is trusted."""


class Connections:
    """All open connections."""

    def __init__(self, limits: ConnectionLimits, *, free: int) -> None:
        """`free`: descriptors that this process may still open."""
        self.most = max(_FEWEST, min(limits.connections, free - limits.reserve))
        self.per_address = min(limits.per_address, max(2 * _FOR_A_BROWSER, self.most // 2))
        if self.most < limits.connections:
            _log.warning("few descriptors, so fewer connections", connections=self.most)
        self._open: set[Connection] = set()
        self._of_group = Counter[str]()
        self._trouble = RateLimitedLog()

    def log_rate_limited(self, what: str, *, error: str | None = None, **more: Any) -> None:
        """Log a warning, at most once a minute per kind."""
        if self._trouble.is_due(what, error):
            _log.warning(what, error=error, **more)

    @property
    def has_room(self) -> bool:
        return len(self._open) < self.most or any(each.is_idle for each in self._open)

    def admit(self, address: Address, *, many: bool) -> bool:
        """Return whether a client may connect. `many`: it is a proxy for many clients."""
        site = groups_of(address)[0]
        if not many and self._of_group[site] >= self.per_address:
            hint = "a proxy? name it in web.proxies" if address.is_private else None
            self.log_rate_limited("too many connections from one address", hint=hint)
            # Within a site, the largest part makes room.
            if not self.make_room(site):
                return False
        apart = 0 if is_local(address) and not many else min(_FOR_THE_HOST, self.most // _FEWEST)
        if len(self._open) >= self.most - apart:
            self.log_rate_limited("too many connections", connections=len(self._open))
            return self.make_room()
        return True

    def make_room(self, site: str = "") -> bool:
        """Close the longest idle connection of the largest address, if any is idle."""
        idle = [one for one in self._open if one.is_idle and site in ("", one.groups[0])]
        if idle:
            self._drop(min(idle, key=self._standing_alone))
        return bool(idle)

    def _standing_alone(self, connection: "Connection") -> tuple[list[int], float]:
        """Sort key: the lowest for members of the largest groups."""
        groups = connection.groups
        sizes = [-1] if connection.is_shared else [-self._of_group[group] for group in groups]
        return sizes, connection.idle_since

    def _drop(self, connection: "Connection") -> None:
        connection.abort()
        self.closed(connection)

    def opened(self, connection: "Connection") -> None:
        self._open.add(connection)
        self._of_group.update(connection.groups)

    def closed(self, connection: "Connection") -> None:
        if connection in self._open:
            self._open.remove(connection)
            uncount(self._of_group, connection.groups)

    async def sweep(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            now = loop.time()
            for connection in list(self._open):
                if connection.is_overdue(now):
                    self._drop(connection)


class Connection(web.RequestHandler):
    """A connection of aiohttp with deadlines."""

    def __init__(
        self, server: Any, connections: Connections, address: Address, *, many: bool
    ) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(
            server,
            loop=loop,
            access_log=None,  # type: ignore[arg-type]  # documented to accept None
            # No client has a reason to compress its requests, except for a zip bomb.
            auto_decompress=False,
            lingering_time=_LINGER_SECONDS,
        )
        self.address = address
        self.groups = groups_of(address)
        self.is_shared = many
        self.idle_since = loop.time()
        self.stays = False
        """True while it is held (`bot.support.held`)."""
        self.turns = ExitStack()
        """Releases the turns of the current request."""
        self.counts = ExitStack()
        """Stops to count the current request for the client that a proxy forwards for."""
        self.patience: asyncio.Timeout | None = None
        """Ends when the client disconnects."""
        self._connections = connections
        self._time = loop.time
        # aiohttp forgets its transport before that is closed.
        self._carrier: asyncio.Transport | None = None
        self._deadline = math.inf
        self._read_by = math.inf
        self._is_closing = False
        self._is_between = False
        self._piece = 0
        self._turn_to_read: Turn | None = None
        self._reading: asyncio.Task[None] | None = None
        self._has_room = asyncio.Event()
        self._has_room.set()

    @property
    def is_idle(self) -> bool:
        return self.idle_since < math.inf

    def make_idle(self) -> None:
        self.idle_since = self._time()

    def release_slots(self) -> None:
        """Free the slots of a request that only waits for the client to close."""
        self.make_idle()
        self.turns.close()
        self.counts.close()

    def set_deadline(self, seconds: float) -> None:
        self._is_between = False
        self._deadline = self._time() + seconds

    @contextmanager
    def serving(self) -> Iterator[None]:
        self._deadline = self.idle_since = math.inf
        try:
            yield
        finally:
            self.set_deadline(_IDLE_SECONDS)
            self._is_between = True
            self.make_idle()

    def is_overdue(self, now: float) -> bool:
        if not self.stays and self._is_unread_too_long(now):
            # Held connections are pinged instead.
            return True
        if not self._is_closing and self._carrier is not None and self._carrier.is_closing():
            self._is_closing = True
            self._deadline = now + _LAST_SECONDS
        return now >= self._deadline

    def _is_unread_too_long(self, now: float) -> bool:
        left = self._carrier.get_write_buffer_size() if self._carrier else 0
        if not left:
            self._read_by = math.inf
        elif self._read_by == math.inf:
            self._read_by = now + _READ_SECONDS + left / _SLOWEST
        return now >= self._read_by

    def abort(self) -> None:
        if self._carrier is not None:
            self._carrier.abort()

    def read_in_pieces(self, *, size: int, turn: Turn) -> None:
        """From now on, read `size` bytes and wait for `turn` before: fragments cost work.

        The connection must be a WebSocket already.
        """
        self._piece, self._turn_to_read = size, turn

    async def _read_pieces(self, data: bytes, turn: Turn) -> None:
        """Process the received data. The transport is paused until then."""
        for start in range(0, len(data), self._piece):
            await turn()
            await self._has_room.wait()
            super().data_received(data[start : start + self._piece])
        self._reading = None
        if self.transport is not None and self._has_room.is_set():
            self.transport.resume_reading()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._carrier = transport
        self.set_deadline(_HEAD_SECONDS)
        self._connections.opened(self)
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if self._is_between:
            self.set_deadline(_HEAD_SECONDS)
        if self._turn_to_read is None or not data:
            super().data_received(data)
            return
        if self.transport is not None:
            self.transport.pause_reading()
        self._reading = asyncio.create_task(self._read_pieces(data, self._turn_to_read))

    def connection_lost(self, exc: BaseException | None) -> None:
        if self._reading is not None:
            self._reading.cancel()
        if self.patience is not None and not self.patience.expired():
            self.patience.reschedule(0)
        self._connections.closed(self)
        super().connection_lost(exc)

    def pause_reading(self) -> None:
        self._has_room.clear()
        super().pause_reading()

    def resume_reading(self, resume_parser: bool = True) -> None:  # noqa: FBT001, FBT002 - inherited
        super().resume_reading(resume_parser)
        if self._reading is not None and self.transport is not None:
            self.transport.pause_reading()
        self._has_room.set()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        if isinstance(exc, ConnectionError):
            raise exc
        if status < 500:
            self._connections.log_rate_limited("malformed request", error=type(exc).__name__)
        else:
            _log.error("request failed", exc_info=exc)
        if request.writer.output_size > 0:
            raise ConnectionError("half an answer is there already")
        response = web.Response(status=status, text=f"{status}\n", headers=HEADERS)
        response.force_close()
        return response

    def log_exception(self, *args: Any, **kw: Any) -> None:
        """Log without the traceback of aiohttp, which holds data from the client."""
        error = kw.get("exc_info")
        if isinstance(error, web.RequestPayloadError):
            self._connections.log_rate_limited("request not read", error=type(error).__name__)
        else:
            _log.error("request failed", exc_info=error)


def connection_of(request: web.BaseRequest) -> Connection:
    """Return the connection on which a request came."""
    connection = request.protocol
    assert isinstance(connection, Connection)
    return connection


def _reserved_for_requests(connections: int) -> int:
    """Return how many connections stay reserved for plain requests."""
    return min(32, max(_FOR_A_BROWSER, connections // 4), connections // 2)


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
            most=most - _reserved_for_requests(most),
            per_address=per_address - _reserved_for_requests(per_address),
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

    @contextmanager
    def hold(self, request: web.Request, *, owner: str, let_go: LetGo) -> Iterator[Held | None]:
        """Hold the connection of `request` while the block runs. Yields None if there is no room.

        Another connection may be closed for it. It may be closed later itself, by `let_go`.
        """
        connection, loop = connection_of(request), asyncio.get_running_loop()
        connection.turns.close()

        def ends(*, is_last: bool) -> None:
            # Closing takes a while and must not keep new clients out.
            connection.make_idle()
            let_go(is_last=is_last)

        new = Held(owner, self.caller(request), loop.time(), loop.time, ends)
        try:
            goes = self._held.hold(new)
        except LookupError:
            self._connections.log_rate_limited("no room for another page")
            connection.release_slots()
            yield None
            return
        if goes is not None:
            self._connections.log_rate_limited("a page was closed to make room")
        connection.stays = True
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
                    self._connections.make_room()
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
        connection.set_deadline(_BODY_SECONDS + _LAST_SECONDS)
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
        connection.set_deadline(_TURN_SECONDS + _LAST_SECONDS)
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
