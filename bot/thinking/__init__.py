"""Processes that think about positions, for computers and for whoever wants to be helped.

`bot.thinking.workers` keeps them, `bot.thinking.worker` is what runs in them. That one loads no
more than the rules of games, so nothing is imported here.
"""
