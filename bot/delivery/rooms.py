"""Rooms of the web app: messages, who sees them, and what a user has missed.

Each change of a message gets a higher stamp. Changes are published in order under one lock.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from hashlib import sha256
from typing import Any, TypeVar

from structlog import get_logger

from bot.app import App
from bot.domain.actions import Action
from bot.domain.errors import BotError, Refused
from bot.domain.links import code_in
from bot.domain.model import Board, Match, Place, PlaceKind, Status, User
from bot.matches import MatchState, reading
from bot.matches.names import readable
from bot.screens import Button, Client, Reader, Screen, Style, headline, terms_line
from bot.screens.news import News, news_of, users_to_notify
from bot.screens.pictures import Png
from bot.store import boards, match_queries, people, places, statistics
from bot.store import rooms as rows
from bot.store.match_queries import Wanted
from bot.store.rooms import Message as Message
from bot.support.logs import StoreErrorsLogged
from bot.support.platforms import WEB
from bot.support.rates import Rates
from bot.support.texts import Texts

_log = get_logger(__name__)

LONGEST_LINE = 2000
"""Characters of a message."""

DIRECT_ROOM = "@house"
"""The page's name for the direct chat. No channel can have it."""
_AT_ONCE = 30
_TOLD_AT_ONCE = 200
_MOST_MISSED = 100
"""Messages missed in a room after which it is loaded again."""
_FROM_THE_END = 2**62
_MOST_OPEN = 200
_MOST_LISTED = 20
"""Matches and challenges of others, in each room."""
_LISTS = 8, 8.0
"""Number and seconds: each list costs as much as many other requests."""
_LISTED = (News.CHALLENGED, News.TURN)
"""Events that the list of active games already shows (`ActiveMatch.waits`)."""

T = TypeVar("T")


def room_of(place: Place) -> str:
    """Return the page's name for a room."""
    return DIRECT_ROOM if place.kind is PlaceKind.DIRECT else place.external


def picture_url(message: int, version: int, appearance: str) -> str:
    """Return where the picture of a board is (see `appearance`)."""
    return f"picture/{message}/{version}.png?{appearance}"


def appearance(reader: Reader, *, theme: str, is_player: bool = True) -> str:
    """Return the query of a picture's URL: all that determines its look. `theme`: the page's.

    All who are no players see the same.
    """
    language = reader.texts.language
    user = reader.user.id if reader.user and is_player else None
    depends = [reader.theme, reader.size, language, sorted(reader.settings.items()), user]
    key = sha256(json.dumps(depends).encode()).hexdigest()[:12]
    return f"theme={theme}&language={language}&size={reader.size}&as={key}"


@dataclass(frozen=True, slots=True)
class Visitor(Client):
    """A user in the rooms."""

    places: Mapping[int, Place] = field(default_factory=dict)
    """Their rooms by id, after they have entered (`Rooms.enter`)."""

    def room(self, place_id: int) -> str:
        """Return the page's name for one of their rooms, empty for another place."""
        place = self.places.get(place_id)
        return room_of(place) if place else ""


@dataclass(frozen=True, slots=True)
class Posted:
    """A new or changed message, with its `board` if known."""

    message: Message
    board: Board | None = None
    is_again: bool = False
    """The reader may have it: read it again, and remove it if they have blocked its author."""
    screens: dict[Hashable, asyncio.Task[Screen]] = field(default_factory=dict, repr=False)
    """Its screens, each for all readers with the same view."""
    frames: dict[Hashable, str] = field(default_factory=dict, repr=False)
    """These screens as a front sends them."""


@dataclass(frozen=True, slots=True)
class Missed:
    """What a user gets who connects, up to stamp `newest`. If `start_over`, it replaces all."""

    messages: list[Message]
    newest: int
    start_over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A match or challenge in a list, as the page gets it."""

    match: int
    version: int
    code: str
    """Empty for a challenge of others: its button is in its room."""
    title: str
    room: str = ""
    at: int = 0
    """When it last changed, or ended (Unix seconds)."""
    picture: str | None = None
    """The address of its picture, if one is shown."""
    other: str = ""
    """The opponent's name, empty if there is none yet."""
    proposed: bool = False
    waits: bool = False
    turn: bool = False
    offers: int = 0
    study: bool = False
    moves: int = 0
    """A change means another turn."""
    terms: str = ""
    result: str = ""


