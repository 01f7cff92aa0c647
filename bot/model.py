"""The house's nouns as values: users, places, matches, endings, offers, boards.

A *user* is a person and may have several identities (one a platform). A *place* is a chat, channel,
thread or direct conversation. A *match* is one game being played; a *seat* is a side in it, where
a user sits or a *computer*. Its *ending* is how, and by whom, it ended; an *offer* is what one seat
offers the other. A *board* is a message in a place that shows a match, seen by one seat or by
everybody. A *session* is a browser that is logged in.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bot.clocks import Running
from bot.glicko import Estimate
from bot.terms import Terms
from games import Outcome

__all__ = [
    "ERASED",
    "HIDDEN",
    "MISSING",
    "PARENT",
    "REACH",
    "REACHED",
    "RECORD",
    "REFUSED",
    "THREAD_CLOSED",
    "THREAD_OPENED",
    "UNSURE",
    "Board",
    "Computer",
    "Ending",
    "EndingKind",
    "Match",
    "NewMatch",
    "Offer",
    "OfferKind",
    "OfferState",
    "Place",
    "PlaceKind",
    "Ply",
    "Puzzle",
    "Quotas",
    "Rerating",
    "Session",
    "Sitter",
    "Status",
    "Stranger",
    "User",
    "is_reference",
]


# What the house notes of a place among its settings.
PARENT = "parent"
"""Of a thread or topic: what the platform calls the channel or group around it."""
THREAD_OPENED, THREAD_CLOSED = "opened", "closed"
"""Of a thread of ours: that it is, and which board was its newest when it was closed."""
REACH, REACHED, REFUSED = "reach", "yes", "no"
"""Could we say something new when we last wanted to? Not there: nobody has tried."""

ERASED = "gone:"
"""How what is left of the conversation of somebody erased is called: no platform calls any so."""

# What a person can set, and the store has to know.
RECORD, HIDDEN = "record", "me"
"""Who is told how they have played: everybody, or nobody but they."""


class PlaceKind(StrEnum):
    """Who is in a place: many people, or one person and the bot."""

    CHANNEL = "channel"
    DIRECT = "direct"


class Status(StrEnum):
    """Where a match stands. Only a running match can be played."""

    PROPOSED = "proposed"
    RUNNING = "running"
    OVER = "over"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


class EndingKind(StrEnum):
    """How a match can end."""

    RULES = "rules"
    """The game was played to its end."""
    RESIGNED = "resigned"
    """A seat gave up."""
    TIMEOUT = "timeout"
    """A seat ran out of time."""
    AGREED = "agreed"
    """The seats agreed to a draw."""
    ABORTED = "aborted"
    """Called off by a seat, or by the house (no seat), which has other rules now."""
    CALLED_OFF = "called-off"
    """Called off as the seats agreed."""
    ABANDONED = "abandoned"
    """Nobody played on."""
    UNPLAYED = "unplayed"
    """A seat gave up before it had made a move: nothing was played that could count."""
    CLOSED = "closed"
    """Closed by whoever manages the place where it was played, or by the host."""
    SOLVED = "solved"
    """Of a puzzle: a seat has found the best move."""
    MISSED = "missed"
    """Of a puzzle: a seat has played another one, or wanted to be told."""


_LOST = frozenset({EndingKind.RESIGNED, EndingKind.TIMEOUT})
_FOR_NOTHING = frozenset(
    {
        EndingKind.ABORTED,
        EndingKind.CALLED_OFF,
        EndingKind.ABANDONED,
        EndingKind.UNPLAYED,
        EndingKind.CLOSED,
    }
)
_OF_PUZZLES = frozenset({EndingKind.SOLVED, EndingKind.MISSED})
_WANTED = frozenset({EndingKind.RESIGNED, EndingKind.ABORTED, EndingKind.UNPLAYED}) | _OF_PUZZLES
_SOMEBODYS = _LOST | {EndingKind.UNPLAYED} | _OF_PUZZLES


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended, and by which seat, where it was one seat's doing.

    Raises ValueError where it can only be somebody's doing and nobody is named.
    """

    kind: EndingKind
    by: int | None = None

    def __post_init__(self) -> None:
        if self.kind in _SOMEBODYS and self.by is None:
            raise ValueError(f"{self.kind} by nobody")

    @property
    def is_lost(self) -> bool:
        """Does the seat that it was done by lose?"""
        return self.kind in _LOST

    @property
    def wanted_by(self) -> int | None:
        """The seat that ended it so and knows; whoever ran out of time has done nothing."""
        return self.by if self.kind in _WANTED else None

    @property
    def is_solved(self) -> bool | None:
        """Is a puzzle solved by it? None where it says nothing of one."""
        return self.kind is EndingKind.SOLVED if self.kind in _OF_PUZZLES else None

    @property
    def is_for_nothing(self) -> bool:
        """Does the match count for nobody?"""
        return self.kind in _FOR_NOTHING


