"""Store the work done on boards in batches, because writers queue."""

import asyncio

from bot.app import App
from bot.domain.model import Board
from bot.store import leases as lease_store
from bot.store.leases import BoardUpdate
from bot.support.tasks import Tasks

_LAST_SECONDS = 3.0


class Outcomes:
    """Store the work done, in batches."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.unnoted: dict[int, BoardUpdate] = {}
        """Done but not stored, by board. It must not be repeated, only stored."""
        self._waiting: list[tuple[BoardUpdate, asyncio.Future[Board | None]]] = []
        self._tasks = Tasks()
        self._writing: asyncio.Task[None] | None = None

    async def close(self) -> None:
        await self._tasks.close(seconds=_LAST_SECONDS)

    async def record(self, done: BoardUpdate) -> Board | None:
        """Store the work and return the board if it is still behind. Raises `StoreError`."""
        self.unnoted[done.board.id] = done
        noted: asyncio.Future[Board | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((done, noted))
        if self._writing is None or self._writing.done():
            self._writing = self._tasks.begin(self._write())
        behind = await noted
        del self.unnoted[done.board.id]
        return behind

    async def _write(self) -> None:
        store, matches = self._app.store, self._app.matches
        while self._waiting:
            notes, self._waiting = self._waiting, []
            try:
                behind = await lease_store.record_work(
                    store, [done for done, _ in notes], matches.new_lease()
                )
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
