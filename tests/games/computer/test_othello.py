"""The Othello engine: bitboards, search, levels."""

from importlib.resources import files
from itertools import pairwise
from random import Random

import pytest

from games.computer.accelerated import IS_ACCELERATED, table, unsigned
from games.computer.base import LEVELS, never
from games.computer.othello import ENGINE
from games.computer.othello_bits import (
    NONE,
    ONE,
    count,
    final,
    flip,
    flip_diagonal,
    flips,
    index,
    targets,
)
from games.computer.othello_patterns import FEATURES, evaluate, weights
from games.computer.othello_reversi import rank_moves
from games.computer.othello_search import INFINITE, Search
from games.othello import GAME, PASS, OthelloPosition
from tests.games.computer.late import late_after


def read(setup: str, *, rules: str = "othello") -> OthelloPosition:
    return GAME.start({"rules": rules}, setup)


def board(free: int, rng: Random, *, rules: str = "othello") -> OthelloPosition:
    """Return a position of a random match with this many free squares."""
    options = GAME.options_from({"rules": rules})
    while True:
        position = GAME.start(options, GAME.new_setup(options, rng))
        while position.turn:
            if 64 - sum(position.disc_counts()) == free and position.targets:
                return position
            position = position.play(position.side, rng.choice(position.moves(position.side)))


def margin(position: OthelloPosition, seat: int) -> int:
    """Return the margin of a seat if both play perfectly, by the rules alone."""
    if not position.turn:
        scores = position.scores()
        return scores[seat] - scores[1 - seat]
    found = [margin(position.play(position.side, it), seat) for it in position.moves(position.side)]
    return max(found) if position.side == seat else min(found)


# Boards


def test_fast_boards_move_as_the_rules_do() -> None:
    rng = Random(1)
    for free in range(2, 60):
        position = board(free, rng)
        own, other = position.boards(position.side)
        assert targets(unsigned(own), unsigned(other)) == position.targets
        for move in position.moves(position.side):
            assert move.square is not None
            flipped = flips(unsigned(1 << move.square), unsigned(own), unsigned(other))
            assert flipped == position.flips(move)


