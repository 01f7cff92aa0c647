"""The Sogo engine. The two lowest levels judge each move once and overlook lines."""

import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from math import exp
from random import Random

from games.base import Note, bits, stored
from games.computer.accelerated import IS_ACCELERATED, numbers
from games.computer.base import Candidate, Engine, IsLate, SearchStopped, cap_expectations, never
from games.computer.sogo_plain import PlainSearch
from games.computer.sogo_search import LARGEST, PROVEN, STATES, WIN, BaseSearch, LineSearch
from games.sogo import Move, SogoPosition, board

TRAINED = 4
"""The size of the board that has learned weights."""
_SCALE = 120.0
"""Values per logit."""
_MOST_NODES = 12_000_000 if IS_ACCELERATED else 150_000
_RANKED_NODES = 2_000_000 if IS_ACCELERATED else 60_000
_LONGEST_LINE = 16
_THREATS = 14


@dataclass(frozen=True, slots=True)
class _Sight:
    """How a low level looks at a board. Its numbers are probabilities, except for `luck`."""

    straight: float
    """Seeing a line along a rod, a row or a column. `slanted` is for any other line."""
    slanted: float
    under: float
    """Seeing that the opponent could play on top of the stone."""
    luck: float
    last: float = 0.0
    """Minimum for an own line that lacks one stone."""


@dataclass(frozen=True, slots=True)
class _Depth:
    plies: int
    """0 for no limit."""
    luck: float
    quick: int = 0
    deep: int = 0
    slip: float = 0.0
    """Probability of the second-best move, if it is little worse."""


_Way = _Sight | _Depth


@dataclass(frozen=True, slots=True)
class _Level:
    line: _Way
    plain: _Way


# A player that completes lines, blocks three threats of four and else plays at random scores 58 %
# and 20 % against the first two levels, a random one 3 % against the first (`tools.strength`).
_BEGINNER = _Sight(0.5, 0.25, 0.2, 40.0, last=0.9)
_MASTER = _Depth(0, 0.0, quick=3, deep=6)
_LEVELS = (
    _Level(_BEGINNER, _BEGINNER),
    _Level(_Sight(0.85, 0.6, 0.45, 20.0, last=0.97), _Sight(0.95, 0.8, 0.7, 10.0)),
    _Level(_Depth(1, 16.0, quick=1, slip=0.3), _Depth(3, 9.0, slip=0.12)),
    _Level(_Depth(5, 10.0, quick=2, deep=3, slip=0.1), _Depth(5, 2.0, slip=0.02)),
    _Level(_MASTER, _MASTER),
)
_CONSIDERED = 16_000
_LITTLE = 50
_OPENING = 10
_SMALL_TABLE = 1 << 12


class SogoEngine(Engine[SogoPosition, Move, _Level]):
    """Plays Sogo in every size and variant."""

    levels = _LEVELS
    warm_up_options = ({"variant": "capture"},)

    def move_at_level(
        self, view: SogoPosition, seat: int, how: _Level, rng: Random, is_late: IsLate
    ) -> Move:
        moves = list(view.moves(seat))
        rng.shuffle(moves)
        if len(moves) == 1:
            return moves[0]
        way = how.line if _follows_threats(view) else how.plain
        if isinstance(way, _Sight):
            return _at_a_glance(view, moves, way, rng)
        if way.plies:
            return _considered(view, moves, way, rng, is_late)
        return _searched(view, moves, way, rng, is_late)

    def rank(
        self, view: SogoPosition, seat: int, *, is_late: IsLate = never
    ) -> tuple[Candidate[Move], ...]:
        search = _set_up(view, quick=3, deep=7)
        left = view.board.cells - view.placed
        moves = list(view.moves(seat))
        values = dict.fromkeys(moves, 0)
        exact: set[Move] = set()
        for depth in range(1, left + 1):
            late = is_late if depth > 1 else never
            rest = set(moves)
            with suppress(SearchStopped):
                for move in moves:
                    if abs(values[move]) <= PROVEN:
                        values[move] = search.value(move, depth, -WIN, WIN, late)
                        if abs(values[move]) > PROVEN or depth == left:
                            exact.add(move)
                    rest.discard(move)
            # Values of different depths do not compare.
            moves = sorted(
                moves, key=lambda move: (values[move] < -PROVEN, move in rest, -values[move])
            )
            if rest or len(exact) == len(moves) or search.nodes > _RANKED_NODES:
                break
        lines = {move: _line(search, view, move) for move in moves}
        return cap_expectations(
            Candidate(move, _expectation(values[move], is_exact=is_exact), lines[move], is_exact)
            for move in moves
            for is_exact in [move in exact]
        )

    def reason(self, view: SogoPosition, seat: int, move: Move, *, is_late: IsLate = never) -> Note:
        return _at_sight(view, seat, move) or _forces(view, move, is_late) or _why(view, seat, move)


ENGINE = SogoEngine()


