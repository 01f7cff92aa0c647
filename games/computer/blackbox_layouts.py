"""Count, list or sample the layouts of Black Box that fit the answers on the border.

The search follows each ray to an undecided cell and tries it with a stone and without. It counts
*bundles*: decided cells, and the remaining stones anywhere else. Rays start and end on a rim::

     0  1  2  3  4  5  6
     7  8  9 10 11 12 13        size 5: entry 1 is at 1, entry 6 at 13, and so on clockwise
     :                 :
    42 43 44 45 46 47 48

Answers are small numbers here: 0 a hit, 1 an accident, ``1 + n`` for a ray that leaves at `n`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from random import Random
from typing import Final, NamedTuple

from games import rays
from games.computer.accelerated import IS_ACCELERATED, Table, jit, table
from games.computer.base import IsLate, never

UNDECIDED: Final = 0
FREE: Final = 1
STONE: Final = 2
OUTSIDE: Final = 3

HIT: Final = 0
ACCIDENT: Final = 1

CODES: Final = 42
_UNKNOWN: Final = 255

WAYS: Final = table(comb(cells, stones) for cells in range(101) for stones in range(9))
"""Binomial coefficients, nine per number of cells."""


class Box(NamedTuple):
    """A box with its undecided cells, the answers asked for, and the tables of a search."""

    size: int
    number: int
    board: Table
    border: Table
    """Entries by rim cell. `starts` has the rim cells by entry."""
    starts: Table
    asked: Table
    """Pairs of an entry and its answer."""
    opened: Table
    """Entries whose answers are counted in `tally`."""
    tally: Table
    picks: Table
    random: Table
    state: Table
    stack: Table
    scratch: Table
    places: bytearray
    """The stones of the layouts found. `answers` has their borders."""
    answers: bytearray


@jit
def _follow_ray(  # noqa: C901, PLR0912, PLR0917 - calls are slow, above all with a whole `Box`
    board: Table, border: Table, starts: Table, size: int, entry: int, left: int
) -> int:
    """Return the answer of a ray from an entry, or ``-1 - cell`` for an undecided cell.

    Headings are down, left, up, right. With no stone `left`, undecided cells are free.
    """
    width, at, heading = size + 2, starts[entry], entry // size
    is_entering = True
    while True:
        if heading == 0:
            step, side = width, -1
        elif heading == 1:
            step, side = -1, -width
        elif heading == 2:
            step, side = -width, 1
        else:
            step, side = 1, width
        ahead = at + step
        what = board[ahead]
        if what == OUTSIDE:
            return border[ahead] + 1
        if what == STONE:
            return HIT
        if what == UNDECIDED and left > 0:
            return -1 - ahead
        on_left, on_right = board[ahead - side], board[ahead + side]
        is_beside_stone = STONE in (on_left, on_right)
        if is_beside_stone and (is_entering or on_left == on_right):
            return ACCIDENT
        if left > 0:
            if on_left == UNDECIDED:
                return -1 - (ahead - side)
            if on_right == UNDECIDED:
                return -1 - (ahead + side)
        if is_beside_stone:
            heading = heading + 1 & 3 if on_left == STONE else heading + 3 & 3
        else:
            at = ahead
            is_entering = False


@jit
def _bordered(box: Box, offset: int) -> None:
    size, answers, entries = box.size, box.answers, 4 * box.size
    for entry in range(entries):
        answers[offset + entry] = _UNKNOWN
    for entry in range(entries):
        if answers[offset + entry] == _UNKNOWN:
            answer = _follow_ray(box.board, box.border, box.starts, size, entry, 0)
            answers[offset + entry] = answer
            if answer > ACCIDENT:
                answers[offset + answer - 2] = entry + 2


@jit
def _tallied(box: Box, left: int, hollow: int, budget: int) -> int:
    """Add a bundle's answers to the tally. Return the rest of the `budget` of steps.

    At 0 the tally is incomplete.
    """
    board, border, starts, stack = box.board, box.border, box.starts, box.scratch
    for entry in box.opened:
        depth = 0
        while True:
            budget -= 1
            answer = _follow_ray(board, border, starts, box.size, entry, left)
            if answer < 0:
                cell = -1 - answer
                stack[depth] = cell
                depth += 1
                board[cell] = STONE
                left -= 1
                hollow -= 1
                continue
            box.tally[entry * CODES + answer] += WAYS[9 * hollow + left]
            while depth > 0:
                cell = stack[depth - 1]
                if board[cell] == STONE:
                    left += 1
                    if hollow >= left:
                        board[cell] = FREE
                        break
                board[cell] = UNDECIDED
                hollow += 1
                depth -= 1
            if depth == 0 or budget <= 0:
                break
        while depth > 0:
            depth -= 1
            board[stack[depth]] = UNDECIDED
        if budget <= 0:
            break
    return budget


@jit
def _lottery(random: Table, below: int) -> int:
    """Return a random number below `below` and advance `random` (Marsaglia's xorshift, 32 bits)."""
    state = random[0]
    state ^= state << 13 & 0xFFFFFFFF
    state ^= state >> 17
    state ^= state << 5 & 0xFFFFFFFF
    random[0] = state
    return state % below


@jit
def _filled(box: Box, left: int, depth: int, found: int) -> None:
    """Write down the stones on the board, and those `left` on random undecided cells."""
    board, stack, size = box.board, box.stack, box.size
    width, level = size + 2, depth
    while left > 0:
        at = _lottery(box.random, size * size)
        cell = (at // size + 1) * width + at % size + 1
        if board[cell] == UNDECIDED:
            board[cell] = STONE
            stack[3 * level] = cell
            level += 1
            left -= 1
    put = box.number * found
    for at in range(level):
        place = stack[3 * at]
        if board[place] == STONE:
            box.places[put] = (place // width - 1) * size + place % width - 1
            put += 1
    _bordered(box, 4 * size * found)
    for at in range(depth, level):
        board[stack[3 * at]] = UNDECIDED


_SLICE: Final = 200_000 if IS_ACCELERATED else 1_000
"""Steps between two calls of `is_late`: some 10 ms."""
_LARGEST: Final = 500_000 if IS_ACCELERATED else 4_000

_UNBOUNDED: Final = 1 << 60

# Indices of the state of a search, so that it can be resumed.
_DEPTH, _LEFT, _RAY, _NEXT, _HOLLOW, _FOUND, _PHASE, _TOTAL = range(8)
_GOING, _TURNING, _DONE, _GIVEN_UP = range(4)


@jit
def _searched(  # noqa: C901, PLR0912, PLR0915 - one resumable loop
    box: Box, limit: int, largest: int, budget: int
) -> int:
    """Search for about `budget` steps. Return how many of them are left, 0 or less if none.

    With a `limit`, the layouts are written down. Without, they are counted. A bundle that needs
    more than `largest` steps ends the count. Layouts with the ascending numbers `picks` are then
    written down, at random within a bundle.
    """
    size, board, border, starts, asked = box.size, box.board, box.border, box.starts, box.asked
    state, stack, picks = box.state, box.stack, box.picks
    rays = len(asked) // 2
    depth, left, ray = state[_DEPTH], state[_LEFT], state[_RAY]
    following, hollow, found = state[_NEXT], state[_HOLLOW], state[_FOUND]
    phase = state[_PHASE]
    while budget > 0 and phase < _DONE:
        budget -= 1
        if phase == _GOING:
            phase = _TURNING
            cell = 0
            while ray < rays:
                answer = _follow_ray(board, border, starts, size, asked[2 * ray], left)
                if answer < 0:
                    cell = -1 - answer
                    break
                if answer != asked[2 * ray + 1]:
                    cell = -1
                    break
                ray += 1
            if cell == 0 and limit == 0:
                state[_TOTAL] += WAYS[9 * hollow + left]
                most = largest
                if len(box.opened) > 0:
                    most = _tallied(box, left, hollow, largest)
                budget -= largest - most
                if most <= 0:
                    phase = _GIVEN_UP
                while found < len(picks) and picks[found] < state[_TOTAL]:
                    _filled(box, left, depth, found)
                    budget -= 2 * size
                    found += 1
                if len(picks) > 0 and found == len(picks):
                    phase = _DONE
            elif cell == 0 and left == 0:
                if found == limit:
                    phase = _GIVEN_UP
                    break
                _filled(box, 0, depth, found)
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


@jit
def _drawn(  # noqa: C901, PLR0912, PLR0915 - one loop, because calls are slow
    box: Box, wanted: int, patience: int, budget: int
) -> int:
    """Draw layouts until there are `wanted` ones or `budget` steps are used.

    Layouts that contradict an answer are rejected. With `patience`, that many decisions are first
    changed, from the last one back, which finds far more, but not fairly.
    """
    size, board, border, starts, asked = box.size, box.board, box.border, box.starts, box.asked
    state, stack = box.state, box.stack
    rays, cells = len(asked) // 2, size * size
    found = state[_FOUND]
    while budget > 0 and found < wanted:
        state[_TOTAL] += 1
        depth, left, hollow, ray = 0, box.number, cells, 0
        changes = patience
        is_right = True
        while ray < rays:
            budget -= 1
            answer = _follow_ray(board, border, starts, size, asked[2 * ray], left)
            if answer < 0:
                cell = -1 - answer
                stack[3 * depth] = cell
                stack[3 * depth + 1] = ray
                stack[3 * depth + 2] = 0
                depth += 1
                if _lottery(box.random, hollow) < left:
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
            _filled(box, left, depth, found)
            budget -= 2 * size
            found += 1
        for level in range(depth):
            board[stack[3 * level]] = UNDECIDED
    state[_FOUND] = found
    return budget


class Clues(NamedTuple):
    """What is known of a box: its size, its number of stones, and answers by entry."""

    size: int
    number: int
    answers: Mapping[int, str]

    def luck(self) -> Random:
        """Return a random generator that the clues determine."""
        return Random(f"{self.size} {self.number} {sorted(self.answers.items())}")


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


def code(answer: str) -> int:
    """Return the number of an answer of `games.rays`."""
    if answer == rays.HIT:
        return HIT
    return ACCIDENT if answer == rays.ACCIDENT else int(answer) + 1


def decode_answer(answer: int) -> str:
    """Return the answer of `games.rays` with this number."""
    return rays.HIT if answer == HIT else rays.ACCIDENT if answer == ACCIDENT else str(answer - 1)


def points_of(entry: int, answer: int) -> int:
    """Return the cost of an answer: a point for each end of its ray at the border."""
    return 2 if answer > ACCIDENT and answer != entry + 1 else 1


def _box(
    clues: Clues,
    *,
    opened: Iterable[int] = (),
    picks: Iterable[int] = (),
    seed: int = 0,
    most: int = 0,
) -> Box:
    """Return a box without a decided cell, with room for `most` layouts."""
    size, number, answers = clues
    asked: list[int] = []
    for entry, answer in sorted(answers.items()):
        if not (answer.isdecimal() and int(answer) in answers and int(answer) < entry):
            asked += entry - 1, code(answer)
    width, along = size + 2, range(1, size + 1)
    starts = [
        *along,
        *(row * width + size + 1 for row in along),
        *((size + 1) * width + size + 1 - back for back in along),
        *((size + 1 - back) * width for back in along),
    ]
    border = [0] * (width * width)
    for entry, start in enumerate(starts, 1):
        border[start] = entry
    return Box(
        size,
        number,
        board=table(
            UNDECIDED if row in along and column in along else OUTSIDE
            for row in range(width)
            for column in range(width)
        ),
        border=table(border),
        starts=table(starts),
        asked=table(asked),
        opened=table(opened),
        tally=table([0] * (CODES * 4 * size)),
        picks=table(picks),
        random=table([seed]),
        state=table([0, number, 0, 0, size * size, 0, _GOING, 0]),
        stack=table([0] * 300),
        scratch=table([0] * 100),
        places=bytearray(most * number),
        answers=bytearray(most * 4 * size),
    )


def _found(clues: Clues, box: Box, possible: int, *, is_exact: bool = False) -> Layouts:
    found = int(box.state[_FOUND])
    size, number, _ = clues
    return Layouts(size, number, found, box.places, box.answers, possible, is_exact)


def _is_done(
    box: Box, steps: int, is_late: IsLate, *, limit: int = 0, largest: int = _LARGEST
) -> bool:
    """Search to the end. Return False if it is late, or over a limit."""
    while box.state[_PHASE] < _DONE:
        if is_late() or steps <= 0:
            return False
        budget = min(steps, _SLICE)
        steps -= budget - _searched(box, limit, largest, budget)
    return bool(box.state[_PHASE] == _DONE)


def list_layouts(clues: Clues, *, most: int, is_late: IsLate = never) -> Layouts | None:
    """Return all layouts that fit. None if more than `most`, or late."""
    box = _box(clues, most=most)
    if not _is_done(box, _UNBOUNDED, is_late, limit=most):
        return None
    return _found(clues, box, int(box.state[_FOUND]), is_exact=True)


def counted(
    clues: Clues,
    *,
    entries: Sequence[int] = (),
    largest: int = _LARGEST,
    steps: int = _UNBOUNDED,
    is_late: IsLate = never,
) -> Tally | None:
    """Count layouts that fit, and their answers at `entries`. None if over a limit, or late."""
    box = _box(clues, opened=[entry - 1 for entry in entries])
    if not _is_done(box, steps, is_late, largest=largest):
        return None
    rows = {
        entry: tuple(map(int, box.tally[CODES * (entry - 1) : CODES * entry])) for entry in entries
    }
    return Tally(int(box.state[_TOTAL]), rows)


def picked(
    clues: Clues, rng: Random, *, wanted: int, possible: int, is_late: IsLate = never
) -> Layouts:
    """Draw `wanted` of the `possible` layouts that fit, equally likely if not late."""
    picks = sorted(rng.randrange(possible) for _ in range(wanted))
    box = _box(clues, picks=picks, seed=rng.getrandbits(32) or 1, most=wanted)
    _is_done(box, _UNBOUNDED, is_late)
    return _found(clues, box, possible)


def sampled(
    clues: Clues, rng: Random, *, most: int, wanted: int, steps: int, is_late: IsLate
) -> Layouts | None:
    """Return all layouts that fit, or `wanted` random ones if there are more than `most`.

    None if counting them needs more than `steps`.
    """
    tally = counted(clues, steps=steps, is_late=is_late)
    if tally is None:
        return None
    possible = tally.possible
    if possible <= most and (found := list_layouts(clues, most=possible, is_late=is_late)):
        return found
    return picked(clues, rng, wanted=wanted, possible=possible, is_late=is_late)


def drawn(
    clues: Clues,
    rng: Random,
    *,
    wanted: int,
    patience: int = 0,
    steps: int = _UNBOUNDED,
    is_late: IsLate = never,
) -> Layouts:
    """Draw layouts that fit, with repetition. `patience` finds more, but not fairly."""
    box = _box(clues, seed=rng.getrandbits(32) or 1, most=wanted)
    while box.state[_FOUND] < wanted and not is_late() and steps > 0:
        budget = min(steps, _SLICE)
        steps -= budget - _drawn(box, wanted, patience, budget)
    found, tries = int(box.state[_FOUND]), int(box.state[_TOTAL])
    estimate = 0 if patience or not tries else comb(clues.size**2, clues.number) * found // tries
    return _found(clues, box, estimate)
