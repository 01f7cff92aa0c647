"""A push service on loopback. It checks signatures (RFC 8292) and decrypts what browsers get."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from secrets import token_bytes
from typing import Any, Self

from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC

from bot.fronts.web.sealing import decoded, encoded, point

CURVE = ec.SECP256R1()


def _mac(key: bytes, data: bytes) -> bytes:
    made = HMAC(key, SHA256())
    made.update(data)
    return made.finalize()


def decrypt(body: bytes, *, key: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """Decrypt a message step by step as in RFC 8291, section 3.4, and RFC 8188, section 2."""
    salt, record, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
    sender, sealed = body[21 : 21 + length], body[21 + length :]
    assert len(sealed) <= record
    assert len(body) <= 4096
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender))
    info = b"WebPush: info\0" + point(key.public_key()) + sender
    whole = _mac(salt, _mac(_mac(auth, shared), info + b"\1"))
    content_key = _mac(whole, b"Content-Encoding: aes128gcm\0\1")[:16]
    nonce = _mac(whole, b"Content-Encoding: nonce\0\1")[:12]
    text, end, padding = AESGCM(content_key).decrypt(nonce, sealed, None).rpartition(b"\2")
    assert (end, padding.strip(b"\0")) == (b"\2", b"")
    return text


def signed_claims(authorization: str, public_key: str) -> dict[str, Any]:
    """Check the signature and return the claims."""
    scheme, _, rest = authorization.partition(" ")
    values = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, values["k"]) == ("vapid", public_key)
    head, claims, signature = values["t"].split(".")
    raw = decoded(signature)
    numbers = (int.from_bytes(half, "big") for half in (raw[:32], raw[32:]))
    sender = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(public_key))
    checked = utils.encode_dss_signature(*numbers)
    sender.verify(checked, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    found: dict[str, Any] = json.loads(decoded(claims))
    return found


@dataclass(slots=True)
class Device:
    """A browser's subscription, and what it has received."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(CURVE))
    auth: bytes = field(default_factory=lambda: token_bytes(16))
    answers: list[tuple[int, str]] = field(default_factory=list)
    """Status and ``Retry-After`` of the next requests. Then 201."""
    is_slow: bool = False
    asked: int = 0
    shown: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def frame(self) -> dict[str, Any]:
        keys = {"p256dh": encoded(point(self.key.public_key())), "auth": encoded(self.auth)}
        return {"t": "push", "endpoint": self.endpoint, **keys}


class PushService:
    """A push service, and the devices that have subscribed to it."""

    def __init__(self) -> None:
        self.devices: list[Device] = []
        self.public_key = ""
        self._port = 0

    def device(self) -> Device:
        made = Device(f"http://localhost:{self._port}/to/{len(self.devices)}")
        self.devices.append(made)
        return made

    async def _take(self, request: web.Request) -> web.Response:
        device = self.devices[int(request.match_info["number"])]
        body = await request.read()
        claims = signed_claims(request.headers["Authorization"], self.public_key)
        assert claims["aud"] == f"http://localhost:{self._port}"
        device.asked += 1
        status, pause = device.answers.pop(0) if device.answers else (201, "")
        if status == 201:
            device.shown.append(json.loads(decrypt(body, key=device.key, auth=device.auth)))
            device.headers.append(dict(request.headers))
        if device.is_slow:
            await asyncio.Event().wait()
        return web.Response(status=status, headers={"Retry-After": pause} if pause else {})

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Self]:
        app = web.Application()
        app.add_routes([web.post(r"/to/{number:\d+}", self._take)])
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self._port = runner.addresses[0][1]
        try:
            yield self
        finally:
            await runner.cleanup()
