"""Which positions become puzzles, and which are too easy."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

import games
from bot.domain.analysis import Judgement
from bot.domain.model import Computer, Match, Ply, Status
from bot.matches import MatchState
from bot.matches.puzzles import MOST_OF_A_MATCH, have_puzzles, is_puzzle, positions_of

ROW = ("a1", "d1", "a2", "d2", "a3", "c3", "b4")
"""Of Sogo: three in a row, which the other side does not close, and whose is not seen either."""


def played(game_id: str, moves: Sequence[str]) -> MatchState:
    game = games.get(game_id)
    options = game.options_from({})
    setup = game.new_setup(options, Random(1))
    plies = tuple(Ply(at % 2, move, 0) for at, move in enumerate(moves))
    terms = {"id": 1, "code": "", "game": game_id, "rules": game.rules_version, "options": options}
    people = {"place_id": 1, "challenger": 1, "opponent": 2, "seats": (1, 2), "plies": plies}
    none = dict.fromkeys(("preferred_seat", "expires", "outcome"))
    match = Match(setup=setup, status=Status.OVER, version=9, **terms, **people, **none)  # type: ignore[arg-type]
    record = [(ply.seat, ply.notation) for ply in plies]
    return MatchState(match, game, game.replay(options, setup, record))


def plies(
    every: Sequence[Judgement | None], game_id: str = "sogo", moves: Sequence[str] = ROW
) -> list[int]:
    return [at for at, _ in positions_of(played(game_id, moves), every)]


def judged(best: str, second: float = 0.2) -> Judgement:
    return Judgement("b2", 0.1, best, 0.6, (best,), choices=16, second=second)


def test_what_ends_a_match_at_once_or_keeps_the_other_side_from_it_is_no_puzzle() -> None:
    every = [None, None, None, judged("a3"), None, judged("a4"), judged("a4")]
    assert plies(every) == [3]


def test_a_position_that_a_user_set_up_brings_no_puzzle() -> None:
    usual = played("sogo", ROW)
    set_up = replace(usual, match=replace(usual.match, headers=(), seats=(1, Computer(2))))
    every = [judged("c2")]
    assert [bool(positions_of(one, every)) for one in (usual, set_up)] == [True, False]


def test_of_neighbours_the_clearest_stays() -> None:
    every = [judged("c2", second) for second in (0.3, 0.1, 0.25, 0.2, 0.0)]
    assert plies(every) == [0, 4]


def test_of_more_than_a_match_may_bring_those_stay_that_are_clearest() -> None:
    # The bottom layer fills up without a threat.
    moves = ("a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4", "d4", "d3", "d2", "d1", "a1")
    every = {0: 0.3, 4: 0.2, 8: 0.1, 12: 0.0}
    found = [judged("c1", every[at]) if at in every else None for at in range(len(moves))]
    assert plies(found, moves=moves) == [4, 8, 12]
    assert MOST_OF_A_MATCH == 3


def test_games_have_puzzles_in_which_nothing_is_hidden_and_somebody_judges_moves() -> None:
    found = [game_id for game_id in games.ids() if have_puzzles(games.get(game_id))]
    assert found == ["morris", "moyo", "othello", "sogo"]


def test_a_match_with_options_that_hide_something_brings_none_though_others_of_its_game_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    every = [judged("c2")]
    assert plies(every) == [0]
    usual = games.get("sogo").options_from({})
    kind = type(games.get("sogo"))
    monkeypatch.setattr(kind, "has_secrets", lambda _, options: dict(options) == dict(usual))
    assert have_puzzles(games.get("sogo"))
    assert plies(every) == []


@pytest.mark.parametrize(
    ("best", "second", "choices", "is_one"),
    [
        (0.9, 0.4, 3, True),
        (0.5, 0.1, 3, True),
        # Two could be guessed; two are as good; there is nothing left to be found; any move wins.
        (0.9, 0.4, 2, False),
        (0.9, 0.7, 3, False),
        (0.4, 0.0, 3, False),
        (1.0, 0.95, 30, False),
        (0.9, None, 3, False),
    ],
)
def test_a_puzzle_has_one_clearly_best_move_and_more_than_it_could_be_guessed_from(
    best: float, second: float | None, choices: int, *, is_one: bool
) -> None:
    one = Judgement("a1", best, "a1", best, choices=choices, second=second)
    assert is_puzzle(one) == is_one
