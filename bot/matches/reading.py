"""Read and cache matches, and decide who may see them.

A running match of older rules is ended without a result when it is read.
"""

from collections.abc import Collection, Iterable
from contextlib import suppress

from structlog import get_logger

import games
from bot.domain.errors import Refused, StaleBoard
from bot.domain.marks import erased_name
from bot.domain.model import HIDDEN, RECORD, Ending, EndingKind, Match, Status, User
from bot.matches.matches import Matches, MatchState, commit, replay
from bot.store import boards, match_queries, people
from bot.store import matches as match_store
from bot.store.match_queries import Wanted

_log = get_logger(__name__)

_READ_TOGETHER = 100


async def get(matches: Matches, match_id: int, *, at_least: int = 0) -> MatchState:
    """Return the match, at version `at_least` or later. Raises `Refused` if unreadable."""
    loaded = matches.memory.get(match_id)
    if loaded is None or loaded.match.version < at_least:
        loaded = await refresh(matches, match_id)
    return loaded


async def refresh(matches: Matches, match_id: int) -> MatchState:
    """Return the match as stored now. Raises `Refused` if unreadable."""
    invalidated = matches.memory.invalidated
    stored = await match_store.load(matches.store, match_id)
    return await _load(matches, match_id, stored, invalidated=invalidated)


async def _load(
    matches: Matches, match_id: int, stored: Match | None, *, invalidated: int
) -> MatchState:
    """Load a match that was read, and keep it unless others have written since (`invalidated`)."""
    loaded = await replay(matches, match_id, stored)
    while loaded.match.status is Status.RUNNING and loaded.match.rules < loaded.game.rules_version:
        loaded = await _end_outdated(matches, loaded)
    if invalidated == matches.memory.invalidated:
        matches.keep(loaded)
    return loaded


async def _end_outdated(matches: Matches, loaded: MatchState) -> MatchState:
    match = loaded.match
    try:
        # Not part of the user's command, so not in its transaction.
        ending = Ending(EndingKind.ABORTED)
        ended = await commit(matches.within(matches.store), loaded, loaded, [], ending)
    except StaleBoard:
        # Another process did the same, or knows only the older rules.
        return await replay(matches, match.id, await match_store.load(matches.store, match.id))
    _log.info("match of older rules ended", match=match.id, game=match.game, rules=match.rules)
    return ended


async def at_version(matches: Matches, match_id: int, version: int) -> MatchState:
    """Return the running match at this version. Raises `StaleBoard` or `Refused`."""
    loaded = await get(matches, match_id, at_least=version)
    loaded.check_running()
    if loaded.match.version != version:
        raise StaleBoard(match_id)
    return loaded


async def get_several(matches: Matches, match_ids: Iterable[int]) -> list[MatchState]:
    """Return these matches, without those that `get` refuses."""
    found, wanted = [], list(match_ids)
    for first in range(0, len(wanted), _READ_TOGETHER):
        some = wanted[first : first + _READ_TOGETHER]
        invalidated = matches.memory.invalidated
        unknown = [match_id for match_id in some if match_id not in matches.memory]
        stored = await match_store.load_several(matches.store, unknown) if unknown else {}
        for match_id in some:
            loaded = matches.memory.get(match_id)
            with suppress(Refused):
                if loaded is None:
                    one = stored.get(match_id)
                    loaded = await _load(matches, match_id, one, invalidated=invalidated)
                found.append(loaded)
    return found


async def end_outdated_matches(matches: Matches) -> None:
    """End matches of older rules, and retry those set aside, at the start."""
    current = {game_id: games.get(game_id).rules_version for game_id in games.ids()}
    await get_several(matches, await match_queries.unsettled(matches.store, current))


async def visible(
    matches: Matches, match_id: int, *, user_id: int, place_id: int, at_least: int = 0
) -> MatchState:
    """Return the match if the user may see it. Raises `Refused`.

    The only rule of visibility: matches are visible to players and named users, in the place
    where they started, and in places that show them. Studies are visible to their user only.
    """
    loaded = await get(matches, match_id, at_least=at_least)
    match = loaded.match
    if (
        user_id in match.people
        or (not match.is_study and place_id == match.place_id)
        or (match.held_for and await match_queries.waits_for(matches.store, match_id, user_id))
        or (not match.is_study and await boards.is_shown(matches.store, match_id, place_id))
    ):
        return loaded
    raise Refused("no-such-match", match=match_id)


async def visible_in_any(
    matches: Matches, match_id: int, *, user_id: int, place_ids: Iterable[int]
) -> MatchState:
    """Return the match if the user may see it in one of these places. Raises `Refused`."""
    for place_id in place_ids:
        with suppress(Refused):
            return await visible(matches, match_id, user_id=user_id, place_id=place_id)
    raise Refused("no-such-match", match=match_id)


async def finished(
    matches: Matches, of: User, wanted: Wanted, *, reader: int, place_ids: Collection[int]
) -> tuple[list[tuple[MatchState, int]], int]:
    """Return finished matches with their ends, newest first, and the lowest id if there are more.

    The user `reader` sees their own, and those of others as a player or in places (ids). Raises
    `Refused`.
    """
    if of.id != reader and of.settings.get(RECORD) == HIDDEN:
        raise Refused("stats-hidden", name=of.name)
    rows = await match_queries.finished(
        matches.store, of.id, wanted, reader=reader, place_ids=place_ids
    )
    ends = dict(rows[: wanted.limit])
    found = []
    for loaded in await get_several(matches, ends):
        match_id = loaded.match.id
        with suppress(Refused):
            await visible_in_any(matches, match_id, user_id=reader, place_ids=place_ids)
            found.append((loaded, ends[match_id]))
    return found, min(ends) if len(rows) > wanted.limit else 0


async def with_code(
    matches: Matches, code: str, *, user_id: int, place_ids: Iterable[int], joins: bool
) -> MatchState:
    """Return the match with this code if the user may see it, or `joins` an open challenge.

    Others are refused like unknown codes, to reveal no match numbers, or told that an open
    challenge was accepted. Raises `Refused`.
    """
    match_id = await match_queries.by_code(matches.store, code) if code else None
    if match_id is None:
        raise Refused("no-such-code")
    unusable, may_play = Refused("no-such-code"), True
    try:
        if joins:
            loaded = await get(matches, match_id)
            if loaded.match.is_open:
                return loaded
            if loaded.match.was_open:
                unusable = await _used(matches, loaded.match)
                may_play = loaded.match.seat_of(user_id) is not None
        if may_play:
            return await visible_in_any(matches, match_id, user_id=user_id, place_ids=place_ids)
    except Refused as refused:
        raise unusable from refused
    raise unusable


async def _used(matches: Matches, match: Match) -> Refused:
    """Name the challenger, as the challenge did, but not who accepted it."""
    name = (await people.names(matches.store, [match.challenger]))[match.challenger]
    if name == erased_name(match.challenger):
        return Refused("code-used-up")
    return Refused("code-used", name=name)
