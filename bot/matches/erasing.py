"""Account deletion, by the operator or by the user."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from bot.domain.errors import StaleBoard
from bot.domain.marks import erased_name
from bot.domain.model import Status
from bot.matches import Matches, reading
from bot.matches.endings import outcome_of, results_of
from bot.store import Store, match_queries, personal_data
from bot.store.matches import Ended
from bot.support.errors import StoreError

_AT_ONCE = 200
"""Matches resigned in one transaction. Users may have no more by default."""


async def erase(store: Store, matches: Matches, user_id: int) -> None:
    """Delete a user's data and resign their matches, in one transaction.

    Matches beyond the first 200 are resigned later by `resign_rest`. Raises LookupError if the
    user does not exist. A running bot must call `App.on_remote_change` afterwards.
    """
    forget = partial(personal_data.erase, store, user_id, name=erased_name(user_id))
    await _resigned(matches, user_id, forget)
    # The account is deleted even if this fails. The log is emptied later.
    with suppress(StoreError):
        await store.database.empty_log()


async def resign_rest(store: Store, matches: Matches) -> bool:
    """Resign some matches of deleted users and return whether there were any."""
    for user_id in await personal_data.deleting(store):
        leave = partial(personal_data.finish_deleting, store, user_id)
        if ended := await _resigned(matches, user_id, leave):
            matches.memory.invalidate(*(one.match.id for one in ended))
            return True
    return False


async def _resigned(
    matches: Matches, user_id: int, write: Callable[..., Awaitable[None]]
) -> Sequence[Ended]:
    while True:
        ended = []
        seated = await match_queries.seated_in(matches.store, user_id, limit=_AT_ONCE)
        for loaded in await reading.get_several(matches, seated):
            match = loaded.match
            seat = match.seat_of(user_id)
            if match.status is Status.RUNNING and seat is not None:
                ending = match.ending_if_resigned(seat)
                outcome, clocks = outcome_of(loaded.position, ending), match.clocks
                after = replace(
                    match,
                    status=Status.OVER,
                    ending=ending,
                    outcome=outcome,
                    clocks=clocks and clocks.stopped(),
                )
                ended.append(Ended(match, after, results_of(match, outcome)))
        try:
            await write(ended=ended)
        except StaleBoard as stale:
            matches.memory.invalidate(stale.match_id)
        else:
            return ended
