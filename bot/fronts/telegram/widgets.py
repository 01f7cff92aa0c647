"""Screens as Telegram shows them: text with entities, and a keyboard under it.

Entities instead of markup: nothing that people write, names least of all, is ever parsed.
Offsets and lengths of entities count UTF-16 code units, and so do we with all limits.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import quote

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity
from telegram import User as TelegramUser

from bot.actions import Action
from bot.delivery import Recipient
from bot.errors import Refused
from bot.pictures import Png
from bot.screens import Button, Choice, File, Screen, Style

__all__ = [
    "CLOSE",
    "LONGEST_ALERT",
    "LONGEST_CAPTION",
    "LONGEST_TEXT",
    "TAB",
    "VOID",
    "Draft",
    "TextBuilder",
    "Turned",
    "board",
    "cut",
    "deep_link",
    "keyboard",
    "menu",
    "note",
    "own_button",
    "token_button",
    "url_button",
]

LONGEST_TEXT = 4096
LONGEST_CAPTION = 1024
LONGEST_ALERT = 200
_WIDEST = 8
_MOST = 80
"""Choices in one keyboard; Telegram takes 100 buttons, the rest is for what stands below."""

VOID, TAB, CLOSE = "void", "tab", "close"
"""Verbs of buttons that are our own business: nothing there, another page, away with it."""


@dataclass(frozen=True, slots=True)
class Turned:
    """A button of our own, read again; where it turns a page, `tab` is which one of what."""

    verb: str
    match: int
    version: int
    tab: str
    chosen: tuple[str, ...]


_BLANK = "\u2800"  # Telegram trims spaces, and refuses buttons without text.
_NOT_LEGAL = "·"
_MORE = " …"
_SENTENCE_END = re.compile(r"\n|(?<=[^\d\s][.!?])\s|(?<=[^\d\s]\d[.!?])\s")
"""After words and squares (d3.), and not after the numbers of a list (12.)."""
_WORD_END = re.compile(r"\s")
_STYLES = {Style.PLAIN: None, Style.PRIMARY: "primary", Style.DANGER: "danger"}


def _length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def cut(text: str, most: int) -> str:
    """`text` in at most `most` UTF-16 code units, with dots where something is missing.

    It ends with a line or a sentence, or at least with a word, where that costs less than half.
    """
    if _length(text) <= most:
        return text
    room = most - _length(_MORE)
    if room <= 0:
        return ""
    kept = text.encode("utf-16-le")[: 2 * room].decode("utf-16-le", "ignore")
    for end in (_SENTENCE_END, _WORD_END):
        ends = [found.start() for found in end.finditer(text, 0, len(kept) + 1)]
        if ends and 2 * ends[-1] >= len(kept):
            return kept[: ends[-1]].rstrip() + _MORE
    return kept.rstrip() + _MORE


@dataclass(slots=True)
class TextBuilder:
    """A text that grows, with its entities."""

    most: int = LONGEST_TEXT
    text: str = ""
    entities: list[MessageEntity] = field(default_factory=list)

    def add(
        self, text: str, kind: str | None = None, *, user: int = 0, apart: str = "\n"
    ) -> "TextBuilder":
        """Add a piece, `apart` from what stands before; `kind` is a type of entity."""
        if not text:
            return self
        before = self.text + (apart if self.text else "")
        text = cut(text, self.most - _length(before))
        if not text:
            return self
        if kind:
            mentioned = (
                TelegramUser(user, first_name=text[:64], is_bot=False)
                if kind == MessageEntity.TEXT_MENTION
                else None
            )
            self.entities.append(
                MessageEntity(kind, _length(before), _length(text), user=mentioned)
            )
        self.text = before + text
        return self

    def mention(self, name: str, user: int, *, apart: str = "\n") -> "TextBuilder":
        """Add a person in a way that notifies them."""
        return self.add(name, MessageEntity.TEXT_MENTION, user=user, apart=apart)


@dataclass(frozen=True, slots=True)
class Draft:
    """A message as it is to be."""

    text: str
    entities: tuple[MessageEntity, ...] = ()
    picture: Png | None = None
    keyboard: InlineKeyboardMarkup | None = None
    file: File | None = None


def note(text: str) -> Draft:
    """A plain line."""
    return Draft(cut(text, LONGEST_TEXT))


def menu(screen: Screen, *, owner: tuple[str, int] | None = None) -> Draft:
    """A screen without a match; `owner` (name, id) is told, and is the only one to press it."""
    words = TextBuilder(LONGEST_CAPTION if screen.file else LONGEST_TEXT)
    if owner:
        words.mention(*owner)
    words.add(screen.title, MessageEntity.BOLD).add(screen.text)
    rows = keyboard(_rows(screen))
    return Draft(words.text, tuple(words.entities), keyboard=rows, file=screen.file)


def board(
    screen: Screen,
    *,
    tab: str = "",
    called: Recipient | None = None,
) -> Draft:
    """A screen that shows a match, with the page `tab` of its keyboard.

    Naming the challenged notifies them.
    """
    words = TextBuilder(LONGEST_CAPTION if screen.picture else LONGEST_TEXT)
    words.add(screen.title, MessageEntity.BOLD)
    if called and (at := words.text.find(called.name, 1)) > 0:
        user = TelegramUser(int(called.external), first_name=called.name, is_bot=False)
        offset = _length(words.text[:at])
        words.entities.append(
            MessageEntity(MessageEntity.TEXT_MENTION, offset, _length(called.name), user=user)
        )
    words.add(screen.text)
    if screen.alt:
        # The whole position in words, folded up: captions are what screen readers have here.
        words.add(screen.alt, MessageEntity.EXPANDABLE_BLOCKQUOTE)
    rows = [*_choice_rows(screen, tab=tab), *_rows(screen)]
    return Draft(words.text, tuple(words.entities), screen.picture, keyboard(rows))


# --- keyboards ------------------------------------------------------------------------------


def keyboard(rows: Iterable[Sequence[InlineKeyboardButton]]) -> InlineKeyboardMarkup | None:
    """A keyboard of these rows; None where there are none."""
    kept = [row for row in rows if row]
    return InlineKeyboardMarkup(kept) if kept else None


def token_button(label: str, action: Action) -> InlineKeyboardButton:
    """A button that does `action`."""
    return _button(Button(label, action))


def url_button(label: str, url: str) -> InlineKeyboardButton:
    """A button that opens an address."""
    return InlineKeyboardButton(label, url=url)


def _rows(screen: Screen) -> list[tuple[InlineKeyboardButton, ...]]:
    return [tuple(_button(button) for button in row) for row in screen.rows]


def _button(button: Button) -> InlineKeyboardButton:
    return InlineKeyboardButton(
        cut(button.label, 60), callback_data=button.action.token, style=_STYLES[button.style]
    )


def _choice_rows(screen: Screen, *, tab: str) -> list[tuple[InlineKeyboardButton, ...]]:
    """What can be chosen: as the board where that fits, else as a list, in pages if need be."""
    pages = _pages(screen.choices)
    if not pages:
        return []
    # Whoever marks goes on marking.
    going_on = (
        name
        for name, page in pages.items()
        if any(choice.step == screen.last_step for choice in page)
    )
    shown = tab if tab in pages else next(going_on, next(iter(pages)))
    rows: list[tuple[InlineKeyboardButton, ...]] = []
    if len(pages) > 1:
        tabs = [_tab(screen, page, shown=page == shown) for page in pages]
        rows += [tuple(tabs[at : at + 4]) for at in range(0, len(tabs), 4)]
    return rows + (_grid(screen, pages[shown]) or _list(pages[shown]))


def _tab(screen: Screen, page: str, *, shown: bool) -> InlineKeyboardButton:
    action = Action(TAB, screen.match, screen.version, ".".join([page, *screen.chosen]))
    group, _, part = page.partition(" ")
    name = f"{screen.groups.get(group, group)} {part}".strip()
    label = f"• {name} •" if shown else name
    return InlineKeyboardButton(
        label, callback_data=action.token, style="success" if shown else None
    )


def _pages(choices: Iterable[Choice]) -> dict[str, list[Choice]]:
    """The choices in the picture by their group, and by number where the legal ones are too many.

    Groups of which nothing is legal have no page.
    """
    groups: dict[str, list[Choice]] = {}
    for choice in choices:
        if choice.box is not None:
            groups.setdefault(choice.group, []).append(choice)
    pages: dict[str, list[Choice]] = {}
    for group, members in groups.items():
        legal = [choice for choice in members if choice.legal]
        parts = -(-len(legal) // _MOST)
        if parts == 1:
            pages[group] = members
        elif parts:
            size = -(-len(legal) // parts)
            for number, at in enumerate(range(0, len(legal), size), 1):
                pages[f"{group} {number}"] = legal[at : at + size]
    return pages


def _grid(screen: Screen, choices: Sequence[Choice]) -> list[tuple[InlineKeyboardButton, ...]]:
    """Choices where they are in the picture; empty where the keyboard is too small for that."""
    places = {(choice.row, choice.column): choice for choice in choices}
    lines = sorted({line for line, _ in places})
    columns = sorted({column for _, column in places})
    if not 2 <= len(columns) <= _WIDEST or len(columns) * len(lines) > _MOST:
        return []
    void = Action(VOID, screen.match, screen.version).token
    rows = []
    for line in lines:
        row = []
        for column in columns:
            choice = places.get((line, column))
            if choice is None:
                row.append(InlineKeyboardButton(_BLANK, callback_data=void))
            else:
                row.append(_cell(choice))
        rows.append(tuple(row))
    return rows


def _list(choices: Sequence[Choice]) -> list[tuple[InlineKeyboardButton, ...]]:
    """Choices one after the other; where few are legal those alone, with what they do."""
    legal = [choice for choice in choices if choice.legal]
    if len(legal) > 6 and len(choices) <= _MOST:
        # Each keeps its place whatever goes: whoever taps twice in one means the same.
        return _side_by_side([_cell(choice) for choice in choices], _WIDEST)
    few = len(legal) <= 6
    labels = [choice.label if few else choice.short for choice in legal]
    wide = 1 if few and max(map(len, labels)) > 12 else 3 if len(legal) <= 9 else _WIDEST
    return _side_by_side(
        [_chosen(choice, label) for choice, label in zip(legal, labels, strict=True)], wide
    )


def _side_by_side(
    buttons: Sequence[InlineKeyboardButton], wide: int
) -> list[tuple[InlineKeyboardButton, ...]]:
    return [tuple(buttons[at : at + wide]) for at in range(0, len(buttons), wide)]


def _cell(choice: Choice) -> InlineKeyboardButton:
    if choice.legal:
        return _chosen(choice, choice.short)
    return InlineKeyboardButton(_NOT_LEGAL, callback_data=choice.action.token)


def _chosen(choice: Choice, label: str) -> InlineKeyboardButton:
    return InlineKeyboardButton(cut(label, 60), callback_data=choice.action.token, style="primary")


def own_button(token: str) -> Turned | None:
    """What a button of our own says; None for all others."""
    with suppress(Refused):
        action = Action.read(token)
        if action.verb in (VOID, TAB, CLOSE):
            tab, *chosen = action.argument.split(".")
            return Turned(action.verb, action.match, action.version, tab, tuple(chosen))
    return None


def deep_link(username: str, word: str) -> str:
    """A link that opens the private chat with the bot and says `word` there (`bot.links`)."""
    return f"https://t.me/{username}?start={quote(word)}"
