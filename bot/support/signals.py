"""Signal a change to any number of listeners."""

import asyncio


class Signal:
    """Set the event of each listener."""

    def __init__(self) -> None:
        self._events: list[asyncio.Event] = []

    def listen(self) -> asyncio.Event:
        """Return a new event that each `set` sets. Clear it before reading what changed."""
        event = asyncio.Event()
        self._events.append(event)
        return event

    def leave(self, event: asyncio.Event) -> None:
        self._events.remove(event)

    def set(self) -> None:
        for event in self._events:
            event.set()
