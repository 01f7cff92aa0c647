"""The front as the house sees it: started, stopped, asked by the duties to show and to ping."""

import asyncio

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route
from structlog import get_logger

from bot import logs
from bot.commands import Commands
from bot.duties import NotNowError
from bot.fronts.discord.client import Client
from bot.fronts.discord.entrance import PLATFORM
from bot.house import House
from bot.matches import Live
from bot.model import Board, Place
from bot.settings import DiscordSettings

__all__ = ["Discord", "find_discord"]

_log = get_logger(__name__)

_FIRST_WAIT = 1.0
_LONGEST_WAIT = 60.0

_OUT_OF_REACH = (
    OSError,
    TimeoutError,
    aiohttp.ClientError,
    discord.DiscordServerError,
    discord.GatewayNotFound,
    discord.RateLimited,
)


def find_discord(settings: DiscordSettings) -> None:
    """Tell discord.py where Discord is; it keeps its base addresses in classes."""
    Route.BASE = settings.api_base
    if settings.gateway:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway)


class Discord:
    """Azumaya on Discord."""

    platform = PLATFORM

    def __init__(self, house: House, commands: Commands) -> None:
        self._house = house
        self._commands = commands
        self._running: asyncio.Task[None] | None = None
        self.client = self._made()
        house.looks.append(self._look_again)

    async def _look_again(self) -> None:
        self.client.entrance.forget()

    def _made(self) -> Client:
        return Client(self._house, self._commands)

    async def start(self) -> None:
        """Connect, and stay connected; gives back at once, for Discord may be out of reach."""
        settings = self._house.settings.discord
        logs.register_secret(settings.token.get_secret_value())
        find_discord(settings)
        self._house.health.parts["Discord is out of reach"] = self._is_ready
        self._running = asyncio.create_task(self._run(settings.token.get_secret_value()))

    async def stop(self) -> None:
        """Finish what is under way, and say good-bye."""
        await self.client.entrance.close()
        running = self._running
        if running is None:
            return
        self._running = None
        await self.client.close()
        running.cancel()
        await asyncio.wait({running})

    async def _run(self, token: str) -> None:
        """discord.py reconnects by itself once it was connected; until then, we do."""
        wait = _FIRST_WAIT
        while True:
            try:
                await self.client.start(token)
            except discord.LoginFailure:
                _log.error("Discord does not accept the token; it is left out")
                return
            except _OUT_OF_REACH as error:
                if wait == _FIRST_WAIT:
                    _log.warning("Discord is out of reach", reason=type(error).__name__)
            except discord.ClientException as error:
                _log.error("Discord has closed the connection", reason=str(error))
                return
            except Exception:  # noqa: BLE001 - logged whole; the next try may do better
                _log.exception("the connection to Discord failed")
            else:
                return
            await self.client.close()
            await asyncio.sleep(wait)
            wait = min(2 * wait, _LONGEST_WAIT)
            self.client = self._made()

    async def show(self, board: Board, place: Place, live: Live) -> str:
        """See `bot.duties.Front`."""
        self._check_ready()
        return await self.client.posts.show(board, place, live)

    async def ping(self, board: Board, place: Place, live: Live) -> str | None:
        """See `bot.duties.Front`."""
        self._check_ready()
        return await self.client.posts.ping(board, place, live)

    def _is_ready(self) -> bool:
        return self.client.is_ready() and not self.client.is_closed()

    def _check_ready(self) -> None:
        if not self._is_ready():
            raise NotNowError(_FIRST_WAIT)
