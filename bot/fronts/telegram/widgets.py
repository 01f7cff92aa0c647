"""Screens as Telegram messages: text with entities, and a keyboard.

Entities instead of markup, so that no user text is ever parsed. All offsets, lengths and limits
count UTF-16 code units.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from typing import Any, TypeAlias
from urllib.parse import quote

from telegram import CopyTextButton, InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity
from telegram import User as TelegramUser

from bot.delivery import Recipient
from bot.domain.actions import Action
from bot.domain.errors import Refused
from bot.screens import Button, Choice, File, Screen, Style, in_rows, parts_of
from bot.screens.pictures import Png

_LONGEST_TEXT = 4096
LONGEST_CAPTION = 1024
LONGEST_ALERT = 200
_WIDEST = 8
_ROOMY = 5
"""Keys per row, if each shows its name and what lies there."""
_SHORT = 6
_MOST = 80
"""Choices per keyboard. Telegram allows 100 buttons, including those below."""

Rows: TypeAlias = Sequence[tuple[InlineKeyboardButton, ...]]

VOID, TAB = "void", "tab"
"""Verbs of the front's own buttons: no action, another page. Their argument: page and steps."""


_GROUP_LINK = "https://t.me/{}?startgroup=play"
"""Adds the bot to a group of the user's choice, and starts it there."""
_MOMENT = "wdt"
_BLANK = "\u2800"  # Telegram trims spaces, and refuses buttons without text.
_NOT_LEGAL = "·"
_KEYCAP = "\ufe0f\u20e3"
"""After a digit, so that the keypad does not look like cells."""
_ARROWS = {"00": "↖", "01": "↗", "10": "↙", "11": "↘", "-0": "←", "-1": "→", "0": "↑", "1": "↓"}
"""The position of a page in the picture."""
_MORE = " …"
_SENTENCE_END = re.compile(r"\n|(?<=[^\d\s][.!?])\s|(?<=[^\d\s]\d[.!?])\s")
"""After words and squares (d3.), but not after the numbers of a list (12.)."""
_WORD_END = re.compile(r"\s")
_STYLES = {Style.PLAIN: None, Style.PRIMARY: "primary", Style.DANGER: "danger"}


def _length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def cut(text: str, most: int) -> str:
    """Truncate to `most` UTF-16 code units, at the end of a line, sentence or word if near."""
    # A character has at most two.
    if 2 * len(text) <= most or _length(text) <= most:
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


@dataclass(frozen=True, slots=True)
class Draft:
    """A message to send."""

    text: str
    entities: tuple[MessageEntity, ...] = ()
    picture: Png | None = None
    is_spoiler: bool = False
    """True if the picture is covered until it is tapped."""
    keyboard: InlineKeyboardMarkup | None = None
    file: File | None = None
    instead: "Draft | None" = None
    """What is sent where pictures are not allowed."""


@dataclass(slots=True)
class TextBuilder:
    """Builds a text and its entities."""

    most: int = _LONGEST_TEXT
    text: str = ""
    entities: list[MessageEntity] = field(default_factory=list)

    def add(
        self, text: str, *kinds: str, user: int = 0, at: int | None = None, separator: str = "\n"
    ) -> "TextBuilder":
        """Add a text. `kinds` are types of entities, `at` a Unix time to be shown as local time."""
        if not text:
            return self
        before = self.text + (separator if self.text else "")
        whole, text = text, cut(text, self.most - _length(before))
        if not text:
            return self
        entity = partial(MessageEntity, offset=_length(before), length=_length(text))
        if at is not None and text == whole:
            moment = datetime.fromtimestamp(at, UTC)
            self.entities.append(
                entity(MessageEntity.DATE_TIME, unix_time=moment, date_time_format=_MOMENT)
            )
        mentioned = TelegramUser(user, text[:64], is_bot=False) if user else None
        self.entities += [entity(kind, user=mentioned) for kind in kinds]
        self.text = before + text
        return self

    def draft(self, **more: Any) -> Draft:
        return Draft(self.text, tuple(self.entities), **more)

    def mention(self, name: str, user: int, *, apart: str = "\n") -> "TextBuilder":
        return self.add(name, MessageEntity.TEXT_MENTION, user=user, separator=apart)


