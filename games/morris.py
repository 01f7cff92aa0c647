"""Nine Men's Morris (Mühle): place nine stones, slide them, jump with the last three.

Points are named by file and rank, rank 1 at the bottom, as White sees the board::

    7  a7----------d7----------g7
       |           |           |
    6  |   b6------d6------f6  |
       |   |       |       |   |
    5  |   |   c5--d5--e5  |   |
       |   |   |       |   |   |
    4  a4--b4--c4      e4--f4--g4
       |   |   |       |   |   |
    3  |   |   c3--d3--e3  |   |
       |   |       |       |   |
    2  |   b2------d2------f2  |
       |           |           |
    1  a1----------d1----------g1
       a   b   c   d   e   f   g

White is seat 0 and starts. A move is written `d6` (place) or `d6-d7` (slide or jump), followed by
`xg4` if it closes a mill and takes the stone on g4.

Rules: the German text "Grundlagen des Mühlespiels", with its tournament rule that a stone in a mill
may be taken if there is no other. What the text leaves open is read like this:

* Plies without a mill count from the first slide, so never while stones are in hand. Any mill
  restarts the count, even one that takes nothing.
* "The same position three times" is the third occurrence of the same stones with the same side to
  move. The position after the last placement, or that of the setup, counts. Placements and captures
  restart the count, because they cannot be undone.
* A player has lost with fewer than three stones on the board and in hand together.

A setup is the 24 points in the order of `POINTS` (``W``, ``B``, ``.`` free), the side to move and
the hands of White and Black. The counts of the draw rules start at zero.
"""

import re
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import ClassVar, Self

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

Mill = tuple[int, int, int]

_NAMES = "a1 a4 a7 b2 b4 b6 c3 c4 c5 d1 d2 d3 d5 d6 d7 e3 e4 e5 f2 f4 f6 g1 g4 g7"

POINTS = tuple(_NAMES.split())
"""The names of the points. A point's number is its index here."""

_NUMBERS = {name: number for number, name in enumerate(POINTS)}
_STONES_EACH = 9
_WARNED_PLIES = 10
"""Plies before the no-mill draw at which its warning starts."""
_ALL = (1 << len(POINTS)) - 1


def _lines() -> tuple[Mill, ...]:
    by_file = range(len(POINTS))
    by_rank = sorted(by_file, key=lambda point: (POINTS[point][1], POINTS[point][0]))
    return tuple(
        (order[i], order[i + 1], order[i + 2])
        for order in (by_file, by_rank)
        for i in range(0, len(POINTS), 3)
    )


def _neighbours() -> tuple[int, ...]:
    sets = [0] * len(POINTS)
    for a, b, c in MILLS:
        sets[a] |= 1 << b
        sets[b] |= 1 << a | 1 << c
        sets[c] |= 1 << b
    return tuple(sets)


MILLS = _lines()
"""All sixteen mills, the eight along the files first."""

NEIGHBOURS = _neighbours()

MASKS = tuple(1 << a | 1 << b | 1 << c for a, b, c in MILLS)
_REST: tuple[tuple[int, int], ...] = tuple(
    (first & ~(1 << point), second & ~(1 << point))
    for point in range(len(POINTS))
    for first, second in [[mask for mask in MASKS if mask >> point & 1]]
)
"""Point -> the other two points of each of its two mills, as bitboards."""

_TURNS = (frozenset({0}), frozenset({1}))


@dataclass(frozen=True, slots=True)
class Move:
    """A complete move: a stone goes to `target`, from `origin` or the hand, and takes `taken`."""

    target: int
    origin: int | None = None
    taken: int | None = None


def _notation(move: Move) -> str:
    way = "" if move.origin is None else f"{POINTS[move.origin]}-"
    taken = "" if move.taken is None else f"x{POINTS[move.taken]}"
    return f"{way}{POINTS[move.target]}{taken}"


# Making a move costs more than finding it.
_move = cache(Move)


