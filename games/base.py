"""The contract of a game.

A game is a module of this package, named after the game. It exports ``GAME``, a `Game` (facts, luck
and notation), which starts `Position` values. Nothing here knows about chats, clocks, pictures or
users. A *seat* is a number. Seat 0 moves first unless the rules say otherwise. `renderers.base` is
the contract for drawing a game.

The docstrings of this module state every requirement. The contract tests name no game: they play
each one they find. A failing test quotes the sentence that was broken.

Positions, moves and views are immutable values: frozen dataclasses with slots. Positions and moves
are hashable. All of them can be pickled.

A stored match is ``options + setup + moves in notation``. `Game.replay` turns it back into a
position. All luck happens in `Game.new_setup`. A game ends only by its rules. Resignation,
timeouts, draw agreements and aborts belong to the match. The match then asks the position for its
`scores` and for a `view` that reveals everything.

Errors carry a text code and details, never prose. They can be pickled::

    GameError(ValueError)
    ├── InvalidMove      not a move in the game's notation
    ├── AmbiguousMove    several moves are possible; details list them
    ├── IllegalMove      not allowed now; the code is the reason
    └── InvalidSetup     options, a setup or a move list that no match can have

Codes are lower-case letters and digits with single dashes. Any typed or stored text is either
understood or refused with one of these errors. Nothing else is raised.

The texts of a game are Fluent messages in ``bot/locales/<language>/<game>.ftl``, with the same
messages in every language. All of these are required::

    <game>-name, -about, -usage, -rules     The name. One line about the game. How to type moves,
                                            each after ``$before`` (for example ``/othello ``). The
                                            rules, in at most 1500 characters.
    <game>-seat-0, -seat-1                  The names of the seats.
    <game>-role-<role>                      The seat's role (`Game.role`), shown after a name.
    <game>-waits-<role>                     A sentence: what the other players are waiting for.
    <game>-mark-0, -mark-1                  A symbol for each seat, shown after a name.
    <game>-option-<option>                  An option.
    <game>-option-<option>-<choice>         A choice of the option.
    <game>-form-<form>                      A way to write moves (`Game.notations`).
    <game>-word-<word>                      What players type for a word of the notation
                                            (`Game.words`). Of several, the first is shown.
    <game>-error-<code>                     An error, unless the bot has ``error-<code>``.
    <game>-effect-<code>, -caution-, -fact- A remark (`Note`).
    <game>-prompt-<code>                    A sentence: what to choose next in a partial move.
    <game>-cell-<code>                      What is on a cell of the picture (`renderers.Cell`).
    <game>-reason-<code>                    How the game ended (`Outcome`), see below.
    <game>-group-<group>                    A group of cells in the picture (`renderers.Cell`).
    <game>-button-<step>                    A step that has no cell in the picture.
    <game>-button-private                   What the player can do in private, unless the bot's
                                            ``button-private`` fits.

Messages receive the details of their code. Errors also receive ``$before``. Facts and reasons also
receive the names of the players on seats 0 and 1, as ``$first`` and ``$second``. Reasons also
receive ``$winner``, ``$loser``, their scores ``$won`` and ``$lost``, and the choice of each option
by its id.

``<game>-board-last`` may replace the bot's text for the last move. It receives ``$move`` and the
steps, ``$step-1`` and so on. ``<game>-typed-<option>`` and ``<game>-typed-<option>-<choice>`` may
list words that players type, the first of which is shown instead of the id.

Texts that describe the picture belong to the renderer, under ``<game>-alt-...``.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pkgutil import get_data
from random import Random
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar, cast

Options = Mapping[str, str]
"""Option id -> chosen value, complete and validated (see `Game.options_from`)."""


class GameError(ValueError):
    """An error of a game: a `code` for the text files and the `details` of its message."""

    def __init__(self, code: str, **details: str | int) -> None:
        super().__init__(code, details)
        self.code = code
        self.details = details

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions with keyword arguments do not pickle by default. These cross process pools.
        return partial(type(self), self.code, **self.details), ()

    def __str__(self) -> str:
        return " ".join([self.code, *(f"{key}={value}" for key, value in self.details.items())])


class InvalidMove(GameError):
    """The text is not a move in this game's notation."""


class AmbiguousMove(GameError):
    """The text could mean several legal moves. The details list them as ``moves="a, b"``."""


class IllegalMove(GameError):
    """The move is understood but not allowed now. The code is the reason."""


