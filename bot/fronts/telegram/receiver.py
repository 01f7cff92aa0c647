"""Receive updates, store them before they are confirmed, and pass each on once.

One process polls and passes updates on. Others only store what a webhook delivers. Polling sends no
offset if nothing is left to confirm: after a week of silence, Telegram draws new numbers.
"""

import asyncio
import hmac
import json
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from typing import Any

from aiohttp import web
from structlog import get_logger
from telegram import Bot, Update
from telegram.error import BadRequest, InvalidToken, NetworkError, RetryAfter, TelegramError
from telegram.request import HTTPXRequest

from bot.fronts.http import ConnectionLimits, HttpServer
from bot.fronts.telegram.reasons import reason_of
from bot.fronts.telegram.sender import pause_of
from bot.fronts.telegram.shapes import is_numbered, is_sound, unanswered_in
from bot.store.inbox import Inbox
from bot.support.backoff import Backoff
from bot.support.errors import StoreError
from bot.support.logs import store_failed
from bot.support.metrics import arrived
from bot.support.settings import TelegramSettings
from bot.support.signals import Signal

_log = get_logger(__name__)

WANTED = ("message", "edited_message", "channel_post", "callback_query", "my_chat_member")

_POLL_SECONDS = 50
_LOOK_EVERY = 5.0
"""Seconds between checks for updates that other processes stored. They also send a signal."""
_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
_PAUSES = Backoff(_PAUSE, _LONGEST_PAUSE)
_AWAY_PAUSES = Backoff(_PAUSE, 2.0)
"""Without a network, retries cost nothing."""
_AFTER_REFUSAL = 60.0
_LONGEST_UPDATE = 1 << 20
_CONNECTIONS = 128
"""Telegram opens 100 at most, all of them through our proxy."""
_RESERVE = 80

_PAYLOAD = "payload"

Take = Callable[[Sequence[Update]], Awaitable[None]]
AnswerLate = Callable[[int, str, str], None]
Failed = Callable[[int | None], None]


class _Watched(HTTPXRequest):
    """Report the status of failed requests, None without a response."""

    def __init__(self, failed: Failed, **options: Any) -> None:
        super().__init__(**options)
        self._failed = failed

    async def do_request(self, *arguments: Any, **named: Any) -> tuple[int, bytes]:
        try:
            status, body = await super().do_request(*arguments, **named)
        except NetworkError:
            self._failed(None)
            raise
        if status >= 400:
            self._failed(status)
        return status, body


class UntouchedUpdates(_Watched):
    """Leave updates as they are. In the library, one invalid update would block all others."""

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """Return each update as a number with a `_PAYLOAD`. Raises `TelegramError`."""
        answer: dict[str, Any] = HTTPXRequest.parse_json_payload(payload)
        if isinstance(updates := answer.get("result"), list):
            answer["result"] = [
                {"update_id": update["update_id"], _PAYLOAD: update}
                for update in updates
                if is_numbered(update)
            ]
            if updates and not answer["result"]:
                # Nothing can be confirmed, and the same updates would come again at once.
                raise TelegramError("updates without numbers")
            if without := len(updates) - len(answer["result"]):
                _log.warning("updates without numbers", updates=without)
        return answer


class Unread(_Watched):
    """Drop unused parts of responses, as parsing a board's keyboard is slow."""

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        answer: dict[str, Any] = HTTPXRequest.parse_json_payload(payload)
        if isinstance(result := answer.get("result"), dict):
            for part in ("reply_markup", "reply_to_message"):
                result.pop(part, None)
        return answer


