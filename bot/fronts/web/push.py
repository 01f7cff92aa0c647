"""Notify the browsers of users while no page is open, through their push services (RFC 8030).

A push service learns when a browser is notified, and a number for the match. The text is encrypted.
"""

import asyncio
import json
import re
import socket
from ipaddress import ip_network
from typing import Any, Self

from aiohttp import ClientConnectorError, ClientError, ClientSession, DummyCookieJar, TCPConnector
from aiohttp.abc import ResolveResult
from aiohttp.resolver import ThreadedResolver
from cachetools import TTLCache
from structlog import get_logger
from yarl import URL

from bot.app import App
from bot.delivery import ClosedError, DeliveryError, GoneError, Notice, RetryError, UnsureError
from bot.delivery.rooms import DIRECT_ROOM, appearance, picture_url
from bot.domain.errors import Refused
from bot.domain.model import Match, Place, User
from bot.fronts.http.addresses import parse_address
from bot.fronts.web import WebSettings, sealing, wire
from bot.matches import MatchState
from bot.store import key_values, people, push_subscriptions
from bot.store.push_subscriptions import Subscription
from bot.support.platforms import WEB
from bot.support.settings import Settings

_log = get_logger(__name__)

_SECONDS = 5.0
"""For an answer."""
_A_DAY, _AN_HOUR = 24 * 3600, 3600
_SOON = 1.0
_SLOW, _REST = 2.0, 60.0
"""A slow push service rests afterwards, so that it does not hold up boards again."""
_MOST_TRIES = 5
_PAUSE, _LONGEST_PAUSE = 30.0, 600.0
_REMEMBERED = 4096

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


class Push:
    """Notifies each browser once, even if others must wait for theirs."""

    def __init__(self, app: App, secret: str) -> None:
        """`secret`: the same for all processes, and for as long as browsers are subscribed."""
        self._app = app
        self._resting: TTLCache[int, bool] = TTLCache(_REMEMBERED, _REST)
        """By session."""
        self._asked: set[int] = set()
        """Sessions whose push service has not answered yet: each holds up one board."""
        self._tries: TTLCache[tuple[int, str], int] = TTLCache(_REMEMBERED, _A_DAY)
        self._signer = sealing.Signer(secret, contact=_contact(app.settings))
        self.public_key = self._signer.public
        self._web = ClientSession(
            connector=TCPConnector(resolver=_PublicResolver()), cookie_jar=DummyCookieJar()
        )

    @classmethod
    async def open(cls, app: App) -> Self:
        secret = await key_values.get(app.store, WEB, "push-key")
        assert secret is not None
        return cls(app, secret)

    async def close(self) -> None:
        await self._web.close()

    async def subscribe(self, session_id: int, new: wire.PushFrame) -> None:
        """Change where a session is notified: nowhere without an address. Raises `Refused`."""
        store = self._app.store
        if not new.endpoint:
            await push_subscriptions.remove(store, session_id)
            return
        try:
            is_good = is_allowed(URL(new.endpoint))
            sealing.encrypted(b"", p256dh=new.p256dh, auth=new.auth)
        except ValueError:
            is_good = False
        if not is_good:
            raise Refused("request")
        to = Subscription(session_id, new.endpoint, new.p256dh, new.auth)
        await push_subscriptions.put(store, to)

    async def notify(self, place: Place, notice: Notice, loaded: MatchState) -> None:
        """Notify the recipients. Raises `RetryError` if a push service wants a pause."""
        store, sending = self._app.store, []
        for recipient in notice.recipients:
            user = await people.by_identity(store, WEB, recipient.external)
            if user and (found := await push_subscriptions.of(store, user.id)):
                text = await self._text(user, place, notice.board, loaded)
                sending += [(to, text) for to in found]
        sent = await asyncio.gather(*(self._send(to, text, loaded.match) for to, text in sending))
        if waits := [wait for wait in sent if wait is not None]:
            raise RetryError(min(waits))

    async def _send(self, to: Subscription, text: bytes, match: Match) -> float | None:
        """Notify a browser once. Return seconds until the next attempt, or None."""
        if to.session_id in self._resting:
            return None
        if to.session_id in self._asked:
            return _SOON
        store, about = self._app.store, f"{match.id}.{match.news}"
        loop, failed = asyncio.get_running_loop(), None
        self._asked.add(to.session_id)
        try:
            if not await push_subscriptions.mark_sent(store, to, about):
                return None
            began = loop.time()
            await self._post(to, text, match)
        except DeliveryError as error:
            failed = error
        finally:
            self._asked.discard(to.session_id)
        # If it is unsure, it may have been sent.
        if isinstance(failed, UnsureError) or loop.time() - began > _SLOW:
            self._resting[to.session_id] = True
        if isinstance(failed, GoneError):
            await push_subscriptions.remove(store, to.session_id, endpoint=to.endpoint)
        if not isinstance(failed, RetryError):
            return None
        key = to.session_id, about
        self._tries[key] = tries = self._tries.get(key, 0) + 1
        if tries == _MOST_TRIES:
            return None
        await push_subscriptions.unmark_sent(store, to, about)
        return _PAUSE if failed.retry_after is None else min(failed.retry_after, _LONGEST_PAUSE)

    async def _text(self, user: User, place: Place, board: str | None, loaded: MatchState) -> bytes:
        app, match = self._app, loaded.match
        channels = app.settings.of(WebSettings).channels
        reader = await app.readers.of(place, theme="light", user=user)
        texts = reader.texts
        names = await app.names.display_names(match.players - {user.id}, texts, place.id)
        shown: dict[str, Any] = {
            "title": " · ".join([texts(f"{match.game}-name"), *names.values()]),
            "body": await app.screens.news_line(loaded, reader, {user.id}, now=app.store.now()),
            "match": match.id,
            "room": place.external if place.external in channels else DIRECT_ROOM,
        }
        if board is not None and match.seats:
            look = appearance(reader, theme=reader.theme)
            shown["picture"] = picture_url(int(board), match.version, look)
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
