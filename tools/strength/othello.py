"""How strong Othello's computer is: against its own levels, and two opponents of known strength.

OpenSpiel's Monte Carlo tree search (``pip install open_spiel``) and a plain alpha-beta, written
here over the rules. Seconds are those of the processor, for each move.
"""

import time
from collections.abc import Callable
from random import Random
from statistics import mean

from games.computer import LEVELS
from games.computer.accelerated import IS_ACCELERATED
from games.computer.base import never
from games.computer.othello_search import Search, deepened
from games.othello import GAME, Move, OthelloPosition
from tools.strength.matches import (
    Chooser,
    Line,
    Score,
    duel,
    of_chance,
    of_child,
    of_level,
)

__all__ = ["TABLE", "child", "monte_carlo", "plain"]

_CORNERS = 0x8100000000000081
_WON = 100_000


def child(view: OthelloPosition, seat: int, rng: Random) -> Move:
    """Takes a corner if it can, else flips as many discs as it can, but any every fifth time."""
    moves = view.moves(seat)
    corners = [move for move in moves if move.square is not None and _CORNERS >> move.square & 1]
    if corners:
        return rng.choice(corners)
    if rng.random() < 0.2:
        return rng.choice(moves)
    return max(moves, key=lambda move: (view.flips(move).bit_count(), rng.random()))


def plain(depth: int) -> Chooser:
    """Alpha-beta of a fixed depth: corners, numbers of moves, and discs, which count late most.

    Of moves that are equally good it takes one by lot.
    """

    def chosen(view: OthelloPosition, seat: int, rng: Random) -> Move:
        moves = list(view.moves(seat))
        rng.shuffle(moves)
        best, alpha = moves[0], -10 * _WON
        for move in moves:
            value = -_value(view.play(seat, move), depth - 1, -10 * _WON, -alpha)
            if value > alpha:
                best, alpha = move, value
        return best

    return chosen


def _value(position: OthelloPosition, depth: int, alpha: int, beta: int) -> int:
    seat = position.side
    own, other = position.score() if seat == 0 else position.score()[::-1]
    if position.is_over:
        return (own > other) * _WON - (own < other) * _WON + own - other
    if depth == 0:
        answer = OthelloPosition(position.rules, position.black, position.white, 1 - seat)
        corners = [(board & _CORNERS).bit_count() for board in (position.black, position.white)]
        mine, theirs = corners if seat == 0 else corners[::-1]
        mobility = position.targets.bit_count() - answer.targets.bit_count()
        return 250 * (mine - theirs) + 25 * mobility + (own - other) * (own + other) // 8
    for move in sorted(position.moves(seat), key=_promise):
        value = -_value(position.play(seat, move), depth - 1, -beta, -alpha)
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return alpha


