"""Send replies in the background, at Telegram's rate, after boards.

Only a few replies to a user wait in a chat, and only the newest edit of a message. If too many wait
in a group, it gets no further ones. Replies are dropped if they are for a deleted account, or may
name one. Private replies go to the private chat, or a link leads there.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from weakref import WeakValueDictionary

from cachetools import LRUCache
from structlog import get_logger
from telegram.error import TelegramError

from bot.app import App
from bot.commands import Answer, Command, Commands
from bot.delivery import DeliveryError, EphemeralReplies, RetryError, SentReply, UnsureError
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
from bot.support.tasks import Tasks, Work, as_work
from bot.support.texts import Texts

_log = get_logger(__name__)

_TRIES = 8
_A_MOMENT = 1.0
_MOST_UNSAID = 3
"""Waiting replies per user and chat. Another one replaces the last."""
_MOST_IN_LINE = 40
"""Waiting replies per group. Further ones would be four minutes late."""
_REMEMBERED = 4096
ACK_REACTION = "👌"

_Edit = Callable[[Chat, int, Draft], Awaitable[object]]


class BackgroundTasks(Tasks):
    """Run work in the background, and log its failures."""

    def run(self, work: Awaitable[None]) -> None:
        self.begin(self.do(work))

    async def do(self, work: Awaitable[None]) -> None:
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


@dataclass(frozen=True, slots=True, eq=False)
class _Reply:
    """A message to send, or to edit."""

    chat: Chat
    person: int
    """The user's Telegram id, 0 if unknown."""
    act: Callable[[], Awaitable[bool]]
    """Send it. Return False if it is outdated."""
    message: int | None = None
    """The message to edit, None for a new one."""
    text: str = ""
    is_kept: bool = False
    """True for a file or a board: only a newer edit of the same message replaces it."""
    in_play: bool = False
    """True for the keys of the player to move, who does not wait for others."""
    number: int = field(default_factory=count().__next__)

    def shares_turns(self, other: "_Reply") -> bool:
        """True if one can be sent in the turn of the other."""
        mine = self.chat, self.person, self.in_play
        return mine == (other.chat, other.person, other.in_play)

    def replaces(self, other: "_Reply") -> bool:
        """True if both edit the same message."""
        is_edit = self.message is not None and self.message == other.message
        return is_edit and self.shares_turns(other)


class _Queue(list[_Reply]):
    """The waiting replies in a chat."""

    def take(self, turn: _Reply) -> _Reply | None:
        """Remove and return the reply with this turn. If it was replaced, another gets its turn."""
        possible = (one for one in self if one.shares_turns(turn))
        one = turn if turn in self else next(possible, None)
        if one:
            self.remove(one)
        return one


