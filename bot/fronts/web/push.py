"""Notify the browsers of users while no page is open, through their push services (RFC 8030).

A push service learns when a browser is notified, and a number for the match. The text is encrypted.
"""

import asyncio
import json
import re
import socket
from ipaddress import ip_network
from typing import Any

from aiohttp import ClientConnectorError, ClientError, ClientSession, DummyCookieJar, TCPConnector
from aiohttp.abc import ResolveResult
from aiohttp.resolver import ThreadedResolver
from structlog import get_logger
from yarl import URL

from bot.app import App
from bot.delivery import ClosedError, GoneError, RetryError, UnsureError
from bot.delivery.pushes import Pushes
from bot.delivery.rooms import Rooms
from bot.domain.errors import Refused
from bot.domain.model import Match, Place, User
from bot.fronts.http.addresses import parse_address
from bot.fronts.web import WebSettings, sealing, wire
from bot.fronts.web.hub import DIRECT_ROOM
from bot.matches import MatchState
from bot.store.push_subscriptions import Subscription
from bot.support.platforms import WEB
from bot.support.settings import Settings

_log = get_logger(__name__)

_SECONDS = 5.0
"""For an answer."""
_A_DAY, _AN_HOUR = 24 * 3600, 3600

_NAME = re.compile(r"([a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]{0,62}")
_UNICAST = ip_network("2000::/3")
_WRAPPING_IPV4 = ip_network("2002::/16")
"""6to4. NAT64 and other mappings are outside of `_UNICAST`."""


class _PublicResolver(ThreadedResolver):
    """Finds only addresses in the internet: users choose the names."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        found = await super().resolve(host, port, family)
        if public := [one for one in found if is_public(one["host"])]:
            return public
        raise OSError("not a public address")


def is_public(address: str) -> bool:
    """Return whether an address belongs to no private network, nor to this machine."""
    found = parse_address(address)
    if found.version == 6 and (found not in _UNICAST or found in _WRAPPING_IPV4):
        return False
    return found.is_global and not found.is_multicast


def is_allowed(url: URL) -> bool:
    """Return whether `url` may be a push service's. Bare addresses would not be resolved."""
    is_plain = url.scheme == "https" and url.port == 443 and "@" not in url.raw_authority
    return is_plain and _NAME.fullmatch(url.raw_host or "") is not None


def _contact(settings: Settings) -> str:
    house = settings.house
    if "@" in house.contact and " " not in house.contact:
        return f"mailto:{house.contact}"
    pages = (house.privacy_url, *settings.of(WebSettings).origins)
    return next((page for page in pages if page.startswith("https:")), "")


class Push(Pushes):
    """Notifies browsers."""

    platform = WEB

    def __init__(self, app: App, rooms: Rooms, secret: str) -> None:
        super().__init__(app, rooms, secret)
        self._signer = sealing.Signer(secret, contact=_contact(app.settings))
        self.public_key = self._signer.public
        self._web = ClientSession(
            connector=TCPConnector(resolver=_PublicResolver()), cookie_jar=DummyCookieJar()
        )

    async def close(self) -> None:
        await self._web.close()

    async def subscribe(self, session_id: int, new: wire.PushFrame) -> None:
        """Change where a session is notified. Raises `Refused`."""
        if new.endpoint:
            try:
                is_good = is_allowed(URL(new.endpoint))
                sealing.encrypted(b"", p256dh=new.p256dh, auth=new.auth)
            except ValueError:
                is_good = False
            if not is_good:
                raise Refused("request")
        await self._change(Subscription(session_id, new.endpoint, new.p256dh, new.auth))

    async def _text(self, user: User, place: Place, board: str | None, loaded: MatchState) -> bytes:
        app, match = self._app, loaded.match
        reader = await app.readers.of(place, theme="light", user=user)
        texts = reader.texts
        names = await app.names.display_names(match.players - {user.id}, texts, place.id)
        channels = self._rooms.channels.items()
        shown: dict[str, Any] = {
            "title": " · ".join([texts(f"{match.game}-name"), *names.values()]),
            "body": await app.screens.news_line(loaded, reader, {user.id}, now=app.store.now()),
            "match": match.id,
            "room": next((room for room, one in channels if one.id == place.id), DIRECT_ROOM),
        }
        if board is not None and match.seats:
            look = wire.appearance(reader, theme=reader.theme)
            shown["picture"] = wire.picture_url(int(board), match.version, look)
            shown["code"] = match.code
        return json.dumps(shown, ensure_ascii=False).encode("utf-8", "replace")

    async def _post(self, to: Subscription, text: bytes, match: Match) -> None:
        url, now = URL(to.endpoint), self._app.store.now()
        left = match.clocks.left(now) if match.clocks else 0
        headers = {
            "Content-Encoding": "aes128gcm",
            "TTL": str(left or _A_DAY),
            # Replaces what has not been delivered yet.
            "Topic": f"match-{match.id}",
            "Urgency": "high" if 0 < left < _AN_HOUR else "normal",
        }

        def seal() -> bytes:
            headers["Authorization"] = self._signer.authorization(str(url.origin()), now=now)
            return sealing.encrypted(text, p256dh=to.p256dh, auth=to.auth)

        body = await asyncio.to_thread(seal)
        try:
            async with (
                asyncio.timeout(_SECONDS),
                self._web.post(url, data=body, headers=headers, allow_redirects=False) as answer,
            ):
                status, pause = answer.status, answer.headers.get("Retry-After", "")
        except ClientConnectorError:
            status, pause = 503, ""
        except (ClientError, TimeoutError):
            raise UnsureError from None
        if status < 300:
            return
        _log.info("notification refused by a push service", session=to.session_id, status=status)
        if status in (404, 410):
            raise GoneError
        if status == 429 or status >= 500:
            raise RetryError(float(pause) if pause.isdecimal() else None)
        raise ClosedError(str(status))
