"""Partial moves that are started by a click and finished by typing (`bot.store.half_made`)."""

from collections.abc import Iterable
from typing import Any

from structlog import get_logger

from bot.commands.base import Context
from bot.commands.vocabulary import in_notation
from bot.matches import LoadedMatch
from bot.store import half_made
from bot.store.half_made import Beginning
from bot.support.errors import StoreError
from bot.support.logs import store_failed
from games import AmbiguousMove, GameError

_log = get_logger(__name__)


async def note_begun(context: Context, loaded: LoadedMatch, steps: tuple[str, ...]) -> None:
    """Store clicked steps. After an error the user can still click on."""
    match = loaded.match
    try:
        # Outside the unit of work: a retried click starts the move again.
        begun = Beginning(match.id, match.version, steps)
        await half_made.note(context.app.store, context.user.id, begun)
    except StoreError as error:
        store_failed(_log, "partial move not stored", error)


async def begun_in(
    context: Context, loaded_matches: Iterable[LoadedMatch], text: str
) -> Beginning | None:
    """Return the user's partial move if `text` could finish it in one of these matches."""
    if not any(_can_be_rest(context, loaded, text) for loaded in loaded_matches):
        return None
    return await half_made.of(context.store, context.user.id)


def whole(context: Context, loaded: LoadedMatch, text: str, begun: Beginning | None) -> str:
    """Return `text` in notation, after a partial move it finishes. Raises `AmbiguousMove`."""
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
    # Both are illegal: explain the one that can be parsed.
    return finished if alone is None else written


def _understood(context: Context, loaded: LoadedMatch, seat: int, text: str) -> Any:
    game = loaded.game
    written = in_notation(game, text, context.texts.language)
    try:
        return game.parse(loaded.view(seat), seat, written)
    except GameError:
        return None


def _can_be_rest(context: Context, loaded: LoadedMatch, text: str) -> bool:
    game, seat = loaded.game, loaded.match.seat_of(context.user.id)
    if seat is None or seat not in loaded.turn:
        return False
    moves = loaded.position.moves(seat)
    if all(len(game.steps(move)) == 1 for move in moves):
        return False
    alone = _understood(context, loaded, seat, text)
    return alone not in moves or len(game.steps(alone)) == 1
