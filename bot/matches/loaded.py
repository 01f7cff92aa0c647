"""A match with its game and position."""

from dataclasses import dataclass, field
from typing import Any

from bot.domain.errors import Refused
from bot.domain.model import Match, Place, PlaceKind, Status
from games import AnyGame, AnyPosition


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match, its game, position (None before the start), last move, and the position before."""

    match: Match
    game: AnyGame
    current: AnyPosition | None
    last: Any = None
    before: AnyPosition | None = None
    _views: dict[int | None, Any] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def position(self) -> AnyPosition:
        if self.current is None:
            raise Refused("not-begun")
        return self.current

    @property
    def turn(self) -> frozenset[int]:
        if self.current is None or self.match.status is not Status.RUNNING:
            return frozenset()
        return self.current.turn

    @property
    def waiting(self) -> int | None:
        """The seat of a user who waits for another one, without a clock. None if there is none."""
        match, turn = self.match, self.turn
        if not match.allows_offers or match.computer_seats or match.terms.clock or len(turn) != 1:
            return None
        return 1 - min(turn)

    @property
    def is_computer_turn(self) -> bool:
        """True if a computer is to move."""
        return not self.turn.isdisjoint(self.match.computer_seats)

    @property
    def is_stopped(self) -> bool:
        """True if the match has ended although a seat could still move."""
        return self.match.ending is not None and bool(self.position.turn)

    def check_running(self) -> None:
        """Raise `Refused` unless the match is running."""
        if self.match.status is not Status.RUNNING:
            raise Refused("match-over" if self.match.status is Status.OVER else "not-begun")

    def viewer(self, user_id: int, place: Place) -> int | None:
        """Return the seat whose view a user gets in a place, None (public) outside direct chats."""
        if place.kind is not PlaceKind.DIRECT or len(self.match.seats) < 2:
            return None
        return self.match.seat_of(user_id)

    @property
    def is_opened(self) -> bool:
        """True if the match is over and shows what was hidden."""
        return self.match.ending is not None and self.game.has_secrets(self.match.options)

    def view(self, seat: int | None) -> Any:
        """Return what `seat` may know (None: spectators), and everything after the match."""
        if seat not in self._views:
            # Cached because a board asks several times, and a view can be slow to compute.
            is_over = self.match.ending is not None
            self._views[seat] = self.position.view(seat, reveal=is_over)
        return self._views[seat]
