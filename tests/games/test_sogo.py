"""Sogo: the rules, both variants, both notations, the example of the article."""

from itertools import product
from random import Random

import pytest

from games.base import (
    AmbiguousMove,
    GameError,
    IllegalMove,
    InvalidMove,
    InvalidSetup,
    Note,
    Outcome,
    bits,
)
from games.sogo import GAME, Move, SogoPosition, board
from tests.optional import not_none

# The position in the article's "Notation", stone by stone, in its two notations.
EXAMPLE_HEX = ("01, 02, 11, 41, 52, 91, D1, F2", "12, 21, 51, 81, C1, D2, F1")
EXAMPLE_CHESS = (
    "A4-1 , A4-2, A3-1, B4-1, B3-2, C3-1, D3-1, D1-2",
    "A3-2, A2-1, B3-1, C4-1, D4-1, D3-2, D1-1",
)
EXAMPLE = "WW/WB/B/-/W/BW/-/-/B/W/-/-/B/WB/-/BW B 0 0"

SIZES = (3, 4, 5)


def new(size: int = 4, variant: str = "line") -> SogoPosition:
    options = {"size": str(size), "variant": variant}
    return GAME.start(options, GAME.new_setup(options, Random(0)))


def at(setup: str, size: int = 4, variant: str = "line") -> SogoPosition:
    return GAME.start({"size": str(size), "variant": variant}, setup)


def rods(**stones: str) -> str:
    """Return the rods of a setup on size 4 from those that are not empty: ``a1="WB"``."""
    names = [board(4).name(rod) for rod in range(16)]
    assert set(stones) <= set(names)
    return "/".join(stones.get(name, "-") for name in names)


def played(moves: str, size: int = 4, variant: str = "line") -> SogoPosition:
    position = new(size, variant)
    for text in moves.split():
        position = position.play(position.side, GAME.parse(position, position.side, text))
    return position


def cells(position: SogoPosition, stones: int, form: str = "chess") -> set[str]:
    return {position.board.cell_name(cell, form) for cell in bits(stones)}


def refusal(position: SogoPosition, text: str) -> tuple[type[GameError], str, dict[str, str | int]]:
    with pytest.raises(GameError) as caught:
        position.play(position.side, GAME.parse(position, position.side, text))
    return type(caught.value), caught.value.code, caught.value.details


class Plain:
    """The rules once more without bitboards, as lists of rods: the engine's second opinion."""

    def __init__(self, size: int, variant: str) -> None:
        self.size, self.variant = size, variant
        self.rods: dict[tuple[int, int], list[int]] = {
            (file, rank): [] for file in range(size) for rank in range(size)
        }
        self.captures, self.placed, self.won = [0, 0], 0, False

    def owner(self, file: int, rank: int, level: int) -> int | None:
        rod = self.rods.get((file, rank), [])
        return rod[level] if 0 <= level < len(rod) else None

    def lines_at(self, file: int, rank: int, level: int) -> int:
        """Count the lines of its owner through a stone."""
        seat, found = self.owner(file, rank, level), 0
        for a, b, c in product((-1, 0, 1), repeat=3):
            if (a, b, c) <= (0, 0, 0):
                continue
            run = 1
            for sign in (1, -1):
                i = 1
                while (
                    self.owner(file + sign * i * a, rank + sign * i * b, level + sign * i * c)
                    == seat
                ):
                    run, i = run + 1, i + 1
            found += run == self.size
        return found

    def moves(self) -> set[str]:
        seat = self.placed % 2
        if self.won or self.placed == self.size**3:
            return set()
        found: set[str] = set()
        for at, rod in self.rods.items():
            if len(rod) == self.size:
                continue
            rod.append(seat)
            taken: list[tuple[int, int]] = []
            if self.variant == "capture" and self.lines_at(*at, len(rod) - 1):
                tops = [at for at, rod in self.rods.items() if rod and rod[-1] != seat]
                free = [top for top in tops if not self.lines_at(*top, len(self.rods[top]) - 1)]
                taken = free or tops
            rod.pop()
            found |= {self.name(at) + "x" + self.name(top) for top in taken} or {self.name(at)}
        return found

    def play(self, text: str) -> None:
        seat = self.placed % 2
        at, _, taken = text.partition("x")
        rod = self.rods[self.place(at)]
        rod.append(seat)
        self.placed += 1
        self.won = self.variant == "line" and bool(self.lines_at(*self.place(at), len(rod) - 1))
        if taken:
            assert self.rods[self.place(taken)].pop() != seat
            self.captures[seat] += 1

    @staticmethod
    def name(at: tuple[int, int]) -> str:
        return "abcde"[at[0]] + str(at[1] + 1)

    @staticmethod
    def place(name: str) -> tuple[int, int]:
        return "abcde".index(name[0]), int(name[1]) - 1


