"""The Sudoku Moyo search: bit masks, a learned evaluation, and resumable alpha-beta.

A position is the 81 masks of the digits that fit in each cell (digit 7 is bit 6) and the side to
move. No mask grows, so no position repeats. `write_features` lists the table entries that apply to
it. Their sum is the value in thousandths of a logit (``tools/strength/train_moyo.py``). Entries
count the digits of a cell, the cells of a stone, and the *safe* ones, which the opponent cannot
exclude.

`run` tries only promising moves, but all of them before it calls a position lost. So wins and
losses are proved.
"""

from collections.abc import Iterable
from typing import NamedTuple

from games.computer.accelerated import Table, jit, table
from games.moyo import BOX_OF, BOXES, OWNERS, PEERS

CELLS = 81
PLIES = 84
MOST_MOVES = 324
WON = 1_000_000
"""The value of a certain win, far above any other."""
KEYS = 730
"""Zobrist keys: one per digit and cell, and one for the side."""
FRAME = 12

_COUNT, _REACH, _SURE, _OPEN = 0, 1, 3, 5
_ROW_SEGMENTS, _COLUMN_SEGMENTS, _BOX_CELLS, _BOX_DIGITS = 8, 38, 68, 78
_LINES = 88
FIRST = _LINES + 18
ENTRIES = FIRST + 180

# Layout of the weights: phases, seen by the side to move and its opponent, four kinds of entries.
PHASES = 6
"""The opening in the Azumaya, then by the number of stones that have room."""
KINDS = 400
_CENTRE = PHASES * 2 * KINDS
_BIAS = _CENTRE + 100
SIZE = _BIAS + PHASES

_SIDE, _DEPTH, _ALPHA, _BETA, _BEST, _MOVE, _MOVES, _NEXT, _KEY, _FLOOR, _TRY = range(11)
_ENTER, _ADVANCE, _RETURN = range(3)

_MOVE_BITS = 4095

_NEUTRAL = 2
_OWNERS = table(_NEUTRAL if owner is None else owner for owner in OWNERS)
_IN_BOX = table(cell for box in BOXES for cell in box)
_BOX_OF = table(BOX_OF)
_POPULATION = table(mask.bit_count() for mask in range(512))
_SPREAD = table(sum((mask >> bit & 1) << 4 * bit for bit in range(9)) for mask in range(512))
"""A set of digits -> four bits per digit, so that sums count by digit."""
_PEERS = table(peer for peers in PEERS for peer in peers)


def _foreign(beside: Iterable[Iterable[int]]) -> Table:
    """Box -> two boxes in line with it that its owner does not own, or the empty box 9."""
    found: list[int] = []
    for box, others in enumerate(beside):
        found += [*(other for other in others if OWNERS[other] != OWNERS[box]), 9, 9][:2]
    return table(found)


