"""How a person is erased: the one way, from the command line and by their own command."""

from bot.matches import Matches
from bot.store import Store, people

__all__ = ["erase"]


async def erase(store: Store, matches: Matches, user_id: int) -> None:
    """Give up what this person plays, then forget them. Raises LookupError where there is nobody.

    A house that is open must look anew afterwards (`House.written_elsewhere`).
    """
    await matches.leave(user_id)
    await people.forget(store, user_id, name=f"#{user_id}")
    # Somebody may have accepted a challenge of theirs meanwhile; now nobody can any more.
    await matches.leave(user_id)
