"""Azumaya on Telegram: the bot's life, its boards and its turn pings."""

import asyncio
from collections.abc import Sequence
from functools import partial
from urllib.parse import quote

from structlog import get_logger
from telegram import InlineKeyboardMarkup, Update

from bot import links
from bot.actions import Action
from bot.commands import Commands
from bot.duties import NotNowError, PlaceGoneError
from bot.fronts.telegram import widgets
from bot.fronts.telegram.answers import Answers
from bot.fronts.telegram.desk import UNKNOWN, Desk, keys_of
from bot.fronts.telegram.errands import Errands
from bot.fronts.telegram.intake import Intake
from bot.fronts.telegram.lanes import Lanes
from bot.fronts.telegram.people import PLATFORM, People
from bot.fronts.telegram.post import Chat, Post, UnsureError
from bot.fronts.telegram.setup import open_bot, set_commands
from bot.fronts.telegram.widgets import Draft, Words
from bot.house import House
from bot.matches import Live
from bot.model import Board, EndingKind, Match, Place, PlaceKind, Status, User
from bot.screens import Reader
from bot.store import matches as rows
from bot.store import people as people_rows

__all__ = ["Telegram"]

_log = get_logger(__name__)

_UNCONNECTED_SECONDS = 1.0
_LAST_SECONDS = 2.0
_DRAWN_AT_ONCE = 1
_SENT_AT_ONCE = 6
_ALIVE = (Status.PROPOSED, Status.RUNNING, Status.OVER)
"""Matches whose boards somebody may miss."""


