"""Every step at which a process can die with a lasting effect.

Effects last when they are committed, or sent to a platform. So a process dies *just before* or
*just after* a transaction or a call. Anything between two of them is lost in the same way.
"""

import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

from bot import store as store_package
from bot.store import Changes, Store

__all__ = ["AFTER", "BEFORE", "Fate", "Mortal", "make_mortal"]

BEFORE, AFTER = "just before", "just after"

_STORE = str(Path(store_package.__file__).parent)
_ENGINE = str(Path(store_package.__file__).with_name("engine.py"))

T = TypeVar("T")


class Fate:
    """Gets every such step and may end the process there; this one never does."""

    async def comes(self, when: str, what: str) -> None:
        """Called just before or just after an effect."""

    async def lives(self) -> None:
        """Return while the process is alive, else wait until cancelled."""


class Mortal:
    """An open database (`bot.store.engine.Engine`) that reports its transactions to a `Fate`."""

    def __init__(self, engine: Any, fate: Fate) -> None:
        self._engine = engine
        self._fate = fate

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    @asynccontextmanager
    async def write(
        self, also: Sequence[Any], about: Changes, /, *, alone: bool
    ) -> AsyncIterator[AsyncConnection]:
        what = _who_writes()
        await self._fate.comes(BEFORE, what)
        async with self._engine.write(also, about, alone=alone) as connection:
            yield connection
            # A process that has died in between commits nothing.
            await self._fate.lives()
        await self._fate.comes(AFTER, what)

    async def write_at_once(
        self, also: Sequence[Any], about: Changes, step: Callable[[Connection], T], /
    ) -> T:
        what = _who_writes()
        await self._fate.comes(BEFORE, what)
        done: T = await self._engine.write_at_once(also, about, step)
        await self._fate.comes(AFTER, what)
        return done


def make_mortal(store: Store, fate: Fate) -> None:
    """Report all transactions of a store and its units of work to `fate`."""
    store._engine = Mortal(store._engine, fate)


def _who_writes() -> str:
    """Return the function of `bot.store` that writes, such as ``boards.note``."""
    frame: Any = sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(_STORE) and file != _ENGINE:
            return f"{Path(file).stem}.{frame.f_code.co_name}"
        frame = frame.f_back
    return "somebody"
