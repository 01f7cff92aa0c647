"""Send replies in the background, at Telegram's rate, after boards.

Only a few replies to a user wait in a chat, and only the newest edit of a message. If too many wait
in a group, it gets no further ones. Replies are dropped if they are for a deleted account, or may
name one. Private replies go to the private chat, or a link leads there.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import Any
from weakref import WeakValueDictionary

from structlog import get_logger
from telegram.error import TelegramError

from bot.app import App
from bot.commands import Answer, Command, Commands
from bot.delivery import DeliveryError, EphemeralReplies, RetryError, SentReply
from bot.domain.actions import Action
from bot.domain.errors import BotError
from bot.fronts.telegram import widgets
from bot.fronts.telegram.send_scheduler import Sending
from bot.fronts.telegram.sender import PLATFORM, Chat, Sender, reason_of
from bot.fronts.telegram.widgets import Draft
from bot.matches import reading
from bot.screens import Screen
from bot.support.errors import ShardLostError, StoreError
from bot.support.logs import RateLimitedLog, StoreErrorsLogged, store_failed
from bot.support.tasks import Tasks
from bot.support.texts import Texts

_log = get_logger(__name__)

_TRIES = 8
_A_MOMENT = 1.0
_MOST_UNSAID = 3
"""Waiting replies per user and chat. Another one replaces the last."""
_MOST_IN_LINE = 40
"""Waiting replies per group. Further ones would be four minutes late."""
ACK_REACTION = "👌"

Work = Coroutine[Any, Any, None]
_Board = Callable[[Command, str], Awaitable[Screen]]
"""Make a board as a command asks for it, in the message with this id."""


class BackgroundTasks(Tasks):
    """Run work in the background, and log its failures."""

    def run(self, work: Work) -> None:
        self.begin(self.do(work))

    async def do(self, work: Work) -> None:
        try:
            await work
        except ShardLostError:
            _log.debug("left to another process")
        except StoreError as error:
            store_failed(_log, "background task not stored", error)
        except TelegramError as error:
            _log.warning("rejected by Telegram", reason=reason_of(error))
        except DeliveryError as error:
            _log.info("message not sent", why=type(error).__name__)
        except Exception:  # noqa: BLE001 - logged whole; no caller waits for it
            _log.exception("background task failed")


@dataclass(frozen=True, slots=True)
class Incoming:
    """A request: its command, chat and message, and the pressed button, if it is one."""

    command: Command
    chat: Chat
    message: int
    app: App
    commands: Commands
    erasures: int
    finish: Callable[[], Awaitable[object]]
    """Finish the update. Called before a reply is sent."""
    query: str = ""
    token: str = ""
    is_menu: bool = False
    """True under a menu that the press may change or complete, False under a board."""
    may_change: bool = True
    """True if the message may be edited or deleted (`bot.matches.boards.Relation`)."""
    is_picture: bool = False

    @property
    def is_old(self) -> bool:
        """True if an account was deleted since. The reply may contain its name."""
        return self.erasures != self.app.deletion_count

    @property
    def texts(self) -> Texts:
        return self.commands.texts(self.command)

    @property
    def user(self) -> int:
        return int(self.command.client.identity)


@dataclass(slots=True, eq=False)
class _QueuedReply:
    draft: Draft
    person: int
    """The user's Telegram id, 0 if unknown."""
    asked: Incoming | None
    """The request, None if the reply names no one."""
    reply: int | None = None
    menu: int | None = None
    """The message to edit, None for a new one."""
    answer: Answer | None = None
    said: int | None = None
    is_under_way: bool = False

    @property
    def can_be_replaced(self) -> bool:
        """True if another reply may replace it. A file is always sent."""
        return not (self.is_under_way or self.draft.file)

    def become(self, other: "_QueuedReply") -> None:
        self.draft, self.asked = other.draft, other.asked
        self.reply, self.menu = other.reply, other.menu
        self.answer = other.answer