def test_the_lines_of_the_rule_text_are_counted_class_by_class() -> None:
    assert {kind: len(lines) for kind, lines in board(4).lines.items()} == {
        "stack": 16,
        "row": 16,
        "column": 16,
        "row-diagonal": 8,
        "column-diagonal": 8,
        "level-diagonal": 8,
        "space-diagonal": 4,
    }


@pytest.mark.parametrize(("size", "lines"), [(3, 49), (4, 76), (5, 109)])
def test_every_line_is_counted_once_and_has_as_many_cells_as_the_board_is_wide(
    size: int, lines: int
) -> None:
    every = board(size).every_line
    assert len(every) == len(set(every)) == lines
    assert {line.bit_count() for line in every} == {size}


@pytest.mark.parametrize("size", SIZES)
def test_a_cell_knows_the_lines_through_it(size: int) -> None:
    its = board(size)
    for cell, rests in enumerate(its.through):
        assert {rest | 1 << cell for rest in rests} == {
            line for line in its.every_line if line >> cell & 1
        }
        assert not any(rest >> cell & 1 for rest in rests)


@pytest.mark.parametrize("variant", ["line", "capture"])
@pytest.mark.parametrize("size", SIZES)
def test_the_engine_agrees_with_the_rules_written_down_without_bitboards(
    size: int, variant: str
) -> None:
    captures = 0
    for seed in range(3):
        luck = Random(seed)
        position, plain = new(size, variant), Plain(size, variant)
        while position.turn:
            moves = {GAME.notation(move): move for move in position.moves(position.side)}
            assert set(moves) == plain.moves()
            text = luck.choice(sorted(moves))
            plain.play(text)
            position = position.play(position.side, moves[text])
            assert list(position.captures) == plain.captures
        assert plain.moves() == set()
        captures += sum(position.captures)
    assert (captures > 0) == (variant == "capture")


# The example of the article.


def test_the_example_position_is_the_same_in_both_notations() -> None:
    position = at(EXAMPLE)
    for seat in (0, 1):
        assert cells(position, position.stones[seat], "hex") == set(EXAMPLE_HEX[seat].split(", "))
        chess = {name.strip().lower() for name in EXAMPLE_CHESS[seat].split(",")}
        assert cells(position, position.stones[seat]) == chess
    assert position.turn == {1}


def test_whites_only_hole_in_the_example_is_c2_2_and_black_must_not_play_below_it() -> None:
    position = at(EXAMPLE)
    assert cells(position, position.holes(0), "hex") == {"A2"}
    assert cells(position, position.holes(0)) == {"c2-2"}
    assert cells(position, position.forbidden(1)) == {"c2-1"}
    assert position.holes(1) == position.forbidden(0) == 0


def test_who_plays_to_the_forbidden_cell_of_the_example_loses() -> None:
    position = at(EXAMPLE).play(1, Move(10))
    white = GAME.parse(position, 0, "c2")
    assert GAME.effect(position, 0, white) == Note("wins", {"lines": 1})
    position = position.play(0, white)
    assert position.outcome() == Outcome(frozenset({0}), "line", (1, 0))
    assert cells(position, position.closed, "hex") == {"02", "52", "A2", "F2"}


def test_a_cell_that_completes_a_line_of_ones_own_is_not_forbidden() -> None:
    # d1 completes White's row at height 2 and, below it, Black's row at height 1.
    position = at(rods(a1="BW", b1="BW", c1="BW") + " W 0 0")
    assert cells(position, position.holes(0)) == {"d1-2"}
    assert cells(position, position.holes(1)) == {"d1-1"}
    assert position.forbidden(1) == 0


# Lines, draws, the end.


