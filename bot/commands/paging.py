"""Pages of long lists, and the buttons between them.

Discord allows 40 components in a message, Telegram 100 buttons.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

import games
from bot.commands.base import Context
from bot.domain.actions import Action
from bot.screens import Button, Style

PAGE = 10
"""Entries on a page, unless a list has its own number."""
_WIDE = 2

_T = TypeVar("_T")


def page_of(entries: Sequence[_T], page: int, *, size: int = PAGE) -> Sequence[_T]:
    """Return the entries of a page, or of the last page if it no longer exists."""
    at = _within(len(entries), page, size=size) * size
    return entries[at : at + size]


def ways(
    context: Context, count: int, to: Callable[[int], Action], *, size: int = PAGE
) -> tuple[tuple[Button, ...], ...]:
    """Return the row of buttons to the previous and the next page."""
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
    """Return a page of games as buttons. `every` limits them."""
    every = games.ids() if every is None else every
    shown = [
        Button(context.texts(f"{game_id}-name"), pressed(game_id), style)
        for game_id in page_of(every, context.command.page)
    ]
    rows = [tuple(shown[at : at + _WIDE]) for at in range(0, len(shown), _WIDE)]
    return (*rows, *ways(context, len(every), to))
