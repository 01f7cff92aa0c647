"""Show the boards of each platform, retry failures, manage threads and store what was done."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Mapping
from dataclasses import replace
from functools import partial
from typing import TypeVar
from zlib import crc32

from cachetools import LRUCache
from structlog import get_logger

from bot.app import App
from bot.delivery import audience
from bot.delivery.audience import Audience
from bot.delivery.channel import (
    Channel,
    ClosedError,
    DeliveryError,
    GoneError,
    MessageGoneError,
    Notice,
    Outgoing,
    Recipient,
    RetryError,
    UnsureError,
    delete_message,
)
from bot.delivery.mailer import SHUT_OUT_PAUSE, Announcer, RequestedAnalyses
from bot.delivery.threads import close_thread, open_thread
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.model import MISSING, UNSURE, Board, Place, PlaceKind, Status, is_reference
from bot.matches import MatchState, reading
from bot.screens import Button, Reader, Screen
from bot.store import boards as board_store
from bot.store import leases as lease_store
from bot.store import match_queries, places
from bot.store.leases import BoardUpdate
from bot.support.errors import StoreError
from bot.support.logs import StoreErrorsLogged, store_failed
from bot.support.tasks import Backoff, Listener, Pace, Tasks

_log = get_logger(__name__)

T = TypeVar("T")

_IN_HAND = 50
"""Boards of a platform in progress at a time."""
_AT_ONCE = 1
"""Steps that begin in a pass of the event loop, beside presses."""
_LOOK_EVERY = 5.0
"""Seconds between searches for boards that other processes left."""
_AFTER_FAILURE, _LONGEST_AFTER_FAILURE = 2.0, 60.0
_PAUSES = Backoff(_AFTER_FAILURE, _LONGEST_AFTER_FAILURE)
_CLOSED_PAUSES = Backoff(_AFTER_FAILURE, 6 * 3600.0)
"""Until a closed place is retried. A user who writes there opens it."""
_TRIES_WHERE_CLOSED = 16
"""About a day of retries, after which the board of a finished match is forgotten."""
_LAST_SECONDS = _STORING_SECONDS = 3.0
"""At the end, for what is being sent and stored."""
_REMEMBERED = 4096
_ACTIVE = (Status.PROPOSED, Status.RUNNING)
_A_BIT = 0.001
"""Seconds, so that a board is not searched before it is due."""


class _BlockedError(DeliveryError):
    """The operator has blocked the place."""


class Courier:
    """Keep the boards of one platform up to date."""

    def __init__(self, app: App, channel: Channel) -> None:
        self._app = app
        self._channel = channel
        self._unrecorded: dict[int, BoardUpdate] = {}
        """Done but not stored, by board. It must not be repeated, only stored."""
        self._changed = Listener()
        self._in_hand: set[int] = set()
        self._pace = Pace(_AT_ONCE)
        self._looks = 0
        self._tasks, self._recordings = Tasks(), Tasks()
        self._not_before: dict[int, float] = {}
        """In the event loop's time, by board."""
        self._notification_only: set[int] = set()
        """Boards with only notifications left, whose delay does not hold up changes."""
        self._failures: Counter[int] = Counter()
        self._closed: dict[int, set[int]] = {}
        """Boards in closed places, by place."""
        self._spoken: LRUCache[int, int] = LRUCache(_REMEMBERED)
        """Messages by place, to detect that it opens during a request."""
        self._doubtful: set[int] = set()
        """Boards that another process may have shown at the same time."""

    async def run(self) -> None:
        try:
            with self._app.changed.listening() as self._changed:
                await self._close_threads()
                while True:
                    wait = _AFTER_FAILURE
                    with StoreErrorsLogged(_log, "boards not read"):
                        for board in await self._due():
                            self._tasks.begin(self._update(board))
                        wait = _LOOK_EVERY
                    await self._changed.pause(wait)
        finally:
            await self._tasks.close(seconds=_LAST_SECONDS)
            await self._recordings.close(seconds=_STORING_SECONDS)

    async def once(self) -> int:
        self._not_before.clear()
        while due := await self._due():
            await asyncio.gather(*(self._update(board) for board in due))
        return len(self._not_before)

    async def _due(self) -> list[Board]:
        self._looks += 1
        if doubtful := set(self._doubtful):
            await board_store.redraw_boards(self._app.store, doubtful)
            self._doubtful -= doubtful
        now = asyncio.get_running_loop().time()
        for board_id in [key for key, time in self._not_before.items() if time <= now]:
            del self._not_before[board_id]
        room = _IN_HAND - len(self._in_hand)
        if room <= 0:
            return []
        due = await lease_store.claim(
            self._app.store,
            self._app.matches.new_lease(),
            self._channel.platform,
            limit=room,
            exclude=self._in_hand | (self._not_before.keys() - self._notification_only),
            unless_changed=self._not_before.keys() & self._notification_only,
        )
        for board in due:
            self._in_hand.add(board.id)
            self._not_before.pop(board.id, None)
        return due

    def on_activity(self, place: Place) -> None:
        """Retry the boards in a place where a user writes, in case it was closed."""
        self._spoken[place.id] = self._spoken.get(place.id, 0) + 1
        for board_id in self._closed.pop(place.id, ()):
            self._failures.pop(board_id, None)
            if self._not_before.pop(board_id, None) is not None:
                self._changed.set()

    async def _close_threads(self) -> None:
        if self._channel.medium.opens_threads:
            with StoreErrorsLogged(_log, "threads not closed"):
                store, platform = self._app.store, self._channel.platform
                for place_id in await board_store.threads_to_close(store, platform):
                    self._tasks.begin(close_thread(self._app, self._channel, place_id))

    def delete_message(self, place: Place, message: str) -> None:
        """Delete our message in the background, if possible."""
        self._tasks.begin(delete_message(self._channel, place, message))

    async def _update(self, board: Board) -> None:
        """Bring a board up to date, as far as possible now."""
        shards, platform = self._app.shards, self._channel.platform
        tenure = shards.tenure(platform)
        wait = await self._attempt(board)
        if shards.tenure(platform) != tenure or not shards.serves(platform):
            # This process was suspended, or disconnected from the database.
            self._doubtful.add(board.id)
            self._changed.set()
        full = len(self._in_hand) >= _IN_HAND
        self._in_hand.discard(board.id)
        if wait is None:
            self._failures.pop(board.id, None)
            self._notification_only.discard(board.id)
        else:
            loop = asyncio.get_running_loop()
            self._not_before[board.id] = again = loop.time() + wait
            loop.call_at(again + _A_BIT, self._changed.set)
        if full:
            self._changed.set()
        known = self._app.matches.memory.get(board.match_id)
        is_active = known is not None and known.match.status in _ACTIVE
        if wait is None and self._channel.medium.opens_threads and not is_active:
            await close_thread(self._app, self._channel, board.place_id)

    async def _attempt(self, board: Board) -> float | None:
        """Do all steps. Return seconds until the next attempt, or None if none is needed."""
        try:
            behind: Board | None = board
            while behind is not None:
                await self._pace.turn()
                done = self._unrecorded.get(board.id) or await self._step(behind)
                behind = await self._record(done)
        except GoneError:
            await self._forget(board, why="its place is gone")
        except RetryError as pause:
            return pause.retry_after if pause.retry_after is not None else self._longer(board)
        except _BlockedError:
            self._closed.setdefault(board.place_id, set()).add(board.id)
            return SHUT_OUT_PAUSE
        except ClosedError:
            if await self._should_give_up(board):
                await self._forget(board, why="its place is closed")
                return None
            self._closed.setdefault(board.place_id, set()).add(board.id)
            return self._longer(board, _CLOSED_PAUSES)
        except Refused:
            # The match is unreadable, which was logged before.
            return _LONGEST_AFTER_FAILURE
        except StoreError as error:
            store_failed(_log, "board not shown", error, board=board.id)
            return self._longer(board)
        except Exception:  # noqa: BLE001 - logged in full; one board must not stop the others
            _log.exception("board not shown", board=board.id, match=board.match_id)
            return self._longer(board)
        return None

    async def _record(self, done: BoardUpdate) -> Board | None:
        """Store the work, even if cancelled. Return the board if it is still behind."""
        self._unrecorded[done.board.id], looks = done, self._looks
        lease = self._app.matches.new_lease()
        recording = lease_store.record_work(self._app.store, done, lease)
        behind = await asyncio.shield(self._recordings.begin(recording))
        del self._unrecorded[done.board.id]
        known = self._app.matches.memory.get(done.board.match_id)
        shown = done.values.get("shown", done.board.shown)
        is_current = known is not None and known.match.version == shown
        if behind is None and looks != self._looks and not is_current:
            # A change may have followed at once. The search for it left out what is in hand.
            self._changed.set()
        return behind

    def _longer(self, board: Board, pauses: Backoff | None = None) -> float:
        self._failures[board.id] += 1
        return (pauses or _PAUSES).after(self._failures[board.id])

    async def _should_give_up(self, board: Board) -> bool:
        if self._failures[board.id] < _TRIES_WHERE_CLOSED:
            return False
        try:
            loaded = await reading.get(self._app.matches, board.match_id)
        except (Refused, StoreError):
            return False
        return loaded.match.status not in _ACTIVE

    async def _forget(self, board: Board, *, why: str) -> None:
        self._notification_only.discard(board.id)
        with StoreErrorsLogged(_log, "board not forgotten", {"board": board.id}):
            await board_store.drop(self._app.store, [board.id])
            _log.info(f"board forgotten, {why}", board=board.id)

    async def _step(self, board: Board) -> BoardUpdate:
        """Do the next thing: show, delete the former board, notify, delete the former notice.

        Where the bot may not write, other boards notify instead.
        """
        app, channel = self._app, self._channel
        self._notification_only.discard(board.id)
        place = await places.place(app.store, board.place_id)
        if place.is_erased:
            raise GoneError
        spoken = self._spoken.get(place.id)
        try:
            if await app.policies.is_blocked(place):
                raise _BlockedError
            if board.shown < board.wanted:
                return await self._show(board, place)
            if board.former is not None:
                if is_reference(board.former):
                    await channel.delete(place, board.former)
                return BoardUpdate(board, {"former": None})
            self._notification_only.add(board.id)
            if board.notified < board.news:
                return await self._notify(board, place)
            if board.former_notice is not None:
                await channel.delete(place, board.former_notice)
        except (_BlockedError, ClosedError) as error:
            await self._hand_over(board, spoken, is_closed=isinstance(error, ClosedError))
            raise
        return BoardUpdate(board, {"former_notice": None})

    async def _hand_over(self, board: Board, spoken: int | None, *, is_closed: bool = True) -> None:
        """Let other boards notify. Raises `RetryError` if a user has spoken since `spoken`."""
        if self._spoken.get(board.place_id) == spoken:
            place = await places.place(self._app.store, board.place_id)
            if is_closed:
                place = await self._app.directory.mark_unreachable(place)
            await audience.reassign_notifications(self._app, board, place)
        if self._spoken.get(board.place_id) != spoken:
            # The user opened the place during the request and waits for this board.
            raise RetryError(0) from None

    async def _show(self, board: Board, place: Place) -> BoardUpdate:
        app, medium = self._app, self._channel.medium
        if board.message is None or is_reference(board.message):
            self._channel.check_ready(board, place)
        loaded = await reading.get(app.matches, board.match_id, at_least=board.wanted)
        if board.shown < 0:
            # Another process may have changed a name.
            app.names.forget()
        match, version = loaded.match, loaded.match.version
        is_quiet, whom = board.notice is None, Audience({})
        if is_quiet or board.message is None or place.kind is PlaceKind.DIRECT:
            # Otherwise only the next notice notifies, not the board.
            whom = await audience.find_audience(app, self._channel, board, place, loaded)
        told = {} if whom.until else whom.users
        called: tuple[Recipient, ...] = ()
        if medium.calls_in_boards and board.message is None and match.status is Status.PROPOSED:
            # Edits notify no one.
            called = await audience.recipients(app, told)
        reader = await app.readers.of(place, theme=medium.theme)
        key, screen = _post_key(board), partial(self._screen, board, loaded, reader)
        outgoing = Outgoing(board, place, loaded, reader, key, called, bool(told), screen)
        message = await self._send_or_edit(outgoing)
        if not is_reference(message):
            return BoardUpdate.absent(board, version, message)
        if board.shown >= 0:
            # The time from commit to board is unknown for a redraw.
            app.metrics.shown(self._channel.platform, board.match_id, version)
        if medium.opens_threads:
            await open_thread(app, self._channel, outgoing, message)
        is_new = message != board.message
        if place.is_unreachable:
            await audience.reassign_notifications(app, board, place)
            if is_new:
                await app.directory.opened(place)
        boards_call = medium.boards_call and place.kind is PlaceKind.DIRECT
        has_called = bool(called) or (boards_call and is_new and bool(told))
        is_told = is_quiet and (not whom.users or has_called)
        after = whom.until if is_quiet else 0
        return BoardUpdate.shown(
            board, version, message, is_told=is_told, has_told=has_called, notify_after=after
        )

    async def _screen(self, board: Board, loaded: MatchState, reader: Reader) -> Screen:
        app, match = self._app, loaded.match
        screen = await app.screens.match(loaded, reader, seat=board.seat)
        if match.status is Status.PROPOSED and match.opponent is not None:
            key, waited_for = "challenge-out-of-reach", {match.opponent}
        elif match.status is Status.RUNNING and len(match.seats) > 1:
            on_turn = {match.user_at(seat) for seat in loaded.turn}
            key, waited_for = "board-out-of-reach", {who for who in on_turn if who is not None}
        else:
            return screen
        if waited_for:
            waited_for &= await match_queries.out_of_reach(app.store, match.id)
        waited_for -= {reader.user.id} if reader.user else set()
        if not waited_for:
            return screen
        names = await app.names.display_names(waited_for, reader.texts, reader.place)
        line = reader.texts(key, name=" & ".join(names.values()))
        return replace(screen, text=f"{screen.text}\n{line}")

    async def _send_or_edit(self, outgoing: Outgoing) -> str:
        """Send or edit the message, and return its reference, `UNSURE` or missing."""
        board, place, channel = outgoing.board, outgoing.place, self._channel
        if board.message is not None and not is_reference(board.message):
            # It may be there, or was deleted by a user.
            return board.message
        unsure = BoardUpdate.absent(board, outgoing.loaded.match.version, UNSURE)
        try:
            if board.message is not None:
                try:
                    return await channel.edit(outgoing, board.message)
                except MessageGoneError:
                    if place.kind is not PlaceKind.DIRECT:
                        # Deleted by a user or moderator: shown again only on request.
                        _log.info("board message was deleted", board=board.id)
                        return f"{MISSING}{board.message}"
            return await self._recorded_if_cancelled(channel.send(outgoing), unsure)
        except UnsureError:
            return UNSURE

    async def _recorded_if_cancelled(self, sending: Awaitable[T], unsure: BoardUpdate) -> T:
        """Send something new. If that is cancelled, it may have been sent: record `unsure`."""
        try:
            return await sending
        except asyncio.CancelledError:
            if self._channel.medium.repeats:
                await self._record(unsure)
            raise

    async def _notify(self, board: Board, place: Place) -> BoardUpdate:
        """Notify the users and delete the last notice."""
        app, channel = self._app, self._channel
        loaded = await reading.get(app.matches, board.match_id, at_least=board.wanted)
        if place.is_unreachable:
            await audience.reassign_notifications(app, board, place)
        whom = await audience.find_audience(app, channel, board, place, loaded)
        aside = ""
        is_absent = board.message is not None and not is_reference(board.message)
        if is_absent and loaded.match.ending is None:
            aside = "notice-unsure" if board.message == UNSURE else "notice-missing"
        if whom.until or aside:
            # Delete the last notice first if none follows yet, or one with the same text.
            for message in (board.former_notice, board.notice):
                if message is not None:
                    await channel.delete(place, message)
            board = replace(board, notice=None, former_notice=None)
        if whom.until and not aside:
            held = {"notice": None, "former_notice": None, "notify_after": whom.until}
            return BoardUpdate(board, held)
        if board.former_notice is not None and board.notice is not None:
            await delete_message(channel, place, board.former_notice)
        notice = None
        if whom.users or aside:
            notice = await self._send_notice(board, place, loaded, whom.users, aside)
        return BoardUpdate.notified(board, loaded.match.version, notice, has_told=bool(whom.users))

    async def _send_notice(
        self, board: Board, place: Place, loaded: MatchState, told: Mapping[int, str], aside: str
    ) -> str | None:
        """Send a notice. Return its message, None if none can be deleted later."""
        app, match, text = self._app, loaded.match, ""
        reader = await app.readers.of(place, theme=self._channel.medium.theme)
        texts, is_there = reader.texts, is_reference(board.message)
        if told:
            text = await app.screens.news_line(loaded, reader, told, now=app.store.now())
        show_board = Button(texts("button-show-board"), Action("board", match.id))
        notice = Notice(
            key=f"{_post_key(board)}.{match.version}",
            recipients=await audience.recipients(app, told),
            text=text,
            aside=texts(aside) if aside else "",
            board=board.message if is_there else None,
            texts=texts,
            loaded=loaded,
            buttons=() if is_there else (show_board,),
        )
        unsure = BoardUpdate.notified(board, match.version, None, has_told=True)
        spoken = self._spoken.get(place.id)
        try:
            notifying = self._channel.notify(place, notice)
            message = await self._recorded_if_cancelled(notifying, unsure)
        except ClosedError:
            await self._hand_over(board, spoken)
            return None
        except UnsureError:
            # It may have been sent.
            return None
        if place.is_unreachable:
            await app.directory.opened(place)
        return message


