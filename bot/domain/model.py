"""Values: users, places, matches, endings, offers, boards."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import games
from bot.domain.clocks import ClockState
from bot.domain.glicko import RatingChange
from bot.domain.links import new_code
from bot.domain.terms import Terms
from bot.domain.waits import Wait
from games import Outcome

PARENT = "parent"
"""The platform's id of the channel or group around a thread or topic."""
THREAD_OPENED, THREAD_CLOSED = "opened", "closed"
"""For the bot's own threads: opened, and the newest board at the time of closing."""
REACH, REACHED, REFUSED = "reach", "yes", "no"
"""Whether the last attempt to write there succeeded. Missing: not tried."""

ERASED = "gone:"
"""Prefix of `external` for direct chats of deleted users. No platform uses it."""

RECORD, HIDDEN = "record", "me"
"""Hides the user's record from others."""


class PlaceKind(StrEnum):
    """Whether a place is for many users or one."""

    CHANNEL = "channel"
    DIRECT = "direct"


class Status(StrEnum):
    """State of a match. Only a running match can be played."""

    PROPOSED = "proposed"
    RUNNING = "running"
    OVER = "over"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


class EndingKind(StrEnum):
    """How a match ended."""

    RULES = "rules"
    RESIGNED = "resigned"
    TIMEOUT = "timeout"
    AGREED = "agreed"
    ABORTED = "aborted"
    """By a seat, or by the bot (no seat) after a change of rules."""
    CALLED_OFF = "called-off"
    ABANDONED = "abandoned"
    UNPLAYED = "unplayed"
    """Resigned before the seat's first move. Not counted."""
    CLAIMED = "claimed"
    """By the opponent of a seat that had not moved for long."""
    CLOSED = "closed"
    SOLVED = "solved"
    MISSED = "missed"


_LOST = frozenset({EndingKind.RESIGNED, EndingKind.TIMEOUT, EndingKind.CLAIMED})
_OF_PUZZLES = frozenset({EndingKind.SOLVED, EndingKind.MISSED})
_FOR_NOTHING = frozenset(EndingKind) - _LOST - _OF_PUZZLES - {EndingKind.RULES, EndingKind.AGREED}
_WANTED = frozenset({EndingKind.RESIGNED, EndingKind.ABORTED, EndingKind.UNPLAYED}) | _OF_PUZZLES
_SOMEBODYS = _LOST | {EndingKind.UNPLAYED} | _OF_PUZZLES


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended, and the seat that caused it. Raises ValueError if that is missing."""

    kind: EndingKind
    by: int | None = None

    def __post_init__(self) -> None:
        if self.kind in _SOMEBODYS and self.by is None:
            raise ValueError(f"{self.kind} by nobody")

    @property
    def is_lost(self) -> bool:
        """Whether the causing seat loses."""
        return self.kind in _LOST

    @property
    def wanted_by(self) -> int | None:
        """The seat that chose this ending. None after a timeout or a claim."""
        return self.by if self.kind in _WANTED else None

    @property
    def is_solved(self) -> bool | None:
        """None if the match is no puzzle."""
        return self.kind is EndingKind.SOLVED if self.kind in _OF_PUZZLES else None

    @property
    def has_no_result(self) -> bool:
        return self.kind in _FOR_NOTHING


class OfferKind(StrEnum):
    """An offer of one seat to the other."""

    DRAW = "draw"
    ABORT = "abort"
    CLOCK = "clock"
    TAKEBACK = "takeback"


class OfferState(StrEnum):
    """State of an offer."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    VOID = "void"
    """A takeback has returned to before the offer."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer, when it was made, and its state."""

    kind: OfferKind
    by: int
    ply: int
    """Moves made at the time (`Match.moves_made`), plus tentative ones since."""
    made: int
    state: OfferState = OfferState.OPEN
    version: int = 0
    """The match's version of the state."""
    back_to: int = 0
    clock: str = ""
    """Clock: its stored form, "" for none."""

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "Offer":
        kind, state = OfferKind(stored["kind"]), OfferState(stored["state"])
        return cls(**{**stored, "kind": kind, "state": state})

    def is_open(self, moves_made: int) -> bool:
        """Return whether it can be accepted. The next move voids it."""
        return self.state is OfferState.OPEN and self.ply == moves_made


