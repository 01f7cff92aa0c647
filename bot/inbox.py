"""The inbox of one platform, for its front: updates are stored, dealt with once, and finished."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.store import Store, inbox
from bot.store.inbox import Finishing

__all__ = ["Finishing", "Inbox"]


@dataclass(frozen=True, slots=True)
class Inbox:
    """What can be done with it; see `bot.store.inbox`. All but `finishing` raise `StoreError`."""

    take_in: Callable[[Mapping[int, Any]], Awaitable[list[int]]]
    """Store updates (id -> plain data); gives the ids that were not there before, in order."""
    unfinished: Callable[[], Awaitable[dict[int, Any]]]
    """The updates that were taken in and not finished, oldest first."""
    finish: Callable[..., Awaitable[None]]
    """Note that an update is dealt with, by its id, but for what is left of it: plain data, or
    nothing. What it said is forgotten."""
    finishing: Callable[[int, Any], Finishing]
    """What finishes an update together with the first thing that is written because of it, but for
    what is left of it: plain data, or None."""

    @classmethod
    def of(cls, store: Store, platform: str) -> "Inbox":
        """The inbox of this platform."""
        return cls(
            take_in=partial(inbox.take_in, store, platform),
            unfinished=partial(inbox.unfinished, store, platform),
            finish=partial(inbox.finish, store, platform),
            finishing=partial(Finishing, platform),
        )
