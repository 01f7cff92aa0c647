"""The inbox of one platform, for its front: updates are stored, dealt with once, and finished."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.store import Store, inbox
from bot.store.changes import BOARDS
from bot.store.inbox import Finishing

__all__ = ["Finishing", "Inbox"]


@dataclass(frozen=True, slots=True)
class Inbox:
    """What can be done with it; see `bot.store.inbox`. All but `finishing` raise `StoreError`."""

    take_in: Callable[[Mapping[int, Any]], Awaitable[list[int]]]
    """Store updates (id -> plain data); gives the ids that were not there before, in order."""
    leave: Callable[[Mapping[int, Any]], Awaitable[list[int]]]
    """The same, where it is another process that deals with them: it is told."""
    unfinished: Callable[[], Awaitable[dict[int, Any]]]
    """The updates that were taken in and not finished, oldest first."""
    finish: Callable[..., Awaitable[None]]
    """Note that an update is dealt with, by its id, but for what is left of it: plain data, or
    nothing. What it said is forgotten."""
    finishing: Callable[[int, Any], Finishing]
    """What finishes an update together with the first thing that is written because of it, but for
    what is left of it: plain data, or None."""

    @classmethod
    def of(cls, store: Store, platform: str, *, ours: Callable[[], Store]) -> "Inbox":
        """The inbox of this platform; `ours` gives the store where it is us who deal with it."""

        async def take_in(updates: Mapping[int, Any]) -> list[int]:
            return await inbox.take_in(ours(), platform, updates)

        async def finish(number: int, left: Any = None) -> None:
            await inbox.finish(ours(), platform, number, left)

        return cls(
            take_in=take_in,
            leave=partial(inbox.take_in, store, platform, about=BOARDS),
            unfinished=partial(inbox.unfinished, store, platform),
            finish=finish,
            finishing=partial(Finishing, platform),
        )
