"""Forged HTTP requests: each is answered below 500 or closes the connection."""

import asyncio
import gzip
import json
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from random import Random

from hypothesis import strategies as st

from tools.attack import inputs
from tools.attack.fuzz import unharmed
from tools.attack.page import Page, browser
from tools.attack.process import App
from tools.attack.report import Scene

_SHORT = 250
_CONNECTIONS = 8
_AT_ONCE = 2.0
"""Seconds to wait for an answer before saying that nothing more will be sent."""
_PATIENCE = 15.0
_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) ")

_SECRETS = ("SECRETcookieSECRETcookie", "SECRETheaderSECRETheader", "SECRETquerySECRETquery")
"""Sent, and not to be logged."""


async def fuzz_http(scene: Scene) -> None:
    app = App(scene.folder)
    async with unharmed(scene, app) as victims, app.running():
        victims.secrets += _SECRETS
        known, rounds = _known(scene.luck("known")), scene.rounds(_SHORT)
        senders = (_Sender(scene, app, number) for number in range(_CONNECTIONS))
        await asyncio.gather(*(sender.run(known, rounds) for sender in senders))
        async with browser() as session, Page("Honest", app.url, session).here() as page:
            answer = await page.says("/help")
            scene.report.check(answer["ok"], "others are served after all that", answer)
            victims.secrets.append(page.cookie)


class _Sender:
    def __init__(self, scene: Scene, app: App, number: int) -> None:
        self.report, self.port, self.address = scene.report, app.port, f"127.0.3.{number + 1}"
        self.forged = inputs.examples(_FORGED, scene.luck(number))

    async def run(self, known: Iterator[bytes], rounds: Iterator[int]) -> None:
        for request in known:
            await self._send(request)
        for _ in rounds:
            await self._send(await anext(self.forged))

    async def _send(self, request: bytes) -> None:
        status = await _send_raw(self.port, request, self.address)
        kind = "closed" if status == 0 else "none" if status < 0 else f"{status // 100}xx"
        self.report.count(f"answers: {kind}")
        what = f"{status} to {request!r:.300}"
        self.report.check(status >= 0, "every request is answered or closed", what)
        self.report.check(status < 500, "no internal error", what)


async def _send_raw(port: int, request: bytes, address: str) -> int:
    """Send these bytes; return the status, 0 for a closed connection, -1 for neither."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    try:
        writer.write(request)
        await writer.drain()
        answer = asyncio.ensure_future(reader.readline())
        done, _ = await asyncio.wait({answer}, timeout=_AT_ONCE)
        if not done:
            writer.write_eof()
        async with asyncio.timeout(_PATIENCE):
            found = _STATUS.match(await answer)
        return int(found[1]) if found else 0
    except ConnectionError:
        return 0
    except TimeoutError:
        return -1
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


def _request(
    method: str, path: str, *headers: str, body: bytes = b"", length: int | None = None
) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", *headers]
    if method == "POST":
        lines.append(f"Content-Length: {len(body) if length is None else length}")
    return "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape") + body


def _known(luck: Random) -> Iterator[bytes]:
    """Yield requests that once caused an error, or nearly."""
    body = json.dumps({"name": "Gus", "language": "en"}).encode()
    cookie, header, query = _SECRETS
    for packing, packed in (("gzip", gzip.compress(body)), ("deflate", zlib.compress(body))):
        spoilt = packed[:12] + bytes([packed[12] ^ 255]) + packed[13:]
        bomb, twice = zlib.compress(b" " * 4_000_000), gzip.compress(packed)
        for sent in (luck.randbytes(99), packed[:-9], spoilt, b"", bomb, twice):
            yield _request("POST", "/arrive", f"Content-Encoding: {packing}", body=sent)
    yield _request("POST", "/arrive", "Content-Encoding: br", body=b"\x0b\x02")
    yield _request("GET", "/me", f"Cookie: azumaya={cookie}; x={'a' * 9000}")
    yield _request("GET", "/me", f"Cookie: azumaya={cookie}\x01bad")
    yield _request("GET", "/", f"Authorization {header}")
    yield _request("GET", "/", f"X-Odd: {header}{'b' * 70_000}")
    yield _request("GET", "/", *(f"X-{n}: {header}" for n in range(1000)))
    yield _request("GET", f"/?key={query}{'c' * 9000}")
    yield _request("GET", f"/?key={query}\x01")
    yield f"{query}\r\n\r\n".encode()
    # The beginning of TLS.
    yield b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + luck.randbytes(99)
    yield _request(header, "/")
    yield _request("POST", "/arrive", "Content-Length: 3", body=body)
    for length in (-1, 10**30, 4000):
        yield _request("POST", "/arrive", body=body, length=length)
    yield _request("POST", "/arrive", body=b"[" * 5000)
    chunked = _request(
        "POST", "/arrive", "Transfer-Encoding: chunked", body=b"zz\r\n{}\r\n0\r\n\r\n"
    )
    yield chunked.replace(b"Content-Length: 14\r\n", b"")
    yield b"GET / HTTP/9.9\r\n\r\n"
    upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13")
    for key in ("", "short", "x" * 1000):
        yield _request("GET", "/socket", *upgrade, f"Sec-WebSocket-Key: {key}")


_posted = inputs.bodies.map(json.dumps)
_odd = inputs.arguments.map(lambda text: text.replace("\r", "").replace("\n", ""))
_pictures = st.builds(
    "/picture/{}/{}.png?theme={}".format, st.integers(0, 99), st.integers(0, 9), _odd
)
_paths = st.sampled_from(("/me", "/socket", "/health", "/static/..%2f..%2fetc")) | _pictures
_FORGED = st.one_of(
    st.builds(
        lambda body, header: _request("POST", "/arrive", header, body=body.encode()),
        _posted | inputs.spoilt(_posted),
        st.sampled_from(("X: y", "Content-Type: \0", "Content-Encoding: gzip")),
    ),
    st.builds(
        lambda method, path: _request(method, path.replace(" ", "+")),
        st.sampled_from(("GET", "HEAD", "POST", "PUT")),
        _paths | st.builds("/static/{}".format, _odd) | st.builds("/{}".format, _odd),
    ),
    st.builds(
        lambda path, name, value: _request("GET", path, f"{name}{value}"),
        st.sampled_from(("/", "/me", "/socket")),
        st.sampled_from(("Cookie: azumaya=", "Origin: ", "Host: ", "If-None-Match: ")),
        _odd,
    ),
)
