"""Callers who are slow, many, or no browsers at all, over raw connections."""

import asyncio
import io
import logging
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
import structlog
from aiohttp import web

from bot import descriptors, logs
from bot.fronts import http_server
from bot.fronts.http_server import HEADERS, ConnectionLimits, HttpServer
from bot.fronts.web import page_socket
from bot.settings import LogSettings
from tests.bot.fronts.browsing import Browser, Open, open_table
from tests.bot.fronts.conftest import Arrive

PATIENCE = 60.0
SECRET = "SECRETCOOKIE12345"
COOKIE = f"Cookie: azumaya={SECRET}".encode()
ASK = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """All that is logged, by whomever."""
    stream, root = io.StringIO(), logging.getLogger()
    level = root.level
    logs.configure(LogSettings(level="debug"), stream)
    asyncio_log = logging.getLogger("asyncio")
    asyncio_log.setLevel(logging.WARNING)
    yield stream
    asyncio_log.setLevel(logging.NOTSET)
    structlog.reset_defaults()
    for handler in root.handlers[:]:
        if handler.get_name() == "azumaya":
            root.removeHandler(handler)
    root.setLevel(level)


class Line:
    """A raw connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self) -> tuple[int, str]:
        """Status and head of one answer; its body is read, too."""
        async with asyncio.timeout(PATIENCE):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
            length = head.lower().partition("content-length: ")[2].partition("\r\n")[0]
            await self.reader.readexactly(int(length or 0))
        return int(head.split()[1]), head

    async def rest(self) -> bytes:
        """All that comes until the end."""
        async with asyncio.timeout(PATIENCE):
            try:
                return await self.reader.read()
            except ConnectionError:
                return b""

    async def close(self) -> None:
        self.writer.transport.abort()
        with suppress(ConnectionError):
            await self.writer.wait_closed()

    @property
    def is_open(self) -> bool:
        return not self.reader.at_eof() and self.reader.exception() is None


@asynccontextmanager
async def lines() -> AsyncIterator[Any]:
    """``await dial(port)`` opens a connection; all are closed at the end."""
    async with AsyncExitStack() as stack:

        async def dial(port: int, address: str = "127.0.0.1") -> Line:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", port, local_addr=(address, 0)
            )
            line = Line(reader, writer)
            stack.push_async_callback(line.close)
            return line

        yield dial


@pytest.fixture
async def dial() -> AsyncIterator[Any]:
    async with lines() as opened:
        yield opened


# --- what is no HTTP --------------------------------------------------------------------------

POST = b"POST /arrive HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = POST + COOKIE + b"\r\nTransfer-Encoding: chunked\r\n\r\n"
MALFORMED = {
    "a long cookie": b"GET / HTTP/1.1\r\nHost: localhost\r\n"
    + COOKIE
    + b"; x="
    + b"a" * 9000
    + b"\r\n\r\n",
    "a control character": b"GET / HTTP/1.1\r\nHost: localhost\r\n" + COOKIE + b"\x01bad\r\n\r\n",
    "a long query": f"GET /?key={SECRET}{'a' * 9000} HTTP/1.1\r\n\r\n".encode(),
    "no request line": f"{SECRET}\r\n\r\n".encode(),
    "no method": f"<{SECRET}> / HTTP/1.1\r\n\r\n".encode(),
    "a wrong version": f"GET /{SECRET} HTTP/9.x\r\n\r\n".encode(),
    "a header without a name": b"GET / HTTP/1.1\r\n: " + COOKIE + b"\r\n\r\n",
    "two lengths": POST + COOKIE + b"\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "a length that is none": POST + COOKIE + b"\r\nContent-Length: -7\r\n\r\n",
    "too many headers": b"GET / HTTP/1.1\r\n" + (COOKIE + b"\r\n") * 500 + b"\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00" + SECRET.encode() + b"\r\n\r\n",
    "a bad chunk": CHUNKED + f"{SECRET}\r\n".encode(),
    "a bad chunk later": CHUNKED + b"2\r\n{}\r\nzz" + SECRET.encode() + b"\r\n",
}


@pytest.mark.parametrize("request_", MALFORMED.values(), ids=MALFORMED.keys())
async def test_what_is_no_http_is_answered_as_we_answer_and_is_a_line_without_its_bytes(
    table: Open, dial: Any, log: io.StringIO, request_: bytes
) -> None:
    line = await dial(table.web.port)
    await line.send(request_)
    status, head = await line.answer()
    assert status == 400
    for name, value in HEADERS.items():
        assert f"\r\n{name}: {value}\r\n" in head
    assert "aiohttp" not in head
    await line.rest()
    text = log.getvalue()
    assert SECRET not in text
    assert "Traceback" not in text
    assert len(text.splitlines()) <= 1
    # It was one caller's mistake; the next one is served.
    other = await dial(table.web.port)
    await other.send(ASK)
    assert (await other.answer())[0] == 200


async def test_malformed_requests_do_not_fill_the_log(
    table: Open, dial: Any, log: io.StringIO
) -> None:
    for _ in range(30):
        line = await dial(table.web.port)
        await line.send(MALFORMED["a long cookie"])
        await line.rest()
    assert len(log.getvalue().splitlines()) == 1


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "made-up"])
@pytest.mark.parametrize("body", [b"rubbish", zlib.compress(b'{"name": "Anna"}')])
async def test_a_compressed_arrival_is_refused(
    table: Open, dial: Any, log: io.StringIO, *, encoding: str, body: bytes
) -> None:
    line = await dial(table.web.port)
    head = f"Content-Encoding: {encoding}\r\nContent-Length: {len(body)}\r\n\r\n"
    await line.send(POST + head.encode() + body)
    assert (await line.answer())[0] == 400
    assert log.getvalue() == ""


async def test_whoever_hangs_up_in_the_middle_of_a_body_is_no_line_in_the_log(
    table: Open, dial: Any, log: io.StringIO
) -> None:
    line = await dial(table.web.port)
    await line.send(POST + b"Content-Length: 100\r\n\r\n{")
    line.writer.transport.abort()
    other = await dial(table.web.port)
    await other.send(ASK)
    assert (await other.answer())[0] == 200
    assert log.getvalue() == ""


async def test_a_mistake_of_ours_is_logged_with_its_traceback_and_answered(
    dial: Any, log: io.StringIO
) -> None:
    async def broken(_: web.Request) -> web.Response:
        raise ZeroDivisionError

    async with serving(broken) as server:
        line = await dial(server.port)
        await line.send(ASK)
        status, head = await line.answer()
    assert status == 500
    assert "\r\nServer: Azumaya\r\n" in head
    assert log.getvalue().count("Traceback") == 1
    assert "ZeroDivisionError" in log.getvalue()


# --- who is slow ------------------------------------------------------------------------------


@asynccontextmanager
async def serving(handler: Any, **limits: Any) -> AsyncIterator[HttpServer]:
    app = web.Application(client_max_size=1000)
    app.router.add_route("*", "/{path:.*}", handler)
    chosen: dict[str, Any] = {"connections": 100, "per_address": 100, "reserve": 0, **limits}
    server = HttpServer(app, host="127.0.0.1", port=0, limits=ConnectionLimits(**chosen))
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


async def well(_: web.Request) -> web.Response:
    return web.Response(text="well")


@pytest.fixture
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for long."""
    for name in ("_HEAD_SECONDS", "_BODY_SECONDS", "_LAST_SECONDS"):
        monkeypatch.setattr(http_server, name, 0.2)
    monkeypatch.setattr(http_server, "_SWEEP_SECONDS", 0.05)


