import asyncio
import logging

from structlog import get_logger

from bot.app import App
from bot.commands import Command, Commands
from bot.delivery import Channel, Notice, Outgoing
from bot.domain.model import Place
from bot.screens import Client

from . import FRONT, MatrixSettings


class Matrix(Channel):
    """Anna starts a match in a direct chat, and the front shows its board."""

    platform = FRONT.name
    medium = FRONT.medium

    def __init__(self, app: App, commands: Commands) -> None:
        self._app, self._commands = app, commands
        self.shown: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    @property
    def url(self) -> str:
        return self._app.settings.of(MatrixSettings).server

    async def start(self) -> None:
        token = self._app.settings.of(MatrixSettings).token.get_secret_value()
        get_logger().info("connected", where=f"{self.url}?as={token}")
        logging.getLogger("nio").warning("synchronized %s", "a private message")
        user = await self._app.directory.identify("matrix", "@anna", "Anna", registers=True)
        place = await self._app.directory.direct("matrix", "@anna", "Anna")
        command = Command(Client(user, "@anna"), place, medium=self.medium)
        answer = await self._commands.run_line(command, "/blackbox new")
        assert not answer.refused

    async def stop(self) -> None:
        pass

    async def send(self, outgoing: Outgoing) -> str:
        screen = await outgoing.screen()
        if not self.shown.done():
            self.shown.set_result(screen.title)
        return "1"

    async def edit(self, outgoing: Outgoing, message: str) -> str:
        return message

    async def delete(self, place: Place, message: str) -> None:
        pass

    async def notify(self, place: Place, notice: Notice) -> str | None:
        return None
