"""The Telegram front."""

from bot.fronts.telegram.front import Telegram
from bot.fronts.telegram.setup import SetupError, set_up, user_name

__all__ = ["SetupError", "Telegram", "set_up", "user_name"]
