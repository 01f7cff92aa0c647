"""Commit a change of a match.

Nothing is shown before the commit. Boards catch up afterwards (`bot.delivery`).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.domain.model import Ending, EndingKind, Match, Ply, Status
from bot.domain.offers import carried_on
from bot.domain.waits import Wait
from bot.matches.endings import counted, outcome_of
from bot.matches.loaded import LoadedMatch
from bot.matches.matches import Matches
from bot.matches.replaying import replay
from bot.store import Store
from bot.store import matches as match_store
from bot.store.leases import Effect

_PATIENCE = 10
"""Seconds for which a user watches a computer think."""


async def commit(
    matches: Matches,
    before: LoadedMatch,
    after: LoadedMatch,
    plies: Sequence[Ply],
    ending: Ending | None = None,
    *,
    store: Store | None = None,
    by: int | None = None,
) -> LoadedMatch:
    """Store the change to `after`, whose `match` is still the old one.

    Without an `ending` the rules decide whether the match continues. `by`: if no seat caused
    it.
    """
    match, position = before.match, after.position
    if ending is None and not position.turn:
        ending = Ending(EndingKind.RULES)
    outcome = outcome_of(position, ending) if ending else None
    running = match.running
    if match.terms.clock and running:
        by_seats = [ply.seat for ply in plies]
        running = (
            running.stopped()
            if ending
            else running.moved(
                match.terms.clock,
                by=by_seats,
                turn=position.turn,
                now=matches.store.now(),
                away=match.away,
            )
        )
    # Notify of an ending or a new player to move, but not of quick moves of a computer.
    seat = plies[0].seat if plies else ending.wanted_by if ending else None
    is_next = not position.turn <= before.position.turn and (
        not match.computers or (seat in match.computers and _is_slow(matches, match))
    )
    effect = Effect(
        is_news=ending is not None or is_next,
        by=by if by is not None or seat is None else match.user_at(seat),
        lease=matches.leases.take(),
    )
    offers = carried_on(match, plies) if match.offers else ()
    done = await match_store.commit(
        store or matches.unit,
        match,
        plies=plies,
        offers=offers,
        turn=frozenset() if ending else position.turn,
        ending=ending,
        outcome=outcome,
        counted=counted(match, outcome),
        effect=effect,
        running=running,
    )
    if done is None:
        raise matches.outdated(match)
    if plies:
        matches.metrics.moved(match.game, len(plies))
    if match.is_attempt:
        # Only the database knows the new puzzle rating.
        stored = await match_store.load(matches.store, match.id)
        return matches.committed(await replay(matches, match.id, stored))
    played = next_version(
        match,
        effect,
        plies=(*match.plies, *plies),
        offers=offers,
        ending=ending,
        outcome=outcome,
        status=Status.OVER if ending else Status.RUNNING,
        running=running,
        has_met_too_often=done.has_met_too_often,
        reratings=done.reratings,
    )
    return matches.committed(replace(after, match=played))


def _is_slow(matches: Matches, match: Match) -> bool:
    """Return whether a user may have stopped waiting for a computer's move."""
    since = match.plies[-1].at if match.plies else None
    return bool(match.wait.nudged) or (
        since is not None and matches.store.now() - since > _PATIENCE
    )


def next_version(match: Match, effect: Effect, **changes: Any) -> Match:
    """Return the next version. All changes at once, because `replace` is slow."""
    changes["version"] = version = match.version + 1
    if effect.is_news:
        changes |= {"news": version, "news_by": effect.by}
    if not effect.is_beside:
        changes |= {"stands_since": version, "wait": Wait()}
    return replace(match, **changes)
