"""What both searches of Sogo have in common: the first words of memory, values, the outer loop.

A search keeps everything in one table of whole numbers, its *memory*, so that compiled functions
hand little on. The first words of it are the same in both; the rest lies as each of them likes.
"""

from abc import ABC, abstractmethod
from collections.abc import MutableSequence
from random import Random

from games.computer.accelerated import compiled, table
from games.computer.base import IsLate, LateError
from games.sogo import Board, Move, SogoPosition, board

__all__ = [
    "AT_LEAST",
    "AT_MOST",
    "CELLS",
    "EXACT",
    "LIMIT",
    "MASK",
    "NODES",
    "PROVEN",
    "RODS",
    "SIZE",
    "STOPPED",
    "WIN",
    "Searching",
    "Words",
    "clear",
    "laid_out",
    "settles",
]

WIN = 30_000
PROVEN = WIN - 200
"""Values at least this far from zero have been seen to the end."""

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
"""What a value that is remembered says."""

RODS, SIZE, CELLS, NODES, LIMIT, STOPPED, MASK = range(7)
"""The board; positions looked at, at how many to stop, whether that has happened; and what a key is
cut off with to be a place in the table of positions."""

Words = MutableSequence[int]


@compiled
def clear(memory: Words, first: int, end: int) -> None:
    """Makes words zero, from `first` to before `end`."""
    for at in range(first, end):
        memory[at] = 0


@compiled
def settles(value: int, bound: int, alpha: int, beta: int) -> bool:
    """Is a remembered value enough, so that nothing need be searched?"""
    return (
        bound == EXACT
        or (bound == AT_LEAST and value >= beta)
        or (bound == AT_MOST and value <= alpha)
    )


def laid_out(its: Board, words: int, through: int) -> tuple[list[int], Random]:
    """So many words with a board's measures and, from `through` on, 16 words for each cell.

    Those are how many lines run through it, and which of `Board.every_line`. With them goes luck
    for the numbers by which positions are told apart.
    """
    memory = [0] * words
    memory[RODS], memory[SIZE], memory[CELLS] = its.rods, its.size, its.cells
    for cell in range(its.cells):
        lines = [line for line, cells in enumerate(its.every_line) if cells >> cell & 1]
        memory[through + cell * 16] = len(lines)
        for at, line in enumerate(lines, through + cell * 16 + 1):
            memory[at] = line
    return memory, Random("sogo")


class Searching(ABC):
    """A search on boards of one size: made once, and set up anew for each position."""

    def __init__(self, size: int, words: list[int], slice_: int) -> None:
        self._board = board(size)
        self._words: Words = table(words)
        self._slice = slice_
        self._seat = self._score = self._key = self._placed = 0

    @property
    def nodes(self) -> int:
        """How many positions have been looked at since the last `set_up`."""
        return int(self._words[NODES])

    @abstractmethod
    def set_up(self, view: SogoPosition, *, quick: int, deep: int, entries: int) -> None:
        """Takes a position, and forgets all others; `entries` says how many are kept.

        `quick` and `deep` say how many threats are followed at the ends of a search and on its way,
        where it follows any.
        """

    @abstractmethod
    def expected(self, view: SogoPosition) -> Move | None:
        """What the search thinks of playing in a position that it has come by, if it knows."""

    def value(self, move: Move, depth: int, alpha: int, beta: int, is_late: IsLate) -> int:
        """What a move is worth, between `alpha` and `beta`, so many plies deep.

        Raises LateError, and then means nothing.
        """
        words = self._words
        if self._wins(move):
            return WIN - self._placed - 1
        words[STOPPED] = 1
        value = 0
        while words[STOPPED]:
            if is_late():
                raise LateError
            words[STOPPED], words[LIMIT] = 0, words[NODES] + self._slice
            value = -self._after(move, depth - 1, -beta, -alpha)
        return int(value)

    @abstractmethod
    def _wins(self, move: Move) -> bool:
        """Does a move win at once?"""

    @abstractmethod
    def _after(self, move: Move, depth: int, alpha: int, beta: int) -> int:
        """What the other side's position after a move is worth to it; 0 where that was stopped."""
