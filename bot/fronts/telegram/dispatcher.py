"""Turn updates into commands, in order per chat, per user and per match of a user."""

import asyncio
from collections.abc import Collection, Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import count

from structlog import get_logger
from telegram import (
    CallbackQuery,
    ChatMember,
    ChatMemberUpdated,
    MaybeInaccessibleMessage,
    Message,
    Update,
)
from telegram import User as TelegramUser
from telegram.constants import ChatType

from bot.app import App
from bot.commands import Command, Commands, match_of, offered_moves
from bot.domain.model import Place, User
from bot.fronts.telegram import FRONT, widgets
from bot.fronts.telegram.reading import (
    Line,
    answers_us,
    buttons_of,
    chat_of,
    is_picture,
    line_in,
    pressed_in,
    replied_to,
    speaker_of,
)
from bot.fronts.telegram.responder import Incoming, Responder
from bot.fronts.telegram.sender import PLATFORM, Chat
from bot.matches import boards
from bot.matches.boards import Relation
from bot.matches.policies import Rights
from bot.screens import Client
from bot.store import Store, match_queries
from bot.store.inbox import Finishing
from bot.support.errors import ShardLostError, StoreError
from bot.support.logs import StoreErrorsLogged, store_failed
from bot.support.rates import Rates
from bot.support.tasks import Backoff, KeyedExecutor, Work
from bot.support.texts import Texts, language_of

_log = get_logger(__name__)

_PAUSES = Backoff(0.5, 30.0)
UNANSWERED = "unanswered"
"""The key of an inbox entry of which only the button is to be answered."""


def _keys_of(update: Update, playing: Collection[int]) -> Iterator[Hashable]:
    """Yield what an update may have to wait for. Of matches, only the sender's own count."""
    if update.effective_user:
        yield "person", update.effective_user.id
    if update.effective_chat:
        yield "chat", update.effective_chat.id
    if message := update.message:
        for chat in (message.migrate_to_chat_id, message.migrate_from_chat_id):
            if chat:
                yield "chat", chat
        for match in playing:
            yield "match", match
    if update.callback_query and (match := match_of(update.callback_query.data or "")) in playing:
        yield "match", match


def _message_of(update: Update) -> Message | None:
    return update.message or update.edited_message or update.channel_post


def _is_about_matches(update: Update) -> bool:
    query, message = update.callback_query, update.message
    return bool((query and match_of(query.data or "")) or (message and message.text))


@dataclass(slots=True, kw_only=True)
class _Pending(Finishing):
    """An update in progress.

    Telegram cannot be asked whether a message has arrived. If the process is killed, a message is
    either sent twice or lost, depending on what is stored first:

    * A command and its update are stored in one transaction. Boards are sent until they are known
      to have arrived. So no move is lost, but a board may appear twice.
    * Other replies are sent after the update is stored as finished (`end`). At worst the user
      gets no reply. A refused command is never carried out after a restart.
    * A button may be answered twice, after a restart without a text.
    """

    tenure: str
    """In another tenure, the update is handled again."""
    fenced: Store
    """The store. It refuses writes in another tenure."""

    async def refused(self) -> None:
        """Note that only the button remains to be answered. Raises `StoreError`."""
        if not self.done:
            await self.finish(self.fenced, self.left)

    @property
    def is_over(self) -> bool:
        return self.done and self.left is None

    async def end(self) -> bool:
        """Note that it is finished. Return False if the store fails. Raises `ShardLostError`."""
        if not self.is_over:
            try:
                await self.finish(self.fenced)
            except ShardLostError:
                raise
            except StoreError as error:
                store_failed(_log, "update not finished", error, update=self.number)
                return False
        return True


