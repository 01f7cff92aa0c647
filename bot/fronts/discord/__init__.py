"""Discord: everything that the core can do, as a Discord user expects it.

An interaction becomes a `Command` (`interactions`), its `Answer` a reply (`replies`); boards and
notices are sent for delivery (`publisher`). Screens are laid out in `layout`, the
slash commands come from the command table in `slash`. Nothing is remembered that a restart
would lose, except the keys of interactions, which Discord itself forgets after 15 minutes
(`interaction_tokens`).
"""

from bot.fronts.discord.front import Discord
from bot.fronts.discord.invite import InvitationError, invitation

__all__ = ["Discord", "InvitationError", "invitation"]
