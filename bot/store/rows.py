"""What a query gives."""

from typing import Any

from sqlalchemy import Row

__all__ = ["AnyRow"]

AnyRow = Row[*tuple[Any, ...]]
"""A row of any query, its columns by name."""
