"""Every step at which a process can die with a lasting effect.

Effects last when they are committed, or sent to a platform. So a process dies *just before* or
*just after* a transaction or a call. Anything between two of them is lost in the same way.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection

from bot import store as store_package
from bot.store import Changes, Store
from bot.store.database import engine

BEFORE, AFTER = "just before", "just after"

_STORE = str(Path(store_package.__file__).parent)
_ENGINE = engine.__file__

T = TypeVar("T")


class Fate:
    """Gets every such step and may end the process there; this one never does."""

    async def comes(self, when: str, what: str) -> None:
        """Called just before or just after an effect."""

    @property
    def has_ended(self) -> bool:
        """Whether the process has died."""
        return False

    async def lives(self) -> None:
        """Return while the process is alive, else wait until cancelled."""


class Mortal:
    """An open database (`Database`) that reports its transactions to a `Fate`."""

    def __init__(self, engine: Any, fate: Fate) -> None:
        self._engine = engine
        self._fate = fate

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    async def write(self, step: Callable[[Connection], T], about: Changes, /, *, alone: bool) -> T:
        what = _who_writes()
        await self._fate.comes(BEFORE, what)

        def mortal(connection: Connection) -> T:
            done = step(connection)
            if self._fate.has_ended:
                # A process that has died in between commits nothing.
                raise _DiedError
            return done

        try:
            done: T = await self._engine.write(mortal, about, alone=alone)
        except _DiedError:
            await self._fate.lives()
            raise
        await self._fate.comes(AFTER, what)
        return done


class _DiedError(Exception):
    pass


def make_mortal(store: Store, fate: Fate) -> None:
    """Report all transactions of a store and its units of work to `fate`."""
    mortal: Any = Mortal(store.database, fate)
    store.database = mortal


def _who_writes() -> str:
    """Return the function of `bot.store` that writes, such as ``boards.note``."""
    frame: Any = sys._getframe(2)
    while frame is not None:
        file, step = frame.f_code.co_filename, frame.f_locals.get("step")
        if file.startswith(_STORE) and frame.f_code.co_name == "run":
            # Made by `writes` of a function that is not called itself.
            return f"{step.__module__.rpartition('.')[2]}.{step.__name__.removeprefix('_')}"
        if file.startswith(_STORE) and file != _ENGINE:
            return f"{Path(file).stem}.{frame.f_code.co_name}"
        frame = frame.f_back
    return "somebody"
