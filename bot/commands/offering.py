"""Offers between players, answers to offers and challenges, resigning, nudges and claims."""

import asyncio
from collections.abc import Mapping
from functools import partial

from bot.commands.base import NO, YES, Answer, Context, Kind
from bot.commands.resolving import (
    Found,
    check_slip,
    load_all,
    matches_here,
    question,
    resolve_match,
)
from bot.commands.tokens import clocked
from bot.domain.clocks import Clock
from bot.domain.errors import BotError, Refused
from bot.domain.links import code_in
from bot.domain.model import Offer, OfferKind, OfferState, PlaceKind, Status, Stranger
from bot.domain.offers import can_offer, may_abort, open_offer
from bot.matches import MatchState, beginning, playing, reading, seated, waiting
from bot.matches import boards as match_boards
from bot.matches import offers as match_offers
from bot.screens import Button, Rows, Style, match_button
from bot.store import blocks, boards, match_queries, people, places

STATES: Mapping[str, OfferState] = {
    "accept": OfferState.ACCEPTED,
    "decline": OfferState.DECLINED,
    "withdraw": OfferState.WITHDRAWN,
}
"""The answers to an offer, by verb."""


async def offer(context: Context) -> Answer:
    """Make or answer an offer of the kind of the verb, or abort alone if allowed."""
    command, kind = context.command, OfferKind(context.command.verb)
    if kind is OfferKind.CLOCK and command.wishes.clock is None and command.value not in STATES:
        raise Refused("clock-which", before=context.argument_prefix("clock", Kind.CLOCK))
    wanted = command.wishes.clock
    typed = "" if wanted is None else clocked(wanted)
    can = partial(is_possible, kind=kind, user_id=context.user.id, clock=wanted or "")
    loaded = await resolve_match(context, matches_here, argument=typed, can=[can])
    match, me = loaded.match, context.user.id
    if command.value in STATES:
        await _settle(context, loaded, kind, STATES[command.value])
        return Answer()
    if kind is OfferKind.ABORT and not command.is_confirmed:
        seated(loaded, me)
        if may_abort(match) and open_offer(match, kind) is None:
            return await _sure(context, loaded)
    version, clock = command.version or None, Clock.parse(wanted) if wanted else None
    await match_offers.offer(context.matches, match.id, me, kind, version=version, clock=clock)
    return Answer()


def is_possible(loaded: MatchState, *, kind: OfferKind, user_id: int, clock: str) -> bool:
    """Return whether the user can offer or accept this, or abort alone. Blocking."""
    match, seat = loaded.match, loaded.match.seat_of(user_id)
    assert seat is not None  # `matches_here` finds their own ones only.
    asked = open_offer(match, kind)
    if asked is not None:
        return asked.by != seat
    if kind is OfferKind.ABORT and may_abort(match):
        return True
    return can_offer(match, kind, seat, clock)


async def _sure(context: Context, loaded: MatchState) -> Answer:
    texts, button = context.texts, partial(match_button, loaded.match, context.texts)
    yes = button(OfferKind.ABORT, YES, key="abort-sure", style=Style.DANGER)
    buttons = (yes, button("resign", NO, key="resign-not"))
    return await question(context, loaded, texts("abort-sure"), buttons)


def _meant_offers(context: Context, loaded: MatchState, state: OfferState) -> tuple[Offer, ...]:
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


def _seen(context: Context, loaded: MatchState) -> int | None:
    command = context.command
    return command.version or command.seen.get(loaded.match.id)


async def _settle(context: Context, loaded: MatchState, kind: OfferKind, state: OfferState) -> None:
    # The match explains answers that are too late or from the wrong seat.
    is_theirs = any(offer.kind is kind for offer in _meant_offers(context, loaded, state))
    if is_theirs and state is not OfferState.WITHDRAWN:
        await check_slip(context, loaded.match, "offer-at-once")
    me, seen = context.user.id, _seen(context, loaded)
    await match_offers.answer(context.matches, loaded.match.id, me, kind, state, version=seen)