@dataclass(frozen=True, slots=True)
class MorrisPosition(Position[Move, "MorrisPosition"]):
    """The stones of both sides (bit = point number) and the counts of the draw rules."""

    history: ClassVar = ("plies_without_mill", "seen", "last")

    stones: tuple[int, int] = (0, 0)
    hands: tuple[int, int] = (_STONES_EACH, _STONES_EACH)
    mover: int = 0
    draw_after: int = 20
    from_mills: bool = True
    """True if a stone in a mill may be taken when there is no other."""
    plies_without_mill: int = 0
    """Plies since the last mill, counted from the first slide."""
    seen: tuple[int, ...] = ()
    """Keys of the positions since the last placement or capture, the current one last."""
    last: Move | None = None

    @property
    def turn(self) -> frozenset[int]:
        return frozenset() if self._end() else _TURNS[self.mover]

    def moves(self, seat: int) -> tuple[Move, ...]:
        if seat not in self.turn:
            return ()
        own = self.stones[seat]
        free = self.free
        prey: tuple[int | None, ...] = tuple(bits(self.takeable(seat))) or (None,)
        origins: tuple[int | None, ...] = (None,) if self.hands[seat] else tuple(bits(own))
        jumps = self.hands[seat] or self.may_jump(seat)
        found = []
        for origin in origins:
            rest = own if origin is None else own & ~(1 << origin)
            targets = free if origin is None or jumps else free & NEIGHBOURS[origin]
            for target in bits(targets):
                taken = prey if _closes(rest, target) else (None,)
                found += [_move(target, origin, point) for point in taken]
        return tuple(found)

    def play(self, seat: int, move: Move) -> Self:
        """Return the position after `move`.

        Raises `IllegalMove`: over, not-your-turn, name-the-mill, occupied, all-placed,
        still-placing, empty, not-your-stone, not-adjacent, capture-due, no-capture-due,
        not-opponents, in-a-mill, nothing-to-take.
        """
        self.check_turn(seat)
        self._check_is_whole(move)
        self._check_step(move)
        closes = self.closes(move)
        self._check_capture(move, closes=closes)

        own, other = self.stones[seat] | 1 << move.target, self.stones[1 - seat]
        hand = self.hands[seat]
        if move.origin is None:
            hand -= 1
        else:
            own &= ~(1 << move.origin)
        if move.taken is not None:
            other &= ~(1 << move.taken)
        stones = (own, other) if seat == 0 else (other, own)
        key = _key(stones, 1 - seat)
        for_good = move.origin is None or move.taken is not None
        return type(self)(
            stones=stones,
            hands=(hand, self.hands[1]) if seat == 0 else (self.hands[0], hand),
            mover=1 - seat,
            draw_after=self.draw_after,
            from_mills=self.from_mills,
            plies_without_mill=0 if closes or move.origin is None else self.plies_without_mill + 1,
            seen=(key,) if for_good else (*self.seen, key),
            last=move,
        )

    def outcome(self) -> Outcome | None:
        reason = self._end()
        if not reason:
            return None
        is_lost = reason in {"few-stones", "no-move"}
        winners = frozenset({1 - self.mover}) if is_lost else frozenset[int]()
        return Outcome(winners, reason, self.scores())

    def scores(self) -> tuple[int, int]:
        return self.taken_by(0), self.taken_by(1)

    def setup(self) -> str:
        white, black = self.stones
        board = "".join(
            "W" if white >> i & 1 else "B" if black >> i & 1 else "." for i in range(len(POINTS))
        )
        return f"{board} {'WB'[self.mover]} {self.hands[0]} {self.hands[1]}"

    @property
    def free(self) -> int:
        return _ALL & ~(self.stones[0] | self.stones[1])

    def owner(self, point: int) -> int | None:
        return next((seat for seat in (0, 1) if self.stones[seat] >> point & 1), None)

    def left(self, seat: int) -> int:
        """Return how many stones `seat` has on the board and in hand."""
        return self.stones[seat].bit_count() + self.hands[seat]

    def taken_by(self, seat: int) -> int:
        return _STONES_EACH - self.left(1 - seat)

    def may_jump(self, seat: int) -> bool:
        return not self.hands[seat] and self.stones[seat].bit_count() == 3

    def takeable(self, seat: int) -> int:
        """Return the bitboard of the stones that `seat` may take after closing a mill."""
        other = self.stones[1 - seat]
        safe = 0
        for mask in MASKS:
            if other & mask == mask:
                safe |= mask
        return other & ~safe or (other if self.from_mills else 0)

    def closes(self, move: Move) -> bool:
        own = self.stones[self.mover]
        return _closes(own if move.origin is None else own & ~(1 << move.origin), move.target)

    @property
    def closed(self) -> tuple[Mill, ...]:
        if self.last is None:
            return ()
        own, target = self.stones[1 - self.mover], self.last.target
        return tuple(
            mill
            for mill, mask in zip(MILLS, MASKS, strict=True)
            if target in mill and own & mask == mask
        )

    @property
    def occurrences(self) -> int:
        return self.seen.count(_key(self.stones, self.mover))

    def _end(self) -> str:
        """Return the code of the ending, or "". A win comes before a draw."""
        mover = self.mover
        if self.left(mover) < 3:
            return "few-stones"
        if self.hands[mover]:
            return ""
        free = self.free
        own = self.stones[mover]
        if not (self.may_jump(mover) or any(free & NEIGHBOURS[i] for i in bits(own))):
            return "no-move"
        if self.occurrences >= 3:
            return "repetition"
        return "no-mill" if self.plies_without_mill >= self.draw_after else ""

    def _check_is_whole(self, move: Move) -> None:
        """Refuse an opponent's stone named alone, as if its capture were a separate move."""
        is_alone = move.origin is None and move.taken is None
        if not is_alone or self.owner(move.target) != 1 - self.mover:
            return
        for whole in self.moves(self.mover):
            if whole.taken == move.target:
                square = POINTS[move.target]
                raise IllegalMove("name-the-mill", square=square, example=_notation(whole))

    def _check_step(self, move: Move) -> None:
        seat, origin, target = self.mover, move.origin, move.target
        if origin is None:
            if not self.hands[seat]:
                raise IllegalMove("all-placed")
        elif self.hands[seat]:
            raise IllegalMove("still-placing", count=self.hands[seat])
        elif (owner := self.owner(origin)) is None:
            raise IllegalMove("empty", square=POINTS[origin])
        elif owner != seat:
            raise IllegalMove("not-your-stone", square=POINTS[origin])
        if (owner := self.owner(target)) is not None:
            raise IllegalMove("occupied", square=POINTS[target], seat=owner)
        if origin is None or self.may_jump(seat) or NEIGHBOURS[origin] >> target & 1:
            return
        way: dict[str, str | int] = {"from": POINTS[origin], "to": POINTS[target]}
        raise IllegalMove("not-adjacent", **way, count=self.stones[seat].bit_count())

    def _check_capture(self, move: Move, *, closes: bool) -> None:
        takeable = self.takeable(self.mover) if closes else 0
        stones = ", ".join(POINTS[point] for point in bits(takeable))
        if move.taken is None:
            if takeable:
                whole = replace(move, taken=next(bits(takeable)))
                raise IllegalMove("capture-due", stones=stones, example=_notation(whole))
        elif not closes:
            raise IllegalMove("no-capture-due", example=_notation(replace(move, taken=None)))
        elif self.owner(move.taken) != 1 - self.mover:
            raise IllegalMove("not-opponents", square=POINTS[move.taken])
        elif not takeable:
            raise IllegalMove("nothing-to-take", example=_notation(replace(move, taken=None)))
        elif not takeable >> move.taken & 1:
            raise IllegalMove("in-a-mill", square=POINTS[move.taken], stones=stones)


