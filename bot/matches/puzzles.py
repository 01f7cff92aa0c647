"""Choose puzzles from analysed matches: positions with one clearly best move."""

from collections.abc import Sequence

from bot.domain.analysis import Judgement
from bot.domain.terms import rating_class
from bot.matches import MatchState
from bot.matches.endings import is_rateable
from bot.store.puzzles import NewPuzzle
from games import AnyGame, AnyPosition
from games.computer import engine

SECONDS = 3.0
"""Seconds to search a possible puzzle again, because a short search may miss a good move."""
MOST_OF_A_MATCH = 3
_APART = 4
"""Minimum number of moves between two puzzles: neighbours look alike and spoil each other."""

_LEAST_AHEAD = 0.25
"""Minimum lead of the best move over all others, in expectation."""
_LEAST_WORTH = 0.45
"""Minimum expectation of the best move: losing more slowly is no puzzle."""
_LEAST_CHOICES = 3
"""Minimum number of legal moves: two could be guessed."""


def have_puzzles(game: AnyGame) -> bool:
    """Return whether the game can have puzzles with some options."""
    return engine(game.id).can_judge_moves and is_rateable(game)


def is_puzzle(one: Judgement) -> bool:
    """Return whether one move is clearly best and too many are legal to guess it."""
    is_worth_it = one.best_expectation >= _LEAST_WORTH and one.choices >= _LEAST_CHOICES
    return is_worth_it and one.ahead >= _LEAST_AHEAD


def positions_of(
    loaded: MatchState, judged: Sequence[Judgement | None]
) -> list[tuple[int, AnyPosition]]:
    """Return the puzzles of a match with the index of each move, in order. Blocking.

    They have the largest leads. Obvious moves are excluded, and positions that a user set up.
    """
    match, game = loaded.match, loaded.game
    if (
        match.headers is not None
        or not engine(game.id).can_judge_moves
        or rating_class(game, match.options) is None
    ):
        return []
    found: list[tuple[float, int, AnyPosition]] = []
    plies = game.plies(match.options, match.setup, match.moves)
    for at, ((before, seat, _, _), one) in enumerate(zip(plies, judged, strict=False)):
        if one is None or not is_puzzle(one):
            continue
        if not is_obvious(game, before, seat, one.best):
            found.append((one.ahead, at, before))
    found.sort(key=lambda one: (-one[0], one[1]))
    clearest: dict[int, AnyPosition] = {}
    for _, at, position in found:
        is_apart = all(abs(at - other) >= _APART for other in clearest)
        if is_apart and len(clearest) < MOST_OF_A_MATCH:
            clearest[at] = position
    return sorted(clearest.items(), key=lambda one: one[0])


def is_obvious(game: AnyGame, position: AnyPosition, seat: int, notation: str) -> bool:
    """Return whether the best move ends the match, or all others lose at once. Blocking."""
    best = game.parse(position.view(seat), seat, notation)
    others = (move for move in position.moves(seat) if move != best)
    return not position.play(seat, best).turn or all(
        _wins_at_once(position.play(seat, move), 1 - seat) for move in others
    )


def _wins_at_once(position: AnyPosition, seat: int) -> bool:
    outcomes = (position.play(seat, move).outcome() for move in position.moves(seat))
    return any(outcome is not None and seat in outcome.winners for outcome in outcomes)


def puzzle_of(loaded: MatchState, position: AnyPosition, seat: int, one: Judgement) -> NewPuzzle:
    """Create the puzzle of a judged position in which `seat` is to move."""
    match = loaded.match
    assert one.second is not None, "no move is clearly best (`is_puzzle`) that is the only one"
    return NewPuzzle(
        match_id=match.id,
        game=match.game,
        rules=match.rules,
        options=match.options,
        setup=position.setup(),
        seat=seat,
        best=one.best,
        line=one.line,
        expectation=one.best_expectation,
        second=one.second,
    )
