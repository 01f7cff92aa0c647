"""The type of a row."""

from typing import Any

from sqlalchemy import Row

__all__ = ["AnyRow"]

AnyRow = Row[*tuple[Any, ...]]
