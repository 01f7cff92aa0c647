"""The Othello and Reversi engine. Lower levels choose at random among nearly equal moves."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import exp
from random import Random
from typing import Final, NamedTuple

from games.base import Note, bits
from games.computer.accelerated import IS_ACCELERATED
from games.computer.base import Candidate, Engine, IsLate, Ranked, cap_expectations, never
from games.computer.othello_patterns import DISC
from games.computer.othello_reversi import rank_moves
from games.computer.othello_search import Search
from games.othello import PASS, SQUARES, Move, OthelloPosition


@dataclass(frozen=True, slots=True)
class _Skill:
    """How far a level searches in one of the two games, and how random it is."""

    depth: int
    solve_at: int
    """Free squares at which it solves the game."""
    temperature: float = 0.0
    """A move worse by this many discs is chosen e times less often. 0: only the best."""
    greed: float = 0.0
    """The share of moves chosen by discs flipped, as beginners do."""


@dataclass(frozen=True, slots=True)
class _Level:
    othello: _Skill
    reversi: _Skill


_DEEPEST = 60
_SOLVE_AT = 20 if IS_ACCELERATED else 10
_LEVELS: Final = (
    # A player that takes corners and else maximizes flips four times out of five scores 63 %
    # against the first level, a random one 23 % (`tools.strength`).
    _Level(_Skill(1, 0, 4.0, greed=0.6), _Skill(1, 0, 3.0, greed=0.5)),
    _Level(_Skill(1, 0, 2.5, greed=0.1), _Skill(1, 0, 2.0)),
    _Level(_Skill(2, 4, 3.0), _Skill(1, 0, 0.4)),
    _Level(_Skill(4, 6, 1.0), _Skill(2, 0, 0.3)),
    _Level(_Skill(_DEEPEST, _SOLVE_AT), _Skill(_DEEPEST, 0)),
)
_OPENING = 48
_EQUAL = 60

_COUNTED_AT = 11 if IS_ACCELERATED else 8
_AHEAD = 4

_CORNERS = 0x8100000000000081
_FULL = (1 << 64) - 1
_WEST, _EAST = 0x7F7F7F7F7F7F7F7F, 0xFEFEFEFEFEFEFEFE
_EDGES = (tuple(range(8)), tuple(range(56, 64)), tuple(range(0, 64, 8)), tuple(range(7, 64, 8)))
_LATE = 16
_FEW = 3


_search = cache(Search)
_LARGE = 1 << 20 if IS_ACCELERATED else 1 << 14
_SMALL = 1 << 12


class OthelloEngine(Engine[OthelloPosition, Move, _Level]):
    """Plays Othello and Reversi."""

    levels = _LEVELS

    def move_at_level(
        self, view: OthelloPosition, seat: int, how: _Level, rng: Random, is_late: IsLate
    ) -> Move:
        moves = view.moves(seat)
        if len(moves) == 1 or view.is_opening:
            return rng.choice(moves)
        skill = how.othello if view.rules == "othello" else how.reversi
        is_highest = skill.temperature == 0
        equal = 1 if view.rules == "reversi" else _EQUAL if view.free.bit_count() > _OPENING else 0
        found = _ranked(
            view,
            is_late,
            depth=skill.depth,
            solve_at=skill.solve_at,
            margin=equal if is_highest else None,
            size=_LARGE if is_highest else _SMALL,
        )
        best = found[0]
        # Values of a shallower search cannot be compared with the rest.
        valued = {one.move: one.value for one in found if one.depth == best.depth}
        if is_highest:
            near = [move for move, value in valued.items() if value > best.value - equal]
            return rng.choice(near or [best.move])
        if rng.random() < skill.greed:
            valued = {move: DISC * view.flips(move).bit_count() for move in valued}
        most = max(valued.values())
        chances = [exp((value - most) / (skill.temperature * DISC)) for value in valued.values()]
        return rng.choices(list(valued), chances)[0]

    def rank(
        self, view: OthelloPosition, seat: int, *, is_late: IsLate = never
    ) -> tuple[Candidate[Move], ...]:
        if view.is_opening:
            return tuple(Candidate(move, 0.5, (move,)) for move in view.moves(seat))
        if not view.targets:
            best, *_ = self.rank(view.play(seat, PASS), 1 - seat, is_late=is_late)
            line = (PASS, *best.line)
            return (Candidate(PASS, 1 - best.expectation, line, best.is_exact),)
        return cap_expectations(
            Candidate(one.move, _expected(view, one), tuple(one.line), one.is_exact)
            for one in _ranked(view, is_late, depth=_DEEPEST, solve_at=_SOLVE_AT, size=_LARGE)
        )

    def reason(
        self, view: OthelloPosition, seat: int, move: Move, *, is_late: IsLate = never
    ) -> Note:
        square = move.square
        if square is None:
            return Note("must-pass")
        if view.is_opening:
            return Note("centre")
        after = view.play(seat, move)
        if not after.turn:
            return _result(after, seat)
        if 1 << square & _CORNERS:
            return Note("corner", {"square": SQUARES[square]})
        if len(view.moves(seat)) == 1:
            return Note("only")
        if view.rules == "othello" and after.free.bit_count() < _COUNTED_AT:
            counted = _counted(view, after, seat, is_late)
            if counted is not None:
                return counted
        return (
            _main_reason(view, seat, move)
            or _in_the_end(view, move, is_late)
            or _balance(after, seat)
        )


def _ranked(
    view: OthelloPosition,
    is_late: IsLate,
    *,
    depth: int,
    solve_at: int,
    margin: int | None = None,
    size: int = _SMALL,
) -> list[Ranked[Move]]:
    """Return the moves by the search for the rules of `view` (see `Search.rank_moves`)."""
    if view.rules == "reversi":
        return rank_moves(view, depth=depth, is_late=is_late, is_ranked=margin is None)
    return _search(size).rank_moves(
        view, depth=depth, solve_at=solve_at, margin=margin, is_late=is_late
    )


def _best(
    view: OthelloPosition, seat: int, is_late: IsLate, *, depth: int, solve_at: int
) -> Ranked[Move]:
    """Return the best move after a pass, if due, with its value for `seat`."""
    if not view.targets:
        view = view.play(view.side, PASS)
    best, *_ = _ranked(view, is_late, depth=depth, solve_at=solve_at, margin=0)
    return best if view.side == seat else replace(best, value=-best.value)


def _counted(
    view: OthelloPosition, after: OthelloPosition, seat: int, is_late: IsLate
) -> Note | None:
    found = [_best(it, seat, is_late, depth=0, solve_at=64) for it in (view, after)]
    if not all(one.is_exact for one in found):
        return None
    best, here = (one.value // DISC for one in found)
    score = {"own": 32 + here // 2, "other": 32 - here // 2}
    if here > 0:
        return Note("ahead", score)
    if here < best:
        return None
    return Note("behind", score) if here else Note("level")


def _in_the_end(view: OthelloPosition, move: Move, is_late: IsLate) -> Note | None:
    best, *_ = _ranked(view, is_late, depth=_AHEAD, solve_at=_AHEAD, margin=0)
    return Note("ahead-of", {"count": _AHEAD}) if best.move == move and not is_late() else None


def _expected(view: OthelloPosition, ranked: Ranked[Move]) -> float:
    """Return the expectation of a value.

    Level 4 against itself (40 games, 0.08 s per position) wins 73 % with a lead of 8 discs plus an
    eighth of the free squares. Levels 2 and 3 win somewhat less.
    """
    value = ranked.value
    if ranked.is_exact:
        return 0.5 if value == 0 else float(value > 0)
    return 1 / (1 + exp(-value / (DISC * (8 + view.free.bit_count() / 8))))


def _around(mask: int) -> int:
    wide = mask | (mask & _WEST) << 1 | (mask & _EAST) >> 1
    return (wide | wide << 8 | wide >> 8) & _FULL


def _region(free: int, square: int) -> int:
    found, grown = 0, 1 << square
    while found != grown:
        found, grown = grown, _around(grown) & free
    return found


def _given_by(after: OthelloPosition) -> int:
    """Return the corners that the side to move can take."""
    return after.targets & _CORNERS


def _balance(after: OthelloPosition, seat: int) -> Note:
    """Compare the mobility of both sides, or name only the search if it is worse."""
    counts = {"count": _choice(after, seat), "other": _choice(after, 1 - seat)}
    if given := _given_by(after):
        return Note("corner-for", {"square": SQUARES[next(bits(given))], **counts})
    return Note("balance", counts) if counts["count"] >= counts["other"] else Note("searched")


def _result(after: OthelloPosition, seat: int) -> Note:
    """Return the result of a finished game for `seat`."""
    own, other = (after.scores()[side] for side in (seat, 1 - seat))
    if own == other:
        return Note("draws")
    return Note("wins" if own > other else "loses", {"own": own, "other": other})


class _Effect(NamedTuple):
    """What a move does. `answers` and `choices` count the next moves of the opponent and `seat`."""

    before: OthelloPosition
    after: OthelloPosition
    seat: int
    square: int
    flipped: int
    given: int
    answers: int
    choices: int
    opened: int


def _effect(before: OthelloPosition, seat: int, move: Move) -> _Effect:
    assert move.square is not None
    after, flipped = before.play(seat, move), before.flips(move)
    return _Effect(
        before,
        after,
        seat,
        move.square,
        flipped,
        given=_given_by(after),
        answers=_choice(after, 1 - seat),
        choices=_choice(after, seat),
        opened=(_around(flipped) & after.free).bit_count(),
    )


def _main_reason(view: OthelloPosition, seat: int, move: Move) -> Note | None:
    """Return the most important reason for a move that does not end the game."""
    now = _effect(view, seat, move)
    if not now.after.targets:
        return Note("pass")
    others = [_effect(view, seat, other) for other in view.moves(seat) if other != move]
    if now.given:
        return _of_sacrifice(now, others)
    return (
        _of_corners(now, others)
        or _of_choice(now, others)
        or _of_place(now)
        or next(_compared(now, others), None)
    )


def _of_sacrifice(now: _Effect, others: list[_Effect]) -> Note | None:
    named = {"square": SQUARES[next(bits(now.given))]}
    if others and all(other.given for other in others):
        return Note("no-better", named)
    taken = [
        _targets(now.after.play(1 - now.seat, reply), now.seat) & _CORNERS
        for reply in now.after.moves(1 - now.seat)
        if reply.square is not None and now.given >> reply.square & 1
    ]
    if taken and all(taken):
        return Note("exchange", {**named, "other": SQUARES[next(bits(taken[0]))]})
    if now.answers <= _FEW:
        return Note("corner-but", {**named, "count": now.answers})
    return None


def _of_corners(now: _Effect, others: list[_Effect]) -> Note | None:
    guarded = _targets(now.before, 1 - now.seat) & _CORNERS & ~now.after.targets
    if guarded:
        return Note("guards", {"square": SQUARES[next(bits(guarded))]})
    aimed = _targets(now.after, now.seat) & _CORNERS & ~now.before.targets
    if aimed:
        return Note("threatens", {"square": SQUARES[next(bits(aimed))]})
    if _is_anchored(now.after.boards(now.seat)[0], now.square):
        return Note("safe")
    giving = _giving(others)
    return Note("keeps", {"count": giving}) if 2 * giving > len(others) else None


def _of_choice(now: _Effect, others: list[_Effect]) -> Note | None:
    is_fewer = any(other.answers > now.answers for other in others)
    if now.answers < _FEW or (now.answers == _FEW and is_fewer):
        return Note("mobility", {"count": now.answers})
    if others and now.answers < min(other.answers for other in others):
        return Note("fewest", {"count": now.answers})
    if not now.opened:
        return Note("inside")
    flipped, rest = now.flipped.bit_count(), [other.flipped.bit_count() for other in others]
    is_least = bool(rest) and flipped <= min(rest) and flipped < max(rest)
    if is_least and flipped < _FEW and now.after.free.bit_count() > _LATE:
        return Note("quiet", {"count": flipped})
    if now.choices >= now.answers + 2:
        return Note("choice", {"count": now.choices, "other": now.answers})
    return None


def _of_place(now: _Effect) -> Note | None:
    free = now.before.free
    place = _region(free, now.square)
    left = place.bit_count() - 1
    if free.bit_count() > _LATE or left % 2 or place == free:
        return None
    return Note("parity", {"count": left}) if left else Note("fills")


def _compared(now: _Effect, others: list[_Effect]) -> Iterator[Note]:
    """Yield what no other move does better, if some do worse."""
    measures: Mapping[str, Callable[[_Effect], int]] = {
        "as-few": lambda one: one.answers,
        "most": lambda one: -one.choices,
        "closed": lambda one: one.opened,
        "fewest-flipped": lambda one: one.flipped.bit_count(),
    }
    for code, measure in measures.items():
        mine, rest = measure(now), [measure(other) for other in others]
        if rest and mine <= min(rest) and mine < max(rest):
            yield Note(code, {"count": abs(mine)})
    if giving := _giving(others):
        yield Note("keeps", {"count": giving})


def _giving(others: list[_Effect]) -> int:
    return sum(1 for other in others if other.given)


def _is_anchored(own: int, square: int) -> bool:
    for edge in _EDGES:
        if square in edge:
            place = edge.index(square)
            if all(own >> other & 1 for other in edge[:place]) or all(
                own >> other & 1 for other in edge[place:]
            ):
                return True
    return False


def _on_turn(view: OthelloPosition, seat: int) -> OthelloPosition:
    return view if view.side == seat else replace(view, side=seat)


def _targets(view: OthelloPosition, seat: int) -> int:
    return _on_turn(view, seat).targets


def _choice(view: OthelloPosition, seat: int) -> int:
    it = _on_turn(view, seat)
    return len(it.moves(seat)) if it.targets else 0


ENGINE = OthelloEngine()
