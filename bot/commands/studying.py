"""Studies: boards on which one user moves both sides, in private. Games from a position."""

import asyncio

from bot.commands import computers
from bot.commands.base import Answer, Context
from bot.commands.resolving import load_all
from bot.domain.errors import Refused
from bot.matches import beginning
from bot.screens.controls import can_branch
from bot.store import match_queries
from games import AnyPosition


async def try_moves(context: Context) -> Answer:
    """Start a study from a position of a match."""
    loaded, position = context.loaded, await _position(context)
    setup, place = position.setup(), await context.direct_chat()
    found = await match_queries.untouched(
        context.store, context.user.id, place.id, game=loaded.game.id
    )
    for other in (await load_all(context, found)).loaded_matches:
        if other.match.is_study and other.match.setup == setup:
            # The same one was opened before. Its message may have been deleted.
            await context.show_board(other, place)
            return context.answer_started(other, place)
    study = await beginning.begin_study(
        context.matches,
        loaded.game,
        loaded.match.options,
        setup=setup,
        place_id=place.id,
        user_id=context.user.id,
    )
    return context.answer_started(study, place)


async def versus(context: Context) -> Answer:
    """Start a match against the computer from a position of a match."""
    loaded, position = context.loaded, await _position(context)
    return await computers.begin(
        context,
        loaded.game,
        loaded.match.options,
        preferred_seat=min(position.turn),
        setup=position.setup(),
    )


async def _position(context: Context) -> AnyPosition:
    """Return the position after the moves that the button names. Raises `Refused`."""
    loaded = context.loaded
    if not can_branch(loaded):
        raise Refused("try-running")
    match, game = loaded.match, loaded.game
    moves = match.moves[: context.command.ply]
    position: AnyPosition = await asyncio.to_thread(game.replay, match.options, match.setup, moves)
    if not position.turn:
        raise Refused("try-over", game=context.texts(f"{game.id}-name"))
    return position
