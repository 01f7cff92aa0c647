"""Othello and Reversi: counts, refusals, passes, endings, and matches that were really played."""

from random import Random

import pytest

from games import AmbiguousMove, GameError, IllegalMove, InvalidMove, InvalidSetup, Note, Outcome
from games.othello import DIRECTIONS, GAME, PASS, SQUARES, LastMove, Move, OthelloPosition
from tests.games.playing import Case, play_out

OTHELLO = GAME.options_from({})
REVERSI = GAME.options_from({"rules": "reversi"})
CASES = [Case(GAME, ()), Case(GAME, (("rules", "reversi"),))]

# One disc on d3 encloses three lines here: to the east, south east and south.
THREE_LINES = """
. . . . . . . .
. . . . . . . .
. . . . O X . .
. . . O O . . .
. . . X X X . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
"""


def board(drawn: str, side: str = "X", *, rules: str = "othello") -> OthelloPosition:
    return GAME.start({"rules": rules}, f"{''.join(drawn.split())} {side}")


def start(options: dict[str, str] = OTHELLO) -> OthelloPosition:
    return GAME.start(options, GAME.new_setup(options, Random()))


def played(transcript: str, position: OthelloPosition) -> OthelloPosition:
    """Play a transcript without passes, as collections write them."""
    text = transcript.replace(" ", "")
    for square in (text[index : index + 2] for index in range(0, len(text), 2)):
        forced = position.forced()
        if forced:
            position = position.play(*forced)
        position = position.play(position.side, GAME.parse(position, position.side, square))
    return position


def names(position: OthelloPosition) -> list[str]:
    return [GAME.notation(move) for move in position.moves(position.side)]


def perft(position: OthelloPosition, depth: int) -> int:
    """Count the move sequences of this length; a pass is a ply."""
    moves = position.moves(position.side)
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(position.side, move), depth - 1) for move in moves)


# Rules


def test_the_start_is_the_tournament_one() -> None:
    position = start()
    assert {SQUARES[n]: position.disc(n) for n in range(64) if position.disc(n) is not None} == {
        "d4": 1,
        "e4": 0,
        "d5": 0,
        "e5": 1,
    }
    assert position.turn == {0}
    assert set(names(position)) == {"c4", "d3", "e6", "f5"}


@pytest.mark.parametrize(
    ("depth", "count"), [(1, 4), (5, 1396), pytest.param(7, 55092, marks=pytest.mark.slow)]
)
def test_perft_counts_the_known_numbers(depth: int, count: int) -> None:
    assert perft(start(), depth) == count


def enclosed(position: OthelloPosition, square: int, seat: int) -> dict[str, set[int]]:
    """Return the lines that a disc encloses, found square by square."""
    lines = {}
    for name, (right, down) in DIRECTIONS.items():
        column, row, line = square % 8 + right, square // 8 + down, set[int]()
        while 0 <= column < 8 and 0 <= row < 8 and position.disc(8 * row + column) == 1 - seat:
            line.add(8 * row + column)
            column, row = column + right, row + down
        is_closed = 0 <= column < 8 and 0 <= row < 8 and position.disc(8 * row + column) == seat
        if line and is_closed:
            lines[name] = line
    return lines


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_bitboards_agree_with_counting_by_hand(case: Case, seed: int) -> None:
    for position in play_out(case, seed).positions:
        assert isinstance(position, OthelloPosition)
        if position.is_opening or not position.turn:
            continue
        seat = position.side
        expected: dict[Move, set[int]] = {}
        for square in range(64):
            lines = enclosed(position, square, seat) if position.disc(square) is None else {}
            if lines and (position.rules == "othello" or len(lines) == 1):
                expected[Move(square)] = set[int]().union(*lines.values())
            else:
                expected |= {Move(square, name): line for name, line in lines.items()}
        assert set(position.moves(seat)) == set(expected or {PASS: set()})
        for move, flipped in expected.items():
            after = position.play(seat, move)
            changed = {n for n in range(64) if after.disc(n) != position.disc(n)}
            assert changed == flipped | {move.square}
            assert all(after.disc(n) == seat for n in changed)
            assert after.last == LastMove(seat, move.square or 0, tuple(sorted(flipped)))


