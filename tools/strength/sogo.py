"""How strong the engine of Sogo is, also on other boards and by other rules."""

from collections.abc import Sequence
from random import Random

from games.computer import LEVELS
from games.sogo import Move, SogoPosition
from tools.strength.matches import (
    Line,
    Score,
    alpha_beta,
    best_line,
    child_line,
    each,
    level_lines,
    of_level,
    play,
    random_line,
    worth_to,
)

_ATTENTION = 0.75
"""How often a child sees a threat."""


def careful(view: SogoPosition, seat: int, rng: Random, played: Sequence[Move]) -> Move:
    """Complete a line, or block one, or choose any move."""
    return _complete(view, seat, (seat, 1 - seat), rng)


def child(view: SogoPosition, seat: int, rng: Random, played: Sequence[Move]) -> Move:
    """Do the same, but overlook one in four threats of the opponent."""
    return _complete(view, seat, (seat, 1 - seat) if rng.random() < _ATTENTION else (seat,), rng)


def _complete(view: SogoPosition, seat: int, owners: tuple[int, ...], rng: Random) -> Move:
    moves = view.moves(seat)
    for owner in owners:
        holes = view.holes(owner) & view.playable
        found = [move for move in moves if holes >> view.next_cell(move.rod) & 1]
        if found:
            return rng.choice(found)
    return rng.choice(moves)


def _value(position: SogoPosition, seat: int) -> int:
    """Count 1, 10 or 100 for a line with only one's own one, two or three stones."""
    own, other = position.stones[seat], position.stones[1 - seat]
    found = 0
    for line in position.board.every_line:
        mine, theirs = (own & line).bit_count(), (other & line).bit_count()
        if mine and not theirs:
            found += 10 ** (mine - 1)
        elif theirs and not mine:
            found -= 10 ** (theirs - 1)
    return found


def _order(position: SogoPosition, move: Move) -> int:
    """Search cells on many lines first."""
    return -len(position.board.through[position.next_cell(move.rod)])


def _smallest(matches: int, seed: int) -> Score:
    """Let the highest level start on 3x3x3, against each level in turn."""

    def worth(number: int) -> float:
        players = of_level("sogo", LEVELS), of_level("sogo", number % LEVELS + 1)
        rng = Random(f"{seed} {number}")
        return worth_to(play("sogo", players, rng, options={"size": "3"}), 0)

    return Score.of(each(matches, worth))


def _other_board(size: str, variant: str) -> Line:
    return best_line(
        "sogo",
        f"3, {size}, {variant}",
        "at least 70 %",
        lambda: of_level("sogo", 3),
        matches=20,
        options={"size": size, "variant": variant},
    )


TABLE: tuple[Line, ...] = (
    *level_lines("sogo"),
    child_line("sogo", child),
    random_line("sogo"),
    best_line("sogo", "completing and blocking lines", "at least 98 %", lambda: careful),
    best_line(
        "sogo", "alpha-beta of depth 5", "at least 90 %", lambda: alpha_beta(5, _value, _order)
    ),
    Line(f"level {LEVELS} begins on 3x3x3", "100 %", _smallest, 50),
    *(
        _other_board(size, variant)
        for size, variant in (("5", "line"), ("3", "capture"), ("4", "capture"), ("5", "capture"))
    ),
    *level_lines("sogo", "3, capture: ", options={"size": "3", "variant": "capture"}),
)
