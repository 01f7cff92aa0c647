"""Reasons for a move of Nine Men's Morris, each checked by the rules."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from games import Note
from games.computer.morris import ENGINE
from games.morris import GAME, MILLS, NEIGHBOURS, POINTS, MorrisPosition, Move
from tests.games.computer.reasons import Said, borne_out, check_words
from tests.games.test_morris import play, start


def threats(position: MorrisPosition, seat: int) -> set[str]:
    """Return the points where the seat could close a mill if it were to move."""
    turned = replace(position, mover=seat)
    return {POINTS[move.target] for move in turned.moves(seat) if turned.closes(move)}


def stones(position: MorrisPosition, seat: int) -> set[str]:
    return {name for point, name in enumerate(POINTS) if position.owner(point) == seat}


def near(square: str) -> set[str]:
    return {
        name for point, name in enumerate(POINTS) if NEIGHBOURS[POINTS.index(square)] >> point & 1
    }


def ways(position: MorrisPosition, seat: int) -> int:
    """Return how many slides the seat's men have."""
    free = set(POINTS) - stones(position, 0) - stones(position, 1)
    return sum(len(near(stone) & free) for stone in stones(position, seat))


def mills(position: MorrisPosition, seat: int) -> set[frozenset[str]]:
    lines = (frozenset(POINTS[point] for point in mill) for mill in MILLS)
    return {line for line in lines if line <= stones(position, seat)}


class Claim(Said[MorrisPosition, Move]):
    """A reason, and what the rules say of its move."""

    @property
    def target(self) -> str:
        return POINTS[self.move.target]

    @property
    def own(self) -> set[str]:
        return threats(self.after, self.seat)

    @property
    def theirs(self) -> set[str]:
        return threats(self.after, 1 - self.seat)

    def takes(self) -> bool:
        closed = mills(self.after, self.seat) - mills(self.before, self.seat)
        taken = stones(self.before, 1 - self.seat) - stones(self.after, 1 - self.seat)
        return bool(closed) and taken == {self.details["square"]}

    def closed(self) -> int:
        return sum(self.target in line for line in mills(self.after, self.seat))

    def leaves_mill(self) -> bool:
        origin = self.move.origin
        return origin is not None and any(
            POINTS[origin] in line for line in mills(self.before, self.seat)
        )

    def prevents(self) -> int:
        """Count the opponent's mills that need the point that the move occupies."""
        if self.target not in threats(self.before, 1 - self.seat):
            return 0
        theirs = stones(self.before, 1 - self.seat) | {self.target}
        lines = ({POINTS[point] for point in mill} for mill in MILLS)
        return sum(self.target in line and line <= theirs for line in lines)

    def blocks(self) -> int:
        return self.prevents() if self.details["square"] == self.target else 0

    def frees(self) -> bool:
        freed = str(self.details["freed"])
        free = set(POINTS) - stones(self.before, 0) - stones(self.before, 1)
        return freed in stones(self.after, self.seat) and not near(freed) & free

    def winning(self, reason: str) -> bool:
        outcome = self.after.outcome()
        return outcome is not None and self.seat in outcome.winners and outcome.reason == reason

    def most(self, seat: int, sign: int) -> bool:
        mine = sign * ways(self.after, seat)
        rest = [sign * ways(other.after, seat) for other in self.others()]
        return mine == sign * int(self.details["count"]) and mine >= max(rest) and mine > min(rest)

    def lacks(self) -> bool:
        third = self.details["square"]
        lines = ({POINTS[point] for point in mill} for mill in MILLS)
        return (
            any(
                self.target in line and line - stones(self.after, self.seat) == {third}
                for line in lines
            )
            and self.after.owner(POINTS.index(str(third))) is None
        )


