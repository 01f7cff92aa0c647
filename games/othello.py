r"""Othello and Reversi on 8 by 8 squares.

Squares are named column letter, row number. a1 is top left, row 1 on top. Square ``n`` is column
``n % 8`` of row ``n // 8``, and bit ``n`` of a bitboard::

       a  b  c  d  e  f  g  h          nw  n  ne
    1  0  1  2  3  4  5  6  7            \ | /
    2  8  9 10 11 12 13 14 15          w --+-- e
    :                                    / | \
    8 56 57 58 59 60 61 62 63          sw  s  se

Rules: those of the World Othello Federation. Black is seat 0 and starts. If nothing can be flipped,
``pass`` is the only move and is forced. Free squares at the end go to the winner. With
``rules=reversi`` the players place the first four discs on the centre squares in turn, and a move
flips one of the lines that it encloses.

A setup is the 64 squares from a1 row by row (``X`` black, ``O`` white, ``.`` free) and the side to
move.
"""

import re
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, Final, Self

from games.base import (
    AmbiguousMove,
    Game,
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

SQUARES: Final = tuple(f"{column}{row}" for row in range(1, 9) for column in "abcdefgh")

DIRECTIONS: Final = {
    "n": (0, -1),
    "ne": (1, -1),
    "e": (1, 0),
    "se": (1, 1),
    "s": (0, 1),
    "sw": (-1, 1),
    "w": (-1, 0),
    "nw": (-1, -1),
}
"""Compass direction -> steps in columns to the right and rows down."""

BLACK, WHITE = 0, 1
_DISCS = "XO"
_CENTRE = sum(1 << SQUARES.index(name) for name in ("d4", "e4", "d5", "e5"))
_START = f"{'.' * 27}OX{'.' * 6}XO{'.' * 27} X"
_EMPTY = f"{'.' * 64} X"

_BOARD = (1 << 64) - 1
_INNER_COLUMNS = 0x7E7E7E7E7E7E7E7E
# Shift -> discs it can flip. Sideways lines never flip outer columns, so shifts do not wrap.
_SHIFTS = ((1, _INNER_COLUMNS), (7, _INNER_COLUMNS), (8, _BOARD), (9, _INNER_COLUMNS))


def _ray(square: int, columns: int, rows: int) -> tuple[int, ...]:
    column, row = square % 8 + columns, square // 8 + rows
    found = []
    while 0 <= column < 8 and 0 <= row < 8:
        found.append(1 << row * 8 + column)
        column, row = column + columns, row + rows
    return tuple(found)


_RAYS = tuple(
    tuple((name, _ray(square, *step)) for name, step in DIRECTIONS.items()) for square in range(64)
)


def _targets(own: int, other: int) -> int:
    found = 0
    for shift, mask in _SHIFTS:
        between = other & mask
        # Lines grow by doubling: 1, 2, 4 and at last all 6 discs that fit between two ends.
        left = between & own << shift
        left |= between & left << shift
        pairs = between & between << shift
        left |= pairs & left << 2 * shift
        left |= pairs & left << 2 * shift
        right = between & own >> shift
        right |= between & right >> shift
        pairs = between & between >> shift
        right |= pairs & right >> 2 * shift
        right |= pairs & right >> 2 * shift
        found |= left << shift | right >> shift
    return found & ~(own | other) & _BOARD


def _lines(square: int, own: int, other: int) -> dict[str, int]:
    lines = {}
    for name, ray in _RAYS[square]:
        line = 0
        for bit in ray:
            if bit & other:
                line |= bit
                continue
            if line and bit & own:
                lines[name] = line
            break
    return lines


@dataclass(frozen=True, slots=True)
class Move:
    """A disc on `square` (0..63), or a pass (None). Reversi may need a `direction`."""

    square: int | None
    direction: str | None = None


PASS: Final = Move(None)
_PLACEMENTS = tuple(Move(square) for square in range(64))


@dataclass(frozen=True, slots=True)
class LastMove:
    """The disc placed last: its seat, its square (0..63) and the squares flipped."""

    seat: int
    square: int
    flipped: tuple[int, ...]


_NOBODY: frozenset[int] = frozenset()
_ONLY = (frozenset({BLACK}), frozenset({WHITE}))


@dataclass(frozen=True, slots=True)
class OthelloPosition(Position[Move, "OthelloPosition"]):
    """The discs as two bitboards, the side to move, and the last move."""

    history: ClassVar = ("last", "passed")

    rules: str
    black: int
    white: int
    side: int
    """The seat to move. After the end, the seat that would be next."""
    last: LastMove | None = None
    passed: bool = False
    targets: int = field(init=False, repr=False, compare=False)
    """Bitboard of the squares where the side to move may place a disc."""
    turn: frozenset[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        own, other = self.boards(self.side)
        if self.is_opening:
            targets, is_over = _CENTRE & ~(own | other), False
        else:
            targets = _targets(own, other)
            is_over = not targets and not _targets(other, own)
        object.__setattr__(self, "targets", targets)
        object.__setattr__(self, "turn", _NOBODY if is_over else _ONLY[self.side])

    @property
    def is_opening(self) -> bool:
        """True while the first four discs of Reversi are being placed."""
        return self.rules == "reversi" and (self.black | self.white) & _CENTRE != _CENTRE

    def disc(self, square: int) -> int | None:
        if self.black >> square & 1:
            return BLACK
        return WHITE if self.white >> square & 1 else None

    def disc_counts(self) -> tuple[int, int]:
        return self.black.bit_count(), self.white.bit_count()

    def lines(self, square: int) -> dict[str, int]:
        if (self.black | self.white) >> square & 1:
            return {}
        return _lines(square, *self.boards(self.side))

    def moves(self, seat: int) -> tuple[Move, ...]:
        if seat not in self.turn:
            return ()
        if not self.targets:
            return (PASS,)
        if self.rules == "othello":
            return tuple(_PLACEMENTS[square] for square in bits(self.targets))
        return tuple(move for square in bits(self.targets) for move in self.choices(square))

    def choices(self, square: int) -> tuple[Move, ...]:
        """Return the ways to place a disc on `square`: one per line in Reversi, else one."""
        lines = self.lines(square)
        if self.rules == "othello" or len(lines) <= 1:
            return (_PLACEMENTS[square],)
        return tuple(Move(square, direction) for direction in lines)

    def flips(self, move: Move) -> int:
        """Return the bitboard of the discs that `move` of the side to move flips.

        Raises `IllegalMove`: can-move, occupied, not-centre, flips-nothing or no-line.
        """
        square = move.square
        if square is None:
            if self.targets:
                raise IllegalMove("can-move", square=SQUARES[next(bits(self.targets))])
            return 0
        if self.disc(square) is not None:
            raise IllegalMove("occupied", square=SQUARES[square])
        if not self.targets >> square & 1:
            raise IllegalMove(
                "not-centre" if self.is_opening else "flips-nothing", square=SQUARES[square]
            )
        lines = _lines(square, *self.boards(self.side))
        if self.rules == "othello" or len(lines) <= 1:
            if move.direction is None:
                return sum(lines.values())
        elif move.direction in lines:
            return lines[move.direction]
        raise IllegalMove("no-line", moves=_listed(self.choices(square)))

    def play(self, seat: int, move: Move) -> Self:
        self.check_turn(seat)
        flipped = self.flips(move)
        if move.square is None:
            return type(self)(
                self.rules, self.black, self.white, 1 - seat, last=self.last, passed=True
            )
        own, other = self.boards(seat)
        own, other = own | 1 << move.square | flipped, other ^ flipped
        black, white = (own, other) if seat == BLACK else (other, own)
        last = LastMove(seat, move.square, tuple(bits(flipped)))
        return type(self)(self.rules, black, white, 1 - seat, last=last)

    def outcome(self) -> Outcome | None:
        if self.turn:
            return None
        black, white = self.disc_counts()
        if black == white:
            return Outcome(_NOBODY, "draw", self.scores())
        winner = BLACK if black > white else WHITE
        return Outcome(_ONLY[winner], "discs" if black and white else "wipe-out", self.scores())

    def scores(self) -> tuple[int, int]:
        black, white = self.disc_counts()
        if self.turn or black == white:
            return black, white
        return (64 - white, white) if black > white else (black, 64 - black)

    def setup(self) -> str:
        squares = "".join(
            "." if (seat := self.disc(square)) is None else _DISCS[seat] for square in range(64)
        )
        return f"{squares} {_DISCS[self.side]}"

    def forced(self) -> tuple[int, Move] | None:
        return (self.side, PASS) if self.turn and not self.targets else None

    def boards(self, seat: int) -> tuple[int, int]:
        """Return the bitboards of a seat and of its opponent."""
        return (self.black, self.white) if seat == BLACK else (self.white, self.black)

    @property
    def free(self) -> int:
        return _BOARD & ~(self.black | self.white)


def _listed(moves: tuple[Move, ...]) -> str:
    return ", ".join(map(GAME.notation, moves))


_PLACE = re.compile(r"([a-z])-?([0-9]{1,2})[:-]?(n|ne|e|se|s|sw|w|nw)?")
_NOISE = str.maketrans({".": None, ",": None, "–": "-", "—": "-", "−": "-"})


class Othello(Game[OthelloPosition, Move, OthelloPosition]):
    """Othello, and Reversi as a choice of rules."""

    id = "othello"
    options = (Option("rules", ("othello", "reversi"), "othello"),)
    classes = ("rules",)
    words = ("pass", *DIRECTIONS)

    def new_setup(self, options: Options, rng: Random) -> str:
        return _EMPTY if options["rules"] == "reversi" else _START

    def start(self, options: Options, setup: str) -> OthelloPosition:
        match = re.fullmatch(r"([XO.]{64}) ([XO])", setup)
        if match is None:
            raise InvalidSetup("setup", why="not 64 squares of X, O or . and the side to move")
        squares, side = match.groups()
        black, white = (
            sum(1 << square for square, disc in enumerate(squares) if disc == colour)
            for colour in _DISCS
        )
        position = OthelloPosition(options["rules"], black, white, _DISCS.index(side))
        if position.is_opening:
            if (black | white) & ~_CENTRE:
                raise InvalidSetup("setup", why="discs outside while the centre is not full")
            if black.bit_count() - white.bit_count() != position.side:
                raise InvalidSetup("setup", why="not placed in turn, Black first")
        elif (black | white) & _CENTRE != _CENTRE:
            raise InvalidSetup("setup", why="the centre is not full")
        return position

    def parse(self, view: OthelloPosition, seat: int, text: str) -> Move:
        typed = "".join(text.casefold().translate(_NOISE).split())
        if typed in {"pass", "--"}:
            return PASS
        match = _PLACE.fullmatch(typed)
        if match is None or (match[3] and view.rules == "othello"):
            raise InvalidMove("notation", text=text[:40])
        name = f"{match[1]}{int(match[2])}"
        if name not in SQUARES:
            raise IllegalMove("off-board", square=name)
        square, direction = SQUARES.index(name), match[3]
        if view.rules == "othello" or seat not in view.turn:
            return Move(square, direction)
        choices = view.choices(square)
        if len(choices) > 1 and Move(square, direction) not in choices:
            raise AmbiguousMove("ambiguous", moves=_listed(choices))
        # A single line needs no direction, but naming it is no mistake.
        is_only = len(choices) == 1 and direction in view.lines(square)
        return Move(square, None if is_only else direction)

    def notation(self, move: Move, form: str = "") -> str:
        return ":".join(self.steps(move))

    def steps(self, move: Move) -> tuple[str, ...]:
        if move.square is None:
            return ("pass",)
        name = SQUARES[move.square]
        return (name,) if move.direction is None else (name, move.direction)

    def prompt(self, view: OthelloPosition, seat: int, steps: tuple[str, ...]) -> Note:
        return Note("line", {"square": steps[0]})

    def effect(self, view: OthelloPosition, seat: int, move: Move) -> Note | None:
        flipped = view.flips(move).bit_count()
        return Note("flips", {"count": flipped}) if flipped else None

    def facts(self, view: OthelloPosition, *, is_stopped: bool = False) -> tuple[Note, ...]:
        outcome = view.outcome()
        black, white = view.scores()
        notes = []
        if outcome is None:
            notes.append(Note("score", {"black": black, "white": white}))
        elif outcome.reason == "discs" and (credited := black + white - sum(view.disc_counts())):
            (winner,) = outcome.winners
            notes.append(Note("credited", {"seat": winner, "count": credited}))
        if view.passed:
            notes.append(Note("passed", {"seat": 1 - view.side}))
        if view.is_opening and not is_stopped:
            notes.append(Note("opening", {"count": view.targets.bit_count()}))
        return tuple(notes)


GAME = Othello()
