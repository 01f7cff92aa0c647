"""Requests: malformed, many at once, through proxies; and what we rely on in aiohttp."""

import asyncio
import io
import zlib
from dis import get_instructions
from typing import Any

import pytest
from aiohttp import web

from bot.fronts.http import server as http_server
from bot.fronts.http.addresses import parse_address
from bot.fronts.http.server import HEADERS, Connection, ConnectionLimits, HttpServer
from bot.fronts.web import server as web_server
from tests.bot.fronts.browsing import Open
from tests.bot.fronts.conftest import Arrive
from tests.bot.fronts.http.lines import (
    ASK,
    COOKIE,
    PATIENCE,
    POST,
    SECRET,
    UPGRADE,
    Held,
    asked,
    serving,
)

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


@pytest.mark.slow
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
    assert await (await dial(table.web.port)).ask() == 200


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
    assert await line.ask(POST + head.encode() + body) == 400
    assert log.getvalue() == ""


async def test_whoever_hangs_up_in_the_middle_of_a_body_is_no_line_in_the_log(
    table: Open, dial: Any, log: io.StringIO
) -> None:
    line = await dial(table.web.port)
    await line.send(POST + b"Content-Length: 100\r\n\r\n{")
    line.writer.transport.abort()
    assert await (await dial(table.web.port)).ask() == 200
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
    connection = Connection.__new__(Connection)
    connection.address = parse_address(peer)

    class Asked:
        protocol = connection

        class headers:  # noqa: N801 - as the request names it
            @staticmethod
            def getall(name: str, default: object) -> object:
                assert name == "X-Forwarded-For"
                return forwarded or default

    assert server.caller(Asked())[-1] == counted  # type: ignore[arg-type]