def _shown_reply(heard: Incoming, answer: Answer, message: int | None = None) -> SentReply:
    command = heard.command
    return SentReply(
        command.place,
        command.client,
        answer.private,
        is_ephemeral=answer.is_ephemeral,
        message=None if message is None else str(message),
    )


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
        self._unsaid: WeakValueDictionary[int, _Queue] = WeakValueDictionary()
        """By chat, while replies are under way."""
        self._shown: LRUCache[tuple[int, int | None], int] = LRUCache(_REMEMBERED)
        """The numbers of the newest edits, by chat and message."""
        self._crowds = RateLimitedLog()

    async def pressed(self, press: Incoming, answer: Answer) -> Work:
        work = await self._pressed(press, answer)

        @as_work
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
            menu = widgets.menu(screen)
            said = self.send(press.chat, menu, person=press.user, message=question)
            return self._answer(press, said)
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
                edited = self.send(press.chat, draft, to=press, message=press.message)
                return self._answer(press, edited)
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

    @as_work
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

    @as_work
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
            shown = await self._repainted(press, command, screen, self.sender.edit)
            return self._answer(press, shown)
        return await self._keys_of(press, command, counts=False, text=screen.prompt)

    async def page(self, press: Incoming, button: Action) -> Work:
        tab, *steps = button.argument.split(".")
        command = replace(
            press.command, match=button.match, version=button.version, steps=tuple(steps)
        )
        return await self._keys_of(press, command, counts=True, tab=tab)

    async def _keys_of(
        self, press: Incoming, command: Command, *, counts: bool, tab: str = "", text: str = ""
    ) -> Work:
        commands, message = self._commands, str(press.message)
        try:
            screen = await commands.partial_screen(command, message, counts=counts)
        except BotError as error:
            return await self.pressed(press, await commands.refused(command, error))

        # Without a caption, the message keeps its words.
        edit = self.sender.edit_caption if press.is_picture else self.sender.edit_keyboard
        shown = await self._repainted(press, command, screen, edit, tab=tab)
        return self._answer(press, shown, text=text)

    async def _repainted(
        self, press: Incoming, command: Command, screen: Screen, edit: _Edit, *, tab: str = ""
    ) -> Work:
        """Return the work to edit a board's message while its match is in this position."""
        matches, match, version = self._app.matches, screen.match, screen.version
        loaded = await reading.get(matches, match, at_least=version)
        in_play = loaded.match.seat_of(press.command.client.user.id) in loaded.turn

        async def paint() -> bool:
            now = screen
            loaded = await reading.get(matches, match, at_least=version)
            if loaded.match.version != version or press.is_old:
                # After an offer or a deleted account. After a move, there is nothing to show.
                try:
                    now = await self._commands.partial_screen(command, str(press.message))
                except BotError:
                    return False
            await edit(press.chat, press.message, widgets.board(now, tab=tab))
            return True

        board = _Reply(press.chat, press.user, paint, press.message, is_kept=True, in_play=in_play)
        return self._enqueue(board)

    def note(self, heard: Incoming, key: str) -> Work:
        draft = widgets.note(heard.texts(key))
        return self.send(heard.chat, draft, reply=heard.message, to=heard)

    @as_work
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

    def send(
        self,
        chat: Chat,
        draft: Draft,
        *,
        message: int | None = None,
        reply: int | None = None,
        to: Incoming | None = None,
        person: int = 0,
        answer: Answer | None = None,
    ) -> Work:
        """Return the work to send a message in turn, or to edit `message`.

        `to` is the request that it answers, None if it names no one.
        """

        async def act() -> bool:
            nonlocal draft
            said = draft
            if to:
                # If another process must send it, it must find the update unfinished.
                self.sender.must_speak()
                await to.finish()
                if await self._is_gone(to) or (message and to.is_old):
                    return False
                # The draft may name a deleted account.
                said = widgets.note(to.texts("outdated")) if to.is_old else draft
            if message:
                await self.sender.edit(chat, message, said)
                return True
            try:
                new = await self.sender.send(chat, said, reply=reply)
            except UnsureError:
                unsure = widgets.note(to.texts("telegram-unsure")) if to else draft
                if draft == unsure:
                    raise
                draft = unsure
                raise RetryError(_A_MOMENT) from None
            if to and answer:
                await self._passing.on_reply(_shown_reply(to, answer, new))
            return True

        text = "" if message else draft.text
        person, is_kept = to.user if to else person, draft.file is not None
        return self._enqueue(_Reply(chat, person, act, message, text, is_kept=is_kept))

    @as_work
    async def _enqueue(self, new: _Reply) -> None:
        """Send a reply in turn, unless the same text waits already.

        It takes the turn of an earlier edit of its message. If more than a few replies wait for a
        user, the first ones and the last are sent.
        """
        queue = self._unsaid.setdefault(new.chat.id, _Queue())
        theirs = [one for one in queue if one.shares_turns(new)]
        if new.text and any(one.text == new.text for one in theirs):
            return
        spent = [one for one in theirs if new.replaces(one)]
        waiting = [one for one in theirs if not one.is_kept]
        if new.person and not new.is_kept and len(waiting) >= _MOST_UNSAID:
            spent = spent or waiting[-1:]
        if spent:
            newest = max(spent[0], new, key=lambda one: one.number)
            queue[queue.index(spent[0])] = newest
        elif new.chat.is_private or new.in_play or len(queue) < _MOST_IN_LINE:
            queue.append(new)
            sending = Sending(new.chat.id, object(), reply_to=new.person, in_play=new.in_play)
            say = partial(self._say_next, queue, new)
            if not await self._with_retries(new.chat, say, sending):
                queue.take(new)
        elif self._crowds.is_due(new.chat.id):
            # A further reply would be outdated when sent.
            _log.warning("too many replies wait in a group", chat=new.chat.id)

    async def _say_next(self, queue: _Queue, turn: _Reply) -> None:
        """Send a reply, or the one that has replaced it, unless it is outdated."""
        chat, one = turn.chat.id, queue.take(turn)
        try:
            # An older press never overwrites a newer one.
            is_new = one and one.number >= self._shown.get((chat, one.message), 0)
            if not (one and is_new and await one.act()):
                self.sender.scheduler.arrived(chat)
            elif one.message:
                self._shown[chat, one.message] = one.number
        except RetryError:
            if one and not any(other.replaces(one) for other in queue):
                queue.insert(0, one)
            raise

    async def _is_gone(self, asked: Incoming) -> bool:
        user = asked.command.client.user
        with StoreErrorsLogged(_log, "user not looked up"):
            known = await self._app.directory.known(PLATFORM, asked.command.client.identity)
            return bool(user.id) and (known is None or known.id != user.id)
        return False

    async def _with_retries(
        self, chat: Chat, act: Callable[[], Awaitable[None]], sending: Sending | None = None
    ) -> bool:
        """Act, in turn if it counts as `sending`, with retries. Return False if it failed."""
        for _ in range(_TRIES):
            if not await self.sender.is_serving():
                return False
            try:
                if sending:
                    await self.sender.turn(sending)
                await act()
            except RetryError as pause:
                await asyncio.sleep(_A_MOMENT if pause.retry_after is None else pause.retry_after)
            else:
                return True
        _log.warning("message given up after retries", chat=chat.id)
        return False

    @as_work
    async def delete(self, chat: Chat, message: int, *, reply_to: int | None = None) -> None:
        """Delete a message, with retries. `reply_to` is the user who caused it."""
        await self._with_retries(
            chat, partial(self.sender.delete, chat, message, reply_to=reply_to)
        )

    def _delete_for(self, heard: Incoming) -> Work:
        return self.delete(heard.chat, heard.message, reply_to=heard.user)
