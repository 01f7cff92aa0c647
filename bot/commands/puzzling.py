"""``/puzzle``: a position with one best move, which whoever asks finds where nobody looks on."""

from collections.abc import Iterable, Sequence
from random import SystemRandom

import games
from bot.actions import Action
from bot.commands.base import Answer, Context
from bot.commands.resolving import games_shown
from bot.errors import Doubled, Refused
from bot.matches import LoadedMatch
from bot.model import Place, PlaceKind, Stranger
from bot.puzzles import have_puzzles
from bot.screens import GameOffer
from bot.store import puzzles
from bot.store.puzzles import PuzzleToTry
from games import AnyGame

__all__ = ["another", "menu_entry", "note_look", "puzzle", "shown"]

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
    return await _begun(context, await _in_order(context, policy.games))


async def menu_entry(context: Context, possible: Iterable[str]) -> GameOffer | None:
    """The way to a puzzle, as a menu has it; None where there is none for them."""
    every = await _in_order(context, possible)
    found = await _open(context, every)
    if found is not None:
        every = [(await context.matches.get(found)).game]
    for game in every:
        if found is not None or await _chosen(context, game):
            texts = context.texts
            name, about = texts(f"{game.id}-name"), texts("menu-puzzle-about")
            action = Action("puzzle", argument=game.id)
            return GameOffer(game.id, texts("menu-puzzle", game=name), about, action)
    return None


async def _in_order(context: Context, possible: Iterable[str]) -> list[AnyGame]:
    """Those games that have puzzles; first the one of which they have had one last."""
    every = [one for one in possible if have_puzzles(games.get(one))]
    last = await puzzles.last_game(context.store, context.user.id)
    return [games.get(one) for one in sorted(every, key=lambda one: one != last)]


async def _open(context: Context, every: Iterable[AnyGame]) -> int | None:
    """The match of the puzzle of these games that they have before them."""
    ids = [game.id for game in every]
    return await puzzles.open_of(context.store, context.user.id, ids)


async def note_look(context: Context, loaded: LoadedMatch) -> None:
    """Note that they see a look back on a match, where that may tell them a puzzle.

    Of those of whom nothing is stored, nothing is.
    """
    if have_puzzles(loaded.game) and not isinstance(context.user, Stranger):
        await puzzles.note_look(context.store, context.user.id, loaded.match.id)


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
    if (found := await _open(context, every)) is not None:
        return await shown(context, found)
    for game in every:
        if chosen := await _chosen(context, game):
            return await _tried(context, game, chosen)
    possible = await _in_order(context, (await context.policy()).games)
    others = [one.id for one in possible if one not in every and await _chosen(context, one)]
    if others and len(every) == 1:
        texts, platform = context.texts, context.place.platform
        name, of = texts(f"{every[0].id}-name"), games_shown(texts, platform, others)
        raise Refused("puzzle-none-of", game=name, games=of)
    raise Refused("puzzle-none", command=context.called("analyse"))


async def _chosen(context: Context, game: AnyGame) -> PuzzleToTry | None:
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


async def _tried(context: Context, game: AnyGame, chosen: PuzzleToTry) -> Answer:
    # What may be begun here is asked of the place in which they ask, too.
    await context.matches.check_place(game.id, context.place.id, rights=context.rights)
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
        return await shown(context, doubled.match_id)
    if place.id != context.place.id:
        return Answer(elsewhere=loaded.match.id)
    return context.begun(loaded)


async def shown(context: Context, match_id: int) -> Answer:
    """Show the board of a puzzle that they have begun before, where nobody else sees it."""
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
