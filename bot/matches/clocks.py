"""The clocks of matches: time that has run out, and time in which no process ran."""

from bot.domain.errors import StaleBoard
from bot.matches import reading
from bot.matches.matches import Matches, MatchState, commit
from bot.store import times


async def expire(matches: Matches, match_id: int, *, until: int) -> MatchState | None:
    """End a match if its time has run out by `until`, else return None."""
    async with matches.locked(match_id):
        loaded = await reading.get(matches, match_id)
        loaded.check_running()
        return await _expire(matches, loaded) if loaded.match.has_run_out(until) else None


async def _expire(matches: Matches, loaded: MatchState) -> MatchState:
    ending = loaded.match.timed_out(min(loaded.turn))
    return await commit(matches, loaded, loaded, [], ending)


async def note_clock(matches: Matches, *, since: int | None = None) -> times.ClockRecord:
    """Note the clock, and give back time in which no process ran (`times.record_clock`)."""
    noted = await times.record_clock(matches.store, since=since)
    matches.memory.noted = noted.now
    if noted.has_skipped:
        matches.memory.invalidate()
        matches.changed()
    return noted


async def make_up_downtime(matches: Matches) -> bool:
    """Give back time in which no process ran, if due. Return whether any was given back.

    A resumed machine may receive a move before it notes the clock.
    """
    last = matches.memory.noted
    if last is not None and 0 <= matches.store.now() - last <= times.AWAY:
        return False
    return (await note_clock(matches)).has_skipped


async def try_expire(matches: Matches, match_id: int) -> bool:
    """Give back absence, then end the match if the time has run out. Return whether it has."""
    noted = await note_clock(matches)
    loaded = await reading.refresh(matches, match_id)
    if not loaded.match.has_run_out(noted.now):
        return False
    try:
        await _expire(matches, loaded)
    except StaleBoard:
        return False
    return True
