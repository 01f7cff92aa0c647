"""The Sudoku Moyo engine: alpha-beta by `games.computer.moyo_search`.

Values come from ``moyo.bin`` (``tools/strength/train_moyo.py``), in thousandths of a logit.
"""

import zlib
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from math import exp
from random import Random
from struct import unpack

from games.base import Note, stored
from games.computer.accelerated import IS_ACCELERATED, Table, blank, table
from games.computer.base import Candidate, Engine, IsLate, SearchStopped, cap_expectations, never
from games.computer.moyo_search import (
    CELLS,
    ENTRIES,
    KEYS,
    MOST_MOVES,
    SIZE,
    WON,
    evaluate,
    listed,
    new_room,
    placed,
    prepare,
    run,
)
from games.moyo import BOX_OF, OWNERS, MoyoPosition, Placement, cell_name

_SLICE = 2000 if IS_ACCELERATED else 16
"""Nodes between two calls of `is_late`: a few milliseconds."""
_SLOTS = 1 << (18 if IS_ACCELERATED else 15)
_FEW_SLOTS = 1 << 11
_MOST_NODES = 1 << (23 if IS_ACCELERATED else 17)
_UNBOUNDED = 1 << 60
_TO_THE_END = range(1, 61)
_OUTSIDE = 4 * WON
_LINES = 5
_LONGEST = 8


@dataclass(frozen=True, slots=True)
class _Level:
    depths: range
    nodes: int
    luck: int
    """How much worse than the best a chosen move may be, in thousandths of a logit."""
    sight: int
    """The value of a certain win: lower levels see only a good chance."""
    remembers: bool = False
    """True if it uses the large transposition table, kept between moves."""
    moves: int = MOST_MOVES


_LEVELS = (
    # A player that every other time leaves the fewest moves, else random, scores 58 % against the
    # first level and 20 % against the second, a random one 26 % against the first.
    _Level(range(1, 2), _UNBOUNDED, 2000, 2500, moves=2),
    _Level(range(1, 2), _UNBOUNDED, 1000, 3000, moves=5),
    _Level(range(1, 3), _UNBOUNDED, 1000, 4000),
    _Level(range(1, 5), 4000, 50, WON),
    _Level(_TO_THE_END, _UNBOUNDED, 30, WON, remembers=True),
)
_RANKED = 1000
_MANY = 3


@cache
def _tables() -> tuple[Table, Table]:
    weights = unpack(f"<{SIZE}h", zlib.decompress(stored("computer/moyo.bin")))
    luck = Random(KEYS)
    return table(weights), table(luck.getrandbits(62) for _ in range(KEYS))


@cache
def _memory() -> Table:
    return table(bytes(2 * _SLOTS))


@dataclass(frozen=True, slots=True)
class _Root:
    move: int
    value: int

    @property
    def is_exact(self) -> bool:
        return abs(self.value) >= WON


