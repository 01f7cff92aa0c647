"""Open connections: their number, idle time and reading speed."""

import asyncio
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import web
from structlog import get_logger

from bot.fronts.http.addresses import Address, groups_of, is_local
from bot.support.held import uncount
from bot.support.logs import RateLimitedLog

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
LAST_SECONDS = 5.0
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

Turn = Callable[[], Awaitable[None]]


@dataclass(frozen=True, kw_only=True, slots=True)
class ConnectionLimits:
    """Limits of connections. `reserve` file descriptors stay free for all other uses."""

    connections: int
    per_address: int
    reserve: int
    proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies whose X-Forwarded-For is trusted."""


class Connections:
    """All open connections. Idle ones are ordered by the start of their wait."""

    def __init__(self, limits: ConnectionLimits, *, free: int) -> None:
        """`free`: descriptors that this process may still open."""
        self.most = max(_FEWEST, min(limits.connections, free - limits.reserve))
        self.per_address = min(limits.per_address, max(2 * _FOR_A_BROWSER, self.most // 2))
        if self.most < limits.connections:
            _log.warning("few descriptors, so fewer connections", connections=self.most)
        self._open: set[Connection] = set()
        self._of_group = Counter[str]()
        self._idle: dict[Connection, None] = {}
        self._trouble = RateLimitedLog()

    def log_rate_limited(self, what: str, *, error: str | None = None, **more: Any) -> None:
        """Log a warning, at most once a minute per kind."""
        if self._trouble.is_due(what, error):
            _log.warning(what, error=error, **more)

    @property
    def has_room(self) -> bool:
        return len(self._open) < self.most or bool(self._idle)

    def admit(self, address: Address, *, many: bool) -> bool:
        """Return whether a client may connect. `many`: it is a proxy for many clients."""
        site = groups_of(address)[0]
        if not many and self._of_group[site] >= self.per_address:
            hint = "a proxy? name it in web.proxies" if address.is_private else None
            self.log_rate_limited("too many connections from one address", hint=hint)
            # Within a site, the largest part makes room.
            idle = (each for each in self._idle if each.groups[0] == site)
            if not self._drop(min(idle, key=self._standing_alone, default=None)):
                return False
        apart = 0 if is_local(address) and not many else min(_FOR_THE_HOST, self.most // _FEWEST)
        if len(self._open) >= self.most - apart:
            self.log_rate_limited("too many connections", connections=len(self._open))
            return self.drop_oldest()
        return True

    def drop_oldest(self) -> bool:
        """Close the longest idle connection of the largest address, if any is idle."""
        return self._drop(min(self._idle, key=self._standing_alone, default=None))

    def _standing_alone(self, connection: "Connection") -> list[int]:
        """Sort key: the lowest for members of the largest groups."""
        if connection.is_shared:
            return [-1]
        return [-self._of_group[group] for group in connection.groups]

    def _drop(self, connection: "Connection | None") -> bool:
        if connection is None:
            return False
        connection.abort()
        self.closed(connection)
        return True

    def opened(self, connection: "Connection") -> None:
        self._open.add(connection)
        self._of_group.update(connection.groups)
        self._idle[connection] = None

    def closed(self, connection: "Connection") -> None:
        if connection in self._open:
            self._open.remove(connection)
            uncount(self._of_group, connection.groups)
            self._idle.pop(connection, None)

    def busy(self, connection: "Connection") -> None:
        self._idle.pop(connection, None)

    def idle(self, connection: "Connection") -> None:
        if connection in self._open:
            self._idle[connection] = None

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

    def set_deadline(self, seconds: float) -> None:
        self._is_between = False
        self._deadline = self._time() + seconds

    @contextmanager
    def serving(self) -> Iterator[None]:
        self._deadline = math.inf
        self._connections.busy(self)
        try:
            yield
        finally:
            self.set_deadline(_IDLE_SECONDS)
            self._is_between = True
            self._connections.idle(self)

    def is_overdue(self, now: float) -> bool:
        if not self.stays and self._is_unread_too_long(now):
            # Held connections are pinged instead.
            return True
        if not self._is_closing and self._carrier is not None and self._carrier.is_closing():
            self._is_closing = True
            self._deadline = now + LAST_SECONDS
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


def reserved_for_requests(connections: int) -> int:
    """Return how many connections stay reserved for plain requests."""
    return min(32, max(_FOR_A_BROWSER, connections // 4), connections // 2)
