"""The contract of every engine, whichever game it plays (`games.computer.base`)."""

import pickle
import time
from itertools import islice, product
from random import Random

import pytest

import games
from bot.support.texts import LANGUAGES, Texts
from games import computer
from games.computer import LEVELS, AnyEngine
from tests.games.computer.late import late_after
from tests.games.playing import CASES, Case, moments, pairs, play_out, some
from tests.sampling import sampled_if

_MOMENTS = 4
"""Of a match in each way to play each game."""
_LOOKS = 20
"""The number of checks after which a player waits."""

PLAYED = [case for case in CASES if computer.engine(case.game.id).can_play(case.options)]
HIDDEN = [case for case in PLAYED if case.game.has_secrets(case.options)]
each_played = pytest.mark.parametrize("case", some(PLAYED), ids=str)


def at_once() -> bool:
    """Return True: a player waits already."""
    return True


def player(case: Case) -> AnyEngine:
    return computer.engine(case.game.id)


def turns(case: Case) -> list[tuple[games.AnyPosition, int]]:
    """Return some positions of a match, each with its seat to move."""
    return [(position, seat) for position, seat in moments(case, _MOMENTS) if seat in position.turn]


def test_every_game_that_two_can_play_is_played() -> None:
    assert {case.game.id for case in PLAYED} == set(games.ids())


@each_played
def test_at_every_level_a_legal_move_is_chosen_and_the_same_luck_chooses_it_again(
    case: Case,
) -> None:
    for position, seat in turns(case):
        for level in range(1, LEVELS + 1):
            first, second = (
                player(case).choose(
                    position.view(seat), seat, level=level, rng=Random(level), is_late=at_once
                )
                for _ in range(2)
            )
            assert first in position.moves(seat)
            assert first == second


@pytest.mark.parametrize("case", [case for case in PLAYED if not case.chosen], ids=str)
def test_other_luck_chooses_other_openings_at_every_level(case: Case) -> None:
    def opening(level: int, seed: int) -> object:
        position, rng = play_out(case).positions[0], Random(seed)
        for _ in range(2):
            (seat,) = position.turn
            late = late_after(_LOOKS)
            move = player(case).choose(
                position.view(seat), seat, level=level, rng=rng, is_late=late
            )
            position = position.play(seat, move)
        return position

    for level in range(1, LEVELS + 1):
        first = opening(level, 0)
        # The strongest one may remember what it has searched.
        assert level == LEVELS or opening(level, 0) == first
        assert any(opening(level, seed) != first for seed in range(1, 5)), level


@each_played
def test_a_ranking_has_every_move_once_the_best_first_and_playable_lines(case: Case) -> None:
    for (position, seat), looks in product(turns(case), (0, 5, 20)):
        ranked = player(case).rank(position.view(seat), seat, is_late=late_after(looks))
        assert len(ranked) == len({one.move for one in ranked})
        assert {one.move for one in ranked} == set(position.moves(seat))
        assert all(0 <= one.expectation <= 1 for one in ranked)
        assert ranked == tuple(sorted(ranked, key=lambda one: -one.expectation))
        assert all(one.line[:1] in ((), (one.move,)) for one in ranked)
        for one in ranked if not case.game.has_secrets(case.options) else ():
            after = position
            for move in one.line:
                assert move in after.moves(min(after.turn))
                after = after.play(min(after.turn), move)
        assert pickle.loads(pickle.dumps(ranked)) == ranked


@each_played
def test_the_same_time_gives_the_same_ranking(case: Case) -> None:
    for position, seat in turns(case):
        view = position.view(seat)
        first, again = (player(case).rank(view, seat, is_late=late_after(20)) for _ in range(2))
        assert again == first


