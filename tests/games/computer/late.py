"""Somebody waits for an answer: said by how often a player looks, and not by a clock."""

from games.computer import IsLate

__all__ = ["late_after"]


def late_after(looks: int) -> IsLate:
    """Somebody waits after so many looks at whether they do."""
    left = iter(range(looks))
    return lambda: next(left, None) is None
