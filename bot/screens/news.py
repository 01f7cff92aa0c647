"""Notifications of a match and their recipients."""

from collections.abc import Iterable
from enum import StrEnum

from bot.domain.model import EndingKind, OfferState, Status
from bot.matches import MatchState


class News(StrEnum):
    """Kinds of notifications. Their texts are ``notice-<news>``."""

    CHALLENGED = "challenged"
    DECLINED = "declined"
    JOINED = "joined"
    """An opponent accepted the challenge."""
    TURN = "turn"
    OFFERED = "offered"
    REFUSED = "refused"
    AGREED = "agreed"
    """The offer was accepted and the match continues."""
    REMINDED = "reminded"
    NUDGED = "nudged"
    WARNED = "warned"
    """The opponent can soon claim the match."""
    LATE = "late"
    """A computer has not moved for a minute."""
    STALE = "stale"
    """The match can be claimed or, if no user waits for another one, may end."""
    OVER = "over"


def news_of(loaded: MatchState) -> News | None:
    """Return the last event of a match that players are notified of, if any."""
    match, wait = loaded.match, loaded.match.wait
    nudged = News.LATE if match.computer_seats else News.NUDGED
    waited = {wait.nudged: nudged, wait.warned: News.WARNED, wait.stale: News.STALE}
    match match.status:
        case Status.PROPOSED:
            return News.CHALLENGED
        case Status.DECLINED:
            return News.DECLINED
        case Status.RUNNING if match.news in waited:
            return waited[match.news]
        case Status.RUNNING if match.is_reminded:
            return News.REMINDED
        case Status.RUNNING if offer := match.offer_in_news:
            if offer in match.open_offers:
                return News.OFFERED
            if offer.state is OfferState.ACCEPTED:
                return News.AGREED
            # The opponent is not notified of a withdrawn offer.
            return News.REFUSED if offer.state is OfferState.DECLINED else None
        case Status.RUNNING if len(match.seats) > 1:
            return News.TURN if match.plies else News.JOINED
        case Status.OVER:
            return News.OVER
        case _:
            return None


def users_to_notify(loaded: MatchState) -> list[int]:
    """Return the users to notify of a match's last event, without the one who caused it."""
    match = loaded.match
    users: Iterable[int | None]
    match news_of(loaded):
        case News.CHALLENGED:
            users = [match.opponent]
        case News.DECLINED | News.JOINED:
            users = [match.challenger]
        case News.STALE if loaded.waiting is not None:
            # The opponent has been warned.
            users = [match.user_at(loaded.waiting)]
        case News.TURN | News.REMINDED | News.NUDGED | News.WARNED:
            users = [match.user_at(seat) for seat in sorted(loaded.turn)]
        case News.REFUSED | News.AGREED if match.computer_seats:
            # The computer answers at once, on the board where it was asked.
            users = []
        case News.OVER if (
            match.computer_seats
            and match.ending is not None
            and match.ending.kind in (EndingKind.AGREED, EndingKind.CALLED_OFF)
        ):
            users = []
        case News.OFFERED | News.REFUSED | News.AGREED | News.LATE | News.STALE | News.OVER:
            users = [match.user_at(seat) for seat in range(len(match.seats))]
        case None:
            users = []
    return [user for user in users if user is not None and user != match.news_by]