def test_black_wins_with_a_line_of_his_own() -> None:
    outcome = played("a1 b1 a1 b1 a1 b1 c1 b1").outcome()
    assert outcome == Outcome(frozenset({1}), "line", (0, 1))


def full_board() -> str:
    """Return a full board without a line, found at random: rods in the setup's order."""
    luck = Random(1)
    while True:
        position = new()
        while position.turn:
            safe = [
                move
                for move in position.moves(position.side)
                if position.play(position.side, move).outcome() is None
                or position.placed == position.board.cells - 1
            ]
            position = position.play(
                position.side, luck.choice(safe or position.moves(position.side))
            )
        if not position.closed:
            return position.setup()


def test_a_full_board_without_a_line_is_a_draw() -> None:
    position = at(full_board())
    assert position.placed == 64
    assert position.turn == frozenset()
    assert position.outcome() == Outcome(frozenset(), "full", (0, 0))


def test_no_side_can_win_where_the_last_stone_closes_no_line() -> None:
    assert all(new().can_win(seat) for seat in (0, 1))
    rods, _, *captures = full_board().split()
    stones = rods.split("/")
    last = next(at for at, rod in enumerate(stones) if rod.endswith("B"))
    stones[last] = stones[last][:-1]
    position = at(" ".join(["/".join(stones), "B", *captures]))
    assert position.turn == {1}
    assert not any(position.can_win(seat) for seat in (0, 1))


@pytest.mark.parametrize(
    ("captures", "able"), [((0, 0), {0, 1}), ((2, 1), {0, 1}), ((3, 1), {0}), ((1, 3), {1})]
)
def test_each_stone_that_is_left_takes_one_at_most(
    captures: tuple[int, int], able: set[int]
) -> None:
    # Of 64 stones 60 were placed: two are left for each side.
    white, black = captures
    ends_black = ["WBW"] * white + ["WBWB"] * (8 - white)
    ends_white = ["BWB"] * black + ["BWBW"] * (7 - black)
    rods = "/".join([*ends_black, *ends_white, "-"])
    position = at(f"{rods} W {white} {black}", variant="capture")
    assert {seat for seat in (0, 1) if position.can_win(seat)} == able


def test_a_line_is_worth_one_and_nothing_is_before() -> None:
    assert played("a1 b1").scores() == (0, 0)
    assert played("a1 b1 a1 b1 a1 b1 a1").scores() == (1, 0)


# The variant with captures. a1 is rod 3, the setup's fourth field.


def test_a_line_takes_one_stone_from_the_top_of_a_rod() -> None:
    position = played("a1 b1 a1 b1 a1 c1", variant="capture")
    assert [GAME.notation(move) for move in position.moves(0)][3:5] == ["a1xb1", "a1xc1"]
    after = position.play(0, Move(3, 7))
    assert after.captures == (1, 0)
    assert cells(after, after.stones[1]) == {"b1-1", "c1-1"}
    assert cells(after, after.closed) == {"a1-1", "a1-2", "a1-3", "a1-4"}
    assert after.turn == {1}


def test_two_lines_at_once_take_one_stone() -> None:
    stones = rods(b1="WB", c1="WB", d1="WB", a2="WB", a3="WB", a4="WB")
    position = at(f"{stones} W 0 0", variant="capture")
    move = GAME.parse(position, 0, "a1xa4")
    assert GAME.effect(position, 0, move) == Note("takes", {"stone": "a4", "lines": 2})
    after = position.play(0, move)
    assert after.captures == (1, 0)
    assert after.closed.bit_count() == 7


def test_a_stone_in_a_line_is_not_taken_while_there_is_another() -> None:
    stones = rods(a1="WWW", b1="BBBB", c1="B", d2="W", d4="W")
    position = at(f"{stones} W 0 0", variant="capture")
    assert cells(position, position.takeable(3)) == {"c1-1"}
    assert refusal(position, "a1xb1") == (
        IllegalMove,
        "cannot-take",
        {"stone": "b1", "why": "line", "stones": "c1"},
    )


def test_a_stone_in_a_line_is_taken_when_there_is_no_other() -> None:
    position = at(f"{rods(a1='WWW', b1='BBBB', d2='W')} W 0 0", variant="capture")
    assert cells(position, position.takeable(3)) == {"b1-4"}
    assert position.play(0, GAME.parse(position, 0, "a1xb1")).captures == (1, 0)


