"""How strong the player of Nine Men's Morris is: its opponents, and what is wanted against them.

The opponents: OpenSpiel's Monte Carlo tree search with random matches at its leaves (``pyspiel``,
which whoever measures has to install), and a plain alpha-beta that looks four plies ahead and
counts stones and ways to slide. That one is compiled where there is numba, so as not to be waited
for: it plays the same without.
"""

# ruff: noqa: PLR0917 - compiled functions hand numbers on by place

from collections.abc import Callable, MutableSequence
from functools import partial
from random import Random
from typing import Any

import games
from games.computer import LEVELS
from games.computer.accelerated import blank, compiled
from games.computer.morris_board import (
    ALL,
    CLOSES,
    MOST_MOVES,
    NEAR,
    NONE,
    count,
    first,
    generate,
)
from games.computer.morris_search import Search
from games.morris import MILLS, POINTS, MorrisPosition, Move, points_of
from tools.strength.matches import (
    Chooser,
    Line,
    Score,
    duel,
    of_chance,
    of_child,
    of_level,
    play,
    worth_to,
)
from tools.strength.results import each

__all__ = ["TABLE", "child", "mcts", "plain"]

GAME = "morris"
_LOST = -100_000
_AHEAD = 6
"""Plies in which a position is to show itself as a draw."""
_AS_GOOD_AS_DRAWN = 9
"""The largest value of a position that is known for a draw."""
_PRIZE = 5_000
"""A draw that is worth so much, more than any advantage, is taken where it can be forced."""
_STONE = 100
"""What a stone is worth, in ways to slide."""


@compiled
def _slides(own: int, free: int) -> int:
    found = 0
    while own:
        found += count(NEAR[first(own)] & free)
        own &= own - 1
    return found


@compiled
def _worth(
    own: int,
    other: int,
    hand: int,
    hand2: int,
    quiet: int,
    draw_after: int,
    from_mills: int,
    depth: int,
    alpha: int,
    beta: int,
    room: MutableSequence[int],
) -> int:
    """Plain alpha-beta: what a position is worth to whoever moves."""
    mine = count(own) + hand
    if mine < 3:
        return _LOST - depth
    if not hand and quiet >= draw_after:
        return 0
    free = ALL & ~(own | other)
    if depth == 0:
        return _STONE * (mine - count(other) - hand2) + _slides(own, free) - _slides(other, free)
    start = depth * MOST_MOVES
    end = start + generate(own, other, hand, from_mills, room, start)
    if end == start:
        return _LOST - depth
    for index in range(start, end):
        move = room[index]
        origin = move & 31
        taken = move >> 10 & 31
        after = own | 1 << (move >> 5 & 31)
        left = other
        if origin != NONE:
            after &= ~(1 << origin)
        if taken != NONE:
            left &= ~(1 << taken)
        counts_on = origin != NONE and not move & CLOSES
        value = -_worth(
            left,
            after,
            hand2,
            hand - (origin == NONE),
            quiet + 1 if counts_on else 0,
            draw_after,
            from_mills,
            depth - 1,
            -beta,
            -alpha,
            room,
        )
        if value >= beta:
            return value
        alpha = max(alpha, value)
    return alpha


def plain(depth: int = 4) -> Chooser:
    """Alpha-beta of so many plies with material and mobility; luck among equal moves."""
    room = blank((depth + 1) * MOST_MOVES)

    def chosen(view: MorrisPosition, seat: int, rng: Random) -> Move:
        moves = list(view.moves(seat))
        rng.shuffle(moves)
        best, alpha = moves[0], 10 * _LOST
        for move in moves:
            after = view.play(seat, move)
            if after.outcome() is not None:
                value = 0 if after.outcome().is_draw else -_LOST * 2  # type: ignore[union-attr]
            else:
                value = -_worth(
                    after.stones[1 - seat],
                    after.stones[seat],
                    after.hands[1 - seat],
                    after.hands[seat],
                    after.quiet,
                    after.draw_after,
                    int(after.from_mills),
                    depth - 1,
                    10 * _LOST,
                    -alpha,
                    room,
                )
            if value > alpha:
                best, alpha = move, value
        return best

    return chosen


def child(view: MorrisPosition, seat: int, rng: Random) -> Move:
    """Knows the rules: closes a mill, else blocks one, else lays two of a mill, else anything."""
    own, other = view.stones[seat], view.stones[1 - seat]

    def worth(move: Move) -> tuple[int, float]:
        left = own if move.origin is None else own & ~(1 << move.origin)
        found = 0
        for mill in MILLS:
            if move.target in mill:
                rest = sum(1 << point for point in mill if point != move.target)
                if count(rest & other) == 2:
                    found = 2
                elif count(rest & left) == 1 and not rest & other:
                    found = max(found, 1)
        return 3 if move.taken is not None else found, rng.random()

    return max(view.moves(seat), key=worth)


_BY_ROWS = sorted(range(len(POINTS)), key=lambda point: (-int(POINTS[point][1]), POINTS[point]))
"""OpenSpiel's numbers of the points -> ours."""
_TO_ROWS = [_BY_ROWS.index(point) for point in range(len(POINTS))]