IS_SO: dict[str, Callable[[Claim], bool]] = {
    "draws": lambda it: (end := it.after.outcome()) is not None and not end.winners,
    "last-three": lambda it: it.winning("few-stones"),
    "shuts-in": lambda it: it.winning("no-move"),
    "only": lambda it: not it.others(),
    "mill": lambda it: it.closed() == 1 and it.move.taken is None,
    "mill-takes": Claim.takes,
    "two-mills": lambda it: it.takes() and it.closed() == 2,
    "double-mill": lambda it: it.takes() and it.leaves_mill(),
    "mill-and-threat": lambda it: (
        it.takes() and bool(threats(it.before, 1 - it.seat) - it.theirs - {it.target})
    ),
    "mill-and-free": lambda it: it.takes() and it.frees(),
    "blocks": lambda it: it.blocks() == 1 and not it.theirs,
    "blocks-one": lambda it: it.blocks() > 0 and it.details["other"] in it.theirs,
    "blocks-two": lambda it: it.blocks() == 2 and not it.theirs,
    "two-threats": lambda it: len(it.own) >= 2 and bool(it.own - threats(it.before, it.seat)),
    "threatens": lambda it: it.details["square"] in it.own - threats(it.before, it.seat),
    "opens": lambda it: it.leaves_mill() and it.details["square"] in it.own,
    "lets-none": lambda it: (
        not it.theirs
        and it.details["count"] == sum(bool(other.theirs) for other in it.others()) > 0
    ),
    "no-better": lambda it: (
        it.details["square"] in it.theirs and all(other.theirs for other in it.others())
    ),
    "races": lambda it: bool(it.theirs) and it.details["square"] in it.own,
    "hems-in": lambda it: (
        it.details["count"] == ways(it.after, 1 - it.seat) <= 4
        and not any(it.after.hands)
        and len(stones(it.after, 1 - it.seat)) > 3
    ),
    "crossing": lambda it: len(near(it.target)) == 4,
    "prepares": Claim.lacks,
    # A stone that is placed always brings some.
    "room": lambda it: (
        it.move.origin is not None and ways(it.after, it.seat) > ways(it.before, it.seat)
    ),
    "cramps": lambda it: (
        it.details["count"] == ways(it.after, 1 - it.seat) < ways(it.before, 1 - it.seat)
    ),
    "keeps-mill": lambda it: (
        bool(mills(it.after, it.seat)) and mills(it.after, it.seat) == mills(it.before, it.seat)
    ),
    "most-room": lambda it: it.most(it.seat, 1),
    "least-room": lambda it: it.most(1 - it.seat, -1),
    "balance": lambda it: (
        (it.details["count"], it.details["other"])
        == (ways(it.after, it.seat), ways(it.after, 1 - it.seat))
        and ways(it.after, it.seat) > ways(it.after, 1 - it.seat)
    ),
    "searched": lambda it: ways(it.after, it.seat) <= ways(it.after, 1 - it.seat),
}


def reasons() -> Iterator[tuple[Claim, Note]]:
    rng = Random(4)
    for match in range(12):
        position = start(draw_after="20", capture_from_mills=("if_no_other", "never")[match % 2])
        while position.turn:
            moves = position.moves(position.mover)
            for move in rng.sample(moves, min(3, len(moves))):
                if note := ENGINE.reason(position, position.mover, move):
                    yield Claim(position, move, note.details), note
            mills = [move for move in moves if position.closes(move)]
            position = position.play(position.mover, rng.choice(mills or moves))


@pytest.mark.slow
def test_the_rules_bear_every_reason_out_which_has_words_in_every_language() -> None:
    seen = borne_out("morris", IS_SO, reasons())
    assert set(IS_SO) - seen <= {"blocks-two", "draws", "mill", "only", "shuts-in"}


def test_there_are_words_for_every_reason_and_no_others() -> None:
    check_words("morris", IS_SO)


def test_what_only_leaves_the_other_side_more_room_is_no_reason() -> None:
    view = play(start(), "b4")
    note = ENGINE.reason(view, view.mover, GAME.parse(view, view.mover, "e4"))
    assert note == Note("searched")
