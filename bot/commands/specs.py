"""The command table, for typed lines, fields, completion and the help."""

from dataclasses import replace
from functools import cache

import games
from bot.commands.base import Argument, CommandSpec, Kind
from bot.commands.vocabulary import words_of

_GAME, _USER, _OPTIONS = Argument(Kind.GAME), Argument(Kind.USER), Argument(Kind.OPTIONS)
_MATCH = Argument(Kind.MATCH)


@cache
def table() -> tuple[CommandSpec, ...]:
    """Return all commands, in the order of the help."""
    return (
        *_group(
            "start",
            CommandSpec("play", (_GAME,), asks="menu", begins=True),
            *(
                CommandSpec(
                    game_id, (Argument(Kind.MOVE), _USER, _OPTIONS), asks="game", game=game_id
                )
                for game_id in games.ids()
            ),
            CommandSpec("challenge", (_USER, _GAME, _OPTIONS), begins=True),
            CommandSpec("rematch", asks="again"),
        ),
        *_group(
            "answer",
            CommandSpec("accept", (_MATCH,)),
            CommandSpec("join", (Argument(Kind.CODE, required=True),)),
            CommandSpec("decline", (_MATCH,)),
            CommandSpec("withdraw", (_MATCH,)),
            CommandSpec("matches"),
        ),
        *_group(
            "play",
            CommandSpec("board", (_MATCH,)),
            CommandSpec("next"),
            CommandSpec("hint", (_MATCH,)),
            CommandSpec("moves", (_MATCH,)),
            CommandSpec("takeback", (_MATCH,)),
        ),
        *_group(
            "end",
            CommandSpec("draw", (_MATCH,)),
            CommandSpec("clock", (Argument(Kind.CLOCK, required=True), _MATCH)),
            CommandSpec("nudge", (_MATCH,)),
            CommandSpec("claim", (_MATCH,)),
            CommandSpec("abort", (_MATCH,)),
            CommandSpec("resign", (_MATCH,)),
        ),
        *_group(
            "learn",
            CommandSpec("analyse", (_MATCH,)),
            CommandSpec("puzzle", (_GAME,), begins=True),
            CommandSpec("leaderboard", (_GAME, Argument(Kind.PERIOD), Argument(Kind.PEOPLE))),
            CommandSpec("stats", (_USER, _GAME)),
            CommandSpec("rules", (Argument(Kind.GAME, required=True),)),
            CommandSpec("help", (Argument(Kind.COMMAND),)),
        ),
        *_group(
            "set",
            CommandSpec("settings"),
            CommandSpec("language", (Argument(Kind.LANGUAGE),)),
            CommandSpec("quiet", (Argument(Kind.HOURS),)),
            CommandSpec("holiday", (Argument(Kind.DAYS),)),
            CommandSpec("block", (_USER,)),
            CommandSpec("unblock", (_USER,)),
            CommandSpec("privacy"),
            CommandSpec("here", can_manage=True),
        ),
    )


def spec_called(word: str) -> CommandSpec | None:
    """Return the command that `word` means in any language."""
    word = word.casefold()
    return next((spec for spec in table() if word in words_of(spec.name)), None)


def _group(name: str, *specs: CommandSpec) -> list[CommandSpec]:
    return [replace(spec, group=name) for spec in specs]
