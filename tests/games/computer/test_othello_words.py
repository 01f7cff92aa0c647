"""Reasons for a move of Othello or Reversi, each checked by the rules."""

from collections.abc import Callable, Iterator
from random import Random

import pytest

from games import Note
from games.computer.base import never
from games.computer.othello import ENGINE
from games.computer.othello_search import Search
from games.othello import GAME, SQUARES, Move, OthelloPosition
from tests.games.computer.reasons import Said, borne_out, check_words
from tests.games.computer.test_othello import board, margin, read

CORNERS = {"a1", "h1", "a8", "h8"}


def of(position: OthelloPosition, seat: int) -> OthelloPosition:
    """Return the same discs with `seat` to move."""
    setup = position.setup()
    return read(f"{setup[:-1]}{'XO'[seat]}", rules=position.rules)


def squares(position: OthelloPosition, seat: int) -> set[str]:
    """Return where the seat could play if it were to move."""
    moves = of(position, seat).moves(seat)
    return {SQUARES[move.square] for move in moves if move.square is not None}


def choice(position: OthelloPosition, seat: int) -> int:
    return sum(move.square is not None for move in of(position, seat).moves(seat))


def near(square: str) -> set[str]:
    file, rank = ord(square[0]), int(square[1])
    around = {f"{chr(file + x)}{rank + y}" for x in (-1, 0, 1) for y in (-1, 0, 1)}
    return around & set(SQUARES) - {square}


def owners(position: OthelloPosition) -> dict[str, int]:
    found = {name: position.disc(square) for square, name in enumerate(SQUARES)}
    return {name: seat for name, seat in found.items() if seat is not None}


class Claim(Said[OthelloPosition, Move]):
    """A reason, and what the rules say of its move."""

    @property
    def square(self) -> str:
        assert self.move.square is not None
        return SQUARES[self.move.square]

    @property
    def answers(self) -> int:
        return choice(self.after, 1 - self.seat)

    @property
    def choices(self) -> int:
        return choice(self.after, self.seat)

    @property
    def given(self) -> set[str]:
        return squares(self.after, 1 - self.seat) & CORNERS

    @property
    def flipped(self) -> set[str]:
        was, now = owners(self.before), owners(self.after)
        return {square for square, seat in was.items() if now[square] != seat}

    @property
    def opened(self) -> int:
        discs = owners(self.after)
        return len({free for disc in self.flipped for free in near(disc) if free not in discs})

    @property
    def room(self) -> int:
        """The number of connected free squares around the move, including its own."""
        discs, found, waiting = owners(self.before), set[str](), {self.square}
        while waiting:
            square = waiting.pop()
            found.add(square)
            waiting |= {one for one in near(square) if one not in discs} - found
        return len(found)

    @property
    def free(self) -> int:
        return 64 - len(owners(self.before))

    def ends(self) -> bool:
        own, other = (self.after.scores()[seat] for seat in (self.seat, 1 - self.seat))
        return not self.after.turn and (self.details["own"], self.details["other"]) == (own, other)

    def comes_to(self) -> int:
        own, other = int(self.details["own"]), int(self.details["other"])
        assert own + other == 64
        assert own - other == margin(self.after, self.seat)
        return own - other

    def is_anchored(self) -> bool:
        discs, file, rank = owners(self.after), self.square[0], self.square[1]
        row = [f"{one}{rank}" for one in "abcdefgh"] if rank in "18" else []
        column = [f"{file}{one}" for one in range(1, 9)] if file in "ah" else []
        for line in (row, column, row[::-1], column[::-1]):
            if line and all(
                discs.get(one) == self.seat for one in line[: line.index(self.square) + 1]
            ):
                return True
        return False


def best(measure: Callable[[Claim], int]) -> Callable[[Claim], bool]:
    def is_best(said: Claim) -> bool:
        mine, rest = measure(said), [measure(other) for other in said.others()]
        return said.details["count"] == abs(mine) and mine <= min(rest) and mine < max(rest)

    return is_best


