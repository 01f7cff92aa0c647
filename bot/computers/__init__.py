"""Computers: who plays where no person sits, and who thinks for them.

`bot.computers.computers` finds what they have to do and does it; `bot.computers.workers` keeps
processes that think, `bot.computers.worker` is what runs in them. That one imports no more than the
rules of games, so nothing is imported here.
"""
