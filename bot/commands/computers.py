"""Matches against the computer, hints, searches that a user waits for, and studies."""

import asyncio
from dataclasses import replace
from functools import partial
from typing import TypeVar

from structlog import get_logger

from bot.commands.base import Answer, Context
from bot.commands.resolving import for_two, matches_here, question, resolve_match
from bot.commands.tokens import packed
from bot.domain.actions import Action
from bot.domain.errors import Duplicate, Refused
from bot.domain.model import Computer
from bot.engines.tasks import Hint, Task
from bot.engines.workers import SearchFailedError, WorkersGoneError
from bot.matches import MatchState, beginning, reading, seated, sharing
from bot.matches.names import computer_name
from bot.matches.sharing import Shared
from bot.screens import Button, Screen, Style, in_rows
from bot.screens.controls import can_branch
from bot.store import match_queries
from games import AnyGame, AnyPosition, Options
from games.computer import LEVELS, engine

_log = get_logger(__name__)

T = TypeVar("T")

_LONGEST = 9.0
"""Seconds until an answer. The user's other commands wait, and Telegram may accept none later."""
_PRESSED_TWICE = 10.0
"""Seconds in which the same request counts as a double click."""
_HINT_SECONDS = 2.0
_FIRST_LEVEL = 2
"""Level for new users, who can beat it if they know the rules."""


def can_play(context: Context, game: AnyGame, chosen: Options) -> bool:
    """Return whether the computer can play this. `begin` checks whether an engine is running."""
    app = context.app
    is_there = app.settings.computer.enabled and (app.engines.count or app.store.is_shared)
    options = for_two(game, chosen)
    return bool(is_there) and game.seats(options) == 2 and engine(game.id).can_play(options)


async def usual_level(context: Context, game: AnyGame) -> int:
    """Return the level that the user played last."""
    found = await match_queries.last_level(context.store, context.user.id, game=game.id)
    return _FIRST_LEVEL if found is None else min(found, LEVELS)


async def begin(context: Context, *, setup: str | None = None) -> Answer:
    """Start a match against the computer, from the position `setup` if there is one.

    Ask first if the same match from the usual start has no move yet.
    """
    await check_engine(context)
    check(context)
    context = context.asking(options=for_two(context.game, context.command.options))
    command, game = context.command, context.game
    level = command.level or await usual_level(context, game)
    side = game.easier_seat if command.side is None else command.side
    headers = None if setup is None else ()
    start = partial(
        beginning.begin,
        context.matches,
        replace(context.new_match(), preferred_seat=side, headers=headers),
        setup,
        computer=Computer(level),
        rights=context.rights,
    )
    try:
        return context.answer_started(await start(once=True))
    except Duplicate as doubled:
        is_double_click = doubled.created >= context.app.clock() - _PRESSED_TWICE
        if setup or is_double_click:
            return await context.show_again(doubled.match_id)
        if command.is_confirmed:
            return context.answer_started(await start())
        waiting, texts = await reading.get(context.matches, doubled.match_id), context.texts
        another = packed(game, context.options, level=level, side=side)
        ways = (
            Button(texts("button-go-on"), Action("board", waiting.match.id), Style.PRIMARY),
            Button(texts("button-one-more"), Action("more", argument=another)),
        )
        return await question(context, waiting, texts("computer-waits"), ways)


def check(context: Context) -> None:
    """Check that the computer can play the match of the command. Raises `Refused`."""
    game = context.game
    if not can_play(context, game, context.command.options):
        raise Refused("no-computer-for", game=context.texts(f"{game.id}-name"))
    if context.command.wishes.clock:
        raise Refused("clock-computer")
    if context.command.wishes.is_rated:
        raise Refused("rated-computer")


async def check_engine(context: Context) -> None:
    """Check that an engine runs. Raises `Refused`: never here, or not at the moment."""
    app = context.app
    if not await app.has_engine():
        might_come = app.settings.computer.enabled and app.store.is_shared
        raise Refused("computer-away" if might_come else "no-computer")


async def search(context: Context, task: Task[T]) -> T:
    """Run a task in the user's turn and return its result. Raises `Refused`, before long."""
    app = context.app
    if not app.engines.count:
        raise Refused("thinking-elsewhere")
    late = asyncio.get_running_loop().time() + _LONGEST
    try:
        async with asyncio.timeout_at(late - task.seconds):
            await app.asking.acquire()
    except TimeoutError:
        raise Refused("thinking-busy") from None
    try:
        async with asyncio.timeout_at(late):
            return await app.engines.do(task)
    except TimeoutError:
        raise Refused("thinking-slow") from None
    except WorkersGoneError as error:
        _log.error("no engine available", kind=str(error))
        raise Refused("thinking-failed") from None
    except SearchFailedError as error:
        _log.error("engine failed", task=type(task).__name__, game=task.game, **error.told)
        raise Refused("thinking-failed") from None
    finally:
        app.asking.release()


def can_get_hint(loaded: MatchState, *, user_id: int) -> bool:
    """Return whether the user can get a hint for this match now."""
    return loaded.match.may_hint and loaded.match.seat_of(user_id) in loaded.turn


async def hint(context: Context) -> Answer:
    """Show the user a good move, marked in a private picture."""
    can = (partial(can_get_hint, user_id=context.user.id), lambda one: one.match.may_hint)
    loaded = await resolve_match(context, matches_here, can=can)
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


async def try_moves(context: Context) -> Answer:
    """Start a study from a position of a match."""
    there, setup = await _from_position(context, context.loaded)
    place = await context.direct_chat()
    new = replace(there.new_match(place), headers=())
    study = await beginning.begin(context.matches, new, setup, once=True)
    return context.answer_started(study, place)


async def versus(context: Context) -> Answer:
    """Start a match against the computer from a position of the named match, or of a shared one."""
    is_own = context.command.verb == "versus"
    loaded = context.loaded if is_own else (await _opened(context))[1]
    there, setup = await _from_position(context, loaded)
    return await begin(there, setup=setup)


async def shared_position(context: Context) -> Screen:
    """Show a position of a shared match, with the computer's levels. A link may lead here."""
    command, texts = context.command, context.texts
    shared, opened = await _opened(context)
    there, _ = await _from_position(context, opened)
    check(there)
    shown = await context.app.past_screens.shared(shared, context.reader, ply=command.ply)
    usual = await usual_level(context, opened.game)
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


async def _opened(context: Context) -> tuple[Shared, MatchState]:
    """Return a shared match that has so many moves, and what all may see. Raises `Refused`."""
    command = context.command
    shared = await sharing.shared(context.matches, command.argument)
    opened = await asyncio.to_thread(shared.opened)
    if (command.ply or 0) > len(opened.match.plies):
        raise Refused("no-such-code")
    return shared, opened


async def _from_position(context: Context, loaded: MatchState) -> tuple[Context, str]:
    """Return the context of a match from the position that the button names, and its setup.

    The side is that of a player to move. Raises `Refused`.
    """
    if not can_branch(loaded):
        raise Refused("try-running")
    match, game = loaded.match, loaded.game
    moves = match.moves[: context.command.ply]
    position: AnyPosition = await asyncio.to_thread(game.replay, match.options, match.setup, moves)
    if not position.turn:
        raise Refused("try-over", game=context.texts(f"{game.id}-name"))
    side = min(position.turn)
    return context.asking(game=game.id, options=match.options, side=side), position.setup()
