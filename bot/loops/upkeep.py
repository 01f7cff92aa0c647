"""Upkeep: expired challenges, timeouts, changed rules, inactive users."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from math import inf

from structlog import get_logger

from bot.app import App
from bot.domain.errors import BotError
from bot.domain.marks import erased_name
from bot.domain.model import Status
from bot.loops.rounds import poll_loop
from bot.matches import beginning, playing, reading, waiting
from bot.matches.erasing import resign_all
from bot.store import match_queries, people, personal_data, times, upkeep
from bot.store.match_queries import Due, Timer
from bot.support.logs import StoreErrorsLogged
from bot.support.tasks import Signal

_log = get_logger(__name__)

_SET = 1.0
"""Seconds. A larger jump between two checks means that the clock was set."""
_AFTER_FAILURE = 2.0
_TIDY_EVERY = 3600.0
_TRUSTED_AFTER = 3600
"""Seconds after which a clock that was not set is trusted to delete by."""
_TIDY_ON = 5.0
"""Seconds between batches of deletions."""
_AT_ONCE = 20
_TIMED_AT_ONCE = 100
_A_DAY = 24 * 3600


class Upkeep:
    """The loop that does what is due by the clock."""

    def __init__(self, app: App) -> None:
        self._app = app
        # Times of the loop's clock, which nothing sets.
        self._clock_offset: float | None = None
        self._tidy_at = 0.0
        self._was_set = False
        # Since when the clock was not set, and when that was last stored, by the clock itself.
        self._since: int | None = None
        self._noted: int | None = None
        self._is_looked_over = False

    async def begin(self) -> None:
        """Run before the fronts start: a clock that was set must not delete users."""
        self._notice_set_clock()
        with StoreErrorsLogged(_log, "clock not stored"):
            await self._may_purge()

    async def run(self) -> None:
        # No signal: what a change makes due comes later.
        await poll_loop(self._app, Signal(), self._look, what="upkeep")

    async def _look(self) -> float:
        """Do what is due. Return when to look again."""
        self._notice_set_clock()
        is_time_to_tidy = await self._may_purge()
        await self.once()
        look_at = await self._next_look()
        if is_time_to_tidy:
            await self.purge()
        await self._app.replays.workers.rest()
        if self._app.must_recheck:
            await self._app.recheck_people()
        return look_at

    async def _may_purge(self) -> bool:
        """Return whether the clock has not been set for long enough to delete by it.

        Deletion is final, and a clock may be wrong at a machine's start. The time counts across
        restarts.
        """
        now = self._app.store.now()
        if self._was_set:
            self._since, self._noted = now, None
        if self._noted is None or not 0 <= now - self._noted < times.NOTED_EVERY:
            await self._record_clock()
        is_trusted = self._since is not None and now - self._since >= _TRUSTED_AFTER
        return is_trusted and asyncio.get_running_loop().time() >= self._tidy_at

    async def _record_clock(self) -> int:
        """Record that the bot is running, and give players back the time that it missed."""
        noted = await playing.note_clock(self._app.matches, since=self._since)
        self._since, self._noted, self._was_set = noted.since, noted.now, False
        if noted.has_skipped:
            _log.info("the bot was down or its clock was set: players got their time back")
            await self._app.on_remote_change()
        return noted.now

    async def purge(self) -> int:
        """Delete expired data and inactive users."""
        store = self._app.store
        loop, days = asyncio.get_running_loop(), self._app.settings.house.forget_unplayed_days
        self._tidy_at = loop.time() + _TIDY_EVERY
        await upkeep.purge(store)
        if not days:
            return 0
        before = store.now() - days * _A_DAY
        await people.were_here(store, list(self._app.open_pages), now=store.now())
        found = await personal_data.idlers(store, before=before, limit=_AT_ONCE)
        forgotten = 0
        for user_id in found:
            forgotten += await personal_data.forget_idler(
                store, user_id, before=before, name=erased_name(user_id)
            )
        if len(found) == _AT_ONCE:
            self._tidy_at = loop.time() + _TIDY_ON
        if forgotten:
            _log.info("deleted users who never played", people=forgotten)
            await self._app.on_remote_change()
        return forgotten

    async def once(self) -> None:
        """Do what was due by the last time at which the bot is known to have run."""
        store, matches = self._app.store, self._app.matches
        days = self._app.settings.play.claim_days
        await resign_all(matches)
        steps: dict[Timer, Callable[[Due, int], Awaitable[object]]] = {
            Timer.EXPIRY: lambda due, _: beginning.end_challenge(matches, due.id, Status.EXPIRED),
            Timer.TIMEOUT: lambda due, until: playing.expire(matches, due.id, until=until),
            Timer.REMINDER: lambda due, until: waiting.remind(
                matches, due.id, version=due.version, until=until
            ),
            Timer.CHECK: lambda due, _: waiting.take_step(
                matches, due.id, version=due.version, at=due.at, days=days
            ),
        }
        for timer, step in steps.items():
            tried = list[Due]()
            while (at := await self._next_due(timer)) is not None and at <= store.now():
                until = await self._record_clock()
                found = await match_queries.due(store, timer, until=until, limit=_TIMED_AT_ONCE)
                if found == tried:
                    break
                for due in found:
                    # It has changed at the same moment, or the match cannot be replayed.
                    with suppress(BotError):
                        await step(due, until)
                tried = found
        if not self._is_looked_over:
            # Rules may have changed. Later each match is checked when it is read.
            with StoreErrorsLogged(_log, "matches not checked"):
                await reading.end_outdated_matches(matches)
                self._is_looked_over = True

    async def _next_due(self, timer: Timer) -> int | None:
        """Return when a timer is next due. A move still counts in the second of its timeout."""
        at = await match_queries.next_due(self._app.store, timer)
        return None if at is None else at + (timer is Timer.TIMEOUT)

    def _notice_set_clock(self) -> None:
        before = self._clock_offset
        self._clock_offset = self._app.clock() - asyncio.get_running_loop().time()
        self._was_set |= before is not None and abs(self._clock_offset - before) > _SET

    async def _next_look(self) -> float:
        now, moments = self._app.clock(), [await self._next_due(timer) for timer in Timer]
        first = min((moment for moment in moments if moment is not None), default=inf)
        # If it was due and could not be ended, wait before the next try.
        return now + _AFTER_FAILURE if first <= now else first
