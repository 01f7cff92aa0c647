"""The search of Sogo's capture variant and of boards of 125 cells: plain alpha-beta.

The state of a line is White's stones plus eight times Black's. A move is the rod, plus 32 times one
more than the rod of the captured stone.
"""

# ruff: noqa: PLR0917 - compiled functions take positional arguments

from random import Random

from games.base import bits
from games.computer.accelerated import IS_ACCELERATED, Table, blank, jit, table
from games.computer.sogo_search import (
    AT_LEAST,
    AT_MOST,
    CELLS,
    EXACT,
    LIMIT,
    MASK,
    NODES,
    PROVEN,
    RODS,
    SIZE,
    STOPPED,
    WIN,
    BaseSearch,
    Layout,
    settles,
)
from games.sogo import Move, SogoPosition

_STONE = 200
_WORTH = {
    ("line", 3): (0, 6, 24, 0),
    ("line", 4): (0, 4, 16, 44, 0),
    ("line", 5): (0, 2, 8, 24, 60, 0),
    ("capture", 3): (0, 4, 30, 10),
    ("capture", 4): (0, 2, 10, 40, 15),
    ("capture", 5): (0, 1, 5, 16, 50, 20),
}

_TAKES = 9
_TOP = 16
_THROUGH = _TOP + 32
_LINE = _THROUGH + 125 * 16
_VALUE = _LINE + 112
_OWNER = _VALUE + 64
_KEY = _OWNER + 125
_TAKEN_KEY = _KEY + 250
_HISTORY = _TAKEN_KEY + 256
_KILLER = _HISTORY + 250
_MOVES = _KILLER + 128
_TABLE = _MOVES + 128 * 640

_EMPTY = 2

_ENTRIES = 1 << (18 if IS_ACCELERATED else 13)
_SLICE = 10_000 if IS_ACCELERATED else 60
"""Nodes between two calls of `is_late`: about ten milliseconds."""


@jit
def _put(memory: Table, cell: int, seat: int, way: int) -> int:
    """Place (`way` 1) or remove (-1) a stone. Return the change of White's score."""
    step = way if seat == 0 else 8 * way
    change = 0
    first = _THROUGH + cell * 16
    for slot in range(first + 1, first + 1 + memory[first]):
        line = _LINE + memory[slot]
        change -= memory[_VALUE + memory[line]]
        memory[line] += step
        change += memory[_VALUE + memory[line]]
    memory[_OWNER + cell] = seat if way == 1 else _EMPTY
    memory[_TOP + cell % memory[RODS]] += way * memory[RODS]
    return change


@jit
def _has_line(memory: Table, cell: int, seat: int, stones: int) -> int:
    wanted = stones if seat == 0 else 8 * stones
    first = _THROUGH + cell * 16
    for slot in range(first + 1, first + 1 + memory[first]):
        if memory[_LINE + memory[slot]] == wanted:
            return 1
    return 0


@jit
def _takes(memory: Table, cell: int, seat: int, at: int, entry: int) -> int:
    start = at
    _put(memory, cell, seat, 1)
    for only_free in (1, 0):
        for rod in range(memory[RODS]):
            top = memory[_TOP + rod] - memory[RODS]
            if top < 0 or memory[_OWNER + top] != 1 - seat:
                continue
            if only_free and _has_line(memory, top, 1 - seat, memory[SIZE]):
                continue
            memory[at] = entry | rod + 1 << 5
            at += 1
        if at > start:
            break
    _put(memory, cell, seat, -1)
    return at


@jit
def _listed(memory: Table, seat: int, placed: int, first: int) -> int:
    """List the moves. Return their number, -1 for a win, -2 if the opponent has two threats."""
    start = _MOVES + placed * 640
    at = start
    short, takes = memory[SIZE] - 1, memory[_TAKES]
    threats, threatened = 0, 0
    for rod in range(memory[RODS]):
        cell = memory[_TOP + rod]
        if cell >= memory[CELLS]:
            continue
        before = at
        if _has_line(memory, cell, seat, short):
            if not takes:
                return -1
            at = _takes(memory, cell, seat, at, 1 << 42 | rod)
        if at == before:
            worth = memory[_HISTORY + seat * 125 + cell]
            if _has_line(memory, cell, 1 - seat, short):
                threats, threatened = threats + 1, rod
                worth += 1 << 30
            memory[at] = worth << 10 | rod
            at += 1
    if threats and not takes:
        memory[start] = threatened
        return 1 if threats == 1 else -2
    _sort(memory, start, at, first, memory[_KILLER + placed])
    return at - start


@jit
def _sort(memory: Table, start: int, end: int, first: int, killer: int) -> None:
    """Sort moves: the table move first, the killer move after captures."""
    for index in range(start, end):
        entry = memory[index]
        if entry & 1023 == first:
            entry |= 1 << 50
        elif entry & 1023 == killer:
            entry |= 1 << 41
        place = index
        while place > start and memory[place - 1] < entry:
            memory[place] = memory[place - 1]
            place -= 1
        memory[place] = entry


