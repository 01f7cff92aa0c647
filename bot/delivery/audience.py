"""When somebody is told of news, and by which board: one rule each, for all platforms."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from bot.matches import LoadedMatch
from bot.model import Board, Place, PlaceKind
from bot.news import News, news_of
from bot.settings import Pings

__all__ = ["best_board", "may_wait"]

_AWAY = 600
"""Seconds without doing anything after which somebody is not looking."""
_LONG = 60
"""Seconds after which also somebody who was there is told that it is their turn."""


def may_wait(loaded: LoadedMatch, pings: Pings, *, active: int | None, now: int) -> int | None:
    """Until when somebody need not be told the news of a match (Unix seconds; 0: not at all).

    None means for ever. `active` is when they last did something. Only somebody's turn can wait;
    a challenge is told to whoever has not blocked it.
    """
    news, plies = news_of(loaded), loaded.match.plies
    if news is News.CHALLENGED:
        return 0
    if pings == "never":
        return None
    if pings == "always" or news is not News.TURN or not plies:
        return 0
    # A clock that was ahead tells nothing.
    if active is None or not now - _AWAY < active <= now:
        return 0
    until = plies[-1].at + _LONG
    return until if now < until <= now + _LONG else 0


def best_board(
    boards: Sequence[Board],
    places: Mapping[int, Place],
    externals: Mapping[str, str],
    *,
    shut_out: AbstractSet[int] = frozenset(),
) -> int | None:
    """The id of the board by which somebody is told: their own, else a thread's, else the first.

    Those come last that are in places which are closed to us; in places that are `shut_out` (by
    their ids) nobody is told anything. `places` are by board, `externals` are who they are on each
    platform; None where no board is on a platform that they can be told on.
    """

    def rank(board: Board) -> tuple[bool, int, int]:
        place = places[board.id]
        if place.kind is PlaceKind.DIRECT:
            return (place.is_closed, 0, board.id)
        return (place.is_closed, 1 if place.parent else 2, board.id)

    reach = [
        board
        for board in boards
        if places[board.id].id not in shut_out
        and (external := externals.get((place := places[board.id]).platform)) is not None
        and (place.kind is not PlaceKind.DIRECT or place.external == external)
    ]
    return min(reach, key=rank).id if reach else None
