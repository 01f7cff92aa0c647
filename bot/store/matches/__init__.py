"""Matches, seats, moves and boards, written together so that they agree."""

from bot.store.matches.beginning import begin, begin_at_once, end_challenge, propose
from bot.store.matches.changing import (
    ask_analysis,
    mark_readable,
    mark_unreadable,
    note_analysis,
    note_wait,
    offer,
    postpone_check,
    remind,
    remind_later,
    set_clock,
    take_back,
)
from bot.store.matches.committing import Committed, Ended, Result, commit, end_challenges, resign
from bot.store.matches.holidays import set_away
from bot.store.matches.reading import load, load_several

__all__ = [
    "Committed",
    "Ended",
    "Result",
    "ask_analysis",
    "begin",
    "begin_at_once",
    "commit",
    "end_challenge",
    "end_challenges",
    "load",
    "load_several",
    "mark_readable",
    "mark_unreadable",
    "note_analysis",
    "note_wait",
    "offer",
    "postpone_check",
    "propose",
    "remind",
    "remind_later",
    "resign",
    "set_away",
    "set_clock",
    "take_back",
]
