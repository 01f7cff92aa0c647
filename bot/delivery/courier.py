"""The boards of one platform: looked for, shown, tried again; and the threads around them."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from cachetools import LRUCache
from structlog import get_logger

from bot.app import App
from bot.backoff import Backoff
from bot.delivery.announcer import SHUT_OUT_PAUSE
from bot.delivery.channel import (
    Channel,
    ClosedError,
    DeliveryError,
    GoneError,
    LaterError,
    MessageGoneError,
    Outgoing,
    Recipient,
    UnsureError,
)
from bot.delivery.notices import Notices, post_key
from bot.delivery.outcomes import Outcomes
from bot.delivery.removal import take_away
from bot.delivery.threads import close_thread, open_thread
from bot.errors import Refused, StoreError
from bot.logs import store_failed
from bot.matches import LoadedMatch
from bot.model import MISSING, UNSURE, Board, Place, PlaceKind, Status, is_reference
from bot.screens import Reader, Screen
from bot.store import boards as board_store
from bot.store import match_queries, places
from bot.store.boards import Done
from bot.tasks import Tasks

__all__ = ["Courier"]

_log = get_logger(__name__)

_IN_HAND = 50
"""Boards of one platform that are being worked on at a time."""
_LOOK_EVERY = 5.0
"""Seconds until we look whether another process has left something."""
_AFTER_FAILURE, _LONGEST_AFTER_FAILURE = 2.0, 60.0
_PAUSES = Backoff(_AFTER_FAILURE, _LONGEST_AFTER_FAILURE)
_CLOSED_PAUSES = Backoff(_AFTER_FAILURE, 6 * 3600.0)
"""Until a place that is closed to us is tried again; whoever speaks there opens it."""
_TRIES_WHERE_CLOSED = 16
"""Within a day or so; then a board is forgotten whose match is over."""
_LAST_SECONDS = 3.0
_REMEMBERED = 4096
_A_BIT = 0.001
"""So that a board whose time has come is not found a moment too early."""


class _ShutOutError(DeliveryError):
    """The host does not want us in the place."""


class Courier:
    """Brings the boards of one platform up to date."""

    def __init__(self, app: App, channel: Channel, outcomes: Outcomes) -> None:
        self._app = app
        self._channel = channel
        self._outcomes = outcomes
        self._notices = Notices(app, channel, note=self._note, take_away=self._taken_away)
        self._changed = asyncio.Event()
        self._in_hand: set[int] = set()
        self._tasks = Tasks()
        self._not_before: dict[int, float] = {}
        """Times of the loop's clock, by board."""
        self._calling: set[int] = set()
        """Boards of which there is only something left to tell: that has to wait, and holds up
        nothing that there is to show."""
        self._failures: Counter[int] = Counter()
        """How often it could not be shown in a row, by board."""
        self._closed: dict[int, set[int]] = {}
        """Boards that wait for somebody in their place."""
        self._spoken: LRUCache[int, int] = LRUCache(_REMEMBERED)
        """How often somebody has spoken in a place while we looked."""
        self._unnoted: dict[int, Done] = {}
        """What was done and could not be stored: it must not be done again."""
        self._doubtful: set[int] = set()
        """Boards that others may have shown while we did: what arrived last nobody knows."""

    # --- the loop -------------------------------------------------------------------------

    async def run(self) -> None:
        """Look, bring, sleep."""
        self._changed = self._app.changed.listen()
        try:
            await self._close_threads()
            while True:
                self._changed.clear()
                wait = _LOOK_EVERY
                try:
                    for board in await self._due():
                        self._tasks.begin(self._bring(board))
                except StoreError as error:
                    store_failed(_log, "boards could not be looked for", error)
                    wait = _AFTER_FAILURE
                try:
                    async with asyncio.timeout(wait):
                        await self._changed.wait()
                except TimeoutError:
                    continue
        finally:
            self._app.changed.leave(self._changed)
            await self._tasks.close(seconds=_LAST_SECONDS)

    async def once(self) -> int:
        """See `Reconciler.once`."""
        self._not_before.clear()
        while due := await self._due():
            await asyncio.gather(*(self._bring(board) for board in due))
        return len(self._not_before)

    async def _due(self) -> list[Board]:
        """Boards that are behind and may be shown now; they are in hand from here on."""
        if doubtful := set(self._doubtful):
            await board_store.show_anew(self._app.store, doubtful)
            self._doubtful -= doubtful
        now = asyncio.get_running_loop().time()
        for board_id in [key for key, time in self._not_before.items() if time <= now]:
            del self._not_before[board_id]
        room = _IN_HAND - len(self._in_hand)
        if room <= 0:
            return []
        due = await board_store.claim(
            self._app.store,
            self._app.leases.take(),
            self._channel.platform,
            limit=room,
            but=self._in_hand | (self._not_before.keys() - self._calling),
            unless_changed=self._not_before.keys() & self._calling,
        )
        for board in due:
            self._in_hand.add(board.id)
            self._not_before.pop(board.id, None)
        return due

    def spoken_in(self, place: Place) -> None:
        """Somebody is in a place: if it was closed to us, it is worth another try."""
        self._spoken[place.id] = self._spoken.get(place.id, 0) + 1
        for board_id in self._closed.pop(place.id, ()):
            self._failures.pop(board_id, None)
            if self._not_before.pop(board_id, None) is not None:
                self._changed.set()

    async def _close_threads(self) -> None:
        """Close the threads that were still to be closed when a process ended."""
        if self._channel.limits.has_threads:
            try:
                left = await board_store.threads_to_close(self._app.store, self._channel.platform)
            except StoreError as error:
                store_failed(_log, "threads not closed", error)
                return
            for place_id in left:
                self._tasks.begin(self._close_thread(place_id))

    async def _close_thread(self, place_id: int) -> None:
        """Close the thread that a place is, if it is ours and there is nothing left to do in it."""
        try:
            await close_thread(self._app, self._channel, place_id)
        except LaterError as pause:
            self._tasks.begin(self._close_later(place_id, pause))
        except StoreError as error:
            store_failed(_log, "thread not closed", error)
        except Exception:  # noqa: BLE001 - logged whole; the match does not depend on it
            _log.exception("thread not closed", place=place_id)

    async def _close_later(self, place_id: int, pause: LaterError) -> None:
        await asyncio.sleep(pause.seconds or _LONGEST_AFTER_FAILURE)
        await self._close_thread(place_id)

    def take_away(self, place: Place, message: str) -> None:
        """Take a message of ours away, as far as that is possible; nobody waits for it."""
        self._tasks.begin(self._taken_away(place, message))

    async def _taken_away(self, place: Place, message: str) -> None:
        await take_away(self._channel, place, message)

    # --- one board ------------------------------------------------------------------------

    async def _bring(self, board: Board) -> None:
        """Bring one board up to date, or say when to try it again."""
        shards, platform = self._app.shards, self._channel.platform
        tenure = shards.tenure(platform)
        wait = await self._tried(board)
        if shards.tenure(platform) != tenure or not shards.speaks(platform):
            # We were stopped in the middle of it, or cut off.
            self._doubtful.add(board.id)
            self._changed.set()
        if wait is None and self._channel.limits.has_threads:
            await self._close_thread(board.place_id)
        full = len(self._in_hand) >= _IN_HAND
        self._in_hand.discard(board.id)
        if wait is None:
            self._failures.pop(board.id, None)
        else:
            loop = asyncio.get_running_loop()
            self._not_before[board.id] = again = loop.time() + wait
            loop.call_at(again + _A_BIT, self._changed.set)
        if full:
            self._changed.set()

    async def _tried(self, board: Board) -> float | None:
        """Seconds after which to try again; None where the board is up to date, or forgotten."""
        try:
            await self._steps(board)
        except GoneError:
            await self._forget(board, why="its place is gone")
        except LaterError as pause:
            return pause.seconds if pause.seconds is not None else self._longer(board)
        except _ShutOutError:
            self._closed.setdefault(board.place_id, set()).add(board.id)
            return SHUT_OUT_PAUSE
        except ClosedError:
            if await self._is_given_up(board):
                await self._forget(board, why="its place is closed")
                return None
            self._closed.setdefault(board.place_id, set()).add(board.id)
            return self._longer(board, _CLOSED_PAUSES)
        except Refused:
            # No house of ours can read this match (any more), which has been said already.
            return _LONGEST_AFTER_FAILURE
        except StoreError as error:
            store_failed(_log, "board not shown", error, board=board.id)
            return self._longer(board)
        except Exception:  # noqa: BLE001 - logged whole; one board must not stop the others
            _log.exception("board not shown", board=board.id, match=board.match_id)
            return self._longer(board)
        return None

    async def _steps(self, board: Board) -> None:
        """Do all that is due about a board."""
        behind: Board | None = board
        while behind is not None:
            at = behind
            try:
                behind = await self._step(at)
            except (_ShutOutError, ClosedError) as error:
                before = self._spoken.get(at.place_id)
                if isinstance(error, ClosedError):
                    await self._notices.note_closed(at)
                else:
                    await self._notices.hand_over(
                        at, await places.place(self._app.store, at.place_id)
                    )
                if self._spoken.get(at.place_id) != before:
                    # As in `_send`: we may be there again meanwhile.
                    raise LaterError(0) from None
                raise

    def _longer(self, board: Board, pauses: Backoff | None = None) -> float:
        """Seconds to wait after one more failure."""
        self._failures[board.id] += 1
        return (pauses or _PAUSES).after(self._failures[board.id])

    async def _is_given_up(self, board: Board) -> bool:
        """Has a match long been over whose board is where we may not write?"""
        if self._failures[board.id] < _TRIES_WHERE_CLOSED:
            return False
        try:
            loaded = await self._app.matches.get(board.match_id)
        except (Refused, StoreError):
            return False
        return loaded.match.status not in (Status.PROPOSED, Status.RUNNING)

    async def _forget(self, board: Board, *, why: str) -> None:
        self._calling.discard(board.id)
        try:
            await board_store.drop(self._app.store, [board.id])
        except StoreError as error:
            store_failed(_log, "board not forgotten", error, board=board.id)
        else:
            _log.info(f"board forgotten, {why}", board=board.id)

    async def _step(self, board: Board) -> Board | None:
        """Do the next thing that is due; gives the board as it is then, if it is still behind."""
        self._calling.discard(board.id)
        if done := self._unnoted.get(board.id):
            return await self._note(done)
        place = await places.place(self._app.store, board.place_id)
        if place.is_erased:
            raise GoneError
        if await self._app.policies.is_shut_out(place):
            raise _ShutOutError
        if board.shown < board.wanted:
            return await self._show(board, place)
        if board.former is not None:
            if is_reference(board.former):
                await self._channel.delete(place, board.former)
            return await self._note(Done.left(board))
        self._calling.add(board.id)
        left = await self._left_to_say(board, place)
        self._calling.discard(board.id)
        return left

    async def _left_to_say(self, board: Board, place: Place) -> Board | None:
        if board.notified < board.news:
            return await self._notices.tell(board, place)
        if board.former_notice is not None:
            await self._channel.delete(place, board.former_notice)
        return await self._note(Done.tidied(board))

    async def _note(self, done: Done) -> Board | None:
        """Store what was done; where that fails, it is that which is tried again."""
        self._unnoted[done.board.id] = done
        behind = await self._outcomes.note(done)
        del self._unnoted[done.board.id]
        return behind

    # --- showing --------------------------------------------------------------------------

    async def _show(self, board: Board, place: Place) -> Board | None:
        loaded = await self._app.matches.get(board.match_id, at_least=board.wanted)
        if board.shown < 0:
            # Perhaps shown anew because of a name, which another process has changed.
            self._app.names.forget()
        version = loaded.match.version
        whom = await self._notices.whom(board, place, loaded)
        outgoing = await self._outgoing(board, place, loaded, {} if whom.until else whom.told)
        try:
            message = await self._put(outgoing)
        except UnsureError:
            message = UNSURE
        if not is_reference(message):
            return await self._note(Done.absent(board, version, message))
        if board.shown >= 0:
            # Of one that is shown anew nobody knows since when that has been wanted.
            self._app.metrics.shown(self._channel.platform, board.match_id, version)
        if self._channel.limits.has_threads:
            await open_thread(self._app, self._channel, outgoing, message)
        is_new = message != board.message
        if place.is_closed:
            await self._notices.hand_over(board, place)
            if is_new:
                await self._app.directory.opened(place)
        # Where nobody is to be told and no notice is to be taken away, that is done, too.
        is_quiet = board.notice is None
        boards_call = self._channel.limits.boards_call and place.kind is PlaceKind.DIRECT
        has_called = bool(outgoing.called) or (boards_call and is_new and outgoing.is_call)
        is_told = is_quiet and (not whom.told or has_called)
        after = whom.until if is_quiet else 0
        return await self._note(
            Done.shown(
                board, version, message, is_told=is_told, has_told=has_called, notify_after=after
            )
        )

    async def _outgoing(
        self, board: Board, place: Place, loaded: LoadedMatch, whom: Mapping[int, str]
    ) -> Outgoing:
        app, limits = self._app, self._channel.limits
        reader = await app.readers.of(place, theme=limits.theme)
        called: tuple[Recipient, ...] = ()
        is_new = board.message is None
        if limits.calls_in_boards and is_new and loaded.match.status is Status.PROPOSED:
            # What is changed calls nobody.
            called = await self._notices.recipients(whom)
        return Outgoing(
            board,
            place,
            loaded,
            reader,
            key=post_key(board),
            called=called,
            is_call=bool(whom),
            make=lambda: self._made(board, loaded, reader),
        )

    async def _made(self, board: Board, loaded: LoadedMatch, reader: Reader) -> Screen:
        """A board as a screen, which says so where whoever is waited for cannot be reached."""
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
        names = await app.names.of(waited_for)
        line = reader.texts(key, name=" & ".join(names.values()))
        return replace(screen, text=f"{screen.text}\n{line}")

    async def _put(self, outgoing: Outgoing) -> str:
        """Show a board, in its message or a new one; gives the reference."""
        board, channel = outgoing.board, self._channel
        if board.message is not None and not board.is_there:
            # One may be there, and another would be the second; the other was not wanted there.
            return board.message
        if board.message is not None:
            try:
                return await channel.edit(outgoing, board.message)
            except MessageGoneError:
                if outgoing.place.kind is not PlaceKind.DIRECT:
                    # Somebody did not want it there: it comes back when it is asked for.
                    _log.info("board was deleted by somebody", board=board.id)
                    return f"{MISSING}{board.message}"
        return await self._send(outgoing)

    async def _send(self, outgoing: Outgoing) -> str:
        place, channel = outgoing.place, self._channel
        before = self._spoken.get(place.id)
        try:
            return await channel.send(outgoing)
        except ClosedError:
            if self._spoken.get(place.id) != before:
                # They opened it while we were being refused, and wait for this board.
                raise LaterError(0) from None
            raise
        except asyncio.CancelledError:
            if channel.limits.repeats:
                # Stopped in the middle of it.
                loaded = outgoing.loaded
                await self._note(Done.absent(outgoing.board, loaded.match.version, UNSURE))
            raise
