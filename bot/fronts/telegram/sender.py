"""Outgoing messages, at Telegram's rate, with its errors as those of delivery.

::

    GoneError       the chat is gone, or the bot was removed from it.
    ClosedError     the bot may not write there: it lacks a right, or was blocked.
    RetryError      Telegram limits the rate, or cannot be reached.
    UnsureError     a new message was sent, and may have arrived.

"message is not modified" and "query is too old" are ignored. Other errors are raised.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from hashlib import sha256
from time import monotonic
from typing import Any, TypeVar

from aiohttp import ClientError
from cachetools import LRUCache, TTLCache
from structlog import get_logger
from telegram import (
    Bot,
    ChatMember,
    InlineKeyboardMarkup,
    InputFile,
    InputMediaAnimation,
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

from bot.app import App
from bot.commands import check_size
from bot.delivery import ClosedError, DeliveryError, GoneError, RetryError, UnsureError
from bot.domain.errors import Refused
from bot.domain.model import Place
from bot.fronts.telegram import FRONT
from bot.fronts.telegram.requests import NEVER_SENT
from bot.fronts.telegram.send_scheduler import Sending, SendScheduler
from bot.fronts.telegram.widgets import LONGEST_ALERT, Draft, cut
from bot.screens.pictures import Gif, Png
from bot.support.logs import RateLimitedLog
from bot.support.tasks import as_work

_log = get_logger(__name__)

PLATFORM = FRONT.name

T = TypeVar("T")
_Edit = Callable[..., Awaitable[Message | bool]]

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
_NO_ANIMATIONS = (
    "chat_send_gifs_forbidden",
    "chat_send_media_forbidden",
    "not enough rights to send animations",
    "not enough rights to send media",
)
_WITHOUT_PICTURES = 600.0
"""Seconds until pictures are tried again."""
_REMEMBERED = 4096
_ANIMATIONS = 1024
_MESSAGE_GONE = ("message to edit not found", "message can't be edited", "message_id_invalid")

_AWAY = 1.0
"""Seconds until a retry if Telegram cannot be reached."""
_TOO_OLD = 15 * 60.0
"""Seconds after which Telegram accepts no answer to a press."""
_NOT_OURS = 1.0
"""Seconds until a retry. By then, another process sends the message."""
_DOWNLOAD = 15.0
"""Seconds for a file, which Telegram limits to 20 MB."""
_BEFORE_THE_PAGE = ". Parsing the server response"
_BEFORE_THE_BYTES = "Unknown error in HTTP"
_SILENT = LinkPreviewOptions(is_disabled=True)


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

    def __init__(self, app: App, bot: Bot) -> None:
        self.scheduler = SendScheduler()
        self._app = app
        self.bot = bot
        self._troubles = RateLimitedLog()
        self._pictureless: TTLCache[tuple[int, bool], bool]
        """Chats that allow no pictures, and whether that is about animated ones."""
        self._pictureless = TTLCache(_REMEMBERED, _WITHOUT_PICTURES)
        self._uploaded: LRUCache[bytes, str] = LRUCache(_ANIMATIONS)
        """Files of animations that Telegram has, by digest."""

    def must_speak(self) -> None:
        """Check that this process serves Telegram. Raises `RetryError`."""
        if not self._app.shards.serves(PLATFORM):
            raise RetryError(_NOT_OURS)

    async def is_serving(self) -> bool:
        """Return whether this process serves Telegram. Wait while that is unknown."""
        shards = self._app.shards
        return await shards.is_still_ours(PLATFORM, shards.tenure(PLATFORM))

    async def turn(self, sending: Sending) -> None:
        """Wait for one's turn to send. The next message counts as sent."""
        try:
            while seconds := self.scheduler.claim(sending):  # noqa: ASYNC110 - it says how long
                await asyncio.sleep(seconds)
        finally:
            self.scheduler.leave(sending)

    async def send(
        self,
        chat: Chat,
        draft: Draft,
        *,
        sending: Sending | None = None,
        reply: int | None = None,
        silent: bool = False,
    ) -> int:
        """Post a message and return its id. Pass None as `sending` after `turn`."""
        self._claim(sending)
        draft = self._allowed(chat, draft)
        options: dict[str, Any] = {
            "reply_markup": draft.keyboard,
            "reply_parameters": ReplyParameters(reply, allow_sending_without_reply=True)
            if reply
            else None,
            "disable_notification": silent or None,
            "message_thread_id": chat.thread,
        }
        if draft.picture or draft.file:
            options |= {"caption": draft.text, "caption_entities": draft.entities}
        call: Callable[[], Awaitable[Message]]
        if draft.picture:
            options["has_spoiler"] = draft.is_spoiler or None
            is_animated = isinstance(draft.picture, Gif)
            send = self.bot.send_animation if is_animated else self.bot.send_photo
            call = partial(send, chat.id, self._media(draft.picture), **options)
        elif draft.file:
            file = InputFile(draft.file.data, filename=draft.file.name, attach=True)
            call = partial(self.bot.send_document, chat.id, file, **options)
        else:
            options |= {"entities": draft.entities, "link_preview_options": _SILENT}
            call = partial(self.bot.send_message, chat.id, draft.text, **options)
        try:
            message = await self._call(chat, call, new=True)
            if draft.picture and message.animation:
                self._uploaded[_digest(draft.picture)] = message.animation.file_id
            return message.message_id
        finally:
            self.scheduler.arrived(chat.id)

    async def edit(
        self, chat: Chat, message: int, draft: Draft, sending: Sending | None = None
    ) -> bool:
        """Edit a message. Return False if it is gone. Raises `IsPictureError`."""
        self._claim(sending)
        draft = self._allowed(chat, draft)
        call: _Edit
        if draft.picture:
            is_animated = isinstance(draft.picture, Gif)
            media = (InputMediaAnimation if is_animated else InputMediaPhoto)(
                self._media(draft.picture),
                caption=draft.text,
                caption_entities=draft.entities,
                has_spoiler=draft.is_spoiler or None,
            )
            call = partial(self.bot.edit_message_media, media)
        else:
            call = partial(
                self.bot.edit_message_text,
                draft.text,
                entities=draft.entities,
                link_preview_options=_SILENT,
            )
        return await self._changed(chat, message, call, draft.keyboard)

    async def edit_keyboard(self, chat: Chat, message: int, draft: Draft) -> bool:
        call = self.bot.edit_message_reply_markup
        return await self._changed(chat, message, call, draft.keyboard)

    async def edit_caption(self, chat: Chat, message: int, draft: Draft) -> bool:
        """Edit the caption and the keyboard of a picture, which stays."""
        changed: dict[str, Any] = {"caption": draft.text, "caption_entities": draft.entities}
        call = partial(self.bot.edit_message_caption, **changed)
        return await self._changed(chat, message, call, draft.keyboard)

    async def _changed(
        self, chat: Chat, message: int, call: _Edit, keyboard: InlineKeyboardMarkup | None
    ) -> bool:
        edit = partial(call, chat_id=chat.id, message_id=message, reply_markup=keyboard)
        try:
            await self._call(chat, edit)
        except BadRequest as error:
            if _says(error, "message is not modified"):
                return True
            if _says(error, *_MESSAGE_GONE):
                return False
            if _says(error, "no text in the message to edit"):
                raise IsPictureError from None
            raise
        finally:
            self.scheduler.arrived(chat.id)
        return True

    async def delete(self, chat: Chat, message: int, *, reply_to: int | None = None) -> None:
        """Delete a message. If it is too old, wait for one's turn and remove its buttons."""
        try:
            await self._call(chat, partial(self.bot.delete_message, chat.id, message))
        except BadRequest as error:
            if _says(error, "can't be deleted"):
                await self.turn(Sending(chat.id, object(), reply_to=reply_to))
                await self.edit_keyboard(chat, message, Draft(""))
            elif not _says(error, "message to delete not found"):
                raise

    async def react(self, chat: Chat, message: int, emoji: str) -> None:
        try:
            await self._call(chat, partial(self.bot.set_message_reaction, chat.id, message, emoji))
        except BadRequest as error:
            _log.debug("no reaction", chat=chat.id, reason=reason_of(error))

    @as_work
    async def answer(
        self, query: str, text: str = "", *, alert: bool = False, url: str | None = None
    ) -> None:
        """Answer a press, with retries during an outage until Telegram says that it is too late."""
        late = monotonic() + _TOO_OLD
        while monotonic() < late and await self.is_serving():
            try:
                await self.bot.answer_callback_query(
                    query, cut(text, LONGEST_ALERT) or None, show_alert=alert or None, url=url
                )
            except BadRequest as error:
                if not _says(error, "query is too old"):
                    _log.warning("callback not answered", reason=reason_of(error))
                return
            except RetryAfter as error:
                _log.warning("callback not answered: rate limited", seconds=pause_of(error))
                return
            except TelegramError as error:
                self._warn(error)
                await asyncio.sleep(_AWAY)
            else:
                return

    async def member(self, chat: Chat, person: int) -> ChatMember | None:
        """Return what a user is in a group. None if Telegram does not say it."""
        try:
            return await self.bot.get_chat_member(chat.id, person)
        except TelegramError as error:
            _log.info("member not known", chat=chat.id, reason=reason_of(error))
            return None

    async def record_in(self, message: Message) -> bytes | str:
        """Return the file of a message, or what it replies to: a file or a text.

        Raises `Refused` if a file is too large or does not come.
        """
        replied = message.reply_to_message
        document = message.document or (replied.document if replied else None)
        if document is None:
            return (replied.text if replied else None) or ""
        check_size(document.file_size or 0)
        try:
            async with asyncio.timeout(_DOWNLOAD):
                file = await self.bot.get_file(document.file_id)
                return bytes(await file.download_as_bytearray())
        except (TelegramError, TimeoutError) as error:
            _log.info("file not read", reason=type(error).__name__)
            raise Refused("import-file") from None

    async def moved(self, old: int, new: int) -> None:
        """Keep the matches of a group that became a supergroup, with another id."""
        if await self._app.directory.moved(PLATFORM, str(old), str(new)):
            self._app.changed.set()

    def _claim(self, sending: Sending | None) -> None:
        if sending is not None and (seconds := self.scheduler.claim(sending)):
            raise RetryError(seconds)

    async def _call(self, chat: Chat, call: Callable[[], Awaitable[T]], *, new: bool = False) -> T:
        self.must_speak()
        try:
            return await call()
        except (BadRequest, Forbidden) as error:
            if self._must_do_without_picture(chat, error):
                raise RetryError(0) from None
            meant = _delivery_error(error)
            if meant is None:
                raise
            if chat.is_private and isinstance(meant, ClosedError):
                # The user has blocked the bot: the opponent is notified.
                await self._app.directory.conversation_closed(PLATFORM, chat.external)
            raise meant from None
        except RetryAfter as error:
            seconds = pause_of(error)
            _log.info("rate limited by Telegram", chat=chat.id, seconds=seconds)
            self.scheduler.freeze(chat.id, seconds)
            raise RetryError(seconds) from None
        except ChatMigrated as error:
            await self.moved(chat.id, error.new_chat_id)
            raise RetryError(0) from None
        except TelegramError as error:
            # Not only without a network: a proxy's page is no valid response, either.
            self._warn(error)
            cause = error.__cause__
            never_arrived = isinstance(error, NetworkError) and (
                not isinstance(cause, ClientError | TimeoutError) or isinstance(cause, NEVER_SENT)
            )
            raise (UnsureError() if new and not never_arrived else RetryError(_AWAY)) from None

    def _allowed(self, chat: Chat, draft: Draft) -> Draft:
        key = (chat.id, isinstance(draft.picture, Gif))
        return draft.instead if draft.instead and key in self._pictureless else draft

    def _must_do_without_picture(self, chat: Chat, error: TelegramError) -> bool:
        found = [
            (chat.id, is_animated)
            for is_animated, words in ((False, _NO_PICTURES), (True, _NO_ANIMATIONS))
            if _says(error, *words) and (chat.id, is_animated) not in self._pictureless
        ]
        if found:
            _log.info("no right to send pictures", chat=chat.id)
            self._pictureless.update(dict.fromkeys(found, True))
        return bool(found)

    def _media(self, picture: Png) -> InputFile | str:
        if not isinstance(picture, Gif):
            return InputFile(picture.data, filename="board.png", attach=True)
        uploaded = self._uploaded.get(_digest(picture))
        return uploaded or InputFile(picture.data, filename="replay.gif", attach=True)

    def _warn(self, error: TelegramError) -> None:
        if self._troubles.is_due():
            _log.warning("Telegram cannot be reached", reason=reason_of(error))


def _digest(picture: Png) -> bytes:
    return sha256(picture.data).digest()


def _says(error: TelegramError, *words: str) -> bool:
    return any(one in error.message.casefold() for one in words)


def _delivery_error(error: TelegramError) -> DeliveryError | None:
    """Return the error of a chat. None if only the message is concerned."""
    if _says(error, *_GONE):
        return GoneError(error.message)
    is_closed = isinstance(error, Forbidden) or _says(error, *_CLOSED)
    return ClosedError(error.message) if is_closed else None


def reason_of(error: TelegramError) -> str:
    """Return the error's text without what the library quotes: a proxy's page or headers."""
    words = error.message.partition(_BEFORE_THE_PAGE)[0]
    return words.partition(":")[0] if words.startswith(_BEFORE_THE_BYTES) else words


def pause_of(error: RetryAfter) -> float:
    """Return the pause that Telegram wants, in seconds."""
    pause = error.retry_after
    return pause / timedelta(seconds=1) if isinstance(pause, timedelta) else float(pause)