@pytest.mark.parametrize("half", [b"", b"GET / HT", ASK[:-2]], ids=["nothing", "line", "head"])
async def test_half_a_request_is_not_waited_for(dial: Any, hurry: None, half: bytes) -> None:
    async with serving(well) as server:
        slow = [await dial(server.port) for _ in range(50)]
        for line in slow:
            await line.send(half)
        for line in slow:
            await line.rest()


async def test_half_a_second_request_is_not_waited_for_either(dial: Any, hurry: None) -> None:
    async with serving(well) as server:
        line = await dial(server.port)
        await line.send(ASK)
        assert (await line.answer())[0] == 200
        await line.send(ASK[:-2])
        assert await line.rest() == b""


async def test_a_head_that_trickles_in_is_not_waited_for(dial: Any, hurry: None) -> None:
    async with serving(well) as server:
        line = await dial(server.port)
        await line.send(ASK[:20])
        async with asyncio.timeout(PATIENCE):
            while line.is_open:
                line.writer.write(b"X-Slow: x\r\n")
                try:
                    async with asyncio.timeout(0.02):
                        await line.rest()
                except TimeoutError:
                    continue


async def test_half_a_body_is_answered_with_too_slow(dial: Any, hurry: None) -> None:
    async with serving(well) as server:
        line = await dial(server.port)
        await line.send(POST + b"Content-Length: 100\r\n\r\n{")
        status, head = await line.answer()
        assert status == 408
        assert "\r\nServer: Azumaya\r\n" in head
        await line.rest()


