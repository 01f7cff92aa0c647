"""A match in memory: with its game and its position, always of one version."""

from dataclasses import dataclass, field, replace
from typing import Any

import games
from bot.errors import Refused
from bot.model import Match, Place, PlaceKind, Status
from games import AnyGame, AnyPosition, GameError

__all__ = ["LoadedMatch", "UnreadableError", "replayed"]


@dataclass(frozen=True, slots=True)
class LoadedMatch:
    """A match with its game, its position (None before it has begun) and its last move.

    `before` is the position that the last move was made in.
    """

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
        """The position of a match that has begun. Raises `Refused`."""
        if self.current is None:
            raise Refused("not-begun")
        return self.current

    @property
    def turn(self) -> frozenset[int]:
        """The seats who may act now: nobody where the match is not on, whatever the rules say."""
        return self.position.turn if self.match.status is Status.RUNNING else frozenset()

    @property
    def is_stopped(self) -> bool:
        """Has the match ended while somebody could still move?"""
        return self.match.ending is not None and bool(self.position.turn)

    def viewer(self, user_id: int, place: Place) -> int | None:
        """The seat whose view this person gets in a place: their own where nobody else looks.

        None is what everybody may see.
        """
        if place.kind is not PlaceKind.DIRECT or len(self.match.seats) < 2:
            return None
        return self.match.seat_of(user_id)

    def view(self, seat: int | None) -> Any:
        """What `seat` (None: everybody) may know now: everything, once the match is over."""
        if seat not in self._views:
            # A board asks several times, and some of them take long to make.
            is_over = self.match.ending is not None
            self._views[seat] = self.position.view(seat, reveal=is_over)
        return self._views[seat]


class UnreadableError(Exception):
    """What is stored of a match leads to no position; the text is a code, never a secret."""


def replayed(match: Match) -> LoadedMatch:
    """The match on its board. Raises `UnreadableError`."""
    try:
        return _on_board(match)
    except (MemoryError, UnreadableError):
        raise
    except GameError as error:
        raise UnreadableError(error.code) from None
    except Exception as error:  # noqa: BLE001 - stored rows can be wrong in any way
        raise UnreadableError(type(error).__name__) from None


def _on_board(match: Match) -> LoadedMatch:
    if match.game not in games.ids():
        raise UnreadableError("unknown-game")
    game = games.get(match.game)
    # Rules of today may know options that those of then did not.
    match = replace(match, options=game.options_from(match.options), is_aside=False)
    if match.status is Status.PROPOSED or not match.seats:
        return LoadedMatch(match, game, None)
    position, last, before = game.start(match.options, match.setup), None, None
    for was, _, move, after in game.plies(match.options, match.setup, match.moves):
        position, last, before = after, move, was
    return LoadedMatch(match, game, position, last, before)