@cache
def _line_search(size: int) -> LineSearch:
    its = board(size)
    if size != TRAINED:
        values = [0] * STATES
        values[1], values[2], values[8], values[16] = 6, 24, -6, -24
        return LineSearch(size, [values] * len(its.every_line), [[0] * its.cells] * 2, 0)
    return line_search(stored_weights())


_plain_search = cache(PlainSearch)


def _follows_threats(view: SogoPosition) -> bool:
    return view.variant == "line" and view.size <= LARGEST


def _set_up(view: SogoPosition, *, quick: int, deep: int, entries: int = 1 << 30) -> BaseSearch:
    search: BaseSearch
    if _follows_threats(view):
        search = _line_search(view.size)
    else:
        search = _plain_search(view.size, view.variant)
    search.set_up(view, quick=quick, deep=deep, entries=entries)
    return search


def _searched(
    view: SogoPosition, moves: list[Move], way: _Depth, rng: Random, is_late: IsLate
) -> Move:
    search = _set_up(view, quick=way.quick, deep=way.deep)
    if isinstance(search, LineSearch):
        won = search.by_threats(_THREATS, is_late)
        if won is not None:
            return Move(won[0], None, view.size)
    spread = 16 if view.placed < _OPENING else 4
    luck = {move: rng.randrange(spread) for move in moves}
    best = moves[0]
    for depth in range(1, view.board.cells - view.placed + 1):
        top, found, sound = -2 * WIN, best, 0
        # Depth 1 is searched even if it is late.
        late = is_late if depth > 1 else never
        try:
            for move in moves:
                more = luck[move]
                low = max(-WIN, top - more)
                value = search.value(move, depth, low, low + 1 if top > -WIN else WIN, late)
                if value > low and top > -WIN:
                    value = search.value(move, depth, low, WIN, late)
                if abs(value) <= PROVEN:
                    value += more
                sound += value >= -PROVEN
                if value > top:
                    top, found = value, move
        except SearchStopped:
            return found
        best = found
        moves.remove(best)
        moves.insert(0, best)
        if top > PROVEN or sound <= 1 or search.nodes > _MOST_NODES:
            break
    return best


def _considered(
    view: SogoPosition, moves: list[Move], way: _Depth, rng: Random, is_late: IsLate
) -> Move:
    search = _set_up(view, quick=way.quick, deep=way.deep, entries=_SMALL_TABLE)
    margin = round(4 * way.luck) + _LITTLE
    values: dict[Move, float] = {}

    def is_over() -> bool:
        return search.nodes > _CONSIDERED or is_late()

    for depth in range(1, way.plies + 1):
        late = is_over if depth > 1 else never
        found: dict[Move, float] = {}
        try:
            top = -WIN
            for move in moves:
                found[move] = search.value(move, depth, max(-WIN, top - margin), WIN, late)
                top = max(top, int(found[move]))
        except SearchStopped:
            break
        values = found
        moves.sort(key=lambda move: -values[move])
    for move in moves:
        if abs(values[move]) <= PROVEN:
            values[move] += rng.gauss(0, way.luck)
    moves.sort(key=lambda move: -values[move])
    is_slip = rng.random() < way.slip and values[moves[0]] <= PROVEN
    if is_slip and values[moves[1]] > values[moves[0]] - _LITTLE:
        return moves[1]
    return moves[0]


def _expectation(value: int, *, is_exact: bool) -> float:
    if is_exact:
        return 0.0 if value < -PROVEN else 1.0 if value > PROVEN else 0.5
    return 1 / (1 + exp(-max(-600.0, min(600.0, value)) / _SCALE))


def _line(search: BaseSearch, view: SogoPosition, move: Move) -> tuple[Move, ...]:
    line = [move]
    position = view.play(view.side, move)
    while position.turn and len(line) < _LONGEST_LINE:
        next_move = _pressing(position) or search.expected(position)
        if next_move is None or next_move not in position.moves(position.side):
            break
        line.append(next_move)
        position = position.play(position.side, next_move)
    return tuple(line)


def _pressing(position: SogoPosition) -> Move | None:
    if position.variant != "line":
        return None
    for seat in (position.side, 1 - position.side):
        for cell in bits(position.holes(seat) & position.playable):
            return Move(cell % position.board.rods, None, position.size)
    return None


def stored_weights() -> Sequence[int]:
    """Return the weights of the engine (see `line_search`)."""
    return numbers(zlib.decompress(stored("computer/sogo.bin")), "h")


