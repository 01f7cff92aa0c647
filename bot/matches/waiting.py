"""Reminders, nudges and claims, which need no move."""

from bot.domain.errors import Refused
from bot.domain.model import Ending, EndingKind
from bot.domain.quiet import QuietHours, waking_at
from bot.domain.waits import Wait
from bot.matches import reading
from bot.matches.matches import Matches, MatchState, commit, commit_beside
from bot.matches.playing import retry_on_conflict
from bot.store import Store, people
from bot.store import matches as match_store
from bot.store.matches import holidays


async def nudge(
    matches: Matches, match_id: int, user_id: int, *, version: int | None
) -> MatchState:
    """Notify the opponent that the user waits for a move. Raises `Refused`."""

    async def change(loaded: MatchState, seat: int) -> MatchState:
        match = loaded.match
        if loaded.waiting != seat:
            raise Refused("not-waiting")
        if not match.wait.can_nudge:
            raise Refused("nudge-early")
        wait = match.wait.nudge(now=matches.store.now(), version=match.version + 1)
        return await _commit_wait(matches, loaded, wait, by=user_id)

    return await retry_on_conflict(matches, match_id, user_id, change, version=version)


async def claim(
    matches: Matches, match_id: int, user_id: int, *, version: int | None, has_left: bool, days: int
) -> MatchState:
    """End the match in favour of the user whose opponent does not move. Raises `Refused`.

    An opponent who `has_left` the place is warned first, like one who did not move for `days`.
    """

    async def change(loaded: MatchState, seat: int) -> MatchState:
        match = loaded.match
        if loaded.waiting != seat:
            raise Refused("not-waiting")
        if match.wait.stale:
            ending = match.claimed(1 - seat)
            return await commit(matches, loaded, loaded, [], ending, by=user_id)
        if match.wait.warned:
            raise Refused("claim-soon")
        if not has_left:
            raise Refused("claim-early", days=days)
        awake = await _awake(matches, match.user_at(1 - seat))
        wait = match.wait.warn(awake=awake, version=match.version + 1)
        return await _commit_wait(matches, loaded, wait, by=user_id)

    return await retry_on_conflict(matches, match_id, user_id, change, version=version)


async def take_step(
    matches: Matches, match_id: int, *, version: int, at: int, days: int
) -> MatchState | None:
    """Do what is due `at` in a match without moves (`Wait.looked`); None if nothing is shown.

    `days`: without a move until a claim.
    """
    async with matches.locked(match_id):
        loaded = await reading.at_version(matches, match_id, version)
        match, now, waiting = loaded.match, matches.store.now(), loaded.waiting
        mover = match.user_at(min(loaded.turn)) if len(loaded.turn) == 1 else None
        if (back := await away_until(matches.store, mover)) is not None:
            paused = match.wait.paused(back)
            if match.wait.stale and paused != match.wait:
                # The boards name the day.
                return await _commit_wait(matches, loaded, paused)
            await match_store.postpone_check(matches.unit, match, paused, back)
            matches.memory.forget(match_id)
            return None
        if match.is_study:
            await match_store.postpone_check(matches.unit, match, match.wait, None)
            return None
        if loaded.is_computer_turn and match.wait == Wait():
            version = match.version + 1
            return await _commit_wait(
                matches, loaded, match.wait.late(now=now, version=version, days=days)
            )
        wait = match.wait.looked(
            at,
            now=now,
            version=match.version + 1,
            days=days,
            is_claimable=waiting is not None,
            awake=await _awake(matches, mover),
        )
        if wait is None:
            return await commit(matches, loaded, loaded, [], Ending(EndingKind.ABANDONED))
        if waiting is None and not wait.stale:
            await match_store.postpone_check(matches.unit, match, wait, wait.look_at)
            matches.memory.forget(match_id)
            return None
        return await _commit_wait(matches, loaded, wait)


async def _commit_wait(
    matches: Matches, loaded: MatchState, wait: Wait, *, by: int | None = None
) -> MatchState:
    match = loaded.match
    is_news = match.version + 1 in (wait.nudged, wait.warned, wait.stale)
    about = {"is_news": is_news, "by": by, "keeps_position": True}
    return await commit_beside(matches, loaded, loaded, wait=wait, **about)


async def away_until(store: Store, user_id: int | None) -> int | None:
    """Return when the user's holiday ends, None if there is none."""
    if user_id is None:
        return None
    return (await holidays.of_user(store, user_id, most_days=0)).until


async def _awake(matches: Matches, user_id: int | None) -> int:
    """Return when the user may be notified: now, or after the quiet hours."""
    now = matches.store.now()
    user = None if user_id is None else await people.user(matches.store, user_id)
    return (waking_at(user.settings, now) if user else 0) or now


async def remind(matches: Matches, match_id: int, *, version: int, until: int) -> MatchState | None:
    """Remind the player to move of the clock, if that is due by `until`; return None if not.

    The reminder is postponed until the end of the player's quiet hours if there is time.
    """
    async with matches.locked(match_id):
        loaded = await reading.at_version(matches, match_id, version)
        match, running = loaded.match, loaded.match.clocks
        at = running.remind_at if running else None
        if running is None or running.due is None or at is None or until < at:
            # Another process has reminded the player.
            matches.memory.forget(match_id)
            return None
        user_id = match.user_at(min(loaded.turn))
        user = None if user_id is None else await people.user(matches.store, user_id)
        quiet = QuietHours.of(user.settings) if user else None
        later = quiet.until(matches.store.now()) if quiet else 0
        if until < later < running.due:
            await match_store.remind_later(matches.unit, match, later)
            matches.memory.forget(match_id)
            return None
        done = {"clocks": running.reminded(until), "reminded": match.version + 1}
        return await commit_beside(
            matches, loaded, loaded, is_news=True, keeps_position=True, **done
        )
