"""Accept, decline and withdraw challenges and offers."""

from bot.commands.base import Answer, Context
from bot.commands.offering import meant_offers, settled
from bot.commands.resolving import Found, some, the_one
from bot.domain.errors import BotError, Refused
from bot.domain.links import code_in
from bot.domain.model import OfferState, Status, Stranger
from bot.matches import LoadedMatch, beginning, reading
from bot.store import boards, match_queries


async def _challenges(context: Context) -> Found:
    """Find challenges and offers to the user, otherwise the open challenges of the place."""
    store, me = context.store, context.user.id
    asked, offered = match_queries.challenges_to, match_queries.offered
    found = [*await asked(store, me), *await offered(store, me, own=False)]
    return await some(
        context, found or await match_queries.open_to_all(store, context.place.id, but=me)
    )


async def accept(context: Context) -> Answer:
    """Accept a challenge or an offer: that of the button, or the only one."""
    loaded = await the_one(context, "accept", _challenges, none="no-challenge")
    if offers := meant_offers(context, loaded, OfferState.ACCEPTED):
        return await settled(context, loaded, offers, OfferState.ACCEPTED)
    _check_offered(context, loaded, OfferState.ACCEPTED)
    await _check_for(context, loaded)
    begun = await beginning.accept(
        context.matches, loaded.match.id, context.user.id, quotas=context.app.quotas()
    )
    if await boards.is_shown(context.store, begun.match.id, context.place.id):
        return context.begun(begun)
    return Answer()


def _check_offered(context: Context, loaded: LoadedMatch, state: OfferState) -> None:
    """Check that a typed match of the user has an offer to answer. Raises `Refused`."""
    match = loaded.match
    is_theirs = match.seat_of(context.user.id) is not None
    if context.command.version or not is_theirs or match.status is not Status.RUNNING:
        return
    if match.open_offers:
        raise Refused("offer-theirs" if state is OfferState.WITHDRAWN else "offer-own")
    raise Refused("offer-none")


def can_answer(context: Context, loaded: LoadedMatch, state: OfferState) -> bool:
    """Return whether the user can bring a challenge by or to them, or an offer, into `state`."""
    if loaded.match.status is Status.RUNNING:
        return bool(meant_offers(context, loaded, state))
    is_own = loaded.match.challenger == context.user.id
    is_open = loaded.match.status is Status.PROPOSED
    return is_open and (state is OfferState.DECLINED or is_own is (state is OfferState.WITHDRAWN))


async def _check_for(context: Context, loaded: LoadedMatch) -> None:
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
    if context.found is None:
        raise Refused("code-missing")
    loaded = context.found
    if loaded.match.seat_of(me) is None:
        try:
            await _check_for(context, loaded)
            # Check first: otherwise the match starts, but cannot be shown.
            await app.boards.check(loaded, context.place, rights=context.rights)
            # Outside the unit of work, which the board ends: a retry finds the user seated.
            loaded = await beginning.accept(app.matches, loaded.match.id, me, quotas=app.quotas())
        except BotError as error:
            # Give the reason only to users who may see the match.
            code, place_id = code_in(context.command.code), context.place.id
            joins = error.code != "challenge-for-other"
            await reading.with_code(app.matches, code, user_id=me, place_id=place_id, joins=joins)
            raise
    await app.boards.show(
        loaded, context.place, user_id=me, store=context.store, rights=context.rights
    )
    return context.begun(loaded)


async def _declinable(context: Context) -> Found:
    """Find challenges and offers to the user, otherwise the user's own challenges."""
    store, me = context.store, context.user.id
    asked, offered = match_queries.challenges_to, match_queries.offered
    found = [*await asked(store, me), *await offered(store, me, own=False)]
    return await some(context, found or await match_queries.challenges_of(store, me))


async def decline(context: Context) -> Answer:
    """Decline a challenge or an offer, or withdraw a challenge."""
    loaded = await the_one(context, "decline", _declinable, none="no-challenge")
    if offers := meant_offers(context, loaded, OfferState.DECLINED):
        return await settled(context, loaded, offers, OfferState.DECLINED)
    _check_offered(context, loaded, OfferState.DECLINED)
    await _check_for(context, loaded)
    own = loaded.match.challenger == context.user.id
    status = Status.WITHDRAWN if own else Status.DECLINED
    await beginning.end_challenge(context.matches, loaded.match.id, status, user_id=context.user.id)
    return Answer()


async def _own(context: Context) -> Found:
    """Find the user's own open challenges and offers, those here first, then the newest."""
    store, me = context.store, context.user.id
    offered = await match_queries.offered(store, me, own=True)
    found = [
        one
        for one in await match_queries.open_of(store, me)
        if one.id in offered or (one.is_proposed and not one.waits)
    ]
    found.sort(key=lambda one: (one.place_id != context.place.id, -one.id))
    return await some(context, [one.id for one in found])


async def withdraw(context: Context) -> Answer:
    """Withdraw a challenge or an offer."""
    loaded = await the_one(context, "withdraw", _own, none="nothing-open")
    if offers := meant_offers(context, loaded, OfferState.WITHDRAWN):
        return await settled(context, loaded, offers, OfferState.WITHDRAWN)
    _check_offered(context, loaded, OfferState.WITHDRAWN)
    await beginning.end_challenge(
        context.matches, loaded.match.id, Status.WITHDRAWN, user_id=context.user.id
    )
    return Answer()