@dataclass(frozen=True, slots=True)
class User:
    """A person. `language` is None until chosen."""

    id: int
    name: str
    language: str | None
    settings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer player of level 1 to `games.computer.LEVELS`. It is no user."""

    level: int


@dataclass(frozen=True, slots=True)
class StudySide:
    """A side of a study. Its one user moves all sides. `name` is that of an imported record."""

    game: str
    seat: int
    name: str = ""


Player = int | Computer | StudySide
"""A player: the id of a user, a computer, or a side of a study."""

Headers = tuple[tuple[str, str], ...]
"""The headers of a record, as names and values."""


@dataclass(frozen=True, slots=True)
class Stranger(User):
    """A user of whom nothing is stored (id 0). `called` and `username` are the platform's."""

    platform: str
    external: str
    called: str
    username: str
    locale: str | None


@dataclass(frozen=True, slots=True)
class Session:
    """A browser session. `made` and `seen` (last used) are Unix seconds."""

    id: int
    label: str
    made: int
    seen: int


@dataclass(frozen=True, slots=True)
class Place:
    """A chat with the platform's id `external`. `community` is its server or group."""

    id: int
    platform: str
    external: str
    kind: PlaceKind
    community: str | None
    title: str
    settings: Mapping[str, str]

    @property
    def parent(self) -> str | None:
        return self.settings.get(PARENT)

    @property
    def is_erased(self) -> bool:
        """True for the direct chat of a deleted user."""
        return self.kind is PlaceKind.DIRECT and self.external.startswith(ERASED)

    @property
    def is_ours(self) -> bool:
        """True for a thread opened by the bot."""
        return THREAD_OPENED in self.settings

    @property
    def is_unreachable(self) -> bool:
        """True if the bot's last attempt to write here failed."""
        return self.settings.get(REACH) == REFUSED