def note(text: str) -> Draft:
    """Draft a plain text."""
    return Draft(cut(text, _LONGEST_TEXT))


def menu(screen: Screen, *, owner: tuple[str, int] | None = None, bot: str = "") -> Draft:
    """Draft a screen that is no board. Only `owner` (name, id) may press its buttons.

    `bot` is our username, if the screen may invite it to groups.
    """
    # Tables repeat their picture as text. A long text has no room below a picture.
    told = "\n".join((owner[0] if owner else "", screen.title, screen.text, screen.alt))
    is_alone = not screen.rows and _length(told) <= LONGEST_CAPTION
    picture = screen.picture if screen.match or is_alone else None
    words = TextBuilder(LONGEST_CAPTION if screen.file or picture else _LONGEST_TEXT)
    if owner:
        words.mention(*owner)
    words.add(screen.title, MessageEntity.BOLD)
    for offer in screen.menu:
        words.add(offer.name, MessageEntity.BOLD).add(offer.about, separator=": ")
    if not screen.menu:
        _add_text(words, screen)
    for table in screen.tables:
        words.add(table.title).add("\n".join(table.lines()), MessageEntity.PRE)
    choices = [] if screen.match else _choice_rows(screen, tab="")
    rows: list[Sequence[InlineKeyboardButton]] = [*choices, *_rows(screen), *_copies(screen)]
    if screen.invitation and bot:
        words.add(screen.invitation.text)
        rows.append([url_button(screen.invitation.label, _GROUP_LINK.format(bot))])
    if picture and screen.alt != screen.text:
        _add_alt(words, screen)
    draft = words.draft(keyboard=keyboard(rows), file=screen.file)
    if not picture:
        return draft
    return replace(draft, picture=picture, is_spoiler=screen.is_spoiler, instead=draft)


def board(
    screen: Screen, *, tab: str = "", called: Recipient | None = None, without: str = ""
) -> Draft:
    """Draft a board with page `tab` of its keyboard. `without` is added without a picture."""
    rows = keyboard([*_choice_rows(screen, tab=tab), *_rows(screen), *_copies(screen)])
    words = _words(screen, called, most=_LONGEST_TEXT)
    if screen.picture is None:
        return words.draft(keyboard=rows)
    instead = words.add(without, MessageEntity.ITALIC).draft(keyboard=rows)
    return _words(screen, called, most=LONGEST_CAPTION).draft(
        picture=screen.picture, is_spoiler=screen.is_spoiler, keyboard=rows, instead=instead
    )


def draft_screen(screen: Screen) -> Draft:
    """Draft a screen, with or without a picture."""
    return board(screen) if screen.picture else menu(screen)


def _words(screen: Screen, called: Recipient | None, *, most: int) -> TextBuilder:
    words = TextBuilder(most)
    words.add(screen.title, MessageEntity.BOLD)
    start, end = screen.opponent_span
    if called and end:
        user = TelegramUser(int(called.external), first_name=called.name, is_bot=False)
        offset, length = _length(screen.title[:start]), _length(screen.title[start:end])
        words.entities.append(MessageEntity(MessageEntity.TEXT_MENTION, offset, length, user=user))
    _add_text(words, screen)
    if screen.alt not in ("", screen.title, screen.text):
        # The position in words, collapsed: screen readers get only the caption.
        _add_alt(words, screen)
    return words


def _add_alt(words: TextBuilder, screen: Screen) -> None:
    covered = (MessageEntity.SPOILER,) if screen.is_spoiler else ()
    words.add(screen.alt, MessageEntity.EXPANDABLE_BLOCKQUOTE, *covered)


