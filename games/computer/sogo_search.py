"""The search of Sogo's line variant on boards of at most 64 cells.

It is a principal variation search with a threat search (`attack`): a move that leaves a line one
*playable* cell short must be answered there. A *hole* is a free cell that would complete a line.
Playing right below the opponent's hole loses, so such cells are skipped. A single safe move does
not count as depth.

A bitboard is a signed 64-bit word: the 64th cell makes it negative. So it is never shifted left,
and masked after shifting right. The *state* of a line is White's stones, plus eight times Black's,
plus (from bit 6 on) the xor of its free cells. A single free cell is thus known at once.

A win is worth `WIN` minus the stones on the board at its end, whatever the path. `BaseSearch` and
the first words of the memory are shared with `games.computer.sogo_plain`.
"""

# ruff: noqa: PLR0917 - compiled functions take positional arguments

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import reduce
from operator import xor
from random import Random
from typing import NamedTuple

from games.base import bits
from games.computer.accelerated import IS_ACCELERATED, Table, blank, jit, table
from games.computer.base import IsLate, SearchStopped
from games.sogo import Move, SogoPosition, board

WIN = 30_000
PROVEN = WIN - 200
"""Values at least this far from zero are proved."""

EXACT, AT_LEAST, AT_MOST = 1, 2, 3

RODS, SIZE, CELLS, NODES, LIMIT, STOPPED, MASK, QUICK, DEEP = range(9)
"""The board, nodes, their limit and its stop flag, the mask of the table, and limits of threats."""

LARGEST = 4
"""The largest board whose cells fit in a word."""
STATES = 64
"""Numbers of stones in a line: `white + 8 * black`."""
NOWHERE = 31
_PATIENT = 200

_PATIENCE, _TRIED, _FIRST, _THREAT_MASK, _TEMPO, _LOW = range(9, 15)
_BIT = 32
_ROD = _BIT + 64
_ABOVE = _ROD + 37
_TOP = _ABOVE + 64
_THROUGH = _TOP + 32
_LINE = _THROUGH + 64 * 16
_VALUE = _LINE + 80
_HOLE = _VALUE + 80 * STATES
_KEY = _HOLE + 128
_HISTORY = _KEY + 128
_KILLER = _HISTORY + 128
_MOVES = _KILLER + 2 * 66
_THREATS = _MOVES + 66 * 32
# Two transposition tables: positions without a win by threats, and all others.

_ENTRIES = 1 << (20 if IS_ACCELERATED else 14)
_THREAT_ENTRIES = 1 << (18 if IS_ACCELERATED else 13)
_VERY_PATIENT = 25_000 if IS_ACCELERATED else 1_500
_TABLE = _THREATS + _THREAT_ENTRIES
_SLICE = 25_000 if IS_ACCELERATED else 150
"""Nodes between two calls of `is_late`: about five milliseconds."""


@jit
def settles(value: int, bound: int, alpha: int, beta: int) -> bool:
    """Return whether a stored value makes a search unnecessary."""
    return (
        bound == EXACT
        or (bound == AT_LEAST and value >= beta)
        or (bound == AT_MOST and value <= alpha)
    )


@jit
def _fold(memory: Table, cells: int) -> int:
    rods = memory[RODS]
    return (cells | cells >> rods | cells >> 2 * rods | cells >> 3 * rods) & (1 << rods) - 1


@jit
def _sound(memory: Table, playable: int, mine: int, yours: int) -> int:
    """Return the rods that do not lose at once, 0 if all do, -1 for a win, -2 for a full board."""
    if mine & playable != 0:
        return -1
    if playable == 0:
        return -2
    threatened = _fold(memory, yours & playable)
    if threatened & threatened - 1:
        return 0
    under = _fold(memory, yours >> memory[RODS] & memory[_LOW] & playable)
    if threatened:
        return threatened & ~under
    return _fold(memory, playable) & ~under


