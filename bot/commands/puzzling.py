"""``/puzzle``: find the best move of a position, in private."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import SystemRandom

import games
from bot.commands.base import Answer, Context
from bot.commands.vocabulary import games_shown
from bot.domain.actions import Action
from bot.domain.analysis import Analysis
from bot.domain.errors import Refused
from bot.domain.model import Computer, Stranger
from bot.matches import MatchState, beginning
from bot.matches.puzzles import have_puzzles
from bot.screens import MenuEntry
from bot.screens.past import load_analysis
from bot.store import analyses, puzzles
from bot.store.puzzles import PuzzleToTry
from games import AnyGame
from games.computer import LEVELS

_AMONG = 5
"""Number of suitable puzzles to choose from at random, so that users get different ones."""
_luck = SystemRandom()


async def puzzle(context: Context) -> Answer:
    """``/puzzle [game]``: show the open puzzle or a new one, preferably of the last game."""
    if context.command.game:
        return await another(context, context.game)
    policy = await context.policy()
    policy.check_place()
    return await _begun(context, await _in_order(context, policy.games))


async def menu_entry(context: Context, possible: Iterable[str]) -> MenuEntry | None:
    """Return the menu entry for a puzzle, if there is one for the user."""
    for game in await _in_order(context, possible):
        if await has_one(context, game):
            name, about = context.texts("menu-puzzle"), context.texts("menu-puzzle-about")
            return MenuEntry(game.id, name, about, Action("puzzle", argument=game.id))
    return None


async def _in_order(context: Context, possible: Iterable[str]) -> list[AnyGame]:
    """Return the games that have puzzles, the user's last one first."""
    last = await puzzles.last_game(context.store, context.user.id)
    in_order = sorted(possible, key=lambda one: one != last)
    return [game for game in map(games.get, in_order) if have_puzzles(game)]


async def seen_analysis(context: Context, loaded: MatchState) -> Analysis | None:
    """Return the analysis so far, and record that the user sees it: it may reveal a puzzle."""
    match = loaded.match
    analysis = await load_analysis(context.store, match)
    if analysis is None:
        return None
    if match.progress is not None and match.progress.is_whole:
        user_id = context.user.id or None
        await analyses.drop_requests(context.app.store, match.id, context.place, user_id)
    if have_puzzles(loaded.game) and not isinstance(context.user, Stranger):
        await puzzles.record_analysis_view(context.store, context.user.id, match.id)
    return analysis


async def another(context: Context, game: AnyGame) -> Answer:
    """Show the open puzzle of this game or a new one. Raises `Refused`."""
    if have_puzzles(game):
        return await _begun(context, [game])
    texts, every = context.texts, (one for one in games.ids() if have_puzzles(games.get(one)))
    name, others = texts(f"{game.id}-name"), games_shown(texts, every)
    raise Refused("puzzle-game", game=name, games=others)


async def _begun(context: Context, every: Sequence[AnyGame]) -> Answer:
    ids = [game.id for game in every]
    if (found := await puzzles.open_of(context.store, context.user.id, ids)) is not None:
        return await shown(context, found)
    for game in every:
        if chosen := await _chosen(context, game):
            return await _tried(context, game, chosen)
    possible = await _in_order(context, (await context.policy()).games)
    others = [one.id for one in possible if one not in every and await _chosen(context, one)]
    if others and len(every) == 1:
        texts = context.texts
        name, of = texts(f"{every[0].id}-name"), games_shown(texts, others)
        raise Refused("puzzle-none-of", game=name, games=of)
    raise Refused("puzzle-none", command=context.syntax("analyse"))


async def has_one(context: Context, game: AnyGame) -> bool:
    """Return whether there is a puzzle of this game for the user, open or new."""
    found = await puzzles.open_of(context.store, context.user.id, [game.id])
    return found is not None or await _chosen(context, game) is not None


async def _chosen(context: Context, game: AnyGame) -> PuzzleToTry | None:
    """Return a new puzzle close to the user's rating, if any."""
    store, rules = context.store, game.rules_version
    found = await puzzles.nearest(store, context.user.id, game=game.id, rules=rules, limit=_AMONG)
    return _luck.choice(found) if found else None


async def _tried(context: Context, game: AnyGame, chosen: PuzzleToTry) -> Answer:
    # The place of the command must allow the game, too.
    await beginning.check_place(context.matches, game.id, context.place.id, rights=context.rights)
    place = await context.direct_chat()
    new = context.asking(game=game.id, options=chosen.options).new_match(place)
    new = replace(new, preferred_seat=chosen.seat, puzzle=chosen.id)
    loaded = await beginning.begin(context.matches, new, chosen.setup, computer=Computer(LEVELS))
    return context.answer_started(loaded, place)


async def shown(context: Context, match_id: int) -> Answer:
    """Show the board of an open puzzle in the direct chat."""
    return await context.show_again(match_id, await context.direct_chat())
