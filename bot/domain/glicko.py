"""Glicko-2 ratings, updated after every match with fractional rating periods of a day.

The update and its names are those of Glickman, "Example of the Glicko-2 system" (2013). It adds the
inflation of one whole period, which is subtracted here. So the deviation grows with the days that
have passed, as on lichess.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt

DAY = 24 * 3600
"""Seconds of a rating period."""
UNSURE_ABOVE = 110.0
"""Ratings with a larger deviation are shown with a question mark (as on lichess)."""
_MOST, _LEAST = 350.0, 45.0
"""Deviation of new players (Glickman) and its lower bound (lichess)."""
_SCALE = 173.7178
"""Points of a rating in one unit of Glicko-2 (steps 2 and 8)."""
_TAU, _PRECISION = 0.5, 1e-6
"""How much volatilities change (step 1), and where their computation stops (step 5)."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A rating with its deviation at one moment."""

    value: float
    deviation: float

    @property
    def is_unsure(self) -> bool:
        return self.deviation > UNSURE_ABOVE


@dataclass(frozen=True, slots=True)
class RatingChange:
    """A rating before and after a match."""

    before: Estimate
    after: Estimate


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating. `deviation` is that of the last update at `at` (Unix seconds), if any."""

    value: float
    deviation: float
    volatility: float
    at: int | None = None
    matches: int = 0

    def deviation_at(self, now: int) -> float:
        """Return the deviation now. It grows without matches."""
        return min(sqrt(self._inflated(now)) * _SCALE, _MOST)

    def estimate(self, now: int) -> Estimate:
        return Estimate(self.value, self.deviation_at(now))

    def _inflated(self, now: int) -> float:
        """The squared deviation now (step 6), on the scale of Glicko-2."""
        days = 0.0 if self.at is None else max(0, now - self.at) / DAY
        return (self.deviation / _SCALE) ** 2 + days * self.volatility**2

    def after(self, other: "Rating", score: float, *, now: int) -> "Rating":
        before = min(self._inflated(now), (_MOST / _SCALE) ** 2)
        mu, phi, sigma = updated(
            (self.value - 1500) / _SCALE,
            sqrt(before - self.volatility**2),
            self.volatility,
            [((other.value - 1500) / _SCALE, other.deviation_at(now) / _SCALE, score)],
        )
        deviation = min(max(phi * _SCALE, _LEAST), _MOST)
        at = now if self.at is None else max(now, self.at)
        return Rating(mu * _SCALE + 1500, deviation, sigma, at, self.matches + 1)


NEW = Rating(1500.0, _MOST, 0.06)


def rated(first: Rating, second: Rating, score: float, *, now: int) -> tuple[Rating, Rating]:
    """Return both ratings after a match in which the first player scored `score`."""
    return first.after(second, score, now=now), second.after(first, 1 - score, now=now)


def updated(
    mu: float, phi: float, sigma: float, results: Sequence[tuple[float, float, float]]
) -> tuple[float, float, float]:
    """Return mu, phi and sigma after a period (steps 3 to 7).

    A result is the opponent's mu and phi, and the score against that opponent.
    """
    information = surplus = 0.0
    for mu_j, phi_j, score in results:
        g = 1 / sqrt(1 + 3 * phi_j**2 / pi**2)
        expected = 1 / (1 + exp(-g * (mu - mu_j)))
        information += g**2 * expected * (1 - expected)
        surplus += g * (score - expected)
    sigma = _volatility(phi, sigma, 1 / information, surplus / information)
    phi = 1 / sqrt(1 / (phi**2 + sigma**2) + information)
    return mu + phi**2 * surplus, phi, sigma


def _volatility(phi: float, sigma: float, v: float, delta: float) -> float:
    """The new volatility, by the Illinois algorithm (step 5)."""
    start, variance, square = log(sigma**2), phi**2 + v, delta**2

    def f(x: float) -> float:
        ahead = (square - variance - exp(x)) * exp(x) / (2 * (variance + exp(x)) ** 2)
        return ahead - (x - start) / _TAU**2

    a = start
    if square > variance:
        b = log(square - variance)
    else:
        b = start - _TAU
        while f(b) < 0:
            b -= _TAU
    f_a, f_b = f(a), f(b)
    while abs(b - a) > _PRECISION:
        c = a + (a - b) * f_a / (f_b - f_a)
        f_c = f(c)
        if f_c * f_b <= 0:
            a, f_a = b, f_b
        else:
            f_a /= 2
        b, f_b = c, f_c
    # The paper takes `a`. The newer estimate is nearer, and stored ratings were computed with it.
    return exp(b / 2)
