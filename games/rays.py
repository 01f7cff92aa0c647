"""The physics of Black Box: ray paths, and whether the answers determine a layout.

Cells are numbered ``row * size + column`` from the top left. A layout is an int with one bit per
stone. Entries run clockwise from the top left corner::

             1   2   3   4   5
       20    0   1   2   3   4    6
       19    5   6   7   8   9    7
       18   10  11  12  13  14    8        size 5
       17   15  16  17  18  19    9
       16   20  21  22  23  24   10
            15  14  13  12  11

Answers are ``T`` (Treffer, a hit), ``U`` (Unfall, an accident) or the number of the entry where the
ray comes out. The rules are those of the German Wikipedia article on Black Box. A stone ahead is a
hit. Stones on both sides of the next cell are an accident, as is any stone beside the first cell. A
stone on one side deflects the ray on its present cell. Cells off the board are free.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

HIT = "T"
ACCIDENT = "U"

_HEADINGS = ((0, 1), (-1, 0), (0, -1), (1, 0))
"""Down, left, up, right as column and row steps: each is a clockwise turn from the last."""

_NOWHERE = -1


class _State(NamedTuple):
    """Cells around a ray as single bits, 0 off the board, and the states that follow."""

    ahead: int
    left: int
    right: int
    forward: int
    off_left: int
    """The state after a stone on the left alone. `_NOWHERE` on entry: an accident."""
    off_right: int
    out: str


@cache
def _states(size: int) -> tuple[_State, ...]:
    last = size - 1
    along = range(size)
    entries = [
        *((column, -1, 0) for column in along),
        *((size, row, 1) for row in along),
        *((last - column, size, 2) for column in along),
        *((-1, last - row, 3) for row in along),
    ]
    border = {(column, row): str(n) for n, (column, row, _) in enumerate(entries, 1)}

    def bit(column: int, row: int) -> int:
        return 1 << row * size + column if column in along and row in along else 0

    def number(column: int, row: int, heading: int) -> int:
        return 4 * (row * size + column) + heading % 4

    def state(column: int, row: int, heading: int, *, inside: bool) -> _State:
        across, down = _HEADINGS[heading]
        right_across, right_down = _HEADINGS[(heading + 1) % 4]
        x, y = column + across, row + down
        return _State(
            ahead=bit(x, y),
            left=bit(x - right_across, y - right_down),
            right=bit(x + right_across, y + right_down),
            forward=number(x, y, heading),
            off_left=number(column, row, heading + 1) if inside else _NOWHERE,
            off_right=number(column, row, heading - 1) if inside else _NOWHERE,
            out=border.get((x, y), ""),
        )

    return (
        *(state(x, y, h, inside=True) for y in along for x in along for h in range(4)),
        *(state(*entry, inside=False) for entry in entries),
    )


def _follow(
    states: Sequence[_State], at: int, stones: int, free: int, *, trail: list[int] | None = None
) -> tuple[int, int, str]:
    """Follow a ray from state `at` through a board whose cells may be undecided.

    Return the state, the undecided cell it needs (0 for none) and the answer, "" if undecided.
    """
    while True:
        ahead, left, right, forward, off_left, off_right, out = states[at]
        if not ahead:
            return at, 0, out
        if stones & ahead:
            return at, 0, HIT
        if not free & ahead:
            return at, ahead, ""
        on_left, on_right = stones & left, stones & right
        if (on_left and on_right) or ((on_left or on_right) and off_left == _NOWHERE):
            return at, 0, ACCIDENT
        undecided = (left | right) & ~(stones | free)
        if undecided:
            return at, undecided & -undecided, ""
        if on_left or on_right:
            at = off_left if on_left else off_right
        else:
            at = forward
            if trail is not None:
                trail.append(ahead.bit_length() - 1)


def _entry(size: int, entry: int) -> int:
    return 4 * size * size + entry - 1


@lru_cache(maxsize=4096)
def answer(size: int, stones: int, entry: int) -> str:
    """Return the answer at `entry` (1 to ``4 * size``): ``T``, ``U`` or the exit's number."""
    return _follow(_states(size), _entry(size, entry), stones, ~stones)[2]


def path(size: int, stones: int, entry: int) -> tuple[int, ...]:
    """Return the cells of a ray in order. A hit ends on the stone. An accident may have none."""
    states = _states(size)
    trail: list[int] = []
    at, _, answer = _follow(states, _entry(size, entry), stones, ~stones, trail=trail)
    if answer == HIT:
        trail.append(states[at].ahead.bit_length() - 1)
    return tuple(trail)


@lru_cache(maxsize=1024)
def other_layout(size: int, stones: int) -> int | None:
    """Return another layout with the same answers of all entries, or None. Takes up to 10 ms."""
    answers = [answer(size, stones, entry) for entry in range(1, 4 * size + 1)]
    others = (one for one in layouts(size, stones.bit_count(), answers) if one != stones)
    return next(others, None)


def layouts(size: int, number: int, answers: Sequence[str]) -> Iterator[int]:
    """Yield all layouts of `number` stones with these `answers` of all entries.

    The second takes 0.25 ms for five stones on 8 by 8. Eight on 10 by 10 take 1 ms, rarely a few
    tens of ms.
    """
    rays = [(_entry(size, entry), text) for entry, text in enumerate(answers, 1)]
    board = _Board(_states(size), (1 << size * size) - 1, number)
    return _search(board, 0, 0, rays)


class _Board(NamedTuple):
    states: tuple[_State, ...]
    cells: int
    number: int


_Rays = list[tuple[int, str]]


def _search(board: _Board, stones: int, free: int, rays: _Rays) -> Iterator[int]:
    settled = _settle(board, stones, free, rays)
    if settled is None:
        return
    stones, free, rays, wanted = settled
    if not rays:
        # No ray comes near the undecided cells, so the remaining stones lie there anyhow.
        undecided = board.cells & ~stones & ~free
        bits = [1 << at for at in range(undecided.bit_length()) if undecided >> at & 1]
        for rest in combinations(bits, board.number - stones.bit_count()):
            yield stones | sum(rest)
        return
    cell = max(wanted, key=lambda cell: wanted[cell])
    yield from _search(board, stones | cell, free, rays)
    yield from _search(board, stones, free | cell, rays)


def _settle(
    board: _Board, stones: int, free: int, rays: _Rays
) -> tuple[int, int, _Rays, Counter[int]] | None:
    """Decide all cells that one ray or the number of stones decides. None on a contradiction.

    The counter says how many rays wait for each remaining cell.
    """
    while True:
        placed = stones.bit_count()
        if placed > board.number:
            return None
        if placed == board.number:
            free = board.cells & ~stones
        before = stones, free
        waiting = []
        wanted: Counter[int] = Counter()
        for start, answer in rays:
            at, cell, got = _follow(board.states, start, stones, free)
            if got == answer:
                continue
            if got:
                return None
            waiting.append((at, answer))
            if _follow(board.states, at, stones | cell, free)[2] not in {"", answer}:
                free |= cell
            elif _follow(board.states, at, stones, free | cell)[2] not in {"", answer}:
                stones |= cell
            else:
                wanted[cell] += 1
        rays = waiting
        if (stones, free) == before:
            return stones, free, rays, wanted
