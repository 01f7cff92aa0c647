"""``/help``: first steps, all commands, or one command."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter

import games
from bot.commands.base import Answer, CommandSpec, Context
from bot.commands.computers import absent, quick_offer
from bot.commands.info import usage
from bot.commands.lines import unknown
from bot.commands.menus import page_of, ways
from bot.commands.specs import spec_called, table
from bot.commands.tokens import paged
from bot.commands.vocabulary import computer_in, game_called
from bot.domain.actions import Action
from bot.domain.model import Computer
from bot.matches.names import computer_name
from bot.screens import Button, Screen
from games.computer import LEVELS

_FIRST = ("play", "challenge", "board", "rules", "settings")
_LINES = 40
"""Commands on a page. Every platform takes so many in one message."""


async def show_help(context: Context) -> Answer:
    """``/help [command]``: show the first steps, or one command."""
    texts = context.texts
    word = context.command.topic.removeprefix("/").casefold()
    if word and (game := game_called(word)):
        return Answer(
            private=Screen(
                title=context.called(game.id),
                text=f"{texts(f'{game.id}-about')}\n{usage(context, game.id)}",
            )
        )
    if word and computer_in(word.split())[0] is not None:
        return await _computers(context)
    specs = table()
    if not word and context.command.can_manage is None:
        specs = tuple(spec for spec in specs if not spec.can_manage)
    if not word and not context.command.argument:
        return _first(context, specs)
    if word:
        spec = spec_called(word)
        if spec is None:
            raise unknown(context, word)
        specs = (spec,)
    page = page_of(specs, context.command.page, size=_LINES)
    listed = [_line(context, one) for one in page] if word else _in_groups(context, page)
    rows = ways(context, len(specs), lambda page: Action("help", argument=paged(page)), size=_LINES)
    example = f"example-{specs[0].name}" if word else ""
    if texts.has(example) and not context.command.medium.has_fields:
        listed.append(texts(example, command=context.called(specs[0].name)))
    text = "\n".join([texts("help-text", platform=context.place.platform), *listed])
    return Answer(private=Screen(title=texts("help-title"), text=text, rows=rows))


async def _computers(context: Context) -> Answer:
    texts = context.texts
    if not await context.app.is_thinking():
        raise absent(context)
    every = (await context.policy()).games
    quick = await quick_offer(context, every)
    before = context.before_move(quick.game if quick else next(iter(games.ids())))
    lines = [texts("help-computer", before=before, hint=context.called("hint"))]
    for level in range(1, LEVELS + 1):
        name, about = computer_name(Computer(level), texts), texts(f"computer-about-{level}")
        lines.append(texts("help-computer-level", level=level, name=name, about=about))
    rows = ((Button(quick.name, quick.action),),) if quick else ()
    title = texts("help-computer-title")
    return Answer(private=Screen(title=title, text="\n".join(lines), rows=rows))


def _first(context: Context, specs: Sequence[CommandSpec]) -> Answer:
    listed = [_line(context, spec) for name in _FIRST for spec in specs if spec.name == name]
    text = "\n".join([context.texts("help-text", platform=context.place.platform), *listed])
    everything = Action("help", argument=paged(0))
    rows = ((Button(context.texts("button-help-all"), everything),),)
    return Answer(private=Screen(title=context.texts("help-title"), text=text, rows=rows))


def _in_groups(context: Context, specs: Iterable[CommandSpec]) -> list[str]:
    lines = []
    for group, its in groupby(specs, attrgetter("group")):
        lines += ["", context.texts(f"help-group-{group}"), *(_line(context, one) for one in its)]
    return lines


def _line(context: Context, spec: CommandSpec) -> str:
    return f"{_usage(context, spec)}: {context.texts(spec.about)}"


def _usage(context: Context, spec: CommandSpec) -> str:
    words = [context.called(spec.name)]
    if context.command.medium.has_fields:
        # The argument fields are self-explanatory.
        return words[0]
    for argument in spec.arguments:
        name = context.texts(f"argument-{argument.name}")
        words.append(f"<{name}>" if argument.required else f"[{name}]")
    return " ".join(words)
