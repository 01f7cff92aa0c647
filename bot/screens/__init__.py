"""Screens: what a front shows, without widgets.

A screen is made for one reader: their language, theme and side of the board. It is plain text,
which each front escapes.
"""

from bot.screens.boards import Screens
from bot.screens.buttons import analysis_button, lasting_buttons
from bot.screens.past import PastScreens
from bot.screens.values import (
    SIZES,
    Button,
    Choice,
    Copied,
    Field,
    File,
    Form,
    GameOffer,
    Invitation,
    Link,
    Part,
    Question,
    Reader,
    Screen,
    Side,
    StartCard,
    Style,
    UserSelect,
    parts_of,
    with_text,
)
from bot.screens.wording import (
    clock_words,
    form_of,
    headline,
    notation_key,
    option_line,
    option_words,
    span_words,
    status_line,
    terms_line,
)

__all__ = [
    "SIZES",
    "Button",
    "Choice",
    "Copied",
    "Field",
    "File",
    "Form",
    "GameOffer",
    "Invitation",
    "Link",
    "Part",
    "PastScreens",
    "Question",
    "Reader",
    "Screen",
    "Screens",
    "Side",
    "StartCard",
    "Style",
    "UserSelect",
    "analysis_button",
    "clock_words",
    "form_of",
    "headline",
    "lasting_buttons",
    "notation_key",
    "option_line",
    "option_words",
    "parts_of",
    "span_words",
    "status_line",
    "terms_line",
    "with_text",
]
