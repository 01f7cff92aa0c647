"""Start, stop and delivery of the Discord front."""

import asyncio
from functools import partial
from itertools import count

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route
from structlog import get_logger

from bot.app import App
from bot.commands import Commands
from bot.delivery import EphemeralReplies, RetryError
from bot.domain.model import Place
from bot.fronts.discord import FRONT, DiscordSettings, error_codes
from bot.fronts.discord.client import Client
from bot.fronts.discord.interactions import PLATFORM
from bot.fronts.discord.publisher import BoardPublisher
from bot.support.tasks import Backoff

_log = get_logger(__name__)

_FIRST_PAUSE = 1.0
_PAUSES = Backoff(_FIRST_PAUSE, 60.0)

_ASKED_SECONDS = 5.0

_OUT_OF_REACH = (
    OSError,
    TimeoutError,
    aiohttp.ClientError,
    discord.DiscordServerError,
    discord.GatewayNotFound,
    discord.RateLimited,
)


def set_base_urls(settings: DiscordSettings) -> None:
    """Set the base addresses of discord.py, which keeps them in classes."""
    Route.BASE = settings.api_base
    if settings.gateway:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway)


class Discord(BoardPublisher):
    """The Discord front."""

    platform = PLATFORM
    url = ""
    medium = FRONT.medium

    def __init__(self, app: App, commands: Commands) -> None:
        super().__init__(self._connected)
        self._app = app
        self._commands = commands
        self._passing = EphemeralReplies(app, self)
        self._running: asyncio.Task[None] | None = None
        self.client = self._new_client()
        app.rechecks.append(self._look_again)
        app.member_checks[PLATFORM] = self._has_member

    async def _look_again(self) -> None:
        self.client.interactions.forget()

    def _new_client(self) -> Client:
        return Client(self._app, self._commands, self._passing)

    async def start(self) -> None:
        """Connect in the background, as Discord may be unreachable."""
        settings = self._app.settings.of(DiscordSettings)
        set_base_urls(settings)
        shards = self._app.shards
        self._app.health.parts["Discord cannot be reached"] = lambda: (
            self._is_ready() or not shards.serves(PLATFORM)
        )
        serve = partial(self._serve, settings.token.get_secret_value())
        self._running = asyncio.create_task(shards.while_ours(PLATFORM, serve))

    async def stop(self) -> None:
        await self.client.interactions.close()
        running = self._running
        if running is None:
            return
        self._running = None
        await self.client.close()
        running.cancel()
        await asyncio.wait({running})

    async def _serve(self, token: str) -> None:
        try:
            await self._run(token)
        except asyncio.CancelledError:
            if self._running is not None:
                # Another process takes over. Finish pending interactions first: only this one can.
                await self.client.interactions.close()
                await self.client.close()
                self.client = self._new_client()
            raise

    async def _run(self, token: str) -> None:
        """Retry the first connection. Then discord.py reconnects by itself."""
        for failures in count(1):
            try:
                await self.client.start(token)
            except discord.LoginFailure:
                _log.error("Discord does not accept the token; it is left out")
                return
            except _OUT_OF_REACH as error:
                if failures == 1:
                    _log.warning("Discord cannot be reached", reason=type(error).__name__)
            except discord.ClientException as error:
                _log.error("Discord has closed the connection", reason=str(error))
                return
            except Exception:  # noqa: BLE001 - logged whole; the next try may do better
                _log.exception("the connection to Discord failed")
            else:
                return
            await self.client.close()
            await asyncio.sleep(_PAUSES.after(failures))
            self.client = self._new_client()

    async def _has_member(self, place: Place, external: str) -> bool | None:
        """Return whether a user is in the server of a place. None if Discord does not say it."""
        if place.community is None or not self._is_ready():
            return None
        try:
            async with asyncio.timeout(_ASKED_SECONDS):
                await self.client.http.get_member(int(place.community), int(external))
        except discord.NotFound as error:
            return False if error.code in error_codes.NO_MEMBER else None
        except (*_OUT_OF_REACH, discord.HTTPException):
            return None
        return True

    def _connected(self) -> Client:
        """Return the client to deliver with. Raises `RetryError`."""
        if not (self._is_ready() and self._app.shards.serves(PLATFORM)):
            raise RetryError(_FIRST_PAUSE)
        return self.client

    def _is_ready(self) -> bool:
        return self.client.is_ready() and not self.client.is_closed()
