"""Puzzles as an analysis finds them, for tests without one."""

from functools import partial
from random import Random

import games
from bot.store import Store, puzzles
from bot.store.puzzles import NewPuzzle


def puzzle(
    game_id: str = "othello",
    *,
    plies: int = 3,
    best: str = "",
    line: tuple[str, ...] = (),
    match_id: int | None = None,
    rules: int = 0,
) -> NewPuzzle:
    """Return a puzzle after random moves, with `best` (else the last move) as its solution."""
    game, luck = games.get(game_id), Random(plies)
    options = game.options_from({})
    position = game.start(options, game.new_setup(options, luck))
    for _ in range(plies):
        seat = min(position.turn)
        position = position.play(seat, luck.choice(position.moves(seat)))
    seat = min(position.turn)
    best = best or game.notation(position.moves(seat)[-1])
    setup, rules = position.setup(), rules or game.rules_version
    return NewPuzzle(
        match_id, game_id, rules, options, setup, seat, best, line or (best,), 0.9, 0.4
    )


async def pose(store: Store, *found: NewPuzzle) -> None:
    await store.write(partial(puzzles.insert_all, found=found))
