"""From an update to a command, and from its answer to messages.

Commands run in order wherever they share a chat, a person or a match; what they answer is
delivered aside, at Telegram's pace. What only one person may read goes to their private chat,
by a link where they have not opened it yet.
"""

import asyncio
from collections.abc import Callable, Coroutine, Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
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

from bot.actions import LONGEST_TOKEN, Action
from bot.commands import Alone, Answer, Command, Commands, table
from bot.duties import NotNowError, PlaceGoneError
from bot.errors import Refused, StoreError
from bot.fronts.telegram import widgets
from bot.fronts.telegram.people import PLATFORM, People, chat_of
from bot.fronts.telegram.post import Chat, Post, UnsureError
from bot.fronts.telegram.reading import owner_of, read, replied_to, speaker_of
from bot.fronts.telegram.widgets import Draft
from bot.house import House
from bot.matches import Live
from bot.model import Place, PlaceKind
from bot.screens import Screen
from bot.store import inbox
from bot.store import matches as rows
from bot.texts import Texts, language_of

__all__ = ["UNKNOWN", "Desk", "keys_of"]

_log = get_logger(__name__)

UNKNOWN = "?"
"""The message of a board that was sent, and nobody knows whether and where it arrived."""

_TRIES = 8
_STEWARDS = {f"/{spec.name}" for spec in table() if spec.steward}
"""Commands for which it matters whether somebody is an administrator."""
_NOD = "👌"

Work = Coroutine[Any, Any, None]


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
    if update.callback_query:
        with suppress(Refused):
            if match := Action.read(update.callback_query.data or "").match:
                yield "match", match


@dataclass(frozen=True, slots=True)
class Heard:
    """What was asked, where, and by which message of whom."""

    command: Command
    chat: Chat
    message: int
    texts: Texts

    @property
    def user(self) -> int:
        """The Telegram id of whoever asks."""
        return int(self.command.identity)

    @property
    def owner(self) -> tuple[str, int]:
        """Name and id of whoever asks."""
        return self.command.user.name, self.user