@jit
def _put(memory: Table, cell: int, seat: int, mine: int, yours: int) -> tuple[int, int]:
    """Place a stone of `seat`. Return its holes and the change of White's score."""
    size = memory[SIZE]
    step = 1 if seat == 0 else 8
    hole = step * (size - 1)
    holes, change = mine, 0
    at = memory[_BIT + cell]
    if yours & at != 0:
        change -= memory[_HOLE + (64 if seat == 0 else 0) + cell]
    if mine & at != 0:
        change -= memory[_HOLE + (0 if seat == 0 else 64) + cell]
    first = _THROUGH + cell * 16
    for slot in range(first + 1, first + 1 + memory[first]):
        line = memory[slot]
        was = memory[_LINE + line]
        now = (was ^ cell << 6) + step
        memory[_LINE + line] = now
        values = _VALUE + line * STATES
        change += memory[values + (now & 63)] - memory[values + (was & 63)]
        if now & 63 == hole:
            bit = memory[_BIT + (now >> 6)]
            if holes & bit == 0:
                holes |= bit
                change += memory[_HOLE + (0 if seat == 0 else 64) + (now >> 6)]
    memory[_TOP + cell % memory[RODS]] += memory[RODS]
    return holes, change


@jit
def _lift(memory: Table, cell: int, seat: int) -> None:
    step = 1 if seat == 0 else 8
    first = _THROUGH + cell * 16
    for slot in range(first + 1, first + 1 + memory[first]):
        line = _LINE + memory[slot]
        memory[line] = memory[line] - step ^ cell << 6
    memory[_TOP + cell % memory[RODS]] -= memory[RODS]


@jit
def _opened(memory: Table, cell: int, seat: int) -> int:
    step = 1 if seat == 0 else 8
    short = step * (memory[SIZE] - 2)
    holes = 0
    first = _THROUGH + cell * 16
    for slot in range(first + 1, first + 1 + memory[first]):
        state = memory[_LINE + memory[slot]]
        if state & 63 == short:
            holes |= memory[_BIT + (state >> 6 ^ cell)]
    return holes


@jit
def attack(
    memory: Table, left: int, seat: int, playable: int, mine: int, yours: int, key: int, placed: int
) -> int:
    """Return the final number of stones if `left` threats win, else 0. Store the first rod."""
    memory[NODES] += 1
    memory[_TRIED] += 1
    if memory[_TRIED] > memory[_PATIENCE]:
        return 0
    rods = _sound(memory, playable, mine, yours)
    if rods == -1:
        wins = _fold(memory, mine & playable)
        memory[_FIRST] = memory[_ROD + (wins & -wins) % 37]
        return placed + 1
    if rods <= 0:
        return 0
    slot = _THREATS + (key & memory[_THREAT_MASK])
    if memory[slot] >> 6 == key >> 6 and memory[slot] & 63 >= left:
        return 0
    threats = _threats(memory, seat, rods, playable, mine)
    if threats == -1:
        return placed + 3
    while threats and left > 1:
        bit = threats & -threats
        threats ^= bit
        rod = memory[_ROD + bit % 37]
        cell = memory[_TOP + rod]
        after = playable ^ memory[_BIT + cell] | memory[_ABOVE + cell]
        holes, _ = _put(memory, cell, seat, mine, yours)
        answer = _answer(memory, _fold(memory, holes & after), NOWHERE)
        theirs, _ = _put(memory, answer, 1 - seat, yours, holes)
        won = attack(
            memory,
            left - 1,
            seat,
            after ^ memory[_BIT + answer] | memory[_ABOVE + answer],
            holes,
            theirs,
            key ^ memory[_KEY + seat * 64 + cell] ^ memory[_KEY + (1 - seat) * 64 + answer],
            placed + 2,
        )
        _lift(memory, answer, 1 - seat)
        _lift(memory, cell, seat)
        if won:
            memory[_FIRST] = rod
            return won
    if memory[_TRIED] <= memory[_PATIENCE]:
        memory[slot] = (key >> 6 << 6) | left
    return 0


