"""Compile the engines with numba, if it is there. Import this before any engine."""

from bot.thinking.worker import accelerate

accelerate()