@jit
def _ended(memory: Table, seat: int, ahead: int, placed: int) -> int:
    """Return the value of a full board for `seat`. White is `ahead` captures ahead."""
    mine = ahead if seat == 0 else -ahead
    if mine == 0 or not memory[_TAKES]:
        return 0
    # A larger lead is a better win, but all are far from unproved values.
    return WIN - placed + mine if mine > 0 else placed - WIN + mine


@jit
def search(  # noqa: C901, PLR0912, PLR0915 - one loop, because calls are slow
    memory: Table,
    depth: int,
    alpha: int,
    beta: int,
    seat: int,
    score: int,
    white: int,
    black: int,
    key: int,
    placed: int,
) -> int:
    """Return the value for `seat`, to move. Meaningless if STOPPED. `score` is White's."""
    memory[NODES] += 1
    if memory[NODES] > memory[LIMIT]:
        memory[STOPPED] = 1
        return 0
    if placed == memory[CELLS]:
        return _ended(memory, seat, white - black, placed)
    takes = memory[_TAKES]
    if depth <= 0 and takes:
        worth = score + _STONE * (white - black)
        return worth if seat == 0 else -worth
    first = 0
    slot = _TABLE + 2 * (key & memory[MASK])
    if memory[slot] == key:
        known = memory[slot + 1]
        first = known >> 26 & 1023
        value = (known & 65_535) - 32_768
        is_deep = known >> 16 & 255 >= depth or (abs(value) > PROVEN and not takes)
        if is_deep and settles(value, known >> 24 & 3, alpha, beta):
            return value
    count = _listed(memory, seat, placed, first)
    if count < 0:
        return WIN - placed - 1 if count == -1 else placed + 2 - WIN
    if depth <= 0 and count > 1:
        return score if seat == 0 else -score
    deeper = depth if count == 1 and not takes else depth - 1
    best, best_move, floor = -WIN, 0, alpha
    start = _MOVES + placed * 640
    for index in range(count):
        move = memory[start + index] & 1023
        cell = memory[_TOP + (move & 31)]
        now = score + _put(memory, cell, seat, 1)
        to = key ^ memory[_KEY + seat * 125 + cell]
        whites, blacks, stone = white, black, -1
        if move >> 5:
            stone = memory[_TOP + (move >> 5) - 1] - memory[RODS]
            now += _put(memory, stone, 1 - seat, -1)
            to ^= memory[_KEY + (1 - seat) * 125 + stone]
            taken = _TAKEN_KEY + (whites if seat == 0 else 128 + blacks)
            to ^= memory[taken] ^ memory[taken + 1]
            if seat == 0:
                whites += 1
            else:
                blacks += 1
        low = -beta if index == 0 else -floor - 1
        value = -search(
            memory, deeper, low, -floor, 1 - seat, now, whites, blacks, to, placed + 1
        )  # fmt: skip
        if index and floor < value < beta and not memory[STOPPED]:
            value = -search(
                memory, deeper, -beta, -floor, 1 - seat, now, whites, blacks, to, placed + 1
            )  # fmt: skip
        if stone >= 0:
            _put(memory, stone, 1 - seat, 1)
        _put(memory, cell, seat, -1)
        if memory[STOPPED]:
            return 0
        if value > best:
            best, best_move = value, move
            if value > floor:
                floor = value
                if value >= beta:
                    memory[_KILLER + placed] = move
                    memory[_HISTORY + seat * 125 + cell] += depth * depth
                    break
    bound = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
    memory[slot] = key
    memory[slot + 1] = best + 32_768 | max(depth, 0) << 16 | bound << 24 | best_move << 26
    return best


class PlainSearch(BaseSearch):
    """A search on boards of one size, in one variant."""

    def __init__(self, size: int, variant: str) -> None:
        layout = Layout(_THROUGH, _HISTORY, _MOVES, _TABLE, _TABLE, _ENTRIES, _KEY, 125)
        super().__init__(size, layout, search, slice_=_SLICE)
        words, luck = self._words, Random("sogo")
        words[_TAKES] = int(variant == "capture")
        for count, worth in enumerate(_WORTH[variant, size]):
            words[_VALUE + count] += worth
            words[_VALUE + 8 * count] -= worth
        for at in range(_KEY, _HISTORY):
            words[at] = luck.getrandbits(62)

    def expected(self, view: SogoPosition) -> Move | None:
        words, key = self._words, self._key(view)
        slot = _TABLE + 2 * (key & words[MASK])
        move = words[slot + 1] >> 26 & 1023
        if words[slot] != key:
            return None
        return Move(int(move & 31), int(move >> 5) - 1 if move >> 5 else None, view.size)

    def _place(self, view: SogoPosition) -> tuple[int, ...]:
        words, rods = self._words, self._board.rods
        words[_TOP : _TOP + rods] = table(range(rods))
        words[_LINE:_VALUE] = blank(_VALUE - _LINE)
        words[_OWNER:_KEY] = table([_EMPTY] * (_KEY - _OWNER))
        score = 0
        for seat in (0, 1):
            for cell in bits(view.stones[seat]):
                score += _put(words, cell, seat, 1)
        return view.side, score, *view.captures, self._key(view), view.placed

    def _key(self, view: SogoPosition) -> int:
        words, (white, black) = self._words, view.captures
        return super()._key(view) ^ int(words[_TAKEN_KEY + white] ^ words[_TAKEN_KEY + 128 + black])
