"""Slow and many clients, over raw connections."""

import asyncio
import io
from ipaddress import ip_address
from typing import Any

import pytest
from aiohttp import web

from bot.fronts.http import addresses
from bot.fronts.http import server as http_server
from bot.fronts.http.addresses import group_limits, groups_of
from bot.support import process
from tests.bot.fronts.http.lines import ASK, PATIENCE, POST, Held, serving, well


@pytest.mark.parametrize("half", [b"", b"GET / HT", ASK[:-2]], ids=["nothing", "line", "head"])
async def test_half_a_request_is_not_waited_for(dial: Any, hurry: None, half: bytes) -> None:
    async with serving(well) as server:
        slow = [await dial(server.port)]
        if half:
            # A second request, too.
            assert await slow[0].ask() == 200
        slow += [await dial(server.port) for _ in range(49)]
        for line in slow:
            await line.send(half)
        for line in slow:
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
        assert await line.ask() == 200
        late = await dial(server.port)
        await late.send(ASK[:-2])
        # By the time this one has been ended the other has waited longer than a head may take.
        await late.rest()
        assert await line.ask() == 200
        monkeypatch.setattr(http_server, "_IDLE_SECONDS", 0.2)
        assert await line.ask() == 200
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


async def asks_and_does_not_read(dial: Any, port: int) -> Any:
    line = await dial(port)
    line.writer.transport.pause_reading()
    await line.send(ASK)
    return line


async def test_who_reads_slowly_gets_all_of_it(
    dial: Any, hurry: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "_READ_SECONDS", 0.0)
    monkeypatch.setattr(http_server, "_SLOWEST", MUCH / PATIENCE)
    swept = asyncio.Semaphore(0)
    late = http_server.Connection.is_overdue

    def is_late(self: Any, now: float) -> bool:
        swept.release()
        return late(self, now)

    monkeypatch.setattr(http_server.Connection, "is_overdue", is_late)
    async with serving(much) as server:
        line = await asks_and_does_not_read(dial, server.port)
        async with asyncio.timeout(PATIENCE):
            for _ in range(10):
                await swept.acquire()
        line.writer.transport.resume_reading()
        assert (await line.answer())[0] == 200


MUCH = 20_000_000
"""Bytes: more than the system buffers for a client that does not read."""


async def much(_: web.Request) -> web.Response:
    return web.Response(body=bytes(MUCH))


async def test_where_there_is_no_room_whoever_waited_longest_goes(dial: Any) -> None:
    async with serving(well, connections=20) as server:
        idle = [await dial(server.port, f"127.0.0.{2 + number % 5}") for number in range(20)]
        for line in idle[:5]:
            # A connection with a recent request is closed after those without one.
            assert await line.ask() == 200
        newcomers = [await dial(server.port) for _ in range(5)]
        for line in newcomers:
            assert await line.ask() == 200
        for line in idle[5:10]:
            assert await line.rest() == b""
        for line in idle[:5]:
            assert await line.ask() == 200


async def test_requests_that_are_served_are_not_ended_for_others(
    dial: Any, log: io.StringIO
) -> None:
    held = Held()
    async with serving(held.slow, connections=8) as server:
        busy = [await dial(server.port, f"127.0.0.{2 + number % 4}") for number in range(8)]
        for line in busy:
            await line.send(ASK)
            await held.begun.acquire()
        assert not server.has_room
        for _ in range(3):
            status, head = await (await dial(server.port)).answer()
            assert status == 503
            assert "\r\nServer: Azumaya\r\n" in head
        held.go_on.set()
        for line in busy:
            assert (await line.answer())[0] == 200
    assert len(log.getvalue().splitlines()) == 1


async def test_whoever_opens_many_drops_their_own(dial: Any) -> None:
    """However many come from one address, those who came from elsewhere before are served."""
    async with serving(well, connections=20) as server:
        quiet = [await dial(server.port, f"127.0.0.{2 + number}") for number in range(3)]
        crowd = [await dial(server.port, f"127.0.1.{1 + number % 2}") for number in range(100)]
        for line in (*quiet, crowd[-1]):
            assert await line.ask() == 200
        assert await crowd[0].rest() == b""


async def test_some_connections_are_only_for_callers_on_this_machine(
    dial: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held()
    far = ip_address("127.0.0.9")
    own = addresses.is_local
    monkeypatch.setattr(http_server, "is_local", lambda address: address != far and own(address))
    async with serving(held.slow, connections=16) as server:
        busy = [await dial(server.port, "127.0.0.2") for _ in range(7)]
        busy += [await dial(server.port, "127.0.0.3") for _ in range(7)]
        for line in busy:
            await line.send(ASK)
            await held.begun.acquire()
        # From elsewhere there is no room any more, for the host there is.
        assert (await (await dial(server.port, "127.0.0.9")).answer())[0] == 503
        host = await dial(server.port, "127.0.0.1")
        await host.send(ASK)
        held.go_on.set()
        assert (await host.answer())[0] == 200


async def test_one_address_has_only_so_many_connections(dial: Any, log: io.StringIO) -> None:
    async with serving(well, per_address=8) as server:
        others = [await dial(server.port, "127.0.0.2") for _ in range(4)]
        here = [await dial(server.port) for _ in range(8)]
        assert await (await dial(server.port)).ask() == 200
        assert await here[0].rest() == b""
        for line in (*others, *here[1:]):
            assert await line.ask() == 200
    assert log.getvalue().count("too many connections from one address") == 1
    assert "web.proxies" in log.getvalue()


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
    monkeypatch.setattr(process, "free_files", lambda: 50)
    async with serving(well, connections=1000, reserve=40) as server:
        opened = [await dial(server.port, f"127.0.0.{2 + number}") for number in range(11)]
        assert await opened[0].rest() == b""
        assert await opened[-1].ask() == 200
    assert "connections=10" in log.getvalue()


def test_an_address_counts_for_its_network_its_household_and_its_site() -> None:
    assert groups_of(ip_address("2001:db8:1:2345:6::7")) == (
        "2001:db8:1::/48",
        "2001:db8:1:2300::/56",
        "2001:db8:1:2345::/64",
    )
    assert groups_of(ip_address("1.2.3.4")) == ("1.2.3.4",)


def test_a_site_has_twice_what_one_of_its_households_has() -> None:
    caller = groups_of(ip_address("2001:db8:1:2345:6::7"))
    assert group_limits(caller, 8) == {"2001:db8:1:2300::/56": 8, "2001:db8:1::/48": 16}
    assert group_limits(groups_of(ip_address("1.2.3.4")), 8) == {"1.2.3.4": 8}
