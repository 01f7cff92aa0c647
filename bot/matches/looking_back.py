"""Analyses of finished matches."""

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.analysis import Judgement
from bot.domain.errors import Refused
from bot.domain.model import Progress, Status
from bot.matches.loaded import LoadedMatch
from bot.matches.playing import Playing, next_version
from bot.store import matches as match_store
from bot.store.boards import Effect

__all__ = ["LookingBack"]


class LookingBack(Playing):
    """Request, store and abandon analyses."""

    async def ask_analysis(self, match_id: int, by: int | str) -> LoadedMatch:
        """Request or resume an analysis; `by`: a user id, or a hash of an unregistered user's.

        Raises `StaleBoard`, and `Refused` if the match is not over or the user's last request is
        open.
        """
        async with self._alone_with(match_id):
            loaded = await self._renewed(match_id)
            match, effect = loaded.match, Effect(lease=self._leases.take(), is_beside=True)
            if match.status is not Status.OVER:
                raise Refused("analyse-running")
            if match.analysed is not None and not match.analysed.is_given_up:
                return loaded
            await match_store.ask_analysis(self._unit, match, by=by, effect=effect)
            return self._looked_back(loaded, match.analysed.done if match.analysed else 0, effect)

    async def note_analysis(self, match_id: int, judged: Sequence[Judgement | None]) -> LoadedMatch:
        """Store the first judgements. Raises `Refused`, or `StaleBoard` if stored before."""
        async with self._alone_with(match_id):
            loaded = await self._renewed(match_id)
            effect = Effect(lease=self._leases.take(), is_beside=True)
            await match_store.note_analysis(self._store, loaded.match, judged, effect=effect)
            return self._looked_back(loaded, len(judged), effect)

    async def give_up_analysis(
        self, match_id: int, judged: Sequence[Judgement | None], *, done: int
    ) -> LoadedMatch:
        """Abandon an analysis. Raises `Refused`, or `StaleBoard` if not `done` moves are stored."""
        async with self._alone_with(match_id):
            loaded = await self._renewed(match_id)
            effect = Effect(lease=self._leases.take(), is_beside=True)
            await match_store.give_up_analysis(
                self._store, loaded.match, judged, done=done, effect=effect
            )
            return self._looked_back(loaded, len(judged), effect, is_given_up=True)

    def _looked_back(
        self, loaded: LoadedMatch, done: int, effect: Effect, *, is_given_up: bool = False
    ) -> LoadedMatch:
        match = loaded.match
        match = replace(match, analysed=Progress(done, len(match.plies), is_given_up))
        return self._stored(replace(loaded, match=next_version(match, effect)))
