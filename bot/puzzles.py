"""Which positions of a match that was looked back on are puzzles, and of which games there are any.

A puzzle is a position with one clearly best move (`is_puzzle`), of which nothing is
kept that tells who has played it. Only games have them in which nothing is hidden and whose player
judges moves: where something is hidden, what is best depends on what one side must not know.
"""

from collections.abc import Sequence
from typing import Any

from bot.analysis import Judgement
from bot.endings import is_rateable
from bot.matches import LoadedMatch
from bot.store.puzzles import NewPuzzle
from bot.terms import rating_class
from games import AnyGame, AnyPosition
from games.computer import player

__all__ = ["MOST_OF_A_MATCH", "have_puzzles", "is_puzzle", "positions_of", "puzzle_of"]

MOST_OF_A_MATCH = 3
"""Positions of one match that are kept."""
_APART = 4
"""Moves between two of them, at least: neighbours look alike, and one may tell the other's."""

_LEAST_AHEAD = 0.25
"""Of expectation: by so much the one move of a puzzle is better than every other."""
_LEAST_WORTH = 0.45
"""What it is worth at least: to lose more slowly is nothing to be found."""
_LEAST_CHOICES = 3
"""Moves there are in a puzzle: two could be guessed."""


def have_puzzles(game: AnyGame) -> bool:
    """Can there be puzzles of this game, with whatever options?"""
    return player(game.id).judges and is_rateable(game)


def is_puzzle(one: Judgement) -> bool:
    """Has the position that was judged so one clearly best move, and more than it could be hit on?

    Where any move wins, or none helps, none is clearly best.
    """
    is_worth_it = one.best_expectation >= _LEAST_WORTH and one.choices >= _LEAST_CHOICES
    return is_worth_it and one.ahead >= _LEAST_AHEAD


def positions_of(
    loaded: LoadedMatch, judged: Sequence[Judgement | None]
) -> list[tuple[int, AnyPosition]]:
    """The positions of a match that may be puzzles, each with the number of its move, from 0.

    Those in which the best move is furthest ahead, some moves apart, in their order. None is what
    everybody sees: what ends the match at once, or keeps the other side from doing so. Blocking:
    the match is replayed.
    """
    match, game = loaded.match, loaded.game
    # Another choice of options may hide something.
    if not player(game.id).judges or rating_class(game, match.options) is None:
        return []
    found: list[tuple[float, int, AnyPosition]] = []
    plies = game.plies(match.options, match.setup, match.moves)
    for at, ((before, seat, _, _), one) in enumerate(zip(plies, judged, strict=False)):
        if one is None or not is_puzzle(one):
            continue
        best = game.parse(before.view(seat), seat, one.best)
        if before.play(seat, best).turn and not _is_forced(before, seat, best):
            found.append((one.ahead, at, before))
    found.sort(key=lambda one: (-one[0], one[1]))
    clearest: dict[int, AnyPosition] = {}
    for _, at, position in found:
        is_apart = all(abs(at - other) >= _APART for other in clearest)
        if is_apart and len(clearest) < MOST_OF_A_MATCH:
            clearest[at] = position
    return sorted(clearest.items(), key=lambda one: one[0])


def _is_forced(position: AnyPosition, seat: int, best: Any) -> bool:
    """Does the other side win at once after every other move?"""
    others = (move for move in position.moves(seat) if move != best)
    return all(_wins_at_once(position.play(seat, move), 1 - seat) for move in others)


def _wins_at_once(position: AnyPosition, seat: int) -> bool:
    outcomes = (position.play(seat, move).outcome() for move in position.moves(seat))
    return any(outcome is not None and seat in outcome.winners for outcome in outcomes)


def puzzle_of(loaded: LoadedMatch, position: AnyPosition, seat: int, one: Judgement) -> NewPuzzle:
    """The puzzle of a position of a match in which `seat` is to move, and which was judged so."""
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
