"""An open database of either kind, as a `bot.store.database.engine.Store` uses it."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from pathlib import Path
from secrets import token_hex
from typing import TypeVar

from pydantic import SecretStr
from sqlalchemy import Connection

from bot.store.database.changes import Changes
from bot.support import database_urls

Address = Path | SecretStr
"""The path of a SQLite file, or a ``postgresql://`` URL."""
T = TypeVar("T")


def title(address: Address) -> str:
    """Return the name of a database for messages, without user and password."""
    if isinstance(address, Path):
        return str(address)
    url = database_urls.read(address.get_secret_value())
    return url.title if url else "postgresql://…"


class Database(ABC):
    """An open database. Its methods raise `StoreError`. The defaults are those of an own file."""

    is_left_open = False
    """True if closing would have damaged the file. The process must then end at once."""
    ahead = 0.0
    """Seconds by which the clock of the database is ahead of ours."""

    def __init__(self) -> None:
        self.holder = token_hex(8)
        """The id of this process among those that share the database."""

    @property
    @abstractmethod
    def connections(self) -> tuple[int, int]:
        """How many connections are in use, and how many there can be."""

    @property
    def is_present(self) -> bool:
        """Whether other processes can see this one, as far as known."""
        return True

    @abstractmethod
    async def read(self, step: Callable[[Connection], T], /, *, snapshot: bool) -> T:
        """See `Store.read`."""

    @abstractmethod
    async def write(self, step: Callable[[Connection], T], about: Changes, /, *, alone: bool) -> T:
        """See `Store.write`."""

    @abstractmethod
    async def remote_changes(self) -> Changes:
        """Return what other processes wrote since the last call."""

    async def wait_for_change(self, seconds: float) -> None:
        """Wait, at most until another process writes."""
        await asyncio.sleep(seconds)

    async def absent(self, _holders: Collection[str]) -> set[str]:
        """Return the holders that are certainly not connected."""
        return set()

    async def save(self) -> bool:
        """Save what would be lost with this process (see `sqlite`); False if impossible."""
        return False

    async def check_integrity(self) -> None:  # noqa: B027 - nothing to do by default
        """Check the whole database."""

    async def empty_log(self) -> None:  # noqa: B027 - nothing to do by default
        """Remove deleted data from the log, as far as possible."""

    def is_in_place(self) -> bool:
        """Return whether the file is still the one that was opened."""
        return True

    @abstractmethod
    async def close(self) -> None:
        """Close all connections."""
