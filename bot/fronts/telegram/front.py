"""Start, stop and delivery of the Telegram front."""

import asyncio
from dataclasses import replace
from functools import partial
from urllib.parse import quote

from structlog import get_logger
from telegram import ChatMember, ChatMemberRestricted, MessageEntity
from telegram.error import BadRequest

from bot.app import App
from bot.commands import Commands
from bot.delivery import (
    Channel,
    ClosedError,
    EphemeralReplies,
    GoneError,
    MessageGoneError,
    Notice,
    Outgoing,
    RetryError,
)
from bot.domain import links
from bot.domain.model import Board, Place, PlaceKind, Status
from bot.fronts.telegram import FRONT, TelegramSettings, widgets
from bot.fronts.telegram.dispatcher import Dispatcher
from bot.fronts.telegram.receiver import Receiver
from bot.fronts.telegram.responder import Responder
from bot.fronts.telegram.send_scheduler import Sending
from bot.fronts.telegram.sender import PLATFORM, Chat, IsPictureError, Sender, reason_of
from bot.fronts.telegram.setup import open_bot, renew_commands
from bot.fronts.telegram.widgets import LONGEST_CAPTION, Draft, TextBuilder
from bot.support.tasks import kept_running

_log = get_logger(__name__)

_UNCONNECTED_SECONDS = 1.0
_LAST_SECONDS = 2.0
_DRAWN_AT_ONCE = 1
_SENT_AT_ONCE = 6


class Telegram(Channel):
    """The Telegram front. `start` opens the webhook's port and connects in the background."""

    platform = PLATFORM
    url = ""
    medium = FRONT.medium

    def __init__(self, app: App, commands: Commands) -> None:
        self._app = app
        failed = partial(app.metrics.platform_failed, PLATFORM)
        self._bot = open_bot(app.settings.of(TelegramSettings), failed=failed)
        self._sender = Sender(app, self._bot)
        app.metrics.queues["telegram sends"] = lambda: self._sender.scheduler.waiting
        self._responder = Responder(app, commands, self._sender, EphemeralReplies(app, self))
        self._background = self._responder.background
        self._dispatcher = Dispatcher(app, commands, self._responder)
        self._receiver = Receiver(app, self._bot, self._dispatcher)
        app.member_checks[PLATFORM] = self._is_resident
        # Boards can wait. Users who have pressed a button cannot.
        self._drawing = asyncio.Semaphore(_DRAWN_AT_ONCE)
        self._sending = asyncio.Semaphore(_SENT_AT_ONCE)
        self._running: asyncio.Task[None] | None = None

    @property
    def port(self) -> int:
        return self._receiver.port

    async def start(self) -> None:
        shards = self._app.shards
        await self._receiver.listen()
        self._app.health.parts["Telegram cannot be reached"] = lambda: (
            self._receiver.is_well or not shards.serves(PLATFORM)
        )
        serve = partial(shards.while_ours, PLATFORM, self._serve)
        self._running = asyncio.create_task(kept_running("Telegram", serve))

    async def stop(self) -> None:
        if self._running:
            self._running.cancel()
            await asyncio.wait([self._running])
        await self._receiver.close()
        await self._dispatcher.close(seconds=_LAST_SECONDS)
        await self._background.close(seconds=_LAST_SECONDS)
        await self._bot.shutdown()

    async def _serve(self) -> None:
        self._dispatcher.begin(self._app.shards.tenure(PLATFORM))
        await self._receiver.run(self._on_connect)

    def _on_connect(self) -> None:
        _log.info("connected to Telegram", name=self._bot.username)
        self._app.changed.set()
        self._background.run(renew_commands(self._bot, self._app))

    async def _is_resident(self, place: Place, external: str) -> bool | None:
        """Return whether a user is in a group. None if Telegram does not say it."""
        member = await self._sender.member(Chat.of(place), int(external))
        if member is None:
            return None
        if isinstance(member, ChatMemberRestricted):
            return member.is_member
        return member.status not in (ChatMember.LEFT, ChatMember.BANNED)

    # --- delivery, see `bot.delivery.Channel` ---------------------------------------------

    def check_ready(self, board: Board, place: Place, /) -> None:
        if not self._receiver.is_connected:
            raise RetryError(_UNCONNECTED_SECONDS)
        if seconds := self._sender.scheduler.delay(_sending(board, place)):
            raise RetryError(seconds)

    async def send(self, outgoing: Outgoing) -> str:
        chat, sending, draft = await self._drafted(outgoing)
        async with self._sending:
            silent = _is_silent(outgoing)
            return str(await self._sender.send(chat, draft, sending=sending, silent=silent))

    async def edit(self, outgoing: Outgoing, message: str) -> str:
        chat, sending, draft = await self._drafted(outgoing)
        try:
            async with self._sending:
                if not await self._sender.edit(chat, int(message), draft, sending):
                    raise MessageGoneError
        except IsPictureError:
            # Pictures are no longer allowed: replace the board by a text.
            await self._sender.turn(sending)
            new = await self._sender.send(chat, draft, silent=True)
            self._background.run(self._responder.delete(chat, int(message)))
            return str(new)
        return message

    async def delete(self, place: Place, message: str) -> None:
        try:
            await self._sender.delete(Chat.of(place), int(message))
        except (ClosedError, GoneError) as error:
            _log.info("message not deleted", chat=place.external, why=type(error).__name__)
        except BadRequest as error:
            _log.warning("message not deleted", chat=place.external, reason=reason_of(error))

    async def notify(self, place: Place, notice: Notice) -> str | None:
        if not self._receiver.is_connected:
            raise RetryError(_UNCONNECTED_SECONDS)
        chat = Chat.of(place)
        sending = Sending(chat.id, ("notice", notice.key), is_eager=False)
        reply = int(notice.board) if notice.board is not None else None
        return str(await self._sender.send(chat, _told(notice, chat), sending=sending, reply=reply))

    async def _drafted(self, outgoing: Outgoing) -> tuple[Chat, Sending, Draft]:
        """Draft a board, once it can be sent. Raises `RetryError`."""
        self.check_ready(outgoing.board, outgoing.place)
        chat, sending = Chat.of(outgoing.place), _sending(outgoing.board, outgoing.place)
        async with self._drawing:
            screen = await outgoing.screen()
        without = outgoing.texts("telegram-no-pictures")
        draft = widgets.board(screen, called=next(iter(outgoing.mentions), None), without=without)
        if screen.share and outgoing.place.kind is PlaceKind.DIRECT:
            link = widgets.deep_link(self._bot.username, links.word_of("join", screen.share))
            url = f"https://t.me/share/url?url={quote(link, safe='')}"
            share = widgets.url_button(outgoing.texts("telegram-share"), url)
            rows = draft.keyboard.inline_keyboard if draft.keyboard else ()
            draft = replace(draft, keyboard=widgets.keyboard([*rows, [share]]))
        return chat, sending, draft


