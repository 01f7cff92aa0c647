"""The Othello search: principal variation search (NegaScout, Reinefeld).

The stack is in tables, not in calls, so the search can stop after any node and resume. One core of
a cloud machine visits 6.7 million nodes per second in the middlegame and 23 million near the end,
without numba 40 and 75 thousand (`tools.strength.othello`).
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.base import bits
from games.computer.accelerated import IS_ACCELERATED, Table, blank, jit, signed, unsigned
from games.computer.base import IsLate, Ranked, SearchStopped, deepened
from games.computer.othello_bits import FULL, NONE, ONE, count, final, flips, index, targets
from games.computer.othello_patterns import DISC, FEATURES, evaluate, weights
from games.othello import PASS, Move, OthelloPosition

INFINITE: Final = 65 * DISC

_SLICE = 20_000 if IS_ACCELERATED else 100
"""Nodes between two calls of `is_late`: a few milliseconds."""
LAST = 6 if IS_ACCELERATED else 4
"""Free squares that are solved without the table."""
_PLIES = 128

_ALPHA, _BETA, _LOW, _BEST, _DEPTH, _NEXT, _COUNT, _IS_SCOUTED = range(8)
_FRAME = 8
_MOST = 34

_PLY, _IS_ENTERING, _VALUE, NODES = range(4)

# A table entry packs depth, bounds and move into one number.
_NO_MOVE = 64
_FIELD = 1 << 14
_HASH = unsigned(0x9E3779B97F4A7C15)
_MIX = unsigned(0xD6E8FEB86659FD93)

_CORNERS = unsigned(0x8100000000000081)
_RISKY = unsigned(0x42C300000000C342)
_QUADRANT = unsigned(0x000000000F0F0F0F)
_QUADRANTS = (_QUADRANT, _QUADRANT << 4, _QUADRANT << 32, _QUADRANT << 36)


@jit
def _odd(free: int) -> int:
    found = NONE
    for quadrant in _QUADRANTS:
        if count(free & quadrant) & 1:
            found |= free & quadrant
    return found


_ODD_LEFT, _EVEN_LEFT = 2, 3
_SIGN = 3
_LAST_FRAME = 4


class Room(NamedTuple):
    """The tables of a search. Frame 0 holds the board, the window and the depth."""

    state: Table
    frames: Table
    boards: Table
    listed: Table
    ranks: Table
    best_moves: Table
    keys: Table
    entries: Table
    weights: Sequence[int]
    features: Table
    masks: Table
    scores: Table


@jit
def _solved(own: int, other: int, alpha: int, beta: int, room: Room) -> int:
    """Solve the last squares within a window. Return the disc difference."""
    # Not recursive: compiled recursion loaded from disk can crash (numba issue 6061).
    state, masks, scores = room.state, room.masks, room.scores
    ply = 0
    while True:
        state[NODES] += 1
        free = FULL & ~(own | other)
        moves = targets(own, other)
        sign = 1
        if moves == NONE:
            own, other, alpha, beta, sign = other, own, -beta, -alpha, -1
            moves = targets(own, other)
        is_valued = True
        value = 0
        if moves == NONE:
            value = sign * final(own, other)
        elif free & (free - ONE) == NONE:
            value = sign * (count(own) - count(other) + 2 * count(flips(free, own, other)) + 1)
        else:
            is_valued = False
            at = _LAST_FRAME * ply
            odd = moves & _odd(free)
            masks[at], masks[at + 1] = own, other
            masks[at + _ODD_LEFT], masks[at + _EVEN_LEFT] = odd, moves & ~odd
            scores[at + _ALPHA], scores[at + _BETA] = alpha, beta
            scores[at + _LOW], scores[at + _SIGN] = -65, sign
            ply += 1
        while ply > 0:
            at = _LAST_FRAME * (ply - 1)
            if is_valued:
                if -value > scores[at + _LOW]:
                    scores[at + _LOW] = -value
                    scores[at + _ALPHA] = max(scores[at + _ALPHA], -value)
                if (
                    scores[at + _LOW] >= scores[at + _BETA]
                    or (masks[at + _ODD_LEFT] | masks[at + _EVEN_LEFT]) == NONE
                ):
                    value = scores[at + _LOW] * scores[at + _SIGN]
                    ply -= 1
                    continue
            kind = _ODD_LEFT if masks[at + _ODD_LEFT] != NONE else _EVEN_LEFT
            left = masks[at + kind]
            bit = left & ~(left - ONE)
            masks[at + kind] = left ^ bit
            own, other = masks[at], masks[at + 1]
            flipped = flips(bit, own, other)
            own, other = other ^ flipped, own | flipped | bit
            alpha, beta = -scores[at + _BETA], -scores[at + _ALPHA]
            break
        if ply == 0:
            return value


@jit
def _evaluated(own: int, other: int, room: Room) -> int:
    return evaluate(own, other, room.weights, room.features)


@jit
def _one_ahead(own: int, other: int, alpha: int, beta: int, room: Room) -> int:
    room.state[NODES] += 1
    moves = targets(own, other)
    sign = 1
    if moves == NONE:
        own, other, beta, sign = other, own, -alpha, -1
        moves = targets(own, other)
        if moves == NONE:
            return sign * final(own, other) * DISC
    best = -INFINITE
    while moves != NONE and best < beta:
        bit = moves & ~(moves - ONE)
        moves ^= bit
        flipped = flips(bit, own, other)
        room.state[NODES] += 1
        best = max(best, -_evaluated(other ^ flipped, own | flipped | bit, room))
    return sign * best


@jit
def _two_ahead(own: int, other: int, alpha: int, beta: int, room: Room) -> int:
    room.state[NODES] += 1
    moves = targets(own, other)
    sign = 1
    if moves == NONE:
        own, other, alpha, beta, sign = other, own, -beta, -alpha, -1
        moves = targets(own, other)
        if moves == NONE:
            return sign * final(own, other) * DISC
    best = -INFINITE
    for kind in (_CORNERS, FULL & ~(_CORNERS | _RISKY), _RISKY):
        left = moves & kind
        while left != NONE and best < beta:
            bit = left & ~(left - ONE)
            left ^= bit
            flipped = flips(bit, own, other)
            mine, theirs = own | flipped | bit, other ^ flipped
            best = max(best, -_one_ahead(theirs, mine, -beta, -max(alpha, best), room))
    return sign * best


@jit
def _slot(own: int, other: int, size: int) -> int:
    mixed = (own * _HASH ^ (other + _HASH) * _MIX) & FULL
    mixed = (mixed ^ mixed >> 29) * _HASH & FULL
    return signed(mixed >> 33) & (size - 2)


@jit
def _known(own: int, other: int, room: Room) -> int:
    keys, entries = room.keys, room.entries
    at = _slot(own, other, len(entries))
    for place in (at, at + 1):
        if keys[2 * place] == own and keys[2 * place + 1] == other:
            return entries[place]
    return 0


@jit
def _keep(  # noqa: PLR0917 - compiled functions take positional arguments
    own: int, other: int, depth: int, lower: int, upper: int, move: int, room: Room
) -> None:
    """Store a position. The first of its two slots keeps the deeper search."""
    keys, entries = room.keys, room.entries
    place = _slot(own, other, len(entries))
    is_first = keys[2 * place] == own and keys[2 * place + 1] == other
    if not is_first and (
        (keys[2 * place + 2] == own and keys[2 * place + 3] == other)
        or depth < entries[place] // (_FIELD * _FIELD * 128)
    ):
        place += 1
    if keys[2 * place] == own and keys[2 * place + 1] == other:
        entry = entries[place]
        if entry // (_FIELD * _FIELD * 128) == depth:
            lower = max(lower, entry // (_FIELD * 128) % _FIELD - INFINITE)
            upper = min(upper, entry // 128 % _FIELD - INFINITE)
            if move == _NO_MOVE:
                move = entry % 128
    keys[2 * place] = own
    keys[2 * place + 1] = other
    entries[place] = ((depth * _FIELD + lower + INFINITE) * _FIELD + upper + INFINITE) * 128 + move


@jit
def _ordered(  # noqa: PLR0917 - see `_keep`
    own: int, other: int, moves: int, first: int, depth: int, at: int, room: Room
) -> int:
    """List `moves` from `at` on, the most promising first. Return their number."""
    listed, ranks = room.listed, room.ranks
    free = FULL & ~(own | other)
    odd = _odd(free)
    is_end = depth >= count(free)
    size = 0
    while moves != NONE:
        bit = moves & ~(moves - ONE)
        moves ^= bit
        if index(bit) == first:
            rank = 1_000_000
        else:
            flipped = flips(bit, own, other)
            mine, theirs = own | flipped | bit, other ^ flipped
            answers = targets(theirs, mine)
            rank = -count(answers) * 4 - count(answers & _CORNERS) * 8
            if bit & _CORNERS:
                rank += 16
            elif bit & _RISKY:
                rank -= 8
            if is_end:
                rank = rank * 25 + (50 if bit & odd else 0)
                if depth > 11:
                    rank -= _evaluated(theirs, mine, room) // 2
            elif depth > 3:
                rank = rank * 10 - _evaluated(theirs, mine, room)
        place = at + size
        while place > at and ranks[place - 1] < rank:
            ranks[place] = ranks[place - 1]
            listed[place] = listed[place - 1]
            place -= 1
        ranks[place] = rank
        listed[place] = bit
        size += 1
    return size


@jit
def run(room: Room, limit: int, last: int) -> bool:  # noqa: C901, PLR0912, PLR0915 - one loop
    """Search until `limit` nodes have been visited. Return whether it is done.

    ``room.best_moves[0]`` is the best move, but only of a search that used the stack.
    """
    state, frames, boards, listed = room.state, room.frames, room.boards, room.listed
    ply = state[_PLY]
    is_entering = state[_IS_ENTERING] != 0
    value = state[_VALUE]
    while ply >= 0:
        at = ply * _FRAME
        own, other = boards[2 * ply], boards[2 * ply + 1]
        alpha, beta = frames[at + _ALPHA], frames[at + _BETA]
        if is_entering:
            if state[NODES] >= limit:
                break
            is_entering = False
            free = count(FULL & ~(own | other))
            depth = min(frames[at + _DEPTH], free)
            frames[at + _DEPTH] = depth
            if depth >= free and free <= last:
                low, high = alpha // DISC, -(-beta // DISC)
                value = DISC * _solved(own, other, low, high, room)
                ply -= 1
                continue
            if depth <= 2 and depth < free:
                if depth == 2:
                    value = _two_ahead(own, other, alpha, beta, room)
                elif depth == 1:
                    value = _one_ahead(own, other, alpha, beta, room)
                else:
                    state[NODES] += 1
                    value = _evaluated(own, other, room)
                ply -= 1
                continue
            state[NODES] += 1
            entry = _known(own, other, room)
            first = _NO_MOVE
            if entry != 0:
                first = entry % 128
                if entry // (_FIELD * _FIELD * 128) >= depth and ply > 0:
                    lower = entry // (_FIELD * 128) % _FIELD - INFINITE
                    upper = entry // 128 % _FIELD - INFINITE
                    if lower >= beta or lower == upper:
                        value = lower
                        ply -= 1
                        continue
                    if upper <= alpha:
                        value = upper
                        ply -= 1
                        continue
            moves = targets(own, other)
            if moves != NONE:
                size = _ordered(own, other, moves, first, depth, ply * _MOST, room)
            elif targets(other, own) == NONE:
                value = DISC * final(own, other)
                ply -= 1
                continue
            else:
                listed[ply * _MOST] = NONE
                size = 1
            frames[at + _LOW] = alpha
            frames[at + _BEST] = -INFINITE
            frames[at + _NEXT] = 0
            frames[at + _COUNT] = size
        else:
            value = -value
            if frames[at + _IS_SCOUTED] != 0 and alpha < value < beta:
                frames[at + _IS_SCOUTED] = 0
                frames[at + _FRAME + _ALPHA] = -beta
                frames[at + _FRAME + _BETA] = -alpha
                ply += 1
                is_entering = True
                continue
            number = frames[at + _NEXT]
            if value > frames[at + _BEST]:
                frames[at + _BEST] = value
                room.best_moves[ply] = listed[ply * _MOST + number]
                if value > alpha:
                    alpha = value
                    frames[at + _ALPHA] = alpha
            number += 1
            frames[at + _NEXT] = number
            if alpha >= beta or number >= frames[at + _COUNT]:
                value = frames[at + _BEST]
                bit = room.best_moves[ply]
                lower = value if value > frames[at + _LOW] else -INFINITE
                upper = value if value < beta else INFINITE
                move = _NO_MOVE if bit == NONE else index(bit)
                _keep(own, other, frames[at + _DEPTH], lower, upper, move, room)
                ply -= 1
                continue
        number = frames[at + _NEXT]
        bit = listed[ply * _MOST + number]
        depth = frames[at + _DEPTH]
        ply += 1
        if bit == NONE:
            boards[2 * ply], boards[2 * ply + 1] = other, own
        else:
            flipped = flips(bit, own, other)
            boards[2 * ply], boards[2 * ply + 1] = other ^ flipped, own | flipped | bit
            depth -= 1
        frames[at + _FRAME + _DEPTH] = depth
        if number > 0 and beta - alpha > 1:
            frames[at + _IS_SCOUTED] = 1
            frames[at + _FRAME + _ALPHA] = -alpha - 1
        else:
            frames[at + _IS_SCOUTED] = 0
            frames[at + _FRAME + _ALPHA] = -beta
        frames[at + _FRAME + _BETA] = -alpha
        is_entering = True
    state[_PLY] = ply
    state[_IS_ENTERING] = 1 if is_entering else 0
    state[_VALUE] = value
    return ply < 0


def played(own: int, other: int, square: int) -> tuple[int, int]:
    """Return the board after a disc on `square`, from the opponent's side."""
    flipped = int(flips(unsigned(1 << square), unsigned(own), unsigned(other)))
    return other ^ flipped, own | flipped | 1 << square


