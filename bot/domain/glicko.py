"""Glicko-2 ratings, updated after every match with fractional rating periods of a day.

The update is that of Glickman, "Example of the Glicko-2 system" (2012), by the package glicko2-py.
The package adds the inflation of one whole period. It is subtracted here, so that the deviation
grows with the days that have passed, as on lichess.
"""

from dataclasses import dataclass
from math import sqrt

from glicko2.math import mu_to_rating, phi_to_rd, rating_to_mu, rd_to_phi, update_rating

__all__ = ["DAY", "NEW", "UNSURE_ABOVE", "Estimate", "Rating", "rated"]

DAY = 24 * 3600
"""Seconds of a rating period."""
UNSURE_ABOVE = 110.0
"""Ratings with a larger deviation are shown with a question mark (as on lichess)."""
_MOST, _LEAST = 350.0, 45.0
"""Deviation of new players (Glickman) and its lower bound (lichess)."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A rating with its deviation at one moment."""

    value: float
    deviation: float

    @property
    def is_unsure(self) -> bool:
        return self.deviation > UNSURE_ABOVE


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
        phi = sqrt(self._inflated(self._days(now)))
        return min(phi_to_rd(phi), _MOST)

    def estimate(self, now: int) -> Estimate:
        return Estimate(self.value, self.deviation_at(now))

    def is_unsure(self, now: int) -> bool:
        return self.estimate(now).is_unsure

    def _days(self, now: int) -> float:
        return 0.0 if self.at is None else max(0, now - self.at) / DAY

    def _inflated(self, days: float) -> float:
        """The squared deviation after `days` (step 6), on the scale of Glicko-2."""
        return rd_to_phi(self.deviation) ** 2 + days * self.volatility**2

    def after(self, other: "Rating", score: float, *, now: int) -> "Rating":
        before = min(self._inflated(self._days(now)), rd_to_phi(_MOST) ** 2)
        mu, phi, sigma = update_rating(
            rating_to_mu(self.value),
            sqrt(before - self.volatility**2),
            self.volatility,
            [(rating_to_mu(other.value), rd_to_phi(other.deviation_at(now)), score)],
        )
        deviation = min(max(phi_to_rd(phi), _LEAST), _MOST)
        at = now if self.at is None else max(now, self.at)
        return Rating(mu_to_rating(mu), deviation, sigma, at, self.matches + 1)


NEW = Rating(1500.0, _MOST, 0.06)


def rated(first: Rating, second: Rating, score: float, *, now: int) -> tuple[Rating, Rating]:
    """Return both ratings after a match in which the first player scored `score`."""
    return first.after(second, score, now=now), second.after(first, 1 - score, now=now)
