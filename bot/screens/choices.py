"""The steps of moves that a board offers, and how it is drawn for its reader."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import renderers
from bot.domain.actions import Action
from bot.domain.model import Match
from bot.matches import MatchState
from bot.screens.values import Choice, Reader
from bot.screens.wording import banks_in_digits, notation_for
from bot.support.texts import Texts
from games import AnyGame
from renderers import THEMES, RenderOptions, Verdict

Playables = Mapping[int, "SeatMoves"]
"""The possible moves by seat."""


_Way = tuple[int, Any, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class SeatMoves:
    """The moves of a seat that viewers of a board may choose from; `more`: others are secret."""

    moves: Sequence[Any]
    more: bool


def playables_of(loaded: MatchState, seat: int | None) -> Playables:
    """Return the moves that can be made at a board seen by `seat`.

    There are none while some are secret, because the others could depend on the secret.
    """
    game, position = loaded.game, loaded.position
    found = {}
    for mover in sorted(position.turn if seat is None else position.turn & {seat}):
        moves: Sequence[Any] = position.moves(mover)
        is_secret = (
            mover != seat
            and game.has_secrets(loaded.match.options)
            and any(map(game.is_secret, moves))
        )
        found[mover] = SeatMoves(() if is_secret else moves, more=is_secret)
    return found


def choices_of(
    loaded: MatchState, view: Any, playables: Playables, rendering: RenderOptions, texts: Texts
) -> tuple[Choice, ...]:
    """Return the possible next steps after `rendering.chosen`, and the picture's other cells."""
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
    called, form = texts.moves_of(game.id), rendering.notation
    # Up to a hundred cells, in the order of the picture whichever are legal.
    for step in dict.fromkeys((*cells, *legal)):
        label = short = called(step)
        whole = None
        ways = legal.get(step)
        if ways and len(ways) == 1:
            ((mover, move, steps),) = ways
            written = game.write(move, form)
            if written != step:
                label = called(written)
                # In the reader's notation, if the step is the whole move.
                short = label if form and steps == (step,) else short
                if len(steps) != length:
                    whole = (label, Action("step", match.id, match.version, ".".join(steps)))
            if effect := game.effect(view, mover, move):
                label = f"{label}, {texts.note(game.id, 'effect', effect)}"
        lies, cell = "", cells.get(step)
        if cell and (says := cell.glyph_note):
            # Most cells have the same text.
            key = (says.code, *says.details.values())
            lies = said.get(key) or said.setdefault(key, texts.note(game.id, "cell", says))
        found.append(Choice(step, label, short, begun, ways is not None, cell, lies, whole))
    return tuple(found)


def pad_of(loaded: MatchState, playables: Playables, texts: Texts) -> tuple[Choice, ...]:
    """Return the last steps of all moves if they are few. Those that end a move are legal."""
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
    depth = len(chosen)
    found: dict[str, list[_Way]] = {}
    for mover, playable in playables.items():
        for move in playable.moves:
            steps = game.steps(move)
            if steps[:depth] == chosen:
                found.setdefault(steps[depth], []).append((mover, move, steps))
    return found


def groups_of(game: AnyGame, choices: Iterable[Choice], texts: Texts) -> dict[str, str]:
    """Return the names of the groups of these choices."""
    names = dict.fromkeys(choice.group for choice in choices if choice.group)
    return {name: texts(f"{game.id}-group-{name}") for name in names}


def rendering_of(loaded: MatchState, reader: Reader, chosen: tuple[str, ...]) -> RenderOptions:
    """Return the options of a board's picture, from the reader's settings and the match."""
    settings = reader.settings
    seat = loaded.match.seat_of(reader.user.id) if reader.user else None
    return RenderOptions(
        theme=reader.theme if reader.theme in THEMES else THEMES[0],
        size=reader.size,
        flipped=settings.get("side") == "own" and seat == 1,
        # No one continues after a puzzle.
        legal=settings.get("dots", "on") == "on" and not loaded.match.shows_solution,
        threats=settings.get("threats") == "on",
        chosen=chosen,
        notation=notation_for(reader, loaded.game),
        verdict=_verdict(loaded.match),
        clocks=banks_in_digits(loaded),
        # Both players share a picture if nothing is marked for one side.
        seat=seat if renderers.marks_own(loaded.game.id) else None,
        labels=renderers.words(loaded.game.id, reader.texts),
    )


def _verdict(match: Match) -> Verdict | None:
    if match.ending is None or match.is_puzzle:
        return None
    outcome = match.outcome
    return Verdict(outcome.winners, outcome.is_draw) if outcome else Verdict()
