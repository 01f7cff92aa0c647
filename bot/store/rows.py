"""The type of a row of any query."""

from typing import Any

from sqlalchemy import Row

AnyRow = Row[*tuple[Any, ...]]
