"""HTTP for fronts: aiohttp, with limits that keep idle and malformed callers from blocking it.

aiohttp serves requests well once they are there. Until they are, this looks after them::

    accept      as many connections as there are descriptors for, and so many of one address;
                where there is no room, whoever has waited longest without a request goes, of
                the address that has the most
    wait        some seconds for a head, a body, the next request; whoever takes longer goes
    hold        what stays, such as open pages, up to a number that leaves some connections for
                those who only ask, be it whether all is well (`bot.held`)
    refuse      what is no HTTP gets an answer with our headers, and is one line in the log
                that has none of its bytes

A proxy that is named in the settings is many people: its connections count together only, and
what goes through them counts for the address that it says it passes on.
"""

import asyncio
import errno
import math
import socket
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, Final

from aiohttp import web
from structlog import get_logger

from bot import descriptors
from bot.held import Held, HeldConnections, LetGo
from bot.logs import NowAndThen

__all__ = ["HEADERS", "ConnectionLimits", "HttpServer", "provider"]

_log = get_logger(__name__)

HEADERS: Final = {
    # Pictures of private screens come inside their frames, as data.
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; base-uri 'none'; object-src 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Server": "Azumaya",
    "X-Content-Type-Options": "nosniff",
}

_HEAD_SECONDS = 10.0
_BODY_SECONDS = 10.0
_IDLE_SECONDS = 75.0
"""Between two requests: longer than proxies keep a connection that they do not use."""
_LAST_SECONDS = 5.0
"""For what is still to be sent when a connection closes; some callers never read it."""
_LINGER_SECONDS = 1.0
"""For the rest of a body that nobody wants."""
_SWEEP_SECONDS = 1.0
_BACKLOG = 128

_NONE_LEFT = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_NO_SUCH_ADDRESS = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)
_PAUSE = 1.0
"""Seconds without accepting, where the system has nothing to accept with."""
_FEWEST = 8
_FOR_A_BROWSER = 8
"""A browser loads the page over six connections, and keeps one to be told."""
_FOR_THE_HOST = 4
"""Connections that only callers on this machine get, who come through no proxy."""

