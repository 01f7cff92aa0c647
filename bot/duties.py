"""Work that is due: boards that are behind, challenges whose time is up, matches of older rules.

It is looked for, done, and stored as done; after a crash the same look finds the same work.
Boards catch up side by side: a slow platform, or one that wants a pause, holds up nobody else.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Protocol

from structlog import get_logger

from bot.errors import BotError, Refused, StoreError
from bot.house import House
from bot.matches import Live
from bot.model import Board, Place, Status
from bot.store import matches as rows
from bot.store import people

__all__ = ["Duties", "Front", "NotNowError", "PlaceGoneError"]

_log = get_logger(__name__)

_BATCH = 50
_LONGEST_SLEEP = 30.0
_AFTER_FAILURE = 2.0
_LONGEST_AFTER_FAILURE = 60.0
_LAST_SECONDS = 3.0
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
        self._look_at = 0.0
        self._is_looked_over = False
        self._notes: list[tuple[rows.Caught, asyncio.Future[Board | None]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Look, do, sleep; until cancelled. What is being said then is said to the end."""
        house = self._house
        under_way = {asyncio.create_task(self._look_over())}
        try:
            while True:
                house.changed.clear()
                try:
                    if house.clock() >= self._look_at:
                        await self._expire()
                        self._look_at = await self._next_expiry()
                    for board in await self._due():
                        task = asyncio.create_task(self._bring(board))
                        under_way.add(task)
                        task.add_done_callback(under_way.discard)
                    wait = self._until_next()
                except StoreError as error:
                    _log.error("duties could not read or store", reason=str(error))
                    wait = _AFTER_FAILURE
                try:
                    async with asyncio.timeout(wait):
                        await house.changed.wait()
                except TimeoutError:
                    continue
        finally:
            if under_way:
                _, late = await asyncio.wait(under_way, timeout=_LAST_SECONDS)
                for task in late:
                    task.cancel()

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
        except Exception:  # noqa: BLE001 - logged whole; one board must not stop the others
            _log.exception("board not shown", board=board.id, match=board.match_id)
            self._failures[board.id] += 1
            wait = min(_AFTER_FAILURE * 2 ** (self._failures[board.id] - 1), _LONGEST_AFTER_FAILURE)
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

    async def _step(self, board: Board) -> Board | None:
        """Show or ping as far as either is due; the board as it is then, if it is still behind."""
        store = self._house.store
        live = await self._house.matches.get(board.match_id, at_least=board.wanted)
        place = await people.place(store, board.place_id)
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
            _log.error("board not forgotten", board=board.id, reason=str(error))
        else:
            _log.info("board forgotten, its place is gone", board=board.id)

    async def _look_over(self) -> None:
        """What a change of rules has left behind, once; later, whoever reads a match finds it."""
        if self._is_looked_over:
            return
        self._is_looked_over = True
        try:
            await self._house.matches.look_over()
        except StoreError as error:
            _log.error("matches not looked over", reason=str(error))
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

    async def _next_expiry(self) -> float:
        """When to look for expired challenges: not at every move, and never long too late."""
        now = self._house.clock()
        late = now + _LONGEST_SLEEP
        expiry = await rows.next_expiry(self._house.store)
        if expiry is None:
            return late
        # One whose time is up and that is still there could not be ended: not at once again.
        return min(late, expiry if expiry > now else now + _AFTER_FAILURE)

    def _until_next(self) -> float:
        return max(0.0, self._look_at - self._house.clock())