class InvalidSetup(GameError):
    """Options, a setup or a move list that no match of this game can have."""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark for players: a code and the numbers or notation to insert.

    Each detail has a name like a code, and is a text or a number.
    """

    code: str
    details: Mapping[str, str | float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a match: its id, its choices and the default.

    There are at least two choices, all different, and the default is one of them. Matches that are
    older than the option have the default.
    """

    id: str
    choices: tuple[str, ...]
    default: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended.

    `winners` are seats. It is empty for a draw and for an unsolved game of one seat. `reason` is a
    code. `scores` has one number per seat. In a game of one seat it is a cost: lower is better.
    """

    winners: frozenset[int]
    reason: str
    scores: tuple[int, ...]

    @property
    def is_draw(self) -> bool:
        """True if several seats played and none of them won."""
        return not self.winners and len(self.scores) > 1


class View(Protocol):
    """What every view has: the `turn` and the `outcome()` of its position."""

    @property
    def turn(self) -> frozenset[int]: ...

    def outcome(self) -> Outcome | None: ...


def stored(name: str) -> bytes:
    """Return a data file of this package."""
    data = get_data(__package__, name)
    assert data is not None
    return data


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


M = TypeVar("M")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Position(ABC, Generic[M, V]):
    """A state of a match. Subclasses are frozen dataclasses with slots.

    Every match ends by the rules. Two thousand random moves are more than enough.
    """

    history: ClassVar[tuple[str, ...]] = ()
    """Fields that only record how the position was reached. `setup` leaves them out."""

    @property
    def seats(self) -> int:
        """The number of seats: 2, or 1 for a solo game."""
        return 2

    @property
    @abstractmethod
    def turn(self) -> frozenset[int]:
        """The seats that may act now. Empty exactly when the rules have ended the match."""

    @abstractmethod
    def moves(self, seat: int) -> tuple[M, ...]:
        """Return all complete legal moves of `seat`, each once, in a stable order.

        Empty for a seat that is not to move or does not exist. A seat to move has a move.
        """

    @abstractmethod
    def play(self, seat: int, move: M) -> Self:
        """Return the position after `move`, which is one of `moves`.

        Raises `IllegalMove` for any other: ``over``, ``not-your-turn`` or a reason of the game.
        """

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return how the match ended by the rules, or None. Its scores equal `scores`."""

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """Return each seat's score if play stopped now: one number per seat (see `Outcome`)."""

    def view(self, seat: int | None, *, reveal: bool = False) -> V:
        """Return all that `seat` (None: a spectator) may know.

        The view is the position itself if nothing is hidden. `reveal` is for a match that has ended
        in any way: all views are then equal and hide nothing. If the rules ended the match, views
        are so without `reveal`.

        Every view has the `turn` and the `outcome()` of its position. Exception: a view that
        reveals a match which the rules have not ended may leave the turn out.
        """
        return cast("V", self)

    @abstractmethod
    def setup(self) -> str:
        """Return a setup from which `Game.start` makes an equal position, except for `history`.

        A setup is one line of printable ASCII. The setup of a first position is the one that it was
        started with. If the game hides anything, the setup contains the secret.
        """

    def check_turn(self, seat: int) -> None:
        """Raise `IllegalMove` if `seat` is not to move: ``over`` or ``not-your-turn``."""
        if seat not in (turn := self.turn):
            raise IllegalMove("not-your-turn" if turn else "over")

    def can_win(self, seat: int) -> bool:
        """Return whether `seat` can still win by the rules while the match is in progress.

        It is True for a seat that wins later. It may be True if only a long search would show
        otherwise. A timeout is a draw if the opponent cannot win.
        """
        return True

    def forced(self) -> tuple[int, M] | None:
        """Return the only legal move of the only seat to move, if a click would be pointless."""
        return None


P = TypeVar("P", bound="Position[Any, Any]")


