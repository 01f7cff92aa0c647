"""What the process of `tests.warm` loads before its forks start: program, texts, fonts.

The app loads texts and fonts at every start, after it has opened its port; a fork has them.
"""

import gc
import threading

import bot.__main__
import bot.fronts.discord
import bot.fronts.telegram  # noqa: F401
import renderers
from bot.support.texts import load

load()
renderers.load()
# As the house does it: what is here now stays, and no fork has to look through it.
gc.collect()
gc.freeze()
# Only the thread that forks is there in a fork.
assert threading.active_count() == 1, threading.enumerate()