class Telegram:
    """The front. `start` opens the webhook's port, if need be, and connects in its own time."""

    platform = PLATFORM

    def __init__(self, house: House, commands: Commands) -> None:
        self._house = house
        self._bot = open_bot(house.settings.telegram)
        self._people = People(house)
        self._post = Post(self._bot, moved=self._people.moved)
        self._errands = Errands()
        self._answers = Answers(house, commands, self._bot, post=self._post, people=self._people)
        self._desk = Desk(
            house,
            commands,
            self._bot,
            post=self._post,
            people=self._people,
            answers=self._answers,
            errands=self._errands,
        )
        self._lanes = Lanes()
        self._intake = Intake(self._bot, house.store, house.settings.telegram, self._take)
        # Boards can wait; people who have pressed a button cannot.
        self._drawing = asyncio.Semaphore(_DRAWN_AT_ONCE)
        self._sending = asyncio.Semaphore(_SENT_AT_ONCE)
        self._connected = False
        self._running: asyncio.Task[None] | None = None

    @property
    def port(self) -> int:
        """Where the webhook listens; 0 where updates are fetched."""
        return self._intake.port

    async def start(self) -> None:
        """Begin. Raises OSError for a port in use; a missing network is waited for."""
        await self._intake.listen()
        self._house.health.parts["Telegram is out of reach"] = lambda: self._intake.is_well
        self._house.take_away[PLATFORM] = self._take_away
        await self._desk.open()
        self._running = asyncio.create_task(self._intake.run(self._connect))

    async def stop(self) -> None:
        """Take nothing more in, finish what is under way; the rest waits in the inbox."""
        if self._running:
            self._running.cancel()
            await asyncio.wait([self._running])
        await self._intake.close()
        await self._lanes.close(seconds=_LAST_SECONDS)
        await self._errands.close(seconds=_LAST_SECONDS)
        await self._bot.shutdown()

    def _connect(self) -> None:
        self._connected = True
        _log.info("on Telegram", name=self._bot.username)
        self._house.changed.set()
        self._errands.run(set_commands(self._bot))

    async def _take(self, updates: Sequence[Update]) -> None:
        playing = await self._desk.playing(updates)
        for update in updates:
            keys = {*keys_of(update), *playing.get(update.update_id, ())}
            self._lanes.run(keys, partial(self._desk.deal, update))

    def _take_away(self, external: str, message: str) -> None:
        if message != UNKNOWN:
            chat = Chat.called(external)
            self._errands.run(self._answers.delete(chat, int(message)))

    # --- boards ---------------------------------------------------------------------------

    async def show(self, board: Board, place: Place, live: Live) -> str:
        """Post or edit a board; see `bot.duties.Front`."""
        chat = Chat.of(place)
        # One in doubt may be there, and another would be the second; `ping` offers it instead.
        message = UNKNOWN if board.message == UNKNOWN else await self._posted(board, place, live)
        if board.former and board.former != UNKNOWN:
            self._errands.run(self._answers.delete(chat, int(board.former)))
        return message

    async def _posted(self, board: Board, place: Place, live: Live) -> str:
        chat = Chat.of(place)
        visits = self._people.visits(chat.id)
        self._wait(chat, ("board", board.id))
        async with self._drawing:
            draft = await self._draft(board, place, live)
        try:
            async with self._sending:
                return await self._shown(board, chat, draft)
        except PlaceGoneError:
            if not chat.is_private:
                raise
            await self._people.gone(chat.id)
            if self._people.visits(chat.id) != visits:
                # They opened it while we were being refused, and wait for this board.
                await self._people.reached(chat.id)
                await rows.add_board(self._house.store, live.match, place.id, seat=board.seat)
            raise NotNowError(0) from None

    def _wait(self, chat: Chat, who: tuple[str, int]) -> None:
        if not self._connected:
            raise NotNowError(_UNCONNECTED_SECONDS)
        self._post.check(chat, who)

    async def _shown(self, board: Board, chat: Chat, draft: Draft) -> str:
        who: tuple[str, int] | None = ("board", board.id)
        if board.message:
            if await self._post.edit(chat, int(board.message), draft, who=who):
                return board.message
            # It was deleted.
            await self._post.turn(chat, who)
            who = None
        try:
            return str((await self._post.send(chat, draft, who=who)).message_id)
        except (UnsureError, asyncio.CancelledError) as error:
            # Timed out, or stopped in the middle of it.
            _log.warning("a board may have arrived or not", board=board.id)
            self._desk.unsure.add(board.match_id)
            await rows.doubt(self._house.store, board.id, unknown=UNKNOWN)
            if isinstance(error, UnsureError):
                raise NotNowError(0) from None
            raise

    async def _draft(self, board: Board, place: Place, live: Live) -> Draft:
        match = live.match
        reader = await self._people.reader(place)
        screen = await self._house.screens.match(live, reader, seat=board.seat)
        mention = None
        if match.status is Status.PROPOSED and match.opponent is not None:
            mention = await self._mention(match.opponent)
        tab = match.plies[-1].notation.split(" ", maxsplit=1)[0] if match.plies else ""
        draft = widgets.board(screen, tab=tab, verbs=live.game.verbs, mention=mention)
        if match.status is Status.PROPOSED and place.kind is PlaceKind.DIRECT:
            return self._shared(draft, match, reader)
        return draft

    def _shared(self, draft: Draft, match: Match, reader: Reader) -> Draft:
        """A challenge in a private chat, with a button that hands it on as a link."""
        if reader.user is None or reader.user.id != match.challenger:
            return draft
        link = widgets.deep_link(self._bot.username, links.word_of("join", match.code))
        url = f"https://t.me/share/url?url={quote(link, safe='')}"
        share = widgets.url_button(reader.texts("telegram-share"), url)
        rows = draft.keyboard.inline_keyboard if draft.keyboard else ()
        return Draft(draft.text, draft.entities, keyboard=InlineKeyboardMarkup([*rows, [share]]))

    # --- pings ----------------------------------------------------------------------------

    async def ping(self, board: Board, place: Place, live: Live) -> str | None:
        """Say who is to move, how it ended, that a board is in doubt; see `bot.duties.Front`."""
        chat, who = Chat.of(place), ("ping", board.id)
        called = await self._called(board, place, live)
        doubtful = board.message == UNKNOWN and live.match.status in _ALIVE
        if called or doubtful:
            self._wait(chat, who)
        if board.ping:
            self._errands.run(self._answers.delete(chat, int(board.ping)))
        if not called and not doubtful:
            return None
        draft = await self._call(board, place, live, called)
        reply = int(board.message) if board.message and board.message != UNKNOWN else None
        try:
            return str((await self._post.send(chat, draft, who=who, reply=reply)).message_id)
        except UnsureError:
            return None

    async def _called(self, board: Board, place: Place, live: Live) -> list[User]:
        """Who does not know yet: whoever is to move, or all at the end; not who moved last."""
        match = live.match
        if len(match.seats) < 2 or match.status not in (Status.RUNNING, Status.OVER):
            return []
        seats = live.turn if match.status is Status.RUNNING else {0, 1}
        if match.plies and (match.ending is None or match.ending.kind is EndingKind.RULES):
            seats = set(seats) - {match.plies[-1].seat}
        if board.seat is not None:
            seats = set(seats) & {board.seat}
        found = []
        for seat in sorted(seats):
            user = await people_rows.user(self._house.store, match.seats[seat])
            if user is None:
                continue
            if place.kind is PlaceKind.DIRECT:
                mention = await self._mention(user.id)
                if mention is None or str(mention[1]) != place.external:
                    continue
            found.append(user)
        return found

    async def _call(self, board: Board, place: Place, live: Live, called: list[User]) -> Draft:
        texts = (
            self._people.texts(called[0], place)
            if called
            else (await self._people.reader(place)).texts
        )
        words, buttons = Words(), []
        if board.message == UNKNOWN:
            # Said first: what begins with somebody's name is theirs alone to press.
            words.add(texts("telegram-doubt"))
            action = Action("board", live.match.id)
            buttons = [widgets.token_button(texts("telegram-show-board"), action)]
        keyboard = widgets.keyboard([buttons])
        if not called:
            return Draft(words.text, keyboard=keyboard)
        if place.kind is not PlaceKind.DIRECT:
            for number, user in enumerate(called):
                mention = await self._mention(user.id)
                apart = ", " if number else "\n"
                if mention:
                    words.mention(*mention, apart=apart)
                else:
                    words.add(user.name, apart=apart)
            words.add(":", apart="")
        apart = "\n" if place.kind is PlaceKind.DIRECT else " "
        if live.match.status is Status.OVER:
            reader = Reader(texts, called[0] if len(called) == 1 else None)
            screen = await self._house.screens.match(live, reader, seat=board.seat)
            words.add(screen.text.split("\n", 1)[0], apart=apart)
        else:
            words.add(texts("telegram-turn", game=texts(f"{live.match.game}-name")), apart=apart)
        return Draft(words.text, tuple(words.entities), keyboard=keyboard)

    async def _mention(self, user_id: int) -> tuple[str, int] | None:
        """Name and Telegram id of a user; None for somebody from another platform."""
        store = self._house.store
        identity = await people_rows.identity_of(store, user_id, PLATFORM)
        if identity is None:
            return None
        return (await self._house.names.of([user_id]))[user_id], int(identity)
