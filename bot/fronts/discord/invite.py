"""The links by which Azumaya comes into a server, or to a person."""

import discord
from discord.utils import oauth_url

from bot import logs
from bot.fronts.discord.front import find_discord
from bot.settings import DiscordSettings

__all__ = ["PERMISSIONS", "invitation"]

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    attach_files=True,
    read_message_history=True,
)
"""What boards, pings and threads need."""


async def invitation(settings: DiscordSettings) -> tuple[str, str]:
    """The links for a server and for a person, for the application that the token belongs to.

    Raises `discord.LoginFailure` for a token that Discord does not know, OSError or
    aiohttp.ClientError where Discord cannot be reached.
    """
    token = settings.token.get_secret_value()
    logs.register_secret(token)
    find_discord(settings)
    async with discord.Client(intents=discord.Intents.none()) as client:
        await client.login(token)
        assert client.application_id is not None
        server = oauth_url(
            client.application_id,
            permissions=PERMISSIONS,
            scopes=("bot", "applications.commands"),
        )
        person = oauth_url(client.application_id, scopes=("applications.commands",))
    return f"{server}&integration_type=0", f"{person}&integration_type=1"
