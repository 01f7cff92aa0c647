"""Work that is due: boards that are behind, challenges whose time is up, matches of older rules.

It is looked for, done, and stored as done; after a crash the same look finds the same work.
Boards catch up side by side: a slow platform, or one that wants a pause, holds up nobody else.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Protocol

from structlog import get_logger

from bot.erasing import called
from bot.errors import BotError, Refused, StoreError
from bot.house import House
from bot.logs import store_failed
from bot.matches import Live
from bot.model import Board, Place, Status
from bot.store import matches as rows
from bot.store import people, sessions, traces

__all__ = ["Duties", "Front", "NotNowError", "PlaceGoneError"]

_log = get_logger(__name__)

_BATCH = 50
_LONGEST_SLEEP = 5.0
_SET = 1.0
"""By so many seconds a clock does not run wrong between two looks: it has been set."""
_AFTER_FAILURE = 2.0
_LONGEST_AFTER_FAILURE = 60.0
_LAST_SECONDS = 3.0
_TIDY_EVERY = 3600.0
_TIDY_ON = 5.0
"""Seconds between two looks for people to forget, and between two batches of them."""
_AT_ONCE = 20
_A_DAY = 24 * 3600
_A_BIT = 0.001
"""So that a board whose time has come is not found a moment too early."""


class PlaceGoneError(Exception):
    """The place of a board is gone for good; the board is forgotten."""


class NotNowError(Exception):
    """The platform wants a pause there: ask again in `seconds`, with the newest state."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class Front(Protocol):
    """What the duties need of a front."""

    platform: str

    async def show(self, board: Board, place: Place, live: Live) -> str:
        """Show a match as it is: edit `board.message`, or post anew where that is None.

        Takes `board.former` away, if there is one. Gives the message's reference. Asked twice
        after a crash, it must not say it twice. Raises `PlaceGoneError`, `NotNowError`.
        """

    async def ping(self, board: Board, place: Place, live: Live) -> str | None:
        """Tell whose turn it is, where an edited board notifies nobody; take `board.ping` away.

        Gives the new message's reference; None where nothing is to be said (a match that is
        over, a platform that shows it by itself). Raises as `show` does.
        """


