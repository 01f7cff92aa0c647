"""Statements are compiled once for all houses of a process.

Each test, and each death, opens a house of its own, whose engines would compile everything anew.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from sqlalchemy.engine import Engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache

__all__ = ["compiled_once"]


class _OneCache:
    """In place of the one that each engine of SQLAlchemy has."""

    def __init__(self) -> None:
        self._compiled: LRUCache[Any, Any] = LRUCache(2000)

    def __get__(self, engine: Engine | None, owner: type[Engine]) -> LRUCache[Any, Any]:
        return self._compiled

    def __set__(self, engine: Engine, value: LRUCache[Any, Any] | None) -> None:
        pass


@contextmanager
def compiled_once() -> Iterator[None]:
    """All engines that are made while the block runs share what they have compiled."""
    with (
        mock.patch.object(Engine, "_compiled_cache", _OneCache(), create=True),
        # It is a part of what a compiled statement is found by.
        mock.patch.object(DefaultDialect, "__hash__", lambda dialect: hash(type(dialect))),
        mock.patch.object(
            DefaultDialect, "__eq__", lambda dialect, other: type(dialect) is type(other)
        ),
    ):
        yield
