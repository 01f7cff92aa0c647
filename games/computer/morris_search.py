"""The Nine Men's Morris search: resumable alpha-beta with iterative deepening.

It has null windows, a transposition table, late move reductions, the history heuristic and a
quiescence search of mills. Plies without a mill are part of the table key. A repetition on the path
is a draw, and so is a third occurrence in the match.

Values are for the side to move, in about hundredths of a stone. Wins are `DECIDED` or more. A win
that the search sees is `WIN` minus its distance in plies.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from games.computer.accelerated import IS_ACCELERATED, Table, blank, jit, table
from games.computer.base import IsLate, SearchStopped, never
from games.computer.morris_board import (
    ALL,
    CLOSES,
    MOST_MOVES,
    NONE,
    closing,
    count,
    generate,
    spread,
)
from games.computer.morris_endings import LOSS, Endings, endings, probe
from games.computer.morris_eval import FEATURES, WEIGHTS, evaluate
from games.morris import MorrisPosition, Move

WIN = 30_000
DECIDED = 20_000
_SOLVED = 26_000
"""A tablebase win, minus its plies, and minus `_STAGE` for each stone above the last three."""
_STAGE = 1_000
_INFINITE = 32_000
_UNKNOWN = 40_000

_LONGEST = 60
DEEPEST = _LONGEST - 10
_QUIET_PLIES = 4
_DISAPPOINTED = 40
_SLICE = 4_000 if IS_ACCELERATED else 60
"""Nodes between two calls of `is_late`."""

# Fields of a stack frame, one per ply.
_OWN, _OTHER, _HAND, _HAND2, _QUIET, _SINCE = range(6)
_DEPTH, _ALPHA, _BETA, _BEST, _BEST_MOVE = range(6, 11)
_COUNT, _NEXT, _PHASE, _MOVE, _FLOOR, _REDUCED = range(11, 17)
_WIDTH = 17
_PLY, _MODE, _VALUE, _NODES = range(4)
_ENTER, _RETURN, _CHOOSE = range(3)
_SCOUT, _FULL = range(2)
_EXACT, _LOWER, _UPPER = range(3)


class Workspace(NamedTuple):
    """The tables of a search, and the rules."""

    stack: Table
    moves: Table
    state: Table
    keys: Table
    data: Table
    history: Table
    past: Table
    weights: Table
    features: Table
    endings: Endings
    draw_after: int
    from_mills: int
    draw: int


@jit
def _enter_child(stack: Table, at: int, move: int) -> None:
    below = at + _WIDTH
    origin = move & 31
    taken = move >> 10 & 31
    own = stack[at + _OWN] | 1 << (move >> 5 & 31)
    other = stack[at + _OTHER]
    hand = stack[at + _HAND]
    quiet = stack[at + _QUIET] + 1
    since = stack[at + _SINCE] + 1
    if origin == NONE:
        hand -= 1
        quiet = 0
        since = 0
    else:
        own &= ~(1 << origin)
    if move & CLOSES:
        quiet = 0
    if taken != NONE:
        other &= ~(1 << taken)
        since = 0
    stack[below + _OWN] = other
    stack[below + _OTHER] = own
    stack[below + _HAND] = stack[at + _HAND2]
    stack[below + _HAND2] = hand
    stack[below + _QUIET] = quiet
    stack[below + _SINCE] = since


@jit
def _key(stack: Table, at: int) -> int:
    return (
        stack[at + _OWN]
        | stack[at + _OTHER] << 24
        | stack[at + _HAND] << 48
        | stack[at + _HAND2] << 52
        | stack[at + _QUIET] << 56
    )


@jit
def _slot(key: int, size: int) -> int:
    mixed = key ^ key >> 29
    mixed = mixed * 0x1F4F6A7D3B5C91E5 & 0x7FFFFFFFFFFFFFFF
    return (mixed >> 24) & (size - 1)


@jit
def _is_repeated(stack: Table, ply: int, past: Table) -> bool:
    """Return whether the position occurred on the path, or twice in the match."""
    at = ply * _WIDTH
    since = stack[at + _SINCE]
    own = stack[at + _OWN]
    other = stack[at + _OTHER]
    for back in range(2, min(since, ply) + 1, 2):
        before = at - back * _WIDTH
        if stack[before + _OWN] == own and stack[before + _OTHER] == other:
            return True
    if since > ply and len(past) > 1:
        key = own | other << 24 | (ply & 1) << 48
        times = 0
        for number in range(len(past)):
            times += past[number] == key
        return times > 1
    return False


@jit
def _entered(room: Workspace, ply: int) -> int:  # noqa: C901, PLR0912, PLR0915 - calls are slow
    """Return the value of an entered node, or `_UNKNOWN` after listing its moves."""
    stack, moves = room.stack, room.moves
    at = ply * _WIDTH
    own = stack[at + _OWN]
    other = stack[at + _OTHER]
    hand = stack[at + _HAND]
    hand2 = stack[at + _HAND2]
    quiet = stack[at + _QUIET]
    depth = stack[at + _DEPTH]
    alpha = stack[at + _ALPHA]
    beta = stack[at + _BETA]
    # The value of a draw belongs to the root's side.
    draw = room.draw if ply & 1 == 0 else -room.draw
    mine = count(own)
    theirs = count(other)
    if mine + hand < 3:
        return ply - WIN
    if not hand:
        if mine > 3 and not spread(own) & ~(own | other) & ALL:
            return ply - WIN
        if _is_repeated(stack, ply, room.past) or quiet >= room.draw_after:
            return draw
        if room.from_mills and not hand2 and min(mine, theirs) == 3 and mine + theirs <= 8:
            found = probe(own, other, room.endings)
            left = room.draw_after - quiet
            if 0 < found <= left:
                return _SOLVED - _STAGE * (theirs - 3) - found - ply
            if LOSS <= found <= LOSS + left:
                return -(_SOLVED - _STAGE * (mine - 3) - (found - LOSS) - ply)
            # Prefer draws in which the opponent has to be careful.
            return draw + min(
                max(evaluate(own, other, 0, 0, room.weights, room.features) // 16, -9), 9
            )

    best_move = 0
    if depth > 0:
        key = _key(stack, at)
        slot = _slot(key, len(room.keys))
        if room.keys[slot] == key:
            entry = room.data[slot]
            best_move = entry & 0xFFFF
            known = (entry >> 32) - _INFINITE
            if known >= DECIDED:
                known -= ply
            elif known <= -DECIDED:
                known += ply
            if (entry >> 18 & 127) >= depth:
                kind = entry >> 16 & 3
                if (
                    kind == _EXACT
                    or (kind == _LOWER and known >= beta)
                    or (kind == _UPPER and known <= alpha)
                ):
                    return known

    best = -_INFINITE
    if depth <= 0:
        best = evaluate(own, other, hand, hand2, room.weights, room.features)
        best = min(max(best, 1 - DECIDED), DECIDED - 1)
        if not hand and not hand2:
            left = room.draw_after - quiet
            if left < 20:
                best = best * (left + 10) // 30
        if best >= beta or depth <= -_QUIET_PLIES or ply >= _LONGEST - 1:
            return best
        free = ALL & ~(own | other)
        mills = closing(own) & free
        if not mills:
            return best
        alpha = max(alpha, best)

    start = ply * MOST_MOVES
    number = generate(own, other, hand, room.from_mills, moves, start)
    mine_next = closing(own)
    theirs_next = closing(other)
    threats = theirs_next & ~(own | other)
    kept = 0
    for index in range(start, start + number):
        move = moves[index]
        if depth <= 0 and not move & CLOSES:
            continue
        target = 1 << (move >> 5 & 31)
        score = room.history[move & 1023]
        if move == best_move:
            score = 1 << 40
        elif move & CLOSES:
            score += 1 << 30
            taken = move >> 10 & 31
            if taken != NONE:
                # Prefer taking stones next to an opponent's threat.
                before = count(threats)
                after = count(closing(other & ~(1 << taken)) & ~(own | other))
                score += (before - after) << 26
        else:
            if theirs_next & target:
                score += 1 << 28
            if mine_next & target:
                score += 1 << 20
        moves[start + kept] = score << 16 | move
        kept += 1
    if not kept:
        return best
    stack[at + _COUNT] = kept
    stack[at + _NEXT] = 0
    stack[at + _BEST] = best
    stack[at + _BEST_MOVE] = 0
    stack[at + _FLOOR] = alpha
    stack[at + _ALPHA] = alpha
    return _UNKNOWN


@jit
def advance(room: Workspace, budget: int) -> bool:  # noqa: C901, PLR0912, PLR0915 - see _entered
    """Search at most `budget` nodes. Return whether the value in `state` is final."""
    stack, moves, state, history = room.stack, room.moves, room.state, room.history
    ply = state[_PLY]
    mode = state[_MODE]
    value = state[_VALUE]
    nodes = 0
    while True:
        at = ply * _WIDTH
        if mode == _ENTER:
            if nodes >= budget:
                break
            nodes += 1
            value = _entered(room, ply)
            mode = _CHOOSE if value == _UNKNOWN else _RETURN

        elif mode == _RETURN:
            if ply == 1:
                break
            ply -= 1
            at = ply * _WIDTH
            value = -value
            mode = _CHOOSE
            alpha = stack[at + _ALPHA]
            beta = stack[at + _BETA]
            move = stack[at + _MOVE]
            if (
                value > alpha
                and stack[at + _PHASE] == _SCOUT
                and (value < beta or stack[at + _REDUCED])
            ):
                # The null window failed high: search with the full window.
                _enter_child(stack, at, move)
                stack[at + _PHASE] = _FULL
                stack[at + _REDUCED] = 0
                stack[at + _WIDTH + _DEPTH] = stack[at + _DEPTH] - 1
                stack[at + _WIDTH + _ALPHA] = -beta
                stack[at + _WIDTH + _BETA] = -alpha
                ply += 1
                mode = _ENTER
                continue
            if value > stack[at + _BEST]:
                stack[at + _BEST] = value
                stack[at + _BEST_MOVE] = move
                if value > alpha:
                    stack[at + _ALPHA] = value
                    if value >= beta:
                        stack[at + _NEXT] = stack[at + _COUNT]
                        if stack[at + _DEPTH] > 0 and not move & CLOSES:
                            depth = stack[at + _DEPTH]
                            history[move & 1023] += depth * depth
                            if history[move & 1023] > 1 << 18:
                                for number in range(1024):
                                    history[number] >>= 1

        else:
            number = stack[at + _NEXT]
            total = stack[at + _COUNT]
            depth = stack[at + _DEPTH]
            if number >= total:
                value = stack[at + _BEST]
                mode = _RETURN
                if depth > 0:
                    kind = _EXACT
                    if value >= stack[at + _BETA]:
                        kind = _LOWER
                    elif value <= stack[at + _FLOOR]:
                        kind = _UPPER
                    stored = value
                    if value >= DECIDED:
                        stored += ply
                    elif value <= -DECIDED:
                        stored -= ply
                    key = _key(stack, at)
                    slot = _slot(key, len(room.keys))
                    room.keys[slot] = key
                    room.data[slot] = (
                        (stored + _INFINITE) << 32
                        | depth << 18
                        | kind << 16
                        | stack[at + _BEST_MOVE]
                    )
                continue
            start = ply * MOST_MOVES
            best = number
            for index in range(number + 1, total):
                if moves[start + index] > moves[start + best]:
                    best = index
            chosen = moves[start + best]
            moves[start + best] = moves[start + number]
            moves[start + number] = chosen
            move = chosen & 0xFFFF
            alpha = stack[at + _ALPHA]
            beta = stack[at + _BETA]
            stack[at + _NEXT] = number + 1
            stack[at + _MOVE] = move
            _enter_child(stack, at, move)
            below = at + _WIDTH
            stack[below + _DEPTH] = depth - 1
            stack[at + _REDUCED] = 0
            if number == 0 or depth <= 0:
                stack[at + _PHASE] = _FULL
                stack[below + _ALPHA] = -beta
            else:
                stack[at + _PHASE] = _SCOUT
                stack[below + _ALPHA] = -alpha - 1
                if depth >= 3 and number >= 4 and not move & CLOSES:
                    stack[at + _REDUCED] = 1
                    stack[below + _DEPTH] = depth - (3 if number >= 12 and depth >= 5 else 2)
            stack[below + _BETA] = -alpha
            ply += 1
            mode = _ENTER
    state[_PLY], state[_MODE], state[_VALUE] = ply, mode, value
    state[_NODES] += nodes
    return mode == _RETURN


def code_of(move: Move, position: MorrisPosition) -> int:
    """Return the number of a move of `position`."""
    origin = NONE if move.origin is None else move.origin
    taken = NONE if move.taken is None else move.taken
    return origin | move.target << 5 | taken << 10 | (CLOSES if position.closes(move) else 0)


def is_solved(position: MorrisPosition) -> bool:
    """Return whether the position is in the endgame table."""
    left = position.left(0), position.left(1)
    return position.from_mills and not any(position.hands) and min(left) == 3 and sum(left) <= 8


@dataclass(slots=True)
class Ranked:
    """A root move and what is known of it."""

    move: Move
    code: int
    value: int = 1 - DECIDED
    is_bound: bool = True


class Search:
    """The search of one position.

    `draw` is the value of a draw for the side to move. Moves at most `margin` below the best get
    exact values. `nodes` limits the work, `size` (a power of two) is that of the table.
    """

    def __init__(
        self,
        position: MorrisPosition,
        *,
        draw: int = 0,
        margin: int = 0,
        nodes: int = 1 << 60,
        size: int = 1 << (20 if IS_ACCELERATED else 16),
        weights: Table = WEIGHTS,
    ) -> None:
        seat = position.mover
        self.position = position
        self.ranked = [Ranked(move, code_of(move, position)) for move in position.moves(seat)]
        self.depth = 0
        self.nodes = 0
        self._margin = margin
        self._limit = nodes
        self._room = Workspace(
            stack=blank((_LONGEST + 8) * _WIDTH),
            moves=blank((_LONGEST + 8) * MOST_MOVES),
            state=blank(4),
            keys=blank(size),
            data=blank(size),
            history=blank(1024),
            # As the search writes them: the side to move at the root first.
            past=table([0, *(_relative(key, seat) for key in position.seen[:-1])]),
            weights=weights,
            features=blank(FEATURES),
            endings=endings(position.draw_after),
            draw_after=position.draw_after,
            from_mills=int(position.from_mills),
            draw=draw,
        )
        self._stack = self._room.stack
        self._stack[: _SINCE + 1] = table(
            (
                position.stones[seat],
                position.stones[1 - seat],
                position.hands[seat],
                position.hands[1 - seat],
                position.plies_without_mill,
                max(0, len(position.seen) - 1),
            )
        )

    def deepen(
        self, limit: int = DEEPEST, *, is_thorough: bool = False, is_late: IsLate = never
    ) -> None:
        """Deepen until the best move (`is_thorough`: every move) is decided, or a limit is hit."""
        while self.depth < limit and self._deepened(is_late):
            self.depth += 1
            if all(self._is_settled(it.value) for it in self.ranked[: None if is_thorough else 1]):
                break

    def _is_settled(self, value: int) -> bool:
        distance = WIN - abs(value)
        return abs(value) >= DECIDED and (self.depth >= distance or distance > _LONGEST)

    def line(self, ranked: Ranked) -> tuple[Move, ...]:
        position, found = self.position, [ranked.move]
        position = position.play(position.mover, ranked.move)
        keys, data, at = self._room.keys, self._room.data, _WIDTH
        _enter_child(self._stack, 0, ranked.code)
        while position.turn and len(found) < self.depth:
            key = int(_key(self._stack, at))
            slot = _slot(key, len(keys))
            if keys[slot] != key or data[slot] >> 16 & 3 == _UPPER:
                break
            code = data[slot] & 0xFFFF
            moves = {code_of(move, position): move for move in position.moves(position.mover)}
            if code not in moves:
                break
            found.append(moves[code])
            position = position.play(position.mover, moves[code])
            _enter_child(self._stack, at, code)
            at += _WIDTH
        return tuple(found)

    def _deepened(self, is_late: IsLate) -> bool:
        done: list[Ranked] = []
        best = -_INFINITE
        with suppress(SearchStopped):
            for ranked in self.ranked:
                floor = max(-_INFINITE, best - self._margin)
                value = self._value(ranked.code, floor, floor + 1, is_late) if done else _INFINITE
                if value > floor:
                    value = self._value(ranked.code, floor, _INFINITE, is_late)
                done.append(Ranked(ranked.move, ranked.code, value, is_bound=value <= floor))
                best = max(best, value)
        rest = self.ranked[len(done) :]
        if done and rest and best > self.ranked[0].value - _DISAPPOINTED:
            # Moves not searched as deep must not overtake.
            for ranked in rest:
                ranked.value, ranked.is_bound = min(ranked.value, best), True
        self.ranked = sorted(done + rest, key=lambda ranked: (-ranked.value, ranked.is_bound))
        return not rest

    def _value(self, code: int, alpha: int, beta: int, is_late: IsLate) -> int:
        _enter_child(self._stack, 0, code)
        self._stack[_WIDTH + _DEPTH] = self.depth
        self._stack[_WIDTH + _ALPHA] = -beta
        self._stack[_WIDTH + _BETA] = -alpha
        state = self._room.state
        state[_PLY], state[_MODE] = 1, _ENTER
        is_done = False
        while not is_done:
            # Each move must be searched once.
            left = self._limit - self.nodes
            if self.depth and (left <= 0 or is_late()):
                raise SearchStopped
            before = int(state[_NODES])
            is_done = advance(self._room, min(_SLICE, left) if left > 0 else _SLICE)
            self.nodes += int(state[_NODES]) - before
        return -int(state[_VALUE])


def _relative(key: int, seat: int) -> int:
    white, black, mover = key & ALL, key >> 24 & ALL, key >> 48
    own, other = (white, black) if mover == 0 else (black, white)
    return own | other << 24 | (mover ^ seat) << 48
