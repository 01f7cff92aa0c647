"""From an update to a command: who wants what, and where.

Commands run in order wherever they share a chat, a person or a match; what they answer is said
aside (`bot.fronts.telegram.responder`).
"""

from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

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
from telegram.constants import ChatType
from telegram.error import TelegramError

from bot.actions import Action
from bot.app import App
from bot.commands import Command, Commands, SoloPlace, table
from bot.errors import Refused, StoreError
from bot.fronts.telegram import widgets
from bot.fronts.telegram.background import BackgroundTasks, Work
from bot.fronts.telegram.people import PLATFORM, People, chat_of
from bot.fronts.telegram.reading import (
    board_answered,
    owner_of,
    read,
    replied_to,
    speaker_of,
)
from bot.fronts.telegram.reasons import reason_of
from bot.fronts.telegram.responder import ButtonPress, Heard, Responder
from bot.fronts.telegram.sender import Chat, Sender
from bot.logs import store_failed
from bot.model import Place, User
from bot.store import Store, inbox
from bot.store import matches as match_store
from bot.texts import Texts, language_of

__all__ = ["Dispatcher", "keys_of"]

_log = get_logger(__name__)

_MOST_BYTES = 50_000_000
"""What a bot may send in one file."""
_FOR_MANAGERS = {f"/{spec.name}" for spec in table() if spec.can_manage}
"""Commands for which it matters whether somebody is an administrator."""


def keys_of(update: Update) -> Iterator[Hashable]:
    """What an update is about, as far as it must wait for others: chats, people, matches."""
    if update.effective_user:
        yield "person", update.effective_user.id
    if update.effective_chat:
        yield "chat", update.effective_chat.id
    if message := update.message:
        for chat in (message.migrate_to_chat_id, message.migrate_from_chat_id):
            if chat:
                yield "chat", chat
        if board := board_answered(message):
            yield "match", board.match
    if update.callback_query:
        with suppress(Refused):
            if match := Action.read(update.callback_query.data or "").match:
                yield "match", match