def line_search(weights: Sequence[int]) -> LineSearch:
    """Return a search on the board of 64 cells with weights in 1/120 logit.

    For each line they are White's for one to three stones, then Black's, each for its own side.
    Holes of White and of Black by level follow, then the move (`tools/strength/train_sogo.py`).
    """
    its = board(TRAINED)
    lines = []
    for at in range(0, 6 * len(its.every_line), 6):
        values = [0] * STATES
        for count in (1, 2, 3):
            values[count] = weights[at + count - 1]
            values[8 * count] = -weights[at + count + 2]
        lines.append(values)
    *_, tempo = weights
    white, black = weights[-9:-5], weights[-5:-1]
    holes = [
        [white[cell // its.rods] for cell in range(its.cells)],
        [-black[cell // its.rods] for cell in range(its.cells)],
    ]
    return LineSearch(TRAINED, lines, holes, tempo)


def _at_a_glance(view: SogoPosition, moves: Sequence[Move], sight: _Sight, rng: Random) -> Move:
    its, seat = view.board, view.side
    own, theirs = view.stones[seat], view.stones[1 - seat]
    seen = []
    for kind, lines in its.lines.items():
        chance = sight.straight if kind in _STRAIGHT else sight.slanted
        for line in lines:
            likely = max(chance, sight.last) if _is_short(line, own) else chance
            if rng.random() < likely:
                seen.append(line)
    looks_up = rng.random() < sight.under

    def worth(move: Move) -> float:
        cell = view.next_cell(move.rod)
        total = rng.gauss(0, sight.luck)
        for line in seen:
            if line >> cell & 1:
                total += _glimpse(line, own, theirs, view.size)
            elif looks_up and line >> cell + its.rods & 1 and _is_short(line, theirs):
                total -= 300
        return total

    return max(moves, key=worth)


def _is_short(line: int, stones: int) -> bool:
    rest = line & ~stones
    return not rest & rest - 1


_STRAIGHT = ("stack", "row", "column")


def _glimpse(line: int, own: int, theirs: int, size: int) -> float:
    mine, others = (line & own).bit_count(), (line & theirs).bit_count()
    if mine and others:
        return 0
    if mine == size - 1:
        return 2000
    if others == size - 1:
        return 600
    return 2 + 5 * mine * mine + 3 * others * others


def _at_sight(view: SogoPosition, seat: int, move: Move) -> Note | None:
    """Return a reason for a move that completes or blocks lines, or that is the only one."""
    completed, blocked = view.completed(move.rod)
    if move.takes is not None:
        return Note("takes", {"stone": view.board.name(move.takes), "lines": completed})
    if completed:
        return Note("completes", {"lines": completed})
    if blocked:
        return Note("blocks", {"lines": blocked})
    return Note("only") if len(view.moves(seat)) == 1 else None


def _forces(view: SogoPosition, move: Move, is_late: IsLate) -> Note | None:
    search = _set_up(view, quick=0, deep=0, entries=_SMALL_TABLE)
    won = search.by_threats(_THREATS, is_late) if isinstance(search, LineSearch) else None
    if won is None or won[0] != move.rod or won[1] <= view.placed + 3:
        return None
    return Note("forces", {"stones": (won[1] - view.placed - 1) // 2})


def _why(view: SogoPosition, seat: int, move: Move) -> Note:
    """Return the most important reason for any other move."""
    after = view.play(seat, move)
    safe = _of_rods(view, seat, move, after)
    if safe and 2 * int(safe.details["count"]) >= len(view.moves(seat)):
        return _of_holes(view, after, seat) or safe
    return _of_holes(view, after, seat) or _of_lines(view, seat, move) or safe or Note("waits")


def _of_holes(before: SogoPosition, after: SogoPosition, seat: int) -> Note | None:
    its, holes = before.board, after.holes(seat)
    threats, made = holes & after.playable, holes & ~before.holes(seat)
    is_line = before.variant == "line"
    if is_line and not after.holes(1 - seat) & after.playable:
        if threats & threats - 1 or threats << its.rods & holes:
            return Note("forks")
        if after.turn and not threats and not after.playable & ~after.forbidden(1 - seat):
            return Note("leaves-none")
    if threats:
        (cell, *_) = bits(threats)
        return Note("threatens", {"cell": its.cell_name(cell)})
    for cell in bits(made):
        return Note("digs" if is_line else "lurks", {"cell": its.cell_name(cell)})
    return None


def _of_rods(view: SogoPosition, seat: int, move: Move, after: SogoPosition) -> Note | None:
    if after.holes(1 - seat) & after.playable:
        return None
    letting = 0
    for other in view.moves(seat):
        if other != move:
            there = view.play(seat, other)
            letting += bool(there.holes(1 - seat) & there.playable)
    return Note("lets-none", {"count": letting}) if letting else None


def _of_lines(view: SogoPosition, seat: int, move: Move) -> Note | None:
    own, theirs = view.stones[seat], view.stones[1 - seat]
    through = view.board.through[view.next_cell(move.rod)]
    against = [(line & theirs).bit_count() for line in through if line & theirs and not line & own]
    spoiled = sum(count >= view.size - 2 for count in against)
    if spoiled:
        return Note("spoils", {"lines": spoiled})
    built = sum(not line & theirs and bool(line & own) for line in through)
    if built:
        return Note("builds", {"lines": built})
    free = sum(not line & (own | theirs) for line in through)
    if free:
        return Note("opens", {"lines": free})
    return Note("hinders", {"lines": len(against)}) if against else None
