"""The commands of users, the same on every front."""

from bot.commands.base import RESULTS as RESULTS
from bot.commands.base import Answer as Answer
from bot.commands.base import Command as Command
from bot.commands.base import CommandSpec as CommandSpec
from bot.commands.base import Kind as Kind
from bot.commands.base import table as table
from bot.commands.completing import Completion as Completion
from bot.commands.recording import check_size as check_size
from bot.commands.resolving import match_in as match_in
from bot.commands.serving import Commands as Commands
from bot.commands.tokens import is_menu as is_menu
from bot.commands.tokens import is_replay as is_replay
from bot.commands.tokens import match_of as match_of
from bot.commands.tokens import offered_moves as offered_moves
from bot.commands.tokens import verbs as verbs
from bot.commands.vocabulary import parse_clock as parse_clock
