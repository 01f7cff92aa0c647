"""Outgoing messages, at Telegram's rate, with its errors as those of delivery.

::

    GoneError       the chat is gone, or the bot was removed from it.
    ClosedError     the bot may not write there: it lacks a right, or was blocked.
    LaterError      Telegram limits the rate, or cannot be reached.
    UnsureError     a new message was sent, and may have arrived.

"message is not modified" and "query is too old" are ignored. Other errors are raised.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from time import monotonic
from typing import TypeVar

import httpx  # the client of python-telegram-bot
from cachetools import TTLCache
from structlog import get_logger
from telegram import (
    Bot,
    InlineKeyboardMarkup,
    InputFile,
    InputMediaPhoto,
    LinkPreviewOptions,
    Message,
    ReplyParameters,
)
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    NetworkError,
    RetryAfter,
    TelegramError,
)

from bot.delivery import ClosedError, DeliveryError, GoneError, LaterError, UnsureError
from bot.domain.model import Place
from bot.fronts.telegram.reasons import reason_of
from bot.fronts.telegram.send_scheduler import SendScheduler
from bot.fronts.telegram.widgets import LONGEST_ALERT, Draft, cut
from bot.support.backoff import Backoff
from bot.support.platforms import TELEGRAM

_log = get_logger(__name__)

PLATFORM = TELEGRAM.name

T = TypeVar("T")

# Durations as timedelta: the default of the next python-telegram-bot, which warns otherwise.
os.environ.setdefault("PTB_TIMEDELTA", "true")

_GONE = (
    "bot is not a member",
    "bot was kicked",
    "channel_private",
    "chat not found",
    "group chat was deactivated",
    "group chat was deleted",
    "group is deactivated",
    "message thread not found",
    "peer_id_invalid",
    "topic_deleted",
    "user is deactivated",
    "user not found",
)
_CLOSED = (
    "chat_admin_required",
    "chat_restricted",
    "chat_send_",
    "chat_write_forbidden",
    "have no rights to send",
    "have no write access",
    "need administrator rights",
    "not enough rights",
    "topic_closed",
)
_NO_PICTURES = (
    "chat_send_media_forbidden",
    "chat_send_photos_forbidden",
    "not enough rights to send media",
    "not enough rights to send photos",
)
_WITHOUT_PICTURES = 600.0
"""Seconds until pictures are tried again."""
_REMEMBERED = 4096
_MESSAGE_GONE = ("message to edit not found", "message can't be edited", "message_id_invalid")
_NEVER_LEFT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""Causes of failures before any byte of the request was sent."""

_PAUSES = Backoff(0.5, 2.0)
_TOO_OLD = 15 * 60.0
"""Seconds after which Telegram accepts no answer to a press."""
_NOT_OURS = 1.0
"""Seconds until a retry. By then, another process sends the message."""
_SILENT = LinkPreviewOptions(is_disabled=True)


async def _at_once() -> bool:
    return True


