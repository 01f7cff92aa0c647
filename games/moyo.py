"""Sudoku Moyo: a Sudoku shared by two gardens. The player who places the last stone wins.

Cells and boxes, a1 top left. L are the Shima (gardens) of Light, seat 0. D are those of Dark, seat
1. The * box is the neutral Azumaya. A half turn swaps the colours::

      a b c   d e f   g h i
    1 . . . | . . . | . . .
    2 . L . | . L . | . D .
    3 . . . | . . . | . . .
      ------+-------+------
    4 . . . | . . . | . . .
    5 . D . | . * . | . L .
    6 . . . | . . . | . . .
      ------+-------+------
    7 . . . | . . . | . . .
    8 . L . | . D . | . D .
    9 . . . | . . . | . . .

Every box has one stone of each digit. While a neutral stone fits anywhere in the Azumaya, the side
to move places one there. After that each side fills its own Shima only. No digit may occur twice in
a row, column or box, but the Sudoku may become unsolvable. A side to move that can place nothing
has lost.

An empty cell where no stone fits is *dead*. A stone that fits nowhere in its box is *turned* over.
A setup is the 81 cells from a1 row by row (0 for empty) and the seat to move.

Rules: the German rule text of Sudoku Moyo ("Spielidee", "Spielzug", "Spielende"). The colours of
the boxes are deduced from published descriptions.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from random import Random
from typing import ClassVar, Self

from games.base import (
    AmbiguousMove,
    Game,
    IllegalMove,
    InvalidMove,
    InvalidSetup,
    Note,
    Options,
    Outcome,
    Position,
    stored,
)

ROWS = tuple(tuple(range(9 * row, 9 * row + 9)) for row in range(9))
COLUMNS = tuple(tuple(range(column, 81, 9)) for column in range(9))
BOX_OF = tuple(cell // 27 * 3 + cell % 9 // 3 for cell in range(81))
BOXES = tuple(tuple(cell for cell in range(81) if BOX_OF[cell] == box) for box in range(9))
OWNERS: tuple[int | None, ...] = (0, 0, 1, 1, None, 0, 0, 1, 1)
"""Box, left to right and top to bottom -> the seat whose Shima it is. None is the Azumaya."""
AZUMAYA = BOXES[4]
SHIMA = tuple(tuple(cell for cell in range(81) if OWNERS[BOX_OF[cell]] == seat) for seat in (0, 1))
"""Seat -> the 36 cells of its four boxes."""

_ALL = 0b1111111110
_MEMBERS = tuple(
    tuple(digit for digit in range(1, 10) if mask >> digit & 1) for mask in range(_ALL + 1)
)
_SETS = tuple(map(frozenset, _MEMBERS))
PEERS = tuple(
    tuple(sorted({*ROWS[cell // 9], *COLUMNS[cell % 9], *BOXES[BOX_OF[cell]]} - {cell}))
    for cell in range(81)
)
"""Cell -> the twenty cells that share a row, a column or a box with it."""
_FORMS = (
    re.compile(r"(?P<cell>[a-z][0-9])(?P<digit>[0-9])"),  # e57
    re.compile(r"(?P<cell>[a-z][0-9]{1,3}) (?P<digit>[0-9]{1,3})"),  # e5=7, e5 7
    re.compile(r"(?P<digit>[0-9]{1,3}) ?(?P<cell>[a-z][0-9]{1,3})"),  # 7e5
    re.compile(r"(?P<cell>[a-z][0-9]{1,3})(?P<digit>)"),  # e5: the only digit that fits
)
_ROW_AND_COLUMN = re.compile(r"r([1-9]) ?c([1-9]) ?([0-9]?)")
_THREE_DIGITS = re.compile(r"([1-9]) ([1-9]) ([0-9])")

# At the import: when a match starts, no descriptor may be left.
PUZZLES = tuple(stored("moyo_stock.txt").decode("ascii").split())
"""The sudokus that matches start from: the 81 digits of a setup.