_TURNED_AWAY = "".join(
    [
        "HTTP/1.1 503 Service Unavailable\r\n",
        *(f"{name}: {value}\r\n" for name, value in HEADERS.items()),
        "Retry-After: 10\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    ]
).encode()

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_Address = IPv4Address | IPv6Address
_Groups = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ConnectionLimits:
    """How many may be connected; `reserve` descriptors are left for everything else."""

    connections: int
    per_address: int
    reserve: int
    proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies whose X-Forwarded-For is believed."""


class HttpServer:
    """An application on a port. `start` raises OSError where it cannot listen."""

    def __init__(
        self, app: web.Application, *, host: str, port: int, limits: ConnectionLimits
    ) -> None:
        app.middlewares.insert(0, self._serve)
        app.on_response_prepare.append(_add_headers)
        self._host, self._port = host, port
        self._proxies = [ip_network(proxy, strict=False) for proxy in limits.proxies]
        self._limits = limits
        self._connections = _Connections(limits)
        self._held = HeldConnections(most=0, per_address=0)
        self._passed_on: Counter[str] = Counter()
        """By what counts as one address."""
        # aiohttp's runner starts and ends the application; accepting is our own.
        self._runner = web.AppRunner(app, handle_signals=False, shutdown_timeout=_PAUSE)
        self._sockets: list[socket.socket] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Listen, and serve whoever comes. Raises OSError."""
        await self._runner.setup()
        try:
            self._sockets = await _listening(self._host, self._port)
        except OSError:
            await self._runner.cleanup()
            raise
        self._connections.fit(descriptors.free())
        most, per_address = self._connections.most, self._connections.per_address
        self._held.most = most - _apart(most)
        self._held.per_address = per_address - _apart(per_address)
        self._tasks = [
            asyncio.create_task(self._connections.sweep()),
            *(asyncio.create_task(self._accept(each)) for each in self._sockets),
        ]

    async def stop(self) -> None:
        """Accept nobody more, and end what is open."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for each in self._sockets:
            each.close()
        await self._runner.cleanup()

    @property
    def port(self) -> int:
        """The port that is listened on."""
        return int(self._sockets[0].getsockname()[1])

    @property
    def has_room(self) -> bool:
        """Could somebody else connect, and stay?"""
        return self._connections.has_room and self._held.has_room

    @contextmanager
    def hold(self, request: web.Request, *, owner: str, let_go: LetGo) -> Iterator[Held | None]:
        """Let what `request` has opened stay while the block runs; None where there is no room.

        Others of the same `owner` may be told to go for it, and this one later: by `let_go`.
        """
        connection, loop = request.protocol, asyncio.get_running_loop()
        assert isinstance(connection, _Connection)

        def ends(*, is_last: bool) -> None:
            # Saying goodbye takes a while, and must keep nobody out who has come meanwhile.
            self._connections.idle(connection)
            let_go(is_last=is_last)

        new = Held(owner, self.caller(request), loop.time(), loop.time, ends)
        try:
            if self._held.hold(new):
                self._connections.log_now_and_then("room was made for other pages")
        except LookupError:
            self._connections.log_now_and_then("no room for another page")
            self._connections.idle(connection)
            yield None
            return
        try:
            yield new
        finally:
            self._held.release(new)

    # --- accepting ------------------------------------------------------------------------

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, peer = await loop.sock_accept(listening)
            except OSError as error:
                if error.errno in _NONE_LEFT:
                    self._connections.log_now_and_then("no descriptor is left for a connection")
                    self._connections.drop_oldest()
                    await asyncio.sleep(_PAUSE)
                continue
            address = _plain(peer[0])
            many = self._is_proxy(address)
            if not self._connections.make_room(address, many=many):
                with suppress(OSError):
                    accepted.send(_TURNED_AWAY)
                accepted.close()
                # There may be a thousand more of them, and others want to be served as well.
                await asyncio.sleep(0)
                continue
            await self._connect(accepted, _groups(address), many=many)

    async def _connect(self, accepted: socket.socket, groups: _Groups, *, many: bool) -> None:
        def made() -> _Connection:
            return _Connection(self._runner.server, self._connections, groups, many=many)

        with suppress(OSError):
            await asyncio.get_running_loop().connect_accepted_socket(made, accepted)

    # --- serving --------------------------------------------------------------------------

    @web.middleware
    async def _serve(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        """Read the body in time, count, and then let the request be served."""
        connection = request.protocol
        assert isinstance(connection, _Connection)
        connection.wait(_BODY_SECONDS + _LAST_SECONDS)
        try:
            if request.can_read_body:
                async with asyncio.timeout(_BODY_SECONDS):
                    await request.read()
        except TimeoutError:
            raise _closing(web.HTTPRequestTimeout()) from None
        except web.RequestPayloadError:
            raise _closing(web.HTTPBadRequest()) from None
        with self._counting(request), connection.serving():
            return await handler(request)

    @contextmanager
    def _counting(self, request: web.Request) -> Iterator[None]:
        """What goes through a proxy, and above all what stays, counts for who is behind it."""
        groups = self.caller(request)
        if groups == _groups(_peer(request)):
            # Counted when it was accepted.
            yield
            return
        address = groups[0]
        if self._passed_on[address] >= self._connections.per_address:
            self._connections.log_now_and_then(
                "too many connections from one address through the proxy"
            )
            raise web.HTTPTooManyRequests
        self._passed_on[address] += 1
        try:
            yield
        finally:
            self._passed_on[address] -= 1
            if not self._passed_on[address]:
                del self._passed_on[address]

    def caller(self, request: web.BaseRequest) -> _Groups:
        """The address that a request counts for, and what it is part of, the widest first.

        That is who connected, or whom our proxies pass on.
        """
        address = _peer(request)
        forwarded = ",".join(request.headers.getall("X-Forwarded-For", ())).split(",")
        # The last one was written by the proxy next to us; the first by whoever wanted to.
        while forwarded and self._is_proxy(address):
            try:
                address = _plain(_without_port(forwarded.pop().strip()))
            except ValueError:
                break
        return _groups(address)

    def _is_proxy(self, address: _Address | None) -> bool:
        return address is not None and any(address in network for network in self._proxies)


class _Connections:
    """All that are open, those without a request in the order in which they began to wait."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits
        self.most = limits.connections
        self.per_address = limits.per_address
        self._of: defaultdict[str, dict[_Connection, None]] = defaultdict(dict)
        """Those of an address, and of each group that it is part of."""
        self._idle: dict[_Connection, None] = {}
        self._number = 0
        self._trouble = NowAndThen()

    def fit(self, free: int) -> None:
        """Have no more connections than there are descriptors left for."""
        self.most = max(_FEWEST, min(self._limits.connections, free - self._limits.reserve))
        self.per_address = min(self._limits.per_address, max(2 * _FOR_A_BROWSER, self.most // 2))
        if self.most < self._limits.connections:
            _log.warning("few descriptors, so fewer connections", connections=self.most)

    def log_now_and_then(self, what: str, *, error: str | None = None, **more: Any) -> None:
        """Log trouble, each kind once a minute."""
        if self._trouble.is_due(what, error):
            _log.warning(what, error=error, **more)

    @property
    def has_room(self) -> bool:
        return self._number < self.most or bool(self._idle)

    def make_room(self, address: _Address | None, *, many: bool) -> bool:
        """May somebody from `address` connect? `many`: it is a proxy, behind which are many."""
        ours = self._of.get(_groups(address)[0], {})
        if not many and len(ours) >= self.per_address:
            hint = "a proxy? name it in web.proxies" if _is_near(address) else None
            self.log_now_and_then("too many connections from one address", hint=hint)
            # One part of a site keeps the others out no more than one address keeps all others.
            idle = (each for each in ours if each in self._idle)
            if not self._drop(min(idle, key=self._standing_alone, default=None)):
                return False
        apart = 0 if _is_own(address) and not many else min(_FOR_THE_HOST, self.most // _FEWEST)
        if self._number >= self.most - apart:
            self.log_now_and_then("too many connections", connections=self._number)
            return self.drop_oldest()
        return True

    def drop_oldest(self) -> bool:
        """End the connection that has waited longest without a request, if there is one.

        It is one of the address with the most connections: whoever opens many drops their own.
        """
        return self._drop(min(self._idle, key=self._standing_alone, default=None))

    def _standing_alone(self, connection: "_Connection") -> list[int]:
        """Less for whoever is of a larger crowd, and there of a larger part of it."""
        if connection.is_shared:
            return [-1]
        return [-len(self._of[group]) for group in connection.groups]

    def _drop(self, connection: "_Connection | None") -> bool:
        if connection is None:
            return False
        connection.abort()
        self.closed(connection)
        return True

    def opened(self, connection: "_Connection") -> None:
        for group in connection.groups:
            self._of[group][connection] = None
        self._idle[connection] = None
        self._number += 1

    def closed(self, connection: "_Connection") -> None:
        self._number -= self._is_open(connection)
        for group in connection.groups:
            ours = self._of.get(group, {})
            ours.pop(connection, None)
            if not ours:
                self._of.pop(group, None)
        self._idle.pop(connection, None)

    def busy(self, connection: "_Connection") -> None:
        """It has a request: it does not make room for others."""
        self._idle.pop(connection, None)

    def idle(self, connection: "_Connection") -> None:
        """It waits again."""
        if self._is_open(connection):
            self._idle[connection] = None

    def _is_open(self, connection: "_Connection") -> bool:
        return connection in self._of.get(connection.groups[0], {})

    async def sweep(self) -> None:
        """End what has waited too long, every second."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            now = loop.time()
            for connection in {each for ours in self._of.values() for each in ours}:
                if connection.is_late(now):
                    self._drop(connection)


class _Connection(web.RequestHandler):
    """aiohttp's connection, which also knows until when it may wait."""

    def __init__(
        self, server: Any, connections: _Connections, groups: _Groups, *, many: bool
    ) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(
            server,
            loop=loop,
            access_log=None,  # type: ignore[arg-type]  # none is what it says it takes
            # Nobody has a reason to compress a name or an update; a bomb is one not to.
            auto_decompress=False,
            lingering_time=_LINGER_SECONDS,
        )
        self.groups = groups
        self.is_shared = many
        self._connections = connections
        self._time = loop.time
        # The library forgets its transport before that is closed.
        self._carrier: asyncio.BaseTransport | None = None
        self._deadline = math.inf
        self._is_closing = False
        self._is_between = False

    # --- time -----------------------------------------------------------------------------

    def wait(self, seconds: float) -> None:
        """Let it wait so long from now."""
        self._is_between = False
        self._deadline = self._time() + seconds

    @contextmanager
    def serving(self) -> Iterator[None]:
        """While a request is served nobody waits for the caller."""
        self._deadline = math.inf
        self._connections.busy(self)
        try:
            yield
        finally:
            self.wait(_IDLE_SECONDS)
            self._is_between = True
            self._connections.idle(self)

    def is_late(self, now: float) -> bool:
        """Has it waited too long: for a request, or for somebody to read what is left?"""
        if not self._is_closing and self._carrier is not None and self._carrier.is_closing():
            self._is_closing = True
            self._deadline = now + _LAST_SECONDS
        return now >= self._deadline

    def abort(self) -> None:
        """End it now."""
        if isinstance(self._carrier, asyncio.WriteTransport):
            self._carrier.abort()

    # --- what the transport tells -----------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._carrier = transport
        self.wait(_HEAD_SECONDS)
        self._connections.opened(self)
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if self._is_between:
            self.wait(_HEAD_SECONDS)
        super().data_received(data)

    def connection_lost(self, exc: BaseException | None) -> None:
        self._connections.closed(self)
        super().connection_lost(exc)

    # --- what the library tells -------------------------------------------------------------

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """The answer to what is no HTTP, or to what a handler has failed at."""
        if isinstance(exc, ConnectionError):
            raise exc
        if status < 500:
            self._connections.log_now_and_then("malformed request", error=type(exc).__name__)
        else:
            _log.error("request failed", exc_info=exc)
        if request.writer.output_size > 0:
            raise ConnectionError("half an answer is there already")
        response = web.Response(status=status, text=f"{status}\n", headers=HEADERS)
        response.force_close()
        return response

    def log_exception(self, *args: Any, **kw: Any) -> None:
        """What the library would write with a traceback, and the caller's bytes in it."""
        error = kw.get("exc_info")
        if isinstance(error, web.RequestPayloadError):
            self._connections.log_now_and_then("request not read", error=type(error).__name__)
        else:
            _log.error("request failed", exc_info=error)


def _apart(connections: int) -> int:
    """How many of these are for those who only ask: pages do not get them."""
    return min(32, max(_FOR_A_BROWSER, connections // 4), connections // 2)


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)


def _closing(error: web.HTTPException) -> web.HTTPException:
    """An answer after which the connection is of no use: its request was not read to the end."""
    error.force_close()
    return error


async def _listening(host: str, port: int) -> list[socket.socket]:
    """Sockets for every address of `host`. Raises OSError."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    opened: list[socket.socket] = []
    missing: OSError | None = None
    for family, _, _, _, address in dict.fromkeys(found):
        try:
            opened.append(socket.create_server(address, family=family, backlog=_BACKLOG))
        except OSError as error:
            if error.errno in _NO_SUCH_ADDRESS:
                # "localhost" may mean an IPv6 address, too, where there is no IPv6.
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


# --- addresses ------------------------------------------------------------------------------


def _peer(request: web.BaseRequest) -> _Address | None:
    return _plain(request.remote) if request.remote else None


def _plain(text: str) -> _Address:
    """An address; an IPv4 one also where IPv6 carries it. Raises ValueError."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address


def _without_port(text: str) -> str:
    """``1.2.3.4:5`` and ``[::1]:5`` are written by some proxies."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


def _groups(address: _Address | None) -> _Groups:
    """An address, and what it is part of, the widest first: that is what counts as one.

    The widest one of IPv6 is what one site may get (RFC 6177), the next what providers give to
    households, the last one network: whoever has it has all addresses of it.
    """
    if isinstance(address, IPv6Address):
        return tuple(str(ip_network((address, bits), strict=False)) for bits in (48, 56, 64))
    return (str(address),)


def provider(caller: Sequence[str]) -> str:
    """What a caller's provider may have at large: what others there share with them."""
    try:
        network = ip_network(caller[0])
    except ValueError:
        return caller[0]
    return str(network.supernet(new_prefix=32 if network.version == 6 else 16))


def _is_own(address: _Address | None) -> bool:
    """Is it somebody on this machine?"""
    return address is not None and address.is_loopback


def _is_near(address: _Address | None) -> bool:
    return address is not None and address.is_private
