"""Matches, seats, moves and boards, written together so that they agree."""

from bot.store.matches.beginning import begin, begin_at_once, end_challenge, propose
from bot.store.matches.changing import (
    ask_analysis,
    give_up_analysis,
    look_later,
    note_analysis,
    note_wait,
    offer,
    put_aside,
    remind,
    remind_later,
    set_clock,
    take_back,
    take_up,
)
from bot.store.matches.committing import Committed, Ended, Result, commit, end_challenges, give_up
from bot.store.matches.holidays import go_away
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
    "give_up",
    "give_up_analysis",
    "go_away",
    "load",
    "load_several",
    "look_later",
    "note_analysis",
    "note_wait",
    "offer",
    "propose",
    "put_aside",
    "remind",
    "remind_later",
    "set_clock",
    "take_back",
    "take_up",
]