def _promise(move: Move) -> int:
    """Corners first, squares beside them last."""
    if move.square is None:
        return 0
    from_edge = sorted(min(at, 7 - at) for at in (move.square % 8, move.square // 8))
    return {(0, 0): 0, (0, 1): 2, (1, 1): 3}.get((from_edge[0], from_edge[1]), 1)


def monte_carlo(simulations: int) -> Chooser:
    """OpenSpiel's MCTS, with random matches to the end; solved positions count as such."""
    import pyspiel

    game = pyspiel.load_game("othello")
    start = GAME.start({"rules": "othello"}, GAME.new_setup({"rules": "othello"}, Random(0)))
    seen: list[tuple[OthelloPosition, tuple[int, ...]]] = []

    def chosen(view: OthelloPosition, seat: int, rng: Random) -> Move:
        # It wants whole matches: how it came to this position since it was asked last.
        known, actions = seen.pop() if seen else (start, ())
        way = _way(known, view)
        if way is None:
            actions, way = (), _way(start, view)
        assert way is not None
        actions = (*actions, *way)
        state = game.new_initial_state()
        for action in actions:
            state.apply_action(action)
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=rng.getrandbits(31))
        bot = pyspiel.MCTSBot(
            game, evaluator, 2.0, simulations, 1000, True, rng.getrandbits(31), False
        )
        action = bot.step(state)
        move = Move(action)
        seen.append((view.play(seat, move), (*actions, action)))
        return move

    return chosen


def _way(position: OthelloPosition, goal: OthelloPosition) -> tuple[int, ...] | None:
    """OpenSpiel's actions from a position to another one of the same match; 64 is a pass."""
    if position == goal:
        return ()
    if not position.turn or sum(position.score()) > sum(goal.score()):
        return None
    if sum(position.score()) == sum(goal.score()) and position.targets:
        return None
    for move in position.moves(position.side):
        rest = _way(position.play(position.side, move), goal)
        if rest is not None:
            return (64 if move.square is None else move.square, *rest)
    return None


def _against(
    first: Callable[[], Chooser], second: Callable[[], Chooser], **options: str
) -> Callable[[int, int], Score]:
    """Matches of two players, who are made when they are needed."""

    def measured(matches: int, seed: int) -> Score:
        return duel(
            "othello", first(), second(), matches=matches, seed=seed, options=options or None
        )

    return measured


def position_of(free: int, rng: Random) -> OthelloPosition:
    """A position with so many free squares that level 3 has come to, after a few random moves."""
    options = GAME.options_from({})
    chosen = of_level("othello", 3)
    while True:
        position = GAME.start(options, GAME.new_setup(options, rng))
        while position.turn:
            taken = sum(position.score())
            if taken == 64 - free and position.targets:
                return position
            seat, moves = position.side, position.moves(position.side)
            move = rng.choice(moves) if taken < 12 else chosen(position, seat, rng)
            position = position.play(seat, move)


def _board(position: OthelloPosition) -> tuple[int, int]:
    boards = position.black, position.white
    return boards if position.side == 0 else (boards[1], boards[0])


def solved(positions: int, seed: int, *, free: int = 14) -> str:
    """How long it takes to see the end."""
    search = Search(1 << 20 if IS_ACCELERATED else 1 << 14)
    rng = Random(seed)
    times, nodes = [], 0
    for _ in range(positions):
        board = _board(position_of(free, rng))
        search.clear()
        begun = time.process_time()
        found = deepened(search, *board, depth=0, solve_at=free, margin=0, is_late=never)
        times.append(time.process_time() - begun)
        nodes += search.nodes
        assert found[0].is_exact
    return (
        f"{free} free squares: {mean(times):.2f} s, at worst {max(times):.2f} s, "
        f"{nodes / sum(times) / 1000:,.0f} thousand nodes a second, {positions} positions"
    )


def rate(positions: int, seed: int, *, seconds: float = 1.0) -> str:
    """Nodes a second, and how deep that is, in the middle of a match."""
    search = Search(1 << 20 if IS_ACCELERATED else 1 << 14)
    rng = Random(seed)
    depths, spent, nodes = [], 0.0, 0
    for _ in range(positions):
        board = _board(position_of(rng.randrange(25, 50), rng))
        search.clear()
        begun = time.process_time()
        end = begun + seconds
        found = deepened(
            search,
            *board,
            depth=60,
            solve_at=0,
            margin=0,
            is_late=lambda end=end: time.process_time() >= end,  # type: ignore[misc]
        )
        spent += time.process_time() - begun
        nodes += search.nodes
        depths.append(found[0].depth)
    return (
        f"{nodes / spent / 1000:,.0f} thousand nodes a second, {mean(depths):.1f} plies in "
        f"{seconds:g} s, {positions} positions"
    )


def _levels(rules: str) -> tuple[Line, ...]:
    return tuple(
        Line(
            f"{rules}: level {level} against level {level - 1}",
            "at least 70 %",
            _against(
                lambda level=level: of_level("othello", level),  # type: ignore[misc]
                lambda level=level: of_level("othello", level - 1),  # type: ignore[misc]
                rules=rules,
            ),
        )
        for level in range(2, LEVELS + 1)
    )


TABLE: tuple[Line, ...] = (
    Line(
        f"level {LEVELS} against OpenSpiel's MCTS, 1,000 simulations",
        "at least 99 %",
        _against(lambda: of_level("othello", LEVELS), lambda: monte_carlo(1000)),
        matches=100,
    ),
    Line(
        f"level {LEVELS} against plain alpha-beta, depth 4",
        "at least 90 %",
        _against(lambda: of_level("othello", LEVELS), lambda: plain(4)),
        matches=100,
    ),
    Line(
        "plain alpha-beta, depth 4, against OpenSpiel's MCTS, 1,000 simulations",
        "about 95 %",
        _against(lambda: plain(4), lambda: monte_carlo(1000)),
        matches=100,
    ),
    *_levels("othello"),
    *_levels("reversi"),
    of_child("othello", child),
    of_chance("othello"),
    Line("exact from 14 free squares", "at most 2 s", solved, matches=50),
    Line("exact from 18 free squares", "", lambda n, seed: solved(n, seed, free=18), matches=20),
    Line("nodes, and plies in a second", "", rate, matches=20),
)
