"""``/analyse`` and ``/hint``: what an engine thinks of a finished match, and of a position."""

from dataclasses import replace
from functools import partial

from bot.commands.base import Answer, Context
from bot.commands.computers import check_engine, search
from bot.commands.playing import past
from bot.commands.puzzling import mark_analysis_seen
from bot.commands.resolving import ended_last, label, matches_here, resolve_match
from bot.commands.strangers import sign_of
from bot.domain.errors import Refused
from bot.domain.model import Status, Stranger
from bot.engines.tasks import Hint, Review
from bot.matches import MatchState, analysing, reading, seated
from bot.matches.endings import by_seat
from bot.screens import Screen
from bot.screens.past import analysis_of, can_analyse
from bot.store import analyses, analysis_requests
from games.computer import engine

_COURSE_SECONDS = 5.0
"""Seconds to analyse a match part by part."""
_HINT_SECONDS = 2.0


async def analyse(context: Context) -> Answer | Screen:
    """Show the analysis of a match, or request one."""
    loaded = context.named_match or await ended_last(context, none="analyse-none", own=False)
    _check(context, loaded)
    progress = loaded.match.progress
    is_again = progress is not None and progress.is_given_up
    is_due = progress is None or is_again
    if is_due and not await context.app.has_engine():
        raise Refused("analyse-house")
    if engine(loaded.game.id).reviews_matches:
        return await _analyse_by_parts(context, loaded)
    if is_due:
        user, app = context.user, context.app
        by = sign_of(app.key, user) if isinstance(user, Stranger) else user.id
        loaded = await analysing.request(context.matches, loaded.match.id, by)
        app.analyses_due.set()
    found = await analyses.of(context.store, loaded.match.id)
    assert found is not None, "it was requested, and is kept as long as the match"
    if not found.progress.is_whole:
        place = context.place
        try:
            await reading.visible(context.matches, loaded.match.id, user_id=0, place_id=place.id)
        except Refused:
            # Others in this place may not see the match.
            place = await context.direct_chat()
        await analysis_requests.add(context.store, loaded.match.id, place, context.user.id or None)
    if context.command.medium.steps:
        # The front shows board, evaluation and progress side by side.
        return await past(replace(context, named_match=loaded))
    if not found.progress.is_whole:
        return await _under_way(context, loaded, found.progress.done, is_again=is_again)
    await mark_analysis_seen(context, loaded)
    analysis = analysis_of(loaded.match, found)
    return await context.app.past_screens.analysis(loaded, context.reader, analysis)


async def _analyse_by_parts(context: Context, loaded: MatchState) -> Screen:
    """Show the analysis of a game that is not judged move by move. Raises `Refused`."""
    texts, game_id = context.texts, loaded.game.id
    parts = await search(context, Review(game_id, loaded.view(None), 0, _COURSE_SECONDS))
    if not parts:
        raise Refused("analyse-empty")
    names = await context.app.names.display_names(loaded.match.players, texts, context.place.id)
    sides = by_seat(loaded.match, names)
    told = (
        "\n".join(texts.note(game_id, "course", one, **sides) for one in part) for part in parts
    )
    return Screen(title=await label(context, loaded), text="\n\n".join(told))


def _check(context: Context, loaded: MatchState) -> None:
    """Check that the match can be analysed. Raises `Refused`."""
    match, game = loaded.match, loaded.game
    if match.status is not Status.OVER:
        raise Refused("analyse-running" if match.status is Status.RUNNING else "not-begun")
    if match.is_puzzle:
        raise Refused("analyse-puzzle")
    if not match.plies:
        raise Refused("analyse-empty")
    if not can_analyse(loaded):
        raise Refused("analyse-game", game=context.texts(f"{game.id}-name"))


async def _under_way(context: Context, loaded: MatchState, done: int, *, is_again: bool) -> Screen:
    match, texts = loaded.match, context.texts
    key = "analysis-once-more" if is_again else "analysis-under-way"
    game, total = texts(f"{match.game}-name"), len(match.plies)
    told = texts(key, game=game, match=match.id, done=done, total=total)
    if not done and (count := await analyses.before(context.store, match.id)):
        told += f"\n{texts('analysis-waits', count=count)}"
    return Screen(text=told, match=match.id, game=match.game)


def _has_hints(loaded: MatchState) -> bool:
    return not loaded.match.is_puzzle and loaded.match.may_hint


def can_get_hint(loaded: MatchState, *, user_id: int) -> bool:
    """Return whether the user can get a hint for this match now."""
    return _has_hints(loaded) and loaded.match.seat_of(user_id) in loaded.turn


async def hint(context: Context) -> Answer:
    """Show the user a good move, marked in a private picture."""
    can = (partial(can_get_hint, user_id=context.user.id), _has_hints)
    loaded = await resolve_match(context, "hint", matches_here, none="no-match", can=can)
    app, match, game = context.app, loaded.match, loaded.game
    seat = seated(loaded, context.user.id)
    if match.is_puzzle:
        raise Refused("hint-puzzle")
    if not match.may_hint:
        code = "hint-alone" if len(match.seats) == 1 else "hint-not-agreed"
        word = context.texts("word-hints").split()[0]
        raise Refused(code, command=context.syntax(game.id), word=word)
    if seat not in loaded.turn:
        raise Refused("hint-not-your-turn")
    await check_engine(context)
    if not engine(game.id).can_play(match.options):
        raise Refused("no-computer-for", game=context.texts(f"{game.id}-name"))
    task = Hint(game.id, loaded.view(seat), seat, _HINT_SECONDS)
    if task not in app.hints:
        found = await search(context, task)
        # The answer to an earlier request may have come first.
        app.hints.setdefault(task, found)
    hinted = app.hints[task]
    if not (await reading.get(context.matches, match.id)).match.is_playable_at(match.version):
        # The position has changed.
        raise Refused("hint-late")
    screen = await app.screens.hint(loaded, context.reader, seat, hinted)
    return Answer(private=screen, about=match.id)