async def resign(context: Context) -> Answer:
    """Resign, after a confirmation."""
    command, me = context.command, context.user.id
    if command.value == NO:
        return Answer()
    loaded = await resolve_match(context, matches_here)
    match, texts = loaded.match, context.texts
    if (command.is_confirmed and context.named_match) or match.is_study:
        version = command.version or None
        await playing.resign(context.matches, match.id, me, version=version)
        return Answer()
    seat, rows = seated(loaded, me), list[tuple[Button, ...]]()
    if match.is_puzzle:
        sure = texts("puzzle-sure")
    elif match.ending_if_resigned(seat).has_no_result:
        sure = texts("resign-unplayed-sure")
    elif len(match.seats) == 1:
        sure = texts("resign-alone-sure")
    else:
        opponent = (await context.names(match.seats))[match.seats[1 - seat]]
        sure, asked = texts("resign-sure", opponent=opponent), open_offer(match, OfferKind.ABORT)
        is_asked = asked is not None and asked.by != seat
        if is_asked or may_abort(match):
            code, way = ("asked", "accept") if is_asked else ("early", YES)
            sure += "\n" + texts(f"resign-{code}", opponent=opponent)
            abort = partial(match_button, match, texts, OfferKind.ABORT, way)
            rows.append((abort(key="abort-free", style=Style.PRIMARY),))
    button = partial(match_button, match, texts, "resign")
    key = "solution-sure" if match.is_puzzle else "resign-sure"
    rows.append((button(YES, key=key, style=Style.DANGER), button(NO, key="resign-not")))
    if not command.medium.shows_offers:
        rows += await _instead(context, loaded, seat)
    return await question(context, loaded, sure, *rows)


async def _instead(context: Context, loaded: MatchState, seat: int) -> Rows:
    """Return a row for each offer that the player can make instead of resigning."""
    match, texts = loaded.match, context.texts
    known = (OfferKind.DRAW, OfferKind.ABORT, OfferKind.TAKEBACK)
    kinds = await asyncio.to_thread(
        lambda: [kind for kind in known if can_offer(match, kind, seat)]
    )
    if match.ending_if_resigned(seat).has_no_result or may_abort(match):
        # The player can do that alone.
        kinds = [kind for kind in kinds if kind is not OfferKind.ABORT]
    # Labels side by side would be cut off on a phone.
    return tuple((match_button(match, texts, kind),) for kind in kinds)


async def answer(context: Context) -> Answer:
    """Accept, decline or withdraw an offer in the match that is meant, or its challenge."""
    verb = context.command.verb
    none = "nothing-open" if verb == "withdraw" else "no-challenge"
    loaded = await resolve_match(context, _answerable, none=none)
    match, texts, state = loaded.match, context.texts, STATES[verb]
    offers = _meant_offers(context, loaded, state)
    if len(offers) == 1:
        await _settle(context, loaded, offers[0].kind, state)
        return Answer()
    if offers:
        keys = ((one.kind, f"{one.kind}-{verb}") for one in offers)
        every = (match_button(match, texts, kind, verb, key=key) for kind, key in keys)
        return await question(context, loaded, texts("which-offer"), *((one,) for one in every))
    is_theirs = match.seat_of(context.user.id) is not None
    if not context.command.version and is_theirs and match.status is Status.RUNNING:
        # A match was typed that has no offer to answer.
        own = "offer-theirs" if state is OfferState.WITHDRAWN else "offer-own"
        raise Refused(own if match.open_offers else "offer-none")
    if verb == "accept":
        return await _accept(context, loaded)
    status = Status.WITHDRAWN
    if verb == "decline":
        await _check_for(context, loaded)
        if match.challenger != context.user.id:
            status = Status.DECLINED
    await beginning.end_challenge(context.matches, match.id, status, user_id=context.user.id)
    return Answer()


async def _answerable(context: Context) -> Found:
    """Find challenges and offers that the user may mean to answer.

    They are the user's own to withdraw, those here first, then the newest. Others are to the user.
    If there are none, find open challenges of the place to accept, or the user's own to decline.
    """
    store, me, place_id = context.store, context.user.id, context.place.id
    verb = context.command.verb
    offered = await match_queries.offered(store, me, own=verb == "withdraw")
    if verb == "withdraw":
        own = [
            one
            for one in await match_queries.open_of(store, me)
            if one.id in offered or (one.is_proposed and not one.waits)
        ]
        own.sort(key=lambda one: (one.place_id != place_id, -one.id))
        return await load_all(context, [one.id for one in own])
    found = [*await match_queries.challenges_to(store, me), *offered]
    if not found and verb == "accept":
        found = await match_queries.open_to_all(store, place_id, but=me)
    elif not found:
        found = await match_queries.challenges_to(store, me, or_by=True)
    return await load_all(context, found)


async def _accept(context: Context, loaded: MatchState) -> Answer:
    await _check_for(context, loaded)
    begun = await beginning.accept(context.matches, loaded.match.id, context.user.id)
    is_shown = await boards.is_shown(context.store, begun.match.id, context.place.id)
    return context.answer_started(begun) if is_shown else Answer()


def can_answer(context: Context, loaded: MatchState, state: OfferState) -> bool:
    """Return whether the user can bring a challenge by or to them, or an offer, into `state`."""
    if loaded.match.status is Status.RUNNING:
        return bool(_meant_offers(context, loaded, state))
    is_own = loaded.match.challenger == context.user.id
    is_open = loaded.match.status is Status.PROPOSED
    return is_open and (state is OfferState.DECLINED or is_own is (state is OfferState.WITHDRAWN))