class Desk:
    """Deals with updates, one `deal` each."""

    def __init__(
        self, house: House, commands: Commands, bot: Bot, post: Post, people: People
    ) -> None:
        self._house = house
        self._commands = commands
        self._bot = bot
        self._post = post
        self._people = people
        self._errands: set[asyncio.Task[None]] = set()
        self._saying: set[Hashable] = set()
        self._half: dict[tuple[int, int], tuple[Screen, Callable[[], Coroutine[Any, Any, bool]]]]
        self._half = {}

    async def deal(self, update: Update) -> None:
        """Deal with one update; never raises."""
        number = update.update_id
        try:
            with inbox.finishing(PLATFORM, number) as state:
                work = await self._dealt(update)
        except StoreError as error:
            # It stays in the inbox, for the next start.
            _log.error("update not dealt with", update=number, reason=str(error))
            return
        except Exception:  # noqa: BLE001 - logged whole; one bad update must not come for ever
            _log.exception("update failed", update=number)
            state, work = inbox.Finishing(), self._apology(update)
        if work is not None or not state.done:
            self.errand(self._finished(number, work, done=state.done))

    def _apology(self, update: Update) -> Work | None:
        """No button is left without an answer."""
        if query := update.callback_query:
            texts = Texts(language_of(query.from_user.language_code))
            return self._post.answer(query.id, texts("error-ours"), alert=True)
        return None

    async def _finished(self, number: int, work: Work | None, *, done: bool) -> None:
        if work is not None:
            await work
        if not done:
            await inbox.finish(self._house.store, PLATFORM, number)

    def errand(self, work: Work) -> None:
        """Do something aside; failures are logged."""
        task = asyncio.create_task(self._run(work))
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def _run(self, work: Work) -> None:
        try:
            await work
        except StoreError as error:
            _log.error("not stored", reason=str(error))
        except TelegramError as error:
            _log.warning("Telegram refuses", reason=error.message)
        except (NotNowError, PlaceGoneError, UnsureError) as error:
            _log.info("not said", why=type(error).__name__)
        except Exception:  # noqa: BLE001 - nobody waits for it; logged whole
            _log.exception("errand failed")

    async def close(self, *, seconds: float) -> None:
        """Wait for what is being said; what waits for its turn is said after the next start."""
        if self._errands:
            _, late = await asyncio.wait(set(self._errands), timeout=seconds)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late)

    async def _dealt(self, update: Update) -> Work | None:
        """Do what an update asks for; gives what is then to be said."""
        if update.callback_query:
            return await self._pressed(update.callback_query)
        if update.my_chat_member:
            return await self._membership(update.my_chat_member)
        message = update.message or update.edited_message or update.channel_post
        if message and message.migrate_to_chat_id:
            await self._people.moved(message.chat.id, message.migrate_to_chat_id)
        elif message and message.migrate_from_chat_id:
            await self._people.moved(message.migrate_from_chat_id, message.chat.id)
        elif message:
            return await self._written(message, edited=update.edited_message is not None)
        return None

    # --- what people write ----------------------------------------------------------------

    async def _written(self, message: Message, *, edited: bool) -> Work | None:
        line = read(message, self._bot.username)
        token = None if line else self._answered_board(message)
        chat = chat_of(message)
        if line is None and token is None and not (chat.is_private and message.text):
            return None
        speaker = speaker_of(message)
        if speaker is None or message.chat.type == ChatType.CHANNEL:
            return self._nobody(message, chat)
        user = await self._people.meet(speaker)
        place = await self._people.place_of(message, locale=speaker.language_code)
        replied = replied_to(message)
        command = self._command(
            user=user,
            place=place,
            identity=speaker.id,
            locale=speaker.language_code,
        )
        heard = Heard(command, chat, message.message_id, self._people.texts(user, place))
        if edited:
            return self._say(heard, "telegram-edited") if line or token else None
        if token:
            return self._answer(heard, await self._commands.pressed(command, token))
        if line is None:
            return self._say(heard, "telegram-hint")
        if replied and replied.id != speaker.id:
            command = replace(command, replied=await self._people.meet(replied))
        mentions = {word: await self._people.meet(who) for word, who in line.mentions.items()}
        command = replace(command, mentions=mentions)
        name, _, parameter = line.text.partition(" ")
        if name == "/start":
            return await self._started(heard, parameter.strip())
        if name.casefold() in _STEWARDS:
            command = replace(command, steward=await self._is_steward(chat, speaker.id))
        return self._answer(heard, await self._commands.typed(command, line.text))

    def _answered_board(self, message: Message) -> str | None:
        """The token that plays a text in the match whose board it answers."""
        board = message.reply_to_message
        text = (message.text or "").strip()
        if board is None or not text or not board.from_user or not board.reply_markup:
            return None
        if board.from_user.id != self._bot.id:
            return None
        for row in board.reply_markup.inline_keyboard:
            for button in row:
                with suppress(Refused):
                    seen = Action.read(str(button.callback_data or ""))
                    action = Action("play", seen.match, seen.version, text)
                    if seen.verb == "step" and len(_token(action).encode()) <= LONGEST_TOKEN:
                        return _token(action)
        return None

    def _nobody(self, message: Message, chat: Chat) -> Work | None:
        """A command from a channel or from somebody without a face; other bots are left alone."""
        person = message.from_user
        if person and person.is_bot and not message.sender_chat:
            return None
        texts = Texts(self._house.settings.language)
        is_channel = message.chat.type == ChatType.CHANNEL
        text = texts("telegram-channel" if is_channel else "telegram-anonymous")
        return self._send(chat, widgets.note(text), reply=message.message_id)

    async def _is_steward(self, chat: Chat, person: int) -> bool:
        """May this person change the settings of the place? Asked only where it matters."""
        if chat.is_private:
            return True
        try:
            member = await self._bot.get_chat_member(chat.id, person)
        except TelegramError as error:
            _log.warning("administrators not known", chat=chat.id, reason=error.message)
            return False
        return member.status in (ChatMember.OWNER, ChatMember.ADMINISTRATOR)

    def _command(
        self, *, user: Any, place: Place, identity: int, locale: str | None, steward: bool = False
    ) -> Command:
        return Command(
            user=user,
            place=place,
            verb="",
            locale=locale,
            identity=str(identity),
            links=True,
            alone=Alone.PRIVATE,
            steward=steward,
        )

    async def _started(self, heard: Heard, parameter: str) -> Work:
        """``/start``, alone or as a followed link."""
        command = heard.command
        if not parameter or not heard.chat.is_private:
            return self._answer(heard, await self._commands.typed(command, "/play"))
        try:
            action = widgets.started(parameter)
        except Refused as error:
            return self._say(heard, f"error-{error.code}")
        answer = await self._commands.pressed(command, action.token)
        if action.verb == "accept" and not answer.refused:
            answer = await self._commands.pressed(command, Action("board", action.match).token)
        return self._answer(heard, answer, nod=False)

    # --- what the bot's fate is -----------------------------------------------------------

    async def _membership(self, change: ChatMemberUpdated) -> Work | None:
        chat, status = Chat(change.chat.id), change.new_chat_member.status
        if status in (ChatMember.LEFT, ChatMember.BANNED):
            await self._people.gone(chat.id)
            return None
        if chat.is_private:
            await self._people.reached(chat.id)
            return None
        if change.chat.type == ChatType.CHANNEL:
            return None
        locale = change.from_user.language_code
        place = await self._people.enter(chat, change.chat.title or "", locale=locale)
        if change.old_chat_member.status not in (ChatMember.LEFT, ChatMember.BANNED):
            return None
        texts = self._house.audience(place).texts
        return self._send(chat, widgets.note(texts("telegram-hello")))

    # --- what people press ----------------------------------------------------------------

    async def _pressed(self, query: CallbackQuery) -> Work:
        message = query.message
        if message is None or not query.data:
            texts = Texts(self._house.settings.language)
            return self._post.answer(query.id, texts("error-button-unknown"), alert=True)
        heard, owner = await self._heard(query, message)
        chat, place = heard.chat, heard.command.place
        try:
            action = Action.read(query.data)
        except Refused as error:
            return self._post.answer(query.id, heard.texts(f"error-{error.code}"), alert=True)
        if owner not in (None, query.from_user.id) and not chat.is_private:
            return self._post.answer(query.id, heard.texts("telegram-not-yours"), alert=True)
        if action.match and await rows.adopt(
            self._house.store,
            action.match,
            place.id,
            unknown=UNKNOWN,
            message=str(message.message_id),
        ):
            self._house.changed.set()
        press = Press(heard, query.id, action, is_menu=owner is not None or _is_menu(message))
        match action.verb:
            case widgets.VOID:
                return self._post.answer(query.id)
            case widgets.CLOSE:
                return self._closed(press)
            case widgets.TAB:
                return await self._turned(press)
        if f"/{action.verb}" in _STEWARDS:
            steward = await self._is_steward(chat, query.from_user.id)
            heard = replace(heard, command=replace(heard.command, steward=steward))
        if action.verb == "private" and await self._must_open(heard, action):
            return self._linked(press, action, heard.texts("telegram-private-needed"))
        return await self._reacted(press, await self._commands.pressed(heard.command, query.data))

    async def _heard(
        self, query: CallbackQuery, message: MaybeInaccessibleMessage
    ) -> tuple[Heard, int | None]:
        """Who pressed and where, and whose menu it was."""
        user, locale = await self._people.meet(query.from_user), query.from_user.language_code
        if isinstance(message, Message):
            chat, owner = chat_of(message), owner_of(message)
            place = await self._people.place_of(message, locale=locale)
        else:
            # Too old for Telegram to say more about it; its topic is unknown.
            chat, owner = Chat(message.chat.id), None
            place = (
                await self._people.reached(chat.id)
                if chat.is_private
                else await self._people.enter(chat, message.chat.title or "", locale=locale)
            )
        command = self._command(user=user, place=place, identity=query.from_user.id, locale=locale)
        texts = self._people.texts(user, place)
        return Heard(command, chat, message.message_id, texts), owner

    async def _must_open(self, heard: Heard, action: Action) -> bool:
        """Is there something private to do, and no private chat yet to do it in?"""
        try:
            live = await self._house.matches.get(action.match)
            on_turn = live.match.seat_of(heard.command.user.id) in live.on.turn
        except Refused:
            return False
        return on_turn and not await self._people.can_reach(heard.user)

    async def _reacted(self, press: "Press", answer: Answer) -> Work:
        """What to show after a press."""
        heard, screen = press.heard, answer.private
        if answer.refused and screen is not None:
            if screen.match:
                return await self._stale(press, screen)
            return self._post.answer(press.query, screen.text, alert=True)
        if answer.elsewhere:
            if await self._people.can_reach(heard.user):
                return self._closed(press, screen.text if screen else "")
            action = Action("board", answer.elsewhere)
            return self._linked(press, action, heard.texts("telegram-private-needed"))
        if answer.public is not None:
            return self._and_say(press, heard.chat, widgets.menu(answer.public))
        if screen is None:
            return self._closed(press)
        if press.action.verb == "step" and screen.match:
            return await self._half_made(press, screen)
        return await self._told(press, screen)

    async def _told(self, press: "Press", screen: Screen) -> Work:
        """Words: in place of the menu, as a line over the chat, or in private if they are many."""
        heard = press.heard
        if screen.rows:
            draft = widgets.menu(screen, owner=None if heard.chat.is_private else heard.owner)
            if press.is_menu:
                return self._both(press, self._edit(heard.chat, heard.message, draft))
            return self._and_say(press, heard.chat, draft, reply=True)
        if not screen.title and len(screen.text) < widgets.LONGEST_ALERT:
            return self._closed(press, screen.text)
        if heard.chat.is_private:
            return self._and_say(press, heard.chat, widgets.menu(screen))
        if await self._people.can_reach(heard.user):
            text = heard.texts("telegram-private-sent")
            return self._and_say(press, Chat(heard.user), widgets.menu(screen), text=text)
        return self._linked(press, press.action, f"{screen.title}\n{screen.text}")

    async def _both(self, press: "Press", work: Work, text: str = "") -> None:
        await self._post.answer(press.query, text)
        await work

    async def _closed(self, press: "Press", text: str = "") -> None:
        """Answer, and take the menu away whose purpose is fulfilled."""
        await self._post.answer(press.query, text)
        if press.is_menu:
            await self.delete(press.heard.chat, press.heard.message)

    async def _and_say(
        self, press: "Press", chat: Chat, draft: Draft, *, reply: bool = False, text: str = ""
    ) -> None:
        await self._post.answer(press.query, text)
        await self._send(chat, draft, reply=press.heard.message if reply else None)

    async def _linked(self, press: "Press", action: Action, text: str) -> None:
        """Lead into the private chat, where there is room and nobody else looks."""
        link = widgets.invitation(self._bot.username, action)
        if link is None:
            await self._post.answer(press.query, text, alert=True)
        else:
            await self._post.answer(press.query, url=link)

    async def _stale(self, press: "Press", screen: Screen) -> Work:
        """Refuse an outdated button; show the live board where it is, or else at the bottom."""
        heard = press.heard
        here = [
            board
            for board in await rows.boards_of(self._house.store, screen.match)
            if board.place_id == heard.command.place.id
        ]
        text = heard.texts("error-stale")
        if any(board.message in (None, str(heard.message)) for board in here):
            return self._post.answer(press.query, text, alert=True)
        answer = await self._commands.pressed(heard.command, Action("board", screen.match).token)
        if answer.refused and answer.private:
            text = answer.private.text
        return self._refused(press, text)

    async def _refused(self, press: "Press", text: str) -> None:
        await self._post.answer(press.query, text, alert=True)
        await self.delete(press.heard.chat, press.heard.message)

    # --- half-made moves and pages of the keyboard ----------------------------------------

    async def _half_made(self, press: "Press", screen: Screen) -> Work:
        """Show a half-made move in the board's own message: for all who look at it."""
        heard = press.heard
        reader = await self._people.reader(heard.command.place)
        live = await self._house.matches.get(screen.match)
        if heard.command.place.kind is PlaceKind.CHANNEL:
            screen = await self._house.screens.match(live, reader, seat=None, chosen=screen.chosen)
        draft = widgets.board(screen, verbs=live.game.verbs)

        def act() -> Coroutine[Any, Any, bool]:
            return self._post.edit(heard.chat, heard.message, draft)

        return self._both(press, self._repaint(heard, screen, act))

    async def _turned(self, press: "Press") -> Work:
        """Another page of the keyboard."""
        heard, action = press.heard, press.action
        tab, *chosen = action.argument.split(".")
        try:
            live = await self._house.matches.get(action.match)
        except Refused as error:
            text = heard.texts(f"error-{error.code}", **error.details)
            return self._post.answer(press.query, text, alert=True)
        if live.match.version != action.version:
            screen = Screen(match=action.match, version=action.version)
            return await self._stale(press, screen)
        if not _can_begin(live, tuple(chosen)):
            return self._post.answer(press.query, heard.texts("error-button-unknown"), alert=True)
        boards = await rows.boards_of(self._house.store, action.match)
        shown = [board for board in boards if board.message == str(heard.message)]
        if not shown or shown[0].place_id != heard.command.place.id:
            return self._post.answer(press.query, heard.texts("error-stale"), alert=True)
        reader = await self._people.reader(heard.command.place)
        screen = await self._house.screens.match(
            live, reader, seat=shown[0].seat, chosen=tuple(chosen)
        )
        draft = widgets.board(screen, tab=tab, verbs=live.game.verbs)

        def act() -> Coroutine[Any, Any, bool]:
            return self._post.edit_keyboard(heard.chat, heard.message, draft.keyboard)

        return self._both(press, self._repaint(heard, screen, act))

    async def _repaint(
        self, heard: Heard, screen: Screen, act: Callable[[], Coroutine[Any, Any, bool]]
    ) -> None:
        """Change a board's message for a moment: the last wish counts, and the match's version."""
        key = (heard.chat.id, heard.message)
        waiting = key in self._half
        self._half[key] = (screen, act)
        if waiting:
            return
        try:
            await self._post.turn(heard.chat, ("half", heard.message))
        finally:
            screen, act = self._half.pop(key)
        live = await self._house.matches.get(screen.match)
        if live.match.version == screen.version:
            await act()

    # --- saying things --------------------------------------------------------------------

    def _say(self, heard: Heard, key: str) -> Work:
        draft = widgets.note(heard.texts(key))
        return self._send(heard.chat, draft, reply=heard.message, to=heard.user)

    async def _answer(self, heard: Heard, answer: Answer, *, nod: bool = True) -> None:
        """Answer something typed: briefly, in its place, unless it is for one pair of eyes."""
        screen, reply = answer.private, heard.message
        if answer.public is not None:
            await self._send(heard.chat, widgets.menu(answer.public), reply=reply, to=heard.user)
        elif screen is None:
            if nod:
                await self._post.react(heard.chat, heard.message, _NOD)
        elif answer.elsewhere or (screen.secret and not heard.chat.is_private):
            await self._in_private(heard, answer)
        elif not answer.refused or not screen.match:
            await self._send(heard.chat, widgets.menu(screen), reply=reply, to=heard.user)
        else:
            stale = widgets.note(screen.text.split("\n", 1)[0])
            await self._send(heard.chat, stale, reply=reply, to=heard.user)

    async def _in_private(self, heard: Heard, answer: Answer) -> None:
        screen = answer.private
        assert screen is not None
        texts = heard.texts
        if await self._people.can_reach(heard.user):
            if not answer.elsewhere:
                await self._send(Chat(heard.user), widgets.menu(screen))
            await self._send(
                heard.chat, widgets.note(texts("telegram-private-sent")), reply=heard.message
            )
            return
        action = Action("board", answer.elsewhere)
        if not answer.elsewhere:
            # Without a number, /moves is about the one match that is on here.
            action = Action("moves", screen.match)
        link = widgets.invitation(self._bot.username, action)
        button = [[widgets.url_button(texts("telegram-private-open"), link)]] if link else []
        text = texts("telegram-private-needed")
        draft = Draft(text, keyboard=widgets.keyboard(button))
        await self._send(heard.chat, draft, reply=heard.message)

    async def _send(
        self, chat: Chat, draft: Draft, *, reply: int | None = None, to: int = 0
    ) -> None:
        """Say something new, in its turn; a person is not told the same twice at once."""
        same = (chat, to, draft.text)
        if same in self._saying:
            return
        self._saying.add(same)
        try:
            await self._patiently(chat, lambda: self._post.send(chat, draft, reply=reply))
        except PlaceGoneError:
            if chat.is_private:
                await self._people.gone(chat.id)
            raise
        finally:
            self._saying.discard(same)

    async def _edit(self, chat: Chat, message: int, draft: Draft) -> None:
        await self._patiently(chat, lambda: self._post.edit(chat, message, draft))

    async def _patiently(
        self, chat: Chat, act: Callable[[], Coroutine[Any, Any, Any]], *, counts: bool = True
    ) -> None:
        """Do it in its turn, and again after the pauses that Telegram wants."""
        who = object()
        for _ in range(_TRIES):
            try:
                if counts:
                    await self._post.turn(chat, who)
                await act()
            except NotNowError as pause:
                await asyncio.sleep(pause.seconds)
            else:
                return
        _log.warning("given up saying something", chat=chat.id)

    async def delete(self, chat: Chat, message: int) -> None:
        """Take a message of ours away; tried again after a pause."""
        await self._patiently(chat, lambda: self._post.delete(chat, message), counts=False)


@dataclass(frozen=True, slots=True)
class Press:
    """A pressed button."""

    heard: Heard
    query: str
    action: Action
    is_menu: bool
    """Does it stand under a menu, and not under a board?"""


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


def _can_begin(live: Live, chosen: tuple[str, ...]) -> bool:
    """Does some legal move begin with these steps?"""
    return not chosen or any(
        live.game.steps(move)[: len(chosen)] == chosen
        for seat in live.on.turn
        for move in live.on.moves(seat)
    )


def _token(action: Action) -> str:
    return f"{action.verb}:{action.match}:{action.version}:{action.argument}"
