"""Forged requests at the door: bodies of ``/arrive``, packed ones that are broken, odd headers.

Every request is answered without a fault of ours (nothing of 500 and above), or its line is
closed; the log has no traceback, and nothing of any header, whoever writes it.
"""

import asyncio
import gzip
import json
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from random import Random

from tools.attack import inputs
from tools.attack.fuzz_web import afterwards
from tools.attack.page import Page, browser
from tools.attack.process import App
from tools.attack.report import Scene
from tools.attack.victims import lay

__all__ = ["ask_raw", "fuzz_http"]

_SHORT = 250
_CALLERS = 8
_AT_ONCE = 2.0
"""Seconds for an answer; whoever gets none then says that nothing more will come."""
_PATIENCE = 15.0
_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) ")

SECRETS = ("SECRETcookieSECRETcookie", "SECRETheaderSECRETheader", "SECRETquerySECRETquery")
"""Stand in the requests, and must not stand in the log."""


async def fuzz_http(scene: Scene) -> None:
    """The whole attack; see the module."""
    app = App(scene.folder)
    victims = await lay(app.database, scene.luck("victims"))
    before = victims.rows()
    async with app.running():
        todo = iter(list(_inputs(scene)) if scene.seconds is None else _inputs(scene))
        await asyncio.gather(*(_caller(scene, app, number, todo) for number in range(_CALLERS)))
        # After all that somebody honest comes in.
        async with browser() as session, Page("Honest", app.url, session).here() as page:
            answer = await page.says("/help")
            scene.report.check(answer["ok"], "honest people are served", answer)
            cookie = page.cookie
    afterwards(scene, app, victims, before, [cookie, *SECRETS])


def _inputs(scene: Scene) -> Iterator[tuple[str, bytes]]:
    """What is sent, each with a word for what it is; the known bad ones come first."""
    luck = scene.luck("requests")
    yield from _known(luck)
    for _ in scene.rounds(_SHORT):
        yield _forged(luck)


async def _caller(scene: Scene, app: App, number: int, todo: Iterator[tuple[str, bytes]]) -> None:
    report = scene.report
    for what, sent in todo:
        report.count("requests sent")
        status = await ask_raw(app.port, sent, address=f"127.0.3.{number + 1}")
        kind = "closed" if status == 0 else "unanswered" if status < 0 else f"{status // 100}xx"
        report.count(f"answers: {kind}")
        report.check(status >= 0, "every request is answered or closed", f"{what}: {sent!r:.300}")
        report.check(
            status < 500, "nothing goes wrong on our side", f"{what}: {status} to {sent!r:.300}"
        )