async def _check_for(context: Context, loaded: MatchState) -> None:
    """Check that a challenge is for this user, without registering them. Raises `Refused`."""
    user, match = context.user, loaded.match
    if not match.held_for or match.challenger == user.id:
        return
    if isinstance(user, Stranger):
        is_theirs = match.held_for == f"{user.platform}:{user.username.casefold()}"
    else:
        is_theirs = await match_queries.waits_for(context.store, match.id, user.id)
    if not is_theirs:
        raise Refused("challenge-for-other")


async def join(context: Context) -> Answer:
    """``/join <code>``, or a link: accept a challenge, and show the match here."""
    app, me = context.app, context.user.id
    if context.named_match is None:
        raise Refused("code-missing")
    loaded = context.named_match
    if loaded.match.seat_of(me) is None:
        try:
            await _check_for(context, loaded)
            # Check first: otherwise the match starts, but cannot be shown.
            await match_boards.check(app.matches, loaded, context.place, rights=context.rights)
            # Outside the unit of work, which the board ends: a retry finds the user seated.
            loaded = await beginning.accept(app.matches, loaded.match.id, me)
        except BotError as error:
            # Give the reason only to users who may see the match.
            code, here = code_in(context.command.code), [context.place.id]
            joins = error.code != "challenge-for-other"
            await reading.with_code(app.matches, code, user_id=me, place_ids=here, joins=joins)
            raise
    await context.show_board(loaded)
    return context.answer_started(loaded)


async def nudge(context: Context) -> Answer:
    """Remind the opponent that it is their turn."""
    loaded = await _waiting_in(context)
    version = context.command.version or None
    if (other := await _awaited(context, loaded)) is not None and loaded.match.wait.can_nudge:
        name = (await context.names([other]))[other]
        if await _has_left(context, loaded, other):
            raise Refused("nudge-left", name=name, command=context.syntax("claim"))
        if not await _is_notified(context, loaded, other):
            raise Refused("nudge-silent", name=name)
    await waiting.nudge(context.matches, loaded.match.id, context.user.id, version=version)
    return Answer()


async def can_wait(context: Context, loaded: MatchState) -> bool:
    """Return whether the user can nudge or claim here. The platform is not asked who has left.

    Raises the refusal if the opponent is away.
    """
    wait, other = loaded.match.wait, await _awaited(context, loaded)
    if other is None or context.command.verb == "claim":
        return other is not None and bool(wait.stale)
    return wait.can_nudge and await _is_notified(context, loaded, other)


async def claim(context: Context) -> Answer:
    """Win against an opponent who does not move, or end the match without a result."""
    loaded = await _waiting_in(context)
    wait, other, has_left = loaded.match.wait, await _awaited(context, loaded), False
    if other is not None and wait.stale:
        await check_slip(context, loaded.match, "claim-at-once")
    elif other is not None and not wait.warned:
        has_left = await _has_left(context, loaded, other)
    version, days = context.command.version or None, context.app.settings.play.claim_days
    match_id, me = loaded.match.id, context.user.id
    claimed = await waiting.claim(
        context.matches, match_id, me, version=version, has_left=has_left, days=days
    )
    return Answer() if claimed.match.ending else context.say("claim-warned")


async def _waiting_in(context: Context) -> MatchState:
    me = context.user.id

    def can(loaded: MatchState) -> bool:
        return loaded.waiting is not None and loaded.waiting == loaded.match.seat_of(me)

    return await resolve_match(context, matches_here, can=[can])


async def _awaited(context: Context, loaded: MatchState) -> int | None:
    """Return the opponent for whom the user waits, None if there is none. Raises `Refused`."""
    seat = seated(loaded, context.user.id, version=context.command.version or None)
    if loaded.waiting != seat:
        return None
    other = loaded.match.user_at(1 - seat)
    if (until := await waiting.away_until(context.app.store, other)) is not None:
        raise Refused("opponent-away", day=context.texts.day(until))
    return other


async def _is_notified(context: Context, loaded: MatchState, other: int) -> bool:
    """Return whether a nudge notifies the opponent. Their block looks like their setting."""
    store = context.store
    user = await people.user(store, other)
    place = await places.place(store, loaded.match.place_id)
    if user is None or context.app.pings(user.settings, place) == "never":
        return False
    return not await blocks.has_blocked(store, other, context.user.id)


async def _has_left(context: Context, loaded: MatchState, other: int) -> bool:
    """Return whether the opponent is known to have left the server or group of the match."""
    place = await places.place(context.store, loaded.match.place_id)
    is_there = context.app.member_checks.get(place.platform)
    if is_there is None or place.kind is PlaceKind.DIRECT:
        return False
    known = (await people.reachable(context.store, place.platform, [other])).get(other)
    return known is not None and await is_there(place, known.external) is False
