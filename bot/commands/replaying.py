"""``/replay``: a match as an animated picture."""

import re
from contextlib import suppress
from dataclasses import replace

from bot.commands.base import Answer, Context, Kind
from bot.commands.playing import past
from bot.commands.puzzling import mark_analysis_seen
from bot.commands.resolving import Found, before_them, ended_last, matches_here, resolve_match
from bot.commands.vocabulary import MARKS, means, ranges_joined, seat_called
from bot.domain.errors import Refused
from bot.matches import MatchState
from bot.screens.analyses import load_analysis
from bot.screens.replays import WHOLE, Pace, Stretch, can_replay

_LONGEST = 30
"""Bytes that a button has room for."""
_RANGE = re.compile(r"(\d{0,4})-(\d{0,4})")
_PACES = {"slow": Pace.SLOW, "normal": Pace.NORMAL, "fast": Pace.FAST}


async def replay(context: Context) -> Answer:
    """Show a replay of the match that the user means, move by move if it cannot be animated."""
    value = context.command.value
    argument = value if len(value.encode()) <= _LONGEST else ""
    loaded = await resolve_match(context, "replay", _meant, none="replay-none", argument=argument)
    stretch, side = _parsed(loaded, value, before=context.argument_prefix("replay", Kind.REPLAY))
    if not context.command.medium.animates:
        command = replace(context.command, ply=stretch.first - 1)
        return await past(replace(context, command=command, named_match=loaded))
    seat = loaded.viewer(context.user.id, context.place)
    analysis = await load_analysis(context.store, loaded.match)
    if analysis is not None:
        await mark_analysis_seen(context, loaded)
    screen = await context.app.past_screens.animated(
        loaded, context.reader, seat=seat, stretch=stretch, side=side, analysis=analysis
    )
    return Answer(private=screen)


async def _meant(context: Context) -> Found:
    seen = await before_them(context)
    if seen is not None and can_replay(seen):
        return Found((seen,))
    with suppress(Refused):
        return Found((await ended_last(context, none="replay-none", own=False),))
    return await matches_here(context)


def _parsed(loaded: MatchState, value: str, *, before: str) -> tuple[Stretch, int | None]:
    """Parse ``10-20 slow as white``, in any order. Raises `Refused`."""
    stretch, side = WHOLE, None
    for raw in ranges_joined(value):
        word = raw.casefold().strip(MARKS)
        if (read := _RANGE.fullmatch(word)) and word != "-":
            first, last = read.groups()
            end = len(loaded.match.plies)
            stretch = replace(
                stretch,
                first=max(1, int(first or 1)),
                last=int(last) if last and int(last) < end else None,
            )
        elif pace := next((_PACES[name] for name in _PACES if means(word, name)), None):
            stretch = replace(stretch, pace=pace)
        elif (seat := seat_called(loaded.game, word)) is not None:
            side = seat
        elif not means(word, "as"):
            raise Refused("replay-unknown", word=raw[:32], before=before)
    return stretch, side
