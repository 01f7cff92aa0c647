"""Offers between players: draw, takeback, abort, another clock."""

import asyncio
from dataclasses import replace
from typing import assert_never

from bot.domain.clocks import Clock
from bot.domain.errors import Refused, StaleBoard
from bot.domain.model import Ending, EndingKind, Offer, OfferKind, OfferState
from bot.domain.offers import after_takeback, may_abort, open_offer, settled, with_new_offer
from bot.domain.waits import Wait
from bot.matches import reading
from bot.matches.matches import Matches, MatchState, commit, commit_beside, replayed
from bot.matches.playing import retry_on_conflict


async def offer(
    matches: Matches,
    match_id: int,
    user_id: int,
    kind: OfferKind,
    *,
    version: int | None = None,
    clock: Clock | None = None,
) -> MatchState:
    """Make an offer, or accept the opponent's.

    Early aborts need no consent (`may_abort`), takebacks in a study neither.
    """
    wanted = str(clock) if clock else ""

    async def change(loaded: MatchState, seat: int) -> MatchState:
        match = loaded.match
        theirs = open_offer(match, kind)
        if theirs is not None and theirs.by != seat and theirs.clock == wanted:
            is_known = version is None or version >= theirs.made
            if kind is OfferKind.TAKEBACK and not is_known:
                # The player wants a takeback, and has not seen the opponent's request.
                raise StaleBoard(match_id)
            return await _accept(matches, loaded, theirs, by=user_id)
        if kind is OfferKind.ABORT and may_abort(match):
            ending = Ending(EndingKind.ABORTED, seat)
            return await commit(matches, loaded, loaded, [], ending)
        offers = await asyncio.to_thread(with_new_offer, match, kind, seat, wanted)
        if match.is_study:
            return await _take_back(matches, loaded, offers[-1], by=user_id)
        return await _commit_offers(matches, loaded, offers, by=user_id)

    return await retry_on_conflict(matches, match_id, user_id, change, version=version)


async def answer(
    matches: Matches,
    match_id: int,
    user_id: int,
    kind: OfferKind,
    state: OfferState,
    *,
    version: int | None = None,
) -> MatchState:
    """Accept or decline the opponent's offer, or withdraw one's own."""

    async def change(loaded: MatchState, seat: int) -> MatchState:
        theirs = open_offer(loaded.match, kind)
        if theirs is None:
            raise Refused("no-offer")
        if version is not None and version < theirs.made:
            # The player has not seen this offer.
            raise StaleBoard(match_id)
        if (theirs.by == seat) is not (state is OfferState.WITHDRAWN):
            raise Refused("offer-own" if theirs.by == seat else "offer-theirs")
        if state is OfferState.ACCEPTED:
            return await _accept(matches, loaded, theirs, by=user_id)
        # Only a refusal notifies the other player.
        is_news, offers = state is OfferState.DECLINED, settled(loaded.match, kind, state)
        return await _commit_offers(matches, loaded, offers, by=user_id, is_news=is_news)

    return await retry_on_conflict(matches, match_id, user_id, change, version=version)


async def answer_for_computer(
    matches: Matches, match_id: int, kind: OfferKind, state: OfferState, *, version: int
) -> MatchState:
    """Accept or decline an offer to the computer. Raises `Refused` or `StaleBoard`."""
    async with matches.locked(match_id):
        loaded = await reading.at_version(matches, match_id, version)
        offer = open_offer(loaded.match, kind)
        if offer is None:
            raise Refused("no-offer")
        if state is OfferState.ACCEPTED:
            return await _accept(matches, loaded, offer, by=None)
        return await _commit_offers(matches, loaded, settled(loaded.match, kind, state))


async def _accept(
    matches: Matches, loaded: MatchState, offer: Offer, *, by: int | None
) -> MatchState:
    match offer.kind:
        case OfferKind.DRAW:
            return await commit(matches, loaded, loaded, [], Ending(EndingKind.AGREED), by=by)
        case OfferKind.ABORT:
            return await commit(matches, loaded, loaded, [], Ending(EndingKind.CALLED_OFF), by=by)
        case OfferKind.CLOCK:
            return await _set_clock(matches, loaded, offer, by=by)
        case OfferKind.TAKEBACK:
            return await _take_back(matches, loaded, offer, by=by)
        case _:
            assert_never(offer.kind)


async def _take_back(
    matches: Matches, loaded: MatchState, offer: Offer, *, by: int | None
) -> MatchState:
    match, running = loaded.match, loaded.match.clocks
    earlier = await asyncio.to_thread(replayed, after_takeback(match, offer))
    if match.terms.clock and running:
        was, turn = loaded.turn, earlier.position.turn
        running = running.after_takeback(
            match.terms.clock, was=was, turn=turn, now=matches.store.now(), away=match.away
        )
    return await commit_beside(matches, loaded, earlier, is_news=True, by=by, clocks=running)


async def _set_clock(
    matches: Matches, loaded: MatchState, offer: Offer, *, by: int | None
) -> MatchState:
    match, clock = loaded.match, Clock.parse(offer.clock) if offer.clock else None
    return await commit_beside(
        matches,
        loaded,
        loaded,
        is_news=True,
        by=by,
        keeps_position=True,
        offers=settled(match, offer.kind, OfferState.ACCEPTED),
        terms=replace(match.terms, clock=clock),
        clocks=loaded.new_clocks(clock, now=matches.store.now()),
        wait=Wait(),
    )


async def _commit_offers(
    matches: Matches,
    loaded: MatchState,
    offers: tuple[Offer, ...],
    *,
    by: int | None = None,
    is_news: bool = True,
) -> MatchState:
    about = {"is_news": is_news, "by": by, "keeps_position": True}
    return await commit_beside(matches, loaded, loaded, offers=offers, **about)
