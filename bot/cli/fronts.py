"""The fronts that ``azumaya run`` serves, as their packages describe them."""

from importlib import import_module

from bot.fronts.base import Registration
from bot.support.platforms import NAMES

FRONTS: tuple[Registration, ...] = tuple(
    import_module(f"bot.fronts.{name}").FRONT for name in NAMES
)