class OfferKind(StrEnum):
    """What one seat can offer the other, which changes nothing until that one accepts it."""

    DRAW = "draw"
    """That the match ends in a draw."""
    ABORT = "abort"
    """That the match is called off, and counts for nobody."""
    CLOCK = "clock"
    """That the match goes on with another clock, which begins anew for both."""
    TAKEBACK = "takeback"
    """That the match goes back to before the last move of whoever offers it."""


class OfferState(StrEnum):
    """What has become of an offer."""

    OPEN = "open"
    ACCEPTED = "accepted"
    """Of a takeback or a clock: any other that is accepted ends the match."""
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    VOID = "void"
    """The match has gone back to before it was made. What a move makes void stays as it was."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a seat has offered the other, after how many moves, and what has become of it."""

    kind: OfferKind
    by: int
    """The seat whose offer it is."""
    ply: int
    """So many moves had been made (`Match.moves_made`), and such that bind nobody since."""
    made: int
    """The version of the match since which there is this offer."""
    state: OfferState = OfferState.OPEN
    version: int = 0
    """The version since which it is in this state."""
    back_to: int = 0
    """Of a takeback: so many of the match's plies would stay."""
    clock: str = ""
    """Of a clock: which one, as it is stored; "" for none."""

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "Offer":
        """The offer that is stored by the names of its fields."""
        return cls(
            OfferKind(stored["kind"]),
            stored["by"],
            stored["ply"],
            stored["made"],
            OfferState(stored["state"]),
            stored["version"],
            # Those that were made before moves could be taken back say nothing of that.
            stored.get("back_to", 0),
            stored.get("clock", ""),
        )

    def is_open(self, moves_made: int) -> bool:
        """Can it still be accepted, after so many moves? The next one makes it void."""
        return self.state is OfferState.OPEN and self.ply == moves_made


@dataclass(frozen=True, slots=True)
class User:
    """A person. `language` is None until chosen; `settings` are their own."""

    id: int
    name: str
    language: str | None
    settings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Computer:
    """Who sits where no person does, of a level from 1 to `games.computer.LEVELS`.

    It is no user: it has no identity, no settings and no record, and is told nothing.
    """

    level: int


Sitter = int | Computer
"""Who sits on a seat: a user, by their id, or a computer."""


@dataclass(frozen=True, slots=True)
class Stranger(User):
    """Somebody of whom nothing is stored: all there is is what their platform tells just now.

    The `id` is 0, nobody's; `called` and `username` are what the platform shows of them.
    """

    platform: str
    external: str
    called: str
    username: str
    locale: str | None


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that a person is known in; `made` and `seen` (last used) are Unix seconds."""

    id: int
    label: str
    made: int
    seen: int


@dataclass(frozen=True, slots=True)
class Place:
    """A chat on one platform; `external` is the platform's own name for it.

    `community` names the server or group that it belongs to, whose people may be named there;
    None where nobody but those in the place itself may.
    """

    id: int
    platform: str
    external: str
    kind: PlaceKind
    community: str | None
    title: str
    settings: Mapping[str, str]

    @property
    def parent(self) -> str | None:
        """What the platform calls the channel or group around a thread or topic."""
        return self.settings.get(PARENT)

    @property
    def is_erased(self) -> bool:
        """Was it the conversation of somebody who has been erased? It reaches nobody."""
        return self.kind is PlaceKind.DIRECT and self.external.startswith(ERASED)

    @property
    def is_ours(self) -> bool:
        """Is it a thread that we have opened ourselves?"""
        return THREAD_OPENED in self.settings

    @property
    def is_closed(self) -> bool:
        """Were we refused when we last wanted to say something new here?"""
        return self.settings.get(REACH) == REFUSED


@dataclass(frozen=True, slots=True)
class Ply:
    """One move as stored: who, what (strict notation), when (Unix seconds)."""

    seat: int
    notation: str
    at: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How far something is: so many of `total` are done."""

    done: int
    total: int
    is_given_up: bool = False
    """Does nobody go on with it, until somebody asks for that?"""

    @property
    def is_whole(self) -> bool:
        """Is there nothing left to do?"""
        return self.done >= self.total


@dataclass(frozen=True, slots=True)
class Rerating:
    """What a match has made of somebody's rating: what it was until then, and what it is since."""

    before: Estimate
    after: Estimate


