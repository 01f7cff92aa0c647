"""What there is to tell of a match, and to whom: one rule each, wherever it is told."""

from collections.abc import Iterable
from enum import StrEnum

from bot.matches import LoadedMatch
from bot.model import EndingKind, OfferState, Status

__all__ = ["News", "news_of", "to_tell"]


class News(StrEnum):
    """What there is to tell; the words are in ``notice-<news>``."""

    CHALLENGED = "challenged"
    DECLINED = "declined"
    JOINED = "joined"
    """Somebody has taken up a challenge, and begins."""
    TURN = "turn"
    OFFERED = "offered"
    """The other side offers something."""
    REFUSED = "refused"
    """They have declined what was offered."""
    AGREED = "agreed"
    """They have accepted what was offered, and the match goes on."""
    IDLE = "idle"
    """Nothing has happened for so long that it is asked whether they play on."""
    REMINDED = "reminded"
    """Their time ends before long."""
    OVER = "over"


def news_of(loaded: LoadedMatch) -> News | None:
    """The last news of a match; None where there is none, as of a match that one plays alone."""
    match = loaded.match
    match match.status:
        case Status.PROPOSED:
            return News.CHALLENGED
        case Status.DECLINED:
            return News.DECLINED
        case Status.RUNNING if match.is_asked:
            return News.IDLE
        case Status.RUNNING if match.is_reminded:
            return News.REMINDED
        case Status.RUNNING if offer := match.offer_in_news:
            if offer in match.open_offers:
                return News.OFFERED
            if offer.state is OfferState.ACCEPTED:
                return News.AGREED
            # Whoever was asked need not hear that nobody asks any more.
            return News.REFUSED if offer.state is OfferState.DECLINED else None
        case Status.RUNNING if len(match.seats) > 1:
            is_asker_on_turn = match.seat_of(match.challenger) in loaded.turn
            return News.TURN if match.plies or is_asker_on_turn else News.JOINED
        case Status.OVER:
            return News.OVER
        case _:
            return None


def to_tell(loaded: LoadedMatch) -> list[int]:
    """The users who are to hear of a match's last news; nobody of what they did themselves.

    A challenge is news to the challenged, an answer to the challenger; while a match is on it is
    whose turn it has become, or that their time ends, or what one side offers the other and the
    answer to that, or that nothing has happened for long; and at its end that it is over. Who
    plays alone knows all but what was not their doing.
    """
    match = loaded.match
    users: Iterable[int | None]
    match news_of(loaded):
        case News.CHALLENGED:
            users = [match.opponent]
        case News.DECLINED | News.JOINED:
            users = [match.challenger]
        case News.TURN | News.REMINDED:
            users = [match.user_at(seat) for seat in sorted(loaded.turn)]
        case News.REFUSED | News.AGREED if match.computers:
            # It answers at once, and at the board at which it was asked.
            users = []
        case News.OVER if (
            match.computers
            and match.ending is not None
            and match.ending.kind in (EndingKind.AGREED, EndingKind.CALLED_OFF)
        ):
            users = []
        case News.OFFERED | News.REFUSED | News.AGREED | News.IDLE | News.OVER:
            users = [match.user_at(seat) for seat in range(len(match.seats))]
        case None:
            users = []
    return [user for user in users if user is not None and user != match.news_by]
