"""Sogo (Score Four, Raummühle): stones on upright rods, a full line wins.

A rod is a file and a rank as White (seat 0, who starts) sees the board. A cell is a rod and a
height, ``c2-1`` the lowest. The form "hex" numbers the rods in base 36, column by column from the
far left corner. On size 4 these are the hexadecimal digits of the article::

    4   0  4  8  C        far side (Black)
    3   1  5  9  D
    2   2  6  A  E        c2 = A, d1 = F.  size 3: 0-8, size 5: 0-9 A-O
    1   3  7  B  F        near side (White)
        a  b  c  d

A bitboard has bit ``(height - 1) * rods + number``: a shift by the number of rods goes one level up
or down. Moves are written ``b3``, with a capture ``b3xc2``.

Variant ``line``: the first line wins, a full board is a draw. Variant ``capture``: a move that
completes a line takes one stone of the opponent, and most captures win once every stone has been
placed. Until then a player always has a move: there are as many stones as cells.

A setup is the rods by number (``WB`` from the bottom up, ``-`` for an empty one) joined by ``/``,
the side to move and the captures of both.

Rules: the German Wikipedia article on Sogo. Its "as in Nine Men's Morris" is read like this: take
only the topmost stone of a rod, and none of a complete line while another can be taken.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random
from typing import ClassVar, Self

from games.base import (
    AmbiguousMove,
    Game,
    GameError,
    IllegalMove,
    InvalidMove,
    InvalidSetup,
    Note,
    Option,
    Options,
    Outcome,
    Position,
    bits,
)

_DIGITS = "0123456789ABCDEFGHIJKLMNO"
_COLOURS = "WB"

_SETUP = re.compile(r"(\S+) ([WB]) (0|[1-9]\d{0,2}) (0|[1-9]\d{0,2})", re.ASCII)
_PLAIN = str.maketrans("\u2013\u2014\u2212\u00d7:*", "---xxx", ",.")
# Dashes and a minus mean the hyphen, a times sign the x. Commas and full stops are ignored.

_DIRECTIONS: Mapping[str, tuple[tuple[int, int, int], ...]] = {
    "stack": ((0, 0, 1),),
    "row": ((1, 0, 0),),
    "column": ((0, 1, 0),),
    "row-diagonal": ((1, 0, 1), (1, 0, -1)),
    "column-diagonal": ((0, 1, 1), (0, 1, -1)),
    "level-diagonal": ((1, 1, 0), (1, -1, 0)),
    "space-diagonal": ((1, 1, 1), (1, 1, -1), (1, -1, 1), (1, -1, -1)),
}
# Class of line (the list in the article) -> steps in file, rank and height.


@dataclass(frozen=True, slots=True)
class Board:
    """The names and lines of a board of one size.

    `through[cell]` holds the lines through a cell, each without that cell.
    """

    size: int
    rods: int
    cells: int
    lines: Mapping[str, tuple[int, ...]]
    every_line: tuple[int, ...]
    through: tuple[tuple[int, ...], ...]

    def name(self, rod: int, form: str = "chess") -> str:
        """Return the name of a rod: ``c2``, or ``A`` in the form "hex"."""
        if form == "hex":
            return _DIGITS[rod]
        return f"{'abcde'[rod // self.size]}{self.size - rod % self.size}"

    def cell_name(self, cell: int, form: str = "chess") -> str:
        level, rod = divmod(cell, self.rods)
        return f"{self.name(rod, form)}{'' if form == 'hex' else '-'}{level + 1}"

    def names(self, stones: int) -> str:
        return ", ".join(
            self.name(rod) for rod in sorted(cell % self.rods for cell in bits(stones))
        )


@cache
def board(size: int) -> Board:
    """Return the board with `size` rods a side."""
    rods = size * size
    inside = range(size)

    def cell(file: int, rank: int, level: int) -> int:
        return level * rods + file * size + (size - 1 - rank)

    lines = {
        kind: tuple(
            sum(1 << cell(file + i * right, rank + i * back, level + i * up) for i in inside)
            for right, back, up in directions
            # A line starts where one step back leaves the board and size - 1 steps on do not.
            for file, rank, level in product(
                *({1: (0,), -1: (size - 1,)}.get(step, inside) for step in (right, back, up))
            )
        )
        for kind, directions in _DIRECTIONS.items()
    }
    every_line = tuple(line for kind in lines.values() for line in kind)
    through = tuple(
        tuple(line ^ 1 << at for line in every_line if line >> at & 1) for at in range(rods * size)
    )
    return Board(size, rods, rods * size, lines, every_line, through)


@dataclass(frozen=True, slots=True)
class Move:
    """A stone on rod `rod`, which may take the topmost stone of rod `takes`."""

    rod: int
    takes: int | None = None
    size: int = 4


@dataclass(frozen=True, slots=True)
class SogoPosition(Position[Move, "SogoPosition"]):
    """Bitboards of White and Black, their captures, and the side to move.

    `last` is the last move, if known. `closed` holds the stones of the lines that it completed.
    """

    history: ClassVar = ("last", "closed")

    size: int
    variant: str
    stones: tuple[int, int]
    captures: tuple[int, int]
    side: int
    last: Move | None = None
    closed: int = 0

    @property
    def board(self) -> Board:
        return board(self.size)

    @property
    def placed(self) -> int:
        return (self.stones[0] | self.stones[1]).bit_count() + sum(self.captures)

    @property
    def turn(self) -> frozenset[int]:
        won = self.variant == "line" and self.closed
        over = won or self.placed == self.board.cells
        return frozenset() if over else frozenset({self.side})

    @property
    def playable(self) -> int:
        """Bitboard of the lowest free cell of every rod that is not full."""
        rods, cells = self.board.rods, self.board.cells
        taken = self.stones[0] | self.stones[1]
        return (taken << rods | (1 << rods) - 1) & ~taken & (1 << cells) - 1

    def height(self, rod: int) -> int:
        column = (self.stones[0] | self.stones[1]) >> rod
        return sum(column >> level * self.board.rods & 1 for level in range(self.size))

    def next_cell(self, rod: int) -> int:
        """Return the lowest free cell of a rod, or a cell above the board if the rod is full."""
        return self.height(rod) * self.board.rods + rod

    def moves(self, seat: int) -> tuple[Move, ...]:
        if seat not in self.turn:
            return ()
        size, rods = self.size, self.board.rods
        cells = sorted((cell % rods, cell) for cell in bits(self.playable))
        if self.variant == "line":
            return tuple(Move(rod, None, size) for rod, _ in cells)
        found: list[Move] = []
        for rod, cell in cells:
            taken = sorted(stone % rods for stone in bits(self._takeable(cell)))
            found.extend(Move(rod, stone, size) for stone in taken or (None,))
        return tuple(found)

    def play(self, seat: int, move: Move) -> Self:
        self.check_turn(seat)
        self._check(move)
        cell = self.next_cell(move.rod)
        closed = self._closed_by(cell)
        own, theirs = self.stones[seat] | 1 << cell, self.stones[1 - seat]
        captures = self.captures
        if move.takes is not None:
            theirs ^= 1 << (self.next_cell(move.takes) - self.board.rods)
            captures = _pair(seat, captures[seat] + 1, captures[1 - seat])
        stones = _pair(seat, own, theirs)
        return type(self)(self.size, self.variant, stones, captures, 1 - seat, move, closed)

    def outcome(self) -> Outcome | None:
        if self.turn:
            return None
        white, black = self.scores()
        is_line = self.variant == "line"
        if white == black:
            return Outcome(frozenset(), "full" if is_line else "equal", (white, black))
        winner = 0 if white > black else 1
        return Outcome(frozenset({winner}), "line" if is_line else "captures", (white, black))

    def scores(self) -> tuple[int, int]:
        if self.variant == "line":
            return _pair(1 - self.side, 1, 0) if self.closed else (0, 0)
        return self.captures

    def can_win(self, seat: int) -> bool:
        """Return whether enough stones are left for a line, or for more captures."""
        left = (self.board.cells - self.placed + (self.side == seat)) // 2
        if self.variant == "capture":
            return self.captures[seat] + left > self.captures[1 - seat]
        own, theirs = self.stones[seat], self.stones[1 - seat]
        return any(
            not line & theirs and (line & ~own).bit_count() <= left
            for line in self.board.every_line
        )

    def holes(self, seat: int) -> int:
        own, theirs = self.stones[seat], self.stones[1 - seat]
        found = 0
        for line in self.board.every_line:
            rest = line & ~own
            if rest and not rest & theirs and not rest & rest - 1:
                found |= rest
        return found

    def forbidden(self, seat: int) -> int:
        """Return the free cells right below a hole of the opponent, unless they win."""
        free = ~(self.stones[0] | self.stones[1])
        return self.holes(1 - seat) >> self.board.rods & free & ~self.holes(seat)

    def completed(self, rod: int) -> tuple[int, int]:
        """Return how many lines a stone on `rod` completes for either side, the mover first."""
        through = self.board.through[self.next_cell(rod)]
        mine, theirs = (
            sum(self.stones[seat] & line == line for line in through)
            for seat in (self.side, 1 - self.side)
        )
        return mine, theirs

    def takeable(self, rod: int) -> int:
        """Return the stones of which a stone on `rod` must take one, 0 if none."""
        if self.variant == "line" or self.height(rod) == self.size:
            return 0
        return self._takeable(self.next_cell(rod))

    def setup(self) -> str:
        white, black = self.stones
        its = self.board
        signs = [
            "W" if white >> cell & 1 else "B" if black >> cell & 1 else ""
            for cell in range(its.cells)
        ]
        rods = ["".join(signs[rod :: its.rods]) or "-" for rod in range(its.rods)]
        return f"{'/'.join(rods)} {_COLOURS[self.side]} {self.captures[0]} {self.captures[1]}"

    def _closed_by(self, cell: int) -> int:
        own = self.stones[self.side]
        closed = 0
        for line in self.board.through[cell]:
            if own & line == line:
                closed |= line | 1 << cell
        return closed

    def _takeable(self, cell: int) -> int:
        if not self._closed_by(cell):
            return 0
        theirs = self.stones[1 - self.side]
        taken = self.stones[self.side] | theirs | 1 << cell
        tops = theirs & ~(taken >> self.board.rods)
        return tops & ~_lines_of(self.size, theirs) or tops

    def _check(self, move: Move) -> None:
        its = self.board
        for rod in (move.rod, move.takes):
            if rod is not None and (move.size != self.size or not 0 <= rod < its.rods):
                raise IllegalMove("off-board", square=str(rod))
        name = its.name(move.rod)
        if self.height(move.rod) == self.size:
            raise IllegalMove("full", rod=name)
        stones = self.takeable(move.rod)
        if move.takes is None:
            if stones:
                names = its.names(stones)
                example = f"{name}x{names.split(',')[0]}"
                raise IllegalMove("capture-due", rod=name, stones=names, example=example)
            return
        if not stones:
            raise IllegalMove("no-capture-due", rod=name)
        top = 1 << (self.next_cell(move.takes) - its.rods) if self.height(move.takes) else 0
        if not stones & top:
            why = "line"
            if move.takes == move.rod or top & self.stones[self.side]:
                why = "own"
            elif not top:
                why = "empty"
            raise IllegalMove(
                "cannot-take", stone=its.name(move.takes), why=why, stones=its.names(stones)
            )


def _pair(seat: int, own: int, other: int) -> tuple[int, int]:
    return (own, other) if seat == 0 else (other, own)


def _lines_of(size: int, stones: int) -> int:
    found = 0
    for line in board(size).every_line:
        if stones & line == line:
            found |= line
    return found


class Sogo(Game[SogoPosition, Move, SogoPosition]):
    """Sogo with its two notations."""

    id = "sogo"
    options = (Option("size", ("3", "4", "5"), "4"), Option("variant", ("line", "capture"), "line"))
    classes = ("size", "variant")
    rest_can_be_move = True
    notations = ("chess", "hex")

    def new_setup(self, options: Options, rng: Random) -> str:
        return f"{'/'.join('-' * int(options['size']) ** 2)} W 0 0"

    def start(self, options: Options, setup: str) -> SogoPosition:
        """Return the position of a setup. It does not search for moves that lead there."""
        size, variant = int(options["size"]), options["variant"]
        found = _SETUP.fullmatch(setup)
        if found is None:
            raise InvalidSetup("setup", why="not rods, side and two counts of captures")
        stones = _stones(size, found[1])
        side, captures = _COLOURS.index(found[2]), (int(found[3]), int(found[4]))
        placed = [stones[seat].bit_count() + captures[1 - seat] for seat in (0, 1)]
        if placed[0] - placed[1] != side:
            raise InvalidSetup("setup", why="stones do not fit the side to move")
        if sum(placed) > size**3:
            raise InvalidSetup("setup", why="more stones than there are")
        if variant == "line":
            if any(captures):
                raise InvalidSetup("setup", why="captures in the variant without")
            closed = _winning_lines(size, stones, side)
            return SogoPosition(size, variant, stones, captures, side, None, closed)
        if any(captures[seat] > max(0, placed[seat] - size + 1) for seat in (0, 1)):
            raise InvalidSetup("setup", why="more captures than lines can have been completed")
        return SogoPosition(size, variant, stones, captures, side)

    def parse(self, view: SogoPosition, seat: int, text: str) -> Move:
        """Parse either notation, with or without heights.

        A letter with a digit is a rod (``b3``). One character is a number (``b``), two digits are a
        number and a height (``51``). A height must be the one that the stone would get.
        """
        plain = text.casefold().translate(_PLAIN)
        plain = re.sub(r"\s*([x-])\s*", r"\1", plain.strip())
        plain = re.sub(r"\b([a-z]\d)(?=[a-z]\d)", r"\1 ", plain)
        # "b 3" is a rod with a space or, if B may take 3, a move with a capture.
        splits = [plain.split("x")] if "x" in plain else [[plain], plain.split()]
        readings: set[Move] = set()
        problems: list[GameError] = []
        for parts in splits:
            if not 1 <= len(parts) <= 2:
                continue
            try:
                readings.add(self._reading(view, [part.replace(" ", "") for part in parts]))
            except GameError as problem:
                problems.append(problem)
        if len(readings) > 1:
            legal = readings.intersection(view.moves(seat))
            readings = legal or readings
        if len(readings) > 1:
            raise AmbiguousMove("ambiguous", moves=", ".join(sorted(map(self.notation, readings))))
        if readings:
            return readings.pop()
        raise next(
            (problem for problem in reversed(problems) if isinstance(problem, IllegalMove)),
            InvalidMove("notation", text=text[:40]),
        )

    def notation(self, move: Move, form: str = "") -> str:
        """Write `move` by rods (``b3xc2``), or by numbers in the form "hex" (``5xA``)."""
        its = board(move.size)
        taken = "" if move.takes is None else f"x{its.name(move.takes, form)}"
        return its.name(move.rod, form) + taken

    def steps(self, move: Move) -> tuple[str, ...]:
        return tuple(self.notation(move).split("x"))

    def prompt(self, view: SogoPosition, seat: int, steps: tuple[str, ...]) -> Note:
        return Note("take", {"seat": 1 - seat, "rod": steps[0]})

    def effect(self, view: SogoPosition, seat: int, move: Move) -> Note | None:
        lines, blocked = view.completed(move.rod)
        if move.takes is not None:
            return Note("takes", {"stone": view.board.name(move.takes), "lines": lines})
        if lines:
            return Note("wins" if view.variant == "line" else "closes", {"lines": lines})
        return Note("blocks", {"lines": blocked}) if blocked else None

    def facts(self, view: SogoPosition, *, is_stopped: bool = False) -> tuple[Note, ...]:
        facts: tuple[Note, ...] = ()
        outcome = view.outcome()
        if outcome is None or outcome.winners:
            facts = (Note("stones", {"placed": view.placed, "total": view.board.cells}),)
        if view.variant == "line":
            return facts
        white, black = view.captures
        if outcome is None:
            facts = (Note("captures", {"white": white, "black": black}), *facts)
        if view.last is None or not view.closed:
            return facts
        if view.last.takes is None:
            return (Note("nothing-to-take", {"seat": 1 - view.side}), *facts)
        stone = view.board.name(view.last.takes)
        return (Note("took", {"seat": 1 - view.side, "stone": stone}), *facts)

    def _reading(self, view: SogoPosition, parts: list[str]) -> Move:
        rod, height = _rod(view.size, parts[0])
        name = view.board.name(rod)
        due = view.height(rod) + 1
        if height is not None and height != due <= view.size:
            raise IllegalMove("wrong-height", rod=name, height=height, due=due)
        if len(parts) == 1:
            return Move(rod, None, view.size)
        takes, height = _rod(view.size, parts[1])
        stones = view.takeable(rod)
        if stones and height is not None and height != view.height(takes):
            raise IllegalMove(
                "cannot-take",
                stone=view.board.cell_name((height - 1) * view.board.rods + takes),
                why="covered" if height < view.height(takes) else "empty",
                stones=view.board.names(stones),
            )
        return Move(rod, takes, view.size)


def _rod(size: int, text: str) -> tuple[int, int | None]:
    its = board(size)
    match = re.fullmatch(
        r"(?:(?P<file>[a-z])(?P<rank>\d{1,2})|(?P<number>[\da-z]))(?:-(?P<height>\d{1,2}))?"
        r"|(?P<digit>\d)(?P<up>\d)",
        text,
        re.ASCII,
    )
    if match is None:
        raise InvalidMove("notation", text=text[:40])
    name = match["number"] or match["digit"]
    if name:
        rod = int(name, 36)
    else:
        file, rank = ord(match["file"]) - ord("a"), int(match["rank"])
        # Out of range by file or by rank: rod numbers alone would not show it.
        rod = file * size + size - rank if file < size and 1 <= rank <= size else its.rods
    height = match["height"] or match["up"]
    if rod >= its.rods or (height is not None and not 1 <= int(height) <= size):
        raise IllegalMove("off-board", square=text)
    return rod, None if height is None else int(height)


def _stones(size: int, text: str) -> tuple[int, int]:
    its = board(size)
    rods = text.split("/")
    if len(rods) != its.rods:
        raise InvalidSetup("setup", why=f"{len(rods)} rods instead of {its.rods}")
    stones = [0, 0]
    for number, rod in enumerate(rods):
        if rod == "-":
            continue
        if not re.fullmatch(f"[WB]{{1,{size}}}", rod):
            raise InvalidSetup("setup", why=f"rod {number} is not - or up to {size} of W and B")
        for level, colour in enumerate(rod):
            stones[_COLOURS.index(colour)] |= 1 << level * its.rods + number
    return stones[0], stones[1]


def _winning_lines(size: int, stones: tuple[int, int], side: int) -> int:
    """Return the stones of the winning lines. Refuse lines that one move cannot have made."""
    if _lines_of(size, stones[side]):
        raise InvalidSetup("setup", why="the side to move has a line")
    its = board(size)
    winner = stones[1 - side]
    closed = _lines_of(size, winner)
    if closed:
        common = winner & ~((stones[0] | stones[1]) >> its.rods)
        for line in its.every_line:
            if winner & line == line:
                common &= line
        if not common:
            raise InvalidSetup("setup", why="no last stone can have completed the lines")
    return closed


GAME = Sogo()