class _Search:
    def __init__(self, view: MoyoPosition, *, slots: Table, is_late: IsLate) -> None:
        weights, self._keys = _tables()
        self._is_late = is_late
        self._seat = view.side
        self._here = table([*(mask >> 1 for mask in view.fits), *bytes(CELLS)])
        self._room = new_room(slots, self._keys, weights)
        self._key = 1
        for cell in range(CELLS):
            for digit in range(9):
                if self._here[cell] >> digit & 1:
                    self._key ^= int(self._keys[9 * cell + digit])
        likely = sorted(self._listed(self._here, self._seat), reverse=True)
        self.roots = [_Root(move & 4095, 0) for move in likely]
        self.rivals = self.roots[:1]
        """Root moves whose values come from the same depth, the best first."""

    def think_of(self, count: int, rng: Random) -> None:
        if len(self.roots) > count:
            places = sorted(rng.sample(range(len(self.roots)), count))
            self.roots = [self.roots[place] for place in places]
            self.rivals = self.roots[:1]

    @property
    def nodes(self) -> int:
        return int(self._room.control[3])

    def _listed(self, masks: Table, side: int) -> list[int]:
        moves = self._room.moves
        count = listed(masks, 0, side, moves, 0, self._room.out)
        return [int(moves[index]) for index in range(count)]

    def deepen(self, depths: range, *, nodes: int, margin: int, is_thorough: bool) -> None:
        """Search to all `depths`, or until it is late or decided (`is_thorough`: every move).

        Moves at most `margin` worse than the best get exact values, others upper bounds.
        """
        for plies in depths:
            known = [root for root in self.roots if root.is_exact]
            todo = [root for root in self.roots if not root.is_exact]
            found, best, is_won = list[_Root](), -_OUTSIDE, False
            with suppress(SearchStopped):
                while todo and not is_won and not (found and self.nodes >= nodes):
                    # A window below a loss would find losses that are none.
                    floor = max(best - margin, -WON) if found else -_OUTSIDE
                    value = self._value(todo[0].move, plies - 1, floor)
                    found.append(_Root(todo.pop(0).move, value))
                    is_won = value >= WON and not is_thorough
                    if value < WON:
                        best = max(best, value)
            self._settle(known, found, todo)
            if todo or is_won or all(root.is_exact for root in self.roots):
                break

    def line(self, root: _Root) -> list[int]:
        masks, side, key = table(self._here), self._seat, self._key
        slots = self._room.slots
        line = [root.move]
        while len(line) < _LONGEST:
            change = placed(masks, 0, line[-1] >> 4, line[-1] & 15, self._keys)
            masks[:CELLS] = masks[CELLS:]
            side, key = 1 - side, key ^ int(change) ^ int(self._keys[KEYS - 1])
            slot = 2 * (key & len(slots) // 2 - 1)
            if slots[slot] != key:
                break
            move = int(slots[slot + 1]) & 4095
            if all(other & 4095 != move for other in self._listed(masks, side)):
                break
            line.append(move)
        return line

    def _settle(self, known: list[_Root], found: list[_Root], todo: list[_Root]) -> None:
        ends = [*found, *known]
        fresh = sorted((root for root in found if not root.is_exact), key=lambda root: -root.value)
        won = [root for root in ends if root.value >= WON]
        # Lost moves keep their order: the one that looked best longest is the hardest to refute.
        lost = [root for root in ends if root.value <= -WON]
        self.roots = [*won, *fresh, *todo, *lost]
        # Values of different depths do not compare.
        self.rivals = [*won, *fresh, *lost] if won or fresh else self.roots[:1]

    def _value(self, move: int, depth: int, floor: int) -> int:
        if floor > -_OUTSIDE:
            value = self._within(move, depth, floor, floor + 1)
            if value <= floor or value >= WON:
                return value
        return self._within(move, depth, floor, _OUTSIDE)

    def _within(self, move: int, depth: int, alpha: int, beta: int) -> int:
        change = placed(self._here, 0, move >> 4, move & 15, self._keys)
        self._room.stack[:CELLS] = self._here[CELLS:]
        key = self._key ^ int(change) ^ int(self._keys[KEYS - 1])
        prepare(self._room, 1 - self._seat, key, depth, -beta, -alpha)
        is_done = False
        while not is_done:
            if self._is_late() or self.nodes >= _MOST_NODES:
                raise SearchStopped
            is_done = run(self._room, _SLICE)
        return -int(self._room.control[2])


def value(view: MoyoPosition) -> int:
    """Return the static value for the side to move, in thousandths of a logit, or `WON`."""
    weights, _ = _tables()
    masks = table(mask >> 1 for mask in view.fits)
    return int(evaluate(masks, 0, view.side, weights, table(bytes(ENTRIES))))


class MoyoEngine(Engine[MoyoPosition, Placement, _Level]):
    """Plays Sudoku Moyo."""

    levels = _LEVELS

    def move_at_level(
        self, view: MoyoPosition, seat: int, how: _Level, rng: Random, is_late: IsLate
    ) -> Placement:
        slots = _memory() if how.remembers else table(bytes(2 * _FEW_SLOTS))
        search = _Search(view, slots=slots, is_late=is_late)
        search.think_of(how.moves, rng)
        if len(search.roots) > 1:
            search.deepen(how.depths, nodes=how.nodes, margin=how.luck, is_thorough=False)
        return _placement(_drawn(search.rivals, how, rng).move)

    def rank(
        self, view: MoyoPosition, seat: int, *, is_late: IsLate = never
    ) -> tuple[Candidate[Placement], ...]:
        search = _Search(view, slots=blank(2 * _SLOTS), is_late=is_late)
        search.deepen(_TO_THE_END, nodes=_UNBOUNDED, margin=_RANKED, is_thorough=True)
        ranked = []
        for place, root in enumerate(search.roots):
            line = search.line(root) if place < _LINES else [root.move]
            moves = tuple(map(_placement, line))
            ranked.append(Candidate(moves[0], _expectation(root.value), moves, root.is_exact))
        return cap_expectations(ranked)

    def reason(
        self, view: MoyoPosition, seat: int, move: Placement, *, is_late: IsLate = never
    ) -> Note:
        after = view.play(seat, move)
        if not after.turn:
            return Note("last")
        if value(after) <= -WON and value(view) < WON:
            return Note("decides")
        return _why(view, seat, move, after)


def _drawn(rivals: list[_Root], how: _Level, rng: Random) -> _Root:
    seen = [max(-how.sight, min(how.sight, root.value)) for root in rivals]
    lead = [how.luck - (max(seen) - worth) for worth in seen]
    near = [root for root, rest in zip(rivals, lead, strict=True) if rest > 0]
    return rng.choices(near, [rest for rest in lead if rest > 0])[0]


def _placement(move: int) -> Placement:
    return Placement(move >> 4, (move & 15) + 1)


def _expectation(worth: int) -> float:
    if abs(worth) >= WON:
        return float(worth > 0)
    return min(0.99, max(0.01, 1 / (1 + exp(-max(-20000, min(20000, worth)) / 1000))))


def _why(view: MoyoPosition, seat: int, move: Placement, after: MoyoPosition) -> Note:
    """Return the most important reason for a move that decides nothing, by the rules."""
    cells, stones = view.losses(1 - seat, move)
    if cells or stones:
        return Note("closes", {"cells": cells, "stones": stones})
    moves = view.moves(seat)
    if len(moves) == 1:
        return Note("only")
    mine, theirs = _taken(view, after, seat)
    if theirs > mine:
        return Note("takes", {"theirs": theirs, "mine": mine})
    if _is_threatened(view, seat, move):
        return Note("saves", {"square": cell_name(move.cell), "digit": move.digit})
    if theirs >= _MANY:
        return Note("cuts", {"theirs": theirs})
    if OWNERS[BOX_OF[move.cell]] == seat and mine <= _MANY:
        return Note("spares", {"mine": mine})
    rest = [
        there - here
        for other in moves
        if other != move
        for here, there in [_taken(view, view.play(seat, other), seat)]
    ]
    if theirs - mine >= max(rest) and theirs - mine > min(rest):
        return Note("best-trade", {"theirs": theirs, "mine": mine})
    left, other = _places(after, seat), _places(after, 1 - seat)
    if left > other:
        return Note("ahead", {"mine": left, "theirs": other})
    return Note("searched")


def _places(view: MoyoPosition, seat: int) -> int:
    return sum(
        mask.bit_count() for cell, mask in enumerate(view.fits) if OWNERS[BOX_OF[cell]] == seat
    )


def _taken(view: MoyoPosition, after: MoyoPosition, seat: int) -> tuple[int, int]:
    own, other = (_places(view, side) - _places(after, side) for side in (seat, 1 - seat))
    return own, other


def _is_threatened(view: MoyoPosition, seat: int, move: Placement) -> bool:
    """Return whether the opponent could prevent this placement, the last of its cell or stone."""
    box = BOX_OF[move.cell]
    if OWNERS[box] != seat:
        return False
    bit = 1 << move.digit
    elsewhere = any(
        mask & bit
        for cell, mask in enumerate(view.fits)
        if BOX_OF[cell] == box and cell != move.cell
    )
    if elsewhere and view.fits[move.cell] != bit:
        return False
    row, column = divmod(move.cell, 9)
    return any(
        mask & bit
        for cell, mask in enumerate(view.fits)
        if OWNERS[BOX_OF[cell]] == 1 - seat and (cell // 9 == row or cell % 9 == column)
    )


ENGINE = MoyoEngine()
