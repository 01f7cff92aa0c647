"""Nine Men's Morris: counts, refusals with their reasons, both draws, setups."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random

import pytest

from games import Note, Outcome
from games.base import AmbiguousMove, GameError, IllegalMove, InvalidMove, InvalidSetup, bits
from games.morris import GAME, MILLS, NEIGHBOURS, POINTS, MorrisPosition, Move


def number(name: str) -> int:
    return POINTS.index(name)


def start(setup: str = "", **options: str) -> MorrisPosition:
    full = GAME.options_from(options)
    return GAME.start(full, setup or GAME.new_setup(full, Random(0)))


def board(
    white: str, black: str, side: str = "W", *, hands: str = "0 0", **options: str
) -> MorrisPosition:
    """Return the position with stones on these points."""
    stones = dict.fromkeys(white.split(), "W") | dict.fromkeys(black.split(), "B")
    return start(f"{''.join(stones.get(name, '.') for name in POINTS)} {side} {hands}", **options)


def play(position: MorrisPosition, moves: str | Iterable[str]) -> MorrisPosition:
    for text in moves.split() if isinstance(moves, str) else moves:
        move = GAME.parse(position, position.mover, text)
        position = position.play(position.mover, move)
    return position


def written(position: MorrisPosition) -> list[str]:
    return [GAME.notation(move) for move in position.moves(position.mover)]


def refused(position: MorrisPosition, text: str) -> GameError:
    """Return the refusal of `text`. The legal moves must not contain it."""
    with pytest.raises(GameError) as caught:
        play(position, [text])
    assert text not in written(position)
    return caught.value


def perft(position: MorrisPosition, depth: int) -> int:
    """Count the lines of `depth` plies; transpositions are searched once."""
    level: dict[object, tuple[MorrisPosition, int]] = {None: (position, 1)}
    for _ in range(depth - 1):
        below: dict[object, tuple[MorrisPosition, int]] = {}
        for here, lines in level.values():
            for move in here.moves(here.mover):
                there = here.play(here.mover, move)
                key = there.stones, there.hands
                below[key] = there, lines + (below[key][1] if key in below else 0)
        level = below
    return sum(lines * len(here.moves(here.mover)) for here, lines in level.values())


# The board


def test_the_board_has_sixteen_mills_and_thirty_two_lines_between_neighbours() -> None:
    assert len(set(MILLS)) == 16
    assert sum(near.bit_count() for near in NEIGHBOURS) == 2 * 32
    assert {tuple(POINTS[point] for point in mill) for mill in MILLS} >= {
        ("a1", "a4", "a7"),
        ("a4", "b4", "c4"),
        ("e4", "f4", "g4"),
        ("d5", "d6", "d7"),
        ("c3", "d3", "e3"),
    }
    assert [POINTS[point] for point in bits(NEIGHBOURS[number("d6")])] == ["b6", "d5", "d7", "f6"]


@pytest.mark.parametrize(
    ("depth", "lines"), [(1, 24), (4, 255024), pytest.param(5, 5140800, marks=pytest.mark.slow)]
)
def test_perft_from_the_start(depth: int, lines: int) -> None:
    assert perft(start(), depth) == lines


# Placing


def test_white_starts_and_both_place_nine_stones() -> None:
    position = start()
    assert position.turn == {0}
    assert position.moves(1) == ()
    position = play(position, "d6 f4")
    assert position.hands == (8, 8)
    assert position.owner(number("d6")) == 0
    assert position.owner(number("f4")) == 1
    assert position.owner(number("a1")) is None


def test_a_mill_made_while_placing_takes_a_stone() -> None:
    position = play(start(), "a1 b2 a4 b4")
    assert [text for text in written(position) if text.startswith("a7")] == ["a7xb2", "a7xb4"]
    position = play(position, "a7xb4")
    assert position.owner(number("b4")) is None
    assert position.taken_by(0) == 1
    assert position.closed == ((0, 1, 2),)


def test_two_mills_at_once_take_one_stone() -> None:
    position = board("a4 a7 d1 g1", "b2 b4 c3 d3", hands="5 5")
    assert [text for text in written(position) if text.startswith("a1")] == [
        "a1xb2",
        "a1xb4",
        "a1xc3",
        "a1xd3",
    ]
    position = play(position, "a1xb2")
    assert len(position.closed) == 2
    assert position.taken_by(0) == 1
    assert position.turn == {1}


def test_after_the_last_placement_stones_slide() -> None:
    position = board("a1 b2 b6 c4 d1 d2 d3 f4", "a4 b4 c5 d7 e4 f2 g1 g4", hands="1 1")
    position = play(position, "a7 f6")
    assert position.hands == (0, 0)
    assert written(position) == ["b6-d6", "c4-c3", "d3-c3", "d3-e3"]


# Sliding and jumping


def test_a_stone_slides_to_free_neighbours_only() -> None:
    position = board("d6 a1 b2 g1", "d7 b6 c3 e3")
    assert [text for text in written(position) if text.startswith("d6")] == ["d6-d5", "d6-f6"]


def test_only_the_side_with_three_stones_jumps() -> None:
    position = board("d6 a1 b2", "d7 b6 c3 e3")
    assert position.may_jump(0)
    assert not position.may_jump(1)
    assert len(position.moves(0)) == 3 * 17
    black = play(position, "a1-g7")
    assert refused(black, "d7-g1").code == "not-adjacent"


def test_three_stones_on_the_board_do_not_jump_while_others_are_in_hand() -> None:
    position = board("d6 a1 b2", "d7 b6 c3", hands="6 6")
    assert not position.may_jump(0)
    assert all(move.origin is None for move in position.moves(0))


def test_a_stone_does_not_count_for_a_mill_on_the_point_that_it_leaves() -> None:
    position = board("a1 a4 d3 g1", "b2 c4 e5 f6")
    assert "a4-a7" in written(position)
    assert not play(position, "a4-a7").closed


def test_a_mill_opened_and_closed_again_takes_again() -> None:
    position = play(board("a1 a4 a7", "b2 b4 c3 d3 e5"), "a7-g7 b4-c4")
    assert position.taken_by(0) == 4
    assert play(position, "g7-a7xb2").taken_by(0) == 5


# Captures


@pytest.mark.parametrize(
    ("black", "rule", "taken"),
    [
        ("d1 d2 d3 f4", "if_no_other", ["f4"]),
        ("d1 d2 d3 b2 f2", "if_no_other", ["b2", "d1", "d2", "d3", "f2"]),
        ("d1 d2 d3 f4", "never", ["f4"]),
        ("d1 d2 d3 b2 f2", "never", []),
    ],
    ids=["a stone beside the mill", "none beside the mills", "never: beside it", "never: none"],
)
def test_stones_in_mills_are_safe_while_there_is_another(
    black: str, rule: str, taken: list[str]
) -> None:
    position = board("a1 a4 d7 g7", black, capture_from_mills=rule)
    closing = [text for text in written(position) if text.startswith("d7-a7")]
    assert closing == ([f"d7-a7x{name}" for name in taken] or ["d7-a7"])


def test_with_never_a_mill_against_mills_takes_nothing() -> None:
    position = board("a1 a4 d7 g7", "d1 d2 d3 b2 f2", capture_from_mills="never")
    assert GAME.effect(position, 0, GAME.parse(position, 0, "d7-a7")) == Note("mill")
    assert refused(position, "d7-a7xd2").code == "nothing-to-take"
    after = play(position, "d7-a7")
    assert after.closed
    assert after.taken_by(0) == position.taken_by(0)


def test_the_effect_of_a_move_names_the_stone_it_takes() -> None:
    position = board("a1 a4 d7 g7", "d1 d2 d3 f4")
    taking, quiet = (GAME.parse(position, 0, text) for text in ("d7-a7xf4", "d7-d6"))
    assert GAME.effect(position, 0, taking) == Note("takes", {"square": "f4"})
    assert GAME.effect(position, 0, quiet) is None


# Refusals

SLIDING = "a1 a4 d7 g7 d5"
OTHERS = "d1 d2 d3 f4"


@pytest.mark.parametrize(
    ("text", "code", "details"),
    [
        ("a1-a4", "occupied", {"square": "a4", "seat": 0}),
        ("a1-a1", "occupied", {"square": "a1", "seat": 0}),
        ("a1-d1", "occupied", {"square": "d1", "seat": 1}),
        ("d7-d1", "occupied", {"square": "d1", "seat": 1}),
        ("d7-g1", "not-adjacent", {"from": "d7", "to": "g1", "count": 5}),
        ("d1-g1", "not-your-stone", {"square": "d1"}),
        ("b2-b4", "empty", {"square": "b2"}),
        ("b6", "all-placed", {}),
        ("b6xf4", "all-placed", {}),
        ("d7-a7", "capture-due", {"stones": "f4", "example": "d7-a7xf4"}),
        ("d7-d6xf4", "no-capture-due", {"example": "d7-d6"}),
        ("d7-a7xg7", "not-opponents", {"square": "g7"}),
        ("d7-a7xb2", "not-opponents", {"square": "b2"}),
        ("d7-a7xd3", "in-a-mill", {"square": "d3", "stones": "f4"}),
        ("d4-d3", "off-board", {"square": "d4"}),
        ("d7-h7", "off-board", {"square": "h7"}),
        ("a10", "off-board", {"square": "a10"}),
    ],
)
def test_a_refusal_names_its_reason(text: str, code: str, details: Mapping[str, str | int]) -> None:
    error = refused(board(SLIDING, OTHERS), text)
    assert isinstance(error, IllegalMove)
    assert (error.code, error.details) == (code, details)


def test_no_stone_slides_while_others_are_in_hand() -> None:
    error = refused(play(start(), "d6 f4"), "d6-d7")
    assert (error.code, error.details) == ("still-placing", {"count": 8})


def test_a_due_capture_lists_the_stones_that_can_be_taken() -> None:
    error = refused(play(start(), "a1 b2 a4 b4"), "a7")
    assert (error.code, error.details) == ("capture-due", {"stones": "b2, b4", "example": "a7xb2"})


def test_a_capture_without_its_mill_is_refused_with_the_whole_move() -> None:
    error = refused(play(start(), "a1 b2 a4 b4"), "b4")
    assert (error.code, error.details) == ("name-the-mill", {"square": "b4", "example": "a7xb4"})
    error = refused(board(SLIDING, OTHERS), "f4")
    assert (error.code, error.details) == ("name-the-mill", {"square": "f4", "example": "a4-a7xf4"})
    # What cannot be taken now is merely in the way.
    error = refused(play(start(), "a1 b2 a4"), "a4")
    assert error.code == "occupied"
    error = refused(play(start(), "a1 b2"), "b2")
    assert error.code == "occupied"


def test_every_legal_move_is_playable_and_every_other_refused() -> None:
    position = board("a1 a4 d7 g7 d5", "d1 d2 d3 f4 b6")
    choices: list[int | None] = [None, *range(len(POINTS))]
    played = set()
    for target in range(len(POINTS)):
        for origin in choices:
            for taken in choices:
                move = Move(target, origin, taken)
                try:
                    position.play(0, move)
                except IllegalMove:
                    continue
                played.add(move)
    assert played == set(position.moves(0))


# Reading and writing moves


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("d6-d7", "d6-d7"),
        ("d6 d7", "d6-d7"),
        ("d6d7", "d6-d7"),
        ("d6-d7xg4", "d6-d7xg4"),
        ("d6 d7 g4", "d6-d7xg4"),
        ("d6d7g4", "d6-d7xg4"),
        ("d6-d7-g4", "d6-d7xg4"),
        ("D6\N{EN DASH}D7 x G4", "d6-d7xg4"),
        ("d6 -> d7 : g4.", "d6-d7xg4"),
        (" d6, d7, g4 ", "d6-d7xg4"),
        ("d6", "d6"),
        ("D6.", "d6"),
        ("d6xg4", "d6xg4"),
        ("d6 \N{MULTIPLICATION SIGN} g4", "d6xg4"),
    ],
)
def test_moves_are_read_leniently_and_written_strictly(text: str, move: str) -> None:
    position = board(SLIDING, OTHERS)
    assert GAME.notation(GAME.parse(position, 0, text)) == move


def test_two_points_without_a_sign_are_a_placement_and_a_capture_while_stones_are_in_hand() -> None:
    assert GAME.notation(GAME.parse(start(), 0, "d6 g4")) == "d6xg4"
    assert GAME.notation(GAME.parse(start(), 0, "d6-g4")) == "d6-g4"


def test_a_capture_alone_is_the_one_move_that_makes_it() -> None:
    mill = play(start(), "a1 b2 a4 b4")
    for text in ("xb4", "x B4.", "\N{MULTIPLICATION SIGN}b4"):
        assert GAME.notation(GAME.parse(mill, 0, text)) == "a7xb4"
    with pytest.raises(AmbiguousMove) as caught:
        GAME.parse(board(SLIDING, OTHERS), 0, "xf4")
    assert caught.value.details == {"moves": "a4-a7xf4, d7-a7xf4"}


@pytest.mark.parametrize("text", ["", "d", "d6-", "xg4", "d6xd7xg4", "d6-d7-g4-a1", "d6 f4 2. d2"])
def test_what_is_no_move_is_quoted_in_the_refusal(text: str) -> None:
    with pytest.raises(InvalidMove) as caught:
        GAME.parse(start(), 0, text)
    assert (caught.value.code, caught.value.details) == ("notation", {"text": text})


# The end


def test_a_side_with_two_stones_has_lost() -> None:
    position = play(board("a1 a4 d7 g7", "d2 f4 c5"), "d7-a7xf4")
    assert position.turn == frozenset()
    assert position.outcome() == Outcome(frozenset({0}), "few-stones", (7, 5))


def test_stones_in_hand_count_against_that_loss() -> None:
    position = play(board("a1 a4", "b2 b4", hands="7 7"), "a7xb2")
    assert position.turn == {1}
    assert position.outcome() is None


def blocking() -> MorrisPosition:
    """Return a position in which d1-a1 blocks all of Black's stones."""
    return board("b4 d1 d6 g4", "a4 a7 d7 g7")


