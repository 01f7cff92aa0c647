"""The Sogo engine: boards, levels, threats, holes."""

from random import Random

import pytest

from games.base import bits
from games.computer.base import IsLate, SearchStopped, never
from games.computer.sogo import ENGINE
from games.sogo import GAME, Move, SogoPosition
from tests.games.computer.late import late_after
from tests.games.test_sogo import EXAMPLE, at, new

# Found among random positions: the player to move wins by threats. The number is the plies to the
# line.
BY_THREATS = (
    (11, "a4", "-/B/-/WW/-/-/-/BWBW/BB/W/W/-/BB/BW/-/WW B 0 0"),
    (11, "b2", "BW/W/-/W/W/W/-/W/-/-/B/W/WB/BB/B/B B 0 0"),
    (11, "b3", "WW/BB/WB/WBW/W/-/-/B/-/BB/W/W/B/-/B/WW B 0 0"),
    (11, "c3", "WWB/B/BWBB/W/-/BB/W/B/-/-/W/W/BWWB/BW/-/W W 0 0"),
    (13, "a1", "BW/WWB/BW/-/BWB/-/-/B/B/-/WW/-/W/-/W/BB W 0 0"),
)


def after(position: SogoPosition, moves: int, rng: Random) -> SogoPosition:
    for _ in range(moves):
        if position.turn:
            position = position.play(position.side, rng.choice(position.moves(position.side)))
    return position


def chosen(position: SogoPosition, level: int, luck: int = 0, is_late: IsLate = never) -> str:
    move = ENGINE.choose(position, position.side, level=level, rng=Random(luck), is_late=is_late)
    return GAME.notation(move)


def worth(position: SogoPosition) -> float:
    """Return the worth of a position to the side to move, by the rules alone."""
    outcome = position.outcome()
    if outcome is not None:
        return 0.5 if outcome.is_draw else float(position.side in outcome.winners)
    moves = position.moves(position.side)
    return max(1 - worth(position.play(position.side, move)) for move in moves)


def late_positions(size: str, variant: str, left: int, count: int) -> list[SogoPosition]:
    """Return unfinished positions with `left` stones still to be placed."""
    rng, found = Random(f"{size} {variant}"), list[SogoPosition]()
    while len(found) < count:
        position = new(int(size), variant)
        for _ in range(int(size) ** 3 - left):
            lines = position.holes(position.side) if variant == "line" else 0
            moves = [
                move
                for move in position.moves(position.side)
                if not lines >> position.next_cell(move.rod) & 1
            ]
            if not moves:
                break
            position = position.play(position.side, rng.choice(moves))
        else:
            found.append(position)
    return found


@pytest.mark.parametrize("level", [3, 4, 5])
def test_a_line_is_completed_and_one_of_the_other_side_is_blocked(level: int) -> None:
    both = at("WWW/-/-/BBB/-/-/-/-/-/-/-/-/-/-/-/- W 0 0")
    assert {chosen(both, level, luck) for luck in range(5)} == {"a4"}
    only_theirs = at("WW/-/-/BBB/W/-/-/-/-/-/-/-/-/-/-/- W 0 0")
    assert {chosen(only_theirs, level, luck, late_after(9)) for luck in range(5)} == {"a1"}


def test_a_beginner_seldom_misses_a_line_of_its_own_and_often_one_of_the_other_side() -> None:
    own = at("WWW/-/-/BBB/-/-/-/-/-/-/-/-/-/-/-/- W 0 0")
    assert 85 <= [chosen(own, 1, luck) for luck in range(100)].count("a4") < 100
    theirs = at("WW/-/-/BBB/W/-/-/-/-/-/-/-/-/-/-/- W 0 0")
    assert 35 <= [chosen(theirs, 1, luck) for luck in range(100)].count("a1") <= 65


@pytest.mark.parametrize("level", [3, 4, 5])
def test_no_stone_is_placed_under_a_hole_of_the_opponent(level: int) -> None:
    assert "c2" not in {chosen(at(EXAMPLE), level, luck, late_after(9)) for luck in range(12)}


@pytest.mark.parametrize(("plies", "first", "setup"), BY_THREATS)
def test_wins_by_threats_are_found_and_brought_home(plies: int, first: str, setup: str) -> None:
    position = at(setup)
    seat, played = position.side, 0
    while position.turn:
        if position.side == seat:
            text = chosen(position, 5)
            assert played or text == first
            move = GAME.parse(position, seat, text)
        else:
            # Whatever else is answered loses at once.
            wins = position.holes(seat) & position.playable
            assert wins
            assert not position.holes(1 - seat) & position.playable
            move = Move(min(bits(wins)) % position.board.rods)
        position, played = position.play(position.side, move), played + 1
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winners == {seat}
    assert played <= plies


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "variant", "left", "count"),
    [("3", "line", 8, 12), ("4", "line", 7, 6), ("3", "capture", 4, 5), ("4", "capture", 3, 6)],
)
def test_near_the_end_all_moves_are_ranked_by_what_they_come_to(
    size: str, variant: str, left: int, count: int
) -> None:
    for position in late_positions(size, variant, left, count):
        for candidate in ENGINE.rank(position, position.side):
            assert candidate.is_exact
            comes_to = 1 - worth(position.play(position.side, candidate.move))
            assert candidate.expectation == comes_to


def test_who_is_late_at_once_still_sees_what_loses_at_once() -> None:
    must_block = at("WW/-/-/BBB/W/-/-/-/-/-/-/-/-/-/-/- W 0 0")
    assert {chosen(must_block, level, 0, late_after(0)) for level in (3, 4, 5)} == {"a1"}
    best, *others = ENGINE.rank(must_block, 0, is_late=late_after(0))
    assert GAME.notation(best.move) == "a1"
    assert {(other.expectation, other.is_exact) for other in others} == {(0.0, True)}


def test_moves_that_were_searched_less_deeply_do_not_overtake(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = list[str]()

    def value(_: object, move: Move, depth: int, *__: object) -> int:
        if depth > 1 and seen:
            raise SearchStopped
        seen.extend([GAME.notation(move)] * (depth > 1))
        return 50 - 40 * depth if move.rod == 5 else 0

    monkeypatch.setattr("games.computer.sogo_search.BaseSearch.value", value)
    best, second, *_ = ENGINE.rank(new(), 0)
    assert seen == [GAME.notation(best.move)]
    assert (best.expectation, second.is_exact) == (second.expectation, False)