def mcts(simulations: int = 1000) -> Chooser:  # noqa: C901 - one match after the other
    """OpenSpiel's tree search, with one random match for each leaf."""
    import pyspiel

    game = pyspiel.load_game("nine_mens_morris")
    bot: Any = None
    state: Any = None
    placed = -1

    def apply(move: Move) -> None:
        target = _TO_ROWS[move.target]
        if move.origin is None:
            state.apply_action(target)
        else:
            state.apply_action(24 + _TO_ROWS[move.origin] * 24 + target)
        if move.taken is not None:
            state.apply_action(_TO_ROWS[move.taken])

    def chosen(view: MorrisPosition, seat: int, rng: Random) -> Move:
        nonlocal bot, state, placed
        on_hand = sum(view.hands)
        if state is None or on_hand > placed or placed == on_hand == 18:
            # A new match: its first stones, of which none has been taken yet.
            bot = pyspiel.MCTSBot(
                game,
                pyspiel.RandomRolloutEvaluator(1, rng.randrange(1 << 30)),
                1.4,
                simulations,
                100,
                True,
                rng.randrange(1 << 30),
                False,
            )
            state = game.new_initial_state()
            stones = [list(points_of(view.stones[side])) for side in (0, 1)]
            if view.last is not None:
                stones[1 - seat].remove(view.last.target)
                stones[seat] += [] if view.last.taken is None else [view.last.taken]
            for number in range(sum(map(len, stones))):
                apply(Move(stones[number % 2][number // 2]))
        if view.last is not None:
            apply(view.last)
        if state.is_terminal():  # its matches end after 200 plies
            move = rng.choice(view.moves(seat))
        else:
            before = state.clone()
            action = bot.step(state)
            state.apply_action(action)
            target, origin, taken = action, None, None
            if action >= 24:
                origin, target = _BY_ROWS[(action - 24) // 24], (action - 24) % 24
            if not state.is_terminal() and state.current_player() == seat:
                taken = _BY_ROWS[bot.step(state)]
            move = Move(_BY_ROWS[target], origin, taken)
            state = before
        placed = sum(view.hands) - (move.origin is None)
        if not state.is_terminal():
            apply(move)
        return move

    return chosen


def _level_against_the_one_below(level: int) -> Line:
    def measure(matches: int, seed: int) -> Score:
        first, second = of_level(GAME, level), of_level(GAME, level - 1)
        return duel(GAME, first, second, matches=matches, seed=seed)

    return Line(f"level {level} against level {level - 1}", "at least 70 %", measure)


def _against_mcts(matches: int, seed: int) -> Score:
    return duel(GAME, of_level(GAME, LEVELS), mcts(), matches=matches, seed=seed)


def _against_plain(matches: int, seed: int) -> Score:
    return duel(GAME, of_level(GAME, LEVELS), plain(), matches=matches, seed=seed)


def _plain_against_mcts(matches: int, seed: int) -> Score:
    return duel(GAME, plain(), mcts(), matches=matches, seed=seed)


def _from(is_wanted: Callable[[MorrisPosition], bool], matches: int, seed: int) -> Score:
    """From positions of a kind, on turn, against plain alpha-beta: what counts is what is lost."""

    def worth(number: int) -> float:
        rng = Random(f"{seed} {number}")
        position = _in_the_middle(rng, is_wanted)
        seat = position.mover
        players = (of_level(GAME, LEVELS), plain(_AHEAD))
        outcome = play(
            GAME,
            players if seat == 0 else (players[1], players[0]),
            rng,
            setup=position.setup(),
        )
        return worth_to(outcome, seat)

    return Score.of(each(matches, worth))


def _in_the_middle(rng: Random, is_wanted: Callable[[MorrisPosition], bool]) -> MorrisPosition:
    """A position of shallow play, all stones placed, of the kind that is wanted."""
    game = games.get(GAME)
    options = game.options_from({})
    players = of_level(GAME, 3), of_level(GAME, 4)
    while True:
        position = game.start(options, game.new_setup(options, rng))
        for _ in range(rng.randrange(18, 50)):
            if position.turn:
                seat = position.mover
                position = position.play(seat, players[seat](position, seat, rng))
        if position.turn and not any(position.hands):
            found: MorrisPosition = game.start(options, position.setup())
            if is_wanted(found):
                return found


def _seems_even(position: MorrisPosition) -> bool:
    """Is nobody better, as far as its own search can see so many plies ahead?

    It may be lost all the same: of 200 such positions at least two are, as 21 plies show.
    """
    return abs(_seen(position)) <= _AS_GOOD_AS_DRAWN


def _is_shown_drawn(position: MorrisPosition) -> bool:
    """Does its own search show that whoever moves has a draw for certain, and nothing better?"""
    return _seems_even(position) and _seen(position, draw=_PRIZE) >= _PRIZE - _AS_GOOD_AS_DRAWN


def _seen(position: MorrisPosition, *, draw: int = 0) -> int:
    search = Search(position, draw=draw)
    search.deepen(_AHEAD)
    return search.ranked[0].value


TABLE: tuple[Line, ...] = (
    *(_level_against_the_one_below(level) for level in range(2, LEVELS + 1)),
    of_child(GAME, child),
    of_chance(GAME),
    Line(
        f"level {LEVELS} against OpenSpiel's MCTS with 1,000 simulations",
        "at least 97 %",
        _against_mcts,
    ),
    Line(f"level {LEVELS} against alpha-beta of depth 4", "at least 75 %", _against_plain),
    Line(
        f"level {LEVELS} from draws that depth {_AHEAD} shows, against alpha-beta of that",
        "none lost",
        partial(_from, _is_shown_drawn),
    ),
    Line(
        f"level {LEVELS} from what seems even at depth {_AHEAD}, against alpha-beta of that",
        "",
        partial(_from, _seems_even),
    ),
    Line("alpha-beta of depth 4 against that MCTS", "about 88 %", _plain_against_mcts),
)