def test_a_side_that_cannot_move_has_lost() -> None:
    position = play(blocking(), "d1-a1")
    assert position.turn == frozenset()
    assert position.outcome() == Outcome(frozenset({0}), "no-move", (5, 5))


def test_a_side_with_three_stones_is_never_shut_in() -> None:
    position = play(board("b4 d1 d6 g4", "a4 a7 d7"), "d1-a1")
    assert position.turn == {1}


# The draws

RING = ("d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7")


def circling(plies: int) -> list[str]:
    """Return moves: White goes to and fro, and Black's d7 circles the outer square.

    The position repeats every 16 plies.
    """
    return [
        (
            f"{RING[ply // 2 % 8]}-{RING[(ply // 2 + 1) % 8]}"
            if ply % 2
            else ("b4-c4" if ply % 4 else "c4-b4")
        )
        for ply in range(plies)
    ]


def quiet(white: str = "c4 d6 e5 f4", **options: str) -> MorrisPosition:
    """Return a position for `circling`, in which Black's d3-d2 closes a mill at any time."""
    return board(white, "d7 b2 f2 d3", **options)


def test_twenty_plies_of_both_sides_without_a_mill_are_a_draw() -> None:
    position = play(quiet(), circling(19))
    assert position.outcome() is None
    assert Note("draw-near", {"count": 1}) in GAME.facts(position)
    position = play(position, circling(20)[19:])
    assert position.turn == frozenset()
    assert position.outcome() == Outcome(frozenset(), "no-mill", (5, 5))


