"""Questions, reminders and abandonment."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.matches.loaded import LoadedMatch
from bot.matches.playing import Playing, next_version, seated
from bot.model import Ending, EndingKind
from bot.store import matches as match_store
from bot.store.boards import Effect

__all__ = ["Waiting"]


class Waiting(Playing):
    """Ask and remind players, and end abandoned matches."""

    async def ask(self, match_id: int, *, version: int) -> LoadedMatch:
        async with self._alone_with(match_id):
            loaded = await self._at(match_id, version)
            match = loaded.match
            effect = Effect(is_news=True, lease=self._leases.take(), is_beside=True)
            if not await match_store.ask(self._unit, match, effect=effect):
                raise self._outdated(match)
            asked = replace(match, asked=match.version + 1)
            return self._stored(replace(loaded, match=next_version(asked, effect)))

    async def keep(self, match_id: int, user_id: int, *, version: int | None) -> LoadedMatch:
        async def judged(loaded: LoadedMatch) -> LoadedMatch:
            match = loaded.match
            effect = Effect(by=user_id, lease=self._leases.take(), is_beside=True)
            seated(loaded, user_id, version=version)
            if not match.is_asked:
                return loaded
            if not await match_store.keep(self._unit, match, effect=effect):
                raise self._outdated(match)
            return self._stored(replace(loaded, match=next_version(match, effect)))

        return await self._on_newest(match_id, judged, at_least=version or 0)

    async def remind(
        self, match_id: int, *, version: int, until: int, quiet: Callable[[int], Awaitable[int]]
    ) -> LoadedMatch | None:
        """Remind the player to move of the clock, if that is due by `until`; return None if not.

        `quiet` returns when a user's quiet hours end (0: none). The reminder is postponed until
        then if there is time.
        """
        async with self._alone_with(match_id):
            loaded = await self._at(match_id, version)
            match, running = loaded.match, loaded.match.running
            if running is None or running.due is None or not running.must_remind(until):
                # Another process has reminded the player.
                self._memory.forget(match_id)
                return None
            user_id = match.user_at(min(loaded.turn))
            later = 0 if user_id is None else await quiet(user_id)
            if until < later < running.due:
                await match_store.remind_later(self._unit, match, later)
                self._memory.forget(match_id)
                return None
            effect = Effect(is_news=True, lease=self._leases.take(), is_beside=True)
            after = running.reminded(until)
            if not await match_store.remind(self._unit, match, after, effect=effect):
                raise self._outdated(match)
            reminded = replace(match, running=after, reminded=match.version + 1)
            return self._stored(replace(loaded, match=next_version(reminded, effect)))

    async def abandon(self, match_id: int, *, version: int) -> LoadedMatch:
        async with self._alone_with(match_id):
            loaded = await self._at(match_id, version)
            return await self._commit(loaded, loaded, [], Ending(EndingKind.ABANDONED))
