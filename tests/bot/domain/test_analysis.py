"""From the evaluations of a match to its graph, turning points and accuracy."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.analysis import Analysis, Judgement, Swing, seconds_for


def judged(best: float, played: float | None = None, *, choices: int = 5) -> Judgement:
    """Judge a move with this expectation; without one it was the best."""
    if played is None:
        return Judgement("a1", best, "a1", best, choices=choices)
    return Judgement("b2", played, "a1", best, ("a1", "c3"), choices=choices)


def of(*moves: Judgement | None, result: float | None = None) -> Analysis:
    """Return the analysis of a match whose seats take turns."""
    return Analysis(tuple(at % 2 for at in range(len(moves))), moves, result)


def test_the_course_is_told_for_the_first_seat_and_ends_with_what_it_came_to() -> None:
    assert of(judged(0.6), judged(0.4), judged(0.7)).evaluations == pytest.approx(
        (0.6, 0.6, 0.7, 0.7)
    )
    assert of(judged(0.6), judged(0.4), result=0.0).evaluations == pytest.approx((0.6, 0.6, 0.0))


def test_what_no_search_has_found_is_as_it_was_before() -> None:
    assert of(None, judged(0.3), None, judged(0.4)).evaluations == pytest.approx(
        (0.5, 0.7, 0.7, 0.6, 0.6)
    )
    assert of(judged(0.6), None).losses == (0.0, 0.0)


def test_a_move_costs_what_both_searches_say_that_it_does() -> None:
    # The next search sees 0.7 for the other side: 0.3 is left of 0.6.
    assert of(judged(0.6, 0.1), judged(0.7)).losses == pytest.approx((0.3, 0.0))
    assert of(judged(0.6, 0.4), judged(0.9)).losses == pytest.approx((0.2, 0.0))
    # A loss that only one search sees is no mistake.
    assert of(judged(0.6, 0.0), judged(0.4)).losses == (0.0, 0.0)
    assert of(judged(0.6), judged(0.9)).losses == (0.0, 0.0)


def test_a_last_move_is_judged_by_how_the_rules_have_ended_the_match() -> None:
    assert of(judged(1.0, 0.0), result=0.0).losses == (1.0,)
    assert of(judged(1.0, 0.9), result=1.0).losses == (0.0,)


def test_who_moves_twice_in_a_row_loses_nothing_by_it() -> None:
    twice = Analysis((0, 0, 1), (judged(0.6), judged(0.6), judged(0.4)))
    assert twice.evaluations == pytest.approx((0.6, 0.6, 0.6, 0.6))
    assert twice.losses == (0.0, 0.0, 0.0)


@given(st.lists(st.none() | st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=12))
def test_no_jump_of_the_graph_is_larger_than_that_of_a_turning_point(
    moves: list[tuple[float, float] | None],
) -> None:
    analysis = of(*(one and judged(max(one), one[0]) for one in moves))
    jumps = [abs(after - before) for before, after in pairwise(analysis.evaluations)]
    marked = {ply: jumps[ply - 1] for ply in analysis.turning_points}
    assert list(marked) == sorted(marked)
    large = sorted(jump for jump in jumps if jump >= 0.1)
    assert sorted(marked.values()) == large[-3:]


def test_the_three_largest_jumps_are_turning_points_in_their_order() -> None:
    points = (0.5, 0.35, 0.65, 0.6, 0.4, 0.65)
    moves = [judged(1 - point if at % 2 else point) for at, point in enumerate(points)]
    assert of(*moves).turning_points == (2, 4, 5)
    assert of(judged(0.5), judged(0.59)).turning_points == ()


@pytest.mark.parametrize(
    ("before", "after", "swing"),
    [
        (0.9, 0.5, Swing.AWAY),
        (0.9, 0.1, Swing.OVER),
        (0.5, 0.3, Swing.BEHIND),
        # The player wins anyway, or has already lost.
        (1.0, 0.65, None),
        (0.35, 0.0, None),
        # The search had missed how good the move was.
        (0.3, 0.7, None),
    ],
)
def test_a_turning_point_says_what_its_player_lost_by_the_graph(
    before: float, after: float, swing: Swing | None
) -> None:
    analysis = of(judged(0.5), judged(before), judged(1 - after))
    assert analysis.around(2) == pytest.approx((before, after))
    assert analysis.swing(2) is swing
    assert 2 in analysis.turning_points
    assert analysis.swing(3) is None


def test_what_was_better_is_told_where_it_would_have_been_clearly_so() -> None:
    analysis = of(judged(0.6, 0.1), judged(0.7), judged(0.3, 0.28), judged(0.72))
    better = analysis.better_than(1)
    assert better is not None
    assert (better.best, better.line, round(better.expectation, 3)) == ("a1", ("a1", "c3"), 0.3)
    assert [analysis.better_than(ply) for ply in (2, 3, 4)] == [None, None, None]


@pytest.mark.parametrize(
    ("loss", "percent"), [(0.0, 100), (0.05, 80), (0.1, 64), (0.2, 40), (0.5, 9), (1.0, 0)]
)
def test_accuracy_follows_the_curve_that_lichess_has_published(loss: float, percent: int) -> None:
    assert of(judged(1.0, 1.0 - loss), judged(loss)).accuracy(0) == percent


def test_accuracy_is_a_mean_over_the_moves_of_a_seat_that_had_a_choice() -> None:
    forced = judged(0.0, choices=1)
    analysis = of(judged(1.0, 0.0), forced, judged(1.0), forced, None, forced)
    assert analysis.accuracy(1) is None
    assert of(judged(1.0, 0.9), judged(0.1), judged(0.9)).accuracy(0) == 82


def test_moves_at_which_there_was_nothing_left_to_lose_do_not_count_for_accuracy() -> None:
    lost = [judged(0.95), judged(0.05)] * 20
    assert of(judged(0.5, 0.3), judged(0.7), judged(0.3, 0.05), *lost).accuracy(0) == 36
    assert of(judged(0.05), judged(0.95)).accuracy(0) is None


@pytest.mark.parametrize(("plies", "seconds"), [(0, 1.0), (4, 1.0), (18, 1.0), (36, 0.5)])
def test_a_whole_match_takes_no_more_than_twenty_seconds(plies: int, seconds: float) -> None:
    assert seconds_for(plies) == seconds


def test_what_the_moves_before_have_taken_is_missing_for_the_others() -> None:
    assert seconds_for(10, left=5.0) == 0.5
    assert seconds_for(10, left=-3.0) > 0
