"""Receive updates, store them before they are confirmed, and pass each on once.

One process polls and passes updates on. Others only store what a webhook delivers. Polling sends no
offset if nothing is left to confirm: after a week of silence, Telegram draws new numbers.
"""

import asyncio
import hmac
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from typing import Any

from aiohttp import web
from structlog import get_logger
from telegram import Bot, Update
from telegram.error import InvalidToken, RetryAfter, TelegramError

from bot.app import App
from bot.fronts.http.server import ConnectionLimits, HttpServer
from bot.fronts.telegram import TelegramSettings
from bot.fronts.telegram.dispatcher import UNANSWERED, Dispatcher
from bot.fronts.telegram.requests import PAYLOAD
from bot.fronts.telegram.sender import PLATFORM, pause_of, reason_of
from bot.store import inbox
from bot.store.inbox import Finishing
from bot.support.errors import StoreError
from bot.support.logs import store_failed
from bot.support.metrics import arrived
from bot.support.tasks import Backoff

_log = get_logger(__name__)

WANTED = ("message", "edited_message", "channel_post", "callback_query", "my_chat_member")

_POLL_SECONDS = 50
_LOOK_EVERY = 5.0
"""Seconds between checks for updates that other processes stored."""
_PAUSE = 0.5
_PAUSES = Backoff(_PAUSE, 3.0)
_AFTER_A_BUG = 30.0
_AFTER_REFUSAL = 60.0
_LONGEST_UPDATE = 1 << 20
_CONNECTIONS = 128
"""Telegram opens 100 at most, all of them through our proxy."""
_RESERVE = 80


def _is_numbered(update: Any) -> bool:
    """True for an object with a number, so that it can be confirmed."""
    number = update.get("update_id") if isinstance(update, dict) else None
    return type(number) is int and 0 <= number < 1 << 63


def _without_board(update: dict[str, Any]) -> dict[str, Any]:
    """Keep only the pressed button of a board's keyboard, as proof that it is not forged."""
    match update:
        case {
            "callback_query": {
                "data": str(token),
                "message": {"photo": _, "reply_markup": {"inline_keyboard": rows}} as message,
            } as query
        }:
            buttons = (button for row in rows for button in row)
            pressed = next((one for one in buttons if one.get("callback_data") == token), None)
            keyboard = {"inline_keyboard": [[pressed]]} if pressed else None
            lean = {**query, "message": {**message, "reply_markup": keyboard}}
            return {**update, "callback_query": lean}
    return update


def _pause_after(error: TelegramError, failures: int) -> tuple[float, str]:
    if isinstance(error, InvalidToken):
        # The library's message contains the token.
        return _AFTER_REFUSAL, "the token is refused"
    pause = _PAUSES.after(failures)
    if isinstance(error, RetryAfter):
        return max(pause, pause_of(error)), "a pause is wanted"
    return pause, reason_of(error)


