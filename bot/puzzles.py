"""Which positions of a match that was looked back on are puzzles, and of which games there are any.

A puzzle is a position with one clearly best move (`bot.analysis.is_puzzle`), of which nothing is
kept that tells who has played it. Only games have them in which nothing is hidden and whose player
judges moves: where something is hidden, what is best depends on what one side must not know.
"""

from collections.abc import Sequence

from bot.analysis import Judgement, is_puzzle
from bot.endings import is_rateable
from bot.matches import LoadedMatch
from bot.store.puzzles import NewPuzzle
from bot.thinking.worker import Task
from games import AnyGame
from games.computer import player

__all__ = ["MOST_OF_A_MATCH", "have_puzzles", "plies_of", "puzzle_of"]

MOST_OF_A_MATCH = 3
"""Positions of one match that are kept: neighbours look alike."""


def have_puzzles(game: AnyGame) -> bool:
    """Can there be puzzles of this game, with whatever options?"""
    return player(game.id).judges and is_rateable(game)


def plies_of(loaded: LoadedMatch, judged: Sequence[Judgement | None]) -> list[int]:
    """Before which moves of a match, from 0, there is a puzzle, as far as it was looked back on.

    Those in which the best move is furthest ahead, in their order. What ends the match at once is
    none: everybody sees it. Blocking: the match is replayed.
    """
    if not have_puzzles(loaded.game):
        return []
    match, game = loaded.match, loaded.game
    found: list[tuple[float, int]] = []
    plies = game.plies(match.options, match.setup, match.moves)
    for at, ((before, seat, _, _), one) in enumerate(zip(plies, judged, strict=False)):
        if one is None or not is_puzzle(one):
            continue
        best = game.parse(before.view(seat), seat, one.best)
        if before.play(seat, best).turn:
            found.append((one.ahead, at))
    found.sort(key=lambda one: -one[0])
    return sorted(at for _, at in found[:MOST_OF_A_MATCH])


def puzzle_of(loaded: LoadedMatch, task: Task, one: Judgement) -> NewPuzzle:
    """The puzzle of a position that was judged so; `task` is what it was judged by."""
    match = loaded.match
    return NewPuzzle(
        match_id=match.id,
        game=match.game,
        rules=match.rules,
        options=match.options,
        setup=task.view.setup(),
        seat=task.seat,
        best=one.best,
        line=one.line,
        expectation=one.best_expectation,
        second=one.best_expectation if one.second is None else one.second,
    )
