"""What push services require: encrypted messages (RFC 8291) from a known sender (RFC 8292)."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from secrets import token_bytes
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_CURVE = ec.SECP256R1()
_RECORD = 4096
_SIGNED_SECONDS = 12 * 3600


class Signer:
    """Signs requests with the key of this database. `contact`: an address of the operator."""

    def __init__(self, secret: str, *, contact: str) -> None:
        self._key = ec.derive_private_key(1 + int(secret, 16) % (_CURVE.group_order - 1), _CURVE)
        self._contact = contact
        self.public = encoded(point(self._key.public_key()))
        """Browsers subscribe to the holder of this key."""

    def authorization(self, origin: str, *, now: int) -> str:
        """Return the header that identifies the sender to the push service at `origin`."""
        claims: dict[str, Any] = {"aud": origin, "exp": now + _SIGNED_SECONDS}
        if self._contact:
            claims["sub"] = self._contact
        parts = {"typ": "JWT", "alg": "ES256"}, claims
        signed = ".".join(encoded(json.dumps(part).encode()) for part in parts)
        signature = self._key.sign(signed.encode(), ec.ECDSA(SHA256()))
        numbers = utils.decode_dss_signature(signature)
        raw = b"".join(number.to_bytes(32, "big") for number in numbers)
        return f"vapid t={signed}.{encoded(raw)}, k={self.public}"


def encrypted(text: bytes, *, p256dh: str, auth: str) -> bytes:
    """Encrypt a message for a browser. Raises ValueError if its keys are invalid."""
    theirs, secret = decoded(p256dh), decoded(auth)
    if len(secret) != 16:
        raise ValueError(auth)
    receiver = ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, theirs)
    key, salt = ec.generate_private_key(_CURVE), token_bytes(16)
    ours = point(key.public_key())
    info = b"WebPush: info\0" + theirs + ours
    shared = _derived(key.exchange(ec.ECDH(), receiver), secret, info, 32)
    content_key = _derived(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(shared, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + _RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return header + AESGCM(content_key).encrypt(nonce, text + b"\2", None)


def encoded(data: bytes) -> str:
    """Encode in base64url, without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Decode base64url. Raises ValueError."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key as browsers give it."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derived(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(key)
