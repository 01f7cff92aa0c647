"""The Discord front."""

from bot.fronts.discord.front import Discord
from bot.fronts.discord.invite import InvitationError, invitation

__all__ = ["Discord", "InvitationError", "invitation"]