class Dispatcher:
    """Handle updates, and finish each in the inbox."""

    def __init__(self, app: App, commands: Commands, responder: Responder) -> None:
        self._app = app
        self._commands = commands
        self._responder = responder
        self._background = responder.background
        self._sender = responder.sender
        self._asked = Rates.per_second(app.settings.play.commands_per_second)
        """Requests to queue, by user. Commands are limited separately."""
        self._executor = KeyedExecutor()
        self._tenure = ""
        self.in_progress: dict[int, str] = {}
        """Updates in progress, or left for the next start, and their tenure."""

    def begin(self, tenure: str) -> None:
        """Start a tenure. Updates in progress are found in the inbox again."""
        if tenure != self._tenure:
            self._tenure = tenure
            self.in_progress.clear()

    def _dealing(self, number: int, tenure: str, query: CallbackQuery | None = None) -> _Pending:
        # If this is cancelled before, the update is found in the inbox.
        self.in_progress[number] = tenure
        # The button is answered, even if the process is killed in between.
        left = {UNANSWERED: query.id} if query else None
        fenced = self._app.shards.within(PLATFORM, tenure)
        return _Pending(PLATFORM, number, left, tenure=tenure, fenced=fenced)

    def _out_of_hand(self, dealing: _Pending) -> None:
        if self.in_progress.get(dealing.number) == dealing.tenure:
            del self.in_progress[dealing.number]

    async def dispatch(self, updates: Sequence[Update]) -> None:
        """Handle updates in order (`_keys_of`). Users who are too fast get a warning at once."""
        people = {
            update.update_id: str(update.effective_user.id)
            for update in updates
            if update.effective_user and _is_about_matches(update)
        }
        playing: dict[str, list[int]] = {}
        if people:
            with StoreErrorsLogged(_log, "matches not looked up"):
                externals = set(people.values())
                playing = await match_queries.running_ids(self._app.store, PLATFORM, externals)
        tenure = self._tenure
        for update in updates:
            person = update.effective_user
            owner = person and ("person", person.id)
            message = _message_of(update)
            is_for_us = message is None or self._is_for_us(message)
            asks = is_for_us and (message or update.callback_query)
            is_fast = person and asks and not await self._asked.try_acquire(person.id)
            dealing = self._dealing(update.update_id, tenure, update.callback_query)
            if person and is_fast:
                calm = partial(self._calm, update, person, dealing)
                self._executor.run([("too fast", owner)], calm)
                continue
            matches = playing.get(people.get(update.update_id, ""), ())
            keys = set(_keys_of(update, matches))
            deal = partial(self._handle, update, dealing, is_for_us=is_for_us)
            self._executor.run(keys, deal, owner=owner)

    async def close(self, *, seconds: float) -> None:
        await self._executor.close(seconds=seconds)

    async def _handle(self, update: Update, dealing: _Pending, *, is_for_us: bool) -> None:
        """Handle one update. Never raises."""
        try:
            work = await self._outcome(update, dealing, is_for_us=is_for_us)
        except ShardLostError:
            return
        except Exception:  # noqa: BLE001 - logged whole; a bad update must not return forever
            _log.exception("update failed", update=dealing.number)
            with suppress(ShardLostError):
                await dealing.end()
            work = self._apology(update, "error-ours")
        if not dealing.done and self._app.shards.tenure(PLATFORM) != dealing.tenure:
            # The tenure is lost: the reply would only say that nothing was stored.
            return
        self._background.run(self._finished(dealing, work))

    async def _outcome(self, update: Update, dealing: _Pending, *, is_for_us: bool) -> Work | None:
        """Return the reply. Later updates wait while the store fails. Raises `ShardLostError`."""
        for failures in count(1):
            if not await self._app.shards.is_still_ours(PLATFORM, dealing.tenure):
                break
            try:
                return await self._dealt(update, dealing, is_for_us=is_for_us)
            except ShardLostError:
                raise
            except StoreError as error:
                store_failed(_log, "update not handled", error, update=dealing.number)
                work = self._apology(update, f"error-{error.code}")
                if work or dealing.done:
                    return work
            await asyncio.sleep(_PAUSES.after(failures))
        raise ShardLostError("another process handles the update")

    async def _calm(self, update: Update, person: TelegramUser, dealing: _Pending) -> None:
        """Warn a user who is too fast. Never raises."""
        # A refused command must not be carried out after the next start.
        if not await self._finish_with_retries(dealing):
            return
        if message := update.message or update.edited_message:
            texts = self._texts(person)
            chat, draft = chat_of(message), widgets.note(texts("error-too-fast"))
            told = self._responder.send(chat, draft, reply=message.message_id, person=person.id)
            self._background.run(self._finished(dealing, told))
        else:
            apology = self._apology(update, "error-too-fast")
            await self._background.do(self._finished(dealing, apology))

    def answer_late(self, number: int, query: str) -> None:
        """Answer a button that was handled before the start. The text of the answer is lost."""
        dealing = self._dealing(number, self._tenure)
        self._background.run(self._finished(dealing, self._sender.answer(query)))

    def _apology(self, update: Update, key: str) -> Work | None:
        if query := update.callback_query:
            return self._sender.answer(query.id, self._texts(query.from_user)(key), alert=True)
        return None

    def _texts(self, person: TelegramUser | None = None) -> Texts:
        """Return the texts in the language of a user who was not looked up."""
        return Texts(language_of(person and person.language_code, self._app.settings.language))

    async def _finished(self, dealing: _Pending, work: Work | None) -> None:
        """Send a reply and finish the update, even if sending fails."""
        if work is not None:
            await self._background.do(work)
        if await self._finish_with_retries(dealing):
            self._out_of_hand(dealing)

    async def _finish_with_retries(self, dealing: _Pending) -> bool:
        """Finish an update, with retries. Return False if another process must do that."""
        failures = 0
        try:
            while not await dealing.end():
                failures += 1
                await asyncio.sleep(_PAUSES.after(failures))
        except ShardLostError:
            return False
        return True

    async def _dealt(self, update: Update, dealing: _Pending, *, is_for_us: bool) -> Work | None:
        if update.callback_query:
            return await self._pressed(update.callback_query, dealing)
        if update.my_chat_member:
            return await self._membership(update.my_chat_member)
        message = _message_of(update)
        if message and message.migrate_to_chat_id:
            await self._sender.moved(message.chat.id, message.migrate_to_chat_id)
        elif message and message.migrate_from_chat_id:
            await self._sender.moved(message.migrate_from_chat_id, message.chat.id)
        elif message and is_for_us:
            return await self._written(message, dealing, edited=update.edited_message is not None)
        return None

    async def _user(self, person: TelegramUser, *, registers: bool = False) -> User:
        return await self._app.directory.identify(
            PLATFORM,
            str(person.id),
            person.full_name,
            username=person.username or "",
            locale=person.language_code,
            registers=registers,
        )

    async def _open(self, place: Place) -> Place:
        """Note that the bot may write to a user who has just used their private chat."""
        place = await self._app.directory.opened(place)
        if courier := self._app.couriers.get(PLATFORM):
            courier.on_activity(place)
        return place

    async def _incoming(
        self,
        person: TelegramUser,
        message: MaybeInaccessibleMessage,
        dealing: _Pending,
        *,
        registers: bool = False,
        pressed: str = "",
    ) -> Incoming:
        """Return who said or pressed something, and where."""
        app, chat, directory = self._app, chat_of(message), self._app.directory
        user = await self._user(person, registers=registers)
        if chat.is_private:
            title = self._texts()("direct-title")
            place = await directory.own_place(user, PLATFORM, chat.external, title)
            place = await self._open(place) if place.id else place
        else:
            # The first message in a group sets its language.
            place = await directory.get_or_create_place(
                PLATFORM,
                chat.external,
                title=message.chat.title or "",
                community=str(chat.id),
                locale=person.language_code,
                parent=str(chat.id) if chat.thread else None,
            )
        command = Command(
            Client(user, str(person.id), locale=person.language_code, theme=FRONT.medium.theme),
            place,
            rights=Rights(partial(self._can_manage, chat, person.id)),
            medium=FRONT.medium,
            has_topics=bool(message.chat.is_forum) and not chat.thread,
            unit=dealing.fenced.together_with(dealing),
            is_public=not (pressed or chat.is_private),
            message=pressed,
        )
        under, finish = message.message_id, dealing.end
        return Incoming(command, chat, under, app, self._commands, app.deletion_count, finish)

    def _is_for_us(self, message: Message) -> bool:
        line = line_in(message, self._sender.bot.username)
        to_us = chat_of(message).is_private or answers_us(message, self._sender.bot.id)
        if line is None:
            return bool(message.text) and to_us
        return to_us or line.is_addressed or line.is_start or self._commands.knows(line.text)

    async def _written(self, message: Message, dealing: _Pending, *, edited: bool) -> Work | None:
        line, chat = line_in(message, self._sender.bot.username), chat_of(message)
        answered = message.reply_to_message
        board = await self._board_answered(message, chat)
        if line is None and not (board or chat.is_private):
            return None
        speaker = speaker_of(message)
        if speaker is None or message.chat.type == ChatType.CHANNEL:
            return await self._refuse_anonymous(message, chat)
        # Commands register the user. Other messages do not.
        is_command = line is not None and not edited
        heard = await self._incoming(speaker, message, dealing, registers=is_command)
        match, version = board or (0, 0)
        if version and answered:
            place = heard.command.place
            await self._touched(match, place, answered.message_id, carries=True)
        if line and not edited:
            return await self._typed(heard, line, message)
        move = (message.text or "").strip()
        command = replace(heard.command, match=match, version=version, move=move)
        if edited:
            is_meant = line or await self._commands.could_be_move(command)
            return self._responder.note(heard, "telegram-edited") if is_meant else None
        if answer := await self._commands.run_text(command):
            return self._responder.answer_command(heard, answer)
        return self._responder.note(heard, "telegram-hint") if chat.is_private else None

    async def _typed(self, heard: Incoming, line: Line, message: Message) -> Work:
        command, replied = heard.command, replied_to(message)
        if replied and replied.id != heard.user:
            command = replace(command, replied=await self._user(replied))
        if line.mentions:
            mentions = {word: await self._user(who) for word, who in line.mentions.items()}
            command = replace(command, mentions=mentions)
        if line.is_start:
            parameter = line.text.partition(" ")[2]
            return await self._started(replace(heard, command=command), parameter.strip())
        command = replace(command, record=partial(self._sender.record_in, message))
        answer = await self._commands.run_line(command, line.text)
        return self._responder.answer_command(heard, answer)

    async def _board_answered(self, message: Message, chat: Chat) -> tuple[int, int] | None:
        """Return the match of the message that this one replies to. A board has a version."""
        answered = message.reply_to_message
        if answered is None or not answers_us(message, self._sender.bot.id):
            return None
        if board := offered_moves(buttons_of(answered)):
            return board
        message_id = str(answered.message_id)
        match = await boards.match_told(self._app.matches, PLATFORM, chat.external, message_id)
        return (match, 0) if match else None

    async def _refuse_anonymous(self, message: Message, chat: Chat) -> Work | None:
        """Refuse commands of channels and anonymous administrators. Ignore bots."""
        person = message.from_user
        if person and person.is_bot and not message.sender_chat:
            return None
        place = await self._app.directory.conversation(PLATFORM, chat.external)
        texts = self._app.readers.for_place(place).texts if place else self._texts()
        is_channel = message.chat.type == ChatType.CHANNEL
        text = texts("telegram-channel" if is_channel else "telegram-anonymous")
        return self._responder.send(chat, widgets.note(text), reply=message.message_id)

    async def _can_manage(self, chat: Chat, person: int) -> bool:
        if chat.is_private:
            return True
        member = await self._sender.member(chat, person)
        return member is not None and member.status in (ChatMember.OWNER, ChatMember.ADMINISTRATOR)

    async def _started(self, heard: Incoming, parameter: str) -> Work:
        command = heard.command
        if not parameter or not heard.chat.is_private:
            answer = await self._commands.run(replace(command, verb="menu"))
            return self._responder.answer_command(heard, answer)
        answer = await self._commands.followed(command, parameter)
        return self._responder.answer_command(heard, answer, nod=False)

    async def _membership(self, change: ChatMemberUpdated) -> Work | None:
        chat, status = Chat(change.chat.id), change.new_chat_member.status
        if status in (ChatMember.LEFT, ChatMember.BANNED):
            directory = self._app.directory
            note = directory.conversation_closed if chat.is_private else directory.gone
            await note(PLATFORM, chat.external)
            return None
        if chat.is_private:
            # If there is none yet, the user's next message creates it.
            if place := await self._app.directory.conversation(PLATFORM, chat.external):
                await self._open(place)
            return None
        if change.chat.type == ChatType.CHANNEL:
            return None
        place = await self._app.directory.get_or_create_place(
            PLATFORM,
            chat.external,
            title=change.chat.title or "",
            community=chat.external,
            locale=change.from_user.language_code,
        )
        if change.old_chat_member.status not in (ChatMember.LEFT, ChatMember.BANNED):
            return None
        text = await self._commands.greeting(place, "telegram-hello")
        return self._responder.send(chat, widgets.note(text))

    async def _pressed(self, query: CallbackQuery, dealing: _Pending) -> Work:
        message, token, person = query.message, query.data, query.from_user
        if message is None or not token:
            text = self._texts(person)("error-button-unknown")
            return self._sender.answer(query.id, text, alert=True)
        owner, menu = pressed_in(message)
        under = str(message.message_id)
        heard = await self._incoming(person, message, dealing, pressed=under)
        chat, place = heard.chat, heard.command.place
        if owner not in (None, person.id) and not chat.is_private:
            return self._sender.answer(query.id, heard.texts("telegram-not-yours"), alert=True)
        touched = Relation.BOARD
        match = match_of(token)
        if menu and owner is None:
            # A board may be a text, too.
            menu = not await boards.is_here(self._app.matches, place, under)
        carries = isinstance(message, Message) and token in buttons_of(message)
        if match and not menu:
            touched = await self._touched(match, place, message.message_id, carries=carries)
        # In a group, a menu without an owner is changed only by its own buttons: others are forged.
        is_theirs = menu and (chat.is_private or owner is not None or carries)
        press = replace(
            heard,
            query=query.id,
            token=token,
            is_menu=is_theirs,
            may_change=touched is not Relation.FOREIGN,
            is_picture=isinstance(message, Message) and is_picture(message),
        )
        if own := widgets.own_button(token):
            if own.verb == widgets.VOID:
                return self._sender.answer(query.id)
            if not carries:
                # Forged: a public board has only its own pages.
                text = heard.texts("error-button-unknown")
                return self._sender.answer(query.id, text, alert=True)
            return await self._responder.page(press, own)
        if await self._commands.opens_private(heard.command, token):
            # Posted now, the board would come twice when the chat opens.
            return self._responder.lead(press, token, heard.texts("telegram-private-needed"))
        answer = await self._commands.run_button(heard.command, token)
        if answer.refused:
            await dealing.refused()
        return await self._responder.pressed(press, answer)

    async def _touched(
        self, match_id: int, place: Place, message: int, *, carries: bool
    ) -> Relation:
        """Note the arrival of a board that a user pressed. Delete it if another has replaced it."""
        touched = await boards.recognise(
            self._app.matches, match_id, place, str(message), carries=carries
        )
        if touched is Relation.LEFT_BEHIND:
            self._background.run(self._responder.delete(Chat.of(place), message))
        return touched
