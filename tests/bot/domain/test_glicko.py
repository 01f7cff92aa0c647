"""Glicko-2: Glickman's own example, a library as oracle, and periods of a day in fractions."""

from math import sqrt

import pytest
from glicko2.math import mu_to_rating, phi_to_rd, rating_to_mu, rd_to_phi, update_rating
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.glicko import DAY, NEW, UNSURE_ABOVE, Rating, rated, updated


def test_glickmans_example_comes_out_as_in_his_paper() -> None:
    opponents = [(1400, 30, 1.0), (1550, 100, 0.0), (1700, 300, 0.0)]
    results = [(rating_to_mu(value), rd_to_phi(rd), score) for value, rd, score in opponents]
    mu, phi, sigma = updated(rating_to_mu(1500), rd_to_phi(200), 0.06, results)
    assert mu_to_rating(mu) == pytest.approx(1464.06, abs=0.01)
    assert phi_to_rd(phi) == pytest.approx(151.52, abs=0.01)
    assert sigma == pytest.approx(0.05999, abs=0.00001)


def test_who_stays_away_is_known_less_well_and_no_worse_than_somebody_new() -> None:
    one = Rating(1700, 100, 0.06, 0)
    assert not one.estimate(0).is_unsure
    assert one.deviation_at(365 * DAY) > UNSURE_ABOVE
    assert one.estimate(365 * DAY).is_unsure
    assert one.deviation_at(10**6 * DAY) == NEW.deviation


def test_a_clock_that_was_set_back_changes_nothing() -> None:
    one = Rating(1700, 100, 0.06, 50 * DAY)
    assert one.after(NEW, 1, now=DAY) == one.after(NEW, 1, now=50 * DAY)
    assert one.deviation_at(DAY) == pytest.approx(100)


def test_who_wins_gains_what_who_loses_loses_where_both_were_equal() -> None:
    first, second = rated(NEW, NEW, 1, now=0)
    assert first.value - 1500 == pytest.approx(1500 - second.value)
    assert first.value > 1600
    draw = rated(NEW, NEW, 0.5, now=0)
    assert [one.value for one in draw] == pytest.approx([1500, 1500])


_ratings = st.builds(
    Rating,
    st.floats(0, 4000),
    st.floats(45, 350),
    st.floats(0.03, 0.2),
    st.integers(0, 10**9),
    st.integers(1, 1000),
)


_scores = st.sampled_from([0.0, 0.5, 1.0])


@given(one=_ratings, other=_ratings, score=_scores, now=st.integers(0, 10**9))
def test_a_match_changes_a_rating_as_the_library_does(
    one: Rating, other: Rating, score: float, now: int
) -> None:
    """Old databases hold ratings that the library computed."""
    assert one.at is not None
    days = max(0, now - one.at) / DAY
    before = min(rd_to_phi(one.deviation) ** 2 + days * one.volatility**2, rd_to_phi(350) ** 2)
    found = update_rating(
        rating_to_mu(one.value),
        sqrt(before - one.volatility**2),
        one.volatility,
        [(rating_to_mu(other.value), rd_to_phi(other.deviation_at(now)), score)],
    )
    after = one.after(other, score, now=now)
    assert after.value == pytest.approx(mu_to_rating(found.mu), abs=1e-6)
    assert after.deviation == pytest.approx(min(max(phi_to_rd(found.phi), 45), 350), abs=1e-6)
    assert after.volatility == pytest.approx(found.sigma, abs=1e-9)
    assert (after.at, after.matches) == (max(now, one.at), one.matches + 1)
