"""Rooms whose messages we keep ourselves: what was said, who sees what of it, who has missed what.

Chats keep their own; a table of ours has no other memory than this. Every message has a stamp that
rises with each change. Whatever gets one gets it here, under one lock, and is told before the next
one does: so whoever listens hears of changes in the order of their stamps, and misses none in
between. What may be said is decided here as well, and what they then see of a message: the rooms
they are in, whom they have blocked, what is gone, which seat a board is for.
"""

import asyncio
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from structlog import get_logger

from bot.app import App
from bot.errors import BotError, Refused, StoreError
from bot.logs import store_failed
from bot.matches import LoadedMatch
from bot.model import Board, Computer, Place, PlaceKind, Sitter, User
from bot.names import readable
from bot.news import News, news_of, to_tell
from bot.rates import Rates
from bot.screens import SIZES, Reader, Screen
from bot.store import boards, match_queries, people, places
from bot.store import rooms as rows
from bot.store.rooms import Message
from bot.texts import Texts

__all__ = [
    "LONGEST_LINE",
    "History",
    "Message",
    "Missed",
    "OpenMatch",
    "Posted",
    "Rooms",
    "Visitor",
]

_log = get_logger(__name__)

LONGEST_LINE = 2000
"""Characters in a line that somebody writes."""

_AT_ONCE = 30
"""Messages of a room that are given together: to who comes, and when earlier ones are asked for."""
_TOLD_AT_ONCE = 200
_MOST_MISSED = 100
"""Whoever has missed more in one room starts over."""
_FROM_THE_END = 2**62
_MOST_OPEN = 100
"""Matches and challenges of one person that are listed."""
_LISTED = (News.CHALLENGED, News.TURN)
"""News that the list of what is open tells: there it waits for them (`OpenMatch.waits`)."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody in the rooms: who they are, what their platform calls them, how they read."""

    user: User
    external: str
    locale: str | None = None
    theme: str = "light"
    size: int = SIZES[0]


@dataclass(frozen=True, slots=True)
class Posted:
    """A message that is new or has changed; `board` where that is known already."""

    message: Message
    board: Board | None = None
    again: bool = False
    """It may be told, though its reader does not want it any more."""
    is_old: bool = False
    """It was read a while ago: what it is now is read when it is told."""


@dataclass(frozen=True, slots=True)
class History:
    """Messages of a room, oldest first, and whether there are `more` before them."""

    messages: list[Message]
    more: bool


@dataclass(frozen=True, slots=True)
class Missed:
    """What somebody has to be told who comes (back); what they have is void if they `start_over`.

    Whatever has a stamp above `newest` is told by itself.
    """

    messages: list[Message]
    newest: int
    start_over: bool


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """A match of somebody's that is on, or a challenge that is open, as they find it again."""

    match: int
    title: str
    """What is played."""
    other: str
    """The name of the other side; empty where there is none (yet)."""
    place: Place
    is_proposed: bool
    waits: bool
    """For them: to move, or to answer."""
    is_turn: bool
    """Is it on for them to move?"""
    offers: int
    """So many wait for their answer."""
    since: int
    """Unix seconds."""
    version: int
    """Of the match."""
    moves: int
    """So many were made: where it is one more, it is another turn."""


