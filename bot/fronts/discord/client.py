"""The connection to Discord: shards, commands and servers, and the links that invite the bot."""

import asyncio
import hashlib
import json
from typing import Any, Final

import aiohttp
import discord
import yarl
from aiolimiter import AsyncLimiter
from discord.gateway import DiscordWebSocket
from discord.http import Route
from discord.utils import oauth_url
from structlog import get_logger

from bot.app import App
from bot.commands import Commands
from bot.delivery import EphemeralReplies
from bot.fronts.discord import DiscordSettings
from bot.fronts.discord.interactions import PLATFORM, InteractionHandler
from bot.fronts.discord.slash import commands
from bot.support import logs
from bot.support.errors import HostError
from bot.support.metrics import Metrics

_log = get_logger(__name__)

discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

_PER_SECOND: Final = 40
_AT_ONCE: Final = 10
"""Together at most 50 requests per second, Discord's limit. Interactions do not count."""
_NOT_COUNTED: Final = ("/interactions/", "/webhooks/")

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


def set_base_urls(settings: DiscordSettings) -> None:
    """Set the base addresses of discord.py, which keeps them in classes."""
    Route.BASE = settings.api_base
    if settings.gateway:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway)


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


def _limited(trace: aiohttp.TraceConfig, settings: DiscordSettings) -> None:
    """Take only this process's share of the bot's rate limit. discord.py knows no other process."""
    ours, all_ = len(settings.shard_ids), settings.shard_count
    if not 0 < ours < all_:
        return
    at_once = max(1.0, _AT_ONCE * ours / all_)
    limiter = AsyncLimiter(at_once, at_once / (_PER_SECOND * ours / all_))

    async def begins(_: object, __: object, begun: aiohttp.TraceRequestStartParams) -> None:
        if not any(part in begun.url.path for part in _NOT_COUNTED):
            await limiter.acquire()

    trace.on_request_start.append(begins)


def _watched(metrics: Metrics) -> aiohttp.TraceConfig:
    """Count failed requests. discord.py retries most of them itself."""
    trace = aiohttp.TraceConfig()

    async def answered(_: object, __: object, ended: aiohttp.TraceRequestEndParams) -> None:
        if ended.response.status >= 400:
            metrics.platform_failed(PLATFORM, ended.response.status)

    async def failed(_: object, __: object, ended: aiohttp.TraceRequestExceptionParams) -> None:
        if not isinstance(ended.exception, asyncio.CancelledError):
            metrics.platform_failed(PLATFORM, None)

    trace.on_request_end.append(answered)
    trace.on_request_exception.append(failed)
    return trace


class Client(discord.AutoShardedClient):
    """The discord.py client, without privileged intents and almost without caches."""

    def __init__(self, app: App, commands: Commands, passing: EphemeralReplies) -> None:
        settings = app.settings.of(DiscordSettings)
        shard_ids: Any = list(settings.shard_ids) or None
        trace = _watched(app.metrics)
        _limited(trace, settings)
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            # Seconds without another server until the list is complete.
            guild_ready_timeout=0.5,
            member_cache_flags=discord.MemberCacheFlags.none(),
            http_trace=trace,
            shard_count=settings.shard_count or None,
            shard_ids=shard_ids,
        )
        self._app = app
        self.interactions = InteractionHandler(app, commands, passing)

    async def close(self) -> None:
        """Close the client. discord.py cannot close one that was never started."""
        if isinstance(self.loop, asyncio.AbstractEventLoop):
            await super().close()

    async def setup_hook(self) -> None:
        scope, registered = self._app.settings.of(DiscordSettings).development_guild, commands()
        text = json.dumps([scope, registered], sort_keys=True)
        mark = hashlib.sha256(text.encode()).hexdigest()

        async def register() -> None:
            assert self.application_id is not None
            if scope:
                await self.http.bulk_upsert_guild_commands(self.application_id, scope, registered)
            else:
                await self.http.bulk_upsert_global_commands(self.application_id, registered)
            _log.info("commands registered", number=len(registered), guild=scope or None)

        try:
            await self._app.once(PLATFORM, "commands", mark, register)
        except discord.HTTPException as error:
            # Without a code, the text may come from a proxy: do not log it.
            reason = error.text if error.code else type(error).__name__
            _log.error("commands could not be registered", code=error.code, reason=reason)

    async def on_ready(self) -> None:
        """Show postponed boards."""
        _log.info("connected to Discord", guilds=len(self.guilds), shards=self.shard_count)
        self._app.changed.set()

    async def on_shard_resumed(self, shard_id: int) -> None:
        _log.info("connection to Discord resumed", shard=shard_id)
        self._app.changed.set()

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Drop the boards of a server that removed the bot. Its matches can go on elsewhere."""
        _log.info("removed from a server", guild=guild.id)
        with logs.StoreErrorsLogged(_log, "boards of a server not removed", {"guild": guild.id}):
            await self._app.directory.gone(PLATFORM, str(guild.id))

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        await self.interactions.handle(interaction)