@dataclass(frozen=True, slots=True)
class Ply:
    """A stored move: strict notation, Unix seconds."""

    seat: int
    notation: str
    at: int


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` steps."""

    done: int
    total: int
    is_given_up: bool = False

    @property
    def is_whole(self) -> bool:
        return self.done >= self.total


@dataclass(frozen=True, slots=True)
class Puzzle:
    """The puzzle of a match, secret until the end. Expectations are those of the player to move."""

    id: int
    best: str
    line: tuple[str, ...]
    expectation: float
    second: float
    """Expectation of the second-best move."""
    value: float | None = None
    """The puzzle's rating. This and the next two are None until it is decided."""
    before: float | None = None
    """The user's rating in puzzles of this game."""
    after: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMatch:
    """A match before it is stored."""

    game: str
    options: Mapping[str, str]
    place_id: int
    challenger: int
    opponent: int | None = None
    preferred_seat: int | None = None
    expires: int | None = None
    held_for: str = ""
    terms: Terms = Terms()
    seats: tuple[Player, ...] = ()
    """Empty for a challenge, like the next two, until it starts."""
    setup: str = ""
    turn: frozenset[int] = frozenset()
    puzzle: int | None = None
    headers: Headers | None = None
    code: str = field(default_factory=new_code)

    @property
    def rules(self) -> int:
        return games.get(self.game).rules_version

    @property
    def status(self) -> Status:
        return Status.RUNNING if self.seats else Status.PROPOSED


@dataclass(frozen=True, slots=True)
class Match:
    """One game being played. `seats` is empty while proposed. The `code` proves an invitation."""

    id: int
    code: str
    game: str
    rules: int
    options: Mapping[str, str]
    setup: str
    status: Status
    version: int
    place_id: int
    challenger: int
    opponent: int | None
    preferred_seat: int | None
    """None: random."""
    expires: int | None
    outcome: Outcome | None
    seats: tuple[Player, ...]
    plies: tuple[Ply, ...]
    ending: Ending | None = None
    playable_from: int = 1
    """The version since which the position and the meaning of buttons are the same."""
    is_unreadable: bool = False
    """True if the last replay failed."""
    news: int = 1
    """The version of the last event to notify players of."""
    news_by: int | None = None
    """The user who caused it and is not notified."""
    held_for: str = ""
    """The unknown user who is challenged: platform, colon, case-folded username."""
    offers: tuple[Offer, ...] = ()
    """Recent offers in any state, the newest last."""
    wait: Wait = Wait()
    taken_back: int = 0
    """Number of moves taken back. They are stored, but not in `plies`."""
    terms: Terms = Terms()
    clocks: ClockState | None = None
    given_back: int = 0
    """The version in which downtime of the bot was given back, or 0."""
    given_seconds: int = 0
    reminded: int = 0
    """The version in which the player to move was reminded, or 0."""
    away: tuple[int | None, ...] = ()
    """By seat, the end of a player's holiday in Unix seconds. Empty if there is none."""
    progress: Progress | None = None
    puzzle: Puzzle | None = None
    """The puzzle, if the match is an attempt at one. One move decides it."""
    has_met_too_often: bool = False
    """True if the match was not rated because the players met too often that day."""
    reratings: tuple[RatingChange, ...] = ()
    """Changes of ratings by seat. Empty if there are none, or they were not stored."""
    headers: Headers | None = None
    """Of the record of a study. Empty for another start from a position, None without one."""
    turn: frozenset[int] = field(default=frozenset(), compare=False)
    """The seats to move in the position. If the match has ended otherwise, only a replay tells."""

    def next_version(
        self,
        *,
        is_news: bool = False,
        by: int | None = None,
        keeps_position: bool = False,
        **changes: Any,
    ) -> "Match":
        """Return the next version. All changes at once, because `replace` is slow.

        `is_news`: players are notified, except the user `by`. `keeps_position`: moves and buttons
        keep their meaning, so earlier boards remain usable.
        """
        changes["version"] = version = self.version + 1
        if is_news:
            changes |= {"news": version, "news_by": by}
        if not keeps_position:
            changes |= {"playable_from": version, "wait": Wait()}
        return replace(self, **changes)

    @property
    def mover(self) -> int:
        """The seat that the user of a study moves."""
        return min(self.turn, default=0)

    @property
    def has_clock_compensation(self) -> bool:
        """True if nothing has happened since time was given back."""
        is_on = self.status is Status.RUNNING
        return self.given_back == self.version and is_on and self.given_seconds > 0

    @property
    def is_reminded(self) -> bool:
        """True if the last event is a reminder and the clock still runs."""
        is_running = self.clocks is not None and self.clocks.due is not None
        return self.reminded == self.news and is_running

    @property
    def moves_made(self) -> int:
        return len(self.plies) + self.taken_back

    @property
    def open_offers(self) -> tuple[Offer, ...]:
        if self.status is not Status.RUNNING:
            return ()
        return tuple(offer for offer in self.offers if offer.is_open(self.moves_made))

    @property
    def described_offers(self) -> tuple[Offer, ...]:
        """The offers described on the board: open ones and the last settled one, by age."""
        if self.status is not Status.RUNNING:
            return ()
        over = [
            offer
            for offer in self.offers
            if offer.state not in (OfferState.OPEN, OfferState.VOID)
            and offer.version >= self.playable_from
        ]
        last = sorted(over, key=lambda offer: offer.version)[-1:]
        return tuple(sorted([*self.open_offers, *last], key=lambda offer: offer.version))

    @property
    def offers_with_buttons(self) -> tuple[Offer, ...]:
        """The offers that have a row of buttons on the board, oldest first.

        Settled offers keep their rows until the next move, so that no button takes another's place.
        """
        now = self.open_offers
        offers = [one for one in self.offers if one in now or one.made > self.playable_from]
        while offers and offers[-1] not in now and offers[-1].made > self.wait.stale:
            offers.pop()
        return tuple(offers)

    def is_asked(self, seat: int | None) -> bool:
        """Return whether there is an open offer to a seat. Spectators (None) have none."""
        return any(seat not in (None, offer.by) for offer in self.open_offers)

    @property
    def offer_in_news(self) -> Offer | None:
        return next(
            (offer for offer in self.offers if self.news in (offer.made, offer.version)), None
        )

    def is_playable_at(self, version: int) -> bool:
        """Return whether the position is that of `version`."""
        return self.playable_from <= version <= self.version

    @property
    def handle(self) -> str:
        return self.held_for.partition(":")[2]

    @property
    def moves(self) -> tuple[tuple[int, str], ...]:
        return tuple((ply.seat, ply.notation) for ply in self.plies)

    @property
    def is_open(self) -> bool:
        """True for a challenge that anyone with the code may accept, if held for no username."""
        return self.status is Status.PROPOSED and self.opponent is None

    @property
    def was_open(self) -> bool:
        """True if one player accepted the open challenge of the other."""
        is_begun = self.status in (Status.RUNNING, Status.OVER)
        return is_begun and self.opponent is None and len(self.people) > 1

    @property
    def people(self) -> frozenset[int]:
        return frozenset(who for who in self.players if isinstance(who, int))

    @property
    def players(self) -> frozenset[Player]:
        named = (*self.seats, self.challenger, self.opponent)
        return frozenset(who for who in named if who is not None)

    @property
    def computer_seats(self) -> tuple[int, ...]:
        return tuple(at for at, who in enumerate(self.seats) if isinstance(who, Computer))

    @property
    def level(self) -> int | None:
        return next((who.level for who in self.seats if isinstance(who, Computer)), None)

    @property
    def is_puzzle(self) -> bool:
        return self.puzzle is not None

    @property
    def is_study(self) -> bool:
        """True if one user moves all sides, in private. It counts for nothing."""
        return self.headers is not None and not self.computer_seats

    @property
    def may_hint(self) -> bool:
        """True if hints are allowed by the terms, or harm no one."""
        is_alone = self.is_study or self.level is not None
        return self.terms.has_hints or (is_alone and self.puzzle is None)

    @property
    def allows_offers(self) -> bool:
        """True if there is an opponent."""
        return len(self.seats) > 1 and self.puzzle is None and not self.is_study

    @property
    def shows_solution(self) -> bool:
        """True if the board shows a puzzle's solution."""
        return self.puzzle is not None and self.ending is not None

    @property
    def offers_to_computers(self) -> tuple[Offer, ...]:
        if not self.computer_seats:
            return ()
        return tuple(offer for offer in self.open_offers if offer.by not in self.computer_seats)

    @property
    def has_work(self) -> bool:
        """True if a computer has to move or answer."""
        if self.status is not Status.RUNNING:
            return False
        return bool(self.offers_to_computers) or not self.turn.isdisjoint(self.computer_seats)

    def has_run_out(self, now: int) -> bool:
        running = self.clocks if self.status is Status.RUNNING else None
        return running is not None and running.has_run_out(now)

    def ending_if_resigned(self, seat: int) -> Ending:
        """Return the ending if this seat resigns. No result before its first move."""
        if self.is_study:
            return Ending(EndingKind.CLOSED, seat)
        if self.is_puzzle:
            return Ending(EndingKind.MISSED, seat)
        return Ending(EndingKind.RESIGNED if self.has_moved(seat) else EndingKind.UNPLAYED, seat)

    def claimed(self, seat: int) -> Ending:
        """Return the ending if this seat's opponent claims. No result before both have moved."""
        has_begun = len({ply.seat for ply in self.plies}) > 1
        return Ending(EndingKind.CLAIMED if has_begun else EndingKind.ABANDONED, seat)

    def timed_out(self, seat: int) -> Ending:
        """Return the ending if this seat runs out of time. No result before its first move."""
        return Ending(EndingKind.TIMEOUT if self.has_moved(seat) else EndingKind.ABANDONED, seat)

    def has_moved(self, seat: int) -> bool:
        return any(ply.seat == seat for ply in self.plies)

    def seat_of(self, user_id: int) -> int | None:
        if user_id in self.seats:
            return self.seats.index(user_id)
        return self.mover if user_id == self.challenger and self.is_study else None

    def user_at(self, seat: int) -> int | None:
        who = self.seats[seat]
        if isinstance(who, StudySide):
            return self.challenger
        return who if isinstance(who, int) else None


UNSURE = "?"
"""The message of a board whose arrival is unknown."""
MISSING = "-"
"""Prefix of the message of a deleted board, which stays away until requested."""


def is_reference(message: str | None) -> bool:
    """Return whether this refers to a message that may exist."""
    return message is not None and message != UNSURE and not message.startswith(MISSING)


@dataclass(frozen=True, slots=True)
class Board:
    """A message that shows a match. `seat` None is the spectators' view.

    `message` is the platform's id, `UNSURE`, prefixed by `MISSING`, or None until posted. `shown`
    and `wanted` are versions of the match. `news` is the version to notify of, `notified` the last
    one sent as `notice`. `former` and `former_notice` are messages to delete.
    """

    id: int
    match_id: int
    place_id: int
    seat: int | None
    message: str | None
    former: str | None
    shown: int
    wanted: int
    notice: str | None
    former_notice: str | None
    notified: int
    news: int