def _add_text(words: TextBuilder, screen: Screen) -> None:
    apart = "\n"
    for part in parts_of(screen):
        kinds = {
            MessageEntity.CODE: part.is_copied,
            MessageEntity.SPOILER: part.is_spoiler,
            MessageEntity.EXPANDABLE_BLOCKQUOTE: part.is_folded,
        }
        is_on = [kind for kind, is_meant in kinds.items() if is_meant]
        words.add(part.text, *is_on, at=part.at, separator="\n" if part.is_folded else apart)
        apart = ""


def keyboard(rows: Iterable[Sequence[InlineKeyboardButton]]) -> InlineKeyboardMarkup | None:
    """Return a keyboard, None without rows."""
    kept = [row for row in rows if row]
    return InlineKeyboardMarkup(kept) if kept else None


def url_button(label: str, url: str) -> InlineKeyboardButton:
    """Return a button that opens a URL."""
    return InlineKeyboardButton(label, url=url)


def _copies(screen: Screen) -> Rows:
    copies = [
        InlineKeyboardButton(cut(one.label, 60), copy_text=CopyTextButton(one.text))
        for one in screen.copied
    ]
    return in_rows(copies)


def _rows(screen: Screen) -> Rows:
    return [tuple(token_button(one) for one in row) for row in screen.rows]


def token_button(button: Button) -> InlineKeyboardButton:
    """Return a button for an action."""
    return InlineKeyboardButton(
        cut(button.label, 60), callback_data=button.action.token, style=_STYLES[button.style]
    )


def _choice_rows(screen: Screen, *, tab: str) -> Rows:
    pages = _pages(screen.choices)
    if not pages:
        return []
    if screen.pad:
        # Few enough cells to show at once: no move starts with a search for its page.
        blocks = [_grid(screen, cells) for cells in pages.values()]
        return _with_pad(screen, [row for pair in in_rows(blocks) for row in _beside(pair)])
    # Stay on the page of the previous step.
    going_on = (
        name
        for name, page in pages.items()
        if any(choice.step == screen.last_step for choice in page)
    )
    open_ = (name for name, page in pages.items() if any(choice.legal for choice in page))
    shown = tab if tab in pages else next(going_on, next(open_))
    tabs = list[InlineKeyboardButton]()
    # A single page keeps its tab if there may be others: otherwise all keys would move.
    if len(pages) > 1 or len({choice.group for choice in screen.choices if choice.box}) > 1:
        tabs = [_tab(screen, page, shown=page == shown) for page in pages]
    return [*in_rows(tabs, 4), *_grid(screen, pages[shown])]


def _with_pad(screen: Screen, rows: Rows) -> Rows:
    pad = [
        InlineKeyboardButton(
            choice.short + _KEYCAP if choice.legal else _NOT_LEGAL,
            callback_data=choice.action.token,
        )
        for choice in screen.pad
    ]
    beside = in_rows(pad, 3)
    if len(rows) == len(beside) and len(rows[0]) + 3 <= _WIDEST:
        return _beside([rows, beside])
    return [*rows, *in_rows(pad, 5)]


def _beside(blocks: Iterable[Rows]) -> Rows:
    return [tuple(chain(*row)) for row in zip(*blocks, strict=True)]


def _tab(screen: Screen, page: str, *, shown: bool) -> InlineKeyboardButton:
    # The tab of the current page does nothing.
    verb = VOID if shown else TAB
    action = Action(verb, screen.match, screen.version, ".".join([page, *screen.chosen]))
    group, _, part = page.partition(" ")
    name = f"{screen.groups.get(group, group)} {_ARROWS.get(part, part)}".strip()
    label = f"• {name} •" if shown else name
    return InlineKeyboardButton(
        label, callback_data=action.token, style="success" if shown else None
    )


def _pages(choices: Iterable[Choice]) -> dict[str, list[Choice]]:
    """Return choices by group, in parts if too many. All parts have a page, so none moves."""
    groups: dict[str, list[Choice]] = {}
    for choice in choices:
        if choice.box is not None:
            groups.setdefault(choice.group, []).append(choice)
    pages: dict[str, list[Choice]] = {}
    for group, members in groups.items():
        if any(choice.legal for choice in members):
            for part, cells in _parts(members).items():
                pages[f"{group} {part}".rstrip()] = cells
    return pages


