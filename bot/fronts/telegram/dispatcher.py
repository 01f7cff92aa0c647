"""From an update to a command: who wants what, and where.

Commands run in order wherever they share a chat, a person or a match that their people play; what
they answer is said aside (`bot.fronts.telegram.responder`). What comes too fast is answered beside
all that.
"""

import asyncio
from collections.abc import Collection, Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from structlog import get_logger
from telegram import (
    Bot,
    CallbackQuery,
    ChatMember,
    ChatMemberUpdated,
    MaybeInaccessibleMessage,
    Message,
    Update,
)
from telegram import User as TelegramUser
from telegram.constants import ChatType
from telegram.error import TelegramError

from bot.app import App
from bot.backoff import Backoff
from bot.boards import Touched
from bot.commands import (
    Command,
    Commands,
    Medium,
    SoloPlace,
    is_menu,
    is_replay,
    match_of,
    offered_moves,
)
from bot.errors import ShardLostError, StoreError
from bot.fronts.telegram import widgets
from bot.fronts.telegram.reading import (
    Line,
    answers_us,
    buttons_of,
    chat_of,
    line_in,
    owner_of,
    replied_to,
    speaker_of,
)
from bot.fronts.telegram.reasons import reason_of
from bot.fronts.telegram.responder import (
    BackgroundTasks,
    ButtonPress,
    Heard,
    Responder,
    Work,
)
from bot.fronts.telegram.sender import PLATFORM, Chat, Sender
from bot.fronts.telegram.shapes import unanswered
from bot.logs import store_failed
from bot.model import Place, User
from bot.platforms import TELEGRAM
from bot.store import Store
from bot.store.inbox import Finishing, Inbox
from bot.tasks import KeyedExecutor
from bot.texts import Texts, language_of

__all__ = ["Dispatcher"]

_log = get_logger(__name__)

_PAUSES = Backoff(0.5, 30.0)
_MOST_BYTES = 50_000_000
"""What a bot may send in one file."""
_USERNAMES = r"(?i)(?!\w*bot$)[a-z][a-z0-9_]{3,31}"
"""What people are called behind an @; those of bots end with what they are."""
_MEDIUM = Medium(
    usernames=_USERNAMES,
    notifies=TELEGRAM.notifies,
    is_invited=True,
    most_bytes=_MOST_BYTES,
    shows_in_private=False,
    has_pad=True,
    solo=SoloPlace.PRIVATE,
)


def _keys_of(update: Update, playing: Collection[int]) -> Iterator[Hashable]:
    """What an update is about, as far as it must wait for others: chats, people, matches.

    `playing` are the matches of whoever has sent it: those that others play keep nobody waiting,
    whatever somebody's buttons say.
    """
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
    """What somebody has written, or what a channel says."""
    return update.message or update.edited_message or update.channel_post


def _is_about_matches(update: Update) -> bool:
    """Could it be about matches of whoever has sent it?"""
    query, message = update.callback_query, update.message
    return bool((query and match_of(query.data or "")) or (message and message.text))


@dataclass(frozen=True, slots=True)
class _Answered:
    """The match that somebody's answer is about, and its version where a board shows it."""

    match: int
    version: int = 0


@dataclass(frozen=True, slots=True)
class _Tenure:
    """Since when we speak here, and by what is written whatever is done in that time."""

    word: str
    """See `Shards.tenure`."""
    fenced: Store
    """The store, which refuses what is written when others have spoken since."""
    inbox: Inbox


