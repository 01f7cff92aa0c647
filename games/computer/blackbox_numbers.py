"""Numbers of layouts as people say them."""

from math import log10

__all__ = ["EXACT_BELOW", "about", "scaled"]

EXACT_BELOW = 1000
"""Smaller numbers that were counted are told as they are."""


def about(number: float) -> int:
    """An estimate of a number of layouts, at least one: two digits, and zeros behind them.

    >>> about(0.2), about(48), about(538.4)
    (1, 48, 540)
    """
    whole = max(1, round(number))
    return int(round(whole, 1 - int(log10(whole))))


def scaled(name: str, number: int) -> dict[str, str | float]:
    """A rounded number as details of a note: under `name`, and with its `scale` beside it.

    That is ``one``, ``thousand`` from ten thousand on, or ``million``.

    >>> scaled("left", 57_000), scaled("left", 7_600_000)
    ({'left': 57, 'scale': 'thousand'}, {'left': 7.6, 'scale': 'million'})
    """
    if number >= 1_000_000:
        return {name: number / 1_000_000, "scale": "million"}
    if number >= 10_000:
        return {name: number // 1000, "scale": "thousand"}
    return {name: number, "scale": "one"}
