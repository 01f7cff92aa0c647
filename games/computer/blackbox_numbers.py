"""Rounded numbers of layouts."""

from math import log10

EXACT_BELOW = 1000
"""Smaller numbers, if counted, are shown exactly."""


def about(number: float) -> int:
    """Round an estimate to two digits, at least one.

    >>> about(0.2), about(48), about(538.4)
    (1, 48, 540)
    """
    whole = max(1, round(number))
    return int(round(whole, 1 - int(log10(whole))))
