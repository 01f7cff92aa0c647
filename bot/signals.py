"""A word to all who wait for it, each of whom hears it once."""

import asyncio

__all__ = ["Signal"]


class Signal:
    """Something has changed; whoever `listen`s hears it by an event of their own."""

    def __init__(self) -> None:
        self._events: list[asyncio.Event] = []

    def listen(self) -> asyncio.Event:
        """An event that is set with every `set`; clear it before you look what has changed."""
        event = asyncio.Event()
        self._events.append(event)
        return event

    def leave(self, event: asyncio.Event) -> None:
        """Do not set this one any more."""
        self._events.remove(event)

    def set(self) -> None:
        """Something has changed."""
        for event in self._events:
            event.set()
