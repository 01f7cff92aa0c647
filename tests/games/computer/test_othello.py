"""The computer's player of Othello: its boards, its search, its levels, with numba and without."""

from random import Random

import pytest

from games.computer.accelerated import unsigned
from games.computer.base import LEVELS
from games.computer.othello import PLAYER
from games.computer.othello_bits import (
    NONE,
    ONE,
    count,
    final,
    flips,
    index,
    mirrored,
    targets,
    transposed,
    turned_over,
)
from games.computer.othello_patterns import FEATURES, features, folding
from games.computer.othello_search import Search, deepened, played
from games.othello import GAME, OthelloPosition

START = 1 << 28 | 1 << 35, 1 << 27 | 1 << 36
"""The first position: of Black, of White."""


def late_after(questions: int) -> "LateAfter":
    return LateAfter(questions)


class LateAfter:
    """Says that it is late once it was asked so often."""

    def __init__(self, questions: int) -> None:
        self.left = questions

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


def never() -> bool:
    return False


def perft(own: int, other: int, depth: int) -> int:
    """The number of move sequences of this length, by the fast boards; a pass is a ply."""
    moves = int(targets(unsigned(own), unsigned(other)))
    if depth == 0:
        return 1
    if not moves:
        is_over = not targets(unsigned(other), unsigned(own))
        return 0 if is_over else perft(other, own, depth - 1)
    squares = [square for square in range(64) if moves >> square & 1]
    if depth == 1:
        return len(squares)
    return sum(perft(*played(own, other, square), depth - 1) for square in squares)


def board(free: int, rng: Random, *, rules: str = "othello") -> OthelloPosition:
    """A position with so many free squares that a match at random has come to."""
    options = GAME.options_from({"rules": rules})
    while True:
        position = GAME.start(options, GAME.new_setup(options, rng))
        while position.turn:
            if 64 - sum(position.score()) == free and position.targets:
                return position
            position = position.play(position.side, rng.choice(position.moves(position.side)))


def sides(position: OthelloPosition) -> tuple[int, int]:
    boards = position.black, position.white
    return boards if position.side == 0 else boards[::-1]


def margin(position: OthelloPosition) -> int:
    """What the side to move wins by if both play well: by the rules alone."""
    outcome = position.outcome()
    seat = position.side
    if outcome is not None:
        return outcome.scores[seat] - outcome.scores[1 - seat]
    return max(-margin(position.play(seat, move)) for move in position.moves(seat))


# Boards


@pytest.mark.parametrize(("depth", "expected"), [(1, 4), (2, 12), (3, 56), (4, 244), (5, 1396)])
def test_fast_boards_count_the_known_numbers(depth: int, expected: int) -> None:
    assert perft(*START, depth) == expected


def test_fast_boards_move_as_the_rules_do() -> None:
    rng = Random(1)
    for free in range(2, 60):
        position = board(free, rng)
        own, other = sides(position)
        assert targets(unsigned(own), unsigned(other)) == position.targets
        for move in position.moves(position.side):
            assert move.square is not None
            flipped = flips(unsigned(1 << move.square), unsigned(own), unsigned(other))
            assert flipped == position.flips(move)


def test_images_are_what_a_mirror_shows() -> None:
    mask = Random(2).getrandbits(64)
    squares = [(square % 8, square // 8) for square in range(64) if mask >> square & 1]
    mirror = unsigned(mask)
    assert mirrored(mirror) == sum(1 << 8 * row + 7 - column for column, row in squares)
    assert turned_over(mirror) == sum(1 << 8 * (7 - row) + column for column, row in squares)
    assert transposed(mirror) == sum(1 << 8 * column + row for column, row in squares)


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
    places, _ = folding()
    found = [0] * FEATURES
    position = board(30, Random(3))
    seen = set()
    images = [tuple(map(unsigned, sides(position)))]
    for image in (mirrored, turned_over, transposed):
        images += [tuple(unsigned(image(mask)) for mask in masks) for masks in images]
    assert len(set(images)) == 8
    from games.computer.accelerated import table

    room = table(found)
    for own, other in images:
        features(own, other, room)
        seen.add(tuple(sorted(places[place] for place in room)))
    assert len(seen) == 1


# Search


@pytest.mark.parametrize("free", [1, 2, 3, 4, 5, 6, 7])
def test_the_end_is_solved_as_the_rules_have_it(free: int) -> None:
    rng = Random(free)
    search = Search(1 << 10)
    for _ in range(8 if free < 6 else 2):
        position = board(free, rng)
        found = deepened(search, *sides(position), depth=60, solve_at=20, margin=0, is_late=never)
        assert found[0].is_exact
        assert found[0].value == 100 * margin(position)


# The player


@pytest.mark.parametrize("rules", ["othello", "reversi"])
@pytest.mark.parametrize("level", range(1, LEVELS + 1))
def test_every_level_plays_to_the_end(rules: str, level: int) -> None:
    options = GAME.options_from({"rules": rules})
    rng = Random(level)
    position = GAME.start(options, GAME.new_setup(options, rng))
    while position.turn:
        seat = position.side
        move = PLAYER.choose(position, seat, level=level, rng=rng, is_late=late_after(3))
        position = position.play(seat, move)
    assert position.outcome() is not None


@pytest.mark.parametrize("level", [0, 6])
def test_a_level_that_does_not_exist_is_refused(level: int) -> None:
    with pytest.raises(ValueError, match=str(level)):
        PLAYER.choose(board(30, Random(1)), 0, level=level, rng=Random())