_BESIDE = _foreign([other for other in range(9) if other // 3 == box // 3] for box in range(9))
_ABOVE = _foreign([other for other in range(9) if other % 3 == box % 3] for box in range(9))


@jit
def placed(stack: Table, at: int, cell: int, digit: int, keys: Table) -> int:
    """Write the position after a move behind the one at `at`. Return the change of its key.

    `digit` is 0 to 8. The key change does not include the side.
    """
    to = at + CELLS
    stack[to : to + CELLS] = stack[at : at + CELLS]
    change = 0
    mask = stack[to + cell]
    for other in range(9):
        if mask >> other & 1:
            change ^= keys[9 * cell + other]
    stack[to + cell] = 0
    bit = 1 << digit
    for index in range(20 * cell, 20 * cell + 20):
        peer = _PEERS[index]
        if stack[to + peer] & bit:
            stack[to + peer] ^= bit
            change ^= keys[9 * peer + digit]
    return change


@jit
def _sure(stack: Table, at: int, owner: int, out: Table) -> int:
    """Return a greedy lower bound of the stones that `owner` can place in any case."""
    for line in range(_LINES, _LINES + 18):
        out[line] = 0
    count = 0
    for box in range(9):
        if _OWNERS[box] != owner:
            continue
        beside_a, beside_b = 3 * _BESIDE[2 * box], 3 * _BESIDE[2 * box + 1]
        above_a, above_b = 3 * _ABOVE[2 * box], 3 * _ABOVE[2 * box + 1]
        used = 0
        for index in range(9):
            cell = _IN_BOX[9 * box + index]
            row, column = index // 3, index % 3
            line, across = _LINES + cell // 9, _LINES + 9 + cell % 9
            mask = stack[at + cell] & ~(
                out[_ROW_SEGMENTS + beside_a + row]
                | out[_ROW_SEGMENTS + beside_b + row]
                | out[_COLUMN_SEGMENTS + above_a + column]
                | out[_COLUMN_SEGMENTS + above_b + column]
                | out[line]
                | out[across]
                | used
            )
            if not mask:
                continue
            bit = mask & -mask
            used |= bit
            out[line] |= bit
            out[across] |= bit
            count += 1
    return count


@jit
def write_features(  # noqa: C901, PLR0912, PLR0915 - one pass, for speed
    stack: Table, at: int, side: int, out: Table
) -> None:
    """Write the facts of the position at `at` and its table entries to `out`."""
    for box in range(9):
        cells = 0
        column_a = 0
        column_b = 0
        column_c = 0
        digits = 0
        for row in range(3):
            first = at + _IN_BOX[9 * box + 3 * row]
            mask_a, mask_b, mask_c = stack[first], stack[first + 1], stack[first + 2]
            cells += (mask_a != 0) + (mask_b != 0) + (mask_c != 0)
            column_a |= mask_a
            column_b |= mask_b
            column_c |= mask_c
            segment = mask_a | mask_b | mask_c
            out[_ROW_SEGMENTS + 3 * box + row] = segment
            digits |= segment
        out[_COLUMN_SEGMENTS + 3 * box] = column_a
        out[_COLUMN_SEGMENTS + 3 * box + 1] = column_b
        out[_COLUMN_SEGMENTS + 3 * box + 2] = column_c
        out[_BOX_CELLS + box] = cells
        out[_BOX_DIGITS + box] = _POPULATION[digits]
    for index in range(27, 30):
        out[_ROW_SEGMENTS + index] = 0
        out[_COLUMN_SEGMENTS + index] = 0
    out[_REACH] = 0
    out[_REACH + 1] = 0
    for box in range(9):
        if _OWNERS[box] != _NEUTRAL:
            seen = _OWNERS[box] ^ side
            out[_REACH + seen] += min(out[_BOX_CELLS + box], out[_BOX_DIGITS + box])
    open_cells = out[_BOX_CELLS + 4]
    out[_OPEN] = open_cells
    reach = out[_REACH] + out[_REACH + 1]
    phase = 0 if open_cells else 1 + (reach < 38) + (reach < 30) + (reach < 22) + (reach < 14)
    end = FIRST
    out[end] = _BIAS + phase
    end += 1
    if open_cells:
        out[end] = _CENTRE + 10 * open_cells + out[_BOX_DIGITS + 4]
        end += 1
    out[_SURE] = 0
    out[_SURE + 1] = 0
    for box in range(9):
        if _OWNERS[box] == _NEUTRAL or not out[_BOX_CELLS + box]:
            continue
        seen = _OWNERS[box] ^ side
        base = (2 * phase + seen) * KINDS
        beside_a, beside_b = 3 * _BESIDE[2 * box], 3 * _BESIDE[2 * box + 1]
        above_a, above_b = 3 * _ABOVE[2 * box], 3 * _ABOVE[2 * box + 1]
        counts = 0
        safe_counts = 0
        safe_cells = 0
        safe_digits = 0
        for row in range(3):
            taken = out[_ROW_SEGMENTS + beside_a + row] | out[_ROW_SEGMENTS + beside_b + row]
            for column in range(3):
                mask = stack[at + _IN_BOX[9 * box + 3 * row + column]]
                if not mask:
                    continue
                safe = mask & ~(
                    taken
                    | out[_COLUMN_SEGMENTS + above_a + column]
                    | out[_COLUMN_SEGMENTS + above_b + column]
                )
                out[end] = base + 10 * _POPULATION[mask] + _POPULATION[safe]
                end += 1
                counts += _SPREAD[mask]
                if safe:
                    safe_counts += _SPREAD[safe]
                    safe_digits |= safe
                    safe_cells += 1
        while counts:
            if counts & 15:
                out[end] = base + 100 + 10 * (counts & 15) + (safe_counts & 15)
                end += 1
            counts >>= 4
            safe_counts >>= 4
        out[end] = base + 200 + 10 * out[_BOX_CELLS + box] + out[_BOX_DIGITS + box]
        safe_digits = _POPULATION[safe_digits]
        out[end + 1] = base + 300 + 10 * safe_cells + safe_digits
        end += 2
        out[_SURE + seen] += min(safe_cells, safe_digits)
    out[_COUNT] = end - FIRST


@jit
def evaluate(stack: Table, at: int, side: int, weights: Table, out: Table) -> int:
    """Return the value for `side`, to move. More certain stones than the opponent's reach win."""
    write_features(stack, at, side, out)
    if not out[_OPEN]:
        mine, theirs = out[_REACH], out[_REACH + 1]
        if not mine:
            return -WON
        if not theirs:
            return WON
        if out[_SURE] > theirs and _sure(stack, at, side, out) > theirs:
            return WON
        if out[_SURE + 1] >= mine and _sure(stack, at, 1 - side, out) >= mine:
            return -WON
    value = 0
    for index in range(FIRST, FIRST + out[_COUNT]):
        value += weights[out[index]]
    return value


@jit
def listed(  # noqa: C901, PLR0912, PLR0917 - compiled code has no keywords
    stack: Table, at: int, side: int, moves: Table, to: int, out: Table
) -> int:
    """Write all moves of `side` to `moves` from `to` on. Return their number.

    A move is ``priority << 12 | cell << 4 | digit``.
    """
    for index in range(36):
        out[index] = 0
    for cell in range(CELLS):
        mask = stack[at + cell]
        owner = _OWNERS[_BOX_OF[cell]]
        if mask and owner != _NEUTRAL:
            spread = _SPREAD[mask]
            out[18 * (owner ^ side) + cell // 9] += spread
            out[18 * (owner ^ side) + 9 + cell % 9] += spread
    owner = side
    for index in range(36, 45):
        if stack[at + _IN_BOX[index]]:
            owner = _NEUTRAL
    count = 0
    for box in range(9):
        if _OWNERS[box] != owner:
            continue
        counts = 0
        for index in range(9 * box, 9 * box + 9):
            counts += _SPREAD[stack[at + _IN_BOX[index]]]
        for index in range(9 * box, 9 * box + 9):
            cell = _IN_BOX[index]
            mask = stack[at + cell]
            if not mask:
                continue
            mine = out[cell // 9]
            mine_across = out[9 + cell % 9]
            theirs = out[18 + cell // 9]
            theirs_across = out[27 + cell % 9]
            width = _POPULATION[mask]
            for digit in range(9):
                if mask >> digit & 1:
                    shift = 4 * digit
                    likely = 4 * ((theirs >> shift & 15) + (theirs_across >> shift & 15))
                    own = (mine >> shift & 15) + (mine_across >> shift & 15)
                    if owner != _NEUTRAL:
                        own += (counts >> shift & 15) + width
                        likely += 60
                    likely += 60 - 3 * own
                    moves[to + count] = likely << 12 | cell << 4 | digit
                    count += 1
    return count


class Room(NamedTuple):
    """The tables of a search.

    `slots` is the transposition table, two numbers per position. ``control[3]`` counts nodes.
    """

    stack: Table
    frames: Table
    moves: Table
    slots: Table
    keys: Table
    weights: Table
    out: Table
    control: Table


def new_room(slots: Table, keys: Table, weights: Table) -> Room:
    """Return the tables of a search, with a transposition table."""
    stack, frames = table(bytes(CELLS * PLIES)), table(bytes(FRAME * PLIES))
    moves, out, control = table(bytes(MOST_MOVES * PLIES)), table(bytes(ENTRIES)), table(bytes(4))
    return Room(stack, frames, moves, slots, keys, weights, out, control)


@jit
def prepare(  # noqa: PLR0917 - see above
    room: Room, side: int, key: int, depth: int, alpha: int, beta: int
) -> None:
    """Start a search of the first position of the stack."""
    frames = room.frames
    frames[_SIDE], frames[_KEY], frames[_DEPTH] = side, key, depth
    frames[_ALPHA], frames[_BETA] = alpha, beta
    room.control[0], room.control[1] = 0, _ENTER


@jit
def run(room: Room, budget: int) -> bool:  # noqa: C901, PLR0912, PLR0915 - a resumable search
    """Search `budget` nodes. Return whether the value in ``control[2]`` is final."""
    stack, frames, moves, slots, keys, weights, out, control = room
    ply, state, value = control[0], control[1], control[2]
    nodes = control[3]
    limit = nodes + budget
    slot_mask = len(slots) // 2 - 1
    while True:
        frame = FRAME * ply
        if state == _ENTER:
            if nodes >= limit:
                break
            side, depth = frames[frame + _SIDE], frames[frame + _DEPTH]
            alpha, beta = frames[frame + _ALPHA], frames[frame + _BETA]
            key = frames[frame + _KEY]
            slot = 2 * (key & slot_mask)
            known = 0
            state = _ADVANCE
            if slots[slot] == key:
                data = slots[slot + 1]
                known = data & _MOVE_BITS
                bound = data >> 12 & 3
                value = (data >> 20) - 2 * WON
                is_deep = (data >> 14 & 63) >= depth or value >= WON or value <= -WON
                if is_deep and (
                    bound == 0 or (bound == 1 and value >= beta) or (bound == 2 and value <= alpha)
                ):
                    state = _RETURN
                    continue
            nodes += 1
            value = evaluate(stack, CELLS * ply, side, weights, out)
            if depth <= 0 or value >= WON or value <= -WON:
                state = _RETURN
                continue
            first = MOST_MOVES * ply
            count = listed(stack, CELLS * ply, side, moves, first, out)
            if known:
                for index in range(first, first + count):
                    if moves[index] & _MOVE_BITS == known:
                        moves[index] |= 1 << 30
            frames[frame + _MOVES] = count
            frames[frame + _NEXT] = 0
            frames[frame + _BEST] = -2 * WON
            frames[frame + _MOVE] = 0
            frames[frame + _FLOOR] = alpha
            continue
        if state == _RETURN:
            if ply == 0:
                break
            # The value is the child's. Continue in the parent's frame.
            value = -value
            child = frame
            ply -= 1
            frame -= FRAME
            alpha, beta = frames[frame + _ALPHA], frames[frame + _BETA]
            depth = frames[frame + _DEPTH]
            again = -1
            if value > alpha and value < WON:
                if frames[child + _DEPTH] < depth - 1:
                    again = alpha + 1
                elif frames[child + _ALPHA] != -beta and value < beta:
                    again = beta
            if again != -1:
                ply += 1
                frames[child + _DEPTH] = depth - 1
                frames[child + _ALPHA] = -again
                frames[child + _BETA] = -alpha
                state = _ENTER
                continue
            if value > frames[frame + _BEST]:
                frames[frame + _BEST] = value
                if value > -WON:
                    frames[frame + _MOVE] = frames[frame + _TRY]
            if value > alpha:
                frames[frame + _ALPHA] = value
            state = _ADVANCE
            continue
        depth = frames[frame + _DEPTH]
        beta = frames[frame + _BETA]
        best = frames[frame + _BEST]
        count = frames[frame + _MOVES]
        index = frames[frame + _NEXT]
        side = frames[frame + _SIDE]
        first = MOST_MOVES * ply
        width = 8 + 4 * min(depth, 4)
        finished = best >= beta or best >= WON
        while not finished and index < count and (index < width or best <= -WON):
            chosen = first + index
            for other in range(first + index + 1, first + count):
                if moves[other] > moves[chosen]:
                    chosen = other
            move = moves[chosen]
            moves[chosen] = moves[first + index]
            moves[first + index] = move
            move &= _MOVE_BITS
            index += 1
            change = placed(stack, CELLS * ply, move >> 4, move & 15, keys)
            if depth > 1:
                frames[frame + _NEXT] = index
                frames[frame + _TRY] = move
                alpha = frames[frame + _ALPHA]
                child = frame + FRAME
                frames[child + _SIDE] = 1 - side
                frames[child + _KEY] = frames[frame + _KEY] ^ change ^ keys[KEYS - 1]
                frames[child + _DEPTH] = depth - 1
                frames[child + _BETA] = -alpha
                frames[child + _ALPHA] = -beta
                if index > 1:
                    frames[child + _ALPHA] = -alpha - 1
                    if depth >= 3 and index > 4 and best > -WON:
                        frames[child + _DEPTH] = depth - 2
                ply += 1
                state = _ENTER
                break
            if nodes >= limit:
                # The move is not counted yet: it comes first again.
                frames[frame + _NEXT] = index - 1
                frames[frame + _BEST] = best
                control[0], control[1], control[2], control[3] = ply, state, value, nodes
                return False
            nodes += 1
            value = -evaluate(stack, CELLS * ply + CELLS, 1 - side, weights, out)
            if value > best:
                best = value
                if value > -WON:
                    frames[frame + _MOVE] = move
                finished = best >= beta or best >= WON
        if state == _ENTER:
            continue
        floor = frames[frame + _FLOOR]
        bound = 0
        if -WON < best < WON:
            if best >= beta:
                bound = 1
            elif best <= floor:
                bound = 2
        key = frames[frame + _KEY]
        slot = 2 * (key & slot_mask)
        slots[slot] = key
        slots[slot + 1] = (
            (best + 2 * WON) << 20 | min(depth, 63) << 14 | bound << 12 | frames[frame + _MOVE]
        )
        value = best
        state = _RETURN
    control[0], control[1], control[2], control[3] = ply, state, value, nodes
    return state == _RETURN
