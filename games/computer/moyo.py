"""Sudoku Moyo's player: alpha-beta by `games.computer.moyo_search`, deeper from level to level.

What a position is worth to it is learnt and comes from a file beside this one (``moyo.bin``, made
by ``tests/strength/train_moyo.py``): in thousandths of the logarithm of the odds, so that one
logistic function makes expectations of it. What it calls won or lost is so, by the rules.
"""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import exp
from pkgutil import get_data
from random import Random
from struct import unpack

from games.base import Note
from games.computer.accelerated import IS_ACCELERATED, table
from games.computer.base import LEVELS, Candidate, IsLate, Player, never
from games.computer.moyo_search import (
    BUSY,
    CELLS,
    ENTRIES,
    FRAMES,
    KEYS,
    MOST_MOVES,
    PLIES,
    SIZE,
    WON,
    Table,
    evaluate,
    listed,
    placed,
    prepare,
    run,
)
from games.moyo import MoyoPosition, Placement

__all__ = ["PLAYER", "value"]

_SLICE = 2000 if IS_ACCELERATED else 16
"""Positions between two looks at the clock: some milliseconds."""
_SLOTS = (1 << 19) if IS_ACCELERATED else 1 << 15
"""Positions that are remembered."""
_DEEPEST = 60
_WIDEST = 4 * WON
"""A window that holds every value."""


@dataclass(frozen=True, slots=True)
class _Level:
    """How a level plays."""

    depth: int
    """Plies that it looks ahead."""
    nodes: int
    """Positions after which it begins no other move."""
    luck: int
    """How much worse than the best a move may be that it still makes, in thousandths of a logit."""


_LEVELS = (
    _Level(1, 1000, 1500),
    _Level(1, 1000, 500),
    _Level(2, 2000, 150),
    _Level(4, 3000, 60),
    _Level(_DEEPEST, 1 << 60, 30),
)


@cache
def _tables() -> tuple[Table, Table]:
    """The weights, and random numbers for positions."""
    packed = get_data(__package__, "moyo.bin")
    assert packed is not None
    weights = unpack(f"<{SIZE}h", zlib.decompress(packed))
    luck = Random(KEYS)
    return table(weights), table(luck.getrandbits(62) for _ in range(KEYS))


@dataclass(slots=True)
class _Root:
    """A move of the position that is searched, and what is known of it."""

    move: int
    value: int

    @property
    def is_exact(self) -> bool:
        return abs(self.value) >= WON


class _Late(Exception):
    """An answer is wanted now."""