async def ask_raw(port: int, sent: bytes, *, address: str = "127.0.0.1") -> int:
    """Send these bytes; the status of the answer, 0 for a closed line, -1 for neither."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    try:
        with suppress(ConnectionError):
            writer.write(sent)
            await writer.drain()
            answer = asyncio.ensure_future(reader.readline())
            done, _ = await asyncio.wait({answer}, timeout=_AT_ONCE)
            if not done:
                writer.write_eof()
            async with asyncio.timeout(_PATIENCE):
                found = _STATUS.match(await answer)
            return int(found[1]) if found else 0
    except TimeoutError:
        return -1
    else:
        return 0
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


# --- what is sent ---------------------------------------------------------------------------


def _request(
    method: str, path: str, *headers: str, body: bytes = b"", length: int | None = None
) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", *headers]
    if method == "POST":
        lines.append(f"Content-Length: {len(body) if length is None else length}")
    return "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape") + body


def _known(luck: Random) -> Iterator[tuple[str, bytes]]:
    """What once went wrong, or nearly."""
    body = json.dumps({"name": "Gus", "language": "en"}).encode()
    cookie, header, query = SECRETS
    for packing, packed in (("gzip", gzip.compress(body)), ("deflate", zlib.compress(body))):
        for what, sent in (
            ("rubbish", inputs.raw(luck)),
            ("cut off", packed[:-9]),
            ("spoilt", packed[:12] + bytes([packed[12] ^ 255]) + packed[13:]),
            ("nothing", b""),
            ("a bomb", zlib.compress(b" " * 4_000_000)),
            ("packed twice", gzip.compress(packed)),
        ):
            yield (
                f"{packing}, {what}",
                _request("POST", "/arrive", f"Content-Encoding: {packing}", body=sent),
            )
    yield "unknown packing", _request("POST", "/arrive", "Content-Encoding: br", body=b"\x0b\x02")
    yield (
        "a cookie of 9,000 characters",
        _request("GET", "/me", f"Cookie: azumaya={cookie}; x={'a' * 9000}"),
    )
    yield (
        "a cookie with a control character",
        _request("GET", "/me", f"Cookie: azumaya={cookie}\x01bad"),
    )
    yield "a header without a colon", _request("GET", "/", f"Authorization {header}")
    yield "a header of 70,000 characters", _request("GET", "/", f"X-Odd: {header}{'b' * 70_000}")
    yield "1,000 headers", _request("GET", "/", *(f"X-{n}: {header}" for n in range(1000)))
    yield "a long query", _request("GET", f"/?key={query}{'c' * 9000}")
    yield "an odd query", _request("GET", f"/?key={query}\x01")
    yield "no request at all", f"{query}\r\n\r\n".encode()
    yield "TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + inputs.raw(luck)
    yield "an unknown method", _request(header, "/")
    yield "lengths that differ", _request("POST", "/arrive", "Content-Length: 3", body=body)
    yield "a negative length", _request("POST", "/arrive", body=body, length=-1)
    yield "a length beyond all bounds", _request("POST", "/arrive", body=body, length=10**30)
    yield "more promised than sent", _request("POST", "/arrive", body=body, length=4000)
    yield "too long a body", _request("POST", "/arrive", body=b"[" * 5000)
    yield (
        "chunks of no number",
        _request(
            "POST", "/arrive", "Transfer-Encoding: chunked", body=b"zz\r\n{}\r\n0\r\n\r\n"
        ).replace(b"Content-Length: 14\r\n", b""),
    )
    yield "another version", b"GET / HTTP/9.9\r\n\r\n"
    for key in ("", "short", "x" * 1000):
        yield (
            "an odd handshake",
            _request(
                *("GET", "/socket", "Upgrade: websocket", "Connection: Upgrade"),
                *(f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"),
            ),
        )


def _forged(luck: Random) -> tuple[str, bytes]:
    """A request with something wrong, or with everything right."""
    kind = luck.randrange(5)
    if kind < 3:
        body = json.dumps(inputs.body(luck)).encode("utf-8", "surrogatepass")
        if luck.random() < 0.2:
            body = inputs.mutated(body.decode("utf-8", "replace"), luck).encode("utf-8", "replace")
        headers = [luck.choice(("Content-Type: application/json", "Content-Type: \0", "X: y"))]
        if luck.random() < 0.2:
            headers.append(f"Content-Encoding: {luck.choice(('gzip', 'deflate', 'identity'))}")
        return "arrive", _request("POST", "/arrive", *headers, body=body)
    odd = inputs.argument(luck).replace("\r", "").replace("\n", "")
    if kind == 3:
        path = luck.choice(
            (
                f"/picture/{luck.randrange(99)}/{luck.randrange(9)}.png?theme={odd}",
                f"/static/{odd}",
                f"/{odd}",
                "/me",
                "/socket",
                "/health",
                "/healthz",
                "/readyz",
                "/static/..%2f..%2fetc%2fpasswd",
            )
        )
        return "path", _request(luck.choice(("GET", "HEAD", "POST", "PUT")), path.replace(" ", "+"))
    name = luck.choice(("Cookie", "Origin", "Host", "Accept-Language", "If-None-Match", "Upgrade"))
    value = f"azumaya={odd}" if name == "Cookie" else odd
    return "header", _request("GET", luck.choice(("/", "/me", "/socket")), f"{name}: {value}")