def test_a_line_takes_nothing_where_every_stone_of_the_opponents_is_covered() -> None:
    # The stone that completes the row at height 2 covers Black's only free one.
    stones = rods(a1="BW", b1="BW", c1="BW", d4="W", d1="B")
    position = at(f"{stones} W 0 0", variant="capture")
    assert position.takeable(15) == 0
    move = GAME.parse(position, 0, "d1")
    assert GAME.effect(position, 0, move) == Note("closes", {"lines": 1})
    after = position.play(0, move)
    assert after.captures == (0, 0)
    assert GAME.facts(after)[0] == Note("nothing-to-take", {"seat": 0})


def test_a_line_that_was_broken_counts_again_when_it_is_closed_again() -> None:
    stones = rods(a1="WWWW", b1="BBB", c1="WB", d1="WB")
    position = at(f"{stones} B 1 1", variant="capture")
    broken = position.play(1, GAME.parse(position, 1, "b1xa1"))
    assert broken.captures == (1, 2)
    assert broken.play(0, GAME.parse(broken, 0, "a1xc1")).captures == (2, 2)


@pytest.mark.parametrize(("size", "white", "black"), [(3, 14, 13), (4, 32, 32), (5, 63, 62)])
def test_captures_end_when_each_side_has_placed_its_half_of_the_stones(
    size: int, white: int, black: int
) -> None:
    luck, position, placed = Random(2), new(size, "capture"), [0, 0]
    while position.turn:
        placed[position.side] += 1
        position = position.play(position.side, luck.choice(position.moves(position.side)))
    assert placed == [white, black]
    assert (position.stones[0] | position.stones[1]).bit_count() < size**3
    outcome = not_none(position.outcome())
    assert outcome.scores == position.captures


@pytest.mark.parametrize(
    ("captures", "winners", "reason"),
    [("3 1", {0}, "captures"), ("1 3", {1}, "captures"), ("2 2", set(), "equal")],
)
def test_most_captures_win(captures: str, winners: set[int], reason: str) -> None:
    # 60 stones on the board, 4 taken: the counts of both colours follow from who took them.
    taken = {"3 1": (1, 3), "1 3": (3, 1), "2 2": (2, 2)}[captures]
    stones = ["W"] * (32 - taken[0]) + ["B"] * (32 - taken[1]) + [""] * 4
    rods = ["".join(stones[i::16]) for i in range(16)]
    end = at(f"{'/'.join(rods)} W {captures}", variant="capture")
    outcome = not_none(end.outcome())
    assert (set(outcome.winners), outcome.reason) == (winners, reason)
    # How many were captured, or that all are placed, is said by then.
    assert [note.code for note in GAME.facts(end)] == (["stones"] if winners else [])


# Notation.


@pytest.mark.parametrize(
    ("text", "rod"),
    [
        ("b3", "b3"),
        (" B3. ", "b3"),
        ("b 3", "b3"),
        ("b3-1", "b3"),
        ("B3 \u2013 1", "b3"),
        ("5", "b3"),
        ("5-1", "b3"),
        ("51", "b3"),
        ("b", "c1"),
        ("C", "d4"),
        ("f-1", "d1"),
        ("0", "a4"),
        ("01", "a4"),
        ("b2", "b2"),
    ],
)
def test_rods_are_read_in_both_notations(text: str, rod: str) -> None:
    assert GAME.notation(GAME.parse(new(), 0, text)) == rod


def test_the_rods_of_other_sizes_are_numbered_on_in_base_36() -> None:
    assert [board(3).name(rod, "hex") for rod in range(9)] == list("012345678")
    assert "".join(board(5).name(rod, "hex") for rod in range(25)) == "0123456789ABCDEFGHIJKLMNO"
    assert GAME.notation(GAME.parse(new(5), 0, "o")) == "e1"
    assert GAME.notation(GAME.parse(new(3), 0, "8")) == "c1"


