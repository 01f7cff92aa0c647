"""Analyses of finished matches."""

from collections.abc import Sequence

from bot.domain.analysis import Judgement
from bot.domain.errors import Refused
from bot.domain.model import Progress, Status
from bot.matches import reading
from bot.matches.matches import Matches, MatchState, next_version
from bot.store import matches as match_store


async def request(matches: Matches, match_id: int, by: int | str) -> MatchState:
    """Request or resume an analysis; `by`: a user id, or a hash of an unregistered user's.

    Raises `StaleBoard`, and `Refused` if the match is not over or the user's last request is
    open.
    """
    async with matches.locked(match_id):
        loaded = await reading.refresh(matches, match_id)
        match = loaded.match
        if match.status is not Status.OVER:
            raise Refused("analyse-running")
        if match.progress is not None and not match.progress.is_given_up:
            return loaded
        progress = Progress(match.progress.done if match.progress else 0, len(match.plies))
        after = next_version(loaded, keeps_position=True, progress=progress)
        lease = matches.new_lease()
        await match_store.ask_analysis(matches.unit, match, after.match, by=by, lease=lease)
        return matches.committed(after)


async def note(
    matches: Matches,
    match_id: int,
    judged: Sequence[Judgement | None],
    *,
    given_up_after: int | None = None,
) -> MatchState:
    """Store the first judgements, or abandon an analysis of which this many moves are stored.

    Raises `Refused`, or `StaleBoard` if another process has stored more.
    """
    async with matches.locked(match_id):
        loaded = await reading.refresh(matches, match_id)
        match, lease = loaded.match, matches.new_lease()
        progress = Progress(len(judged), len(match.plies), given_up_after is not None)
        after = next_version(loaded, keeps_position=True, progress=progress)
        await match_store.note_analysis(
            matches.store, match, after.match, judged, given_up_after=given_up_after, lease=lease
        )
        return matches.committed(after)