def _as_of_now(one: _QueuedReply) -> Draft:
    """Return the draft, or a note instead if it may name a deleted account."""
    if one.asked and one.asked.is_old:
        return widgets.note(one.asked.texts("outdated"))
    return one.draft


def _shown_reply(heard: Incoming, answer: Answer, message: int | None = None) -> SentReply:
    command = heard.command
    return SentReply(
        command.place,
        command.client.user,
        command.client.identity,
        answer.private,
        is_ephemeral=answer.is_ephemeral,
        message=None if message is None else str(message),
    )


@dataclass(frozen=True, slots=True)
class _Repaint:
    """A partial move, or another page of the keyboard, to show on a board."""

    heard: Incoming
    command: Command
    screen: Screen
    edit: Callable[[Chat, int, Draft], Awaitable[object]]
    tab: str = ""
    number: int = field(default_factory=count().__next__)


@dataclass(slots=True, weakref_slot=True)
class _Keys:
    """Presses that change the keys of one message."""

    shown: int = -1
    waiting: dict[Hashable, _Repaint] = field(default_factory=dict)


class Responder:
    """Send the answers of commands."""

    def __init__(
        self, app: App, commands: Commands, sender: Sender, passing: EphemeralReplies
    ) -> None:
        self.sender = sender
        self.background = BackgroundTasks()
        self._app = app
        self._commands = commands
        self._passing = passing
        self._unsaid: dict[tuple[Chat, int], list[_QueuedReply]] = {}
        self._keys: WeakValueDictionary[tuple[int, int], _Keys] = WeakValueDictionary()
        self._in_line: Counter[int] = Counter()
        self._crowds = RateLimitedLog()

    async def pressed(self, press: Incoming, answer: Answer) -> Work:
        work = await self._pressed(press, answer)

        async def answered() -> None:
            await work
            await self._passing.on_reply(_shown_reply(press, answer))

        return answered()

    async def _pressed(self, press: Incoming, answer: Answer) -> Work:
        screen = answer.private
        if answer.refused and screen is not None:
            is_over = answer.obsoletes_message and press.may_change
            then = self._delete_for(press) if is_over else None
            return self._answer(press, then, text=screen.text, alert=True)
        if answer.board_in_dm:
            if await self._can_reach(press):
                return self._dismiss(press, press.texts("telegram-private-sent"))
            action = Action("board", answer.board_in_dm)
            return self.lead(press, action, press.texts("telegram-private-needed"))
        if answer.public is not None:
            return self._and_say(press, press.chat, widgets.draft_screen(answer.public))
        if screen is None:
            return self._dismiss(press)
        if screen.in_place:
            return await self._show_partial_move(press, screen)
        if answer.obsoletes_message and press.chat.is_private:
            # It names no one, and replaces its question even without an account.
            question = press.message if press.is_menu and not press.is_picture else None
            replaced = _QueuedReply(widgets.menu(screen), press.user, None, menu=question)
            return self._answer(press, self._enqueue(press.chat, replaced))
        return await self._show_text(press, screen)

    async def _show_text(self, press: Incoming, screen: Screen) -> Work:
        """Show a text: in the menu, as an alert, or in private if it is long."""
        if screen.secret and not press.chat.is_private:
            return await self._apart(press, screen)
        is_opened = screen.file or (screen.picture and press.chat.is_private)
        if is_opened or screen.rows:
            # The list that a file or a replay was opened from stays.
            draft = widgets.draft_screen(screen) if is_opened else self._menu(press, screen)
            if press.is_menu and (press.is_picture or not is_opened):
                return self._answer(press, self._edit(press, draft))
            return self._and_say(press, press.chat, draft, reply=not is_opened)
        if not screen.title and len(screen.text) < widgets.LONGEST_ALERT:
            return self._dismiss(press, screen.text)
        if press.chat.is_private:
            return self._and_say(press, press.chat, widgets.menu(screen))
        return await self._apart(press, screen)

    async def _apart(self, press: Incoming, screen: Screen) -> Work:
        """Show a text in private, or lead there."""
        draft = widgets.menu(screen)
        if await self._can_reach(press):
            sent = press.texts("telegram-private-sent")
            return self._and_say(press, Chat(press.user), draft, text=sent)
        if screen.secret:
            needed = press.texts("telegram-private-needed")
            return self.lead(press, screen.again or press.token, needed)
        is_long = len(draft.text) >= widgets.LONGEST_ALERT
        if is_long and await self._commands.link(press.command, press.token) is None:
            # Spectators can read it only here.
            return self._and_say(press, press.chat, draft, reply=True)
        return self.lead(press, press.token, draft.text)

    async def _answer(
        self, press: Incoming, then: Work | None, *, text: str = "", alert: bool = False
    ) -> None:
        await self.sender.answer(press.query, text, alert=alert)
        if then is not None:
            await then

    def _dismiss(self, press: Incoming, text: str = "") -> Work:
        then = self._delete_for(press) if press.is_menu else None
        return self._answer(press, then, text=text)

    def _and_say(
        self, press: Incoming, chat: Chat, draft: Draft, *, reply: bool = False, text: str = ""
    ) -> Work:
        said = self.send(chat, draft, reply=press.message if reply else None, to=press)
        return self._answer(press, said, text=text)

    async def lead(self, press: Incoming, what: Action | str, text: str) -> None:
        word = await self._commands.link(press.command, what)
        if word is None:
            await self.sender.answer(press.query, text, alert=True)
        else:
            link = widgets.deep_link(self.sender.bot.username, word)
            await self.sender.answer(press.query, url=link)

    async def _can_reach(self, heard: Incoming) -> bool:
        return await self._app.directory.can_reach(PLATFORM, heard.command.client.identity)

    def _menu(self, heard: Incoming, screen: Screen) -> Draft:
        """Draft a screen. In a group, the user's name reserves its buttons."""
        is_theirs = screen.rows and not heard.chat.is_private
        owner = (heard.command.client.user.name, heard.user) if is_theirs else None
        return widgets.menu(screen, owner=owner, bot=self.sender.bot.username)

    async def _show_partial_move(self, press: Incoming, screen: Screen) -> Work:
        """Show a partial move on the board. In a group, its picture stays."""
        if not press.may_change:
            text = press.texts("error-button-unknown")
            return self.sender.answer(press.query, text, alert=True)
        command = replace(
            press.command, match=screen.match, version=screen.version, steps=screen.chosen
        )
        if press.chat.is_private:
            new = _Repaint(press, command, screen, self.sender.edit)
            return self._answer(press, self._repainted(new))
        board = self._commands.partial_screen
        return await self._keys_of(press, command, board, text=screen.prompt)

    async def page(self, press: Incoming, button: Action) -> Work:
        tab, *steps = button.argument.split(".")
        command = replace(
            press.command, match=button.match, version=button.version, steps=tuple(steps)
        )
        return await self._keys_of(press, command, self._commands.board_page, tab=tab)

    async def _keys_of(
        self, press: Incoming, command: Command, board: _Board, *, tab: str = "", text: str = ""
    ) -> Work:
        try:
            screen = await board(command, str(press.message))
        except BotError as error:
            return await self.pressed(press, await self._commands.refused(command, error))

        # Without a caption, the message keeps its words.
        edit = self.sender.edit_caption if press.is_picture else self.sender.edit_keyboard
        repainted = self._repainted(_Repaint(press, command, screen, edit, tab))
        return self._answer(press, repainted, text=text)

    async def _repainted(self, new: _Repaint) -> None:
        """Edit a board's message while its match is in this position.

        The last press of a user counts, and an older press never overwrites a newer one. The player
        to move does not wait for others.
        """
        heard = new.heard
        loaded = await reading.get(self._app.matches, new.screen.match, at_least=new.screen.version)
        in_play = loaded.match.seat_of(heard.command.client.user.id) in loaded.turn
        keys = self._keys.setdefault((heard.chat.id, heard.message), _Keys())
        who = heard.user, in_play
        if before := keys.waiting.get(who):
            keys.waiting[who] = max(before, new, key=lambda one: one.number)
            return
        keys.waiting[who] = new

        async def paint() -> None:
            painted = keys.waiting.pop(who, None)
            is_newest = painted is not None and painted.number > keys.shown
            screen = await self._as_it_is_now(painted) if painted and is_newest else None
            if painted is None or screen is None:
                self.sender.scheduler.arrived(heard.chat.id)
                return
            draft = widgets.board(screen, tab=painted.tab)
            try:
                await painted.edit(heard.chat, heard.message, draft)
            except RetryError:
                keys.waiting.setdefault(who, painted)
                raise
            keys.shown = max(keys.shown, painted.number)

        sending = Sending(heard.chat.id, object(), reply_to=heard.user, in_play=in_play)
        if not await self._with_retries(heard.chat, paint, sending):
            keys.waiting.pop(who, None)

    async def _as_it_is_now(self, painted: _Repaint) -> Screen | None:
        """Return the screen, made again after an offer or a deleted account. None after a move."""
        screen = painted.screen
        loaded = await reading.get(self._app.matches, screen.match, at_least=screen.version)
        if loaded.match.version == screen.version and not painted.heard.is_old:
            return screen
        with suppress(BotError):
            return await self._commands.partial_screen(painted.command, str(painted.heard.message))
        return None

    def note(self, heard: Incoming, key: str) -> Work:
        draft = widgets.note(heard.texts(key))
        return self.send(heard.chat, draft, reply=heard.message, to=heard)

    async def answer_command(self, heard: Incoming, answer: Answer, *, nod: bool = True) -> None:
        """Answer a typed command, in private if the answer is secret."""
        screen, reply = answer.private, heard.message
        if answer.is_silent:
            return
        if answer.public is not None:
            await self.send(heard.chat, widgets.draft_screen(answer.public), reply=reply, to=heard)
        elif answer.board_in_dm or (screen and screen.secret and not heard.chat.is_private):
            await self._in_private(heard, answer)
        elif screen is not None:
            menu = self._menu(heard, screen)
            await self.send(heard.chat, menu, reply=reply, to=heard, answer=answer)
            # Reported to delivery when the message is known.
            return
        elif nod:
            await self.sender.react(heard.chat, heard.message, ACK_REACTION)
        await self._passing.on_reply(_shown_reply(heard, answer))

    async def _in_private(self, heard: Incoming, answer: Answer) -> None:
        screen, texts = answer.private, heard.texts
        if await self._can_reach(heard):
            if screen:
                await self.send(Chat(heard.user), widgets.menu(screen), to=heard)
            if screen and answer.about:
                # It is about a board in this chat: a reaction leaves the board in view.
                await self.sender.react(heard.chat, heard.message, ACK_REACTION)
                return
            note = widgets.note(texts("telegram-private-sent"))
            await self.send(heard.chat, note, reply=heard.message, to=heard)
            return
        action = Action("board", answer.board_in_dm)
        if screen:
            # Without a number, /moves shows the only active match here.
            action = screen.again or Action("moves", screen.match)
        word = None
        if action.match or (screen and screen.again):
            word = await self._commands.link(heard.command, action)
        # Without a word, the link opens the menu.
        link = widgets.deep_link(self.sender.bot.username, word or "")
        button = [[widgets.url_button(texts("telegram-private-open"), link)]]
        text = texts("telegram-private-needed")
        draft = Draft(text, keyboard=widgets.keyboard(button))
        await self.send(heard.chat, draft, reply=heard.message, to=heard)

    async def send(
        self,
        chat: Chat,
        draft: Draft,
        *,
        reply: int | None = None,
        to: Incoming | None = None,
        person: int = 0,
        answer: Answer | None = None,
    ) -> None:
        """Send a message in turn, unless the same text waits already.

        If more than a few wait for a user (`to` or `person`), the first ones and the last are sent.
        """
        new = _QueuedReply(draft, to.user if to else person, to, reply, answer=answer)
        unsaid = self._unsaid.get((chat, new.person), ())
        waiting = (one for one in unsaid if one.menu is None and not one.is_under_way)
        if all(one.draft.text != draft.text for one in waiting):
            await self._enqueue(chat, new)

    async def _edit(self, heard: Incoming, draft: Draft) -> None:
        await self._enqueue(heard.chat, _QueuedReply(draft, heard.user, heard, menu=heard.message))

    async def _enqueue(self, chat: Chat, new: _QueuedReply) -> None:
        person = new.person
        unsaid = self._unsaid.setdefault((chat, person), [])
        waiting = [one for one in unsaid if one.can_be_replaced]
        spent = [one for one in waiting if new.menu is not None and one.menu == new.menu]
        if person and not new.draft.file and len(waiting) >= _MOST_UNSAID:
            spent = spent or waiting[-1:]
        if spent:
            spent[0].become(new)
            return
        unsaid.append(new)
        try:
            sending = Sending(chat.id, object(), reply_to=person)
            await self._with_retries(chat, lambda: self._said(chat, new, unsaid), sending)
        finally:
            unsaid.remove(new)
            if not unsaid:
                del self._unsaid[chat, person]
        if new.asked and new.answer and new.said is not None:
            await self._passing.on_reply(_shown_reply(new.asked, new.answer, new.said))

    async def _said(self, chat: Chat, one: _QueuedReply, unsaid: Sequence[_QueuedReply]) -> None:
        """Send a reply, unless it is outdated."""
        one.is_under_way = True
        asked = one.asked
        try:
            if asked:
                # If another process must send it, it must find the update unfinished.
                self.sender.must_speak()
                await asked.finish()
            is_outdated = asked is not None and await self._is_gone(asked)
            if one.menu is not None:
                newest = [other for other in unsaid if other.menu == one.menu][-1]
                is_outdated |= one is not newest or (asked is not None and asked.is_old)
            if is_outdated:
                self.sender.scheduler.arrived(chat.id)
            elif one.menu is None:
                one.said = await self.sender.send(chat, _as_of_now(one), reply=one.reply)
            else:
                await self.sender.edit(chat, one.menu, one.draft)
        except RetryError:
            one.is_under_way = False
            raise

    async def _is_gone(self, asked: Incoming) -> bool:
        user = asked.command.client.user
        with StoreErrorsLogged(_log, "user not looked up"):
            known = await self._app.directory.known(PLATFORM, asked.command.client.identity)
            return bool(user.id) and (known is None or known.id != user.id)
        return False

    async def _with_retries(
        self,
        chat: Chat,
        act: Callable[[], Coroutine[Any, Any, Any]],
        sending: Sending | None = None,
    ) -> bool:
        """Act, in turn if it counts as `sending`, with retries. Return False if it failed."""
        if sending and not sending.in_play and self._is_crowded(chat):
            return False
        self._in_line[chat.id] += 1
        try:
            for _ in range(_TRIES):
                if not await self.sender.is_serving():
                    return False
                try:
                    if sending:
                        await self.sender.turn(sending)
                    await act()
                except RetryError as pause:
                    await asyncio.sleep(
                        _A_MOMENT if pause.retry_after is None else pause.retry_after
                    )
                else:
                    return True
        finally:
            self._in_line[chat.id] -= 1
            if not self._in_line[chat.id]:
                del self._in_line[chat.id]
        _log.warning("message given up after retries", chat=chat.id)
        return False

    def _is_crowded(self, chat: Chat) -> bool:
        """True if a further reply in a group would be outdated when sent."""
        if chat.is_private or self._in_line[chat.id] < _MOST_IN_LINE:
            return False
        if self._crowds.is_due(chat.id):
            _log.warning("too many replies wait in a group", chat=chat.id)
        return True

    async def delete(self, chat: Chat, message: int, *, reply_to: int | None = None) -> None:
        """Delete a message, with retries. `reply_to` is the user who caused it."""
        await self._with_retries(
            chat, partial(self.sender.delete, chat, message, reply_to=reply_to)
        )

    async def _delete_for(self, heard: Incoming) -> None:
        await self.delete(heard.chat, heard.message, reply_to=heard.user)
