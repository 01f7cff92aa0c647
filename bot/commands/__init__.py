"""The commands of users, the same on every front."""

from bot.commands.base import FILTERS as FILTERS
from bot.commands.base import Answer as Answer
from bot.commands.base import Command as Command
from bot.commands.base import CommandSpec as CommandSpec
from bot.commands.base import Kind as Kind
from bot.commands.base import find_spec as find_spec
from bot.commands.base import table as table
from bot.commands.completing import Completion as Completion
from bot.commands.recording import check_size as check_size
from bot.commands.serving import Commands as Commands
from bot.commands.tokens import is_menu as is_menu
from bot.commands.tokens import is_replay as is_replay
from bot.commands.tokens import match_of as match_of
from bot.commands.tokens import offered_moves as offered_moves
from bot.commands.tokens import verbs as verbs
