"""Reasons for a move of Sogo, each checked by the rules."""

from collections.abc import Callable, Iterator
from itertools import product
from random import Random

from games.base import Note, bits
from games.computer.sogo import ENGINE
from games.sogo import GAME, Move, SogoPosition
from tests.games.computer.reasons import Said, borne_out, check_words
from tests.games.computer.test_sogo import BY_THREATS, after
from tests.games.test_sogo import at, new


class Claim(Said[SogoPosition, Move]):
    """A reason, and what the rules say of its move."""

    @property
    def cell(self) -> int:
        return self.before.next_cell(self.move.rod)

    def lines(self) -> list[tuple[int, int]]:
        """Return for each line through the new stone how many other stones are own, and theirs."""
        own, theirs = (set(bits(self.before.stones[seat])) for seat in (self.seat, 1 - self.seat))
        others = [set(bits(line)) - {self.cell} for line in self.before.board.every_line]
        ours = [line for line in others if len(line) == self.before.size - 1]
        return [(len(line & own), len(line & theirs)) for line in ours]

    def count(self, kind: Callable[[int, int], bool]) -> bool:
        return self.details["lines"] == sum(kind(own, other) for own, other in self.lines()) > 0

    def missing(self, position: SogoPosition, seat: int) -> dict[int, bool]:
        """Return the cells that would complete a line of the seat, and if they are playable."""
        own = set(bits(position.stones[seat]))
        free = set(range(position.board.cells)) - {
            cell for stones in position.stones for cell in bits(stones)
        }
        lines = (set(bits(line)) for line in position.board.every_line)
        cells = {min(line - own) for line in lines if len(line - own) == 1 and line - own <= free}
        rods = range(position.board.rods)
        return {cell: cell in {position.next_cell(rod) for rod in rods} for cell in cells}

    def can_complete(self, seat: int) -> bool:
        return any(self.missing(self.after, seat).values())

    def threatens(self, name: str) -> bool:
        cells = self.missing(self.after, self.seat)
        return name in {
            self.before.board.cell_name(cell) for cell, is_near in cells.items() if is_near
        }

    def forks(self) -> bool:
        """True if a line can be completed after every answer."""
        answers = (self.after.play(1 - self.seat, it) for it in self.after.moves(1 - self.seat))
        return all(any(self.missing(it, self.seat).values()) for it in answers)

    def leaves_none(self) -> bool:
        answers = (self.after.play(1 - self.seat, it) for it in self.after.moves(1 - self.seat))
        return all(not it.turn or any(self.missing(it, self.seat).values()) for it in answers)

    def needs(self, cell: str, variant: str) -> bool:
        cells = self.missing(self.after, self.seat)
        names = {self.before.board.cell_name(one) for one, is_near in cells.items() if not is_near}
        return cell in names and self.before.variant == variant


IS_SO: dict[str, Callable[[Claim], bool]] = {
    "completes": lambda it: it.count(lambda own, _: own == it.before.size - 1),
    "takes": lambda it: (
        it.count(lambda own, _: own == it.before.size - 1)
        and sum(it.after.captures) == sum(it.before.captures) + 1
    ),
    "blocks": lambda it: it.count(lambda _, other: other == it.before.size - 1),
    "only": lambda it: not it.others(),
    "forces": lambda it: it.before.variant == "line",
    "forks": lambda it: it.forks() and not it.can_complete(1 - it.seat),
    "leaves-none": Claim.leaves_none,
    "threatens": lambda it: it.threatens(str(it.details["cell"])),
    "digs": lambda it: it.needs(str(it.details["cell"]), "line"),
    "lurks": lambda it: it.needs(str(it.details["cell"]), "capture"),
    "lets-none": lambda it: (
        not it.can_complete(1 - it.seat)
        and it.details["count"] == sum(other.can_complete(1 - it.seat) for other in it.others()) > 0
    ),
    "spoils": lambda it: it.count(lambda own, other: not own and other >= it.before.size - 2),
    "builds": lambda it: it.count(lambda own, other: own > 0 and not other),
    "opens": lambda it: it.count(lambda own, other: not own and not other),
    "hinders": lambda it: it.count(lambda own, other: not own and other > 0),
    "waits": lambda it: all(own and other for own, other in it.lines()),
}
"""Reason -> do the rules bear it out? What `forces` is tried by playing it, in `test_sogo`."""


def reasons() -> Iterator[tuple[Claim, Note]]:
    for size, variant in product("345", ("line", "capture")):
        rng = Random(f"{size} {variant}")
        for moves in (0, 9, 14, 18, 22, 40, 60, 110):
            position = after(new(int(size), variant), moves if moves < int(size) ** 3 else 20, rng)
            for move in rng.sample(found := position.moves(position.side), min(5, len(found))):
                # Threats that win are looked for elsewhere.
                note = ENGINE.reason(position, position.side, move, is_late=lambda: True)
                yield Claim(position, move, note.details), note


def test_every_move_has_a_reason_that_the_rules_bear_out_in_words_of_every_language() -> None:
    seen = borne_out("sogo", IS_SO, reasons())
    assert set(IS_SO) - seen <= {"forces", "leaves-none", "lets-none", "only", "waits"}


def test_there_are_words_for_every_reason_and_no_others() -> None:
    check_words("sogo", IS_SO)


def test_a_move_that_forces_a_win_says_in_how_many_stones() -> None:
    position = at(BY_THREATS[0][2])
    reason = ENGINE.reason(position, position.side, GAME.parse(position, position.side, "a4"))
    assert reason == Note("forces", {"stones": 5})