async def test_no_household_of_a_site_waits_for_the_slow_requests_of_another(
    dial: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A site is 127.1.0.0/16 here, a household 127.1.1.0/24; three keep a fourth waiting."""

    def groups(address: Any) -> tuple[str, ...]:
        parts = str(address).split(".")
        return tuple(".".join(parts[:size]) for size in (2, 3, 4))

    monkeypatch.setattr(http_server, "groups_of", groups)
    held = Held()

    async def crowd(household: int) -> list[Any]:
        lines = [await dial(server.port, f"127.1.{household}.{1 + n}") for n in range(12)]
        for line in lines:
            await line.send(ASK)
        # A caller from elsewhere is served.
        other = await dial(server.port, f"127.{10 + household}.1.1")
        assert await other.ask(ASK.replace(b"/health", b"/other")) == 200
        return lines

    async def handler(request: web.Request) -> web.Response:
        return web.Response() if request.path == "/other" else await held.slow(request)

    async with serving(handler) as server:
        waiting = await crowd(1)
        assert held.at_work == 8
        waiting += await crowd(2)
        assert held.at_work == 16
        waiting += await crowd(3)
        assert held.at_work == 16
        held.go_on.set()
        for line in waiting:
            assert (await line.answer())[0] == 200


async def test_between_two_looks_at_others_few_requests_of_one_address_are_answered(
    dial: Any,
) -> None:
    """Also of those that wait for nothing, and of a connection that sends them all in advance."""
    answered, most = 0, 0

    async def well_counted(_: web.Request) -> web.Response:
        nonlocal answered
        answered += 1
        return web.Response()

    async def look() -> None:
        nonlocal most
        while True:
            before = answered
            await asyncio.sleep(0)
            most = max(most, answered - before)

    async with serving(well_counted) as server:
        crowd = [await dial(server.port) for _ in range(50)]
        looking = asyncio.create_task(look())
        for line in crowd:
            await line.send(ASK * 5)
        for line in crowd:
            for _ in range(5):
                assert (await line.answer())[0] == 200
        looking.cancel()
    assert most <= 8


async def test_who_waits_too_long_for_others_of_the_address_may_come_back_soon(
    dial: Any, hurry: None
) -> None:
    async def endless(_: web.Request) -> web.Response:
        await asyncio.Event().wait()
        raise AssertionError

    async with serving(endless) as server:
        busy = [await dial(server.port) for _ in range(8)]
        for line in busy:
            await line.send(ASK)
        late = await dial(server.port)
        await late.send(ASK)
        status, head = await late.answer()
        assert status == 503
        assert "\r\nRetry-After: 1\r\n" in head
        for line in busy:
            await line.close()


@pytest.mark.parametrize(
    ("proxies", "who", "at_once"),
    [([], "", 8), (["127.0.0.1"], "", 20), (["127.0.0.1"], "X-Forwarded-For: 1.2.3.4\r\n", 8)],
)
async def test_few_requests_of_one_address_or_whom_a_proxy_names_are_worked_on_at_once(
    dial: Any, proxies: list[str], who: str, at_once: int
) -> None:
    held = Held()
    async with serving(held.slow, proxies=proxies) as server:
        crowd = [await dial(server.port) for _ in range(20)]
        for line in crowd:
            await line.send(ASK[:-2] + who.encode() + b"\r\n")
        for _ in range(at_once):
            await held.begun.acquire()
        held.go_on.set()
        for line in crowd:
            assert (await line.answer())[0] == 200
    assert held.most == at_once


async def test_pages_that_stay_leave_their_address_all_it_may_ask_at_once(
    table: Open, arrive: Arrive, dial: Any
) -> None:
    anna = await arrive("Anna")
    tabs = [await anna.tab() for _ in range(12)]
    assert await (await dial(table.web.port)).ask() == 200
    for tab in tabs:
        assert (await tab.say("still here"))["ok"]


async def test_whoever_has_hung_up_waits_for_no_turn(
    dial: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "_TURN_SECONDS", 2 * PATIENCE)
    held = Held()
    async with serving(held.slow, per_address=20) as server:
        before = len(asyncio.all_tasks())
        for _ in range(100):
            line = await dial(server.port)
            await line.send(ASK)
            await line.close()
        most = before + 2 * 20
        while len(asyncio.all_tasks()) > most:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.01)
        held.go_on.set()


async def test_a_page_that_is_sent_away_and_says_no_goodbye_holds_nobody_up(
    table: Open, arrive: Arrive, dial: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_server, "_GOODBYE", 60.0)
    anna = await arrive("Anna")
    ask = asked(table, "/socket", anna, UPGRADE)
    # She has connected as often as she may, and goes on; then none says goodbye.
    for number in range(32 + 12):
        line = await dial(table.web.port)
        assert await line.ask(ask) == 101
        if number < 32:
            await line.close()
    assert await (await dial(table.web.port)).ask() == 200


async def test_who_asks_for_a_socket_and_gets_none_has_to_read_like_others(
    table: Open, arrive: Arrive, dial: Any, hurry: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "_READ_SECONDS", 0.2)
    monkeypatch.setattr(http_server, "_SLOWEST", 100_000_000)
    anna = await arrive("Anna")
    gone = asyncio.Event()
    lost = Connection.connection_lost

    def connection_lost(self: Any, error: BaseException | None) -> None:
        lost(self, error)
        if self.groups[-1].startswith("127.0.0.2"):
            gone.set()

    monkeypatch.setattr(Connection, "connection_lost", connection_lost)
    line = await dial(table.web.port, "127.0.0.2")
    # It is no upgrade, and the connection stays.
    assert await line.ask(asked(table, "/socket", anna)) == 400
    line.writer.transport.pause_reading()
    line.writer.write(asked(table, f"{await anna.folder()}/opensans.ttf", anna) * 300)
    await gone.wait()


async def test_requests_that_wait_are_not_read_without_end(dial: Any) -> None:
    held = Held()

    async def handler(request: web.Request) -> web.Response:
        return await held.slow(request) if request.path == "/slow" else web.Response()

    async with serving(handler) as server:
        line = await dial(server.port)
        await line.send(ASK.replace(b"/health", b"/slow"))
        line.writer.write(ASK * 100_000)
        # Other requests are served while the body is read.
        for _ in range(50):
            other = await dial(server.port)
            assert await other.ask() == 200
            await other.close()
        held.go_on.set()


def test_the_library_offers_what_we_override_and_has_no_other_name_of_ours() -> None:
    """Were one renamed, ours would never be called. Were one added, ours would change it."""
    handler, ours = web.RequestHandler, Connection
    names = ["handle_error", "log_exception", "connection_made", "data_received"]
    names += ["connection_lost", "pause_reading", "resume_reading"]
    assert all(callable(getattr(handler, name)) for name in names)
    taken = {name for each in handler.__mro__ for name in vars(each)}
    made = [each.argval for each in get_instructions(ours.__init__) if each.opname == "STORE_ATTR"]
    assert made
    found = {*made, *vars(ours)} & taken
    assert sorted(name for name in found if not name.startswith("__")) == sorted(names)


async def test_a_page_that_stays_open_is_not_late(
    table: Open, arrive: Arrive, hurry: None, dial: Any
) -> None:
    tab = await (await arrive("Anna")).tab()
    slow = await dial(table.web.port)
    await slow.send(ASK[:-2])
    await slow.rest()
    assert (await tab.say("still here"))["ok"]