class Duties:
    """One loop that does what is due, roused by changes and by the clock."""

    def __init__(self, house: House, fronts: Mapping[str, Front]) -> None:
        self._house = house
        self._fronts = fronts
        self._in_hand: set[int] = set()
        self._not_before: dict[int, float] = {}
        self._failures: Counter[int] = Counter()
        # Of the loop's clock, which nobody sets; what is stored is told by the other one.
        self._look_at = 0.0
        self._apart = 0.0
        self._tidy_at = 0.0
        self._is_looked_over = False
        self._notes: list[tuple[rows.Caught, asyncio.Future[Board | None]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Look, do, sleep; until cancelled. What is being said then is said to the end."""
        fault = ""
        under_way: set[asyncio.Task[None]] = set()
        try:
            while True:
                self._house.changed.clear()
                try:
                    await self._by_the_clock()
                    due = await self._due()
                    for work in (self._look_over(), *map(self._bring, due)):
                        task = asyncio.create_task(work)
                        under_way.add(task)
                        task.add_done_callback(under_way.discard)
                    wait = self._until_next()
                    fault = ""
                except StoreError as error:
                    if fault != str(error):
                        fault = str(error)
                        _log.error("duties could not read or store", reason=fault)
                    wait = _AFTER_FAILURE
                try:
                    async with asyncio.timeout(wait):
                        await self._house.changed.wait()
                except TimeoutError:
                    continue
        finally:
            if under_way:
                _, late = await asyncio.wait(under_way, timeout=_LAST_SECONDS)
                for task in late:
                    task.cancel()

    async def _by_the_clock(self) -> None:
        """What is due now and then, and what could not be done when it was."""
        if self._is_time():
            await self._expire()
            self._look_at = await self._next_look()
        if asyncio.get_running_loop().time() >= self._tidy_at:
            await self.tidy()
        if self._house.must_look:
            await self._house.look_again()

    async def tidy(self) -> int:
        """Remove what nobody needs any more; gives how many people were forgotten.

        That is old sessions, what counts for a day only, and some of those who never played and
        have not come back.
        """
        store, now = self._house.store, int(self._house.clock())
        loop, days = asyncio.get_running_loop(), self._house.settings.web.forget_unplayed_days
        self._tidy_at = loop.time() + _TIDY_EVERY
        await sessions.tidy(store)
        await traces.tidy(store, now=now)
        if not days:
            return 0
        before = now - days * _A_DAY
        await people.were_here(store, list(self._house.here), now=now)
        found = await people.idlers(store, before=before, limit=_AT_ONCE)
        forgotten = 0
        for user_id in found:
            forgotten += await people.forget_idler(
                store, user_id, before=before, name=called(user_id)
            )
        if len(found) == _AT_ONCE:
            self._tidy_at = loop.time() + _TIDY_ON
        if forgotten:
            _log.info("forgotten, for they have never played", people=forgotten)
            await self._house.written_elsewhere()
        return forgotten

    async def once(self) -> int:
        """Do all that is due now; gives the number of boards that could not be shown."""
        await self._look_over()
        await self._expire()
        self._not_before.clear()
        while due := await self._due():
            await asyncio.gather(*(self._bring(board) for board in due))
        return len(self._not_before)

    async def _due(self) -> list[Board]:
        """Boards that are behind and may be shown now; they count as in hand from here on."""
        now = asyncio.get_running_loop().time()
        for board_id in [key for key, time in self._not_before.items() if time <= now]:
            del self._not_before[board_id]
        passed = len(self._in_hand) + len(self._not_before)
        room = _BATCH - len(self._in_hand)
        if room <= 0:
            return []
        found = await rows.stale(self._house.store, self._fronts, limit=room + passed)
        due = [
            board
            for board in found
            if board.id not in self._in_hand and board.id not in self._not_before
        ][:room]
        self._in_hand.update(board.id for board in due)
        return due

    async def _bring(self, board: Board) -> None:
        """Bring one board up to date, or say when to try it again."""
        wait: float | None = None
        behind: Board | None = board
        try:
            while behind is not None:
                behind = await self._step(behind)
        except PlaceGoneError:
            await self._forget(board)
        except NotNowError as pause:
            wait = pause.seconds
        except Refused:
            # No house of ours can read this match (any more), which has been said already.
            wait = _LONGEST_AFTER_FAILURE
        except StoreError as error:
            store_failed(_log, "board not shown", error, board=board.id)
            wait = self._longer(board)
        except Exception:  # noqa: BLE001 - logged whole; one board must not stop the others
            _log.exception("board not shown", board=board.id, match=board.match_id)
            wait = self._longer(board)
        else:
            self._failures.pop(board.id, None)
        full = len(self._in_hand) >= _BATCH
        self._in_hand.discard(board.id)
        if wait is not None:
            loop = asyncio.get_running_loop()
            self._not_before[board.id] = again = loop.time() + wait
            loop.call_at(again + _A_BIT, self._house.changed.set)
        if full:
            self._house.changed.set()

    def _longer(self, board: Board) -> float:
        """Seconds to wait after one more failure."""
        self._failures[board.id] += 1
        longer = _AFTER_FAILURE * 2.0 ** (self._failures[board.id] - 1)
        return min(longer, _LONGEST_AFTER_FAILURE)

    async def _step(self, board: Board) -> Board | None:
        """Show or ping as far as either is due; the board as it is then, if it is still behind."""
        store = self._house.store
        live = await self._house.matches.get(board.match_id, at_least=board.wanted)
        place = await people.place(store, board.place_id)
        if board.shown < 0:
            # Perhaps shown anew because of a name, which another process has changed.
            self._house.names.forget()
        front = self._fronts[place.platform]
        version = live.match.version
        if board.shown < version:
            message = await front.show(board, place, live)
            return await self._note(rows.Caught.shown(board, version, message))
        ping = await front.ping(board, place, live)
        return await self._note(rows.Caught.pinged(board, version, ping))

    async def _note(self, caught: rows.Caught) -> Board | None:
        """Store that something was done; with others that came meanwhile, for writers queue."""
        noted: asyncio.Future[Board | None] = asyncio.get_running_loop().create_future()
        self._notes.append((caught, noted))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        return await noted

    async def _write(self) -> None:
        while self._notes:
            notes, self._notes = self._notes, []
            try:
                behind = await rows.caught_up(self._house.store, [caught for caught, _ in notes])
            except BaseException as error:
                for _, noted in notes:
                    if not noted.done():
                        noted.set_exception(error)
                if isinstance(error, asyncio.CancelledError):
                    raise
            else:
                for caught, noted in notes:
                    if not noted.done():
                        noted.set_result(behind.get(caught.board.id))

    async def _forget(self, board: Board) -> None:
        try:
            await rows.drop_board(self._house.store, board.id)
        except StoreError as error:
            store_failed(_log, "board not forgotten", error, board=board.id)
        else:
            _log.info("board forgotten, its place is gone", board=board.id)

    async def _look_over(self) -> None:
        """What a change of rules has left behind, once; later, whoever reads a match finds it."""
        if self._is_looked_over:
            return
        self._is_looked_over = True
        try:
            await self._house.matches.look_over()
        except StoreError:
            # The host hears of it by what is due as well; it is tried again with that.
            self._is_looked_over = False
        except Exception:  # noqa: BLE001 - logged whole; boards and challenges are due all the same
            _log.exception("matches not looked over")

    async def _expire(self) -> None:
        now = int(self._house.clock())
        for match_id in await rows.expired(self._house.store, now):
            try:
                await self._house.matches.close(match_id, Status.EXPIRED)
            except BotError:
                # Accepted or declined in the same moment: nothing is left to expire.
                continue

    def _is_time(self) -> bool:
        """Is it time to look for expired challenges, or has somebody set the clock?"""
        now = asyncio.get_running_loop().time()
        before, self._apart = self._apart, self._house.clock() - now
        return now >= self._look_at or abs(self._apart - before) > _SET

    async def _next_look(self) -> float:
        """When to look for expired challenges: not at every move, and never long too late."""
        now = self._house.clock()
        expiry = await rows.next_expiry(self._house.store)
        if expiry is None:
            wait = _LONGEST_SLEEP
        elif expiry <= now:
            # One whose time is up and that is still there could not be ended: not at once again.
            wait = _AFTER_FAILURE
        else:
            wait = min(_LONGEST_SLEEP, expiry - now)
        return asyncio.get_running_loop().time() + wait

    def _until_next(self) -> float:
        due = min(self._look_at, self._tidy_at)
        return max(0.0, due - asyncio.get_running_loop().time())
