"""What both searches of Sogo share: values, and the start of their one table, the memory."""

from abc import ABC, abstractmethod
from collections.abc import MutableSequence
from random import Random

from games.computer.accelerated import compiled, table
from games.computer.base import IsLate, LateError
from games.sogo import Board, Move, SogoPosition, board

WIN = 30_000
PROVEN = WIN - 200
"""Values at least this far from zero are proved."""

EXACT, AT_LEAST, AT_MOST = 1, 2, 3

RODS, SIZE, CELLS, NODES, LIMIT, STOPPED, MASK = range(7)
"""The board, nodes, their limit and its stop flag, and the mask of the table."""

Words = MutableSequence[int]


@compiled
def clear(memory: Words, first: int, end: int) -> None:
    """Clear words from `first` to before `end`."""
    for at in range(first, end):
        memory[at] = 0


@compiled
def settles(value: int, bound: int, alpha: int, beta: int) -> bool:
    """Return whether a stored value makes a search unnecessary."""
    return (
        bound == EXACT
        or (bound == AT_LEAST and value >= beta)
        or (bound == AT_MOST and value <= alpha)
    )


def laid_out(its: Board, words: int, through: int) -> tuple[list[int], Random]:
    """Return a memory with the lines through each cell, and a generator for the keys."""
    memory = [0] * words
    memory[RODS], memory[SIZE], memory[CELLS] = its.rods, its.size, its.cells
    for cell in range(its.cells):
        lines = [line for line, cells in enumerate(its.every_line) if cells >> cell & 1]
        memory[through + cell * 16] = len(lines)
        for at, line in enumerate(lines, through + cell * 16 + 1):
            memory[at] = line
    return memory, Random("sogo")


class Searching(ABC):
    """A reusable search on boards of one size."""

    def __init__(self, size: int, words: list[int], slice_: int) -> None:
        self._board = board(size)
        self._words: Words = table(words)
        self._slice = slice_
        self._seat = self._score = self._key = self._placed = 0

    @property
    def nodes(self) -> int:
        return int(self._words[NODES])

    @abstractmethod
    def set_up(self, view: SogoPosition, *, quick: int, deep: int, entries: int) -> None:
        """Take a position. `quick` and `deep` limit threat sequences at leaves and inner nodes."""

    @abstractmethod
    def expected(self, view: SogoPosition) -> Move | None:
        """Return the move that the search expects in a visited position, if known."""

    def value(self, move: Move, depth: int, alpha: int, beta: int, is_late: IsLate) -> int:
        """Return the value of a move within a window at a depth. Raises LateError."""
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
        """Return whether a move wins at once."""

    @abstractmethod
    def _after(self, move: Move, depth: int, alpha: int, beta: int) -> int:
        """Return the opponent's value after a move, 0 if stopped."""
