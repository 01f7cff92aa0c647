"""Boards catch up: looked for, brought up to date, noted; after a crash the same look finds them.

One `_Courier` a platform, each with its own hands: a slow platform, or one that wants a pause,
holds up no other. Of a board only the newest state is shown, however often it changed meanwhile.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from zlib import crc32

from cachetools import LRUCache
from structlog import get_logger

from bot.actions import Action
from bot.app import App
from bot.backoff import Backoff
from bot.delivery.announcer import SHUT_OUT_PAUSE, Announcer
from bot.delivery.audience import News, best_board, may_wait, news_of, to_tell
from bot.delivery.channel import (
    Channel,
    ClosedError,
    DeliveryError,
    GoneError,
    LaterError,
    MessageGoneError,
    Notice,
    Outgoing,
    Recipient,
    UnsureError,
)
from bot.delivery.threads import close_thread, open_thread
from bot.errors import Refused, StoreError
from bot.logs import store_failed
from bot.matches import LoadedMatch
from bot.model import MISSING, UNSURE, Board, Place, PlaceKind, Status, is_reference
from bot.screens import Button, Reader, Screen
from bot.store import boards as board_store
from bot.store import match_queries, people, places
from bot.store.boards import Done
from bot.tasks import Tasks

__all__ = ["Reconciler"]

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
_TRIES = 8
_LAST_SECONDS = 3.0
_REMEMBERED = 4096
_A_BIT = 0.001
"""So that a board whose time has come is not found a moment too early."""


@dataclass(frozen=True, slots=True)
class _Whom:
    """Who is `told` by a board, what the platform calls them, by user; it can wait `until` then."""

    told: Mapping[int, str]
    until: int = 0
    """Unix seconds; 0 is at once."""


_NO_ONE = _Whom({})


class _ShutOutError(DeliveryError):
    """The host does not want us in the place."""


class Reconciler:
    """Brings all boards up to date, and keeps them so."""

    def __init__(self, app: App, channels: Mapping[str, Channel]) -> None:
        self._app = app
        self._outcomes = outcomes = _Outcomes(app)
        couriers = {name: _Courier(app, channel, outcomes) for name, channel in channels.items()}
        self._couriers = tuple(couriers.values())
        self._announcers = tuple(Announcer(app, channel) for channel in channels.values())
        app.couriers.update(couriers)

    async def run(self) -> None:
        """Until cancelled. What is being said then is said to the end, if that is soon."""
        try:
            if not self._app.store.is_shared:
                await board_store.release_all(self._app.store)
        except StoreError as error:
            # Then they end by themselves, a minute later.
            store_failed(_log, "leases not released", error)
        try:
            async with asyncio.TaskGroup() as tasks:
                for courier in self._couriers:
                    tasks.create_task(courier.run())
                for announcer in self._announcers:
                    tasks.create_task(announcer.run())
        finally:
            await self._outcomes.close()
            if self._app.store.is_shared:
                await self._release()

    async def _release(self) -> None:
        """What others can do now, they need not wait for."""
        try:
            await self._app.leases.release()
        except StoreError as error:
            store_failed(_log, "leases not released", error)

    async def once(self) -> int:
        """Bring up to date what can be now; gives how many boards could not be."""
        for announcer in self._announcers:
            await announcer.once()
        return sum([await courier.once() for courier in self._couriers])


class _Outcomes:
    """Stores what was done; with what others have done meanwhile, for writers queue."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._waiting: list[tuple[Done, asyncio.Future[Board | None]]] = []
        self._tasks = Tasks()
        self._writing: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Wait for what is being stored; after a while, no more."""
        await self._tasks.close(seconds=_LAST_SECONDS)

    async def note(self, done: Done) -> Board | None:
        """The board as it is then, if it is still behind. Raises `StoreError`."""
        noted: asyncio.Future[Board | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((done, noted))
        if self._writing is None or self._writing.done():
            self._writing = self._tasks.begin(self._write())
        return await noted

    async def _write(self) -> None:
        store, leases = self._app.store, self._app.leases
        while self._waiting:
            notes, self._waiting = self._waiting, []
            try:
                behind = await board_store.note(store, [done for done, _ in notes], leases.take())
            except BaseException as error:
                for _, noted in notes:
                    if not noted.done():
                        noted.set_exception(error)
                if isinstance(error, asyncio.CancelledError):
                    raise
            else:
                for done, noted in notes:
                    if not noted.done():
                        noted.set_result(behind.get(done.board.id))


class _Courier:
    """Brings the boards of one platform up to date."""

    def __init__(self, app: App, channel: Channel, notes: _Outcomes) -> None:
        self._app = app
        self._channel = channel
        self._notes = notes
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
        try:
            for _ in range(_TRIES):
                try:
                    return await self._channel.delete(place, message)
                except LaterError as pause:
                    await asyncio.sleep(pause.seconds or _AFTER_FAILURE)
        except DeliveryError as error:
            _log.info("message not taken away", why=type(error).__name__)
        except Exception:  # noqa: BLE001 - logged whole; nobody waits for it
            _log.exception("message not taken away")

    # --- one board ------------------------------------------------------------------------

    async def _bring(self, board: Board) -> None:
        """Bring one board up to date, or say when to try it again."""
        wait = await self._tried(board)
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
                    await self._note_closed(at)
                else:
                    await self._hand_over(at, await places.place(self._app.store, at.place_id))
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
            return await self._tell(board, place)
        if board.former_notice is not None:
            await self._channel.delete(place, board.former_notice)
        return await self._note(Done.tidied(board))

    async def _note(self, done: Done) -> Board | None:
        """Store what was done; where that fails, it is that which is tried again."""
        self._unnoted[done.board.id] = done
        behind = await self._notes.note(done)
        del self._unnoted[done.board.id]
        return behind

    # --- showing --------------------------------------------------------------------------

    async def _show(self, board: Board, place: Place) -> Board | None:
        loaded = await self._app.matches.get(board.match_id, at_least=board.wanted)
        if board.shown < 0:
            # Perhaps shown anew because of a name, which another process has changed.
            self._app.names.forget()
        version = loaded.match.version
        whom = await self._whom(board, place, loaded)
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
            await self._hand_over(board, place)
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
        reader = await app.reader_of(place, theme=limits.theme)
        called: tuple[Recipient, ...] = ()
        if limits.calls_in_boards and loaded.match.status is Status.PROPOSED:
            called = await self._recipients(whom)
        return Outgoing(
            board,
            place,
            loaded,
            reader,
            key=_post_key(board),
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
            key, waited_for = "board-out-of-reach", {match.seats[seat] for seat in loaded.turn}
        else:
            return screen
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

    # --- telling --------------------------------------------------------------------------

    async def _whom(self, board: Board, place: Place, loaded: LoadedMatch) -> _Whom:
        """Whom to tell by this board, and when."""
        app, platform = self._app, self._channel.platform
        if not self._channel.limits.notifies or board.notified >= max(
            board.news, loaded.match.news
        ):
            return _NO_ONE
        users = to_tell(loaded)
        if not users:
            return _NO_ONE
        reachable = await people.reachable(app.store, platform, users)
        if not reachable:
            return _NO_ONE
        shown, where = await self._shown(loaded)
        shut_out = await self._shut_out(where.values())
        until = {
            user: may_wait(
                loaded,
                app.pings(one.settings, place),
                active=one.active,
                now=app.store.now(),
            )
            for user, one in reachable.items()
            if best_board(shown, where, {platform: one.external}, shut_out=shut_out) == board.id
        }
        # Those who can wait are told with those who are told first.
        told = {user: reachable[user].external for user in users if until.get(user) is not None}
        return _Whom(told, min((time for time in until.values() if time is not None), default=0))

    async def _shown(self, loaded: LoadedMatch) -> tuple[list[Board], dict[int, Place]]:
        """The boards of a match, and the places in which they are, by board."""
        store = self._app.store
        shown = await board_store.of_match(store, loaded.match.id)
        return shown, {one.id: await places.place(store, one.place_id) for one in shown}

    async def _shut_out(self, every: Iterable[Place]) -> set[int]:
        """The ids of those places in which the host does not want us."""
        return {place.id for place in every if await self._app.policies.is_shut_out(place)}

    async def _note_closed(self, board: Board) -> None:
        """We may not write where a board is, or not call anybody there."""
        store = self._app.store
        place = await self._app.directory.closed(await places.place(store, board.place_id))
        await self._hand_over(board, place)

    async def _hand_over(self, board: Board, place: Place) -> None:
        """Let those be told elsewhere who would be told by this board if we might write there."""
        app, platform = self._app, self._channel.platform
        loaded = await app.matches.get(board.match_id, at_least=board.wanted)
        if board.notified >= max(board.news, loaded.match.news):
            return
        shown, where = await self._shown(loaded)
        shut_out = await self._shut_out(where.values())
        opened = {**where, board.id: replace(place, settings={**place.settings, "reach": ""})}
        instead = set()
        for one in (await people.reachable(app.store, platform, to_tell(loaded))).values():
            by = {platform: one.external}
            if best_board(shown, opened, by, shut_out=shut_out - {place.id}) == board.id:
                instead.add(best_board(shown, where, by, shut_out=shut_out))
        if others := {found for found in instead if found not in (None, board.id)}:
            await board_store.hand_over(app.store, board, others)
            app.changed.set()

    async def _recipients(self, whom: Mapping[int, str]) -> tuple[Recipient, ...]:
        names = await self._app.names.of(whom)
        return tuple(Recipient(names[user], external) for user, external in whom.items())

    async def _tell(self, board: Board, place: Place) -> Board | None:
        """Say beside a board what there is to tell; then the last notice may go."""
        loaded = await self._app.matches.get(board.match_id, at_least=board.wanted)
        if place.is_closed:
            await self._hand_over(board, place)
        whom = await self._whom(board, place, loaded)
        is_aside = bool(_aside(board)) and loaded.match.ending is None
        if whom.until or is_aside:
            # Nothing takes its place, or the same words once more: it goes first.
            for message in (board.former_notice, board.notice):
                if message is not None:
                    await self._channel.delete(place, message)
            board = replace(board, notice=None, former_notice=None)
        if whom.until and not is_aside:
            return await self._note(Done.held(board, whom.until))
        if board.former_notice is not None and board.notice is not None:
            # Nobody waits for what could not be taken away.
            await self._taken_away(place, board.former_notice)
        notice = None
        if whom.told or is_aside:
            notice = await self._told(board, place, loaded, whom.told)
        return await self._note(
            Done.notified(board, loaded.match.version, notice, has_told=bool(whom.told))
        )

    async def _told(
        self, board: Board, place: Place, loaded: LoadedMatch, whom: Mapping[int, str]
    ) -> str | None:
        match = loaded.match
        reader = await self._app.reader_of(place, theme=self._channel.limits.theme)
        if len(whom) == 1:
            # In their own words, wherever it is.
            (user_id,) = whom
            user = await people.user(self._app.store, user_id)
            if user is not None:
                reader = self._app.reader_in(user, place, theme=reader.theme)
        texts = reader.texts
        notice = Notice(
            key=_news_key(board, loaded),
            recipients=await self._recipients(whom),
            text=await self._news(loaded, reader, whom) if whom else "",
            aside=texts(aside) if (aside := _aside(board)) else "",
            board=board.message if board.is_there else None,
            texts=texts,
            buttons=()
            if board.is_there
            else (Button(texts("button-show-board"), Action("board", match.id)),),
        )
        try:
            message = await self._channel.notify(place, notice)
        except ClosedError:
            # Closed for this alone, perhaps.
            await self._note_closed(board)
            return None
        except UnsureError:
            # Said perhaps, and once more would be one too many.
            return None
        except asyncio.CancelledError:
            if self._channel.limits.repeats:
                # Stopped in the middle of it.
                await self._note(Done.notified(board, match.version, None, has_told=True))
            raise
        if place.is_closed:
            await self._app.directory.opened(place)
        return message

    async def _news(self, loaded: LoadedMatch, reader: Reader, whom: Iterable[int]) -> str:
        match, texts, news = loaded.match, reader.texts, news_of(loaded)
        assert news is not None  # or there would be nobody to tell
        name = how = ""
        if news is News.JOINED:
            names = await self._app.names.shown(match.people, texts)
            name = " · ".join(names[user] for user in match.seats if user not in whom)
        if news is News.OVER:
            how = await self._app.screens.status_line(loaded, reader)
        game = texts(f"{match.game}-name")
        return texts(f"notice-{news}", game=game, match=match.id, name=name, how=how)


def _aside(board: Board) -> str:
    """The text that says what is the matter with a board's message; "" where nothing is."""
    if board.message is None or board.is_there:
        return ""
    return "notice-unsure" if board.message == UNSURE else "notice-missing"


def _post_key(board: Board) -> str:
    """The same for every try to post one message, whatever happens in the match meanwhile.

    Another one is for a message that takes the place of one that is there, or was.
    """
    instead_of = crc32((board.message or board.former or "").encode())
    return f"{board.id}.{instead_of:x}"


def _news_key(board: Board, loaded: LoadedMatch) -> str:
    """The same for every try to tell this news beside a board."""
    return f"{_post_key(board)}.{loaded.match.version}"