class IsPictureError(Exception):
    """The message is a picture, which no edit can turn into a text."""


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat, or a topic in it."""

    id: int
    thread: int | None = None

    @classmethod
    def of(cls, place: Place) -> "Chat":
        """Return the chat of a place: ``-100123``, or ``-100123/4`` for a topic."""
        chat, _, thread = place.external.partition("/")
        return cls(int(chat), int(thread) if thread else None)

    @property
    def external(self) -> str:
        return f"{self.id}/{self.thread}" if self.thread else str(self.id)

    @property
    def is_private(self) -> bool:
        return self.id > 0


class Sender:
    """Send, edit and delete messages."""

    def __init__(
        self,
        bot: Bot,
        *,
        moved: Callable[[int, int], Awaitable[None]],
        paused: Callable[[int, float], Awaitable[None]],
        may_speak: Callable[[], bool] = lambda: True,
        until_known: Callable[[], Awaitable[bool]] = _at_once,
    ) -> None:
        """`may_speak`: whether this process serves Telegram. `until_known` waits for certainty."""
        self.pace = SendScheduler()
        self._may_speak = may_speak
        self.until_known = until_known
        self._bot = bot
        self._moved = moved
        self._paused = paused
        self._failures = 0
        self._pictureless: TTLCache[int, bool] = TTLCache(_REMEMBERED, _WITHOUT_PICTURES)

    def check(self, chat: Chat, who: Hashable, *, eager: bool = True) -> None:
        """Check that it is one's turn, to save useless work. Raises `LaterError`."""
        if seconds := self.pace.wait(chat.id, who, eager=eager):
            raise LaterError(seconds)

    def must_speak(self) -> None:
        """Check that this process serves Telegram. Raises `LaterError`."""
        if not self._may_speak():
            raise LaterError(_NOT_OURS)

    async def turn(
        self, chat: Chat, who: Hashable, *, reply_to: int | None = None, in_play: bool = False
    ) -> None:
        """Wait for one's turn to send. The next message counts as sent."""
        claim = partial(self.pace.claim, chat.id, who, reply_to=reply_to, in_play=in_play)
        try:
            seconds = claim()
            while seconds:
                await asyncio.sleep(seconds)
                seconds = claim()
        finally:
            self.pace.leave(chat.id, who)

    async def send(
        self,
        chat: Chat,
        draft: Draft,
        *,
        who: Hashable = None,
        reply: int | None = None,
        eager: bool = True,
        silent: bool = False,
    ) -> Message:
        """Post a message. Pass `who` after `check`, None after `turn`."""
        if who is not None and (seconds := self.pace.claim(chat.id, who, eager=eager)):
            raise LaterError(seconds)
        draft = self._allowed(chat, draft)
        answered = ReplyParameters(reply, allow_sending_without_reply=True) if reply else None
        if draft.picture:
            call = self._bot.send_photo(
                chat.id,
                InputFile(draft.picture.data, filename="board.png", attach=True),
                caption=draft.text,
                caption_entities=draft.entities,
                has_spoiler=draft.is_spoiler or None,
                reply_markup=draft.keyboard,
                reply_parameters=answered,
                disable_notification=silent or None,
                message_thread_id=chat.thread,
            )
        elif draft.file:
            call = self._bot.send_document(
                chat.id,
                InputFile(draft.file.data, filename=draft.file.name, attach=True),
                caption=draft.text,
                caption_entities=draft.entities,
                reply_markup=draft.keyboard,
                reply_parameters=answered,
                disable_notification=silent or None,
                message_thread_id=chat.thread,
            )
        else:
            call = self._bot.send_message(
                chat.id,
                draft.text,
                entities=draft.entities,
                reply_markup=draft.keyboard,
                reply_parameters=answered,
                disable_notification=silent or None,
                message_thread_id=chat.thread,
                link_preview_options=_SILENT,
            )
        try:
            return await self._told(chat, call, new=True)
        finally:
            self.pace.arrived(chat.id)

    async def edit(self, chat: Chat, message: int, draft: Draft, *, who: Hashable = None) -> bool:
        """Edit a message. Return False if it is gone. Raises `IsPictureError`."""
        if who is not None and (seconds := self.pace.claim(chat.id, who)):
            raise LaterError(seconds)
        draft = self._allowed(chat, draft)
        call: Awaitable[Message | bool]
        if draft.picture:
            picture = InputFile(draft.picture.data, filename="board.png", attach=True)
            media = InputMediaPhoto(
                picture,
                caption=draft.text,
                caption_entities=draft.entities,
                has_spoiler=draft.is_spoiler or None,
            )
            call = self._bot.edit_message_media(
                media, chat.id, message, reply_markup=draft.keyboard
            )
        else:
            call = self._bot.edit_message_text(
                draft.text,
                chat.id,
                message,
                entities=draft.entities,
                reply_markup=draft.keyboard,
                link_preview_options=_SILENT,
            )
        return await self._changed(chat, call)

    async def edit_keyboard(
        self, chat: Chat, message: int, keyboard: InlineKeyboardMarkup | None
    ) -> bool:
        call = self._bot.edit_message_reply_markup(chat.id, message, reply_markup=keyboard)
        return await self._changed(chat, call)

    async def _changed(self, chat: Chat, call: Awaitable[Message | bool]) -> bool:
        try:
            await self._told(chat, call)
        except BadRequest as error:
            if "message is not modified" in error.message.casefold():
                return True
            if any(words in error.message.casefold() for words in _MESSAGE_GONE):
                return False
            if "no text in the message to edit" in error.message.casefold():
                raise IsPictureError from None
            raise
        finally:
            self.pace.arrived(chat.id)
        return True

    async def delete(self, chat: Chat, message: int, *, reply_to: int | None = None) -> None:
        """Delete a message. If it is too old, wait for one's turn and remove its buttons."""
        try:
            await self._told(chat, self._bot.delete_message(chat.id, message))
        except BadRequest as error:
            if "can't be deleted" in error.message.casefold():
                await self.turn(chat, object(), reply_to=reply_to)
                await self.edit_keyboard(chat, message, None)
            elif "message to delete not found" not in error.message.casefold():
                raise

    async def react(self, chat: Chat, message: int, emoji: str) -> None:
        try:
            await self._told(chat, self._bot.set_message_reaction(chat.id, message, emoji))
        except BadRequest as error:
            _log.debug("no reaction", chat=chat.id, reason=reason_of(error))

    async def answer(
        self, query: str, text: str = "", *, alert: bool = False, url: str | None = None
    ) -> None:
        """Answer a press, with retries during an outage until Telegram says that it is too late."""
        late = monotonic() + _TOO_OLD
        while monotonic() < late and await self.until_known():
            try:
                await self._bot.answer_callback_query(
                    query, cut(text, LONGEST_ALERT) or None, show_alert=alert or None, url=url
                )
            except BadRequest as error:
                if "query is too old" not in error.message.casefold():
                    _log.warning("callback not answered", reason=reason_of(error))
                return
            except RetryAfter as error:
                _log.warning("callback not answered: rate limited", seconds=pause_of(error))
                return
            except TelegramError as error:
                await asyncio.sleep(self._trouble(error))
            else:
                self._reached()
                return

    async def _told(self, chat: Chat, call: Awaitable[T], *, new: bool = False) -> T:
        try:
            self.must_speak()
        except LaterError:
            if isinstance(call, Coroutine):
                call.close()
            raise
        return await self._result(chat, call, new=new)

    async def _result(self, chat: Chat, call: Awaitable[T], *, new: bool) -> T:
        try:
            result = await call
        except BadRequest as error:
            if meant := self._without_picture(chat, error) or _meant(error):
                raise meant from None
            raise
        except RetryAfter as error:
            seconds = pause_of(error)
            _log.info("rate limited by Telegram", chat=chat.id, seconds=seconds)
            self.pace.freeze(chat.id, seconds)
            await self._paused(chat.id, seconds)
            raise LaterError(seconds) from None
        except ChatMigrated as error:
            await self._moved(chat.id, error.new_chat_id)
            raise LaterError(0) from None
        except Forbidden as error:
            raise _meant(error) or ClosedError(error.message) from None
        except NetworkError as error:
            pause = self._trouble(error)
            cause = error.__cause__
            if new and isinstance(cause, httpx.HTTPError) and not isinstance(cause, _NEVER_LEFT):
                raise UnsureError from None
            raise LaterError(pause) from None
        except TelegramError as error:
            # No valid response, for example a proxy's page.
            pause = self._trouble(error)
            raise (UnsureError() if new else LaterError(pause)) from None
        self._reached()
        return result

    def _allowed(self, chat: Chat, draft: Draft) -> Draft:
        return draft.instead if draft.instead and chat.id in self._pictureless else draft

    def _without_picture(self, chat: Chat, error: BadRequest) -> LaterError | None:
        """Retry without a picture, now that we know that none is allowed."""
        text = error.message.casefold()
        if chat.id in self._pictureless or not any(words in text for words in _NO_PICTURES):
            return None
        _log.info("no right to send pictures", chat=chat.id)
        self._pictureless[chat.id] = True
        return LaterError(0)

    def _reached(self) -> None:
        if self._failures:
            self._failures = 0
            _log.info("Telegram can be reached again")

    def _trouble(self, error: TelegramError) -> float:
        if not self._failures:
            _log.warning("Telegram cannot be reached", reason=reason_of(error))
        self._failures += 1
        return _PAUSES.after(self._failures)


def _meant(error: TelegramError) -> DeliveryError | None:
    """Return the error of a chat. None if only the message is concerned."""
    text = error.message.casefold()
    if any(words in text for words in _GONE):
        return GoneError(error.message)
    return ClosedError(error.message) if any(words in text for words in _CLOSED) else None


def pause_of(error: RetryAfter) -> float:
    """Return the pause that Telegram wants, in seconds."""
    pause = error.retry_after
    return pause / timedelta(seconds=1) if isinstance(pause, timedelta) else float(pause)
