"""Work that is due: boards that are behind, challenges whose time is up.

It is looked for, done, and stored as done; after a crash the same look finds the same work.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from structlog import get_logger

from bot.errors import BotError, StoreError
from bot.house import House
from bot.matches import Live
from bot.model import Board, Place, Status
from bot.store import matches as rows
from bot.store import people

__all__ = ["Duties", "Front", "PlaceGoneError", "UnreachableError"]

_log = get_logger(__name__)

_BATCH = 50
_LONGEST_SLEEP = 30.0
_AFTER_FAILURE = 2.0


class PlaceGoneError(Exception):
    """The place of a board is gone for good; the board is forgotten."""


class UnreachableError(Exception):
    """The place cannot be reached now, which the front has logged; the board waits."""


class Front(Protocol):
    """What the duties need of a front."""

    platform: str

    async def show(self, board: Board, place: Place, live: Live) -> str:
        """Show a match as it is: edit `board.message`, or post anew where that is None.

        Takes `board.former` away, if there is one. Gives the message's reference. Asked twice
        after a crash, it must not say it twice. Raises `PlaceGoneError`
        or `UnreachableError`.
        """

    async def ping(self, board: Board, place: Place, live: Live) -> str | None:
        """Tell whose turn it is, where an edited board notifies nobody; take `board.ping` away.

        Gives the new message's reference; None where nothing is to be said (a match that is
        over, a platform that shows it by itself).
        """


class Duties:
    """One loop that does what is due, roused by changes and by the clock."""

    def __init__(self, house: House, fronts: Mapping[str, Front]) -> None:
        self._house = house
        self._fronts = fronts
        # A place that is slow to answer must not keep the others waiting: the loop goes on
        # without the boards that are being shown, or wait for a second try or for their place.
        self._busy: set[int] = set()
        self._failed: set[int] = set()
        self._unreachable: set[int] = set()
        self._look_at = 0.0

    async def run(self) -> None:
        """Look, do, sleep; until cancelled."""
        house = self._house
        async with asyncio.TaskGroup() as tasks:
            while True:
                house.changed.clear()
                self._unreachable.clear()
                try:
                    if house.clock() >= self._look_at:
                        await self._expire()
                        self._look_at = await self._next_look()
                    for board in await self._due():
                        tasks.create_task(self._bring(board))
                    wait = max(0.0, self._look_at - house.clock())
                except StoreError as error:
                    _log.error("duties could not read or store", reason=str(error))
                    wait = _AFTER_FAILURE
                try:
                    async with asyncio.timeout(wait):
                        await house.changed.wait()
                except TimeoutError:
                    continue

    async def once(self) -> int:
        """Do all that is due now; gives the number of boards that could not be shown."""
        await self._expire()
        self._failed.clear()
        self._unreachable.clear()
        while due := await self._due():
            await asyncio.gather(*(self._bring(board) for board in due))
        return len(self._failed | self._unreachable)

    async def _due(self) -> list[Board]:
        """Boards that are behind, now taken in hand."""
        not_now = self._busy | self._failed | self._unreachable
        found = await rows.stale(self._house.store, self._fronts, limit=_BATCH + len(not_now))
        due = [board for board in found if board.id not in not_now]
        self._busy.update(board.id for board in due)
        return due

    async def _bring(self, board: Board) -> None:
        """Show one board and store that it was shown; else it is tried again after a while."""
        try:
            if caught := await self._show(board):
                await rows.caught_up(self._house.store, [caught])
            # It may be behind again already.
            self._house.changed.set()
        except UnreachableError:
            self._unreachable.add(board.id)
        except Exception:  # noqa: BLE001 - logged whole; one board must not stop the others
            _log.exception("board not shown", board=board.id, match=board.match_id)
            self._failed.add(board.id)
            asyncio.get_running_loop().call_later(_AFTER_FAILURE, self._retry, board.id)
        finally:
            self._busy.discard(board.id)

    def _retry(self, board_id: int) -> None:
        self._failed.discard(board_id)
        self._house.changed.set()

    async def _show(self, board: Board) -> rows.Caught | None:
        """Bring one board up to date; None where it is forgotten instead."""
        live = await self._house.matches.get(board.match_id)
        place = await people.place(self._house.store, board.place_id)
        front = self._fronts[place.platform]
        try:
            message = await front.show(board, place, live)
            ping = await front.ping(replace(board, message=message), place, live)
        except PlaceGoneError:
            await rows.drop_board(self._house.store, board.id)
            _log.info("board forgotten, its place is gone", board=board.id)
            return None
        return rows.Caught(board, live.match.version, message, ping)

    async def _expire(self) -> None:
        now = int(self._house.clock())
        for match_id in await rows.expired(self._house.store, now):
            try:
                await self._house.matches.close(match_id, Status.EXPIRED)
            except BotError:
                # Accepted or declined in the same moment: nothing is left to expire.
                continue

    async def _next_look(self) -> float:
        """When to look for expired challenges again: not at every move, and not long too late."""
        now = self._house.clock()
        expiry = await rows.next_expiry(self._house.store)
        return min(now + _LONGEST_SLEEP, now + _LONGEST_SLEEP if expiry is None else expiry)