@pytest.mark.parametrize(
    "text", ["a1xb1", "a1 b1", "A1 x B1", "a1b1", "a1-4xb1-3", "3x7", "3 7", "a1\u00d7b1", "3xb1"]
)
def test_captures_are_read_in_many_ways(text: str) -> None:
    position = played("a1 b1 a1 b1 a1 b1", variant="capture")
    move = GAME.parse(position, 0, text)
    assert GAME.notation(move) == "a1xb1"
    assert GAME.notation(move, "hex") == "3x7"
    assert GAME.steps(move) == ("a1", "b1")
    assert move in position.moves(0)


def test_a_letter_and_a_digit_with_a_space_are_two_rods_where_only_that_is_legal() -> None:
    # B is c1 and 3 is a1: "b 3" could be the rod b3, too.
    position = at("-/-/-/B/-/BBBW/-/BB/-/-/-/WWW/-/-/-/WW W 0 0", variant="capture")
    with pytest.raises(IllegalMove, match="full"):
        position.play(0, GAME.parse(position, 0, "b3"))
    assert GAME.notation(GAME.parse(position, 0, "b 3")) == "c1xa1"


def test_a_letter_and_a_digit_with_a_space_are_asked_about_where_both_are_legal() -> None:
    position = played("c1 a1 c1 a1 c1 a1", variant="capture")
    with pytest.raises(AmbiguousMove) as caught:
        GAME.parse(position, 0, "b 3")
    assert caught.value.details == {"moves": "b3, c1xa1"}


@pytest.mark.parametrize(
    "text", ["", "x", "hello", "b3x", "a1xb1xc1", "a1 b1 c1", "b3-", "٣", "-1"]
)
def test_what_is_no_move_is_refused_as_no_notation(text: str) -> None:
    with pytest.raises(InvalidMove) as caught:
        GAME.parse(new(), 0, text)
    assert (caught.value.code, caught.value.details) == ("notation", {"text": text})


# Refusals.


@pytest.mark.parametrize(
    ("text", "square"),
    [("e1", "e1"), ("a5", "a5"), ("B0", "b0"), ("g", "g"), ("b3-5", "b3-5"), ("a1xz9", "z9")],
)
def test_a_rod_off_the_board_is_named(text: str, square: str) -> None:
    assert refusal(new(), text) == (IllegalMove, "off-board", {"square": square})


def test_rods_depend_on_the_size_of_the_board() -> None:
    assert refusal(new(3), "d1") == (IllegalMove, "off-board", {"square": "d1"})
    assert refusal(new(3), "9") == (IllegalMove, "off-board", {"square": "9"})
    with pytest.raises(IllegalMove, match="off-board"):
        new(3).play(0, Move(0, size=4))
    with pytest.raises(IllegalMove, match="off-board"):
        new().play(0, Move(16))


def test_a_full_rod_is_refused() -> None:
    position = played("a1 a1 a1 a1")
    assert refusal(position, "a1") == (IllegalMove, "full", {"rod": "a1"})
    assert refusal(position, "a1-4") == (IllegalMove, "full", {"rod": "a1"})


def test_a_height_that_the_stone_would_not_get_is_refused() -> None:
    details = {"rod": "a1", "height": 3, "due": 2}
    assert refusal(played("a1"), "a1-3") == (IllegalMove, "wrong-height", details)
    assert refusal(played("a1"), "33") == (IllegalMove, "wrong-height", details)


def test_a_capture_that_is_due_must_be_made() -> None:
    position = played("a1 b1 a1 b1 a1 c1", variant="capture")
    details = {"rod": "a1", "stones": "b1, c1", "example": "a1xb1"}
    assert refusal(position, "a1") == (IllegalMove, "capture-due", details)


@pytest.mark.parametrize("variant", ["line", "capture"])
def test_a_capture_that_is_not_due_is_refused(variant: str) -> None:
    position = played("a1 b1", variant=variant)
    assert refusal(position, "a1xb1") == (IllegalMove, "no-capture-due", {"rod": "a1"})


@pytest.mark.parametrize(
    ("text", "stone", "why"),
    [
        ("a1xd4", "d4", "empty"),
        ("a1xd1", "d1", "own"),
        ("a1xa1", "a1", "own"),
        ("a1xb1-1", "b1-1", "covered"),
        ("a1xb1-3", "b1-3", "empty"),
    ],
)
def test_what_cannot_be_taken_is_refused_with_the_reason(text: str, stone: str, why: str) -> None:
    position = played("a1 b1 a1 b1 a1 d1 d1 c1", variant="capture")
    details = {"stone": stone, "why": why, "stones": "b1, c1"}
    assert refusal(position, text) == (IllegalMove, "cannot-take", details)


