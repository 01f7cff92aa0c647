"""Values that may be None, and are not in a test."""

from typing import TypeVar

T = TypeVar("T")


def not_none(found: T | None) -> T:
    """Return a value, which must not be None."""
    assert found is not None
    return found
