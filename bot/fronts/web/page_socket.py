"""A page's connection.

Requests are served in order, across all pages of a user. Outgoing messages wait in `_pending`, the
newest state of each, and are sent by a separate task. A slow page therefore delays no one. A page
that is far behind is disconnected, and catches up when it returns.
"""

import asyncio
import json
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any, Literal

from aiohttp import WSCloseCode, WSMessage, WSMsgType, web
from structlog import get_logger

from bot.commands import Answer, Command
from bot.delivery.rooms import DIRECT_ROOM, Posted, Visitor, picture_url, room_of
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.model import Place
from bot.fronts.web import wire
from bot.fronts.web.hub import Hub, command_of
from bot.matches.names import plain
from bot.screens import Screen
from bot.store import rooms as rows
from bot.store import sessions
from bot.store.match_queries import Wanted
from bot.store.sessions import Known
from bot.support.errors import StoreError
from bot.support.logs import store_failed
from bot.support.texts import Texts

_log = get_logger(__name__)

FORGOTTEN = 4401
"""Close code: the session has ended."""
MAKES_ROOM = 4429
"""Close code: room for other pages. The page reconnects when the user asks for it."""
FULL = 4503
"""Close code: no room. The page retries later."""

_MOST_PENDING = 1000
"""Unsent messages. With more, the page must reconnect and catch up."""
_GREETING = 10.0
_COUNTED = (WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.PING, WSMsgType.PONG)
_ENDS = (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED)


Due = Literal["words", "lines", "people", "rooms"]
_LAST_SECONDS = 2.0


class _Forgotten(Exception):
    """The session of this connection has ended."""