@dataclass(frozen=True, slots=True)
class Puzzle:
    """What is to be found in a match that is a puzzle, and what has come of it.

    Its person must not know the solution before the match is over. Expectations are those of
    whoever is to move, from 0 to 1; the last three are None before it is decided.
    """

    id: int
    best: str
    """The one best move, as it is stored."""
    line: tuple[str, ...]
    """How it would go on, `best` first."""
    expectation: float
    second: float
    """What the next best move is worth."""
    value: float | None = None
    """How hard it was taken for (as a rating) when it was decided."""
    before: float | None = None
    """How strong its person was taken for in puzzles of this game, before and after."""
    after: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMatch:
    """What a match has before it is stored, when it is offered or begun."""

    code: str
    game: str
    rules: int
    options: Mapping[str, str]
    place_id: int
    challenger: int
    opponent: int | None = None
    preferred_seat: int | None = None
    expires: int | None = None
    held_for: str = ""
    terms: Terms = Terms()
    seats: tuple[Sitter, ...] = ()
    """Who sits where, of a match that waits for nobody; empty: that is seen when it begins."""
    puzzle: int | None = None
    """The id of the puzzle that it is an attempt at; None: it is none."""


@dataclass(frozen=True, slots=True)
class Quotas:
    """How much of it one person may have; `now` is when it is asked, in Unix seconds."""

    now: int
    open_challenges: int
    """Of one's own that wait for an answer."""
    challenges_from_one: int
    """From one person to one other that came to nothing, in a day."""
    challenges_from_all: int
    """To one person that they have not answered, in a day."""
    running_matches: int
    lines: int
    """In our rooms, in an hour: a new board there is one that everybody reads."""