def test_images_are_what_a_mirror_shows() -> None:
    mask = Random(2).getrandbits(64)
    squares = [(square % 8, square // 8) for square in range(64) if mask >> square & 1]
    mirror = unsigned(mask)
    assert flip(mirror) == sum(1 << 8 * row + 7 - column for column, row in squares)
    assert flip_diagonal(mirror) == sum(1 << 8 * column + row for column, row in squares)


@pytest.mark.parametrize("square", [0, 7, 31, 32, 62, 63])
def test_squares_and_their_bits_belong_together(square: int) -> None:
    bit = unsigned(1 << square)
    assert index(bit) == square
    assert count(bit | ONE) == (1 if square == 0 else 2)
    assert count(NONE) == 0


def test_free_squares_count_for_the_winner() -> None:
    assert final(unsigned(0b1110), unsigned(0b1)) == 62
    assert final(unsigned(0b1), unsigned(0b1110)) == -62
    assert final(unsigned(0b1), unsigned(0b10)) == 0


# Patterns


def test_all_images_of_a_board_weigh_the_same() -> None:
    position = board(30, Random(3))
    images = [position.boards(position.side)]
    for image in (flip, flip_diagonal) * 2:
        images += [
            (int(image(unsigned(own))), int(image(unsigned(other)))) for own, other in images
        ]
    assert len(set(images)) == 8
    found = table([0] * FEATURES)
    seen = {evaluate(unsigned(own), unsigned(other), weights(), found) for own, other in images}
    assert len(seen) == 1


def test_the_weights_are_few_enough_to_be_shipped() -> None:
    assert (files("games.computer") / "othello.bin").stat().st_size < 2 * 2**20  # type: ignore[attr-defined]


def test_a_corner_is_worth_more_than_the_square_beside_it() -> None:
    search = Search(1 << 10)
    discs = 1 << 27 | 1 << 28 | 1 << 35, 1 << 36 | 1 << 37 | 1 << 29
    corner, beside = (search.evaluated(discs[0] | 1 << square, discs[1]) for square in (0, 9))
    assert corner > beside


# Search


@pytest.mark.parametrize("free", [1, 2, 3, 4, 5, 6])
def test_the_end_is_solved_as_the_rules_have_it(free: int) -> None:
    rng = Random(free)
    search = Search(1 << 10)
    for _ in range(6 if free < 6 else 2):
        position = board(free, rng)
        found = search.rank_moves(position, depth=0, solve_at=9, margin=0, is_late=never)
        assert found[0].is_exact
        assert found[0].value == 100 * margin(position, position.side)


def test_a_narrow_search_finds_what_a_full_one_does() -> None:
    rng = Random(7)
    for free in (12, 30):
        position = board(free, rng)
        values = []
        for width in (0, None):
            search = Search(1 << 12)
            found = search.rank_moves(position, depth=4, solve_at=8, margin=width, is_late=never)
            values.append(found[0].value)
        assert values[0] == values[1]


@pytest.mark.slow
def test_a_search_in_slices_finds_what_one_without_a_break_does() -> None:
    position = board(30, Random(8))
    own, other = position.boards(position.side)
    window = -INFINITE, INFINITE
    whole = Search(1 << 12).value(own, other, *window, depth=5, is_late=never)
    asked = late_after(1_000_000)
    assert Search(1 << 12).value(own, other, *window, depth=5, is_late=asked) == whole


@pytest.mark.slow
def test_a_search_asks_often_whether_it_is_late() -> None:
    # A node is a fifth of a microsecond compiled, and some 20 without; 50 ms are allowed.
    rng = Random(9)
    search = Search(1 << 12)
    most = 40_000 if IS_ACCELERATED else 800
    seen = [0]

    def asked() -> bool:
        seen.append(search.nodes)
        return search.nodes > 10 * most

    for free in (14, 30):
        seen[:] = [0]
        search.rank_moves(board(free, rng), depth=60, solve_at=20, margin=0, is_late=asked)
        assert len(seen) > 10
        assert max(after - before for before, after in pairwise(seen)) < most


# Levels


def test_the_highest_level_sees_the_end() -> None:
    for number in range(3):
        position = board(5, Random(number))
        seat = position.side
        move = ENGINE.choose(position, seat, level=5, rng=Random(), is_late=never)
        after = position.play(seat, move)
        assert margin(after, seat) == margin(position, seat)


# Ranks


def test_what_has_been_seen_to_the_end_is_known_exactly() -> None:
    for number in range(4):
        position = board(4, Random(number))
        for candidate in ENGINE.rank(position, position.side):
            after = position.play(position.side, candidate.move)
            won = margin(after, position.side)
            assert candidate.is_exact
            assert candidate.expectation == 0.5 + (won > 0) / 2 - (won < 0) / 2


def test_who_cannot_move_passes() -> None:
    position = read("OOOOXXXXOOOOOOXOOOOOOOOOOOXXXXOOXOOXOOXOOOOOXOXOOOOOOXOO.OOOOOOO O")
    assert position.moves(1) == (PASS,)
    assert ENGINE.choose(position, 1, level=5, rng=Random()) == PASS
    (candidate,) = ENGINE.rank(position, 1)
    assert candidate.is_exact
    assert candidate.line[0] == PASS


def test_the_first_discs_of_reversi_are_all_worth_the_same() -> None:
    options = GAME.options_from({"rules": "reversi"})
    position = GAME.start(options, GAME.new_setup(options, Random()))
    assert [candidate.expectation for candidate in ENGINE.rank(position, 0)] == [0.5] * 4


# Reversi


def test_a_draw_that_is_seen_to_the_end_is_taken() -> None:
    drawn = (
        (position, seat)
        for number in range(200)
        for position in [board(2, Random(number), rules="reversi")]
        for seat in position.turn
        if (best := ENGINE.rank(position, seat)[0]).is_exact and best.expectation == 0.5
    )
    position, seat = next(drawn)
    assert ENGINE.wants_draw(position, seat)
    assert ENGINE.wants_draw(position, 1 - seat)


@pytest.mark.parametrize("looks", [40, 250])
def test_who_is_late_plays_what_was_looked_at_most(looks: int) -> None:
    for number in range(3):
        position = board(40, Random(number), rules="reversi")
        (seat,) = position.turn
        seen = rank_moves(position, depth=60, is_late=late_after(looks))
        most = {one.move for one in seen if one.depth == max(other.depth for other in seen)}
        chosen = ENGINE.choose(
            position, seat, level=LEVELS, rng=Random(1), is_late=late_after(looks)
        )
        assert chosen in most


def test_a_narrow_search_of_reversi_finds_the_same_best_moves_as_a_full_one() -> None:
    for number in range(2):
        position = board(30, Random(number), rules="reversi")
        full = rank_moves(position, depth=3, is_late=never, is_ranked=True)
        narrow = rank_moves(position, depth=3, is_late=never)
        best = {move.move for move in full if move.value == full[0].value}
        assert {move.move for move in narrow if move.value == narrow[0].value} == best
