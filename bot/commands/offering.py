"""Offers between players (draw, abort, takeback, clock) and the answers to them."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial

from bot.commands.base import Answer, Context, Handler, Kind
from bot.commands.resolving import check_meant, matches_here, question, the_one
from bot.commands.tokens import clocked
from bot.domain.actions import Action
from bot.domain.clocks import Clock
from bot.domain.errors import Refused
from bot.domain.model import Offer, OfferKind, OfferState
from bot.domain.offers import can_offer, may_abort, open_offer
from bot.matches import LoadedMatch, seated
from bot.matches import offers as match_offers
from bot.screens import Button, Style
from bot.support.texts import Texts

_STATES: Mapping[str, OfferState] = {
    "accept": OfferState.ACCEPTED,
    "decline": OfferState.DECLINED,
    "withdraw": OfferState.WITHDRAWN,
}


def handler(kind: OfferKind) -> Handler:
    """Return the handler that makes and answers offers of this kind, or aborts alone if allowed."""
    return partial(_about, kind=kind)


async def _about(context: Context, kind: OfferKind) -> Answer:
    command = context.command
    if kind is OfferKind.CLOCK and command.wishes.clock is None and command.value not in _STATES:
        raise Refused("clock-which", before=context.before("clock", Kind.CLOCK))
    wanted = command.wishes.clock
    typed = "" if wanted is None else clocked(wanted)
    can = partial(is_possible, kind=kind, user_id=context.user.id, clock=wanted or "")
    loaded = await the_one(
        context, kind.value, matches_here, none="no-match", argument=typed, can=[can]
    )
    match, me, version = loaded.match, context.user.id, command.version or None
    if command.value in _STATES:
        await _settle(context, loaded, kind, _STATES[command.value])
        return Answer()
    if kind is OfferKind.ABORT and not command.sure:
        seated(loaded, me)
        if may_abort(match) and open_offer(match, kind) is None:
            return await _sure(context, loaded)
    asked = Clock.read(wanted) if wanted else None
    await match_offers.offer(context.matches, match.id, me, kind, version=version, clock=asked)
    return Answer()


def is_possible(loaded: LoadedMatch, *, kind: OfferKind, user_id: int, clock: str) -> bool:
    """Return whether the user can offer or accept this, or abort alone. Blocking."""
    match, seat = loaded.match, loaded.match.seat_of(user_id)
    assert seat is not None  # `matches_here` finds their own ones only.
    asked = open_offer(match, kind)
    if asked is not None:
        return asked.by != seat
    if kind is OfferKind.ABORT and may_abort(match):
        return True
    return can_offer(match, kind, seat, clock)


async def _sure(context: Context, loaded: LoadedMatch) -> Answer:
    match, texts = loaded.match, context.texts
    return await question(
        context,
        loaded,
        texts("abort-sure"),
        (
            Button(
                texts("button-abort-sure"), _action(loaded, OfferKind.ABORT, "yes"), Style.DANGER
            ),
            Button(texts("button-resign-not"), Action("resign", match.id, match.version, "no")),
        ),
    )


def meant_offers(context: Context, loaded: LoadedMatch, state: OfferState) -> tuple[Offer, ...]:
    """Return the offers that the user can bring into this state.

    Offers newer than the button, or unseen by a user who typed, were not meant.
    """
    match, version = loaded.match, _seen(context, loaded)
    seat = match.seat_of(context.user.id)
    return tuple(
        offer
        for offer in match.open_offers
        if seat is not None
        and (offer.by == seat) is (state is OfferState.WITHDRAWN)
        and (version is None or offer.made <= version)
    )


def _seen(context: Context, loaded: LoadedMatch) -> int | None:
    command = context.command
    return command.version or command.seen.get(loaded.match.id)


async def settled(
    context: Context, loaded: LoadedMatch, offers: Sequence[Offer], state: OfferState
) -> Answer:
    """Settle the only one of these `offers`, or ask which one is meant."""
    texts = context.texts
    if len(offers) == 1:
        await _settle(context, loaded, offers[0].kind, state)
        return Answer()
    answer = next(word for word, made in _STATES.items() if made is state)
    rows = (
        (Button(texts(f"button-{one.kind}-{answer}"), _action(loaded, one.kind, answer)),)
        for one in offers
    )
    return await question(context, loaded, texts("which-offer"), *rows)


async def _settle(
    context: Context, loaded: LoadedMatch, kind: OfferKind, state: OfferState
) -> None:
    # The match explains answers that are too late or from the wrong seat.
    is_theirs = any(offer.kind is kind for offer in meant_offers(context, loaded, state))
    if is_theirs and state is not OfferState.WITHDRAWN:
        await check_meant(context, loaded.match, "offer-at-once")
    me, seen = context.user.id, _seen(context, loaded)
    await match_offers.answer(context.matches, loaded.match.id, me, kind, state, version=seen)


def free_way_out(loaded: LoadedMatch, seat: int, texts: Texts) -> tuple[str, Button] | None:
    """Return the text code and the button to abort instead of resigning, if that differs."""
    match = loaded.match
    if match.given_up(seat).is_for_nothing:
        return None
    asked = open_offer(match, OfferKind.ABORT)
    if asked is not None and asked.by != seat:
        code, answer = "asked", "accept"
    elif may_abort(match):
        code, answer = "early", "yes"
    else:
        return None
    action = _action(loaded, OfferKind.ABORT, answer)
    return code, Button(texts("button-abort-free"), action, Style.PRIMARY)


async def instead_of_resigning(
    context: Context, loaded: LoadedMatch, seat: int
) -> tuple[tuple[Button, ...], ...]:
    """Return a row for each offer that the player can make instead of resigning."""
    match, texts = loaded.match, context.texts
    known = (OfferKind.DRAW, OfferKind.ABORT, OfferKind.TAKEBACK)
    kinds = await asyncio.to_thread(
        lambda: [kind for kind in known if can_offer(match, kind, seat)]
    )
    if match.given_up(seat).is_for_nothing or may_abort(match):
        # The player can do that alone.
        kinds = [kind for kind in kinds if kind is not OfferKind.ABORT]
    # Labels side by side would be cut off on a phone.
    return tuple((Button(texts(f"button-{kind}"), _action(loaded, kind)),) for kind in kinds)


def _action(loaded: LoadedMatch, kind: OfferKind, argument: str = "") -> Action:
    return Action(kind.value, loaded.match.id, loaded.match.version, argument)
