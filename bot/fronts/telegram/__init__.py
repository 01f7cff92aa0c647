"""The front on Telegram, and what sets its bot up."""

from bot.fronts.telegram.front import Telegram
from bot.fronts.telegram.setup import set_up

__all__ = ["Telegram", "set_up"]
