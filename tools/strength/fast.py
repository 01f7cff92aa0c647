"""Compile the engines with numba, if it is there. Import this before any engine."""

from bot.engines.worker import accelerate

accelerate()
