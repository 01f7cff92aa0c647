"""Invite links for servers and users."""

import aiohttp
import discord
from discord.utils import oauth_url

from bot.fronts.discord import DiscordSettings
from bot.fronts.discord.front import set_base_urls
from bot.support import logs
from bot.support.errors import HostError

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    attach_files=True,
    read_message_history=True,
)
"""For boards, mentions and threads."""

_COMMANDS = "applications.commands"


async def invitation(settings: DiscordSettings) -> tuple[str, str]:
    """Return the links for a server and for a user. Raises `HostError`."""
    token = settings.token.get_secret_value()
    if not token:
        raise HostError("discord.token is not set")
    logs.register_secret(token)
    set_base_urls(settings)
    try:
        async with discord.Client(intents=discord.Intents(guilds=True)) as client:
            await client.login(token)
            application = client.application_id
    except discord.LoginFailure as error:
        raise HostError("Discord does not accept discord.token") from error
    except (OSError, aiohttp.ClientError, discord.DiscordException) as error:
        raise HostError(f"Discord cannot be reached: {type(error).__name__}") from error
    assert application is not None
    server = oauth_url(application, permissions=PERMISSIONS, scopes=("bot", _COMMANDS))
    person = oauth_url(application, scopes=(_COMMANDS,))
    return f"{server}&integration_type=0", f"{person}&integration_type=1"