class Game(ABC, Generic[P, M, V]):
    """The facts of a game, its luck and its notation. Each module has one instance, ``GAME``."""

    id: str
    """The module's name and the command: 2 to 32 lower-case letters and digits, a letter first. No
    other game and no command of the bot has this name."""
    rules_version: int = 1
    """Increase it when old records would replay differently. Matches of older rules then end."""
    options: tuple[Option, ...] = ()
    classes: tuple[str, ...] = ()
    """Ids of the options that split leaderboards: a player can be strong with one choice and weak
    with another."""
    easier_seat: int | None = None
    """The seat that is easier to understand for a new player, or None."""
    unranked: tuple[tuple[str, str], ...] = ()
    """Pairs of option and choice whose matches count in no leaderboard, as they say nothing about
    strength."""
    takeback: bool = True
    """True if players may agree to take a move back. False if moves reveal hidden information."""
    verbs: tuple[str, ...] = ()
    """First words of moves, if moves have any (``ask 17``), for help and completion."""
    words: tuple[str, ...] = ()
    """Lower-case words of the notation that languages translate, in texts ``<game>-word-<word>``.
    `parse` never sees the translations."""
    rest_can_be_move: bool = False
    """True if what follows the first steps of a legal move can itself be another legal move."""
    pad: tuple[str, ...] = ()
    """The second and last steps of all moves in keypad order, if they are few and the same for
    every first step. Otherwise empty."""
    notations: tuple[str, ...] = ()
    """The forms of `notation` that players can choose, the default first, if any."""

    def options_from(self, chosen: Options) -> dict[str, str]:
        """Return `chosen` with defaults. Raises `InvalidSetup` for unknown options or choices."""
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
        """Return the number of seats: 2, or 1 for a solo game."""
        return 2

    def has_secrets(self, options: Options) -> bool:
        """Return whether a seat knows anything that another seat may not know."""
        return False

    @abstractmethod
    def new_setup(self, options: Options, rng: Random) -> str:
        """Return a setup for a new match, determined by `rng`. All luck happens here."""

    @abstractmethod
    def start(self, options: Options, setup: str) -> P:
        """Return the position that `setup` describes, which may be any that a match can reach.

        Raises `InvalidSetup` for anything that is not a setup, even a truncated new one.
        """

    @abstractmethod
    def parse(self, view: V, seat: int, text: str) -> M:
        """Return the move that `seat` means by `text`: lenient (case, spaces, full stops, dashes).

        Accept the game's notation, and the steps of a legal move joined by spaces. Raises
        `InvalidMove` or `AmbiguousMove`, or `IllegalMove` if only the position shows that the move
        is impossible. The returned move need not be legal: `Position.play` decides.
        """

    @abstractmethod
    def notation(self, move: M, form: str = "") -> str:
        """Return the one strict way to write `move`: stored, shown and parsed back.

        Legal moves of a position have different notations. A notation is printable, has at most 32
        bytes and no surrounding whitespace. `form`: one of `notations`, which `parse` accepts, too.
        """

    def steps(self, move: M) -> tuple[str, ...]:
        """Return `move` as clicks, prefix-free among the legal moves of a position.

        There is at least one step, and none is empty. A step contains no whitespace, and no "." or
        ":", which buttons put between steps. The steps of a move, joined by ".", are printable and
        have at most 32 bytes.
        """
        return (self.notation(move),)

    def is_secret(self, move: M) -> bool:
        """Return whether `move`, legal or not, is of a kind that only its player may see."""
        return False

    def is_tentative(self, notation: str) -> bool:
        """Return whether a move, given by its stored `notation`, is not binding.

        Its player remains to move and can repeat it. It neither voids an offer nor counts towards
        the next one. A game with such moves has no takebacks.
        """
        return False

    def observed_move(self, before: P, seat: int, move: M, observer: int | None) -> str | None:
        """Return what `observer` (None: a spectator) learns when `seat` plays a legal `move`.

        This is the notation, plus the answer if the move has one. It is None for a secret move of
        another seat. The player of a move always sees it. An observer's whole record of a match
        determines their view of it (the leak test).
        """
        return self.notation(move)

    def example(self, view: V, seat: int) -> M | None:
        """Return an example of how `seat` writes a move, legal or not, while some moves are secret.

        `view` is a spectator's, so the example reveals nothing. None if nothing is secret.
        """
        return None

    def partial_view(self, view: V, seat: int, steps: tuple[str, ...]) -> V:
        """Return the view after the `steps` of a partial move, for facts and alt text.

        It is `view` itself if nothing moves before the move is complete.
        """
        return view

    def effect(self, view: V, seat: int, move: M) -> Note | None:
        """Describe what a legal `move` would do ("flips 3"), for completion and buttons."""
        return None

    def prompt(self, view: V, seat: int, steps: tuple[str, ...]) -> Note | None:
        """Return what to choose after the `steps` of a partial move. None for one-step moves."""
        return None

    def caution(self, view: V, seat: int, move: M) -> Note | None:
        """Return why a legal `move` needs confirmation ("really?"). None for most moves."""
        return None

    def role(self, view: V, seat: int) -> str | None:
        """Return the current role of `seat` as a code, if the game has roles that change.

        It is "" after the last role has ended, and the same in all views of a position.
        """
        return None

    def main_step(self, view: V, seat: int) -> str | None:
        """Return the step to emphasize for `seat`, among those that have no cell in the picture."""
        return None

    def max_selectable(self, view: V, seat: int) -> int:
        """Return how many single-step moves `seat` may choose together now.

        Any choice of that many is legal in any order. It is 1 if each move is made separately.
        """
        return 1

    def facts(self, view: V, *, is_stopped: bool = False) -> tuple[Note, ...]:
        """Return one to three short facts to show below the picture (score, phase, a pass).

        `is_stopped`: the match has ended although a seat could still move. Facts about what comes
        next are then left out. If the rules have ended the match, facts do not repeat the outcome
        and may be empty.
        """
        return ()

    def plies(
        self, options: Options, setup: str, record: Iterable[tuple[int, str]]
    ) -> Iterator[tuple[P, int, M, P]]:
        """Yield every ply of a record (seat and notation): before, seat, move, after.

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
        """Return the position after a record (see `plies`)."""
        position = self.start(options, setup)
        for *_, after in self.plies(options, setup, record):
            position = after
        return position
