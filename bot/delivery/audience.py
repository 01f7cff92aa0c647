"""When to notify a user, and by which board."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from bot.domain.model import Board, EndingKind, Place, PlaceKind
from bot.domain.quiet import waking_at
from bot.matches import LoadedMatch
from bot.screens.news import News, news_of
from bot.support.settings import Pings

_AWAY = 600
"""Seconds of inactivity."""
_AN_HOUR = 3600
"""The longest time for which the store holds a notification (`bot.store.boards.behind`)."""
_LONG = 60
"""Seconds after which an active user is notified of their turn, too."""
_PRESENT = 120
"""Seconds before the last move of a match in which a user who is active there sees it."""


def may_wait(
    loaded: LoadedMatch,
    pings: Pings,
    *,
    settings: Mapping[str, str],
    active: int | None,
    now: int,
    changed: int | None = None,
    is_here: bool = False,
) -> int | None:
    """Return until when a notification may wait (Unix seconds; 0: not; None: for ever).

    `settings` of the user; `active`: when they were last active; `is_here`: in a place that shows
    the match. `changed`: when the match began or ended. Challenges notify even if pings are off.
    """
    news, plies = news_of(loaded), loaded.match.plies
    if news is News.CHALLENGED:
        return 0
    if pings == "never":
        return None
    if news in (News.NUDGED, News.WARNED):
        return min(waking_at(settings, now), now + _AN_HOUR)
    since = changed if news in (News.JOINED, News.OVER) else None
    if news is News.TURN:
        since = plies[-1].at
    # Not in the future, from a wrong clock.
    if pings == "always" or since is None or active is None or not now - _AWAY < active <= now:
        return 0
    if news is News.OVER and is_here:
        ending = loaded.match.ending
        # Other ends than by a move are not expected, and only a message further up shows them.
        is_by_move = ending is not None and ending.kind is EndingKind.RULES
        if active > since - is_by_move * _PRESENT:
            return None
    until = since + _LONG
    return until if now < until <= now + _LONG else 0


def best_board(
    boards: Sequence[Board],
    places: Mapping[int, Place],
    externals: Mapping[str, str],
    *,
    shut_out: AbstractSet[int] = frozenset(),
) -> int | None:
    """Return the id of the board that notifies a user: in the DM, else in a thread, else the first.

    Boards in closed places come last, and those in `shut_out` places (ids) never notify. `places`:
    by board id. `externals`: the user's ids by platform. None: no board can reach the user.
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
