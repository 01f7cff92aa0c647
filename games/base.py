"""The contract that every game keeps, and nothing else.

A game is a module of this package, called like the game, with a `Game` (facts, luck, notation) as
``GAME``, and the `Position` values that it starts. Nothing here knows chats, clocks, pictures or
people; a *seat* is a number, 0 moves first unless the rules say otherwise. How a game is drawn is
another contract (`renderers.base`).

All that is demanded of a game stands in the docstrings of this module. The tests of the contract
name no game: they play every one that there is, and one that fails quotes the sentence that is
broken.

Positions are values: frozen dataclasses with slots, hashable, never changed. Moves are, too, and so
are views, which need no hash. All of them can be pickled.

A stored match is ``options + setup + moves in notation``; `Game.replay` turns it back
into a position. All luck happens in `Game.new_setup`. A game knows how it ends by its rules, and
no other end: giving up, time, agreement, breaking off are the match's business, which then asks
the position that was reached for its `scores`, and for a `view` that reveals everything.

Errors, all of them with a text code and details, never prose; they can be pickled::

    GameError(ValueError)
    ├── InvalidMove      this is not a move in the game's notation
    ├── AmbiguousMove    it could be several moves (details name them)
    ├── IllegalMove      understood, and not allowed now, for the reason in the code
    └── InvalidSetup     options, setups and move lists that no match can have

A code is of small letters and digits, with single dashes between. What people type, and what is
stored, is refused with one of these errors or understood, whatever it is; nothing else is raised.

The words of a game are Fluent messages in ``bot/locales/<language>/<game>.ftl``, the same ones in
every language. All of these must be there::

    <game>-name, -about, -usage, -rules     what it is, in a line; how moves are typed, with
                                            ``$before`` before each: ``/othello ``, or whatever
                                            stands there; the rules, in at most 1500 characters
    <game>-seat-0, -seat-1                  what the seats are called
    <game>-role-<role>                      what a seat does now (`Game.role`), behind a name, and
    <game>-waits-<role>                     what all others wait for then, as a sentence
    <game>-mark-0, -mark-1                  a sign for each, behind a name
    <game>-option-<option>                  an option, and
    <game>-option-<option>-<choice>         each of its choices
    <game>-form-<form>                      a way to write moves (`Game.forms`)
    <game>-word-<word>                      what is typed for a word of the notation (`Game.words`):
                                            several may be, and the first one is what is shown
    <game>-error-<code>                     what is refused, unless the house has ``error-<code>``
    <game>-effect-<code>, -caution-, -fact- what is remarked (`Note`)
    <game>-prompt-<code>                    what is chosen next in a half-made move, as a sentence
    <game>-cell-<code>                      what lies on a cell of the picture (`renderers.Cell`)
    <game>-reason-<code>                    how it ended (`Outcome`); see below
    <game>-group-<group>                    what lies together in the picture (`renderers.Cell`)
    <game>-button-<step>                    a step that has no place there
    <game>-button-private                   what is done where nobody looks on, unless the house's
                                            ``button-private`` will do

A message gets the details of its code, and no others, but for these: errors get ``$before``, too;
facts and reasons get the names of whoever sits on seat 0 and 1, ``$first`` and ``$second``;
reasons get ``$winner`` and
``$loser``, the scores of both, ``$won`` and ``$lost``, and the choice of each option by its id.
``<game>-board-last`` may tell the last move better than the house does, with ``$move`` and its
steps, ``$step-1`` and so on. What the picture says in words is the
renderer's own business, under ``<game>-alt-...``.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, Generic, Self, TypeVar

__all__ = [
    "AmbiguousMove",
    "Game",
    "GameError",
    "IllegalMove",
    "InvalidMove",
    "InvalidSetup",
    "Note",
    "Option",
    "Options",
    "Outcome",
    "Position",
]

Options = Mapping[str, str]
"""Option id -> chosen value, complete and checked (see `Game.options_from`)."""


class GameError(ValueError):
    """Something a game refuses: a `code` for the text files and the `details` it needs."""

    def __init__(self, code: str, **details: str | int) -> None:
        super().__init__(code, details)
        self.code = code
        self.details = details

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions with keywords do not pickle by themselves; these cross process pools.
        return _raise_again, (type(self), self.code, self.details)

    def __str__(self) -> str:
        return " ".join([self.code, *(f"{key}={value}" for key, value in self.details.items())])


def _raise_again(kind: type[GameError], code: str, details: dict[str, str | int]) -> GameError:
    return kind(code, **details)


class InvalidMove(GameError):
    """The text is no move in this game's notation."""