@jit
def _threats(memory: Table, seat: int, rods: int, playable: int, mine: int) -> int:
    """Return the rods where a stone threatens a line. Return -1 and store a rod that wins."""
    threats = 0
    rest = rods
    while rest:
        bit = rest & -rest
        rest ^= bit
        rod = memory[_ROD + bit % 37]
        cell = memory[_TOP + rod]
        after = playable ^ memory[_BIT + cell] | memory[_ABOVE + cell]
        holes = mine | _opened(memory, cell, seat)
        wins = _fold(memory, holes & after)
        if wins == 0:
            continue
        if wins & wins - 1 or memory[_ABOVE + _answer(memory, wins, rod)] & holes:
            memory[_FIRST] = rod
            return -1
        threats |= bit
    return threats


@jit
def _answer(memory: Table, wins: int, rod: int) -> int:
    """Return the cell that answers a threat. The stone on `rod` is not placed yet."""
    answer = memory[_ROD + (wins & -wins) % 37]
    cell = memory[_TOP + answer]
    return cell + memory[RODS] if answer == rod else cell


@jit
def _listed(memory: Table, rods: int, seat: int, placed: int, first: int) -> int:
    start = _MOVES + placed * 32
    count = 0
    rest = rods
    while rest:
        bit = rest & -rest
        rest ^= bit
        rod = memory[_ROD + bit % 37]
        cell = memory[_TOP + rod]
        worth = memory[_HISTORY + seat * 64 + cell]
        if rod == first:
            worth = 1 << 40
        elif rod == memory[_KILLER + 2 * placed]:
            worth += 1 << 30
        elif rod == memory[_KILLER + 2 * placed + 1]:
            worth += 1 << 29
        entry = worth << 5 | rod
        at = start + count
        while at > start and memory[at - 1] < entry:
            memory[at] = memory[at - 1]
            at -= 1
        memory[at] = entry
        count += 1
    return count


@jit
def _known(memory: Table, key: int) -> int:
    slot = _TABLE + 2 * (key & memory[MASK])
    if memory[slot] == key:
        return memory[slot + 1]
    slot = _TABLE + 2 * ((key & memory[MASK]) ^ 1)
    if memory[slot] == key:
        return memory[slot + 1]
    return 0


@jit
def _keep(memory: Table, key: int, depth: int, value: int, bound: int, rod: int) -> None:
    """Store a position. The first of its two slots keeps the deeper search."""
    slot = _TABLE + 2 * (key & memory[MASK])
    if memory[slot] != key and (memory[slot + 1] >> 16 & 127) > depth:
        slot = _TABLE + 2 * ((key & memory[MASK]) ^ 1)
    memory[slot] = key
    memory[slot + 1] = value + 32_768 | depth << 16 | bound << 23 | rod << 25


@jit
def _learn(memory: Table, seat: int, cell: int, rod: int, depth: int, placed: int) -> None:
    if memory[_KILLER + 2 * placed] != rod:
        memory[_KILLER + 2 * placed + 1] = memory[_KILLER + 2 * placed]
        memory[_KILLER + 2 * placed] = rod
    history = _HISTORY + seat * 64 + cell
    memory[history] += depth * depth
    if memory[history] > 1 << 24:
        for at in range(_HISTORY, _HISTORY + 128):
            memory[at] >>= 1


