"""Reasons for a move of Sudoku Moyo, each checked by the rules."""

from collections.abc import Callable, Iterator
from random import Random

from games import Note
from games.computer.moyo import ENGINE
from games.moyo import SHIMA, MoyoPosition, Placement, cell_name
from tests.games.computer.reasons import Said, borne_out, check_words
from tests.games.computer.test_moyo import at_random, is_won, placements


def possible(position: MoyoPosition, seat: int) -> set[tuple[int, int]]:
    """Return the digits that fit on cells of the seat's Shima, by the stones on the board only."""
    digits, found = position.digits, set[tuple[int, int]]()
    for cell in SHIMA[seat]:
        if digits[cell]:
            continue
        row, column = divmod(cell, 9)
        seen = {
            digits[other]
            for other in range(81)
            if other // 9 == row
            or other % 9 == column
            or (other // 27 == row // 3 and other % 9 // 3 == column // 3)
        }
        found |= {(cell, digit) for digit in range(1, 10) if digit not in seen}
    return found


class Claim(Said[MoyoPosition, Placement]):
    """A reason, and what the rules say of its move."""

    @property
    def both(self) -> tuple[int, int]:
        return int(self.details["mine"]), int(self.details["theirs"])

    def costs(self) -> tuple[int, int]:
        """Return how many possible moves are lost: one's own and the opponent's."""
        mine, theirs = (
            len(possible(self.before, seat)) - len(possible(self.after, seat))
            for seat in (self.seat, 1 - self.seat)
        )
        return mine, theirs

    def is_best(self) -> bool:
        mine, theirs = self.costs()
        rest = [there - here for here, there in (other.costs() for other in self.others())]
        return theirs - mine >= max(rest) and theirs - mine > min(rest)

    def saves(self) -> bool:
        """True if the opponent could have made the digit impossible there."""
        place = (self.move.cell, self.move.digit)
        if self.details != {"square": cell_name(self.move.cell), "digit": self.move.digit}:
            return False
        row, column = divmod(self.move.cell, 9)
        return place in possible(self.before, self.seat) and any(
            digit == self.move.digit and (cell // 9 == row or cell % 9 == column)
            for cell, digit in possible(self.before, 1 - self.seat)
        )


IS_SO: dict[str, Callable[[Claim], bool]] = {
    "last": lambda it: it.after.outcome() is not None,
    "decides": lambda it: placements(it.after) > 16 or not is_won(it.after.fits, 1 - it.seat),
    "closes": lambda it: (
        (it.details["cells"], it.details["stones"]) == it.before.losses(1 - it.seat, it.move)
    ),
    "only": lambda it: not it.others(),
    "takes": lambda it: it.both == it.costs() and it.costs()[1] > it.costs()[0],
    "saves": Claim.saves,
    "cuts": lambda it: it.details["theirs"] == it.costs()[1] >= 3,
    "spares": lambda it: it.details["mine"] == it.costs()[0] <= 3,
    "best-trade": lambda it: it.both == it.costs() and it.is_best(),
    "ahead": lambda it: (
        it.both == (len(possible(it.after, it.seat)), len(possible(it.after, 1 - it.seat)))
        and int(it.details["mine"]) > int(it.details["theirs"])
    ),
    "searched": lambda it: it.costs()[1] <= it.costs()[0],
}


def reasons() -> Iterator[tuple[Claim, Note]]:
    for seed in range(6):
        rng = Random(seed)
        for now in at_random(seed)[seed % 2 :: 2]:
            for move in rng.sample(moves := now.moves(now.side), min(4, len(moves))):
                note = ENGINE.reason(now, now.side, move)
                yield Claim(now, move, note.details), note


def test_every_move_has_a_reason_that_the_rules_bear_out_in_words_of_every_language() -> None:
    seen = borne_out("moyo", IS_SO, reasons())
    assert set(IS_SO) - seen <= {"best-trade", "only"}


def test_there_are_words_for_every_reason_and_no_others() -> None:
    check_words("moyo", IS_SO)
