"""``/help``: all commands in a line each, or one in full."""

from bot.actions import Action
from bot.commands.base import Answer, CommandSpec, Context
from bot.commands.info import usage
from bot.commands.lines import unknown
from bot.commands.paging import page_of, ways
from bot.commands.specs import table
from bot.commands.tokens import paged
from bot.commands.vocabulary import command_called, game_called
from bot.screens import Screen

__all__ = ["show_help"]

_LINES = 30
"""Commands on a page of the help: as many as every platform takes in one message."""


async def show_help(context: Context) -> Answer:
    """``/help [command]``: all commands in a line each, or one in full."""
    texts = context.texts
    word = context.command.topic.removeprefix("/").casefold()
    if word and (game := game_called(word)):
        return Answer(
            private=Screen(
                title=context.called(game.id),
                text=f"{texts(f'{game.id}-about')}\n{usage(context, game.id)}",
            )
        )
    specs = table()
    names = tuple(spec.name for spec in specs)
    if not word and context.command.can_manage is None:
        # Nobody can use these here.
        specs = tuple(spec for spec in specs if not spec.can_manage)
    if word:
        name = command_called(word, names)
        specs = tuple(spec for spec in specs if spec.name == name)
        if not specs:
            raise unknown(context, word, names)
    listed = [
        f"{_usage(context, spec)}: {texts(spec.about)}"
        for spec in page_of(specs, context.command.page, size=_LINES)
    ]
    rows = ways(context, len(specs), lambda page: Action("help", argument=paged(page)), size=_LINES)
    text = "\n".join([texts("help-text", platform=context.place.platform), *listed])
    return Answer(private=Screen(title=texts("help-title"), text=text, rows=rows))


def _usage(context: Context, spec: CommandSpec) -> str:
    words = [context.called(spec.name)]
    if context.command.medium.has_fields:
        # What can stand behind it has fields of its own, which show themselves.
        return words[0]
    for argument in spec.arguments:
        name = context.texts(f"argument-{argument.name}")
        words.append(f"<{name}>" if argument.required else f"[{name}]")
    return " ".join(words)
