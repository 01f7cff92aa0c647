"""Studies: boards on which one user moves both sides, in private. Games from a position."""

import asyncio

from bot.commands import computers
from bot.commands.base import Answer, Context
from bot.commands.resolving import load_all
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.domain.model import Computer
from bot.matches import MatchState, beginning, sharing
from bot.matches.names import computer_name
from bot.matches.sharing import Shared
from bot.screens import Button, Screen, Style, in_rows
from bot.screens.controls import can_branch
from bot.store import match_queries
from games import AnyPosition
from games.computer import LEVELS


async def try_moves(context: Context) -> Answer:
    """Start a study from a position of a match."""
    loaded, position = context.loaded, await _position(context, context.loaded)
    setup, place = position.setup(), await context.direct_chat()
    same = loaded.match.options, setup
    found = await match_queries.untouched(
        context.store, context.user.id, place.id, game=loaded.game.id
    )
    for other in (await load_all(context, found)).loaded_matches:
        if other.match.is_study and (other.match.options, other.match.setup) == same:
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
    return await _begin(context, context.loaded)


async def shared_position(context: Context) -> Screen:
    """Show a position of a shared match, with the computer's levels. A link may lead here."""
    command, texts = context.command, context.texts
    shared, opened = await _opened(context)
    await _position(context, opened)
    computers.check(context, opened.game, opened.match.options, None)
    shown = await context.app.past_screens.shared(shared, context.reader, ply=command.ply)
    usual = await computers.usual_level(context, opened.game)
    levels = [
        Button(
            computer_name(Computer(level), texts),
            Action("against", argument=f"{command.argument}.{command.ply}.k{level}"),
            Style.PRIMARY if level == usual else Style.PLAIN,
        )
        for level in range(1, LEVELS + 1)
    ]
    return Screen(
        title=shown.title,
        text=f"{shown.text}\n{texts('play-position-text')}",
        picture=shown.picture,
        alt=shown.alt,
        rows=in_rows(levels),
        game=shown.game,
    )


async def against(context: Context) -> Answer:
    """Start a match against the computer from a position of a shared match."""
    _, opened = await _opened(context)
    return await _begin(context, opened)


async def _opened(context: Context) -> tuple[Shared, MatchState]:
    """Return a shared match that has so many moves, and what all may see. Raises `Refused`."""
    command = context.command
    shared = await sharing.shared(context.matches, command.argument)
    opened = await asyncio.to_thread(shared.opened)
    if (command.ply or 0) > len(opened.match.plies):
        raise Refused("no-such-code")
    return shared, opened


async def _begin(context: Context, loaded: MatchState) -> Answer:
    position = await _position(context, loaded)
    return await computers.begin(
        context,
        loaded.game,
        loaded.match.options,
        preferred_seat=min(position.turn),
        setup=position.setup(),
    )


async def _position(context: Context, loaded: MatchState) -> AnyPosition:
    """Return the position after the moves that the button names. Raises `Refused`."""
    if not can_branch(loaded):
        raise Refused("try-running")
    match, game = loaded.match, loaded.game
    moves = match.moves[: context.command.ply]
    position: AnyPosition = await asyncio.to_thread(game.replay, match.options, match.setup, moves)
    if not position.turn:
        raise Refused("try-over", game=context.texts(f"{game.id}-name"))
    return position
