"""A move that was begun by pressing, and whose rest is typed: ``d3`` for the stone to take.

What was begun is stored (`bot.store.half_made`), for whichever process hears the rest.
"""

from collections.abc import Iterable
from typing import Any

from structlog import get_logger

from bot.commands.base import Context
from bot.commands.vocabulary import in_notation
from bot.errors import StoreError
from bot.logs import store_failed
from bot.matches import LoadedMatch
from bot.store import half_made
from bot.store.half_made import Beginning
from games import AmbiguousMove, GameError

__all__ = ["begun_in", "note_begun", "whole"]

_log = get_logger(__name__)


async def note_begun(context: Context, loaded: LoadedMatch, steps: tuple[str, ...]) -> None:
    """Note the steps that somebody has pressed; where that fails they can still press on."""
    match = loaded.match
    try:
        # Not in the command's unit of work: a press that is carried out again begins it again.
        begun = Beginning(match.id, match.version, steps)
        await half_made.note(context.app.store, context.user.id, begun)
    except StoreError as error:
        store_failed(_log, "a beginning is not noted", error)


async def begun_in(
    context: Context, loaded_matches: Iterable[LoadedMatch], text: str
) -> Beginning | None:
    """What this person has begun, where `text` could be the rest of a move in these matches."""
    if not any(_can_be_rest(context, loaded, text) for loaded in loaded_matches):
        return None
    return await half_made.of(context.store, context.user.id)


def whole(context: Context, loaded: LoadedMatch, text: str, begun: Beginning | None) -> str:
    """`text` in the notation of the match's game, behind what it finishes, if it does.

    Raises `AmbiguousMove` where it could as well be a whole move: it is better to ask.
    """
    game, match, position = loaded.game, loaded.match, loaded.position
    written = in_notation(game, text, context.texts.language)
    seat = match.seat_of(context.user.id)
    if seat is None or begun is None or begun.match != match.id:
        return written
    if not match.is_as_seen(begun.version):
        return written
    finished = " ".join((*begun.steps, written))
    try:
        move = game.parse(position.view(seat), seat, finished)
    except GameError:
        return written
    if game.steps(move)[: len(begun.steps)] != begun.steps:
        return written
    legal = position.moves(seat)
    alone = _understood(context, loaded, seat, text)
    if move in legal:
        if alone in legal and alone != move:
            moves = ", ".join(sorted(game.notation(one) for one in (alone, move)))
            raise AmbiguousMove("ambiguous", moves=moves)
        return finished
    # Neither can be played: the reason is that of what makes sense at all.
    return finished if alone is None else written


def _understood(context: Context, loaded: LoadedMatch, seat: int, text: str) -> Any:
    """The move that `text` means by itself; None where it means none, or several."""
    game = loaded.game
    written = in_notation(game, text, context.texts.language)
    try:
        return game.parse(loaded.view(seat), seat, written)
    except GameError:
        return None


def _can_be_rest(context: Context, loaded: LoadedMatch, text: str) -> bool:
    """Could it be? Not where moves are made in one step, or where it is a move of several."""
    game, seat = loaded.game, loaded.match.seat_of(context.user.id)
    if seat is None or seat not in loaded.turn:
        return False
    moves = loaded.position.moves(seat)
    if all(len(game.steps(move)) == 1 for move in moves):
        return False
    alone = _understood(context, loaded, seat, text)
    return alone not in moves or len(game.steps(alone)) == 1