def _closes(own: int, target: int) -> bool:
    first, second = _REST[target]
    return own & first == first or own & second == second


def _key(stones: tuple[int, int], mover: int) -> int:
    return stones[0] | stones[1] << 24 | mover << 48


_SETUP = re.compile(r"([WB.]{24}) ([WB]) ([0-9]) ([0-9])")
_TEXT = re.compile(
    r"([a-wyz][0-9]{1,2})(?:(-|x|)([a-wyz][0-9]{1,2}))?(?:(-|x|)([a-wyz][0-9]{1,2}))?"
)
_BLANKS = re.compile(r"[\s.,>]++(?!\d)|(?<![\d\s.,>])[\s.,>]+")
"""Not between two digits, where another move begins."""
# What keyboards, typesetters and chess players write for `-` and `x`.
_DASHES = (
    "\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}\N{RIGHTWARDS ARROW}"
)
_CROSSES = ":\N{MULTIPLICATION SIGN}\N{MULTIPLICATION X}"
_LOOKALIKES = str.maketrans(dict.fromkeys(_DASHES, "-") | dict.fromkeys(_CROSSES, "x"))


class MorrisGame(Game[MorrisPosition, Move, MorrisPosition]):
    """Nine Men's Morris."""

    id = "morris"
    options = (
        Option("draw_after", ("20", "50", "100"), "20"),
        Option("capture_from_mills", ("if_no_other", "never"), "if_no_other"),
    )

    def new_setup(self, options: Options, rng: Random) -> str:
        return MorrisPosition().setup()

    def start(self, options: Options, setup: str) -> MorrisPosition:
        """Return the position of `setup`. Refuse positions that no match can reach."""
        found = _SETUP.fullmatch(setup)
        if not found:
            raise InvalidSetup("setup", why="not 24 points, side to move and two hands")
        board, side, *hands = found.groups()
        white, black = (
            sum(1 << point for point, sign in enumerate(board) if sign == colour) for colour in "WB"
        )
        stones, mover = (white, black), "WB".index(side)
        position = MorrisPosition(
            stones=stones,
            hands=(int(hands[0]), int(hands[1])),
            mover=mover,
            draw_after=int(options["draw_after"]),
            from_mills=options["capture_from_mills"] == "if_no_other",
            seen=(_key(stones, mover),),
        )
        _check_reachable(position)
        return position

    def parse(self, view: MorrisPosition, seat: int, text: str) -> Move:
        """Parse `d6`, `d6-d7`, `d6xg4`, `d6-d7xg4`, the points with spaces, or `xg4` alone.

        Two points without a sign are a placement with a capture while `seat` has stones in hand.
        """
        plain = _BLANKS.sub("", text.casefold().translate(_LOOKALIKES))
        if plain.startswith("x") and (whole := _taking(view, seat, plain[1:])):
            return whole
        found = _TEXT.fullmatch(plain)
        if not found or (found[5] and found[2] == "x"):
            raise InvalidMove("notation", text=text.strip()[:40])
        points = [_number(name) for name in found.group(1, 3, 5) if name]
        if len(points) == 1:
            return Move(points[0])
        if len(points) == 3:
            origin, target, taken = points
            return Move(target, origin, taken)
        first, second = points
        if found[2] == "x" or (not found[2] and view.hands[seat]):
            return Move(first, None, second)
        return Move(second, first)

    def notation(self, move: Move, form: str = "") -> str:
        return _notation(move)

    def steps(self, move: Move) -> tuple[str, ...]:
        clicks = (move.origin, move.target, move.taken)
        return tuple(POINTS[point] for point in clicks if point is not None)

    def prompt(self, view: MorrisPosition, seat: int, steps: tuple[str, ...]) -> Note:
        begun = (move for move in view.moves(seat) if self.steps(move)[: len(steps)] == steps)
        if any(len(self.steps(move)) > len(steps) + (move.taken is not None) for move in begun):
            return Note("target", {"square": steps[-1]})
        return Note("take", {"seat": 1 - seat, "square": steps[-1]})

    def partial_view(
        self, view: MorrisPosition, seat: int, steps: tuple[str, ...]
    ) -> MorrisPosition:
        begun = [move for move in view.moves(seat) if self.steps(move)[: len(steps)] == steps]
        if not begun or len(steps) == (begun[0].origin is not None):
            return view
        after = view.play(seat, begun[0])
        own, others = after.stones[seat], view.stones[1 - seat]
        stones = (own, others) if seat == 0 else (others, own)
        return replace(view, stones=stones, hands=after.hands)

    def effect(self, view: MorrisPosition, seat: int, move: Move) -> Note | None:
        if move.taken is not None:
            return Note("takes", {"square": POINTS[move.taken]})
        return Note("mill") if view.closes(move) else None

    def facts(self, view: MorrisPosition, *, is_stopped: bool = False) -> tuple[Note, ...]:
        taken = Note("taken", {"white": view.taken_by(0), "black": view.taken_by(1)})
        if is_stopped or view.outcome() is not None:
            return (taken,)
        # Draw warnings are always shown, whatever else there is to say.
        warnings = []
        remaining = view.draw_after - view.plies_without_mill
        if remaining <= _WARNED_PLIES:
            warnings.append(Note("draw-near", {"count": remaining}))
        if view.occurrences == 2:
            warnings.append(Note("second-time"))
        facts = [] if len(warnings) > 1 else [_phase(view)]
        if view.taken_by(0) or view.taken_by(1):
            facts.append(taken)
        return (*facts, *warnings)


