"""The engine of Nine Men's Morris: search, endgame tables, limits."""

from random import Random

import pytest

from games.base import bits
from games.computer.accelerated import blank
from games.computer.base import LEVELS, never
from games.computer.morris import ENGINE
from games.computer.morris_board import CLOSES, MOST_MOVES, generate
from games.computer.morris_endings import LOSS, Endings, endings, probe, symmetries
from games.computer.morris_search import Search, code_of
from games.morris import GAME, MILLS, NEIGHBOURS, POINTS, MorrisPosition
from tests.games.computer.late import late_after
from tests.games.test_morris import board, play, start


def chosen(position: MorrisPosition, level: int = LEVELS, seed: int = 0) -> str:
    late = late_after(120) if level == LEVELS else never
    move = ENGINE.choose(position, position.mover, level=level, rng=Random(seed), is_late=late)
    return GAME.notation(move)


def somewhere(rng: Random, plies: int, **options: str) -> MorrisPosition:
    """Return a position after random moves, mills first."""
    position = start(**options)
    for _ in range(plies):
        if not position.turn:
            break
        moves = position.moves(position.mover)
        position = position.play(
            position.mover, rng.choice([m for m in moves if m.taken is not None] or moves)
        )
    return position


# Boards


@pytest.mark.parametrize("capture", ["if_no_other", "never"])
def test_its_moves_are_those_of_the_rules(capture: str) -> None:
    rng, found = Random(3), blank(MOST_MOVES)
    for _ in range(40):
        position = somewhere(rng, rng.randrange(70), capture_from_mills=capture)
        seat = position.mover
        if not position.turn:
            continue
        number = generate(
            position.stones[seat],
            position.stones[1 - seat],
            position.hands[seat],
            int(position.from_mills),
            found,
            0,
        )
        codes = sorted(code_of(move, position) for move in position.moves(seat))
        assert sorted(found[:number]) == codes


def test_a_mill_that_takes_nothing_is_still_one() -> None:
    position = board("a1 a4 d7", "c3 c4 c5", capture_from_mills="never")
    codes = {GAME.notation(move): code_of(move, position) for move in position.moves(0)}
    assert codes["d7-a7"] & CLOSES
    assert not codes["d7-g7"] & CLOSES


# Endings


def test_the_sixteen_symmetries_keep_neighbours_and_mills() -> None:
    mills = {frozenset(mill) for mill in MILLS}
    ways = symmetries()
    assert len(set(ways)) == 16
    for way in ways:
        assert {frozenset(way[point] for point in mill) for mill in mills} == mills
        for point, near in enumerate(NEIGHBOURS):
            moved = sum(1 << way[other] for other in bits(near))
            assert moved == NEIGHBOURS[way[point]]


def ending(rng: Random, draw_after: int) -> MorrisPosition:
    own, other = rng.choice([(3, 3), (3, 4), (4, 3), (3, 5), (5, 3)])
    points = [POINTS[point] for point in rng.sample(range(24), own + other)]
    return board(" ".join(points[:own]), " ".join(points[own:]), "W", draw_after=str(draw_after))


def said(table: Endings, position: MorrisPosition) -> int:
    return probe(position.stones[position.mover], position.stones[1 - position.mover], table)


@pytest.mark.parametrize("draw_after", [20, 50])
def test_what_it_knows_of_an_ending_follows_from_what_it_knows_of_the_next(draw_after: int) -> None:
    table = endings(draw_after)
    rng = Random(draw_after)
    kinds = set()
    for _ in range(60):
        position = ending(rng, draw_after)
        if not position.turn:
            continue
        wins, losses = [], []
        moves = position.moves(0)
        for move in moves:
            after, closes = position.play(0, move), position.closes(move)
            outcome = after.outcome()
            value = LOSS if outcome and outcome.winners else said(table, after)
            value = 0 if value % LOSS > draw_after else value
            if value >= LOSS:
                wins.append(1 if closes else value - LOSS + 1)
            elif value:
                losses.append(1 if closes else value + 1)
        expected = 0
        if wins:
            expected = min(wins)
        elif len(losses) == len(moves):
            expected = LOSS + max(losses)
        found = said(table, position)
        assert found == (0 if expected % LOSS > draw_after else expected), position.setup()
        kinds.add((found > 0) + (found >= LOSS))
    assert kinds == {0, 1, 2}


def test_it_wins_a_long_ending_before_the_plies_without_a_mill_are_up() -> None:
    table = endings(20)
    rng = Random(1)
    position = ending(rng, 20)
    while not 11 <= said(table, position) <= 20 or not position.turn:
        position = ending(rng, 20)
    while position.turn:
        position = play(position, [chosen(position, 4 if position.mover else 5)])
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winners == {0}


def test_a_win_that_needs_more_plies_than_are_left_is_a_draw() -> None:
    table = endings(20)
    rng = Random(1)
    position = ending(rng, 20)
    while not 5 <= said(table, position) <= 20 or not position.turn:
        position = ending(rng, 20)
    assert ENGINE.rank(position, 0, is_late=late_after(120))[0].expectation == 1
    tired = MorrisPosition(
        stones=position.stones,
        hands=(0, 0),
        plies_without_mill=17,
        seen=position.seen,
        draw_after=20,
    )
    best = ENGINE.rank(tired, 0, is_late=late_after(120))[0]
    assert (best.expectation, best.is_exact) == (0.5, True)


# Choosing


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_every_level_takes_the_third_last_stone(level: int) -> None:
    position = board("a1 a4 b6 d7 f2", "d1 f4 g4")
    assert {chosen(position, level, seed)[:5] for seed in range(4)} == {"d7-a7"}


@pytest.mark.parametrize("level", [3, 4, 5])
def test_who_looks_ahead_blocks_a_mill(level: int) -> None:
    position = play(start(), "d6 b4 d7")
    assert {chosen(position, level, seed) for seed in range(2)} == {"d5"}


def test_a_draw_by_repetition_is_seen_coming() -> None:
    position = board("a1 d1 g1 b2 d6 f4", "c3 d3 e3 b4 a7 g7", "W")
    shuffled = play(position, "d6-d7 b4-c4 d7-d6 c4-b4 d6-d7 b4-c4 d7-d6")
    search = Search(shuffled)
    search.deepen(2)
    repeating = next(it for it in search.ranked if GAME.notation(it.move) == "c4-b4")
    assert repeating.is_bound or repeating.value == 0


# Ranking


def test_a_ranking_that_is_late_at_once_still_blocks_a_mill() -> None:
    position = play(start(), "d6 b4 d7")
    assert GAME.notation(ENGINE.rank(position, 1, is_late=late_after(0))[0].move) == "d5"


def test_a_win_at_once_is_exact() -> None:
    ranking = ENGINE.rank(board("a1 a4 d7", "d1 f4 g4"), 0, is_late=late_after(120))
    assert ranking[0].expectation == 1
    assert ranking[0].is_exact
    assert ranking[0].move.taken is not None