@each_played
def test_a_draw_is_accepted_by_who_expects_less(case: Case) -> None:
    for position, seat in turns(case):
        view = position.view(seat)
        best = player(case).rank(view, seat, is_late=late_after(_LOOKS))[0].expectation
        for one, expectation in ((seat, best), *((1 - seat, 1 - best) for _ in case.seats[1:])):
            accepts = player(case).wants_draw(view, one, is_late=late_after(_LOOKS))
            assert accepts == (expectation < 0.5) or 0.45 < expectation <= 0.5
    assert not player(case).wants_draw(play_out(case).end.view(None), 0)


@each_played
def test_a_reason_for_a_player_who_waits_comes_at_once_or_is_left_out(case: Case) -> None:
    for position, seat in turns(case):
        view = position.view(seat)
        best = player(case).rank(view, seat, is_late=at_once)[0].move
        begun = time.thread_time()
        note = player(case).reason(view, seat, best, is_late=at_once)
        assert time.thread_time() < begun + 0.5
        assert note is None or Texts("en").note(case.game.id, "because", note)


@each_played
def test_all_advice_and_analysis_has_words_in_every_language(case: Case) -> None:
    mine, match = player(case), play_out(case)
    said = []
    for position, seat in turns(case):
        view = position.view(seat)
        best = mine.rank(view, seat, is_late=late_after(_LOOKS))[0].move
        said += [
            ("advice", note) for note in mine.advice(view, seat, best, is_late=late_after(_LOOKS))
        ]
    whole = match.end.view(None, reveal=True)
    told = [mine.review(part, is_late=late_after(_LOOKS)) for part in mine.review_parts(whole)]
    assert any(told) == mine.reviews_matches
    said += [("course", note) for notes in told for note in notes]
    sides = {"first": "Anna", "second": "Ben"}
    for language, (kind, note) in product(LANGUAGES, said):
        more = sides if kind == "course" else {}
        assert Texts(language).note(case.game.id, kind, note, **more)


@pytest.mark.parametrize("game_id", games.ids())
def test_there_is_no_level_below_the_first_or_above_the_last(game_id: str) -> None:
    case = next(case for case in PLAYED if case.game.id == game_id)
    position, seat = turns(case)[0]
    assert len(player(case).levels) == LEVELS
    for level in (0, LEVELS + 1):
        with pytest.raises(ValueError, match=str(level)):
            player(case).choose(position.view(seat), seat, level=level, rng=Random(1))


@pytest.mark.parametrize(
    "case", sampled_if(lambda case: case.chosen in ((), (("mode", "hide"),)), HIDDEN), ids=str
)
def test_what_a_seat_may_not_know_changes_nothing_of_what_is_chosen_for_it(case: Case) -> None:
    """Two secrets with one history: the same luck chooses the same, and so do hints."""
    found = [
        pair
        for seed in range(2)
        for pair in pairs(play_out(case, seed), tries=8)
        if pair.observer in pair.one.turn and pair.heard
    ]
    assert len(found) >= 2
    for pair in islice(sorted(found, key=lambda pair: -pair.answers), 2):
        assert pair.observer is not None
        one, other = (
            _thoughts(case, position, pair.observer) for position in (pair.one, pair.other)
        )
        assert one == other


def _thoughts(case: Case, position: games.AnyPosition, seat: int) -> list[object]:
    """Return all that an engine thinks for a seat: its move, hints with reasons, comments.

    Its input goes first through the serialization for the thinking process.
    """
    view, who = position.view(seat), player(case)
    ranked = who.rank(view, seat, is_late=late_after(_LOOKS))
    return [
        pickle.dumps(view),
        *(
            who.choose(view, seat, level=level, rng=Random(level), is_late=at_once)
            for level in (1, LEVELS)
        ),
        ranked,
        who.reason(view, seat, ranked[0].move, is_late=late_after(_LOOKS)),
        who.advice(view, seat, ranked[0].move, is_late=late_after(_LOOKS)),
        who.wants_draw(view, seat, is_late=late_after(_LOOKS)),
    ]