class Receiver:
    """Receive updates and pass them to the dispatcher, in order."""

    def __init__(self, app: App, bot: Bot, dispatcher: Dispatcher) -> None:
        self._app = app
        self._bot = bot
        self._dispatcher = dispatcher
        self._settings = app.settings.of(TelegramSettings)
        self._server: HttpServer | None = None
        self.is_connected = False
        self._failures = 0
        self._ready = asyncio.Event()
        self._one_by_one = asyncio.Lock()
        self.port = 0

    async def run(self, connected: Callable[[], None]) -> None:
        try:
            while not self._ready.is_set():
                async with self._trying():
                    await self._connect()
                    self.is_connected = True
                    connected()
                    await self._dispatch_unfinished()
                    self._ready.set()
            if self._settings.webhook_url:
                await self._watch_inbox()
            else:
                await self._poll()
        finally:
            self.is_connected = False
            self._ready.clear()

    @property
    def is_well(self) -> bool:
        return self.is_connected and not self._failures

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

    async def _dispatch_unfinished(self) -> None:
        """Pass on what is left in the inbox. Raises `StoreError`."""
        async with self._one_by_one:
            left = []
            # Before the query: updates finished during it have left the inbox, too.
            in_hand = set(self._dispatcher.in_progress)
            for number, payload in (await inbox.unfinished(self._app.store, PLATFORM)).items():
                if number in in_hand:
                    continue
                if query := payload.get(UNANSWERED):
                    self._dispatcher.answer_late(number, query)
                elif read := self._read(payload):
                    left.append(read[1])
                else:
                    # Valid when it was stored. It must not return at every start.
                    ours = self._app.shards.within(PLATFORM)
                    await Finishing(PLATFORM, number).finish(ours)
            await self._dispatcher.dispatch(left)

    async def _store_all(self, updates: Iterable[Mapping[str, Any]]) -> None:
        """Store updates and pass on new ones. Raises `StoreError`."""
        read = [found for payload in updates if (found := self._read(payload))]
        known = {update.update_id: payload for payload, update in read}
        ours = self._app.shards.within(PLATFORM)
        # One delivery at a time, so that none overtakes another on its way to the executor.
        with arrived():
            async with self._one_by_one:
                new = set(await inbox.receive(ours, PLATFORM, known))
                await self._dispatcher.dispatch([one for _, one in read if one.update_id in new])

    def _read(self, payload: Mapping[str, Any]) -> tuple[dict[str, Any], Update] | None:
        """Return what to store of an update, and the update. None if it is invalid."""
        wanted = {key: payload[key] for key in ("update_id", *WANTED) if key in payload}
        with suppress(Exception):  # An invalid update must not affect the next one.
            lean = _without_board(wanted)
            return lean, Update.de_json(lean, self._bot)
        _log.warning("update not understood", update=payload.get("update_id"))
        return None

    async def _poll(self) -> None:
        offset: int | None = None
        while True:
            if not self._app.shards.serves(PLATFORM):
                # After a suspension, another process may have taken over. This is cancelled then.
                await asyncio.sleep(_PAUSE)
                continue
            async with self._trying():
                found = await self._bot.get_updates(
                    offset, timeout=_POLL_SECONDS, allowed_updates=WANTED
                )
                payloads = (one.api_kwargs[PAYLOAD] for one in found)
                updates = [payload for payload in payloads if _is_numbered(payload)]
                if found and not updates:
                    # Nothing can be confirmed, and the same updates would come again at once.
                    raise TelegramError("updates without numbers")
                if without := len(found) - len(updates):
                    _log.warning("updates without numbers", updates=without)
                await self._store_all(updates)
                offset = max(one["update_id"] for one in updates) + 1 if updates else None

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
            store_failed(_log, "inbox not usable", error)
        except Exception:  # noqa: BLE001 - logged whole; polling must go on
            pause = _AFTER_A_BUG
            _log.exception("updates not fetched")
        else:
            if self._failures:
                _log.info("receiving updates from Telegram again")
                self._failures = 0
            return
        self._failures += 1
        await asyncio.sleep(pause)

    async def _watch_inbox(self) -> None:
        """Take what other processes have stored. They send a signal, too."""
        if not self._app.store.is_shared:
            await asyncio.get_running_loop().create_future()
        with self._app.changed.listening() as changed:
            while True:
                await changed.pause(_LOOK_EVERY)
                async with self._trying():
                    await self._dispatch_unfinished()

    @property
    def _secret(self) -> str:
        """The webhook's secret: as set, or derived from the token."""
        own = self._settings.webhook_secret.get_secret_value()
        token = self._settings.token.get_secret_value()
        return own or sha256(f"azumaya webhook {token}".encode()).hexdigest()

    async def listen(self) -> None:
        """Open the webhook's port, if there is one. Raises `HostError`."""
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
        await server.start("Telegram's webhook")
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
        if not _is_numbered(update):
            _log.warning("delivery is not an update")
            return web.Response(status=400)
        try:
            if self._app.shards.serves(PLATFORM):
                # Stored updates come first. Until then, Telegram keeps this one.
                await self._ready.wait()
                await self._store_all([update])
            elif read := self._read(update):
                # For another process.
                lean = {update["update_id"]: read[0]}
                await inbox.forward(self._app.store, PLATFORM, lean)
        except StoreError as error:
            store_failed(_log, "update not stored", error, update=update["update_id"])
            return web.Response(status=503)
        return web.Response()

    async def close(self) -> None:
        if self._server:
            await self._server.stop()
            self._server = None
