"""How a person is erased: the one way, from the command line and by their own command."""

from contextlib import suppress

from bot.errors import StaleBoard, StoreError
from bot.marks import erased_name
from bot.matches import Matches
from bot.store import Store, personal_data

__all__ = ["erase"]


async def erase(store: Store, matches: Matches, user_id: int) -> None:
    """Give up what this person plays and forget them, in one transaction: all of it or nothing.

    Raises LookupError where there is nobody. A house that is open must look anew afterwards
    (`App.written_elsewhere`).
    """
    while True:
        going = await matches.going(user_id)
        try:
            await personal_data.forget(store, user_id, name=erased_name(user_id), going=going)
        except StaleBoard as stale:
            # Somebody has played there meanwhile, or taken up a challenge of theirs.
            matches.read_anew(stale.match_id)
        else:
            break
    # They are erased, whatever becomes of this: where it fails, the log is emptied later.
    with suppress(StoreError):
        await store.empty_log()
