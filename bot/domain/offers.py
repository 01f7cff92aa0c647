"""Offers between players: a draw, an abort, a takeback, another clock.

The next move voids an offer. A player may repeat one after ten moves, as on chess servers.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import games
from bot.domain.errors import Refused
from bot.domain.model import Match, Offer, OfferKind, OfferState, Ply

AGAIN_AFTER = 10
"""Moves of both players before a player may repeat an offer."""
_FIRST = 2
"""Moves of each player before which either may abort alone."""


def open_offer(match: Match, kind: OfferKind) -> Offer | None:
    """Return the open offer of this kind."""
    return next((offer for offer in match.open_offers if offer.kind is kind), None)


def may_abort(match: Match) -> bool:
    """Return whether a player may still abort alone."""
    made = [sum(ply.seat == seat for ply in match.plies) for seat in range(len(match.seats))]
    return match.allows_offers and min(made) < _FIRST


def can_offer(match: Match, kind: OfferKind, seat: int, clock: str = "") -> bool:
    """Return whether the seat may make this offer now. Blocking, as `with_new_offer` is."""
    with suppress(Refused):
        return bool(with_new_offer(match, kind, seat, clock))
    return False


def with_new_offer(match: Match, kind: OfferKind, seat: int, clock: str = "") -> tuple[Offer, ...]:
    """Return the match's offers with a new one. Raises `Refused`.

    Offers too old to matter are dropped. Blocking: a takeback replays the match.
    """
    is_own = match.is_study and kind is OfferKind.TAKEBACK
    if not (match.allows_offers or is_own):
        raise Refused("offer-puzzle" if match.is_puzzle else "offer-alone")
    if match.computer_seats and kind is OfferKind.CLOCK:
        raise Refused("clock-computer")
    if kind is OfferKind.CLOCK and clock == (str(match.terms.clock) if match.terms.clock else ""):
        raise Refused("clock-same")
    made, version = match.moves_made, match.version + 1
    recent = [offer for offer in match.offers if made - offer.ply < AGAIN_AFTER]
    if (waiting := open_offer(match, kind)) is not None:
        raise Refused("offer-open" if waiting.by == seat else "offer-answer-first")
    if own := [offer for offer in recent if (offer.kind, offer.by) == (kind, seat)]:
        is_agreed = own[-1].state is OfferState.ACCEPTED
        code = "offer-just-agreed" if is_agreed else "offer-too-soon"
        raise Refused(code, moves=own[-1].ply + AGAIN_AFTER - made)
    back_to = _before_last_move(match, seat) if kind is OfferKind.TAKEBACK else 0
    new = Offer(kind, seat, made, version, version=version, back_to=back_to, clock=clock)
    return (*recent, new)


def offers_after_plies(match: Match, plies: Sequence[Ply]) -> tuple[Offer, ...]:
    """Return the match's offers after these plies.

    Tentative plies (`Game.is_tentative`) neither void an offer nor count for its repetition: a
    player could make ten at once.
    """
    free = sum(games.get(match.game).is_tentative(ply.notation) for ply in plies)
    return tuple(replace(one, ply=one.ply + free) for one in match.offers) if free else match.offers


def _before_last_move(match: Match, seat: int) -> int:
    """Return the number of plies before the seat's last choice: forced moves are repeated.

    In a study, the last choice of any seat. Raises `Refused`.
    """
    game = games.get(match.game)
    if match.terms.rated is not None and not match.terms.has_takebacks:
        raise Refused("takeback-rated")
    if not (game.takeback or match.is_study):
        raise Refused("takeback-reveals")
    plies = enumerate(game.plies(match.options, match.setup, match.moves))
    own = [
        at
        for at, (before, by, *_) in plies
        if (by == seat or match.is_study) and before.forced() is None
    ]
    if not own:
        raise Refused("takeback-nothing")
    return own[-1]


def settled(match: Match, kind: OfferKind, state: OfferState) -> tuple[Offer, ...]:
    """Return the offers after the open one of this kind is declined or withdrawn."""
    now = open_offer(match, kind)
    return tuple(
        replace(offer, state=state, version=match.version + 1) if offer is now else offer
        for offer in match.offers
    )


def after_takeback(match: Match, offer: Offer) -> Match:
    """Return the match after a takeback is accepted, with its version unchanged."""

    def now(one: Offer) -> Offer:
        if one == offer:
            return replace(one, state=OfferState.ACCEPTED, version=match.version + 1)
        return replace(one, state=OfferState.VOID) if one in match.open_offers else one

    return replace(
        match,
        plies=match.plies[: offer.back_to],
        taken_back=match.moves_made - offer.back_to,
        offers=tuple(map(now, match.offers)),
    )