They have exactly one solution and 24 to 33 givens. Their pattern is symmetric under a half turn, so
both sides get the same number of givens. ``games/moyo_sudokus.py`` made them at commit 04ef09e0.
"""


def cell_name(cell: int) -> str:
    """Return the coordinate of a cell number: 0 -> ``a1``, 80 -> ``i9``."""
    return f"{'abcdefghi'[cell % 9]}{cell // 9 + 1}"


def _which_of(one: int, other: int, digit: int) -> str:
    """Return three digits as a move. Raises `AmbiguousMove` if row and column may be swapped."""
    cells = sorted({cell_name(9 * one + other - 10), cell_name(9 * other + one - 10)})
    moves = [f"{cell}={digit}" for cell in cells]
    if len(moves) > 1:
        raise AmbiguousMove("ambiguous", moves=", ".join(moves))
    return moves[0].replace("=", " ")


@dataclass(frozen=True, slots=True)
class Placement:
    """A stone with `digit` (1 to 9) on `cell` (0 to 80, row by row from a1)."""

    cell: int
    digit: int


@dataclass(frozen=True, slots=True)
class MoyoPosition(Position[Placement, "MoyoPosition"]):
    """The stones on the board and the side to move. Nothing is hidden, so it is also the view."""

    history: ClassVar = ("givens", "last")

    digits: bytes
    givens: bytes
    side: int
    """The seat to move. After the end, the seat that would be next."""
    last: Placement | None
    fits: tuple[int, ...] = field(compare=False, repr=False)
    """Cell -> mask of the digits that fit, 0 if occupied. Kept, as moves change few cells."""

    @property
    def turn(self) -> frozenset[int]:
        can_place = any(self.fits[cell] for cell in self.region)
        return frozenset({self.side}) if can_place else frozenset()

    def moves(self, seat: int) -> tuple[Placement, ...]:
        if seat != self.side:
            return ()
        return tuple(
            Placement(cell, digit) for cell in self.region for digit in _MEMBERS[self.fits[cell]]
        )

    def play(self, seat: int, move: Placement) -> Self:
        self._check(seat, move)
        digits = bytearray(self.digits)
        digits[move.cell] = move.digit
        fits = list(self.fits)
        fits[move.cell] = 0
        others = _ALL & ~(1 << move.digit)
        for peer in PEERS[move.cell]:
            fits[peer] &= others
        return type(self)(bytes(digits), self.givens, 1 - seat, move, tuple(fits))

    def outcome(self) -> Outcome | None:
        if self.turn:
            return None
        return Outcome(frozenset({1 - self.side}), "stuck", self.scores())

    def scores(self) -> tuple[int, int]:
        if self.turn:
            return 0, 0
        return self.side, 1 - self.side

    def setup(self) -> str:
        return f"{''.join(map(str, self.digits))} {self.side}"

    @property
    def azumaya_open(self) -> int:
        """The number of cells of the Azumaya that still take a stone. While any does, it must."""
        return sum(1 for cell in AZUMAYA if self.fits[cell])

    @property
    def region(self) -> tuple[int, ...]:
        return AZUMAYA if self.azumaya_open else SHIMA[self.side]

    @property
    def dead(self) -> frozenset[int]:
        return frozenset(
            cell for cell in range(81) if not self.digits[cell] and not self.fits[cell]
        )

    @property
    def left(self) -> tuple[frozenset[int], ...]:
        """Box -> the digits of its stones that are not placed, including turned ones."""
        return tuple(_SETS[_ALL & ~self._placed(box)] for box in BOXES)

    def can_win(self, seat: int) -> bool:
        return self.reach[seat] > 0

    @property
    def turned(self) -> tuple[frozenset[int], ...]:
        return tuple(_SETS[_ALL & ~self._placed(box) & ~self._fitting(box)] for box in BOXES)

    def _placed(self, box: Sequence[int]) -> int:
        return _mask(self.digits[cell] for cell in box)

    def _fitting(self, box: Sequence[int]) -> int:
        return reduce(or_, map(self.fits.__getitem__, box))

    @property
    def reach(self) -> tuple[int, int]:
        """Seat -> an upper bound of its further stones: per box, the fewer of cells and stones."""
        reach = [0, 0]
        for owner, box, left, turned in zip(OWNERS, BOXES, self.left, self.turned, strict=True):
            if owner is not None:
                cells = sum(1 for cell in box if self.fits[cell])
                reach[owner] += min(cells, len(left) - len(turned))
        return reach[0], reach[1]

    def losses(self, seat: int, move: Placement) -> tuple[int, int]:
        """Return how many cells of `seat`'s Shima die by `move`, and how many stones turn."""
        after = self.play(self.side, move)
        cells = sum(OWNERS[BOX_OF[cell]] == seat for cell in after.dead - self.dead)
        stones = sum(
            len(now - before)
            for owner, before, now in zip(OWNERS, self.turned, after.turned, strict=True)
            if owner == seat
        )
        return cells, stones

    def before(self) -> "MoyoPosition | None":
        if self.last is None:
            return None
        digits = bytearray(self.digits)
        digits[self.last.cell] = 0
        return _position(bytes(digits), self.givens, 1 - self.side)

    def check_cell(self, seat: int, cell: int) -> None:
        """Check that `seat` can place something at `cell` now. Raises `IllegalMove`."""
        self.check_turn(seat)
        square = cell_name(cell)
        if self.digits[cell]:
            raise IllegalMove("occupied", square=square, digit=self.digits[cell])
        if self.azumaya_open and cell not in AZUMAYA:
            raise IllegalMove("azumaya-first", square=square, count=self.azumaya_open)
        if cell not in self.region:
            code = "azumaya-done" if cell in AZUMAYA else "not-your-shima"
            raise IllegalMove(code, square=square)
        if not self.fits[cell]:
            raise IllegalMove("dead", square=square)

    def _check(self, seat: int, move: Placement) -> None:
        cell, digit = move.cell, move.digit
        self.check_cell(seat, cell)
        for code, unit in (
            ("in-box", BOXES[BOX_OF[cell]]),
            ("in-row", ROWS[cell // 9]),
            ("in-column", COLUMNS[cell % 9]),
        ):
            for other in unit:
                if self.digits[other] == digit:
                    at = cell_name(other)
                    raise IllegalMove(code, square=cell_name(cell), digit=digit, at=at)


def _position(digits: bytes, givens: bytes, side: int) -> MoyoPosition:
    fits = tuple(
        0 if digits[cell] else _ALL & ~_mask(digits[peer] for peer in PEERS[cell])
        for cell in range(81)
    )
    return MoyoPosition(digits, givens, side, None, fits)


def _mask(digits: Iterator[int]) -> int:
    mask = 0
    for digit in digits:
        mask |= 1 << digit
    return mask


def shuffled(sudoku: str, rng: Random) -> str:
    """Return `sudoku` with digits, rows and columns permuted. Its symmetry stays."""
    names = dict(zip("0123456789", ["0", *rng.sample("123456789", 9)], strict=True))
    rows, columns = _mirrored_order(rng), _mirrored_order(rng)
    down, across = rng.choice(((9, 1), (1, 9)))
    return "".join(
        names[sudoku[down * row + across * column]] for row in rows for column in columns
    )


def _mirrored_order(rng: Random) -> list[int]:
    outer = rng.sample(rng.choice((range(3), range(6, 9))), 3)
    inner = rng.choice(([3, 4, 5], [5, 4, 3]))
    return [*outer, *inner, *(8 - line for line in reversed(outer))]


class Moyo(Game[MoyoPosition, Placement, MoyoPosition]):
    """Sudoku Moyo. The puzzle and the first seat are random."""

    id = "moyo"
    pad = tuple(map(str, range(1, 10)))

    def new_setup(self, options: Options, rng: Random) -> str:
        return f"{shuffled(rng.choice(PUZZLES), rng)} {rng.randrange(2)}"

    def start(self, options: Options, setup: str) -> MoyoPosition:
        match = re.fullmatch(r"([0-9]{81}) ([01])", setup)
        if match is None:
            raise InvalidSetup("setup", why="not 81 digits, a space and seat 0 or 1")
        digits = bytes(map(int, match[1]))
        for cell, digit in enumerate(digits):
            for peer in PEERS[cell]:
                if digit and digits[peer] == digit:
                    why = f"{digit} stands at {cell_name(cell)} and at {cell_name(peer)}"
                    raise InvalidSetup("setup", why=why)
        return _position(digits, digits, int(match[2]))

    def parse(self, view: MoyoPosition, seat: int, text: str) -> Placement:
        plain = re.sub(r"[\s=:.,\-–—>→]+", " ", text.casefold()).strip()
        if named := _ROW_AND_COLUMN.fullmatch(plain):
            plain = f"{cell_name(9 * int(named[1]) + int(named[2]) - 10)} {named[3]}".strip()
        elif three := _THREE_DIGITS.fullmatch(plain):
            plain = _which_of(*map(int, three.groups()))
        match = next(filter(None, (form.fullmatch(plain) for form in _FORMS)), None)
        if match is None:
            raise InvalidMove("notation", text=text[:40])
        square, digit = match["cell"], match["digit"]
        column, row = "abcdefghi".find(square[0]), int(square[1:]) - 1
        if column < 0 or row not in range(9):
            raise IllegalMove("off-board", square=square)
        cell = 9 * row + column
        if not digit:
            return self._only_digit(view, seat, cell)
        if int(digit) not in range(1, 10):
            raise InvalidMove("no-such-digit", digit=digit)
        return Placement(cell, int(digit))

    def notation(self, move: Placement, form: str = "") -> str:
        return f"{cell_name(move.cell)}={move.digit}"

    def steps(self, move: Placement) -> tuple[str, ...]:
        return cell_name(move.cell), str(move.digit)

    def prompt(self, view: MoyoPosition, seat: int, steps: tuple[str, ...]) -> Note:
        return Note("digit", {"square": steps[0]})

    def effect(self, view: MoyoPosition, seat: int, move: Placement) -> Note | None:
        if view.play(seat, move).outcome() is not None:
            return Note("wins")
        for code, victim in (("theirs", 1 - seat), ("own", seat)):
            cells, stones = view.losses(victim, move)
            if cells or stones:
                return Note(code, {"cells": cells, "stones": stones})
        return None

    def facts(self, view: MoyoPosition, *, is_stopped: bool = False) -> tuple[Note, ...]:
        light, dark = view.reach
        goes_on = view.turn and not is_stopped
        if not goes_on and not light and not dark:
            return ()
        reach = Note("reach" if goes_on else "room", {"light": light, "dark": dark})
        if not (view.azumaya_open and goes_on):
            return (reach,)
        return (Note("azumaya", {"count": view.azumaya_open}), reach)

    def _only_digit(self, view: MoyoPosition, seat: int, cell: int) -> Placement:
        view.check_cell(seat, cell)
        moves = [Placement(cell, digit) for digit in _MEMBERS[view.fits[cell]]]
        if len(moves) > 1:
            raise AmbiguousMove("ambiguous", moves=", ".join(map(self.notation, moves)))
        return moves[0]


GAME = Moyo()