class Rooms:
    """The channels of a table, and the direct room of everybody there.

    `tell` hears of every message of theirs that is new or has changed, in order. It must not wait.
    One person may write `lines_per_hour`.
    """

    def __init__(
        self,
        app: App,
        *,
        platform: str,
        community: str,
        lines_per_hour: int,
        tell: Callable[[Posted], None],
    ) -> None:
        self.channels: dict[str, Place] = {}
        self._app = app
        self._store = app.store
        self._platform = platform
        self._community = community
        self._lines_per_hour = lines_per_hour
        self._tell = tell
        self._rates = Rates.per_second(app.settings.play.commands_per_second)
        """Of one person's lines; each of them is many people's."""
        self._telling = asyncio.Lock()
        self._told: int
        """The stamp up to which everything was told, since `open`."""
        self._drawing: dict[Any, asyncio.Task[Screen]] = {}

    async def open(self, names: Iterable[str]) -> None:
        """Make these channels; what was said before is not told."""
        self._told = await rows.newest(self._store)
        for name in names:
            self.channels[name] = await places.get_or_create_place(
                self._store,
                self._platform,
                name,
                kind=PlaceKind.CHANNEL,
                title=f"#{name}",
                community=self._community,
            )

    # --- who is in which room -------------------------------------------------------------

    async def enter(self, visitor: Visitor) -> Place:
        """Let somebody in, who is here again; gives their direct room. Raises `Refused`."""
        direct = await self._app.directory.direct(
            self._platform,
            visitor.external,
            self._reader(visitor, None).texts("direct-title"),
            community=self._community,
            asked_by=visitor.user.id,
        )
        await people.were_here(self._store, [visitor.user.id], now=self._store.now())
        return direct

    def _is_in(self, visitor: Visitor, place: Place) -> bool:
        """Everybody is in the channels that are open, and in a direct room of their own."""
        return place.platform == self._platform and (
            place.external in (visitor.external, *self.channels)
        )

    def _reader(self, visitor: Visitor, place: Place | None) -> Reader:
        return self._app.readers.person(
            visitor.user, place, locale=visitor.locale, theme=visitor.theme, size=visitor.size
        )

    async def open_of(self, visitor: Visitor, places: Iterable[Place]) -> list[OpenMatch]:
        """What is open of somebody's, first what waits for them, longest first.

        Each is where its board is: one's own board rather than everybody's. A match that is in
        none of these rooms is played in private: in their direct room.
        """
        found = await match_queries.open_of(self._store, visitor.user.id, limit=_MOST_OPEN)
        rooms = {place.id: place for place in places}
        direct = next(place for place in rooms.values() if place.kind is PlaceKind.DIRECT)
        shown: dict[int, Place] = {}
        for board in await boards.of_matches(self._store, [one.id for one in found], rooms):
            if board.seat is not None or board.match_id not in shown:
                shown[board.match_id] = rooms[board.place_id]
        others = {one.other for one in found if one.other is not None}
        texts = self._reader(visitor, None).texts
        called = await self._app.names.of(who for who in others if isinstance(who, int))
        names: dict[Sitter, str] = dict(called.items())
        computers = {who for who in others if isinstance(who, Computer)}
        names |= await self._app.names.shown(computers, texts)
        return [
            OpenMatch(
                match=one.id,
                title=texts(f"{one.game}-name"),
                other=names.get(one.other, "") if one.other is not None else "",
                place=shown.get(one.id) or rooms.get(one.place_id, direct),
                is_proposed=one.is_proposed,
                waits=one.waits,
                is_turn=one.is_turn,
                offers=one.offers,
                since=one.since,
                version=one.version,
                moves=one.moves,
            )
            for one in found
        ]

    # --- what was said --------------------------------------------------------------------

    async def missed(self, places: Iterable[Place], *, since: int) -> Missed:
        """What changed in these rooms after the stamp `since`; the last of each where it is 0.

        The last of each as well for who has missed too much, or comes from another time: from a
        database that was replaced by an older one.
        """
        newest = await rows.newest(self._store)
        found: list[Message] = []
        start_over = since > newest
        if 0 < since <= newest:
            for place in places:
                changed = await rows.changed(
                    self._store, place.id, since=since, limit=_MOST_MISSED + 1
                )
                start_over = start_over or len(changed) > _MOST_MISSED
                found += changed
        if since == 0 or start_over:
            found = await self._last(places)
        return Missed(found, newest, start_over)

    async def _last(self, places: Iterable[Place]) -> list[Message]:
        return [
            message
            for place in places
            for message in (await self.older(place, before=_FROM_THE_END)).messages
        ]

    async def older(self, place: Place, *, before: int) -> History:
        """What was said in a room before a message."""
        found = await rows.older(self._store, place.id, before=before, limit=_AT_ONCE + 1)
        return History(found[-_AT_ONCE:], more=len(found) > _AT_ONCE)

    async def note_read(self, visitor: Visitor, place: Place, *, message_id: int) -> None:
        """Somebody has read a room up to this message of it. Raises `Refused`."""
        await rows.note_read(self._store, visitor.user.id, place.id, message_id=message_id)

    async def read_by(self, visitor: Visitor) -> Mapping[int, int]:
        """How far somebody has read: the id of a message by that of its room."""
        return await rows.read_by(self._store, visitor.user.id)

    async def boards_again(self, places: Iterable[Place]) -> list[Posted]:
        """What is to be told to somebody who sees boards differently from now on."""
        return [
            Posted(message, is_old=True)
            for message in await self._last(places)
            if message.board_id is not None
        ]

    async def lines_again(self, places: Iterable[Place], *, user_id: int) -> list[Posted]:
        """The same of what other people have said, asked for, or begun.

        Somebody is blocked now, or no longer.
        """
        return [
            Posted(message, again=True, is_old=True)
            for message in await self._last(places)
            if (message.author_id or message.asked_by) not in (None, user_id)
        ]

    async def showing(self, match_id: int, place: Place) -> Message | None:
        """The message in a room that shows a match; None where there is none."""
        for board in await boards.of_match(self._store, match_id, place_id=place.id):
            if board.message is not None:
                message = await rows.message(self._store, int(board.message))
                if message is not None and not message.gone:
                    return message
        return None

    # --- who sees what of it --------------------------------------------------------------

    async def seen(
        self, posted: Posted, visitor: Visitor, place: Place
    ) -> tuple[Message, Screen | Mapping[str, Any] | None] | None:
        """A message as somebody sees it now: a board as a screen, what was said as plain data.

        Nothing instead of either: it is to be taken down. None altogether: it is not to be told.
        """
        message = posted.message
        if place.id != message.place_id or not self._is_in(visitor, place):
            return None
        if posted.is_old:
            now = await rows.message(self._store, message.id)
            if now is None:
                return None
            message = now
        is_unwanted = visitor.user.id in message.unwanted_by
        if is_unwanted and not posted.again and not message.gone:
            return None
        if message.gone or is_unwanted:
            return message, None
        if message.board_id is None:
            return message, await self._filled(message, self._reader(visitor, place).texts)
        board = posted.board or await boards.by_id(self._store, message.board_id)
        if board is None:
            return message, None
        reader = self._reader(visitor, place)
        try:
            return message, await self._screen(board, reader)
        except BotError as error:
            return message, {"text": reader.texts(f"error-{error.code}", **error.details)}

    async def board(self, message_id: int, visitor: Visitor) -> Screen | None:
        """The board that a message shows; None where this person cannot see one there."""
        message = await rows.message(self._store, message_id)
        if message is None or message.gone or message.board_id is None:
            return None
        if visitor.user.id in message.unwanted_by:
            return None
        place = await places.place(self._store, message.place_id)
        board = await boards.by_id(self._store, message.board_id)
        if board is None or not self._is_in(visitor, place):
            return None
        try:
            return await self._screen(board, self._reader(visitor, place))
        except BotError:
            return None

    async def drawn(self, message_id: int, visitor: Visitor) -> tuple[Place, str] | None:
        """Where an answer of the house stands, and what shows its picture to this person.

        None where there is no such answer for them.
        """
        message = await rows.message(self._store, message_id)
        if message is None or message.gone or visitor.user.id in message.unwanted_by:
            return None
        place = await places.place(self._store, message.place_id)
        found = (message.screen or {}).get("drawn")
        # What people write themselves is text, and nothing else.
        if not found or message.author_id is not None or not self._is_in(visitor, place):
            return None
        return place, str(found["token"])

    async def _filled(self, message: Message, texts: Texts) -> Mapping[str, Any] | None:
        """An answer of the house, with the names of today; what people write is theirs."""
        if message.screen is None or message.author_id is not None:
            return message.screen
        text = str(message.screen.get("text", ""))
        return {**message.screen, "text": await self._app.names.filled(text, texts)}

    async def _screen(self, board: Board, reader: Reader) -> Screen:
        """A board as a screen; readers who see the same at the same time share the work."""
        loaded = await self._app.matches.get(board.match_id, at_least=board.wanted)
        key = (_position(loaded, board, reader.user), self._app.names.forgotten, _style(reader))
        drawing = self._drawing.get(key)
        if drawing is None:
            drawing = asyncio.create_task(self._made(loaded, reader, board.seat))
            self._drawing[key] = drawing
            drawing.add_done_callback(partial(self._drawn, key))
        return await asyncio.shield(drawing)

    async def _made(self, loaded: LoadedMatch, reader: Reader, seat: int | None) -> Screen:
        """A board, with what its reader is to hear of the match wherever they are."""
        screens = self._app.screens
        screen = await screens.match(loaded, reader, seat=seat)
        if reader.user is None or reader.user.id not in to_tell(loaded):
            return screen
        if news_of(loaded) in _LISTED:
            return screen
        now = self._store.now()
        news = await screens.news_line(loaded, reader, {reader.user.id}, now=now)
        return replace(screen, news=news)

    def _drawn(self, key: Hashable, drawing: asyncio.Task[Screen]) -> None:
        del self._drawing[key]
        if not drawing.cancelled():
            # Whoever waits is told by it; where nobody does any more, it is no news.
            drawing.exception()

    # --- saying things --------------------------------------------------------------------

    async def say(self, place: Place, *, author: User, text: str) -> None:
        """Store what somebody says in a place and tell everybody there. Raises `Refused`."""
        text = readable(text)
        if not text:
            raise Refused("nothing-said")
        if len(text) > LONGEST_LINE:
            raise Refused("too-long", most=LONGEST_LINE)
        if await self._app.policies.is_shut_out(place):
            raise Refused("shut-out")
        if not await self._rates.take(author.id):
            raise Refused("too-fast")
        await self._say(place, author, {"text": text}, is_answer=False)

    async def answer(self, place: Place, *, asked_by: User, screen: Mapping[str, Any]) -> None:
        """Say something as the house. Raises `Refused`.

        It counts as a line of whoever has asked for it: everybody there must read it, too.
        """
        await self._say(place, asked_by, screen, is_answer=True)

    async def _say(
        self, place: Place, author: User, screen: Mapping[str, Any], *, is_answer: bool
    ) -> None:
        async with self._telling:
            said = await rows.add(
                self._store,
                place.id,
                author_id=author.id,
                screen=screen,
                at=self._store.now(),
                per_hour=self._lines_per_hour,
                is_answer=is_answer,
            )
            await self._tell_in_order(Posted(said))

    async def announce(self, place: Place, *, screen: Mapping[str, Any]) -> int:
        """Say something as the house, which nobody here has asked for; gives the message's id."""
        async with self._telling:
            said = await rows.add(self._store, place.id, author_id=None, screen=screen)
            await self._tell_in_order(Posted(said))
        return said.id

    async def show(self, place: Place, board: Board, *, message_id: int | None) -> int:
        """Bring the message of a board up to date, or make one; gives its id."""
        async with self._telling:
            message = await rows.board_message(
                self._store,
                place.id,
                board.id,
                message_id=message_id,
                former=None if board.former is None else int(board.former),
            )
            await self._tell_in_order(Posted(message, board))
        return message.id

    async def take_away(self, message_id: int) -> None:
        """Let everybody take a message down."""
        async with self._telling:
            if gone := await rows.take_away(self._store, message_id):
                await self._tell_in_order(Posted(gone))

    async def look_again(self) -> None:
        """Tell what others have written: other processes, or an erasing. Raises `StoreError`."""
        async with self._telling:
            await self._tell_missed()

    async def _tell_in_order(self, posted: Posted) -> None:
        try:
            if posted.message.stamp != self._told + 1:
                # Somebody else has written meanwhile: an erasing, here or on the command line.
                await self._tell_missed()
        except StoreError as error:
            # It is stored, and told with the next one.
            store_failed(_log, "pages not told", error)
            return
        if posted.message.stamp > self._told:
            self._tell_now(posted)

    async def _tell_missed(self) -> None:
        """Tell what was written without telling, in the order of stamps."""
        while missed := await rows.news(
            self._store, self._platform, since=self._told, limit=_TOLD_AT_ONCE
        ):
            for message in missed:
                self._tell_now(Posted(message))

    def _tell_now(self, posted: Posted) -> None:
        self._told = max(self._told, posted.message.stamp)
        self._tell(posted)


def _position(loaded: LoadedMatch, board: Board, user: User | None) -> tuple[object, ...]:
    """What of a match is shown. Who has to do with it may see more, such as a challenge's code."""
    match = loaded.match
    return (
        match.id,
        match.version,
        board.seat,
        user.id if user and user.id in match.people else None,
    )


def _style(reader: Reader) -> tuple[object, ...]:
    return reader.texts.language, reader.theme, reader.size, tuple(sorted(reader.settings.items()))
