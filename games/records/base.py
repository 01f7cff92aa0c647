"""Records as values: what was played, and what a file says about it.

A `Record` opens as far as its moves can be played. Its `Fault` says what stopped it. Formats of one
game are a module of this package, named after the game, with ``FORMATS``. It is optional.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import Any, NamedTuple

import games
from games.base import Game, GameError, IllegalMove, Options

MOST_MOVES = 1000
"""More than any of 1,000 random matches of each game has."""
_SHOWN = 40
"""Characters of a wrong move that are quoted."""

Headers = tuple[tuple[str, str], ...]


class RecordError(GameError):
    """What was read is no record. The details have the `line` and the `move`, if it is one move."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a record ends early: a `GameError`, its line (in binary files its game), and the move.

    Without a move, the options or the set-up are wrong, and the record cannot be opened.
    """

    code: str
    line: int
    move: str
    details: tuple[tuple[str, str | int], ...] = ()

    @property
    def error(self) -> RecordError:
        return RecordError(
            self.code, **{**dict(self.details), "line": self.line, "move": self.move}
        )


@dataclass(frozen=True, slots=True)
class Record:
    """A game that was played, or a set-up without moves.

    `moves` are seats and notations, as `Game.replay` takes them. `seconds` has the time of each
    move, or is empty. Headers are those of PGN. The players are `Seat1` and `Seat2`.
    """

    game: str
    options: Options
    setup: str
    moves: tuple[tuple[int, str], ...] = ()
    seconds: tuple[float, ...] = ()
    headers: Headers = ()
    fault: Fault | None = None

    def header(self, name: str) -> str:
        """Return the value of a header, or ""."""
        return dict(self.headers).get(name, "")


class LazyRecord(Record):
    """A record that is read when it is first asked for: files have thousands."""

    __slots__ = ("_parts",)

    def __init__(
        self, game: str, head: Callable[..., Headers], play: Callable[..., Record], *arguments: Any
    ) -> None:
        # One tuple, as the garbage collector looks at every object of 60,000 records.
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "_parts", (head, play, *arguments))

    def __getattr__(self, name: str) -> Any:
        head, play, *arguments = object.__getattribute__(self, "_parts")
        if name == "headers":
            object.__setattr__(self, name, head(*arguments))
        elif name in _PLAYED:
            record = play(*arguments)
            for one in _PLAYED:
                object.__setattr__(self, one, getattr(record, one))
        return object.__getattribute__(self, name)


_PLAYED = ("options", "setup", "moves", "seconds", "fault")


class Word(NamedTuple):
    """A move as written, its place in the text, and its seconds and seat if they are known."""

    text: str
    at: int
    seconds: float | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Formats:
    """What the world has for one game besides our format. Readers return None for other formats."""

    writers: Mapping[str, Callable[[Record], str]] = field(default_factory=dict)
    read_file: Callable[[bytes, Sequence[bytes]], Sequence[Record] | None] = lambda *_: None
    read_text: Callable[[str], Sequence[Record] | None] = lambda _: None
    words: Callable[[list[Word]], list[Word]] = lambda words: words
    """Split, join or translate words into single moves."""
    setup: Callable[[Mapping[str, str]], str] = lambda headers: headers.get("Setup", "")
    """Return the setup that headers of PGN name, or ""."""
    seats: tuple[str, str] = ("White", "Black")
    """The headers of PGN for the players."""


def joined(words: list[Word], whole: Callable[[str, str], str]) -> list[Word]:
    """Join each word with the one before it if `whole` returns something for both."""
    found: list[Word] = []
    for word in words:
        if found and (text := whole(found[-1].text, word.text)):
            found[-1] = found[-1]._replace(text=text)
        else:
            found.append(word)
    return found


def usual_setup(game: Game[Any, Any, Any], options: Options) -> str:
    """Return the setup of all new matches, or "" if it is random."""
    dealt = {game.new_setup(options, Random(luck)) for luck in range(2)}
    return dealt.pop() if len(dealt) == 1 else ""


@cache
def option_sets(game_id: str) -> tuple[Options, ...]:
    """Return the default options, and each other choice by itself."""
    game = games.get(game_id)
    others = ({one.id: choice} for one in game.options for choice in one.choices)
    found = [game.options_from(chosen) for chosen in ({}, *others)]
    return tuple(options for at, options in enumerate(found) if options not in found[:at])


def played(
    game_id: str,
    words: Sequence[Word],
    *,
    headers: Headers = (),
    setup: str = "",
    chosen: Options | None = None,
    line_of: Callable[[int], int] = lambda at: at,
) -> Record:
    """Play `words` as far as possible.

    Without `chosen` options, these are the first with which most moves can be played.
    """
    tried: list[Record] = []
    for options in option_sets(game_id) if chosen is None else (chosen,):
        tried.append(_played(games.get(game_id), options, setup, words))
        if not tried[-1].fault:
            return replace(tried[-1], headers=headers)
    best = max(tried, key=lambda record: len(record.moves))
    assert best.fault is not None
    fault = replace(best.fault, line=line_of(best.fault.line))
    return replace(best, headers=headers, fault=fault)


def _played(
    game: Game[Any, Any, Any], chosen: Options, setup: str, words: Sequence[Word]
) -> Record:
    """Play `words`. The line of a fault is the place of its word."""
    moves: list[tuple[int, str]] = []
    seconds: list[float] = []
    options, fault, word = game.options_from({}), None, Word("", 0)
    try:
        options = game.options_from(chosen)
        setup = setup or usual_setup(game, options)
        position = game.start(options, setup)
        for word in words:
            if len(moves) >= MOST_MOVES:
                raise RecordError("record-moves", most=MOST_MOVES)
            for seat, move, after in list(_steps(game, position, word)):
                moves.append((seat, game.notation(move)))
                seconds.append(0)
                position = after
            seconds[-1] = word.seconds or 0
    except GameError as error:
        fault = Fault(error.code, word.at, word.text[:_SHOWN], tuple(error.details.items()))
    times = tuple(seconds) if any(word.seconds is not None for word in words) else ()
    return Record(game.id, options, setup, tuple(moves), times, fault=fault)


def _steps(game: Game[Any, Any, Any], position: Any, word: Word) -> Iterator[tuple[int, Any, Any]]:
    """Yield the move that `word` means, after forced moves that the record leaves out."""
    while True:
        turn = position.turn
        if not turn:
            raise IllegalMove("over")
        seat: int = word.seat if word.seat is not None and word.seat in turn else min(turn)
        try:
            move = game.parse(position.view(seat), seat, word.text)
            after = position.play(seat, move)
        except GameError:
            if (forced := position.forced()) is None:
                raise
            seat, move = forced
            position = position.play(seat, move)
            yield seat, move, position
        else:
            yield seat, move, after
            return