@pytest.mark.parametrize("plies", [20, 50, 100])
def test_the_number_of_plies_is_an_option(plies: int) -> None:
    position = replace(quiet(draw_after=str(plies)), plies_without_mill=plies - 1)
    assert position.outcome() is None
    drawn = play(position, "c4-b4").outcome()
    assert drawn
    assert drawn.reason == "no-mill"


def test_a_mill_on_the_last_ply_starts_the_count_again() -> None:
    position = play(quiet(), [*circling(19), "d3-d2xf4"])
    assert position.turn == {0}
    assert position.plies_without_mill == 0


def test_a_mill_that_takes_nothing_starts_the_count_again_too() -> None:
    position = board("a1 a4 d7 g7", "d1 d2 d3 b2 f2", capture_from_mills="never")
    assert play(replace(position, plies_without_mill=19), "d7-a7").plies_without_mill == 0


def test_a_win_on_the_last_ply_comes_before_the_draw() -> None:
    won = play(quiet("c4 d6 e5"), [*circling(19), "d3-d2xe5"]).outcome()
    assert won
    assert (won.winners, won.reason) == (frozenset({1}), "few-stones")
    shut_in = play(replace(blocking(), plies_without_mill=19), "d1-a1").outcome()
    assert shut_in
    assert (shut_in.winners, shut_in.reason) == (frozenset({0}), "no-move")


