"""What one side of a match can offer the other: a draw, or to call it off.

An offer changes nothing until the other side accepts it, and the next move makes it void. Nobody
is asked the same over and over: once in ten moves (as on the chess servers).
"""

from dataclasses import replace

from bot.errors import Refused
from bot.model import Ending, EndingKind, Match, Offer, OfferKind, OfferState

__all__ = ["AGAIN_AFTER", "agreed", "can_offer", "may_abort", "offered", "open_offer", "settled"]

AGAIN_AFTER = 10
"""Moves, of both sides, after which the same may be offered by the same side again."""
_FIRST = 2
"""Moves of each side before which either may call the match off alone."""


def open_offer(match: Match, kind: OfferKind) -> Offer | None:
    """The offer of this kind that can be accepted now."""
    return next((offer for offer in match.open_offers if offer.kind is kind), None)


def may_abort(match: Match) -> bool:
    """May either side still call the match off, without asking the other?"""
    made = [sum(ply.seat == seat for ply in match.plies) for seat in range(len(match.seats))]
    return len(made) > 1 and min(made) < _FIRST


def can_offer(match: Match, kind: OfferKind, seat: int) -> bool:
    """May this seat offer that now? See `offered`."""
    try:
        offered(match, kind, seat)
    except Refused:
        return False
    return True


def offered(match: Match, kind: OfferKind, seat: int) -> tuple[Offer, ...]:
    """The offers of a running match with one more. Raises `Refused`.

    Those are left out that are too old to forbid anything.
    """
    if len(match.seats) < 2:
        raise Refused("offer-alone")
    played = len(match.plies)
    recent = [offer for offer in match.offers if played - offer.ply < AGAIN_AFTER]
    if any(offer.kind is kind for offer in match.open_offers):
        raise Refused("offer-open")
    if any((offer.kind, offer.by) == (kind, seat) for offer in recent):
        raise Refused("offer-too-soon", moves=AGAIN_AFTER)
    version = match.version + 1
    return (*recent, Offer(kind, seat, played, version, version=version))


def settled(match: Match, kind: OfferKind, state: OfferState) -> tuple[Offer, ...]:
    """The offers of a match when the open one of this kind has been declined or withdrawn."""
    now = open_offer(match, kind)
    return tuple(
        replace(offer, state=state, version=match.version + 1) if offer is now else offer
        for offer in match.offers
    )


def agreed(offer: Offer) -> Ending:
    """How a match ends in which this is accepted."""
    if offer.kind is OfferKind.DRAW:
        return Ending(EndingKind.AGREED)
    return Ending(EndingKind.ABORTED, offer.by)
