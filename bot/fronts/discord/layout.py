"""Screens as Components V2 messages: picture, text, steps, then rows of other buttons.

Discord's limits: 40 components including nested ones, 5 buttons per row, 25 options per select,
4000 characters of text, 1024 of alt text, 80 of a label.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import groupby
from typing import Any

import discord
from discord import MediaGalleryItem, ui

from bot.delivery import Recipient
from bot.fronts.discord.buttons import answer_select, button_of, step_select, user_select
from bot.fronts.discord.markdown import code, code_block, escape, truncate
from bot.screens import Button, Choice, Screen, Style, in_rows, parts_of
from bot.screens.pictures import Gif

_MOST_COMPONENTS = 40
_MOST_TEXT = 4000
_MOST_BUTTONS = 25
_MOST_OPTIONS = 25
_WIDEST = 5
_ONE_SELECT = 2
_PICTURE, _ANIMATION = "board.png", "replay.gif"

_Row = ui.ActionRow[Any]


@dataclass(frozen=True, slots=True)
class Page:
    """A view and its files, for one request."""

    view: ui.LayoutView
    files: list[discord.File] = field(default_factory=list)

    @property
    def send_kwargs(self) -> dict[str, Any]:
        """The arguments of a new message."""
        return {"view": self.view, "files": self.files}

    @property
    def changed(self) -> dict[str, Any]:
        """The arguments of an edit."""
        nobody = discord.AllowedMentions.none()
        return {"view": self.view, "attachments": self.files, "allowed_mentions": nobody}


def lay_out(
    screen: Screen,
    *,
    rest: Sequence[Button] = (),
    called: Recipient | None = None,
    link: tuple[str, str] | None = None,
    commands: Mapping[str, str] | None = None,
) -> Page:
    """Lay out `screen`. `rest` joins its view buttons. The title mentions `called`.

    `link` has the label and the URL of a last button.
    """
    view = ui.LayoutView(timeout=None)
    game, files = screen.game, []
    if screen.picture is not None:
        alt = truncate(screen.alt, 1024)
        name = _ANIMATION if isinstance(screen.picture, Gif) else _PICTURE
        file = discord.File(BytesIO(screen.picture.data), name, description=alt)
        item = MediaGalleryItem(file, description=alt, spoiler=screen.is_spoiler)
        view.add_item(ui.MediaGallery(item))
        files.append(file)
    title = f"**{_title(screen, called, commands)}**\n" if screen.title else ""
    offers = (f"**{escape(offer.name)}**: {escape(offer.about)}" for offer in screen.menu)
    said = (
        code(part.text, commands)
        if part.is_copied
        # Discord shows the user's local time, and the time from now.
        else f"<t:{part.at}:f> (<t:{part.at}:R>)"
        if part.at is not None
        else f"||{escape(part.text, commands)}||"
        if part.is_spoiler
        else "\n\n" * part.is_folded + escape(part.text, commands)
        for part in parts_of(screen)
    )
    text = title + ("\n".join(offers) or "".join(said))
    for table in screen.tables:
        parts = (text.rstrip("\n"), escape(table.title), code_block(table.lines()))
        text = "\n".join(filter(None, parts))
    view.add_item(ui.TextDisplay(truncate(text, _MOST_TEXT) or "…"))
    if screen.file is not None:
        file = discord.File(BytesIO(screen.file.data), screen.file.name)
        view.add_item(ui.File(file))
        files.append(file)
    ways, asked = _under(screen, rest)
    if screen.users is not None:
        ways.insert(0, _Row(user_select(screen.users, game=game)))
    last = [] if link is None else [_Row(ui.Button(label=truncate(link[0], 80), url=link[1]))]
    room = _MOST_COMPONENTS - len(view.children) - _size(*ways, *last)
    # Reserve room for a select of questions. Otherwise a question could turn the steps into a
    # select and move all below.
    steps = _steps(
        screen.choices,
        game=game,
        room=room - (_ONE_SELECT if screen.may_ask or asked else 0),
        most=screen.at_once,
        groups=screen.groups,
    )
    if asked and _size(*steps, *asked) > room:
        asked = [_Row(answer_select(screen.questions, game=game))]
    for row in (*steps, *ways, *asked, *last):
        view.add_item(row)
    # The client handles presses by their id, so discord.py need not remember the view.
    view.stop()
    return Page(view, files)


def _under(screen: Screen, rest: Sequence[Button]) -> tuple[list[_Row], list[_Row]]:
    """Return the rows below the steps: buttons, with `rest` among them, and one per question."""
    rows = [list(row) for row in screen.rows] or [[]]
    if screen.chosen:
        # A partial move is beside the board, which has the other buttons.
        rows = [[one for one in row if one.action.verb == "step"] for row in rows]
    if rest:
        looks = screen.view_row if screen.rows else 0
        # Before dangerous buttons.
        rows[looks] = sorted([*rows[looks], *rest], key=lambda one: one.style is Style.DANGER)
    first = len(rows) - len(screen.questions)
    made = [[button_of(button, game=screen.game) for button in row] for row in rows]
    return _in_fives(made[:first]), _in_fives(made[first:])


def _in_fives(rows: Iterable[Sequence[ui.Button[Any]]]) -> list[_Row]:
    return [_Row(*part) for row in rows for part in in_rows(row, _WIDEST)]


def _size(*rows: _Row) -> int:
    return sum(1 + len(row.children) for row in rows)


def _title(screen: Screen, called: Recipient | None, commands: Mapping[str, str] | None) -> str:
    title, (start, end) = screen.title, screen.opponent_span
    if called is None or not end:
        return escape(title, commands)
    return f"{escape(title[:start])}<@{called.external}>{escape(title[end:])}"


def beside(buttons: Sequence[Button]) -> ui.View | None:
    """Return the buttons of a plain message, if any."""
    if not buttons:
        return None
    view = ui.View(timeout=None)
    for button in buttons:
        view.add_item(button_of(button, game=""))
    view.stop()
    return view


def is_shown(view: ui.LayoutView, message: discord.Message) -> bool:
    """True if a message has the texts and buttons of `view`, which are unique to a version."""
    shown = [component.to_dict() for component in message.components]
    made = view.to_components()  # type: ignore[no-untyped-call]
    return set(_said(made)) == set(_said(shown))


def _said(components: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for one in components:
        yield from _said(one.get("components", ()))
        for key in ("content", "custom_id"):
            # Discord strips whitespace.
            yield str(one.get(key) or "").strip()
        yield from (option["value"] for option in one.get("options", ()))


def _steps(
    choices: Sequence[Choice], *, game: str, room: int, most: int, groups: Mapping[str, str]
) -> list[_Row]:
    """Return steps as buttons if they fit and one is chosen at a time, otherwise as selects."""
    shown = [choice for choice in choices if choice.box is not None]
    legal = [choice for choice in shown if choice.legal]
    rows = _in_rows(legal, is_narrow=len({choice.column for choice in shown}) <= _WIDEST)
    if most == 1 and len(legal) <= _MOST_BUTTONS and len(rows) + len(legal) <= room:
        buttons = [[Button(one.short, one.action) for one in row] for row in rows]
        return [_Row(*(button_of(one, game=game) for one in row)) for row in buttons]
    named = [(part, groups.get(part[0].group, "")) for part in _parts(legal)]
    return [
        _Row(step_select(part, game=game, number=number, most=most, group=group))
        for number, (part, group) in enumerate(named)
    ]


def _in_rows(choices: Sequence[Choice], *, is_narrow: bool) -> Sequence[Sequence[Choice]]:
    """Arrange choices as in the picture if it is narrow, otherwise five per row."""
    ordered = [
        choice
        for group in _groups(choices)
        for choice in sorted(group, key=lambda one: (one.row, one.column))
    ]
    rows = [list(row) for _, row in groupby(ordered, key=lambda one: (one.group, one.row))]
    return rows if is_narrow and len(rows) <= _WIDEST < len(choices) else in_rows(ordered, _WIDEST)


def _parts(choices: Sequence[Choice]) -> Iterator[Sequence[Choice]]:
    for group in _groups(choices):
        rows = [list(row) for _, row in groupby(group, key=lambda choice: choice.row)]
        if len(rows) == len({choice.row for choice in group}) < len(group):
            yield from _packed(rows)
        else:
            number = -(-len(group) // _MOST_OPTIONS)
            yield from in_rows(group, -(-len(group) // number))


def _packed(rows: Sequence[Sequence[Choice]]) -> Iterator[Sequence[Choice]]:
    part: list[Choice] = []
    for row in rows:
        if part and len(part) + len(row) > _MOST_OPTIONS:
            yield part
            part = []
        part += row
    yield part


def _groups(choices: Iterable[Choice]) -> Iterable[Sequence[Choice]]:
    groups: defaultdict[str, list[Choice]] = defaultdict(list)
    for choice in choices:
        groups[choice.group].append(choice)
    return groups.values()