@dataclass(slots=True)
class _Dealing:
    """An update that is being dealt with.

    Telegram cannot be asked whether a message has arrived. So between what is said and what is
    noted one has to come first, and a kill in between either says it twice or not at all:

    * What was done is noted with it, in one transaction, and its boards are shown until they are
      known to have arrived: no move is lost, and a board may stand there twice.
    * All else is noted when it is about to be said (`finish`): nothing was done, so at worst
      somebody hears nothing and asks once more. Nobody is told no and finds it done after the next
      start; who has been told nothing yet is dealt with anew.
    * A pressed button wants an answer, and may have it twice without anybody seeing it. That it was
      refused is noted (`refused`), the answer stays owed.
    """

    number: int
    state: Finishing
    tenure: _Tenure
    """In which it was taken in hand: in another one it is done anew, by another process or us."""
    is_finished: bool = False

    async def refused(self, query: str, language: str) -> None:
        """Nothing of it is done at the next start, but that this is said. Raises `StoreError`."""
        if not self.state.done:
            self.state.left = unanswered(query, refused_in=language)
            await self.tenure.inbox.finish(self.number, self.state.left)
            self.state.done = True

    @property
    def is_over(self) -> bool:
        """Is nothing of it left in the inbox?"""
        return self.is_finished or (self.state.done and self.state.left is None)

    async def finish(self) -> bool:
        """Be done with it, whatever is left; False where that could not be noted.

        Raises `ShardLostError` where it is for another process to deal with.
        """
        if not self.is_over:
            try:
                await self.tenure.inbox.finish(self.number)
            except ShardLostError:
                raise
            except StoreError as error:
                store_failed(_log, "update not finished", error, update=self.number)
                return False
            self.is_finished = True
        return True


