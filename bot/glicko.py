"""How strong somebody is: Glicko-2, after every match, with rating periods of a day in fractions.

The update is that of Glickman, "Example of the Glicko-2 system" (2012), by the package glicko2-py.
A rating period there is a whole one, however soon the next match comes; so the deviation that goes
in is the one by which, after the inflation by one period that the package adds, it has been
inflated by as many days as have passed. That makes it the fractional periods of lichess.
"""

from dataclasses import dataclass
from math import sqrt

from glicko2.math import mu_to_rating, phi_to_rd, rating_to_mu, rd_to_phi, update_rating

__all__ = ["DAY", "NEW", "UNSURE_ABOVE", "Estimate", "Rating", "rated"]

DAY = 24 * 3600
"""Seconds of a rating period."""
UNSURE_ABOVE = 110.0
"""A rating of a greater deviation is shown with a question mark (as lichess does)."""
_MOST, _LEAST = 350.0, 45.0
"""Deviations: of somebody new (Glickman), and what nobody falls below (lichess)."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What somebody is rated at one moment; `deviation` is of then."""

    value: float
    deviation: float

    @property
    def is_unsure(self) -> bool:
        """Is it to be shown with a question mark?"""
        return self.deviation > UNSURE_ABOVE


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody is taken for; `deviation` is of when it was last changed.

    `at` is that moment, in Unix seconds; None: they have never played a rated match.
    """

    value: float
    deviation: float
    volatility: float
    at: int | None = None
    matches: int = 0

    def deviation_at(self, now: int) -> float:
        """The deviation by now: who stays away is known less and less well."""
        phi = sqrt(self._inflated(self._days(now)))
        return min(phi_to_rd(phi), _MOST)

    def estimate(self, now: int) -> Estimate:
        """What it says by now."""
        return Estimate(self.value, self.deviation_at(now))

    def is_unsure(self, now: int) -> bool:
        """Is it to be shown with a question mark?"""
        return self.estimate(now).is_unsure

    def _days(self, now: int) -> float:
        """Days since the last change, by clocks that may have been set back meanwhile."""
        return 0.0 if self.at is None else max(0, now - self.at) / DAY

    def _inflated(self, days: float) -> float:
        """The square of the deviation after so many days (step 6), in the scale of Glicko-2."""
        return rd_to_phi(self.deviation) ** 2 + days * self.volatility**2

    def after(self, other: "Rating", score: float, *, now: int) -> "Rating":
        """The rating after a match against `other`: score 1, 0.5 or 0."""
        before = min(self._inflated(self._days(now)), rd_to_phi(_MOST) ** 2)
        mu, phi, sigma = update_rating(
            rating_to_mu(self.value),
            # The package adds a period.
            sqrt(before - self.volatility**2),
            self.volatility,
            [(rating_to_mu(other.value), rd_to_phi(other.deviation_at(now)), score)],
        )
        deviation = min(max(phi_to_rd(phi), _LEAST), _MOST)
        at = now if self.at is None else max(now, self.at)
        return Rating(mu_to_rating(mu), deviation, sigma, at, self.matches + 1)


NEW = Rating(1500.0, _MOST, 0.06)


def rated(first: Rating, second: Rating, score: float, *, now: int) -> tuple[Rating, Rating]:
    """Both ratings after a match in which the first had `score`."""
    return first.after(second, score, now=now), second.after(first, 1 - score, now=now)