@pytest.mark.parametrize(
    ("text", "kind", "code"),
    [
        ("d4", IllegalMove, "occupied"),
        ("a1", IllegalMove, "flips-nothing"),
        ("e3", IllegalMove, "flips-nothing"),
        ("pass", IllegalMove, "can-move"),
        ("i4", IllegalMove, "off-board"),
        ("d9", IllegalMove, "off-board"),
        ("d0", IllegalMove, "off-board"),
        ("d10", IllegalMove, "off-board"),
        ("", InvalidMove, "notation"),
        ("44", InvalidMove, "notation"),
        ("d3d", InvalidMove, "notation"),
        ("d3:e", InvalidMove, "notation"),
        ("ask 17", InvalidMove, "notation"),
    ],
)
def test_a_refusal_names_its_reason(text: str, kind: type[GameError], code: str) -> None:
    position = start()
    with pytest.raises(kind) as refusal:
        position.play(0, GAME.parse(position, 0, text))
    assert refusal.value.code == code


@pytest.mark.parametrize("text", ["d3", "D3", " d 3 ", "d3.", "d-3", "d–3", "d,3", "D03"])
def test_a_square_is_understood_however_it_is_typed(text: str) -> None:
    assert GAME.parse(start(), 0, text) == Move(SQUARES.index("d3"))


# Passes and endings

# The shortest way to a pass, found by breadth-first search.
TO_A_PASS = "d3 c3 b3 b2 f5 a3 a1 c1"


def test_a_forced_pass_is_played_by_the_position_itself() -> None:
    position = played(TO_A_PASS, start())
    assert position.moves(0) == (PASS,)
    assert position.forced() == (0, PASS)
    with pytest.raises(IllegalMove, match="flips-nothing"):
        position.play(0, Move(SQUARES.index("h8")))
    after = position.play(0, PASS)
    assert after.turn == {1}
    assert after.forced() is None
    assert (after.black, after.white) == (position.black, position.white)


def test_a_pass_is_a_fact_until_the_next_disc_and_keeps_the_last_disc_marked() -> None:
    position = played(TO_A_PASS, start())
    passed = position.play(0, PASS)
    assert passed.passed
    assert passed.last == position.last
    assert passed.last == LastMove(1, SQUARES.index("c1"), (SQUARES.index("b2"),))
    assert Note("passed", {"seat": 0}) in GAME.facts(passed)
    moved = passed.play(1, passed.moves(1)[0])
    assert not moved.passed
    assert len(GAME.facts(moved)) == 1


@pytest.mark.parametrize("word", ["pass", "Pass", " PASS."])
def test_a_pass_has_a_word(word: str) -> None:
    position = played(TO_A_PASS, start())
    assert GAME.parse(position, 0, word) == PASS
    assert GAME.notation(PASS) == "pass"
    assert GAME.steps(PASS) == ("pass",)


def test_the_shortest_match_ends_in_a_wipe_out_of_64_to_0() -> None:
    position = played("e6 f4 e3 f6 g5 d6 e7 f5 c5", start())
    assert position.disc_counts() == (13, 0)
    assert position.outcome() == Outcome(frozenset({0}), "wipe-out", (64, 0))
    assert GAME.facts(position) == ()


def test_free_squares_go_to_the_winner() -> None:
    rows = [*["O" * 8] * 5, *["." * 8] * 2, "XXXX...."]
    position = board("\n".join(rows))
    assert position.outcome() == Outcome(frozenset({1}), "discs", (4, 60))
    assert GAME.facts(position) == (Note("credited", {"seat": 1, "count": 20}),)


def test_free_squares_do_not_count_in_a_draw() -> None:
    rows = ["O" * 8, "." * 8, *["X" * 8] * 3, "." * 8, *["O" * 8] * 2]
    position = board("\n".join(rows))
    assert position.outcome() == Outcome(frozenset(), "draw", (24, 24))
    assert GAME.facts(position) == ()


def test_a_move_tells_beforehand_what_it_flips() -> None:
    position = board(THREE_LINES)
    assert GAME.effect(position, 0, Move(SQUARES.index("d3"))) == Note("flips", {"count": 3})
    assert GAME.effect(start(REVERSI), 0, Move(SQUARES.index("d4"))) is None


# Setups