IS_SO: dict[str, Callable[[Claim], bool]] = {
    "wins": lambda it: it.ends() and it.details["own"] > it.details["other"],  # type: ignore[operator]
    "loses": lambda it: it.ends() and it.details["own"] < it.details["other"],  # type: ignore[operator]
    "draws": lambda it: not it.after.turn and len(set(it.after.scores())) == 1,
    "ahead": lambda it: it.comes_to() > 0,
    "behind": lambda it: it.comes_to() == margin(it.before, it.seat) < 0,
    "level": lambda it: margin(it.after, it.seat) == margin(it.before, it.seat) == 0,
    "must-pass": lambda it: not squares(it.before, it.seat),
    "only": lambda it: not it.others(),
    "centre": lambda it: it.square in {"d4", "e4", "d5", "e5"} and it.free > 60,
    "corner": lambda it: it.square == it.details["square"] and it.square in CORNERS,
    "pass": lambda it: not squares(it.after, 1 - it.seat),
    "guards": lambda it: (
        it.details["square"] in CORNERS & squares(it.before, 1 - it.seat) and not it.given
    ),
    "threatens": lambda it: (
        it.details["square"] in CORNERS & squares(it.after, it.seat)
        and it.details["square"] not in squares(it.before, it.seat)
    ),
    "safe": Claim.is_anchored,
    "keeps": lambda it: (
        not it.given and it.details["count"] == sum(bool(other.given) for other in it.others()) > 0
    ),
    "no-better": lambda it: (
        it.details["square"] in it.given and all(other.given for other in it.others())
    ),
    "exchange": lambda it: (
        it.details["square"] in it.given
        and all(
            squares(it.after.play(1 - it.seat, reply), it.seat) & CORNERS
            for reply in it.after.moves(1 - it.seat)
            if reply.square is not None and SQUARES[reply.square] in it.given
        )
    ),
    "corner-but": lambda it: (
        it.details["square"] in it.given and it.details["count"] == it.answers <= 3
    ),
    "corner-for": lambda it: (
        it.details["square"] in it.given
        and (it.details["count"], it.details["other"]) == (it.choices, it.answers)
    ),
    "balance": lambda it: (
        (it.details["count"], it.details["other"]) == (it.choices, it.answers)
        and it.choices >= it.answers
    ),
    "searched": lambda it: it.choices < it.answers,
    "mobility": lambda it: (
        it.details["count"] == it.answers
        and (it.answers < 3 or (it.answers == 3 and any(o.answers > 3 for o in it.others())))
    ),
    "fewest": lambda it: (
        it.details["count"] == it.answers
        and all(other.answers > it.answers for other in it.others())
    ),
    "as-few": best(lambda it: it.answers),
    "most": best(lambda it: -it.choices),
    "closed": best(lambda it: it.opened),
    "fewest-flipped": best(lambda it: len(it.flipped)),
    "inside": lambda it: not it.opened,
    "quiet": lambda it: (
        it.details["count"] == len(it.flipped) <= 2
        and all(len(other.flipped) >= len(it.flipped) for other in it.others())
        and any(len(other.flipped) > len(it.flipped) for other in it.others())
    ),
    "choice": lambda it: (
        (it.details["count"], it.details["other"]) == (it.choices, it.answers)
        and it.choices > it.answers
    ),
    "fills": lambda it: it.room == 1,
    "parity": lambda it: it.details["count"] == it.room - 1 and it.room % 2 == 1,
    "ahead-of": lambda it: it.details["count"] == 4,
}
"""Reason -> does the rule book bear it out? `ahead-of` is what a search has seen."""


def reasons(rules: str) -> Iterator[tuple[Claim, Note]]:
    rng = Random(rules)
    for free in (*range(2, 7), *range(8, 61, 4 if rules == "othello" else 9)):
        for _ in range(2):
            position = board(free, rng, rules=rules)
            for move in position.moves(position.side):
                # Nearly everything is said at once.
                late = never if free < 7 else (lambda: True)
                note = ENGINE.reason(position, position.side, move, is_late=late)
                yield Claim(position, move, note.details), note


def test_every_move_has_a_reason_that_the_rules_bear_out_in_words_of_every_language() -> None:
    seen = set[str]()
    for rules in ("othello", "reversi"):
        seen |= borne_out("othello", IS_SO, reasons(rules))
    assert set(IS_SO) - seen <= {
        "ahead-of",
        "balance",
        "centre",
        "draws",
        "level",
        "loses",
        "most",
        "must-pass",
        "wins",
    }


def test_there_are_words_for_every_reason_and_no_others() -> None:
    check_words("othello", IS_SO)


WIN = "X.XXOOOOXXXXXOOOXXOXOXXOXXXOXXOOXXOXXOXOXXXOOOXXXXXXOOXXOOOOOOOX O"
DRAW = "OOOOOXXXOOOOOXXXOOXXXXXXOXOXXXXXOXXOOOXXOXXXOXXXOOXXXO.XOOOOOOOX O"
LOSS = "XXOOO.OXXOXXXXXXXOOXXXXXXOOXXXOXXOXXXXOXXXXOOXXXXXOXXXXXXXXXXXXX O"
NONE = "OOOOXXXXOOOOOOXOOOOOOOOOOOXXXXOOXOOXOOXOOOOOXOXOOOOOOXOO.OOOOOOO O"
WIDE = ".X.X....XOXXOOO..XXXOXO.OOXOO.O.OXOOOX..X.OOOX...XOX.X..O.X..... X"


@pytest.mark.parametrize(
    ("rules", "setup", "played", "code"),
    [
        ("othello", WIN, "b1", "wins"),
        ("othello", DRAW, "g7", "draws"),
        ("othello", LOSS, "f1", "loses"),
        ("othello", NONE, "pass", "must-pass"),
        ("reversi", WIDE, "b6", "most"),
        ("reversi", f"{'.' * 64} X", "d4", "centre"),
    ],
)
def test_what_is_rare_is_said_as_well(rules: str, setup: str, played: str, code: str) -> None:
    position = read(setup, rules=rules)
    # Passes are automatic, and rare reasons need a few plies of lookahead.
    move = next(it for it in position.moves(position.side) if GAME.notation(it).startswith(played))
    note = ENGINE.reason(position, position.side, move, is_late=lambda: True)
    assert note.code == code
    assert IS_SO[code](Claim(position, move, note.details))


def test_nothing_is_said_of_what_lies_ahead_but_by_whoever_had_the_time_to_look() -> None:
    position = read("..........XXX...OOOOOOO..XXOOOOO.XOXOOO..X.OXX.......XX.......X. X")
    (move,) = (it for it in position.moves(0) if GAME.notation(it) == "d7")
    assert ENGINE.reason(position, 0, move) == Note("ahead-of", {"count": 4})
    assert ENGINE.reason(position, 0, move, is_late=lambda: True).code == "corner-for"
    # Seen by a search of all moves, as wide as can be.
    found = Search(1 << 12).rank_moves(position, depth=4, solve_at=4, margin=None, is_late=never)
    assert found[0].move == move
