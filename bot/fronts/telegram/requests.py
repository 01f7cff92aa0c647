"""Requests to the Bot API with aiohttp, in a third of the time of the library's own client."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
from telegram.error import NetworkError, TelegramError, TimedOut
from telegram.request import BaseRequest, RequestData

_CONNECT_SECONDS = 5.0
NEVER_SENT = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)
"""Causes of failures before any byte of the request was sent."""
PAYLOAD = "payload"

Failed = Callable[[int | None], None]


def _proxy_of(url: str) -> str | None:
    """Return the proxy that the environment names for an address, if any."""
    address = urlsplit(url)
    return None if proxy_bypass(address.hostname or "") else getproxies().get(address.scheme)


class Request(BaseRequest):
    """Sends requests. `failed` gets the status of failed ones, None without a response.

    Seconds: to wait for a response, also for a free one of the `connections`.
    """

    def __init__(self, failed: Failed, *, connections: int, seconds: float) -> None:
        self._failed = failed
        self._connections = connections
        self._seconds = seconds
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float:
        return self._seconds

    async def initialize(self) -> None:
        """Do nothing: of a cancelled start, the library would not shut down what begins here."""

    async def shutdown(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = BaseRequest.DEFAULT_NONE,
        *_: Any,
        **__: Any,
    ) -> tuple[int, bytes]:
        """Return the status and body of a response. Raises `NetworkError`, without the address."""
        if self._session is None:
            connector = aiohttp.TCPConnector(limit=self._connections)
            jar = aiohttp.DummyCookieJar()
            # With `trust_env`, each request would wait for two threads.
            self._session = aiohttp.ClientSession(
                connector=connector, cookie_jar=jar, proxy=_proxy_of(url)
            )
        # The library omits the data only for downloads.
        form = aiohttp.FormData(request_data.json_parameters) if request_data else None
        if request_data and form:
            for name, (filename, content, kind) in request_data.multipart_data.items():
                form.add_field(name, content, filename=filename, content_type=kind)
        seconds = read_timeout if isinstance(read_timeout, int | float) else self._seconds
        timeout = aiohttp.ClientTimeout(
            connect=self._seconds, sock_connect=_CONNECT_SECONDS, sock_read=seconds
        )
        try:
            async with self._session.request(
                method, url, data=form, timeout=timeout, allow_redirects=False
            ) as response:
                status, body = response.status, await response.read()
        except TimeoutError as error:
            self._failed(None)
            raise TimedOut from error
        except aiohttp.ClientError as error:
            self._failed(None)
            # Its text may contain the address, and so the token.
            raise NetworkError(type(error).__name__) from error
        if status >= 400:
            self._failed(status)
        return status, body

    @classmethod
    def parse_json_payload(cls, payload: bytes) -> dict[str, Any]:
        """Parse a response. The library would log a proxy's page, which may quote the address."""
        try:
            answer = json.loads(payload.decode(errors="replace"))
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise TelegramError("Invalid server response")
        result = answer.get("result")
        if isinstance(result, dict):
            # Parsing a board's keyboard is slow.
            for part in ("reply_markup", "reply_to_message"):
                result.pop(part, None)
        elif isinstance(result, list):
            # Updates, which may be anything, as the `PAYLOAD` of empty ones. In the library, an
            # invalid one would block all others.
            answer["result"] = [{"update_id": 0, PAYLOAD: update} for update in result]
        return answer
