"""Worker processes that run the engines, for computer opponents, hints and analysis.

`bot.engines.worker` loads no more than the rules of games, so nothing is imported here.
"""
