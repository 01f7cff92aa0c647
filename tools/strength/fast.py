"""Compiles players where it can be done, as the processes that think do: imported before them.

By those programs alone that measure or train: tests play by the plain functions, whatever else is
collected beside them.
"""

from bot.thinking.worker import accelerate

__all__ = ["accelerate"]

accelerate()
