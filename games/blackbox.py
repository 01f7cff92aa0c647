"""Black Box: find the stones in a closed box by the rays that come out of it, or do not.

Cells are named column letter, row number. Entries are numbered clockwise from the top left corner.
``T3``, ``R3``, ``B3`` (left to right) and ``L3`` (top to bottom) are accepted, too::

            1  2  3 ..  8
       32   a1 b1 c1    h1   9
       31   a2 b2 c2    h2   10
        :                     :
       25   a8 b8 c8    h8   16
            24 23 22 .. 17

Rules: the German Wikipedia article on Black Box (Eric Solomon, 1976). The rays are in `games.rays`.
Every answer on the border costs one point, so a ray through the box costs two. Every wrong stone
costs five. With ``mode=solo`` one seat searches a random box. With ``mode=hide`` two seats play two
legs: seat 1 hides and seat 0 seeks, then the other way round. The lower total wins.

A setup is the stones (``e8 c6 h2``) for ``solo``, nothing for ``hide``. That of a later position
has one text per leg, joined by slashes: ``e8 c6 h2|2 17|c6|seek``. Its fields are the stones, the
entries asked in order, the marks, and ``hide``, ``seek`` or ``guessed``. **It holds the secret.**
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from random import Random
from typing import Final, Self

from games import rays
from games.base import (
    Game,
    IllegalMove,
    InvalidMove,
    InvalidSetup,
    Note,
    Option,
    Options,
    Outcome,
    Position,
)
from games.blackbox_legs import Leg, cell_names, leg_text, listed, names_of, read_leg

WRONG_STONE: Final = 5
"""Points for a stone that was not found."""

_ON_CELLS: Final = ("mark", "unmark", "hide", "unhide")


@dataclass(frozen=True, slots=True)
class Move:
    """A `verb` and its target: an entry's number, a cell's name, or ""."""

    verb: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class Ray:
    """A ray. Its cells in order end with the stone of a hit. An accident may have none."""

    entry: int
    answer: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BlackBoxView:
    """What a viewer may know of a match: the current leg, and the revealed `former` one."""

    size: int
    number: int
    mode: str
    leg: int
    phase: str
    """``hide`` while stones are being hidden, ``seek``, or ``over``: the box is open."""
    turn: frozenset[int]
    seeker: int
    asked: tuple[int, ...]
    notes: tuple[tuple[int, str], ...]
    marks: tuple[str, ...]
    contradicted: tuple[int, ...]
    """Entries whose answers do not fit the marks, taken for all the stones."""
    cost: int
    """Points so far, including wrong stones once guessing is over."""
    stones: tuple[str, ...] | None
    """The stones. None if the viewer may not know them."""
    rays: tuple[Ray, ...]
    """The rays asked for, if the viewer may know the stones."""
    undetermined: tuple[tuple[str, ...], tuple[str, ...]]
    """Stones that could lie on other cells with the same answers, and these cells.

    Both are empty if there are none, if the viewer may not know the stones, or if it matters not:
    while they are searched, or hidden without `fair`.
    """
    is_guessed: bool
    last_leg: "BlackBoxView | None" = None
    result: Outcome | None = None

    def outcome(self) -> Outcome | None:
        return self.result

    @property
    def answers(self) -> dict[int, str]:
        return dict(self.notes)

    @property
    def unasked(self) -> tuple[int, ...]:
        """The entries without an answer."""
        answers = self.answers
        return tuple(entry for entry in range(1, 4 * self.size + 1) if entry not in answers)

    @property
    def found(self) -> tuple[str, ...]:
        """The marks that are on stones, as far as the viewer may know."""
        return tuple(mark for mark in self.marks if mark in (self.stones or ()))


_move = cache(Move)


@cache
def _seeks(size: int) -> tuple[tuple[Move, ...], tuple[tuple[Move, Move], ...]]:
    """Return the moves that ask each entry, and those that mark and unmark each cell."""
    asks = tuple(Move("ask", str(entry)) for entry in range(1, 4 * size + 1))
    return asks, tuple((Move("mark", name), Move("unmark", name)) for name in cell_names(size))


def _cell(size: int, name: str) -> int:
    try:
        return 1 << cell_names(size).index(name)
    except ValueError:
        raise IllegalMove("off-board", square=name) from None


@lru_cache(maxsize=256)
def _answers(size: int, stones: int, asked: tuple[int, ...]) -> Mapping[int, str]:
    """Return the answers by entry. Cached since a board needs them six times."""
    answers = {}
    for entry in asked:
        answers[entry] = out = rays.answer(size, stones, entry)
        if out.isdecimal():
            answers[int(out)] = str(entry)
    return answers


@lru_cache(maxsize=256)
def _contradicted(size: int, stones: int, asked: tuple[int, ...], marks: int) -> tuple[int, ...]:
    """Return the entries, in order, whose answers do not fit the marks. Cached as the answers."""
    answers = sorted(_answers(size, stones, asked).items()) if marks else ()
    return tuple(entry for entry, out in answers if rays.answer(size, marks, entry) != out)


@dataclass(frozen=True, slots=True)
class BlackBoxPosition(Position[Move, BlackBoxView]):
    """A match: the board, and its one or two legs. The last leg is the current one."""

    size: int
    number: int
    mode: str
    is_fair: bool
    """Whether only stones can be hidden that the answers determine."""
    legs: tuple[Leg, ...]

    @property
    def phase(self) -> str:
        leg = self.legs[-1]
        if leg.is_guessed:
            return "over"
        return "seek" if leg.is_hidden else "hide"

    @property
    def seats(self) -> int:
        return 1 if self.mode == "solo" else 2

    @property
    def turn(self) -> frozenset[int]:
        seeker = len(self.legs) - 1
        return frozenset({"hide": {1 - seeker}, "seek": {seeker}, "over": set()}[self.phase])

    def moves(self, seat: int) -> tuple[Move, ...]:
        if seat not in self.turn:
            return ()
        return tuple(self._hiding() if self.phase == "hide" else self._seeking())

    def _hiding(self) -> Iterator[Move]:
        stones = self.legs[-1].stones
        is_full = stones.bit_count() == self.number
        for at, name in enumerate(cell_names(self.size)):
            if stones >> at & 1:
                yield _move("unhide", name)
            elif not is_full:
                yield _move("hide", name)
        if is_full and not (self.is_fair and rays.other_layout(self.size, stones)):
            yield _move("ready")

    def _seeking(self) -> Iterator[Move]:
        leg = self.legs[-1]
        answers = self._answers(leg)
        asks, marks = _seeks(self.size)
        yield from (ask for entry, ask in enumerate(asks, 1) if entry not in answers)
        yield from (both[leg.marks >> at & 1] for at, both in enumerate(marks))
        if leg.marks:
            yield _move("clear")
        yield _move("guess")

    def play(self, seat: int, move: Move) -> Self:
        self.check_turn(seat)
        if self.phase == "hide":
            return self._with(self._hide(move))
        leg = self._seek(move)
        moved = self._with(leg)
        if leg.is_guessed and self.mode == "hide" and len(self.legs) == 1:
            return replace(moved, legs=(leg, Leg()))
        return moved

    def _with(self, leg: Leg) -> Self:
        return replace(self, legs=(*self.legs[:-1], leg))

    # Refusals to the hider name no cell and no count: the hidden stones must not reach a log.
    def _hide(self, move: Move) -> Leg:
        leg = self.legs[-1]
        is_full = leg.stones.bit_count() == self.number
        if move.verb == "ready":
            if not is_full:
                raise IllegalMove("not-all-hidden", stones=self.number)
            if self.is_fair and rays.other_layout(self.size, leg.stones):
                raise IllegalMove("not-determined")
            return replace(leg, is_hidden=True)
        if move.verb not in {"hide", "unhide"}:
            raise IllegalMove("still-hiding")
        cell = _cell(self.size, move.target)
        if move.verb == "unhide":
            if not leg.stones & cell:
                raise IllegalMove("nothing-hidden")
        elif leg.stones & cell:
            raise IllegalMove("hidden-there")
        elif is_full:
            raise IllegalMove("all-hidden", stones=self.number)
        return replace(leg, stones=leg.stones ^ cell)

    def _seek(self, move: Move) -> Leg:
        leg = self.legs[-1]
        match move.verb:
            case "ask":
                return replace(leg, asked=(*leg.asked, self._unanswered(move.target)))
            case "mark" | "unmark":
                cell = _cell(self.size, move.target)
                if bool(leg.marks & cell) == (move.verb == "mark"):
                    code = "marked" if move.verb == "mark" else "not-marked"
                    raise IllegalMove(code, square=move.target)
                return replace(leg, marks=leg.marks ^ cell)
            case "clear":
                if not leg.marks:
                    raise IllegalMove("no-marks")
                return replace(leg, marks=0)
            case "guess":
                return replace(leg, is_guessed=True)
            case _:
                raise IllegalMove("box-closed")

    def _unanswered(self, target: str) -> int:
        last = 4 * self.size
        if target not in map(str, range(1, last + 1)):
            raise IllegalMove("no-entry", entry=target, last=last)
        entry = int(target)
        answers = self._answers(self.legs[-1])
        if entry in answers:
            raise IllegalMove("already-asked", entry=entry, answer=answers[entry])
        return entry

    def answer(self, entry: int) -> str:
        return rays.answer(self.size, self.legs[-1].stones, entry)

    def _answers(self, leg: Leg) -> Mapping[int, str]:
        return _answers(self.size, leg.stones, leg.asked)

    def _cost(self, leg: Leg) -> int:
        cost = len(self._answers(leg))
        if leg.is_guessed:
            wrong, missed = leg.marks & ~leg.stones, leg.stones & ~leg.marks
            cost += WRONG_STONE * max(wrong.bit_count(), missed.bit_count())
        return cost

    def outcome(self) -> Outcome | None:
        if self.turn:
            return None
        costs = self.scores()
        if self.mode == "solo":
            leg = self.legs[-1]
            return Outcome(frozenset({0} if leg.marks == leg.stones else ()), "guessed", costs)
        if costs[0] == costs[1]:
            return Outcome(frozenset(), "equal-cost", costs)
        return Outcome(frozenset({costs.index(min(costs))}), "lower-cost", costs)

    def scores(self) -> tuple[int, ...]:
        """Return the points. A solo player who stops without a guess has missed every stone."""
        if self.mode == "hide":
            return (*map(self._cost, self.legs), 0)[:2]
        (leg,) = self.legs
        missed = 0 if leg.is_guessed else WRONG_STONE * self.number
        return (self._cost(leg) + missed,)

    def can_win(self, seat: int) -> bool:
        first, *second = map(self._cost, self.legs)
        return seat == 0 or not second or second[0] < first

    def view(self, seat: int | None, *, reveal: bool = False) -> BlackBoxView:
        is_hider = self.mode == "hide" and seat == 2 - len(self.legs)
        is_open = reveal or not self.turn
        return self._view(len(self.legs), knows=is_hider or is_open, is_open=is_open)

    def _view(self, number: int, *, knows: bool, is_open: bool) -> BlackBoxView:
        leg = self.legs[number - 1]
        is_current = number == len(self.legs)
        answers, cells = self._answers(leg), cell_names(self.size)
        return BlackBoxView(
            size=self.size,
            number=self.number,
            mode=self.mode,
            leg=number,
            phase="over" if is_open else self.phase,
            turn=frozenset() if is_open else self.turn,
            seeker=number - 1,
            asked=leg.asked,
            notes=tuple(sorted(answers.items())),
            marks=names_of(self.size, leg.marks),
            contradicted=_contradicted(self.size, leg.stones, leg.asked, leg.marks),
            cost=self.scores()[number - 1] if is_open and is_current else self._cost(leg),
            stones=names_of(self.size, leg.stones) if knows else None,
            rays=tuple(
                Ray(
                    entry,
                    answers[entry],
                    tuple(cells[at] for at in rays.path(self.size, leg.stones, entry)),
                )
                for entry in leg.asked
                if knows
            ),
            undetermined=self._elsewhere(leg, is_open=is_open) if knows else ((), ()),
            is_guessed=leg.is_guessed,
            last_leg=self._view(number - 1, knows=True, is_open=True) if number > 1 else None,
            result=self.outcome() if is_current else None,
        )

    def setup(self) -> str:
        text = "/".join(leg_text(self.size, leg) for leg in self.legs)
        if self.mode == "solo":
            return text.removesuffix(_SOLO)
        return "" if text == _HIDE else text

    def _elsewhere(self, leg: Leg, *, is_open: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        is_whole = leg.stones.bit_count() == self.number
        matters = is_open or (self.is_fair and not leg.is_hidden)
        twin = rays.other_layout(self.size, leg.stones) if is_whole and matters else None
        if twin is None:
            return (), ()
        return names_of(self.size, leg.stones & ~twin), names_of(self.size, twin & ~leg.stones)


_VERBS: Final = ("ask", *_ON_CELLS[:2], "clear", "guess", *_ON_CELLS[2:], "ready")
_SIDES: Final = ("top", "right", "bottom", "left")
_NOISE = str.maketrans(dict.fromkeys(".,;:!?#=", " ") | dict.fromkeys("-–—−"))
_TYPED = re.compile(
    rf"({'|'.join(_VERBS)})? ?(?:({'|'.join(_SIDES)}|[a-z]) ?([0-9]{{1,3}})|([0-9]{{1,3}}))?"
)


class BlackBox(Game[BlackBoxPosition, Move, BlackBoxView]):
    """Black Box: solo, or with a second player who hides."""

    id = "blackbox"
    rules_version = 2
    classes = ("size", "stones")
    easier_seat = 0
    unranked = (("fair", "no"),)
    options = (
        Option("mode", ("solo", "hide"), "solo"),
        Option("size", ("8", "5", "6", "10"), "8"),
        Option("stones", ("5", "4", "3", "6", "7", "8"), "5"),
        Option("fair", ("yes", "no"), "yes"),
    )
    takeback = False
    verbs = _VERBS
    words = (*_VERBS, *_SIDES)

    def seats(self, options: Options) -> int:
        return 1 if options["mode"] == "solo" else 2

    def has_secrets(self, options: Options) -> bool:
        return True

    def new_setup(self, options: Options, rng: Random) -> str:
        if options["mode"] == "hide":
            return ""
        size, number = int(options["size"]), int(options["stones"])
        stones = _deal(size, number, rng)
        while options["fair"] == "yes" and rays.other_layout(size, stones):
            stones = _deal(size, number, rng)
        return listed(size, stones)

    def start(self, options: Options, setup: str) -> BlackBoxPosition:
        """Return the position of a setup (see the module). Errors do not quote it: it is secret."""
        size, number, mode = int(options["size"]), int(options["stones"]), options["mode"]
        if "|" not in setup:
            if mode == "hide" and setup:
                raise InvalidSetup("setup", why="the stones are hidden by a seat")
            setup += _HIDE if mode == "hide" else _SOLO
        legs = tuple(read_leg(size, number, text) for text in setup.split("/"))
        if len(legs) > (2 if mode == "hide" else 1):
            raise InvalidSetup("setup", why="too many legs")
        if any(not leg.is_guessed for leg in legs[:-1]):
            raise InvalidSetup("setup", why="a leg after one that is not over")
        if mode == "hide" and len(legs) == 1 and legs[0].is_guessed:
            raise InvalidSetup("setup", why="no second leg")
        if mode == "solo" and not legs[0].is_hidden:
            raise InvalidSetup("setup", why="nobody is there to hide the stones")
        return BlackBoxPosition(size, number, mode, options["fair"] == "yes", legs)

    def parse(self, view: BlackBoxView, seat: int, text: str) -> Move:
        """Parse a verb and target, or a target alone: ask an entry, toggle a cell."""
        written = " ".join(text.casefold().translate(_NOISE).split())
        if written.startswith("guess "):
            raise InvalidMove("guess-cells")
        typed = _TYPED.fullmatch(written)
        if not typed:
            raise InvalidMove("notation", text=text[:40])
        verb, letter, along, digits = typed.groups()
        target = str(int(digits)) if digits else f"{letter}{int(along)}" if letter else ""
        # Of the letters for sides only B is also a column.
        is_entry = digits or (letter and (letter in _SIDES or letter in "trl"))
        if not verb and target:
            verb = "ask" if is_entry else _toggle(view, target)
        needs_cell, needs_entry = verb in _ON_CELLS, verb == "ask"
        if not verb or bool(target) != (needs_cell or needs_entry) or (needs_cell and digits):
            raise InvalidMove("notation", text=text[:40])
        if needs_entry and letter:
            target = _entry(view.size, letter[0], int(along))
        return Move(verb, target)

    def notation(self, move: Move, form: str = "") -> str:
        return f"{move.verb} {move.target}" if move.target else move.verb

    def steps(self, move: Move) -> tuple[str, ...]:
        return (move.target or move.verb,)

    def role(self, view: BlackBoxView, seat: int) -> str | None:
        if view.mode == "solo":
            return None
        if view.phase == "over":
            return ""
        return "seeker" if seat == view.seeker else "hider"

    def example(self, view: BlackBoxView, seat: int) -> Move | None:
        return Move("hide", "c3") if view.phase == "hide" and seat in view.turn else None

    def main_step(self, view: BlackBoxView, seat: int) -> str | None:
        is_whole = view.stones is not None and len(view.stones) == view.number
        may_end = is_whole and view.undetermined == ((), ())
        return "ready" if view.phase == "hide" and seat in view.turn and may_end else None

    def max_selectable(self, view: BlackBoxView, seat: int) -> int:
        if view.phase != "hide" or seat not in view.turn or view.stones is None:
            return 1
        return max(1, view.number - len(view.stones))

    def is_tentative(self, notation: str) -> bool:
        return notation.partition(" ")[0] in {"clear", *_ON_CELLS}

    def is_secret(self, move: Move) -> bool:
        return move.verb in ("hide", "unhide")

    def observed_move(
        self, before: BlackBoxPosition, seat: int, move: Move, observer: int | None
    ) -> str | None:
        """Return the move with its answer. A guess is answered with the stones."""
        told = self.notation(move)
        if self.is_secret(move) and observer != seat:
            return None
        match move.verb:
            case "ask":
                return f"{told} = {before.answer(int(move.target))}"
            case "guess":
                return f"{told} = {' '.join(names_of(before.size, before.legs[-1].stones))}"
            case _:
                return told

    def effect(self, view: BlackBoxView, seat: int, move: Move) -> Note | None:
        return Note("guess", {"count": len(view.marks)}) if move.verb == "guess" else None

    def caution(self, view: BlackBoxView, seat: int, move: Move) -> Note | None:
        if move.verb != "guess":
            return None
        if missing := view.number - len(view.marks):
            code = "too-few" if missing > 0 else "too-many"
            wrong = {"wrong": abs(missing), "points": abs(missing) * WRONG_STONE}
            return Note(code, {"count": len(view.marks), "stones": view.number, **wrong})
        if view.contradicted:
            return Note("contradiction", {"count": len(view.contradicted)})
        return None

    def facts(self, view: BlackBoxView, *, is_stopped: bool = False) -> tuple[Note, ...]:
        former = (_sum(view.last_leg), *_elsewhere(view.last_leg)) if view.last_leg else ()
        if view.phase == "hide":
            if view.stones is None:
                closed = {"seat": 1 - view.seeker, "stones": view.number, "leg": view.leg}
                return (Note("closed", closed), *former)
            hidden = len(view.stones)
            if elsewhere := _elsewhere(view):
                return (*elsewhere, *former)
            lying = {"hidden": hidden, "left": view.number - hidden}
            whose = {"seat": 1 - view.seeker, "leg": view.leg}
            return (Note("hiding", {"stones": view.number, **lying, **whose}), *former)
        if view.phase == "over":
            return (*former, _sum(view), *(_elsewhere(view) if view.is_guessed else ()))
        marks = {"count": len(view.marks), "stones": view.number}
        facts = (_points("cost", view, count=view.cost), Note("marks", marks))
        if view.contradicted:
            missing = max(0, view.number - len(view.marks))
            odd = {"count": len(view.contradicted), "missing": missing}
            return (*facts, Note("contradicted", odd))
        return (*facts, *former)


def _points(code: str, view: BlackBoxView, **points: int) -> Note:
    if view.mode == "solo":
        return Note(code, points)
    return Note(f"{code}-of", {"seat": view.seeker, **points})


def _elsewhere(view: BlackBoxView) -> tuple[Note, ...]:
    stones, cells = map(", ".join, view.undetermined)
    code = "elsewhere" if view.phase == "hide" else "undetermined"
    return (Note(code, {"stones": stones, "cells": cells}),) if stones else ()


def _sum(view: BlackBoxView) -> Note:
    if view.mode == "hide" and not view.is_guessed:
        # Aborted: reveal nothing about stones that were never guessed.
        return _points("cost", view, count=view.cost)
    answers = len(view.notes)
    wrong = (view.cost - answers) // WRONG_STONE
    stones = {"wrong": wrong, "each": WRONG_STONE, "stones": wrong * WRONG_STONE}
    return _points("sum", view, count=view.cost, answers=answers, **stones)


# What the setup of a first position leaves out: nothing asked, nothing marked yet.
_SOLO: Final = "|||seek"
_HIDE: Final = "|||hide"


def _deal(size: int, number: int, rng: Random) -> int:
    return sum(1 << at for at in rng.sample(range(size * size), number))


def _toggle(view: BlackBoxView, cell: str) -> str:
    if view.phase == "hide":
        return "unhide" if cell in (view.stones or ()) else "hide"
    return "unmark" if cell in view.marks else "mark"


def _entry(size: int, side: str, along: int) -> str:
    """Return the entry at `along` of a side (``t r b l``). Raises `IllegalMove` if none."""
    if side not in "trbl" or not 1 <= along <= size:
        raise IllegalMove("no-entry", entry=f"{side}{along}".upper(), last=4 * size)
    first = {"t": 0, "r": size, "b": 3 * size + 1, "l": 4 * size + 1}[side]
    return str(first + along if side in "tr" else first - along)


GAME = BlackBox()
