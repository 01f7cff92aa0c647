"""Count, list or sample the layouts of Black Box that fit the answers on the border.

The search follows each ray to an undecided cell and tries it with a stone and without. It counts
*bundles*: decided cells, and the remaining stones anywhere else. Boards and the numbers of answers
are those of `games.computer.blackbox_board`.
"""

# ruff: noqa: PLR0917 - compiled functions take positional arguments
from collections.abc import Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from random import Random
from typing import Final

from games import rays
from games.computer.accelerated import IS_ACCELERATED, compiled, table
from games.computer.base import IsLate, never
from games.computer.blackbox_board import (
    ACCIDENT,
    CODES,
    FREE,
    HIT,
    STONE,
    UNDECIDED,
    empty_board,
    filled,
    followed,
    geometry,
    lottery,
    tallied,
)

_SLICE: Final = 200_000 if IS_ACCELERATED else 1_000
"""Steps between two calls of `is_late`: some 10 ms."""
_LARGEST: Final = 500_000 if IS_ACCELERATED else 4_000

# Indices of the state of a search, so that it can be resumed.
_DEPTH: Final = 0
_LEFT: Final = 1
_RAY: Final = 2
_NEXT: Final = 3
_HOLLOW: Final = 4
_FOUND: Final = 5
_PHASE: Final = 6
_TOTAL: Final = 7

_GOING: Final = 0
_TURNING: Final = 1
_DONE: Final = 2
_GIVEN_UP: Final = 3


