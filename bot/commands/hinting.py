"""``/hint``: a good move and the reason for it, in private."""

from dataclasses import replace
from functools import partial

from bot.commands.asking import absent, thought
from bot.commands.base import Answer, Context
from bot.commands.resolving import matches_here, the_one
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.engines.tasks import Hint
from bot.matches import LoadedMatch, reading, seated
from bot.screens import Button, Style
from games.computer import player

_SECONDS = 2.0
"""Seconds to find a hint."""


def _has_hints(loaded: LoadedMatch) -> bool:
    return not loaded.match.is_attempt and loaded.match.may_hint


def waits(loaded: LoadedMatch, *, user_id: int) -> bool:
    """Return whether the user can get a hint for this match now."""
    return _has_hints(loaded) and loaded.match.seat_of(user_id) in loaded.turn


async def hint(context: Context) -> Answer:
    """Show the user a good move, marked in a private picture."""
    can = (partial(waits, user_id=context.user.id), _has_hints)
    loaded = await the_one(context, "hint", matches_here, none="no-match", can=can)
    if isinstance(loaded, Answer):
        return loaded
    app, match, game = context.app, loaded.match, loaded.game
    seat = seated(loaded, context.user.id)
    if match.is_attempt:
        raise Refused("hint-puzzle")
    if not match.may_hint:
        code = "hint-alone" if len(match.seats) == 1 else "hint-not-agreed"
        word = context.texts("word-hints").split()[0]
        raise Refused(code, command=context.called(game.id), word=word)
    if seat not in loaded.turn:
        raise Refused("hint-not-your-turn")
    if not await app.is_thinking():
        raise absent(context)
    if not player(game.id).can_play(match.options):
        raise Refused("no-computer-for", game=context.texts(f"{game.id}-name"))
    hinted = await thought(context, Hint(game.id, loaded.view(seat), seat, _SECONDS))
    if not (await reading.get(context.matches, match.id)).match.is_as_seen(match.version):
        # The position has changed.
        raise Refused("hint-late")
    move = game.parse(loaded.view(seat), seat, hinted.move)
    screen = await app.screens.hint(
        loaded, context.reader, move, seat=seat, why=hinted.why, advice=hinted.advice
    )
    rows = screen.rows
    if not game.is_secret(move):
        action = Action("play", match.id, match.version, hinted.move)
        rows = ((Button(context.texts("button-play-hint"), action, Style.PRIMARY),),)
    return Answer(private=replace(screen, rows=rows), about=match.id)