@jit
def search(  # noqa: C901, PLR0912, PLR0915 - one loop, because calls are slow
    memory: Table,
    depth: int,
    alpha: int,
    beta: int,
    seat: int,
    playable: int,
    mine: int,
    yours: int,
    key: int,
    placed: int,
    score: int,
) -> int:
    """Return the value for `seat`, to move. Meaningless if STOPPED.

    `mine` and `yours` are the holes of both sides. `score` is White's.
    """
    memory[NODES] += 1
    if memory[NODES] > memory[LIMIT]:
        memory[STOPPED] = 1
        return 0
    rods = _sound(memory, playable, mine, yours)
    if rods <= 0:
        return WIN - placed - 1 if rods == -1 else 0 if rods == -2 else placed + 2 - WIN
    is_forced = rods & rods - 1 == 0
    if depth <= 0 and not is_forced:
        if memory[QUICK] and beta > -PROVEN:
            memory[_TRIED] = 0
            won = attack(memory, memory[QUICK], seat, playable, mine, yours, key, placed)
            if won:
                return WIN - won
        return (score if seat == 0 else -score) + memory[_TEMPO]
    first = NOWHERE
    known = _known(memory, key)
    if known:
        first = known >> 25 & 31
        if known >> 16 & 127 >= depth or abs((known & 65_535) - 32_768) > PROVEN:
            value = (known & 65_535) - 32_768
            if settles(value, known >> 23 & 3, alpha, beta):
                return value
    if memory[DEEP] and not is_forced:
        memory[_TRIED] = 0
        won = attack(memory, memory[DEEP], seat, playable, mine, yours, key, placed)
        if won:
            _keep(memory, key, 64, WIN - won, AT_LEAST, memory[_FIRST])
            return WIN - won
    count = _listed(memory, rods, seat, placed, first)
    best, best_rod, floor = -WIN, NOWHERE, alpha
    deeper = depth if is_forced else depth - 1
    start = _MOVES + placed * 32
    for index in range(count):
        rod = memory[start + index] & 31
        cell = memory[_TOP + rod]
        holes, change = _put(memory, cell, seat, mine, yours)
        after = playable ^ memory[_BIT + cell] | memory[_ABOVE + cell]
        to = key ^ memory[_KEY + seat * 64 + cell]
        less = 0
        if index >= 3 and depth >= 3 and depth + placed < memory[CELLS]:
            less = 2 if index >= 8 and depth >= 5 else 1
        low = -beta if index == 0 else -floor - 1
        value = -search(
            memory, deeper - less, low, -floor, 1 - seat, after, yours, holes, to, placed + 1,
            score + change,
        )  # fmt: skip
        if index and value > floor and (less or value < beta) and not memory[STOPPED]:
            value = -search(
                memory, deeper, -beta, -floor, 1 - seat, after, yours, holes, to, placed + 1,
                score + change,
            )  # fmt: skip
        _lift(memory, cell, seat)
        if memory[STOPPED]:
            return 0
        if value > best:
            best, best_rod = value, rod
            if value > floor:
                floor = value
                if value >= beta:
                    _learn(memory, seat, cell, rod, max(depth, 1), placed)
                    break
    bound = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
    _keep(memory, key, max(depth, 0), best, bound, best_rod)
    return best


class Layout(NamedTuple):
    """Where a search has its tables in the memory."""

    through: int
    history: int
    moves: int
    cleared: int
    """What is cleared for each position starts here and ends with the transposition table."""
    table: int
    entries: int
    keys: int
    keys_each: int


class BaseSearch(ABC):
    """A reusable search on boards of one size. `search` gets what `_place` returns."""

    _view: SogoPosition

    def __init__(
        self, size: int, layout: Layout, search: Callable[..., int], *, slice_: int
    ) -> None:
        its = board(size)
        self._board, self._layout, self._search, self._slice = its, layout, search, slice_
        self._words = blank(layout.table + 2 * layout.entries)
        self._words[RODS], self._words[SIZE], self._words[CELLS] = its.rods, its.size, its.cells
        for cell in range(its.cells):
            lines = [line for line, cells in enumerate(its.every_line) if cells >> cell & 1]
            start = layout.through + cell * 16
            self._words[start : start + 1 + len(lines)] = table((len(lines), *lines))

    @property
    def nodes(self) -> int:
        return int(self._words[NODES])

    def set_up(self, view: SogoPosition, *, quick: int, deep: int, entries: int) -> None:
        """Take a position. `quick` and `deep` limit threat sequences at leaves and inner nodes."""
        words, at = self._words, self._layout
        entries = min(entries, at.entries)
        words[at.cleared : at.table + 2 * entries] = blank(at.table + 2 * entries - at.cleared)
        words[at.history : at.moves] = blank(at.moves - at.history)
        words[MASK], words[NODES], words[QUICK], words[DEEP] = entries - 1, 0, quick, deep
        self._view = view

    @abstractmethod
    def expected(self, view: SogoPosition) -> Move | None:
        """Return the move that the search expects in a visited position, if known."""

    def value(self, move: Move, depth: int, alpha: int, beta: int, is_late: IsLate) -> int:
        """Return the value of a move within a window at a depth. Raises SearchStopped."""
        words, after = self._words, self._view.play(self._view.side, move)
        if after.variant == "line" and after.closed:
            return WIN - after.placed
        place = self._place(after)
        words[STOPPED] = 1
        value = 0
        while words[STOPPED]:
            if is_late():
                raise SearchStopped
            words[STOPPED], words[LIMIT] = 0, words[NODES] + self._slice
            value = -self._search(words, depth - 1, -beta, -alpha, *place)
        return int(value)

    @abstractmethod
    def _place(self, view: SogoPosition) -> tuple[int, ...]:
        """Write a position to the memory. Return what `search` gets besides."""

    def _key(self, view: SogoPosition) -> int:
        words, first, each = self._words, self._layout.keys, self._layout.keys_each
        keys = (first + seat * each + cell for seat in (0, 1) for cell in bits(view.stones[seat]))
        return reduce(xor, (int(words[at]) for at in keys), 0)


