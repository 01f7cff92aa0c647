"""Exponential backoff as a function of the number of failures, which the caller counts."""

from dataclasses import dataclass

_MOST_DOUBLINGS = 64


@dataclass(frozen=True, slots=True)
class Backoff:
    """Wait `first` seconds, then twice as long after each failure, up to `longest`."""

    first: float
    longest: float

    def after(self, failures: int) -> float:
        """Return the seconds to wait after `failures` failures in a row (1 or more)."""
        return min(self.first * 2.0 ** min(failures - 1, _MOST_DOUBLINGS), self.longest)