class AmbiguousMove(GameError):
    """The text could mean several legal moves; details hold them as ``moves="a, b"``."""


class IllegalMove(GameError):
    """The move is understood and not allowed now; the code is the reason."""


class InvalidSetup(GameError):
    """Options, a setup or a move list that no match of this game can have."""


@dataclass(frozen=True, slots=True)
class Note:
    """A fact worth a line of text: a code and the numbers or notation that go into it.

    Each detail has a name like a code, and is a text or a number.
    """

    code: str
    details: Mapping[str, str | float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be chosen before a match: its id, the values, the default.

    There are at least two choices, all different, and the default is one of them. Where only one
    choice of another option gives it a meaning, `when` is that option's id and that choice.
    """

    id: str
    choices: tuple[str, ...]
    default: str
    when: tuple[str, str] | None = None

    def matters(self, options: Options) -> bool:
        """Has it a meaning, with these options?"""
        return self.when is None or options[self.when[0]] == self.when[1]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended.

    `winners` are seats. Empty is a draw, or in a match of one seat that it was not solved.
    `reason` is a code. `scores` has one number a seat; in a match of one seat it is a cost,
    so less is better.
    """

    winners: frozenset[int]
    reason: str
    scores: tuple[int, ...]

    @property
    def is_draw(self) -> bool:
        """Have several played, and none of them won?"""
        return not self.winners and len(self.scores) > 1


M = TypeVar("M")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Position(ABC, Generic[M, V]):
    """One state of a match. Subclasses are frozen dataclasses with slots.

    Every match comes to an end by the rules, if only by chance: two thousand random moves are more
    than enough.
    """

    history: ClassVar[tuple[str, ...]] = ()
    """The fields that only tell how it came to this position: a `setup` leaves them out."""

    @property
    def seats(self) -> int:
        """How many seats the match has: 2, or 1 where somebody plays alone."""
        return 2

    @property
    @abstractmethod
    def turn(self) -> frozenset[int]:
        """The seats who may act now by the rules; empty exactly when these have ended it."""

    @abstractmethod
    def moves(self, seat: int) -> tuple[M, ...]:
        """All complete legal moves of `seat`, each once, in a stable order; empty off turn.

        So they are for a seat that the match does not have. Whoever is on turn has one.
        """

    @abstractmethod
    def play(self, seat: int, move: M) -> Self:
        """The position after `move`, which is one of `moves`.

        Raises `IllegalMove` with the reason (``over``, ``not-your-turn``, or the game's own)
        for any other.
        """

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How it ended by the rules; None while somebody may act. Its scores are `scores`."""

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """What every seat has if nobody plays on: one number a seat (see `Outcome`)."""

    @abstractmethod
    def view(self, seat: int | None, *, reveal: bool = False) -> V:
        """All that `seat` (None: a spectator) may know; the position where nothing is hidden.

        `reveal` is for a match that has ended, however it did: everybody may know everything, and
        all views are equal. Where the rules themselves have ended it, they are so without it.
        Every view has the `turn` and the `outcome()` of its position; one that reveals a match
        which the rules have not ended may leave the turn out.
        """

    @abstractmethod
    def setup(self) -> str:
        """The setup of which `Game.start` makes an equal position, but for `history`.

        A setup is one line of printable ASCII. The setup of a first position is the one that it was
        started with. Where something is hidden, it holds the secret.
        """

    def can_win(self, seat: int) -> bool:
        """Is there a way left for `seat` to win by the rules, while the match is on?

        Where the time of the other side ends and there is none, it is a draw. Whoever wins in the
        end could do so all the while; of what only a long search would find it may be said.
        """
        return True

    def forced(self) -> tuple[int, M] | None:
        """A move that the rules leave no choice about and nobody should be asked to click.

        It is the only legal one, of the only seat on turn.
        """
        return None


P = TypeVar("P", bound="Position[Any, Any]")


class Game(ABC, Generic[P, M, V]):
    """The facts of a game, its luck and its notation. One instance a module: ``GAME``."""

    id: str
    """The module's name, and the command: 2 to 32 small letters and digits, a letter first.

    No other game and no command of the house is called so.
    """
    rules: int = 1
    """Rises when old records would replay differently: matches of older rules end then."""
    options: tuple[Option, ...] = ()
    classes: tuple[str, ...] = ()
    """The ids of the options by whose choices it is so much another game that somebody can be
    strong at one and weak at another."""
    easier_seat: int | None = None
    """The seat on which somebody new understands best what goes on; None: either will do."""
    unranked: tuple[tuple[str, str], ...] = ()
    """Choices, each behind its option, with any of which a match says nothing of how good anybody
    is, so that no leaderboard counts it."""
    takeback: bool = True
    """May a move be taken back by consent? Not where it has revealed something."""
    verbs: tuple[str, ...] = ()
    """First words of moves, where moves have them (``ask 17``); for help and completion."""
    words: tuple[str, ...] = ()
    """Whole words of the notation, in small letters, for which languages have others.

    These stand in the text files (``<game>-word-<word>``); `parse` never sees them.
    """
    rest_can_be_move: bool = False
    """Can what follows the first steps of a legal move be, by itself, another legal move?"""
    pad: tuple[str, ...] = ()
    """The second and last steps of all moves, in the order of a keypad, where these are few and the
    same whatever comes first; none elsewhere."""
    forms: tuple[str, ...] = ()
    """The ways to write moves among which a player may choose (see `write`), the usual one first;
    none where there is only the notation."""

    def options_from(self, chosen: Options) -> dict[str, str]:
        """`chosen` with the defaults filled in; `InvalidSetup` for what is not on offer."""
        known = {option.id: option for option in self.options}
        for key, value in chosen.items():
            if key not in known:
                raise InvalidSetup("unknown-option", option=key, options=", ".join(known))
            if value not in known[key].choices:
                raise InvalidSetup(
                    "unknown-choice", option=key, value=value, choices=", ".join(known[key].choices)
                )
        return {option.id: chosen.get(option.id, option.default) for option in self.options}

    def seats(self, options: Options) -> int:
        """How many seats a match has: 2, or 1 where somebody plays alone."""
        return 2

    def hidden(self, options: Options) -> bool:
        """Does some seat know what another may not?"""
        return False

    @abstractmethod
    def new_setup(self, options: Options, rng: Random) -> str:
        """A setup string for a new match; the only place where luck happens.

        The same luck gives the same setup.
        """

    @abstractmethod
    def start(self, options: Options, setup: str) -> P:
        """The position that `setup` describes, which may be any that a match can come to.

        Raises `InvalidSetup` for anything that is no setup, such as one for a new match whose
        end is missing.
        """

    @abstractmethod
    def parse(self, view: V, seat: int, text: str) -> M:
        """What `seat` means by `text`: lenient (case, spaces, full stops, dashes).

        Understands its own notation and the steps of a legal move joined by spaces, too.
        Raises `InvalidMove` or `AmbiguousMove`, or `IllegalMove` where only the position tells
        that it cannot be meant. A returned move need not be legal: `Position.play` decides.
        """

    @abstractmethod
    def notation(self, move: M) -> str:
        """The one strict way to write `move`: stored, shown, parsed back.

        It tells the legal moves of a position apart, has no blanks around it, and is printable, of
        at most 32 bytes.
        """

    def write(self, move: M, form: str) -> str:
        """`move` in one of `forms`, which `parse` understands; anything else gives the notation."""
        return self.notation(move)

    def steps(self, move: M) -> tuple[str, ...]:
        """`move` as clicks, prefix-free among the legal moves of a position.

        There is at least one, and none is empty. A step holds no "." and no ":", which buttons
        put between steps, and no blank. The steps of a move, joined by ".", are printable, of at
        most 32 bytes.
        """
        return (self.notation(move),)

    def is_secret(self, move: M) -> bool:
        """Is `move`, legal or not, of a kind that nobody is told of but whoever plays it?"""
        return False

    def is_tentative(self, notation: str) -> bool:
        """Is a move, by its `notation` (as it is stored), of a kind that binds nobody?

        Its player stays on turn, and can make it again and again: so it makes no offer void, nor
        brings the next one nearer. A game with such moves has no takebacks.
        """
        return False

    def observed_move(self, before: P, seat: int, move: M, observer: int | None) -> str | None:
        """What `observer` (a seat, or None for spectators) learns when `seat` plays a legal `move`.

        The notation, plus the answer where a move brings one; None for what is not theirs to know:
        a secret move, where `observer` is not `seat`. Whoever plays it is told.
        An observer's whole record of a match determines their view of it (the leak test).
        """
        return self.notation(move)

    def example(self, view: V, seat: int) -> M | None:
        """How a move of `seat` is written while some of its moves are secret, legal or not.

        By what everybody knows: `view` is that of a spectator. None where nothing is secret.
        """
        return None

    def half_made(self, view: V, seat: int, steps: tuple[str, ...]) -> V:
        """What is seen once the `steps` of a half-made move are taken, for those who listen.

        `view` itself where nothing lies elsewhere before the move is whole.
        """
        return view

    def effect(self, view: V, seat: int, move: M) -> Note | None:
        """What a legal `move` would do, in a few words ("flips 3"), for completion and buttons."""
        return None

    def prompt(self, view: V, seat: int, steps: tuple[str, ...]) -> Note | None:
        """What `seat` has to choose next, once the `steps` of a half-made move are taken.

        None where every move is a single step.
        """
        return None

    def caution(self, view: V, seat: int, move: M) -> Note | None:
        """Why `move`, though legal, deserves the question "really?"; None for most moves."""
        return None

    def role(self, view: V, seat: int) -> str | None:
        """What `seat` is for now, as a code, where seats change their parts; None where not.

        It is "" once all parts are played. Everybody may know it: it is the same in all views of a
        position.
        """
        return None

    def main_step(self, view: V, seat: int) -> str | None:
        """A step, of those that have no place in the picture, that `seat` is to be led to now."""
        return None

    def at_once(self, view: V, seat: int) -> int:
        """How many moves `seat` may choose together, of those of one step that it can make now.

        However they are chosen, they are legal one after the other, in any order. Where each is
        made by itself, it is 1.
        """
        return 1

    def facts(self, view: V, *, is_stopped: bool = False) -> tuple[Note, ...]:
        """One to three short facts that stand under the picture (score, phase, a pass just made).

        `is_stopped`: the match has ended while somebody could still move. What would have come
        next is no fact any more. Where the rules have ended it, what its outcome says already is
        not said again: there may be none.
        """
        return ()

    def plies(
        self, options: Options, setup: str, record: Iterable[tuple[int, str]]
    ) -> Iterator[tuple[P, int, M, P]]:
        """Every ply of a record (seat and notation): before, seat, move, after.

        Strict: moves must be written exactly as they are stored. Raises `GameError` for a record
        that no match can have.
        """
        position = self.start(options, setup)
        for seat, text in record:
            if seat not in position.turn:
                raise InvalidSetup("wrong-seat", seat=seat, move=text)
            move = self.parse(position.view(seat), seat, text)
            if self.notation(move) != text:
                raise InvalidSetup("not-notation", move=text)
            before, position = position, position.play(seat, move)
            yield before, seat, move, position

    def replay(self, options: Options, setup: str, record: Iterable[tuple[int, str]]) -> P:
        """The position after a record; see `plies`."""
        position = self.start(options, setup)
        for *_, after in self.plies(options, setup, record):
            position = after
        return position