def _sending(board: Board, place: Place) -> Sending:
    return Sending(Chat.of(place).id, ("board", board.id))


def _is_silent(outgoing: Outgoing) -> bool:
    """True if a board makes no sound. In a group, only challenges do."""
    if outgoing.place.kind is PlaceKind.DIRECT:
        return not outgoing.notifies
    return outgoing.loaded.match.status is not Status.PROPOSED


def _told(notice: Notice, chat: Chat) -> Draft:
    """Draft a notice. A name at its start reserves the buttons for that user."""
    keyboard = widgets.keyboard([[widgets.token_button(one) for one in notice.buttons]])
    draft = _words(notice, chat, TextBuilder()).draft(keyboard=keyboard)
    if notice.picture is None:
        return draft
    words = _words(notice, chat, TextBuilder(LONGEST_CAPTION))
    words.add(notice.alt, MessageEntity.EXPANDABLE_BLOCKQUOTE)
    return words.draft(picture=notice.picture, keyboard=keyboard, instead=draft)


def _words(notice: Notice, chat: Chat, words: TextBuilder) -> TextBuilder:
    if notice.aside:
        words.add(notice.aside)
    if notice.text and not chat.is_private:
        for number, one in enumerate(notice.recipients):
            words.mention(one.name, int(one.external), apart=", " if number else "\n")
        words.add(":", separator="")
        words.add(notice.text, separator=" ")
    elif notice.text:
        words.add(notice.text)
    return words
