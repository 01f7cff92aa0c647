"""Numbers of layouts as people say them."""

from math import log10

__all__ = ["EXACT_BELOW", "about"]

EXACT_BELOW = 1000
"""Smaller numbers that were counted are told as they are."""


def about(number: float) -> int:
    """An estimate of a number of layouts, at least one: two digits, and zeros behind them.

    >>> about(0.2), about(48), about(538.4)
    (1, 48, 540)
    """
    whole = max(1, round(number))
    return int(round(whole, 1 - int(log10(whole))))