class Dispatcher:
    """Deals with updates, each of which it finishes in the inbox."""

    def __init__(
        self,
        app: App,
        commands: Commands,
        bot: Bot,
        *,
        sender: Sender,
        responder: Responder,
        background: BackgroundTasks,
    ) -> None:
        self._app = app
        self._directory = app.directory
        self._commands = commands
        self._bot = bot
        self._sender = sender
        self._responder = responder
        self._background = background
        self._executor = KeyedExecutor()
        self._tenure = _Tenure("", app.store, app.inbox(PLATFORM))
        self.in_hand: dict[int, _Tenure] = {}
        """The numbers of updates that are being dealt with, or that only the next start can; since
        which tenure."""

    def begin(self, tenure: str) -> None:
        """From now on it is in this tenure that we speak.

        Whoever spoke meanwhile may have begun with what was in hand, and nothing more comes of it
        here: it is found in the inbox once more.
        """
        if tenure != self._tenure.word:
            fenced = self._app.shards.within(PLATFORM, tenure)
            inbox = Inbox(self._app.store, PLATFORM, ours=lambda: fenced)
            self._tenure = _Tenure(tenure, fenced, inbox)
            self.in_hand.clear()

    def _dealing(
        self, number: int, tenure: _Tenure, left: dict[str, str] | None = None
    ) -> "_Dealing":
        """`left` is what is still owed when all else is done."""
        return _Dealing(number, Finishing(PLATFORM, number, left), tenure)

    def _out_of_hand(self, dealing: "_Dealing") -> None:
        """It has left the inbox; in another tenure it may be in hand again."""
        if self.in_hand.get(dealing.number) is dealing.tenure:
            del self.in_hand[dealing.number]

    async def take(self, updates: Sequence[Update]) -> None:
        """Deal with updates, each as soon as nothing before it that shares a key is under way.

        Of one person only a few stand in the way of others at a time, and those who press or type
        too fast are told so beside all that.
        """
        people = {
            update.update_id: str(update.effective_user.id)
            for update in updates
            if update.effective_user and _is_about_matches(update)
        }
        playing: dict[str, list[int]] = {}
        if people:
            try:
                playing = await self._app.matches.playing(PLATFORM, set(people.values()))
            except StoreError as error:
                store_failed(_log, "matches not looked up", error)
        tenure = self._tenure
        for update in updates:
            person = update.effective_user
            owner = person and ("person", person.id)
            message = _message_of(update)
            is_for_us = message is None or self._is_for_us(message)
            asks = is_for_us and (message or update.callback_query)
            is_fast = person and asks and not await self._commands.may_ask(PLATFORM, str(person.id))
            # Whoever is cut off before this finds it in the inbox.
            self.in_hand[update.update_id] = tenure
            if person and is_fast:
                calm = partial(self._calm, update, person, tenure=tenure)
                self._executor.run([("too fast", owner)], calm)
                continue
            matches = playing.get(people.get(update.update_id, ""), ())
            keys = set(_keys_of(update, matches))
            deal = partial(self._deal, update, is_for_us=is_for_us, tenure=tenure)
            self._executor.run(keys, deal, owner=owner)

    async def close(self, *, seconds: float) -> None:
        """Begin nothing more, and wait for what has begun; cancel it after `seconds`."""
        await self._executor.close(seconds=seconds)

    async def _deal(self, update: Update, *, is_for_us: bool, tenure: _Tenure) -> None:
        """Deal with one update; never raises."""
        number, query, shards = update.update_id, update.callback_query, self._app.shards
        if not await shards.is_still_ours(PLATFORM, tenure.word):
            # Whoever speaks in the next tenure finds it in the inbox.
            return
        # Whoever has pressed a button is answered, even if we are gone between the two.
        left = unanswered(query.id) if query else None
        dealing = self._dealing(number, tenure, left)
        try:
            work = await self._dealt(update, dealing, is_for_us=is_for_us)
        except ShardLostError:
            # Another process finds it in the inbox.
            return
        except StoreError as error:
            store_failed(_log, "update not dealt with", error, update=number)
            if work := self._apology(update, f"error-{error.code}"):
                self._background.run(self._finished(dealing, work))
            # Where nobody was told no, it stays in the inbox, for the next start.
            return
        except Exception:  # noqa: BLE001 - logged whole; one bad update must not come for ever
            _log.exception("update failed", update=number)
            with suppress(ShardLostError):
                await dealing.finish()
            work = self._apology(update, "error-ours")
        if not dealing.state.done and shards.tenure(PLATFORM) != tenure.word:
            # What was to be said of it is that it could not be stored.
            return
        if work is not None or not dealing.is_over:
            self._background.run(self._finished(dealing, work))
        else:
            self._out_of_hand(dealing)

    async def _calm(self, update: Update, person: TelegramUser, *, tenure: _Tenure) -> None:
        """Answer somebody who presses or types too fast; never raises."""
        dealing = self._dealing(update.update_id, tenure)
        # Whoever was told no must not find it done after the next start.
        if not await self._is_noted(dealing):
            return
        if message := update.message or update.edited_message:
            texts = Texts(language_of(person.language_code, self._app.settings.language))
            chat, draft = chat_of(message), widgets.note(texts("error-too-fast"))
            told = self._responder.send(chat, draft, reply=message.message_id, person=person.id)
            self._background.run(self._finished(dealing, told))
        else:
            apology = self._apology(update, "error-too-fast")
            await self._background.do(self._finished(dealing, apology))

    def answer_late(self, number: int, query: str, refused_in: str) -> None:
        """All that an update asked for was done before the start, but for the answer.

        What it said is known no more; in which language it was a no is, where it was one.
        """
        self.in_hand[number] = self._tenure
        dealing = self._dealing(number, self._tenure)
        text = Texts(refused_in)("telegram-refused-before") if refused_in else ""
        answer = self._sender.answer(query, text, alert=bool(text))
        self._background.run(self._finished(dealing, answer))

    def _apology(self, update: Update, key: str) -> Work | None:
        """No button is left without an answer."""
        if query := update.callback_query:
            texts = Texts(language_of(query.from_user.language_code))
            return self._sender.answer(query.id, texts(key), alert=True)
        return None

    async def _finished(self, dealing: "_Dealing", work: Work | None) -> None:
        """Say it, and be done with the update: what is refused now is not tried at every start."""
        if work is not None:
            await self._background.do(work)
        # Who was told that nothing has changed must not find it done after the next start.
        if await self._is_noted(dealing):
            self._out_of_hand(dealing)

    async def _is_noted(self, dealing: "_Dealing") -> bool:
        """Be done with an update, however long that takes; False: another process finishes it."""
        failures = 0
        try:
            while not await dealing.finish():
                failures += 1
                await asyncio.sleep(_PAUSES.after(failures))
        except ShardLostError:
            return False
        return True

    async def _dealt(self, update: Update, dealing: "_Dealing", *, is_for_us: bool) -> Work | None:
        """Do what an update asks for; gives what is then to be said."""
        if update.callback_query:
            return await self._pressed(update.callback_query, dealing)
        if update.my_chat_member:
            return await self._membership(update.my_chat_member)
        message = _message_of(update)
        if message and message.migrate_to_chat_id:
            await self.moved(message.chat.id, message.migrate_to_chat_id)
        elif message and message.migrate_from_chat_id:
            await self.moved(message.migrate_from_chat_id, message.chat.id)
        elif message and is_for_us:
            return await self._written(message, dealing, edited=update.edited_message is not None)
        return None

    # --- who and where --------------------------------------------------------------------

    async def _recognised(self, person: TelegramUser) -> User:
        """Whom we know of this person; a stranger, where that is nothing."""
        return await self._directory.recognised(
            PLATFORM,
            str(person.id),
            person.full_name,
            username=person.username or "",
            locale=person.language_code,
        )

    async def _private(self, user: User, person: int) -> Place:
        """The private chat of somebody who does something there."""
        title = Texts(self._app.settings.language)("direct-title")
        place = await self._directory.own_place(user, PLATFORM, str(person), title)
        return await self._open(place) if place.id else place

    async def _open(self, place: Place) -> Place:
        """Somebody has just done something in their private chat: it can be written in."""
        place = await self._directory.opened(place)
        if courier := self._app.couriers.get(PLATFORM):
            courier.spoken_in(place)
        return place

    async def _place(self, chat: Chat, title: str | None, user: User, locale: str | None) -> Place:
        """Where somebody does something; a group's first words set its language."""
        if chat.is_private:
            return await self._private(user, chat.id)
        return await self._directory.get_or_create_place(
            PLATFORM,
            chat.external,
            title=title or "",
            community=str(chat.id),
            locale=locale,
            parent=str(chat.id) if chat.thread else None,
        )

    def _heard(
        self,
        user: User,
        place: Place,
        person: TelegramUser,
        dealing: "_Dealing",
        *,
        chat: Chat,
        message: MaybeInaccessibleMessage,
    ) -> Heard:
        """Who does something where, by which message: a command that asks for nothing yet."""
        unit = dealing.tenure.fenced.together_with(dealing.state)
        is_forum = bool(message.chat.is_forum)
        command = Command(
            user=user,
            place=place,
            locale=person.language_code,
            theme=TELEGRAM.theme,
            identity=str(person.id),
            can_manage=partial(self._can_manage, chat, person.id),
            medium=replace(_MEDIUM, topics=is_forum and not chat.thread),
            unit=unit,
        )
        finish = dealing.finish
        return Heard(command, chat, message.message_id, self._app, self._app.erasures, finish)

    # --- what people write ----------------------------------------------------------------

    def _is_for_us(self, message: Message) -> bool:
        """May a message be meant for us, and not for another bot or for people?"""
        line = line_in(message, self._bot.username)
        to_us = chat_of(message).is_private or answers_us(message, self._bot.id)
        if line is None:
            return bool(message.text) and to_us
        # In a group with several bots, commands reach all of them.
        return to_us or line.is_addressed or line.is_start or self._commands.knows(line.text)

    async def _written(self, message: Message, dealing: "_Dealing", *, edited: bool) -> Work | None:
        line, chat = line_in(message, self._bot.username), chat_of(message)
        answered = message.reply_to_message
        board = await self._board_answered(message, answered, chat) if answered else None
        if line is None and not (board or chat.is_private):
            return None
        speaker = speaker_of(message)
        if speaker is None or message.chat.type == ChatType.CHANNEL:
            return self._nobody(message, chat)
        locale = speaker.language_code
        # Whoever types a command is met; who says anything else need not be known.
        if line and not edited:
            user = await self._directory.get_or_create_user(
                PLATFORM,
                str(speaker.id),
                speaker.full_name,
                username=speaker.username or "",
                locale=locale,
            )
        else:
            user = await self._recognised(speaker)
        place = await self._place(chat, message.chat.title, user, locale)
        heard = self._heard(user, place, speaker, dealing, chat=chat, message=message)
        is_aloud = not chat.is_private
        medium = replace(heard.command.medium, is_aloud=is_aloud)
        heard = replace(heard, command=replace(heard.command, medium=medium))
        if board and board.version and answered:
            await self._touched(board.match, place, answered.message_id, carries=True)
        if line and not edited:
            return await self._typed(heard, line, message)
        match, version = (board.match, board.version) if board else (0, 0)
        move = (message.text or "").strip()
        command = replace(heard.command, match=match, version=version, move=move)
        if edited:
            is_meant = line or await self._commands.could_be_move(command)
            return self._responder.note(heard, "telegram-edited") if is_meant else None
        if answer := await self._commands.said(command):
            return self._responder.typed(heard, answer)
        return self._responder.note(heard, "telegram-hint") if chat.is_private else None

    async def _typed(self, heard: Heard, line: Line, message: Message) -> Work:
        command, replied = heard.command, replied_to(message)
        if replied and replied.id != heard.user:
            command = replace(command, replied=await self._recognised(replied))
        if line.mentions:
            mentions = {word: await self._recognised(who) for word, who in line.mentions.items()}
            command = replace(command, mentions=mentions)
        if line.is_start:
            parameter = line.text.partition(" ")[2]
            return await self._started(replace(heard, command=command), parameter.strip())
        return self._responder.typed(heard, await self._commands.typed(command, line.text))

    async def _board_answered(
        self, message: Message, answered: Message, chat: Chat
    ) -> "_Answered | None":
        """The match of the board of ours, or of the news beside it, which a message answers."""
        if not answers_us(message, self._bot.id):
            return None
        if board := offered_moves(buttons_of(answered)):
            return _Answered(*board)
        match = await self._app.boards.match_told(PLATFORM, chat.external, str(answered.message_id))
        return _Answered(match) if match else None

    def _nobody(self, message: Message, chat: Chat) -> Work | None:
        """A command from a channel or from somebody without a face; other bots are left alone."""
        person = message.from_user
        if person and person.is_bot and not message.sender_chat:
            return None
        texts = Texts(self._app.settings.language)
        is_channel = message.chat.type == ChatType.CHANNEL
        text = texts("telegram-channel" if is_channel else "telegram-anonymous")
        return self._responder.send(chat, widgets.note(text), reply=message.message_id)

    async def _can_manage(self, chat: Chat, person: int) -> bool:
        """May this person change the settings of the place? Asked only where it matters."""
        if chat.is_private:
            return True
        try:
            member = await self._bot.get_chat_member(chat.id, person)
        except TelegramError as error:
            _log.warning("administrators not known", chat=chat.id, reason=reason_of(error))
            return False
        return member.status in (ChatMember.OWNER, ChatMember.ADMINISTRATOR)

    async def _started(self, heard: Heard, parameter: str) -> Work:
        """``/start``, alone or as a followed link."""
        command = heard.command
        if not parameter or not heard.chat.is_private:
            return self._responder.typed(
                heard, await self._commands.run(replace(command, verb="menu"))
            )
        answer = await self._commands.followed(command, parameter)
        return self._responder.typed(heard, answer, nod=False)

    # --- what the bot's fate is -----------------------------------------------------------

    async def moved(self, old: int, new: int) -> None:
        """A group has become a supergroup, with another number; its matches follow it."""
        if await self._directory.moved(PLATFORM, str(old), str(new)):
            self._app.changed.set()

    async def _membership(self, change: ChatMemberUpdated) -> Work | None:
        chat, status = Chat(change.chat.id), change.new_chat_member.status
        if status in (ChatMember.LEFT, ChatMember.BANNED):
            directory = self._directory
            note = directory.conversation_closed if chat.is_private else directory.gone
            await note(PLATFORM, chat.external)
            return None
        if chat.is_private:
            # Where there is none yet, what they say next begins it.
            if place := await self._directory.conversation(PLATFORM, chat.external):
                await self._open(place)
            return None
        if change.chat.type == ChatType.CHANNEL:
            return None
        place = await self._directory.get_or_create_place(
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

    # --- what people press ----------------------------------------------------------------

    async def _pressed(self, query: CallbackQuery, dealing: "_Dealing") -> Work:
        message, token, person = query.message, query.data, query.from_user
        if message is None or not token:
            texts = Texts(self._app.settings.language)
            return self._sender.answer(query.id, texts("error-button-unknown"), alert=True)
        chat, owner, menu = _pressed_in(message)
        user = await self._recognised(person)
        place = await self._place(chat, message.chat.title, user, person.language_code)
        heard = self._heard(user, place, person, dealing, chat=chat, message=message)
        under = str(message.message_id)
        heard = replace(heard, command=replace(heard.command, message=under))
        if owner not in (None, person.id) and not chat.is_private:
            return self._sender.answer(query.id, heard.texts("telegram-not-yours"), alert=True)
        touched = Touched.BOARD
        match = match_of(token)
        if menu and owner is None:
            # A board may be a text, too.
            menu = not await self._app.boards.is_here(place, under)
        carries = isinstance(message, Message) and token in buttons_of(message)
        if match and not menu:
            touched = await self._touched(match, place, message.message_id, carries=carries)
        may_change = touched is not Touched.FOREIGN
        # What is nobody's in a group is fulfilled by its own buttons alone: others are forged.
        is_theirs = menu and (chat.is_private or owner is not None or carries)
        press = ButtonPress(
            heard,
            query.id,
            token,
            is_menu=is_theirs,
            may_change=may_change,
            is_picture=isinstance(message, Message) and bool(message.photo),
        )
        if own := widgets.own_button(token):
            if own.verb == widgets.VOID:
                return self._sender.answer(query.id)
            if not carries:
                # Forged: what all look at is turned by the keys that are there.
                text = heard.texts("error-button-unknown")
                return self._sender.answer(query.id, text, alert=True)
            return await self._responder.page(press, own)
        command = heard.command
        if await self._commands.opens_private(command, token):
            return self._responder.lead(press, token, heard.texts("telegram-private-needed"))
        answer = await self._commands.pressed(command, token)
        if answer.refused:
            await dealing.refused(query.id, heard.texts.language)
        return await self._responder.pressed(press, answer)

    async def _touched(
        self, match_id: int, place: Place, message: int, *, carries: bool
    ) -> Touched:
        """A board of which nobody knew has arrived, for somebody touched it.

        It is the board from now on; where another has been asked for meanwhile, it goes.
        """
        touched = await self._app.boards.recognise(match_id, place, str(message), carries=carries)
        if touched is Touched.LEFT_BEHIND:
            self._background.run(self._responder.delete(Chat.of(place), message))
        return touched


def _pressed_in(message: MaybeInaccessibleMessage) -> tuple[Chat, int | None, bool]:
    """The chat in which a message was pressed, whose menu it is, and whether it is one at all."""
    if not isinstance(message, Message):
        # Too old for Telegram to say more about it; its topic is unknown.
        return Chat(message.chat.id), None, False
    owner = owner_of(message)
    # Menus are texts, and boards are pictures; so are matches that somebody steps through.
    buttons = tuple(buttons_of(message))
    menu = message.reply_markup is not None and is_menu(buttons)
    menu = menu and (not message.photo or is_replay(buttons))
    return chat_of(message), owner, owner is not None or menu
