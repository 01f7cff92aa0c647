"""Puzzles as an analysis finds them, for tests without one."""

from functools import partial
from random import Random

import games
from bot.domain.model import Computer, NewMatch
from bot.matches import MatchState, beginning
from bot.store import Store, puzzles
from bot.store.puzzles import NewPuzzle, PuzzleToTry
from games.computer import LEVELS
from tests.bot.table import Person, Table


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


async def try_puzzle(table: Table, person: Person, chosen: PuzzleToTry) -> MatchState:
    """Let a person try a puzzle in their direct chat."""
    new = NewMatch(
        game="othello",
        options=games.get("othello").options_from(chosen.options),
        place_id=person.direct.id,
        challenger=person.id,
        preferred_seat=chosen.seat,
        puzzle=chosen.id,
    )
    levels = Computer(LEVELS)
    return await beginning.begin(table.app.matches, new, chosen.setup, computer=levels)


async def pose(store: Store, *found: NewPuzzle) -> None:
    await store.write(partial(puzzles.insert_all, found=found))
