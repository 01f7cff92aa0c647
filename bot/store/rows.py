"""The type of a row of any query."""

from typing import Any

from sqlalchemy import Row

__all__ = ["AnyRow"]

AnyRow = Row[*tuple[Any, ...]]
