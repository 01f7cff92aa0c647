"""``/nudge`` and ``/claim``: when the opponent does not move in a game without a clock."""

from bot.commands.base import Answer, Context
from bot.commands.resolving import check_slip, matches_here, resolve_match
from bot.domain.errors import Refused
from bot.domain.model import PlaceKind
from bot.matches import MatchState, seated, waiting
from bot.store import blocks, people, places


async def nudge(context: Context) -> Answer:
    """Remind the opponent that it is their turn."""
    loaded = await _waiting_in(context, "nudge")
    version = context.command.version or None
    if (other := await _awaited(context, loaded)) is not None and loaded.match.wait.can_nudge:
        name = (await context.app.names.display_names([other], context.texts, context.place.id))[
            other
        ]
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
    loaded = await _waiting_in(context, "claim")
    wait, other, has_left = loaded.match.wait, await _awaited(context, loaded), False
    if other is not None and wait.stale:
        await check_slip(context, loaded.match, "claim-at-once")
    elif other is not None and not wait.warned:
        has_left = await _has_left(context, loaded, other)
    claimed = await waiting.claim(
        context.matches,
        loaded.match.id,
        context.user.id,
        version=context.command.version or None,
        has_left=has_left,
        days=context.app.settings.play.claim_days,
    )
    return Answer() if claimed.match.ending else context.say("claim-warned")


async def _waiting_in(context: Context, verb: str) -> MatchState:
    me = context.user.id

    def can(loaded: MatchState) -> bool:
        return loaded.waiting is not None and loaded.waiting == loaded.match.seat_of(me)

    return await resolve_match(context, verb, matches_here, none="no-match", can=[can])


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
    external = (await people.externals(context.store, place.platform, [other])).get(other)
    return external is not None and await is_there(place, external) is False