def _phase(view: MorrisPosition) -> Note:
    if any(view.hands):
        return Note("placing", {"white": view.hands[0], "black": view.hands[1]})
    jumpers = [seat for seat in (0, 1) if view.may_jump(seat)]
    if len(jumpers) == 2:
        return Note("both-jump")
    return Note("jumping", {"seat": jumpers[0]}) if jumpers else Note("sliding")


def _number(name: str) -> int:
    if name not in _NUMBERS:
        raise IllegalMove("off-board", square=name)
    return _NUMBERS[name]


def _taking(view: MorrisPosition, seat: int, name: str) -> Move | None:
    point = _NUMBERS.get(name)
    found = [move for move in view.moves(seat) if move.taken is not None and move.taken == point]
    if len(found) > 1:
        raise AmbiguousMove("ambiguous", moves=", ".join(sorted(map(_notation, found))))
    return found[0] if found else None


def _check_reachable(position: MorrisPosition) -> None:
    hands, mover = position.hands, position.mover
    if any(hands) and hands[1] - hands[0] != mover:
        raise InvalidSetup("setup", why="the hands do not fit the side to move")
    for seat in (0, 1):
        taken = position.taken_by(1 - seat)
        if taken < 0:
            raise InvalidSetup("setup", why="more than nine stones of one side")
        if taken > max(0, _STONES_EACH - hands[1 - seat] - 2):
            raise InvalidSetup("setup", why="more stones taken than could have been")
        winner = position.stones[1 - seat]
        has_mill = any(winner & mask == mask for mask in MASKS)
        if position.left(seat) < 3 and not (seat == mover and has_mill):
            raise InvalidSetup("setup", why="a side that lost without the other's last mill")


GAME = MorrisGame()
