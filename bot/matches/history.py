"""Finished games of a user, as far as another user may see them."""

from collections.abc import Collection
from contextlib import suppress

from bot.domain.errors import Refused
from bot.domain.model import HIDDEN, RECORD, User
from bot.matches.matches import Matches, MatchState
from bot.matches.reading import get_several, visible_in_any
from bot.store import match_queries
from bot.store.match_queries import Wanted as Wanted


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