def test_plies_are_not_counted_while_stones_are_in_hand() -> None:
    position = play(start(), "a1 d1 g1 a4 g4 a7 d7 g7 b2 d2 f2 b4 f4 b6 d6 f6 c3 e3")
    assert position.outcome() is None
    assert position.plies_without_mill == 0
    assert play(position, "c3-c4").plies_without_mill == 1


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    position = play(quiet(draw_after="100"), circling(16))
    assert position.occurrences == 2
    assert Note("second-time") in GAME.facts(position)
    position = play(position, circling(15))
    assert position.outcome() is None
    position = play(position, circling(16)[15:])
    assert position.outcome() == Outcome(frozenset(), "repetition", (5, 5))


def test_a_draw_never_comes_without_a_warning() -> None:
    for plies in range(10, 20):
        facts = GAME.facts(play(quiet(), circling(plies)))
        assert Note("draw-near", {"count": 20 - plies}) in facts
        # Two draws may be near at once, and both are announced.
        assert (Note("second-time") in facts) is (plies >= 16)
        assert len(facts) <= 3


def test_the_same_stones_with_the_other_side_to_move_are_another_position() -> None:
    """White loses a ply by walking a triangle that jumping allows."""
    position = board("a1 c4 e5", "d7 b2 f2 g4")
    position = play(position, "a1-a4 g4-g1 a4-a7 g1-g4 a7-a1")
    assert position.stones == board("a1 c4 e5", "d7 b2 f2 g4").stones
    assert position.occurrences == 1


