"""``/puzzle``: a position with one best move, which whoever asks finds where nobody looks on."""

from collections.abc import Sequence
from random import SystemRandom

import games
from bot.commands.base import Answer, Context
from bot.commands.resolving import games_shown
from bot.errors import Doubled, Refused
from bot.model import Place, PlaceKind
from bot.puzzles import have_puzzles
from bot.store import puzzles
from bot.store.puzzles import Kept
from games import AnyGame

__all__ = ["another", "puzzle"]

_AMONG = 5
"""So many of the puzzles that suit somebody best; which of them is luck, so that two who begin are
not asked the same."""
_luck = SystemRandom()


async def puzzle(context: Context) -> Answer:
    """``/puzzle [game]``: one that they have before them, or else a new one.

    Without a game, of the one of which they had one last, or of any that there is one of.
    """
    if context.command.game:
        return await another(context, games.get(context.command.game))
    policy = await context.policy()
    policy.check_place()
    every = [one for one in policy.games if have_puzzles(games.get(one))]
    last = await puzzles.last_game(context.store, context.user.id)
    every.sort(key=lambda one: one != last)
    return await _begun(context, [games.get(one) for one in every])


async def another(context: Context, game: AnyGame) -> Answer:
    """A puzzle of this game. Raises `Refused` where there is none."""
    if not have_puzzles(game):
        every = (one for one in games.ids() if have_puzzles(games.get(one)))
        raise Refused(
            "puzzle-game",
            game=context.texts(f"{game.id}-name"),
            games=games_shown(context.texts, context.place.platform, every),
        )
    return await _begun(context, [game])


async def _begun(context: Context, every: Sequence[AnyGame]) -> Answer:
    """The puzzle of one of these games that they have open, else a new one of the first with any.

    It is theirs alone: where others would look on, it is in their own conversation.
    """
    user_id, ids = context.user.id, [game.id for game in every]
    found = await puzzles.open_of(context.store, user_id, ids)
    if found is not None:
        return await _shown(context, found)
    for game in every:
        if chosen := await _chosen(context, game):
            return await _tried(context, game, chosen)
    raise Refused("puzzle-none", command=context.called("analyse"))


async def _chosen(context: Context, game: AnyGame) -> Kept | None:
    """A puzzle about as hard as they are strong; None where they know all that there are."""
    strength = await puzzles.strength(context.store, context.user.id, game.id)
    found = await puzzles.nearest(
        context.store,
        context.user.id,
        game=game.id,
        rules=game.rules,
        value=strength.rating.value,
        limit=_AMONG,
    )
    return _luck.choice(found) if found else None


async def _tried(context: Context, game: AnyGame, chosen: Kept) -> Answer:
    # What may be begun here is asked of the place in which they ask, too.
    await context.matches.check_place(game.id, context.place.id, standing=context.standing)
    place = await _direct(context)
    try:
        loaded = await context.matches.begin_puzzle(
            game,
            chosen,
            place_id=place.id,
            user_id=context.user.id,
            quotas=context.app.quotas(),
        )
    except Doubled as doubled:
        # Pressed twice, and another process was quicker with the other press.
        return await _shown(context, doubled.match_id)
    if place.id != context.place.id:
        return Answer(elsewhere=loaded.match.id)
    return context.begun(loaded)


async def _shown(context: Context, match_id: int) -> Answer:
    """Show the board of a puzzle that they have begun before."""
    loaded, place = await context.matches.get(match_id), await _direct(context)
    await context.app.boards.show(loaded, place, user_id=context.user.id, store=context.store)
    if place.id != context.place.id:
        return Answer(elsewhere=match_id)
    return context.begun(loaded)


async def _direct(context: Context) -> Place:
    """The conversation in which nobody else is."""
    place = context.place
    if place.kind is PlaceKind.DIRECT:
        return place
    return await context.app.directory.direct(
        place.platform,
        context.command.identity,
        context.texts("direct-title"),
        asked_by=context.user.id,
    )