class PageSocket:
    """A connected page."""

    def __init__(
        self, hub: Hub, request: web.Request, socket: web.WebSocketResponse, visitor: Visitor
    ) -> None:
        self.visitor = visitor
        self.is_visible = False
        self._hub = hub
        self._app = hub.app
        self._socket = socket
        self._request = request
        self._places: dict[str, Place] = {}
        self._pending: dict[int, Posted] = {}
        self._wake = asyncio.Event()
        self._due: set[Due] = set()
        self._may_close = False
        """Whether it can be disconnected now, and not only after a request."""
        self._ends_with: int | None = None
        """Close code, once it is known that the connection ends."""
        self._last_word = ""
        """What the page shows after the connection has closed."""
        self._known_rooms: dict[str, Any] = {}
        self._people: list[str] = []

    async def run(self, used: Callable[[], None]) -> None:
        """Serve the page until it disconnects. `used` is called at each request."""
        self._may_close = True
        if self._ends_with is not None:
            await self._socket.close(code=self._ends_with)
            return
        hello = await self._greeting()
        if hello is None:
            await self._socket.close(code=WSCloseCode.POLICY_VIOLATION, message=b"hello first")
            return
        size = wire.size_for(hello.pixels)
        locale, theme = hello.locale or None, hello.theme
        self.visitor = replace(self.visitor, locale=locale, theme=theme, size=size)
        telling = None
        try:
            await self._enter()
            if hello.visible:
                await self._hub.show(self, is_visible=True)
            await self._catch_up(hello)
            telling = asyncio.create_task(self._send_loop())
            await self._serve_loop(used)
        except ConnectionError:
            _log.debug("page disconnected", user=self.user_id)
        except _Forgotten:
            await self.close(FORGOTTEN)
        except StoreError as error:
            store_failed(_log, "page could not catch up", error)
            await self._socket.close(code=WSCloseCode.TRY_AGAIN_LATER)
        finally:
            self._hub.leave(self)
            if telling:
                telling.cancel()
                await asyncio.gather(telling, return_exceptions=True)

    async def _enter(self) -> None:
        """Subscribe before reading anything: better to send twice than never."""
        # Check before and after: the account may have been deleted in between.
        await self._check_session()
        try:
            self.visitor = await self._hub.rooms.enter(self.visitor)
        except Refused as refused:
            raise _Forgotten from refused
        self._places = {room_of(place): place for place in self.visitor.places.values()}
        self._hub.join(self)
        await self._check_session()

    async def close(self, code: int = WSCloseCode.GOING_AWAY) -> None:
        try:
            async with asyncio.timeout(_LAST_SECONDS):
                if self._last_word and not self._socket.closed:
                    await self._socket.send_json({"t": "farewell", "text": self._last_word})
                await self._socket.close(code=code)
        except ConnectionError:
            _log.debug("page disconnected", user=self.user_id)
        except TimeoutError:
            if self._request.transport is not None:
                self._request.transport.abort()

    def end_session(self, *, is_deleted: bool) -> None:
        """Disconnect, because the session or account has ended, after the current request."""
        self._pending.clear()
        self._last_word = self._texts("erased") if is_deleted else ""
        self._end(FORGOTTEN)

    def evict(self, *, is_last: bool) -> None:
        """Disconnect in favour of other pages, after the current request."""
        self._end(FULL if is_last else MAKES_ROOM)

    def _end(self, code: int) -> None:
        if self._ends_with != FORGOTTEN:
            self._ends_with = code
        if self._may_close:
            self._hub.under_way.begin(self.close(code))

    async def _greeting(self) -> wire.HelloFrame | None:
        try:
            async with asyncio.timeout(_GREETING):
                first = await self._receive()
            request = wire.parse_frame(first.data) if first.type is WSMsgType.TEXT else None
        except (TimeoutError, wire.BadFrameError, ConnectionError):
            return None
        return request if isinstance(request, wire.HelloFrame) else None

    async def _receive(self) -> WSMessage:
        """Return the next message other than a ping. Pings count towards the rate limit."""
        while True:
            incoming = await self._socket.receive()
            if incoming.type not in _COUNTED:
                return incoming
            await self._hub.frames.acquire(self.user_id)
            if incoming.type is WSMsgType.PING:
                await self._socket.pong(incoming.data)
            elif incoming.type is not WSMsgType.PONG:
                return incoming

    @property
    def user_id(self) -> int:
        return self.visitor.user.id

    @property
    def _texts(self) -> Texts:
        return self._app.readers.person(self.visitor, None).texts

    async def _catch_up(self, hello: wire.HelloFrame) -> None:
        missed = await self._hub.rooms.missed(self.visitor, since=hello.since)
        read = await rows.read_by(self._app.store, self.user_id)
        self._known_rooms = await self._room_list()
        await self._socket.send_json(
            {
                "t": "welcome",
                "build": self._hub.build,
                "push": self._hub.push.public_key if self._hub.push else "",
                "you": {"id": self.user_id, "name": self.visitor.user.name},
                "language": self._texts.language,
                **self._known_rooms,
                "reset": missed.start_over,
                "stamp": missed.newest,
                "read": {
                    room: read[place.id] for room, place in self._places.items() if place.id in read
                },
            }
        )
        for message in missed.messages:
            if frame := await self._frame(Posted(message)):
                await self._socket.send_str(frame)
        await self._socket.send_json(wire.done_frame(hello.id, {}))

    async def _room_list(self) -> dict[str, Any]:
        found = await self._hub.rooms.open_of(self.visitor)
        title = self._texts("direct-title")
        return {
            "rooms": [
                {
                    "room": room,
                    "title": title if room == DIRECT_ROOM else place.title,
                    "kind": place.kind.value,
                }
                for room, place in self._places.items()
            ],
            "matches": [asdict(one) for one in found],
        }

    def enqueue(self, posted: Posted) -> None:
        """A message is new, has changed or is gone."""
        if posted.message.place_id not in self.visitor.places or self._ends_with is not None:
            return
        if not posted.is_again:
            # To the end: pages need the order of stamps.
            self._pending.pop(posted.message.id, None)
        if len(self._pending) >= _MOST_PENDING:
            # Here, as sending may block forever if the page does not read.
            self._ends_with = WSCloseCode.TRY_AGAIN_LATER
            self._pending.clear()
            self._hub.under_way.begin(self.close(self._ends_with))
            return
        self._pending[posted.message.id] = posted
        self._wake.set()

    def tell_soon(self, due: Due) -> None:
        self._due.add(due)
        self._wake.set()

    def tell_people(self, names: list[str]) -> None:
        if self._people != names:
            self._people = names
            self.tell_soon("people")

    async def _send_loop(self) -> None:
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                await self._tell_due()
        except ConnectionError:
            return
        except StoreError as error:
            store_failed(_log, "page not updated", error, user=self.user_id)
        except Exception:  # noqa: BLE001 - the page reconnects and catches up
            _log.exception("page not updated", user=self.user_id)
        await self._socket.close(code=WSCloseCode.TRY_AGAIN_LATER)

    async def _tell_due(self) -> None:
        due, self._due = self._due, set()
        if "words" in due:
            await self._socket.send_json({"t": "words", "language": self._texts.language})
        if due & {"words", "lines"}:
            await self._tell_again()
        if "people" in due:
            await self._socket.send_json({"t": "people", "names": self._people})
        while self._pending:
            if frame := await self._frame(self._pending.pop(next(iter(self._pending)))):
                await self._socket.send_str(frame)
        if due & {"words", "rooms"} and (found := await self._room_list()) != self._known_rooms:
            self._known_rooms = found
            await self._socket.send_json({"t": "rooms", **found})

    async def _tell_again(self) -> None:
        for posted in await self._hub.rooms.again(self.visitor):
            self.enqueue(posted)

    async def _frame(self, posted: Posted) -> str | None:
        """Return a message as JSON. None if it must not be sent."""
        rooms, visitor = self._hub.rooms, self.visitor
        place = visitor.places[posted.message.place_id]
        room = room_of(place)
        await self._hub.pace.turn()
        if (seen := await rooms.render(posted, visitor)) is None:
            return None
        await self._hub.pace.turn()
        message, shown = seen
        if shown is None:
            return json.dumps({"t": "gone", "room": room, "message": message.id})
        if not isinstance(shown, Screen):
            drawn = f"drawn/{message.id}.png?{rooms.appearance(visitor, place)}"
            frame = json.dumps(wire.with_picture(shown, url=drawn))
        else:
            # To the players, a change brings its picture: a request would only delay it.
            brings = shown.mine and posted.board is not None and posted.board.message is not None
            look = rooms.appearance(visitor, place, is_player=shown.mine)
            url = None if brings else picture_url(message.id, shown.version, look)
            home = visitor.room(shown.place) if room == DIRECT_ROOM else ""
            # Most pages get the same, and `posted` keeps the screen, so no other has this id.
            if (key := (id(shown), url)) not in posted.frames:
                screen = wire.screen(shown, url=url, home="" if home == room else home)
                posted.frames[key] = json.dumps(screen)
            frame = posted.frames[key]
        return wire.message(message, room, frame, reader=self.user_id)

    async def _serve_loop(self, used: Callable[[], None]) -> None:
        while (incoming := await self._receive()).type not in _ENDS:
            if incoming.type is not WSMsgType.TEXT:
                await self._socket.close(code=WSCloseCode.UNSUPPORTED_DATA)
                return
            if self._hub.is_closing:
                return
            try:
                request = wire.parse_frame(incoming.data)
            except wire.BadFrameError as bad:
                if bad.id is None:
                    await self._socket.close(code=WSCloseCode.POLICY_VIOLATION)
                    return
                refusal = {"error": self._texts("error-request")}
                await self._socket.send_json(wire.done_frame(bad.id, refusal))
                continue
            self._may_close = False
            used()
            try:
                await self._answer(request)
            finally:
                self._may_close = True
            if self._ends_with == FORGOTTEN:
                raise _Forgotten
            if self._ends_with is not None:
                await self._socket.close(code=self._ends_with)
                return

    async def _answer(self, request: wire.Request) -> None:
        """Serve a request and send its frames. Repeat it if an account was deleted in between."""
        while True:
            erasures = self._app.deletion_count
            serving = self._hub.under_way.begin(self._serve(request))
            done = await asyncio.shield(serving)
            for message in done.pop("messages", ()):
                if self._app.deletion_count != erasures:
                    break
                await self._socket.send_str(message)
            else:
                await self._socket.send_json(wire.done_frame(request.id, done))
                return

    async def _serve(self, request: wire.Request) -> dict[str, Any]:
        """Return what the answer says, with `messages` to send before it, without the turn."""
        try:
            async with self._hub.turns.of(self.user_id):
                return await self._served(request)
        except Refused as refused:
            return {"error": self._texts(f"error-{refused.code}", **refused.details)}
        except StoreError as error:
            store_failed(_log, "request not served", error, request=request.t)
            return {"error": self._texts(f"error-{error.code}")}
        except _Forgotten:
            raise
        except Exception:  # noqa: BLE001 - logged whole, and the page gets an answer
            _log.exception("request failed", request=request.t, user=self.user_id)
            return {"error": self._texts("error-ours")}

    async def _served(self, request: wire.Request) -> dict[str, Any]:
        known = await self._check_session()
        visitor = replace(self.visitor, user=known.user)
        match request:
            case wire.AppearanceFrame():
                before, size = self.visitor, wire.size_for(request.pixels)
                self.visitor = replace(before, theme=request.theme, size=size)
                if self.visitor != before:
                    await self._tell_again()
                if self.is_visible != request.visible:
                    await self._hub.show(self, is_visible=request.visible)
                return {}
            case wire.PushFrame() if self._hub.push is not None:
                await self._hub.push.subscribe(self.visitor.session, request)
                return {}
            case wire.HomeFrame():
                listed = await self._hub.rooms.of_others(visitor)
                return {"others": [asdict(one) for one in listed]}
            case wire.HistoryFrame():
                return await self._finished(visitor, request)
            case wire.OpenFrame():
                return await self._opened(visitor, request)
            case wire.InRoom() if place := self._places.get(request.room):
                return await self._served_in(command_of(visitor, place), request)
        raise Refused("request")

    async def _served_in(self, command: Command, request: wire.InRoom) -> dict[str, Any]:
        """Serve a request in the room of `command`."""
        place, commands = command.place, self._hub.commands
        match request:
            case wire.OlderFrame():
                return await self._older(place, before=request.before)
            case wire.CompleteFrame():
                offers = await commands.complete(command, request.text)
                return {"completions": [{"text": one.text, "hint": one.hint} for one in offers]}
            case wire.PressFrame():
                answer = await commands.run_button(command, request.token)
                return await self._answered(command, answer)
            case wire.SayFrame():
                text, match = request.text, request.staged
                command = replace(command, seen=request.seen, viewed_match=match)
                if plain(text).startswith("/"):
                    return await self._answered(command, await commands.run_line(command, text))
                # A move of the board in front is played or refused, all other text is a message.
                move = replace(command, match=match, version=request.seen.get(match, 0), move=text)
                if match and (played := await commands.run_text(move, own_turn=True)):
                    return await self._answered(move, played)
                await self._hub.rooms.post(place, author=command.client.user, text=text)
            case wire.ReadFrame():
                store, read = self._app.store, request.message
                await rows.note_read(store, self.user_id, place.id, message_id=read)
            case wire.StartFrame():
                answer = await commands.run_line(command, request.line, whom=request.whom)
                return await self._answered(command, answer)
        return {}

    async def _check_session(self) -> Known:
        """Return the current session and user. Raises `_Forgotten` if it has ended."""
        known = await sessions.in_use(self._app.store, self.visitor.session)
        if known is None:
            raise _Forgotten
        return known

    async def _finished(self, visitor: Visitor, request: wire.HistoryFrame) -> dict[str, Any]:
        wanted = Wanted(request.game, request.result, request.rated, request.before)
        found, against, before = await self._hub.rooms.finished(visitor, wanted, name=request.name)
        shown = {"games": [asdict(one) for one in found], "against": against, "before": before}
        return {"history": shown}

    async def _opened(self, visitor: Visitor, request: wire.OpenFrame) -> dict[str, Any]:
        places, commands = self._places, self._hub.commands
        match, message, screen = await self._hub.rooms.find(visitor, request.code)
        if message is not None:
            # The page may not have loaded it.
            self.enqueue(Posted(message, is_again=True))
            room = visitor.room(message.place_id)
            done: dict[str, Any] = {"match": match, "room": room}
            if request.ply is not None:
                token = Action("past", match, argument=str(request.ply)).token
                answer = await commands.run_button(command_of(visitor, places[room]), token)
                if answer.private is not None and answer.private.ply is not None:
                    done["private"] = wire.screen(answer.private)
            return done
        if screen is not None:
            return {"private": wire.screen(screen)}
        direct = command_of(visitor, places[DIRECT_ROOM])
        await commands.run(replace(direct, verb="board", match=match))
        return {"match": match, "room": DIRECT_ROOM}

    async def _older(self, place: Place, *, before: int) -> dict[str, Any]:
        found, more = await self._hub.rooms.older(place, before=before)
        shown = [await self._frame(Posted(message)) for message in found[::-1]]
        return {"messages": [*filter(None, shown)], "more": more}

    async def _answered(self, command: Command, answer: Answer) -> dict[str, Any]:
        place, rooms = command.place, self._hub.rooms
        if answer.readers_changed and self._ends_with != FORGOTTEN:
            known = await sessions.in_use(self._app.store, self.visitor.session)
            if known is not None and known.user != command.client.user:
                self._hub.renew(known.user)
        if answer.lines_changed:
            self._hub.schedule_update(command.client.user.id, "lines")
        if answer.public is not None:
            kept = wire.stored_screen(answer.kept or answer.public)
            await rooms.say(place, kept, author=command.client.user, is_answer=True)
        if answer.board_in_dm:
            return {"match": answer.board_in_dm, "room": DIRECT_ROOM}
        screen = answer.private
        if screen is None:
            return {
                "match": answer.leads_to or None,
                "room": self.visitor.room(answer.place) or None,
                "begun": answer.begun or None,
                "proposed": answer.proposed or None,
                "told": answer.public is not None,
            }
        at = screen.match if screen.in_place else answer.here
        shown = await rooms.messages_of(self.visitor, [at], [place.id]) if at else {}
        shown_by = shown.get(at)
        is_again = bool(answer.here) or (screen.in_place and not screen.chosen)
        if shown_by and is_again:
            # Show the board again: a partial move was withdrawn, or the pressed board was outdated.
            self.enqueue(Posted(shown_by, is_again=True))
        about = answer.about or None
        if answer.refused and not answer.why:
            return {"error": screen.text, "about": about}
        if shown_by and is_again:
            return {}
        # `replaces` is the message that it covers.
        private = wire.screen(screen) | {"replaces": shown_by.id if shown_by else None}
        return {"error": answer.why or None, "private": private, "about": about}
