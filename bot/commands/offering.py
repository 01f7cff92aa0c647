"""What one side offers the other: a draw, to call it off, a move back, a clock; and the answer."""

import asyncio
from collections.abc import Mapping

from bot.actions import Action
from bot.clocks import PRESETS, Clock
from bot.commands.base import Answer, Context
from bot.commands.resolving import matches_here, question, the_one
from bot.errors import Refused
from bot.matches import LoadedMatch, seated
from bot.model import OfferKind, OfferState
from bot.offers import can_offer, may_abort, open_offer
from bot.screens import Button, Style

__all__ = ["abort", "clock", "draw", "instead_of_resigning", "takeback"]

_STATES: Mapping[str, OfferState] = {
    "accept": OfferState.ACCEPTED,
    "decline": OfferState.DECLINED,
    "withdraw": OfferState.WITHDRAWN,
}
"""What the buttons of an offer make of it."""


_BY_BUTTON = tuple(kind for kind in OfferKind if kind is not OfferKind.CLOCK)
"""What can be offered without a word more."""


async def draw(context: Context) -> Answer:
    """Offer a draw, or answer such an offer."""
    return await _about(context, OfferKind.DRAW)


async def abort(context: Context) -> Answer:
    """Call a match off, where one side may do that alone; else offer it, or answer that."""
    return await _about(context, OfferKind.ABORT)


async def takeback(context: Context) -> Answer:
    """Ask to take one's last move back, or answer that."""
    return await _about(context, OfferKind.TAKEBACK)


async def clock(context: Context) -> Answer:
    """Offer another clock, or answer such an offer."""
    command = context.command
    if command.clock is None and command.value not in _STATES:
        raise Refused("clock-which", example=PRESETS[0], command=context.called("clock"))
    return await _about(context, OfferKind.CLOCK)


async def _about(context: Context, kind: OfferKind) -> Answer:
    command = context.command
    loaded = await the_one(context, kind.value, matches_here, none="no-match")
    if isinstance(loaded, Answer):
        return loaded
    match, me, version = loaded.match, context.user.id, command.version or None
    if command.value in _STATES:
        state = _STATES[command.value]
        await context.matches.settle_offer(match.id, me, kind, state, version=version)
        return Answer()
    if kind is OfferKind.ABORT and not command.sure:
        seated(loaded, me)
        if may_abort(match) and open_offer(match, kind) is None:
            return await _sure(context, loaded)
    asked = Clock.read(command.clock) if command.clock else None
    await context.matches.offer(match.id, me, kind, version=version, clock=asked)
    return Answer()


async def _sure(context: Context, loaded: LoadedMatch) -> Answer:
    """Ask once more: nobody else is asked."""
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


async def instead_of_resigning(
    context: Context, loaded: LoadedMatch, seat: int
) -> tuple[tuple[Button, ...], ...]:
    """Other ways out of a match for two, for whoever is about to give it up: a row for each."""
    match, texts = loaded.match, context.texts
    kinds = await asyncio.to_thread(
        lambda: [kind for kind in _BY_BUTTON if can_offer(match, kind, seat)]
    )
    if match.given_up(seat).is_for_nothing or may_abort(match):
        # Nobody need be asked for that.
        kinds = [kind for kind in kinds if kind is not OfferKind.ABORT]
    # Side by side their words would not be seen on a phone.
    return tuple((Button(texts(f"button-{kind}"), _action(loaded, kind)),) for kind in kinds)


def _action(loaded: LoadedMatch, kind: OfferKind, argument: str = "") -> Action:
    return Action(kind.value, loaded.match.id, loaded.match.version, argument)