def test_a_capture_starts_the_count_of_occurrences_again() -> None:
    position = play(quiet(), [*circling(3), "d3-d2xf4"])
    assert len(position.seen) == 1


# Facts


def test_the_facts_tell_the_phase_and_the_captures() -> None:
    assert GAME.facts(play(start(), "d6")) == (Note("placing", {"white": 8, "black": 9}),)
    taken = Note("taken", {"white": 5, "black": 5})
    assert GAME.facts(quiet()) == (Note("sliding"), taken)
    assert GAME.facts(board("a1 a4 d7", "b2 f2 g4 c5"))[0] == Note("jumping", {"seat": 0})
    assert GAME.facts(board("a1 a4 d7 g4", "b2 f2 c5"))[0] == Note("jumping", {"seat": 1})
    assert GAME.facts(board("a1 a4 d7", "b2 f2 c5"))[0] == Note("both-jump")
    assert GAME.facts(play(board("a1 a4 d7 g7", "d2 f4 c5"), "d7-a7xf4")) == (
        Note("taken", {"white": 7, "black": 5}),
    )


# Setups


@pytest.mark.parametrize(
    "setup",
    [
        "",
        "." * 23 + " W 9 9",
        "." * 25 + " W 9 9",
        "." * 24 + " X 9 9",
        "." * 24 + " w 9 9",
        "." * 24 + " W 9",
        "." * 24 + " W 9 9 0",
        "." * 24 + "  W 9 9",
        "." * 24 + " W 9 9\n",
        "." * 24 + " W 10 10",
        "." * 24 + " W -1 -1",
        "." * 24 + " B 9 9",
        "W" + "." * 23 + " W 8 9",
        "W" + "." * 23 + " B 9 9",
        "WB" + "." * 22 + " B 8 8",
        "W" * 10 + "B" * 9 + "..... W 0 0",
        "WWB" + "." * 21 + " W 8 8",
        "." * 24 + " W 8 8",
        "WWW" + "." * 21 + " B 5 6",
        "." * 24 + " W 0 0",
        "WW.BBB" + "." * 18 + " B 0 0",
        "WW.BB.BB" + "." * 16 + " W 0 0",
        "WW.BB." + "." * 18 + " W 0 0",
        "WB" * 12 + " W 0 0",
    ],
)
def test_a_broken_or_impossible_setup_is_refused(setup: str) -> None:
    with pytest.raises(InvalidSetup) as caught:
        GAME.start(GAME.options_from({}), setup)
    assert caught.value.code == "setup"


def test_a_setup_may_describe_a_match_that_is_over() -> None:
    lost = start("WW.BBB" + "." * 18 + " W 0 0")
    assert lost.outcome() == Outcome(frozenset({1}), "few-stones", (6, 7))
