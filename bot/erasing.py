"""How a person is erased: the one way, from the command line and by their own command."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from bot.errors import StaleBoard, StoreError
from bot.marks import erased_name
from bot.matches import Matches
from bot.store import Store, personal_data
from bot.store.matches import Ended

__all__ = ["erase", "give_up_rest"]

_AT_ONCE = 200
"""Matches that are given up together: what one may have running, unless the host allows more."""


async def erase(store: Store, matches: Matches, user_id: int) -> None:
    """Give up what this person plays and forget them, in one transaction: all of it or nothing.

    Nobody waits for the end of a great many matches: from the 201st on, what they play is given up
    soon afterwards (`give_up_rest`). Raises LookupError where there is nobody. A house that is open
    must look anew afterwards (`App.written_elsewhere`).
    """

    async def forget(ended: Sequence[Ended]) -> None:
        await personal_data.forget(store, user_id, name=erased_name(user_id), ended=ended)

    await _given_up(matches, user_id, forget)
    # They are erased, whatever becomes of this: where it fails, the log is emptied later.
    with suppress(StoreError):
        await store.empty_log()


async def give_up_rest(store: Store, matches: Matches) -> bool:
    """Give up some of what people play who have been erased; was there anything?"""
    for user_id in await personal_data.leaving(store):

        async def leave(ended: Sequence[Ended], user_id: int = user_id) -> None:
            await personal_data.leave(store, user_id, ended)

        if ended := await _given_up(matches, user_id, leave):
            matches.read_anew(*(one.match.id for one in ended))
            return True
    return False


async def _given_up(
    matches: Matches, user_id: int, write: Callable[[Sequence[Ended]], Awaitable[None]]
) -> Sequence[Ended]:
    """What `write` has ended of the matches of somebody."""
    while True:
        ended = await matches.given_up(user_id, most=_AT_ONCE)
        try:
            await write(ended)
        except StaleBoard as stale:
            # Somebody has played there meanwhile.
            matches.read_anew(stale.match_id)
        else:
            return ended