# Effects and facts.


def test_an_effect_tells_that_a_move_blocks_a_line() -> None:
    position = played("a1 b1 a1 b1 a1")
    assert GAME.effect(position, 1, GAME.parse(position, 1, "a1")) == Note("blocks", {"lines": 1})
    assert GAME.effect(position, 1, GAME.parse(position, 1, "c4")) is None


def test_the_facts_tell_how_many_stones_are_placed() -> None:
    assert GAME.facts(played("a1 b1 a1")) == (Note("stones", {"placed": 3, "total": 64}),)


def test_the_facts_tell_the_captures_and_the_one_just_made() -> None:
    assert GAME.facts(played("a1 b1 a1 b1 a1 b1 a1xb1", variant="capture")) == (
        Note("took", {"seat": 0, "stone": "b1"}),
        Note("captures", {"white": 1, "black": 0}),
        Note("stones", {"placed": 7, "total": 64}),
    )


# Setups, values.


@pytest.mark.parametrize(
    ("setup", "why"),
    [
        ("", "not rods, side"),
        (rods(), "not rods, side"),
        (f"{rods()} X 0 0", "not rods, side"),
        (f"{rods()}  W 0 0", "not rods, side"),
        (f"{rods()} W 0 0 0", "not rods, side"),
        ("-/-/-/-/-/-/-/-/- W 0 0", "9 rods instead of 16"),
        (f"{rods(a2='WX')} W 0 0", "rod 2"),
        (f"{rods(a2='')} W 0 0", "rod 2"),
        (f"{rods(b3='WBWBW')} B 0 0", "rod 5"),
        (f"{rods()} B 0 0", "do not fit the side"),
        (f"{rods(a3='W')} W 0 0", "do not fit the side"),
        (f"{rods(a3='BW', a2='B')} B 0 0", "do not fit the side"),
        (f"{rods()} W 0 x", "two counts"),
        (f"{rods()} W 00 0", "two counts"),
        (f"{rods()} W -1 0", "two counts"),
        (f"{rods()} W ² 0", "two counts"),
        (f"{rods()} W 1 1", "variant without"),
        (f"{rods(a4='WWWW', a3='BBB', a2='B')} W 0 0", "the side to move has a line"),
        (f"{rods(a4='WWWW', a3='BBBB')} W 0 0", "the side to move has a line"),
        (f"{rods(a4='WWWW', a3='WWWW', a2='BBB', a1='BBB', b4='B')} B 0 0", "no last stone"),
    ],
)
def test_a_broken_setup_is_refused(setup: str, why: str) -> None:
    with pytest.raises(InvalidSetup) as caught:
        at(setup)
    assert caught.value.code == "setup"
    assert why in str(caught.value.details["why"])


def test_a_line_whose_every_stone_is_covered_cannot_have_been_the_last_move() -> None:
    with pytest.raises(InvalidSetup, match="no last stone"):
        at(f"{rods(a1='WB', b1='WB', c1='WB', d1='WW', a4='B')} B 0 0")
    won = at(f"{rods(a1='WB', b1='WB', c1='WB', d1='W', d4='W', a4='B')} B 0 0")
    assert cells(won, won.closed) == {"a1-1", "b1-1", "c1-1", "d1-1"}


def test_a_finished_position_can_be_set_up() -> None:
    position = at(f"{rods(a4='WWWW', a3='BBB')} B 0 0")
    assert position.outcome() == Outcome(frozenset({0}), "line", (1, 0))


@pytest.mark.parametrize(
    "setup", [f"{rods()} W 1 1", f"{rods(a1='WWW')} W 3 0", f"{rods(a1='BBB')} W 0 3"]
)
def test_captures_need_lines_that_can_have_been_completed(setup: str) -> None:
    with pytest.raises(InvalidSetup, match="more captures than lines"):
        at(setup, variant="capture")


def test_more_stones_than_there_are_cannot_have_been_placed() -> None:
    rods = "/".join(["WB" * 2] * 16)
    with pytest.raises(InvalidSetup, match="more stones than there are"):
        at(f"{rods} W 1 1", variant="capture")