def _without_board(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """Keep only the pressed button of a board's keyboard, as proof that it is not forged."""
    match payload:
        case {"callback_query": {"message": {"photo": _, "reply_markup": keyboard}}}:
            query = payload["callback_query"]
            message = {k: v for k, v in query["message"].items() if k != "reply_markup"}
            if pressed := _button(keyboard, query.get("data")):
                message["reply_markup"] = {"inline_keyboard": [[pressed]]}
            return {**payload, "callback_query": {**query, "message": message}}
        case _:
            return payload


def _button(keyboard: Any, token: Any) -> dict[str, Any] | None:
    match keyboard:
        case {"inline_keyboard": [*rows]}:
            buttons = (button for row in rows if isinstance(row, list) for button in row)
            return next(
                (
                    button
                    for button in buttons
                    if isinstance(button, dict) and token and button.get("callback_data") == token
                ),
                None,
            )
    return None


def _pause_after(error: TelegramError, failures: int) -> tuple[float, str]:
    pause = _PAUSES.after(failures)
    match error:
        case InvalidToken():
            # The library's message contains the token.
            return _AFTER_REFUSAL, "the token is refused"
        case RetryAfter():
            return max(pause, pause_of(error)), "a pause is wanted"
        case NetworkError() if not isinstance(error, BadRequest):
            pause = _AWAY_PAUSES.after(failures)
    return pause, reason_of(error)


class Receiver:
    """Receive updates and pass them to `take`, in order. It must not raise.

    `answer_late` gets buttons that were handled but not answered: the update's number, the query
    and the language of a refusal. `in_hand` are the numbers of updates in progress. `is_ours`
    returns whether this process serves Telegram. `roused` signals updates of other processes.
    """

    def __init__(
        self,
        bot: Bot,
        inbox: Inbox,
        settings: TelegramSettings,
        *,
        take: Take,
        answer_late: AnswerLate,
        in_hand: Collection[int] = (),
        is_ours: Callable[[], bool] = lambda: True,
        roused: Signal | None = None,
    ) -> None:
        self._in_hand = in_hand
        self._is_ours = is_ours
        self._roused = roused
        self._bot = bot
        self._inbox = inbox
        self._settings = settings
        self._take = take
        self._answer_late = answer_late
        self._server: HttpServer | None = None
        self._is_connected = False
        self._failures = 0
        self._ready = asyncio.Event()
        self._one_by_one = asyncio.Lock()
        self.port = 0

    async def run(self, connected: Callable[[], None]) -> None:
        while not self._is_connected:
            async with self._trying():
                await self._connect()
                self._is_connected = True
        connected()
        try:
            await self._take_left()
            self._ready.set()
            if self._settings.webhook_url:
                await self._find()
            else:
                await self._poll()
        finally:
            self._is_connected = False
            self._ready.clear()

    async def _take_left(self) -> None:
        async with self._one_by_one:
            await self._take(await self._left())

    @property
    def is_well(self) -> bool:
        return self._is_connected and not self._failures

    async def _connect(self) -> None:
        settings = self._settings
        await self._bot.initialize()
        if settings.webhook_url:
            await self._bot.set_webhook(
                settings.webhook_url,
                max_connections=settings.max_connections,
                allowed_updates=WANTED,
                secret_token=self._secret,
            )
        else:
            await self._bot.delete_webhook()

    async def _left(self) -> list[Update]:
        while True:
            try:
                left = []
                # Before the query: updates finished during it have left the inbox, too.
                in_hand = set(self._in_hand)
                for number, payload in (await self._inbox.unfinished()).items():
                    if number in in_hand:
                        continue
                    if left_over := unanswered_in(payload):
                        self._answer_late(number, *left_over)
                    elif update := self._read(payload):
                        left.append(update)
                    else:
                        # Valid when it was stored. It must not return at every start.
                        await self._inbox.finish(number)
            except StoreError as error:
                store_failed(_log, "inbox not read", error)
                await asyncio.sleep(_PAUSE)
            else:
                return left

    async def _store_all(self, updates: Iterable[Mapping[str, Any]]) -> None:
        """Store updates and pass on new ones. Raises `StoreError`."""
        lean = [_without_board(payload) for payload in updates]
        found = {payload["update_id"]: (payload, self._read(payload)) for payload in lean}
        known = {number: payload for number, (payload, update) in found.items() if update}
        # One delivery at a time, so that none overtakes another on its way to the executor.
        with arrived():
            async with self._one_by_one:
                new = await self._inbox.take_in(known)
                await self._take([update for number in new if (update := found[number][1])])

    def _read(self, payload: Mapping[str, Any]) -> Update | None:
        wanted = {key: payload[key] for key in ("update_id", *WANTED) if key in payload}
        with suppress(Exception):  # An invalid update must not affect the next one.
            if is_sound(wanted):
                return Update.de_json(wanted, self._bot)
        _log.warning("update not understood", update=payload.get("update_id"))
        return None

    async def _poll(self) -> None:
        offset: int | None = None
        while True:
            if not self._is_ours():
                # After a suspension, another process may have taken over. This is cancelled then.
                await asyncio.sleep(_PAUSE)
                continue
            async with self._trying():
                updates = await self._bot.get_updates(
                    offset,
                    timeout=_POLL_SECONDS,
                    allowed_updates=WANTED,
                )
                await self._store_all([update.api_kwargs[_PAYLOAD] for update in updates])
                offset = max(update.update_id for update in updates) + 1 if updates else None

    @asynccontextmanager
    async def _trying(self) -> AsyncIterator[None]:
        """Log the first of several failures. Pause longer and longer."""
        try:
            yield
        except TelegramError as error:
            pause, reason = _pause_after(error, self._failures + 1)
            if not self._failures:
                _log.warning("no updates from Telegram", reason=reason)
        except StoreError as error:
            pause = _PAUSE
            store_failed(_log, "updates not stored", error)
        except Exception:  # noqa: BLE001 - logged whole; polling must go on
            pause = _LONGEST_PAUSE
            _log.exception("updates not fetched")
        else:
            if self._failures:
                _log.info("receiving updates from Telegram again")
                self._failures = 0
            return
        self._failures += 1
        await asyncio.sleep(pause)

    async def _find(self) -> None:
        if self._roused is None:
            await asyncio.get_running_loop().create_future()
            return
        roused = self._roused.listen()
        try:
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_EVERY):
                        await roused.wait()
                roused.clear()
                await self._take_left()
        finally:
            self._roused.leave(roused)

    @property
    def _secret(self) -> str:
        """The webhook's secret: as set, or derived from the token."""
        own = self._settings.webhook_secret.get_secret_value()
        token = self._settings.token.get_secret_value()
        return own or sha256(f"azumaya webhook {token}".encode()).hexdigest()

    async def listen(self) -> None:
        """Open the webhook's port, if there is one. Raises OSError."""
        settings = self._settings
        if not settings.webhook_url:
            return
        app = web.Application(client_max_size=_LONGEST_UPDATE)
        app.router.add_post(settings.webhook_path, self._delivered)
        limits = ConnectionLimits(
            connections=_CONNECTIONS, per_address=_CONNECTIONS, reserve=_RESERVE
        )
        server = HttpServer(
            app, host=settings.webhook_host, port=settings.webhook_port, limits=limits
        )
        await server.start()
        self._server, self.port = server, server.port

    async def _delivered(self, request: web.Request) -> web.Response:
        given = request.headers.get("X-Telegram-Bot-Api-Secret-Token", "")
        # aiohttp decodes invalid bytes in headers as surrogates.
        if not hmac.compare_digest(given.encode("utf-8", "surrogateescape"), self._secret.encode()):
            return web.Response(status=403)
        try:
            update = json.loads(await request.read())
        except (ValueError, RecursionError):
            update = None
        if not is_numbered(update):
            _log.warning("delivery is not an update")
            return web.Response(status=400)
        try:
            if self._is_ours():
                # Stored updates come first. Until then, Telegram keeps this one.
                await self._ready.wait()
                await self._store_all([update])
            elif self._read(lean := _without_board(update)):
                await self._inbox.leave({update["update_id"]: lean})
        except StoreError as error:
            store_failed(_log, "update not stored", error, update=update["update_id"])
            return web.Response(status=503)
        return web.Response()

    async def close(self) -> None:
        if self._server:
            await self._server.stop()
            self._server = None
