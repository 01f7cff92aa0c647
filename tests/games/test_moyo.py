"""Sudoku Moyo: legal placements, and their effect on the gardens."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from games import GameError, IllegalMove, InvalidMove, InvalidSetup, Outcome
from games.moyo import (
    AZUMAYA,
    BOXES,
    COLUMNS,
    GAME,
    OWNERS,
    PEERS,
    PUZZLES,
    ROWS,
    SHIMA,
    MoyoPosition,
    Placement,
    cell_name,
    shuffled,
)
from tests.games.playing import Case, play_out
from tests.optional import not_none

CASE = Case(GAME, ())
EMPTY = "0" * 81
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def position(*rows: str, side: int = 0) -> MoyoPosition:
    """Return the start from nine rows of nine characters, dots for empty cells."""
    return GAME.start({}, "".join(rows).replace(".", "0") + f" {side}")


def cell(square: str) -> int:
    return "abcdefghi".index(square[0]) + 9 * (int(square[1]) - 1)


def played(start: MoyoPosition, *moves: str) -> MoyoPosition:
    for text in moves:
        start = start.play(start.side, GAME.parse(start, start.side, text))
    return start


def refusal(start: MoyoPosition, text: str, seat: int | None = None) -> tuple[str, dict[str, Any]]:
    """Return code and details with which `text` is refused."""
    seat = start.side if seat is None else seat
    with pytest.raises(GameError) as caught:
        start.play(seat, GAME.parse(start, seat, text))
    return caught.value.code, dict(caught.value.details)


AZUMAYA_DONE = (
    ".........",
    ".........",
    ".........",
    "...123...",
    "...456...",
    "...789...",
    ".........",
    ".........",
    ".........",
)
"""Nothing but a full Azumaya."""


def test_each_side_has_four_boxes_and_a_half_turn_swaps_the_sides() -> None:
    colours = {0: "L", 1: "D", None: "*"}
    assert "".join(colours[owner] for owner in OWNERS) == "LLDD*LLDD"
    assert [len(cells) for cells in SHIMA] == [36, 36]
    assert {80 - one for one in SHIMA[0]} == set(SHIMA[1])


def test_cells_are_named_from_the_top_left() -> None:
    assert [cell_name(one) for one in (0, 8, 40, 72, 80)] == ["a1", "i1", "e5", "a9", "i9"]


def test_the_match_opens_in_the_azumaya_for_both_sides() -> None:
    start = position(*[EMPTY])
    assert start.turn == {0}
    assert {move.cell for move in start.moves(0)} == set(AZUMAYA)
    assert len(start.moves(0)) == 81
    assert start.moves(1) == ()
    after = played(start, "e5=7")
    assert after.turn == {1}
    assert len(after.moves(1)) == 8 * 8


def test_no_stone_is_placed_elsewhere_while_one_fits_in_the_azumaya() -> None:
    start = position(*[EMPTY])
    details = {"square": "a1", "count": 9}
    assert refusal(start, "a1=1") == ("azumaya-first", details)


def test_a_full_azumaya_opens_the_shima_of_each_side_to_itself_alone() -> None:
    start = position(*AZUMAYA_DONE)
    assert {move.cell for move in start.moves(0)} == set(SHIMA[0])
    assert refusal(start, "i9=5") == ("not-your-shima", {"square": "i9"})
    assert {move.cell for move in played(start, "a1=1").moves(1)} == set(SHIMA[1])


def test_an_azumaya_where_nothing_fits_is_done_although_it_has_room() -> None:
    start = position(
        "....5....",
        ".........",
        ".........",
        "...123...",
        "...4.6...",
        "...789...",
        ".........",
        ".........",
        ".........",
    )
    assert start.azumaya_open == 0
    assert start.dead == {cell("e5")}
    assert start.turned[4] == start.left[4] == {5}
    assert {move.cell for move in start.moves(0)} < set(SHIMA[0])
    assert refusal(start, "e5=5") == ("azumaya-done", {"square": "e5"})


def test_a_digit_stands_once_in_a_box_a_row_and_a_column_and_a_refusal_says_where() -> None:
    start = played(position(*AZUMAYA_DONE), "b2=5", "i8=6")
    where = {"digit": 5, "at": "b2"}
    assert refusal(start, "a1=5") == ("in-box", {"square": "a1", **where})
    assert refusal(start, "d2=5") == ("in-row", {"square": "d2", **where})
    assert refusal(start, "b9=5") == ("in-column", {"square": "b9", **where})


def test_an_occupied_cell_a_wrong_turn_and_a_dead_cell_are_refused() -> None:
    start = position(
        "45623178.",
        ".........",
        ".........",
        "...123...",
        "...456...",
        "...789...",
        ".........",
        ".........",
        "........9",
        side=1,
    )
    assert start.dead == {cell("i1")}
    assert refusal(start, "i1=9") == ("dead", {"square": "i1"})
    assert refusal(start, "i9=1") == ("occupied", {"square": "i9", "digit": 9})
    assert refusal(start, "a2=4", 0) == ("not-your-turn", {})


def test_a_stone_that_fits_nowhere_in_its_box_is_turned_over() -> None:
    start = position(
        "....1....",
        "......1..",
        "23.......",
        "...123...",
        "...456...",
        "...789...",
        ".........",
        ".........",
        ".........",
        side=1,
    )
    assert start.turned == (frozenset(),) * 9
    after = played(start, "c5=1")
    assert after.turned == (frozenset({1}), *[frozenset()] * 8)
    assert after.left[0] == {1, 4, 5, 6, 7, 8, 9}
    assert after.dead == set()


def test_who_can_place_nothing_on_turn_has_lost() -> None:
    rows = [SOLVED[9 * row : 9 * row + 9] for row in range(9)]
    rows[0] = "." + rows[0][1:]
    start = position(*rows)
    assert start.outcome() is None
    assert start.moves(0) == (Placement(0, 5),)
    assert effect(start, "a1=5") == ("wins", {})
    end = start.play(0, Placement(0, 5))
    outcome = not_none(end.outcome())
    assert outcome == Outcome(frozenset({0}), "stuck", (1, 0))
    assert end.turn == set()
    assert end.moves(1) == ()
    assert refusal(end, "a1=5", 1) == ("over", {})


def test_a_full_board_is_lost_for_the_side_that_should_start() -> None:
    outcome = not_none(GAME.start({}, f"{SOLVED} 1").outcome())
    assert outcome.winners == {0}


def test_free_cells_of_the_opponent_do_not_keep_a_match_going() -> None:
    rows = [SOLVED[9 * row : 9 * row + 9] for row in range(9)]
    rows[8] = rows[8][:8] + "."
    outcome = not_none(position(*rows, side=0).outcome())
    assert outcome.winners == {1}
    assert position(*rows, side=1).outcome() is None


def test_who_has_nothing_left_to_place_has_no_way_to_win() -> None:
    rows = [SOLVED[9 * row : 9 * row + 9] for row in range(9)]
    for row, at, owner in ((0, 0, 0), (8, 8, 1)):
        open_ = [*rows]
        open_[row] = open_[row][:at] + "." + open_[row][at + 1 :]
        start = position(*open_, side=owner)
        assert start.can_win(owner)
        assert not start.can_win(1 - owner)


def test_the_facts_count_what_is_left_of_the_azumaya_and_of_each_side() -> None:
    opening, reach = GAME.facts(position(*[EMPTY]))
    assert (opening.code, dict(opening.details)) == ("azumaya", {"count": 9})
    assert (reach.code, dict(reach.details)) == ("reach", {"light": 36, "dark": 36})
    assert [note.code for note in GAME.facts(position(*AZUMAYA_DONE))] == ["reach"]


def test_nothing_is_still_to_come_once_a_match_was_stopped() -> None:
    facts = GAME.facts(position(*[EMPTY]), is_stopped=True)
    assert [note.code for note in facts] == ["room"]


def test_where_neither_side_could_place_a_stone_any_more_no_room_is_counted() -> None:
    end = position(*(SOLVED[9 * row : 9 * row + 9] for row in range(9)))
    assert GAME.facts(end) == ()


def test_the_score_is_one_for_who_placed_the_last_stone_and_nothing_before() -> None:
    assert position(*[EMPTY]).scores() == (0, 0)
    assert GAME.start({}, f"{SOLVED} 1").scores() == (1, 0)


ROW_1_NEARLY_FULL = (
    "45.23178.",
    "9........",
    "...9.....",
    "...123...",
    "...456...",
    "...789...",
    ".........",
    ".........",
    "........6",
)
"""Only a 9 fits at i1, and nowhere else in the top right box."""


def effect(start: MoyoPosition, text: str) -> tuple[str, dict[str, Any]] | None:
    note = GAME.effect(start, start.side, GAME.parse(start, start.side, text))
    return None if note is None else (note.code, dict(note.details))


def test_an_effect_counts_the_cells_and_stones_that_the_opponent_loses() -> None:
    start = position(*ROW_1_NEARLY_FULL)
    assert start.dead == set()
    assert effect(start, "g5=9") is None
    assert effect(start, "i5=9") == ("theirs", {"cells": 1, "stones": 1})
    assert start.play(0, Placement(cell("i5"), 9)).dead == {cell("i1")}


def test_an_effect_names_what_a_move_costs_the_side_itself() -> None:
    start = position(
        "4..23178.",
        ".........",
        ".........",
        "...123...",
        "...456...",
        "...789...",
        ".5.......",
        ".6.......",
        ".........",
    )
    assert effect(start, "c1=9") == ("own", {"cells": 1, "stones": 0})
    assert effect(start, "c1=5") is None


def test_the_parts_of_a_position_agree_all_through_random_matches() -> None:
    for seed in range(4):
        for before, after in pairwise(play_out(CASE, seed).positions):
            move = not_none(after.last)
            assert after.fits == GAME.start({}, setup_of(after)).fits
            units = [*ROWS, *COLUMNS, *BOXES]
            for unit in units:
                standing = [after.digits[one] for one in unit if after.digits[one]]
                assert len(standing) == len(set(standing))
            assert move.cell in before.region
            undone = not_none(after.before())
            assert (undone.digits, undone.side, undone.fits) == (
                before.digits,
                before.side,
                before.fits,
            )
            assert before.dead <= after.dead
        outcome = not_none(after.outcome())
        assert outcome.winners == {before.side}


def setup_of(now: MoyoPosition) -> str:
    return "".join(map(str, now.digits)) + f" {now.side}"


def test_no_side_ever_places_more_stones_than_are_in_its_reach() -> None:
    for seed in range(4):
        for seat in (0, 1):
            placed = 0
            for ply in reversed(play_out(CASE, seed).plies):
                placed += ply.seat == seat and ply.move.cell in SHIMA[seat]
                assert placed <= ply.before.reach[seat]


def test_placements_are_read_in_many_spellings_and_written_in_one() -> None:
    start = position(*[EMPTY])
    for text in (
        "e5=7",
        "E5=7",
        "e5 7",
        " e5 = 7 ",
        "E57",
        "7e5",
        "7 e5",
        "e5-7",
        "e5\u20137",
        "e5: 7.",
    ):
        assert GAME.notation(GAME.parse(start, 0, text)) == "e5=7"
    assert GAME.steps(Placement(40, 7)) == ("e5", "7")
    for move in start.moves(0):
        assert GAME.parse(start, 0, GAME.notation(move)) == move
        assert GAME.parse(start, 0, " ".join(GAME.steps(move))) == move


def test_a_cell_alone_means_its_only_digit() -> None:
    start = position(
        ".........",
        "....1....",
        "....2....",
        "...345...",
        "...6.....",
        ".........",
        ".........",
        "....7....",
        "....8....",
    )
    assert GAME.parse(start, 0, "e5") == Placement(cell("e5"), 9)
    assert refusal(start, "d6") == ("ambiguous", {"moves": "d6=1, d6=2, d6=7, d6=8, d6=9"})
    assert refusal(start, "d4") == ("occupied", {"square": "d4", "digit": 3})


@pytest.mark.parametrize(
    ("texts", "kind", "code"),
    [
        ("|7|hello|=7|e5=7=8|e5e6|e5 1234|\u0663e5", InvalidMove, "notation"),
        ("j5=7|e0=7|e10=7|e107|7z1|j57", IllegalMove, "off-board"),
        ("e5=0|e50|0e5|e5=10|e5 123", InvalidMove, "no-such-digit"),
    ],
)
def test_what_is_no_placement_is_refused_with_the_reason(
    texts: str, kind: type[GameError], code: str
) -> None:
    for text in texts.split("|"):
        with pytest.raises(kind) as caught:
            GAME.parse(position(*[EMPTY]), 0, text)
        assert caught.value.code == code, text
        assert str(caught.value.details.get("square", "")) in text


@pytest.mark.parametrize(
    "setup",
    [
        "",
        EMPTY,
        f"{EMPTY} 2",
        f"{EMPTY}0 0",
        f"{EMPTY[1:]} 0",
        f"{EMPTY}  0",
        f"{EMPTY} 0\n",
        f".{EMPTY[1:]} 0",
        f"\u0661{EMPTY[1:]} 0",
        f"11{EMPTY[2:]} 0",
        f"1{EMPTY[:8]}1{EMPTY[10:]} 0",
        f"1{EMPTY[:9]}1{EMPTY[11:]} 0",
    ],
)
def test_a_setup_that_is_no_position_is_refused(setup: str) -> None:
    with pytest.raises(InvalidSetup) as caught:
        GAME.start({}, setup)
    assert caught.value.code == "setup"


def test_what_is_dealt_varies_and_either_side_may_start() -> None:
    setups = [GAME.new_setup({}, Random(seed)) for seed in range(12)]
    assert len(set(setups)) == 12
    assert {setup[-1] for setup in setups} == {"0", "1"}
    assert GAME.new_setup({}, Random(7)) == setups[7]


def solutions(sudoku: str) -> Iterator[str]:
    """Yield all solutions, by trying the digits of a cell with the fewest."""
    fitting = {
        one: set("123456789").difference(sudoku[peer] for peer in PEERS[one])
        for one in range(81)
        if sudoku[one] == "0"
    }
    if not fitting:
        yield sudoku
        return
    first = min(fitting, key=lambda one: len(fitting[one]))
    for digit in fitting[first]:
        yield from solutions(sudoku[:first] + digit + sudoku[first + 1 :])


def is_fair(puzzle: str) -> bool:
    """True if `puzzle` keeps what its module promises, apart from having one solution."""
    filled = {one for one in range(81) if puzzle[one] != "0"}
    return (
        24 <= len(filled) <= 33
        and {80 - one for one in filled} == filled
        and len(filled.intersection(SHIMA[0])) == len(filled.intersection(SHIMA[1]))
        and len(filled.intersection(AZUMAYA)) <= 5
    )


def test_the_stock_holds_enough_different_puzzles_that_keep_the_promise() -> None:
    assert len(PUZZLES) >= 200
    assert len(set(PUZZLES)) == len(PUZZLES)
    assert all(map(is_fair, PUZZLES))
    assert all(len(list(solutions(puzzle))) == 1 for puzzle in PUZZLES[::12])


def test_a_shuffled_puzzle_keeps_the_promise_and_is_another_one() -> None:
    rng = Random(11)
    disguises = {shuffled(PUZZLES[0], rng) for _ in range(20)}
    assert len(disguises) == 20
    assert all(map(is_fair, disguises))
    assert all(len(list(solutions(puzzle))) == 1 for puzzle in list(disguises)[::4])