@dataclass(frozen=True, slots=True)
class Match:
    """One game being played, as stored. `seats` is who sits there; empty while proposed.

    Whoever knows the `code` of a challenge was handed it, and may take it up (`bot.links`).
    """

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
    """The seat that the challenger asked for; None leaves it to the lot."""
    expires: int | None
    outcome: Outcome | None
    """What it came to; None while it is on, and where it came to nothing."""
    seats: tuple[Sitter, ...]
    plies: tuple[Ply, ...]
    ending: Ending | None = None
    """How it ended; None unless it is over."""
    stands_since: int = 1
    """The version since which what can be played, and what a press means, is what it is now."""
    is_aside: bool = False
    """Could it not be replayed when it was last tried?"""
    news: int = 1
    """The last version in which there was something to tell people, such as whose turn it is."""
    news_by: int | None = None
    """Whose doing that was: nobody is told of their own; None where it was nobody's."""
    held_for: str = ""
    """Whom a challenge waits for whom nobody here knows yet: the platform, a colon, and their
    username there, case-folded."""
    offers: tuple[Offer, ...] = ()
    """What has been offered in the last moves, the newest last, whatever has become of it."""
    asked: int = 0
    """The version by which people were asked last whether they play on; 0: never."""
    taken_back: int = 0
    """So many moves were taken back: they are stored, and are none of `plies`."""
    terms: Terms = Terms()
    """What has been agreed on beside the options."""
    running: Running | None = None
    """What is left of it; None where there is no clock, or the match has not begun."""
    given_back: int = 0
    """The version by which time was given back last in which the house was away; 0: never."""
    given_seconds: int = 0
    """How much that was."""
    reminded: int = 0
    """The version by which whoever is on turn was reminded last that their time ends; 0: never."""
    away: tuple[int | None, ...] = ()
    """By seat, until when its player is on holiday, in Unix seconds; empty: nobody ever was, or its
    clock is not of days."""
    analysed: Progress | None = None
    """How many of its moves were looked at again, once it was over; None: nobody has asked."""
    puzzle: Puzzle | None = None
    """What is to be found in it, where it is an attempt at a puzzle: one move decides it."""
    has_met_too_often: bool = False
    """Is it over, and changed no rating, for its two had met so often in a day already?"""
    reratings: tuple[Rerating, ...] = ()
    """By seat, what it has made of both ratings; empty: it changed none, or that was not noted."""

    @property
    def is_given_back(self) -> bool:
        """Has nothing happened since time was given back?"""
        is_on = self.status is Status.RUNNING
        return self.given_back == self.version and is_on and self.given_seconds > 0

    @property
    def is_reminded(self) -> bool:
        """Is it the last news that somebody's time ends, and does it still run?"""
        is_running = self.running is not None and self.running.due is not None
        return self.reminded == self.news and is_running

    @property
    def is_asked(self) -> bool:
        """Has nothing happened since people were asked whether they play on?"""
        return self.asked == self.version and self.status is Status.RUNNING

    @property
    def moves_made(self) -> int:
        """How many moves were made, those that were taken back among them."""
        return len(self.plies) + self.taken_back

    @property
    def open_offers(self) -> tuple[Offer, ...]:
        """The offers that can still be accepted."""
        if self.status is not Status.RUNNING:
            return ()
        return tuple(offer for offer in self.offers if offer.is_open(self.moves_made))

    def asked_of(self, seat: int | None) -> tuple[Offer, ...]:
        """The offers that this seat is to answer; None, who only looks on, has none."""
        return tuple(offer for offer in self.open_offers if seat not in (None, offer.by))

    @property
    def offer_in_news(self) -> Offer | None:
        """The offer that the last news was about: made then, or answered."""
        return next(
            (offer for offer in self.offers if self.news in (offer.made, offer.version)), None
        )

    def is_as_seen(self, version: int) -> bool:
        """Is what can be played still what it was at `version`? Offers come and go beside it."""
        return self.stands_since <= version <= self.version

    @property
    def handle(self) -> str:
        """The username that a challenge is held for; empty where it is for anybody, or a person."""
        return self.held_for.partition(":")[2]

    @property
    def moves(self) -> tuple[tuple[int, str], ...]:
        """All moves that count, secret ones too, as a game reads them: seat and notation."""
        return tuple((ply.seat, ply.notation) for ply in self.plies)

    @property
    def people(self) -> frozenset[int]:
        """The ids of all users who have to do with this match."""
        named = (*self.seats, self.challenger, self.opponent)
        return frozenset(user for user in named if isinstance(user, int))

    @property
    def sitters(self) -> frozenset[Sitter]:
        """All of these, and the computers that play."""
        return self.people.union(self.seats)

    @property
    def computers(self) -> tuple[int, ...]:
        """The seats of computers."""
        return tuple(at for at, who in enumerate(self.seats) if isinstance(who, Computer))

    @property
    def level(self) -> int | None:
        """The level of the computer that plays in it; None where people play."""
        return next((who.level for who in self.seats if isinstance(who, Computer)), None)

    @property
    def is_attempt(self) -> bool:
        """Does somebody try a puzzle in it? Then nobody plays against anybody."""
        return self.puzzle is not None

    @property
    def may_hint(self) -> bool:
        """May whoever plays be told a good move? As agreed on, or where nobody is harmed by it."""
        return self.terms.has_hints or (self.level is not None and not self.is_attempt)

    @property
    def may_offer(self) -> bool:
        """Is there another side, to which something can be offered?"""
        return len(self.seats) > 1 and not self.is_attempt

    @property
    def shows_solution(self) -> bool:
        """Does its board show what was to be found in it, whatever was played?"""
        return self.is_attempt and self.ending is not None

    @property
    def offers_to_computers(self) -> tuple[Offer, ...]:
        """What people have offered a computer, and it has not answered."""
        if not self.computers:
            return ()
        return tuple(offer for offer in self.open_offers if offer.by not in self.computers)

    def has_work(self, turn: Collection[int]) -> bool:
        """Has a computer something to do, with these seats on turn: a move, or an answer?"""
        if self.status is not Status.RUNNING or not self.computers:
            return False
        return bool(self.offers_to_computers) or not set(self.computers).isdisjoint(turn)

    def given_up(self, seat: int) -> Ending:
        """How the match ends if this seat gives it up: for nobody, before its first move."""
        if self.is_attempt:
            return Ending(EndingKind.MISSED, seat)
        has_moved = any(ply.seat == seat for ply in self.plies)
        return Ending(EndingKind.RESIGNED if has_moved else EndingKind.UNPLAYED, seat)

    def timed_out(self, seat: int) -> Ending:
        """How the match ends if the time of this seat does: for nobody, before its first move."""
        has_moved = any(ply.seat == seat for ply in self.plies)
        return Ending(EndingKind.TIMEOUT if has_moved else EndingKind.ABANDONED, seat)

    def seat_of(self, user_id: int) -> int | None:
        """The seat of a user in this match, or None."""
        return self.seats.index(user_id) if user_id in self.seats else None

    def user_at(self, seat: int) -> int | None:
        """The user on a seat; None where a computer sits there."""
        who = self.seats[seat]
        return who if isinstance(who, int) else None


UNSURE = "?"
"""The message of a board that was sent, and nobody knows whether it arrived."""
MISSING = "-"
"""Before the message of a board that somebody has deleted: it stays away until it is asked for."""


def is_reference(message: str | None) -> bool:
    """Is this what a platform calls a message, which may be there?"""
    return message is not None and message != UNSURE and not message.startswith(MISSING)


@dataclass(frozen=True, slots=True)
class Board:
    """A message that shows a match. `seat` None is the spectators' view.

    `message` is the platform's reference, None until it is posted, or `UNSURE`, or begins with
    `MISSING`; `former` is an earlier message of the same board that is to be taken away. `shown`
    is the match's version that it shows, `wanted` the one that it ought to show. `news` is the
    version of which people are to be told, `notified` the one of which they were, by the message
    `notice`; `former_notice` is an earlier one that is to be taken away.
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

    @property
    def is_there(self) -> bool:
        """Is there a message that can be changed, or pointed at?"""
        return is_reference(self.message)
