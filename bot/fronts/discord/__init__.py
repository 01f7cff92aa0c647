"""The Discord front.

`interactions` turns interactions into commands, and `replies` sends the answers. `publisher` posts
boards and notices, `layout` lays them out, `slash` builds the slash commands. A restart loses only
interaction tokens, which Discord expires after 15 minutes (`interaction_tokens`).
"""

from bot.fronts.discord.front import Discord
from bot.fronts.discord.invite import InvitationError, invitation

__all__ = ["Discord", "InvitationError", "invitation"]