@compiled
def _searched(  # noqa: C901, PLR0912, PLR0915 - one resumable loop
    board: MutableSequence[int],
    border: MutableSequence[int],
    starts: MutableSequence[int],
    size: int,
    number: int,
    asked: MutableSequence[int],
    open_entries: MutableSequence[int],
    ways: MutableSequence[int],
    state: MutableSequence[int],
    stack: MutableSequence[int],
    scratch: MutableSequence[int],
    tally: MutableSequence[int],
    picks: MutableSequence[int],
    random: MutableSequence[int],
    places: bytearray,
    answers: bytearray,
    limit: int,
    largest: int,
    budget: int,
) -> int:
    """Search for about `budget` steps. Return how many of them are left, 0 or less if none.

    `asked` has pairs of entry and answer. With a `limit`, the layouts are written to `places`
    (their stones) and `answers` (their borders). Without, they are counted in `tally` by their
    answers at `open_entries`. A bundle that needs more than `largest` steps ends the count. Layouts
    with the ascending numbers `picks` are then written down, at random within a bundle.
    """
    width, rays, opened = size + 2, len(asked) // 2, len(open_entries)
    depth, left, ray = state[_DEPTH], state[_LEFT], state[_RAY]
    following, hollow, found = state[_NEXT], state[_HOLLOW], state[_FOUND]
    phase = state[_PHASE]
    while budget > 0 and phase < _DONE:
        budget -= 1
        if phase == _GOING:
            phase = _TURNING
            cell = 0
            while ray < rays:
                entry = asked[2 * ray]
                answer = followed(board, border, width, starts[entry], entry // size, left)
                if answer < 0:
                    cell = -1 - answer
                    break
                if answer != asked[2 * ray + 1]:
                    cell = -1
                    break
                ray += 1
            if cell == 0 and limit == 0:
                state[_TOTAL] += ways[9 * hollow + left]
                most = largest
                for index in range(opened):
                    most = tallied(
                        board, border, starts, size, open_entries[index], left, hollow, ways,
                        scratch, tally, most,
                    )  # fmt: skip
                budget -= largest - most
                if most <= 0:
                    phase = _GIVEN_UP
                while found < len(picks) and picks[found] < state[_TOTAL]:
                    filled(
                        board, border, starts, size, number, left, random, stack, depth, places,
                        answers, found,
                    )  # fmt: skip
                    budget -= 2 * size
                    found += 1
            elif cell == 0 and left == 0:
                if found == limit:
                    phase = _GIVEN_UP
                    break
                filled(
                    board, border, starts, size, number, 0, random, stack, depth, places,
                    answers, found,
                )  # fmt: skip
                budget -= 2 * size
                found += 1
            elif cell == 0:
                while board[following] != UNDECIDED:
                    following += 1
                cell = following
            if cell > 0:
                stack[3 * depth] = cell
                stack[3 * depth + 1] = ray
                stack[3 * depth + 2] = following
                depth += 1
                board[cell] = STONE
                left -= 1
                hollow -= 1
                phase = _GOING
        else:
            phase = _DONE
            while depth > 0:
                cell = stack[3 * depth - 3]
                ray, following = stack[3 * depth - 2], stack[3 * depth - 1]
                if board[cell] == STONE:
                    left += 1
                    if hollow >= left:
                        board[cell] = FREE
                        phase = _GOING
                        break
                board[cell] = UNDECIDED
                hollow += 1
                depth -= 1
    state[_DEPTH], state[_LEFT], state[_RAY] = depth, left, ray
    state[_NEXT], state[_HOLLOW], state[_FOUND] = following, hollow, found
    state[_PHASE] = phase
    return budget


@compiled
def _drawn(  # noqa: C901, PLR0912, PLR0915 - one loop, because calls are slow
    board: MutableSequence[int],
    border: MutableSequence[int],
    starts: MutableSequence[int],
    size: int,
    number: int,
    asked: MutableSequence[int],
    random: MutableSequence[int],
    state: MutableSequence[int],
    stack: MutableSequence[int],
    places: bytearray,
    answers: bytearray,
    wanted: int,
    patience: int,
    budget: int,
) -> int:
    """Draw layouts until there are `wanted` ones or `budget` steps are used.

    Layouts that contradict an answer are rejected. With `patience`, that many decisions are first
    changed, from the last one back, which finds far more, but not fairly.
    """
    width, rays, cells = size + 2, len(asked) // 2, size * size
    found = state[_FOUND]
    while budget > 0 and found < wanted:
        state[_TOTAL] += 1
        depth, left, hollow, ray = 0, number, cells, 0
        changes = patience
        is_right = True
        while ray < rays:
            budget -= 1
            entry = asked[2 * ray]
            answer = followed(board, border, width, starts[entry], entry // size, left)
            if answer < 0:
                cell = -1 - answer
                stack[3 * depth] = cell
                stack[3 * depth + 1] = ray
                stack[3 * depth + 2] = 0
                depth += 1
                if lottery(random, hollow) < left:
                    board[cell] = STONE
                    left -= 1
                else:
                    board[cell] = FREE
                hollow -= 1
            elif answer == asked[2 * ray + 1]:
                ray += 1
            else:
                is_right = False
                if changes == 0:
                    break
                changes -= 1
                while depth > 0:
                    cell = stack[3 * depth - 3]
                    was_stone = board[cell] == STONE
                    if was_stone:
                        left += 1
                    if stack[3 * depth - 1] == 0 and (hollow >= left if was_stone else left > 0):
                        stack[3 * depth - 1] = 1
                        ray = stack[3 * depth - 2]
                        if was_stone:
                            board[cell] = FREE
                        else:
                            board[cell] = STONE
                            left -= 1
                        is_right = True
                        break
                    board[cell] = UNDECIDED
                    hollow += 1
                    depth -= 1
                if not is_right:
                    break
        if is_right and hollow >= left:
            filled(
                board, border, starts, size, number, left, random, stack, depth, places, answers,
                found,
            )  # fmt: skip
            budget -= 2 * size
            found += 1
        for level in range(depth):
            board[stack[3 * level]] = UNDECIDED
    state[_FOUND] = found
    return budget


@dataclass(frozen=True, slots=True)
class Layouts:
    """Layouts that fit the answers: all, or some of them."""

    size: int
    number: int
    listed: int
    places: bytearray
    """The stone cells of all layouts in a row, `number` each."""
    answers: bytearray
    """Their borders, ``4 * size`` answers each."""
    possible: int
    """The number of all layouts. An estimate unless `is_exact`, 0 for none made."""
    is_exact: bool

    def stones(self, index: int) -> tuple[int, ...]:
        return tuple(sorted(self.places[index * self.number : (index + 1) * self.number]))

    def border(self, index: int) -> bytes:
        return bytes(self.answers[4 * self.size * index : 4 * self.size * (index + 1)])


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of layouts that fit the answers, and their other answers."""

    possible: int
    answers: Mapping[int, tuple[int, ...]]
    """Entry -> how many layouts give each answer, by its number."""


@cache
def _ways() -> MutableSequence[int]:
    return table(comb(cells, stones) for cells in range(101) for stones in range(9))


def code(answer: str) -> int:
    """Return the number of an answer of `games.rays`."""
    if answer == rays.HIT:
        return HIT
    return ACCIDENT if answer == rays.ACCIDENT else int(answer) + 1


def told(answer: int) -> str:
    """Return the answer of `games.rays` with this number."""
    return rays.HIT if answer == HIT else rays.ACCIDENT if answer == ACCIDENT else str(answer - 1)


def points_of(entry: int, answer: int) -> int:
    """Return the cost of an answer: a point for each end of its ray at the border."""
    return 2 if answer > ACCIDENT and answer != entry + 1 else 1


def _asked(notes: Mapping[int, str]) -> MutableSequence[int]:
    pairs = []
    for entry, answer in sorted(notes.items()):
        if not (answer.isdecimal() and int(answer) in notes and int(answer) < entry):
            pairs.append((entry - 1, code(answer)))
    return table(number for pair in pairs for number in pair)


def listed(
    size: int,
    number: int,
    notes: Mapping[int, str],
    *,
    most: int,
    steps: int | None = None,
    is_late: IsLate = never,
) -> Layouts | None:
    """Return all layouts that fit `notes`. None if more than `most`, more `steps`, or late."""
    border, starts, _ = geometry(size)
    places, answers = bytearray(most * number), bytearray(most * 4 * size)
    state = table([0, number, 0, 0, size * size, 0, _GOING, 0])
    board, stack, asked, none = empty_board(size), table([0] * 300), _asked(notes), table([])
    left = steps
    while state[_PHASE] < _DONE:
        if is_late() or (left is not None and left <= 0):
            return None
        budget = _SLICE if left is None else min(left, _SLICE)
        rest = _searched(
            board, border, starts, size, number, asked, none, _ways(), state, stack, none, none,
            none, none, places, answers, most, _LARGEST, budget,
        )  # fmt: skip
        if left is not None:
            left -= budget - rest
    if state[_PHASE] == _GIVEN_UP:
        return None
    found = int(state[_FOUND])
    return Layouts(size, number, found, places, answers, found, is_exact=True)


def counted(
    size: int,
    number: int,
    notes: Mapping[int, str],
    *,
    entries: Sequence[int] | None = None,
    largest: int = _LARGEST,
    steps: int | None = None,
    is_late: IsLate = never,
) -> Tally | None:
    """Count layouts that fit `notes`, and their answers at `entries`. None if over a limit."""
    border, starts, _ = geometry(size)
    if entries is None:
        entries = [entry for entry in range(1, 4 * size + 1) if entry not in notes]
    opened = table([entry - 1 for entry in entries])
    state = table([0, number, 0, 0, size * size, 0, _GOING, 0])
    board, stack, scratch = empty_board(size), table([0] * 300), table([0] * 100)
    asked, tally = _asked(notes), table([0] * (CODES * 4 * size))
    nothing, none, left = bytearray(), table([]), steps
    while state[_PHASE] < _DONE:
        if is_late() or (left is not None and left <= 0):
            return None
        budget = _SLICE if left is None else min(left, _SLICE)
        rest = _searched(
            board, border, starts, size, number, asked, opened, _ways(), state, stack, scratch,
            tally, none, none, nothing, nothing, 0, largest, budget,
        )  # fmt: skip
        if left is not None:
            left -= budget - rest
    if state[_PHASE] == _GIVEN_UP:
        return None
    rows = {entry: tuple(map(int, tally[CODES * (entry - 1) : CODES * entry])) for entry in entries}
    return Tally(int(state[_TOTAL]), rows)


def picked(
    size: int,
    number: int,
    notes: Mapping[int, str],
    rng: Random,
    *,
    wanted: int,
    possible: int,
    is_late: IsLate = never,
) -> Layouts:
    """Draw `wanted` of the `possible` layouts that fit `notes`, equally likely if not late."""
    border, starts, _ = geometry(size)
    places, answers = bytearray(wanted * number), bytearray(wanted * 4 * size)
    state = table([0, number, 0, 0, size * size, 0, _GOING, 0])
    board, stack, asked, none = empty_board(size), table([0] * 300), _asked(notes), table([])
    picks = table(sorted(rng.randrange(possible) for _ in range(wanted)))
    random = table([rng.getrandbits(32) or 1])
    while state[_PHASE] < _DONE and state[_FOUND] < wanted and not is_late():
        _searched(
            board, border, starts, size, number, asked, none, _ways(), state, stack, none, none,
            picks, random, places, answers, 0, _LARGEST, _SLICE,
        )  # fmt: skip
    return Layouts(size, number, int(state[_FOUND]), places, answers, possible, is_exact=False)


def drawn(
    size: int,
    number: int,
    notes: Mapping[int, str],
    rng: Random,
    *,
    wanted: int,
    patience: int = 0,
    steps: int | None = None,
    is_late: IsLate = never,
) -> Layouts:
    """Draw layouts that fit `notes`, with repetition. `patience` finds more, but not fairly."""
    border, starts, _ = geometry(size)
    places, answers = bytearray(wanted * number), bytearray(wanted * 4 * size)
    state = table([0] * 8)
    board, stack, asked = empty_board(size), table([0] * 300), _asked(notes)
    random = table([rng.getrandbits(32) or 1])
    left = steps
    while state[_FOUND] < wanted and not is_late() and (left is None or left > 0):
        budget = _SLICE if left is None else min(left, _SLICE)
        rest = _drawn(
            board, border, starts, size, number, asked, random, state, stack, places, answers,
            wanted, patience, budget,
        )  # fmt: skip
        if left is not None:
            left -= budget - rest
    found, tries = int(state[_FOUND]), int(state[_TOTAL])
    estimate = 0 if patience or not tries else comb(size * size, number) * found // tries
    return Layouts(size, number, found, places, answers, estimate, is_exact=False)