@pytest.mark.parametrize(
    ("options", "setup"),
    [
        (OTHELLO, "." * 64 + " X"),
        (OTHELLO, "X" * 64),
        (OTHELLO, "X" * 64 + " x"),
        (OTHELLO, "X" * 63 + " X"),
        (OTHELLO, "X" * 65 + " X"),
        (OTHELLO, "X" * 64 + " X\n"),
        (OTHELLO, "x" * 64 + " X"),
        (REVERSI, "." * 64 + " O"),
        (REVERSI, "." * 27 + "X" + "." * 36 + " X"),
        (REVERSI, "." * 27 + "O" + "." * 36 + " X"),
        (REVERSI, "X" + "." * 63 + " O"),
        (REVERSI, "." * 27 + "XX" + "." * 35 + " X"),
    ],
)
def test_setups_that_no_match_can_have_are_refused(options: dict[str, str], setup: str) -> None:
    with pytest.raises(InvalidSetup, match="setup why="):
        GAME.start(options, setup)


def test_a_setup_may_begin_anywhere_with_either_side() -> None:
    assert names(board(THREE_LINES)) == ["e2", "c3", "d3"]
    assert board(THREE_LINES, "O").turn == {1}


# Reversi


@pytest.mark.parametrize("order", [("d4", "e4", "d5", "e5"), ("e5", "d4", "e4", "d5")])
def test_any_order_of_the_first_four_discs_leads_into_play(order: tuple[str, ...]) -> None:
    position = start(REVERSI)
    for ply, square in enumerate(order):
        assert set(names(position)) == set(order[ply:])
        assert Note("opening", {"count": 4 - ply}) in GAME.facts(position)
        position = position.play(ply % 2, GAME.parse(position, ply % 2, square))
        assert position.last == LastMove(ply % 2, SQUARES.index(square), ())
    assert position.disc_counts() == (2, 2)
    assert position.turn == {0}
    assert position.forced() is None
    assert len(names(position)) == 4


def test_the_first_four_discs_belong_into_the_centre() -> None:
    position = start(REVERSI).play(0, Move(SQUARES.index("d4")))
    with pytest.raises(IllegalMove, match="not-centre square=c4"):
        position.play(1, GAME.parse(position, 1, "c4"))
    with pytest.raises(IllegalMove, match="occupied square=d4"):
        position.play(1, GAME.parse(position, 1, "d4"))
    with pytest.raises(IllegalMove, match="no-line"):
        position.play(1, GAME.parse(position, 1, "e4:w"))


def test_a_move_in_reversi_flips_one_line() -> None:
    position = board(THREE_LINES, rules="reversi")
    assert [name for name in names(position) if name.startswith("d3")] == ["d3:e", "d3:se", "d3:s"]
    after = position.play(0, GAME.parse(position, 0, "d3:e"))
    assert after.last == LastMove(0, SQUARES.index("d3"), (SQUARES.index("e3"),))
    assert after.disc(SQUARES.index("d4")) == 1
    assert GAME.effect(position, 0, Move(SQUARES.index("d3"), "s")) == Note("flips", {"count": 1})


@pytest.mark.parametrize("text", ["d3:se", "D3 SE", "d3-se", "d3se", "d3: se", "d3.SE"])
def test_a_direction_is_understood_however_it_is_typed(text: str) -> None:
    position = board(THREE_LINES, rules="reversi")
    assert GAME.parse(position, 0, text) == Move(SQUARES.index("d3"), "se")


@pytest.mark.parametrize("text", ["d3", "d3:n", "d3:w"])
def test_the_line_has_to_be_said_where_there_are_several(text: str) -> None:
    position = board(THREE_LINES, rules="reversi")
    with pytest.raises(AmbiguousMove) as refusal:
        GAME.parse(position, 0, text)
    assert refusal.value.details == {"moves": "d3:e, d3:se, d3:s"}
    with pytest.raises(IllegalMove, match="no-line"):
        position.play(0, Move(SQUARES.index("d3")))


def test_an_only_line_need_not_be_said() -> None:
    position = board(THREE_LINES, rules="reversi")
    assert GAME.parse(position, 0, "c3") == GAME.parse(position, 0, "c3:se")
    assert GAME.notation(GAME.parse(position, 0, "c3:se")) == "c3"
    with pytest.raises(IllegalMove, match="no-line moves=c3"):
        position.play(0, GAME.parse(position, 0, "c3:n"))
