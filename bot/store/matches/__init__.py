"""Matches, seats, moves and boards, written together so that they agree."""

from bot.store.matches.committing import Result as Result
from bot.store.matches.committing import ask_analysis as ask_analysis
from bot.store.matches.committing import begin as begin
from bot.store.matches.committing import commit as commit
from bot.store.matches.committing import create as create
from bot.store.matches.committing import end_challenge as end_challenge
from bot.store.matches.committing import end_challenges as end_challenges
from bot.store.matches.committing import mark_readable as mark_readable
from bot.store.matches.committing import mark_unreadable as mark_unreadable
from bot.store.matches.committing import note_analysis as note_analysis
from bot.store.matches.committing import postpone_check as postpone_check
from bot.store.matches.committing import remind_later as remind_later
from bot.store.matches.holidays import set_away as set_away
from bot.store.matches.reading import load as load
from bot.store.matches.reading import load_several as load_several