class LineSearch(BaseSearch):
    """A search on boards of one size.

    `line_values[line]` has White's score for each state of a line, `hole_values[seat]` for each
    cell. `tempo` is the value of being to move.
    """

    def __init__(
        self,
        size: int,
        line_values: Sequence[Sequence[int]],
        hole_values: Sequence[Sequence[int]],
        tempo: int,
    ) -> None:
        layout = Layout(_THROUGH, _HISTORY, _MOVES, _THREATS, _TABLE, _ENTRIES, _KEY, 64)
        super().__init__(size, layout, search, slice_=_SLICE)
        its, words, luck = self._board, self._words, Random("sogo")
        words[_LOW] = (1 << its.cells - its.rods) - 1
        words[_THREAT_MASK], words[_TEMPO] = _THREAT_ENTRIES - 1, tempo
        for cell in range(its.cells):
            words[_BIT + cell] = _signed(1 << cell)
            if cell + its.rods < its.cells:
                words[_ABOVE + cell] = _signed(1 << cell + its.rods)
            for seat in (0, 1):
                words[_KEY + seat * 64 + cell] = luck.getrandbits(62)
                words[_HOLE + seat * 64 + cell] = hole_values[seat][cell]
        for rod in range(its.rods):
            words[_ROD + (1 << rod) % 37] = rod
        for line, values in enumerate(line_values):
            words[_VALUE + line * STATES : _VALUE + (line + 1) * STATES] = table(values)
        words[_PATIENCE] = _PATIENT
        self._free_lines = table(reduce(xor, bits(line)) << 6 for line in its.every_line)

    def by_threats(self, left: int, is_late: IsLate) -> tuple[int, int] | None:
        """Return a rod that wins with at most `left` threats, and the final number of stones."""
        words, (*place, _) = self._words, self._place(self._view)
        for most in range(1, left + 1):
            if is_late():
                return None
            words[_TRIED], words[_PATIENCE] = 0, _VERY_PATIENT
            won = attack(words, most, *place)
            words[_PATIENCE] = _PATIENT
            if won:
                return int(words[_FIRST]), int(won)
        return None

    def expected(self, view: SogoPosition) -> Move | None:
        known = _known(self._words, self._key(view))
        rod = int(known >> 25 & 31)
        return Move(rod, None, view.size) if known and rod != NOWHERE else None

    def _place(self, view: SogoPosition) -> tuple[int, ...]:
        words, side = self._words, view.side
        words[_TOP : _TOP + self._board.rods] = table(range(self._board.rods))
        words[_LINE : _LINE + len(self._free_lines)] = self._free_lines
        holes, score = [0, 0], 0
        for seat in (0, 1):
            for cell in bits(view.stones[seat]):
                holes[seat], change = _put(words, cell, seat, holes[seat], holes[1 - seat])
                score += change
        both = holes[side], holes[1 - side]
        return side, _signed(view.playable), *both, self._key(view), view.placed, score


def _signed(cells: int) -> int:
    return cells - (1 << 64) if cells >> 63 else cells
