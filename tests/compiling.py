"""SQL statements compiled once per process, shared by all apps in it.

Each test opens its own app, whose engines would compile everything again.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from sqlalchemy.engine import Engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache


class _OneCache:
    """Replaces the cache that each engine of SQLAlchemy has."""

    def __init__(self) -> None:
        self._compiled: LRUCache[Any, Any] = LRUCache(2000)

    def __get__(self, engine: Engine | None, owner: type[Engine]) -> LRUCache[Any, Any]:
        return self._compiled

    def __set__(self, engine: Engine, value: LRUCache[Any, Any] | None) -> None:
        pass


@contextmanager
def compiled_once() -> Iterator[None]:
    """Let all engines made inside the block share their compiled statements."""
    with (
        mock.patch.object(Engine, "_compiled_cache", _OneCache(), create=True),
        # The dialect is part of the cache's key.
        mock.patch.object(DefaultDialect, "__hash__", lambda dialect: hash(type(dialect))),
        mock.patch.object(
            DefaultDialect, "__eq__", lambda dialect, other: type(dialect) is type(other)
        ),
    ):
        yield