class Reconciler:
    """Bring all boards up to date, with a `Courier` for each platform, which delays no other.

    After a crash the same search finds what is left. Only the newest state of a board is shown.
    """

    def __init__(self, app: App, channels: Mapping[str, Channel]) -> None:
        self._app = app
        couriers = {name: Courier(app, channel) for name, channel in channels.items()}
        self._couriers = tuple(couriers.values())
        self._mailers = tuple(
            mailer(app, channel)
            for channel in channels.values()
            for mailer in (Announcer, RequestedAnalyses)
        )
        app.couriers.update(couriers)

    async def run(self) -> None:
        if not self._app.store.is_shared:
            # If that fails, they expire within a minute.
            with StoreErrorsLogged(_log, "leases not released"):
                await lease_store.release_all(self._app.store)
        async with asyncio.TaskGroup() as tasks:
            for courier in self._couriers:
                tasks.create_task(courier.run())
            for mailer in self._mailers:
                tasks.create_task(mailer.run())

    async def once(self) -> int:
        """Bring boards up to date now; return how many could not be."""
        for mailer in self._mailers:
            await mailer.once()
        return sum([await courier.once() for courier in self._couriers])


def _post_key(board: Board) -> str:
    """Return a key that is the same in all attempts to post a message."""
    instead_of = crc32((board.message or board.former or "").encode())
    return f"{board.id}.{instead_of:x}"