async def test_who_asks_again_in_time_keeps_the_connection(
    dial: Any, hurry: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when nothing was asked for longer than a head may take."""
    async with serving(well) as server:
        line = await dial(server.port)
        await line.send(ASK)
        assert (await line.answer())[0] == 200
        late = await dial(server.port)
        await late.send(ASK[:-2])
        # By the time this one has been ended the other has waited longer than a head may take.
        await late.rest()
        await line.send(ASK)
        assert (await line.answer())[0] == 200
        monkeypatch.setattr(http_server, "_IDLE_SECONDS", 0.2)
        await line.send(ASK)
        assert (await line.answer())[0] == 200
        assert await line.rest() == b""


async def test_who_never_reads_an_answer_does_not_stay(dial: Any, hurry: None) -> None:
    """Closing would wait for the rest to be read, for ever."""
    ended = asyncio.Event()

    async def endless(request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        try:
            request.transport.write(bytes(50_000_000))  # type: ignore[union-attr]
            request.transport.close()  # type: ignore[union-attr]
            await socket.receive()
        finally:
            ended.set()
        return socket

    async with serving(endless) as server:
        line = await dial(server.port)
        line.writer.transport.pause_reading()
        await line.send(
            b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        async with asyncio.timeout(PATIENCE):
            await ended.wait()


# --- who is many ------------------------------------------------------------------------------


async def test_where_there_is_no_room_whoever_waited_longest_goes(dial: Any) -> None:
    async with serving(well, connections=20) as server:
        idle = [await dial(server.port, f"127.0.0.{2 + number % 5}") for number in range(20)]
        for line in idle[:5]:
            # Whoever has just asked something waits behind those who never did.
            await line.send(ASK)
            assert (await line.answer())[0] == 200
        newcomers = [await dial(server.port) for _ in range(5)]
        for line in newcomers:
            await line.send(ASK)
            assert (await line.answer())[0] == 200
        for line in idle[5:10]:
            assert await line.rest() == b""
        for line in idle[:5]:
            await line.send(ASK)
            assert (await line.answer())[0] == 200


async def test_requests_that_are_served_are_not_ended_for_others(
    dial: Any, log: io.StringIO
) -> None:
    go_on = asyncio.Event()
    begun = asyncio.Semaphore(0)

    async def slow(_: web.Request) -> web.Response:
        begun.release()
        await go_on.wait()
        return web.Response()

    async with serving(slow, connections=8) as server:
        busy = [await dial(server.port, f"127.0.0.{2 + number % 4}") for number in range(8)]
        for line in busy:
            await line.send(ASK)
            await begun.acquire()
        assert not server.has_room
        for _ in range(3):
            status, head = await (await dial(server.port)).answer()
            assert status == 503
            assert "\r\nServer: Azumaya\r\n" in head
        go_on.set()
        for line in busy:
            assert (await line.answer())[0] == 200
    assert len(log.getvalue().splitlines()) == 1


async def test_whoever_opens_many_drops_their_own(dial: Any) -> None:
    """However many come from one address, those who came from elsewhere before are served."""
    async with serving(well, connections=20) as server:
        quiet = [await dial(server.port, f"127.0.0.{2 + number}") for number in range(3)]
        crowd = [await dial(server.port, f"127.0.1.{1 + number % 2}") for number in range(100)]
        for line in (*quiet, crowd[-1]):
            await line.send(ASK)
            assert (await line.answer())[0] == 200
        assert await crowd[0].rest() == b""


async def test_some_connections_are_only_for_callers_on_this_machine(
    dial: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    stays, here = asyncio.Event(), asyncio.Semaphore(0)

    async def slow(_: web.Request) -> web.Response:
        here.release()
        await stays.wait()
        return web.Response()

    far = ip_address("127.0.0.9")
    own = http_server._is_own
    monkeypatch.setattr(http_server, "_is_own", lambda address: address != far and own(address))
    async with serving(slow, connections=16) as server:
        busy = [await dial(server.port, "127.0.0.2") for _ in range(7)]
        busy += [await dial(server.port, "127.0.0.3") for _ in range(7)]
        for line in busy:
            await line.send(ASK)
            await here.acquire()
        # From elsewhere there is no room any more, for the host there is.
        assert (await (await dial(server.port, "127.0.0.9")).answer())[0] == 503
        host = await dial(server.port, "127.0.0.1")
        await host.send(ASK)
        stays.set()
        assert (await host.answer())[0] == 200


async def test_one_address_has_only_so_many_connections(dial: Any, log: io.StringIO) -> None:
    async with serving(well, per_address=8) as server:
        others = [await dial(server.port, "127.0.0.2") for _ in range(4)]
        here = [await dial(server.port) for _ in range(8)]
        newest = await dial(server.port)
        await newest.send(ASK)
        assert (await newest.answer())[0] == 200
        assert await here[0].rest() == b""
        for line in (*others, *here[1:]):
            await line.send(ASK)
            assert (await line.answer())[0] == 200
    assert log.getvalue().count("too many connections from one address") == 1
    assert "web.proxies" in log.getvalue()


async def test_the_connections_of_a_proxy_count_for_those_behind_it(
    tmp_path: Path,
) -> None:
    """A proxy has as many as it wants; one person behind it has not."""
    async with (
        open_table(
            tmp_path / "azumaya.db", connections_per_address=16, proxies=("127.0.0.1",)
        ) as table,
        Browser(table.url, **{"X-Forwarded-For": "1.2.3.4"}) as anna,
        Browser(table.url, **{"X-Forwarded-For": "1.2.3.4, 5.6.7.8"}) as ben,
    ):
        for browser in (anna, ben):
            assert (await browser.arrive("Anna" if browser is anna else "Ben"))[0] == 200
        hers = [await anna.tab() for _ in range(11)]
        # Half of so few are for those who only ask.
        assert [await tab.closed() for tab in hers[:3]] == [page_socket.MAKES_ROOM] * 3
        # What somebody claims before the proxy adds who it was does not count.
        his = [await ben.tab() for _ in range(4)]
        for tab in (*hers[3:], *his):
            assert (await tab.say("Here I am"))["ok"]


PROXIES = ("127.0.0.0/8", "10.0.0.0/24", "fd00::1")


@pytest.mark.parametrize(
    ("peer", "forwarded", "counted"),
    [
        ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", ["1.2.3.4"], "1.2.3.4"),
        ("127.0.0.1", ["9.9.9.9, 1.2.3.4"], "1.2.3.4"),
        ("127.0.0.1", ["9.9.9.9", "1.2.3.4"], "1.2.3.4"),
        ("127.0.0.1", ["1.2.3.4, 10.0.0.7"], "1.2.3.4"),
        ("127.0.0.1", ["10.0.0.7"], "10.0.0.7"),
        ("127.0.0.1", ["1.2.3.4, nonsense"], "127.0.0.1"),
        ("127.0.0.1", ["1.2.3.4:5678"], "1.2.3.4"),
        ("127.0.0.1", ["[2001:db8:1:2:3::9]:5678"], "2001:db8:1:2::/64"),
        ("127.0.0.1", ["::ffff:1.2.3.4"], "1.2.3.4"),
        ("fd00::1", ["2001:db8:1:2:aaaa::"], "2001:db8:1:2::/64"),
        ("2001:db8:1:2:3::9", ["1.2.3.4"], "2001:db8:1:2::/64"),
        ("::ffff:5.6.7.8", ["1.2.3.4"], "5.6.7.8"),
        ("5.6.7.8", ["1.2.3.4"], "5.6.7.8"),
    ],
)
def test_a_request_counts_for_whom_a_trusted_proxy_names(
    peer: str, forwarded: list[str], counted: str
) -> None:
    limits = ConnectionLimits(connections=9, per_address=9, reserve=0, proxies=PROXIES)
    server = HttpServer(web.Application(), host="127.0.0.1", port=0, limits=limits)

    class Asked:
        remote = peer

        class headers:  # noqa: N801 - as the request names it
            @staticmethod
            def getall(name: str, default: object) -> object:
                assert name == "X-Forwarded-For"
                return forwarded or default

    assert server.caller(Asked())[-1] == counted  # type: ignore[arg-type]


def test_an_address_counts_for_its_network_its_household_and_its_site() -> None:
    assert http_server._groups(ip_address("2001:db8:1:2345:6::7")) == (
        "2001:db8:1::/48",
        "2001:db8:1:2300::/56",
        "2001:db8:1:2345::/64",
    )
    assert http_server._groups(ip_address("1.2.3.4")) == ("1.2.3.4",)


async def test_a_site_with_many_networks_has_as_many_connections_as_one_address(
    dial: Any, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    """127.1.0.0/16 is the site: each of its addresses is a network of its own."""

    def groups(address: Any) -> tuple[str, ...]:
        parts = str(address).split(".")
        if parts[1] == "0":
            return (str(address),)
        return tuple(".".join(parts[:size]) for size in (2, 3, 4))

    monkeypatch.setattr(http_server, "_groups", groups)
    # Nobody goes for having asked nothing.
    monkeypatch.setattr(http_server, "_HEAD_SECONDS", 3600.0)
    async with serving(well, connections=100, per_address=6) as server:
        office = [await dial(server.port, "127.0.0.2") for _ in range(6)]
        site = [await dial(server.port, f"127.1.{n // 4}.{1 + n}") for n in range(12)]
        # A neighbour, in the same site, is not shut out by who has most of it.
        neighbour = await dial(server.port, "127.1.9.1")
        for line in (*office, neighbour, site[-1]):
            await line.send(ASK)
            assert (await line.answer())[0] == 200
        # Always the oldest one of what was the fullest part of it then; so parts end up even.
        for number in (0, 1, 4, 5, 2, 8, 9):
            assert await site[number].rest() == b""
        assert len(server._connections._of["127.1"]) == 6
    assert log.getvalue().count("too many connections from one address") == 1


async def test_when_descriptors_run_out_accepting_pauses_and_says_so_once(
    dial: Any, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    accept, tried = loop.sock_accept, asyncio.Semaphore(0)
    left = {"none": True}

    async def sock_accept(listening: Any) -> Any:
        tried.release()
        if left["none"]:
            raise OSError(24, "Too many open files")
        return await accept(listening)

    monkeypatch.setattr(loop, "sock_accept", sock_accept)
    monkeypatch.setattr(http_server, "_PAUSE", 0.05)
    async with serving(well) as server:
        line = await dial(server.port)
        await line.send(ASK)
        began = loop.time()
        for _ in range(4):
            await tried.acquire()
        assert loop.time() - began > 3 * 0.04
        left["none"] = False
        assert (await line.answer())[0] == 200
    assert log.getvalue().count("no descriptor is left") == 1
    assert "Traceback" not in log.getvalue()


async def test_there_are_no_more_connections_than_descriptors(
    dial: Any, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(descriptors, "free", lambda: 50)
    async with serving(well, connections=1000, reserve=40) as server:
        opened = [await dial(server.port, f"127.0.0.{2 + number}") for number in range(11)]
        assert await opened[0].rest() == b""
        await opened[-1].send(ASK)
        assert (await opened[-1].answer())[0] == 200
    assert "connections=10" in log.getvalue()


# --- what we lean on --------------------------------------------------------------------------


def test_the_library_still_offers_what_we_override() -> None:
    """Were one of these renamed, ours would silently never be called."""
    for name in ("handle_error", "log_exception", "connection_made", "data_received"):
        assert callable(getattr(web.RequestHandler, name))
        assert name in vars(http_server._Connection)
    # Its own names: one of ours among them would change what it does.
    taken = {name for each in web.RequestHandler.__mro__ for name in vars(each)}
    made = {"address", "_connections", "_time", "_carrier", "_deadline", "_is_closing"}
    assert not taken & (made | {"is_shared", "_is_between", "wait", "serving", "is_late", "abort"})


async def test_a_page_that_stays_open_is_not_late(
    table: Open, arrive: Arrive, hurry: None, dial: Any
) -> None:
    tab = await (await arrive("Anna")).tab()
    slow = await dial(table.web.port)
    await slow.send(ASK[:-2])
    await slow.rest()
    assert (await tab.say("still here"))["ok"]
