"""Analyses of finished matches."""

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.analysis import Judgement
from bot.domain.errors import Refused
from bot.domain.model import Progress, Status
from bot.matches import reading
from bot.matches.committing import next_version
from bot.matches.loaded import LoadedMatch
from bot.matches.matches import Matches
from bot.store import matches as match_store
from bot.store.leases import Effect


async def request(matches: Matches, match_id: int, by: int | str) -> LoadedMatch:
    """Request or resume an analysis; `by`: a user id, or a hash of an unregistered user's.

    Raises `StaleBoard`, and `Refused` if the match is not over or the user's last request is
    open.
    """
    async with matches.locked(match_id):
        loaded = await reading.refresh(matches, match_id)
        match, effect = loaded.match, Effect(lease=matches.leases.take(), is_beside=True)
        if match.status is not Status.OVER:
            raise Refused("analyse-running")
        if match.analysed is not None and not match.analysed.is_given_up:
            return loaded
        await match_store.ask_analysis(matches.unit, match, by=by, effect=effect)
        return _committed(matches, loaded, match.analysed.done if match.analysed else 0, effect)


async def note(matches: Matches, match_id: int, judged: Sequence[Judgement | None]) -> LoadedMatch:
    """Store the first judgements. Raises `Refused`, or `StaleBoard` if stored before."""
    async with matches.locked(match_id):
        loaded = await reading.refresh(matches, match_id)
        effect = Effect(lease=matches.leases.take(), is_beside=True)
        await match_store.note_analysis(matches.store, loaded.match, judged, effect=effect)
        return _committed(matches, loaded, len(judged), effect)


async def abandon(
    matches: Matches, match_id: int, judged: Sequence[Judgement | None], *, done: int
) -> LoadedMatch:
    """Abandon an analysis. Raises `Refused`, or `StaleBoard` if not `done` moves are stored."""
    async with matches.locked(match_id):
        loaded = await reading.refresh(matches, match_id)
        effect = Effect(lease=matches.leases.take(), is_beside=True)
        await match_store.give_up_analysis(
            matches.store, loaded.match, judged, done=done, effect=effect
        )
        return _committed(matches, loaded, len(judged), effect, is_given_up=True)


def _committed(
    matches: Matches, loaded: LoadedMatch, done: int, effect: Effect, *, is_given_up: bool = False
) -> LoadedMatch:
    match = loaded.match
    match = replace(match, analysed=Progress(done, len(match.plies), is_given_up))
    return matches.committed(replace(loaded, match=next_version(match, effect)))