def _parts(choices: Sequence[Choice]) -> dict[str, list[Choice]]:
    """Return choices by parts that fit into a keyboard: all, or parts by row and column."""
    lines = sorted({choice.row for choice in choices})
    columns = sorted({choice.column for choice in choices})
    if (
        len(lines) == 1
        or (len(columns) <= _WIDEST and len(columns) * len(lines) <= _MOST)
        or (_is_ring(choices) and len(columns) - 2 <= _WIDEST)
    ):
        return {"": list(choices)}
    across, down = -(-len(columns) // _WIDEST), -(-len(lines) // _WIDEST)

    def part(choice: Choice) -> str:
        column = columns.index(choice.column) * across // len(columns)
        row = lines.index(choice.row) * down // len(lines)
        return (
            f"{row}{column}" if across > 1 and down > 1 else f"{row}" if down > 1 else f"-{column}"
        )

    parts: dict[str, list[Choice]] = {}
    for choice in sorted(choices, key=part):
        parts.setdefault(part(choice), []).append(choice)
    return parts


def _is_ring(choices: Iterable[Choice]) -> bool:
    rows: dict[int, set[int]] = {}
    for choice in choices:
        rows.setdefault(choice.row, set()).add(choice.column)
    columns = set().union(*rows.values())
    inner, sides = sorted(rows)[1:-1], {min(columns), max(columns)}
    return bool(inner) and len(columns) > 2 and all(rows[row] == sides for row in inner)


def _grid(screen: Screen, choices: Sequence[Choice]) -> Rows:
    """Arrange choices as in the picture. A ring is drawn without its empty area."""
    lines = sorted({choice.row for choice in choices})
    columns = sorted({choice.column for choice in choices})
    keys = _keys(screen, choices, roomy=len(columns) <= _ROOMY)
    if len(lines) == 1 and len(columns) > _WIDEST:
        return _folded([keys[lines[0], column] for column in columns])
    void = Action(VOID, screen.match, screen.version).token
    blank, is_ring = InlineKeyboardButton(_BLANK, callback_data=void), _is_ring(choices)
    return [
        tuple(
            keys.get((line, column), blank)
            for column in columns
            if not is_ring or (line, column) in keys
        )
        for line in lines
    ]


def _keys(
    screen: Screen, choices: Iterable[Choice], *, roomy: bool
) -> dict[tuple[int, int], InlineKeyboardButton]:
    """Return keys with what lies there, or their names if legal. Both if there is room."""
    keys = {}
    for choice in choices:
        name, action = choice.short if choice.legal else "", choice.action
        if roomy and choice.whole and len(choice.whole[0]) <= _SHORT:
            name, action = choice.whole
        label = f"{name} {choice.glyph}".strip() if roomy else choice.glyph or name
        is_chosen = choice.step in screen.chosen and not choice.legal
        keys[choice.row, choice.column] = InlineKeyboardButton(
            cut(label or _NOT_LEGAL, 60),
            callback_data=action.token,
            style="primary" if choice.legal else "success" if is_chosen else None,
        )
    return keys


def _folded(buttons: Sequence[InlineKeyboardButton]) -> Rows:
    """Split a long row into rows of equal length if possible: 9 as 3 by 3."""
    least = -(-len(buttons) // _WIDEST)
    rows = next((rows for rows in range(least, 2 * least + 1) if not len(buttons) % rows), least)
    return in_rows(buttons, -(-len(buttons) // rows))


def own_button(token: str) -> Action | None:
    """Parse a button of the front. None for others."""
    with suppress(Refused):
        action = Action.read(token)
        return action if action.verb in (VOID, TAB) else None
    return None


def deep_link(username: str, word: str) -> str:
    """Return a link that opens the chat with the bot and sends `word` (`bot.domain.links`)."""
    return f"https://t.me/{username}?start={quote(word)}"