class _Search:
    """The search of one position."""

    def __init__(self, view: MoyoPosition, seat: int, *, slots: int, is_late: IsLate) -> None:
        self._weights, self._keys = _tables()
        self._is_late = is_late
        self._seat = seat
        self._here = table([*(mask >> 1 for mask in view.fits), *bytes(CELLS)])
        self._stack = table(bytes(CELLS * PLIES))
        self._frames = table(bytes(FRAMES))
        self._moves = table(bytes(MOST_MOVES * PLIES))
        self._slots = table(bytes(2 * slots))
        self._out = table(bytes(ENTRIES))
        self._control = table(bytes(4))
        count = listed(self._here, 0, seat, self._moves, 0, self._out)
        ordered = sorted((int(self._moves[index]) for index in range(count)), reverse=True)
        self.roots = [_Root(move & 4095, (move >> 12) - 1000) for move in ordered]
        self.rivals = self.roots[:1]
        self._key = 1
        for cell in range(CELLS):
            for digit in range(9):
                if self._here[cell] >> digit & 1:
                    self._key ^= int(self._keys[9 * cell + digit])

    @property
    def nodes(self) -> int:
        """How many positions were looked at."""
        return int(self._control[3])

    def deepen(self, *, depth: int, nodes: int, margin: int, all_exact: bool) -> None:
        """Search to `depth` plies, or until it is late; the best moves come first then.

        Moves that are not worse than the best by more than `margin` get values of their own, other
        ones values that they do not reach. With `all_exact` it goes on until it knows of every move
        whether it wins.
        """
        try:
            for plies in range(1, depth + 1):
                self._deepen(plies, nodes=nodes, margin=margin, all_exact=all_exact)
                if all(root.is_exact for root in self.roots):
                    break
                if not all_exact and self.roots[0].value >= WON:
                    break
        except _Late:
            pass

    def _deepen(self, plies: int, *, nodes: int, margin: int, all_exact: bool) -> None:
        """Look at every move, to so many plies with itself."""
        known = [root for root in self.roots if root.is_exact]
        searched: list[_Root] = []
        todo = [root for root in self.roots if not root.is_exact]
        best = -_WIDEST
        try:
            while todo:
                if searched and self.nodes >= nodes:
                    raise _Late
                root = todo[0]
                floor = max(best - margin, -_WIDEST)
                # A narrow window first: most moves are worse, which is soon seen.
                value = floor + 1
                if floor > -_WIDEST:
                    value = self._value(root.move, plies - 1, floor, floor + 1)
                if floor < value < WON:
                    value = self._value(root.move, plies - 1, floor, _WIDEST)
                searched.append(_Root(root.move, value))
                del todo[0]
                if value < WON:
                    best = max(best, value)
                elif not all_exact:
                    break
        finally:
            found = sorted(searched, key=lambda root: -root.value)
            if all(root.value <= -WON for root in found):
                # Where all is lost, what looked best before is still the hardest to refute.
                found = searched
            resolved = [*found, *known]
            lost = [root for root in resolved if root.value <= -WON]
            won = [root for root in resolved if root.value >= WON]
            open_ones = [root for root in found if not root.is_exact]
            self.roots = [*won, *open_ones, *todo, *lost]
            # Values of other depths do not compare: whoever was not looked at yet is no rival.
            if won or open_ones:
                self.rivals = won or open_ones
            else:
                self.rivals = self.roots[:1]

    def _value(self, move: int, depth: int, alpha: int, beta: int) -> int:
        """What a move is worth, within a window."""
        change = placed(self._here, 0, move >> 4, move & 15, self._keys)
        self._stack[:CELLS] = self._here[CELLS:]
        key = self._key ^ int(change) ^ int(self._keys[KEYS - 1])
        prepare(self._frames, self._control, 1 - self._seat, key, depth, -beta, -alpha)
        busy = BUSY
        while busy == BUSY:
            if self._is_late():
                raise _Late
            busy = run(
                self._stack,
                self._frames,
                self._moves,
                self._slots,
                self._keys,
                self._weights,
                self._out,
                self._control,
                _SLICE,
            )
        return -int(self._control[2])


def value(view: MoyoPosition) -> int:
    """What a position is worth to the side to move, without any search."""
    weights, _ = _tables()
    masks = table(mask >> 1 for mask in view.fits)
    return int(evaluate(masks, 0, view.side, weights, table(bytes(ENTRIES))))


class MoyoPlayer(Player[MoyoPosition, Placement]):
    """Plays Sudoku Moyo."""

    def choose(
        self, view: MoyoPosition, seat: int, *, level: int, rng: Random, is_late: IsLate = never
    ) -> Placement:
        if not 1 <= level <= LEVELS:
            raise ValueError(level)
        how = _LEVELS[level - 1]
        slots = _SLOTS if level == LEVELS else 1 << 12
        search = _Search(view, seat, slots=slots, is_late=is_late)
        search.deepen(depth=how.depth, nodes=how.nodes, margin=how.luck, all_exact=False)
        return _placement(_drawn(search.rivals, how.luck, rng).move)

    def rank(
        self, view: MoyoPosition, seat: int, *, is_late: IsLate = never
    ) -> tuple[Candidate[Placement], ...]:
        search = _Search(view, seat, slots=_SLOTS, is_late=is_late)
        search.deepen(depth=_DEEPEST, nodes=1 << 60, margin=1000, all_exact=True)
        return tuple(
            Candidate(
                _placement(root.move),
                _expectation(root.value),
                (_placement(root.move),),
                root.is_exact,
            )
            for root in search.roots
        )


def _drawn(roots: list[_Root], luck: int, rng: Random) -> _Root:
    """One of the moves that are nearly as good as the best, the better the likelier."""
    best = roots[0]
    if best.is_exact:
        return best
    near = [root for root in roots if root.value > best.value - luck]
    return rng.choices(near, [1 - (best.value - root.value) / luck for root in near])[0]


def _placement(move: int) -> Placement:
    return Placement(move >> 4, (move & 15) + 1)


def _expectation(value: int) -> float:
    """From 0 to 1; only what is certain comes to either."""
    if abs(value) >= WON:
        return float(value > 0)
    return min(0.99, max(0.01, 1 / (1 + exp(-max(-20000, min(20000, value)) / 1000))))


PLAYER = MoyoPlayer()
