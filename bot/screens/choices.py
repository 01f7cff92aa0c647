"""What a board lets its reader choose: the next steps of all moves, where they lie, their words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import renderers
from bot.actions import Action
from bot.matches import LoadedMatch
from bot.screens.values import Choice
from bot.texts import Texts
from games import AnyGame
from renderers import RenderOptions

__all__ = ["Playable", "Playables", "choices_of", "groups_of", "pad_of", "playables_of"]

Playables = Mapping[int, "Playable"]
"""What can be played at a board, by the seat that may move."""


_Way = tuple[int, Any, tuple[str, ...]]
"""A move: by whom, which, and all of its steps."""


@dataclass(frozen=True, slots=True)
class Playable:
    """The moves of a seat that those may choose from who see a board, and has it more?"""

    moves: Sequence[Any]
    more: bool


def playables_of(loaded: LoadedMatch, seat: int | None) -> Playables:
    """What can be played at a board seen by `seat`: nothing that is told to the mover alone.

    Nothing at all while some of it is: what else can be played then may depend on the secret. A
    board that is one seat's own has what that seat can play.
    """
    game, position = loaded.game, loaded.position
    found = {}
    for mover in sorted(position.turn if seat is None else position.turn & {seat}):
        moves: Sequence[Any] = position.moves(mover)
        is_secret = (
            mover != seat and game.hidden(loaded.match.options) and any(map(game.is_secret, moves))
        )
        found[mover] = Playable(() if is_secret else moves, more=is_secret)
    return found


def choices_of(
    loaded: LoadedMatch, view: Any, playables: Playables, rendering: RenderOptions, texts: Texts
) -> tuple[Choice, ...]:
    """The next steps after `rendering.chosen`: legal ones, and the rest of the picture's cells."""
    game, match = loaded.game, loaded.match
    legal = _legal(game, playables, rendering.chosen)
    if not legal:
        return ()
    cells = renderers.get(game.id).cells(view, rendering)
    length = len(rendering.chosen) + 1
    before = "".join(f"{step}." for step in rendering.chosen)
    begun = Action("step", match.id, match.version, before)
    said: dict[tuple[str | float, ...], str] = {}
    found = []
    called, form = texts.moves_of(game.id), rendering.form
    # What is in the picture comes in its order, whatever is legal. There are up to a hundred.
    for step in dict.fromkeys((*cells, *legal)):
        label = short = called(step)
        whole = None
        ways = legal.get(step)
        if ways and len(ways) == 1:
            ((mover, move, steps),) = ways
            written = game.write(move, form)
            if written != step:
                label = called(written)
                # As its reader writes it, where it is all of the move.
                short = label if form and steps == (step,) else short
                if len(steps) != length:
                    whole = (label, Action("step", match.id, match.version, ".".join(steps)))
            if effect := game.effect(view, mover, move):
                label = f"{label}, {texts.note(game.id, 'effect', effect)}"
        lies, cell = "", cells.get(step)
        if cell and (says := cell.says):
            # Most of what lies there is the same as elsewhere.
            key = (says.code, *says.details.values())
            lies = said.get(key) or said.setdefault(key, texts.note(game.id, "cell", says))
        found.append(Choice(step, label, short, begun, ways is not None, cell, lies, whole))
    return tuple(found)


def pad_of(loaded: LoadedMatch, playables: Playables, texts: Texts) -> tuple[Choice, ...]:
    """The last steps of all moves, where they are few; legal are those with which a move ends."""
    game, match = loaded.game, loaded.match
    moves = [move for playable in playables.values() for move in playable.moves]
    if not game.pad or not moves:
        return ()
    last = {game.steps(move)[-1] for move in moves}
    begun = Action("rest", match.id, match.version)
    return tuple(
        Choice(
            step,
            label := texts.move(game.id, step),
            label,
            begun,
            step in last,
        )
        for step in game.pad
    )


def _legal(
    game: AnyGame, playables: Playables, chosen: tuple[str, ...]
) -> Mapping[str, Sequence[_Way]]:
    """The next steps that lead on, and the moves to which they lead."""
    depth = len(chosen)
    found: dict[str, list[_Way]] = {}
    for mover, playable in playables.items():
        for move in playable.moves:
            steps = game.steps(move)
            if steps[:depth] == chosen:
                found.setdefault(steps[depth], []).append((mover, move, steps))
    return found


def groups_of(game: AnyGame, choices: Iterable[Choice], texts: Texts) -> dict[str, str]:
    """What belongs together among these choices, and what that is called."""
    names = dict.fromkeys(choice.group for choice in choices if choice.group)
    return {name: texts(f"{game.id}-group-{name}") for name in names}
