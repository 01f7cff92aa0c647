"""A waiting player, simulated by the number of checks instead of a clock."""

from games.computer import IsLate


def late_after(looks: int) -> IsLate:
    """Return a check that is true after so many calls."""
    left = iter(range(looks))
    return lambda: next(left, None) is None