class Rooms:
    """The channels and direct chats, one community: users of one may be named in all."""

    def __init__(self, app: App) -> None:
        self.channels: dict[str, Place] = {}
        self.listeners: set[Callable[[Posted], None]] = set()
        """They get all changes and must not block."""
        self._app = app
        self._store = app.store
        self._rates = Rates.per_second(app.settings.play.commands_per_second)
        """Limits messages per user."""
        self._lists = Rates(*_LISTS)
        """Limits lists of others' matches per user."""
        self._telling = asyncio.Lock()
        self._published_stamp: int
        self._drawing: dict[Hashable, asyncio.Task[Screen]] = {}

    async def open(self, names: Iterable[str]) -> None:
        """Create these channels. Earlier messages are not published."""
        self._published_stamp = await rows.newest(self._store)
        for name in names:
            self.channels[name] = await places.get_or_create_place(
                self._store, WEB, name, kind=PlaceKind.CHANNEL, title=f"#{name}", community=WEB
            )

    async def enter(self, visitor: Visitor) -> Visitor:
        """Record that a user is here and return them with their rooms. Raises `Refused`."""
        direct = await self._app.directory.direct(
            WEB,
            visitor.identity,
            self._app.readers.person(visitor, None).texts("direct-title"),
            community=WEB,
            asked_by=visitor.user.id,
        )
        await people.were_here(self._store, [visitor.user.id], now=self._store.now())
        rooms = (*self.channels.values(), direct)
        return replace(visitor, places={place.id: place for place in rooms})

    def appearance(self, visitor: Visitor, place: Place, *, is_player: bool = True) -> str:
        """Return the query of addresses of pictures in a room."""
        reader = self._app.readers.person(visitor, place)
        return appearance(reader, theme=visitor.theme, is_player=is_player)

    def _is_in(self, visitor: Visitor, place: Place) -> bool:
        return place.platform == WEB and place.external in (visitor.identity, *self.channels)

    async def open_of(self, visitor: Visitor) -> list[Listed]:
        """List a user's active matches and challenges with their rooms, first those that wait."""
        found = await match_queries.open_of(self._store, visitor.user.id, limit=_MOST_OPEN)
        rooms = visitor.places
        direct = next(place for place in rooms.values() if place.kind is PlaceKind.DIRECT)
        shown = await self._shown([one.id for one in found], rooms)
        others = {one.other for one in found if one.other is not None}
        texts = self._app.readers.person(visitor, None).texts
        names = await self._app.names.display_names(others, texts)
        listed: list[Listed] = []
        for one in found:
            board, picture = shown.get(one.id), None
            place = rooms.get(board.place_id if board else one.place_id, direct)
            if board and board.message and not one.is_proposed:
                look = self.appearance(visitor, place)
                picture = picture_url(int(board.message), one.version, look)
            new = Listed(
                match=one.id,
                version=one.version,
                code=one.code,
                title=_game_name(one.game, texts, is_study=one.is_study),
                at=one.since,
                room=room_of(place),
                picture=picture,
                other=names.get(one.other, "") if one.other is not None else "",
                proposed=one.is_proposed,
                waits=one.waits,
                turn=one.is_turn,
                offers=one.offers,
                study=one.is_study,
                moves=one.moves,
            )
            listed.append(new)
        return listed

    async def _shown(self, match_ids: Iterable[int], rooms: Iterable[int]) -> dict[int, Board]:
        """Return a board of each of these matches in rooms (ids), a private one first."""
        shown: dict[int, Board] = {}
        for board in await boards.of_matches(self._store, match_ids, rooms):
            if board.seat is not None or board.match_id not in shown:
                shown[board.match_id] = board
        return shown

    async def messages_of(
        self, visitor: Visitor, match_ids: Iterable[int], rooms: Iterable[int]
    ) -> dict[int, Message]:
        """Return the message in rooms (ids) that shows each of these matches to a user."""
        shown = await self._shown(match_ids, rooms)
        return {
            match_id: found[0]
            for match_id, board in shown.items()
            if board.message and (found := await self._visible(int(board.message), visitor))
        }

    async def of_others(self, visitor: Visitor) -> list[Listed]:
        """List the newest open challenges and running matches of others. Raises `Refused`."""
        if not await self._lists.try_acquire(visitor.user.id):
            raise Refused("too-fast")
        texts, me = self._app.readers.person(visitor, None).texts, visitor.user.id
        listed: list[Listed] = []
        for place in self.channels.values():
            status = (Status.PROPOSED, Status.RUNNING)
            ids = await match_queries.in_place(self._store, place.id, status=status)
            some = await reading.get_several(self._app.matches, ids[:_MOST_LISTED])
            ids = [loaded.match.id for loaded in some]
            shown = await self.messages_of(visitor, ids, [place.id])
            names = await self._app.names.display_names(
                {who for loaded in some for who in loaded.match.players}, texts, place.id
            )
            for loaded in some:
                match, message = loaded.match, shown.get(loaded.match.id)
                is_other = me not in match.people and not match.is_puzzle
                if not is_other or message is None:
                    continue
                is_proposed = match.status is Status.PROPOSED
                if is_proposed and (not match.is_open or match.held_for):
                    continue
                title = headline(loaded, texts, names)
                if match.is_open:
                    title = f"{texts(f'{match.game}-name')} · {names[match.challenger]}"
                look = self.appearance(visitor, place, is_player=False)
                picture = picture_url(message.id, match.version, look)
                new = Listed(
                    match=match.id,
                    version=match.version,
                    code="" if is_proposed else match.code,
                    title=title,
                    room=room_of(place),
                    picture=None if is_proposed else picture,
                    terms=terms_line(loaded.game, match, texts),
                )
                listed.append(new)
        return listed

    async def finished(
        self, visitor: Visitor, wanted: Wanted, *, name: str
    ) -> tuple[list[Listed], str, int]:
        """List finished matches of `name`, or the visitor, that they may see. Raises `Refused`.

        Return with them the visitor's record against the user in words, and `Wanted.before` of the
        next ones, or 0.
        """
        app, me = self._app, visitor.user.id
        texts = self._app.readers.person(visitor, None).texts
        of, record = visitor.user, None
        if name:
            named = await people.by_handle(self._store, WEB, name)
            if named is None:
                raise Refused("unknown-username", name=name)
            of = named
        found, before = await reading.finished(
            app.matches, of, wanted, reader=me, place_ids=visitor.places
        )
        if of.id != me:
            record = await statistics.against(self._store, me, of.id)
        listed = [(loaded.match, ended) for loaded, ended in found]
        shown = await self.messages_of(visitor, [match.id for match, _ in listed], visitor.places)
        names = await app.names.display_names(
            {who for one, _ in listed for who in one.players}, texts
        )
        looks = {place.id: self.appearance(visitor, place) for place in visitor.places.values()}
        games = [
            Listed(
                match=match.id,
                version=match.version,
                code=match.code,
                title=_game_name(match.game, texts, is_study=match.is_study),
                other=" & ".join(names[who] for who in match.seats if who != of.id),
                result=_result(match, of.id, texts),
                at=ended,
                picture=picture_url(message.id, match.version, looks[message.place_id])
                if message
                else None,
            )
            for match, ended in listed
            for message in [shown.get(match.id)]
        ]
        against = texts("history-against", **asdict(record)) if record else ""
        return games, against, before

    async def find(self, visitor: Visitor, code: str) -> tuple[int, Message | None, Screen | None]:
        """Find the match with this code: its id, and the message or the screen that shows it.

        Both are None for the user's own match that no message shows. Raises `Refused`.
        """
        reads = partial(
            reading.with_code,
            self._app.matches,
            code_in(code),
            user_id=visitor.user.id,
            place_ids=visitor.places,
        )
        loaded = await reads(joins=True)
        if loaded.match.held_for:
            # Unlike other open challenges, it is not for all.
            await reads(joins=False)
        match = loaded.match
        message = (await self.messages_of(visitor, [match.id], visitor.places)).get(match.id)
        if message is not None:
            return match.id, message, None
        if visitor.user.id in match.people:
            return match.id, None, None
        reader = self._app.readers.person(visitor, None)
        screen = await self._app.screens.match(loaded, reader, seat=None)
        if match.is_open:
            join = Button(reader.texts("button-join"), Action("join", argument=match.code))
            screen = replace(screen, rows=((replace(join, style=Style.PRIMARY),),))
        return match.id, None, screen

    async def missed(self, visitor: Visitor, *, since: int) -> Missed:
        """Return changes in rooms after stamp `since`, or the last messages (0, or too many)."""
        newest = await rows.newest(self._store)
        found: list[Message] = []
        start_over = since > newest
        if 0 < since <= newest:
            for place_id in visitor.places:
                changed = await rows.changed(
                    self._store, place_id, since=since, limit=_MOST_MISSED + 1
                )
                start_over = start_over or len(changed) > _MOST_MISSED
                found += changed
        if since == 0 or start_over:
            found = await self._last(visitor)
        return Missed(found, newest, start_over)

    async def _last(self, visitor: Visitor) -> list[Message]:
        return [
            message
            for place in visitor.places.values()
            for message in (await self.older(place, before=_FROM_THE_END))[0]
        ]

    async def older(self, place: Place, *, before: int) -> tuple[list[Message], bool]:
        """Return messages before another one, oldest first, and whether there are more."""
        found = await rows.older(self._store, place.id, before=before, limit=_AT_ONCE + 1)
        return found[-_AT_ONCE:], len(found) > _AT_ONCE

    async def again(self, visitor: Visitor) -> list[Posted]:
        """Return boards, and messages of others, to send again after a user's change.

        They depend on the user's settings, and on whom the user has blocked.
        """
        return [
            Posted(message, is_again=True)
            for message in await self._last(visitor)
            if message.board_id is not None
            or (message.author_id or message.asked_by) not in (None, visitor.user.id)
        ]

    async def render(
        self, posted: Posted, visitor: Visitor
    ) -> tuple[Message, Screen | Mapping[str, Any] | None] | None:
        """Return a message as a user sees it: a `Screen` for a board, else plain data.

        (message, None) means that it is removed. None means that it must not be sent.
        """
        message = posted.message
        place = visitor.places.get(message.place_id)
        if place is None:
            return None
        if posted.is_again:
            now = await rows.message(self._store, message.id)
            if now is None:
                return None
            message = now
        is_unwanted = visitor.user.id in message.unwanted_by
        if is_unwanted and not posted.is_again and not message.gone:
            return None
        if message.gone or is_unwanted:
            return message, None
        reader = self._app.readers.person(visitor, place)
        if message.board_id is None:
            return message, await self._filled(message, reader.texts)
        board = posted.board or await boards.by_id(self._store, message.board_id)
        if board is None:
            return message, None
        try:
            return message, await self._screen(board, reader, posted.screens)
        except BotError as error:
            return message, {"text": reader.texts(f"error-{error.code}", **error.details)}

    async def _visible(self, message_id: int, visitor: Visitor) -> tuple[Message, Place] | None:
        message = await rows.message(self._store, message_id)
        if message is None or message.gone or visitor.user.id in message.unwanted_by:
            return None
        place = await places.place(self._store, message.place_id)
        return (message, place) if self._is_in(visitor, place) else None

    async def place_of(self, visitor: Visitor, match_id: int) -> Place | None:
        """Return a channel where this user may see the match."""
        for place in self.channels.values():
            with suppress(BotError):
                await reading.visible(
                    self._app.matches, match_id, user_id=visitor.user.id, place_id=place.id
                )
                return place
        return None

    async def picture(self, message_id: int, visitor: Visitor) -> tuple[int, Png | None] | None:
        """Return version and picture of a board, if this user may see it."""
        found = await self._visible(message_id, visitor)
        if found is None or (board_id := found[0].board_id) is None:
            return None
        board = await boards.by_id(self._store, board_id)
        if board is None:
            return None
        try:
            loaded = await reading.get(self._app.matches, board.match_id, at_least=board.wanted)
            reader = self._app.readers.person(visitor, found[1])
            png = await self._app.screens.picture(loaded, reader, seat=board.seat)
        except BotError:
            return None
        return loaded.match.version, png

    async def picture_token(self, message_id: int, visitor: Visitor) -> tuple[Place, str] | None:
        """Return the room and picture token of an answer of the bot, if this user may see it."""
        found = await self._visible(message_id, visitor)
        # Users write text only.
        if found is None or found[0].author_id is not None:
            return None
        drawn = (found[0].screen or {}).get("drawn")
        return (found[1], str(drawn["token"])) if drawn else None

    async def _filled(self, message: Message, texts: Texts) -> Mapping[str, Any] | None:
        """An answer of the bot with current names. Users' own texts are unchanged."""
        if message.screen is None or message.author_id is not None:
            return message.screen
        text = str(message.screen.get("text", ""))
        return {**message.screen, "text": await self._app.names.filled(text, texts)}

    async def _screen(
        self, board: Board, reader: Reader, screens: dict[Hashable, asyncio.Task[Screen]]
    ) -> Screen:
        """Render a board. Readers with the same view share the work, at least in `screens`."""
        loaded = await reading.get(self._app.matches, board.match_id, at_least=board.wanted)
        match, user = loaded.match, reader.user
        # Participants may see more, for example a challenge's code.
        who = user.id if user and user.id in match.people else None
        settings = tuple(sorted(reader.settings.items()))
        style = reader.texts.language, reader.theme, reader.size, reader.place, settings
        key = (match.id, match.version, board.seat, who, self._app.names.forgotten, style)
        drawing = screens.get(key) or self._drawing.get(key)
        if drawing is None:
            drawing = asyncio.create_task(self._made(loaded, reader, board.seat))
            self._drawing[key] = drawing
            drawing.add_done_callback(partial(self._on_rendered, key))
        screens[key] = drawing
        return await asyncio.shield(drawing)

    async def _made(self, loaded: MatchState, reader: Reader, seat: int | None) -> Screen:
        screens, user = self._app.screens, reader.user
        screen = await screens.match(loaded, reader, seat=seat)
        if user is None or user.id not in users_to_notify(loaded) or news_of(loaded) in _LISTED:
            return screen
        news = await screens.news_line(loaded, reader, {user.id}, now=self._store.now())
        return replace(screen, news=news)

    def _on_rendered(self, key: Hashable, drawing: asyncio.Task[Screen]) -> None:
        del self._drawing[key]
        if not drawing.cancelled():
            # Retrieve the exception, which waiters receive.
            drawing.exception()

    async def post(self, place: Place, *, author: User, text: str) -> None:
        text = readable(text)
        if not text:
            raise Refused("nothing-said")
        if len(text) > LONGEST_LINE:
            raise Refused("too-long", most=LONGEST_LINE)
        if await self._app.policies.is_blocked(place):
            raise Refused("shut-out")
        if not await self._rates.try_acquire(author.id):
            raise Refused("too-fast")
        await self.say(place, {"text": text}, author=author)

    async def say(
        self,
        place: Place,
        screen: Mapping[str, Any],
        *,
        author: User | None = None,
        is_answer: bool = False,
    ) -> int:
        """Publish a message of a user or of the bot, and return its id.

        An answer of the bot counts as a message of the user who asked. Raises `Refused`.
        """
        said = partial(
            rows.add,
            self._store,
            place.id,
            author_id=author.id if author else None,
            screen=screen,
            per_hour=self._app.quotas().lines,
            is_answer=is_answer,
        )
        return await self._publish(said)

    async def show(self, place: Place, board: Board, *, message_id: int | None) -> int:
        former = None if board.former is None else int(board.former)
        ids = {"message_id": message_id, "former": former}
        shown = partial(rows.board_message, self._store, place.id, board.id, **ids)
        return await self._publish(shown, board)

    async def delete(self, message_id: int) -> None:
        await self._publish(partial(rows.mark_deleted, self._store, message_id))

    async def _publish(self, change: Callable[[], Awaitable[T]], board: Board | None = None) -> T:
        """Store a change of a message (of this `board`), and publish it in order."""
        async with self._telling:
            done = await change()
            # After a failure, it is published with the next one.
            with StoreErrorsLogged(_log, "pages not updated"):
                await self._publish_missed(board)
        return done

    async def refresh(self) -> None:
        """Publish what other processes or account deletions have changed. Raises `StoreError`."""
        async with self._telling:
            await self._publish_missed()

    async def _publish_missed(self, board: Board | None = None) -> None:
        """Publish all messages that are newer than the last published one."""
        missed: list[Message] | None = None
        while missed is None or len(missed) == _TOLD_AT_ONCE:
            since = self._published_stamp
            missed = await rows.news(self._store, WEB, since=since, limit=_TOLD_AT_ONCE)
            for message in missed:
                self._published_stamp = message.stamp
                known = board if board and board.id == message.board_id else None
                posted = Posted(message, known)
                for listener in self.listeners:
                    listener(posted)


def _game_name(game_id: str, texts: Texts, *, is_study: bool) -> str:
    return f"{texts('study-title')} · " * is_study + texts(f"{game_id}-name")


def _result(match: Match, user_id: int, texts: Texts) -> str:
    if match.outcome is None or match.is_study:
        return texts("history-none")
    if len(match.seats) == 1:
        return texts("leaderboard-points", amount=match.outcome.scores[0])
    has_won = match.seat_of(user_id) in match.outcome.winners
    lost = "drawn" if match.outcome.is_draw else "lost-game"
    return texts("web-won" if has_won else f"web-{lost}")
