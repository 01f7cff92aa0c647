"""Lists that may be longer than a screen: one page of them, and the ways to the others.

Platforms limit what stands under one message (Discord 40 components, Telegram 100 buttons).
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

import games
from bot.actions import Action
from bot.commands.base import Context
from bot.screens import Button, Style

__all__ = ["PAGE", "game_buttons", "page_of", "ways"]

PAGE = 10
"""So many entries has a page, unless a list says otherwise."""
_WIDE = 2
"""Games in a row."""

_T = TypeVar("_T")


def page_of(entries: Sequence[_T], page: int, *, size: int = PAGE) -> Sequence[_T]:
    """The entries of a page; of one that is no more, those of the last one."""
    at = _within(len(entries), page, size=size) * size
    return entries[at : at + size]


def ways(
    context: Context, count: int, to: Callable[[int], Action], *, size: int = PAGE
) -> tuple[tuple[Button, ...], ...]:
    """The row of buttons that leads to the pages before and behind; none where one page is all."""
    page = _within(count, context.command.page, size=size)
    found = []
    if page > 0:
        found.append(Button(context.texts("button-back"), to(page - 1)))
    if (page + 1) * size < count:
        found.append(Button(context.texts("button-more"), to(page + 1)))
    return (tuple(found),) if found else ()


def _within(count: int, page: int, *, size: int) -> int:
    return max(0, min(page, (count - 1) // size))


def game_buttons(
    context: Context,
    pressed: Callable[[str], Action],
    to: Callable[[int], Action],
    *,
    style: Style = Style.PLAIN,
    every: Sequence[str] | None = None,
) -> tuple[tuple[Button, ...], ...]:
    """A page of games (`every` one of these; else all), a button each, and the ways to others."""
    every = games.ids() if every is None else every
    shown = [
        Button(context.texts(f"{game_id}-name"), pressed(game_id), style)
        for game_id in page_of(every, context.command.page)
    ]
    rows = [tuple(shown[at : at + _WIDE]) for at in range(0, len(shown), _WIDE)]
    return (*rows, *ways(context, len(every), to))
