"""Screens: what a front shows, without widgets.

A screen is made for one reader: their language, theme and side of the board. It is plain text,
which each front escapes.
"""

from bot.screens.boards import Readers as Readers
from bot.screens.boards import Screens as Screens
from bot.screens.controls import analysis_button as analysis_button
from bot.screens.controls import lasting_buttons as lasting_buttons
from bot.screens.past import ReplayScreens as ReplayScreens
from bot.screens.values import SIZES as SIZES
from bot.screens.values import Button as Button
from bot.screens.values import Choice as Choice
from bot.screens.values import Client as Client
from bot.screens.values import Copied as Copied
from bot.screens.values import Field as Field
from bot.screens.values import File as File
from bot.screens.values import Invitation as Invitation
from bot.screens.values import Link as Link
from bot.screens.values import MenuEntry as MenuEntry
from bot.screens.values import Modal as Modal
from bot.screens.values import Question as Question
from bot.screens.values import Reader as Reader
from bot.screens.values import Rows as Rows
from bot.screens.values import Screen as Screen
from bot.screens.values import Side as Side
from bot.screens.values import StartCard as StartCard
from bot.screens.values import Style as Style
from bot.screens.values import in_rows as in_rows
from bot.screens.values import parts_of as parts_of
from bot.screens.values import with_text as with_text
from bot.screens.wording import clock_words as clock_words
from bot.screens.wording import headline as headline
from bot.screens.wording import match_button as match_button
from bot.screens.wording import notation_for as notation_for
from bot.screens.wording import option_words as option_words
from bot.screens.wording import terms_line as terms_line
