"""Account deletion, by the operator or by the user."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

from bot.domain.errors import BotError
from bot.domain.marks import erased_name
from bot.matches import Matches, playing
from bot.store import Store, match_queries, personal_data
from bot.support.errors import StoreError


async def erase(
    store: Store,
    matches: Matches,
    user_id: int,
    *,
    erased: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Delete a user's data in one transaction, then resign their matches.

    After a failure, `resign_all` does the rest later. Raises LookupError if the user does not
    exist. A running bot must call `App.on_remote_change` when the data are `erased`: there may be
    many matches.
    """
    await personal_data.erase(store, user_id, name=erased_name(user_id))
    if erased is not None:
        await erased()
    # The account is deleted even if this fails. The log is emptied later.
    with suppress(StoreError):
        await _resign(matches, user_id)
        await store.database.empty_log()


async def resign_all(matches: Matches) -> None:
    """Resign the matches of deleted users."""
    for user_id in await personal_data.deleting(matches.store):
        await _resign(matches, user_id)


async def _resign(matches: Matches, user_id: int) -> None:
    # Not part of a user's command, so not in its transaction.
    matches = matches.within(matches.store)
    for match_id in await match_queries.of_user(matches.store, user_id):
        # It has ended at the same moment, or cannot be replayed.
        with suppress(BotError):
            await playing.resign(matches, match_id, user_id)
    await personal_data.finish_deleting(matches.store, user_id)
