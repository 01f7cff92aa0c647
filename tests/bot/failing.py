"""Coroutine functions that fail, wait or are recorded when a test wants it."""

import asyncio
from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.support.errors import StoreError

DISK_FULL = StoreError("azumaya.db: database or disk is full")
DISK_ERROR = StoreError("azumaya.db: disk I/O error")


def fails(
    patch: pytest.MonkeyPatch, owner: object, name: str, error: Exception | type[Exception]
) -> None:
    """Let a function raise an error at every call."""
    patch.setattr(owner, name, AsyncMock(side_effect=error))


def fails_first(
    patch: pytest.MonkeyPatch, owner: object, name: str, *errors: Exception
) -> list[tuple[Any, ...]]:
    """Let a function raise these errors, one at each call, and then do its work.

    Return its calls: the positional arguments of each.
    """
    work, left = getattr(owner, name), list(errors)
    calls: list[tuple[Any, ...]] = []

    async def works(*arguments: Any, **more: Any) -> Any:
        calls.append(arguments)
        if left:
            raise left.pop(0)
        return await work(*arguments, **more)

    patch.setattr(owner, name, works)
    return calls


watched = fails_first
"""Without errors: record the calls of a function."""


def waits(
    patch: pytest.MonkeyPatch, owner: object, name: str
) -> tuple[asyncio.Event, asyncio.Event]:
    """Let a function wait. Return events: it was called, and it may go on."""
    work, begun, release = getattr(owner, name), asyncio.Event(), asyncio.Event()

    async def works(*arguments: Any, **more: Any) -> Any:
        begun.set()
        await release.wait()
        return await work(*arguments, **more)

    patch.setattr(owner, name, works)
    return begun, release
