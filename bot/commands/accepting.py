"""Whether a completed command would be accepted. Nothing is stored.

What only quotas or another user's blocks forbid counts as accepted: a completion must not say who
has blocked whom.
"""

import asyncio
from dataclasses import replace

import games
from bot.commands import hinting, holidays, lines, offering, puzzling, quiet_hours, starting
from bot.commands.answering import can_answer
from bot.commands.base import CommandSpec, Context, Kind
from bot.commands.resolving import match_in, matches_here
from bot.commands.waiting import can_wait
from bot.domain.clocks import Clock
from bot.domain.errors import BotError
from bot.domain.model import HIDDEN, RECORD, OfferKind, OfferState, Status
from bot.domain.terms import Wishes
from bot.matches import LoadedMatch, reading
from games import GameError

_ANSWERS = {
    "accept": OfferState.ACCEPTED,
    "decline": OfferState.DECLINED,
    "withdraw": OfferState.WITHDRAWN,
}
_ANY_CLOCK = "10d+35h"
"""A clock that hardly any match has."""


async def is_accepted(
    context: Context, spec: CommandSpec, line: str, *, field: Kind | None
) -> bool:
    """Return whether a line after its command, or one `field` alone, would be accepted.

    Not for moves: those that are offered are legal.
    """
    command = replace(context.command, verb=spec.verb, game=spec.game or "")
    try:
        if field is Kind.MATCH:
            # The new clock is in another field.
            wishes = Wishes(clock=_ANY_CLOCK)
            command = replace(command, match=match_in(line), wishes=wishes)
        else:
            if field is Kind.OPTIONS and not spec.game:
                line = f"{context.command.game} {line}"
            unread = replace(context, command=command)
            command = await lines.read(unread, spec=spec, name=spec.name, line=line, names=())
        context = replace(context, command=command)
        return _is_for_person(context) and await _is_possible(context)
    except (BotError, GameError):
        return False


def _is_for_person(context: Context) -> bool:
    """Return whether the command can be about its person, or is about none."""
    command, person = context.command, context.command.person
    if person is None or person.id == context.user.id:
        return person is None or command.verb != "block"
    return command.verb != "stats" or person.settings.get(RECORD) != HIDDEN


async def _is_possible(context: Context) -> bool:
    """Return whether the command can be carried out. Raises its refusal if there is one."""
    command = context.command
    if command.verb == "clock" and command.wishes.clock:
        Clock.read(command.wishes.clock)
    match command.verb:
        case "play":
            return False
        case "challenge" | "computer" | "new":
            await starting.check(context)
        case "puzzle":
            return await puzzling.has_one(context, games.get(command.game))
        case "quiet":
            await asyncio.to_thread(quiet_hours.meant, command.value, context)
        case "holiday":
            return await holidays.can_take(context)
        case "clock" if not command.match:
            found = (await matches_here(context)).loaded_matches
            return await asyncio.to_thread(lambda: any(_can(context, one) for one in found))
        case _ if command.match:
            loaded = await reading.visible(
                context.matches, command.match, user_id=context.user.id, place_id=context.place.id
            )
            if command.verb in ("nudge", "claim"):
                return await can_wait(context, loaded)
            return await asyncio.to_thread(_can, context, loaded)
    return True


def _can(context: Context, loaded: LoadedMatch) -> bool:
    """Return whether the command can be carried out in this match of the user. Blocking."""
    command, me = context.command, context.user.id
    if command.verb in _ANSWERS:
        return can_answer(context, loaded, _ANSWERS[command.verb])
    if command.verb in ("analyse", "board"):
        return True
    if loaded.match.status is not Status.RUNNING:
        return False
    if command.verb in (*OfferKind,):
        clock = command.wishes.clock or ""
        return offering.is_possible(loaded, kind=OfferKind(command.verb), user_id=me, clock=clock)
    return command.verb != "hint" or hinting.waits(loaded, user_id=me)
