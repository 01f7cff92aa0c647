"""Connect Four: players drop discs into seven columns, and four in a row win.

Columns are named ``a`` to ``g`` from the left, and a move is a column. Seat 0 starts. A cell is a
column and a height, both from 0, with (0, 0) at the bottom left.

A setup lists the discs of each column from the bottom up, separated by slashes: ``//X/XO///``.
``X`` is a disc of seat 0 and ``O`` one of seat 1. The number of discs tells which seat is to move.
The last move is not part of a setup.
"""

import re
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, Final, Self

from games.base import (
    Game,
    IllegalMove,
    InvalidMove,
    InvalidSetup,
    Note,
    Options,
    Outcome,
    Position,
)

COLUMNS: Final = "abcdefg"
ROWS: Final = 6
_DISCS = "XO"

Cell = tuple[int, int]
"""A column and a height."""

_LINES: Final[tuple[tuple[Cell, ...], ...]] = tuple(
    line
    for column in range(len(COLUMNS))
    for height in range(ROWS)
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1))
    for line in [tuple((column + right * at, height + up * at) for at in range(4))]
    if line[3][0] < len(COLUMNS) and 0 <= line[3][1] < ROWS
)
"""All 69 rows of four cells."""


@dataclass(frozen=True, slots=True)
class Move:
    """A disc dropped into a column, 0 being the leftmost."""

    column: int


@dataclass(frozen=True, slots=True)
class Connect4Position(Position[Move, "Connect4Position"]):
    """The discs of each column from the bottom up, and the column of the last disc."""

    history: ClassVar = ("last",)

    columns: tuple[str, ...]
    last: int | None = None
    closed: frozenset[Cell] = field(init=False, repr=False, compare=False)
    """The cells of all completed lines of four."""

    def __post_init__(self) -> None:
        lines = (line for line in _LINES if {self.disc(cell) for cell in line} in ({0}, {1}))
        object.__setattr__(self, "closed", frozenset(cell for line in lines for cell in line))

    def disc(self, cell: Cell) -> int | None:
        """Return the seat whose disc is in a cell, or None."""
        column, height = cell
        stack = self.columns[column]
        return _DISCS.index(stack[height]) if height < len(stack) else None

    @property
    def placed(self) -> int:
        """The number of discs on the board."""
        return sum(map(len, self.columns))

    @property
    def side(self) -> int:
        """The seat to move, or the seat that would be next if the match is over."""
        return self.placed % 2

    @property
    def turn(self) -> frozenset[int]:
        is_over = self.closed or self.placed == len(COLUMNS) * ROWS
        return frozenset() if is_over else frozenset({self.side})

    def moves(self, seat: int) -> tuple[Move, ...]:
        if seat not in self.turn:
            return ()
        return tuple(Move(column) for column, stack in enumerate(self.columns) if len(stack) < ROWS)

    def play(self, seat: int, move: Move) -> Self:
        if not self.turn:
            raise IllegalMove("over")
        if seat != self.side:
            raise IllegalMove("not-your-turn")
        stack = self.columns[move.column]
        if len(stack) == ROWS:
            raise IllegalMove("full", column=COLUMNS[move.column])
        columns = list(self.columns)
        columns[move.column] = stack + _DISCS[seat]
        return type(self)(tuple(columns), move.column)

    def outcome(self) -> Outcome | None:
        if self.turn:
            return None
        if not self.closed:
            return Outcome(frozenset(), "full", self.scores())
        return Outcome(frozenset({1 - self.side}), "four", self.scores())

    def scores(self) -> tuple[int, ...]:
        """Return 1 for the seat with four in a row, else 0."""
        winner = 1 - self.side if self.closed else None
        return tuple(int(seat == winner) for seat in (0, 1))

    def view(self, seat: int | None, *, reveal: bool = False) -> Self:
        return self

    def setup(self) -> str:
        return "/".join(self.columns)


class Connect4(Game[Connect4Position, Move, Connect4Position]):
    """Connect Four."""

    id = "connect4"

    def new_setup(self, options: Options, rng: Random) -> str:
        return "/" * (len(COLUMNS) - 1)

    def start(self, options: Options, setup: str) -> Connect4Position:
        columns = tuple(setup.split("/"))
        if len(columns) != len(COLUMNS) or not re.fullmatch(r"[XO/]*", setup):
            raise InvalidSetup("setup", why="not seven columns of X and O")
        if max(map(len, columns)) > ROWS:
            raise InvalidSetup("setup", why="a column that is too high")
        if setup.count("X") - setup.count("O") not in (0, 1):
            raise InvalidSetup("setup", why="not placed in turn, X first")
        position = Connect4Position(columns)
        if any(position.disc(cell) == position.side for cell in position.closed):
            raise InvalidSetup("setup", why="a line of the side that would be next")
        return position

    def parse(self, view: Connect4Position, seat: int, text: str) -> Move:
        """Return the move named by a column's letter or its number from 1."""
        typed = text.casefold().strip(" .")
        if re.fullmatch(r"[1-7]", typed):
            return Move(int(typed) - 1)
        if not re.fullmatch(r"[a-z]", typed):
            raise InvalidMove("notation", text=text[:40])
        if typed not in COLUMNS:
            raise IllegalMove("off-board", square=typed)
        return Move(COLUMNS.index(typed))

    def notation(self, move: Move, form: str = "") -> str:
        return COLUMNS[move.column]

    def effect(self, view: Connect4Position, seat: int, move: Move) -> Note | None:
        return Note("wins") if view.play(seat, move).closed else None

    def facts(self, view: Connect4Position, *, is_stopped: bool = False) -> tuple[Note, ...]:
        return (Note("discs", {"count": view.placed, "total": len(COLUMNS) * ROWS}),)


GAME = Connect4()