class Search:
    """Search state with a transposition table of `size` entries, a power of 2."""

    def __init__(self, size: int, values: Sequence[int] | None = None) -> None:
        self.room = Room(
            state=blank(4),
            frames=blank(_FRAME * _PLIES),
            boards=blank(2 * _PLIES, is_signed=False),
            listed=blank(_MOST * _PLIES, is_signed=False),
            ranks=blank(_MOST * _PLIES),
            best_moves=blank(_PLIES, is_signed=False),
            keys=blank(2 * size, is_signed=False),
            entries=blank(size),
            weights=weights() if values is None else values,
            features=blank(FEATURES),
            masks=blank(_LAST_FRAME * _PLIES, is_signed=False),
            scores=blank(_LAST_FRAME * _PLIES),
        )

    @property
    def nodes(self) -> int:
        return int(self.room.state[NODES])

    def clear(self) -> None:
        size = len(self.room.entries)
        self.room.entries[:] = blank(size)
        self.room.keys[:] = blank(2 * size, is_signed=False)
        self.room.state[NODES] = 0

    def evaluated(self, own: int, other: int) -> int:
        return int(_evaluated(unsigned(own), unsigned(other), self.room))

    def value(
        self, own: int, other: int, alpha: int, beta: int, *, depth: int, is_late: IsLate
    ) -> int:
        """Return the value of a position at a depth, within a window. Raises SearchStopped."""
        state, frames, boards = self.room.state, self.room.frames, self.room.boards
        boards[0], boards[1] = own, other
        frames[_ALPHA], frames[_BETA], frames[_DEPTH] = alpha, beta, depth
        state[_PLY], state[_IS_ENTERING] = 0, 1
        is_done = False
        while not is_done:
            if is_late():
                raise SearchStopped
            is_done = run(self.room, self.nodes + _SLICE, LAST)
        return int(state[_VALUE])

    def rank_moves(
        self,
        view: OthelloPosition,
        *,
        depth: int,
        solve_at: int,
        margin: int | None,
        is_late: IsLate,
    ) -> list[Ranked[Move]]:
        """Return all discs that can be placed, best first, by iterative deepening up to `depth`.

        With at most `solve_at` free squares it solves the game after half of the plies. Values are
        exact for moves at most `margin` worse than the best (None: for all moves). Read the lines
        before the next search.
        """
        self.clear()
        free, (own, other) = view.free.bit_count(), view.boards(view.side)
        after = {Move(square): played(own, other, square) for square in bits(view.targets)}
        found = [
            Ranked(move, -self.evaluated(*board), line=self._line(move, *board))
            for move, board in after.items()
        ]

        def search(move: Move, depth: int, best: int) -> Ranked[Move]:
            low = -INFINITE if margin is None else max(-INFINITE, best - margin - 1)
            board, value = after[move], low
            if low > -INFINITE:
                value = -self.value(*board, -low - 1, -low, depth=depth - 1, is_late=is_late)
            if value > low or low == -INFINITE:
                value = -self.value(*board, -INFINITE, -low, depth=depth - 1, is_late=is_late)
            return Ranked(move, value, depth, depth >= free, self._line(move, *board))

        depths = (*range(1, free // 2 + 1), free) if free <= solve_at else range(1, depth + 1)
        return deepened(found, (one for one in depths if one <= free), search)

    def _line(self, move: Move, own: int, other: int) -> Iterator[Move]:
        yield move
        while True:
            if not targets(unsigned(own), unsigned(other)):
                if not targets(unsigned(other), unsigned(own)):
                    return
                own, other = other, own
                yield PASS
                continue
            entry = int(_known(unsigned(own), unsigned(other), self.room))
            square = entry % 128
            if not entry or square == _NO_MOVE:
                return
            yield Move(square)
            own, other = played(own, other, square)