class Dispatcher:
    """Deals with updates, one `deal` each."""

    def __init__(
        self,
        app: App,
        commands: Commands,
        bot: Bot,
        *,
        sender: Sender,
        people: People,
        responder: Responder,
        background: BackgroundTasks,
    ) -> None:
        self._app = app
        self._commands = commands
        self._bot = bot
        self._sender = sender
        self._people = people
        self._responder = responder
        self._background = background

    async def playing(self, updates: Iterable[Update]) -> dict[int, list[Hashable]]:
        """The matches that typed lines may be about, as keys, by the numbers of their updates."""
        typing = {
            update.update_id: str(update.effective_user.id)
            for update in updates
            if update.message and update.message.text and update.effective_user
        }
        if not typing:
            return {}
        try:
            found = await match_store.playing(self._app.store, PLATFORM, set(typing.values()))
        except StoreError as error:
            store_failed(_log, "matches not looked up", error)
            return {}
        return {
            number: [("match", match) for match in found.get(person, ())]
            for number, person in typing.items()
        }

    async def deal(self, update: Update) -> None:
        """Deal with one update; never raises."""
        number = update.update_id
        state = inbox.Finishing(PLATFORM, number)
        try:
            work = await self._dealt(update, self._app.store.together_with(state))
        except StoreError as error:
            # It stays in the inbox, for the next start.
            store_failed(_log, "update not dealt with", error, update=number)
            if work := self._apology(update, f"error-{error.code}"):
                self._background.run(work)
            return
        except Exception:  # noqa: BLE001 - logged whole; one bad update must not come for ever
            _log.exception("update failed", update=number)
            state, work = inbox.Finishing(PLATFORM, number), self._apology(update, "error-ours")
        if work is not None or not state.done:
            self._background.run(self._finished(number, work, done=state.done))

    def _apology(self, update: Update, key: str) -> Work | None:
        """No button is left without an answer."""
        if query := update.callback_query:
            texts = Texts(language_of(query.from_user.language_code))
            return self._sender.answer(query.id, texts(key), alert=True)
        return None

    async def _finished(self, number: int, work: Work | None, *, done: bool) -> None:
        """Say it, and be done with the update: what is refused now is not tried at every start."""
        if work is not None:
            await self._background.do(work)
        if not done:
            await inbox.finish(self._app.store, PLATFORM, number)

    async def _dealt(self, update: Update, unit: Store) -> Work | None:
        """Do what an update asks for, in a unit of work; gives what is then to be said."""
        if update.callback_query:
            return await self._pressed(update.callback_query, unit)
        if update.my_chat_member:
            return await self._membership(update.my_chat_member)
        message = update.message or update.edited_message or update.channel_post
        if message and message.migrate_to_chat_id:
            await self._people.moved(message.chat.id, message.migrate_to_chat_id)
        elif message and message.migrate_from_chat_id:
            await self._people.moved(message.migrate_from_chat_id, message.chat.id)
        elif message:
            return await self._written(message, unit, edited=update.edited_message is not None)
        return None

    # --- what people write ----------------------------------------------------------------

    async def _written(self, message: Message, unit: Store, *, edited: bool) -> Work | None:
        line = read(message, self._bot.username)
        board = board_answered(message)
        move = "" if line or not board else (message.text or "").strip()
        chat = chat_of(message)
        if line is None and not move and not (chat.is_private and message.text):
            return None
        speaker = speaker_of(message)
        if speaker is None or message.chat.type == ChatType.CHANNEL:
            return self._nobody(message, chat)
        user = await self._people.get_or_create_user(speaker)
        place = await self._people.place_of(message, locale=speaker.language_code)
        replied = replied_to(message)
        command = self._command(
            user=user,
            place=place,
            identity=speaker.id,
            locale=speaker.language_code,
            unit=unit,
        )
        heard = Heard(command, chat, message.message_id, self._people.texts(user, place))
        if board and message.reply_to_message:
            await self._recognise(board.match, place, message.reply_to_message.message_id)
        if edited:
            return self._responder.note(heard, "telegram-edited") if line or move else None
        if move and board:
            command = replace(
                command, verb="play", match=board.match, version=board.version, move=move
            )
            return self._responder.typed(heard, await self._commands.run(command))
        if line is None:
            return self._responder.note(heard, "telegram-hint")
        if replied and replied.id != speaker.id:
            command = replace(command, replied=await self._people.get_or_create_user(replied))
        mentions = {
            word: await self._people.get_or_create_user(who) for word, who in line.mentions.items()
        }
        command = replace(command, mentions=mentions)
        name, _, parameter = line.text.partition(" ")
        if name == "/start":
            return await self._started(heard, parameter.strip())
        if name.casefold() in _FOR_MANAGERS:
            command = replace(command, can_manage=await self._can_manage(chat, speaker.id))
        return self._responder.typed(heard, await self._commands.typed(command, line.text))

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

    def _command(
        self, *, user: User, place: Place, identity: int, locale: str | None, unit: Store
    ) -> Command:
        return Command(
            user=user,
            place=place,
            locale=locale,
            identity=str(identity),
            alone=SoloPlace.PRIVATE,
            most_bytes=_MOST_BYTES,
            unit=unit,
        )

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

    async def _membership(self, change: ChatMemberUpdated) -> Work | None:
        chat, status = Chat(change.chat.id), change.new_chat_member.status
        if status in (ChatMember.LEFT, ChatMember.BANNED):
            await (self._people.lost if chat.is_private else self._people.gone)(chat.id)
            return None
        if chat.is_private:
            await self._people.reached(chat.id)
            return None
        if change.chat.type == ChatType.CHANNEL:
            return None
        locale = change.from_user.language_code
        place = await self._people.get_or_create_place(chat, change.chat.title or "", locale=locale)
        if change.old_chat_member.status not in (ChatMember.LEFT, ChatMember.BANNED):
            return None
        texts = self._app.audience(place).texts
        return self._responder.send(chat, widgets.note(texts("telegram-hello")))

    # --- what people press ----------------------------------------------------------------

    async def _pressed(self, query: CallbackQuery, unit: Store) -> Work:
        message = query.message
        if message is None or not query.data:
            texts = Texts(self._app.settings.language)
            return self._sender.answer(query.id, texts("error-button-unknown"), alert=True)
        heard, owner = await self._heard(query, message, unit)
        chat, place = heard.chat, heard.command.place
        try:
            action = Action.read(query.data)
        except Refused as error:
            return self._sender.answer(query.id, heard.texts(f"error-{error.code}"), alert=True)
        if owner not in (None, query.from_user.id) and not chat.is_private:
            return self._sender.answer(query.id, heard.texts("telegram-not-yours"), alert=True)
        press = ButtonPress(heard, query.id, action, is_menu=owner is not None or _is_menu(message))
        if action.match and not press.is_menu:
            await self._recognise(action.match, place, message.message_id)
        match action.verb:
            case widgets.VOID:
                return self._sender.answer(query.id)
            case widgets.CLOSE:
                return self._responder.dismiss(press)
            case widgets.TAB:
                return await self._responder.page(press)
        if f"/{action.verb}" in _FOR_MANAGERS:
            can_manage = await self._can_manage(chat, query.from_user.id)
            heard = replace(heard, command=replace(heard.command, can_manage=can_manage))
        if action.verb == "private" and await self._must_open(heard, action):
            return self._responder.lead(press, action, heard.texts("telegram-private-needed"))
        return await self._responder.pressed(
            press, await self._commands.pressed(heard.command, action)
        )

    async def _recognise(self, match_id: int, place: Place, message: int) -> None:
        """A board of which nobody knew has arrived, for somebody touched it.

        It is the board from now on; where another has been asked for meanwhile, it goes.
        """
        if not await self._app.recognise(match_id, place, str(message)):
            self._background.run(self._responder.delete(Chat.of(place), message))

    async def _heard(
        self, query: CallbackQuery, message: MaybeInaccessibleMessage, unit: Store
    ) -> tuple[Heard, int | None]:
        """Who pressed and where, and whose menu it was."""
        user, locale = (
            await self._people.get_or_create_user(query.from_user),
            query.from_user.language_code,
        )
        if isinstance(message, Message):
            chat, owner = chat_of(message), owner_of(message)
            place = await self._people.place_of(message, locale=locale)
        else:
            # Too old for Telegram to say more about it; its topic is unknown.
            chat, owner = Chat(message.chat.id), None
            place = (
                await self._people.reached(chat.id)
                if chat.is_private
                else await self._people.get_or_create_place(
                    chat, message.chat.title or "", locale=locale
                )
            )
        command = self._command(
            user=user, place=place, identity=query.from_user.id, locale=locale, unit=unit
        )
        texts = self._people.texts(user, place)
        return Heard(command, chat, message.message_id, texts), owner

    async def _must_open(self, heard: Heard, action: Action) -> bool:
        """Is there something private to do, and no private chat yet to do it in?"""
        try:
            loaded = await self._app.matches.get(action.match)
            on_turn = loaded.match.seat_of(heard.command.user.id) in loaded.turn
        except Refused:
            return False
        return on_turn and not await self._people.can_reach(heard.user)


def _is_menu(message: Any) -> bool:
    """Menus are texts whose buttons know no match, or ask whether one is sure."""
    if not isinstance(message, Message) or message.photo or not message.reply_markup:
        return False
    verbs = set()
    for row in message.reply_markup.inline_keyboard:
        for button in row:
            with suppress(Refused):
                verbs.add(Action.read(str(button.callback_data or "")).verb)
    return not verbs & {"accept", "step"}
